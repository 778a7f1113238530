"""First order: angular velocity from the rate of a parametrisation, and back.

w is I_w_IB with frame="global" (K's w_s) and B_w_IB with frame="local" (K's w_b), (..., 3) [rad/s]. Euler angles are in
`euler_rates`. Source: C Angular Velocity, K(6), K(14)-(16), rotations.md section 7.

| parametrisation | singular                                      |
| --------------- | --------------------------------------------- |
| matrix          | never                                         |
| quaternion      | never (unit length assumed)                   |
| angle and axis  | θ = 2πk, 0 included: ṅ is then infinite       |
| rotation vector | θ = 2πk, k ≥ 1: ṙ is then infinite            |
| Euler angles    | middle angle at gimbal lock: rates infinite   |

Accelerations
-------------
Second order: angular acceleration from the second rate of a parametrisation, and back.

ẇ is I_ẇ with frame="global" and B_ẇ with frame="local", (..., 3) [rad/s²]; I_ẇ = C_IB B_ẇ (C.wdot). Euler angles are in
`euler_rates`. Source: K(35), K(39), K(42), rotations.md section 8. Singular where the first order is (`rates`).
"""

import numpy as np

from anthropi.algebra.rotation.coefficients import (
    alpha,
    beta,
    d_alpha,
    d_beta,
    d_delta,
    d_gamma,
    d_zeta,
    delta,
    gamma,
    zeta,
)
from anthropi.algebra.rotation.vectors import (
    act,
    apply_transpose,
    columns,
    cross,
    dot,
    is_global,
    matrix,
    number,
    quaternion,
    skew,
    square,
    unskew,
    vector,
)
from anthropi.algebra.scalar import cos, sin

__all__ = [
    "angle_axis_acceleration_from_angular_acceleration",
    "angle_axis_rate_from_angular_velocity",
    "angular_acceleration_from_angle_axis_acceleration",
    "angular_acceleration_from_matrix_acceleration",
    "angular_acceleration_from_quaternion_acceleration",
    "angular_acceleration_from_rotation_vector_acceleration",
    "angular_velocity_from_angle_axis_rate",
    "angular_velocity_from_matrix_rate",
    "angular_velocity_from_quaternion_rate",
    "angular_velocity_from_rotation_vector_rate",
    "matrix_acceleration_from_angular_acceleration",
    "matrix_rate_from_angular_velocity",
    "quaternion_H",
    "quaternion_H_bar",
    "quaternion_acceleration_from_angular_acceleration",
    "quaternion_rate_from_angular_velocity",
    "rotation_vector_acceleration_from_angular_acceleration",
    "rotation_vector_rate_from_angular_velocity",
]


def _transpose(C):
    return np.swapaxes(C, -1, -2)


def angular_velocity_from_matrix_rate(C, Cdot, frame: str = "global"):
    """Which angular velocity changes C by Ċ? C.w: [I_w] = Ċ Cᵀ, [B_w] = Cᵀ Ċ. (..., 3, 3) twice → (..., 3)"""
    C, Cdot = matrix(C, "C"), matrix(Cdot, "Cdot")
    return unskew(Cdot @ _transpose(C) if is_global(frame) else _transpose(C) @ Cdot)


def matrix_rate_from_angular_velocity(C, w, frame: str = "global"):
    """How does C change with w? C.w: Ċ = [I_w] C = C [B_w]. → (..., 3, 3) [1/s]"""
    C, W = matrix(C, "C"), skew(w)
    return W @ C if is_global(frame) else C @ W


def _H(q, sign):
    w, x, y, z = columns(quaternion(q, "q"))
    a, b, c = sign * x, sign * y, sign * z
    return np.stack([np.concatenate(row, axis=-1) for row in ([-x, w, -c, b], [-y, c, w, -a], [-z, -b, a, w])], axis=-2)


def quaternion_H(q):
    """Which matrix makes I_w = 2 H q̇? C.Hexp: [-v, q0 I + [v]]. (..., 4) → (..., 3, 4)"""
    return _H(q, 1.0)


def quaternion_H_bar(q):
    """Which matrix makes B_w = 2 H̄ q̇? C.Hexp: [-v, q0 I - [v]]. (..., 4) → (..., 3, 4)"""
    return _H(q, -1.0)


