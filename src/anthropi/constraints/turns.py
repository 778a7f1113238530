"""The rotation angle of one direction about an axis, with its derivatives.

    turn       θ = atan2(y · u, x · u)               x, y perpendicular to the axis on a, u on b       (1)
    dθ = (a db - b da)/n,  a = x·u, b = y·u, n = a² + b²;   d²θ = (a d²b - b d²a)/n - dθ dn/n          (2)
    wrap(f, P) = f - P round(f / P)                  the value nearest to 0 that differs by whole periods     (3)

The bodies determine θ only up to whole turns, so θ is compared with other angles by (3). wrap is smooth except half a
period away from 0.
"""

import math
from typing import Any

from anthropi.algebra.scalar import atan2, maximum, nearest

__all__ = ["FULL_TURN", "MIN_SQUARED_PROJECTION", "turn", "turn_curvature", "turn_gradient", "wrapped"]

FULL_TURN = 2.0 * math.pi
MIN_SQUARED_PROJECTION = 1e-12  # lower bound of n in (2): u is nearly parallel to the axis, and θ undefined


def wrapped(f: Any, period: Any = FULL_TURN) -> Any:
    """Return the value that is nearest to 0 among f plus whole periods (3)."""
    return f - period * nearest(f / period)


def turn(x: Any, y: Any, u: Any) -> Any:
    """Return the rotation angle θ (1) [rad], from -π to π. x, y, u : directions (3,) in the world."""
    return atan2(_dot(y, u), _dot(x, u))


def turn_gradient(features: Any, weight: Any) -> Any:
    """Return the gradients of weight · θ with respect to x, y and u (2)."""
    x, y, u = features
    a, b, n = _sides(x, y, u)
    c, s = weight * a / n, weight * b / n
    return -s * u, c * u, c * y - s * x


def turn_curvature(features: Any, rates: Any) -> Any:
    """Return the second derivative of θ along rates of x, y and u (2)."""
    (x, y, u), (dx, dy, du) = features, rates
    a, b, n = _sides(x, y, u)
    da, db = _dot(dx, u) + _dot(x, du), _dot(dy, u) + _dot(y, du)
    dtheta, dn = (a * db - b * da) / n, 2.0 * (a * da + b * db)
    return 2.0 * (a * _dot(dy, du) - b * _dot(dx, du)) / n - dtheta * dn / n


def _sides(x: Any, y: Any, u: Any) -> Any:
    """Return a = x · u, b = y · u and n = a² + b² of (2)."""
    a, b = _dot(x, u), _dot(y, u)
    return a, b, maximum(a * a + b * b, MIN_SQUARED_PROJECTION)


def _dot(a: Any, b: Any) -> Any:
    return (a * b).sum()
