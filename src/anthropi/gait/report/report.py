"""How human is a walk? The table and the plots of spec/gait.md 2.4, each beside what real adults score.

A walk is cut into strides at foot strikes, every quantity is drawn over the cycle at 101 points and averaged over the
strides of a leg, and held against the norm of Schwartz 2008 at the same dimensionless speed. What was not recorded is
said to be not measured. Trends over speed (`trends.py`), robustness (`recovery.py`, `poincare.py`, `gait/push_map`) and
repeats (2.4, 5, 7 and part of 8) take many walks: they are no rows of one. Floats only.
"""

from dataclasses import dataclass, replace

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.gait.norms import SPEEDS, curve
from anthropi.gait.norms.curves import REACH
from anthropi.gait.report.events import THRESHOLD
from anthropi.gait.report.forces import force_curves, force_rows, moment_curves, moment_rows
from anthropi.gait.report.honesty import honesty_rows
from anthropi.gait.report.kinematics import curve_rows, gps_rows, joint_curves, peak_rows
from anthropi.gait.report.of_motion import of_motion
from anthropi.gait.report.record import GaitRecord
from anthropi.gait.report.rows import MARKS, Row
from anthropi.gait.report.spacetime import energy_rows, footprints, space_time_rows, symmetry_rows
from anthropi.gait.report.strides import POINTS
from anthropi.gait.report.walk import FREE, Walk, walk_of

__all__ = ["HEADS", "CurveBand", "GaitReport", "gait_report", "norm_bands"]

SETTLED = 5.0  # [s]: a simulated walk is steady after them (2.4)
ENOUGH = 3.0  # [s]: what has to be left then
HEADS = ("group", "quantity", "unit", "left", "right", "adults", "limit", "verdict")
UNITS = {"rad": "deg"}
PEAKS = ("first peak, F1", "valley", "second peak, F2", "braking", "propulsion")  # held left against right
BANDS = ("pelvis_tilt", "pelvis_obliquity", "pelvis_rotation", "hip_flexion", "hip_adduction", "hip_rotation",
         "knee_flexion", "ankle_dorsiflexion", "foot_progression", "grf_vertical", "grf_forward",
         "hip_extension_moment", "knee_extension_moment", "ankle_plantarflexion_moment")  # fmt: skip


@dataclass(frozen=True, eq=False)
class CurveBand:
    """A curve over the cycle: sides {side: (points,)}, empty if not measured; mean, sd (points,) of the norm; unit."""

    sides: dict[str, np.ndarray]
    mean: np.ndarray
    sd: np.ndarray
    unit: str


@dataclass(frozen=True, eq=False)
class GaitReport:
    """The report of a walk: rows, curves {name: CurveBand}, and where the heels came down.

    walk : the strides it is made of. prints : (side, time [s], place (3,) [m]) of every strike.
    """

    walk: Walk
    rows: tuple[Row, ...]
    curves: dict[str, CurveBand]
    prints: tuple

    def __repr__(self):
        return f"GaitReport('{self.walk.record.name}': {self.summary})"

    def __getitem__(self, name: str) -> Row:
        """A row by its name."""
        names = [row.name for row in self.rows]
        if name not in names:
            raise InputError(f"The report has no row '{name}'.{did_you_mean(name, names)} Rows: {', '.join(names)}.")
        return self.rows[names.index(name)]

    def count(self, verdict: str) -> int:
        """How many rows pass, fail, are reported only, or not measured."""
        return sum(row.verdict.split(":")[0] == verdict for row in self.rows)

    @property
    def summary(self) -> str:
        """One line: what it is of, and how many rows pass."""
        each = ", ".join(f"{self.count(v)} {v}" for v in ("pass", "fail", "reported only", "not measured"))
        walk, n = self.walk, {side: len(rows) for side, rows in self.walk.strides.items()}
        return f"{n['l']} left and {n['r']} right strides by {walk.events}, norm at {walk.norm_speed:.3f}; {each}"

    def text(self) -> str:
        """The table, for people."""
        lines = [HEADS, *(row.words() for row in self.rows)]
        wide = [max(len(line[k]) for line in lines) for k in range(len(HEADS))]
        shown = ["  ".join(_put(line[k], wide[k], k in (3, 4)) for k in range(len(HEADS))).rstrip() for line in lines]
        return "\n".join([f"{self.walk.record.name}: {self.summary}", "", *shown, "", MARKS])

    def csv(self) -> str:
        """The table, for spreadsheets."""
        rows: list[tuple[str, ...]] = [
            ("group", "quantity", "unit", "left", "right", "both", "adults", "low", "high", "verdict")
        ]
        for row in self.rows:
            c, v = row.criterion, row.values if row.measured else {}
            numbers = (v.get("l"), v.get("r"), v.get("")), (c.low, c.high)
            left, right = (tuple("" if x is None else repr(float(x)) for x in part) for part in numbers)
            rows.append((row.group, row.name, row.unit, *left, c.adults, *right, row.verdict))
        return "".join(",".join(_quoted(word) for word in row) + "\n" for row in rows)

    def to_dict(self) -> dict:
        """The report as plain data, curves too; ready for JSON."""
        walk = self.walk
        curves = {name: {"unit": b.unit, "mean": b.mean.tolist(), "sd": b.sd.tolist()}
                  | {side: x.tolist() for side, x in b.sides.items() if np.isfinite(x).all()}
                  for name, b in self.curves.items()}  # fmt: skip
        prints = [{"side": side, "time": t, "place": place.tolist()} for side, t, place in self.prints]
        strides = {side: [s._asdict() for s in rows] for side, rows in walk.strides.items()}
        return {"name": walk.record.name, "events": walk.events, "speed": walk.speed, "norm speed": walk.norm_speed,
                "strides": strides, "rows": [row.to_dict() for row in self.rows], "curves": curves,
                "prints": prints}  # fmt: skip

    def plot(self, path=None):
        """The picture: curves with bands of two deviations, forces, moments, footprints, table; returns the sheet."""
        from anthropi.pictures.gait_report import gait_sheet

        return gait_sheet(self, path)


