"""Norms of healthy gait over phase and speed, step lengths of adults, and the gait profile score.

Curves are Fourier series over the phase, fitted to the data of M. H. Schwartz, A. Rozumalski, J. P. Trost, J. Biomech.
41 (2008) 1639. The speed is dimensionless, by dynamic similarity between body sizes, with l the leg length:

    x(p) = a₀ + Σ aₖ cos 2πkp + bₖ sin 2πkp,       p cycles since the foot's strike                               (1)
    v̂ = v / √(g l)                                                                                                (2)

Between the five speeds of the source, each coefficient is interpolated by the monotone cubic of Fritsch and Butland
(1984). It passes through the data, has a continuous slope, and stays between neighbouring values. Below the slowest and
above the fastest speed, within `REACH`, curves are constant.

Steps of adults at a speed:

    step length / l = 1.110 v̂^0.514,   standard deviation of its logarithm 0.074                                  (3)

This is a fit to 306 walks of 51 adults (young and older, six speeds each, 0.34-1.77 m/s) in the table H2A of
BMClab/datasets, CC BY 4.0. The step frequency follows from the speed. The fit is extrapolated beyond those speeds.

Gait profile score (R. Baker and others, Gait & Posture 30 (2009) 265):

    GVS of a curve = √(mean over the cycle of (x - norm)²)                     (4)  gait variable score
    GPS            = √(mean over the curves of GVS²)                           (5)

The curves are the nine of `GPS_CURVES` of each side. Those of the pelvis are taken from the left side only, so there
are fifteen. Offsets are included unless `offsets=False`. The functions work on plain floats only.
"""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError, did_you_mean

__all__ = [
    "ADULTS",
    "CURVES",
    "GPS_CURVES",
    "GRAVITY",
    "REACH",
    "SCALARS",
    "SPEEDS",
    "AdultStep",
    "Curve",
    "Scalar",
    "Score",
    "adult_step",
    "curve",
    "dimensionless",
    "gps",
    "resampled",
    "scalars",
]


FILE = Path(__file__).with_name("schwartz2008.csv")
SPEEDS = {"very_slow": 0.1721, "slow": 0.2902, "free": 0.42939, "fast": 0.55986, "very_fast": 0.69381}  # (2)
REACH = (0.10, 0.80)  # range of (2), 0.3 to 2.4 m/s for an adult
GRAVITY = 9.81  # [m/s²]
GPS_CURVES = (
    "pelvis_tilt",
    "pelvis_obliquity",
    "pelvis_rotation",
    "hip_flexion",
    "hip_adduction",
    "hip_rotation",
    "knee_flexion",
    "ankle_dorsiflexion",
    "foot_progression",
)
CURVES = (
    *GPS_CURVES, "knee_adduction", "knee_rotation", "trunk_tilt", "trunk_obliquity", "trunk_rotation", "grf_vertical",
    "grf_forward", "hip_extension_moment", "hip_abduction_moment", "knee_extension_moment", "knee_abduction_moment",
    "ankle_plantarflexion_moment", "hip_power", "knee_power", "ankle_power",
)  # fmt: skip
SCALARS = (
    "cadence", "step_length", "opposite_foot_off", "opposite_strike", "foot_off", "double_support", "pelvis_tilt_mean",
    "pelvis_tilt_range", "pelvis_rotation_range", "pelvis_obliquity_max_stance", "hip_flexion_at_strike",
    "hip_flexion_min", "hip_rotation_mean_stance", "knee_flexion_at_strike", "knee_flexion_min",
    "knee_flexion_max_swing", "ankle_dorsiflexion_at_strike", "ankle_dorsiflexion_max_stance",
    "ankle_dorsiflexion_min_swing", "hip_extension_moment_max", "hip_extension_moment_min", "knee_extension_moment_max",
    "ankle_plantarflexion_moment_max", "ankle_power_max", "grf_braking", "grf_propulsion", "grf_first_peak",
    "grf_valley", "grf_second_peak",
)  # fmt: skip


