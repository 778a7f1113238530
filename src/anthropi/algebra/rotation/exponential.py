"""Rotation vectors: to and from quaternions and matrices. This is the exponential map and its inverse.

Source: C Quat<->RotVec with erratum 12, rotations.md 3.2 and 4. Both ways go through the quaternion, where nothing
cancels at 0 or π: no Taylor branch, no acos.
"""

import numpy as np

from anthropi.algebra.rotation.coefficients import gamma, half_cosine, half_sine, safe_angle
from anthropi.algebra.rotation.quaternions import matrix_from_quaternion, shepperd
from anthropi.algebra.rotation.vectors import dot, matrix, quaternion, short_dot, square, vector
from anthropi.algebra.scalar import absolute, atan2, less, records, where
from anthropi.tape import derivative_rule

__all__ = [
    "matrix_from_rotation_vector", "quaternion_from_rotation_vector", "rotation_vector_from_matrix",
    "rotation_vector_from_quaternion",
]  # fmt: skip


GRID = 1.5 * 2.0**29  # adding and subtracting it rounds to multiples of 2⁻²³


@derivative_rule(push=lambda x, y, d: 2.0 * short_dot(x[0], d[0]), pull=lambda x, y, c: (2.0 * c * x[0],))
def _fine_square(r):
    """Give ‖r‖² rounded once, where the plain sum rounds five times: near 2π those would turn the result by 1e-15.

    r = a + b with a on the grid: for ‖r‖ < 8 the squares of a and their sum are exact. In float32 a = 0: the plain sum.
    """
    a = (r + GRID) - GRID
    return dot(a, a) + dot(r - a, r + a)


def quaternion_from_rotation_vector(r):
    """Which quaternion is this rotation vector? C.rv2q: (cos(θ/2), r sin(θ/2)/θ). (..., 3) [rad] → (..., 4)"""
    r = vector(r, "r")
    t2 = _fine_square(r)
    theta = safe_angle(t2)
    return np.concatenate([half_cosine(theta, t2), half_sine(theta, t2) * r], axis=-1)


def matrix_from_rotation_vector(r):
    """Which matrix is this rotation vector? exp([r]), C.rv2m, K(2), by way of the quaternion.

    (..., 3) [rad] → (..., 3, 3). At most 1.2e-15 off for ‖r‖ < 2π.
    """
    return matrix_from_quaternion(quaternion_from_rotation_vector(vector(r, "r")))


def _slopes(inputs, k):
    """The derivatives of k by s² and by w: -γ(θ) k³ / 2 with θ = k s, and -2 / (s² + w²)."""
    s2, w = inputs
    kk = k * k
    return -0.5 * gamma(square=kk * s2) * (kk * k), -2.0 / (s2 + w * w)


def _push(inputs, k, tangents):
    by_s2, by_w = _slopes(inputs, k)
    return by_s2 * tangents[0] + by_w * tangents[1]


def _pull(inputs, k, c):
    by_s2, by_w = _slopes(inputs, k)
    return c * by_s2, c * by_w


def _plain_ratio(s2, w):
    s = safe_angle(s2)
    return 2.0 * atan2(s, w) / s


_recorded_ratio = np.frompyfunc(derivative_rule(push=_push, pull=_pull)(_plain_ratio), 2, 1)


def ratio(s2, w):
    """What is k = 2 atan2(s, w) / s, given s² and w ≥ 0? The limit at s = 0 is 2 / w."""
    return _recorded_ratio(s2, w) if records(s2, w) else _plain_ratio(s2, w)


def _short_way(q):
    """The rotation vector of a quaternion of any length, ‖r‖ ≤ π: 2 atan2(s, q0) v / s, after q → -q if q0 < 0."""
    w, v = q[..., :1], q[..., 1:]
    k = ratio(square(v), absolute(w))
    return where(less(w, 0.0), -k, k) * v


def rotation_vector_from_quaternion(q):
    """Which rotation vector is this quaternion? C.q2rv, the corrected form. (..., 4) → (..., 3) [rad], ‖r‖ ≤ π

    The length of q does not matter. At θ = π exactly the sign is free: see `nearest_rotation_vector`.
    """
    return _short_way(quaternion(q, "q"))


def rotation_vector_from_matrix(C):
    """Which rotation vector is this matrix? log(C), C.log; K(3)-(5) give the same but not in floats.

    (..., 3, 3) → (..., 3) [rad], ‖r‖ ≤ π. At most 1e-15 off, also at π. There the sign is free: see
    `nearest_rotation_vector`.
    """
    return _short_way(shepperd(matrix(C, "C")))
