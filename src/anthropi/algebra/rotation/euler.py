"""Euler angles in all twelve orders: conversions, rates and accelerations.

An order names the axes of three successive rotations, each about the axes as rotated so far (intrinsic rotations):
C = R_i(a) R_j(b) R_l(c) for "ijl", with angles (a, b, c). "zyx" is yaw-pitch-roll, "xyz" roll-pitch-yaw (Cardan
angles). "ZYX" is the same as "zyx". With k the axis that is neither i nor j and e = ±1 the sign of the permutation
(i, j, k),

    three axes, l = k:    C_ik = e sin b,   C_jk = -e sin a cos b,  C_kk = cos a cos b                               (1)
    two axes, l = i:      C_ii = cos b,     C_ji = sin a sin b,     C_ki = -e cos a sin b                            (2)
    both, when c = 0:     C_jj = cos a,     C_kj = e sin a                                                           (3)
    row j of R_i(a)ᵀ C = row j of R_l(c)    = cos a C_j + e sin a C_k                                                (4)

The first and last angle are in [-π, π], the middle one in [-π/2, π/2] (three axes) or [0, π] (two axes). At the ends of
the middle range (gimbal lock) only a ± c is determined; there c = 0.

With rates χ̇ = (ȧ, ḃ, ċ) [rad/s] the angular velocities of the three rotations add up:

    I_w = E χ̇,    E   = [e_i, R_i e_j, R_i R_j e_l]                                                                  (5)
    B_w = E_B χ̇,  E_B = [(R_j R_l)ᵀ e_i, R_lᵀ e_j, e_l] = Cᵀ E                                                       (6)

det E = e cos b (three axes) or -sin b (two axes): zero at gimbal lock, where the rates are infinite.

Equations: `docs/equations/rotations.md`, sections 3.2, 7 and 8, with errata 7, 8 and 9; all orders are generalised from
the two printed there.
"""

import numpy as np

from anthropi.algebra.rotation.quaternions import quaternion_product
from anthropi.algebra.rotation.vectors import (
    act,
    apply_transpose,
    columns,
    cross,
    is_global,
    matrix,
    number,
    square_matrix,
    vector,
)
from anthropi.algebra.scalar import Array, atan2, cos, less, maximum, sin, sqrt, where
from anthropi.errors import InputError, did_you_mean

__all__ = [
    "EULER_ORDERS",
    "angular_acceleration_from_euler_acceleration",
    "angular_velocity_from_euler_rate",
    "elementary",
    "euler_acceleration_from_angular_acceleration",
    "euler_from_matrix",
    "euler_order",
    "euler_rate_determinant",
    "euler_rate_from_angular_velocity",
    "euler_rate_matrix",
    "euler_rate_matrix_derivative",
    "euler_rate_matrix_inverse",
    "matrix_from_euler",
    "quaternion_from_euler",
]


EULER_ORDERS = ("xyz", "yzx", "zxy", "zyx", "yxz", "xzy", "xyx", "yzy", "zxz", "xzx", "yxy", "zyz")
AXES = "xyz"

GIMBAL_LOCK_SQUARE = 1e-28  # cos² b (or sin² b) below which b counts as locked: within 1e-14 rad, a few roundings
MIN_COSINE_SQUARE = 1e-36  # lower bound of cos² b: does not change b, keeps its derivative finite, is normal in float32


def euler_order(order: str, refusal: str = "No Euler order") -> str:
    """Return an Euler order in lower case; raise `InputError` if there is no such order.

    "ZYX" and "zyx" are the same order, about axes as rotated so far (SciPy's "ZYX"). Mixed case is refused. refusal :
    the first words of the error message.
    """
    known = str(order).lower()
    if known not in EULER_ORDERS or str(order) not in (known, known.upper()):
        hint = did_you_mean(known, EULER_ORDERS)
        raise InputError(
            f"{refusal} '{order}'.{hint} Orders: {', '.join(EULER_ORDERS)}, in lower or upper case; "
            "each rotation is about an axis as rotated so far, C = R_i R_j R_l (intrinsic rotations)."
        )
    return known


def axes_of(order: str) -> tuple[int, int, int, float, bool]:
    """Return i, j, k (the third axis), e (sign of the permutation i, j, k) and whether l = i, for an order "ijl"."""
    i, j, last = (AXES.index(letter) for letter in euler_order(order))
    k = 3 - i - j
    return i, j, k, 1.0 if (j - i) % 3 == 1 else -1.0, last == i


def elementary(axis: str, angle: Array) -> Array:
    """Compute the matrix of a rotation about the axis "x", "y" or "z" (C.elem). (...) [rad] → (..., 3, 3)"""
    letter = axis.lower() if isinstance(axis, str) else ""
    if letter not in tuple(AXES):
        raise InputError(f"No axis '{axis}'.{did_you_mean(str(axis).lower(), AXES)} Axes: x, y, z.")
    a = number(angle)
    c, s, zero, one = cos(a), sin(a), np.zeros(a.shape), np.ones(a.shape)
    if letter == "x":
        return square_matrix([[one, zero, zero], [zero, c, -s], [zero, s, c]])
    if letter == "y":
        return square_matrix([[c, zero, s], [zero, one, zero], [-s, zero, c]])
    return square_matrix([[c, -s, zero], [s, c, zero], [zero, zero, one]])


