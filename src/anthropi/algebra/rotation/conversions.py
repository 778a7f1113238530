"""Angle and axis: θ (...) [rad] and a unit vector n (..., 3).

Source: C Angle-Axis with erratum 11, rotations.md 2 and 3.2. At θ = 0 the axis is e_x; at θ = π its sign is free.

Conversions
-----------
The conversions that are made of two others: matrix or quaternion as the hub (rotations.md 3.2, "all others").

Five types: matrix (..., 3, 3), quaternion (..., 4), angle and axis (...), (..., 3), rotation vector (..., 3), Euler
angles (..., 3) in one of twelve orders. Angles in rad.
"""

import numpy as np

from anthropi.algebra.rotation.euler import euler_from_matrix, quaternion_from_euler
from anthropi.algebra.rotation.exponential import matrix_from_rotation_vector, rotation_vector_from_quaternion
from anthropi.algebra.rotation.quaternions import matrix_from_quaternion, quaternion_from_matrix
from anthropi.algebra.rotation.vectors import columns, dot, number, quaternion, vector
from anthropi.algebra.scalar import absolute, atan2, cos, equal, less, maximum, sin, sqrt, where

__all__ = [
    "angle_axis_from_euler",
    "angle_axis_from_matrix",
    "angle_axis_from_quaternion",
    "angle_axis_from_rotation_vector",
    "euler_from_angle_axis",
    "euler_from_quaternion",
    "euler_from_rotation_vector",
    "matrix_from_angle_axis",
    "quaternion_from_angle_axis",
    "rotation_vector_from_angle_axis",
    "rotation_vector_from_euler",
]


E_X = np.array([1.0, 0.0, 0.0])


def length_and_direction(v):
    """How long is v and where does it point? e_x if nowhere. (..., 3) → (..., 1), (..., 3)

    Scaled by the largest entry first, so that 1e-320 has a direction too.
    """
    v1, v2, v3 = columns(v)
    largest = maximum(absolute(v1), maximum(absolute(v2), absolute(v3)))
    nowhere = equal(largest, 0.0)
    scaled = where(nowhere, E_X, v / where(nowhere, 1.0, largest))
    length = sqrt(dot(scaled, scaled))  # between 1 and √3
    return largest * length, scaled / length


def quaternion_from_angle_axis(theta, n):
    """Which quaternion turns by θ about n? C.aa2q: (cos(θ/2), n sin(θ/2)). (...) [rad], (..., 3) → (..., 4)"""
    h = 0.5 * number(theta)
    v = sin(h) * vector(n, "n")
    return np.concatenate([np.broadcast_to(cos(h), (*v.shape[:-1], 1)), v], axis=-1)


def angle_axis_from_quaternion(q):
    """By which angle and about which axis does q turn? C.q2aa, corrected: q0 ≥ 0 first, then θ = 2 atan2(‖v‖, q0).

    (..., 4) → θ (...) [rad] in [0, π], n (..., 3)
    """
    q = quaternion(q, "q")
    w, v = q[..., :1], q[..., 1:]
    s, n = length_and_direction(v)
    theta = 2.0 * atan2(s, absolute(w))
    return theta[..., 0], where(less(w, 0.0) & less(0.0, s), -n, n)


def rotation_vector_from_angle_axis(theta, n):
    """Which rotation vector turns by θ about n? r = θ n. (...) [rad], (..., 3) → (..., 3) [rad]"""
    return number(theta) * vector(n, "n")


def angle_axis_from_rotation_vector(r):
    """By which angle and about which axis does r turn? θ = ‖r‖, n = r / θ. (..., 3) → θ (...) [rad], n (..., 3)"""
    theta, n = length_and_direction(vector(r, "r"))
    return theta[..., 0], n


def matrix_from_angle_axis(theta, n):
    """Which matrix turns by θ about n?"""
    return matrix_from_quaternion(quaternion_from_angle_axis(theta, n))


def angle_axis_from_matrix(C):
    """By which angle and about which axis does C turn? θ in [0, π]"""
    return angle_axis_from_quaternion(quaternion_from_matrix(C))


def angle_axis_from_euler(angles, order: str = "zyx"):
    """By which angle and about which axis do these Euler angles turn? θ in [0, π]"""
    return angle_axis_from_quaternion(quaternion_from_euler(angles, order))


def rotation_vector_from_euler(angles, order: str = "zyx"):
    """Which rotation vector are these Euler angles? ‖r‖ ≤ π"""
    return rotation_vector_from_quaternion(quaternion_from_euler(angles, order))


def euler_from_quaternion(q, order: str = "zyx"):
    """Which Euler angles are this quaternion?"""
    return euler_from_matrix(matrix_from_quaternion(q), order)


def euler_from_rotation_vector(r, order: str = "zyx"):
    """Which Euler angles are this rotation vector?"""
    return euler_from_matrix(matrix_from_rotation_vector(r), order)


def euler_from_angle_axis(theta, n, order: str = "zyx"):
    """Which Euler angles turn by θ about n?"""
    return euler_from_rotation_vector(rotation_vector_from_angle_axis(theta, n), order)
