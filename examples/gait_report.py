"""Gait reports of two walks of the same person, one of them with stiff knees.

The reference gait is compared with the norms, once complete and once without its fifth determinant, knee flexion in
swing. The report shows the rows that fail. Writes out/gait_report.png and out/gait_report_stiff.png, and prints some
rows.
"""

from pathlib import Path

import anthropi as ap

NAMES = ("GPS", "knee flexion, r", "peak knee flexion in swing", "hip flexion, r", "step length", "foot off")


def walks():
    """Return the same steps with free knees and with stiff ones."""
    body = ap.human()
    stiff = ap.gait.Determinants().without("swing_knee")
    return {
        "natural": ap.gait.reference_gait(body, speed=1.25, steps=10),
        "stiff knees": ap.gait.reference_gait(body, speed=1.25, steps=10, determinants=stiff),
    }


def check(reports):
    natural, stiff = reports["natural"], reports["stiff knees"]
    assert natural["GPS"].values[""] < 3.0 and natural["GPS"].values[""] < stiff["GPS"].values[""]
    failed = {name: [row.name for row in report.rows if row.verdict == "fail"] for name, report in reports.items()}
    assert failed["natural"] == ["strides"], failed  # ten steps are fewer than the twenty strides that are required
    assert "peak knee flexion in swing" in failed["stiff knees"]
    assert natural["vertical force, r"].verdict == "not measured: record contact"


if __name__ == "__main__":
    reports = {name: ap.gait_report(motion) for name, motion in walks().items()}
    check(reports)
    for name in NAMES:
        shown = [" / ".join(f"{x:.2f}" for x in report[name].values.values()) for report in reports.values()]
        print(f"{name:28}", *(f"{words:>16}" for words in shown), "  adults", reports["natural"][name].criterion.adults)
    Path("out").mkdir(exist_ok=True)
    reports["natural"].plot("out/gait_report.png")
    reports["stiff knees"].plot("out/gait_report_stiff.png")
