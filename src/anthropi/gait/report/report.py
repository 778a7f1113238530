"""Gait report of a walk: table and curves, compared with those of adults (docs/equations/gait.md, 2.4).

A walk is cut into strides at foot strikes. Every quantity is sampled over the cycle at 101 points, averaged over the
strides of a leg, and compared with the norm of Schwartz 2008 at the same dimensionless speed. Quantities that were not
recorded are reported as not measured.

Criteria 5 and 7 (docs/equations/gait.md, 2.4) need many walks and have separate reports: trends over speed
(`trends.py`) and robustness (`recovery.py`, `poincare.py`, `push_map.py`). The change of the stride with half the time
step (criterion 8) needs a second walk and is not reported. `headline` is a summary of a few lines for the terminal. The
functions work on plain floats only.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, InputError, did_you_mean
from anthropi.gait.reference.norms import REACH, SPEEDS, curve
from anthropi.gait.report.criteria import MARKS, Row
from anthropi.gait.report.curves import (
    curve_rows,
    force_curves,
    force_rows,
    gps_rows,
    joint_curves,
    moment_curves,
    moment_rows,
    peak_rows,
)
from anthropi.gait.report.foot_events import POINTS, THRESHOLD
from anthropi.gait.report.from_motion import of_motion
from anthropi.gait.report.plausibility import plausibility_rows
from anthropi.gait.report.record import FREE, GaitRecord, Walk, walk_of
from anthropi.gait.report.spatiotemporal import energy_rows, footprints, space_time_rows, symmetry_rows
from anthropi.motion import Motion

__all__ = ["HEADS", "CurveBand", "GaitReport", "gait_report", "headline", "norm_bands"]


SETTLING_TIME = 5.0  # [s] after which a simulated walk is steady (2.4)
MIN_DURATION = 3.0  # [s] of walking that must follow the settling time
HEADS = ("group", "quantity", "unit", "left", "right", "adults", "limit", "verdict")
UNITS = {"rad": "deg"}
PEAKS = ("first peak, F1", "valley", "second peak, F2", "braking", "propulsion")  # compared between left and right
BANDS = (
    "pelvis_tilt",
    "pelvis_obliquity",
    "pelvis_rotation",
    "hip_flexion",
    "hip_adduction",
    "hip_rotation",
    "knee_flexion",
    "ankle_dorsiflexion",
    "foot_progression",
    "grf_vertical",
    "grf_forward",
    "hip_extension_moment",
    "knee_extension_moment",
    "ankle_plantarflexion_moment",
)


@dataclass(frozen=True, eq=False)
class CurveBand:
    """A curve over the gait cycle and the band of the norm.

    sides : {side: (points,)} the measured curve of each leg; empty if not measured. mean, sd : (points,) mean and
    standard deviation of the norm. unit : unit of all of them.
    """

    sides: dict[str, np.ndarray]
    mean: np.ndarray
    sd: np.ndarray
    unit: str


@dataclass(frozen=True, eq=False)
class GaitReport:
    """Gait report of a walk.

    walk : the walk, cut into strides. rows : the table. curves : {name: CurveBand}.
    prints : footprints, the side, time [s] and heel position (3,) [m] at every foot strike.
    """

    walk: Walk
    rows: tuple[Row, ...]
    curves: dict[str, CurveBand]
    prints: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"GaitReport('{self.walk.record.name}': {self.summary})"

    def __getitem__(self, name: str) -> Row:
        """Return the row with a name."""
        names = [row.name for row in self.rows]
        if name not in names:
            raise InputError(f"The report has no row '{name}'.{did_you_mean(name, names)} Rows: {', '.join(names)}.")
        return self.rows[names.index(name)]

    def count(self, verdict: str) -> int:
        """Count the rows with a verdict: "pass", "fail", "reported only" or "not measured"."""
        return sum(row.verdict.split(":")[0] == verdict for row in self.rows)

    @property
    def summary(self) -> str:
        """One line with the number of strides, the dimensionless speed of the norm and the count of each verdict."""
        each = ", ".join(f"{self.count(v)} {v}" for v in ("pass", "fail", "reported only", "not measured"))
        walk, n = self.walk, {side: len(rows) for side, rows in self.walk.strides.items()}
        return f"{n['l']} left and {n['r']} right strides by {walk.events}, norm at {walk.norm_speed:.3f}; {each}"

    def text(self) -> str:
        """Return the table as plain text."""
        lines = [HEADS, *(row.words() for row in self.rows)]
        wide = [max(len(line[k]) for line in lines) for k in range(len(HEADS))]
        shown = ["  ".join(_put(line[k], wide[k], k in (3, 4)) for k in range(len(HEADS))).rstrip() for line in lines]
        return "\n".join([f"{self.walk.record.name}: {self.summary}", "", *shown, "", MARKS])

    def csv(self) -> str:
        """Return the table as CSV."""
        rows: list[tuple[str, ...]] = [
            ("group", "quantity", "unit", "left", "right", "both", "adults", "low", "high", "verdict")
        ]
        for row in self.rows:
            c, v = row.criterion, row.values if row.measured else {}
            numbers = (v.get("l"), v.get("r"), v.get("")), (c.low, c.high)
            left, right = (tuple("" if x is None else repr(float(x)) for x in part) for part in numbers)
            rows.append((row.group, row.name, row.unit, *left, c.adults, *right, row.verdict))
        return "".join(",".join(_quoted(word) for word in row) + "\n" for row in rows)

    def to_dict(self) -> dict[Any, Any]:
        """Return the report as plain data for JSON, curves included."""
        walk = self.walk
        curves = {
            name: {"unit": b.unit, "mean": b.mean.tolist(), "sd": b.sd.tolist()}
            | {side: x.tolist() for side, x in b.sides.items() if np.isfinite(x).all()}
            for name, b in self.curves.items()
        }
        prints = [{"side": side, "time": t, "place": place.tolist()} for side, t, place in self.prints]
        strides = {side: [s._asdict() for s in rows] for side, rows in walk.strides.items()}
        return {
            "name": walk.record.name,
            "events": walk.events,
            "speed": walk.speed,
            "norm speed": walk.norm_speed,
            "strides": strides,
            "rows": [row.to_dict() for row in self.rows],
            "curves": curves,
            "prints": prints,
        }

    def plot(self, path: Any = None) -> Any:
        """Draw the curves with bands of two standard deviations, the footprints and the table; return the sheet."""
        from anthropi.pictures.gait_report import gait_sheet

        return gait_sheet(self, path)


def gait_report(
    motion: Motion | GaitRecord,
    *,
    from_time: float | None = None,
    norm: str | float = "auto",
    events: str | None = None,
    threshold: float | None = None,
) -> GaitReport:
    """Compare a walk with the norms of healthy people.

    Parameters
    ----------
    motion : a Motion of a human figure, or a GaitRecord of measured curves.
    from_time : start of the analysis [s]. By default the first 5 s are left out if at least 3 s follow them.
    norm : dimensionless speed of the norm: "auto" for the speed of the walk, a named speed ("free"), or a number.
    events : source of the foot events: "recorded" (FootEvents of the motion), "load" (vertical ground force) or
        "markers"; by default the first of these that is available, or "load" if a threshold is given.
    threshold : vertical force [N] above which a foot counts as on the ground, for events="load". None means
        `FOOT_LOAD` (20 N), the value that simulated walks use for their events.

    Warns
    -----
    MissingContactWarning : joint forces were computed without the ground force, so moments and work are not measured.
    """
    if threshold is not None and events not in (None, "load"):
        raise InputError(f"threshold={threshold:g} N is for events by load, but events='{events}'. Leave one out.")
    if threshold is not None and not 0.0 < threshold < np.inf:
        raise InputError(f"threshold={threshold!r} is not valid. Give a force above 0 [N].")
    events = "load" if threshold is not None else events
    record = motion if isinstance(motion, GaitRecord) else of_motion(motion)
    settled = float(record.time[0]) + SETTLING_TIME
    start = (settled if record.time[-1] - settled >= MIN_DURATION else None) if from_time is None else from_time
    walk = walk_of(record.from_time(start), events, THRESHOLD if threshold is None else threshold)
    walk = replace(walk, norm_speed=_norm_speed(norm, walk))
    bands = norm_bands(walk.norm_speed)
    joints, forces, moments = joint_curves(walk), force_curves(walk), moment_curves(walk)
    rows = [*curve_rows(joints, bands), *gps_rows(joints, bands), *peak_rows(walk)]
    more = [*force_rows(walk, forces, bands), *moment_rows(walk, moments, bands)]
    peaks = {row.name: row.values for row in more if row.name in PEAKS}
    rows += [*more, *space_time_rows(walk), *symmetry_rows(walk, peaks, joints), *energy_rows(walk)]
    rows += plausibility_rows(walk)
    found = joints | forces | moments
    curves = {name: CurveBand(found.get(name, {}), *bands[name], _unit(name)) for name in BANDS}
    return GaitReport(walk, tuple(rows), curves, tuple(footprints(walk)))


def norm_bands(speed: float | str, points: int = POINTS) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the norm's curves {name: (mean, sd)} over the gait cycle at a dimensionless speed; angles in degrees."""
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
    """Return the dimensionless speed at which the norm is taken, from the option `norm` of `gait_report`."""
    if isinstance(norm, str) and norm in SPEEDS:
        return SPEEDS[norm]
    if norm == "auto":
        v = walk.dimensionless_speed
        return FREE if v is None else float(np.clip(v, *REACH))
    if isinstance(norm, (int, float)) and REACH[0] <= norm <= REACH[1]:
        return float(norm)
    raise InputError(
        f"Unknown norm={norm!r}. Choose one of: auto, {', '.join(SPEEDS)}, or give a dimensionless speed from "
        f"{REACH[0]:g} to {REACH[1]:g}."
    )


