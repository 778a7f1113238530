"""Laws of motion that hold for every figure: Jacobians, momentum and energy of random trees of all joints."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anthropi.algebra.spatial import Transform
from anthropi.algorithms.centroidal import centroidal_momentum_matrix, centroidal_momentum_rate
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.jacobians import hessian, jacobian, jacobian_bias, jacobian_rate, relative_jacobian
from anthropi.algorithms.kinematics import kinematics, point_acceleration, point_velocity
from anthropi.algorithms.momentum import momentum
from laws.rotation.law import along
from oracle.figures import FAMILIES, figure, rng_of, state

SEEDS = st.integers(0, 10**9)
PLAIN = [f for f in FAMILIES if f not in ("ball", "exponential", "free", "composite", "locked")]
few = settings(max_examples=25)  # each builds a figure and moves it


def same(a, b, tol=1e-11):  # up to seven links, numbers of size 1 to 1000
    size = 1.0 + np.max(np.abs(b), initial=0.0)
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=0.0, atol=tol * size)


def case(seed: int, families=FAMILIES):
    fig = figure(seed, links=2 + seed % 6, families=families)
    return fig, *state(fig, seed), rng_of("point", seed).normal(size=3)


@pytest.mark.slow
@few
@given(seed=SEEDS)
def test_jacobians_give_velocity_and_acceleration(seed):
    """[ω; v] = J u,  [α; a] = J u' + J' u"""
    fig, q, u, udot, s = case(seed)
    k, i = kinematics(fig, q, u, udot), fig.n - 1
    at = dict(link=fig.links[i].name, point=s)
    J = jacobian(fig, q, **at)
    same(J @ u, np.concatenate([k.angular_velocity[i], point_velocity(k, i, s)]))
    acceleration = np.concatenate([k.angular_acceleration[i], point_acceleration(k, i, s)])
    same(J @ udot + jacobian_rate(fig, q, u, **at) @ u, acceleration)
    same(J @ udot + jacobian_bias(fig, q, u, **at), acceleration)


@few
@given(seed=SEEDS)
def test_second_derivatives_commute(seed):
    """Where u are rates of coordinates: ∂²x/∂q_k∂q_m is symmetric, and ∂w_k/∂q_m - ∂w_m/∂q_k = w_m × w_k"""
    fig, q, _, _, s = case(3 * seed + 1, PLAIN)  # every third figure has a free root
    at = dict(link=fig.links[-1].name, point=s)
    H, w = hessian(fig, q, **at), jacobian(fig, q, **at)[:3].T
    same(H[3:], np.swapaxes(H[3:], 1, 2))
    turns = np.moveaxis(np.cross(w[None], w[:, None]), 2, 0) if fig.nu else np.zeros((3, 0, 0))
    same(H[:3] - np.swapaxes(H[:3], 1, 2), turns)  # [k, m]: w_m × w_k


@pytest.mark.slow
@few
@given(seed=SEEDS)
def test_momentum_is_the_matrix_times_the_velocity_and_so_is_its_rate(seed):
    fig, q, u, udot, _ = case(seed)
    A = centroidal_momentum_matrix(fig, q)
    same(A @ u, momentum(fig, q, u))
    rate = along(lambda q, u: momentum(fig, q, u), (q, u), (fig.rate(q, u), udot))
    same(A @ udot + centroidal_momentum_rate(fig, q, u) @ u, rate)


@few
@given(seed=SEEDS)
def test_nothing_depends_on_where_the_world_is(seed):
    """Placing the whole figure elsewhere turns its momentum and leaves energies and relative motions alone."""
    fig, q, u, _, s = case(seed)
    C = np.linalg.qr(rng_of("turn", seed).normal(size=(3, 3)))[0]
    C = C * np.linalg.det(C)
    X = Transform(C, rng_of("shift", seed).normal(size=3))
    root = fig.joints[0]
    moved = fig.changed(joints=(root.changed(placement=X @ root.placement), *fig.joints[1:]), gravity=C @ fig.gravity)
    h = momentum(fig, q, u)
    same(momentum(moved, q, u), np.concatenate([C @ h[:3], C @ h[3:]]))
    same(kinetic_energy(moved, q, u), kinetic_energy(fig, q, u))
    shift = -fig.mass * (C @ fig.gravity) @ X.origin
    same(potential_energy(moved, q), potential_energy(fig, q) + shift)
    at = dict(link=fig.links[-1].name, to=fig.links[0].name, point=s)
    same(relative_jacobian(moved, q, **at), relative_jacobian(fig, q, **at))
