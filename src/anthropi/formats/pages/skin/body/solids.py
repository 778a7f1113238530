"""Describe a body by a distance field: tapered solids with elliptic cross sections, joined smoothly.

Lengths are in thousandths of the stature. A solid has a distance d, negative inside, from the ratio k of a point's
distance from the axis to that of the surface in the same direction,

    d = k (k - 1) / |∇(k²) / 2|,  k² = (x / a)² + (y / b)² + (z / c)²                      (1)

with semi-axes a, b that differ in front and behind, and inside and outside; z is the distance beyond the end of the
axis. Solids are joined and cut by a smooth minimum with a radius r,

    join(d, e) = min(d, e) - max(r - |d - e|, 0)² / (4 r)                                   (2)
    cut(d, e) = -join(-d, e)                                                                (3)
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

__all__ = ["Blend", "Loft", "ball", "changed", "cut", "evaluate", "join", "loft", "rod", "turn_x", "turn_y", "turn_z"]

SAMPLES = 257  # of a profile
MIN_NORM = 1e-9  # added to norms that are divisors


@dataclass(frozen=True, eq=False)
class Loft:
    """A solid around a straight axis.

    origin : start of the axis. turn : (3, 3), columns: the directions front, left and along the axis. length : of the
    axis. rows : (SAMPLES, 6), profile: centre to the front and to the left, semi-axes front, back, left and right.
    caps : semi-axes along the axis beyond its start and end.
    """

    origin: np.ndarray
    turn: np.ndarray
    length: float
    rows: np.ndarray
    caps: tuple[float, float]

    def moved(self, turn: np.ndarray, about: np.ndarray) -> "Loft":
        """Return the solid rotated about a point."""
        return replace(self, origin=turn @ (self.origin - about) + about, turn=turn @ self.turn)

    def mirrored(self) -> "Loft":
        """Return the solid mirrored by y → -y."""
        flip = np.array([1.0, -1.0, 1.0])
        turn = flip[:, None] * self.turn * flip  # left stays the direction of the second column
        rows = self.rows[:, [0, 1, 2, 3, 5, 4]] * np.array([1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
        return replace(self, origin=self.origin * flip, turn=turn, rows=rows)

    @cached_property
    def box(self) -> np.ndarray:
        """Two opposite corners (2, 3) of a box around the solid."""
        wide = self.rows.copy()
        side = float((np.abs(wide[:, :2]).max(0) + wide[:, 2:].reshape(-1, 2, 2).max((0, 2))).max())
        ends = self.origin + np.outer([-self.caps[0], self.length + self.caps[1]], self.turn[:, 2])
        return np.stack([ends.min(0) - side, ends.max(0) + side])

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Return the distances (n,) of points (n, 3) by equation (1)."""
        kind = points.dtype
        p, q, r = (points[:, axis] - kind.type(self.origin[axis]) for axis in range(3))
        x, y, z = (a * p + b * q + c * r for a, b, c in self.turn.T.astype(kind))  # threads of a BLAS would be slower
        rows = self.rows.astype(kind)
        if self.length > 0.0:
            s = np.clip(z * ((SAMPLES - 1) / self.length), 0.0, SAMPLES - 1.0)
            at = np.minimum(s.astype(np.intp), SAMPLES - 2)
            s -= at
            row = rows[at]
            row += s[:, None] * (rows[1:] - rows[:-1])[at]
            p, q, front, back, left, right = row.T
            x, y, z = x - p, y - q, z - np.clip(z, 0.0, self.length)
        else:
            front, back, left, right = rows[0, 2:]
        a, b = np.where(x > 0.0, front, back), np.where(y > 0.0, left, right)
        c = np.where(z > 0.0, kind.type(self.caps[1]), kind.type(self.caps[0]))
        u, v, w = x / a, y / b, z / c
        k = np.sqrt(u * u + v * v + w * w) + kind.type(MIN_NORM)
        u /= a
        v /= b
        w /= c
        slope = np.sqrt(u * u + v * v + w * w) + kind.type(MIN_NORM)
        return np.maximum(k * (k - 1.0) / slope, -np.minimum(a, b))


