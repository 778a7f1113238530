"""Footprints of a schedule of steps on a grid of times, and the roll of a foot over its footprint.

Strike k is at the time T_k, the multiple of dt nearest to that of the schedule, on the line y = ±w/2 at

    x_k = x_k-1 + (step length of step k-1),   x_0 = 0                                                         (1)

The foot of strike k leaves the ground at T_k+1 + t_ds(k+1). Steps like the first are added before it, and steps like
the last after it.

A foot rolls over heel, flat sole and forefoot. In the plane of walking, x points forward from the footprint, which is
under the ankle of the flat foot. The sole has the pitch φ (positive with toes up). The heel is h behind the ankle, the
toe joint is b ahead of the ankle and d above the sole, and the ankle is e above the sole. Then the ankle A is at

    φ > 0   about the heel:        A = (-h + h cos φ - e sin φ,            h sin φ + e cos φ)                  (2)
    φ < 0   about the toe joint:   A = ( b - b cos φ - (e - d) sin φ,  d - b sin φ + (e - d) cos φ)            (3)

Both agree at φ = 0, the flat foot. The load moves from the heel to the ball while the foot is flat, from phase s_f to
s_r of stance:

    c = -h + (h + b) w((s - s_f) / (s_r - s_f)),   w from 0 to 1, C²                                           (4)

The functions work on plain floats only.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.contact.virtual_leg.feet import BLENDS
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.schedule import Schedule
from anthropi.motion.splines import spline

__all__ = ["SIGN", "Foot", "Prints", "smooth"]


SIGN = {"l": 1.0, "r": -1.0}


@dataclass(frozen=True)
class Prints:
    """Footprints of a schedule of steps.

    schedule : walking steps. width : distance w between the lines of the feet [m]. dt : time step of the grid [s].
    """

    schedule: Schedule
    width: float
    dt: float

    @cached_property
    def more(self) -> int:
        """Number of additional steps at each end. `hip_path.py` and `legs.py` need up to five of the longest steps."""
        long = max(plan.step for plan in self.schedule.plans)
        short = min(self.schedule.plans[0].step, self.schedule.plans[-1].step)
        return math.ceil(5.5 * long / short) + 2

    @cached_property
    def plans(self) -> tuple[GaitPlan, ...]:
        """Plan of each step, including the additional steps."""
        own = self.schedule.plans
        return (own[0],) * self.more + own + (own[-1],) * (self.more + 1)

    @cached_property
    def strikes(self) -> np.ndarray:
        """Times T of the strikes (steps,) [s], rounded to the grid."""
        own = self.schedule.strikes
        before = own[0] - self.plans[0].step * np.arange(self.more, 0, -1)
        after = own[-1] + self.plans[-1].step * np.arange(1, self.more + 1)
        return np.round(np.concatenate([before, own, after]) / self.dt) * self.dt

    @cached_property
    def offs(self) -> np.ndarray:
        """Times (steps,) [s] at which the other foot leaves the ground in each step."""
        double = [plan.double_support for plan in self.plans]
        return self.strikes + np.maximum(np.round(np.array(double) / self.dt), 1.0) * self.dt

    @cached_property
    def places(self) -> np.ndarray:
        """Positions x of the footprints (steps,) [m] (1)."""
        x = np.concatenate([[0.0], np.cumsum([plan.step_length for plan in self.plans[:-1]])])
        return x - x[self.more]

    @cached_property
    def feet(self) -> tuple[str, ...]:
        """Foot of each strike, "l" or "r"."""
        first = self.schedule.first
        other = "r" if first == "l" else "l"
        return tuple(first if (k - self.more) % 2 == 0 else other for k in range(len(self.strikes)))

    def step_at(self, t: np.ndarray) -> np.ndarray:
        """Return the index of the step at times t (n,) [s]."""
        return np.clip(np.searchsorted(self.strikes, t + 0.25 * self.dt, "right") - 1, 0, len(self.strikes) - 2)

    def last(self, t: np.ndarray, side: str) -> np.ndarray:
        """Return the index of the last strike of a side before times t (n,) [s]."""
        k = self.step_at(t)
        return k - (np.array([self.feet[0] != side]) ^ (k % 2 == 1))

    def line(self, side: str) -> float:
        """Return the coordinate y [m] of the footprints of a side."""
        return SIGN[side] * 0.5 * self.width

    def phase(self, t: np.ndarray) -> np.ndarray:
        """Return the cycles since a left strike (n,) at times t (n,) [s].

        The function is a spline through the strikes, so that it is smooth even between different steps.
        """
        count = np.arange(len(self.strikes)) - self.more + (self.schedule.first != "l")
        slope = [0.5 / (end[1] - end[0]) for end in (self.strikes[:2], self.strikes[-2:])]
        return spline(self.strikes, 0.5 * count, "clamped", tuple(slope))(t).value

    def stance(self, t: np.ndarray, side: str) -> np.ndarray:
        """Return the fraction of a foot's stance at times t (n,): 0 at strike, 1 at foot off, above 1 in swing."""
        k = self.last(t, side)
        return (t - self.strikes[k]) / (self.offs[np.minimum(k + 1, len(self.offs) - 1)] - self.strikes[k])

    def load(self, t: np.ndarray, side: str, form: str = "cosine") -> np.ndarray:
        """Return the share α of a side in the virtual leg's force (n,) at times t (n,) [s].

        form : blend of `contact.virtual_leg.feet` over double support.
        """
        k = self.step_at(t)
        s = np.clip((t - self.strikes[k]) / (self.offs[k] - self.strikes[k]), 0.0, 1.0)
        taken = BLENDS[form](s)
        own = np.array([foot == side for foot in self.feet])[k]
        return np.where(own, taken, 1.0 - taken)

    def middles(self) -> np.ndarray:
        """Return the time of the middle of each double support (steps,) [s]."""
        return 0.5 * (self.strikes + self.offs)


