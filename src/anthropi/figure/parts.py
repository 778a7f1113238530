"""Parts of a figure other than joints: links, shapes, markers, loops. Immutable; numbers may be recording scalars."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import InputError
from anthropi.figure.joints.base import float_array

__all__ = ["LOOPS", "Direction", "Link", "Loop", "LoopKind", "Marker", "Shape"]


@dataclass(frozen=True, eq=False)
class Shape:
    """A solid fixed to a link, for pictures and contact.

    kind : "box" (size x, y, z), "sphere" (radius), "cylinder" and "capsule" (radius, length along z), "ellipsoid"
        (three semi-axes), "mesh" (scale x, y, z; `file`).
    placement : pose of the shape's frame, at its centre, in the link frame.
    folder : folder in which `file` was when the figure was read; "" if it is not known. It is not part of the figure's
        content: it is not saved and does not change `figure.key`.
    """

    kind: str
    size: tuple[float, ...]
    placement: Transform = field(default_factory=identity)
    name: str = ""
    file: str = ""
    colour: tuple[float, ...] = ()
    folder: str = ""


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

    def __post_init__(self) -> None:
        if isinstance(self.mass, (int, np.integer)):
            object.__setattr__(self, "mass", float(self.mass))
        object.__setattr__(self, "centre", float_array(self.centre))
        object.__setattr__(self, "tensor", float_array(self.tensor))
        object.__setattr__(self, "shapes", tuple(self.shapes))

    @staticmethod
    def of(name: str, inertia: RigidInertia, shapes: Any = ()) -> "Link":
        """Return a link from a rigid-body inertia."""
        return Link(name, inertia.mass, inertia.centre, inertia.tensor, tuple(shapes))

    @property
    def inertia(self) -> RigidInertia:
        """Mass, centre and tensor as a `RigidInertia`."""
        return RigidInertia(self.mass, self.centre, self.tensor)


@dataclass(frozen=True, eq=False)
class Marker:
    """A point fixed to a link: `point` (3,) [m] in the link frame."""

    name: str
    link: str
    point: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", float_array(self.point))


@dataclass(frozen=True, eq=False)
class Direction:
    """A unit vector fixed to a link, in the link frame."""

    name: str
    link: str
    direction: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "direction", float_array(self.direction))


class LoopKind(NamedTuple):
    """A kind of loop: the number of its equations (`rows`) and of parameters such as lengths or angles (`numbers`)."""

    rows: int
    numbers: int


LOOPS = {  # constraint between the frames a and b; constraints/loops/closures.py has the equations
    "point": LoopKind(3, 3),  # b's origin at a fixed position in a
    "hinge": LoopKind(5, 0),  # free to rotate about z
    "slider": LoopKind(5, 0),  # free to slide along z
    "cylinder": LoopKind(4, 0),  # free to rotate about and slide along z
    "universal": LoopKind(4, 0),  # free to rotate about a's x and b's y
    "planar": LoopKind(3, 0),  # free to slide in a's plane x, y and to rotate about z
    "weld": LoopKind(6, 0),  # rigid
    "distance": LoopKind(1, 1),  # fixed distance between the origins, like a rod between ball joints
    "line": LoopKind(2, 0),  # b's origin on a's axis z
    "plane": LoopKind(1, 1),  # b's origin at a height along a's z
    "parallel": LoopKind(2, 0),  # axes z parallel
    "orientation": LoopKind(3, 0),  # axes parallel
    "angle": LoopKind(1, 1),  # b's x at an angle from a's, about a's z
    "held": LoopKind(0, 0),  # any constraints between the two frames; these determine the number of rows
}


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop closure: a constraint between frame `at_a` on link a and frame `at_b` on link b; "" is the world.

    kind : a name in `LOOPS`, for example "point" or "hinge".
    value : parameters of the kind, if it has any: the position (3,) [m] of b's origin in a (0 if left out), the
        distance [m], the height [m] or the angle [rad]. They may be functions of time (`ap.loops.loop_course`).
    held : for the kind "held": constraints between bodies "a" and "b" (the two frames of the loop) and "" (the world).
    """

    name: str
    kind: str
    link_a: str
    at_a: Transform
    link_b: str
    at_b: Transform
    value: tuple[float, ...] = ()
    held: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        given = np.ravel(np.asarray(self.value, dtype=object))
        value = tuple(float(x) if isinstance(x, (int, float, np.number)) else x for x in given)
        if not value and self.kind in ("point", "plane", "angle"):
            value = (0.0,) * LOOPS[self.kind].numbers
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "held", tuple(self.held))

    @property
    def on_world(self) -> bool:
        """Whether the loop connects a link with the world."""
        return "" in (self.link_a, self.link_b)

    def links(self, figure: Any) -> tuple[str, str]:
        """Return the names of the two links; "" is the world."""
        return self.link_a, self.link_b

    def renamed(self, rename: Callable[[str], str]) -> "Loop":
        """Return the loop with new names of itself and of its links."""
        a, b = (rename(link) if link else "" for link in (self.link_a, self.link_b))
        return replace(self, name=rename(self.name), link_a=a, link_b=b)

    def scaled(self, s: float) -> "Loop":
        """Return the loop with the lengths in `value` scaled by s. Its frames are scaled with the links."""
        self._refuse_held("scaled")
        return self if self.kind == "angle" else replace(self, value=tuple(s * c for c in self.value))

    def mirrored(self) -> "Loop":
        """Return the loop with `value` mirrored, y → -y. Its frames are mirrored with the links."""
        self._refuse_held("mirrored")
        signs = {"point": (1.0, -1.0, 1.0), "angle": (-1.0,)}.get(self.kind, (1.0,) * len(self.value))
        return replace(self, value=tuple(s * c + 0.0 for s, c in zip(signs, self.value, strict=True)))

    def _refuse_held(self, what: str) -> None:
        if self.held:
            raise InputError(
                f"Loop '{self.name}' is of kind 'held', so its constraints cannot be {what}. Remove the loop first."
            )
