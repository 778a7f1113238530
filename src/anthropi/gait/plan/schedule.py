"""Who steps when, if the plan changes on the way? A row of plans, one a step (thesis 9.3, principle 1).

Step k begins with a strike at T_k and has the durations of its own plan P_k:

    T_k+1 = T_k + t_step(P_k),   the other foot leaves at T_k + t_ds(P_k)      (1)  walking
    the foot itself leaves at T_k + t_stance(P_k)                              (2)  running
    cycles at t in step k: ½ (k + (t - T_k) / t_step(P_k)), a left strike at 0 (3)

So double support belongs to the step it begins, a parameter changed during a step acts from the next strike on, and a
step whose plan is the last one's is its mirror image, t_step later (9.8). Before the first strike and after the last
the first and last plans go on. Times of events are sums of (1), the same numbers wherever they are asked for.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from anthropi.algebra.scalar import clip, floor, less, less_equal, maximum, where
from anthropi.contact.virtual_leg.feet import blend
from anthropi.errors import InputError
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.phases import (
    SHORTEST,
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
    """Steps one after the other. plans : a `GaitPlan` for each. start : [s], the first strike. first : its foot."""

    plans: tuple[GaitPlan, ...]
    start: float = 0.0
    first: str = "l"

    def __post_init__(self):
        plans = tuple(self.plans) if isinstance(self.plans, (tuple, list)) else (self.plans,)
        strangers = [type(p).__name__ for p in plans if not isinstance(p, GaitPlan)]
        if not plans or strangers:
            raise InputError(f"A schedule is a row of GaitPlans, one a step; got {strangers or 'none'}.")
        if len({(p.height, p.kind) for p in plans}) > 1:
            raise InputError("The plans of a schedule differ in height or kind: one body walks, or runs. Make a "
                             "schedule for each.")  # fmt: skip
        checked_side(self.first)
        object.__setattr__(self, "plans", plans)
        object.__setattr__(self, "start", seconds("start", self.start))

    @classmethod
    def steady(cls, plan: GaitPlan, steps: int, start: float = 0.0, first: str = "l") -> "Schedule":
        """The same plan for a number of steps."""
        return cls((plan,) * whole_steps(steps), start, first)

    def __len__(self) -> int:
        return len(self.plans)

    @cached_property
    def strikes(self) -> np.ndarray:
        """T (steps + 1,) [s]: every strike, and the one that ends the last step (1)."""
        times = [self.start]
        for plan in self.plans:
            times.append(times[-1] + plan.step)
        return np.array(times)

    @cached_property
    def feet(self) -> tuple[str, ...]:
        """Which foot strikes at each of `strikes`."""
        return tuple(self.first if k % 2 == 0 else other(self.first) for k in range(len(self) + 1))

    @property
    def duration(self) -> float:
        """From the first strike to the last [s]."""
        return float(self.strikes[-1]) - self.start

    def changed(self, at: float, **parameters) -> "Schedule":
        """The schedule with parameters changed at a time [s]: they act from the next strike on, `GaitPlan.changed`."""
        begun = int(np.searchsorted(self.strikes[:-1], seconds("at", at), "left"))  # steps that have begun before
        return Schedule((*self.plans[:begun], *(p.changed(**parameters) for p in self.plans[begun:])), self.start,
                        self.first)  # fmt: skip

    def mirrors(self, step: int) -> bool:
        """Whether a step is the one before it mirrored, t_step later: the same plan."""
        return 0 < step < len(self) and self.plans[step] == self.plans[step - 1]

    def events(self) -> tuple[FootEvent, ...]:
        """Every foot event, in the order of time (1), (2), and the strike that ends the last step."""
        rows = zip(self.plans, self.strikes, self.feet, strict=False)
        found = [event for plan, t, foot in rows for event in step_events(plan, float(t), foot)]
        return (*found, FootEvent(float(self.strikes[-1]), self.feet[-1], "strike"))

    # in time: all of it records --------------------------------------------------------------------------------------

    def step_at(self, t):
        """Which step holds t: 0 … steps - 1; the first and last go on for ever."""
        if len(self) == 1:
            return 0.0 * t
        return clip(piece_at(self.strikes[1:-1], t), 0.0, len(self) - 1.0)

    def cycles(self, t):
        """(3): cycles since a left strike, rising."""
        k = self.step_at(t)
        began, step = self._of(k, self.strikes[:-1]), self._of(k, [p.step for p in self.plans])
        return 0.5 * (k + (t - began) / step) + (0.0 if self.first == "l" else 0.5)

    def phase(self, t, side: str = "l"):
        """Cycles since the last strike of a side, in [0, 1)."""
        return phase_of(self.cycles(t), side)

    def down(self, t, side: str):
        """Whether the foot of a side is on the ground."""
        into, own, plan = self._within(t, side)
        run = self.plans[0].kind == "run"
        off = plan("stance") if run else plan("double_support")
        early = less(into, off)
        return own & early if run else own | early

    def alpha(self, t, form: str = "cosine"):
        """What the left foot takes of the virtual leg's force, as `GaitPlan.alpha`."""
        into, left, plan = self._within(t, "l")
        if self.plans[0].kind == "run":
            share = 1.0 - blend(
                form, (into - plan("stance")) / maximum(plan("flight"), SHORTEST)
            )  # of the foot that struck
        else:
            share = blend(form, into / maximum(plan("double_support"), SHORTEST))
        return where(left, share, 1.0 - share)

    def _within(self, t, side: str):
        """Seconds into the step, whether the side's foot began it, and numbers of its plan."""
        k = self.step_at(t)
        step = self._of(k, [p.step for p in self.plans])
        into = t - self._of(k, self.strikes[:-1])
        whole = floor(into / step)  # before the first strike and after the last, steps go on
        into = into - whole * step
        count = k + whole + (0.0 if self.first == checked_side(side) else 1.0)
        own = less_equal(count - 2.0 * floor(0.5 * count), 0.5)
        return into, own, lambda name: self._of(k, [getattr(p, name) for p in self.plans])

    def _of(self, k, numbers):
        """The number of step k."""
        table = np.asarray(numbers, float)
        if all(a == b for a, b in pairwise(table)):
            return float(table[0])
        return pick(table, k if not isinstance(k, (float, np.ndarray, np.floating)) else np.asarray(k).astype(int))
