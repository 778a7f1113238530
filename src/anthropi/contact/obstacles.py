"""What stands, or moves, in the world besides figures and the ground."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import Transform, identity
from anthropi.contact.material import Material, checked_material
from anthropi.contact.surfaces import Surface
from anthropi.errors import InputError

__all__ = ["Obstacle"]


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A surface somewhere.

    name : as in "l_foot.heel on step". surface : a `Surface`.
    pose : a Transform, or a function t → (Transform, angular velocity (3,), velocity (3,) of its origin), in the world.
        Where it goes it goes: what it hits does not move it. It may record.
    material : against everything; None: the scene's.
    """

    name: str
    surface: Surface
    pose: Transform | Callable = field(default_factory=identity)
    material: Material | None = None

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name or self.name == "ground":
            raise InputError(f"An obstacle is called {self.name!r}; give it a name of its own, not 'ground'.")
        if not isinstance(self.surface, Surface):
            raise InputError(f"Obstacle '{self.name}' has surface {self.surface!r}; give a Plane, Sphere, Box, Capsule "
                             "or HeightField.")  # fmt: skip
        if self.material is not None:
            object.__setattr__(self, "material", checked_material(self.material, f"Obstacle '{self.name}'"))
        if not callable(self.pose):
            _pose(self.name, self.pose)
        else:
            self.at(0.0)

    @property
    def moves(self) -> bool:
        """Whether its pose is a function of time."""
        return callable(self.pose)

    def at(self, t) -> tuple[Transform, Any, Any]:
        """Pose, angular velocity and velocity of the origin at time t [s]; all in the world."""
        if not callable(self.pose):
            return self.pose, np.zeros(3), np.zeros(3)
        found = self.pose(t)
        if not isinstance(found, tuple) or len(found) != 3:
            raise InputError(f"Obstacle '{self.name}' gives {found!r} for its pose; give (Transform, angular velocity "
                             "(3,), velocity (3,)).")  # fmt: skip
        pose, w, v = found[0], np.asarray(found[1]), np.asarray(found[2])
        _pose(self.name, pose)
        for name, array in (("angular velocity", w), ("velocity", v)):
            if array.shape != (3,) or not (records(array) or (abs(array.astype(float)) < float("inf")).all()):
                raise InputError(f"Obstacle '{self.name}' has {name} {array!r}; give three finite numbers.")
        return pose, w, v


def _pose(name: str, pose) -> None:
    """Refuse what is no pose; traced numbers are believed."""
    good = isinstance(pose, Transform) and pose.rotation.shape == (3, 3) and pose.origin.shape == (3,)
    if good and not records(pose.rotation, pose.origin):
        C, p = pose.rotation.astype(float), pose.origin.astype(float)
        finite = (abs(C) < float("inf")).all() and (abs(p) < float("inf")).all()
        good = bool(finite) and bool((abs(C @ C.T - np.eye(3)) < 1e-6).all()) and float(np.cross(C[0], C[1]) @ C[2]) > 0
    if not good:
        raise InputError(
            f"Obstacle '{name}' has pose {pose!r}; give a Transform(rotation (3, 3), origin (3,) [m]) of a "
            "right-handed rotation and finite numbers, or a function of time that gives one."
        )
