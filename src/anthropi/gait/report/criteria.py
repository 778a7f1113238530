"""What do real adults score, and what does a walk have to score? (spec/gait.md 2.2 to 2.4.)

Curves: what two adults, four legs, score against Schwartz 2008 "free" (moco3d overground at 1.24 m/s; gait2354 on a
treadmill): [C]. Peaks and durations: mean ± deviation of Schwartz 2008 at the speed of the walk, steps those of adults
(H2A): [C]; a limit made of them is two deviations, which 95 people in 100 keep. Where the spec sets no limit, or says
never to gate, a row is reported only.
"""

import math

from anthropi.gait.norms import adult_step, scalars
from anthropi.gait.report.rows import Criterion

__all__ = ["CURVES", "FIXED", "adult_steps", "criterion"]

_JOINT = {"r": Criterion(digits=3), "rmse": Criterion(digits=1), "rmse_free": Criterion(digits=1)}
CURVES: dict[str, dict[str, Criterion]] = {  # curve: {measure of `scores.CurveScore`: criterion}
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

FIXED = {  # the same at every speed; work and its cost: an adult at 1.26 m/s; speeds: the preferred one
    "gps": Criterion("5.8 [C], good ≤ 6", high=8.0, digits=1),
    "gps of a leg": Criterion("5.2–5.7 [M]", digits=1),
    "stance knee": Criterion(digits=1),
    "straight knee": Criterion(digits=1),
    "shoulder": Criterion("about 30 [C]", digits=1),
    "elbow": Criterion("26 to 51 [C]", digits=1),
    "humps": Criterion(".32 [C]", low=0.02),  # less is one peak with ripples
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
    "residual": Criterion("0", high=1e-6, digits=3),  # [%]: rounding
    "aid": Criterion("none", high=0.0, digits=1),
    "slip": Criterion("", high=10.0, digits=1),
    "penetration": Criterion("", high=15.0, digits=1),
    "gap": Criterion("", digits=1),
}
AT_SPEED = {  # name: the norm's scalar, factor to the report's unit, digits, whether it decides
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


def criterion(name: str, speed) -> Criterion:
    """What to hold a number against at a dimensionless speed, or at one of the norm's by its name."""
    if name in FIXED:
        return FIXED[name]
    scalar, factor, digits, gated = AT_SPEED[name]
    mean, sd, _ = scalars(scalar, speed)
    mean, sd = factor * mean, factor * sd
    return Criterion(f"{mean:.{digits}f} ± {sd:.{digits}f} [C]", mean - 2.0 * sd, mean + 2.0 * sd, digits, gated)


def adult_steps(speed: float | None, leg: float) -> tuple[Criterion, Criterion]:
    """Step length [m] and cadence [steps/min] of adults with this leg [m] at this speed [m/s]."""
    if speed is None or speed <= 0.0:
        return Criterion(digits=3), Criterion(digits=0)
    a = adult_step(speed, leg)
    pairs = ((a.step_length, a.step_length_sd, 3), (a.step_frequency, a.step_frequency_sd, 0))
    one, other = (Criterion(f"{x:.{n}f} ± {sd:.{n}f} [C]", x - 2.0 * sd, x + 2.0 * sd, n) for x, sd, n in pairs)
    return one, other
