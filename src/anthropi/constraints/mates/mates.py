"""Assembly constraints (mates) between two bodies, made of primitives.

Each removes as many degrees of freedom as it has primitives; these are independent wherever they hold.

    coincident          3   three dot-2 along the world's axes                                        (1)
    on line             2   dot-2 of two perpendicular directions and the vector to the point       (2)
    on plane            1   dot-2 of the normal and the vector to the point = distance                (3)
    parallel            2   dot-1 of two perpendiculars of u with v                                   (4)
    perpendicular       1   dot-1                                                                     (5)
    concentric          4   (4) and (2)                                                               (6)
    in plane            2   (5) and (3), of a line                                                    (7)
    coplanar            3   (4) and (3)                                                               (8)
    equal orientation   3   dot-1 of x with y, y with z, z with x                                     (9)
    fixed               6   (1) and (9)                                                               (10)
    angle, distance     1   primitives themselves

(4) holds for parallel and antiparallel directions, and (9) for half turns too. *Guides* select the intended solution:
primitives that are zero there and not at the others. Solvers use them: with them the sum of squares of (4) is |u ∓ v|²,
that of (9) |R - 1|², which have no other minimum. They remove no degrees of freedom.

Tangency, by the surfaces in contact:

    sphere, plane       1   centre a radius from the plane                                                (11)
    sphere, sphere      1   centres r₁ + r₂ apart, or |r₁ - r₂| if one is inside                          (12)
    sphere, rod         1   centre r₁ + r₂ from the axis, or |r₁ - r₂| inside                             (13)
    rod, plane          2   axis in a plane a radius away                                                 (14)
    rod, rod            3   axes parallel, r₁ + r₂ apart, or |r₁ - r₂| inside (gears, rollers, bearings)  (15)
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from anthropi.constraints.mates.couplings import LineDistance
from anthropi.constraints.mates.features import Axis, Frame, Plane, Rod, Sphere, across, axes_of, direction_of, point_of
from anthropi.constraints.primitives import Direction, Distance, Dot1, Dot2, Point, Primitive
from anthropi.errors import InputError

__all__ = [
    "Coincident",
    "Concentric",
    "Constraint",
    "Coplanar",
    "EqualOrientation",
    "Fixed",
    "InPlane",
    "OnLine",
    "OnPlane",
    "Parallel",
    "Perpendicular",
    "Tangent",
]


SENSES: dict[Any, Any] = {"same": 1.0, "opposite": -1.0, "either": None}
WORLD = tuple(Direction("", e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


@dataclass(frozen=True, eq=False)
class Constraint:
    """Base class of mates. name : as reports give it."""

    removes: ClassVar[int] = 0
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", type(self).__name__.lower())
        if getattr(self, "sense", "either") not in SENSES:
            raise InputError(
                f"'{self.name}' has the sense '{getattr(self, 'sense', '')}'. Choose: {', '.join(SENSES)}."
            )

    def parts(self) -> tuple["Constraint", ...]:
        """Return the constraints it is made of, if it is a set of others."""
        return ()

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations, as many as degrees of freedom removed."""
        return tuple(primitive for part in self.parts() for primitive in part.primitives())

    def guides(self) -> tuple[Primitive, ...]:
        """Return further primitives that are zero at the intended solution, for solvers."""
        return tuple(guide for part in self.parts() for guide in part.guides())


@dataclass(frozen=True, eq=False)
class Coincident(Constraint):
    """Two points coincide."""

    removes: ClassVar[int] = 3
    a: Point
    b: Point

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (1)."""
        return tuple(Dot2(e, point_of(self.a), point_of(self.b)) for e in WORLD)


@dataclass(frozen=True, eq=False)
class OnLine(Constraint):
    """A point on a line (an axis)."""

    removes: ClassVar[int] = 2
    a: Point
    b: Axis

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (2)."""
        return tuple(Dot2(e, point_of(self.b), point_of(self.a)) for e in across(self.b))


@dataclass(frozen=True, eq=False)
class OnPlane(Constraint):
    """A point on a plane, or at a distance [m] from it, positive on the side of the normal."""

    removes: ClassVar[int] = 1
    a: Point
    b: Plane
    distance: Any = 0.0

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (3)."""
        return (Dot2(direction_of(self.b), point_of(self.b), point_of(self.a), self.distance),)


@dataclass(frozen=True, eq=False)
class Parallel(Constraint):
    """Parallel directions. sense : "same", "opposite" or "either"."""

    removes: ClassVar[int] = 2
    a: Any
    b: Any
    sense: str = "either"

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (4)."""
        return tuple(Dot1(e, direction_of(self.b)) for e in across(self.a))

    def guides(self) -> tuple[Primitive, ...]:
        """Return u · v = ±1."""
        sign = SENSES[self.sense]
        return () if sign is None else (Dot1(direction_of(self.a), direction_of(self.b), sign),)


