"""Every id of spec/rotations.md sections 11 and 12: floating-base coordinates, Jacobians, their rates and Hessians.

`A` is a chain of two hinges, a slider and a hinge on a free base, with a side branch; `FIXED` is the same on a base
that does not move, and gives the joint part B_J(q_j) of the sheet. Its order is (linear, angular), ours the other way.
"""

import numpy as np
import pytest

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform, skew
from anthropi.algorithms.jacobians import hessian, jacobian, jacobian_rate
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.figure import Figure, Free, Link, Prismatic, Revolute, Weld
from laws.rotation.law import along
from unit.kinematics.ids import ROTATIONS

TESTS: dict = {}
TIP, POINT, SIDE = "b4", np.array([0.2, -0.1, 0.3]), "b5"


def proves(name):
    """Register a test under the id it stands for."""

    def mark(function):
        TESTS[name] = function
        return function

    return mark


def made(base) -> Figure:
    rng = np.random.default_rng(3)
    kinds = [Revolute, Revolute, Prismatic, Revolute, Revolute]
    joints = [kind(name=f"j{k}", axis=rng.normal(size=3), placement=Transform(rot.matrix_from_rotation_vector(
        rng.normal(size=3)), rng.normal(size=3))) for k, kind in enumerate(kinds, 1)]  # fmt: skip
    links = [Link(f"b{k}", 1.0, rng.normal(size=3), np.eye(3)) for k in range(6)]
    return Figure("A", links, [base, *joints], (-1, 0, 1, 2, 3, 1))


A, FIXED = made(Free(name="base")), made(Weld(name="base"))


def sample(seed):
    rng = np.random.default_rng(seed)
    return A.random(rng), rng.normal(size=A.nu)


def same(a, b):  # numbers of size 1 to 10
    np.testing.assert_allclose(np.asarray(a, float), b, rtol=1e-13, atol=1e-12)


def parts(q, link=TIP):
    """C_IB, B_r_BQ, and the joint part of the Jacobian in B: linear and angular rows."""
    C = rot.matrix_from_quaternion(q[3:7])
    k = kinematics(FIXED, q[7:])
    J = jacobian(FIXED, q[7:], link=link, point=POINT)
    return C, point_position(k, FIXED.link_index(link), POINT), J[3:], J[:3]


def joint_rates(q, u):
    """rdot_BQ and the rates of the joint parts in B."""
    J, rate = (
        jacobian(FIXED, q[7:], link=TIP, point=POINT),
        jacobian_rate(FIXED, q[7:], u[6:], link=TIP, point=POINT),
    )
    return J[3:] @ u[6:], rate[3:], rate[:3]


@proves("C.F")
def coordinates_and_velocities(q, u):
    """q' = F u with F = diag(1, H̄ᵀ/2, 1), u = F̄ q' with F̄ = diag(1, 2 H̄, 1), F̄ F = 1"""
    w, x, y, z = q[3:7]
    H = np.array([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])
    F, back = np.zeros((A.nq, A.nu)), np.zeros((A.nu, A.nq))
    F[:3, :3] = back[:3, :3] = np.eye(3)
    F[3:7, 3:6], back[3:6, 3:7] = H.T / 2, 2 * H
    F[7:, 6:] = back[6:, 7:] = np.eye(A.nu - 6)
    same(A.rate(q, u), F @ u)
    same(A.velocity(q, F @ u), u)
    same(back @ F, np.eye(A.nu))
    same(A.velocity(q, A.rate(q, u)), back @ F @ u)


@proves("C.A2.9-10")
def point_and_its_velocity(q, u):
    """I_r_IQ = I_r_IB + C_IB B_r_BQ;  I_v_Q = [1, -C [B_r_BQ], C B_J_P] u"""
    C, r, J_P, _ = parts(q)
    same(point_position(kinematics(A, q), A.link_index(TIP), POINT), q[:3] + C @ r)
    J = jacobian(A, q, link=TIP, point=POINT)
    same(J[3:], np.concatenate([np.eye(3), -C @ skew(r), C @ J_P], axis=1))
    moved = along(lambda q: point_position(kinematics(A, q), A.link_index(TIP), POINT), (q,), (A.rate(q, u),))
    same(J[3:] @ u, moved)


@proves("C.A2.11-13")
def attitude_and_angular_velocity(q, u):
    """C_IQ = C_IB C_BQ;  I_w_IQ = [0, C, C B_J_R] u"""
    C, _, _, J_R = parts(q)
    i = A.link_index(TIP)
    same(kinematics(A, q).rotation[i], C @ kinematics(FIXED, q[7:]).rotation[i])
    J = jacobian(A, q, link=TIP, point=POINT)
    same(J[:3], np.concatenate([np.zeros((3, 3)), C, C @ J_R], axis=1))
    same(skew(J[:3] @ u) @ kinematics(A, q).rotation[i],
         along(lambda q: kinematics(A, q).rotation[i], (q,), (A.rate(q, u),)))  # fmt: skip


