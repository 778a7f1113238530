"""Trials of a thousand steps at each speed, compared with the plan. Works on plain floats only."""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import Subject
from research.walker_trials.timing import timing
from research.walker_trials.walks import long_walk

from anthropi.gait.reference.reference_gait import reference_plan

__all__ = ["SPEEDS", "speeds"]

SPEEDS = (0.8, 1.3, 1.7)  # [m/s]
SETTLED = 8.0  # [s] until a walk has reached its speed
PLAN_TOLERANCE = 5.0  # [%]


def speeds(who: Subject, at=SPEEDS, steps: int = 1000, progress=None) -> list[Line]:
    """Return lines of steps, speed and durations compared with the plan, at each speed."""
    found, lines = long_walk(who, at, steps, progress=progress), []
    for k, v in enumerate(at):
        plan, up = reference_plan(who.figure, v), ~(found.time >= found.fell[k])  # NaN: no fall
        count = found.steps[k][up]
        count = float(count[np.isfinite(count)].max(initial=0.0))
        fell = f"fell at {found.fell[k]:.1f} s" if np.isfinite(found.fell[k]) else "did not fall"
        lines.append(Line(f"{v:g} m/s, steps without falling", min(count, steps), "", steps, None, 0, fell))
        own = timing(found.time[up], found.place[k][up], {s: x[k][up] for s, x in found.load.items()}, SETTLED)
        rows = (("speed", own.speed, v, "m/s"), ("step time", own.step, plan.step, "s"),
                ("double support", own.double_support, plan.double_support, "s"),
                ("stance fraction", own.stance, plan.stance_fraction, ""))  # fmt: skip
        for name, measured, planned, unit in rows:
            note = f"{measured:.3f} against {planned:.3f} {unit}".rstrip()
            lines.append(
                Line(
                    f"{v:g} m/s, {name} off",
                    100.0 * (measured / planned - 1.0),
                    "%",
                    -PLAN_TOLERANCE,
                    PLAN_TOLERANCE,
                    1,
                    note,
                )
            )
    return lines