def angular_velocity_from_quaternion_rate(q, qdot, frame: str = "global"):
    """Which angular velocity changes q by q̇? C.qrate: I_w = 2 H q̇, B_w = 2 H̄ q̇. (..., 4) twice → (..., 3)"""
    return 2.0 * act(quaternion_H(q) if is_global(frame) else quaternion_H_bar(q), quaternion(qdot, "qdot"))


def quaternion_rate_from_angular_velocity(q, w, frame: str = "global"):
    """How does q change with w? C.qrate: q̇ = Hᵀ I_w / 2 = H̄ᵀ B_w / 2. → (..., 4) [1/s]"""
    return 0.5 * apply_transpose(quaternion_H(q) if is_global(frame) else quaternion_H_bar(q), vector(w, "w"))


def angular_velocity_from_angle_axis_rate(theta, n, theta_rate, n_rate, frame: str = "global"):
    """Which angular velocity changes angle and axis so? C.aarate: n θ̇ + ṅ sin θ ± n x ṅ (1 - cos θ), + global."""
    th, n, thd, nd = number(theta), vector(n, "n"), number(theta_rate), vector(n_rate, "n_rate")
    sn = sin(0.5 * th)
    sign = 2.0 if is_global(frame) else -2.0
    return n * thd + nd * sin(th) + sign * (sn * sn) * cross(n, nd)


def angle_axis_rate_from_angular_velocity(theta, n, w, frame: str = "global"):
    """How do angle and axis change with w? C.aainv: θ̇ = n·w, ṅ = -k n x (n x w) ∓ n x w / 2, - global, 2k = cot(θ/2).

    → θ̇ (...) [rad/s], ṅ (..., 3) [1/s]; ṅ is infinite at θ = 2πk, 0 included.
    """
    h, n, w = 0.5 * number(theta), vector(n, "n"), vector(w, "w")
    k, c = 0.5 * cos(h) / sin(h), cross(n, w)
    half = -0.5 if is_global(frame) else 0.5
    return dot(n, w)[..., 0], half * c - k * cross(n, c)


def angular_velocity_from_rotation_vector_rate(r, rdot, frame: str = "global"):
    """Which angular velocity changes r by ṙ? K(14), K(6): α ṙ ∓ β ṙ x r + γ <r, ṙ> r, - global."""
    r, rdot = vector(r, "r"), vector(rdot, "rdot")
    t2 = square(r)
    b = -beta(square=t2) if is_global(frame) else beta(square=t2)
    return alpha(square=t2) * rdot + b * cross(rdot, r) + gamma(square=t2) * dot(r, rdot) * r


def rotation_vector_rate_from_angular_velocity(r, w, frame: str = "global"):
    """How does r change with w? K(16), K(15): δ w ∓ r x w / 2 + ζ <r, w> r, - global. → (..., 3) [rad/s]"""
    r, w = vector(r, "r"), vector(w, "w")
    t2 = square(r)
    half = -0.5 if is_global(frame) else 0.5
    return delta(square=t2) * w + half * cross(r, w) + zeta(square=t2) * dot(r, w) * r


def angular_acceleration_from_matrix_acceleration(C, Cddot, frame: str = "global"):
    """Which angular acceleration goes with C̈? The skew part of C̈ Cᵀ = [ẇ] + [w]² (global) or Cᵀ C̈ (local)."""
    C, Cddot = matrix(C, "C"), matrix(Cddot, "Cddot")
    transposed = np.swapaxes(C, -1, -2)
    return unskew(Cddot @ transposed if is_global(frame) else transposed @ Cddot)


def matrix_acceleration_from_angular_acceleration(C, w, wdot, frame: str = "global"):
    """What is C̈? ([I_ẇ] + [I_w]²) C = C ([B_ẇ] + [B_w]²). → (..., 3, 3) [1/s²]"""
    C, W = matrix(C, "C"), skew(w)
    A = skew(wdot) + W @ W
    return A @ C if is_global(frame) else C @ A


def angular_acceleration_from_quaternion_acceleration(q, qddot, frame: str = "global"):
    """Which angular acceleration goes with q̈? C.qdd: I_ẇ = 2 H q̈, B_ẇ = 2 H̄ q̈. (..., 4) twice → (..., 3)"""
    return 2.0 * act(quaternion_H(q) if is_global(frame) else quaternion_H_bar(q), quaternion(qddot, "qddot"))


