"""Pictures of figures and motions in matplotlib axes: one pose, a strip of poses, stick figures.

`draw` shows a figure with shaded shapes, joints as dots, markers and ground, from one or several sides. `strip` shows
poses of a motion at several times, in place or side by side, each with its time. `sticks` shows frames of a cycle as
stick figures in one panel (after Marey; fig. 9.7 of the thesis). A stick goes from each joint to the joints and end
points of its link. The left side is blue and the right side red, as in all pictures of figures.
"""

from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.errors import InputError, ShapeError
from anthropi.figure.figure import Figure
from anthropi.motion.motion import Motion
from anthropi.pictures.solids import Scene, scene_of
from anthropi.pictures.view import UP, grounded, panels_for, reach_of, show, view_of, window_of

__all__ = ["draw", "sticks", "strip"]


def draw(
    figure: Figure,
    q: Any = None,
    *,
    view: Any = "three-quarter",
    axes: Any = None,
    only: str | None = None,
    joints: bool = True,
    markers: bool = False,
    ground: Any = None,
    pixels: int = 800,
    file: Any = None,
) -> Any:
    """Draw a figure.

    Parameters
    ----------
    q : (nq,) configuration; neutral if None.
    view : "front", "side", "back", "three-quarter", "top", (azimuth, elevation) in degrees, or a list of these.
    axes : matplotlib axes to draw into, one per view; new ones if None.
    only : name of a link; only it and the links beyond it are drawn.
    joints, markers : whether to draw dots at the joints and at the point markers.
    ground : whether to draw the plane z = 0 with a grid and a shadow; if None, it is drawn if the figure is near it and
        not below it.
    pixels : number of pixels along the longer side of the picture.
    file : path to write the picture to; then no window is opened.

    Returns
    -------
    The axes (a list if `view` is a list). Shapes of kind "mesh" are drawn as sticks.
    """
    q = figure.neutral() if q is None else np.asarray(q, float)
    if q.shape != (figure.nq,):
        raise ShapeError(f"draw got q of shape {q.shape}; figure '{figure.name}' has nq = {figure.nq}.")
    several = isinstance(view, list)
    views = [view_of(v) for v in (view if several else [view])]
    scene = scene_of(figure, q, only)
    ground = grounded(scene, figure.gravity) if ground is None else ground
    windows = [window_of(scene, one, ground, pixels) for one in views]
    panels = panels_for(axes, windows, file is None, "figure.draw")
    for panel, one, window in zip(panels, views, windows, strict=True):
        show(panel, scene, one, window, joints, markers, ground)
    if file is not None:
        panels[0].figure.savefig(file, dpi=150)
    return panels if several else panels[0]


INK = "#5b6577"


def strip(
    motion: Motion,
    times: Any = 9,
    *,
    view: Any = "side",
    spacing: float | None = None,
    axes: Any = None,
    ground: Any = None,
    stamps: bool = True,
    pixels: int = 2000,
    file: Any = None,
) -> Any:
    """Draw poses of a motion at several times.

    Parameters
    ----------
    times : number of poses, evenly spaced from the first time to the last, or the times [s].
    view : a name or (azimuth, elevation) in degrees, as in `draw`.
    spacing : None shows each pose in place; a distance [m] puts the poses side by side, that far from centre to centre.
    axes : matplotlib axes to draw into; new ones if None.
    ground : whether to draw the plane z = 0; if None, it is drawn if the motion is near it.
    stamps : whether to write the time below each pose.
    pixels : number of pixels along the longer side of the picture.
    file : path to write the picture to; then no window is opened.

    Returns
    -------
    The axes, in metres of the picture plane.
    """
    if motion.q.ndim != 2:
        raise InputError(f"A strip shows one rollout, and this motion has {motion.q.shape[0]}. Use motion.rollout(0).")
    when = _moments(motion, times)
    seen = view_of(view)
    poses = [scene_of(motion.figure, q) for q in motion.at(when).q]
    if spacing is not None:
        poses = [_moved(pose, k * spacing, seen) for k, pose in enumerate(poses)]
    whole = _together(poses, motion.figure.n)
    if ground is None:
        ground = any(grounded(pose, motion.figure.gravity) for pose in poses)
    window = window_of(whole, seen, ground, pixels)
    (panel,) = panels_for(axes, [window], file is None, "strip")
    show(panel, whole, seen, window, False, False, ground)
    for pose, t in zip(poses, when, strict=True) if stamps else ():
        low, high = reach_of(pose.solids, seen.axes()[:2])
        panel.annotate(
            f"{t:.2f} s",
            (0.5 * (low[0] + high[0]), low[1]),
            (0, -4),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=8,
            color=INK,
            zorder=5,
        )
    if file is not None:
        panel.figure.savefig(file, dpi=max(150, round(pixels / panel.figure.get_figwidth())))
    return panel