@dataclass(frozen=True, eq=False)
class Perpendicular(Constraint):
    """Perpendicular directions."""

    removes: ClassVar[int] = 1
    a: Any
    b: Any

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (5)."""
        return (Dot1(direction_of(self.a), direction_of(self.b)),)


@dataclass(frozen=True, eq=False)
class Concentric(Constraint):
    """Coaxial lines. sense : as for `Parallel`."""

    removes: ClassVar[int] = 4
    a: Axis
    b: Axis
    sense: str = "either"

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of (6)."""
        return Parallel(self.a, self.b, self.sense), OnLine(point_of(self.b), self.a)


@dataclass(frozen=True, eq=False)
class InPlane(Constraint):
    """A line in a plane, or parallel to it at a distance [m]."""

    removes: ClassVar[int] = 2
    a: Axis | Rod
    b: Plane
    distance: Any = 0.0

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of (7)."""
        return Perpendicular(self.b, self.a), OnPlane(point_of(self.a), self.b, self.distance)


@dataclass(frozen=True, eq=False)
class Coplanar(Constraint):
    """Coplanar planes, or a distance [m] apart along a's normal. sense : "opposite" for faces in contact."""

    removes: ClassVar[int] = 3
    a: Plane
    b: Plane
    distance: Any = 0.0
    sense: str = "either"

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of (8)."""
        return Parallel(self.a, self.b, self.sense), OnPlane(point_of(self.b), self.a, self.distance)


@dataclass(frozen=True, eq=False)
class EqualOrientation(Constraint):
    """Frames with parallel axes, x with x, y with y, z with z."""

    removes: ClassVar[int] = 3
    a: Frame
    b: Frame

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (9)."""
        (x, y, z), (x1, y1, z1) = axes_of(self.a), axes_of(self.b)
        return Dot1(x, y1), Dot1(y, z1), Dot1(z, x1)

    def guides(self) -> tuple[Primitive, ...]:
        """Return the other six entries of R - 1."""
        (x, y, z), (x1, y1, z1) = axes_of(self.a), axes_of(self.b)
        return (Dot1(y, x1), Dot1(z, y1), Dot1(x, z1), Dot1(x, x1, 1.0), Dot1(y, y1, 1.0), Dot1(z, z1, 1.0))


@dataclass(frozen=True, eq=False)
class Fixed(Constraint):
    """Coincident frames: bodies welded together, or to the world."""

    removes: ClassVar[int] = 6
    a: Frame
    b: Frame

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of (10)."""
        return Coincident(point_of(self.a), point_of(self.b)), EqualOrientation(self.a, self.b)


PAIRS: dict[Any, Any] = {(Sphere, Plane): 1, (Sphere, Sphere): 1, (Sphere, Rod): 1, (Rod, Plane): 2, (Rod, Rod): 3}


@dataclass(frozen=True, eq=False)
class Tangent(Constraint):
    """Contact of two surfaces (`Sphere`, `Rod`, `Plane`). inside : the smaller round one is in the larger."""

    a: Any
    b: Any
    inside: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if (type(self.a), type(self.b)) not in PAIRS and (type(self.b), type(self.a)) in PAIRS:
            a, b = self.a, self.b
            object.__setattr__(self, "a", b)
            object.__setattr__(self, "b", a)
        if (type(self.a), type(self.b)) not in PAIRS:
            pairs = ", ".join(f"{a.__name__} and {b.__name__}" for a, b in PAIRS)
            raise InputError(
                f"'{self.name}' is between {type(self.a).__name__} and {type(self.b).__name__}. Possible "
                f"pairs: {pairs}."
            )
        if self.inside and isinstance(self.b, Plane):
            raise InputError(f"'{self.name}': nothing is inside a plane. Reverse its normal, or leave `inside` out.")

    @property
    def removes(self) -> int:  # type: ignore[override]  # by what touches
        """Number of degrees of freedom it removes: 1 to 3."""
        return PAIRS[type(self.a), type(self.b)]

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of (11)-(15)."""
        a, b = self.a, self.b
        if isinstance(b, Plane):
            flat: Constraint = OnPlane(point_of(a), b, a.radius)  # (11)
            if isinstance(a, Rod):
                flat = InPlane(a, b, a.radius)  # (14)
            return flat.primitives()
        apart = abs(a.radius - b.radius) if self.inside else a.radius + b.radius
        if isinstance(b, Sphere):
            return (Distance(point_of(a), point_of(b), apart),)  # (12)
        beside = LineDistance(direction_of(b), point_of(b), point_of(a), apart)
        if isinstance(a, Sphere):
            return (beside,)  # (13)
        return (*Parallel(b, a).primitives(), beside)  # (15)
