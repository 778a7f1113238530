"""Steps, durations, symmetry, energy and foot placement of a walk (docs/equations/gait.md, 2.4, 4 and 6).

    step length of a leg = heel at its strike - other heel at the strike before, in the direction of walking     (1)
    foot off = (off - start)/T,  double support = ((other off - start) + (off - other strike))/T, 0 at least     (2)
    asymmetry = |left - right| / mean; for peaks of angles |left - right| / range over the cycle                 (3)
    work = Σ ∫ max(τ u, 0) dt / (mass × distance), per degree of freedom; cost of transport = work/g             (4)

Foot placement (Wang and Srinivasan 2014; docs/equations/gait.md, 2.2): p and v are the position and velocity of the
pelvis relative to the stance heel in mid-stance, half way between two strikes. They predict the position of the next
heel relative to the stance heel by

    y_next - y = a + b p_y + c v_y,     x_next - x = a + b p_x + c v_x                                           (5)

for each side. R² is the share of the variance that (5) explains; sideways, it is above 0.8 for people on a treadmill.
The fit needs steps that differ, as in a walk with pushes or noise. The functions work on plain floats only; they cannot
be recorded on a tape.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.report.criteria import FIXED, Row, adult_steps, criterion
from anthropi.gait.report.record import G, Walk

__all__ = ["FootPlacement", "energy_rows", "foot_placement", "footprints", "space_time_rows", "symmetry_rows"]


NO_TRAVEL = "give the position of the pelvis or the speed of the belt"
NO_HEEL = "give the positions of the heels"
NO_TAU = "record tau"
ANGLES: dict[Any, Any] = {  # peaks of angles: curve, and maximum or minimum
    "largest hip flexion": ("hip_flexion", np.max),
    "least hip flexion": ("hip_flexion", np.min),
    "largest knee flexion": ("knee_flexion", np.max),
    "largest ankle dorsiflexion": ("ankle_dorsiflexion", np.max),
    "largest ankle plantarflexion": ("ankle_dorsiflexion", np.min),
}


def footprints(walk: Walk) -> list[tuple[str, float, np.ndarray]]:
    """Return side, time [s] and heel position (3,) [m] at every strike, sorted by time.

    On a treadmill, positions are relative to the moving belt.
    """
    record = walk.record
    if record.heel is None:
        return []
    found = []
    for side, times in walk.times.items():
        for t in times.strike:
            at = np.array([np.interp(t, record.time, record.heel[side][:, k]) for k in range(3)])
            found.append((side, float(t), at + np.array([record.belt * t, 0.0, 0.0])))
    return sorted(found, key=lambda x: x[1])


def space_time_rows(walk: Walk) -> list[Row]:
    """Return the report's rows of speed, steps and durations."""
    group, speed = "space and time", walk.speed
    steps = _steps(walk)
    length, cadence = adult_steps(speed, walk.record.leg_length)
    each = _means(walk)
    count = {side: float(len(rows)) for side, rows in walk.strides.items()}
    one = {} if speed is None else {"": speed}
    relative = walk.dimensionless_speed
    mean_cycle = np.mean([s.span for rows in walk.strides.values() for s in rows])
    return [
        Row(group, "strides", "", count, FIXED["strides"]),
        Row(group, "speed", "m/s", one, FIXED["speed"], NO_TRAVEL),
        Row(
            group,
            "speed / √(g leg)",
            "",
            {} if relative is None else {"": relative},
            FIXED["dimensionless speed"],
            NO_TRAVEL,
        ),
        Row(group, "step length", "m", steps["length"], length, NO_HEEL),
        Row(group, "step width", "m", steps["width"], FIXED["step width"], NO_HEEL),
        Row(group, "cadence", "steps/min", {"": float(120.0 / mean_cycle)}, cadence),
        Row(group, "step time", "s", each["step_time"], FIXED["step time"]),
        Row(group, "foot off", "% cycle", each["foot_off"], criterion("foot off", walk.norm_speed)),
        Row(group, "double support", "% cycle", each["double"], criterion("double support", walk.norm_speed)),
    ]


def symmetry_rows(
    walk: Walk, peaks: dict[str, dict[str, float]], curves: dict[str, dict[str, np.ndarray]]
) -> list[Row]:
    """Return the report's rows of asymmetry (3) of steps, peaks and angles.

    peaks : {name: {side: value}}. curves : {name: {side: (points,)}}, mean curves over the cycle.
    """
    each, steps = _means(walk), _steps(walk)
    pairs = {"step length": steps["length"], "step time": each["step_time"], "stance": each["foot_off"]} | peaks
    found = {name: _asymmetry(x) for name, x in pairs.items()}
    for name, (curve, pick) in ANGLES.items():
        found[name] = _of_range(curves.get(curve, {}), pick)
    return [
        Row("symmetry", f"{name}, left against right", "%", x, FIXED["symmetry"], "both legs must be measured")
        for name, x in found.items()
    ]


def energy_rows(walk: Walk) -> list[Row]:
    """Return the report's rows of mechanical work and cost of transport (4)."""
    record, speed, work = walk.record, walk.speed, dict[str, float]()
    why = (record.missing_force or NO_TAU) if record.power is None else NO_TRAVEL
    if record.power is not None and speed is not None and speed > 0.05:
        start, end = walk.span
        kept = (record.time >= start) & (record.time <= end)
        scale = record.mass * speed * (record.time[kept][-1] - record.time[kept][0])
        for name, sign in (("positive", 1.0), ("negative", -1.0)):
            flow = sign * np.maximum(sign * record.power[kept], 0.0).sum(-1)
            work[name] = float(np.trapezoid(flow, record.time[kept]) / scale)
    values = {name: {"": x} for name, x in work.items()}
    return [
        Row("energy", "positive joint work", "J/(kg m)", values.get("positive", {}), FIXED["positive work"], why),
        Row("energy", "negative joint work", "J/(kg m)", values.get("negative", {}), FIXED["negative work"], why),
        Row(
            "energy",
            "positive cost of transport",
            "",
            {name: x / G for name, x in values.get("positive", {}).items()},
            FIXED["cost of transport"],
            why,
        ),
    ]