def _moments(motion, times) -> np.ndarray:
    if np.ndim(times) == 0:
        if times != int(times) or times < 1:
            raise InputError(f"times={times!r}: give the number of poses, at least 1, or an array of times [s].")
        return np.linspace(motion.time[0], motion.time[-1], int(times))
    return np.asarray(times, float)


def _moved(pose: Scene, to: float, view) -> Scene:
    """Return a pose displaced along the ground so that its centre is at `to` [m] along the width of the picture."""
    axes = view.axes()
    low, high = reach_of(pose.solids, axes)
    middle, across = 0.5 * (low + high) @ axes, axes[0]
    away = np.cross(UP, across)
    by = (to - middle @ across) * across - (middle @ away) * away
    return pose._replace(
        solids=[s._replace(middle=s.middle + by) for s in pose.solids],
        joints=pose.joints + by,
        markers=pose.markers + by,
    )


def _together(poses, links: int) -> Scene:
    """Return one scene that contains all poses, with the size of the largest."""
    solids = [s._replace(link=s.link + k * links) for k, pose in enumerate(poses) for s in pose.solids]
    joints = np.concatenate([pose.joints for pose in poses])
    markers = np.concatenate([pose.markers for pose in poses])
    return Scene(solids, joints, markers, max(pose.size for pose in poses))


LEFT, RIGHT, MIDDLE, GROUND = "#00798c", "#d1495b", "#4a5568", "#b8c0cc"
ENDS = ("vertex", "l_fingertip", "r_fingertip", "l_toe_tip", "r_toe_tip", "l_heel", "r_heel")


def sticks(
    motion: Motion,
    times: Any = 24,
    *,
    spacing: float = 0.0,
    front: bool = False,
    axes: Any = None,
    title: str = "",
    file: Any = None,
) -> Any:
    """Draw stick figures of a motion in one panel.

    Parameters
    ----------
    times : number of frames, or the times [s].
    spacing : distance [m] by which each frame is displaced further than the one before.
    front : whether to view from the front instead of from the right.
    axes : matplotlib axes; new ones if None.
    title : title above the axes, with a legend of left and right.
    file : path to write the picture to.

    Returns
    -------
    The axes.
    """
    when = np.linspace(motion.time[0], motion.time[-1], times) if np.ndim(times) == 0 else np.asarray(times, float)
    if axes is None:
        import matplotlib.pyplot as plt

        _, axes = plt.subplots(figsize=(11, 3.2), layout="constrained")
    for k, q in enumerate(motion.at(when).q):
        for side, line in _lines(motion.figure, q):
            x = line[:, 1] if front else line[:, 0]
            shade = 0.35 + 0.65 * (k + 1) / len(when)
            axes.plot(x + k * spacing, line[:, 2], color=side, lw=1.1, alpha=shade, solid_capstyle="round")
    axes.axhline(0.0, color=GROUND, lw=1.0, zorder=0)
    axes.set_aspect("equal")
    axes.axis("off")
    if title:
        axes.set_title(title, fontsize=9.5, loc="left", color=MIDDLE)
        for at, word, colour in ((0.945, "left", LEFT), (1.0, "right", RIGHT)):
            axes.text(at, 1.0, word, color=colour, fontsize=9.5, ha="right", va="bottom", transform=axes.transAxes)
    if file is not None:
        axes.figure.savefig(file, dpi=200)
    return axes


def _lines(figure, q):
    """Yield the colour and the ends (2, 3) of each stick."""
    k = kinematics(figure, q)
    ends = [(figure.link_index(m.link), m) for m in figure.markers if m.name in ENDS]
    for i, link in enumerate(figure.links):
        colour = {"l_": LEFT, "r_": RIGHT}.get(link.name[:2], MIDDLE)
        if figure.parent[i] >= 0:
            yield colour, np.array([k.position[figure.parent[i]], k.position[i]])
        for at, mark in ends:
            if at == i:
                yield colour, np.array([k.position[i], point_position(k, i, mark.point)])
