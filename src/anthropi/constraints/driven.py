"""Equations of constraints at position, velocity and acceleration level, and constraints driven by time.

    position       Φ(x, t) = 0                                                                        (1)
    velocity       Φ' = J u + drift,      drift = Σ_k f_xk · ∂x_k/∂t + ∂Φ/∂t                          (2)
    acceleration   Φ″ = J u' + bias,      bias = Σ_k f_xk · x_k″ + curvature(x, x') + ∂²Φ/∂t²         (3)

x_k' is the full velocity of a feature, x_k″ its acceleration at constant velocities u. In Cartesian coordinates u and
u' stand for q' and q″. Constraints that depend on time:

    driven primitive    Φ(x, t) = f(x) - c(t)          ∂Φ/∂t = -c',  ∂²Φ/∂t² = -c″                    (4)
    angle               u · v - cos α(t)                                                              (5)
    distance            d · d - d₀(t)²                                                                (6)
    turn                wrap(θ - α(t)), θ the angle of u from v₁ towards v₂ (turns.py)                (7)
    turn, as a dot-1    u · e(t),  e = cos α(t) v₂ - sin α(t) v₁:   sin(θ - α), also 0 half a turn off    (7a)
    nail, path          three dot-2 along the world's axes, from a place x(t) of the world            (8)

A function of time is recorded on a tape, from which its derivatives are computed; write it with the functions of
`ap.scalar`. If the derivatives are known, give a `Course` instead. The features of (7a) and (8) move in their body;
cartesian.py and relative.py include this motion in velocities and accelerations. α(t) may exceed a full turn: positions
of the bodies determine θ only up to whole turns, and wrap takes the nearest one, so that (7) is zero only if u points
where α says.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import cos, records, sin
from anthropi.constraints.primitives import Direction, Distance, Dot1, Dot2, EulerParameters, Point, Primitive, unit
from anthropi.constraints.turns import turn, turn_curvature, turn_gradient, wrapped
from anthropi.errors import InputError, ShapeError
from anthropi.tape import push, record

__all__ = [
    "Course",
    "Driven",
    "DrivenTurn",
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
    """Constraint equations (1)-(3): residual Φ (m,), Jacobian (m, n), drift (m,) and bias (m,)."""

    residual: Any
    jacobian: Any
    drift: Any
    bias: Any


class Moving(NamedTuple):
    """Motion of a feature (a point or direction) in the world.

    x : (3,) position or direction. drift : (3,) ∂x/∂t with all bodies at rest; None if it is fixed in its body.
    rate, acceleration : (3,) first and second time derivative of x.
    """

    x: Any
    drift: Any = None
    rate: Any = None
    acceleration: Any = None


def drift_of(primitive: Any, moving: Any, t: Any | None = None) -> Any:
    """Return the drift of a primitive constraint, which is its rate of change with all bodies at rest (2)."""
    total = primitive.drift(t)[0]
    for g, m in zip(primitive.gradient([m.x for m in moving]), moving, strict=True):
        if m.drift is not None:
            total = total + (g * m.drift).sum()
    return total


def bias_of(primitive: Any, moving: Any, t: Any | None = None) -> Any:
    """Return the bias of a primitive constraint, which is Φ″ at constant velocities u (3)."""
    x = [m.x for m in moving]
    total = primitive.curvature(x, [m.rate for m in moving]) + primitive.drift(t)[1]
    for g, m in zip(primitive.gradient(x), moving, strict=True):
        total = total + (g * m.acceleration).sum()
    return total


AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Course:
    """A function of time given with its derivatives.

    at : function of t [s] that returns (value, first derivative, second derivative).
    """

    at: Callable[[Any], tuple[Any, Any, Any]]


@dataclass(frozen=True, eq=False)
class Driven(Primitive):
    """A primitive constraint driven by time: Φ(x, t) = primitive - function(t).

    function : function of t [s], or a `Course`.
    """

    primitive: Primitive
    function: Any
    name: str = field(default="driven", kw_only=True)

    def features(self) -> Any:
        """Return the features of the primitive."""
        return self.primitive.features()

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual f(x) - c(t) (4)."""
        return self.primitive.value(x, t) - course(self.function, self._time(t))[0]

    def gradient(self, x: Any) -> Any:
        """Return the gradient of the primitive."""
        return self.primitive.gradient(x)

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the curvature of the primitive."""
        return self.primitive.curvature(x, rates)

    def drift(self, t: Any | None = None) -> Any:
        """Return the partial derivatives ∂Φ/∂t and ∂²Φ/∂t² (4)."""
        _, first, second = course(self.function, self._time(t))
        own = self.primitive.drift(t)
        return own[0] - first, own[1] - second

    def _time(self, t: Any) -> Any:
        if t is None:
            raise InputError(f"Constraint '{self.name}' depends on time. Give the time, t=… [s].")
        return t


@dataclass(frozen=True, eq=False)
class Nail:
    """A point of a body that is held at a position in the world, or moved along a path.

    at : position (3,) [m], a function of t [s] that returns it, or a `Course`.
    """

    point: Point
    at: Any
    name: str = field(default="nail", kw_only=True)

    @property
    def removes(self) -> int:
        """Number of degrees of freedom that the constraint removes: 3."""
        return 3

    def primitives(self) -> tuple[Dot2, ...]:
        """Return three equations, one for each world coordinate of the point (8)."""
        start = Point("", self.at)
        return tuple(
            Dot2(Direction("", e), start, self.point, name=f"{self.name}.{k}") for e, k in zip(AXES, "xyz", strict=True)
        )


def driven_angle(u: Direction, v: Direction, angle: Any, name: str = "driven angle") -> Driven:
    """Return the constraint (5): the angle between two directions is α(t) [rad], strictly between 0 and π."""

    def cosine(t: Any) -> Any:
        a, first, second = course(angle, t)
        c, s = cos(a), sin(a)
        return c, -s * first, -c * first * first - s * second

    return Driven(Dot1(unit(u), unit(v)), Course(cosine), name=name)


def driven_distance(start: Point, end: Point, distance: Any, name: str = "driven distance") -> Driven:
    """Return the constraint (6): the distance between two points is d₀(t) > 0 [m]."""

    def square(t: Any) -> Any:
        d, first, second = course(distance, t)
        return d * d, 2.0 * d * first, 2.0 * (first * first + d * second)

    return Driven(Distance(start, end, 0.0), Course(square), name=name)


@dataclass(frozen=True, eq=False)
class DrivenTurn(Primitive):
    """A direction u that is rotated from v₁ towards v₂ by α(t) (7).

    u : a direction that is not perpendicular to both v1 and v2.
    v1, v2 : perpendicular unit directions of one body. angle : α [rad], a number, a function of t [s] or a `Course`.
    """

    u: Direction
    v1: Direction
    v2: Direction
    angle: Any
    name: str = field(default="driven turn", kw_only=True)

    def features(self) -> Any:
        """Return the features v1, v2, u."""
        return self.v1, self.v2, self.u

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual wrap(θ - α) [rad] (7), from -π to π; it is zero only at the right angle."""
        return wrapped(turn(*x) - self._course(t)[0])

    def gradient(self, x: Any) -> Any:
        """Return the gradients of θ with respect to v1, v2 and u."""
        return turn_gradient(x, 1.0)

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative of θ along the rates."""
        return turn_curvature(x, rates)

    def drift(self, t: Any | None = None) -> Any:
        """Return the partial derivatives ∂Φ/∂t = -α' and ∂²Φ/∂t² = -α″."""
        _, first, second = self._course(t)
        return -first, -second

    def sine(self) -> Dot1:
        """Return the dot-1 constraint (7a): the same near its solution, with fewer operations, but not half a turn off.

        Its gradient is that of (7) times the length of u's projection on the plane of v1 and v2.
        """
        one, two = self.v1.along, self.v2.along

        def hand(t: Any) -> Any:
            a, rate, change = self._course(t)
            e, along = cos(a) * two - sin(a) * one, -sin(a) * two - cos(a) * one
            return e, along * rate, along * change - e * (rate * rate)

        return Dot1(self.u, Direction(self.v1.body, Course(hand)), name=self.name)

    def _course(self, t: Any) -> Any:
        if t is None and (callable(self.angle) or isinstance(self.angle, Course)):
            raise InputError(f"Constraint '{self.name}' depends on time. Give the time, t=… [s].")
        return course(self.angle, t)


