"""Results by name: what a front returns reads `k.link("l_foot").position`."""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import Kinematics

__all__ = ["KinematicsView", "LinkView"]


class LinkView(NamedTuple):
    """One link's pose and motion, in world components; with a leading batch axis if the state had one."""

    rotation: Any
    position: Any
    angular_velocity: Any
    velocity: Any
    angular_acceleration: Any
    acceleration: Any


class KinematicsView:
    """Poses and motions of a figure: arrays over links (`k.position` (n, 3) …), and by name."""

    def __init__(self, figure, arrays: Kinematics):
        self.figure, self.arrays = figure, arrays
        self.rotation, self.position, self.angular_velocity, self.velocity = arrays[:4]
        self.angular_acceleration, self.acceleration = arrays[4:]

    def __repr__(self):
        return f"KinematicsView({self.figure!r})"

    def link(self, name: str) -> LinkView:
        """One link."""
        i = self.figure.link_index(name)
        return LinkView(*(None if a is None else np.take(a, i, axis=a.ndim - (3 if k == 0 else 2))
                          for k, a in enumerate(self.arrays)))  # fmt: skip

    def marker(self, name: str) -> np.ndarray:
        """Position of a point marker, or direction of a direction marker, in the world (3,)."""
        marker = self.figure.marker(name)
        link = self.link(marker.link)
        if hasattr(marker, "direction"):
            return link.rotation @ marker.direction
        return link.position + link.rotation @ marker.point
