"""Random figures: joint reactions, regressors and spatial motions of links against Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from anthropi.algorithms.inertial_parameters import inertial_parameters
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.joint_reactions import joint_reactions
from anthropi.algorithms.kinematics import KinematicsView, kinematics
from anthropi.algorithms.regressors import (
    inverse_dynamics_regressor,
    kinetic_energy_regressor,
    potential_energy_regressor,
)
from oracle.figures import FAMILIES, family, figure, rng_of, state
from oracle.pinocchio_peer import ALIGNED, ANGULAR_FIRST, PinocchioPeer
from oracle.test_kinematics import compare  # 1e-12 of the largest entry, for the same reason

pytestmark = pytest.mark.oracle
SEEDS = range(1300, 1312)
MOVING = [f for f in FAMILIES if f != "weld"]  # Pinocchio adds a welded link to its parent
TEN = [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]  # Pinocchio's order of the ten numbers in ours: it has yy before xz


def drawn(seed):
    """A figure without welds, its state, and the joint of the peer that carries each link."""
    fig = figure(seed, families=MOVING)
    q, u, udot = state(fig, seed)
    return fig, (q, u, udot), PinocchioPeer(fig, q, u, udot)


@pytest.mark.parametrize("seed", SEEDS)
def test_reactions(seed):
    fig, given, peer = drawn(seed)
    f_ext = rng_of("pushed", seed).normal(size=(fig.n, 6))
    found = joint_reactions(fig, *given, f_ext)
    peer.inverse_dynamics(f_ext)
    theirs = np.array([peer.data.f[peer.at[i][0]].vector[ANGULAR_FIRST] for i in range(fig.n)])
    compare("forces across joints", found.force, theirs)
    for i, joint in enumerate(fig.joints):
        if joint.nu:
            S = joint.subspace(given[0][fig.q_of[i]])
            part = found.force[i] - found.constraint[i]
            size = np.abs(found.force[i]).max()
            assert np.abs(S.T @ found.constraint[i]).max() <= 1e-12 * size * max(1.0, np.linalg.cond(S)), joint
            assert np.abs(part - S @ np.linalg.lstsq(S, part, rcond=None)[0]).max() <= 1e-12 * size
        else:
            assert np.array_equal(found.constraint[i], found.force[i])


@pytest.mark.parametrize("seed", SEEDS)
def test_regressors(seed):
    fig, (q, u, udot), peer = drawn(seed)
    model, data, pi = peer.model, peer.data, inertial_parameters(fig)
    for i in range(fig.n):
        joint = peer.at[i][0]
        compare("inertial parameters", pi[i], model.inertias[joint].toDynamicParameters()[TEN])
    columns = [10 * (peer.at[i][0] - 1) + k for i in range(fig.n) for k in TEN]
    Y = inverse_dynamics_regressor(fig, q, u, udot)
    theirs = pin.computeJointTorqueRegressor(model, data, peer.q, peer.u, peer.udot)
    compare("regressor of inverse dynamics", Y, peer.B.T @ theirs[:, columns])
    plain = fig.changed(joints=[j.changed(stiffness=0.0, damping=0.0, armature=0.0) for j in fig.joints])
    compare("Y π", Y @ pi.ravel(), inverse_dynamics(plain, q, u, udot))
    kinetic = pin.computeKineticEnergyRegressor(model, data, peer.q, peer.u)
    compare("regressor of kinetic energy", kinetic_energy_regressor(fig, q, u), kinetic[columns])
    potential = pin.computePotentialEnergyRegressor(model, data, peer.q)
    compare("regressor of potential energy", potential_energy_regressor(fig, q), potential[columns])


@pytest.mark.parametrize("seed", SEEDS)
def test_spatial_motions_of_points(seed):
    fig, given, peer = drawn(seed)
    view = KinematicsView(fig, kinematics(fig, *given))
    s = rng_of("point", seed).normal(size=3)
    for i, link in enumerate(fig.links):
        joint, place = peer.at[i]
        place = place * pin.SE3(np.eye(3), s)
        for frame, theirs in (("world", ALIGNED), ("link", pin.LOCAL)):
            a = pin.getFrameAcceleration(peer.model, peer.data, joint, place, theirs).vector[ANGULAR_FIRST]
            v = pin.getFrameVelocity(peer.model, peer.data, joint, place, theirs).vector[ANGULAR_FIRST]
            compare("spatial acceleration", view.spatial_acceleration(link.name, s, frame), a)
            compare("spatial velocity", view.spatial_velocity(link.name, s, frame), v)


def test_every_joint_type_but_welds_occurs():
    assert {family(j) for seed in SEEDS for j in figure(seed, families=MOVING).joints} == set(MOVING)
