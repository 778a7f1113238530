"""What do constraints say of positions, velocities and accelerations? One record, whatever the coordinates.

    position       Φ(x, t) = 0                                                                        (1)
    velocity       Φ' = J u + drift,      drift = Σ_k f_xk · ∂x_k/∂t + ∂Φ/∂t                          (2)
    acceleration   Φ″ = J u' + bias,      bias = Σ_k f_xk · x_k″ + bend(x, x') + ∂²Φ/∂t²              (3)

x_k' is the whole velocity of a feature, x_k″ its acceleration where the velocities u do not change. In Cartesian
coordinates u and u' stand for q' and q″.

Driven
------
What follows the clock? Constraints that depend on time, with their first and second time derivatives.

    driven primitive    Φ(x, t) = f(x) - c(t)          ∂Φ/∂t = -c',  ∂²Φ/∂t² = -c″                    (4)
    angle               u · v - cos α(t)                                                              (5)
    distance            d · d - d₀(t)²                                                                (6)
    turn                u · e(t),  e = cos α(t) v₂ - sin α(t) v₁:   sin(θ - α), regular all the way round   (7)
    nail, path          three dot-2 along the world's axes, from a place x(t) of the world            (8)

A function of time is recorded, and its derivatives are sweeps over its small tape; write it with `ap.scalar`'s
functions. Who has the derivatives gives a `Course`. (7) and (8) are features that move in their body; what that does to
rates is in `cartesian.py` and `relative.py`.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import cos, records, sin
from anthropi.constraints.primitives import Direction, Distance, Dot1, Dot2, EulerParameters, Point, Primitive, unit
from anthropi.errors import InputError, ShapeError
from anthropi.tape import push, record

__all__ = [
    "Course",
    "Driven",
    "Equations",
    "Moving",
    "Nail",
    "bias_of",
    "course",
    "drift_of",
    "driven_angle",
    "driven_distance",
    "driven_turn",
    "placed_at",
]


class Equations(NamedTuple):
    """Φ (m,), its Jacobian (m, n), drift (m,) and bias (m,) of (1) to (3)."""

    residual: Any
    jacobian: Any
    drift: Any
    bias: Any


class Moving(NamedTuple):
    """A feature's world vector x, its velocity at rest ∂x/∂t (None if it is fixed), its velocity and acceleration."""

    x: Any
    drift: Any = None
    rate: Any = None
    acceleration: Any = None


def drift_of(primitive, moving, t=None):
    """(2)"""
    total = primitive.drift(t)[0]
    for g, m in zip(primitive.gradient([m.x for m in moving]), moving, strict=True):
        if m.drift is not None:
            total = total + (g * m.drift).sum()
    return total


def bias_of(primitive, moving, t=None):
    """(3)"""
    x = [m.x for m in moving]
    total = primitive.bend(x, [m.rate for m in moving]) + primitive.drift(t)[1]
    for g, m in zip(primitive.gradient(x), moving, strict=True):
        total = total + (g * m.acceleration).sum()
    return total


AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Course:
    """A function of time with its derivatives. at : t [s] → (value, first, second derivative)."""

    at: Callable[[Any], tuple[Any, Any, Any]]


@dataclass(frozen=True, eq=False)
class Driven(Primitive):
    """A primitive led by a function of time: Φ(x, t) = primitive - function(t). function : of t [s], or a `Course`."""

    primitive: Primitive
    function: Any
    name: str = field(default="driven", kw_only=True)

    def features(self):
        """Those of the primitive."""
        return self.primitive.features()

    def value(self, x, t=None):
        """(4)"""
        return self.primitive.value(x, t) - course(self.function, self._time(t))[0]

    def gradient(self, x):
        """That of the primitive."""
        return self.primitive.gradient(x)

    def bend(self, x, rates):
        """That of the primitive."""
        return self.primitive.bend(x, rates)

    def drift(self, t=None):
        """(4)"""
        _, first, second = course(self.function, self._time(t))
        own = self.primitive.drift(t)
        return own[0] - first, own[1] - second

    def _time(self, t):
        if t is None:
            raise InputError(f"Constraint '{self.name}' is driven: say when, with t=… [s].")
        return t


