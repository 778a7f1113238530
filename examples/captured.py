"""Retarget the motion of a BVH skeleton to a taller person.

A short motion is written as BVH and read back as a skeleton. The retargeted limbs have the same directions, and the
feet stand on scaled prints. Writes out/captured.png and out/captured.html, a page that plays the motion.
"""

from pathlib import Path

import numpy as np

import anthropi as ap
from anthropi.motion.link_poses import link_poses
from anthropi.pictures import strip

TALL = 1.95  # [m]
POSES = {  # time [s]: joint angles [deg]; those of ball joints are rotation vectors
    0.0: {},
    0.8: {"r_hip": (0, -75, 0), "r_knee": 100, "r_ankle": (20, 0), "l_hip": (0, -20, 0), "l_knee": 25,
          "lumbar": (0, 25, 0), "r_shoulder": (0, -40, 0), "l_shoulder": (0, 20, 0)},
    1.6: {"r_shoulder": (-108, 0, 0), "r_elbow": (30, 0), "thoracic": (0, 0, -15), "l_shoulder": (20, 0, 0)},
    2.0: {"r_shoulder": (-108, 0, 0), "r_elbow": (75, 0), "thoracic": (0, 0, -15), "l_shoulder": (20, 0, 0)},
    2.6: {},
}  # fmt: skip


def captured(path):
    """Write a motion as a motion capture file, and return it."""
    actor = ap.human(1.70, 65.0, "f")
    moving = sorted({name for pose in POSES.values() for name in pose})
    still = {name: np.zeros(np.size(next(p[name] for p in POSES.values() if name in p))) for name in moving}
    keys = {t: still | {name: np.deg2rad(x) for name, x in pose.items()} for t, pose in POSES.items()}
    motion = ap.Keyframes(actor, keys, ap.standing(actor), ends="clamped").motion(np.linspace(0.0, 2.6, 79))
    motion.save(path)
    return motion


def check(motion, skeleton, tall):
    here, there = link_poses(motion.figure, motion.q), link_poses(skeleton.figure, skeleton.q)
    for i, link in enumerate(motion.figure.links):  # the file contains the position of every joint
        at = there.position[:, skeleton.figure.link_index(link.name)]
        assert np.abs(at - here.position[:, i]).max() < 1e-6
    assert np.rad2deg(tall.channels["direction_error"]).max() < 6.0 and tall.channels["ankle_error"].max() < 0.01
    soles = [m for m in tall.figure.markers if "sole" in m.name]
    k = link_poses(tall.figure, tall.q)
    low = min(k.point(tall.figure.link_index(m.link), m.point)[:, 2].min() for m in soles)
    assert abs(low) < 1e-9, "the lowest sole is on the ground"


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    motion = captured("out/captured.bvh")
    skeleton = ap.load_motion("out/captured.bvh")
    tall = ap.motion.retarget(skeleton, ap.human(TALL, 90.0))
    check(motion, skeleton, tall)
    strip(tall, [0.0, 0.5, 0.8, 1.2, 1.6, 2.0], view=(-60, 8), spacing=1.1, pixels=1200, file="out/captured.png")
    tall.export("out/captured.html", title="Captured", caption=f"A skeleton's motion on a person of {TALL:g} m.")
