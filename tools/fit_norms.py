"""Fit the numbers of `gait/reference/norms.py` to the reference data: Fourier series of Schwartz 2008.

    python tools/fit_norms.py ../shared/data     writes src/anthropi/gait/reference/schwartz2008.csv

The data are not copied; only the fitted numbers enter the package. tests/unit/gait/reference/test_norms.py repeats the
fit and compares.
"""

import csv
import sys
from pathlib import Path

import numpy as np

SPEEDS = ("very_slow", "slow", "free", "fast", "very_fast")
ANGLES = {  # the sheet's name: ours
    "Trunk Ant/Posterior Tilt": "trunk_tilt",
    "Trunk Up/Down Obliquity": "trunk_obliquity",
    "Trunk Int/External Rotation": "trunk_rotation",
    "Pelvic Ant/Posterior Tilt": "pelvis_tilt",
    "Pelvic Up/Down Obliquity": "pelvis_obliquity",
    "Pelvic Int/External Rotation": "pelvis_rotation",
    "Hip Flex/Extension": "hip_flexion",
    "Hip Ad/Abduction": "hip_adduction",
    "Hip Int/External Rotation": "hip_rotation",
    "Knee Flex/Extension": "knee_flexion",
    "Knee Ad/Abduction": "knee_adduction",
    "Knee Int/External Rotation": "knee_rotation",
    "Ankle Dorsi/Plantarflexion": "ankle_dorsiflexion",
    "Foot Int/External Progression": "foot_progression",
}
FORCES = {"Anterior/Posterior": "grf_forward", "Vertical": "grf_vertical"}
MOMENTS = {
    "Hip Ext/Flexion": "hip_extension_moment",
    "Hip Ab/Adduction": "hip_abduction_moment",
    "Knee Ext/Flexion": "knee_extension_moment",
    "Knee Ab/Adduction": "knee_abduction_moment",
    "Ankle Dorsi/Plantarflexion": "ankle_plantarflexion_moment",
}
POWERS = {"Hip": "hip_power", "Knee": "knee_power", "Ankle": "ankle_power"}
GROUPS = {  # group of the sheet: names, unit, decimals, harmonics of the mean, of the deviation
    "joint_rotations": (ANGLES, "deg", 3, 12, 8),
    "ground_reaction_forces": (FORCES, "BW", 4, 20, 20),
    "joint_moments": (MOMENTS, "N m/kg", 4, 20, 16),
    "joint_power": (POWERS, "W/kg", 4, 20, 16),
}
SCALARS = {  # parameter of the sheet: name, unit
    "Dimensionless Speed": ("speed", "1"),
    "Dimensionless Cadence": ("cadence", "1"),
    "Dimensionless Step Length": ("step_length", "1"),
    "Pelvic Tilt Mean  [deg]": ("pelvis_tilt_mean", "deg"),
    "Pelvic Tilt Range-of-Motion  [deg]": ("pelvis_tilt_range", "deg"),
    "Pelvic Rotation Range-of-Motion  [deg]": ("pelvis_rotation_range", "deg"),
    "Pelvic Obliquity Maximum in Stance  [deg]": ("pelvis_obliquity_max_stance", "deg"),
    "Hip Flexion at Foot Contact  [deg]": ("hip_flexion_at_strike", "deg"),
    "Hip Flexion Minimum  [deg]": ("hip_flexion_min", "deg"),
    "Hip Rotation Mean in Stance  [deg]": ("hip_rotation_mean_stance", "deg"),
    "Knee Flex at Foot Cont  [deg]": ("knee_flexion_at_strike", "deg"),
    "Max Knee Ext  [deg]": ("knee_flexion_min", "deg"),
    "Max Knee Flex (swing)  [deg]": ("knee_flexion_max_swing", "deg"),
    "Dorsiflex at Foot Cont  [deg]": ("ankle_dorsiflexion_at_strike", "deg"),
    "Max Dorsiflex (stance)  [deg]": ("ankle_dorsiflexion_max_stance", "deg"),
    "Max Plantarfelx (swing)  [deg]": ("ankle_dorsiflexion_min_swing", "deg"),
    "Max Hip Ext Mom (stance)  [N-m/kg]": ("hip_extension_moment_max", "N m/kg"),
    "Max Hip Flex Mom (stance)  [N-m/kg]": ("hip_extension_moment_min", "N m/kg"),
    "Max Knee Ext Mom (stance)  [N-m/kg]": ("knee_extension_moment_max", "N m/kg"),
    "Max Plantarflex Mom  [N-m/kg]": ("ankle_plantarflexion_moment_max", "N m/kg"),
    "Max Ankle Power Gen (stance)  [W/kg]": ("ankle_power_max", "W/kg"),
    "Peak Braking Force  [BW]": ("grf_braking", "BW"),
    "Peak Propuls Force  [BW]": ("grf_propulsion", "BW"),
    "First Vertical Peak Force  [BW]": ("grf_first_peak", "BW"),
    "Mid Stance Force Min  [BW]": ("grf_valley", "BW"),
    "Second Vertical Peak Force  [BW]": ("grf_second_peak", "BW"),
}
EVENTS = {
    "Opposite Foot Off  [% cycle]": "opposite_foot_off",
    "Opposite Foot Contact  [% cycle]": "opposite_strike",
    "Ipsilateral Foot Off  [% cycle]": "foot_off",
    "Double Support  [% cycle]": "double_support",
}
HEADER = """\
# Gait of typically developing children at five speeds: figures fitted to
# M. H. Schwartz, A. Rozumalski, J. P. Trost, The effect of walking speed on the gait of typically developing children,
# J. Biomech. 41 (2008) 1639; sheet from PhilD001/biomechZoo, CC BY 4.0. Changed: Fourier series of its curves over the
# cycle (0: foot strike) by least squares, rounded; made by tools/fit_norms.py. These figures: CC BY 4.0 too.
# series rows: kind, name, unit, speed, mean or sd, a0, a1, b1, a2, b2, ...; x = a0 + sum ak cos(2 pi k p) + bk sin(...)
# scalar rows: kind, name, unit, speed, mean, sd; speed and lengths over sqrt(g l) and l, l the leg length
"""


