"""After how many steps is a disturbed walk what it was? (spec/gait.md 2.2: people, two.) Floats only.

A step ends at a strike of a foot; the strike before, of either foot, begins it. Along the walk, H the heel that
strikes, P the pelvis:

    length = H(end) - H'(start),   speed = (P(end) - P(start)) / (end - start)              (1)
    usual where  |x - mean| ≤ max(10 % of |mean|, 2 SD)  of the same foot's steps before    (2)

The walk has recovered after n steps if every step after the n-th is usual in both; 0: no step was unusual. NaN: the
last step seen is still unusual, or there is none.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.report.foot_events import FootTimes
from anthropi.gait.report.from_motion import of_motion
from anthropi.gait.report.record import SIDES, GaitRecord

__all__ = ["Step", "recovered_after", "recovery_steps", "steps_of", "usual_steps"]

NEAR, DEVIATIONS = 0.1, 2.0  # (2)
ENOUGH = 2  # usual steps of a foot before


class Step(NamedTuple):
    """side that strikes at its end; end [s]; length [m]; speed [m/s] (1)."""

    side: str
    end: float
    length: float
    speed: float


def steps_of(time, heel, place, times: dict[str, FootTimes]) -> list[Step]:
    """The steps of a walk. heel : {side: (frames,)} [m] along the walk; place : (frames,) [m] of the pelvis."""
    strikes = sorted((float(t), side) for side in times for t in times[side].strike)
    found = []
    for (start, before), (end, side) in pairwise(strikes):
        if end - start < 1e-6:
            continue
        length = np.interp(end, time, heel[side]) - np.interp(start, time, heel[before])
        way = np.interp(end, time, place) - np.interp(start, time, place)
        found.append(Step(side, end, float(length), float(way / (end - start))))
    return found


def usual_steps(steps: list[Step]) -> dict[str, np.ndarray]:
    """{side: (2, 2)}: mean and half-width (2) of length and speed."""
    found = {}
    for side in sorted({s.side for s in steps}):
        own = np.array([(s.length, s.speed) for s in steps if s.side == side])
        if len(own) >= ENOUGH:
            mean = own.mean(0)
            found[side] = np.stack([mean, np.maximum(NEAR * np.abs(mean), DEVIATIONS * own.std(0))])  # (2)
    return found


def recovered_after(steps: list[Step], usual: dict[str, np.ndarray]) -> float:
    """How many of the steps since the disturbance it took, NaN if the last is still unusual."""
    if not steps:
        return float("nan")
    off = [
        s.side not in usual or bool((np.abs(np.array([s.length, s.speed]) - usual[s.side][0]) > usual[s.side][1]).any())
        for s in steps
    ]
    if off[-1]:
        return float("nan")
    return float(max((k + 1 for k, x in enumerate(off) if x), default=0))


def recovery_steps(motion, disturbed: tuple[float, float], *, from_time: float | None = None, events=None) -> float:
    """After how many steps is a walk what it was before a disturbance?

    motion : a Motion of a human figure with contact, or a GaitRecord. disturbed : from when to when [s]; steps that
    ended before it (since from_time) say what is usual, those that end after it began count.
    """
    start, end = disturbed
    if not start <= end:
        raise InputError(f"disturbed={disturbed!r}: give when it begins and ends [s].")
    record = motion if isinstance(motion, GaitRecord) else of_motion(motion)
    record = record.from_time(from_time)
    if record.heel is None or record.place is None:
        raise InputError("Recovery steps need the ways of heels and pelvis; the record lacks them.")
    times, _ = record.foot_times(events)
    steps = steps_of(record.time, {s: record.heel[s][:, 0] for s in SIDES}, record.place[:, 0], times)
    usual = usual_steps([s for s in steps if s.end < start])
    if set(usual) != set(SIDES):
        raise InputError(
            f"Before {start:g} s there are too few steps to know what is usual: {ENOUGH} of each foot are "
            "wanted. Disturb later, or give an earlier from_time."
        )
    return recovered_after([s for s in steps if s.end >= start], usual)
