"""Trials of running: steps, speed and flight. Works on plain floats only."""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import subject
from research.walker_trials.timing import timing
from research.walker_trials.walks import long_walk

__all__ = ["runs"]

SETTLED = 3.0  # [s]
SPEED_TOLERANCE = 5.0  # [%]


def runs(walker="run", speed: float = 3.0, steps: int = 100, opt=2) -> list[Line]:
    """Return lines of steps, speed and flight."""
    who = subject(walker=walker)
    found = long_walk(who, [speed], steps, opt=opt)
    up = ~(found.time >= found.fell[0])
    count = float(np.nanmax(found.steps[0][up], initial=0.0))
    own = timing(found.time[up], found.place[0][up], {s: x[0][up] for s, x in found.load.items()}, SETTLED)
    fell = f"fell at {found.fell[0]:.1f} s" if np.isfinite(found.fell[0]) else "did not fall"
    return [
        Line(f"{speed:g} m/s, running steps", min(count, steps), "", steps, None, 0, fell),
        Line(
            "speed off",
            100.0 * (own.speed / speed - 1.0),
            "%",
            -SPEED_TOLERANCE,
            SPEED_TOLERANCE,
            1,
            f"{own.speed:.2f} m/s",
        ),
        Line("flight", 100.0 * own.flight, "% of the time", 1.0, None, 0),
        Line("steps a minute", 60.0 / own.step, "", digits=0),
    ]