def loft(start: Any, end: Any, rows: Any, caps: tuple[float, float], front: Any = (1.0, 0.0, 0.0)) -> Loft:
    """Return a solid from start to end. rows : s from 0 to 1, centre front, centre left, front, back, left, right."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    length = float(np.linalg.norm(along))
    z = along / length
    x = np.asarray(front, float) - z * (np.asarray(front, float) @ z)
    x /= np.linalg.norm(x)
    table = np.asarray(rows, float)
    return Loft(start, np.stack([x, np.cross(z, x), z], 1), length, _smooth(table), caps)


def ball(centre: Any, semi: Any, turn: Any = None) -> Loft:
    """Return an ellipsoid."""
    a, b, c = (float(s) for s in np.broadcast_to(semi, 3))
    row = np.tile([0.0, 0.0, a, a, b, b], (SAMPLES, 1))
    return Loft(np.asarray(centre, float), np.eye(3) if turn is None else turn, 0.0, row, (c, c))


def rod(start: Any, end: Any, first: float, last: float) -> Loft:
    """Return a tapered rod with round ends."""
    rows = [(s, 0.0, 0.0, r, r, r, r) for s, r in ((0.0, first), (1.0, last))]
    along = np.asarray(end, float) - np.asarray(start, float)
    return loft(start, end, rows, (first, last), np.eye(3)[int(np.abs(along).argmin())])


@dataclass(frozen=True, eq=False)
class Blend:
    """Solids joined in order with a radius, and then cut by others."""

    radius: float
    parts: tuple[Any, ...]
    cuts: tuple[tuple[Any, float], ...] = ()

    @cached_property
    def box(self) -> np.ndarray:
        """Two opposite corners (2, 3) of a box around the solids."""
        boxes = np.array([(part[0] if isinstance(part, tuple) else part).box for part in self.parts])
        return np.stack([boxes[:, 0].min(0), boxes[:, 1].max(0)])


def join(radius: float, *parts: Any) -> Blend:
    """Return solids joined smoothly. A part may be a pair (solid, its own radius)."""
    return Blend(radius, parts)


def cut(body: Any, *cuts: tuple[Any, float]) -> Blend:
    """Return a solid cut by others, each with a radius."""
    return Blend(0.0, (body,), cuts)


def evaluate(body: Any, points: np.ndarray, margin: float = 12.0) -> np.ndarray:
    """Return the distances (n,) of points (n, 3) from a solid or a blend.

    margin : distances larger than this need not be accurate.
    """
    low, high = body.box
    near = np.arange(len(points))
    for axis in range(3):
        x = points[near, axis] if len(near) < len(points) else points[:, axis]
        near = near[(x > low[axis] - margin) & (x < high[axis] + margin)]
    if len(near) == len(points):
        return _evaluated(body, points, margin)
    found = np.full(len(points), margin, points.dtype)
    if len(near):
        found[near] = _evaluated(body, points[near], margin)
    return found


def _evaluated(body, points, margin: float):
    if isinstance(body, Loft):
        return body.distance(points)
    pairs = [part if isinstance(part, tuple) else (part, body.radius) for part in body.parts]
    found = evaluate(pairs[0][0], points, margin + pairs[0][1])
    for solid, radius in pairs[1:]:
        found = _least(found, evaluate(solid, points, margin + radius), radius)
    for solid, radius in body.cuts:
        found = -_least(-found, evaluate(solid, points, margin + radius), radius)
    return found


def _least(a, b, radius: float):
    low = np.minimum(a, b)
    if radius <= 0.0:
        return low
    over = np.maximum(radius - np.abs(a - b), 0.0)
    over *= over
    over *= 0.25 / radius
    low -= over
    return low


def _smooth(rows: np.ndarray) -> np.ndarray:
    """Sample a profile by a cubic through its rows whose slopes are limited so that it does not overshoot."""
    s, y = rows[:, 0], rows[:, 1:]
    at = np.linspace(0.0, 1.0, SAMPLES)
    if len(s) == 2:
        return y[0] + at[:, None] * (y[1] - y[0])
    h = np.diff(s)[:, None]
    slope = np.diff(y, axis=0) / h
    inner = np.where(slope[:-1] * slope[1:] > 0.0, 0.5 * (slope[:-1] + slope[1:]), 0.0)
    least = np.minimum(np.abs(slope[:-1]), np.abs(slope[1:]))
    inner = np.sign(inner) * np.minimum(np.abs(inner), 3.0 * least)
    m = np.concatenate([0.0 * slope[:1], inner, 0.0 * slope[-1:]])  # level at the ends, where the caps begin
    k = np.clip(np.searchsorted(s, at, "right") - 1, 0, len(s) - 2)
    t = ((at - s[k])[:, None]) / h[k]
    return (
        (2 * t**3 - 3 * t**2 + 1) * y[k]
        + (t**3 - 2 * t**2 + t) * h[k] * m[k]
        + (3 * t**2 - 2 * t**3) * y[k + 1]
        + (t**3 - t**2) * h[k] * m[k + 1]
    )


def turn_x(angle: float) -> np.ndarray:
    """Return the rotation by an angle [rad] about x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def turn_y(angle: float) -> np.ndarray:
    """Return the rotation by an angle [rad] about y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def turn_z(angle: float) -> np.ndarray:
    """Return the rotation by an angle [rad] about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def changed(body: Any, change: Any) -> Any:
    """Return a solid or blend with a function applied to each of its solids."""
    if isinstance(body, Loft):
        return change(body)
    parts = tuple((changed(b[0], change), b[1]) if isinstance(b, tuple) else changed(b, change) for b in body.parts)
    return Blend(body.radius, parts, tuple((changed(b, change), r) for b, r in body.cuts))
