"""Random figures: bias and gravity forces and the centroidal momentum's rate against Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from anthropi.algorithms.bias_forces import bias_forces, external_forces, gravity_forces, velocity_forces
from anthropi.algorithms.momentum import momentum_rate
from oracle.figures import FAMILIES, family, figure, rng_of, state
from oracle.pinocchio_peer import ANGULAR_FIRST, PinocchioPeer

pytestmark = pytest.mark.oracle
SEEDS = range(1000, 1024)


def compare(what, ours, theirs):
    size = max(1.0, np.abs(theirs).max(initial=0.0))
    off = np.abs(ours - theirs).max(initial=0.0) / size
    assert off <= 1e-12, f"{what}: {off:.1e}"  # a sum over up to 60 links


@pytest.mark.parametrize("seed", SEEDS)
def test_bias_gravity_and_momentum(seed):
    fig = figure(seed)
    q, u, udot = state(fig, seed)
    peer = PinocchioPeer(fig, q, u, udot)
    model, data, B = peer.model, peer.data, peer.B
    drift = peer.Bdot @ u
    h = pin.nonLinearEffects(model, data, peer.q, peer.u).copy() + _inertia(peer) @ drift  # u_peer' = B u' + B' u
    compare("h", bias_forces(fig, q, u), B.T @ h)
    g = pin.computeGeneralizedGravity(model, data, peer.q).copy()
    compare("g", gravity_forces(fig, q), B.T @ g)
    compare("C u", velocity_forces(fig, q, u), B.T @ (h - g))
    f_ext = rng_of("push", seed).normal(size=(fig.n, 6))
    zero = np.zeros((fig.n, 6))
    compare("Σ Jᵀ f", external_forces(fig, q, f_ext), peer.inverse_dynamics(zero) - peer.inverse_dynamics(f_ext))
    pin.computeCentroidalMomentumTimeVariation(model, data, peer.q, peer.u, peer.udot)
    compare("rate of momentum", momentum_rate(fig, q, u, udot), data.dhg.vector[ANGULAR_FIRST])


def _inertia(peer):
    upper = np.triu(pin.crba(peer.model, peer.model.createData(), peer.q))
    return upper + np.triu(upper, 1).T


def test_every_joint_type_occurs():
    assert {family(j) for seed in SEEDS for j in figure(seed).joints} == set(FAMILIES)
