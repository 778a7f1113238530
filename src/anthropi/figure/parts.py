"""What a figure is made of besides joints: links, shapes, markers, loops. Frozen data; numbers may be traced."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import InputError
from anthropi.figure.joints.base import float_array

__all__ = ["LOOPS", "Direction", "Link", "Loop", "LoopKind", "Marker", "Shape"]


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


class LoopKind(NamedTuple):
    """rows : equations a loop of this kind holds. numbers : how many it is told (a length, an angle, a place)."""

    rows: int
    numbers: int


LOOPS = {  # what a loop holds between its frames a and b; `constraints/loops` has the equations
    "point": LoopKind(3, 3),  # b's origin at a place of a
    "hinge": LoopKind(5, 0),  # free to turn about z
    "slider": LoopKind(5, 0),  # free to slide along z
    "cylinder": LoopKind(4, 0),  # free to turn about and slide along z
    "universal": LoopKind(4, 0),  # free to turn about a's x and b's y
    "planar": LoopKind(3, 0),  # free to slide in a's plane x, y and to turn about z
    "weld": LoopKind(6, 0),  # free in nothing
    "distance": LoopKind(1, 1),  # origins a distance apart: a rod between balls
    "line": LoopKind(2, 0),  # b's origin on a's axis z
    "plane": LoopKind(1, 1),  # b's origin at a height along a's z
    "parallel": LoopKind(2, 0),  # axes z parallel
    "orientation": LoopKind(3, 0),  # axes parallel
    "angle": LoopKind(1, 1),  # b's x at an angle from a's, about a's z
    "held": LoopKind(0, 0),  # any constraints between the two frames: as many rows as they have
}


@dataclass(frozen=True, eq=False)
class Loop:
    """A closure between two links, or a link and the world (""): what frame `at_a` on a and frame `at_b` on b keep.

    kind : what is held, a name in `LOOPS`: "point", "hinge" …
    value : the numbers of the kinds that have some: the place (3,) [m] of b's origin in a (0 if left out), the distance
        [m], the height [m], the angle [rad]. They may be led by functions of time (`ap.simulate`, `course`).
    held : for the kind "held": constraints between bodies "a" and "b", the loop's two frames, and "" (the world).
    """

    name: str
    kind: str
    link_a: str
    at_a: Transform
    link_b: str
    at_b: Transform
    value: tuple[float, ...] = ()
    held: tuple = ()

    def __post_init__(self):
        given = np.ravel(np.asarray(self.value, dtype=object))
        value = tuple(float(x) if isinstance(x, (int, float, np.number)) else x for x in given)
        if not value and self.kind in ("point", "plane", "angle"):
            value = (0.0,) * LOOPS[self.kind].numbers
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "held", tuple(self.held))

    def scaled(self, s: float) -> "Loop":
        """Its numbers in a figure s times as large; frames are left to who scales links."""
        self._refuse_held("scaled")
        return self if self.kind == "angle" else replace(self, value=tuple(s * c for c in self.value))

    def mirrored(self) -> "Loop":
        """Its numbers in the mirror y → -y; frames are left to who mirrors links."""
        self._refuse_held("mirrored")
        signs = {"point": (1.0, -1.0, 1.0), "angle": (-1.0,)}.get(self.kind, (1.0,) * len(self.value))
        return replace(self, value=tuple(s * c + 0.0 for s, c in zip(signs, self.value, strict=True)))

    def _refuse_held(self, what: str) -> None:
        if self.held:
            raise InputError(
                f"Loop '{self.name}' holds constraints of its own, which cannot be {what}. Take it off first."
            )
