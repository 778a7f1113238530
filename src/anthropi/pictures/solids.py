"""Solids of a picture: the shapes of a figure in world coordinates, and sticks for links without shapes."""

import re
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.figure.figure import Figure

__all__ = ["Scene", "Solid", "scene_of"]

MIDDLE, LEFT, RIGHT = (0.80, 0.83, 0.88), (0.36, 0.66, 0.71), (0.90, 0.57, 0.47)
PALETTE = (MIDDLE, LEFT, RIGHT, (0.93, 0.76, 0.45), (0.58, 0.60, 0.78), (0.64, 0.76, 0.55))
BONE = (0.72, 0.74, 0.78)


class Solid(NamedTuple):
    """A shape in the world.

    kind, size : as in `Shape`. rotation : (3, 3) shape to world. middle : (3,) [m] centre. colour : (3,) RGB from 0 to
    1. link : number of its link.
    """

    kind: str
    size: tuple[Any, ...]
    rotation: np.ndarray
    middle: np.ndarray
    colour: tuple[Any, ...]
    link: int

    def reach(self, direction: Any) -> float:
        """Extent [m] from the centre along a unit direction (3,)."""
        e = self.rotation.T @ direction
        if self.kind == "ellipsoid":
            return float(np.linalg.norm(np.asarray(self.size) * e))
        if self.kind == "box":
            return float(np.abs(np.asarray(self.size) * e).sum() / 2.0)
        if self.kind == "sphere":
            return float(self.size[0])
        radius, length = self.size
        return float(radius + abs(e[2]) * length / 2.0)


class Scene(NamedTuple):
    """Content of a picture: solids, joint positions (n, 3) [m], marker positions (m, 3) [m], and overall size [m]."""

    solids: list[Any]
    joints: np.ndarray
    markers: np.ndarray
    size: float

    def floor(self) -> tuple[np.ndarray, float]:
        """Centre (3,) and radius [m] of the ground to show."""
        flat = np.array([s.middle for s in self.solids]) * np.array([1.0, 1.0, 0.0])
        middle = 0.5 * (flat.min(0) + flat.max(0))
        return middle, float(max(0.34 * self.size, 1.3 * np.linalg.norm(flat - middle, axis=-1).max()))


def scene_of(figure: Figure, q: Any, only: str | None = None) -> Scene:
    """Return the scene of a figure in configuration q (nq,). only : name of a link; show it and the links beyond it."""
    k = kinematics(figure, np.asarray(q, float))
    shown = [i for i in range(figure.n) if only is None or figure.link_index(only) in figure.path(i)]
    carried = [(figure.link_index(m.link), m.point) for m in figure.markers if hasattr(m, "point")]
    points = [k.position[i] + k.rotation[i] @ s for i, s in carried if i in shown]
    joints = k.position[shown]
    size = _spread([*joints, *points, *(k.position[i] + k.rotation[i] @ figure.links[i].centre for i in shown)])
    solids = [solid for i in shown for solid in _of_link(figure, k, i, size)]
    return Scene(solids, joints, np.array(points).reshape(-1, 3), size)


def _colour(figure, i: int) -> tuple[Any, ...]:
    """Return the colour of a link: by the side in its name ("l_thigh", "r2_femur"), else the next of the palette."""
    sides = [re.match(r"([lr])\d?_", link.name.rpartition("/")[2]) for link in figure.links]
    if any(sides):
        side = sides[i]
        return MIDDLE if side is None else LEFT if side[1] == "l" else RIGHT
    return PALETTE[i % len(PALETTE)]


def _spread(points) -> float:
    points = np.array(points)
    return float(max(np.ptp(points, axis=0).max(), 1e-3))


def _of_link(figure, k, i: int, size: float):
    """Yield the solids that draw a link: its shapes except meshes, or a stick to each child joint if there are none."""
    C, p = k.rotation[i], k.position[i]
    drawn = [s for s in figure.links[i].shapes if s.kind != "mesh"]
    for shape in drawn:
        place = shape.placement
        colour = tuple(shape.colour[:3]) if len(shape.colour) >= 3 else _colour(figure, i)
        yield Solid(shape.kind, tuple(shape.size), C @ place.rotation, p + C @ place.origin, colour, i)
    if drawn:
        return
    hanging = [j for j in figure.children[i] if figure.joints[j].kind != "free"]  # a free joint does not connect links
    if figure.children[i] and not hanging:
        return
    ends = [k.position[j] for j in hanging] or [p + C @ (2.0 * figure.links[i].centre)]
    for end in ends:
        yield from _stick(p, end, 0.012 * size, i)


def _stick(a, b, radius: float, link: int):
    along = b - a
    length = float(np.linalg.norm(along))
    if length < 1e-9:
        yield Solid("sphere", (1.5 * radius,), np.eye(3), a, BONE, link)
        return
    z = along / length
    y = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    y /= np.linalg.norm(y)
    yield Solid("capsule", (radius, length), np.stack([np.cross(y, z), y, z], axis=1), 0.5 * (a + b), BONE, link)
