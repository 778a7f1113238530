"""Inverse dynamics is d/dt ∂L/∂θ' - ∂L/∂θ, with L = T - V differentiated by the tape, on 100 figures.

u need not be rates of coordinates, so the equations are asked in coordinates θ around the configuration q,

    q(θ) = q ⊞ θ,   u = J(θ) θ',   J = J_b(θ) for turns of three axes, 1 for all other coordinates            (1)
    L(θ, θ') = T(q(θ), J(θ) θ') - V(q(θ))                                                                      (2)
    τ = ∂²L/∂θ'∂θ' θ'' + ∂²L/∂θ'∂θ θ' - ∂L/∂θ,  and d u of the dampers                                         (3)

at θ = 0, where J = 1: τ is dual to u there. u' = J θ'' + J' θ' = θ'', since J_b' θ' = -½ θ' × θ' = 0. A free joint's
velocity is in the joint's frame, the angles and slides of composites are coordinates: J = 1. Springs and rotors are the
same about all axes of a turn (`even`): only then have they a potential, and no gyroscopic moment in L.
"""

from collections import Counter

import numpy as np
import pytest

from anthropi.algebra.linear import matvec
from anthropi.algebra.rotation import J_b
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.tape import push, record
from oracle.figures import FAMILIES, family, rng_of
from oracle.loads import apart, case, turns

pytestmark = pytest.mark.oracle

SEEDS = range(100)
BLOCK = 20
TOLERANCE = 1e-10  # as asked, of each joint's largest force; 1e-13 is seen


def links(seed: int) -> int | None:
    """Every tenth figure is of any size up to 60 links, the others have 2 to 10: tapes take their time."""
    return None if seed % 10 == 0 else 2 + seed % 9


def velocity(fig, theta, rate):
    """u = J(θ) θ' (1)."""
    u = list(rate)
    for j, at in zip(fig.joints, fig.u_of, strict=True):
        for turn in turns(j):
            own = slice(at.start + turn.start, at.start + turn.stop)
            u[own] = matvec(J_b(theta[own]), rate[own])
    return np.array(u)


def along(function, points, directions) -> np.ndarray:
    """How a function of θ and θ' changes along directions of them; flat."""
    tape = record(function, theta=points[0], rate=points[1])
    _, slopes = push(tape, np.concatenate(points).tolist(), [(x,) for x in np.concatenate(directions)])
    return np.array([t[0] for t in slopes], float)


def lagrange(fig, q, u, udot) -> np.ndarray:
    """τ (nu,) by (3), without dampers."""

    def L(theta, rate):
        here = fig.integrate(q, theta)
        return kinetic_energy(fig, here, velocity(fig, theta, rate)) - potential_energy(fig, here)  # (2)

    n, none = fig.nu, np.zeros(fig.nu)
    slope = record(L, theta=none, rate=none).vjp()  # L, ∂L/∂θ, ∂L/∂θ' from θ, θ' and a weight
    values, rates = push(slope, [*none, *u, 1.0], [(x,) for x in (*u, *udot, 0.0)])
    assert [s.name for s in slope.outputs] == ["0", "1.theta", "1.rate"] and len(values) == 1 + 2 * n
    return np.array([x for (x,) in rates[1 + n :]], float) - np.array(values[1 : 1 + n], float)  # (3)


@pytest.mark.slow
@pytest.mark.parametrize("first", SEEDS[::BLOCK])
def test_inverse_dynamics_is_the_equation_of_lagrange(first):
    for seed in range(first, first + BLOCK):
        fig, q, u, udot, _ = case(seed, links(seed), even=True)
        theirs = lagrange(fig, q, u, udot) + np.concatenate([j.damping for j in fig.joints]) * u
        off, where = apart(fig, inverse_dynamics(fig, q, u, udot), theirs)
        assert off <= TOLERANCE, f"figure {seed}, {where}: off by {off:.1e}"


@pytest.mark.parametrize("seed", range(4))
def test_the_coordinates_are_what_they_are_said_to_be(seed):
    """(1): q ⊞ θ(t) moves with u, away from θ = 0 too; and at θ = 0 u' = θ''."""
    fig, q, u, udot, _ = case(seed, links=len(FAMILIES) + 1, in_turn=True)
    theta, rate = 0.5 * rng_of("theta", seed).normal(size=(2, fig.nu))
    moves = along(lambda theta, rate: fig.integrate(q, theta) + 0.0 * rate.sum(), (theta, rate), (rate, udot))
    here, speed = fig.integrate(q, theta), velocity(fig, theta, rate)
    np.testing.assert_allclose(fig.velocity(here, moves), speed, atol=1e-12)  # a few roundings of numbers of size 10
    np.testing.assert_allclose(fig.lift(theta, speed), rate, atol=1e-12)
    np.testing.assert_allclose(along(lambda **x: velocity(fig, **x), (0.0 * u, u), (u, udot)), udot, atol=1e-14)


def test_every_family_is_among_them():
    count = Counter(family(j) for seed in SEEDS for j in case(seed, links(seed), even=True).fig.joints)
    assert set(count) == set(FAMILIES) and min(count.values()) > 10, count