def harmonics(phase, count: int) -> np.ndarray:
    """Return columns 1, cos, sin, cos 2, sin 2, … (points, 2 count + 1)."""
    angle = 2.0 * np.pi * np.outer(phase, np.arange(1, count + 1))
    pairs = np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(len(phase), -1)
    return np.concatenate([np.ones((len(phase), 1)), pairs], axis=1)


def sheet(data: Path) -> dict:
    """Read {(name, unit, speed): (phase, mean, sd)} of every curve."""
    found: dict = {}
    with open(data / "normative" / "schwartz2008_long.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            names, unit, *_ = GROUPS.get(row["group"], ({}, ""))
            if row["channel"] in names:
                point = (float(row["pct_cycle"]) / 100.0, float(row["mean"]), float(row["sd"]))
                found.setdefault((names[row["channel"]], unit, row["speed"]), []).append(point)
    return {key: np.array(points).T for key, points in found.items()}


def rows(data: Path) -> list[list[str]]:
    """Return all rows of the package's file."""
    settings = {name: group[2:] for group in GROUPS.values() for name in group[0].values()}
    out = []
    for (name, unit, speed), (phase, mean, sd) in sheet(data).items():
        digits, many, few = settings[name]
        for what, values, count in (("mean", mean, many), ("sd", sd, few)):
            series = np.linalg.lstsq(harmonics(phase, count), values, rcond=None)[0]
            out.append(
                ["series", name, unit, speed, what, *(f"{x:.{digits}f}".rstrip("0").rstrip(".") for x in series)]
            )
    for file, key, names in (
        ("scalars", "parameter", SCALARS),
        ("events", "event", {k: (v, "1") for k, v in EVENTS.items()}),
    ):
        with open(data / "normative" / f"schwartz2008_{file}.csv", encoding="utf-8") as text:
            for row in csv.DictReader(text):
                if row[key] in names:
                    mean = row["mean"] if file == "scalars" else row["mean_frac_cycle"]
                    name, unit = names[row[key]]
                    out.append(["scalar", name, unit, row["speed"], f"{float(mean):.5g}", f"{float(row['sd']):.4g}"])
    return out


def adults(data: Path) -> tuple[float, float, float]:
    """Fit a, b and the deviation of the logarithm in step length / leg = a (dimensionless speed)^b to the table H2A."""
    with open(data / "spatiotemporal" / "H2A_stats_input_51subs.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    leg, speed, step = (np.array([float(r[n]) for r in table]) for n in ("LegLength", "Speed", "StepLength"))
    x, y = np.log(speed / np.sqrt(9.81 * leg)), np.log(step / leg)
    A = np.stack([np.ones_like(x), x], axis=1)
    found = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(np.exp(found[0])), float(found[1]), float((y - A @ found).std(ddof=2))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    target = Path(__file__).parents[1] / "src" / "anthropi" / "gait" / "norms" / "schwartz2008.csv"
    text = HEADER + "".join(",".join(row) + "\n" for row in rows(folder))
    target.write_text(text, encoding="utf-8")
    print(f"{target.name}: {len(text) / 1024:.0f} KB; adults: {adults(folder)}")
