"""Foot events and phases of a gait cycle (docs/equations/thesis.md, 9.4).

    LHS ── RTO ────────── RHS ── LTO ────────── LHS
    0      t_ds           t_step t_step + t_ds  t_cycle                        (1)

(L, R: left, right; HS: heel strike; TO: toe off.) The stance of a leg lasts from foot strike to foot off, and its swing
until the next strike. The body is in double support during [LHS, RTO] and [RHS, LTO], and in single support between
them. The thesis uses "stance phase" for double and "swing phase" for single support (erratum E12); here stance and
swing refer to one leg. Running has no double support: a foot leaves the ground before the other strikes, and the body
is in flight between.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import floor, less_equal, maximum
from anthropi.contact.virtual_leg.feet import blend, in_step
from anthropi.errors import InputError
from anthropi.motion.motion import FootEvent

__all__ = [
    "FOOT_LOAD",
    "SIDES",
    "FootEvent",
    "alpha_at",
    "checked_side",
    "other",
    "phase_of",
    "seconds",
    "step_events",
    "support",
    "whole_steps",
]

SIDES = ("l", "r")
FOOT_LOAD = 20.0
"""Vertical force [N] from which a foot is on the ground, for recorded foot events, gait reports, the walker's phase
clock and its search (docs/equations/gait.md, 2.4)."""
MIN_DURATION = 1e-9  # [s] of double support or flight; if it is shorter, α is a step function


def checked_side(side: Any) -> str:
    """Return a side if it is "l" or "r"; raise InputError otherwise."""
    if side not in SIDES:
        raise InputError(f"Unknown side={side!r}. Choose 'l' (left) or 'r' (right).")
    return side


def whole_steps(steps: Any) -> int:
    """Return a number of steps as an integer; raise InputError if it is not a positive whole number."""
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 1:
        raise InputError(f"steps={steps!r}: give a whole number of at least 1.")
    return int(steps)


def seconds(name: str, t: Any) -> float:
    """Return a time [s] as a float; raise InputError if it is not a finite number."""
    if isinstance(t, bool) or not isinstance(t, (int, float, np.number)) or not np.isfinite(t):
        raise InputError(f"{name}={t!r}: give a finite number of seconds.")
    return float(t)


def other(side: str) -> str:
    """Return the opposite side."""
    return "r" if checked_side(side) == "l" else "l"


def phase_of(cycles: Any, side: str = "l") -> Any:
    """Return the phase of a side: cycles since its last foot strike, in [0, 1).

    cycles : cycles since any left strike. Can be recorded on a tape.
    """
    shifted = cycles - (0.0 if checked_side(side) == "l" else 0.5)
    part = shifted - floor(shifted)
    return part - floor(part)  # just before a strike, rounding may give 1


def alpha_at(t: Any, step: float, double: float, stance: float, form: str = "cosine") -> Any:
    """Return the left foot's share α of the support, t [s] after a left strike (docs/equations/thesis.md, 9.7).

    step, double, stance : durations of step, double support and stance [s]. There is no support in flight; α then
    changes from the foot that left the ground to the next. Can be recorded on a tape.
    """
    if stance > step:
        return in_step(t, step, maximum(double, MIN_DURATION), form)
    t = t - 2.0 * step * floor(t / (2.0 * step))
    flight = max(step - stance, MIN_DURATION)
    return 1.0 - blend(form, (t - stance) / flight) + blend(form, (t - step - stance) / flight)


def step_events(plan: Any, start: float, foot: str) -> tuple[FootEvent, FootEvent]:
    """Return the two events of a step that begins with a strike of `foot` at `start` [s] (1)."""
    strike = FootEvent(start, checked_side(foot), "strike")
    if plan.kind == "run":
        return strike, FootEvent(start + plan.stance, foot, "off")
    return strike, FootEvent(start + plan.double_support, other(foot), "off")


def support(plan: Any, t: Any) -> dict[str, Any]:
    """Return masks of the kind of support at time t [s].

    The keys are "double support", "left single support", "right single support" and "flight". Can be recorded on a
    tape.
    """
    left, right = plan.down(t, "l"), plan.down(t, "r")
    up_left, up_right = (less_equal(plan.stance_fraction, plan.phase(t, side)) for side in SIDES)
    return {
        "double support": left & right,
        "left single support": left & up_right,
        "right single support": up_left & right,
        "flight": up_left & up_right,
    }
