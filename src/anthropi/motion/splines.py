"""Cubic splines and piecewise polynomials, and the block-tridiagonal systems they require.

Block-tridiagonal systems, open or cyclic:

    Lᵢ xᵢ₋₁ + Dᵢ xᵢ + Uᵢ xᵢ₊₁ = rᵢ,   i = 0 … n-1                                                                   (1)

Open: L₀ = Uₙ₋₁ = 0. Cyclic: x₋₁ = xₙ₋₁ and xₙ = x₀; the last unknown z is separated, x = y + Z z (2), and the last row
determines it (3). Elimination needs no pivoting, because the diagonal blocks D of splines are dominant. These systems
are solved on plain floats only.

On the piece from t_k to t_k+1, h = t_k+1 - t_k, δ = (y_k+1 - y_k) / h and τ = t - t_k, the cubic

    y = y_k + s_k τ + (3 δ - 2 s_k - s_k+1) τ² / h + (s_k + s_k+1 - 2 δ) τ³ / h²                                   (4)

has the slopes s_k and s_k+1 at its ends. Equal second derivatives at an inner key require

    h_k s_k-1 + 2 (h_k-1 + h_k) s_k + h_k-1 s_k+1 = 3 (h_k δ_k-1 + h_k-1 δ_k)                                       (5)

The ends are natural (second derivative 0, 2 s_0 + s_1 = 3 δ_0) (6), clamped (s_0 and s_K-1 are given) or periodic ((5)
at all keys). Before the first key and after the last key a curve continues along its tangent: a natural spline keeps
two continuous derivatives, and a spline clamped to slope 0 stays constant. Periodic curves repeat.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import floor, records
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.motion.time_functions import TimeFunction, checked_times, pick, piece_at, wrapped

__all__ = ["ENDS", "Piecewise", "cubics", "solve_chain", "spline"]


def solve_chain(L: Any, D: Any, U: Any, r: Any, ring: bool = False) -> np.ndarray:
    """Solve the block-tridiagonal system (1) for x (n, …, m, c).

    L, D, U : (n, …, m, m) blocks. r : (n, …, m, c) right-hand sides. Axes in between are independent systems.
    ring : whether the system is cyclic.
    """
    n = len(D)
    if not ring:
        return _open(L, D, U, r)
    if n == 1:
        return np.linalg.solve(L + D + U, r)
    if n == 2:  # both neighbours are the same unknown
        first, last = np.concatenate([D[0], L[0] + U[0]], -1), np.concatenate([L[1] + U[1], D[1]], -1)
        both = np.linalg.solve(np.concatenate([first, last], -2), np.concatenate([r[0], r[1]], -2))
        return np.stack(np.split(both, 2, axis=-2))
    wide = np.zeros((n - 1, *D.shape[1:]))
    wide[0] -= L[0]
    wide[-1] -= U[-2]
    found = _open(L[:-1], D[:-1], U[:-1], np.concatenate([r[:-1], wide], -1))
    y, Z = found[..., : r.shape[-1]], found[..., r.shape[-1] :]  # (2)
    own = D[-1] + U[-1] @ Z[0] + L[-1] @ Z[-1]
    z = np.linalg.solve(own, r[-1] - U[-1] @ y[0] - L[-1] @ y[-1])  # (3)
    return np.concatenate([y + Z @ z, z[None]])


def _open(L, D, U, r) -> np.ndarray:
    """Solve the open system (1); L₀ and Uₙ₋₁ are not read."""
    n, c = len(D), r.shape[-1]
    after: list[Any] = []
    known: list[Any] = []
    for i in range(n):
        head, right = (D[i], r[i]) if i == 0 else (D[i] - L[i] @ after[-1], r[i] - L[i] @ known[-1])
        both = np.linalg.solve(head, np.concatenate([right, U[i]], -1))
        known.append(both[..., :c])
        after.append(both[..., c:])
    for i in range(n - 2, -1, -1):
        known[i] = known[i] - after[i] @ known[i + 1]
    return np.stack(known)


ENDS = ("natural", "clamped", "periodic")


@dataclass(frozen=True, eq=False)
class Piecewise:
    """Piecewise polynomial as a function of time: t → `TimeFunction`. t and the coefficients may be recording scalars.

    Attributes
    ----------
    knots : (K,) [s].
    coefficients : (K + 1, terms, …) of powers of t minus the start of the piece, the lowest first; one piece before the
        first knot (with powers of t minus that knot), one after the last.
    period : [s] of a periodic function, else None.
    gain : increase of the value from one period to the next.
    """

    knots: np.ndarray
    coefficients: Any
    period: float | None = None
    gain: Any = 0.0

    def __call__(self, t: Any) -> TimeFunction:
        """Return value, rate and acceleration at t [s]: a number, a recording scalar, or (n,) floats."""
        t = t if records(t) else np.asarray(t, float)
        grown: Any = 0.0
        if self.period is not None:
            grown = self._grown(t)
            t = wrapped(t, self.knots[0], self.knots[-1])
        k = piece_at(self.knots, t)
        c = pick(self.coefficients, k)
        tau = t - pick(np.concatenate([self.knots[:1], self.knots]), k)
        if not records(t, c):
            tau = tau[(..., *(None,) * (c.ndim - 1 - np.ndim(k)))]
            c = np.moveaxis(c, np.ndim(k), 0)
        terms = list(c)
        value, rate, acceleration = (_polynomial(tau, _differentiated(terms, n)) for n in range(3))
        return TimeFunction(value + grown, rate, acceleration)

    def _grown(self, t):
        """Return the increase of the value over the whole periods before t."""
        if not records(self.gain) and not np.any(self.gain):
            return 0.0
        count = floor((t - self.knots[0]) / self.period)
        return self.gain * (count if records(t) else count[(..., *(None,) * np.ndim(self.gain))])

    def derivative(self) -> "Piecewise":
        """Return the exact derivative as a piecewise polynomial."""
        c = self.coefficients
        powers = np.arange(1.0, max(2, c.shape[1])).reshape(-1, *(1,) * (c.ndim - 2))
        lower = c[:, 1:] * powers if c.shape[1] > 1 else 0.0 * c
        return Piecewise(self.knots, lower, self.period)

    def integral(self, value: Any = 0.0, at: float | None = None) -> "Piecewise":
        """Return the exact integral as a piecewise polynomial, with `value` at the time `at` [s] (by default, knot 0).

        The integral of a periodic function whose mean is not 0 grows from period to period, and cannot be integrated
        again.
        """
        if records(self.gain) or np.any(self.gain):
            raise InputError(
                "The integral of a function that grows from period to period is not available. Subtract the "
                "mean from its rate, or give keys for the whole time with ends='natural'."
            )
        c, knots = self.coefficients, self.knots
        powers = np.arange(1.0, c.shape[1] + 1.0).reshape(-1, *(1,) * (c.ndim - 2))
        risen = c / powers
        lengths = np.diff(knots)[(slice(None), *(None,) * (c.ndim - 2))]
        gains = _polynomial(lengths, [0.0, *np.moveaxis(risen[1:-1], 1, 0)]) if len(knots) > 1 else c[:0, 0]
        starts = np.concatenate([0.0 * c[:2, 0], np.cumsum(gains, axis=0)])
        gain = 0.0 * c[0, 0] if self.period is None else starts[-1]
        if not records(c) and np.abs(gain).max(initial=0.0) <= 1e-14 * np.abs(c).max(initial=1.0):
            gain = 0.0  # rounding
        found = Piecewise(knots, np.concatenate([starts[:, None], risen], 1), self.period, gain)
        offset = value - found(knots[0] if at is None else at).value
        return Piecewise(knots, np.concatenate([(starts + offset)[:, None], risen], 1), self.period, gain)


def spline(times: Any, values: Any, ends: str = "natural", slopes: Any = (0.0, 0.0)) -> Piecewise:
    """Cubic spline through values at given times, with two derivatives between the first time and the last.

    Parameters
    ----------
    times : (K,) [s].
    values : (K,) or (K, n); may be recorded.
    ends : "natural", "clamped" (to `slopes` at the first and last key) or "periodic" (the last value is the first).
    """
    known_ends(ends)
    times = checked_times(times, "A spline", 2 if ends == "periodic" else 1)
    y = np.asarray(values)
    y = y if y.dtype == object else y.astype(float)
    if y.ndim not in (1, 2) or len(y) != len(times):
        raise ShapeError(
            f"A spline at {len(times)} times has values {y.shape}; expected ({len(times)},) or ({len(times)}, n)."
        )
    floats = not records(y)
    if floats and not np.isfinite(y).all():
        raise InputError(
            f"A spline has a value that is not finite, at {times[np.argwhere(~np.isfinite(y))[0, 0]]:g} s."
        )
    if ends == "periodic" and floats and np.abs(y[-1] - y[0]).max() > 1e-9:
        raise InputError(
            f"A periodic spline must end as it begins, but its end values are {y[0]} and {y[-1]}. Make them equal, or "
            "use ends='natural'."
        )
    if len(times) == 1:
        s = np.zeros(y.shape) + (np.asarray(slopes[0]) if ends == "clamped" else 0.0)
    else:
        s = key_slopes(times, y, ends, slopes)
    return Piecewise(times, cubics(times, y, s), times[-1] - times[0] if ends == "periodic" else None)


def cubics(times: Any, y: Any, s: Any, rise: Any = None, arriving: Any = None) -> np.ndarray:
    """Return the coefficients (K + 1, 4, …) of the cubics (4).

    rise : y_k+1 - y_k, if it is not the plain difference. arriving : s_k+1 in (4), if it is not s[k + 1].
    """
    h = np.diff(times)[(slice(None), *(None,) * (y.ndim - 1))]
    rise = np.diff(y, axis=0) if rise is None else rise
    b = s[1:] if arriving is None else arriving
    d, a = rise / h, s[:-1]
    inner = np.stack([y[:-1], a, (3.0 * d - 2.0 * a - b) / h, (a + b - 2.0 * d) / (h * h)], 1)  # (4)
    flat = 0.0 * s[:1]
    before, after = (
        np.stack([y[k : k + 1] if k == 0 else y[-1:], s[:1] if k == 0 else s[-1:], flat, flat], 1) for k in (0, 1)
    )
    return np.concatenate([before, inner, after])


def key_slopes(times: Any, y: Any, ends: str, slopes: Any = (0.0, 0.0)) -> np.ndarray:
    """Slopes (K, …) at the keys, by (5) and (6)."""
    if not records(y):
        return _slopes(times, y.reshape(len(y), -1), ends, slopes).reshape(y.shape)
    one = np.eye(len(times))  # slopes are linear in the values: recorded values are multiplied by a constant matrix
    through = _slopes(times, one, ends, (0.0, 0.0))
    still = (
        _slopes(times, np.zeros((len(times), 1)), ends, (1.0, 0.0)),
        _slopes(times, np.zeros((len(times), 1)), ends, (0.0, 1.0)),
    )
    flat = y.reshape(len(y), -1)
    rows = [sum(through[i, j] * flat[j] for j in range(len(y))) for i in range(len(y))]
    found = np.stack(rows) + (still[0] * slopes[0] + still[1] * slopes[1] if ends == "clamped" else 0.0)
    return found.reshape(y.shape)


def _slopes(times, y, ends: str, slopes) -> np.ndarray:
    """Compute the slopes at the keys, by (5) and (6), for float values y (K, n)."""
    h = np.diff(times)
    d = np.diff(y, axis=0) / h[:, None]
    if ends == "periodic":
        back, ahead = np.roll(h, 1), h  # of key k < K - 1
        r = 3.0 * (ahead[:, None] * np.roll(d, 1, axis=0) + back[:, None] * d)  # (5)
        s = solve_chain(_blocks(ahead), _blocks(2.0 * (back + ahead)), _blocks(back), r[:, None], ring=True)[:, 0]
        return np.concatenate([s, s[:1]])
    K = len(times)
    L, D, U, r = np.zeros(K), np.ones(K), np.zeros(K), np.zeros(y.shape)
    L[1:-1], D[1:-1], U[1:-1] = h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]
    r[1:-1] = 3.0 * (h[1:, None] * d[:-1] + h[:-1, None] * d[1:])  # (5)
    if ends == "natural":
        D[0] = D[-1] = 2.0
        U[0] = L[-1] = 1.0
        r[0], r[-1] = 3.0 * d[0], 3.0 * d[-1]  # (6)
    else:
        r[0], r[-1] = slopes
    return solve_chain(_blocks(L), _blocks(D), _blocks(U), r[:, None])[:, 0]


def _blocks(x) -> np.ndarray:
    return np.asarray(x)[:, None, None]


def known_ends(ends: str) -> None:
    """Raise InputError for an unknown kind of end."""
    if ends not in ENDS:
        raise InputError(f"ends={ends!r}.{did_you_mean(str(ends), ENDS)} Choose from {', '.join(ENDS)}.")


def _differentiated(terms: list[Any], n: int) -> list[Any]:
    """Coefficients of the n-th derivative."""
    for _ in range(n):
        terms = [k * c for k, c in enumerate(terms)][1:] or [0.0 * terms[0]]
    return terms


def _polynomial(x, terms: list[Any]):
    """Return the polynomial Σ terms[k] xᵏ."""
    total = terms[-1]
    for c in terms[-2::-1]:
        total = total * x + c
    return total
