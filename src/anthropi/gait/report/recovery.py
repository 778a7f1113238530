"""Number of steps after which a disturbed walk has recovered (docs/equations/gait.md, 2.2: two in people).

A step begins at a strike of one foot and ends at the next strike of either foot. In the direction of walking, with H
the heel that strikes at the end, H' the heel that strikes at the start and P the pelvis:

    length = H(end) - H'(start),   speed = (P(end) - P(start)) / (end - start)              (1)
    usual where  |x - mean| ≤ max(10 % of |mean|, 2 SD)  of the same foot's steps before    (2)

The walk has recovered after n steps if length and speed of every later step are usual. The result is 0 if no step was
unusual, and NaN if the last step is still unusual or there are no steps. The functions work on plain floats only and
cannot be recorded on a tape.
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
MIN_STEPS = 2  # steps of each foot before the disturbance


class Step(NamedTuple):
    """A step (1): side of the foot that strikes at its end, time of its end [s], length [m] and speed [m/s]."""

    side: str
    end: float
    length: float
    speed: float


def steps_of(time: Any, heel: dict[str, Any], place: Any, times: dict[str, FootTimes]) -> list[Step]:
    """Return the steps of a walk (1).

    time : (frames,) [s]. heel : {side: (frames,)} [m], heel positions along the direction of walking.
    place : (frames,) [m], pelvis position along it. times : {side: FootTimes}, the foot events.
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
    """Return {side: (2, 2)}: mean and half-width (2) of the usual range of step length and speed."""
    found = {}
    for side in sorted({s.side for s in steps}):
        own = np.array([(s.length, s.speed) for s in steps if s.side == side])
        if len(own) >= MIN_STEPS:
            mean = own.mean(0)
            found[side] = np.stack([mean, np.maximum(RELATIVE_WIDTH * np.abs(mean), DEVIATIONS * own.std(0))])  # (2)
    return found


def recovered_after(steps: list[Step], usual: dict[str, np.ndarray]) -> float:
    """Return the number of steps up to the last unusual one; NaN if the final step is unusual."""
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

    motion : a Motion of a human figure with contact, or a GaitRecord.
    disturbed : start and end of the disturbance [s]. Steps that end before its start define the undisturbed steps;
        steps that end after its start are counted.
    from_time : start of the analysis [s]. events : source of the foot events, as in `gait_report`.
    """
    start, end = disturbed
    if not start <= end:
        raise InputError(f"disturbed={disturbed!r}: give the start and end of the disturbance [s].")
    record = motion if isinstance(motion, GaitRecord) else of_motion(motion)
    record = record.from_time(from_time)
    if record.heel is None or record.place is None:
        raise InputError("Recovery steps need the positions of heels and pelvis, which the record does not contain.")
    times, _ = record.foot_times(events)
    steps = steps_of(record.time, {s: record.heel[s][:, 0] for s in SIDES}, record.place[:, 0], times)
    usual = usual_steps([s for s in steps if s.end < start])
    if set(usual) != set(SIDES):
        raise InputError(
            f"There are too few steps before {start:g} s to define the usual step: {MIN_STEPS} of each foot are "
            "needed. Disturb the walk later, or give an earlier from_time."
        )
    return recovered_after([s for s in steps if s.end >= start], usual)
