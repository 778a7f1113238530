"""Coefficients α, β, γ, δ, ζ of the exponential map, and their derivative factors.

Equations K.2, K.7, K.17 and K.36 to K.39 of `docs/equations/rotations.md`, in the accurate forms of its section 14.
Their error is at most 5 ulp from θ = 0 to 2π - 1e-3, where the forms printed in the paper lose up to all digits.

Each function takes the angle, `alpha(theta)`, or its square, `alpha(square=t2)`. A rotation vector gives the square
directly (‖r‖²), and the derivative with respect to it is also correct at 0. With s = <r, ṙ> = ½ d(θ²)/dt the factors of
Kim et al. are d_x = ẋ/s:

    d x / d(θ²) = d_x / 2,        d x / dθ = θ d_x                                                                   (1)

The derivative sweeps use (1) instead of differentiating the branches below. With h = θ/2,

    E(x) = (sin x - x cos x) / x³                                                                                    (2)
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, absolute, cos, fma, less, maximum, polynomial, records, sin, sqrt, where
from anthropi.errors import InputError
from anthropi.tape import derivative_rule

__all__ = [
    "alpha", "beta", "d_alpha", "d_beta", "d_delta", "d_gamma", "d_zeta", "delta", "gamma", "zeta",
]  # fmt: skip

Formula = Callable[..., Any]

# [rad] Smaller angles are replaced by this one before a division by the angle. At this angle every function here equals
# its limit to the last bit, in float32 too, and powers up to the third stay normal float32 numbers.
MIN_ANGLE = 1e-10
MIN_ANGLE_SQUARE = MIN_ANGLE**2

# The first zero ρ of E, tan ρ = ρ, in three parts: the first is a float32, so that θ - ρ is exact in both precisions.
RHO_PARTS = (4.493409633636475, -1.7572741043406712e-07, -2.212131007908804e-24)


def _series_at_rho(terms: int) -> list[float]:
    """Compute Taylor coefficients of E(ρ + k) / k, from E(ρ) = 0, E'(ρ) = cos(ρ) / ρ and x E'' + 4 E' + x E = 0."""
    rho = sum(RHO_PARTS)
    e = [0.0, -1.0 / (rho * math.sqrt(1.0 + rho * rho))]
    for n in range(terms - 1):
        before = e[n - 1] if n else 0.0
        e.append(-((n + 1) * (n + 4) * e[n + 1] + rho * e[n] + before) / (rho * (n + 2) * (n + 1)))
    return e[1:]


RHO_SERIES = _series_at_rho(13)

# Taylor coefficients in θ² (E, γ, d_γ) and of N(θ)/θ⁶ (d_ζ); docs/equations/rotations.md, section 14, gives
# the number of terms
E_SERIES = [(-1) ** k * 2 * (k + 1) / math.factorial(2 * k + 3) for k in range(10)]
GAMMA_SERIES = [(-1) ** k / math.factorial(2 * k + 3) for k in range(11)]
D_GAMMA_SERIES = [(-1) ** (k + 1) * 2 * (k + 1) / math.factorial(2 * k + 5) for k in range(15)]
N_SERIES = [(-1) ** k * (k + 1) / (2 * math.factorial(2 * k + 6)) for k in range(16)]


def _ruled(formula: Formula, push: Formula, pull: Formula) -> Formula:
    """Attach a derivative rule to a formula, element by element, so that unused elements do not matter."""
    one = derivative_rule(push=push, pull=pull)(formula)
    each = np.frompyfunc(one, formula.__code__.co_argcount, 1)

    @functools.wraps(formula)
    def wrapper(*args):
        return each(*args) if records(*args) else formula(*args)

    return wrapper


def with_slope(slope: Formula) -> Callable[[Formula], Formula]:
    """Attach the derivative dx/d(θ²) = slope(θ, θ²) to a formula x(θ, θ²); θ varies with θ²."""

    def push(inputs, output, tangents):
        return slope(*inputs) * tangents[1]

    def pull(inputs, output, cotangent):
        return 0.0, cotangent * slope(*inputs)

    return lambda formula: _ruled(formula, push, pull)


def safe_angle(square: Array) -> Array:
    """Compute θ from θ², not below `MIN_ANGLE`."""
    return sqrt(maximum(square, MIN_ANGLE_SQUARE))


def _one_of(theta: Array, square: Array, name: str) -> None:
    """Raise an error unless either the angle or its square is given."""
    if (theta is None) == (square is None):
        given = "neither" if theta is None else "both"
        raise InputError(f"{name} needs the angle, {name}(theta), or its square, {name}(square=t2); got {given}.")


def _at_angle(formula: Formula) -> Formula:
    """Make a function of the angle alone from a formula of θ and θ²."""

    def by_angle(theta):
        theta = absolute(theta)
        return formula(maximum(theta, MIN_ANGLE), theta * theta)

    return by_angle


def _factor(formula: Formula) -> Any:
    """Make a function of the angle or of its square from a formula of both."""

    @functools.wraps(formula)
    def function(theta=None, square=None):
        _one_of(theta, square, formula.__name__)
        return formula(safe_angle(square), square) if theta is None else _at_angle(formula)(theta)

    function.formula = formula  # type: ignore[attr-defined]
    return function


def _coefficient(factor: Any) -> Callable[[Formula], Formula]:
    """Return a decorator that turns a formula x(θ, θ²) into a function of θ or of θ², with the derivatives (1).

    factor : the function d_x.
    """

    def decorate(formula):
        ruled = with_slope(lambda theta, square: 0.5 * factor.formula(theta, square))(formula)
        by_angle = _ruled(
            _at_angle(formula),
            lambda x, y, d: x[0] * factor(x[0]) * d[0],
            lambda x, y, c: (c * x[0] * factor(x[0]),),
        )

        @functools.wraps(formula)
        def function(theta=None, square=None):
            _one_of(theta, square, formula.__name__)
            return ruled(safe_angle(square), square) if theta is None else by_angle(theta)

        return function

    return decorate


def _lobe(x: Array, x2: Array) -> Array:
    """Compute E(x) by (2), for x at least `MIN_ANGLE` and x2 its square."""
    series = polynomial(x2, E_SERIES)
    closed = fma(-x, cos(x), sin(x)) / (x * maximum(x2, 2.56))
    return where(less(x2, 2.56), series, closed)  # seam at x = 1.6


def half_lobe(theta: Array, square: Array) -> Array:
    """Compute E(h) by (2), h = θ/2."""
    return _lobe(0.5 * theta, 0.25 * square)


@with_slope(lambda theta, square: -0.125 * half_lobe(theta, square))
def _half_sinc(theta: Array, square: Array) -> Array:
    """Compute sin(h) / h."""
    h = 0.5 * theta
    return sin(h) / h


def _half_sine_square(theta: Array) -> Array:
    """Compute sin² h by the form that loses fewer digits."""
    cosine, sn = cos(theta), sin(0.5 * theta)
    return where(less(cosine, 0.5), 0.5 - 0.5 * cosine, sn * sn)


def _spread_slope(theta: Array, square: Array) -> Array:
    """Compute d(θ² / sin² h) / d(θ²)."""
    sh = _half_sinc(theta, square)
    return half_lobe(theta, square) / (sh * sh * sh)


@with_slope(_spread_slope)
def _spread(theta: Array, square: Array) -> Array:
    """Compute θ² / sin² h; 4 at 0."""
    return maximum(square, MIN_ANGLE_SQUARE) / _half_sine_square(theta)


# derivative factors


@_factor
def d_alpha(theta: Array, square: Array) -> Array:
    """Compute α̇ / <r, ṙ> = -E(θ) = γ - β (K.36); accurate also around its zero θ = 4.4934."""
    first, second, third = RHO_PARTS
    k = ((theta - first) - second) - third
    around = k * polynomial(k, RHO_SERIES)
    return -where(less(absolute(theta - 4.5), 0.4), around, _lobe(theta, square))


@_factor
def d_beta(theta: Array, square: Array) -> Array:
    """Compute β̇ / <r, ṙ> = -(sin h / h) E(h) / 4 = (α - 2β) / θ² (K.37)."""
    return -0.25 * _half_sinc(theta, square) * half_lobe(theta, square)


@_factor
def d_gamma(theta: Array, square: Array) -> Array:
    """Compute γ̇ / <r, ṙ> = (3 sin θ - θ (2 + cos θ)) / θ⁵ = (β - 3γ) / θ² (K.38)."""
    big = maximum(square, 19.36)
    closed = (3.0 * (sin(theta) / theta) - (2.0 + cos(theta))) / (big * big)
    return where(less(square, 19.36), polynomial(square, D_GAMMA_SERIES), closed)  # seam at θ = 4.4


@_factor
def d_delta(theta: Array, square: Array) -> Array:
    """Compute δ̇ / <r, ṙ> = -γ / (2β) = (α - 1) / (2β θ²) (K.39d)."""
    sn = sin(0.5 * theta)
    sh = _half_sinc(theta, square)
    closed = (sin(theta) - theta) / (4.0 * theta * (sn * sn))
    return where(less(square, 4.0), -polynomial(square, GAMMA_SERIES) / (sh * sh), closed)  # seam at θ = 2


@_factor
def d_zeta(theta: Array, square: Array) -> Array:
    """Compute ζ̇ / <r, ṙ> = N(θ) / (θ⁴ sin² h), N(θ) = θ sin θ / 4 + θ² / 4 - 1 + cos θ (K.39z)."""
    series = _spread(theta, square) * polynomial(square, N_SERIES)
    near, big = less(square, 17.64), maximum(square, 17.64)
    sn2 = where(near, 1.0, _half_sine_square(theta))
    closed = ((1.0 + sin(theta) / theta) / (4.0 * sn2) - 2.0 / big) / big
    return where(near, series, closed)  # seam at θ = 4.2


# coefficients


@_coefficient(d_alpha)
def alpha(theta: Array, square: Array) -> Array:
    """Compute α = sin θ / θ (K.2); 1 at 0."""
    return sin(theta) / theta


@_coefficient(d_beta)
def beta(theta: Array, square: Array) -> Array:
    """Compute β = (1 - cos θ) / θ² = (sin h / h)² / 2 (K.2); ½ at 0."""
    sh = _half_sinc(theta, square)
    return 0.5 * (sh * sh)


@_coefficient(d_gamma)
def gamma(theta: Array, square: Array) -> Array:
    """Compute γ = (θ - sin θ) / θ³ (K.7); 1/6 at 0."""
    closed = (theta - sin(theta)) / (theta * maximum(square, 4.0))
    return where(less(square, 4.0), polynomial(square, GAMMA_SERIES), closed)  # seam at θ = 2


@_coefficient(d_delta)
def delta(theta: Array, square: Array) -> Array:
    """Compute δ = α / (2β) = h cot h (K.17); 1 at 0, infinite at 2π."""
    return cos(0.5 * theta) / _half_sinc(theta, square)


@_coefficient(d_zeta)
def zeta(theta: Array, square: Array) -> Array:
    """Compute ζ = (1 - δ) / θ² = E(h) / (4 sin h / h) (K.17); 1/12 at 0, infinite at 2π."""
    return half_lobe(theta, square) / (4.0 * _half_sinc(theta, square))


# functions of the half angle, for quaternions


@with_slope(lambda theta, square: -0.0625 * half_lobe(theta, square))
def half_sine(theta: Array, square: Array) -> Array:
    """Compute sin(θ/2) / θ for θ from `safe_angle`; ½ at 0."""
    return sin(0.5 * theta) / theta


@with_slope(lambda theta, square: -0.25 * half_sine(theta, square))
def half_cosine(theta: Array, square: Array) -> Array:
    """Compute cos(θ/2) for θ from `safe_angle`."""
    return cos(0.5 * theta)