def driven_turn(u: Direction, v1: Direction, v2: Direction, angle: Any, name: str = "driven turn") -> DrivenTurn:
    """Return the constraint (7): u is rotated from v₁ towards v₂ by α(t) [rad], which may exceed a full turn.

    v1, v2 : directions of the same body, perpendicular to each other. angle : α, a number, a function of t or a
    `Course`. Only the position of the bodies counts: α and α + 2π hold at the same positions.
    """
    if v1.body != v2.body:
        raise InputError(f"v1 is on '{v1.body}' and v2 is on '{v2.body}'. Give two directions of the same body.")
    one, two = unit(v1), unit(v2)
    if not records(one.along, two.along) and abs(one.along @ two.along) > 1e-12:
        raise InputError(
            f"v1 and v2 are not perpendicular: their dot product is {one.along @ two.along:.3g}. Give perpendicular "
            "ones."
        )
    unit(u)  # raises an error if u is zero
    return DrivenTurn(u, one, two, angle, name=name)


def course(given: Any, t: Any) -> Any:
    """Return the value and the first and second time derivative of a constant, a function of t [s], or a `Course`."""
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
def _tape(function: Any) -> Any:
    """Record a function of time and its first derivative; return the tape and the shape of the value."""
    tape = record(lambda t: np.asarray(function(t)), t=np.zeros(()))
    return tape.jvp("t", {"t": np.ones(1)}), tape.outputs[0].shape


def placed_at(feature: Any, t: Any | None = None) -> Any:
    """Return the body coordinates (3,) of a point or direction and their first and second time derivatives.

    The derivatives are None if the feature is fixed in its body.
    """
    if isinstance(feature, EulerParameters):
        raise InputError(
            f"The Euler parameters of '{feature.body}' are not a point or direction. Normalisation applies only to "
            "Cartesian coordinates. Leave it out."
        )
    given = feature.at if isinstance(feature, Point) else feature.along
    moves = callable(given) or isinstance(given, Course)
    if moves and t is None:
        raise InputError(
            f"A {type(feature).__name__.lower()} on '{feature.body or 'the world'}' moves with time. Give "
            "the time, t=… [s]."
        )
    place, first, second = course(given, t) if moves else (np.asarray(given), None, None)
    if np.shape(place) != (3,):
        raise ShapeError(
            f"A {type(feature).__name__.lower()} on '{feature.body or 'the world'}' has shape "
            f"{np.shape(place)}; give three numbers."
        )
    return place, first, second
