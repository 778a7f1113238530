"""Primitive constraints: scalar equations between points and directions of bodies. The body "" is the world.

Features (points and directions) are fixed in a body, or move in it as a given function of time (s'(t), v'(t)):

    point       x = r + A s'                                                                          (1)
    direction   x = A v'                                                                              (2)

A primitive is a function f(x_1, …, x_n) of their world vectors; d = end - start:

    dot-1           Φ = u · v - c                                                                     (18a)
    dot-2           Φ = v · d - c                v on either body, on a third, or in the world        (18b)
    angle           Φ = u · v - cos α            u', v' of unit length                                (18c)
    distance        Φ = d · d - d₀²                                                                   (18d)
    normalisation   Φ = p · p - 1                p the Euler parameters of a body

    along rates     Φ' = Σ_k (∂f/∂x_k) · x_k'                                                         (5), (6a)
                    Φ″ = Σ_k (∂f/∂x_k) · x_k″ + curvature(x, x'),
                    curvature = Σ_kl x_k' · ∂²f/∂x_k∂x_l x_l'                                         (A)

The Jacobian row of Φ in any coordinates is Σ_k (∂f/∂x_k)ᵀ ∂x_k, where ∂x_k is the derivative of a world vector with
respect to the coordinates (cartesian.py, relative.py). Φ may also be driven by time: Φ = f - c(t), with c' and c″
(driven.py). The numbers are those of docs/equations/constraints.md, sections 1, 3 and 4.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import cos, records, sqrt
from anthropi.errors import InputError

__all__ = [
    "Angle",
    "Coordinate",
    "Direction",
    "Distance",
    "Dot1",
    "Dot2",
    "EulerParameters",
    "Feature",
    "Guide",
    "Normalisation",
    "Point",
    "Primitive",
    "guides_of",
    "primitives_of",
    "unit",
]


class Point(NamedTuple):
    """A point of a body. at : (3,) [m] in the body's frame, or a function of time [s] that returns it."""

    body: str
    at: Any = (0.0, 0.0, 0.0)


class Direction(NamedTuple):
    """A direction of a body. along : (3,) in the body's frame, of any length, or a function of time that returns it."""

    body: str
    along: Any


class EulerParameters(NamedTuple):
    """The four Euler parameters of a body, scalar first (Cartesian coordinates only)."""

    body: str


class Coordinate(NamedTuple):
    """A coordinate of a joint of a figure, by the name of its degree of freedom (joint coordinates only).

    Its "world vector" has one entry, the value q [rad or m]. The velocity of the degree of freedom is q'.
    """

    dof: str
    at_q: int
    at_u: int

    @property
    def body(self) -> str:
        """The empty name, because a coordinate is not a feature of one body."""
        return ""


Feature = Point | Direction | EulerParameters | Coordinate
MAX_ANGLE = math.pi * (1.0 + 1e-12)  # [rad] of an `Angle`


