"""The coefficients of the exponential map, α β γ δ ζ, and the factors of their derivatives.

Source: K(2), K(7), K(17), K(36)-(39) in the accurate scheme of rotations.md section 14: at most 5 ulp for every
function from θ = 0 to 2π - 1e-3, where the paper's printed forms lose up to all digits.

Each function takes the angle, `alpha(theta)`, or its square, `alpha(square=t2)`. The square is what a rotation vector
has at hand (‖r‖²), and the derivative by it is right at 0 too. With s = <r, ṙ> = ½ d(θ²)/dt K's factors are d_x = ẋ/s:

    d x / d(θ²) = d_x / 2,        d x / dθ = θ d_x                                                                   (1)

The sweeps use (1), not the derivative of the branches below. h = θ/2 and

    E(x) = (sin x - x cos x) / x³                                                                                    (2)
"""

import functools
import math

import numpy as np

from anthropi.algebra.scalar import absolute, cos, fma, less, maximum, polynomial, records, sin, sqrt, where
from anthropi.tape import derivative_rule

__all__ = [
    "alpha", "beta", "d_alpha", "d_beta", "d_delta", "d_gamma", "d_zeta", "delta", "gamma", "zeta",
]  # fmt: skip

# Angles below 1e-10 are taken for 1e-10 where something divides by them: every function here equals its limit there to
# the last bit, in float32 too, and powers up to the third stay normal float32 numbers.
TINY = 1e-10
TINY_SQUARE = TINY**2

# The first zero ρ of E, tan ρ = ρ, in three parts: the first is a float32, so that θ - ρ is exact in both precisions.
RHO_PARTS = (4.493409633636475, -1.7572741043406712e-07, -2.212131007908804e-24)


def _series_at_rho(terms: int) -> list[float]:
    """Taylor coefficients of E(ρ + k) / k, from E(ρ) = 0, E'(ρ) = cos(ρ) / ρ and x E'' + 4 E' + x E = 0."""
    rho = sum(RHO_PARTS)
    e = [0.0, -1.0 / (rho * math.sqrt(1.0 + rho * rho))]
    for n in range(terms - 1):
        before = e[n - 1] if n else 0.0
        e.append(-((n + 1) * (n + 4) * e[n + 1] + rho * e[n] + before) / (rho * (n + 2) * (n + 1)))
    return e[1:]


RHO_SERIES = _series_at_rho(13)

# Taylor coefficients in θ² (E, γ, d_γ) and of N(θ)/θ⁶ (d_ζ); how many: section 14
E_SERIES = [(-1) ** k * 2 * (k + 1) / math.factorial(2 * k + 3) for k in range(10)]
GAMMA_SERIES = [(-1) ** k / math.factorial(2 * k + 3) for k in range(11)]
D_GAMMA_SERIES = [(-1) ** (k + 1) * 2 * (k + 1) / math.factorial(2 * k + 5) for k in range(15)]
N_SERIES = [(-1) ** k * (k + 1) / (2 * math.factorial(2 * k + 6)) for k in range(16)]


def _ruled(formula, push, pull):
    """Give a formula of numbers a derivative rule, one an element: what is unused of an array takes no rule with it."""
    one = derivative_rule(push=push, pull=pull)(formula)
    each = np.frompyfunc(one, formula.__code__.co_argcount, 1)

    @functools.wraps(formula)
    def wrapper(*args):
        return each(*args) if records(*args) else formula(*args)

    return wrapper


def with_slope(slope):
    """Give a formula x(θ, θ²) its derivative dx/d(θ²) = slope(θ, θ²); θ moves with θ²."""

    def push(inputs, output, tangents):
        return slope(*inputs) * tangents[1]

    def pull(inputs, output, cotangent):
        return 0.0, cotangent * slope(*inputs)

    return lambda formula: _ruled(formula, push, pull)


def safe_angle(square):
    """What is θ, given θ²? Never below 1e-10."""
    return sqrt(maximum(square, TINY_SQUARE))


def _at_angle(formula):
    def by_angle(theta):
        theta = absolute(theta)
        return formula(maximum(theta, TINY), theta * theta)

    return by_angle


def _factor(formula):
    """Make a function of the angle or of its square from a formula of both."""

    @functools.wraps(formula)
    def function(theta=None, square=None):
        return formula(safe_angle(square), square) if theta is None else _at_angle(formula)(theta)

    function.formula = formula  # type: ignore[attr-defined]
    return function


def _coefficient(factor):
    """Make a function of the angle or of its square from a formula of both, and give it the derivatives (1)."""

    def decorate(formula):
        ruled = with_slope(lambda theta, square: 0.5 * factor.formula(theta, square))(formula)
        by_angle = _ruled(
            _at_angle(formula),
            lambda x, y, d: x[0] * factor(x[0]) * d[0],
            lambda x, y, c: (c * x[0] * factor(x[0]),),
        )

        @functools.wraps(formula)
        def function(theta=None, square=None):
            return ruled(safe_angle(square), square) if theta is None else by_angle(theta)

        return function

    return decorate


