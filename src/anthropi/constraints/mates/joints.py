"""Joints as sets of assembly constraints, and couplings between joints (screw, gear, rack).

    ball        3   coincident                          leaves three rotations                         (1)
    hinge       5   coincident, parallel axes           leaves a rotation                             (2)
    slider      5   equal orientation, on line          leaves a translation                          (3)
    cylinder    4   concentric                          leaves rotation, translation                  (4)
    universal   4   coincident, perpendicular axes      leaves two rotations                          (5)
    constant    4   coincident, twist 0                 leaves two rotations (constant velocity)         (5a)
    planar      3   coplanar                            leaves 2 translations, 1 rotation                 (6)
    screw       5   (4) and slide = pitch · turn        leaves a screw                                (7)
    gear        1   n₁ θ₁ + n₂ θ₂ = phase               couples two rotations                       (8)
    rack        1   slide = radius · turn               couples both                                  (9)

Axes point the same way. Rotations are measured from a's x axis to b's about a's z axis, translations along a's z axis;
(7)-(9) hold up to whole turns or teeth (couplings.py).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from anthropi.constraints.mates.couplings import Teeth, Thread, Twist
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

__all__ = [
    "Ball",
    "ConstantVelocity",
    "Cylinder",
    "Gear",
    "Hinge",
    "Planar",
    "Rack",
    "Screw",
    "Slider",
    "Universal",
    "slide_of",
    "turn_of",
]


@dataclass(frozen=True, eq=False)
class Ball(Coincident):
    """Ball joint: two points coincide (1)."""


@dataclass(frozen=True, eq=False)
class Hinge(Constraint):
    """Hinge: the bodies rotate about a common axis (2). a, b : `Axis`, or `Frame` if the angle is measured."""

    removes: ClassVar[int] = 5
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Any
    b: Any

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of a hinge: coincident points and parallel axes (2)."""
        return Coincident(point_of(self.a), point_of(self.b)), Parallel(self.a, self.b, "same")


@dataclass(frozen=True, eq=False)
class Slider(Constraint):
    """Slider: the bodies move along the common z axis of two frames (3)."""

    removes: ClassVar[int] = 5
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Any
    b: Any

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of a slider: equal orientation and a point on a line (3)."""
        return EqualOrientation(frame_of(self.a), frame_of(self.b)), OnLine(point_of(self.b), self.a)


@dataclass(frozen=True, eq=False)
class Cylinder(Concentric):
    """Cylindrical joint: rotation about a common axis and translation along it (4)."""

    sense: str = "same"


@dataclass(frozen=True, eq=False)
class Universal(Constraint):
    """Universal joint: rotations about an axis of each body; the axes meet at right angles (5)."""

    removes: ClassVar[int] = 4
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Any
    b: Any

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of a universal joint: coincident points and perpendicular axes (5)."""
        return Coincident(point_of(self.a), point_of(self.b)), Perpendicular(self.a, self.b)


@dataclass(frozen=True, eq=False)
class ConstantVelocity(Constraint):
    """Constant-velocity joint: two shafts meet at a point at any angle and rotate about their axes equally (5a).

    a, b : `Axis` along each shaft, or `Frame` whose x axes correspond if the shafts are straight. The joint is singular
    if one shaft is folded back onto the other.
    """

    removes: ClassVar[int] = 4
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Any
    b: Any

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of the joint without its twist: coincident points (5a)."""
        return (Coincident(point_of(self.a), point_of(self.b)),)

    def primitives(self) -> Any:
        """Return the equations of the joint: coincident points, and no twist between the shafts (5a)."""
        return (*super().primitives(), Twist(*axes_of(frame_of(self.a))[:2], *axes_of(frame_of(self.b))[:2]))


@dataclass(frozen=True, eq=False)
class Planar(Coplanar):
    """Planar joint: translation in a plane and rotation about its normal (6)."""

    sense: str = "same"


@dataclass(frozen=True, eq=False)
class Screw(Constraint):
    """Screw joint: rotation about an axis with proportional translation along it (7).

    pitch : [m/rad], not zero. start : translation at angle 0 [m].
    """

    removes: ClassVar[int] = 5
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Any
    b: Any
    pitch: Any
    start: Any = 0.0

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of a screw joint without its thread: common axis (7)."""
        return (Concentric(self.a, self.b, "same"),)

    def primitives(self) -> Any:
        """Return the equations of a screw joint: common axis and thread (7)."""
        return (*super().primitives(), Thread(*turn_of(self), *slide_of(self), self.pitch, self.start))


@dataclass(frozen=True, eq=False)
class Gear(Constraint):
    """Gear coupling: two hinges (or cylinders) with proportional rotations (8).

    teeth : (n₁, n₂), whole numbers; one is negative for wheels that rotate the same way (a belt, an internal gear).
    phase : value of n₁ θ₁ + n₂ θ₂ [rad] when the teeth mesh.
    """

    removes: ClassVar[int] = 1
    a: Any
    b: Any
    teeth: tuple[int, int]
    phase: Any = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for joint in (self.a, self.b):
            if not isinstance(joint, (Hinge, Cylinder, Screw)):
                raise InputError(f"'{self.name}' couples {joint!r}. Give hinges, cylinders or screws.")
        if any(int(n) != n or n == 0 for n in self.teeth):
            raise InputError(f"'{self.name}' has {self.teeth} teeth. Give two whole numbers, not zero.")

    def primitives(self) -> Any:
        """Return the equation that couples the two rotations (8)."""
        n1, n2 = (float(n) for n in self.teeth)
        return (Teeth(*turn_of(self.a), *turn_of(self.b), n1, n2, self.phase),)


@dataclass(frozen=True, eq=False)
class Rack(Constraint):
    """Rack and pinion: the translation of a slider is proportional to the rotation of a hinge (9).

    radius : radius of the pinion [m]. start : translation at angle 0 [m].
    """

    removes: ClassVar[int] = 1
    a: Any
    b: Any
    radius: Any
    start: Any = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.a, (Hinge, Cylinder)) or not isinstance(self.b, (Slider, Cylinder)):
            raise InputError(
                f"'{self.name}' couples {self.a!r} and {self.b!r}. Give a hinge for the pinion, then a slider "
                "for the rack."
            )

    def primitives(self) -> Any:
        """Return the equation that couples rotation and translation (9)."""
        return (Thread(*turn_of(self.a), *slide_of(self.b), self.radius, self.start),)


def turn_of(joint: Any) -> tuple[Direction, Direction, Direction]:
    """Return the directions that measure the rotation of a joint."""
    x, y, _ = axes_of(frame_of(joint.a))
    return x, y, axes_of(frame_of(joint.b))[0]


def slide_of(joint: Any) -> tuple[Direction, Point, Point]:
    """Return the axis and the points that measure the translation of a joint."""
    return direction_of(joint.a), point_of(joint.a), point_of(joint.b)
