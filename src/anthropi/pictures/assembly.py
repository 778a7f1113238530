"""Pictures of an assembly before and after solving, with lines between the points that constraints connect."""

from typing import Any

import numpy as np

from anthropi.constraints.primitives import Point
from anthropi.pictures.solids import BONE, PALETTE, Scene, Solid
from anthropi.pictures.view import panels_for, show, view_of, window_of

__all__ = ["before_and_after"]

GAP, REST = "#c0392b", (0.80, 0.83, 0.88)


def before_and_after(
    solved: Any, *, view: Any = "three-quarter", axes: Any = None, pixels: int = 900, file: Any = None
) -> list[Any]:
    """Draw an assembly before and after solving.

    Parameters
    ----------
    solved : the result of solving an assembly (`Solved`).
    view : a name or (azimuth, elevation) in degrees, as in `draw`.
    axes : two matplotlib axes to draw into; new ones if None.
    pixels : number of pixels along the longer side of each picture.
    file : path to write the picture to; then no window is opened.

    Returns
    -------
    The two axes. Bodies without shapes are drawn as sticks to the points of their constraints.
    """
    assembly, seen = solved.assembly, view_of(view)
    states = (assembly.coordinates.start(), solved.x)
    scenes = [_scene(assembly, *assembly.coordinates.poses(x)) for x in states]
    windows = [window_of(scene, seen, False, pixels) for scene in scenes]
    panels = panels_for(axes, windows, file is None, "A picture of an assembly")
    for panel, scene, window, title in zip(panels, scenes, windows, ("before", "after"), strict=True):
        show(panel, scene, seen, window, title == "after", False, False)
        panel.set_title(title, fontsize=11)
    for a, b in _gaps(assembly, *assembly.coordinates.poses(states[0])):
        ends = seen.project(np.stack([a, b]))
        panels[0].plot(ends[:, 0], ends[:, 1], "--", color=GAP, lw=0.9, alpha=0.8, zorder=4)
        panels[0].plot(ends[:, 0], ends[:, 1], ".", color=GAP, ms=4, zorder=4)
    if file is not None:
        panels[0].figure.savefig(file, dpi=150)
    return panels


def _held(assembly) -> dict[str, np.ndarray]:
    """Return the points of the constraints on each body, in its frame: {body: (k, 3)} [m]."""
    found: dict[str, list[Any]] = {name: [] for name in assembly.names}
    for c in assembly.constraints:
        for p in c.primitives():
            for f in p.features():
                if isinstance(f, Point) and f.body and not callable(f.at) and not hasattr(f.at, "at"):
                    found[f.body].append(np.asarray(f.at, float))
    return {name: np.unique(np.array(points).reshape(-1, 3), axis=0) for name, points in found.items()}


def _gaps(assembly, r, A):
    """Yield pairs of points that constraints connect, in world coordinates."""
    number = {name: i for i, name in enumerate(assembly.names)}

    def world(f):
        at = np.asarray(f.at, float)
        return at if not f.body else r[number[f.body]] + A[number[f.body]] @ at

    for c in assembly.constraints:
        pairs = [[f for f in p.features() if isinstance(f, Point)] for p in c.primitives()]
        fixed = [
            pair for pair in pairs if len(pair) == 2 and not any(callable(f.at) or hasattr(f.at, "at") for f in pair)
        ]
        if fixed:
            yield tuple(world(f) for f in fixed[0])


def _scene(assembly, r, A) -> Scene:
    """Scene of the bodies at positions r (n, 3) with rotations A (n, 3, 3)."""
    held = _held(assembly)
    points = [r[i] + held[name] @ A[i].T for i, name in enumerate(assembly.names)]
    every = np.concatenate([r, *points])
    size = float(max(np.ptp(every, axis=0).max(), 1e-3))
    parts = assembly.bodies if assembly.figure is None else assembly.figure.links
    solids: list[Solid] = []
    for i, body in enumerate(parts):
        colour = REST if getattr(body, "fixed", False) else PALETTE[1 + i % (len(PALETTE) - 1)]
        shapes = [s for s in body.shapes if s.kind != "mesh"]
        for s in shapes:
            own = tuple(s.colour[:3]) if len(s.colour) >= 3 else colour
            middle = r[i] + A[i] @ s.placement.origin
            solids.append(Solid(s.kind, tuple(s.size), A[i] @ s.placement.rotation, middle, own, i))
        if not shapes:
            solids += _sticks(r[i], points[i], 0.012 * size, colour, i)
    reach = [[s.middle + sign * s.reach(e) * e for e in np.eye(3)] for s in solids for sign in (-1.0, 1.0)]
    whole = np.ptp(np.array(reach).reshape(-1, 3), axis=0).max()
    joints = np.concatenate([np.zeros((0, 3)), *points])
    return Scene(solids, joints, np.zeros((0, 3)), float(max(whole, size)))


def _sticks(origin, ends, radius: float, colour, link: int) -> list[Solid]:
    found = [Solid("sphere", (1.5 * radius,), np.eye(3), origin, BONE, link)]
    for end in ends:
        along = end - origin
        length = float(np.linalg.norm(along))
        if length > 1e-9:
            z = along / length
            y = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
            y /= np.linalg.norm(y)
            turn = np.stack([np.cross(y, z), y, z], axis=1)
            found.append(Solid("capsule", (radius, length), turn, 0.5 * (origin + end), colour, link))
    return found
