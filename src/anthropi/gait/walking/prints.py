"""Where and when is each foot on the ground? Prints of a schedule of steps, on a grid of times. Floats only.

Strike k at T_k, the whole multiple of dt nearest to the schedule's, on the line y = ±w/2 at

    x_k = x_k-1 + (step length of step k-1),   x_0 = 0                         (1)

The foot of strike k leaves at T_k+1 + t_ds(k+1). Steps like the first and the last go before and after.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anthropi.contact.virtual_leg.feet import BLENDS
from anthropi.gait.schedule import Schedule
from anthropi.motion.splines import spline

__all__ = ["SIGN", "Prints"]

SIGN = {"l": 1.0, "r": -1.0}


@dataclass(frozen=True)
class Prints:
    """schedule : of walking steps. width w [m] between the lines of the feet. dt [s]."""

    schedule: Schedule
    width: float
    dt: float

    @cached_property
    def more(self) -> int:
        """Steps before and after: `balance.py` and `legs.py` look up to five of the longest steps past the ends."""
        long = max(plan.step for plan in self.schedule.plans)
        short = min(self.schedule.plans[0].step, self.schedule.plans[-1].step)
        return math.ceil(5.5 * long / short) + 2

    @cached_property
    def plans(self):
        """The plan of each step, those before and after with them."""
        own = self.schedule.plans
        return (own[0],) * self.more + own + (own[-1],) * (self.more + 1)

    @cached_property
    def strikes(self) -> np.ndarray:
        """T (steps,) [s], on the grid."""
        own = self.schedule.strikes
        before = own[0] - self.plans[0].step * np.arange(self.more, 0, -1)
        after = own[-1] + self.plans[-1].step * np.arange(1, self.more + 1)
        return np.round(np.concatenate([before, own, after]) / self.dt) * self.dt

    @cached_property
    def offs(self) -> np.ndarray:
        """(steps,) [s]: when the other foot leaves, in each step."""
        double = [plan.double_support for plan in self.plans]
        return self.strikes + np.maximum(np.round(np.array(double) / self.dt), 1.0) * self.dt

    @cached_property
    def places(self) -> np.ndarray:
        """x (steps,) [m] of the prints (1)."""
        x = np.concatenate([[0.0], np.cumsum([plan.step_length for plan in self.plans[:-1]])])
        return x - x[self.more]

    @cached_property
    def feet(self) -> tuple[str, ...]:
        """Which foot strikes."""
        first = self.schedule.first
        other = "r" if first == "l" else "l"
        return tuple(first if (k - self.more) % 2 == 0 else other for k in range(len(self.strikes)))

    def step_at(self, t) -> np.ndarray:
        """The step that holds each of t (n,)."""
        return np.clip(np.searchsorted(self.strikes, t + 0.25 * self.dt, "right") - 1, 0, len(self.strikes) - 2)

    def last(self, t, side: str) -> np.ndarray:
        """The last strike of a side before each of t (n,)."""
        k = self.step_at(t)
        return k - (np.array([self.feet[0] != side]) ^ (k % 2 == 1))

    def line(self, side: str) -> float:
        """y of a side's prints [m]."""
        return SIGN[side] * 0.5 * self.width

    def phase(self, t) -> np.ndarray:
        """Cycles since a left strike (n,): a spline through the strikes, so that unlike steps join smoothly."""
        count = np.arange(len(self.strikes)) - self.more + (self.schedule.first != "l")
        slope = [0.5 / (end[1] - end[0]) for end in (self.strikes[:2], self.strikes[-2:])]
        return spline(self.strikes, 0.5 * count, "clamped", tuple(slope))(t).value

    def stance(self, t, side: str) -> np.ndarray:
        """How much of its stance a foot has had (n,): 0 at strike, 1 when it leaves, on until it strikes again."""
        k = self.last(t, side)
        return (t - self.strikes[k]) / (self.offs[np.minimum(k + 1, len(self.offs) - 1)] - self.strikes[k])

    def load(self, t, side: str, form: str = "cosine") -> np.ndarray:
        """The side's share α of the virtual leg's force (n,): blends of `contact.virtual_leg.feet`."""
        k = self.step_at(t)
        s = np.clip((t - self.strikes[k]) / (self.offs[k] - self.strikes[k]), 0.0, 1.0)
        taken = BLENDS[form](s)
        own = np.array([foot == side for foot in self.feet])[k]
        return np.where(own, taken, 1.0 - taken)

    def middles(self) -> np.ndarray:
        """(steps,) [s]: the middle of each double support."""
        return 0.5 * (self.strikes + self.offs)
