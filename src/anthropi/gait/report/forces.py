"""How like people's are the forces of the ground and the moments of the joints? (spec/gait.md 2.4, 2 and 3.)

Over the stance of a stride, force in body weights, F(t) upward:

    F1 = max of the first half, F2 = max of the second half, valley = min between them                        (1)
    net impulse = ∫ (forward force of both feet) dt / (weight × duration)                                     (2)
    braking, propulsion impulse of a leg = ∫ of what is below, above 0 of its forward force / (weight × cycle)  (4)
    spike = max of F less its low-pass of 50 Hz, |H|² = 1/(1 + (f/50)⁴), without delay                        (3)

Floats only.
"""

import numpy as np

from anthropi.gait.report.criteria import FIXED, criterion
from anthropi.gait.report.kinematics import score_rows
from anthropi.gait.report.rows import Criterion, Row
from anthropi.gait.report.scores import score
from anthropi.gait.report.strides import mean_over, over
from anthropi.gait.report.walk import Walk

__all__ = ["force_curves", "force_rows", "moment_curves", "moment_rows", "smoothed"]

SLACK = 0.01  # [body weights]: in swing the norm's band has no width
CUT = 50.0  # [Hz]
NO_FORCE, NO_TAU = "record contact", "record tau"
MOMENTS = ("hip_extension", "knee_extension", "ankle_plantarflexion")


def force_curves(walk: Walk) -> dict[str, dict[str, np.ndarray]]:
    """{"grf_vertical", "grf_forward": {side: (points,)}} [body weights], the mean over strides."""
    if walk.record.force is None:
        return {}
    time, force = walk.record.time, walk.record.force
    return {name: {side: mean_over(time, force[side][:, axis], rows) / walk.weight
                   for side, rows in walk.strides.items() if rows}
            for name, axis in (("grf_vertical", 2), ("grf_forward", 0))}  # fmt: skip


def moment_curves(walk: Walk) -> dict[str, dict[str, np.ndarray]]:
    """{"hip_extension_moment", …: {side: (points,)}} [N m/kg], the mean over strides."""
    moments = walk.record.moments or {}
    return {f"{name}_moment": {side: mean_over(walk.record.time, moments[side][name], rows)
                               for side, rows in walk.strides.items() if rows and name in moments.get(side, {})}
            for name in MOMENTS}  # fmt: skip


def force_rows(walk: Walk, curves, norm) -> list[Row]:
    """Likeness, peaks, impulse and spikes of the ground's forces."""
    rows = []
    for name in ("grf_vertical", "grf_forward"):
        scores = {side: score(x, norm[name][0], norm[name][1], SLACK) for side, x in curves.get(name, {}).items()}
        rows += score_rows("ground force", name, "BW", scores, NO_FORCE)
    peaks = _peaks(walk) if walk.record.force else {}
    names = {"F1": "first peak, F1", "valley": "valley", "F2": "second peak, F2", "humps": "depth of the valley",
             "braking": "braking", "propulsion": "propulsion"}  # fmt: skip
    rows += [Row("ground force", words, "BW", {side: found[key] for side, found in peaks.items()},
                 criterion(key, walk.norm_speed), NO_FORCE)
             for key, words in names.items()]  # fmt: skip
    rows.append(Row("ground force", "net forward impulse / (weight × time)", "%", _impulse(walk),
                    FIXED["impulse"], NO_FORCE))  # fmt: skip
    for word, sign in (("braking", -1.0), ("propulsion", 1.0)):
        own = {side: _half(x, sign) for side, x in curves.get("grf_forward", {}).items()}
        people = Criterion(f"{_half(norm['grf_forward'][0], sign):.1f} [C]", digits=1)
        rows.append(Row("ground force", f"{word} impulse / (weight × cycle)", "%", own, people, NO_FORCE))
    spikes, why = _spikes(walk)
    return [*rows, Row("ground force", "spike above 50 Hz", "BW", spikes, FIXED["spike"], why)]


def moment_rows(walk: Walk, curves, norm) -> list[Row]:
    """Likeness of the joint moments, and the ankle's peak."""
    rows = []
    lost = NO_TAU if walk.record.moments is None else "the figure has no such joint"
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
    """(1) and the extremes of the forward force, the mean over strides, by side."""
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
            found[side] = dict(zip(("F1", "valley", "F2", "humps", "braking", "propulsion"),
                                   (float(x) for x in np.mean(each, axis=0)), strict=True))  # fmt: skip
    return found


def _half(x, sign: float) -> float:
    """(4) in percent, of a curve (points,) over the cycle."""
    return float(100.0 * sign * np.trapezoid(np.maximum(sign * x, 0.0), np.linspace(0.0, 1.0, len(x))))


def _impulse(walk: Walk) -> dict[str, float]:
    """(2) in percent."""
    if walk.record.force is None:
        return {}
    start, end = walk.span
    when = np.linspace(start, end, 20 * len(walk.record.time))
    ahead = sum(np.interp(when, walk.record.time, f[:, 0]) for f in walk.record.force.values())
    return {"": float(100.0 * np.trapezoid(ahead, when) / (walk.weight * (end - start)))}


def _spikes(walk: Walk) -> tuple[dict[str, float], str]:
    """(3) by side."""
    if walk.record.force is None:
        return {}, NO_FORCE
    rate = 1.0 / float(np.median(np.diff(walk.record.time)))
    if rate < 4.0 * CUT:
        return {}, f"record {4.0 * CUT:.0f} frames a second; there are {rate:.0f}"
    return {side: float((f[:, 2] - smoothed(walk.record.time, f[:, 2], CUT)).max() / walk.weight)
            for side, f in walk.record.force.items()}, ""  # fmt: skip


def smoothed(time, x, cut: float) -> np.ndarray:
    """x (frames,) below `cut` [Hz], by (3), the ends mirrored."""
    step = float(np.median(np.diff(time)))
    even = np.interp(np.arange(time[0], time[-1] + 0.5 * step, step), time, x)
    whole = np.concatenate([even, even[::-1]])
    share = 1.0 / (1.0 + (np.fft.rfftfreq(len(whole), step) / cut) ** 4)
    low = np.fft.irfft(np.fft.rfft(whole) * share, len(whole))[: len(even)]
    return np.interp(time, time[0] + step * np.arange(len(even)), low)
