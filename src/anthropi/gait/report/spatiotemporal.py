"""How long, wide and quick are the steps, how even, and how much work do they take? (spec/gait.md 2.4, 4 and 6.)

    step length of a leg = heel at its strike - the other heel at the strike before, along the walk             (1)
    foot off = (off - start)/T,  double support = ((other off - start) + (off - other strike))/T, 0 at least     (2)
    asymmetry = |left - right| / mean, of peaks of angles / their range over the cycle                           (3)
    work = Σ ∫ max(τ u, 0) dt / (mass × way), each degree of freedom for itself; cost of transport = work/g      (4)

Floats only.

Placement
---------
Does the pelvis foretell where the next foot comes down? (Wang and Srinivasan 2014; spec/gait.md 2.2.) Floats only.

In the middle of a stance, half way between the other foot's strike and the next, with p and v the pelvis' place and
velocity less the place of the heel that stands, the next heel's place against the same heel is foretold by a plane,

    y_next - y = a + b p_y + c v_y,     x_next - x = a + b p_x + c v_x        (5)

for each side by itself. R² is the share of the variance that (5) explains, of people walking on a belt: sideways above
.8. It takes a walk that is not the same at every step: pushed, or noisy.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.report.criteria import FIXED, Row, adult_steps, criterion
from anthropi.gait.report.record import G, Walk

__all__ = ["FootPlacement", "energy_rows", "foot_placement", "footprints", "space_time_rows", "symmetry_rows"]


NO_TRAVEL = "give the pelvis' way or the belt's speed"
NO_HEEL = "give the heels' way"
NO_TAU = "record tau"
ANGLES = {  # peaks of angles: the curve, and which end of it
    "largest hip flexion": ("hip_flexion", np.max),
    "least hip flexion": ("hip_flexion", np.min),
    "largest knee flexion": ("knee_flexion", np.max),
    "largest ankle dorsiflexion": ("ankle_dorsiflexion", np.max),
    "largest ankle plantarflexion": ("ankle_dorsiflexion", np.min),
}


def footprints(walk: Walk) -> list[tuple[str, float, np.ndarray]]:
    """Side, time and place (3,) [m] of the heel at every strike, in order of time; on a belt, as if it stood still."""
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
    """Speed, steps, durations."""
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
    """(3) of step length, step time, stance, of peaks given by name and side, and of those of curves (points,)."""
    each, steps = _means(walk), _steps(walk)
    pairs = {"step length": steps["length"], "step time": each["step_time"], "stance": each["foot_off"]} | peaks
    found = {name: _aside(x) for name, x in pairs.items()}
    for name, (curve, pick) in ANGLES.items():
        found[name] = _of_range(curves.get(curve, {}), pick)
    return [
        Row("symmetry", f"{name}, left against right", "%", x, FIXED["symmetry"], "both legs have to be measured")
        for name, x in found.items()
    ]


def energy_rows(walk: Walk) -> list[Row]:
    """(4)"""
    record, speed, work = walk.record, walk.speed, dict[str, float]()
    why = NO_TAU if record.power is None else NO_TRAVEL
    if record.power is not None and speed is not None and speed > 0.05:
        start, end = walk.span
        kept = (record.time >= start) & (record.time <= end)
        way = record.mass * speed * (record.time[kept][-1] - record.time[kept][0])
        for name, sign in (("positive", 1.0), ("negative", -1.0)):
            flow = sign * np.maximum(sign * record.power[kept], 0.0).sum(-1)
            work[name] = float(np.trapezoid(flow, record.time[kept]) / way)
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
    """(1) by side, and the width of all."""
    prints = footprints(walk)
    pairs = [(a, b) for a, b in pairwise(prints) if a[0] != b[0]]
    lengths = {side: [b[2][0] - a[2][0] for a, b in pairs if b[0] == side] for side in "lr"}
    widths = [abs(b[2][1] - a[2][1]) for a, b in pairs]
    return {
        "length": {side: float(np.mean(x)) for side, x in lengths.items() if x},
        "width": {"": float(np.mean(widths))} if widths else {},
    }


def _means(walk: Walk) -> dict[str, dict[str, float]]:
    """(2) by side, and the time of a leg's step: from the other's strike to its own."""
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
    """(3) of the peaks of both legs' curves, in percent of their range."""
    if set(curves) != {"l", "r"}:
        return {}
    span = 0.5 * sum(float(np.ptp(x)) for x in curves.values())
    return {"": 100.0 * abs(float(pick(curves["l"]) - pick(curves["r"]))) / span} if span > 0.0 else {}


def _aside(x: dict[str, float]) -> dict[str, float]:
    """(3) in percent."""
    if set(x) != {"l", "r"} or x["l"] + x["r"] == 0.0:
        return {}
    return {"": 200.0 * abs(x["l"] - x["r"]) / abs(x["l"] + x["r"])}


ENOUGH = 10  # steps of a side
STILL = 1e-5  # [m] of deviation: a walk that repeats itself says nothing


class FootPlacement(NamedTuple):
    """R² {side that steps: share} sideways and forward, slopes b, c of (5) sideways {side: (2,)}, steps in all."""

    sideways: dict[str, float]
    forward: dict[str, float]
    slopes: dict[str, np.ndarray]
    steps: int


def foot_placement(report) -> FootPlacement:
    """(5) of a report (`gait_report`) or of its walk; InputError where steps are too few or all the same."""
    walk: Walk = getattr(report, "walk", report)
    record, prints = walk.record, footprints(walk)
    if record.place is None or not prints:
        raise InputError("Foot placement needs the ways of pelvis and heels; the record lacks them.")
    place = record.place + np.outer(record.belt * record.time, [1.0, 0.0, 0.0])
    speed = np.gradient(place, record.time, axis=0)
    rows: dict[str, list] = {"l": [], "r": []}
    for (side, start, stands), (other, end, lands) in pairwise(prints):
        if side != other:
            t = 0.5 * (start + end)
            p, v = (np.array([np.interp(t, record.time, x[:, k]) for k in range(2)]) for x in (place, speed))
            rows[other].append(np.concatenate([p - stands[:2], v, lands[:2] - stands[:2]]))
    few = [side for side, found in rows.items() if len(found) < ENOUGH]
    if few:
        raise InputError(f"Foot placement needs {ENOUGH} steps of each foot; '{few[0]}' has {len(rows[few[0]])}.")
    ahead, aside, slopes = {}, {}, {}
    for side, found in rows.items():
        x = np.array(found)
        if x[:, 5].std() < STILL:
            raise InputError("All steps are the same: nothing is to be foretold. Push the walker, or give it noise.")
        ahead[side], _ = _fit(x[:, [0, 2]], x[:, 4])
        aside[side], slopes[side] = _fit(x[:, [1, 3]], x[:, 5])
    return FootPlacement(aside, ahead, slopes, sum(len(found) for found in rows.values()))


def _fit(told, wanted) -> tuple[float, np.ndarray]:
    """R² of (5), and its slopes."""
    A = np.concatenate([np.ones((len(told), 1)), told], 1)
    found = np.linalg.lstsq(A, wanted, rcond=None)[0]
    rest = wanted - A @ found
    return float(1.0 - rest @ rest / max(float(((wanted - wanted.mean()) ** 2).sum()), 1e-300)), found[1:]
