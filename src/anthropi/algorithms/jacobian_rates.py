"""How does a Jacobian change: along the motion (J'), and with each degree of freedom (∂J/∂q, the Hessian)?

With r = x - p_i and the columns w_k, l_k of `jacobians.py`, in the world:

along u    w_k' = ω_i × w_k + C_i spin_k',   l_k' = ω_λ × l_k + C_J slide_k'                (1)
           J_k' = [w_k'; l_k' + w_k' × r + w_k × (x' - p_i')]                               (2)  rotations C.X-JdotFB
           J' u = [α; a of the point] at u' = 0                                             (3)
along m    a degree of freedom of joint j; J_R, J_P are the halves of J:
  j ≤ i    ∂J_k = [w_m × J_Rk; w_m × J_Pk]                                                  (4)  rotations (15), case 1
  j > i    ∂J_k = [0; w_k × J_Pm]                                                           (5)  rotations (15), case 2
  j = i    besides, with the joint's own change:
           + [C_i ∂spin_k; (C_i ∂spin_k) × r + C_J ∂slide_k - w_m × l_k]                    (6)
           J' = Σ_m ∂J/∂m u_m                                                               (7)  rotations (17), (18)
link frame C'ᵀ:  (Cᵀ J)' = Cᵀ (J' - ω × J),   ∂(Cᵀ J) = Cᵀ (∂J - w_m × J)                   (8)

"Along m" is in the tangent: the seed is column m of F(q), q' = F(q) u. (4) is the sheet's rule for joints in order;
within a joint of several degrees of freedom it holds for every pair, and (6) puts right what the joint itself does. For
a free root spin is constant and slides are the world's, so (6) only takes w_m × l_k away again: that is the sheet's
rule with its exception for base rotations (C.X-HessFB). spin_k and slide_k are constant for most joints; where they are
not (Euler, composite) their derivative is a forward sweep over the joint's own small tape, exact for any joint.
"""

import functools

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.jacobians import (
    ORIGIN,
    columns,
    in_frame,
    joint_axes,
    moving_joints,
    placed,
    point_jacobian,
)  # fmt: skip
from anthropi.algorithms.kinematics import kinematics, point_acceleration, point_position, point_velocity
from anthropi.algorithms.shapes import algorithm
from anthropi.tape import push, record

__all__ = ["column_rates", "column_slopes", "hessian", "jacobian_bias", "jacobian_rate"]


@algorithm(q="nq", u="nu")
def jacobian_bias(figure, q, u, *, link, point=ORIGIN, frame="world"):
    """Which acceleration has a point of a link by its velocity alone? J' u (6,): [rad/s²; m/s²]

    In the link frame it is the rate of the components: Cᵀ [α; a - ω × v] at u' = 0.
    """
    k, i, s = kinematics(figure, q, u, np.zeros(figure.nu)), figure.link_index(link), np.asarray(point)
    a = point_acceleration(k, i, s)  # (3)
    if frame == "link":
        a = a - np.cross(k.angular_velocity[i], point_velocity(k, i, s))  # (8)
    return in_frame(np.concatenate([k.angular_acceleration[i], a]), k.rotation[i], frame)


@algorithm(q="nq", u="nu")
def jacobian_rate(figure, q, u, *, link, point=ORIGIN, frame="world"):
    """How does the Jacobian of a point of a link change while the figure moves? dJ/dt (6, nu)"""
    k, i, s = kinematics(figure, q, u), figure.link_index(link), np.asarray(point)
    x, v, joints = point_position(k, i, s), point_velocity(k, i, s), moving_joints(figure, i)
    rows = []
    for j in joints:
        w, _ = columns(figure, k, q, j)
        w_rate, l_rate = column_rates(figure, k, q, u, j)
        r, r_rate = x - k.position[j], v - k.velocity[j]
        rows.append(np.concatenate([w_rate, l_rate + np.cross(w_rate, r) + np.cross(w, r_rate)], axis=1))  # (2)
    rate = placed(figure, joints, np.concatenate(rows) if rows else np.zeros((0, 6))).T
    if frame == "link":
        rate = rate - _each_half(k.angular_velocity[i], point_jacobian(figure, k, q, i, s))  # (8)
    return in_frame(rate, k.rotation[i], frame)


