"""When do round surfaces touch? Tangency, by what touches what.

sphere on plane      1   the middle a radius from the plane                                           (1)
sphere on sphere     1   the middles r₁ + r₂ apart, or |r₁ - r₂| where one is inside                  (2)
sphere on rod        1   the middle r₁ + r₂ from the axis, or |r₁ - r₂| inside                        (3)
rod on plane         2   the axis in a plane a radius away                                            (4)
rod on rod           3   axes parallel, r₁ + r₂ apart, or |r₁ - r₂| inside (gears, rollers, bearings) (5)
"""

from dataclasses import dataclass
from typing import Any

from anthropi.constraints.assembled.coupling import LineDistance
from anthropi.constraints.assembled.features import Plane, Rod, Sphere, direction_of, point_of
from anthropi.constraints.assembled.mates import Constraint, InPlane, OnPlane, Parallel
from anthropi.constraints.primitives import Distance
from anthropi.errors import InputError

__all__ = ["Tangent"]

PAIRS = {(Sphere, Plane): 1, (Sphere, Sphere): 1, (Sphere, Rod): 1, (Rod, Plane): 2, (Rod, Rod): 3}


@dataclass(frozen=True, eq=False)
class Tangent(Constraint):
    """Two surfaces touch: `Sphere`, `Rod`, `Plane`. inside : the smaller round one is in the larger."""

    a: Any
    b: Any
    inside: bool = False

    def __post_init__(self):
        super().__post_init__()
        if (type(self.a), type(self.b)) not in PAIRS and (type(self.b), type(self.a)) in PAIRS:
            a, b = self.a, self.b
            object.__setattr__(self, "a", b)
            object.__setattr__(self, "b", a)
        if (type(self.a), type(self.b)) not in PAIRS:
            pairs = ", ".join(f"{a.__name__} and {b.__name__}" for a, b in PAIRS)
            raise InputError(f"'{self.name}' is between {type(self.a).__name__} and {type(self.b).__name__}. What can "
                             f"touch: {pairs}.")  # fmt: skip
        if self.inside and isinstance(self.b, Plane):
            raise InputError(f"'{self.name}': nothing is inside a plane. Turn its normal round, or leave `inside` out.")

    @property
    def removes(self) -> int:  # type: ignore[override]  # by what touches
        """One to three."""
        return PAIRS[type(self.a), type(self.b)]

    def primitives(self):
        """(1) to (5)"""
        a, b = self.a, self.b
        if isinstance(b, Plane):
            flat: Constraint = OnPlane(point_of(a), b, a.radius)  # (1)
            if isinstance(a, Rod):
                flat = InPlane(a, b, a.radius)  # (4)
            return flat.primitives()
        apart = abs(a.radius - b.radius) if self.inside else a.radius + b.radius
        if isinstance(b, Sphere):
            return (Distance(point_of(a), point_of(b), apart),)  # (2)
        beside = LineDistance(direction_of(b), point_of(b), point_of(a), apart)
        if isinstance(a, Sphere):
            return (beside,)  # (3)
        return (*Parallel(b, a).primitives(), beside)  # (5)
