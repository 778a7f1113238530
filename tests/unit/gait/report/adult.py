"""A real adult: OpenSim's subject01, walk1, as in shared/data/opensim/core_id_test; the printed rows called g2354.

The printed rows are of the same person, trial and force plates; its joint angles and moments were found with the model
gait2354, those at hand with gait2392. They used: 25 N for events, one cycle of 1.2311 s (the mean of the three in the
trial) from 0.6217 s (right) and 0.0017 s (left), 51 points with both ends, lines between frames.
"""

import csv
import re

import numpy as np

from anthropi.formats.motions.tables.opensim import read
from anthropi.gait.report import GaitRecord
from anthropi.gait.report.foot_events import FootTimes

CYCLE, START, LIMIT, POINTS = 1.2311, {"r": 0.6217, "l": 0.0017}, 25.0, 51
ANGLES = {"hip_flexion": ("hip_flexion_{}", 1), "hip_adduction": ("hip_adduction_{}", 1),
          "knee_flexion": ("knee_angle_{}", -1), "ankle_dorsiflexion": ("ankle_angle_{}", 1),
          "pelvis_tilt": ("pelvis_tilt", -1)}  # fmt: skip
MOMENTS = {"hip_extension": ("hip_flexion_{}_moment", -1), "knee_extension": ("knee_angle_{}_moment", 1),
           "ankle_plantarflexion": ("ankle_angle_{}_moment", -1)}  # fmt: skip
KNOWN = (0.5, 1.6)  # [s] where the moments are good (SOURCES.md)
PRINTED = {"Hip Flex/Extension": "hip_flexion", "Hip Ad/Abduction": "hip_adduction",
           "Knee Flex/Extension": "knee_flexion",
           "Ankle Dorsi/Plantarflexion": "ankle_dorsiflexion", "Pelvic Ant/Posterior Tilt": "pelvis_tilt",
           "GRF Vertical": "grf_vertical", "GRF Anterior/Posterior": "grf_forward",
           "M Hip Ext/Flexion": "hip_extension_moment", "M Knee Ext/Flexion": "knee_extension_moment",
           "M Ankle Dorsi/Plantarflexion": "ankle_plantarflexion_moment"}  # fmt: skip


def adult(shared) -> GaitRecord:
    """The walk as a record on the times of the force plates, angles and moments repeated with the cycle."""
    folder = shared / "opensim" / "core_id_test"
    angle, plate, moment = (
        read(folder / f"{name}")
        for name in ("subject01_walk1_ik.mot", "subject01_walk1_grf.mot", "std_subject01_InverseDynamics.sto")
    )
    words = (folder / "subject01.osim").read_text()
    mass = sum(float(x) for x in re.findall(r"<mass>\s*([\d.]+)\s*</mass>", words))
    kept = plate.time <= 2.5
    time = plate.time[kept]

    def repeated(when, x):
        inside = (when >= KNOWN[0]) & (when <= KNOWN[1])
        return np.interp(time, when[inside], x[inside], period=CYCLE)

    def column(pattern, side):
        return pattern.format(side)

    angles = {s: {n: sign * repeated(angle.time, angle.angle(column(c, s))) for n, (c, sign) in ANGLES.items()}
              for s in "lr"}  # fmt: skip
    moments = {s: {n: sign * repeated(moment.time, moment[column(c, s)]) / mass for n, (c, sign) in MOMENTS.items()}
               for s in "lr"}  # fmt: skip
    force = {"l": plate.vector("l_ground_force_v")[kept], "r": plate.vector("ground_force_v")[kept]}
    return GaitRecord(time, mass, 0.93, angles, "subject01", force=force, moments=moments)


def one_cycle(record: GaitRecord) -> GaitRecord:
    """The same with the printed stride of each leg as its only one."""
    from dataclasses import replace

    from anthropi.gait.report.foot_events import by_load

    recorded = {}
    for side, start in START.items():
        seen = by_load(record.time, record.force[side][:, 2], LIMIT)
        recorded[side] = FootTimes(np.array([start, start + CYCLE]), seen.off)
    return replace(record, recorded=recorded)


def printed(shared) -> dict:
    """{side: {curve: {"rmse", "rmse_free", "r", "inside", "inside_free", "low", "high"}}} as printed."""
    text = (shared / "normative" / "human_vs_schwartz_calibration.txt").read_text()
    found = {}
    for side in "rl":
        block = re.search(rf"g2354 {side} T .*?\n((?:  .*\n?)+)", text)[1]
        found[side] = {}
        for line in block.splitlines():
            name = next(n for n in sorted(PRINTED, key=len, reverse=True) if line.strip().startswith(n))
            numbers = {
                "rmse": r"rmse ([\d.]+)",
                "rmse_free": r"offset-removed ([\d.]+)",
                "r": r" r ([\d.]+)",
                "inside": r"in2SD\S* (\d+)%",
                "inside_free": r"offs-rem (\d+)%",
                "low": r"(?:min |range )(-?\d+\.\d+)",
                "high": r"(?:peak |\.\.)(-?\d+\.\d+)",
            }
            got = {what: re.search(pattern, line) for what, pattern in numbers.items()}
            found[side][PRINTED[name]] = {what: float(m[1]) for what, m in got.items() if m}
    return found


def norm(shared) -> dict:
    """{curve: (mean, sd)} of the sheet itself at free speed, 51 points."""
    groups = {"GRF ": "ground_reaction_forces", "M ": "joint_moments"}
    rows: dict = {}
    with open(shared / "normative" / "schwartz2008_long.csv", newline="") as file:
        for line in csv.DictReader(file):
            if line["speed"] == "free":
                rows.setdefault((line["group"], line["channel"]), []).append((float(line["mean"]), float(line["sd"])))
    found = {}
    for name, curve in PRINTED.items():
        start = next((s for s in groups if name.startswith(s)), "")
        found[curve] = tuple(np.array(rows[groups.get(start, "joint_rotations"), name.removeprefix(start)]).T)
    return found
