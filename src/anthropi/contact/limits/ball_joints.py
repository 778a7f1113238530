"""Limits of ball joints: reach cones, and swing and twist.

A reach cone keeps an axis p of the child within an angle φ of its direction in the joint frame, with p' = R p
(docs/equations/rotations.md, section 9):

    g = <p, R p> - cos φ ≥ 0                                                   (1)  K.50
    g' = <p × Rᵀ p, ω>, ω in the child frame                                   (2)  K.54, K.X-impulse
    gap = φ - θ,  θ = atan2(|p × p'|, <p, p'>),  gap' = g' / sin θ             (3)

(3) measures (1) as an angle: it has the same sign and the same direction of the impulse, but a uniform slope. In
exponential coordinates J_bᵀ maps (2) to the gradient K.58-K.61 (`algebra/rotation/exponential.py`).

Limits of swing bound the direction of a limb. Limits of twist bound the rotation of the limb about its own axis. With
the axis a of the limb, its direction s = R a, and R = (shortest rotation from a to s) exp(ψ a×):

    swing: s stays inside a boundary on the sphere (`boundary.py`)             (4)
    twist: low(s) ≤ ψ ≤ high(s),   both l₀ + l·s                               (5)
    ψ = atan2(a·vee(R - Rᵀ), tr R - aᵀ R a)                                    (6)
    ψ' = (a + Rᵀ a)·ω / (1 + aᵀ R a)                                           (7)
    f(s)' = (a × Rᵀ ∇f)·ω                                                      (8)

ω is relative to the parent, in the child frame. ψ is undefined if the limb points opposite to a. A boundary that
contains this direction raises InputError.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import Array, atan2, cos, less, maximum, minimum, records, sqrt, where
from anthropi.contact.limits.boundary import Boundary, unit_vector
from anthropi.errors import InputError

__all__ = ["ReachCone", "Side", "SwingTwist"]


MIN_SINE = 1e-12  # sine of θ below which the gradient of the gap (3) has no direction


class Side(NamedTuple):
    """One bound of a ball joint.

    name : "cone", "swing" or "twist". gap : [rad] distance from the bound, ≥ 0 inside. row : (3,) with gap' = row·ω.
    room : [rad] largest possible gap, a constant.
    """

    name: str
    gap: Any
    row: Any
    room: float


@dataclass(frozen=True, eq=False)
class ReachCone:
    """Reach cone: an axis of the child link stays within an angle of the same axis of the joint frame.

    axis : p (3,), with the same components in the joint frame and in the child frame. angle : half angle φ of the cone,
    from 0 to π [rad].
    """

    axis: Any
    angle: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", unit_vector(self.axis, "the axis of a reach cone"))
        if not records(self.angle):
            good = isinstance(self.angle, (int, float)) and 0.0 <= self.angle <= math.pi
            if not good:
                raise InputError(f"A reach cone has half angle {self.angle!r}. Give a number from 0 to π [rad].")

    def value(self, R: Array) -> Any:
        """Compute g = <p, R p> - cos φ for a rotation R (3, 3): 0 on the cone, negative outside."""
        return self.axis @ matvec(R, self.axis) - cos(self.angle)

    def moment(self, R: Array) -> Any:
        """Compute the axis p × Rᵀ p (3,) of the restoring moment, in the child frame."""
        return np.cross(self.axis, matvec(transpose(R), self.axis))

    def sides(self, R: Array) -> list[Side]:
        """Compute the bound of the cone for a rotation R (3, 3) of the joint, as a list of one `Side`."""
        n = self.moment(R)
        s = sqrt((n * n).sum())
        gap = self.angle - atan2(s, self.axis @ matvec(R, self.axis))
        return [Side("cone", gap, n / maximum(s, MIN_SINE), math.pi if records(self.angle) else float(self.angle))]

    def data(self) -> tuple[Any, ...]:
        """Return the settings as plain numbers, for comparison and hashing."""
        return ("cone", tuple(self.axis), self.angle)


MIN_ROOM = 0.05  # [rad] smallest range of twist, and smallest distance of the boundary from -a
MIN_DENOMINATOR = 1e-9  # smallest denominator of (7)


@dataclass(frozen=True, eq=False)
class SwingTwist:
    """Limits of swing and twist of a ball joint.

    Attributes
    ----------
    axis : axis a (3,) of the limb, with the same components in the joint frame and in the child frame.
    boundary : a `Boundary` of the directions of the limb, or points (n, 3) on it, as directions in the joint frame.
    twist : range (low, high) of the rotation about a [rad]; or up to four rows (direction, low, high), with the range
        at that direction of the limb and the smallest gradient between the rows; None for no limit.
    """

    axis: Any
    boundary: Any
    twist: Any = None
    low: tuple[Any, ...] = field(init=False)  # l₀, l
    high: tuple[Any, ...] = field(init=False)
    room: float = field(init=False)  # [rad] smallest range of twist

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", unit_vector(self.axis, "the axis of a limb"))
        if not isinstance(self.boundary, Boundary):
            object.__setattr__(self, "boundary", Boundary(self.boundary))
        if float(self.boundary.gap(-self.axis)[0]) > -MIN_ROOM:
            raise InputError(
                f"A boundary of swing contains, or almost contains, the direction {(-self.axis).round(3).tolist()} "
                "opposite to the axis of the limb, where twist is undefined. Make the boundary smaller, or use a "
                "reach cone."
            )
        rows = [] if self.twist is None else _rows(self.twist, self.axis)
        low, high = _affine(rows, 1), _affine(rows, 2)
        for name, value in (("low", low), ("high", high), ("room", self._checked(low, high) if rows else math.inf)):
            object.__setattr__(self, name, value)

    def _checked(self, low, high) -> float:
        """Compute the smallest range of twist [rad] inside the boundary.

        Raises InputError if it is too small, or if a range exceeds ±π.
        """
        curve, centre = self.boundary.curve(72), self.boundary.centre
        inside = np.concatenate([_between(centre, curve, part) for part in (0.0, 0.25, 0.5, 0.75, 1.0)])
        lows, highs = low[0] + inside @ low[1], high[0] + inside @ high[1]
        room = float((highs - lows).min())
        if not (room >= MIN_ROOM and lows.min() > -math.pi and highs.max() < math.pi):
            k = int((highs - lows).argmin())
            raise InputError(
                f"The range of twist is {lows[k]:.2f} to {highs[k]:.2f} rad if the limb points to "
                f"{inside[k].round(2).tolist()}, and {lows.min():.2f} to {highs.max():.2f} rad over all directions. "
                "Give ranges with low < high, between -π and π."
            )
        return room

    def angles(self, R: Array) -> tuple[Any, Any, tuple[Any, Any]]:
        """Compute the direction s (3,) of the limb, its twist ψ [rad], and the range (low, high) [rad] of ψ at s."""
        s = matvec(R, self.axis)
        a = self.axis
        vee = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
        sine = sum(float(x) * v for x, v in zip(a, vee, strict=True) if x)
        psi = atan2(sine, R[0, 0] + R[1, 1] + R[2, 2] - a @ s)  # (6)
        low, high = (_valued(end, s) for end in (self.low, self.high))
        return s, psi, (low, high)

    def sides(self, R: Array) -> list[Side]:
        """Compute the bounds of swing and of twist for a rotation R (3, 3); of twist, the nearer of its two ends."""
        a, back = self.axis, transpose(R)
        s, psi, (low, high) = self.angles(R)
        gap, gradient = self.boundary.gap(s)  # (4)
        swing = Side("swing", gap, np.cross(a, matvec(back, gradient)), self.boundary.least)  # (8)
        if self.twist is None:
            return [swing]
        turned = (a + matvec(back, a)) / maximum(1.0 + a @ s, MIN_DENOMINATOR)  # (7)
        below = less(psi - low, high - psi)
        down, up = turned - _sweep(a, back, self.low), _sweep(a, back, self.high) - turned
        row = np.array([where(below, x, y) for x, y in zip(down, up, strict=True)])
        return [swing, Side("twist", minimum(psi - low, high - psi), row, self.room)]

    def data(self) -> tuple[Any, ...]:
        """Return the settings as plain numbers, for comparison and hashing."""
        boundary = (tuple(map(tuple, self.boundary.directions)), tuple(self.boundary.centre))
        return ("swing-twist", tuple(self.axis), boundary, self.low[0], *self.low[1], self.high[0], *self.high[1])


def _sweep(a, back, end):
    """Compute the row (8) of a twist limit l₀ + l·s."""
    return np.cross(a, matvec(back, end[1])) if end[1].any() else np.zeros(3)


def _valued(end, s):
    """Compute a twist limit l₀ + l·s at the direction s (3,)."""
    return end[0] + sum(float(x) * y for x, y in zip(end[1], s, strict=True) if x)


def _rows(twist, axis) -> list[tuple[Any, ...]]:
    """Convert the ranges of twist to rows (direction, low, high); raise InputError for anything else."""
    given = list(twist)
    if len(given) == 2 and all(isinstance(x, (int, float)) for x in given):
        given = [(axis, *given)]
    if not 1 <= len(given) <= 4 or not all(isinstance(r, (tuple, list)) and len(r) == 3 for r in given):
        raise InputError(f"Twist is {twist!r}. Give (low, high), or one to four rows (direction, low, high).")
    rows = [(unit_vector(d, "the direction of a twist"), float(a), float(b)) for d, a, b in given]
    for d, a, b in rows:
        if not -math.pi < a < b < math.pi:
            raise InputError(
                f"The range of twist is {a} to {b} rad if the limb points to {d.round(2).tolist()}. Give "
                "low < high, between -π and π."
            )
    return rows


def _affine(rows, k: int) -> tuple[Any, ...]:
    """Compute the coefficients (l₀, l) of a twist limit l₀ + l·s through the given rows, with the smallest |l|.

    k : 1 for the lower limit, 2 for the upper limit.
    """
    if not rows:
        return 0.0, np.zeros(3)
    (first, *_), values = rows[0], [row[k] for row in rows]
    A, b = np.array([row[0] - first for row in rows]), np.array(values) - values[0]
    slope = np.linalg.pinv(A, rcond=1e-9) @ b if len(rows) > 1 else np.zeros(3)  # floats only
    if abs(A @ slope - b).max() > 1e-9:
        raise InputError(
            f"Ranges of twist contradict each other: {values} rad at directions that lie in one plane or are "
            "given twice. Leave one out."
        )
    slope = slope * (abs(slope) > 1e-15)
    return float(values[0] - slope @ first), slope


def _between(a, rows, part: float):
    """Compute the directions between a and each row, at the fraction `part` of the segment."""
    direction = (1.0 - part) * a + part * rows
    return direction / ((direction * direction).sum(-1, keepdims=True) ** 0.5)
