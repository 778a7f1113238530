"""What there is to see: the shapes of a figure in a configuration, as solids in the world; sticks where it has none."""

from typing import NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import kinematics

__all__ = ["Scene", "Solid", "scene_of"]

PALETTE = ((0.62, 0.67, 0.74), (0.18, 0.52, 0.58), (0.82, 0.42, 0.35), (0.88, 0.66, 0.30), (0.42, 0.45, 0.62),
           (0.50, 0.63, 0.42))  # fmt: skip
BONE = (0.72, 0.74, 0.78)


class Solid(NamedTuple):
    """A shape in the world: rotation (3, 3), middle (3,) [m]; `link` is the number of the link it belongs to."""

    kind: str
    size: tuple
    rotation: np.ndarray
    middle: np.ndarray
    colour: tuple
    link: int

    def reach(self, direction) -> float:
        """How far it extends along a unit direction from its middle [m]."""
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
    """Solids, joint positions (n, 3) and marker positions (m, 3) of a figure in the world; size [m] of the whole."""

    solids: list
    joints: np.ndarray
    markers: np.ndarray
    size: float


def scene_of(figure, q) -> Scene:
    """Everything of a figure in configuration q."""
    k = kinematics(figure, np.asarray(q, float))
    joints = k.position
    points = [k.position[i] + k.rotation[i] @ m.point for m in figure.markers if hasattr(m, "point")
              for i in [figure.link_index(m.link)]]  # fmt: skip
    size = _spread([*joints, *points, *_middles(figure, k)])
    solids = [solid for i in range(figure.n) for solid in _of_link(figure, k, i, size)]
    return Scene(solids, joints, np.array(points).reshape(-1, 3), size)


def _middles(figure, k):
    return [k.position[i] + k.rotation[i] @ link.centre for i, link in enumerate(figure.links)]


def _spread(points) -> float:
    points = np.array(points)
    return float(max(np.ptp(points, axis=0).max(), 1e-3))


def _of_link(figure, k, i: int, size: float):
    """A link's shapes; a link without any (or with meshes, which are not read here) becomes sticks to its joints."""
    C, p = k.rotation[i], k.position[i]
    drawn = [s for s in figure.links[i].shapes if s.kind != "mesh"]
    for shape in drawn:
        place = shape.placement
        colour = tuple(shape.colour[:3]) if len(shape.colour) >= 3 else PALETTE[i % len(PALETTE)]
        yield Solid(shape.kind, tuple(shape.size), C @ place.rotation, p + C @ place.origin, colour, i)
    if drawn:
        return
    ends = [k.position[j] for j in figure.children[i]] or [p + C @ (2.0 * figure.links[i].centre)]
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
