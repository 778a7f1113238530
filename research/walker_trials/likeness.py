"""Trials of human likeness at 1.3 m/s, and of trends over speed. Works on plain floats only."""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.speeds import SPEEDS
from research.walker_trials.subject import Subject
from research.walker_trials.walks import fell_at, walk

from anthropi.gait.report import gait_report, speed_trends
from anthropi.gait.report.foot_events import by_load
from anthropi.motion.contacts import contacts_of

__all__ = ["ROWS", "heel_first", "likeness", "lines_of"]

ROWS = {  # row of the report: lower limit, upper limit, digits
    "GPS": (None, 8.0, 1),
    "hip flexion, RMSE, offset removed": (None, 5.0, 1),
    "knee flexion, RMSE, offset removed": (None, 7.0, 1),
    "ankle dorsiflexion, RMSE, offset removed": (None, 6.5, 1),
    "hip flexion, r": (0.97, None, 3),
    "knee flexion, r": (0.95, None, 3),
    "vertical force, r": (0.93, None, 3),
    "depth of the valley": (0.02, None, 2),
    "forward force, r": (0.88, None, 3),
    "foot off": (55.0, 63.0, 1),
    "positive joint work": (None, 1.8, 2),
    "least knee flexion in stance": (None, 15.0, 1),
    "residual force / weight": (None, 1e-6, 7),
    "residual moment / (weight × leg)": (None, 1e-6, 7),
    "strides": (20.0, None, 0),
}
STEPS = {"cadence": 0.10, "step length": 0.10}  # largest relative difference from adults
MAX_ASYMMETRY = 3.0  # [%]
TRENDS = ("step length", "first peak, F1", "valley", "peak knee flexion")


def likeness(who: Subject, at=SPEEDS, middle: float = 1.3, duration: float = 45.0, opt=2) -> list[Line]:
    """Return lines of the gait report at `middle` [m/s], and trends over all speeds."""
    motion = walk(who, at, duration, record=("contact", "tau"), frame=0.005, opt=opt)
    fell = fell_at(motion)
    if np.isfinite(fell).any():
        up = np.where(np.isfinite(fell), fell, duration)
        return [Line(f"{v:g} m/s, upright for", t, "s", low=duration, digits=1) for v, t in zip(at, up, strict=True)]
    reports = [gait_report(motion.rollout(k)) for k in range(len(at))]
    k = list(at).index(middle)
    found = lines_of(reports[k], speed_trends(reports))
    return [*found, Line("strikes with the heel first", 100.0 * heel_first(motion.rollout(k)), "%", 100.0, None, 0)]


def lines_of(report, trends) -> list[Line]:
    """Return lines of the worse leg for every row of `ROWS`, and of steps, symmetry and trends."""
    found = []
    for name, (low, high, digits) in ROWS.items():
        row = report[name]
        values = list(row.values.values()) if row.measured else [float("nan")]
        found.append(Line(name, min(values) if high is None else max(values), row.unit, low, high, digits))
        if low is not None and high is not None:
            found[-1] = found[-1]._replace(value=max(values, key=lambda x: abs(x - 0.5 * (low + high))))
    for name, share in STEPS.items():
        row, adults = report[name], trends[name].norm[_nearest(trends, report)]
        worst = max(row.values.values(), key=lambda x: abs(x - adults)) if row.measured else float("nan")
        limits = -100.0 * share, 100.0 * share
        found.append(Line(f"{name} off adults'", 100.0 * (worst / adults - 1.0), "%", *limits, 1, f"{worst:.3g}"))
    uneven = [row for row in report.rows if row.group == "symmetry"]
    worst_row = max(uneven, key=lambda row: row.values.get("", np.inf))
    found.append(Line("largest left/right difference", worst_row.values.get("", np.nan), "%", None, MAX_ASYMMETRY, 1,
                      worst_row.name.split(", left")[0]))  # fmt: skip
    for name in TRENDS:
        t = trends[name]
        note = f"{', '.join(f'{x:.{t.digits}f}' for x in t.values)} {t.unit}"
        found.append(Line(f"trend of {name} over people's", t.ratio, "", 1e-9, None, 2, note))
    return found


def heel_first(motion, threshold: float = 20.0) -> float:
    """Return the share of strikes of both feet at which the heel carries most of the load."""
    force, contacts = motion.channels["contact"][..., 2], contacts_of(motion)
    feet = {side: [k for k, c in enumerate(contacts) if c.link.startswith(f"{side}_")] for side in "lr"}
    heads = {side: [k for k in own if "heel" in contacts[k].feature] for side, own in feet.items()}
    hits = []
    for side in "lr":
        own = feet[side]
        whole, heel = force[:, own].sum(-1), force[:, heads[side]].sum(-1)
        at = np.searchsorted(motion.time, by_load(motion.time, whole, threshold).strike)
        hits += [heel[k] > 0.5 * whole[k] for k in at]
    return float(np.mean(hits)) if hits else float("nan")


def _nearest(trends, report) -> int:
    return int(np.argmin(np.abs(trends.speeds - report.walk.speed)))
