"""What a figure is made of besides joints: links, shapes, markers, loops. Frozen data; numbers may be traced."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.figure.joints.base import float_array

__all__ = ["Direction", "Link", "Loop", "Marker", "Shape"]


@dataclass(frozen=True, eq=False)
class Shape:
    """A body to be seen and touched, fixed to a link.

    kind : "box" (size x, y, z), "sphere" (radius), "cylinder" and "capsule" (radius, length along z), "ellipsoid"
        (three semi-axes), "mesh" (scale x, y, z; `file`).
    placement : the shape's frame, at its middle, seen from the link.
    """

    kind: str
    size: tuple[float, ...]
    placement: Transform = field(default_factory=identity)
    name: str = ""
    file: str = ""
    colour: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body. Its frame sits at its inboard joint.

    mass [kg]; centre (3,) [m] of mass in the link frame; tensor (3, 3) [kg m²] about the centre, in link axes.
    """

    name: str
    mass: Any = 0.0
    centre: Any = field(default_factory=lambda: np.zeros(3))
    tensor: Any = field(default_factory=lambda: np.zeros((3, 3)))
    shapes: tuple[Shape, ...] = ()

    def __post_init__(self):
        if isinstance(self.mass, (int, np.integer)):
            object.__setattr__(self, "mass", float(self.mass))
        object.__setattr__(self, "centre", float_array(self.centre))
        object.__setattr__(self, "tensor", float_array(self.tensor))
        object.__setattr__(self, "shapes", tuple(self.shapes))

    @staticmethod
    def of(name: str, inertia: RigidInertia, shapes=()) -> "Link":
        """A link from a rigid-body inertia."""
        return Link(name, inertia.mass, inertia.centre, inertia.tensor, tuple(shapes))

    @property
    def inertia(self) -> RigidInertia:
        """Mass, centre and tensor as one."""
        return RigidInertia(self.mass, self.centre, self.tensor)


@dataclass(frozen=True, eq=False)
class Marker:
    """A point fixed to a link: `point` (3,) [m] in the link frame (joint_motion section 6)."""

    name: str
    link: str
    point: Any

    def __post_init__(self):
        object.__setattr__(self, "point", float_array(self.point))


@dataclass(frozen=True, eq=False)
class Direction:
    """A unit vector fixed to a link, in the link frame (joint_motion section 6)."""

    name: str
    link: str
    direction: Any

    def __post_init__(self):
        object.__setattr__(self, "direction", float_array(self.direction))


@dataclass(frozen=True, eq=False)
class Loop:
    """A closure between two links, or a link and the world (""): frame `at_a` on a meets frame `at_b` on b.

    kind : what is held: "point" (3), "hinge" (5, about z), "weld" (6) …; `constraints/` gives them their equations.
    """

    name: str
    kind: str
    link_a: str
    at_a: Transform
    link_b: str
    at_b: Transform
