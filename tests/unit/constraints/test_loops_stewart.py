"""The Stewart platform: the same accelerations and forces as in maximal coordinates, and as virtual work says."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.loops.dynamics import loop_dynamics
from anthropi.constraints.loops.projection import close_loops
from anthropi.constraints.relative import rows
from unit.constraints.maximal import Maximal

LOAD = 30.0


@pytest.fixture(scope="module")
def state():
    """The loaded platform, somewhere, moving."""
    figure, rng = ap.sample("stewart", load=LOAD, damping=20.0), np.random.default_rng(5)
    q = figure.integrate(figure.neutral(), 0.1 * rng.normal(size=figure.nu))
    closed = close_loops(figure, q, 0.7 * rng.normal(size=figure.nu))
    assert closed.error < 1e-14
    tau = 30.0 * rng.normal(size=figure.nu)
    return figure, closed.q, closed.u, tau, loop_dynamics(figure, closed.q, closed.u, tau)


def in_maximal_coordinates(figure, q, u, tau):
    k = kinematics(figure, q, u)
    whole = Maximal(figure, k)
    for i, parent, joint in figure.outward():
        x, own = k.position[i], tau[figure.u_of[i]]
        if joint.kind == "free":
            whole.push(i, own[:3], x)
            whole.f[6 * i : 6 * i + 3] += k.rotation[i] @ own[3:]
        elif joint.kind == "exponential":
            whole.meet(joint.name, parent, i, x)
            for body, sign in ((i, 1.0), (parent, -1.0)):
                whole.f[6 * body : 6 * body + 3] += sign * k.rotation[i] @ own
        else:
            axes = k.rotation[parent] @ joint.placement.rotation
            z = axes @ joint.axis
            frame = axes if joint.axis[2] else axes[:, [1, 2, 0]]  # z is the way it slides
            for a, b in ((0, 1), (1, 2), (2, 0)):  # axes of both that lie together now, and stay so
                whole.square(joint.name, parent, axes[:, a], i, axes[:, b])
            start = k.position[parent] + k.rotation[parent] @ joint.placement.origin
            whole.slide(joint.name, parent, i, frame, start, x)
            at = q[figure.q_of[i]][0]
            pull = own[0] - joint.stiffness[0] * (at - joint.rest[0]) - joint.damping[0] * u[figure.u_of[i]][0]
            whole.push(i, pull * z, x)
            whole.push(parent, -pull * z, x)
    for loop in figure.loops:
        i = figure.link_index(loop.link_b)
        C = k.rotation[i] @ loop.at_b.rotation
        whole.meet(loop.name, None, i, loop.at_a.origin)
        whole.square(loop.name, None, loop.at_a.rotation[:, 0], i, C[:, 1])
    return whole, k


def test_maximal_coordinates_agree(state):
    figure, q, u, tau, found = state
    whole, k = in_maximal_coordinates(figure, q, u, tau)
    motions, multipliers = whole.solve()
    moved = kinematics(figure, q, u, found.udot)
    for i, link in enumerate(figure.links):
        r, w, alpha = moved.rotation[i] @ link.centre, moved.angular_velocity[i], moved.angular_acceleration[i]
        a = moved.acceleration[i] + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
        np.testing.assert_allclose(np.concatenate([alpha, a]), motions[i], rtol=0.0, atol=1e-9 * abs(motions).max())
    largest = max(abs(f).max() for f in found.forces.values())
    for loop in figure.loops:
        own = [m for m, name in zip(multipliers, whole.names, strict=True) if name == loop.name]
        i = figure.link_index(loop.link_b)
        y = k.rotation[i] @ loop.at_b.rotation[:, 1]
        want = np.concatenate([own[3] * np.cross(y, loop.at_a.rotation[:, 0]), own[:3]])
        np.testing.assert_allclose(found.forces[loop.name], want, rtol=0.0, atol=1e-9 * largest)


def test_virtual_work_of_every_displacement_of_the_tree(state):
    """M u' + h - τ does the work of the wrenches along any displacement, though it open the loops."""
    figure, q, u, tau, found = state
    tree = figure.changed(loops=())
    lacks = inverse_dynamics(tree, q, u, found.udot) - tau
    given = np.zeros(figure.nu)
    for loop in figure.loops:
        given = given + jacobian(tree, q, link=loop.link_b, point=loop.at_b.origin).T @ found.forces[loop.name]
    np.testing.assert_allclose(given, lacks, rtol=0.0, atol=1e-9 * abs(lacks).max())
    assert abs(lacks).max() > 10.0


def test_cut_loops_with_their_forces_move_the_same(state):
    """The wrench of each foot as an external force in place of its loop: the same accelerations."""
    figure, q, u, tau, found = state
    k, f_ext = kinematics(figure, q), np.zeros((figure.n, 6))
    for loop in figure.loops:
        i = figure.link_index(loop.link_b)
        arm = k.rotation[i] @ loop.at_b.origin
        moment, force = found.forces[loop.name][:3], found.forces[loop.name][3:]
        f_ext[i] = np.concatenate([k.rotation[i].T @ (moment + np.cross(arm, force)), k.rotation[i].T @ force])
    cut = figure.changed(loops=figure.loops[:2])
    f_ext[[figure.link_index(loop.link_b) for loop in figure.loops[:2]]] = 0.0
    udot = loop_dynamics(cut, q, u, tau, f_ext).udot
    np.testing.assert_allclose(udot, found.udot, rtol=0.0, atol=1e-9 * abs(found.udot).max())


def test_six_degrees_of_freedom_are_left(state):
    figure, q, *_ = state
    J = rows(figure, q, closures(figure), 0.0)[1].astype(float)
    assert figure.nu - np.linalg.matrix_rank(J) == 7 and J.shape == (24, 31)  # the platform's six and the load's one
