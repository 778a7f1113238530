"""Joint angles, ground forces and joint moments of a walk compared with the norm (docs/equations/gait.md, 2.4, 1 to 3).

Over the stance of a stride, with F(t) the vertical ground force in body weights:

    F1 = max of the first half, F2 = max of the second half, valley = min between them                          (1)
    net impulse = ∫ (forward force of both feet) dt / (weight × duration)                                       (2)
    spike = max of F minus F low-pass filtered at 50 Hz, |H|² = 1/(1 + (f/50)⁴), without delay                  (3)
    braking, propulsion impulse of a leg = ∫ of the negative, positive part of its forward force / (weight × cycle)  (4)

The functions work on plain floats only and cannot be recorded on a tape.
"""

import numpy as np

from anthropi.gait.reference.norms import GPS_CURVES, gps
from anthropi.gait.report.criteria import CURVES, FIXED, Criterion, CurveScore, Row, criterion, score
from anthropi.gait.report.foot_events import mean_over, over
from anthropi.gait.report.record import Walk

__all__ = [
    "curve_rows",
    "force_curves",
    "force_rows",
    "gps_rows",
    "joint_curves",
    "moment_curves",
    "moment_rows",
    "peak_rows",
    "score_rows",
    "smoothed",
]


Curves = dict[str, dict[str, np.ndarray]]  # {name: {side: (points,)}}
Norm = dict[str, tuple[np.ndarray, np.ndarray]]  # {name: (mean, sd)}, (points,) each
MEASURES = {  # field of a score: name, unit ("=" for the unit of the curve), factor
    "r": ("r", "", 1.0),
    "rmse": ("RMSE", "=", 1.0),
    "rmse_free": ("RMSE, offset removed", "=", 1.0),
    "inside": ("inside 2 SD", "%", 100.0),
    "inside_free": ("inside 2 SD, offset removed", "%", 100.0),
}


def joint_curves(walk: Walk) -> dict[str, dict[str, np.ndarray]]:
    """Return the joint angle curves {name: {side: (points,)}} [deg] of `GPS_CURVES`, averaged over strides."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for name in GPS_CURVES:
        for side, angles in walk.record.angles.items():
            if name in angles and walk.strides[side]:
                curve = mean_over(walk.record.time, np.unwrap(angles[name]), walk.strides[side])
                found.setdefault(name, {})[side] = np.rad2deg(curve)
    return found


def curve_rows(curves: Curves, norm: Norm) -> list[Row]:
    """Return the report's rows of joint angle curves: correlation, RMSE and share inside the band.

    norm : {name: (mean, sd)} [deg].
    """
    rows: list[Row] = []
    for name in GPS_CURVES:
        scores = {side: score(x, *norm[name]) for side, x in curves.get(name, {}).items()}
        rows += score_rows("joint angles", name, "deg", scores, _missing(name))
    return rows


def score_rows(group: str, name: str, unit: str, scores: dict[str, CurveScore], why: str) -> list[Row]:
    """Return the report's rows of one curve: the scores that are listed in `criteria.CURVES`."""
    shown = {"grf_vertical": "vertical force", "grf_forward": "forward force"}.get(name, name.replace("_", " "))
    return [
        Row(
            group,
            f"{shown}, {MEASURES[what][0]}",
            MEASURES[what][1].replace("=", unit),
            {side: MEASURES[what][2] * getattr(s, what) for side, s in scores.items()},
            criterion,
            why,
        )
        for what, criterion in CURVES[name].items()
    ]


def gps_rows(curves: Curves, norm: Norm) -> list[Row]:
    """Return the report's rows of the gait profile score, of each leg and of the body.

    The score of a leg has nine curves. That of the body has fifteen, because the pelvis is counted once.
    """
    why = "all nine curves of both legs are needed"
    angles = {side: {name: found[side] for name, found in curves.items() if side in found} for side in "lr"}
    whole = all(len(own) == len(GPS_CURVES) for own in angles.values())
    found = gps(angles, {name: norm[name][0] for name in GPS_CURVES}) if whole else None
    return [
        Row("joint angles", "GPS of a leg", "deg", found.sides if found else {}, FIXED["gps of a leg"], why),
        Row("joint angles", "GPS", "deg", {"": found.gps} if found else {}, FIXED["gps"], why),
    ]


