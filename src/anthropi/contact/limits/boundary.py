"""Boundary of the directions of a limb: a closed smooth curve on the sphere through given directions.

A direction s has a polar angle θ and an azimuth φ about the centre c, in the frame (e₁, e₂, c):

    θ = atan2(ρ, z),   φ = atan2(y, x),   (x, y, z) = (e₁ e₂ c)ᵀ s,   ρ² = x² + y²                     (1)
    the curve: θ = Θ(φ), a periodic cubic spline through the given directions, twice continuously differentiable (2)
    gap = Θ(φ) - θ,   ∇gap = Θ' (-y, x, 0)/ρ² - (x z/ρ, y z/ρ, -ρ)                                     (3)

φ is undefined at the centre. There the gap is Θ, and the gradient is that of a point at the distance `CENTRE_RADIUS`.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, atan2, cos, gather, less_equal, sin, sqrt, where
from anthropi.errors import InputError, ShapeError

__all__ = ["Boundary", "unit_vector"]

CENTRE_RADIUS = 1e-9  # [rad] directions with a smaller polar angle count as the centre
MIN_ANGLE = 0.05  # [rad] smallest difference in azimuth of two directions, and smallest polar angle of the curve
SAMPLES = 720  # number of points on the curve at which it is checked


@dataclass(frozen=True, eq=False)
class Boundary:
    """A closed curve on the unit sphere that bounds the directions of a limb.

    Attributes
    ----------
    directions : (n, 3) three or more directions on the curve, in any order. Their azimuths about the centre must
        differ. They need not be unit vectors, but must not be zero.
    centre : (3,) a direction inside the curve; by default the mean of the directions.
    """

    directions: Any
    centre: Any = None
    frame: np.ndarray = field(init=False)  # rows e₁, e₂, c
    least: float = field(init=False)  # [rad] smallest polar angle of the curve
    _table: np.ndarray = field(init=False)  # rows: start of each span, and the spline's coefficients there

    def __post_init__(self) -> None:
        rows = np.asarray(self.directions, float)
        if rows.ndim != 2 or rows.shape[1:] != (3,) or len(rows) < 3:
            raise ShapeError(f"A boundary has directions of shape {rows.shape}. Give at least 3 directions (n, 3).")
        rows = np.array([unit_vector(row, f"direction {k} of the boundary") for k, row in enumerate(rows)])
        centre = rows.sum(0) if self.centre is None else self.centre
        frame = _frame(unit_vector(centre, "the centre of the boundary"))
        x, y, z = frame @ rows.T
        polar, azimuth = np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)  # floats only
        order = np.argsort(azimuth)  # floats only
        azimuth, polar = azimuth[order], polar[order]
        gaps = np.diff(np.append(azimuth, azimuth[0] + 2 * np.pi))
        if gaps.min() < MIN_ANGLE:
            k = int(np.argmin(gaps))  # floats only
            raise InputError(
                f"Directions {order[k]} and {order[(k + 1) % len(order)]} of a boundary have nearly the same azimuth "
                f"about its centre {frame[2].round(3).tolist()}. Leave one out, or give another centre."
            )
        for name, value in (
            ("directions", rows),
            ("centre", frame[2]),
            ("frame", frame),
            ("_table", _spline(azimuth, polar, gaps)),
        ):
            object.__setattr__(self, name, value)
        curve = self.polar(np.linspace(-np.pi, np.pi, SAMPLES))[0]
        if not (curve.min() > MIN_ANGLE and curve.max() < np.pi - MIN_ANGLE):
            raise InputError(
                f"The angle between the boundary and its centre {frame[2].round(3).tolist()} is between "
                f"{math.degrees(curve.min()):.0f} and {math.degrees(curve.max()):.0f} degrees. It must stay between 3 "
                "and 177 degrees. Give more directions, or another centre."
            )
        object.__setattr__(self, "least", float(curve.min()))

    def polar(self, azimuth: Array) -> tuple[Any, Any]:
        """Compute the polar angle Θ [rad] of the curve and its derivative at an azimuth φ from -π to π [rad]."""
        starts, *coefficients = self._table
        span = sum(where(less_equal(knot, azimuth), 1.0, 0.0) for knot in starts[1:])
        t = azimuth - gather(starts, span)
        a, b, c, d = (gather(row, span) for row in coefficients)
        return a + t * (b + t * (c + t * d)), b + t * (2.0 * c + 3.0 * (t * d))

    def gap(self, s: Array) -> tuple[Any, Any]:
        """Compute the gap [rad] between a direction s (3,) and the curve, and its gradient (3,) with respect to s.

        The gap is positive inside the curve.
        """
        e1, e2, c = self.frame
        x, y, z = _dot(e1, s), _dot(e2, s), _dot(c, s)
        r2 = x * x + y * y
        beside = less_equal(r2, CENTRE_RADIUS * CENTRE_RADIUS)
        x, r2 = where(beside, CENTRE_RADIUS, x), where(beside, CENTRE_RADIUS * CENTRE_RADIUS, r2)
        r = sqrt(r2)
        reach, slope = self.polar(atan2(y, x))  # (1), (2)
        along, across = z / r, slope / r2
        gx, gy = -(along * x) - across * y, across * x - along * y
        return reach - where(beside, 0.0, atan2(r, z)), gx * e1 + gy * e2 + r * c  # (3)

    def curve(self, count: int = 200) -> np.ndarray:
        """Compute directions (count, 3) along the closed curve, for example to draw it."""
        azimuth = np.linspace(-np.pi, np.pi, count)
        polar = self.polar(azimuth)[0]
        side = sin(polar)
        return np.stack([side * cos(azimuth), side * sin(azimuth), cos(polar)], axis=1) @ self.frame


def unit_vector(value: Array, what: str) -> np.ndarray:
    """Return the unit vector (3,) along `value`.

    Raises InputError if `value` is not three finite numbers, or is zero. what : name of the value for the message.
    """
    try:
        v = np.asarray(value, float)
    except (TypeError, ValueError, OverflowError):
        v = np.zeros(0)
    length = math.sqrt(v @ v) if v.shape == (3,) else math.nan
    if not 1e-12 < length < math.inf:
        raise InputError(
            f"{what.capitalize()} is {np.asarray(value).tolist()}. Give three finite numbers, not all zero."
        )
    return v / length


def _dot(a, s):
    """Compute a·s for a constant a, without products with zero."""
    return sum(float(x) * y for x, y in zip(a, s, strict=True) if x != 0.0)


def _frame(c) -> np.ndarray:
    """Compute a right-handed frame (e₁, e₂, c) as rows (3, 3), for a unit vector c."""
    least = int(np.argmin(np.abs(c)))  # floats only
    e1 = np.eye(3)[least] - c[least] * c
    e1 = e1 / math.sqrt(e1 @ e1)
    return np.array([e1, np.cross(c, e1), c]) + 0.0


def _spline(knots, values, gaps) -> np.ndarray:
    """Compute the periodic cubic spline through values at knots; gaps are the distances of the knots.

    Returns (5, n + 1), one column for each span from -π: start, value, first derivative, half the second derivative and
    a sixth of the third derivative.
    """
    n = len(knots)
    A, b = np.zeros((n, n)), np.zeros(n)
    for k in range(n):  # second derivatives m: h₋ m₋ + 2 (h₋ + h) m + h m₊ = 6 (slope - slope₋)
        h, before = gaps[k], gaps[k - 1]
        A[k, k] += 2.0 * (h + before)
        A[k, k - 1] += before
        A[k, (k + 1) % n] += h
        b[k] = 6.0 * ((values[(k + 1) % n] - values[k]) / h - (values[k] - values[k - 1]) / before)
    m = np.linalg.solve(A, b)  # floats only
    after, m_after = np.roll(values, -1), np.roll(m, -1)
    slope = (after - values) / gaps - gaps * (2.0 * m + m_after) / 6.0
    spans = np.array([knots, values, slope, m / 2.0, (m_after - m) / (6.0 * gaps)])
    first = spans[:, -1] - np.array([2.0 * np.pi, 0.0, 0.0, 0.0, 0.0])  # the last span crosses ±π
    return np.column_stack([first, spans])
