"""Velocities and forces in exponential coordinates: power stays, Lagrange's equations hold, charts change."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import rotation as rot
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.equations_of_motion import Equations, change_velocities, newton_euler
from anthropi.algorithms.exponential import (
    exponential_change,
    exponential_forces,
    exponential_rates,
    forces_from_exponential,
    nearest_chart,
    velocities_from_exponential,
)
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.figure import Ball, Composite, Exponential, Figure, Free, Prismatic, Revolute
from anthropi.figure.joints import Reversed
from laws.rotation.law import along
from oracle.figures import body, place, rng_of
from unit.dynamics.cases import same
from unit.dynamics.sheet import lagrange


def made(*joints, gravity=True) -> Figure:
    """A chain of random bodies by these joints."""
    rng = rng_of("exponential", len(joints))
    placed = [j.changed(name=f"j{k}", placement=place(rng)) for k, j in enumerate(joints)]
    bodies = [body(f"b{k}", rng) for k in range(len(joints))]
    field = rng.normal(size=3) if gravity else np.zeros(3)
    return Figure("balls", bodies, placed, (-1, *range(len(joints) - 1)), gravity=field)


PARTS = (Prismatic(name="a", axis="x"), Exponential(name="b"))
ALL = made(Free(), Ball(), Revolute(axis=(1, 2, 3)), Exponential(), Composite(parts=PARTS), Reversed(joint=Ball()))
BALLS = made(Exponential(), Exponential(), Revolute(axis="y"))  # coordinates that are all true ones


def sample(fig, seed):
    rng = np.random.default_rng(seed)
    return fig.random(rng), *rng.normal(size=(3, fig.nu))


@pytest.mark.parametrize("seed", range(4))
def test_power_stays_and_both_ways_undo_each_other(seed):
    """<τ_r, r'> = <τ, ω>"""
    q, u, tau, _ = sample(ALL, seed)
    rates, forces = exponential_rates(ALL, q, u), exponential_forces(ALL, q, tau)
    same(forces @ rates, tau @ u)
    same(velocities_from_exponential(ALL, q, rates), u)
    same(forces_from_exponential(ALL, q, forces), tau)
    plain = [*range(3), *ALL.dof_indices(["j2", "j4.a"])]  # what is no ball stays
    assert np.array_equal(rates[plain], u[plain]) and np.array_equal(forces[plain], tau[plain])
    balls = [k for k in range(ALL.nu) if k not in plain]
    assert (np.abs(forces - tau)[balls] > 1e-6).all()


@pytest.mark.parametrize("seed", range(4))
def test_rates_are_those_of_the_rotation_vectors(seed):
    """An exponential joint's are q'; a quaternion's those of its logarithm."""
    q, u, *_ = sample(ALL, seed)
    rates, qdot = exponential_rates(ALL, q, u), ALL.rate(q, u)
    same(rates[ALL.u_of[3]], qdot[ALL.q_of[3]])
    for i, before in ((0, 3), (1, 0), (5, 0)):  # free, ball, a ball taken backwards
        at = slice(ALL.q_of[i].start + before, ALL.q_of[i].start + before + 4)
        wanted = along(rot.rotation_vector_from_quaternion, (q[at],), (qdot[at],))
        same(rates[ALL.u_of[i]][before : before + 3], wanted)


def in_rates(q, rates):
    return kinetic_energy(BALLS, q, velocities_from_exponential(BALLS, q, rates))


@pytest.mark.parametrize("seed", range(3))
def test_torques_are_those_of_lagrange(seed):
    """d/dt ∂T/∂r' - ∂T/∂r + ∂V/∂r = J_bᵀ τ with the joint moments τ of our inverse dynamics, and back."""
    q, u, udot, _ = sample(BALLS, seed)
    rates = exponential_rates(BALLS, q, u)
    second = along(lambda q, u: exponential_rates(BALLS, q, u), (q, u), (rates, udot))
    slopes = [along(lambda q: potential_energy(BALLS, q), (q,), (e,)) for e in np.eye(BALLS.nq)]
    wanted = lagrange(in_rates, q, rates, second) + slopes
    tau = inverse_dynamics(BALLS, q, u, udot)
    same(exponential_forces(BALLS, q, tau), wanted)
    same(forces_from_exponential(BALLS, q, wanted), tau)


@pytest.mark.parametrize("seed", range(3))
def test_the_equations_of_motion_in_exponential_rates(seed):
    """M_r r'' - h_r = τ_r with B = diag(1, J_b(r), 1); kinetic energy stays; the way back gives M and h again."""
    q, u, udot, _ = sample(ALL, seed)
    body, change = newton_euler(ALL, q, u), exponential_change(ALL, q, u)
    new = change_velocities(Equations(body.M, body.h, np.eye(ALL.nu)), change)
    rates = exponential_rates(ALL, q, u)
    same(change.B @ rates, u)
    same(change.inverse @ u, rates)
    same(0.5 * rates @ new.M @ rates, kinetic_energy(ALL, q, u))
    second = along(lambda q, u: exponential_rates(ALL, q, u), (q, u), (ALL.rate(q, u), udot))
    same(change.B @ second + change.drift, udot)
    tau = inverse_dynamics(ALL, q, u, udot)
    same(new.M @ second - new.h, exponential_forces(ALL, q, tau))
    same(new.W @ tau, exponential_forces(ALL, q, tau))
    back = change_velocities(new, change.reversed())
    same(back.M, body.M)
    same(back.h, body.h)
    same(back.W, np.eye(ALL.nu))


@pytest.mark.parametrize("angle", [3.5, 5.0, 8.0])
def test_another_chart(angle):
    """K.66-78: r beyond π and its nearest chart are one pose, one motion and one moment, with the same power."""
    q, rates, forces, _ = sample(BALLS, 1)
    q[:3] *= angle / np.linalg.norm(q[:3])
    u, tau = velocities_from_exponential(BALLS, q, rates), forces_from_exponential(BALLS, q, forces)
    q2, rates2, forces2 = nearest_chart(BALLS, q, rates, forces)
    assert np.linalg.norm(q2[:3]) <= np.pi < np.linalg.norm(q[:3])
    same(kinematics(BALLS, q2).rotation, kinematics(BALLS, q).rotation)
    same(velocities_from_exponential(BALLS, q2, rates2), u)
    same(forces_from_exponential(BALLS, q2, forces2), tau)
    same(forces2 @ rates2, forces @ rates)
    assert np.array_equal(q2[3:], q[3:]) and np.array_equal(forces2[3:], forces[3:])
    again = nearest_chart(BALLS, q2, rates2, forces2)
    for a, b in zip(again, (q2, rates2, forces2), strict=True):
        same(a, b)


def test_at_no_turn_nothing_changes():
    """J_b(0) = 1: value and derivative are finite there, on floats and on the tape."""
    q, u, tau = BALLS.neutral(), np.arange(1.0, 8.0), np.arange(7.0, 0.0, -1.0)
    assert np.array_equal(exponential_forces(BALLS, q, tau), tau) and np.array_equal(exponential_rates(BALLS, q, u), u)
    tape = ap.record(lambda q, tau: exponential_forces(BALLS, q, tau), q=q, tau=tau)
    value, slope = ap.build(tape.jvp(wrt="q"), opt=0)(q, tau, u)
    same(value, tau)
    wanted = [0.5 * np.cross(u[k : k + 3], tau[k : k + 3]) for k in (0, 3)]  # J_b ≈ 1 - [r] / 2, transposed
    same(slope, np.concatenate([*wanted, [0.0]]))