def elementary_matrices(angles: Array, order: str) -> list[Array]:
    """Compute the three elementary matrices of an order, each (..., 3, 3)."""
    angles = vector(angles, "angles")
    return [elementary(axis, angles[..., k]) for k, axis in enumerate(euler_order(order))]


def matrix_from_euler(angles: Array, order: str = "zyx") -> Array:
    """Compute the matrix R_i(a) R_j(b) R_l(c) of Euler angles (C.zyx2m, C.xyz2m). (..., 3) [rad] → (..., 3, 3)"""
    first, second, third = elementary_matrices(angles, order)
    return first @ second @ third


def quaternion_from_euler(angles: Array, order: str = "zyx") -> Array:
    """Compute the quaternion of Euler angles, a product of three (C.zyx2q, C.xyz2q). (..., 3) [rad] → (..., 4)"""
    h = 0.5 * vector(angles, "angles")
    zero = np.zeros(h[..., :1].shape)
    product = None
    for axis, a in zip(euler_order(order), columns(h), strict=True):
        entries = [cos(a), *(sin(a) if axis == letter else zero for letter in AXES)]
        q = np.concatenate(entries, axis=-1)
        product = q if product is None else quaternion_product(product, q)
    return product


def euler_from_matrix(C: Array, order: str = "zyx") -> Array:
    """Compute the Euler angles of a matrix (C.m2zyx, C.m2xyz, C.gimbal). (..., 3, 3) → (..., 3) [rad]

    The last angle is read from R_i(a)ᵀ C (4), so that the angles reproduce C to rounding, even close to gimbal lock.
    """
    i, j, k, e, two = axes_of(order)
    C = matrix(C, "C")
    c = [[C[..., m, n : n + 1] for n in range(3)] for m in range(3)]
    if two:
        y, x = c[j][i], -e * c[k][i]  # (2): sin a, cos a, times sin b
    else:
        y, x = -e * c[j][k], c[k][k]  # (1): sin a, cos a, times cos b
    locked = less(y * y + x * x, GIMBAL_LOCK_SQUARE)
    y, x = where(locked, e * c[k][j], y), where(locked, c[j][j], x)  # (3)
    length = sqrt(y * y + x * x)
    sa, ca = y / length, x / length
    if two:
        side = sqrt(maximum(c[i][j] * c[i][j] + c[i][k] * c[i][k], MIN_COSINE_SQUARE))
        b = atan2(side, c[i][i])  # (2)
        sine = -e * (ca * c[j][k] + e * sa * c[k][k])  # (4)
    else:
        side = sqrt(maximum(c[i][i] * c[i][i] + c[i][j] * c[i][j], MIN_COSINE_SQUARE))
        b = atan2(e * c[i][k], side)  # (1)
        sine = e * (ca * c[j][i] + e * sa * c[k][i])  # (4)
    cosine = ca * c[j][j] + e * sa * c[k][j]  # (4)
    return np.concatenate([atan2(y, x), b, atan2(sine, cosine)], axis=-1)


def _axes(angles: Array, order: str, frame: str) -> list[Array]:
    """Compute the axes of the three rotations, each (..., 3): the columns of E (5) or E_B (6)."""
    first, second, third = elementary_matrices(angles, order)
    unit = [np.broadcast_to(np.eye(3)[AXES.index(a)], (*first.shape[:-2], 3)) for a in euler_order(order)]
    if is_global(frame):
        return [unit[0], act(first, unit[1]), act(first, act(second, unit[2]))]
    return [apply_transpose(third, apply_transpose(second, unit[0])), apply_transpose(third, unit[1]), unit[2]]


def euler_rate_matrix(angles: Array, order: str = "zyx", frame: str = "global") -> Array:
    """Compute the matrix E that maps rates of Euler angles χ̇ to an angular velocity w = E χ̇, equations (5) and (6).

    These are C.zyxI, C.zyxB and C.xyzrate in docs/equations/rotations.md.

    Parameters
    ----------
    angles : (..., 3) [rad].
    order : one of `EULER_ORDERS`.
    frame : "global" for w in world components (5), "local" for w in body components (6).

    Returns
    -------
    (..., 3, 3)
    """
    return np.stack(_axes(angles, order, frame), axis=-1)


def euler_rate_determinant(angles: Array, order: str = "zyx") -> Array:
    """Compute det E, the same in both frames: ± cos b or -sin b; zero at gimbal lock. (..., 3) [rad] → (...)"""
    _, _, _, e, two = axes_of(order)
    b = vector(angles, "angles")[..., 1]
    return -sin(b) if two else e * cos(b)


