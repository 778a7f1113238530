"""Trials of pushes: 8 directions × 8 phases, 0.1 s at the pelvis (`gait/report/push_map.py`). For plain floats only."""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import Subject

from anthropi.gait.report.push_map import PushMap, push_map
from anthropi.gait.walker import Command

__all__ = ["IMPULSES", "lines_of", "pushes"]

IMPULSES = (20.0, 30.0, 40.0, 50.0, 60.0)  # [N s] at 75 kg
REQUIRED_IMPULSE, REQUIRED_SHARE = 40.0, 90.0  # [N s], [%] of the cells


def pushes(who: Subject, speed: float = 1.3, impulses=IMPULSES, progress=None, opt=2) -> tuple[list[Line], PushMap]:
    """Return the shares that survive each impulse, and the push map."""
    own = [j * who.figure.mass / 75.0 for j in impulses]
    found = push_map(who.scene, who.controller, who.start, impulses=own, rounds=0, command=Command(speed=speed).row(),
                     progress=progress, opt=opt)  # fmt: skip
    return lines_of(found, impulses), found


def lines_of(found: PushMap, impulses=IMPULSES) -> list[Line]:
    """Return a line per impulse, and the worst direction and phase at the required one."""
    lines = []
    for j in impulses:
        limit = REQUIRED_SHARE if j == REQUIRED_IMPULSE else None
        lines.append(Line(f"{j:g} N s survived", 100.0 * found.share(j, True), "% of cells", limit, None, 0))
    own = REQUIRED_IMPULSE * found.mass / 75.0
    up = (found.survived & (np.abs(found.tried - own) < 1e-9 * own)).any(-1)
    by_direction, by_phase = up.mean(1), up.mean(0)
    lines.append(Line(f"{REQUIRED_IMPULSE:g} N s, worst direction", 100.0 * by_direction.min(), "%", digits=0,
                      note=found.names()[int(by_direction.argmin())]))  # fmt: skip
    lines.append(Line(f"{REQUIRED_IMPULSE:g} N s, worst phase", 100.0 * by_phase.min(), "%", digits=0,
                      note=f"{100.0 * found.phases[int(by_phase.argmin())]:.0f} % of the stride"))  # fmt: skip
    return lines
