"""Results by name: what a front returns reads `k.link("l_foot").position`, `k.marker("l_heel")`."""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.kinematics import Kinematics
from anthropi.errors import InputError, did_you_mean

__all__ = ["KinematicsView", "LinkView", "PointView"]

FRAMES = ("world", "link")


class LinkView(NamedTuple):
    """One link's pose and motion, in world components; with a leading batch axis if the state had one."""

    rotation: Any
    position: Any
    angular_velocity: Any
    velocity: Any
    angular_acceleration: Any
    acceleration: Any


class PointView(NamedTuple):
    """A point's position, velocity and acceleration, or a direction and its derivatives; None where not computed."""

    position: Any
    velocity: Any
    acceleration: Any


class KinematicsView:
    """Poses and motions of a figure: arrays over links (`k.position` (n, 3) …), and by name.

    frame="link" gives the same vectors, of motion against the world, in the components of the link.
    """

    def __init__(self, figure, arrays: Kinematics):
        self.figure, self.arrays = figure, arrays
        self.rotation, self.position, self.angular_velocity, self.velocity = arrays[:4]
        self.angular_acceleration, self.acceleration = arrays[4:]

    def __repr__(self):
        return f"KinematicsView({self.figure!r})"

    def link(self, name: str, frame: str = "world") -> LinkView:
        """One link; its frame is its inboard joint's."""
        i = self.figure.link_index(name)
        link = LinkView(*(None if a is None else np.take(a, i, axis=a.ndim - (3 if k == 0 else 2))
                          for k, a in enumerate(self.arrays)))  # fmt: skip
        return LinkView(link.rotation, *_in(frame, link.rotation, link[1:]))

    def point(self, link: str, at=(0.0, 0.0, 0.0), frame: str = "world") -> PointView:
        """A point of a link: `at` (3,) [m] in the link frame (joint_motion (4), (9), (12))."""
        on = self.link(link)
        known = zip((on.position, on.velocity, on.acceleration), _carried(on, np.asarray(at)), strict=True)
        moved = [None if r is None else origin + r for origin, r in known]
        return PointView(*_in(frame, on.rotation, moved))

    def centre(self, link: str, frame: str = "world") -> PointView:
        """A link's centre of mass."""
        return self.point(link, self.figure.links[self.figure.link_index(link)].centre, frame)

    def marker(self, name: str) -> np.ndarray:
        """Position of a point marker, or direction of a direction marker, in the world (3,)."""
        return self.marker_motion(name).position

    def marker_motion(self, name: str, frame: str = "world") -> PointView:
        """A marker and its first and second derivative (joint_motion (13)-(19))."""
        marker = self.figure.marker(name)
        if not hasattr(marker, "direction"):
            return self.point(marker.link, marker.point, frame)
        on = self.link(marker.link)
        return PointView(*_in(frame, on.rotation, _carried(on, marker.direction)))


def _carried(on: LinkView, s):
    """C s and its derivatives, s fixed in the link: ω × r, α × r + ω × (ω × r)."""
    r, w, alpha = matvec(on.rotation, s), on.angular_velocity, on.angular_acceleration
    if w is None:
        return r, None, None
    rate = np.cross(w, r)
    return r, rate, None if alpha is None else np.cross(alpha, r) + np.cross(w, rate)


def _in(frame: str, rotation, vectors):
    """Vectors in the world's components, or the link's."""
    if frame not in FRAMES:
        raise InputError(f"No frame '{frame}'.{did_you_mean(frame, FRAMES)} Choose: {', '.join(FRAMES)}.")
    back = transpose(rotation)
    return vectors if frame == "world" else [None if v is None else matvec(back, v) for v in vectors]