FLAT, RISING = 0.05, 0.55  # shares of stance (4); the load passes the ankle early and stays under the ball


def smooth(s: Any) -> np.ndarray:
    """Blend smoothly from 0 to 1 for s from 0 to 1. The first two derivatives are 0 at both ends."""
    s = np.clip(s, 0.0, 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


@dataclass(frozen=True)
class Foot:
    """Lengths of a foot [m].

    heel, ball : distances h and b of heel and ball behind and ahead of the ankle. ankle, pad : heights e and d of the
    ankle and of the toe joint above the sole.
    """

    heel: float
    ball: float
    ankle: float
    pad: float

    def ankle_at(self, pitch: Any) -> np.ndarray:
        """Compute the ankle position of a stance foot at pitch angles (n,) [rad] (2), (3).

        Returns x and z relative to the footprint, (n, 2) [m].
        """
        pitch = np.asarray(pitch, float)
        c, s = np.cos(pitch), np.sin(pitch)
        arm, pad = np.where(pitch > 0.0, self.heel, -self.ball), np.where(pitch > 0.0, 0.0, self.pad)
        return np.stack([arm * (c - 1.0) - (self.ankle - pad) * s, pad + arm * s + (self.ankle - pad) * c], -1)

    def below(self, pitch: Any) -> np.ndarray:
        """Compute how far the lower of heel and ball is below the ankle (n,) [m], with level toes."""
        c, s = np.cos(pitch), np.sin(pitch)
        heel, ball = self.ankle * c + self.heel * s, self.pad + (self.ankle - self.pad) * c - self.ball * s
        return np.maximum(heel, ball)

    def load_at(self, stance: Any) -> np.ndarray:
        """Compute the position x of the load relative to the footprint (n,) [m] (4).

        stance : fraction of stance, 0 at strike and 1 at foot off.
        """
        return -self.heel + (self.heel + self.ball) * smooth((stance - FLAT) / (RISING - FLAT))
