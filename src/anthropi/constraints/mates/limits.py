"""Limits of joints in assemblies: the angle or translation of a joint stays between two bounds.

With the measure s of a joint, its angle θ or its translation (couplings.py), and bounds l and u:

    translation    Φ = s - u if s > u,   s - l if s < l,   else 0                                              (1)
    rotation       the same for δ = wrap(θ - (l + u)/2) and the bounds ∓(u - l)/2                              (2)

A limit has no equations and removes no degrees of freedom. (1) and (2) are guides (mates.py): a solution must meet them
to the same tolerance as equations. Angles are compared up to whole turns.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from anthropi.algebra.scalar import less, maximum, records, where
from anthropi.constraints.mates.joints import Cylinder, Hinge, Screw, Slider, slide_of, turn_of
from anthropi.constraints.mates.mates import Constraint
from anthropi.constraints.primitives import Direction, Point, Primitive
from anthropi.constraints.turns import FULL_TURN, turn, turn_curvature, turn_gradient, wrapped
from anthropi.errors import InputError, did_you_mean

__all__ = ["Limit", "SlideRange", "TurnRange"]

MOTIONS: dict[str, tuple[Any, ...]] = {"rotation": (Hinge, Cylinder, Screw), "translation": (Slider, Cylinder, Screw)}


@dataclass(frozen=True, eq=False)
class TurnRange(Primitive):
    """The angle of a joint between two bounds (2). x, y, u : directions that measure it. lower, upper : [rad]."""

    x: Direction
    y: Direction
    u: Direction
    lower: Any
    upper: Any
    name: str = field(default="turn range", kw_only=True)

    def features(self) -> Any:
        """Return the features x, y, u."""
        return self.x, self.y, self.u

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the angle beyond the nearer bound [rad], 0 between the bounds (2)."""
        return _beyond(self._offset(x), -0.5 * (self.upper - self.lower), 0.5 * (self.upper - self.lower))

    def gradient(self, x: Any) -> Any:
        """Return the gradients of the angle, 0 between the bounds."""
        return turn_gradient(x, self._outside(x))

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative of the angle in the direction of the rates; 0 between the bounds."""
        return self._outside(x) * turn_curvature(x, rates)

    def _offset(self, x: Any) -> Any:
        """Return the angle from the middle between the bounds."""
        return wrapped(turn(*x) - 0.5 * (self.lower + self.upper))

    def _outside(self, x: Any) -> Any:
        half = 0.5 * (self.upper - self.lower)
        return _outside(self._offset(x), -half, half)


@dataclass(frozen=True, eq=False)
class SlideRange(Primitive):
    """The translation of a joint between two bounds (1).

    v, start, end : axis and points that measure it. lower, upper : [m].
    """

    v: Direction
    start: Point
    end: Point
    lower: Any
    upper: Any
    name: str = field(default="slide range", kw_only=True)

    def features(self) -> Any:
        """Return the features v, start, end."""
        return self.v, self.start, self.end

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the translation beyond the nearer bound [m], 0 between the bounds (1)."""
        return _beyond(self._measure(x), self.lower, self.upper)

    def gradient(self, x: Any) -> Any:
        """Return the gradients of the translation, 0 between the bounds."""
        v, start, end = x
        outside = _outside(self._measure(x), self.lower, self.upper)
        return outside * (end - start), -outside * v, outside * v

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative of the translation along the rates, 0 between the bounds."""
        dv, dstart, dend = rates
        return _outside(self._measure(x), self.lower, self.upper) * 2.0 * (dv * (dend - dstart)).sum()

    def _measure(self, x: Any) -> Any:
        v, start, end = x
        return (v * (end - start)).sum()


def _beyond(s: Any, lower: Any, upper: Any) -> Any:
    """Return how far s is above the upper (positive) or below the lower bound (negative), 0 between them."""
    return maximum(s - upper, 0.0) - maximum(lower - s, 0.0)


def _outside(s: Any, lower: Any, upper: Any) -> Any:
    """Return 1 if s is outside the bounds, else 0."""
    return where(less(upper, s) | less(s, lower), 1.0, 0.0)


@dataclass(frozen=True, eq=False)
class Limit(Constraint):
    """Limit of the rotation or translation of a joint; it removes no degrees of freedom.

    a : the joint, a `Hinge`, `Slider`, `Cylinder` or `Screw` of the assembly.
    lower, upper : bounds [rad or m]. A rotation needs both, less than a turn apart; a translation needs one of them.
    motion : "rotation" or "translation"; only cylinders and screws have both.
    """

    a: Any
    lower: Any = -math.inf
    upper: Any = math.inf
    motion: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        own = [motion for motion, kinds in MOTIONS.items() if isinstance(self.a, kinds)]
        if not own:
            raise InputError(f"'{self.name}' limits {self.a!r}. Give a Hinge, Slider, Cylinder or Screw.")
        if not self.motion and len(own) == 1:
            object.__setattr__(self, "motion", own[0])
        if self.motion not in own:
            guess = did_you_mean(self.motion, own)
            raise InputError(
                f"'{self.name}' limits the motion '{self.motion}' of '{self.a.name}'.{guess} Choose {' or '.join(own)}."
            )
        if records(self.lower, self.upper):
            return
        lower, upper = float(self.lower), float(self.upper)
        if self.motion == "rotation" and not 0.0 <= upper - lower < FULL_TURN:
            raise InputError(
                f"'{self.name}' limits an angle from {lower:g} to {upper:g} rad. Give a lower and a higher angle, less "
                "than a turn (2π) apart."
            )
        if not lower <= upper or lower == math.inf or upper == -math.inf:
            raise InputError(f"'{self.name}' has limits from {lower:g} to {upper:g}. Give a lower and a higher number.")

    def guides(self) -> Any:
        """Return the guide that is zero between the bounds (1), (2)."""
        if self.motion == "rotation":
            return (TurnRange(*turn_of(self.a), self.lower, self.upper),)
        return (SlideRange(*slide_of(self.a), self.lower, self.upper),)