def peak_rows(walk: Walk) -> list[Row]:
    """Return the report's rows of peaks and ranges of angles, averaged over strides."""
    time, angles, arms = walk.record.time, walk.record.angles, walk.record.arms
    swing_knee = _each(walk, angles, "knee_flexion", lambda x, off: x[off:].max())
    stance_knee = _each(walk, angles, "knee_flexion", lambda x, off: x[: off // 2].max())
    straight = _each(walk, angles, "knee_flexion", lambda x, off: x[off // 4 : off].min())
    turn = _each(walk, angles, "pelvis_rotation", lambda x, off: np.ptp(x))
    drop = _each(walk, angles, "pelvis_obliquity", lambda x, off: x[:off].max())
    swings = {
        side: np.mean([np.ptp(over(time, arms[side]["shoulder"], s.start, s.end)) for s in walk.strides[side]])
        for side in arms
        if walk.strides[side]
    }
    elbows = {
        what: {
            side: np.mean([pick(over(time, arms[side]["elbow"], s.start, s.end)) for s in walk.strides[side]])
            for side in arms
            if walk.strides[side]
        }
        for what, pick in (("least", np.min), ("most", np.max))
    }
    rows = [
        ("peak knee flexion in swing", swing_knee, "swing knee"),
        ("peak knee flexion in early stance", stance_knee, "stance knee"),
        ("least knee flexion in stance", straight, "straight knee"),
        ("range of pelvic rotation", turn, "pelvic rotation"),
        ("largest pelvic obliquity in stance", drop, "pelvic obliquity"),
        ("range of the shoulder", swings, "shoulder"),
        ("least elbow flexion", elbows["least"], "elbow"),
        ("largest elbow flexion", elbows["most"], "elbow"),
    ]
    return [
        Row(
            "joint angles",
            name,
            "deg",
            {side: float(np.rad2deg(x)) for side, x in values.items()},
            criterion(key, walk.norm_speed),
            "this angle was not recorded",
        )
        for name, values, key in rows
    ]


def _each(walk: Walk, angles, name: str, pick) -> dict[str, float]:
    """Return {side: mean over strides of pick(curve, index of foot off)} [rad]."""
    found = {}
    for side in angles:
        if name not in angles[side] or not walk.strides[side]:
            continue
        x = np.unwrap(angles[side][name])
        cut = [
            (over(walk.record.time, x, s.start, s.end), round(100 * (s.off - s.start) / s.span))
            for s in walk.strides[side]
        ]
        found[side] = float(np.mean([pick(y, max(off, 4)) for y, off in cut]))
    return found


def _missing(name: str) -> str:
    return "the figure has no ankle" if name == "ankle_dorsiflexion" else "this angle was not recorded"


BAND_MARGIN = 0.01  # [body weights]; in swing the band of the norm has zero width
SPIKE_CUTOFF = 50.0  # [Hz], cut-off frequency of (3)
NO_FORCE, NO_TAU = "record contact", "record tau"
MOMENTS = ("hip_extension", "knee_extension", "ankle_plantarflexion")


def force_curves(walk: Walk) -> dict[str, dict[str, np.ndarray]]:
    """Return the ground force curves {"grf_vertical", "grf_forward": {side: (points,)}} [body weights].

    They are averaged over strides.
    """
    if walk.record.force is None:
        return {}
    time, force = walk.record.time, walk.record.force
    return {
        name: {
            side: mean_over(time, force[side][:, axis], rows) / walk.weight
            for side, rows in walk.strides.items()
            if rows
        }
        for name, axis in (("grf_vertical", 2), ("grf_forward", 0))
    }


def moment_curves(walk: Walk) -> dict[str, dict[str, np.ndarray]]:
    """Return the joint moment curves {"hip_extension_moment", …: {side: (points,)}} [N m/kg], averaged over strides."""
    moments = walk.record.moments or {}
    return {
        f"{name}_moment": {
            side: mean_over(walk.record.time, moments[side][name], rows)
            for side, rows in walk.strides.items()
            if rows and name in moments.get(side, {})
        }
        for name in MOMENTS
    }


def force_rows(walk: Walk, curves: Curves, norm: Norm) -> list[Row]:
    """Return the report's rows of ground forces: scores, peaks, impulses and spikes."""
    rows = []
    for name in ("grf_vertical", "grf_forward"):
        scores = {side: score(x, norm[name][0], norm[name][1], BAND_MARGIN) for side, x in curves.get(name, {}).items()}
        rows += score_rows("ground force", name, "BW", scores, NO_FORCE)
    peaks = _peaks(walk) if walk.record.force else {}
    names = {
        "F1": "first peak, F1",
        "valley": "valley",
        "F2": "second peak, F2",
        "humps": "depth of the valley",
        "braking": "braking",
        "propulsion": "propulsion",
    }
    rows += [
        Row(
            "ground force",
            words,
            "BW",
            {side: found[key] for side, found in peaks.items()},
            criterion(key, walk.norm_speed),
            NO_FORCE,
        )
        for key, words in names.items()
    ]
    rows.append(
        Row("ground force", "net forward impulse / (weight × time)", "%", _impulse(walk), FIXED["impulse"], NO_FORCE)
    )
    for word, sign in (("braking", -1.0), ("propulsion", 1.0)):
        own = {side: _half(x, sign) for side, x in curves.get("grf_forward", {}).items()}
        people = Criterion(f"{_half(norm['grf_forward'][0], sign):.1f} [C]", digits=1)
        rows.append(Row("ground force", f"{word} impulse / (weight × cycle)", "%", own, people, NO_FORCE))
    spikes, why = _spikes(walk)
    return [*rows, Row("ground force", "spike above 50 Hz", "BW", spikes, FIXED["spike"], why)]


def moment_rows(walk: Walk, curves: Curves, norm: Norm) -> list[Row]:
    """Return the report's rows of joint moments: scores, and the peak of the ankle moment."""
    rows = []
    lost = walk.record.missing_force or NO_TAU
    lost = lost if walk.record.moments is None else "the figure has no such joint"
    for name in MOMENTS:
        key = f"{name}_moment"
        scores = {side: score(x, *norm[key]) for side, x in curves.get(key, {}).items()}
        rows += score_rows("joint moments", key, "N m/kg", scores, lost)
    ankle = curves.get("ankle_plantarflexion_moment", {})
    peak = {side: float(x.max()) for side, x in ankle.items()}
    return [
        *rows,
        Row("joint moments", "peak ankle plantarflexion moment", "N m/kg", peak, FIXED["ankle moment"], lost),
    ]


def _peaks(walk: Walk) -> dict[str, dict[str, float]]:
    """Return peaks and valley (1) of the vertical force and extremes of the forward force, averaged over strides."""
    found, force = {}, walk.record.force or {}
    for side, rows in walk.strides.items():
        each = []
        for s in rows:
            stance = over(walk.record.time, force[side], s.start, s.off) / walk.weight
            up, ahead, middle = stance[:, 2], stance[:, 0], len(stance) // 2
            first, second = int(np.argmax(up[:middle])), middle + int(np.argmax(up[middle:]))
            valley = up[first : second + 1].min()  # (1)
            low = min(up[first], up[second]) - valley
            each.append((up[first], valley, up[second], low, ahead.min(), ahead.max()))
        if each:
            found[side] = dict(
                zip(
                    ("F1", "valley", "F2", "humps", "braking", "propulsion"),
                    (float(x) for x in np.mean(each, axis=0)),
                    strict=True,
                )
            )
    return found


def _half(x, sign: float) -> float:
    """Compute the braking (sign -1) or propulsion (sign +1) impulse (4) of a curve (points,), in percent."""
    return float(100.0 * sign * np.trapezoid(np.maximum(sign * x, 0.0), np.linspace(0.0, 1.0, len(x))))


def _impulse(walk: Walk) -> dict[str, float]:
    """Compute the net forward impulse (2) of a walk, in percent."""
    if walk.record.force is None:
        return {}
    start, end = walk.span
    when = np.linspace(start, end, 20 * len(walk.record.time))
    ahead = sum(np.interp(when, walk.record.time, f[:, 0]) for f in walk.record.force.values())
    return {"": float(100.0 * np.trapezoid(ahead, when) / (walk.weight * (end - start)))}


def _spikes(walk: Walk) -> tuple[dict[str, float], str]:
    """Compute the force spike (3) of each side [body weights]; return it and the reason if it was not measured."""
    if walk.record.force is None:
        return {}, NO_FORCE
    rate = 1.0 / float(np.median(np.diff(walk.record.time)))
    if rate < 4.0 * SPIKE_CUTOFF:
        return {}, f"record at least {4.0 * SPIKE_CUTOFF:.0f} frames per second; there are {rate:.0f}"
    return {
        side: float((f[:, 2] - smoothed(walk.record.time, f[:, 2], SPIKE_CUTOFF)).max() / walk.weight)
        for side, f in walk.record.force.items()
    }, ""


def smoothed(time: np.ndarray, x: np.ndarray, cutoff: float) -> np.ndarray:
    """Low-pass filter a signal x (frames,) at a cut-off frequency [Hz] (3). The signal is mirrored at its end."""
    step = float(np.median(np.diff(time)))
    even = np.interp(np.arange(time[0], time[-1] + 0.5 * step, step), time, x)
    whole = np.concatenate([even, even[::-1]])
    share = 1.0 / (1.0 + (np.fft.rfftfreq(len(whole), step) / cutoff) ** 4)
    low = np.fft.irfft(np.fft.rfft(whole) * share, len(whole))[: len(even)]
    return np.interp(time, time[0] + step * np.arange(len(even)), low)
