"""Parts 11.1 and 11.2 of the thesis' specification: frozen joints, and prescribed accelerations at limits."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.simulation.integrators import semi_implicit_euler
from unit.dynamics import ours, thesis
from unit.dynamics.cases import SEEDS, case, of_links, same, whole_udot


@pytest.mark.parametrize("seed", SEEDS)
def test_11_2__8_2__any_joint_by_motion_any_by_force(seed):
    """Joints driven by force pass back 6.7, 6.8, those driven by motion 9.9, 9.11; the reaction is 9.14."""
    c = case(seed)
    first = 1 if c.free else 0
    held = list(range(first, c.fig.n, 2))
    given = {c.made.link[i] for i in held}
    theirs = thesis.hybrid(c.L, c.dq, c.Q, c.ddq, given, c.pushed, **c.base)
    names = [c.fig.joints[i].name for i in held]
    found, seen = ours.hybrid_inside(c.fig, c.q, c.u, c.tau, c.udot, c.f_ext, prescribed=names)
    same(of_links(c, theirs.I), [s.I for s in seen])
    same(of_links(c, theirs.p), [s.p for s in seen])
    same(of_links(c, theirs.a), [s.a for s in seen])
    same(found.udot, whole_udot(c, theirs))
    same(found.tau[-len(c.made.joint) :], c.made.by_velocity(theirs.Q))
    exact = list(c.fig.dof_indices(names))
    assert np.array_equal(found.udot[exact], c.udot[exact])  # what is prescribed comes back to the bit


def test_11_1__9_7__frozen_joints_are_rigid():
    """q' = q'' = 0: the rest moves as in the figure with those joints locked, and the reaction is what holds them."""
    fig = ap.human(detail="thesis42")
    rng = np.random.default_rng(3)
    q, (u, tau) = fig.random(rng), rng.normal(size=(2, fig.nu))
    frozen = ["l_elbow", "r_knee", "l_hip.x"]
    held = list(fig.dof_indices(frozen))
    u[held] = 0.0
    udot, forces = hybrid_dynamics(fig, q, u, tau, np.zeros(fig.nu), prescribed=frozen)
    assert not udot[held].any()
    same(direct_dynamics(fig, q, u, forces), udot, 1e-10)  # with the reactions as forces they stay where they are
    whole = ["l_elbow", "r_knee"]
    u[list(fig.dof_indices("l_hip"))] = rng.normal(size=3)
    locked = fig.lock(whole, q)
    q2, u2 = locked.state_from(fig, q, u)
    others = [k for k in range(fig.nu) if k not in fig.dof_indices(whole)]
    udot, _ = hybrid_dynamics(fig, q, u, tau, np.zeros(fig.nu), prescribed=whole)
    same(udot[others], direct_dynamics(locked, q2, u2, tau[others]), 1e-10)


@pytest.mark.slow
def test_11_2__8_2__8_4__a_limit_is_held_by_a_prescribed_acceleration():
    """A drive swings the lower of two rods into its limit and then back out.

    Where an increment would pass the limit, the acceleration that ends it there is prescribed: the joint stops, the
    other one goes on, and the reaction only pushes.
    """
    fig, h, limit = ap.sample("double_pendulum"), 1e-3, 0.3
    q, u, held, swing = np.zeros(2), np.zeros(2), [], []
    for k in range(600):
        tau = np.array([0.0, 0.8 if k < 400 else -0.8])
        udot = direct_dynamics(fig, q, u, tau)
        held.append(q[1] + h * (u[1] + h * udot[1]) > limit)
        if held[-1]:
            stop = ((limit - q[1]) / h - u[1]) / h  # q = limit after this increment
            udot, forces = hybrid_dynamics(fig, q, u, tau, np.array([0.0, stop]), prescribed=["joint_1"])
            same(forces, inverse_dynamics(fig, q, u, udot))
            assert forces[1] < tau[1]  # what the limit adds to the drive pushes back
        q, u = semi_implicit_euler(fig, lambda q, u, a=udot: a, q, u, h)
        swing.append(abs(u[0]))
        assert q[1] <= limit + 1e-12
    first = held.index(True)
    assert 50 < first < 350 and all(held[first:400])  # it stays there while it is pushed
    assert max(swing[first:400]) > 0.05
    assert not any(held[420:]) and q[1] < limit - 0.01  # and leaves by itself