def _put(word: str, wide: int, right: bool) -> str:
    return word.rjust(wide) if right else word.ljust(wide)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"' if any(c in word for c in ',"\n') else word


ROWS = ("GPS", "speed", "step time", "step length", "double support", "positive joint work", "slip in stance")
RUN = ("speed", "step time", "step length", "foot off", "positive joint work", "slip in stance")
NAME_WIDTH, VALUE_WIDTH = 24, 16  # [characters]


def headline(
    motion: Motion, report: GaitReport | None = None, *, gait: bool = True, real_time: float | None = None
) -> str:
    """Summarise a walk in a few lines: falls, root force, aid, and the main rows of its report beside adults' values.

    report : gait report of the motion, computed if None. If it cannot be computed (because the walk turns or has too
        few steps), a line gives the reason.
    gait : False if the motion is not a steady walk and should have no report.
    real_time : simulated seconds per second of computing on one core.
    """
    about = motion.metadata.get("walk", {})
    lines = [
        _line("falls", "1" if about.get("fell") else "0", f"in {motion.time[-1] - motion.time[0]:.1f} s"),
        _line("force at the root", *_root(motion)),
        _line("external aid", *_aid(motion)),
    ]
    why = ""
    try:
        report = report or (gait_report(motion) if gait else None)
    except AnthropiError as error:
        why = str(error)
    if report is None:
        path = np.linalg.norm(np.diff(motion.q[:, :2], axis=0), axis=1).sum()
        lines += [_line("path", f"{path:.1f} m", f"{about['steps']} steps" if "steps" in about else "")]
        lines += [_line("no gait report", "", why)] if why else []
    else:
        runs = about.get("kind") == "run"  # the norm describes walking only
        lines += [_row(report[name], not runs) for name in (RUN if runs else ROWS)]
        if about.get("speed") is not None:
            lines.insert(
                3, _line("speed commanded", f"{about['speed']:.2f} m/s", f"style: {about.get('style', 'natural')}")
            )
        lines.append(
            _line(
                "gait report",
                f"{report.count('pass')} pass",
                f"{report.count('fail')} fail, "
                f"{', '.join(f'{len(rows)} {side}' for side, rows in _sides(report))} strides",
            )
        )
    if real_time is not None:
        lines.append(_line("real-time factor", f"{real_time:.0f}", "on one core, without compilation"))
    return "\n".join(line.rstrip() for line in lines)


def _line(what: str, value: str, beside: str = "") -> str:
    return f"  {what:<{NAME_WIDTH}}{value:<{VALUE_WIDTH}}{beside}"


def _row(row, beside: bool) -> str:
    """Format a row of the report, with the mean of both legs."""
    if not row.measured:
        return _line(row.name, "", row.verdict)
    mean = float(np.mean(list(row.values.values())))
    adults = row.criterion.adults.partition(" [")[0]  # without its source
    return _line(row.name, f"{row.criterion.shown(mean)} {row.unit}", f"adults {adults}" if adults and beside else "")


def _root(motion: Motion) -> tuple[str, str]:
    if motion.tau is None:
        return "not recorded", ""
    most = float(np.abs(motion.tau[:, :6]).max())
    return ("none", "") if most == 0.0 else (f"{most:.3g} N, N m", "the largest")


def _aid(motion: Motion) -> tuple[str, str]:
    if motion.metadata.get("aid"):
        most = float(np.linalg.norm(motion.channels["aid"], axis=-1).max())
        return f"{most:.1f} N m", "the largest; the motion is not purely physical"
    return "none", ""


def _sides(report: GaitReport):
    return ((name, report.walk.strides[side]) for side, name in (("l", "left"), ("r", "right")))
