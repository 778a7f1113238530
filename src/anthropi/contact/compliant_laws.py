"""How much must a contact dissipate to send a blow back at e times its speed?

Of a Hunt–Crossley contact k xᵖ (1 + d x') and a body of mass m that comes in at the speed v, pulled by a [m/s²]:

    W(x') + k/m xᵖ⁺¹/(p+1) = W(v) + a ∫ dx/(1 + d x'),   W(x') = ∫ x' dx'/(1 + d x')                        (1)

over the blow, at whose ends x = 0. In units of v, and of the length X = (m v²/k)^(1/(p+1)), with c = d v, γ = a X/v²:

    G(c) + γ Q(c) = 0,   G = W(1) - W(-e),   W(y) = (c y - log(1 + c y)) / c²                                (2)
    Q = -c ∫ ξ(y) / (1 + c y)² dy  over -e … 1,   ξ(y) = ((p+1) (W(1) - W(y)))^(1/(p+1))                     (3)

(3) is the integral of (1) by parts along the blow without pull. Without pull c is c₀ of G = 0, whatever k, p and m are:
1.5 (1 - e) for e near 1 and 1/e for e near 0. To first order in γ, and above 0 for all of it,

    c = c₀ / (1 + c₁ γ),   c₁ = Q / (G' c₀)  at c₀                                                           (4)

Laws
----
How hard does a soft contact push along its normal, and across it? Hunt–Crossley and Coulomb, over a whole step h.

With the penetration x, its rate x' = -v_n, material k, p, d, μ, and the stretch z (2,) of bristles along the tangents:

    N = k xᵖ (1 + d x')   where x > 0 and 1 + d x' > 0, else 0                 (5)  spec gait 3.4
    T = -k_t s (z + r v_t),   s = min(1, μ N / (k_t |z + r v_t|))              (6)

s < 1 is sliding: the bristles give way, z ← s z, and T lies on the cone. Over a step the force is N - B (v⁺ - v):

    calm      N at x + h x',   h B_n = h² ∂N/∂x + h d k xᵖ                     (7)  every step loses energy
    bouncing  N as the mean over x ± h x'/2 (Gauss, two points),
              h B_n = h² b ∂N/∂x + h d k xᵖ                                    (8)  the spring keeps its energy
    bristles  z ← z + h v,  T = -k_t s (z + (h + r) v_t),
              h B_t = max(½ H, H - bears),   H = h (h + r) k_t s                (9)
    links     explicit, ∂N/∂x, d k xᵖ and k_t held below `LIMITS` m/h², m/h    (10)  m: a share of their masses

With (8) the map of a linear spring has determinant 1; it is stable for any h where b is 1/4, and most exact where b is
1/12. So b is 1/12, and what a body as light as an eighth of its link needs beyond. d of a bounce is c(e) over the speed
of the blow (compliant_laws.py), which is remembered from first touch to last.

B_t of (9) is the secant of (6): friction then never turns a motion back, but on a body that slides slower and slower it
is too small by h v'/v. Half of it, friction at the middle of the step, is right; so h B_t is half, or more where the
half left out exceeds `bears`, a small share of the link's mass: only beyond it could friction turn back.

A damper that would stop the link within the step does not push with D x', D = d k xᵖ, to its end. Friction, and what is
told of the force, count what it does to m, a share of the link's mass:

    N_μ = min(N, k xᵖ + max(x', 0) D m / (m + h D))                            (11)
"""

import math
from functools import cache
from math import cos, pi
from typing import Any, NamedTuple

from anthropi.algebra.scalar import equal, exp, is_constant_zero, less, log, maximum, minimum, records, sqrt, where

__all__ = [
    "LIMITS",
    "Bounce",
    "FrictionForce",
    "NormalForce",
    "bounce",
    "bouncing",
    "damped",
    "dissipation_of",
    "friction",
    "limited",
    "potential",
    "power",
]


POINTS = 400


class Bounce(NamedTuple):
    """c₀ and c₁ of (4)."""

    c0: float
    c1: float


def bounce(restitution, exponent: float = 1.5) -> Bounce:
    """c₀ and c₁ for a restitution 0 < e ≤ 1; c₁ is 0 where e is traced."""
    if records(restitution):
        return Bounce(dissipation_of(restitution), 0.0)
    return _bounce(float(restitution), float(exponent))


def dissipation_of(e):
    """c₀ (2): halving of s = e c in (0, 1), where (1 + c) exp(-(1 + e) c) - (1 - s) changes sign once."""
    low, high = 0.0 * e, 0.0 * e + 1.0
    for _ in range(24 if records(e) else 60):
        s = 0.5 * (low + high)
        c = s / e
        over = less(0.0, (1.0 + c) * exp(-(1.0 + e) * c) - (1.0 - s))
        low, high = where(over, low, s), where(over, s, high)
    return 0.5 * (low + high) / e


@cache
def _bounce(e: float, p: float) -> Bounce:
    c0 = float(dissipation_of(e))
    if not 1e-6 < c0 < 1e3:
        return Bounce(c0 if e < 1.0 else 0.0, 0.0)
    step = 1e-5 * c0
    slope = (_lost(c0 + step, e) - _lost(c0 - step, e)) / (2.0 * step)
    return Bounce(c0, _pulled(c0, e, p) / (slope * c0))  # (4)


def _work(c: float, y: float) -> float:
    """W(y) (2)"""
    return (c * y - math.log(1.0 + c * y)) / (c * c)


def _lost(c: float, e: float) -> float:
    """G(c) (2)"""
    return _work(c, 1.0) - _work(c, -e)


