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


def of_square(slope):
    """Give a function x(θ², …) of one number its derivative dx/d(θ²) = slope(θ²)."""

    def decorate(function):
        one = derivative_rule(
            push=lambda x, y, d: slope(x[0]) * d[0],
            pull=lambda x, y, c: (c * slope(x[0]),),
        )(function)
        each = np.frompyfunc(one, 1, 1)  # a rule an element: what is unused of an array takes no rule with it

        @functools.wraps(function)
        def wrapper(square):
            return each(square) if records(square) else function(square)

        return wrapper

    return decorate


def safe_angle(square):
    """What is θ, given θ²? Never below 1e-10."""
    return sqrt(maximum(square, TINY_SQUARE))


def _factor(formula):
    """Make a function of the angle or of its square from a formula of both."""

    @functools.wraps(formula)
    def function(theta=None, square=None):
        if theta is None:
            return formula(safe_angle(square), square)
        theta = absolute(theta)
        return formula(maximum(theta, TINY), theta * theta)

    return function


def _coefficient(factor):
    """Make a function of the angle or of its square from a formula of both, and give it the derivative (1)."""

    def decorate(formula):
        @of_square(lambda t2: 0.5 * factor(square=t2))  # (1)
        def by_square(square):
            return formula(safe_angle(square), square)

        @of_square(lambda theta: theta * factor(theta))  # (1), θ in place of the square
        def by_angle(theta):
            theta = absolute(theta)
            return formula(maximum(theta, TINY), theta * theta)

        @functools.wraps(formula)
        def function(theta=None, square=None):
            return by_square(square) if theta is None else by_angle(theta)

        return function

    return decorate


def _lobe(x, x2):
    """E(x), (2); x at least 1e-10, x2 its square."""
    series = polynomial(x2, E_SERIES)
    closed = fma(-x, cos(x), sin(x)) / (x * maximum(x2, 2.56))
    return where(less(x2, 2.56), series, closed)  # seam at x = 1.6


def _half_lobe(theta, square):
    """E(h)."""
    return _lobe(0.5 * theta, 0.25 * square)


def _half_sinc(theta):
    """sin(h) / h."""
    h = 0.5 * theta
    return sin(h) / h


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
    return -0.25 * _half_sinc(theta) * _half_lobe(theta, square)


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
    sh = _half_sinc(theta)
    closed = (sin(theta) - theta) / (4.0 * theta * (sn * sn))
    return where(less(square, 4.0), -polynomial(square, GAMMA_SERIES) / (sh * sh), closed)  # seam at θ = 2


@_factor
def d_zeta(theta, square):
    """What is ζ̇ / <r, ṙ>? After K(39), N(θ) / (θ⁴ sin² h) with N(θ) = θ sin θ / 4 + θ² / 4 - 1 + cos θ."""
    cosine, sn = cos(theta), sin(0.5 * theta)
    sn2 = where(less(cosine, 0.5), 0.5 - 0.5 * cosine, sn * sn)  # sin² h, whichever form loses less
    series = maximum(square, TINY_SQUARE) * polynomial(square, N_SERIES) / sn2
    big = maximum(square, 17.64)
    closed = ((1.0 + sin(theta) / theta) / (4.0 * sn2) - 2.0 / big) / big
    return where(less(square, 17.64), series, closed)  # seam at θ = 4.2


# the coefficients


@_coefficient(d_alpha)
def alpha(theta, square):
    """What is α = sin θ / θ? K(2); 1 at 0."""
    return sin(theta) / theta


@_coefficient(d_beta)
def beta(theta, square):
    """What is β = (1 - cos θ) / θ²? K(2), (sin h / h)² / 2; ½ at 0."""
    sh = _half_sinc(theta)
    return 0.5 * (sh * sh)


@_coefficient(d_gamma)
def gamma(theta, square):
    """What is γ = (θ - sin θ) / θ³? K(7); 1/6 at 0."""
    closed = (theta - sin(theta)) / (theta * maximum(square, 4.0))
    return where(less(square, 4.0), polynomial(square, GAMMA_SERIES), closed)  # seam at θ = 2


@_coefficient(d_delta)
def delta(theta, square):
    """What is δ = α / (2β)? K(17), h cot h; 1 at 0, infinite at 2π."""
    return cos(0.5 * theta) / _half_sinc(theta)


@_coefficient(d_zeta)
def zeta(theta, square):
    """What is ζ = (1 - δ) / θ²? K(17), E(h) / (4 sin h / h); 1/12 at 0, infinite at 2π."""
    return _half_lobe(theta, square) / (4.0 * _half_sinc(theta))


# the half angle: the two functions a quaternion needs


def _half_lobe_of(square):
    return _half_lobe(safe_angle(square), square)


@of_square(lambda t2: -0.0625 * _half_lobe_of(t2))
def half_sine(square):
    """What is sin(θ/2) / θ, given θ²? ½ at 0."""
    theta = safe_angle(square)
    return sin(0.5 * theta) / theta


@of_square(lambda t2: -0.25 * half_sine(t2))
def half_cosine(square):
    """What is cos(θ/2), given θ²?"""
    return cos(0.5 * safe_angle(square))
