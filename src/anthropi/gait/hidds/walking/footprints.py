"""Where and when is each foot on the ground? Prints of a schedule of steps, on a grid of times. Floats only.

Strike k at T_k, the whole multiple of dt nearest to the schedule's, on the line y = ±w/2 at

    x_k = x_k-1 + (step length of step k-1),   x_0 = 0                         (1)

The foot of strike k leaves at T_k+1 + t_ds(k+1). Steps like the first and the last go before and after.

Foot
----
How does a foot roll over its print? Heel rocker, flat, forefoot rocker: where its ankle is. Floats only.

In the plane of walking, x forward from the print (under the ankle when the foot is flat), with the sole's pitch φ (up
with the toes), the heel h behind, the toe joint b ahead of the ankle and d above the sole, the ankle e above it:

    φ > 0   about the heel:        A = (-h + h cos φ - e sin φ,            h sin φ + e cos φ)                  (2)
    φ < 0   about the toe joint:   A = ( b - b cos φ - (e - d) sin φ,  d - b sin φ + (e - d) cos φ)            (3)

Both are the same at φ = 0, where a flat foot rests. The load goes from the heel to the ball while the foot is
flat, from phase s_f to s_r of stance:

    c = -h + (h + b) w((s - s_f) / (s_r - s_f)),   w from 0 to 1, C²                               (4)
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anthropi.contact.virtual_leg.feet import BLENDS
from anthropi.gait.plan.schedule import Schedule
from anthropi.motion.splines import spline

__all__ = ["SIGN", "Foot", "Prints", "smooth"]


SIGN = {"l": 1.0, "r": -1.0}


@dataclass(frozen=True)
class Prints:
    """schedule : of walking steps. width w [m] between the lines of the feet. dt [s]."""

    schedule: Schedule
    width: float
    dt: float

    @cached_property
    def more(self) -> int:
        """Steps before and after: `hip_path.py` and `legs.py` look up to five of the longest steps past the ends."""
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


FLAT, RISING = 0.05, 0.55  # (4): of stance; pressure passes the ankle early and stays under the ball


def smooth(s):
    """From 0 to 1 with two derivatives 0 at both ends."""
    s = np.clip(s, 0.0, 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


@dataclass(frozen=True)
class Foot:
    """heel h behind, toe joint b ahead of the ankle, ankle e and toe joint d above the sole [m]."""

    heel: float
    ball: float
    ankle: float
    pad: float

    def ankle_at(self, pitch) -> np.ndarray:
        """(2), (3): the ankle (n, 2), x and z, from the print, of a foot that stands at a pitch (n,)."""
        pitch = np.asarray(pitch, float)
        c, s = np.cos(pitch), np.sin(pitch)
        arm, pad = np.where(pitch > 0.0, self.heel, -self.ball), np.where(pitch > 0.0, 0.0, self.pad)
        return np.stack([arm * (c - 1.0) - (self.ankle - pad) * s, pad + arm * s + (self.ankle - pad) * c], -1)

    def below(self, pitch) -> np.ndarray:
        """How far the lower of heel and ball is below the ankle (n,) [m], toes level."""
        c, s = np.cos(pitch), np.sin(pitch)
        heel, ball = self.ankle * c + self.heel * s, self.pad + (self.ankle - self.pad) * c - self.ball * s
        return np.maximum(heel, ball)

    def load_at(self, stance) -> np.ndarray:
        """(4): where the load is, x from the print (n,) [m]; stance : from strike 0 to off 1."""
        return -self.heel + (self.heel + self.ball) * smooth((stance - FLAT) / (RISING - FLAT))
