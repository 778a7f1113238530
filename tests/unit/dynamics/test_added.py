"""Inertia added to links: the recursion against M + Σ Jᵀ C J."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import ArticulatedInertia
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import added_mass_matrix, mass_matrix
from anthropi.constraints.loops.dynamics import accelerate


def loaded(figure, seed):
    rng = np.random.default_rng(seed)
    q, u, tau = figure.random(rng), rng.normal(size=figure.nu), rng.normal(size=figure.nu)
    blocks = {i: rng.normal(size=(6, 6)) for i in {figure.n - 1, figure.n // 2}}
    added = {i: ArticulatedInertia.from_matrix(A @ A.T) for i, A in blocks.items()}
    M = mass_matrix(figure, q) + added_mass_matrix(figure, kinematics(figure, q), q, added)
    return q, u, tau, added, M, inverse_dynamics(figure, q, u, np.zeros(figure.nu))


@pytest.mark.parametrize("figure", [ap.sample("bench42"), ap.human(), ap.sample("chain", links=6)], ids=str)
def test_direct_and_hybrid_dynamics_with_added_inertia(figure):
    q, u, tau, added, M, h = loaded(figure, 1)
    wanted = np.linalg.solve(M, tau - h)
    np.testing.assert_allclose(direct_dynamics(figure, q, u, tau, added=added), wanted, atol=1e-12 * abs(wanted).max())
    names = [figure.dofs[-2], figure.dofs[2]]
    held = [figure.dofs.index(name) for name in names]
    free = [k for k in range(figure.nu) if k not in held]
    given = np.zeros(figure.nu)
    given[held] = [0.3, -0.7]
    udot, needed = hybrid_dynamics(figure, q, u, tau, given, added=added, prescribed=names)
    rest = np.linalg.solve(M[np.ix_(free, free)], (tau - h - M @ given)[free])
    np.testing.assert_allclose(udot[free], rest, atol=1e-12 * abs(rest).max())
    np.testing.assert_allclose(needed[held], (M @ udot + h)[held], atol=1e-10)


def test_loops_with_added_inertia():
    """Without its loops a mechanism is a tree: the joint-space way must give the recursion's answer."""
    tree = ap.sample("bench42")
    q, u, tau, added, _, _ = loaded(tree, 2)
    udot = accelerate(tree, q, u, tau, added=added)[0]
    np.testing.assert_allclose(udot, direct_dynamics(tree, q, u, tau, added=added), rtol=0, atol=1e-9)
