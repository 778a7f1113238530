"""Which strides are there, and how does a quantity run over one? Floats only.

A stride of a leg goes from a strike of its foot to the next. Over it, in order:

    strike, off of the other foot, strike of the other foot, off, strike                  (1)

A stride that lacks one of these is left out, as is one that lasts under 0.4 s or over 2.5 s.
"""

from typing import NamedTuple

import numpy as np

from anthropi.gait.report.events import FootTimes

__all__ = ["POINTS", "Stride", "mean_over", "over", "strides"]

POINTS = 101
SPAN = (0.4, 2.5)  # [s]


class Stride(NamedTuple):
    """One stride of a leg: times [s] of (1)."""

    start: float
    other_off: float
    other_strike: float
    off: float
    end: float

    @property
    def span(self) -> float:
        """How long it lasts [s]."""
        return self.end - self.start


def strides(own: FootTimes, other: FootTimes) -> list[Stride]:
    """The whole strides of a leg, by the events of its foot and of the other."""
    found = []
    for start, end in zip(own.strike[:-1], own.strike[1:], strict=True):
        off, lift, land = (_first(x, start, end) for x in (own.off, other.off, other.strike))
        if None in (off, lift, land) or not SPAN[0] <= end - start <= SPAN[1]:
            continue
        found.append(Stride(start, lift, land, off, end))
    return found


def over(time, x, start: float, end: float, points: int = POINTS) -> np.ndarray:
    """x (frames, …) at even times from `start` to `end`, both of them too: (points, …), on lines between frames."""
    time, x = np.asarray(time, float), np.asarray(x, float)
    when = np.linspace(start, end, points)
    flat = x.reshape(len(x), -1)
    cut = np.stack([np.interp(when, time, column) for column in flat.T], -1)
    return cut.reshape(points, *x.shape[1:])


def mean_over(time, x, rows, points: int = POINTS) -> np.ndarray:
    """The mean over strides of x (frames, …): (points, …)."""
    return np.mean([over(time, x, s.start, s.end, points) for s in rows], axis=0)


def _first(times, start: float, end: float):
    """The first of rising times within a stride."""
    inside = times[(times >= start) & (times < end)]
    return float(inside[0]) if len(inside) else None
