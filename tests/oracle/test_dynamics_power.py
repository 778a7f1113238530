"""Power balance: dE/dt = τ · u + the power of external forces, dampers and springs. No finite differences.

On all 500 figures, from the motion of their bodies alone (c their centres of mass, Θ their tensors, g gravity):

    dT/dt = Σ m c' · c'' + ω · Θ α + armature u u',   dV/dt = -Σ m g · c'      (1)
    external power = Σ t · ω + f · v                                           (2)

On 100 figures whose springs have a potential, dE/dt is the derivative of kinetic and potential energy by the tape,
along q' = F(q) u and u'; there `power_balance` must say the same.
"""

from collections import Counter

import numpy as np
import pytest

from anthropi.algorithms.energy import kinetic_energy, potential_energy, power_balance
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.tape import push, record
from oracle.figures import FAMILIES, family
from oracle.loads import BLOCK, SEEDS, case, moving, own_forces, rotors

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-9  # as asked, of the sum of all powers' sizes; 2e-14 is seen
DERIVED = range(100)


def rates(fig, q, u, udot, f_ext):
    """dT/dt + dV/dt (1), and the power of the external forces on each link (links,) (2); world components."""
    k = kinematics(fig, q, u, udot)
    C, w, alpha = k.rotation, k.angular_velocity, k.angular_acceleration
    mass, centre, tensor = (np.stack([getattr(link, n) for link in fig.links]) for n in ("mass", "centre", "tensor"))
    s, t, f = (np.einsum("nij,nj->ni", C, x) for x in (centre, f_ext[:, :3], f_ext[:, 3:]))
    v = k.velocity + np.cross(w, s)
    a = k.acceleration + np.cross(alpha, s) + np.cross(w, np.cross(w, s))
    bodies = mass * (v * (a - fig.gravity)).sum(1) + np.einsum("ni,nij,njk,nlk,nl->n", w, C, tensor, C, alpha)
    rotating = (rotors(fig) * u * udot).sum()
    return bodies.sum() + rotating, (t * w).sum(1) + (f * k.velocity).sum(1)


def balanced(seed: int, fig, rate: float, *powers) -> None:
    """Fail unless the rate of energy is the sum of the powers."""
    powers = np.concatenate([np.ravel(p) for p in powers])
    off, size = abs(rate - powers.sum()), abs(rate) + np.abs(powers).sum()
    kinds = ", ".join(sorted({family(j) for j in fig.joints}))
    assert off <= TOLERANCE * size, f"figure {seed} ({kinds}): {off:.1e} W of {size:.1e} W are lost"


@pytest.mark.slow
@pytest.mark.parametrize("first", SEEDS[::BLOCK])
def test_energy_comes_from_joint_forces_external_forces_dampers_and_springs(first):
    for seed in range(first, first + BLOCK):
        (fig, q, u, udot, f_ext), tau = moving(seed)
        rate, outer = rates(fig, q, u, udot, f_ext)
        balanced(seed, fig, rate, tau * u, outer, own_forces(fig, q, u) * u)


def links(seed: int) -> int | None:
    """Every tenth of the 100 figures is of any size, the others have 2 to 10 links: tapes take their time."""
    return None if seed % 10 == 0 else 2 + seed % 9


@pytest.mark.slow
@pytest.mark.parametrize("first", DERIVED[::BLOCK])
def test_the_derivative_of_energy_is_power(first):
    for seed in range(first, first + BLOCK):
        fig, q, u, udot, f_ext = case(seed, links(seed), even=True)
        tau = inverse_dynamics(fig, q, u, udot, f_ext)
        tape = record(lambda q, u, fig=fig: kinetic_energy(fig, q, u) + potential_energy(fig, q), q=q, u=u)
        _, slopes = push(tape, [*q, *u], [(x,) for x in (*fig.rate(q, u), *udot)])
        rate, outer = float(slopes[0][0]), rates(fig, q, u, udot, f_ext)[1]
        balanced(seed, fig, rate, tau * u, outer, np.concatenate([-j.damping for j in fig.joints]) * u * u)
        p = power_balance(fig, q, u, tau, f_ext, udot)
        balanced(seed, fig, rate, p.kinetic, p.potential, p.springs)
        balanced(seed, fig, p.joints + p.external + p.dampers, rate)


def test_every_family_is_among_them():
    count = Counter(family(j) for seed in DERIVED for j in case(seed, links(seed), even=True).fig.joints)
    assert set(count) == set(FAMILIES) and min(count.values()) > 10, count
