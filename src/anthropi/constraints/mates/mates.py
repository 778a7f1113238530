"""Assembly constraints (mates) between two bodies, made of primitives.

Each constraint removes as many degrees of freedom as it has primitives, which are independent wherever they hold.

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

(4) holds for parallel and antiparallel directions, and (9) also for half turns. *Guides* select the intended solution:
they are additional primitives that are zero at this solution but not at the others. Solvers use them: with guides, the
sum of squares of (4) is |u ∓ v|² and that of (9) is |R - 1|², which have no other minimum. Guides remove no degrees of
freedom.

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
from anthropi.constraints.mates.features import (
    Axis,
    Frame,
    Plane,
    Rod,
    Sphere,
    across,
    axes_of,
    direction_of,
    point_of,
    refuse_feature,
)
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
    """Base class of mates. name : name used in reports and messages."""

    removes: ClassVar[int] = 0
    needs: ClassVar[tuple[str, ...]] = ()  # what the sides a and b need (features.py), if they are features
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", type(self).__name__.lower())
        if getattr(self, "sense", "either") not in SENSES:
            raise InputError(
                f"'{self.name}' has the sense '{getattr(self, 'sense', '')}'. Choose one of {', '.join(SENSES)}."
            )
        for side, needs in zip("ab", self.needs, strict=False):
            refuse_feature(self.name, side, getattr(self, side), needs)

    def parts(self) -> tuple["Constraint", ...]:
        """Return the constraints of which this one is composed; empty if it is not composed."""
        return ()

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of the constraint, one for each degree of freedom that it removes."""
        return tuple(primitive for part in self.parts() for primitive in part.primitives())

    def guides(self) -> tuple[Primitive, ...]:
        """Return additional primitives that are zero only at the intended solution, for solvers."""
        return tuple(guide for part in self.parts() for guide in part.guides())


@dataclass(frozen=True, eq=False)
class Coincident(Constraint):
    """Constraint that two points coincide."""

    removes: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("point", "point")
    a: Point
    b: Point

    def primitives(self) -> tuple[Primitive, ...]:
        """Return three equations: the points have equal world coordinates (1)."""
        return tuple(Dot2(e, point_of(self.a), point_of(self.b)) for e in WORLD)


@dataclass(frozen=True, eq=False)
class OnLine(Constraint):
    """Constraint that a point lies on a line (an axis)."""

    removes: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("point", "line")
    a: Point
    b: Axis

    def primitives(self) -> tuple[Primitive, ...]:
        """Return two equations: the point has no offset in two directions perpendicular to the line (2)."""
        return tuple(Dot2(e, point_of(self.b), point_of(self.a)) for e in across(self.b))


@dataclass(frozen=True, eq=False)
class OnPlane(Constraint):
    """Constraint that a point lies on a plane, or at a distance [m] from it, positive on the side of the normal."""

    removes: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("point", "line")
    a: Point
    b: Plane
    distance: Any = 0.0

    def primitives(self) -> tuple[Primitive, ...]:
        """Return one equation: the distance of the point from the plane (3)."""
        return (Dot2(direction_of(self.b), point_of(self.b), point_of(self.a), self.distance),)


@dataclass(frozen=True, eq=False)
class Parallel(Constraint):
    """Constraint that two directions are parallel. sense : "same", "opposite" or "either"."""

    removes: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("direction", "direction")
    a: Any
    b: Any
    sense: str = "either"

    def primitives(self) -> tuple[Primitive, ...]:
        """Return two equations: b is perpendicular to two directions that are perpendicular to a (4)."""
        return tuple(Dot1(e, direction_of(self.b)) for e in across(self.a))

    def guides(self) -> tuple[Primitive, ...]:
        """Return the guide u · v = ±1 that selects the sense, or none for "either"."""
        sign = SENSES[self.sense]
        return () if sign is None else (Dot1(direction_of(self.a), direction_of(self.b), sign),)