def angular_velocity_from_euler_rate(angles: Array, rates: Array, order: str = "zyx", frame: str = "global") -> Array:
    """Compute the angular velocity of Euler angles with given rates, (5), (6).

    Parameters
    ----------
    angles, rates : (..., 3) [rad], (..., 3) [rad/s].
    order : one of `EULER_ORDERS`.
    frame : "global" for I_w, "local" for B_w.

    Returns
    -------
    (..., 3) [rad/s]
    """
    return act(euler_rate_matrix(angles, order, frame), vector(rates, "rates"))


def euler_rate_from_angular_velocity(angles: Array, w: Array, order: str = "zyx", frame: str = "global") -> Array:
    """Compute the rates of Euler angles for an angular velocity (C.zyxIinv, C.zyxBinv, C.xyzrate).

    The axes are simple in an intermediate frame: after R_i they are e_i, e_j, R_j e_l;
    before R_l they are R_jᵀ e_i, e_j, e_l.

    Parameters
    ----------
    angles, w : (..., 3) [rad], (..., 3) [rad/s].
    order : one of `EULER_ORDERS`.
    frame : "global" for w = I_w, "local" for w = B_w.

    Returns
    -------
    (..., 3) [rad/s]; infinite at gimbal lock
    """
    i, j, k, e, two = axes_of(order)
    first, _, third = elementary_matrices(angles, order)
    b = vector(angles, "angles")[..., 1:2]
    s, c = sin(b), cos(b)
    if is_global(frame):
        v = columns(apply_transpose(first, vector(w, "w")))
        last = -e * v[k] / s if two else v[k] / c  # R_j e_i = c e_i - e s e_k,  R_j e_k = c e_k + e s e_i
        return np.concatenate([v[i] - (c if two else e * s) * last, v[j], last], axis=-1)
    v = columns(act(third, vector(w, "w")))
    start = e * v[k] / s if two else v[i] / c  # R_jᵀ e_i = c e_i + e s e_k
    return np.concatenate([start, v[j], v[i] - c * start if two else v[k] - e * s * start], axis=-1)


def euler_rate_matrix_inverse(angles: Array, order: str = "zyx", frame: str = "global") -> Array:
    """Compute the matrix E⁻¹ of χ̇ = E⁻¹ w (C.zyxIinv, C.zyxBinv, C.xyzrate).

    Parameters
    ----------
    angles : (..., 3) [rad].
    order : one of `EULER_ORDERS`.
    frame : "global" for w = I_w, "local" for w = B_w.

    Returns
    -------
    (..., 3, 3); infinite at gimbal lock
    """
    angles = vector(angles, "angles")
    each = [
        euler_rate_from_angular_velocity(angles, np.broadcast_to(unit, angles.shape), order, frame)
        for unit in np.eye(3)
    ]
    return np.stack(each, axis=-1)


def euler_rate_matrix_derivative(angles: Array, rates: Array, order: str = "zyx", frame: str = "global") -> Array:
    """Compute dE/dt (C.zyxacc, C.xyzacc). Each axis moves with the rotations before it (local: after it, reversed).

    Parameters
    ----------
    angles, rates : (..., 3) [rad], (..., 3) [rad/s].
    order : one of `EULER_ORDERS`.
    frame : "global" for E, "local" for E_B.

    Returns
    -------
    (..., 3, 3) [1/s]
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
    angles: Array, rates: Array, accelerations: Array, order: str = "zyx", frame: str = "global"
) -> Array:
    """Compute the angular acceleration ẇ = E χ̈ + Ė χ̇ (C.zyxacc, C.xyzacc).

    Parameters
    ----------
    angles, rates, accelerations : χ, χ̇, χ̈ (..., 3) [rad], [rad/s], [rad/s²].
    order : one of `EULER_ORDERS`.
    frame : "global" for I_ẇ, "local" for B_ẇ.

    Returns
    -------
    (..., 3) [rad/s²]
    """
    E, Ed = euler_rate_matrix(angles, order, frame), euler_rate_matrix_derivative(angles, rates, order, frame)
    return act(E, vector(accelerations, "accelerations")) + act(Ed, vector(rates, "rates"))


def euler_acceleration_from_angular_acceleration(
    angles: Array, rates: Array, wdot: Array, order: str = "zyx", frame: str = "global"
) -> Array:
    """Compute the second rates χ̈ = E⁻¹ (ẇ - Ė χ̇) of Euler angles.

    Parameters
    ----------
    angles, rates : χ, χ̇ (..., 3) [rad], [rad/s]; χ̇ is the rate that belongs to w.
    wdot : (..., 3) [rad/s²].
    order : one of `EULER_ORDERS`.
    frame : "global" for wdot = I_ẇ, "local" for B_ẇ.

    Returns
    -------
    (..., 3) [rad/s²]; infinite at gimbal lock
    """
    Ed = euler_rate_matrix_derivative(angles, rates, order, frame)
    rest = vector(wdot, "wdot") - act(Ed, vector(rates, "rates"))
    return euler_rate_from_angular_velocity(angles, rest, order, frame)
