"""A schedule of steps, each with its own gait plan (docs/equations/thesis.md, 9.3, principle 1).

Step k begins with a strike at T_k and has the durations of its own plan P_k:

    T_k+1 = T_k + t_step(P_k),   the other foot leaves at T_k + t_ds(P_k)      (1)  walking
    the foot itself leaves at T_k + t_stance(P_k)                              (2)  running
    cycles at t in step k: ½ (k + (t - T_k) / t_step(P_k)), a left strike at 0 (3)

Double support belongs to the step that it begins. A parameter that is changed during a step takes effect at the next
strike. A step with the same plan as the step before is its mirror image, t_step later (9.8). Before the first strike
and after the last, the first and last plans continue. Event times are sums of (1), bit for bit equal in all methods.
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

    plans : one `GaitPlan` for each step. start : time of the first strike [s]. first : its foot, "l" or "r".
    """

    plans: tuple[GaitPlan, ...]
    start: float = 0.0
    first: str = "l"

    def __post_init__(self) -> None:
        plans = tuple(self.plans) if isinstance(self.plans, (tuple, list)) else (self.plans,)
        other_types = [type(p).__name__ for p in plans if not isinstance(p, GaitPlan)]
        if not plans or other_types:
            raise InputError(f"A schedule needs a sequence of GaitPlans, one per step; got {other_types or 'none'}.")
        if len({(p.height, p.kind) for p in plans}) > 1:
            raise InputError(
                "The plans of a schedule must have the same height and kind. Make one schedule for each body and kind."
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
        """Times of all strikes (steps + 1,) [s], including the one that ends the last step (1)."""
        times = [self.start]
        for plan in self.plans:
            times.append(times[-1] + plan.step)
        return np.array(times)

    @cached_property
    def feet(self) -> tuple[str, ...]:
        """Foot of each strike, "l" or "r"."""
        return tuple(self.first if k % 2 == 0 else other(self.first) for k in range(len(self) + 1))

    @property
    def duration(self) -> float:
        """Time from the first strike to the last [s]."""
        return float(self.strikes[-1]) - self.start

    def changed(self, at: float, **parameters: Any) -> "Schedule":
        """Return the schedule with plan parameters changed from the first strike after the time `at` [s].

        The parameters are those of `GaitPlan.changed`.
        """
        begun = int(np.searchsorted(self.strikes[:-1], seconds("at", at), "left"))  # number of steps begun before
        return Schedule(
            (*self.plans[:begun], *(p.changed(**parameters) for p in self.plans[begun:])), self.start, self.first
        )

    def mirrors(self, step: int) -> bool:
        """Return whether a step is the mirror image of the one before it, because both have the same plan."""
        return 0 < step < len(self) and self.plans[step] == self.plans[step - 1]

    def events(self) -> tuple[FootEvent, ...]:
        """Return all foot events in order of time (1), (2), including the strike that ends the last step."""
        rows = zip(self.plans, self.strikes, self.feet, strict=False)
        found = [event for plan, t, foot in rows for event in step_events(plan, float(t), foot)]
        return (*found, FootEvent(float(self.strikes[-1]), self.feet[-1], "strike"))

    # functions of time t [s]; all can be recorded on a tape ----------------------------------------------------------

    def step_at(self, t: Any) -> Any:
        """Return the index of the step at time t [s]: 0 before the first strike, steps - 1 after the last."""
        if len(self) == 1:
            return 0.0 * t
        return clip(piece_at(self.strikes[1:-1], t), 0.0, len(self) - 1.0)

    def cycles(self, t: Any) -> Any:
        """Return the number of cycles at time t [s], counted from a left strike (3)."""
        k = self.step_at(t)
        began, step = self._of(k, self.strikes[:-1]), self._of(k, [p.step for p in self.plans])
        return 0.5 * (k + (t - began) / step) + (0.0 if self.first == "l" else 0.5)

    def phase(self, t: Any, side: str = "l") -> Any:
        """Return the phase of a side at time t [s]: cycles since its last foot strike, in [0, 1)."""
        return phase_of(self.cycles(t), side)

    def down(self, t: Any, side: str) -> Any:
        """Return whether the foot of a side is on the ground at time t [s]."""
        into, own, plan = self._within(t, side)
        run = self.plans[0].kind == "run"
        off = plan("stance") if run else plan("double_support")
        early = less(into, off)
        return own & early if run else own | early

    def alpha(self, t: Any, form: str = "cosine") -> Any:
        """Return the left foot's share of the virtual leg's force at time t [s], as in `GaitPlan.alpha`."""
        into, left, plan = self._within(t, "l")
        if self.plans[0].kind == "run":
            share = 1.0 - blend(
                form, (into - plan("stance")) / maximum(plan("flight"), MIN_DURATION)
            )  # share of the foot that struck
        else:
            share = blend(form, into / maximum(plan("double_support"), MIN_DURATION))
        return where(left, share, 1.0 - share)

    def _within(self, t, side: str):
        """Return the time since the step began [s], whether the side's foot began it, and a lookup function.

        The lookup function returns an attribute of the step's plan by name.
        """
        k = self.step_at(t)
        step = self._of(k, [p.step for p in self.plans])
        into = t - self._of(k, self.strikes[:-1])
        whole = floor(into / step)  # before the first strike and after the last, steps continue
        into = into - whole * step
        count = k + whole + (0.0 if self.first == checked_side(side) else 1.0)
        own = less_equal(count - 2.0 * floor(0.5 * count), 0.5)
        return into, own, lambda name: self._of(k, [getattr(p, name) for p in self.plans])

    def _of(self, k, numbers):
        """Look up the entry of step k in a list of numbers, one per step."""
        table = np.asarray(numbers, float)
        if all(a == b for a, b in pairwise(table)):
            return float(table[0])
        return pick(table, k if not isinstance(k, (float, np.ndarray, np.floating)) else np.asarray(k).astype(int))