@proves("C.A2.14")
def whole_jacobian(q, u):
    """I_J_Q = [[1, -C [B_r_BQ], C B_J_P], [0, C, C B_J_R]], the sheet's order"""
    C, r, J_P, J_R = parts(q)
    sheet = np.block([[np.eye(3), -C @ skew(r), C @ J_P], [np.zeros((3, 3)), C, C @ J_R]])
    same(jacobian(A, q, link=TIP, point=POINT), sheet[[3, 4, 5, 0, 1, 2]])
    for k, j in enumerate(A.joints[1:5]):  # joint columns in B: a × (r_Q - o), a | a, 0
        at = kinematics(FIXED, q[7:])
        a, o = at.rotation[k + 1] @ j.axis, at.position[k + 1]
        same(J_P[:, k], np.cross(a, r - o) if j.kind == "revolute" else a)
        same(J_R[:, k], a if j.kind == "revolute" else np.zeros(3))


@proves("C.X-JdotFB")
def rate_of_the_jacobian(q, u):
    """J_P' = [0, -C (W [r] + [r']), C (W J_P + J_P')];  J_R' = [0, C W, C (W J_R + J_R')],  W = [B_w]"""
    C, r, J_P, J_R = parts(q)
    W, (rdot, Jd_P, Jd_R) = skew(u[3:6]), joint_rates(q, u)
    none = np.zeros((3, 3))
    linear = np.concatenate([none, -C @ (W @ skew(r) + skew(rdot)), C @ (W @ J_P + Jd_P)], axis=1)
    angular = np.concatenate([none, C @ W, C @ (W @ J_R + Jd_R)], axis=1)
    rate = jacobian_rate(A, q, u, link=TIP, point=POINT)
    same(rate, np.concatenate([angular, linear]))
    same(rate, along(lambda q: jacobian(A, q, link=TIP, point=POINT), (q,), (A.rate(q, u),)))


def rule(J, pairs_first=()):
    """(15): ∂J_i/∂q_j from the columns of J alone, as H[:, i, j]; `pairs_first` use the first case in any order."""
    n = J.shape[1]
    R, P, H = J[:3].T, J[3:].T, np.zeros((6, n, n))
    for i in range(n):
        for j in range(n):
            if i >= j or (i, j) in pairs_first:
                H[:, i, j] = np.concatenate([np.cross(R[j], R[i]), np.cross(R[j], P[i])])
            else:
                H[3:, i, j] = np.cross(R[i], P[j])
    return H


@proves("C.A3.15-16")
def hessian_of_a_fixed_chain(q, u):
    """i ≥ j: [J_Rj × J_Pi; J_Rj × J_Ri];  i < j: [J_Ri × J_Pj; 0];  H_k its columns"""
    J, H = (f(FIXED, q[7:], link=TIP, point=POINT) for f in (jacobian, hessian))
    same(H[:, :4, :4], rule(J[:, :4]))
    for j, e in enumerate(np.eye(FIXED.nu)):
        same(H[:, :, j], along(lambda q: jacobian(FIXED, q, link=TIP, point=POINT), (q[7:],), (e,)))


@proves("C.A3.15-third")
def joints_outside_the_chain_do_not_count(q, u):
    """0 if i or j is outside the chain: b5 hangs beside the way to the tip"""
    for fig, x in ((FIXED, q[7:]), (A, q)):
        H = hessian(fig, x, link=TIP, point=POINT)
        outside = fig.dof_indices("j5")[0]
        assert (H[:, outside] == 0.0).all() and (H[:, :, outside] == 0.0).all()
        H = hessian(fig, x, link=SIDE, point=POINT)
        beyond = list(fig.dof_indices(["j2", "j3", "j4"]))
        assert (H[:, beyond] == 0.0).all() and (H[:, :, beyond] == 0.0).all()
        assert np.abs(H[:, :, fig.dof_indices("j5")[0]]).max() > 1e-3


@proves("C.A3.17-18")
def rate_is_the_hessian_along_the_motion(q, u):
    """J' = Σ_k H_k q_k'"""
    H = hessian(FIXED, q[7:], link=TIP, point=POINT)
    same(jacobian_rate(FIXED, q[7:], u[6:], link=TIP, point=POINT), sum(H[:, :, k] * u[6 + k] for k in range(FIXED.nu)))


@proves("C.X-HessFB")
def hessian_with_a_floating_base(q, u):
    """The same rule with quasi-velocities, but the first case for every pair of base rotations; J' = Σ_k H_k u_k"""
    J, H = (f(A, q, link=TIP, point=POINT) for f in (jacobian, hessian))
    base = {(i, j) for i in (3, 4, 5) for j in (3, 4, 5)}
    same(H[:, :10, :10], rule(J[:, :10], base))
    assert np.abs(H[:, :10, :10] - rule(J[:, :10])).max() > 1e-3  # without the exception it is wrong
    same(H @ u, jacobian_rate(A, q, u, link=TIP, point=POINT))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ROTATIONS)
def test_id(name, seed):
    TESTS[name](*sample(seed))
