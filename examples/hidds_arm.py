"""HIDDS on a floating arm: open loop, current state and computed torque.

Inverse dynamics gives the forces of a motion; each is applied for 1/120 s. In open loop the motion is lost within half
a second. With forces computed again at every state it drifts. With feedback the error stays below 0.006 rad. Writes
out/hidds_arm.png and out/hidds_arm.html.
"""

from pathlib import Path

import numpy as np

import anthropi as ap
from anthropi.gait.hidds import MODES, arm_motion
from anthropi.pictures.curves import lines


def worst(motion):
    """Return the largest error of any joint at each frame [rad]."""
    return np.abs(motion.channels["error"][:, 6:]).max(axis=-1)


def check(wanted, runs):
    opened, current, computed = (worst(runs[mode]) for mode in ("open loop", "current state", "computed torque"))
    assert wanted.time[np.argmax(opened > 0.1)] < 0.6, "the open loop loses the motion"
    assert current.max() <= 0.15 and computed.max() <= 0.01, "feedback keeps the error small"
    for motion in runs.values():
        assert not motion.channels["residual"].any(), "only the joints move the body"
        back = ap.direct_dynamics(motion.figure, motion.q, motion.u, motion.tau)
        assert np.abs(back - motion.udot).max() < 1e-9 * np.abs(motion.udot).max()


if __name__ == "__main__":
    wanted = arm_motion()
    runs = {mode: ap.hidds(wanted, mode) for mode in MODES}
    check(wanted, runs)
    Path("out").mkdir(exist_ok=True)
    rows = {f"{mode}: at most {worst(motion).max():.2g} rad": worst(motion) for mode, motion in runs.items()}
    lines(wanted.time, {name: np.maximum(x, 1e-5) for name, x in rows.items()}, log=True, unit="rad",
          title="error of the worst of six joints, forces held for 1/120 s", marks={"0.1 rad": 0.1, "0.01 rad": 0.01},
          file="out/hidds_arm.png")  # fmt: skip
    words = "Six joints driven by the forces of the motion they should make, with feedback; the body follows."
    runs["computed torque"].export("out/hidds_arm.html", title="An arm that floats", caption=words)
