"""Random figures: centre of mass, momentum, centroidal momentum matrix and energies against Pinocchio."""

import numpy as np
import pytest

from anthropi.algorithms.centroidal import (
    centre_of_mass_jacobian,
    centroidal_momentum_matrix,
    centroidal_momentum_rate,
)
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.momentum import centre_of_mass, momentum
from oracle.figures import FAMILIES, family, figure, state
from oracle.pinocchio_peer import PinocchioPeer
from oracle.test_kinematics import compare  # 1e-12 of the largest entry, for the same reason

pytestmark = pytest.mark.oracle
SEEDS = range(1000, 1024)


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_and_energy(seed):
    fig = figure(seed)
    q, u, udot = state(fig, seed)
    peer = PinocchioPeer(fig, q, u, udot)
    c = centre_of_mass(fig, q, u, udot)
    for name, ours, theirs in zip(
        ("position", "velocity", "acceleration", "Jacobian"),
        (*c, centre_of_mass_jacobian(fig, q)), peer.centre_of_mass(), strict=True,
    ):  # fmt: skip
        compare(f"{name} of the centre of mass", ours, theirs)
    A, rate, h = peer.centroidal()
    compare("centroidal momentum matrix", centroidal_momentum_matrix(fig, q), A)
    compare("its rate", centroidal_momentum_rate(fig, q, u), rate)
    compare("momentum about the centre of mass", momentum(fig, q, u), h)
    about_origin = np.concatenate([h[:3] + np.cross(c.position, h[3:]), h[3:]])
    compare("momentum about the origin", momentum(fig, q, u, about="origin"), about_origin)
    kinetic, potential = peer.energy()
    compare("kinetic energy", np.asarray(kinetic_energy(fig, q, u)), kinetic)
    compare("potential energy", np.asarray(potential_energy(fig, q)), potential)


def test_every_joint_type_occurs():
    assert {family(j) for seed in SEEDS for j in figure(seed).joints} == set(FAMILIES)
