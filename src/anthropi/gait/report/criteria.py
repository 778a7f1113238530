"""Rows of a gait report: quantities, values of adults, limits and verdicts (docs/equations/gait.md, 2.2 to 2.4).

The reference scores of curves are those of two adults (four legs) against Schwartz 2008 "free", computed [C] from
moco3d (overground at 1.24 m/s) and gait2354 (on a treadmill). Peaks and durations are compared with the mean ± standard
deviation of Schwartz 2008 at the speed of the walk, and steps with those of adults (H2A), all computed [C]. Their
limits are two standard deviations, which include 95 % of people. Rows that have no limit in 2.4, or whose limit is
shown for information only, get the verdict "reported only".

Score of a curve: with d = x - mean over the n points of a cycle, both ends counted, and b the mean of d (the offset):

    r = correlation of x and mean                                              (1)
    RMSE = √(Σ d²/n),  offset removed √(Σ (d - b)²/n)                          (2)
    inside = share of points with |d| ≤ 2 sd, offset removed |d - b| ≤ 2 sd    (3)

The gait profile score over many curves is `anthropi.gait.reference.norms.gps`. The functions work on plain floats only
and cannot be recorded on a tape.
"""

import math
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import ShapeError
from anthropi.gait.reference.norms import adult_step, scalars

__all__ = ["CURVES", "FIXED", "MARKS", "Criterion", "CurveScore", "Row", "adult_steps", "criterion", "score"]


MARKS = "Adults: [V] read in a primary source, [C] computed from reference data, [M] often quoted, not checked."


class Criterion(NamedTuple):
    """Reference value and limits of a quantity.

    adults : value of adults as text, with the mark of its source. low, high : limits, or None.
    digits : number of decimals shown. gated : False if the limits are shown but do not affect the verdict.
    """

    adults: str = ""
    low: float | None = None
    high: float | None = None
    digits: int = 2
    gated: bool = True

    def shown(self, x: float) -> str:
        """Format a number with `digits` decimals; with more if it would be rounded to zero."""
        return f"{x:g}" if 0.0 < abs(x) < 0.5 * 10.0**-self.digits else f"{x:.{self.digits}f}"

    @property
    def limits(self) -> str:
        """Limits of the criterion as text, such as "≥ 0.97"; empty if there are none."""
        low, high = (None if x is None else self.shown(x) for x in (self.low, self.high))
        if low is not None and high is not None:
            return f"{low} to {high}"
        return f"≥ {low}" if low is not None else f"≤ {high}" if high is not None else ""


@dataclass(frozen=True)
class Row:
    """One row of a gait report.

    group, name, unit : describe the quantity. values : {"l": …, "r": …} for the legs, or {"": …} for the whole body;
    empty if not measured. criterion : reference value and limits. why : the reason, if it was not measured.
    """

    group: str
    name: str
    unit: str
    values: dict[str, float]
    criterion: Criterion = field(default_factory=Criterion)
    why: str = ""

    @property
    def measured(self) -> bool:
        """Whether all values are finite numbers."""
        return bool(self.values) and all(isfinite(x) for x in self.values.values())

    @property
    def verdict(self) -> str:
        """Verdict: pass, fail, reported only, or not measured with the reason."""
        if not self.measured:
            return f"not measured: {(self.why if not self.values else '') or 'no finite number'}"
        c = self.criterion
        if not c.gated or (c.low is None and c.high is None):
            return "reported only"
        low = -float("inf") if c.low is None else c.low
        high = float("inf") if c.high is None else c.high
        return "pass" if all(low <= x <= high for x in self.values.values()) else "fail"

    def words(self) -> tuple[str, ...]:
        """Return group, name, unit, left, right or both, adults, limits and verdict as text."""
        digits = self.criterion.digits
        shown = {side: f"{x:.{digits}f}" for side, x in self.values.items()} if self.measured else {}
        left, right = (shown[""], "") if "" in shown else (shown.get("l", "–"), shown.get("r", "–"))
        return self.group, self.name, self.unit, left, right, self.criterion.adults, self.criterion.limits, self.verdict

    def to_dict(self) -> dict[Any, Any]:
        """Return the row as a dictionary of plain data."""
        c = self.criterion
        values = dict(self.values) if self.measured else {}
        return {
            "group": self.group,
            "name": self.name,
            "unit": self.unit,
            "values": values,
            "adults": c.adults,
            "low": c.low,
            "high": c.high,
            "gated": c.gated,
            "verdict": self.verdict,
        }


