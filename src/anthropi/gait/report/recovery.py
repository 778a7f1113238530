"""Number of steps after which a disturbed walk has recovered (docs/equations/gait.md, 2.2: two in people).

A step ends at a strike of a foot; the strike before, of either foot, begins it. Along the walk, with H the heel that
strikes and P the pelvis:

    length = H(end) - H'(start),   speed = (P(end) - P(start)) / (end - start)              (1)
    usual where  |x - mean| ≤ max(10 % of |mean|, 2 SD)  of the same foot's steps before    (2)

The walk has recovered after n steps if every step after the n-th is usual in both; 0: no step was unusual. NaN: the
last step is still unusual, or there is none. Plain floats only, cannot be recorded.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.report.foot_events import FootTimes
from anthropi.gait.report.from_motion import of_motion
from anthropi.gait.report.record import SIDES, GaitRecord
from anthropi.motion import Motion

__all__ = ["Step", "recovered_after", "recovery_steps", "steps_of", "usual_steps"]

RELATIVE_WIDTH, DEVIATIONS = 0.1, 2.0  # of (2)
MIN_STEPS = 2  # of a foot before the disturbance


class Step(NamedTuple):
    """A step (1): side that strikes at its end, end [s], length [m], speed [m/s]."""

    side: str
    end: float
    length: float
    speed: float


def steps_of(time: Any, heel: dict[str, Any], place: Any, times: dict[str, FootTimes]) -> list[Step]:
    """Return the steps of a walk (1).

    time : (frames,) [s]. heel : {side: (frames,)} [m] along the walk. place : (frames,) [m] of the pelvis.
    """
    strikes = sorted((float(t), side) for side in times for t in times[side].strike)
    found = []
    for (start, before), (end, side) in pairwise(strikes):
        if end - start < 1e-6:
            continue
        length = np.interp(end, time, heel[side]) - np.interp(start, time, heel[before])
        distance = np.interp(end, time, place) - np.interp(start, time, place)
        found.append(Step(side, end, float(length), float(distance / (end - start))))
    return found


def usual_steps(steps: list[Step]) -> dict[str, np.ndarray]:
    """Return {side: (2, 2)}, mean and half-width (2) of length and speed."""
    found = {}
    for side in sorted({s.side for s in steps}):
        own = np.array([(s.length, s.speed) for s in steps if s.side == side])
        if len(own) >= MIN_STEPS:
            mean = own.mean(0)
            found[side] = np.stack([mean, np.maximum(RELATIVE_WIDTH * np.abs(mean), DEVIATIONS * own.std(0))])  # (2)
    return found


def recovered_after(steps: list[Step], usual: dict[str, np.ndarray]) -> float:
    """Return the number of steps until the last unusual one; NaN if the last step is still unusual."""
    if not steps:
        return float("nan")
    off = [
        s.side not in usual or bool((np.abs(np.array([s.length, s.speed]) - usual[s.side][0]) > usual[s.side][1]).any())
        for s in steps
    ]
    if off[-1]:
        return float("nan")
    return float(max((k + 1 for k, x in enumerate(off) if x), default=0))


def recovery_steps(
    motion: Motion | GaitRecord,
    disturbed: tuple[float, float],
    *,
    from_time: float | None = None,
    events: str | None = None,
) -> float:
    """Count the steps until a walk has recovered from a disturbance.

    motion : a Motion of a human figure with contact, or a GaitRecord. disturbed : start and end [s]; steps that ended
    before it (since from_time) define what is usual, steps that end after its start count. events : as in
    `gait_report`.
    """
    start, end = disturbed
    if not start <= end:
        raise InputError(f"disturbed={disturbed!r}: give its start and end [s].")
    record = motion if isinstance(motion, GaitRecord) else of_motion(motion)
    record = record.from_time(from_time)
    if record.heel is None or record.place is None:
        raise InputError("Recovery steps need the positions of heels and pelvis; the record lacks them.")
    times, _ = record.foot_times(events)
    steps = steps_of(record.time, {s: record.heel[s][:, 0] for s in SIDES}, record.place[:, 0], times)
    usual = usual_steps([s for s in steps if s.end < start])
    if set(usual) != set(SIDES):
        raise InputError(
            f"Before {start:g} s there are too few steps to know what is usual: {MIN_STEPS} of each foot are "
            "needed. Disturb later, or give an earlier from_time."
        )
    return recovered_after([s for s in steps if s.end >= start], usual)
