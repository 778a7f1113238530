"""Euler angles in motion: rates and accelerations to and from angular velocity, in all twelve orders.

With C = R_i(a) R_j(b) R_l(c) and χ̇ = (ȧ, ḃ, ċ) [rad/s] the three turns add up, each about its own axis:

    I_w = E χ̇,    E   = [e_i, R_i e_j, R_i R_j e_l]                                                                  (1)
    B_w = E_B χ̇,  E_B = [(R_j R_l)ᵀ e_i, R_lᵀ e_j, e_l] = Cᵀ E                                                       (2)

Source: C App. I (1)-(8) with erratum 7; rotations.md sections 7 and 8. Names i, j, k, e, l as in `euler`.
det E = e cos b (three axes) or -sin b (two axes): zero at gimbal lock, where the rates are infinite.
"""

import numpy as np

from anthropi.algebra.rotation.euler import AXES, axes_of, turns
from anthropi.algebra.rotation.vectors import act, apply_transpose, columns, cross, is_global, vector
from anthropi.algebra.scalar import cos, sin

__all__ = [
    "angular_acceleration_from_euler_acceleration", "angular_velocity_from_euler_rate",
    "euler_acceleration_from_angular_acceleration", "euler_rate_determinant", "euler_rate_from_angular_velocity",
    "euler_rate_matrix", "euler_rate_matrix_derivative", "euler_rate_matrix_inverse",
]  # fmt: skip


def _axes(angles, order: str, frame: str):
    """The axes of the three turns, each (..., 3): the columns of E, (1), or E_B, (2)."""
    first, second, third = turns(angles, order)
    unit = [np.broadcast_to(np.eye(3)[AXES.index(a)], (*first.shape[:-2], 3)) for a in order]
    if is_global(frame):
        return [unit[0], act(first, unit[1]), act(first, act(second, unit[2]))]
    return [apply_transpose(third, apply_transpose(second, unit[0])), apply_transpose(third, unit[1]), unit[2]]


def euler_rate_matrix(angles, order: str = "zyx", frame: str = "global"):
    """Which matrix makes w = E χ̇? C.zyxI, C.zyxB, C.xyzrate, (1), (2). (..., 3) [rad] → (..., 3, 3)"""
    return np.stack(_axes(angles, order, frame), axis=-1)


def euler_rate_determinant(angles, order: str = "zyx"):
    """How far is gimbal lock? det E, the same in both frames: ± cos b or - sin b. → (...)"""
    _, _, _, e, two = axes_of(order)
    b = vector(angles, "angles")[..., 1]
    return -sin(b) if two else e * cos(b)


def angular_velocity_from_euler_rate(angles, rates, order: str = "zyx", frame: str = "global"):
    """Which angular velocity changes the angles at these rates? (1), (2). → (..., 3) [rad/s]"""
    return act(euler_rate_matrix(angles, order, frame), vector(rates, "rates"))


def euler_rate_from_angular_velocity(angles, w, order: str = "zyx", frame: str = "global"):
    """How do the angles change with w? C.zyxIinv, C.zyxBinv, C.xyzrate. → (..., 3) [rad/s]; infinite at gimbal lock

    Seen between the turns the axes are simple: after R_i they are e_i, e_j, R_j e_l; before R_l R_jᵀ e_i, e_j, e_l.
    """
    i, j, k, e, two = axes_of(order)
    first, _, third = turns(angles, order)
    b = vector(angles, "angles")[..., 1:2]
    s, c = sin(b), cos(b)
    if is_global(frame):
        v = columns(apply_transpose(first, vector(w, "w")))
        last = -e * v[k] / s if two else v[k] / c  # R_j e_i = c e_i - e s e_k,  R_j e_k = c e_k + e s e_i
        return np.concatenate([v[i] - (c if two else e * s) * last, v[j], last], axis=-1)
    v = columns(act(third, vector(w, "w")))
    start = e * v[k] / s if two else v[i] / c  # R_jᵀ e_i = c e_i + e s e_k
    return np.concatenate([start, v[j], v[i] - c * start if two else v[k] - e * s * start], axis=-1)


def euler_rate_matrix_inverse(angles, order: str = "zyx", frame: str = "global"):
    """Which matrix makes χ̇ = E⁻¹ w? C.zyxIinv, C.zyxBinv, C.xyzrate. → (..., 3, 3); infinite at gimbal lock"""
    angles = vector(angles, "angles")
    each = [
        euler_rate_from_angular_velocity(angles, np.broadcast_to(unit, angles.shape), order, frame)
        for unit in np.eye(3)
    ]
    return np.stack(each, axis=-1)


def euler_rate_matrix_derivative(angles, rates, order: str = "zyx", frame: str = "global"):
    """How does E change? C.zyxacc, C.xyzacc: the turns before an axis carry it (local: those after it, backwards).

    (..., 3) [rad], (..., 3) [rad/s] → Ė or Ė_B (..., 3, 3) [1/s]
    """
    a1, a2, a3 = _axes(angles, order, frame)
    r1, r2, r3 = columns(vector(rates, "rates"))
    zero = np.zeros(np.broadcast_shapes(a1.shape, r1.shape))
    if is_global(frame):
        moved = [zero, cross(r1 * a1, a2), cross(r1 * a1 + r2 * a2, a3)]
    else:
        moved = [-cross(r2 * a2 + r3 * a3, a1), -cross(r3 * a3, a2), zero]
    return np.stack(moved, axis=-1)


def angular_acceleration_from_euler_acceleration(
    angles, rates, accelerations, order: str = "zyx", frame: str = "global"
):
    """Which angular acceleration goes with χ̈? C.zyxacc: ẇ = E χ̈ + Ė χ̇. → (..., 3) [rad/s²]"""
    E, Ed = euler_rate_matrix(angles, order, frame), euler_rate_matrix_derivative(angles, rates, order, frame)
    return act(E, vector(accelerations, "accelerations")) + act(Ed, vector(rates, "rates"))


def euler_acceleration_from_angular_acceleration(angles, rates, wdot, order: str = "zyx", frame: str = "global"):
    """What is χ̈? E⁻¹ (ẇ - Ė χ̇); χ̇ is the rate that goes with w. → (..., 3) [rad/s²]; infinite at gimbal lock"""
    Ed = euler_rate_matrix_derivative(angles, rates, order, frame)
    rest = vector(wdot, "wdot") - act(Ed, vector(rates, "rates"))
    return euler_rate_from_angular_velocity(angles, rest, order, frame)
