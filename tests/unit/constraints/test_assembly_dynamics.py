"""A joint as a constraint set gives the joint's dynamics: free bodies held together, and a figure with that joint."""

import numpy as np
import pytest

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.constraints import mates
from anthropi.constraints.loops.closures import loop_of
from anthropi.constraints.loops.dynamics import loop_dynamics
from anthropi.constraints.mates import Axis, Frame, Plane, Point
from anthropi.constraints.relative import equations
from anthropi.figure import (
    Ball,
    Cylindrical,
    Exponential,
    Free,
    Helical,
    Link,
    Planar,
    Prismatic,
    Revolute,
    Translational,
    Weld,
    figure_from_parts,
    universal,
)  # fmt: skip

PITCH, AXIS = 0.07, np.array([2.0, -1.0, 2.0]) / 3.0


def at(place, kind, local=AXIS):
    """Features of a joint's frame on link a, and of its child's frame on link b."""
    C, p = place.rotation, place.origin
    x = np.array([1.0, 2.0, 0.0]) / 5**0.5  # across AXIS
    if kind == "point":
        return Point("a", p), Point("b", np.zeros(3))
    if kind == "plane":
        return Plane("a", p, C[:, 2]), Plane("b", np.zeros(3), np.array([0.0, 0.0, 1.0]))
    if kind == "frame":
        return Frame("a", p, C @ local, C @ x), Frame("b", np.zeros(3), local, x)
    return Axis("a", p, C @ local), Axis("b", np.zeros(3), local)


JOINTS = {  # name: (the figure's joint, the constraint set)
    "ball": (Ball(name="j"), lambda X: mates.Ball(*at(X, "point"))),
    "exponential ball": (Exponential(name="j"), lambda X: mates.Coincident(*at(X, "point"))),
    "hinge": (Revolute(name="j", axis=AXIS), lambda X: mates.Hinge(*at(X, "axis"))),
    "slider": (Prismatic(name="j", axis=AXIS), lambda X: mates.Slider(*at(X, "frame"))),
    "cylinder": (Cylindrical(name="j", axis=AXIS), lambda X: mates.Cylinder(*at(X, "axis"))),
    "universal": (
        universal("j", "x", "y"),
        lambda X: mates.Universal(Axis("a", X.origin, X.rotation[:, 0]), Axis("b", along=(0.0, 1.0, 0.0))),
    ),
    "planar": (Planar(name="j"), lambda X: mates.Planar(*at(X, "plane"))),
    "screw": (Helical(name="j", axis=AXIS, pitch=PITCH), lambda X: mates.Screw(*at(X, "frame"), PITCH)),
    "translational": (Translational(name="j"), lambda X: mates.EqualOrientation(*at(X, "frame"))),
    "fixed": (Weld(name="j"), lambda X: mates.Fixed(*at(X, "frame"))),
}


def link(name, rng):
    tensor = np.diag(rng.uniform(0.2, 0.3, 3))
    return Link(name, rng.uniform(1.0, 3.0), 0.3 * rng.normal(size=3), tensor)


def state_as_free_bodies(jointed, q, u):
    """q and u of two free bodies that are where a figure's links are, and move as they do."""
    k = kinematics(jointed, q, u)
    poses = zip(k.rotation, k.position, k.velocity, k.angular_velocity, strict=True)
    parts = [([*p, *quaternion_from_matrix(C)], [*v, *(C.T @ w)]) for C, p, v, w in poses]
    return np.concatenate([place for place, _ in parts]), np.concatenate([rates for _, rates in parts])


@pytest.mark.parametrize("name", JOINTS)
def test_free_bodies_with_the_set_move_as_the_figure_with_the_joint(name):
    joint, make = JOINTS[name]
    rng = np.random.default_rng(3)
    for _ in range(3):
        C = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        place = Transform(C * np.linalg.det(C), 0.5 * rng.normal(size=3))
        a, b = link("a", rng), link("b", rng)
        jointed = figure_from_parts("jointed", [("", Free(name="root"), a), ("a", joint.changed(placement=place), b)])
        q, u = jointed.random(rng), rng.normal(size=jointed.nu)
        forces = 3.0 * rng.normal(size=(2, 6))  # moment and force on each link, in its frame
        udot = direct_dynamics(jointed, q, u, np.zeros(jointed.nu), forces)
        want = kinematics(jointed, q, u, udot)

        ground = Link("ground")
        loose = figure_from_parts(
            "loose", [("", Weld(name="w"), ground), ("ground", Free(name="fa"), a), ("ground", Free(name="fb"), b)]
        )
        held = make(place)
        y, w = state_as_free_bodies(jointed, q, u)
        rows = equations(loose, y, w, held)
        assert np.abs(rows.residual).max() < 1e-12 and np.abs(rows.jacobian @ w).max() < 1e-12
        assert np.linalg.matrix_rank(rows.jacobian, tol=1e-8) == held.removes

        tau = -inverse_dynamics(loose, y, w, np.zeros(12), np.concatenate([np.zeros((1, 6)), forces]))
        M, J = mass_matrix(loose, y), rows.jacobian
        whole = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        wdot = np.linalg.solve(whole, np.concatenate([tau, -rows.bias]))[:12]
        closed = loop_dynamics(loose.changed(loops=(loop_of(held),)), y, w, np.zeros(12),
                               np.concatenate([np.zeros((1, 6)), forces])).udot  # fmt: skip
        for found in (wdot, closed):
            got = kinematics(loose, y, w, found)
            np.testing.assert_allclose(
                got.acceleration[1:], want.acceleration, atol=1e-9
            )  # the issue's; 1e-13 is usual
            np.testing.assert_allclose(got.angular_acceleration[1:], want.angular_acceleration, atol=1e-9)