class Primitive:
    """Base class of primitive constraints: one scalar equation Φ = 0 between features.

    A primitive can be used wherever a constraint is expected. Φ must not change when all features, including those of
    the world, move as one rigid body; `relative.py` relies on this.
    """

    name: str

    def __post_init__(self) -> None:
        for feature in self.features():
            if not isinstance(feature, (Point, Direction, EulerParameters, Coordinate)):
                raise InputError(
                    f"'{self.name}' refers to {feature!r}, which is not a point or direction. Give Point(body, at) and "
                    "Direction(body, along), or use a mate of ap.mates."
                )

    def _refuse_others(self, kind: type[Any], *features: Any) -> None:
        """Raise `InputError` if one of the features is not of this kind."""
        for feature in features:
            if not isinstance(feature, kind):
                own = kind.__name__
                raise InputError(
                    f"'{self.name}' refers to {feature!r}, where a {own.lower()} is needed. Give {own}(body, "
                    f"{'at' if kind is Point else 'along'})."
                )

    def primitives(self) -> "tuple[Primitive, ...]":
        """Return a tuple that contains only this primitive."""
        return (self,)

    @property
    def removes(self) -> int:
        """Number of degrees of freedom that the constraint removes."""
        return 1

    def features(self) -> tuple[Feature, ...]:
        """Return the features that the equation depends on."""
        raise NotImplementedError

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual Φ.

        x : world vectors (3,) of `features()`, in order. t : time [s], for driven constraints.
        """
        raise NotImplementedError

    def gradient(self, x: Any) -> tuple[Any, ...]:
        """Return the gradients ∂Φ/∂x_k, (3,) each, in the order of x: f_r and f_v of (5), (6a), (17)."""
        raise NotImplementedError

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative of Φ along the rates of x: curvature of (A)."""
        raise NotImplementedError

    def drift(self, t: Any | None = None) -> tuple[Any, Any]:
        """Return ∂Φ/∂t and ∂²Φ/∂t² at fixed x_k; both are 0 unless the constraint is driven."""
        return 0.0, 0.0


@dataclass(frozen=True, eq=False)
class _Product(Primitive):
    """Base class of primitives that contain the dot product u · v of two directions."""

    u: Direction
    v: Direction

    def __post_init__(self) -> None:
        self._refuse_others(Direction, self.u, self.v)

    def features(self) -> Any:
        """Return the features u, v."""
        return self.u, self.v

    def gradient(self, x: Any) -> Any:
        """Return the gradients with respect to u and v: v, u."""
        u, v = x
        return v, u

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: 2 u' · v'."""
        du, dv = rates
        return 2.0 * _dot(du, dv)


@dataclass(frozen=True, eq=False)
class Dot1(_Product):
    """Constraint on the dot product of two directions: u · v = equals (0 for perpendicular directions)."""

    equals: Any = 0.0
    name: str = field(default="dot-1", kw_only=True)

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual u · v - c (18a)."""
        u, v = x
        return _dot(u, v) - self.equals


@dataclass(frozen=True, eq=False)
class Dot2(Primitive):
    """Constraint on the dot product of a direction and the vector between two points: v · (end - start) = equals.

    With a unit vector v of the world, it sets one coordinate of that vector.
    """

    v: Direction
    start: Point
    end: Point
    equals: Any = 0.0
    name: str = field(default="dot-2", kw_only=True)

    def __post_init__(self) -> None:
        self._refuse_others(Direction, self.v)
        self._refuse_others(Point, self.start, self.end)

    def features(self) -> Any:
        """Return the features v, start, end."""
        return self.v, self.start, self.end

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual v · d - c, with d = end - start (18b)."""
        v, start, end = x
        return _dot(v, end - start) - self.equals

    def gradient(self, x: Any) -> Any:
        """Return the gradients with respect to v, start and end: d, -v, v, with d = end - start."""
        v, start, end = x
        return end - start, -v, v

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: 2 v' · d', with d = end - start."""
        dv, dstart, dend = rates
        return 2.0 * _dot(dv, dend - dstart)