def gait_report(motion, *, from_time: float | None = None, norm="auto", events: str | None = None,
                threshold: float = THRESHOLD) -> GaitReport:  # fmt: skip
    """How human is a walk?

    Parameters
    ----------
    motion : a Motion of a human figure, or a GaitRecord of measured curves.
    from_time : where to begin [s]; after the first 5 s if 3 s are left then, else at the start.
    norm : "auto", the norm at the walk's own dimensionless speed; a name of the norm's speeds ("free"), or a number.
    events : "told" (FootEvents of the motion), "load" or "markers"; the first of these that can be.
    threshold : of load [N].
    """
    record = motion if isinstance(motion, GaitRecord) else of_motion(motion)
    settled = float(record.time[0]) + SETTLED
    start = (settled if record.time[-1] - settled >= ENOUGH else None) if from_time is None else from_time
    walk = walk_of(record.from_time(start), events, threshold)
    walk = replace(walk, norm_speed=_norm_speed(norm, walk))
    bands = norm_bands(walk.norm_speed)
    joints, forces, moments = joint_curves(walk), force_curves(walk), moment_curves(walk)
    rows = [*curve_rows(joints, bands), *gps_rows(joints, bands), *peak_rows(walk)]
    more = [*force_rows(walk, forces, bands), *moment_rows(walk, moments, bands)]
    peaks = {row.name: row.values for row in more if row.name in PEAKS}
    rows += [*more, *space_time_rows(walk), *symmetry_rows(walk, peaks, joints), *energy_rows(walk)]
    rows += honesty_rows(walk)
    found = joints | forces | moments
    curves = {name: CurveBand(found.get(name, {}), *bands[name], _unit(name)) for name in BANDS}
    return GaitReport(walk, tuple(rows), curves, tuple(footprints(walk)))


def norm_bands(speed, points: int = POINTS) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """{curve: (mean, sd)} over the cycle at a dimensionless speed; angles in degrees."""
    phase = np.linspace(0.0, 1.0, points)
    found = {}
    for name in BANDS:
        c = curve(name, speed)
        factor = np.rad2deg(1.0) if c.unit == "rad" else 1.0
        found[name] = factor * c.mean(phase), factor * c.sd(phase)
    return found


def _unit(name: str) -> str:
    unit = curve(name, FREE).unit
    return UNITS.get(unit, unit)


def _norm_speed(norm, walk: Walk) -> float:
    """The dimensionless speed of the norm."""
    if isinstance(norm, str) and norm in SPEEDS:
        return SPEEDS[norm]
    if norm == "auto":
        v = walk.dimensionless_speed
        return FREE if v is None else float(np.clip(v, *REACH))
    if isinstance(norm, (int, float)) and REACH[0] <= norm <= REACH[1]:
        return float(norm)
    raise InputError(f"norm={norm!r}. Choose from: auto, {', '.join(SPEEDS)}, or a dimensionless speed from "
                     f"{REACH[0]:g} to {REACH[1]:g}.")  # fmt: skip


def _put(word: str, wide: int, right: bool) -> str:
    return word.rjust(wide) if right else word.ljust(wide)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"' if any(c in word for c in ',"\n') else word
