"""A schedule of steps, each with its own gait plan (docs/equations/thesis.md, 9.3, principle 1).

Step k begins with a strike at T_k and has the durations of its own plan P_k:

    T_k+1 = T_k + t_step(P_k),   the other foot leaves at T_k + t_ds(P_k)      (1)  walking
    the foot itself leaves at T_k + t_stance(P_k)                              (2)  running
    cycles at t in step k: ½ (k + (t - T_k) / t_step(P_k)), a left strike at 0 (3)

Double support belongs to the step it begins, a parameter changed during a step acts from the next strike on, and a step
with the plan of the step before is its mirror image, t_step later (9.8). Before the first strike and after the last,
the first and last plans continue. Times of events are sums of (1), with the same bits in every method.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra.scalar import clip, floor, less, less_equal, maximum, where
from anthropi.contact.virtual_leg.feet import blend
from anthropi.errors import InputError
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.phases import (
    MIN_DURATION,
    FootEvent,
    checked_side,
    other,
    phase_of,
    seconds,
    step_events,
    whole_steps,
)
from anthropi.motion.time_functions import pick, piece_at

__all__ = ["Schedule"]


@dataclass(frozen=True)
class Schedule:
    """A sequence of steps.

    plans : a `GaitPlan` for each. start : [s] of the first strike. first : its foot, "l" or "r".
    """

    plans: tuple[GaitPlan, ...]
    start: float = 0.0
    first: str = "l"

    def __post_init__(self) -> None:
        plans = tuple(self.plans) if isinstance(self.plans, (tuple, list)) else (self.plans,)
        other_types = [type(p).__name__ for p in plans if not isinstance(p, GaitPlan)]
        if not plans or other_types:
            raise InputError(f"A schedule is a row of GaitPlans, one a step; got {other_types or 'none'}.")
        if len({(p.height, p.kind) for p in plans}) > 1:
            raise InputError(
                "The plans of a schedule differ in height or kind: one body walks, or runs. Make a schedule for each."
            )
        checked_side(self.first)
        object.__setattr__(self, "plans", plans)
        object.__setattr__(self, "start", seconds("start", self.start))

    @classmethod
    def steady(cls, plan: GaitPlan, steps: int, start: float = 0.0, first: str = "l") -> "Schedule":
        """Return a schedule with the same plan for a number of steps."""
        return cls((plan,) * whole_steps(steps), start, first)

    def __len__(self) -> int:
        return len(self.plans)

    @cached_property
    def strikes(self) -> np.ndarray:
        """Times (steps + 1,) [s] of all strikes, including the one that ends the last step (1)."""
        times = [self.start]
        for plan in self.plans:
            times.append(times[-1] + plan.step)
        return np.array(times)

    @cached_property
    def feet(self) -> tuple[str, ...]:
        """The foot of each of `strikes`."""
        return tuple(self.first if k % 2 == 0 else other(self.first) for k in range(len(self) + 1))

    @property
    def duration(self) -> float:
        """Time from the first strike to the last [s]."""
        return float(self.strikes[-1]) - self.start

    def changed(self, at: float, **parameters: Any) -> "Schedule":
        """Return the schedule with parameters (of `GaitPlan.changed`) that act from the first strike after `at` [s]."""
        begun = int(np.searchsorted(self.strikes[:-1], seconds("at", at), "left"))  # number of steps begun before
        return Schedule(
            (*self.plans[:begun], *(p.changed(**parameters) for p in self.plans[begun:])), self.start, self.first
        )

    def mirrors(self, step: int) -> bool:
        """Return whether a step mirrors the one before it: both have the same plan."""
        return 0 < step < len(self) and self.plans[step] == self.plans[step - 1]

    def events(self) -> tuple[FootEvent, ...]:
        """Return all foot events in order of time (1), (2), including the strike that ends the last step."""
        rows = zip(self.plans, self.strikes, self.feet, strict=False)
        found = [event for plan, t, foot in rows for event in step_events(plan, float(t), foot)]
        return (*found, FootEvent(float(self.strikes[-1]), self.feet[-1], "strike"))

    # in time: all of it records --------------------------------------------------------------------------------------

    def step_at(self, t: Any) -> Any:
        """Return the number of the step at t, 0 … steps - 1; the first and last continue without end."""
        if len(self) == 1:
            return 0.0 * t
        return clip(piece_at(self.strikes[1:-1], t), 0.0, len(self) - 1.0)

    def cycles(self, t: Any) -> Any:
        """Return the cycles since a left strike (3)."""
        k = self.step_at(t)
        began, step = self._of(k, self.strikes[:-1]), self._of(k, [p.step for p in self.plans])
        return 0.5 * (k + (t - began) / step) + (0.0 if self.first == "l" else 0.5)

    def phase(self, t: Any, side: str = "l") -> Any:
        """Return the cycles since the last strike of a side, in [0, 1)."""
        return phase_of(self.cycles(t), side)

    def down(self, t: Any, side: str) -> Any:
        """Return whether the foot of a side is on the ground."""
        into, own, plan = self._within(t, side)
        run = self.plans[0].kind == "run"
        off = plan("stance") if run else plan("double_support")
        early = less(into, off)
        return own & early if run else own | early

    def alpha(self, t: Any, form: str = "cosine") -> Any:
        """Return the left foot's share of the virtual leg's force, as `GaitPlan.alpha`."""
        into, left, plan = self._within(t, "l")
        if self.plans[0].kind == "run":
            share = 1.0 - blend(
                form, (into - plan("stance")) / maximum(plan("flight"), MIN_DURATION)
            )  # of the foot that struck
        else:
            share = blend(form, into / maximum(plan("double_support"), MIN_DURATION))
        return where(left, share, 1.0 - share)

    def _within(self, t, side: str):
        """Return the time [s] since the step began, whether the side's foot began it, and a lookup in its plan."""
        k = self.step_at(t)
        step = self._of(k, [p.step for p in self.plans])
        into = t - self._of(k, self.strikes[:-1])
        whole = floor(into / step)  # before the first strike and after the last, steps continue
        into = into - whole * step
        count = k + whole + (0.0 if self.first == checked_side(side) else 1.0)
        own = less_equal(count - 2.0 * floor(0.5 * count), 0.5)
        return into, own, lambda name: self._of(k, [getattr(p, name) for p in self.plans])

    def _of(self, k, numbers):
        """Look up the entry of step k."""
        table = np.asarray(numbers, float)
        if all(a == b for a, b in pairwise(table)):
            return float(table[0])
        return pick(table, k if not isinstance(k, (float, np.ndarray, np.floating)) else np.asarray(k).astype(int))
