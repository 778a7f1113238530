"""Which constraints make a joint? Joints as constraint sets, and what ties one joint to another.

    ball        3   coincident                          leaves three turns                            (1)
    hinge       5   coincident, parallel axes           leaves a turn                                 (2)
    slider      5   equal orientation, on line          leaves a slide                                (3)
    cylinder    4   concentric                          leaves a turn and a slide                     (4)
    universal   4   coincident, perpendicular axes      leaves two turns                              (5)
    planar      3   coplanar                            leaves two slides and a turn                  (6)
    screw       5   (4) and slide = pitch · turn        leaves a screw                                (7)
    gear        1   n₁ θ₁ + n₂ θ₂ = phase               ties the turns of two joints                  (8)
    rack        1   slide = radius · turn               ties a slide to a turn                        (9)

Axes point the same way. Turns are measured from a's x axis to b's about a's z axis, slides along a's z axis; (7) to (9)
hold up to whole turns or teeth, as threads and teeth do (`couplings.py`).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from anthropi.constraints.mates.couplings import Teeth, Thread
from anthropi.constraints.mates.features import axes_of, direction_of, frame_of, point_of
from anthropi.constraints.mates.mates import (
    Coincident,
    Concentric,
    Constraint,
    Coplanar,
    EqualOrientation,
    OnLine,
    Parallel,
    Perpendicular,
)
from anthropi.constraints.primitives import Direction, Point
from anthropi.errors import InputError

__all__ = ["Ball", "Cylinder", "Gear", "Hinge", "Planar", "Rack", "Screw", "Slider", "Universal"]


@dataclass(frozen=True, eq=False)
class Ball(Coincident):
    """Two points are at one place (1)."""


@dataclass(frozen=True, eq=False)
class Hinge(Constraint):
    """A turn about an axis (2). a, b : `Axis`, or `Frame` where the turn is measured."""

    removes: ClassVar[int] = 5
    a: Any
    b: Any

    def parts(self):
        """(2)"""
        return Coincident(point_of(self.a), point_of(self.b)), Parallel(self.a, self.b, "same")


@dataclass(frozen=True, eq=False)
class Slider(Constraint):
    """A slide along the z axes of two frames (3)."""

    removes: ClassVar[int] = 5
    a: Any
    b: Any

    def parts(self):
        """(3)"""
        return EqualOrientation(frame_of(self.a), frame_of(self.b)), OnLine(point_of(self.b), self.a)


@dataclass(frozen=True, eq=False)
class Cylinder(Concentric):
    """A turn about and a slide along an axis (4)."""

    sense: str = "same"


@dataclass(frozen=True, eq=False)
class Universal(Constraint):
    """Two turns, about an axis of each body; the axes meet at right angles (5)."""

    removes: ClassVar[int] = 4
    a: Any
    b: Any

    def parts(self):
        """(5)"""
        return Coincident(point_of(self.a), point_of(self.b)), Perpendicular(self.a, self.b)


@dataclass(frozen=True, eq=False)
class Planar(Coplanar):
    """Two slides in a plane and a turn square to it (6)."""

    sense: str = "same"


@dataclass(frozen=True, eq=False)
class Screw(Constraint):
    """A turn about an axis with a slide along it (7). pitch : [m/rad], not zero; start : [m], the slide at no turn."""

    removes: ClassVar[int] = 5
    a: Any
    b: Any
    pitch: Any
    start: Any = 0.0

    def parts(self):
        """(7), all but the thread."""
        return (Concentric(self.a, self.b, "same"),)

    def primitives(self):
        """(7)"""
        return (*super().primitives(), Thread(*_turn(self), *_slide(self), self.pitch, self.start))


@dataclass(frozen=True, eq=False)
class Gear(Constraint):
    """Two hinges (or cylinders) turn in proportion (8), as wheels with teeth do that are borne by them.

    teeth : (n₁, n₂), whole numbers; wheels that turn the same way (a belt, an internal gear) have one negative.
    phase : [rad], n₁ θ₁ + n₂ θ₂ where they mesh.
    """

    removes: ClassVar[int] = 1
    a: Any
    b: Any
    teeth: tuple[int, int]
    phase: Any = 0.0

    def __post_init__(self):
        super().__post_init__()
        for joint in (self.a, self.b):
            if not isinstance(joint, (Hinge, Cylinder, Screw)):
                raise InputError(f"'{self.name}' ties {joint!r}. Give hinges, cylinders or screws.")
        if any(int(n) != n or n == 0 for n in self.teeth):
            raise InputError(f"'{self.name}' has {self.teeth} teeth. Give two whole numbers, not zero.")

    def primitives(self):
        """(8)"""
        n1, n2 = (float(n) for n in self.teeth)
        return (Teeth(*_turn(self.a), *_turn(self.b), n1, n2, self.phase),)


@dataclass(frozen=True, eq=False)
class Rack(Constraint):
    """A slider moves as a hinge turns (9): rack and pinion. radius : [m] of the pinion; start : [m], at no turn."""

    removes: ClassVar[int] = 1
    a: Any
    b: Any
    radius: Any
    start: Any = 0.0

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.a, (Hinge, Cylinder)) or not isinstance(self.b, (Slider, Cylinder)):
            raise InputError(
                f"'{self.name}' ties {self.a!r} and {self.b!r}. Give a hinge for the pinion, then a slider "
                "for the rack."
            )

    def primitives(self):
        """(9)"""
        return (Thread(*_turn(self.a), *_slide(self.b), self.radius, self.start),)


def _turn(joint) -> tuple[Direction, Direction, Direction]:
    """The directions that measure a joint's turn."""
    x, y, _ = axes_of(frame_of(joint.a))
    return x, y, axes_of(frame_of(joint.b))[0]


def _slide(joint) -> tuple[Direction, Point, Point]:
    """The axis and points that measure a joint's slide."""
    return direction_of(joint.a), point_of(joint.a), point_of(joint.b)