_JOINT = {"r": Criterion(digits=3), "rmse": Criterion(digits=1), "rmse_free": Criterion(digits=1)}
CURVES: dict[str, dict[str, Criterion]] = {  # curve: {field of `CurveScore`: criterion}
    "hip_flexion": {
        "r": Criterion(".995–.997 [C]", low=0.97, digits=3),
        "rmse": Criterion("7–16 [C]", digits=1),
        "rmse_free": Criterion("1.1–1.9 [C]", high=5.0, digits=1),
        "inside": Criterion("0–100 [C]", digits=0),
        "inside_free": Criterion("100 [C]", low=90.0, digits=0),
    },
    "knee_flexion": {
        "r": Criterion(".983–.992 [C]", low=0.95, digits=3),
        "rmse": Criterion("5.1–7.2 [C]", digits=1),
        "rmse_free": Criterion("4.7–5.6 [C]", high=7.0, digits=1),
        "inside": Criterion("90–100 [C]", digits=0),
        "inside_free": Criterion("100 [C]", low=90.0, digits=0),
    },
    "ankle_dorsiflexion": {
        "r": Criterion(".63–.88 [C]", low=0.80, digits=3),
        "rmse": Criterion("4.6–7.1 [C]", digits=1),
        "rmse_free": Criterion("3.9–6.4 [C]", high=6.5, digits=1),
        "inside": Criterion("92–100 [C]", digits=0),
        "inside_free": Criterion("96–100 [C]", low=90.0, digits=0),
    },
    "hip_adduction": {
        "r": Criterion(".65–.97 [C]", digits=3),
        "rmse": Criterion("2.4–4.5 [C]", digits=1),
        "rmse_free": Criterion("1.3–3.6 [C]", digits=1),
        "inside_free": Criterion("96–100 [C]", digits=0),
    },
    "pelvis_tilt": {
        "r": Criterion(".09–.46 [C]", digits=3),
        "rmse": Criterion("12–17 [C]", digits=1),
        "rmse_free": Criterion("0.7–1.4 [C]", digits=1),
    },
    "pelvis_obliquity": _JOINT | {"r": Criterion(".40–.84 of labs [C]", digits=3)},
    "pelvis_rotation": _JOINT,
    "hip_rotation": _JOINT,
    "foot_progression": _JOINT,
    "grf_vertical": {
        "r": Criterion(".954–.974 [C]", low=0.93, digits=3),
        "rmse": Criterion(".10–.14 [C]", high=0.15, digits=3),
        "inside": Criterion("88–96 [C]", digits=0),
    },
    "grf_forward": {
        "r": Criterion(".90–.955 [C]", low=0.88, digits=3),
        "rmse": Criterion(".024–.037 [C]", high=0.04, digits=3),
        "inside": Criterion("90–98 [C]", digits=0),
    },
    "hip_extension_moment": {
        "r": Criterion(".79–.97 [C]", low=0.75, digits=3),
        "rmse": Criterion(".12–.23 [C]", digits=2),
        "inside": Criterion("88–100 [C]", digits=0),
    },
    "knee_extension_moment": {
        "r": Criterion(".73–.77 [C]", low=0.6, digits=3, gated=False),
        "rmse": Criterion(".22–.29 [C]", digits=2),
        "inside": Criterion("71–75 [C]", digits=0),
    },
    "ankle_plantarflexion_moment": {
        "r": Criterion(".94–.97 [C]", low=0.90, digits=3),
        "rmse": Criterion(".19–.30 [C]", digits=2),
        "inside": Criterion("65–86 [C]", digits=0),
    },
}