@dataclass(frozen=True, eq=False)
class Perpendicular(Constraint):
    """Constraint that two directions are perpendicular."""

    removes: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("direction", "direction")
    a: Any
    b: Any

    def primitives(self) -> tuple[Primitive, ...]:
        """Return one equation: the dot product of the directions is zero (5)."""
        return (Dot1(direction_of(self.a), direction_of(self.b)),)


@dataclass(frozen=True, eq=False)
class Concentric(Constraint):
    """Constraint that two axes coincide (coaxial). sense : as for `Parallel`."""

    removes: ClassVar[int] = 4
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Axis
    b: Axis
    sense: str = "either"

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of coaxial lines: parallel directions and a point on a line (6)."""
        return Parallel(self.a, self.b, self.sense), OnLine(point_of(self.b), self.a)


@dataclass(frozen=True, eq=False)
class InPlane(Constraint):
    """Constraint that a line lies in a plane, or parallel to it at a distance [m]."""

    removes: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Axis | Rod
    b: Plane
    distance: Any = 0.0

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of a line in a plane: perpendicular to the normal, with a point on the plane (7)."""
        return Perpendicular(self.b, self.a), OnPlane(point_of(self.a), self.b, self.distance)


@dataclass(frozen=True, eq=False)
class Coplanar(Constraint):
    """Constraint that two planes coincide, or are a distance [m] apart along the normal of a.

    sense : as for `Parallel`; "opposite" for faces in contact.
    """

    removes: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("line", "line")
    a: Plane
    b: Plane
    distance: Any = 0.0
    sense: str = "either"

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of coplanar planes: parallel normals, and a point on a plane (8)."""
        return Parallel(self.a, self.b, self.sense), OnPlane(point_of(self.b), self.a, self.distance)


@dataclass(frozen=True, eq=False)
class EqualOrientation(Constraint):
    """Constraint that two frames have equal orientation: x, y and z axes are parallel."""

    removes: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("frame", "frame")
    a: Frame
    b: Frame

    def primitives(self) -> tuple[Primitive, ...]:
        """Return three equations: x ⊥ y, y ⊥ z, z ⊥ x between the two frames (9)."""
        (x, y, z), (x1, y1, z1) = axes_of(self.a), axes_of(self.b)
        return Dot1(x, y1), Dot1(y, z1), Dot1(z, x1)

    def guides(self) -> tuple[Primitive, ...]:
        """Return guides for the other six entries of R - 1, with R the rotation between the frames."""
        (x, y, z), (x1, y1, z1) = axes_of(self.a), axes_of(self.b)
        return (Dot1(y, x1), Dot1(z, y1), Dot1(x, z1), Dot1(x, x1, 1.0), Dot1(y, y1, 1.0), Dot1(z, z1, 1.0))


@dataclass(frozen=True, eq=False)
class Fixed(Constraint):
    """Constraint that two frames coincide, so that two bodies, or a body and the world, are fixed to each other."""

    removes: ClassVar[int] = 6
    needs: ClassVar[tuple[str, ...]] = ("frame", "frame")
    a: Frame
    b: Frame

    def parts(self) -> tuple[Constraint, ...]:
        """Return the constraints of coincident frames: coincident origins and equal orientation (10)."""
        return Coincident(point_of(self.a), point_of(self.b)), EqualOrientation(self.a, self.b)


PAIRS: dict[Any, Any] = {(Sphere, Plane): 1, (Sphere, Sphere): 1, (Sphere, Rod): 1, (Rod, Plane): 2, (Rod, Rod): 3}


@dataclass(frozen=True, eq=False)
class Tangent(Constraint):
    """Constraint that two surfaces touch (`Sphere`, `Rod`, `Plane`).

    inside : whether the smaller sphere or rod is inside the larger one.
    """

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
            raise InputError(
                f"'{self.name}' has inside=True, but a plane has no inside. Reverse its normal, or leave `inside` out."
            )

    @property
    def removes(self) -> int:  # type: ignore[override]  # depends on the surfaces
        """Number of degrees of freedom that the contact removes: 1 to 3."""
        return PAIRS[type(self.a), type(self.b)]

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the equations of the contact of the two surfaces (11)-(15)."""
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
