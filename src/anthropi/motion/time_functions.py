"""Functions of time with derivatives and integrals: Fourier series, and integrals by quadrature.

A function of time is called with t and returns a `TimeFunction` (value, rate, acceleration); it has `derivative()` and
`integral(value, at)`. Splines are in `splines`, expressions in `expressions`. All can be recorded on a tape.

    Fourier     f = c₀ + c₁ t + c₂ t² + Σ a_n cos(n w t) + b_n sin(n w t),   w = 2π / period                        (1)
                f' and ∫f of the same kind: a' = n w b, b' = -n w a;  a = -b' / (n w), b = a' / (n w)               (2)

    Integral    on pieces from knots t_k, with their integrals F and double integrals S known there,
                ∫f  = F_k + ∫ f(τ) dτ,   ∫∫f = S_k + F_k (t - t_k) + ∫ (t - τ) f(τ) dτ,   τ from t_k to t           (3)
                by Gauss's rule with 12 points; pieces are halved until the rule gives the same on both halves, and
                the last Legendre coefficients are small: 11 points resolve the function                            (4)

Knots divide time into pieces as in `anthropi.algebra.piecewise`.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.piecewise import pick, piece_at
from anthropi.algebra.scalar import clip, cos, floor, records, sin
from anthropi.errors import InputError

__all__ = ["Fourier", "Integral", "TimeFunction", "checked_times", "pick", "piece_at", "wrapped"]


class TimeFunction(NamedTuple):
    """Value, rate (first derivative) and acceleration (second derivative) of a function of time at one time."""

    value: Any
    rate: Any
    acceleration: Any


def checked_times(times: Any, what: str, least: int = 1) -> np.ndarray:
    """Return increasing times (K,) [s] of keys as an array; raise InputError for anything else."""
    try:
        given = np.array(times, float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: times must be numbers [s]; got {times!r}.") from None
    if given.ndim != 1 or len(given) < least or not np.isfinite(given).all() or not (np.diff(given) > 0.0).all():
        raise InputError(
            f"{what}: the times [s] must be finite and increasing, at least {least} of them; got "
            + (f"{given.tolist()}." if given.size < 9 else f"{given.size} times that are not.")
        )
    given.setflags(write=False)
    return given


def wrapped(t: Any, start: float, end: float) -> Any:
    """Return t modulo the period end - start, within [start, end] even after rounding."""
    period = end - start
    return clip(t - period * floor((t - start) / period), start, end)


_rule = np.polynomial.legendre.leggauss(12)
POINTS, WEIGHTS = 0.5 + 0.5 * _rule[0], 0.5 * _rule[1]  # Gauss's rule on an interval of length 1
HALVING_TOLERANCE = 1e-14  # difference of a piece's integral and that of its halves, relative to the whole
RESOLUTION_TOLERANCE = 1e-7  # last coefficients, of degree 10 and 11; the rule is exact to degree 23
HIGH_COEFFICIENTS = np.polynomial.legendre.legvander(2.0 * POINTS - 1.0, 11)[:, 10:] * WEIGHTS[:, None] * [21.0, 23.0]
MAX_HALVINGS, MAX_INTERVALS = 45, 1 << 13
SIZE_SAMPLES = 16  # pieces from which the size of the function is estimated


@dataclass(frozen=True, eq=False)
class Fourier:
    """Fourier series as a function of time, with linear and square terms (1).

    period : [s]. mean : c₀. cosine, sine : a, b (N,) for n = 1 … N. linear, square : c₁, c₂.
    """

    period: float
    mean: Any = 0.0
    cosine: Any = ()
    sine: Any = ()
    linear: Any = 0.0
    square: Any = 0.0

    def __post_init__(self) -> None:
        size = max(len(self.cosine), len(self.sine))
        for name in ("cosine", "sine"):
            given = [*getattr(self, name)]
            object.__setattr__(self, name, np.array(given + [0.0] * (size - len(given))))
        plain = [self.period, self.mean, self.linear, self.square, *self.cosine, *self.sine]
        if not isinstance(self.period, (int, float, np.floating)) or not self.period > 0.0:
            raise InputError(f"A Fourier series has period {self.period!r}; give seconds, more than 0.")
        if not any(records(x) for x in plain) and not np.isfinite(np.array(plain, float)).all():
            raise InputError("A Fourier series has a coefficient that is not finite.")

    @property
    def rates(self) -> np.ndarray:
        """Angular frequencies n w (N,) [rad/s]."""
        return 2.0 * np.pi / self.period * np.arange(1.0, len(self.sine) + 1.0)

    def __call__(self, t: Any) -> TimeFunction:
        """Value, rate and acceleration at t [s]."""
        t = t if records(t) else np.asarray(t, float)
        value = self.mean + t * (self.linear + t * self.square)
        rate, acceleration = self.linear + 2.0 * t * self.square, 0.0 * t + 2.0 * self.square
        for w, a, b in zip(self.rates, self.cosine, self.sine, strict=True):
            c, s = cos(w * t), sin(w * t)
            wave, quarter = a * c + b * s, b * c - a * s
            value, rate, acceleration = value + wave, rate + w * quarter, acceleration - w * w * wave
        return TimeFunction(value, rate, acceleration)

    def derivative(self) -> "Fourier":
        """Derivative as a Fourier series (2)."""
        w = self.rates
        return Fourier(self.period, self.linear, w * self.sine, -w * self.cosine, 2.0 * self.square)

    def integral(self, value: Any = 0.0, at: float | None = None) -> "Fourier":
        """Return the integral as a Fourier series (2), with `value` at the time `at` [s], by default 0 s."""
        if records(self.square) or self.square:
            raise InputError("This series was integrated twice already; a third integral is not available.")
        w = self.rates
        found = Fourier(self.period, 0.0, -self.sine / w, self.cosine / w, self.mean, 0.5 * self.linear)
        offset = value - found(0.0 if at is None else at).value
        return Fourier(self.period, offset, found.cosine, found.sine, found.linear, found.square)


@dataclass(frozen=True, eq=False)
class Integral:
    """Integral (order 1) or double integral (order 2) of a function of time by quadrature (3).

    Attributes
    ----------
    function : t → `TimeFunction`.
    span : (first, last) [s]. A recorded time is not checked; beyond the span the rule extrapolates from the last knot.
    values : the value at the time `at`; for order 2 also the rate.
    at : [s]; by default the first time of the span.
    breaks : [s] times at which the function is not smooth: pieces begin there.
    """

    function: Any
    span: tuple[float, float]
    values: tuple[Any, ...] = (0.0,)
    at: float | None = None
    breaks: tuple[Any, ...] = ()
    knots: np.ndarray = field(init=False)
    table: np.ndarray = field(init=False)  # (K + 1, 2): F and S where pieces begin
    offsets: tuple[Any, ...] = field(init=False)  # F and S at the time `at`

    def __post_init__(self) -> None:
        if not len(self.span) == 2 or not self.span[0] < self.span[1]:
            raise InputError(f"span={self.span!r}: give the first and last time [s] to integrate over.")
        knots, firsts, seconds = self._subdivide()
        h, F, S = np.diff(knots), [0.0], [0.0]
        for k in range(len(h)):
            S.append(S[k] + F[k] * h[k] + seconds[k])
            F.append(F[k] + firsts[k])
        object.__setattr__(self, "knots", knots)
        object.__setattr__(self, "table", np.array([(F[0], S[0]), *zip(F, S, strict=True)]))
        at = float(self.span[0] if self.at is None else self.at)
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "offsets", self._integrals(at))

    def _subdivide(self):
        """Knots (K,), and ∫f and ∫(end - τ) f of the pieces (K - 1,), by (4)."""
        inner = [b for b in self.breaks if self.span[0] < b < self.span[1]]
        ends = np.unique([self.span[0], *inner, self.span[1]])
        seen = [self._rule(a, b)[2] for a, b in pairwise(np.linspace(ends[0], ends[-1], SIZE_SAMPLES + 1))]
        size, length = max(*seen, 1e-300), ends[-1] - ends[0]
        waiting = [(a, b, 0) for a, b in pairwise(ends)][::-1]
        done: list[Any] = []
        while waiting:
            a, b, depth = waiting.pop()
            middle = 0.5 * (a + b)
            whole, first, second = (self._rule(*x) for x in ((a, b), (a, middle), (middle, b)))
            halves = first[0] + second[0], first[1] + (b - middle) * first[0] + second[1]
            off = max(abs(whole[0] - halves[0]), abs(whole[1] - halves[1])) / (size * length)
            jump = depth == MAX_HALVINGS and off <= 10.0 * HALVING_TOLERANCE  # halved to the resolution of time
            if jump or (off <= HALVING_TOLERANCE and whole[3] <= RESOLUTION_TOLERANCE * size):  # (4)
                done.append((a, *whole[:2]))
            else:
                waiting += [(middle, b, depth + 1), (a, middle, depth + 1)]
            if depth > MAX_HALVINGS or len(done) + len(waiting) > MAX_INTERVALS:
                raise InputError(
                    f"The function changes so fast near {a:g} s that it cannot be integrated to 1e-12. "
                    "Give the times at which it jumps as breaks, or a shorter span."
                )
        knots = np.array([*(x[0] for x in done), self.span[1]])
        return knots, np.array([x[1] for x in done]), np.array([x[2] for x in done])

    def _rule(self, a, b):
        """∫f and ∫(b - τ) f from a to b (3), the largest |f|, and the last Legendre coefficients."""
        h = b - a
        f = np.array([float(self.function(a + x * h).value) for x in POINTS])
        if not np.isfinite(f).all():
            raise InputError(f"The function is not finite between {a:g} and {b:g} s, so it cannot be integrated there.")
        return (
            h * (WEIGHTS @ f),
            h * h * ((WEIGHTS * (1.0 - POINTS)) @ f),
            np.abs(f).max(),
            np.abs(f @ HIGH_COEFFICIENTS).max(),
        )

    def _integrals(self, t):
        """∫f and ∫∫f from the first time to t, which may be recorded."""
        k = piece_at(self.knots, t)
        k = k if records(k) else int(k)
        start = pick(np.concatenate([self.knots[:1], self.knots]), k)
        F, S = pick(self.table, k)
        h, total, moment = t - start, 0.0, 0.0
        for x, w in zip(POINTS, WEIGHTS, strict=True):
            f = self.function(start + x * h).value
            total, moment = total + w * f, moment + w * (1.0 - x) * f
        return F + h * total, S + h * (F + h * moment)

    def __call__(self, t: Any) -> TimeFunction:
        """Value, rate and acceleration at t [s], within the span."""
        if not records(t):
            t = np.asarray(t, float)
            low, high = self.span
            if not ((low <= t) & (t <= high)).all():
                raise InputError(
                    f"This integral spans {low:g} to {high:g} s, but was evaluated at {t} s. Give a wider span."
                )
            if t.ndim:
                rows = [self(float(x)) for x in t.ravel()]
                return TimeFunction(*(np.array(x).reshape(t.shape) for x in zip(*rows, strict=True)))
            t = float(t)
        own = self.function(t)
        once, twice = self._integrals(t)
        there, here = self.offsets
        if len(self.values) == 1:
            return TimeFunction(self.values[0] + once - there, own.value, own.rate)
        position, velocity = self.values
        drift = velocity - there
        return TimeFunction(position + twice - here + drift * (t - self.at), drift + once, own.value)

    def derivative(self) -> Any:
        """Return the derivative: the integrated function, or the single integral if this is a double integral."""
        if len(self.values) == 1:
            return self.function
        return Integral(self.function, self.span, self.values[1:], self.at, self.breaks)

    def integral(self, value: Any = 0.0, at: float | None = None) -> "Integral":
        """Return the double integral, with `value` at the time `at` [s], by default the first time of the span."""
        if len(self.values) > 1:
            raise InputError("This function was integrated twice already; a third integral is not available.")
        at = self.span[0] if at is None else at
        return Integral(self.function, self.span, (value, self(at).value), at, self.breaks)