def _pulled(c: float, e: float, p: float) -> float:
    """Q(c) (3), by the midpoint rule in the angle of y = middle + half cos: ends count little."""
    half, middle, total = 0.5 * (1.0 + e), 0.5 * (1.0 - e), 0.0
    for k in range(POINTS):
        angle = (k + 0.5) * pi / POINTS
        y = middle + half * cos(angle)
        left = max(_work(c, 1.0) - _work(c, y), 0.0)
        xi = ((p + 1.0) * left) ** (1.0 / (p + 1.0))
        total += xi / (1.0 + c * y) ** 2 * (1.0 - cos(angle) ** 2) ** 0.5
    return -c * total * half * pi / POINTS


SMALL = 1e-9  # [m] bristles stretched by less have no direction
SLOWEST = 0.01  # [m/s] blows that are slower count as this fast
LIMITS = (0.05, 0.05, 0.02)  # stiffness, damping, friction of one of many points between two links: (10)
GAUSS = 0.5 * 3.0**-0.5


class NormalForce(NamedTuple):
    """N [N], h B_n [kg], N_μ [N] under friction (11), and the speed of the blow [m/s], None where none is
    remembered.
    """

    n: Any
    h_b: Any
    pressed: Any
    blow: Any = None


class FrictionForce(NamedTuple):
    """T along the tangents [N], h B_t [kg], stretch after."""

    t: tuple
    h_b: Any
    z: tuple


def damped(gap, v_n, k, p: float, d, h, mass) -> NormalForce:
    """(5), (7), (11) of a contact that swallows blows. h 0: explicit."""
    y, g = -(gap + h * v_n), 1.0 - d * v_n
    active = less(0.0, y) & less(0.0, g)
    x, k = where(active, y, 1.0), where(active, k, 0.0)
    slope = k * power(x, p - 1.0)  # ∂N/∂x over p g
    elastic = slope * x
    n, damper = elastic * g, (h * d) * elastic
    pressed = n
    if not is_constant_zero(h):
        pressed = minimum(n, elastic - minimum(v_n, 0.0) * (damper * (mass / h) / (mass + damper)))  # (11)
    return NormalForce(n, (p * h * h) * (slope * g) + damper, pressed)


def bouncing(gap, v_n, k, p: float, d, h, mass, blow=None, c=None) -> NormalForce:
    """(5), (8). d is given, or c of a blow that is remembered."""
    reach = GAUSS * h * v_n
    ends = (-gap - reach, -gap + reach)
    touching = less(0.0, maximum(*ends))
    if c is not None:
        d, blow = remembered(touching, v_n, p, blow, c)
    g = 1.0 - d * v_n
    active = touching & less(0.0, g)
    slope = elastic = 0.0
    for y in ends:
        inside = active & less(0.0, y)
        x, half = where(inside, y, 1.0), where(inside, 0.5 * k, 0.0)
        own = half * power(x, p - 1.0)
        slope, elastic = slope + own, elastic + own * x
    stiff = (p * h * h) * (slope * g)
    lift = stiff * (1.0 / 12.0)
    if mass is not None:
        lift = maximum(lift, 0.25 * stiff - 0.125 * mass)
    n = elastic * g
    return NormalForce(n, lift + (h * d) * elastic, n, blow)


def remembered(touching, v_n, p: float, blow, c):
    """d of a blow, and the blow: c = (c₀, c₁ γ v^(2p/(p+1))) of compliant_laws.py (8)."""
    held = where(equal(blow, 0.0), maximum(-v_n, SLOWEST), blow)
    slower = held if is_constant_zero(c[1]) else held + c[1] * power(held, (1.0 - p) / (1.0 + p))
    return c[0] / slower, where(touching, held, 0.0)


def limited(gap, v_n, k, p: float, d, h, mass, blow=None, c=None) -> NormalForce:
    """(5), (10): explicit, for two links that touch."""
    active = less(gap, 0.0)
    if c is not None:
        d, blow = remembered(active, v_n, p, blow, c)
    x, k = where(active, -gap, 1.0), where(active, k, 0.0)
    elastic = k * power(x, p - 1.0) * x
    n = minimum(elastic, LIMITS[0] * mass / (h * h) * x) - minimum(d * elastic, LIMITS[1] * mass / h) * v_n
    n = where(active, maximum(n, 0.0), 0.0)
    return NormalForce(n, 0.0, n, blow)


def friction(n, speed, z, mu, k_t, h, r, bears=0.0) -> FrictionForce:
    """(6), (9) under the normal force n, for speeds (2,) along the tangents; bears [kg]."""
    z = tuple(a + h * v for a, v in zip(z, speed, strict=True))
    reach = h + r
    y = tuple(a + reach * v for a, v in zip(z, speed, strict=True))
    length = sqrt(y[0] * y[0] + y[1] * y[1] + SMALL * SMALL)
    s = minimum(1.0, (mu / k_t) * n / length)  # (6)
    grip = k_t * s
    whole = (h * reach) * grip
    return FrictionForce((-grip * y[0], -grip * y[1]), maximum(0.5 * whole, whole - bears), (s * z[0], s * z[1]))


def potential(gap, k, p: float, stiffest=None):
    """∫ k xᵖ dx [J]; where k xᵖ is above `stiffest` x, of that."""
    x = maximum(-gap, 0.0)
    soft = x if stiffest is None or p == 1.0 else minimum(x, power(stiffest / k, 1.0 / (p - 1.0)))
    total = k / (p + 1.0) * (soft * soft * power(maximum(soft, 1e-30), p - 1.0))
    return total if soft is x else total + 0.5 * stiffest * (x * x - soft * soft)


def power(x, p: float):
    """xᵖ for x > 0."""
    if p == 0.0:
        return 1.0
    if p == 0.5:
        return sqrt(x)
    if p == 1.0:
        return x
    return exp(p * log(x))
