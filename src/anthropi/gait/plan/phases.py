"""Which foot touches, leaves, carries, and when? Events and phases of a cycle (thesis 9.4).

    LHS ── RTO ────────── RHS ── LTO ────────── LHS
    0      t_ds           t_step t_step + t_ds  t_cycle                        (1)

Per leg: stance from foot strike to foot off, swing until the next strike. Of the body: double support [LHS, RTO] and
[RHS, LTO], single support between. The thesis says "stance phase" for double and "swing phase" for single support
(erratum E12); here stance and swing are a leg's. In running no double support is left: a foot leaves before the other
strikes, and the body is in flight.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import floor, less_equal, maximum
from anthropi.contact.virtual_leg.feet import blend, in_step
from anthropi.errors import InputError
from anthropi.motion.motion import FootEvent

__all__ = [
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
SHORTEST = 1e-9  # [s] of a double support that has vanished: α jumps


def checked_side(side) -> str:
    """The side, if it is one."""
    if side not in SIDES:
        raise InputError(f"No side {side!r}. Sides: 'l' (left), 'r' (right).")
    return side


def whole_steps(steps) -> int:
    """A number of steps, if it is one."""
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 1:
        raise InputError(f"steps={steps!r}: give a whole number from 1 up.")
    return int(steps)


def seconds(name: str, t) -> float:
    """A time [s], if it is one."""
    if isinstance(t, bool) or not isinstance(t, (int, float, np.number)) or not np.isfinite(t):
        raise InputError(f"{name}={t!r}: give seconds.")
    return float(t)


def other(side: str) -> str:
    """The other side."""
    return "r" if checked_side(side) == "l" else "l"


def phase_of(cycles, side: str = "l"):
    """Cycles since the last strike of a side, in [0, 1), from cycles since some left strike. Records."""
    shifted = cycles - (0.0 if checked_side(side) == "l" else 0.5)
    part = shifted - floor(shifted)
    return part - floor(part)  # 1 where a hair before a strike is rounded


def alpha_at(t, step, double, stance, form: str = "cosine"):
    """α, what the left foot takes, at t [s] after a left strike (thesis 9.7). Records.

    step, double, stance : [s]. In flight nothing is taken; α then goes from the foot that left to the one that comes.
    """
    if stance > step:
        return in_step(t, step, maximum(double, SHORTEST), form)
    t = t - 2.0 * step * floor(t / (2.0 * step))
    flight = max(step - stance, SHORTEST)
    return 1.0 - blend(form, (t - stance) / flight) + blend(form, (t - step - stance) / flight)


def step_events(plan, start: float, foot: str) -> tuple[FootEvent, FootEvent]:
    """The two events of a step that begins with a strike of `foot` at `start` [s]: (1) up to the next strike."""
    strike = FootEvent(start, checked_side(foot), "strike")
    if plan.kind == "run":
        return strike, FootEvent(start + plan.stance, foot, "off")
    return strike, FootEvent(start + plan.double_support, other(foot), "off")


def support(plan, t) -> dict[str, Any]:
    """Masks at t [s]: "double support", "left single support", "right single support", "flight". Records."""
    left, right = plan.down(t, "l"), plan.down(t, "r")
    up_left, up_right = (less_equal(plan.stance_fraction, plan.phase(t, side)) for side in SIDES)
    return {
        "double support": left & right,
        "left single support": left & up_right,
        "right single support": up_left & right,
        "flight": up_left & up_right,
    }
