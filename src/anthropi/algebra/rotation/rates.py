"""Conversions between angular velocity or acceleration and the rates of a parametrisation. Euler angles: `euler`.

w is I_w_IB with frame="global" (w_s of Kim et al.) and B_w_IB with frame="local" (w_b), (..., 3) [rad/s]; ẇ is I_ẇ or
B_ẇ, (..., 3) [rad/s²], with I_ẇ = C_IB B_ẇ (C.wdot).

| parametrisation | singular                                      |
| --------------- | --------------------------------------------- |
| matrix          | never                                         |
| quaternion      | never (unit length assumed)                   |
| angle and axis  | θ = 2πk, 0 included: ṅ is then infinite       |
| rotation vector | θ = 2πk, k ≥ 1: ṙ is then infinite            |
| Euler angles    | middle angle at gimbal lock: rates infinite   |

Equations: `docs/equations/rotations.md`, sections 7 and 8 (K.6, K.14 to K.16, K.35, K.39, K.42).
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
from anthropi.algebra.scalar import Array, cos, sin

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


def _transpose(C: Array) -> Array:
    return np.swapaxes(C, -1, -2)


def angular_velocity_from_matrix_rate(C: Array, Cdot: Array, frame: str = "global") -> Array:
    """Compute the angular velocity from Ċ (C.w): [I_w] = Ċ Cᵀ, [B_w] = Cᵀ Ċ.

    C, Ċ (..., 3, 3) [1/s]; frame "global" gives I_w, "local" B_w. → (..., 3) [rad/s]
    """
    C, Cdot = matrix(C, "C"), matrix(Cdot, "Cdot")
    return unskew(Cdot @ _transpose(C) if is_global(frame) else _transpose(C) @ Cdot)


def matrix_rate_from_angular_velocity(C: Array, w: Array, frame: str = "global") -> Array:
    """Compute the rate Ċ = [I_w] C = C [B_w] of a rotation matrix (C.w).

    C (..., 3, 3); w (..., 3) [rad/s], I_w with frame "global", B_w with "local". → (..., 3, 3) [1/s]
    """
    C, W = matrix(C, "C"), skew(w)
    return W @ C if is_global(frame) else C @ W


def _H(q: Array, sign: float) -> Array:
    """Compute the matrix [-v, q0 I ± [v]] (H or H̄) of a quaternion (q0, v)."""
    w, x, y, z = columns(quaternion(q, "q"))
    a, b, c = sign * x, sign * y, sign * z
    return np.stack([np.concatenate(row, axis=-1) for row in ([-x, w, -c, b], [-y, c, w, -a], [-z, -b, a, w])], axis=-2)


def quaternion_H(q: Array) -> Array:
    """Compute the matrix H = [-v, q0 I + [v]] of I_w = 2 H q̇ (C.Hexp). (..., 4) → (..., 3, 4)"""
    return _H(q, 1.0)


def quaternion_H_bar(q: Array) -> Array:
    """Compute the matrix H̄ = [-v, q0 I - [v]] of B_w = 2 H̄ q̇ (C.Hexp). (..., 4) → (..., 3, 4)"""
    return _H(q, -1.0)


def angular_velocity_from_quaternion_rate(q: Array, qdot: Array, frame: str = "global") -> Array:
    """Compute the angular velocity from q̇ (C.qrate): I_w = 2 H q̇, B_w = 2 H̄ q̇.

    q, q̇ (..., 4) [1/s]; frame "global" gives I_w, "local" B_w. → (..., 3) [rad/s]
    """
    return 2.0 * act(quaternion_H(q) if is_global(frame) else quaternion_H_bar(q), quaternion(qdot, "qdot"))


def quaternion_rate_from_angular_velocity(q: Array, w: Array, frame: str = "global") -> Array:
    """Compute the rate q̇ = Hᵀ I_w / 2 = H̄ᵀ B_w / 2 of a quaternion (C.qrate).

    q (..., 4); w (..., 3) [rad/s], I_w with frame "global", B_w with "local". → (..., 4) [1/s]
    """
    return 0.5 * apply_transpose(quaternion_H(q) if is_global(frame) else quaternion_H_bar(q), vector(w, "w"))


def angular_velocity_from_angle_axis_rate(
    theta: Array, n: Array, theta_rate: Array, n_rate: Array, frame: str = "global"
) -> Array:
    """Compute the angular velocity n θ̇ + ṅ sin θ ± n × ṅ (1 - cos θ), + global, - local (C.aarate).

    Parameters
    ----------
    theta, n : (...) [rad], (..., 3).
    theta_rate, n_rate : (...) [rad/s], (..., 3) [1/s].
    frame : "global" for I_w, "local" for B_w.

    Returns
    -------
    (..., 3) [rad/s]
    """
    th, n, thd, nd = number(theta), vector(n, "n"), number(theta_rate), vector(n_rate, "n_rate")
    sn = sin(0.5 * th)
    sign = 2.0 if is_global(frame) else -2.0
    return n * thd + nd * sin(th) + sign * (sn * sn) * cross(n, nd)


def angle_axis_rate_from_angular_velocity(
    theta: Array, n: Array, w: Array, frame: str = "global"
) -> tuple[Array, Array]:
    """Compute the rates θ̇ = n·w and ṅ = -k n × (n × w) ∓ n × w / 2 of angle and axis (C.aainv).

    The sign ∓ is - for global, + for local; 2k = cot(θ/2).

    Parameters
    ----------
    theta, n, w : (...) [rad], (..., 3), (..., 3) [rad/s].
    frame : "global" for w = I_w, "local" for w = B_w.

    Returns
    -------
    θ̇ (...) [rad/s], ṅ (..., 3) [1/s]; ṅ is infinite at θ = 2πk, 0 included.
    """
    h, n, w = 0.5 * number(theta), vector(n, "n"), vector(w, "w")
    k, c = 0.5 * cos(h) / sin(h), cross(n, w)
    half = -0.5 if is_global(frame) else 0.5
    return dot(n, w)[..., 0], half * c - k * cross(n, c)


def angular_velocity_from_rotation_vector_rate(r: Array, rdot: Array, frame: str = "global") -> Array:
    """Compute the angular velocity α ṙ ∓ β ṙ × r + γ <r, ṙ> r, - global, + local (K.14, K.6).

    Parameters
    ----------
    r, rdot : (..., 3) [rad], (..., 3) [rad/s].
    frame : "global" for I_w, "local" for B_w.

    Returns
    -------
    (..., 3) [rad/s]
    """
    r, rdot = vector(r, "r"), vector(rdot, "rdot")
    t2 = square(r)
    b = -beta(square=t2) if is_global(frame) else beta(square=t2)
    return alpha(square=t2) * rdot + b * cross(rdot, r) + gamma(square=t2) * dot(r, rdot) * r


def rotation_vector_rate_from_angular_velocity(r: Array, w: Array, frame: str = "global") -> Array:
    """Compute the rate ṙ = δ w ∓ r × w / 2 + ζ <r, w> r of a rotation vector, - global, + local (K.16, K.15).

    Parameters
    ----------
    r, w : (..., 3) [rad], (..., 3) [rad/s].
    frame : "global" for w = I_w, "local" for w = B_w.

    Returns
    -------
    (..., 3) [rad/s]
    """
    r, w = vector(r, "r"), vector(w, "w")
    t2 = square(r)
    half = -0.5 if is_global(frame) else 0.5
    return delta(square=t2) * w + half * cross(r, w) + zeta(square=t2) * dot(r, w) * r


def angular_acceleration_from_matrix_acceleration(C: Array, Cddot: Array, frame: str = "global") -> Array:
    """Compute the angular acceleration from C̈: the skew part of C̈ Cᵀ = [ẇ] + [w]² (global) or of Cᵀ C̈ (local).

    Parameters
    ----------
    C, Cddot : (..., 3, 3), (..., 3, 3) [1/s²].
    frame : "global" for I_ẇ, "local" for B_ẇ.

    Returns
    -------
    (..., 3) [rad/s²]
    """
    C, Cddot = matrix(C, "C"), matrix(Cddot, "Cddot")
    return unskew(Cddot @ _transpose(C) if is_global(frame) else _transpose(C) @ Cddot)


def matrix_acceleration_from_angular_acceleration(C: Array, w: Array, wdot: Array, frame: str = "global") -> Array:
    """Compute the second derivative C̈ = ([I_ẇ] + [I_w]²) C = C ([B_ẇ] + [B_w]²) of a rotation matrix.

    Parameters
    ----------
    C, w, wdot : (..., 3, 3), (..., 3) [rad/s], (..., 3) [rad/s²].
    frame : frame of w and wdot, "global" or "local".

    Returns
    -------
    (..., 3, 3) [1/s²]
    """
    C, W = matrix(C, "C"), skew(w)
    A = skew(wdot) + W @ W
    return A @ C if is_global(frame) else C @ A


def angular_acceleration_from_quaternion_acceleration(q: Array, qddot: Array, frame: str = "global") -> Array:
    """Compute the angular acceleration from q̈ (C.qdd): I_ẇ = 2 H q̈, B_ẇ = 2 H̄ q̈.

    Parameters
    ----------
    q, qddot : (..., 4), (..., 4) [1/s²].
    frame : "global" for I_ẇ, "local" for B_ẇ.

    Returns
    -------
    (..., 3) [rad/s²]
    """
    return 2.0 * act(quaternion_H(q) if is_global(frame) else quaternion_H_bar(q), quaternion(qddot, "qddot"))


def quaternion_acceleration_from_angular_acceleration(q: Array, w: Array, wdot: Array, frame: str = "global") -> Array:
    """Compute the second derivative q̈ = Hᵀ ẇ / 2 - ‖w‖² q / 4 of a quaternion, with H̄ in the local frame (C.qdd).

    Parameters
    ----------
    q, w, wdot : (..., 4), (..., 3) [rad/s], (..., 3) [rad/s²].
    frame : frame of w and wdot, "global" or "local".

    Returns
    -------
    (..., 4) [1/s²]
    """
    H = quaternion_H(q) if is_global(frame) else quaternion_H_bar(q)
    return 0.5 * apply_transpose(H, vector(wdot, "wdot")) - 0.25 * square(vector(w, "w")) * quaternion(q, "q")


def angular_acceleration_from_angle_axis_acceleration(
    theta: Array,
    n: Array,
    theta_rate: Array,
    n_rate: Array,
    theta_acceleration: Array,
    n_acceleration: Array,
    frame: str = "global",
) -> Array:
    """Compute the angular acceleration from θ̈ and n̈ (C.aadd), + global, - local:

    n θ̈ + ṅ θ̇ (1 + cos θ) + n̈ sin θ ± n × n̈ (1 - cos θ) ± n × ṅ sin θ θ̇

    Parameters
    ----------
    theta, theta_rate, theta_acceleration : (...) [rad], [rad/s], [rad/s²].
    n, n_rate, n_acceleration : (..., 3), [1/s], [1/s²].
    frame : "global" for I_ẇ, "local" for B_ẇ.

    Returns
    -------
    (..., 3) [rad/s²]
    """
    th, thd, thdd = number(theta), number(theta_rate), number(theta_acceleration)
    n, nd, ndd = vector(n, "n"), vector(n_rate, "n_rate"), vector(n_acceleration, "n_acceleration")
    sn, s, c = sin(0.5 * th), sin(th), cos(th)
    turn = 2.0 * (sn * sn) * cross(n, ndd) + s * thd * cross(n, nd)
    return n * thdd + nd * (thd * (1.0 + c)) + ndd * s + (turn if is_global(frame) else -turn)


def angle_axis_acceleration_from_angular_acceleration(
    theta: Array, n: Array, w: Array, wdot: Array, frame: str = "global"
) -> tuple[Array, Array]:
    """Compute θ̈ and n̈ from the angular acceleration, with k = cot(θ/2) / 2, k̇ = -θ̇ / (4 sin²(θ/2)).

    They are the time derivatives of C.aainv:
    θ̈ = ṅ·w + n·ẇ,  n̈ = -k̇ n × a - k (ṅ × a + n × ȧ) ∓ ȧ / 2 with a = n × w, - global, + local.

    Parameters
    ----------
    theta, n : (...) [rad], (..., 3).
    w, wdot : (..., 3) [rad/s], (..., 3) [rad/s²].
    frame : frame of w and wdot, "global" or "local".

    Returns
    -------
    θ̈ (...) [rad/s²], n̈ (..., 3) [1/s²]
    """
    thd, nd = angle_axis_rate_from_angular_velocity(theta, n, w, frame)
    h, n, w, wdot = 0.5 * number(theta), vector(n, "n"), vector(w, "w"), vector(wdot, "wdot")
    sn = sin(h)
    k, kd = 0.5 * cos(h) / sn, -number(thd) / (4.0 * (sn * sn))
    a, ad = cross(n, w), cross(nd, w) + cross(n, wdot)
    half = -0.5 if is_global(frame) else 0.5
    ndd = half * ad - kd * cross(n, a) - k * (cross(nd, a) + cross(n, ad))
    return (dot(nd, w) + dot(n, wdot))[..., 0], ndd


def angular_acceleration_from_rotation_vector_acceleration(
    r: Array, rdot: Array, rddot: Array, frame: str = "global"
) -> Array:
    """Compute the angular acceleration from r̈ (K.35); the global form has -β in place of β.

    Parameters
    ----------
    r, rdot, rddot : (..., 3) [rad], [rad/s], [rad/s²].
    frame : "global" for I_ẇ, "local" for B_ẇ.

    Returns
    -------
    (..., 3) [rad/s²]
    """
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


def rotation_vector_acceleration_from_angular_acceleration(
    r: Array, rdot: Array, w: Array, wdot: Array, frame: str = "global"
) -> Array:
    """Compute the second derivative r̈ of a rotation vector from the angular acceleration (K.39, K.42).

    Parameters
    ----------
    r, rdot : (..., 3) [rad], [rad/s]; ṙ is the rate that belongs to w.
    w, wdot : (..., 3) [rad/s], [rad/s²].
    frame : frame of w and wdot, "global" or "local".

    Returns
    -------
    (..., 3) [rad/s²]
    """
    r, rdot, w, wdot = vector(r, "r"), vector(rdot, "rdot"), vector(w, "w"), vector(wdot, "wdot")
    t2, s = square(r), dot(r, w)  # <r, w> = <r, ṙ>, K.18
    half = -0.5 if is_global(frame) else 0.5
    z, deltad, zetad = zeta(square=t2), d_delta(square=t2) * s, d_zeta(square=t2) * s
    return (
        deltad * w
        + delta(square=t2) * wdot
        + half * (cross(rdot, w) + cross(r, wdot))
        + (zetad * s + z * (dot(rdot, w) + dot(r, wdot))) * r
        + z * s * rdot
    )
