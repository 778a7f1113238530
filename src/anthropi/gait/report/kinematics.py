"""How like people's are the joint curves of a walk, and its peaks? (spec/gait.md 2.4, 1.) Floats only."""

import numpy as np

from anthropi.gait.norms import GPS_CURVES, gps
from anthropi.gait.report.criteria import CURVES, FIXED, criterion
from anthropi.gait.report.rows import Row
from anthropi.gait.report.scores import score
from anthropi.gait.report.strides import mean_over, over
from anthropi.gait.report.walk import Walk

__all__ = ["curve_rows", "gps_rows", "joint_curves", "peak_rows", "score_rows"]

MEASURES = {  # of a score: words, unit (that of the curve where "="), factor
    "r": ("r", "", 1.0),
    "rmse": ("RMSE", "=", 1.0),
    "rmse_free": ("RMSE, offset removed", "=", 1.0),
    "inside": ("inside 2 SD", "%", 100.0),
    "inside_free": ("inside 2 SD, offset removed", "%", 100.0),
}


def joint_curves(walk: Walk) -> dict[str, dict[str, np.ndarray]]:
    """{name: {side: (points,)}} [deg]: the mean over strides of each of the nine curves that were recorded."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for name in GPS_CURVES:
        for side, angles in walk.record.angles.items():
            if name in angles and walk.strides[side]:
                curve = mean_over(walk.record.time, np.unwrap(angles[name]), walk.strides[side])
                found.setdefault(name, {})[side] = np.rad2deg(curve)
    return found


def curve_rows(curves, norm) -> list[Row]:
    """Rows of r, RMSE and share inside. norm : {name: (mean, sd)} [deg]."""
    rows: list[Row] = []
    for name in GPS_CURVES:
        scores = {side: score(x, *norm[name]) for side, x in curves.get(name, {}).items()}
        rows += score_rows("joint angles", name, "deg", scores, _missing(name))
    return rows


def score_rows(group: str, name: str, unit: str, scores, why: str) -> list[Row]:
    """The rows of a curve that `criteria.CURVES` asks for."""
    shown = {"grf_vertical": "vertical force", "grf_forward": "forward force"}.get(name, name.replace("_", " "))
    return [Row(group, f"{shown}, {MEASURES[what][0]}", MEASURES[what][1].replace("=", unit),
                {side: MEASURES[what][2] * getattr(s, what) for side, s in scores.items()}, criterion, why)
            for what, criterion in CURVES[name].items()]  # fmt: skip


def gps_rows(curves, norm) -> list[Row]:
    """The gait profile score of each leg (nine curves) and of the body (fifteen: the pelvis' once)."""
    why = "all nine curves of both legs are needed"
    angles = {side: {name: found[side] for name, found in curves.items() if side in found} for side in "lr"}
    whole = all(len(own) == len(GPS_CURVES) for own in angles.values())
    found = gps(angles, {name: norm[name][0] for name in GPS_CURVES}) if whole else None
    return [
        Row("joint angles", "GPS of a leg", "deg", found.sides if found else {}, FIXED["gps of a leg"], why),
        Row("joint angles", "GPS", "deg", {"": found.gps} if found else {}, FIXED["gps"], why),
    ]


def peak_rows(walk: Walk) -> list[Row]:
    """Peaks and ranges: each stride's, then the mean over strides."""
    time, angles, arms = walk.record.time, walk.record.angles, walk.record.arms
    swing_knee = _each(walk, angles, "knee_flexion", lambda x, off: x[off:].max())
    stance_knee = _each(walk, angles, "knee_flexion", lambda x, off: x[: off // 2].max())
    straight = _each(walk, angles, "knee_flexion", lambda x, off: x[off // 4 : off].min())
    turn = _each(walk, angles, "pelvis_rotation", lambda x, off: np.ptp(x))
    drop = _each(walk, angles, "pelvis_obliquity", lambda x, off: x[:off].max())
    swings = {side: np.mean([np.ptp(over(time, arms[side]["shoulder"], s.start, s.end)) for s in walk.strides[side]])
              for side in arms if walk.strides[side]}  # fmt: skip
    bends = {what: {side: np.mean([pick(over(time, arms[side]["elbow"], s.start, s.end)) for s in walk.strides[side]])
                    for side in arms if walk.strides[side]}
             for what, pick in (("least", np.min), ("most", np.max))}  # fmt: skip
    rows = [
        ("peak knee flexion in swing", swing_knee, "swing knee"),
        ("peak knee flexion in early stance", stance_knee, "stance knee"),
        ("least knee flexion in stance", straight, "straight knee"),
        ("range of pelvic rotation", turn, "pelvic rotation"),
        ("largest pelvic obliquity in stance", drop, "pelvic obliquity"),
        ("range of the shoulder", swings, "shoulder"),
        ("least elbow flexion", bends["least"], "elbow"),
        ("largest elbow flexion", bends["most"], "elbow"),
    ]
    return [Row("joint angles", name, "deg", {side: float(np.rad2deg(x)) for side, x in values.items()},
                criterion(key, walk.norm_speed),
                "no such angle is known")
            for name, values, key in rows]  # fmt: skip


def _each(walk: Walk, angles, name: str, pick) -> dict[str, float]:
    """{side: mean over strides of pick(curve, index of foot off)} [rad]."""
    found = {}
    for side in angles:
        if name not in angles[side] or not walk.strides[side]:
            continue
        x = np.unwrap(angles[side][name])
        cut = [(over(walk.record.time, x, s.start, s.end), round(100 * (s.off - s.start) / s.span))
               for s in walk.strides[side]]  # fmt: skip
        found[side] = float(np.mean([pick(y, max(off, 4)) for y, off in cut]))
    return found


def _missing(name: str) -> str:
    return "the figure has no ankle" if name == "ankle_dorsiflexion" else "no such angle is known"
