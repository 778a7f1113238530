"""Laws of dynamics that hold for every figure: linearity, symmetry, no preferred place, momentum, mirror images."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.centroidal import centroidal_momentum_matrix, centroidal_momentum_rate
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.figure.editing.scaling import other_side
from oracle.figures import rng_of
from oracle.loads import case

SEEDS = st.integers(0, 10**9)
DETAILS = ("simple27", "simple36", "thesis42", "thesis51", "standard", "full")
MIRROR = np.array([1.0, -1.0, 1.0])
few = settings(max_examples=20)  # each builds a figure and moves it


def same(a, b, tol=1e-10):  # up to seven links, forces of size 1 to 1000, conditions up to 1e5
    size = 1.0 + np.max(np.abs(b), initial=0.0)
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=0.0, atol=tol * size)


def small(seed: int):
    return case(seed, links=2 + seed % 6)


@few
@given(seed=SEEDS)
def test_forces_are_linear_in_acceleration_by_a_symmetric_positive_matrix(seed):
    """τ(u' + b) - τ(u') = M b,  M = Mᵀ > 0"""
    fig, q, u, udot, f_ext = small(seed)
    b, M = rng_of("b", seed).normal(size=fig.nu), mass_matrix(fig, q)
    same(inverse_dynamics(fig, q, u, udot + b, f_ext) - inverse_dynamics(fig, q, u, udot, f_ext), M @ b)
    assert np.array_equal(M, M.T) and np.all(np.linalg.eigvalsh(M) > 0.0)


@few
@given(seed=SEEDS)
def test_external_forces_act_through_jacobians(seed):
    """τ(f_ext) = τ(0) - Σ Jᵀ f_ext"""
    fig, q, u, udot, f_ext = small(seed)
    through = sum(
        jacobian(fig, q, link=link.name, frame="link").T @ f for link, f in zip(fig.links, f_ext, strict=True)
    )
    same(inverse_dynamics(fig, q, u, udot, f_ext), inverse_dynamics(fig, q, u, udot) - through)


@few
@given(seed=SEEDS)
def test_hybrid_dynamics_has_direct_and_inverse_dynamics_at_its_ends(seed):
    fig, q, u, udot, f_ext = small(seed)
    tau, nothing = rng_of("tau", seed).normal(size=fig.nu), np.full(fig.nu, np.nan)
    rates, forces = hybrid_dynamics(fig, q, u, tau, nothing, f_ext)
    same(rates, direct_dynamics(fig, q, u, tau, f_ext))
    assert np.array_equal(forces, tau)
    rates, forces = hybrid_dynamics(fig, q, u, nothing, udot, f_ext, prescribed=[j.name for j in fig.joints])
    same(forces, inverse_dynamics(fig, q, u, udot, f_ext))
    assert np.array_equal(rates, udot)


@few
@given(seed=SEEDS)
def test_without_dampers_the_film_runs_backward(seed):
    """The forces are the same for -u: velocities act by their squares."""
    fig, q, u, udot, f_ext = small(seed)
    fig = fig.changed(joints=[j.changed(damping=np.zeros(j.nu)) for j in fig.joints])
    same(inverse_dynamics(fig, q, -u, udot, f_ext), inverse_dynamics(fig, q, u, udot, f_ext))


@few
@given(seed=SEEDS)
def test_nothing_depends_on_where_the_world_is(seed):
    """Placing the whole figure and its gravity elsewhere changes no joint force and no acceleration."""
    fig, q, u, udot, f_ext = small(seed)
    C = np.linalg.qr(rng_of("turn", seed).normal(size=(3, 3)))[0]
    X = Transform(C * np.linalg.det(C), rng_of("shift", seed).normal(size=3))
    root = fig.joints[0].changed(placement=X @ fig.joints[0].placement)
    moved = fig.changed(joints=(root, *fig.joints[1:]), gravity=X.rotation @ fig.gravity)
    tau = inverse_dynamics(fig, q, u, udot, f_ext)
    same(inverse_dynamics(moved, q, u, udot, f_ext), tau)
    same(direct_dynamics(moved, q, u, tau, f_ext), udot)


@few
@given(seed=SEEDS)
def test_joint_forces_do_not_change_momentum(seed):
    """A u' + A' u = m g for a figure in the air, whatever acts inside it."""
    fig, q, u, _, _ = small(3 * (seed // 3))  # every third figure has a free root
    root = fig.joints[0].changed(stiffness=np.zeros(6), damping=np.zeros(6), armature=np.zeros(6))
    fig = fig.changed(joints=(root, *fig.joints[1:]))
    tau = np.concatenate([np.zeros(6), 10.0 * rng_of("tau", seed).normal(size=fig.nu - 6)])
    udot = direct_dynamics(fig, q, u, tau)
    change = centroidal_momentum_matrix(fig, q) @ udot + centroidal_momentum_rate(fig, q, u) @ u
    scale = 1.0 + np.max(np.abs(udot))
    same(change / scale, np.concatenate([np.zeros(3), fig.mass * fig.gravity]) / scale)


# thesis 4.7: what acts on one side does on the other what the mirror shows


def mirrored(fig, f_ext):
    """The external forces the mirror y → -y shows: on the other link, moments turn the other way."""
    links = [link.name for link in fig.links]
    there = [links.index(other_side(name)) for name in links]
    return f_ext[there] * np.concatenate([-MIRROR, MIRROR])


def image(fig, q, vector):
    """A vector (nu,) dual to u or a rate of it, in the mirror; the figure is its own mirror image."""
    other, _, there = fig.mirror(q, vector)
    assert [j.name for j in other.joints] == [j.name for j in fig.joints]
    return there


@pytest.mark.slow
@pytest.mark.parametrize("detail", DETAILS)
def test_a_force_on_one_limb_gives_the_mirror_of_the_same_force_on_the_other(detail):
    """thesis 4.7: arm by arm and leg by leg, standing and at rest."""
    fig = ap.human(detail=detail)
    q, none = ap.standing(fig), np.zeros(fig.nu)
    left = [i for i, link in enumerate(fig.links) if link.name.startswith("l_")]
    for i in left[:: max(1, len(left) // 4)]:
        f_ext = np.zeros((fig.n, 6))
        f_ext[i] = rng_of("push", detail, i).normal(size=6)
        found, other = (direct_dynamics(fig, q, none, none, f) for f in (f_ext, mirrored(fig, f_ext)))
        assert np.max(np.abs(found - other)) > 1.0, "the two sides must differ, or nothing is tested"
        same(other, image(fig, q, found))


@pytest.mark.slow
@pytest.mark.parametrize("detail", DETAILS)
def test_the_mirror_shows_the_same_dynamics_in_every_state(detail):
    """Direct, inverse and hybrid dynamics of the mirrored state are the mirrored results."""
    fig, rng = ap.human(detail=detail), rng_of("mirror", detail)
    q, (u, tau, udot), f_ext = fig.random(rng), rng.normal(size=(3, fig.nu)), 10.0 * rng.normal(size=(fig.n, 6))
    _, q2, u2 = fig.mirror(q, u)
    tau2, udot2, f2 = image(fig, q, tau), image(fig, q, udot), mirrored(fig, f_ext)
    same(direct_dynamics(fig, q2, u2, tau2, f2), image(fig, q, direct_dynamics(fig, q, u, tau, f_ext)))
    same(inverse_dynamics(fig, q2, u2, udot2, f2), image(fig, q, inverse_dynamics(fig, q, u, udot, f_ext)))
    held = [dof for dof in fig.dofs if rng.uniform() < 0.5]
    rates, forces = hybrid_dynamics(fig, q, u, tau, udot, f_ext, prescribed=held)
    across = [other_side(dof) for dof in held]
    rates2, forces2 = hybrid_dynamics(fig, q2, u2, tau2, udot2, f2, prescribed=across)
    same(rates2, image(fig, q, rates))
    same(forces2, image(fig, q, forces))
