"""Refine a force profile until one walking step runs without feedback.

The motion is the reference gait in single support, with the stance foot driven. Inverse dynamics gives the forces of
the other 44 degrees of freedom. Applied for 1/120 s each, they let the body fall. Refinement simulates, compares and
corrects them within a fifth of the first profile. Writes out/refine.png and out/refine.svg.
"""

from pathlib import Path

import numpy as np

import anthropi as ap
from anthropi.pictures import strip
from anthropi.pictures.curves import curves

FIGURE = ap.human(1.75, 75.0)
RULES = {"root": "driven", "method": "rk4", "cutoff": 6.0}  # cutoff [Hz], as usual in gait laboratories


def step():
    """Return single support on the left foot, with this foot as the root of the figure."""
    gait = ap.gait.reference_gait(FIGURE, steps=1, rate=120.0)
    lift, strike = (e.time for e in gait.events[1:3])
    part = gait.slice(lift, strike)
    rooted, q, _ = FIGURE.reroot("l_foot", part.q, part.u)
    return ap.Motion(rooted, part.time - part.time[0], q)


def check(wanted, result):
    assert result.accepted and result.iterations <= 15
    assert result.gain >= 10.0 and result.change < 0.2, "ten times nearer, within a fifth of the first forces"
    replayed = ap.hidds(wanted, "open loop", tau=result.tau, **RULES)
    assert np.array_equal(replayed.q, result.motion.q), "the profile needs no feedback"
    weight = -FIGURE.gravity[2] * 75.0
    carried = result.motion.channels["residual"][:, 2] / weight
    assert 0.5 < carried.min() < carried.max() < 1.5, "the stance foot carries about the weight"


if __name__ == "__main__":
    wanted = step()
    result = ap.refine(wanted, **RULES)
    check(wanted, result)
    before, after = result.history[0].error, result.error
    print(f"{before:.2f} → {after:.4f} rad RMS in {result.iterations} run, forces changed by {result.change:.1%}")
    Path("out").mkdir(exist_ok=True)
    names = ["l_ankle", "l_knee", "l_hip", "lumbar", "r_hip", "r_knee", "r_ankle", "r_shoulder"]
    curves(result.motion, names=names, unit="N m", title="forces of a step", file="out/refine.svg",
           compare={"before refinement": result.first})  # fmt: skip
    strip(result.motion, 6, spacing=0.7, file="out/refine.png")