@dataclass(frozen=True, eq=False)
class Nail:
    """A point is held at a place of the world, or led along a path.

    at : (3,) [m], or a function of t [s] that gives it, or a `Course`.
    """

    point: Point
    at: Any
    name: str = field(default="nail", kw_only=True)

    @property
    def removes(self) -> int:
        """Three."""
        return 3

    def primitives(self) -> tuple[Dot2, ...]:
        """(8)"""
        start = Point("", self.at)
        return tuple(Dot2(Direction("", e), start, self.point, name=f"{self.name}.{k}")
                     for e, k in zip(AXES, "xyz", strict=True))  # fmt: skip


def driven_angle(u: Direction, v: Direction, angle, name: str = "driven angle") -> Driven:
    """(5): two directions stand at an angle α(t) [rad] strictly between 0 and π."""

    def cosine(t):
        a, first, second = course(angle, t)
        c, s = cos(a), sin(a)
        return c, -s * first, -c * first * first - s * second

    return Driven(Dot1(unit(u), unit(v)), Course(cosine), name=name)


def driven_distance(start: Point, end: Point, distance, name: str = "driven distance") -> Driven:
    """(6): two points are a distance d₀(t) > 0 [m] apart."""

    def square(t):
        d, first, second = course(distance, t)
        return d * d, 2.0 * d * first, 2.0 * (first * first + d * second)

    return Driven(Distance(start, end, 0.0), Course(square), name=name)


def driven_turn(u: Direction, v1: Direction, v2: Direction, angle, name: str = "driven turn") -> Dot1:
    """(7): u has turned from v₁ towards v₂ by α(t) [rad], any number of times.

    v1, v2 : on one body, square to each other.
    """
    if v1.body != v2.body:
        raise InputError(f"A turn is measured on one body; v1 is on '{v1.body}' and v2 on '{v2.body}'.")
    first, second = unit(v1).along, unit(v2).along
    if not records(first, second) and abs(first @ second) > 1e-12:
        raise InputError(f"A turn is measured from v1 towards v2, square to it; their product is {first @ second:.3g}.")

    def hand(t):
        a, rate, change = course(angle, t)
        e, along = cos(a) * second - sin(a) * first, -sin(a) * second - cos(a) * first
        return e, along * rate, along * change - e * (rate * rate)

    return Dot1(u, Direction(v1.body, Course(hand)), name=name)


def course(given, t):
    """Value, first and second time derivative of what is given: constant, a function of t [s], or a `Course`."""
    if isinstance(given, Course):
        return tuple(np.asarray(x)[()] for x in given.at(t))
    if not callable(given):
        value = np.asarray(given)[()]
        return value, value * 0.0, value * 0.0
    tape, shape = _tape(given)
    values, slopes = push(tape, [t], [(1.0,)])
    half = len(values) // 2
    parts = (values[:half], [s[0] for s in slopes[:half]], [s[0] for s in slopes[half:]])
    return tuple(np.array(x).reshape(shape)[()] for x in parts)


@functools.lru_cache(maxsize=1000)
def _tape(function):
    """A function of time and its first derivative on a tape, and its shape."""
    tape = record(lambda t: np.asarray(function(t)), t=np.zeros(()))
    return tape.jvp("t", {"t": np.ones(1)}), tape.outputs[0].shape


def placed_at(feature, t=None):
    """Where a point or direction is in its body: (3,), and its first and second time derivative, None if it rests."""
    if isinstance(feature, EulerParameters):
        raise InputError(f"The Euler parameters of '{feature.body}' are no point or direction. Normalisation is for "
                         "Cartesian coordinates: leave it out here.")  # fmt: skip
    given = feature.at if isinstance(feature, Point) else feature.along
    moves = callable(given) or isinstance(given, Course)
    if moves and t is None:
        raise InputError(f"A {type(feature).__name__.lower()} on '{feature.body or 'the world'}' moves with time: say "
                         "when, with t=… [s].")  # fmt: skip
    place, first, second = course(given, t) if moves else (np.asarray(given), None, None)
    if np.shape(place) != (3,):
        raise ShapeError(f"A {type(feature).__name__.lower()} on '{feature.body or 'the world'}' has shape "
                         f"{np.shape(place)}; give three numbers.")  # fmt: skip
    return place, first, second
