"""Periodic curves over a gait cycle, interpolated through keys (phase, value) in three forms.

Between two keys, s goes from 0 to 1, the value rises by Δ, and the slopes at the ends are m₀ and m₁ (per unit of s):

    linear   Δ s                                                               (1)  as in the thesis; a kink at each key
    cosine   Δ (1 - cos π s)/2                                                 (2)  C¹; the slope is 0 at each key
    smooth   Δ (10 s³ - 15 s⁴ + 6 s⁵) + m₀ (s - 6 s³ + 8 s⁴ - 3 s⁵) + m₁ (-4 s³ + 7 s⁴ - 3 s⁵)      (3)  C²

In (3), the curvature is 0 at all keys and the slope is 0 at local extremes. At the other keys the slope is

    the smaller of the mean of both sides' slopes and 5/4 of the flatter one   (4)

Then each piece is monotone. With m₀ divided by Δ, the derivative divided by Δ is (1-s)² (15 s² (1 - m₀) + m₀ (1 + 2 s))
plus the same term from the other end, which is never negative for m₀ ≤ 5/4. So no form leaves the range of its keys.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from anthropi.algebra.scalar import cos, floor, polynomial, records, sin
from anthropi.errors import InputError, did_you_mean
from anthropi.motion.time_functions import TimeFunction, pick, piece_at

__all__ = ["FORMS", "CycleCurve", "cycle_curve"]

FORMS = ("smooth", "linear", "cosine")
MAX_SLOPE_RATIO = 1.25  # largest slope at a key, relative to that of the flatter side (4)


@dataclass(frozen=True)
class CycleCurve:
    """A periodic curve through keys.

    phases : (K,) [cycles], increasing, within one cycle. values : (K,). form : "linear", "cosine" or "smooth".
    """

    phases: tuple[float, ...]
    values: tuple[float, ...]
    form: str = "smooth"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            hint = did_you_mean(str(self.form), FORMS)
            raise InputError(f"Unknown form={self.form!r}.{hint} Choose one of: {', '.join(FORMS)}.")
        p = np.array(self.phases, float)
        fits = len(p) == len(self.values) > 1 and (np.diff(p) > 0.0).all() and p[-1] - p[0] < 1.0
        if not (fits and np.isfinite([*p, *self.values]).all()):
            raise InputError(
                f"A curve got phases {list(self.phases)} and values {list(self.values)}. Give finite numbers, the same "
                "number of both, with phases that increase within one cycle."
            )

    def __call__(self, phase: Any) -> Any:
        """Return the value at a phase [cycles]: a number, an array or a recorded scalar."""
        return self.course(phase).value

    def course(self, phase: Any) -> TimeFunction:
        """Return the value and its first and second derivatives with respect to the phase [cycles]."""
        phase = phase if records(phase) else np.asarray(phase, float)
        if not records(phase) and not np.isfinite(phase).all():
            raise InputError("A curve got a phase that is not finite. Give a finite number of cycles.")
        x = phase - self.phases[0]
        x = x - floor(x)
        row = pick(self._table, piece_at(self._knots, x) - 1)
        start, span, *c = (row[..., j] for j in range(self._table.shape[1]))
        s = (x - start) / span
        if self.form == "cosine":
            turn, half = math.pi * s, 0.5 * c[1]
            rate, second = math.pi * half * sin(turn), math.pi**2 * half * cos(turn)
            return TimeFunction(c[0] + half - half * cos(turn), rate / span, second / (span * span))  # (2)
        rates = [n * a for n, a in enumerate(c)][1:]
        seconds = [n * a for n, a in enumerate(rates)][1:]
        value, rate = polynomial(s, c), polynomial(s, rates)  # (1), (3)
        second = polynomial(s, seconds) if seconds else 0.0 * s
        return TimeFunction(value, rate / span, second / (span * span))

    @cached_property
    def _knots(self) -> np.ndarray:
        """Phases at which the pieces start, from the first key, and the end of the last piece."""
        return np.array([*self.phases, self.phases[0] + 1.0]) - self.phases[0]

    @cached_property
    def _table(self) -> np.ndarray:
        """One row for each piece: start, span and polynomial coefficients of s."""
        starts, spans, v = self._knots[:-1], np.diff(self._knots), np.array(self.values, float)
        rise = np.roll(v, -1) - v
        if self.form != "smooth":
            return np.stack([starts, spans, v, rise], axis=1)
        after = rise / spans  # slope of the piece that begins at each key; `before`: of the piece that ends there
        before = np.roll(after, 1)
        flatter, mean = np.minimum(abs(before), abs(after)), abs(0.5 * (before + after))
        slope = np.where(before * after > 0.0, np.sign(after) * np.minimum(mean, MAX_SLOPE_RATIO * flatter), 0.0)  # (4)
        m0, m1, none = slope * spans, np.roll(slope, -1) * spans, np.zeros(len(v))
        thirds = [10.0 * rise - 6.0 * m0 - 4.0 * m1, 8.0 * m0 + 7.0 * m1 - 15.0 * rise, 6.0 * rise - 3.0 * (m0 + m1)]
        return np.stack([starts, spans, v, m0, none, *thirds], axis=1)  # (3)


@lru_cache(maxsize=512)
def cycle_curve(phases: tuple[float, ...], values: tuple[float, ...], form: str) -> CycleCurve:
    """Return the curve through keys (phase, value). Recent curves are cached."""
    return CycleCurve(phases, values, form)