def _lobe(x, x2):
    """E(x), (2); x at least 1e-10, x2 its square."""
    series = polynomial(x2, E_SERIES)
    closed = fma(-x, cos(x), sin(x)) / (x * maximum(x2, 2.56))
    return where(less(x2, 2.56), series, closed)  # seam at x = 1.6


def half_lobe(theta, square):
    """E(h)."""
    return _lobe(0.5 * theta, 0.25 * square)


@with_slope(lambda theta, square: -0.125 * half_lobe(theta, square))
def _half_sinc(theta, square):
    """sin(h) / h."""
    h = 0.5 * theta
    return sin(h) / h


def _half_sine_square(theta):
    """sin² h, by the form that loses less."""
    cosine, sn = cos(theta), sin(0.5 * theta)
    return where(less(cosine, 0.5), 0.5 - 0.5 * cosine, sn * sn)


def _spread_slope(theta, square):
    sh = _half_sinc(theta, square)
    return half_lobe(theta, square) / (sh * sh * sh)


@with_slope(_spread_slope)
def _spread(theta, square):
    """θ² / sin² h; 4 at 0."""
    return maximum(square, TINY_SQUARE) / _half_sine_square(theta)


# the factors


@_factor
def d_alpha(theta, square):
    """What is α̇ / <r, ṙ>? K(36), -E(θ) = γ - β; exact also around its zero θ = 4.4934."""
    first, second, third = RHO_PARTS
    k = ((theta - first) - second) - third
    around = k * polynomial(k, RHO_SERIES)
    return -where(less(absolute(theta - 4.5), 0.4), around, _lobe(theta, square))


@_factor
def d_beta(theta, square):
    """What is β̇ / <r, ṙ>? K(37), -(sin h / h) E(h) / 4 = (α - 2β) / θ²."""
    return -0.25 * _half_sinc(theta, square) * half_lobe(theta, square)


@_factor
def d_gamma(theta, square):
    """What is γ̇ / <r, ṙ>? K(38), (3 sin θ - θ (2 + cos θ)) / θ⁵ = (β - 3γ) / θ²."""
    big = maximum(square, 19.36)
    closed = (3.0 * (sin(theta) / theta) - (2.0 + cos(theta))) / (big * big)
    return where(less(square, 19.36), polynomial(square, D_GAMMA_SERIES), closed)  # seam at θ = 4.4


@_factor
def d_delta(theta, square):
    """What is δ̇ / <r, ṙ>? After K(39), -γ / (2β) = (α - 1) / (2β θ²)."""
    sn = sin(0.5 * theta)
    sh = _half_sinc(theta, square)
    closed = (sin(theta) - theta) / (4.0 * theta * (sn * sn))
    return where(less(square, 4.0), -polynomial(square, GAMMA_SERIES) / (sh * sh), closed)  # seam at θ = 2


@_factor
def d_zeta(theta, square):
    """What is ζ̇ / <r, ṙ>? After K(39), N(θ) / (θ⁴ sin² h) with N(θ) = θ sin θ / 4 + θ² / 4 - 1 + cos θ."""
    series = _spread(theta, square) * polynomial(square, N_SERIES)
    near, big = less(square, 17.64), maximum(square, 17.64)
    sn2 = where(near, 1.0, _half_sine_square(theta))
    closed = ((1.0 + sin(theta) / theta) / (4.0 * sn2) - 2.0 / big) / big
    return where(near, series, closed)  # seam at θ = 4.2


# the coefficients


@_coefficient(d_alpha)
def alpha(theta, square):
    """What is α = sin θ / θ? K(2); 1 at 0."""
    return sin(theta) / theta


@_coefficient(d_beta)
def beta(theta, square):
    """What is β = (1 - cos θ) / θ²? K(2), (sin h / h)² / 2; ½ at 0."""
    sh = _half_sinc(theta, square)
    return 0.5 * (sh * sh)


@_coefficient(d_gamma)
def gamma(theta, square):
    """What is γ = (θ - sin θ) / θ³? K(7); 1/6 at 0."""
    closed = (theta - sin(theta)) / (theta * maximum(square, 4.0))
    return where(less(square, 4.0), polynomial(square, GAMMA_SERIES), closed)  # seam at θ = 2


@_coefficient(d_delta)
def delta(theta, square):
    """What is δ = α / (2β)? K(17), h cot h; 1 at 0, infinite at 2π."""
    return cos(0.5 * theta) / _half_sinc(theta, square)


@_coefficient(d_zeta)
def zeta(theta, square):
    """What is ζ = (1 - δ) / θ²? K(17), E(h) / (4 sin h / h); 1/12 at 0, infinite at 2π."""
    return half_lobe(theta, square) / (4.0 * _half_sinc(theta, square))


# the half angle: the two functions a quaternion needs


@with_slope(lambda theta, square: -0.0625 * half_lobe(theta, square))
def half_sine(theta, square):
    """What is sin(θ/2) / θ? ½ at 0. θ from `safe_angle`."""
    return sin(0.5 * theta) / theta


@with_slope(lambda theta, square: -0.25 * half_sine(theta, square))
def half_cosine(theta, square):
    """What is cos(θ/2)? θ from `safe_angle`."""
    return cos(0.5 * theta)
