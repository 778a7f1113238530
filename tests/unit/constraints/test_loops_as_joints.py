"""A free joint and a loop that holds what another joint holds: the same motion as with that joint."""

from dataclasses import replace

import numpy as np
import pytest

from anthropi.algebra import rotation as rot
from anthropi.algebra import spatial as sp
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.loops.closures import loop_errors, loop_of
from anthropi.constraints.loops.dynamics import loop_dynamics
from anthropi.constraints.mates import Axis, Screw
from anthropi.figure import (
    Ball,
    Cylindrical,
    Exponential,
    Free,
    Helical,
    Link,
    Loop,
    Planar,
    Prismatic,
    Revolute,
    Weld,
    figure_from_parts,
    universal,
)

JOINTS = {
    "hinge": Revolute(axis="z"),
    "slider": Prismatic(axis="z"),
    "cylinder": Cylindrical(axis="z"),
    "universal": universal("joint", "x", "y"),
    "planar": Planar(),
    "point": Ball(),
    "point, exponential": Exponential(),
    "weld": Weld(),
    "screw": Helical(axis="z", pitch=0.07),
}


def place(rng) -> Transform:
    return Transform(rot.matrix_from_rotation_vector(rng.normal(size=3)), 0.3 * rng.normal(size=3))


def body(name, rng) -> Link:
    return Link.of(name, place(rng).act_inertia(sp.box(rng.uniform(0.1, 0.4, 3), mass=rng.uniform(0.5, 3.0))))


@pytest.mark.parametrize("name", JOINTS)
def test_a_loop_moves_as_the_joint_does(name):
    rng = np.random.default_rng(len(name))
    joint = JOINTS[name].changed(name="joint", placement=place(rng))
    base, arm, hand, end = body("base", rng), body("arm", rng), body("hand", rng), place(rng)
    first, last = Ball(name="root"), Revolute(name="wrist", axis="x", placement=end)
    real = figure_from_parts("real", [("", first, base), ("base", joint, arm), ("arm", last, hand)])
    loose = Free(name="joint", placement=joint.placement)
    if name == "screw":
        z = (0.0, 0.0, 1.0)
        along = joint.placement.rotation @ z
        tie = loop_of(Screw(Axis("base", tuple(joint.placement.origin), tuple(along)), Axis("arm", (0.0, 0.0, 0.0), z),
                            joint.pitch, name="tie"))  # fmt: skip
    else:
        kind = name.partition(",")[0]
        tie = Loop("tie", kind, "base", joint.placement, "arm", Transform(np.eye(3), np.zeros(3)))
    freed = figure_from_parts("freed", [("", first, base), ("base", loose, arm), ("arm", last, hand)], loops=[tie])
    q, u = real.random(rng), rng.normal(size=real.nu)
    of_q, of_u = real.q_of[1], real.u_of[1]
    pose = joint.transform(q[of_q])
    moves = [joint.slide(q[of_q], u[of_u]), joint.spin(q[of_q], u[of_u])] if joint.nu else [np.zeros(6)]
    q_free = np.concatenate([q[real.q_of[0]], pose.origin, rot.quaternion_from_matrix(pose.rotation), q[real.q_of[2]]])
    u_free = np.concatenate([u[real.u_of[0]], *moves, u[real.u_of[2]]])
    np.testing.assert_allclose(kinematics(freed, q_free, u_free).velocity, kinematics(real, q, u).velocity, atol=1e-12)
    if name == "screw":
        tie = _in_phase(freed, tie, q_free)
        freed = freed.changed(loops=[tie])
    assert np.abs(loop_errors(freed, q_free)["tie"]).max() < 1e-13
    tau_root, tau_wrist = rng.normal(size=3), rng.normal(size=1)
    udot = direct_dynamics(real, q, u, np.concatenate([tau_root, np.zeros(joint.nu), tau_wrist]))
    found = loop_dynamics(freed, q_free, u_free, np.concatenate([tau_root, np.zeros(6), tau_wrist])).udot
    own = (q[of_q], u[of_u], udot[of_u])
    wanted = [joint.slide_rate(*own), joint.spin_rate(*own)] if joint.nu else [np.zeros(6)]
    want = np.concatenate([udot[real.u_of[0]], *wanted, udot[real.u_of[2]]])
    np.testing.assert_allclose(found, want, rtol=0.0, atol=1e-9 * np.abs(want).max())


def _in_phase(figure, tie, q) -> Loop:
    """The screw's turn is measured from directions of its own: start it where it is."""
    left = loop_errors(figure, q)["tie"][-1]
    thread = tie.held[-1]
    return replace(tie, held=(*tie.held[:-1], replace(thread, equals=thread.equals + left)))
