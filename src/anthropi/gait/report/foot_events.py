"""Foot events of a walk, and its strides. Works on plain floats only; cannot be recorded on a tape.

Events come from the first of these sources that is available:

    recorded   the FootEvents of a motion
    load       the vertical force on a foot crosses a threshold (20 N: docs/equations/gait.md, 2.4); gaps under 50 ms
               and contacts under 100 ms are ignored as bounces                                                 (1)
    markers    Zeni, Richards, Higginson, Gait & Posture 27 (2008) 710: a foot strikes when its heel is farthest in
               front of the pelvis, and leaves the ground when its toes are farthest behind it                  (2)

A stride of a leg goes from one strike of its foot to the next. The events of a complete stride are, in this order:

    strike, off of the other foot, strike of the other foot, off, strike                                        (3)

Strides without one of these events, shorter than 0.4 s or longer than 2.5 s are left out.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.plan.phases import FOOT_LOAD

__all__ = [
    "POINTS",
    "THRESHOLD",
    "FootTimes",
    "Stride",
    "by_load",
    "by_markers",
    "from_events",
    "mean_over",
    "over",
    "strides",
]


THRESHOLD = FOOT_LOAD  # [N]
MIN_GAP, MIN_CONTACT = 0.05, 0.1  # [s] of (1)
MIN_PEAK_DISTANCE = 0.35  # [cycles] between two strikes of a foot


class FootTimes(NamedTuple):
    """Times [s] at which a foot strikes (`strike`) and leaves the ground (`off`), in increasing order."""

    strike: np.ndarray
    off: np.ndarray

    def between(self, start: float, end: float) -> "FootTimes":
        """Return the events between two times [s]."""
        return FootTimes(*(x[(x >= start) & (x <= end)] for x in self))


def from_events(events: Any, side: str) -> FootTimes | None:
    """Return the event times of the foot of a side, or None if there are none.

    events : objects with the attributes time, foot and what, such as FootEvent.
    """
    own = [e for e in events if getattr(e, "foot", None) == side and getattr(e, "what", None) in ("strike", "off")]
    times = [np.array(sorted(e.time for e in own if e.what == what)) for what in ("strike", "off")]
    return FootTimes(*times) if len(times[0]) else None


def by_load(time: Any, vertical: Any, threshold: float = THRESHOLD) -> FootTimes:
    """Find the events of a foot by load (1), at the first frame beyond the threshold [N].

    time : (frames,) [s]. vertical : (frames,) [N], vertical ground force on the foot.
    """
    time, on = np.asarray(time, float), np.asarray(vertical, float) > threshold
    on = _without(on, time, False, MIN_GAP)
    on = _without(on, time, True, MIN_CONTACT)
    change = np.diff(on.astype(int))
    return FootTimes(time[1:][change > 0], time[1:][change < 0])


def by_markers(time: Any, heel: Any, toe: Any) -> FootTimes:
    """Find the events of a foot by markers (2). heel, toe : (frames,) [m], distance in front of the pelvis."""
    return FootTimes(_peaks(time, np.asarray(heel, float)), _peaks(time, -np.asarray(toe, float)))


def _without(on, time, value: bool, least: float):
    """Invert runs of `value` shorter than `least` [s], except those at the ends."""
    edges = np.flatnonzero(np.diff(on.astype(int))) + 1
    found = on.copy()
    for first, last in pairwise(edges):
        if on[first] == value and time[last] - time[first] < least:
            found[first:last] = not value
    return found


def _peaks(time, x) -> np.ndarray:
    """Return the times of the maxima of x, one per cycle, interpolated by parabolas; without maxima at the ends."""
    time = np.asarray(time, float)
    reach = MIN_PEAK_DISTANCE * _period(time, x)
    high = np.flatnonzero((x[1:-1] >= x[:-2]) & (x[1:-1] > x[2:])) + 1
    kept = [k for k in high if x[k] >= x[np.abs(time - time[k]) <= reach].max() and x[k] > x.mean()]
    return np.array([_summit(time, x, int(k)) for k in kept])


def _summit(time, x, k: int) -> float:
    second = x[k - 1] - 2.0 * x[k] + x[k + 1]
    aside = 0.5 * (x[k - 1] - x[k + 1]) / second if second < 0.0 else 0.0
    return float(time[k] + aside * 0.5 * (time[k + 1] - time[k - 1]))


def _period(time, x) -> float:
    """Return the period [s] of a signal: the lag from 0.5 to 2.5 s with the largest autocorrelation."""
    step = float(np.median(np.diff(time)))
    even = np.interp(np.arange(time[0], time[-1], step), time, x - np.mean(x))
    low, high = int(0.5 / step), min(int(2.5 / step), len(even) - int(0.3 / step))
    if high <= low + 1:
        raise InputError(
            f"Foot events by markers need more than one gait cycle; the motion lasts {time[-1] - time[0]:.2f} s."
        )
    pairs = [(even[: len(even) - k], even[k:]) for k in range(low, high)]
    like = [a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-12) for a, b in pairs]
    best = np.flatnonzero(np.array(like) >= max(like) - 0.03)[0]  # later equal maxima are multiples
    return (low + int(best)) * step


POINTS = 101  # points of a curve over a cycle
STRIDE_TIME = (0.4, 2.5)  # [s] shortest and longest stride


class Stride(NamedTuple):
    """One stride of a leg: the times [s] of its five events (3)."""

    start: float
    other_off: float
    other_strike: float
    off: float
    end: float

    @property
    def span(self) -> float:
        """Duration of the stride [s]."""
        return self.end - self.start


def strides(own: FootTimes, other: FootTimes) -> list[Stride]:
    """Return the complete strides of a leg, from the events of its own foot and of the other foot."""
    found = []
    for start, end in zip(own.strike[:-1], own.strike[1:], strict=True):
        off, lift, land = (_first(x, start, end) for x in (own.off, other.off, other.strike))
        if None in (off, lift, land) or not STRIDE_TIME[0] <= end - start <= STRIDE_TIME[1]:
            continue
        found.append(Stride(start, lift, land, off, end))
    return found


def over(time: Any, x: Any, start: float, end: float, points: int = POINTS) -> np.ndarray:
    """Interpolate x (frames, …) linearly at evenly spaced times from `start` to `end` [s], both included.

    Returns an array (points, …).
    """
    time, x = np.asarray(time, float), np.asarray(x, float)
    when = np.linspace(start, end, points)
    flat = x.reshape(len(x), -1)
    cut = np.stack([np.interp(when, time, column) for column in flat.T], -1)
    return cut.reshape(points, *x.shape[1:])


def mean_over(time: Any, x: Any, rows: list[Stride], points: int = POINTS) -> np.ndarray:
    """Return the mean of x (frames, …) over strides, sampled over the cycle: (points, …)."""
    return np.mean([over(time, x, s.start, s.end, points) for s in rows], axis=0)


def _first(times, start: float, end: float):
    """Return the first of increasing times between `start` and `end`, or None."""
    inside = times[(times >= start) & (times < end)]
    return float(inside[0]) if len(inside) else None
