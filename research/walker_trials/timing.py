"""Step times, support times and speed of a walk from the loads of both feet. Works on plain floats only.

    step = half of a stride;  double support = ((other off - strike) + (off - other strike)) / 2, once a step     (1)
    stance = (off - strike) / stride;  speed = path of the pelvis over whole strides / their time                 (2)
    flight = share of the time in which no foot carries load                                                      (3)

All are means over all strides of both legs. A foot is loaded above 20 N.
"""

from typing import NamedTuple

import numpy as np

from anthropi.gait.report.foot_events import THRESHOLD, by_load, strides

__all__ = ["Timing", "timing"]


class Timing(NamedTuple):
    """Means: step, double_support [s]; stance, flight; speed [m/s]; length [m] of a stride; number of strides."""

    step: float
    double_support: float
    stance: float
    flight: float
    speed: float
    length: float
    strides: int


def timing(time, place, load: dict, start: float = 0.0) -> Timing:
    """Measure the timing of one walk from `start` [s] on.

    place : (frames, 2 or 3) [m] of the pelvis. load : {side: (frames,)} [N].
    """
    time = np.asarray(time, float)
    kept = time >= start
    time, place, load = time[kept], np.asarray(place)[kept], {side: np.asarray(x)[kept] for side, x in load.items()}
    times = {side: by_load(time, x) for side, x in load.items()}
    rows = {side: strides(times[side], times[other]) for side, other in (("l", "r"), ("r", "l"))}
    every = [s for own in rows.values() for s in own]
    if not every:
        return Timing(*(float("nan"),) * 6, 0)
    step = float(np.mean([0.5 * s.span for s in every]))
    double = float(np.mean([0.5 * (s.other_off - s.start + s.off - s.other_strike) for s in every]))  # (1)
    stance = float(np.mean([(s.off - s.start) / s.span for s in every]))  # (2)
    longest = max(rows.values(), key=len)
    begun, ended = longest[0].start, longest[-1].end
    air = (load["l"] < THRESHOLD) & (load["r"] < THRESHOLD) & (time >= begun) & (time < ended)
    flight = float(air.sum() / ((time >= begun) & (time < ended)).sum())  # (3)
    path = [np.interp(ended, time, x) - np.interp(begun, time, x) for x in place[:, :2].T]
    speed = float(np.hypot(*path) / (ended - begun))
    return Timing(step, double, stance, flight, speed, 2.0 * step * speed, len(every))