def _steps(walk: Walk) -> dict[str, dict[str, float]]:
    """Return the mean step length (1) of each side and the mean step width [m]."""
    prints = footprints(walk)
    pairs = [(a, b) for a, b in pairwise(prints) if a[0] != b[0]]
    lengths = {side: [b[2][0] - a[2][0] for a, b in pairs if b[0] == side] for side in "lr"}
    widths = [abs(b[2][1] - a[2][1]) for a, b in pairs]
    return {
        "length": {side: float(np.mean(x)) for side, x in lengths.items() if x},
        "width": {"": float(np.mean(widths))} if widths else {},
    }


def _means(walk: Walk) -> dict[str, dict[str, float]]:
    """Return mean foot off and double support (2) [% of the cycle] and mean step time [s] of each side.

    The step time of a leg lasts from the strike of the other foot to its own strike.
    """
    found: dict[str, dict[str, float]] = {"foot_off": {}, "double": {}, "step_time": {}}
    for side, rows in walk.strides.items():
        if not rows:
            continue
        double = [
            max(s.other_off - s.start, 0.0) + max(s.off - s.other_strike, 0.0) if s.other_off < s.off else 0.0
            for s in rows
        ]
        found["foot_off"][side] = float(np.mean([100.0 * (s.off - s.start) / s.span for s in rows]))
        found["double"][side] = float(np.mean([100.0 * d / s.span for d, s in zip(double, rows, strict=True)]))
        found["step_time"][side] = float(np.mean([s.end - s.other_strike for s in rows]))
    return found


def _of_range(curves: dict[str, np.ndarray], pick) -> dict[str, float]:
    """Compute the asymmetry (3) of the peaks of both legs' curves, in percent of their range."""
    if set(curves) != {"l", "r"}:
        return {}
    span = 0.5 * sum(float(np.ptp(x)) for x in curves.values())
    return {"": 100.0 * abs(float(pick(curves["l"]) - pick(curves["r"]))) / span} if span > 0.0 else {}


def _asymmetry(x: dict[str, float]) -> dict[str, float]:
    """Compute the asymmetry (3) of a left and a right value, in percent."""
    if set(x) != {"l", "r"} or x["l"] + x["r"] == 0.0:
        return {}
    return {"": 200.0 * abs(x["l"] - x["r"]) / abs(x["l"] + x["r"])}


MIN_STEPS = 10  # steps of each side
MIN_VARIATION = 1e-5  # [m] standard deviation of the steps


class FootPlacement(NamedTuple):
    """Fit of foot placement (5).

    sideways, forward : {side that steps: R²}. slopes : {side: (2,)}, b and c of the sideways fit. steps : number of
    steps used.
    """

    sideways: dict[str, float]
    forward: dict[str, float]
    slopes: dict[str, np.ndarray]
    steps: int


def foot_placement(report: Any) -> FootPlacement:
    """Fit the foot placement model (5) to a gait report (`gait_report`) or to its walk.

    Raises InputError if there are too few steps, or if all are equal.
    """
    walk: Walk = getattr(report, "walk", report)
    record, prints = walk.record, footprints(walk)
    if record.place is None or not prints:
        raise InputError("Foot placement needs the positions of pelvis and heels, which the record does not contain.")
    place = record.place + np.outer(record.belt * record.time, [1.0, 0.0, 0.0])
    speed = np.gradient(place, record.time, axis=0)
    rows: dict[str, list[Any]] = {"l": [], "r": []}
    for (side, start, stands), (other, end, lands) in pairwise(prints):
        if side != other:
            t = 0.5 * (start + end)
            p, v = (np.array([np.interp(t, record.time, x[:, k]) for k in range(2)]) for x in (place, speed))
            rows[other].append(np.concatenate([p - stands[:2], v, lands[:2] - stands[:2]]))
    few = [side for side, found in rows.items() if len(found) < MIN_STEPS]
    if few:
        raise InputError(
            f"Foot placement needs {MIN_STEPS} steps of each foot; foot '{few[0]}' has {len(rows[few[0]])}."
        )
    ahead, aside, slopes = {}, {}, {}
    for side, found in rows.items():
        x = np.array(found)
        if x[:, 5].std() < MIN_VARIATION:
            raise InputError("Foot placement needs steps that differ, but all are equal. Push the walker or add noise.")
        ahead[side], _ = _fit(x[:, [0, 2]], x[:, 4])
        aside[side], slopes[side] = _fit(x[:, [1, 3]], x[:, 5])
    return FootPlacement(aside, ahead, slopes, sum(len(found) for found in rows.values()))


def _fit(inputs, outputs) -> tuple[float, np.ndarray]:
    """Fit outputs as a linear function of inputs by least squares (5); return R² and the slopes."""
    A = np.concatenate([np.ones((len(inputs), 1)), inputs], 1)
    found = np.linalg.lstsq(A, outputs, rcond=None)[0]
    rest = outputs - A @ found
    return float(1.0 - rest @ rest / max(float(((outputs - outputs.mean()) ** 2).sum()), 1e-300)), found[1:]