FIXED = {  # criteria that are the same at every speed; work and cost of an adult at 1.26 m/s, preferred speeds
    "gps": Criterion("5.8 [C], good ≤ 6", high=8.0, digits=1),
    "gps of a leg": Criterion("5.2–5.7 [M]", digits=1),
    "stance knee": Criterion(digits=1),
    "straight knee": Criterion(digits=1),
    "shoulder": Criterion("about 30 [C]", digits=1),
    "elbow": Criterion("26 to 51 [C]", digits=1),
    "humps": Criterion(".32 [C]", low=0.02),  # below this depth there is only one peak with ripples
    "impulse": Criterion("0", -2.0, 2.0, digits=1),
    "spike": Criterion("", high=1.5),
    "ankle moment": Criterion("1.46–1.76 [C]", 1.2, 1.8),
    "speed": Criterion("1.24 ± .17 [V]"),
    "dimensionless speed": Criterion(".43 ± .03 [C]", digits=3),
    "strides": Criterion("", low=20.0, digits=0),
    "step width": Criterion(".08–.14 [M]", 0.08, 0.14, digits=3),
    "step time": Criterion("", digits=3),
    "positive work": Criterion("1.21 [C]", 1.0, 1.6),
    "negative work": Criterion("-1.13 [C]"),
    "cost of transport": Criterion(".123 [C]", digits=3),
    "symmetry": Criterion("", high=3.0, digits=1),
    "residual": Criterion("0", high=1e-6, digits=3),  # [%], rounding error
    "unbalanced": Criterion("0", high=0.5, digits=3),  # [%] at 100 frames a second: 0.02; 0 with a frame at every step
    "aid": Criterion("none", high=0.0, digits=1),
    "slip": Criterion("", high=10.0, digits=1),
    "penetration": Criterion("", high=15.0, digits=1),
    "gap": Criterion("", digits=1),
}
AT_SPEED = {  # name: scalar of the norm, factor to the report's unit, digits, gated
    "swing knee": ("knee_flexion_max_swing", math.degrees(1.0), 1, True),
    "pelvic rotation": ("pelvis_rotation_range", math.degrees(1.0), 1, True),
    "pelvic obliquity": ("pelvis_obliquity_max_stance", math.degrees(1.0), 1, False),  # definitions differ
    "F1": ("grf_first_peak", 1.0, 2, True),
    "valley": ("grf_valley", 1.0, 2, True),
    "F2": ("grf_second_peak", 1.0, 2, True),
    "braking": ("grf_braking", 1.0, 3, True),
    "propulsion": ("grf_propulsion", 1.0, 3, True),
    "foot off": ("foot_off", 100.0, 1, True),
    "double support": ("double_support", 100.0, 1, True),
}


def criterion(name: str, speed: float | str) -> Criterion:
    """Return the criterion of a quantity at a dimensionless speed, or at a named speed of the norm."""
    if name in FIXED:
        return FIXED[name]
    scalar, factor, digits, gated = AT_SPEED[name]
    mean, sd, _ = scalars(scalar, speed)
    mean, sd = factor * mean, factor * sd
    return Criterion(f"{mean:.{digits}f} ± {sd:.{digits}f} [C]", mean - 2.0 * sd, mean + 2.0 * sd, digits, gated)


def adult_steps(speed: float | None, leg: float) -> tuple[Criterion, Criterion]:
    """Return the criteria of step length [m] and cadence [steps/min] for adults.

    speed : walking speed [m/s], or None. leg : leg length [m].
    """
    if speed is None or speed <= 0.0:
        return Criterion(digits=3), Criterion(digits=0)
    a = adult_step(speed, leg)
    pairs = ((a.step_length, a.step_length_sd, 3), (a.step_frequency, a.step_frequency_sd, 0))
    one, other = (Criterion(f"{x:.{n}f} ± {sd:.{n}f} [C]", x - 2.0 * sd, x + 2.0 * sd, n) for x, sd, n in pairs)
    return one, other


class CurveScore(NamedTuple):
    """Scores (1)-(3) of a curve against the norm.

    r : correlation. rmse, rmse_free, offset : in the unit of the curve. inside, inside_free : shares of points in the
    band. "free" means that the offset was removed.
    """

    r: float
    rmse: float
    rmse_free: float
    inside: float
    inside_free: float
    offset: float


def score(x: Any, mean: Any, sd: Any, margin: float = 0.0) -> CurveScore:
    """Score a curve (points,) against the mean and sd (points,) of a norm. The band is widened by `margin`."""
    x, mean, sd = (np.asarray(a, float) for a in (x, mean, sd))
    if not x.shape == mean.shape == sd.shape or x.ndim != 1:
        raise ShapeError(
            f"A curve of shape {x.shape} cannot be compared with a norm of shapes {mean.shape} and {sd.shape}. "
            "Give three arrays of the same shape (points,)."
        )
    d = x - mean
    offset = float(d.mean())
    free, band = d - offset, 2.0 * sd + margin
    spread = float(np.linalg.norm(x - x.mean()) * np.linalg.norm(mean - mean.mean()))
    r = float((x - x.mean()) @ (mean - mean.mean()) / spread) if spread > 0.0 else float("nan")  # (1)
    rmse, rmse_free = (float(np.sqrt(np.mean(e * e))) for e in (d, free))  # (2)
    inside, inside_free = (float(np.mean(np.abs(e) <= band)) for e in (d, free))  # (3)
    if not np.isfinite(offset):
        inside = inside_free = float("nan")
    return CurveScore(r, rmse, rmse_free, inside, inside_free, offset)
