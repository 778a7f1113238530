"""A walk made of the norm itself: joint curves of Schwartz 2008 at free speed on a figure whose pelvis moves evenly."""

from functools import cache

import numpy as np

import anthropi as ap
from anthropi.gait.plan.phases import FootEvent
from anthropi.gait.reference.gait_angles import leg_length, posture
from anthropi.gait.reference.norms import curve

SPEED, CYCLE, OFF = "free", 1.1, 0.59  # [s], share
LEGS = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")


@cache
def norm_walk(cycles: int = 4, rate: float = 100.0, events: bool = True) -> ap.Motion:
    """The motion, left strike first at 0; forward at the norm's speed."""
    figure = ap.human()
    time = np.arange(int(cycles * CYCLE * rate) + 1) / rate
    v = 0.42939 * np.sqrt(9.81 * leg_length(figure))
    phase = {"l": time / CYCLE, "r": time / CYCLE - 0.5}
    angles = {f"{side}_{name}": curve(name, SPEED).mean(phase[side]) for side in "lr" for name in LEGS}
    for name in ("pelvis_tilt", "pelvis_obliquity", "pelvis_rotation"):  # half of each side's, so that both agree
        sign = 1.0 if name == "pelvis_tilt" else -1.0
        angles[name] = 0.5 * (curve(name, SPEED).mean(phase["l"]) + sign * curve(name, SPEED).mean(phase["r"]))
    place = np.stack([v * time, 0.0 * time, 0.93 + 0.0 * time], -1)
    found = []
    for k in range(2 * cycles + 2):
        start, side = 0.5 * CYCLE * k, "lr"[k % 2]
        found += [FootEvent(start, side, "strike"), FootEvent(start + OFF * CYCLE, side, "off")]
    recorded = tuple(sorted((e for e in found if e.time <= time[-1]), key=lambda e: e.time)) if events else ()
    return ap.Motion(figure, time, posture(figure, angles, position=place), events=recorded)
