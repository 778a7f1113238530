"""Hybrid dynamics: an astronaut swings both arms, and the body turns.

The arms follow a given motion, the other joints are frozen, and the body is free. Hybrid dynamics computes the
acceleration of the body and all joint moments. Momentum stays zero, yet each turn of the arms leaves the body rotated.
Writes out/prescribed_arm.png, and out/prescribed_arm.html, a page that plays the motion.
"""

import numpy as np
from _charts import arms
from _figures import raising

import anthropi as ap
from anthropi import rotation as rot

FIGURE = raising(ap.human(), (-np.pi, np.pi)).changed(gravity=np.zeros(3))  # arms that turn in circles
HELD = [joint.name for joint in FIGURE.joints if joint.name != "root"]  # every joint except the root
SPAN, TURNS, BEND = 5.0, 4, 1.2  # [s], [], [rad]


def wanted(figure, t, q, u):
    """Return accelerations: arms turn smoothly forward and up, TURNS in SPAN; elbows bend by BEND at the top."""
    w = 2.0 * np.pi / SPAN
    angle, rate = TURNS * (w * t - ap.scalar.sin(w * t)), TURNS * w * (1.0 - ap.scalar.cos(w * t))
    turn = TURNS * w * w * ap.scalar.sin(w * t)
    bend = BEND / 2.0 * (ap.scalar.cos(angle) * rate * rate + ap.scalar.sin(angle) * turn)
    given = {side + dof: x for side in "lr" for dof, x in (("_shoulder.y", -turn), ("_elbow.flexion", bend))}
    return np.array([given.get(dof, 0.0) for dof in figure.dofs])


def reactions(motion):
    """Return accelerations and moments of all joints by hybrid dynamics, for all frames at once."""
    given = np.array([wanted(FIGURE, t, None, None) for t in motion.time])
    none = np.zeros_like(motion.u)
    return ap.hybrid_dynamics(FIGURE, motion.q, motion.u, none, given, prescribed=HELD)


def check(motion, udot, tau, turned):
    assert np.array_equal(tau[:, :6], np.zeros((len(motion), 6))), "no force acts at the root"
    again = ap.inverse_dynamics(FIGURE, motion.q, motion.u, udot)
    assert np.abs(again - tau).max() < 1e-12 * np.abs(tau).max(), "inverse dynamics gives the same moments"
    assert np.abs(ap.dynamics.momentum(FIGURE, motion.q, motion.u)).max() < 1e-7  # [N m s]; the arms have 5
    work = np.trapezoid((tau * motion.u).sum(-1), motion.time)
    assert abs(work) < 1e-6, "the net work of the arms is zero"
    assert np.rad2deg(turned[-1]) > 60.0


if __name__ == "__main__":
    motion = ap.simulate(FIGURE, FIGURE.neutral(), udot=wanted, prescribed=HELD, steps=2500, dt=SPAN / 2500, every=10)
    udot, tau = reactions(motion)
    turned = rot.rotation_vector_from_quaternion(motion.q[:, 3:7])[:, 1]
    check(motion, udot, tau, turned)
    joints = np.arange(FIGURE.nu) >= 6
    held = ap.inverse_dynamics(
        FIGURE, motion.q, joints * motion.u, joints * udot
    )  # the same motion of the arms with the body held
    arms("out/prescribed_arm.png", motion, tau, held, turned)
    words = "Arms that swing round turn the body, though its momentum stays zero."
    motion.export("out/prescribed_arm.html", title="Turning without a hold", caption=words, view=(-60, 8))