@algorithm(q="nq")
def hessian(figure, q, *, link, point=ORIGIN, frame="world"):
    """How does the Jacobian of a point of a link change with each degree of freedom? H (6, nu, nu), J' = H u.

    H[:, k, m] is the change of column k of `jacobian` along degree of freedom m, in the tangent.
    """
    k, i, s = kinematics(figure, q), figure.link_index(link), np.asarray(point)
    joints, x = moving_joints(figure, i), point_position(k, i, s)
    if not joints:
        return np.zeros((6, figure.nu, figure.nu))
    own = [columns(figure, k, q, j) for j in joints]
    w = np.concatenate([c.w for c in own])
    P = np.concatenate([c.l + np.cross(c.w, x - k.position[j]) for j, c in zip(joints, own, strict=True)])
    turn, swing = np.cross(w[:, None], w[None]), np.cross(w[:, None], P[None])  # [m, k]: w_m × J_Rk, w_m × J_Pk
    of = [j for j in joints for _ in range(figure.joints[j].nu)]
    first = [[j <= i for i in of] for j in of]  # [m, k]
    m, n = np.indices((len(of), len(of)))
    early = np.where(first, m, n)  # floats only: indices
    late = np.where(first, n, m)  # floats only: indices
    angular = turn * np.array(first, float)[..., None]
    table = np.concatenate([angular, swing[early, late]], axis=2) + _same(figure, k, q, joints, own, x)  # (4), (5), (6)
    table = placed(figure, joints, np.swapaxes(placed(figure, joints, table), 0, 1))  # [k, m]
    H = np.moveaxis(table, 2, 0)
    if frame == "link":
        J, around = point_jacobian(figure, k, q, i, s), placed(figure, joints, w)
        H = H - np.stack([_each_half(e, J) for e in around], axis=2)  # (8)
    return in_frame(H, k.rotation[i], frame)


def column_rates(figure, k, q, u, i: int):
    """(1) of joint i: w' and l' (nu_i, 3)."""
    w, l = columns(figure, k, q, i)
    w_rate = np.cross(k.angular_velocity[i], w)
    parent = figure.parent[i]
    l_rate = np.zeros(l.shape) if parent < 0 else np.cross(k.angular_velocity[parent], l)
    slopes = column_slopes(figure.joints[i], q[figure.q_of[i]], u[figure.u_of[i]][None])
    if slopes is None:
        return w_rate, l_rate
    spin, slide = slopes
    C, C_J = k.rotation[i], joint_axes(figure, k, i)
    return w_rate + matvec(C, spin[0]), l_rate + matvec(C_J, slide[0])


def column_slopes(joint, q, directions):
    """How do spin_k (child frame) and slide_k (joint frame) change along velocities? (d, nu) → two of (d, nu, 3).

    None where they do not.
    """
    tape = _tape(joint)
    if not any(tape.op[i] != "const" for i in tape.result):
        return None
    rates = [joint.rate(q, e) for e in directions]
    _, slopes = push(tape, list(q), [tuple(rate[c] for rate in rates) for c in range(joint.nq)])
    table = np.array(slopes).reshape(2, joint.nu, 3, len(rates))
    return np.moveaxis(table, 3, 1)


@functools.lru_cache(maxsize=10_000)
def _tape(joint):
    """spin_k and slide_k of a joint on a tape of its own."""
    units = np.eye(joint.nu)

    def all_columns(q):
        return np.stack([joint.spin(q, e) for e in units]), np.stack([joint.slide(q, e) for e in units])

    return record(all_columns, q=np.zeros(joint.nq))


def _same(figure, k, q, joints, own, x):
    """(6) for each joint, as diagonal blocks of a table (n, n, 6) over [m, k]."""
    n = sum(len(c.w) for c in own)
    lines, at = [], 0
    for j, (w, l) in zip(joints, own, strict=True):
        nu, r = len(w), x - k.position[j]
        block = np.concatenate([np.zeros((nu, nu, 3)), -np.cross(w[:, None], l[None])], axis=2)
        slopes = column_slopes(figure.joints[j], q[figure.q_of[j]], np.eye(nu))
        if slopes is not None:
            spin = np.stack([matvec(k.rotation[j], a) for a in slopes[0]])
            slide = np.stack([matvec(joint_axes(figure, k, j), a) for a in slopes[1]])
            block = block + np.concatenate([spin, np.cross(spin, r) + slide], axis=2)
        lines.append(np.concatenate([np.zeros((nu, at, 6)), block, np.zeros((nu, n - at - nu, 6))], axis=1))
        at += nu
    return np.concatenate(lines)


def _each_half(w, J):
    """w × both halves of the columns of J (6, n)."""
    return np.concatenate([np.cross(w, J[:3].T).T, np.cross(w, J[3:].T).T])