class Scalar(NamedTuple):
    """A number of the norm: its mean, its standard deviation between people, and their unit.

    The unit is "rad", "N m/kg", "W/kg", "BW" (body weights) or "1".
    """

    mean: float
    sd: float
    unit: str


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of the norm over the gait cycle: `mean(phase)` and `sd(phase)` at phases in cycles since foot strike.

    unit : "rad", "N m/kg" (internal moments, positive in the direction of their name), "W/kg", or "BW" (body weights,
    positive upwards and forwards). speed : dimensionless speed. mean_series, sd_series : a₀, a₁, b₁, … of (1).
    """

    name: str
    unit: str
    speed: float
    mean_series: np.ndarray
    sd_series: np.ndarray

    def mean(self, phase: Any) -> np.ndarray:
        """Return the mean of healthy people at phases (…) [cycles]."""
        return _sum(self.mean_series, phase)

    def sd(self, phase: Any) -> np.ndarray:
        """Return the standard deviation between people at phases (…) [cycles]."""
        return np.maximum(_sum(self.sd_series, phase), 0.0)


def curve(name: str, speed: float | str) -> Curve:
    """Return a curve of the norm at a speed.

    name : one of `CURVES`. speed : dimensionless speed within `REACH`, or a name in `SPEEDS`.
    """
    _named("curve", name, CURVES)
    unit, mean, sd = _table()[0][name]
    v = _speed(speed)
    turn = math.pi / 180.0 if unit == "deg" else 1.0
    return Curve(name, "rad" if unit == "deg" else unit, v, turn * _between(v, mean), turn * _between(v, sd))


def scalars(name: str, speed: float | str) -> Scalar:
    """Return a number of the norm at a speed. Cadence is divided by √(g/l), step length by l (leg length).

    name : one of `SCALARS`. speed : dimensionless speed within `REACH`, or a name in `SPEEDS`.
    """
    _named("scalar", name, SCALARS)
    unit, mean, sd = _table()[1][name]
    v, turn = _speed(speed), math.pi / 180.0 if unit == "deg" else 1.0
    return Scalar(float(turn * _between(v, mean)), float(turn * _between(v, sd)), "rad" if unit == "deg" else unit)


def dimensionless(velocity: float, leg: float) -> float:
    """Return the dimensionless speed (2) for a velocity [m/s] and a leg length [m]."""
    return velocity / math.sqrt(GRAVITY * leg)


@cache
def _table():
    """Read the data of the norm: {name: (unit, means, standard deviations)} at five speeds.

    Means and deviations have the shape (5, n) for series and (5,) for scalars.
    """
    series: dict[str, tuple[Any, ...]] = {}
    single: dict[str, tuple[Any, ...]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, name, unit, _, *rest = line.split(",")
        if kind == "series":
            series.setdefault(name, (unit, [], []))[1 + ("mean", "sd").index(rest[0])].append(
                [float(x) for x in rest[1:]]
            )
        else:
            entry = single.setdefault(name, (unit, [], []))
            entry[1].append(float(rest[0]))
            entry[2].append(float(rest[1]))
    return tuple({name: (unit, np.array(m), np.array(s)) for name, (unit, m, s) in t.items()} for t in (series, single))


def _sum(series, phase) -> np.ndarray:
    """Evaluate the Fourier series (1) at a phase [cycles]."""
    p = np.asarray(phase, float)
    angle = 2.0 * np.pi * p[..., None] * np.arange(1, (len(series) + 1) // 2)
    return series[0] + np.cos(angle) @ series[1::2] + np.sin(angle) @ series[2::2]


def _between(v: float, values) -> np.ndarray:
    """Interpolate values (5, …) at the five speeds by a monotone cubic, at the dimensionless speed v."""
    x = np.array(list(SPEEDS.values()))
    v = min(max(v, x[0]), x[-1])
    k = min(int(np.searchsorted(x, v, "right")) - 1, len(x) - 2)
    h, slope = np.diff(x), np.diff(values, axis=0) / np.diff(x).reshape(-1, *(1,) * (np.ndim(values) - 1))
    d0, d1 = (_slope(h, slope, i) for i in (k, k + 1))
    s, w = (v - x[k]) / h[k], h[k]
    a, b = values[k], values[k + 1]
    return (1 - s) ** 2 * ((1 + 2 * s) * a + s * w * d0) + s * s * ((3 - 2 * s) * b - (1 - s) * w * d1)


def _slope(h, slope, i: int):
    """Compute the slope of Fritsch and Butland at a node: weighted harmonic mean of both sides, or 0 at an extreme."""
    if i in (0, len(h)):
        return slope[0 if i == 0 else -1]
    a, b, w1, w2 = slope[i - 1], slope[i], 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
    same = a * b > 0.0
    return np.where(
        same, (w1 + w2) / np.where(same, w1 / np.where(same, a, 1.0) + w2 / np.where(same, b, 1.0), 1.0), 0.0
    )


def _speed(speed) -> float:
    if isinstance(speed, str):
        _named("speed", speed, tuple(SPEEDS))
        return SPEEDS[speed]
    if not REACH[0] <= speed <= REACH[1]:
        raise InputError(
            f"The norms cover dimensionless speeds from {REACH[0]:g} to {REACH[1]:g} of √(g · leg length), about 0.3 "
            f"to 2.4 m/s for an adult; got {speed:.4g}. Use dimensionless(velocity, leg) to convert a speed in m/s."
        )
    return float(speed)


def _named(what: str, name: str, choices) -> None:
    if name not in choices:
        raise InputError(
            f"The norms have no {what} '{name}'.{did_you_mean(str(name), choices)} Choose one of: {', '.join(choices)}."
        )


ADULTS = (1.1104, 0.5137, 0.0739)  # (3): factor, power, deviation of the logarithm


class AdultStep(NamedTuple):
    """Step length [m] and step frequency [steps/min] of adults, with the standard deviation of each between people."""

    step_length: float
    step_length_sd: float
    step_frequency: float
    step_frequency_sd: float


def adult_step(velocity: float, leg: float) -> AdultStep:
    """Compute the step length and frequency of adults (3) for a velocity [m/s] and a leg length [m]."""
    factor, power, spread = ADULTS
    length = factor * leg * dimensionless(velocity, leg) ** power
    frequency = 60.0 * velocity / length
    return AdultStep(length, spread * length, frequency, spread * frequency)


class Score(NamedTuple):
    """Gait profile score (5), gait variable scores (4) by side and curve, and gait profile score of each side.

    All are in the unit of the curves.
    """

    gps: float
    curves: dict[str, dict[str, float]]
    sides: dict[str, float]


def gps(
    angles: dict[str, Any], norm: dict[str, Any], curves: tuple[str, ...] = GPS_CURVES, offsets: bool = True
) -> Score:
    """Compute the gait profile score of a walk.

    Parameters
    ----------
    angles : {side: {name: (points,)}}, or {name: (points,)} for one side, over one cycle from that side's foot strike.
    norm : {name: (points,)} at the same phases, or {name: Curve} (then points are evenly spaced from 0 to 1).
    curves : names of the curves to use, which must be in both angles and norm.
    offsets : whether mean offsets are included.
    """
    by_side = angles if all(isinstance(v, dict) for v in angles.values()) else {"l": angles}
    scores: dict[str, dict[str, float]] = {}
    for side, own in by_side.items():
        missing = [name for name in curves if name not in own or name not in norm]
        if missing:
            raise InputError(
                f"gps needs {', '.join(missing)} in both the angles and the norm. Give them, or choose the curves to "
                "use with curves=(…)."
            )
        scores[side] = {name: _score(own[name], norm[name], offsets) for name in curves}
    first = next(iter(scores))
    counted = [v for side, own in scores.items() for n, v in own.items() if side == first or not n.startswith("pelvis")]
    return Score(_rms(counted), scores, {side: _rms(own.values()) for side, own in scores.items()})


def resampled(values: Any, phase: Any, points: int = 51) -> np.ndarray:
    """Interpolate a curve linearly at evenly spaced phases from 0 to 1, both included.

    values, phase : (frames,), the curve and its phases. Returns an array (points,).
    """
    return np.interp(np.linspace(0.0, 1.0, points), phase, values)


def _score(x, norm, offsets: bool) -> float:
    """Compute the gait variable score (4) of a curve x against a norm."""
    x = np.asarray(x, float)
    mean = norm.mean(np.linspace(0.0, 1.0, len(x))) if isinstance(norm, Curve) else np.asarray(norm, float)
    d = x - mean
    return _rms(d if offsets else d - d.mean())


def _rms(values) -> float:
    return float(np.sqrt(np.mean(np.square(np.asarray(list(values), float)))))  # (5)
