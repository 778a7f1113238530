"""Measured curves of a walk, and their strides.

A `GaitRecord` contains the curves of a walk over time, for each side, without the figure. It is made from a motion
(`from_motion.of_motion`) or from measured tables. Fields that were not recorded are None, and the report marks their
rows as not measured. A `Walk` is a record cut into strides. The functions work on plain floats only.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from anthropi.errors import InputError, ShapeError
from anthropi.gait.reference.norms import SPEEDS
from anthropi.gait.report.foot_events import THRESHOLD, FootTimes, Stride, by_load, by_markers, strides

__all__ = ["SIDES", "GaitRecord", "Walk", "walk_of"]


SIDES = ("l", "r")
G = 9.81  # [m/s²]


@dataclass(frozen=True, eq=False)
class GaitRecord:
    """Measured curves of a walk. In vectors, x points forward (direction of walking), y left and z up.

    Attributes
    ----------
    time : (frames,) [s].
    mass : body mass [kg].
    leg_length : height of the hip above the ground [m].
    angles : {side: {name: (frames,)}} [rad], with the names of `gait_angles`.
    name : title of the walk.
    arms : {side: {"shoulder", "elbow": (frames,)}} [rad].
    place : (frames, 3) [m], position of the pelvis.
    belt : speed [m/s] of a treadmill belt, which moves backwards.
    force : {side: (frames, 3)} [N], ground reaction force on each foot.
    moments : {side: {name: (frames,)}} [N m/kg], internal joint moments.
    power : (frames, dofs) [W], power of every degree of freedom except those of the root.
    heel, toe : {side: (frames, 3)} [m], positions.
    soles : {side: (frames, points, 3)} [m], positions of the sole points.
    off_print : {side: (frames,)} [m], distance of a stance foot from its footprint, for figures without feet.
    residual : (frames, 6), force [N] and moment [N m] that drive the root.
    unbalanced : (frames, 6), force [N] and moment [N m] at the root that recorded contact forces do not explain.
    missing_force : reason why moments and power are None although joint forces were recorded: no force supports the
        body, so that they do not include the ground reaction.
    aid : (frames, aids, 3) [N m], external moments that hold segments (`walker/external_aid.py`). The shape is
        (frames, 0, 3) if there is no aid.
    recorded : {side: FootTimes}, recorded foot events.
    """

    time: np.ndarray
    mass: float
    leg_length: float
    angles: dict[str, dict[str, np.ndarray]]
    name: str = "walk"
    arms: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    place: np.ndarray | None = None
    belt: float = 0.0
    force: dict[str, np.ndarray] | None = None
    moments: dict[str, dict[str, np.ndarray]] | None = None
    power: np.ndarray | None = None
    heel: dict[str, np.ndarray] | None = None
    toe: dict[str, np.ndarray] | None = None
    soles: dict[str, np.ndarray] | None = None
    off_print: dict[str, np.ndarray] | None = None
    residual: np.ndarray | None = None
    unbalanced: np.ndarray | None = None
    missing_force: str = ""
    aid: np.ndarray | None = None
    recorded: dict[str, FootTimes] | None = None

    def __post_init__(self) -> None:
        frames = len(self.time)
        by_side = {
            "force": self.force,
            "heel": self.heel,
            "toe": self.toe,
            "soles": self.soles,
            "off_print": self.off_print,
        }
        rows = {f"{name} {side}": x for name, found in by_side.items() for side, x in (found or {}).items()}
        for group in ("angles", "arms", "moments"):
            for side, found in (getattr(self, group) or {}).items():
                rows |= {f"{group} {side} {name}": x for name, x in found.items()}
        rows |= {name: getattr(self, name) for name in ("place", "power", "residual", "unbalanced", "aid")}
        for name, x in rows.items():
            if x is not None and len(x) != frames:
                raise ShapeError(
                    f"{name} has {len(x)} frames, but time has {frames}. Sample all curves at the same times."
                )

    def from_time(self, start: float | None) -> "GaitRecord":
        """Return the part of the record after a start time [s]; the whole record if it is None."""
        if start is not None and not isinstance(start, (int, float, np.number)):
            raise InputError(f"from_time={start!r}: give a number of seconds.")
        if start is None or start <= self.time[0]:
            return self
        kept = self.time >= start
        if kept.sum() < 3:
            raise InputError(f"from_time={start:g}: the motion ends at {self.time[-1]:g} s. Give an earlier time.")
        return replace(self, **{name: _cut(getattr(self, name), kept) for name in _OVER_TIME}, time=self.time[kept])

    def foot_times(self, how: str | None = None, threshold: float = THRESHOLD) -> tuple[dict[str, FootTimes], str]:
        """Return the events of both feet and their source: "recorded", "load" or "markers".

        how : the source; the first available one if None. threshold : vertical force [N] for "load".
        """
        choices = {"recorded": self.recorded, "load": self.force, "markers": self.toe and self.heel}
        if how is not None and how not in choices:
            raise InputError(f"Unknown events={how!r}. Choose one of: {', '.join(choices)}.")
        if how is None:
            how = next((name for name, there in choices.items() if there is not None), None)
        if how is None or choices[how] is None:
            missing = "FootEvents, forces or heel markers" if how is None else f"the data for events='{how}'"
            raise InputError(
                f"Foot events cannot be found: the walk does not contain {missing}. Record contact, or give recorded=."
            )
        if how == "recorded" and self.recorded is not None:
            span = float(self.time[0]), float(self.time[-1])
            return {side: self.recorded[side].between(*span) for side in SIDES}, how
        if how == "load" and self.force is not None:
            return {side: by_load(self.time, self.force[side][:, 2], threshold) for side in SIDES}, how
        ahead = 0.0 if self.place is None else self.place[:, 0]
        heel, toe = self.heel or {}, self.toe or {}
        return {side: by_markers(self.time, heel[side][:, 0] - ahead, toe[side][:, 0] - ahead) for side in SIDES}, how


_OVER_TIME = (
    "angles",
    "arms",
    "place",
    "force",
    "moments",
    "power",
    "heel",
    "toe",
    "soles",
    "off_print",
    "residual",
    "unbalanced",
    "aid",
)


def _cut(x, kept):
    """Select frames of an array, or of every array in a dictionary."""
    if isinstance(x, dict):
        return {name: _cut(y, kept) for name, y in x.items()}
    return None if x is None else x[kept]


FREE = SPEEDS["free"]


@dataclass(frozen=True, eq=False)
class Walk:
    """A gait record cut into strides.

    record : the measured curves. strides : {side: list of complete strides}. times : {side: FootTimes}, the foot
    events. events : their source. norm_speed : dimensionless speed of the norm to compare with.
    """

    record: GaitRecord
    strides: dict[str, list[Stride]]
    times: dict[str, FootTimes]
    events: str
    norm_speed: float = FREE

    @property
    def weight(self) -> float:
        """Body weight [N]."""
        return self.record.mass * G

    @property
    def span(self) -> tuple[float, float]:
        """First and last strike [s] of the leg with more strides. The time between them is a whole number of cycles."""
        rows = max(self.strides.values(), key=len)
        return rows[0].start, rows[-1].end

    @property
    def speed(self) -> float | None:
        """Mean speed over whole cycles [m/s]; None if neither position nor belt speed was recorded."""
        if self.record.place is None:
            return self.record.belt or None
        start, end = self.span
        there, here = (np.interp(t, self.record.time, self.record.place[:, 0]) for t in (end, start))
        return float((there - here) / (end - start) + self.record.belt)

    @property
    def dimensionless_speed(self) -> float | None:
        """Speed divided by √(g leg length)."""
        return None if self.speed is None else self.speed / float(np.sqrt(G * self.record.leg_length))


def walk_of(record: GaitRecord, events: str | None = None, threshold: float = THRESHOLD) -> Walk:
    """Cut a gait record into strides. The parameters events and threshold are those of `gait_report`."""
    times, how = record.foot_times(events, threshold)
    found = {side: strides(times[side], times[other]) for side, other in zip(SIDES, SIDES[::-1], strict=True)}
    if not any(found.values()):
        strikes = ", ".join(f"{side} {len(times[side].strike)}" for side in SIDES)
        raise InputError(
            f"There is no complete stride from {record.time[0]:g} to {record.time[-1]:g} s. Foot strikes found by "
            f"{how}: {strikes}. A stride lasts from one strike of a foot to the next strike of the same foot, "
            "with a step of the other foot between them. Record a longer walk, or begin earlier (from_time)."
        )
    return Walk(record, found, times, how)
