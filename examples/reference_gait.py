"""The reference gait at 1.29 m/s from published norms, with consistent foot contact.

The gait uses curves of Schwartz 2008 at the walk's dimensionless speed and the step length of adults. Stance feet keep
their prints, and swing feet clear the ground. A run has its own curves, and flight. Writes out/reference_gait.png (a
cycle of each, and nine curves with the bands of the norms) and out/reference_gait.html.
"""

import numpy as np
from _reference_gait import reference_sheet

import anthropi as ap
from anthropi.gait import foot_lines, gait_angles
from anthropi.gait.reference.norms import GPS_CURVES, SPEEDS, curve, gps

SPEED = SPEEDS["free"] * np.sqrt(9.81 * 0.917)  # [m/s] for legs of 0.917 m
NORM = {name: curve(name, "free") for name in GPS_CURVES}


def cycle_of(motion):
    """Return angles [rad] of each side over a cycle that starts at the strike of that foot."""
    cycle = 120.0 / motion.metadata["step_frequency"]
    starts = {"l": 0.0, "r": 0.5 * cycle}
    return {s: gait_angles(motion.figure, motion.at(t + np.linspace(0.0, cycle, 51)).q, s) for s, t in starts.items()}


def check(walk, run, score):
    assert np.degrees(score.gps) < 3.0, "nearer to the norm than most people, who score 5.8 on average"
    for motion in (walk, run):
        lines = foot_lines(motion)
        assert lines.slip < 5e-3 and lines.penetration < 2e-3 and lines.clearance > 5e-3  # [m]
    stride = 2.0 * walk.metadata["step_length"]
    again = walk.q[-1] - walk.q[0]
    assert np.isclose(again[0], 2.0 * stride) and np.abs(again[1:]).max() < 1e-9, "the motion repeats after two strides"
    strikes = [e.time for e in run.events if e.what == "strike"]
    offs = [e.time for e in run.events if e.what == "off"]
    assert all(off < strike for off, strike in zip(offs, strikes[1:], strict=False)), "a run has a flight phase"


if __name__ == "__main__":
    figure = ap.human(1.75, 75.0)
    walk, run = ap.gait.reference_gait(figure, speed=SPEED), ap.gait.reference_gait(figure, speed=3.5, kind="run")
    angles = cycle_of(walk)
    score = gps(angles, NORM)
    check(walk, run, score)
    lines = foot_lines(walk)
    print(f"gait profile score {np.degrees(score.gps):.1f}°; slip {1e3 * lines.slip:.1f} mm, penetration "
          f"{1e3 * lines.penetration:.1f} mm, clearance {1e3 * lines.clearance:.0f} mm")  # fmt: skip
    reference_sheet("out/reference_gait.png", walk, run, angles, NORM, score)
    walk.export("out/reference_gait.html", title="A reference walk", caption="Norms of people, on feet that stand.")
