"""A profile of forces over time, to be edited by hand and run again (thesis 9.6).

An edit acts between two times, with a smooth edge of `over` seconds inside each end:

    w(t) = s² (3 - 2 s),   s = (t - start) / over, (end - t) / over, cut to 0 … 1    (1)
    scaled    τ (1 + w (factor - 1))                                           (2)
    shifted   τ + w offset                                                     (3)
    through   τ + d(t), d the spline through value - τ at the given times and 0 at start and end     (4)

Floats only.
"""

from dataclasses import dataclass, replace

import numpy as np

from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.gait.hidds.sequence import Sequence, hidds
from anthropi.gait.refinement import change
from anthropi.motion import Motion, spline

__all__ = ["Profile"]


@dataclass(frozen=True, eq=False)
class Profile:
    """Joint forces over time. time : (frames,) [s]. tau : (frames, nu) [N m or N], each held until the next frame."""

    figure: Figure
    time: np.ndarray
    tau: np.ndarray

    def __post_init__(self):
        time, tau = np.array(self.time, float), np.array(self.tau, float)
        if tau.shape != (len(time), self.figure.nu) or not np.isfinite(tau).all():
            raise InputError(f"tau has shape {tau.shape}; wanted finite {(len(time), self.figure.nu)}.")
        for name, x in (("time", time), ("tau", tau)):
            x.setflags(write=False)
            object.__setattr__(self, name, x)

    @classmethod
    def of(cls, motion, **options) -> "Profile":
        """The forces in a motion's channel "tau"; where it has none, those of its open loop (options as of `hidds`)."""
        if isinstance(motion, Motion) and motion.tau is not None and motion.q.ndim == 2:
            return cls(motion.figure, motion.time, motion.tau)
        made = Sequence(motion, **options)
        return cls(made.figure, made.wanted.time, np.where(made.forced, made.planned(), 0.0))

    # edits, each a new profile

    def scaled(self, names, factor: float, start=None, end=None, over: float = 0.05) -> "Profile":
        """Some joints' or degrees of freedom's forces times a factor, from start to end [s] (2)."""
        return self._with(names, self.tau * (1.0 + self._window(start, end, over) * (_number("factor", factor) - 1.0)))

    def shifted(self, names, offset: float, start=None, end=None, over: float = 0.05) -> "Profile":
        """Some forces more by an offset [N m or N], from start to end [s] (3)."""
        return self._with(names, self.tau + self._window(start, end, over) * _number("offset", offset))

    def through(self, name: str, points: dict[float, float], start=None, end=None) -> "Profile":
        """One degree of freedom's force through {time [s]: value}, changed smoothly between start and end (4)."""
        places = self.figure.dof_indices([name])
        if len(places) != 1 or not points:
            raise InputError(f"through('{name}', …) takes one degree of freedom and at least one point. '{name}' has "
                             f"{len(places)}.")  # fmt: skip
        first, last = self._span(start, end)
        own = self.tau[:, places[0]]
        apart = {t: _number("value", x) - np.interp(t, self.time, own) for t, x in sorted(points.items())}
        if not first <= min(apart) <= max(apart) <= last:
            raise InputError(f"Points from {min(apart):g} to {max(apart):g} s lie outside {first:g} to {last:g} s.")
        keys = {first: 0.0, last: 0.0} | apart
        times = sorted(keys)
        more = spline(times, [keys[t] for t in times], "clamped")(self.time).value
        inside = (first <= self.time) & (self.time <= last)
        return self._with(name, self.tau + np.where(inside, more, 0.0)[:, None])

    def apart(self, other: "Profile") -> float:
        """How far another profile is from this one: RMS of the difference, as a share of this one's."""
        return change(self.tau, other.tau)

    def run(self, motion, **options) -> Motion:
        """What direct dynamics makes of it, from the first frame of a motion on, beside that motion; as `hidds`."""
        return hidds(motion, "open loop", tau=self.tau, **options)

    def _with(self, names, tau) -> "Profile":
        mine = np.isin(np.arange(self.figure.nu), self.figure.dof_indices(names))
        return replace(self, tau=np.where(mine, tau, self.tau))

    def _span(self, start, end) -> tuple[float, float]:
        first = self.time[0] if start is None else _number("start", start)
        last = self.time[-1] if end is None else _number("end", end)
        if not first < last:
            raise InputError(f"An edit from {first:g} to {last:g} s: give a start before the end.")
        return first, last

    def _window(self, start, end, over) -> np.ndarray:
        """w (frames, 1) of (1); an end that is not given has no edge."""
        first, last = self._span(start, end)
        edge = max(min(_number("over", over), 0.5 * (last - first)), 1e-12)
        rise = np.ones(len(self.time)) if start is None else np.clip((self.time - first) / edge, 0.0, 1.0)
        fall = np.ones(len(self.time)) if end is None else np.clip((last - self.time) / edge, 0.0, 1.0)
        s = np.minimum(rise, fall)
        return (s * s * (3.0 - 2.0 * s))[:, None]


def _number(name: str, value) -> float:
    if not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
        raise InputError(f"{name}={value!r}: give a number.")
    return float(value)
