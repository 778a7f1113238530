"""The conversions that are made of two others: matrix or quaternion as the hub (rotations.md 3.2, "all others").

Five types: matrix (..., 3, 3), quaternion (..., 4), angle and axis (...), (..., 3), rotation vector (..., 3), Euler
angles (..., 3) in one of twelve orders. Angles in rad.
"""

from anthropi.algebra.rotation.angle_axis import (
    angle_axis_from_quaternion,
    quaternion_from_angle_axis,
    rotation_vector_from_angle_axis,
)
from anthropi.algebra.rotation.euler import euler_from_matrix, quaternion_from_euler
from anthropi.algebra.rotation.exponential import (
    matrix_from_rotation_vector,
    rotation_vector_from_quaternion,
)
from anthropi.algebra.rotation.quaternions import matrix_from_quaternion, quaternion_from_matrix

__all__ = [
    "angle_axis_from_euler", "angle_axis_from_matrix", "euler_from_angle_axis", "euler_from_quaternion",
    "euler_from_rotation_vector", "matrix_from_angle_axis", "rotation_vector_from_euler",
]  # fmt: skip


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
