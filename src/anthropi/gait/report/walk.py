"""A record cut into strides: what every part of the report starts from. Floats only."""

from dataclasses import dataclass

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.norms import SPEEDS
from anthropi.gait.report.events import FootTimes
from anthropi.gait.report.record import SIDES, GaitRecord
from anthropi.gait.report.strides import Stride, strides

__all__ = ["Walk", "walk_of"]

G = 9.81  # [m/s²]
FREE = SPEEDS["free"]


@dataclass(frozen=True, eq=False)
class Walk:
    """record : what was measured. strides : {side: whole strides}. times : {side: FootTimes}. events : how found.

    norm_speed : the dimensionless speed of the norm it is held against.
    """

    record: GaitRecord
    strides: dict[str, list[Stride]]
    times: dict[str, FootTimes]
    events: str
    norm_speed: float = FREE

    @property
    def weight(self) -> float:
        """[N]"""
        return self.record.mass * G

    @property
    def span(self) -> tuple[float, float]:
        """From the first to the last strike [s] of the leg that has more strides: whole cycles."""
        rows = max(self.strides.values(), key=len)
        return rows[0].start, rows[-1].end

    @property
    def speed(self) -> float | None:
        """Mean speed over whole cycles [m/s], None if the way is not known."""
        if self.record.place is None:
            return self.record.belt or None
        start, end = self.span
        there, here = (np.interp(t, self.record.time, self.record.place[:, 0]) for t in (end, start))
        return float((there - here) / (end - start) + self.record.belt)

    @property
    def dimensionless_speed(self) -> float | None:
        """v / √(g leg length)"""
        return None if self.speed is None else self.speed / float(np.sqrt(G * self.record.leg_length))


def walk_of(record: GaitRecord, events: str | None = None, threshold: float = 20.0) -> Walk:
    """Cut a record into strides."""
    times, how = record.foot_times(events, threshold)
    found = {side: strides(times[side], times[other]) for side, other in zip(SIDES, SIDES[::-1], strict=True)}
    if not any(found.values()):
        strikes = ", ".join(f"{side} {len(times[side].strike)}" for side in SIDES)
        raise InputError(f"No whole stride from {record.time[0]:g} to {record.time[-1]:g} s: foot strikes by {how}: "
                         f"{strikes}. A stride goes from a strike to the next of the same foot, the other's steps "
                         "between. Record longer, or begin earlier (from_time).")  # fmt: skip
    return Walk(record, found, times, how)
