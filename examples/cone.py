"""A rod on a ball joint reaches its limit: a hard cone, restitution, a spring, and swing and twist.

Four rods are released from the same pose. The impulse of the hard cone is about p x Rᵀ p (K.58), and no rod with a hard
limit leaves its cone. Writes out/cone.png.
"""

import numpy as np
from _limits import cones

import anthropi as ap
from anthropi import rotation as rot
from anthropi.contact.limits import HardLimits, Power, ReachCone, SoftLimits, human_limits
from anthropi.contact.scene import Scene
from anthropi.figure import Link
from anthropi.figure.joints import Ball

ROD = Link("rod", 2.0, [0.0, 0.0, -0.35], np.diag([0.09, 0.09, 0.004]))
FIGURE = ap.figure_from_parts("rod", [("", Ball(name="ball"), ROD)])
CONE = ReachCone([0.0, 0.0, -1.0], np.deg2rad(50.0))
SHOULDER = human_limits(ap.human()).joints["l_shoulder"]
WAYS = {
    "hard": HardLimits({"ball": CONE}),
    "hard, keeps 80 %": HardLimits({"ball": CONE}, restitution=0.8),
    "spring": SoftLimits({"ball": CONE}, Power(400.0, 2.0), zone=0.1, dissipation=0.05),
    "shoulder": HardLimits({"ball": SHOULDER}),
}


def released(limits, seconds=3.0):
    """Return the motion of a rod that is thrown sideways from 40 degrees."""
    q, u = rot.quaternion_from_rotation_vector([0.7, 0.0, 0.0]), [2.0, 3.5, 4.0]
    return ap.simulate(Scene(FIGURE, ground=None, limits=limits), q, u, duration=seconds, dt=1e-3)


def gap(limits, motion):
    """Return the distance [rad] to the nearest limit at every frame."""
    return np.array([min(end.gap for end in limits.ends(FIGURE, q)) for q in motion.q])


def check(motions, gaps):
    for name, left in gaps.items():
        assert left.min() > (-np.deg2rad(5.0) if name == "spring" else -1e-6), name
        assert left.min() < 0.02, "the rod reaches the limit"
    motion, k = motions["hard"], int(np.argmax(gaps["hard"] < 1e-9))  # the step that ends on the cone
    q, u, after = motion.q[k - 1], motion.u[k - 1], motion.u[k]
    moment = ap.inverse_dynamics(FIGURE, q, u, (after - u) / 1e-3)  # moment that stopped the rod
    axis = CONE.moment(rot.matrix_from_quaternion(motion.q[k]))
    assert moment @ axis > 0.9999 * np.linalg.norm(moment) * np.linalg.norm(axis)


if __name__ == "__main__":
    motions = {name: released(limits) for name, limits in WAYS.items()}
    gaps = {name: gap(limits, motions[name]) for name, limits in WAYS.items()}
    check(motions, gaps)
    cones("out/cone.png", motions, gaps, CONE, SHOULDER.boundary)