@dataclass(frozen=True, eq=False)
class Angle(_Product):
    """Constraint on the angle [rad] between two directions, from 0 to π.

    The directions are normalised; functions of time must return unit vectors. At 0 and π the tangential gradient
    vanishes (a minimum or maximum of Φ): use two `Dot1` for parallel directions.
    """

    angle: Any = math.pi / 2
    name: str = field(default="angle", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        angle = self.angle
        if not records(angle) and not all(0.0 <= a <= MAX_ANGLE for a in np.ravel(angle)):
            raise InputError(
                f"'{self.name}' has an angle of {angle} rad. Give radians from 0 to π: 90 degrees are np.pi / 2."
            )
        object.__setattr__(self, "u", unit(self.u))
        object.__setattr__(self, "v", unit(self.v))

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual u · v - cos α (18c)."""
        u, v = x
        return _dot(u, v) - cos(self.angle)


@dataclass(frozen=True, eq=False)
class Distance(Primitive):
    """Constraint on the distance [m] between two points. At distance 0 the gradient vanishes: use three `Dot2`."""

    start: Point
    end: Point
    distance: Any
    name: str = field(default="distance", kw_only=True)

    def __post_init__(self) -> None:
        self._refuse_others(Point, self.start, self.end)

    def features(self) -> Any:
        """Return the features start, end."""
        return self.start, self.end

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual d · d - d₀², with d = end - start (18d)."""
        start, end = x
        d = end - start
        return _dot(d, d) - self.distance * self.distance

    def gradient(self, x: Any) -> Any:
        """Return the gradients with respect to start and end: -2 d, 2 d, with d = end - start."""
        start, end = x
        d = end - start
        return -2.0 * d, 2.0 * d

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: 2 d' · d', with d = end - start."""
        dstart, dend = rates
        rate = dend - dstart
        return 2.0 * _dot(rate, rate)


@dataclass(frozen=True, eq=False)
class Normalisation(Primitive):
    """Constraint that the Euler parameters p of a body have unit length: p · p = 1 (Cartesian coordinates only)."""

    body: str
    name: str = field(default="normalisation", kw_only=True)

    @property
    def removes(self) -> int:
        """0, because the constraint only compensates for the fourth Euler parameter."""
        return 0

    def features(self) -> Any:
        """Return the Euler parameters p of the body, the only feature."""
        return (EulerParameters(self.body),)

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual p · p - 1."""
        (p,) = x
        return _dot(p, p) - 1.0

    def gradient(self, x: Any) -> Any:
        """Return the gradient with respect to p: 2 p."""
        (p,) = x
        return (2.0 * p,)

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rate of p: 2 p' · p'."""
        (rate,) = rates
        return 2.0 * _dot(rate, rate)


def primitives_of(constraints: Any) -> tuple[Primitive, ...]:
    """Return the primitives of one constraint, or of a tuple or list of constraints, in order."""
    many = constraints if isinstance(constraints, (tuple, list)) else (constraints,)
    for c in many:
        if not hasattr(c, "primitives"):
            raise InputError(
                f"{c!r} is not a constraint. Give primitives (Dot1, Dot2, Angle, Distance, Driven), or objects with a "
                "name and a method primitives()."
            )
    return tuple(p for c in many for p in c.primitives())


@dataclass(frozen=True, eq=False)
class Guide:
    """A primitive that is zero at the intended solution but not at others; it removes no degrees of freedom.

    A constraint without equations of its own. Solvers use the primitive to find the intended solution, and do not
    accept other solutions.
    """

    primitive: Primitive
    name: str = field(default="guide", kw_only=True)

    def primitives(self) -> tuple[Primitive, ...]:
        """Return an empty tuple."""
        return ()

    def guides(self) -> tuple[Primitive, ...]:
        """Return the primitive."""
        return (self.primitive,)


def guides_of(constraints: Any) -> tuple[Primitive, ...]:
    """Return the guides of one constraint, or of a tuple or list of constraints, in order; most have none."""
    many = constraints if isinstance(constraints, (tuple, list)) else (constraints,)
    return tuple(guide for c in many if hasattr(c, "guides") for guide in c.guides())


def _dot(a: Any, b: Any) -> Any:
    return (a * b).sum()


def unit(direction: Direction) -> Direction:
    """Return a direction normalised to unit length; a function of time is returned unchanged."""
    if callable(direction.along) or hasattr(direction.along, "at"):
        return direction
    v = np.asarray(direction.along)
    length = sqrt((v * v).sum())
    if not records(v) and not 0.0 < length < math.inf:
        where = f"body '{direction.body}'" if direction.body else "the world"
        raise InputError(f"A direction on {where} is {v.tolist()}; give three finite numbers, not all zero.")
    return Direction(direction.body, v / length)