def quaternion_acceleration_from_angular_acceleration(q, w, wdot, frame: str = "global"):
    """What is q̈? C.qdd: Hᵀ ẇ / 2 - ‖w‖² q / 4, H̄ in the local frame. → (..., 4) [1/s²]"""
    H = quaternion_H(q) if is_global(frame) else quaternion_H_bar(q)
    return 0.5 * apply_transpose(H, vector(wdot, "wdot")) - 0.25 * square(vector(w, "w")) * quaternion(q, "q")


def angular_acceleration_from_angle_axis_acceleration(
    theta, n, theta_rate, n_rate, theta_acceleration, n_acceleration, frame: str = "global"
):
    """Which angular acceleration goes with θ̈ and n̈? C.aadd, + global, - local:

    n θ̈ + ṅ θ̇ (1 + cos θ) + n̈ sin θ ± n x n̈ (1 - cos θ) ± n x ṅ sin θ θ̇
    """
    th, thd, thdd = number(theta), number(theta_rate), number(theta_acceleration)
    n, nd, ndd = vector(n, "n"), vector(n_rate, "n_rate"), vector(n_acceleration, "n_acceleration")
    sn, s, c = sin(0.5 * th), sin(th), cos(th)
    turn = 2.0 * (sn * sn) * cross(n, ndd) + s * thd * cross(n, nd)
    return n * thdd + nd * (thd * (1.0 + c)) + ndd * s + (turn if is_global(frame) else -turn)


def angle_axis_acceleration_from_angular_acceleration(theta, n, w, wdot, frame: str = "global"):
    """What are θ̈ and n̈? The time derivative of C.aainv, with k = cot(θ/2) / 2, k̇ = -θ̇ / (4 sin²(θ/2)):

    θ̈ = ṅ·w + n·ẇ,  n̈ = -k̇ n x a - k (ṅ x a + n x ȧ) ∓ ȧ / 2 with a = n x w, - global. → (...), (..., 3)
    """
    thd, nd = angle_axis_rate_from_angular_velocity(theta, n, w, frame)
    h, n, w, wdot = 0.5 * number(theta), vector(n, "n"), vector(w, "w"), vector(wdot, "wdot")
    sn = sin(h)
    k, kd = 0.5 * cos(h) / sn, -number(thd) / (4.0 * (sn * sn))
    a, ad = cross(n, w), cross(nd, w) + cross(n, wdot)
    half = -0.5 if is_global(frame) else 0.5
    ndd = half * ad - kd * cross(n, a) - k * (cross(nd, a) + cross(n, ad))
    return (dot(nd, w) + dot(n, wdot))[..., 0], ndd


def angular_acceleration_from_rotation_vector_acceleration(r, rdot, rddot, frame: str = "global"):
    """Which angular acceleration goes with r̈? K(35); the global form has -β for β."""
    r, rdot, rddot = vector(r, "r"), vector(rdot, "rdot"), vector(rddot, "rddot")
    t2, s = square(r), dot(r, rdot)
    sign = -1.0 if is_global(frame) else 1.0
    g, alphad, gammad = gamma(square=t2), d_alpha(square=t2) * s, d_gamma(square=t2) * s
    b, betad = sign * beta(square=t2), sign * d_beta(square=t2) * s
    return (
        alpha(square=t2) * rddot
        + (g * s + alphad) * rdot
        + cross(betad * rdot + b * rddot, r)
        + (gammad * s + g * (square(rdot) + dot(r, rddot))) * r
    )


def rotation_vector_acceleration_from_angular_acceleration(r, rdot, w, wdot, frame: str = "global"):
    """What is r̈? K(39), K(42); ṙ is the rate that goes with w. → (..., 3) [rad/s²]"""
    r, rdot, w, wdot = vector(r, "r"), vector(rdot, "rdot"), vector(w, "w"), vector(wdot, "wdot")
    t2, s = square(r), dot(r, w)  # <r, w> = <r, ṙ>, K(18)
    half = -0.5 if is_global(frame) else 0.5
    z, deltad, zetad = zeta(square=t2), d_delta(square=t2) * s, d_zeta(square=t2) * s
    return (
        deltad * w
        + delta(square=t2) * wdot
        + half * (cross(rdot, w) + cross(r, wdot))
        + (zetad * s + z * (dot(rdot, w) + dot(r, wdot))) * r
        + z * s * rdot
    )
