"""Laws of closed loops that hold for every figure, every joint and every kind of loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anthropi.algebra.spatial import Transform, identity
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.loops.dynamics import loop_dynamics, loop_hybrid_dynamics, loop_impulses
from anthropi.constraints.relative import equations
from anthropi.figure.parts import LOOPS, Loop
from oracle.figures import rng_of
from oracle.loads import case

few = settings(max_examples=15)  # each builds a figure, closes it and moves it
KINDS = [kind for kind in LOOPS if kind != "held"]


def tied(seed: int):
    """A random figure with a loop of a random kind that is closed where it is, velocities that keep it so."""
    fig, q, u, _, f_ext = case(seed, links=3 + seed % 5)
    rng, k = rng_of("loop", seed), kinematics(fig, q)
    ends = [int(i) for i in rng.permutation(fig.n)[:2]]
    pose = [Transform(k.rotation[i], k.position[i]) for i in ends]
    names = [fig.links[i].name for i in ends]
    if seed % 4 == 0:
        pose[0], names[0] = identity(), ""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    way = rng.normal(size=3)
    value = {"distance": (float(np.linalg.norm(way)),), "point": tuple(way), "plane": (float(way[2]),)}.get(kind, ())
    at_a = Transform(np.eye(3), rng.normal(size=3))
    apart = way if kind in ("distance", "point", "plane") else np.zeros(3)
    at_b = pose[1].inverse() @ pose[0] @ at_a @ Transform(np.eye(3), apart)
    fig = fig.changed(loops=[Loop("tie", kind, names[0], at_a, names[1], at_b, value)])
    return fig, q, loop_impulses(fig, q, u).u, f_ext, rng.normal(size=fig.nu)


def size(*arrays):
    return 1.0 + max(np.max(np.abs(a), initial=0.0) for a in arrays)


@pytest.mark.slow
@few
@given(seed=st.integers(0, 10**9))
def test_gauss_and_the_loops(seed):
    """The accelerations keep the loops, and what makes them so is a force of the loops alone: M u' + h - τ = Jᵀ λ."""
    fig, q, u, f_ext, tau = tied(seed)
    e = equations(fig, q, u, closures(fig), 0.0)
    J, bias = e.jacobian.astype(float), e.bias.astype(float)
    assert np.abs(J @ u).max() < 1e-9 * size(u)
    udot, forces = loop_dynamics(fig, q, u, tau, f_ext)
    tree = fig.changed(loops=())
    lacks = inverse_dynamics(tree, q, u, udot, f_ext) - tau
    M = mass_matrix(tree, q)
    # as near as any acceleration comes to keeping them: where loops leave nothing free and u is not 0, none does
    kept = np.linalg.lstsq(J, -bias, rcond=1e-9)[0]
    assert np.abs(J @ (udot - kept)).max() < 1e-7 * size(bias, udot)
    multipliers = np.linalg.lstsq(J.T, lacks, rcond=1e-9)[0]
    away = np.linalg.solve(M, lacks - J.T @ multipliers)
    assert np.abs(away).max() < 1e-7 * size(udot, np.linalg.solve(M, tau))
    assert set(forces) == {"tie"} and forces["tie"].shape == (6,)


@pytest.mark.slow
@few
@given(seed=st.integers(0, 10**9))
def test_hybrid_gives_back_what_direct_found(seed):
    """Prescribing what the loops and forces did anyway takes no more force, for any choice of what is prescribed."""
    fig, q, u, f_ext, tau = tied(seed)
    found = loop_dynamics(fig, q, u, tau, f_ext)
    rng = rng_of("held", seed)
    names = [fig.dofs[k] for k in range(fig.nu) if rng.uniform() < 0.25]
    again = loop_hybrid_dynamics(fig, q, u, tau, found.udot, f_ext, prescribed=tuple(names))
    near = 1e-6 * size(found.udot)
    assert np.abs(again.udot - found.udot).max() < near
    tree = fig.changed(loops=())
    J = equations(fig, q, u, closures(fig), 0.0).jacobian.astype(float)
    lacks = inverse_dynamics(tree, q, u, found.udot, f_ext) - again.tau  # what the loops still do
    multipliers = np.linalg.lstsq(J.T, lacks, rcond=1e-9)[0]
    assert np.abs(np.linalg.solve(mass_matrix(tree, q), lacks - J.T @ multipliers)).max() < near


@pytest.mark.slow
@few
@given(seed=st.integers(0, 10**9))
def test_a_blow_loses_energy_to_the_loops_and_momentum_to_nothing_else(seed):
    """J u⁺ = 0; u⁺ is the nearest in the metric of M: M (u⁺ - u) is a force of the loops, and M-square to u⁺."""
    fig, q, _, _, u = tied(seed)
    J = equations(fig, q, u, closures(fig), 0.0).jacobian.astype(float)
    M = mass_matrix(fig.changed(loops=()), q)
    after = loop_impulses(fig, q, u).u
    assert np.abs(J @ after).max() < 1e-8 * size(u)
    assert abs((u - after) @ M @ after) < 1e-8 * size(u @ M @ u)
    assert after @ M @ after <= u @ M @ u * (1.0 + 1e-9)
