"""How much must a contact dissipate to send a blow back at e times its speed?

Of a Hunt–Crossley contact k xᵖ (1 + d x') and a body of mass m that comes in at the speed v, pulled by a [m/s²]:

    W(x') + k/m xᵖ⁺¹/(p+1) = W(v) + a ∫ dx/(1 + d x'),   W(x') = ∫ x' dx'/(1 + d x')                        (1)

over the blow, at whose ends x = 0. In units of v, and of the length X = (m v²/k)^(1/(p+1)), with c = d v, γ = a X/v²:

    G(c) + γ Q(c) = 0,   G = W(1) - W(-e),   W(y) = (c y - log(1 + c y)) / c²                                (2)
    Q = -c ∫ ξ(y) / (1 + c y)² dy  over -e … 1,   ξ(y) = ((p+1) (W(1) - W(y)))^(1/(p+1))                     (3)

(3) is the integral of (1) by parts along the blow without pull. Without pull c is c₀ of G = 0, whatever k, p and m are:
1.5 (1 - e) for e near 1 and 1/e for e near 0. To first order in γ, and above 0 for all of it,

    c = c₀ / (1 + c₁ γ),   c₁ = Q / (G' c₀)  at c₀                                                           (4)
"""

import math
from functools import cache
from math import cos, pi
from typing import NamedTuple

from anthropi.algebra.scalar import exp, less, records, where

__all__ = ["Bounce", "bounce", "dissipation_of"]

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
