"""Periodic curves over a gait cycle through keys (phase, value), in three forms.

Between two keys, with s from 0 to 1, rise Δ and slopes m₀, m₁ over s:

    linear   Δ s                                                               (1)  as in the thesis: a kink at each key
    cosine   Δ (1 - cos π s)/2                                                 (2)  C¹: the slope is 0 at each key
    smooth   Δ (10 s³ - 15 s⁴ + 6 s⁵) + m₀ (s - 6 s³ + 8 s⁴ - 3 s⁵) + m₁ (-4 s³ + 7 s⁴ - 3 s⁵)      (3)  C²

(3) has no curvature at keys, no slope at local extremes, and at the other keys the slope

    the smaller of the mean of both sides' slopes and 5/4 of the flatter one   (4)

Then each piece is monotone: its derivative over Δ is (1-s)² (15 s² (1 - m₀) + m₀ (1 + 2 s)) and the same from the other
end, with m₀ ≤ 5/4 over Δ never below 0. So no form leaves the range of its keys.
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
MAX_SLOPE_RATIO = 1.25  # of the flatter side (4)


@dataclass(frozen=True)
class CycleCurve:
    """A periodic curve. phases : (K,) [cycles], rising, within one cycle. values : (K,). form : one of `FORMS`."""

    phases: tuple[float, ...]
    values: tuple[float, ...]
    form: str = "smooth"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise InputError(f"No form {self.form!r}.{did_you_mean(str(self.form), FORMS)} Forms: {', '.join(FORMS)}.")
        p = np.array(self.phases, float)
        fits = len(p) == len(self.values) > 1 and (np.diff(p) > 0.0).all() and p[-1] - p[0] < 1.0
        if not (fits and np.isfinite([*p, *self.values]).all()):
            raise InputError(
                f"A curve got phases {list(self.phases)} and values {list(self.values)}; give as many of "
                "both, phases rising within one cycle, all finite."
            )

    def __call__(self, phase: Any) -> Any:
        """Return the value at a phase [cycles]; a number, an array or recorded."""
        return self.course(phase).value

    def course(self, phase: Any) -> TimeFunction:
        """Return the value and its first and second derivative by the phase."""
        phase = phase if records(phase) else np.asarray(phase, float)
        if not records(phase) and not np.isfinite(phase).all():
            raise InputError("A curve got a phase that is not finite; give cycles.")
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
        """Starts of the pieces, from the first key on, and the end of the last one."""
        return np.array([*self.phases, self.phases[0] + 1.0]) - self.phases[0]

    @cached_property
    def _table(self) -> np.ndarray:
        """Rows of the pieces: start, span, coefficients of s."""
        starts, spans, v = self._knots[:-1], np.diff(self._knots), np.array(self.values, float)
        rise = np.roll(v, -1) - v
        if self.form != "smooth":
            return np.stack([starts, spans, v, rise], axis=1)
        after = rise / spans  # slope of the piece that begins at a key; before: of the one that ends there
        before = np.roll(after, 1)
        flatter, mean = np.minimum(abs(before), abs(after)), abs(0.5 * (before + after))
        slope = np.where(before * after > 0.0, np.sign(after) * np.minimum(mean, MAX_SLOPE_RATIO * flatter), 0.0)  # (4)
        m0, m1, none = slope * spans, np.roll(slope, -1) * spans, np.zeros(len(v))
        thirds = [10.0 * rise - 6.0 * m0 - 4.0 * m1, 8.0 * m0 + 7.0 * m1 - 15.0 * rise, 6.0 * rise - 3.0 * (m0 + m1)]
        return np.stack([starts, spans, v, m0, none, *thirds], axis=1)  # (3)


@lru_cache(maxsize=512)
def cycle_curve(phases: tuple[float, ...], values: tuple[float, ...], form: str) -> CycleCurve:
    """Return the curve through keys; recent ones are cached."""
    return CycleCurve(phases, values, form)
