"""Trends of a gait with speed, compared with those of people (docs/equations/gait.md, 2.4, 5).

The trends are computed from reports of several walks at speeds v_k. x_k is the measured mean of both legs, and y_k is
the norm at the same speed (for steps, adults; otherwise Schwartz 2008 at v/√(g leg)). A line is fitted to each:

    slope = Σ (v - v̄)(x - x̄) / Σ (v - v̄)²,   per m/s                                     (1)

A trend passes if both slopes have the same sign. The ratio of the slopes compares the change with that of people. The
functions work on plain floats only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import degrees
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.reference.norms import REACH, adult_step, scalars

__all__ = ["SpeedTrends", "Trend", "speed_trends", "trend_values", "trends_of_values"]

ROWS = {  # name: row of the report, unit, scalar of the norm ("" for the steps of adults), factor, digits
    "step length": ("step length", "m", "", 1.0, 3),
    "cadence": ("cadence", "steps/min", "", 1.0, 1),
    "first peak, F1": ("first peak, F1", "BW", "grf_first_peak", 1.0, 3),
    "valley": ("valley", "BW", "grf_valley", 1.0, 3),
    "peak knee flexion": ("peak knee flexion in swing", "deg", "knee_flexion_max_swing", degrees(1.0), 1),
}
MIN_SPEED_RANGE = 0.1  # [m/s]
MIN_SLOPE = 1e-9  # share of the norm's mean; with a smaller slope, the norm has no trend


class Trend(NamedTuple):
    """Trend of one quantity over n walking speeds.

    values, norm : (n,), the quantity in the walks and in the norm at the same speeds. slope, norm_slope : slopes (1) of
    both. digits : decimals shown.
    """

    name: str
    unit: str
    values: np.ndarray
    norm: np.ndarray
    slope: float
    norm_slope: float
    digits: int

    @property
    def ratio(self) -> float:
        """Slope divided by the slope of the norm; NaN if that is 0."""
        return self.slope / self.norm_slope if self.norm_slope else float("nan")

    @property
    def verdict(self) -> str:
        """Verdict: pass, fail, reported only, or not measured."""
        if not np.isfinite(self.values).all():
            return "not measured"
        if abs(self.norm_slope) <= MIN_SLOPE * float(np.abs(self.norm).mean()):
            return "reported only"
        return "pass" if self.slope * self.norm_slope > 0.0 else "fail"


@dataclass(frozen=True, eq=False)
class SpeedTrends:
    """Trends of a gait over speed. speeds : (n,) [m/s], increasing. rows : one trend for each quantity."""

    speeds: np.ndarray
    rows: tuple[Trend, ...]

    def __getitem__(self, name: str) -> Trend:
        found = {row.name: row for row in self.rows}
        if name not in found:
            raise InputError(f"There is no trend '{name}'. Choose one of: {', '.join(found)}.")
        return found[name]

    def __repr__(self) -> str:
        each = ", ".join(f"{row.name} {row.verdict}" for row in self.rows)
        return f"SpeedTrends({', '.join(f'{v:.2f}' for v in self.speeds)} m/s: {each})"

    def text(self) -> str:
        """Return the table as text: at every speed the value of the walk, and the norm in brackets."""
        heads = ["quantity", "unit", *(f"{v:.2f} m/s" for v in self.speeds), "slope per m/s", "people's", "ratio", ""]
        lines = [heads]
        for row in self.rows:
            n = row.digits
            pairs = [f"{x:.{n}f} ({y:.{n}f})" for x, y in zip(row.values, row.norm, strict=True)]
            lines.append(
                [
                    row.name,
                    row.unit,
                    *pairs,
                    f"{row.slope:+.{n}f}",
                    f"{row.norm_slope:+.{n}f}",
                    f"{row.ratio:.2f}",
                    row.verdict,
                ]
            )
        wide = [max(len(line[k]) for line in lines) for k in range(len(heads))]
        shown = [
            "  ".join(w.ljust(n) if k < 2 else w.rjust(n) for k, (w, n) in enumerate(zip(line, wide, strict=True)))
            for line in lines
        ]
        return "\n".join(line.rstrip() for line in shown)

    def to_dict(self) -> dict[Any, Any]:
        """Return the trends as plain data for JSON, with None for numbers that are not finite."""

        def plain(x):
            return float(x) if np.isfinite(x) else None

        return {
            "speeds": self.speeds.tolist(),
            "rows": [
                {
                    "name": r.name,
                    "unit": r.unit,
                    "values": [plain(x) for x in r.values],
                    "norm": r.norm.tolist(),
                    "slope": plain(r.slope),
                    "norm slope": plain(r.norm_slope),
                    "ratio": plain(r.ratio),
                    "verdict": r.verdict,
                }
                for r in self.rows
            ],
        }


def speed_trends(reports: Any) -> SpeedTrends:
    """Compute the trends of a gait over speed from the reports (`gait_report`) of walks at two or more speeds.

    The reports may be in any order.
    """
    return trends_of_values(trend_values(r) for r in reports if r.walk.speed is not None)


def trend_values(report: Any) -> dict[str, float]:
    """Return the speed of a walk, and each quantity of the trends in the walk and in the norm.

    The names are "speed", "step length", "step length, norm" and so on; a quantity that was not measured is NaN.
    """
    found = {"speed": float(report.walk.speed)}
    for name, (row, unit, scalar, factor, _) in ROWS.items():
        own = report[row]
        found[name] = float(np.mean(list(own.values.values()))) if own.measured else float("nan")
        found[f"{name}, norm"] = _norm(report, scalar, factor, unit)
    return found


def trends_of_values(walks: Iterable[Mapping[str, float]]) -> SpeedTrends:
    """Compute the trends from the `trend_values` of walks at two or more speeds, in any order."""
    known = sorted(walks, key=lambda walk: walk["speed"])
    speeds = np.array([walk["speed"] for walk in known], float)
    if len(known) < 2 or np.ptp(speeds) < MIN_SPEED_RANGE:
        raise InputError(
            f"Trends need walks at speeds at least {MIN_SPEED_RANGE} m/s apart. Speeds given [m/s]: "
            f"{', '.join(f'{v:.2f}' for v in speeds) or 'none'}."
        )
    rows = []
    for name, (_, unit, _, _, digits) in ROWS.items():
        values, norm = (np.array([walk[n] for walk in known], float) for n in (name, f"{name}, norm"))
        rows.append(Trend(name, unit, values, norm, _slope(speeds, values), _slope(speeds, norm), digits))
    return SpeedTrends(speeds, tuple(rows))


def _norm(report, scalar: str, factor: float, unit: str) -> float:
    """Return the value of healthy people at the speed of a walk."""
    if scalar:
        return factor * scalars(scalar, float(np.clip(report.walk.dimensionless_speed, *REACH))).mean
    adults = adult_step(report.walk.speed, report.walk.record.leg_length)
    return adults.step_length if unit == "m" else adults.step_frequency


def _slope(v, x) -> float:
    """Compute the slope (1) of a line fitted to values x over speeds v."""
    return float((v - v.mean()) @ (x - x.mean()) / ((v - v.mean()) @ (v - v.mean())))
