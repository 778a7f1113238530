"""Conversions to and from angle and axis and Rodrigues parameters, between directions, and composed of two others.

Types: matrix (..., 3, 3); quaternion (..., 4); angle and axis θ (...) [rad], n (..., 3) a unit vector; rotation vector
(..., 3) [rad]; Euler angles (..., 3) [rad] in one of twelve orders. At θ = 0 the axis is e_x; at θ = π its sign is
arbitrary. Composed conversions go through the matrix or the quaternion.

With the rotation by θ about n, h = θ/2, and its quaternion (w, v):

    Rodrigues parameters (Gibbs vector)   g = n tan h = v / w,              q = (1, g) / √(1 + ‖g‖²)                 (1)
    modified Rodrigues parameters         p = n tan(θ/4) = v / (1 + w),     q = (1 - ‖p‖², 2 p) / (1 + ‖p‖²)         (2)

g is infinite at θ = π. p of a quaternion with w ≥ 0 has ‖p‖ ≤ 1 and is finite everywhere; the sign of q is chosen so.

Directions a and b (unit vectors), bisector m = (a + b) / ‖a + b‖: the shortest rotation from a to b is

    w = ‖a + b‖ / 2,   v = ‖a - b‖ / 2 · (a × m) / ‖a × m‖                                                           (3)
                         = a × b / ‖a + b‖, accurate and smooth up to a quarter turn                                 (4)

M. D. Shuster, A survey of attitude representations, J. Astronautical Sciences 41(4), 1993, for (1) and (2).

Equations: `docs/equations/rotations.md`, sections 2 and 3.2, with erratum 11.
"""

import numpy as np

from anthropi.algebra.rotation.euler import euler_from_matrix, quaternion_from_euler
from anthropi.algebra.rotation.exponential import matrix_from_rotation_vector, rotation_vector_from_quaternion
from anthropi.algebra.rotation.quaternions import matrix_from_quaternion, quaternion_from_matrix
from anthropi.algebra.rotation.vectors import columns, cross, dot, number, quaternion, square, vector
from anthropi.algebra.scalar import Array, absolute, atan2, cos, equal, less, maximum, sin, sqrt, where

__all__ = [
    "angle_axis_from_euler",
    "angle_axis_from_matrix",
    "angle_axis_from_quaternion",
    "angle_axis_from_rotation_vector",
    "euler_from_angle_axis",
    "euler_from_quaternion",
    "euler_from_rotation_vector",
    "matrix_from_angle_axis",
    "modified_rodrigues_from_quaternion",
    "quaternion_between",
    "quaternion_from_angle_axis",
    "quaternion_from_modified_rodrigues",
    "quaternion_from_rodrigues",
    "rodrigues_from_quaternion",
    "rotation_vector_from_angle_axis",
    "rotation_vector_from_euler",
]


E_X = np.array([1.0, 0.0, 0.0])


def length_and_direction(v: Array) -> tuple[Array, Array]:
    """Compute the length (..., 1) and the direction (..., 3) of v (..., 3); e_x is the direction of a zero vector.

    v is scaled by its largest entry first, so that a vector of length 1e-320 has a direction too.
    """
    v1, v2, v3 = columns(v)
    largest = maximum(absolute(v1), maximum(absolute(v2), absolute(v3)))
    is_zero = equal(largest, 0.0)
    scaled = where(is_zero, E_X, v / where(is_zero, 1.0, largest))
    length = sqrt(dot(scaled, scaled))  # between 1 and √3
    return largest * length, scaled / length


def quaternion_from_angle_axis(theta: Array, n: Array) -> Array:
    """Compute the quaternion of a rotation by θ about n (C.aa2q): (cos(θ/2), n sin(θ/2)).

    (...) [rad], (..., 3) → (..., 4)
    """
    h = 0.5 * number(theta)
    v = sin(h) * vector(n, "n")
    return np.concatenate([np.broadcast_to(cos(h), (*v.shape[:-1], 1)), v], axis=-1)


def angle_axis_from_quaternion(q: Array) -> tuple[Array, Array]:
    """Compute the angle and axis of a quaternion q = (q0, v) (C.q2aa, corrected).

    If q0 < 0, the sign of q is reversed first. Then θ = 2 atan2(‖v‖, q0), and n is the direction of v.

    (..., 4) → θ (...) [rad] in [0, π], n (..., 3)
    """
    q = quaternion(q, "q")
    w, v = q[..., :1], q[..., 1:]
    s, n = length_and_direction(v)
    theta = 2.0 * atan2(s, absolute(w))
    return theta[..., 0], where(less(w, 0.0) & less(0.0, s), -n, n)


def rotation_vector_from_angle_axis(theta: Array, n: Array) -> Array:
    """Compute the rotation vector r = θ n. (...) [rad], (..., 3) → (..., 3) [rad]"""
    return number(theta) * vector(n, "n")


def angle_axis_from_rotation_vector(r: Array) -> tuple[Array, Array]:
    """Compute the angle θ = ‖r‖ and the axis n = r / θ of a rotation vector. (..., 3) → θ (...) [rad], n (..., 3)"""
    theta, n = length_and_direction(vector(r, "r"))
    return theta[..., 0], n


def matrix_from_angle_axis(theta: Array, n: Array) -> Array:
    """Compute the matrix of a rotation by θ about n. (...) [rad], (..., 3) → (..., 3, 3)"""
    return matrix_from_quaternion(quaternion_from_angle_axis(theta, n))


def angle_axis_from_matrix(C: Array) -> tuple[Array, Array]:
    """Compute the angle, in [0, π], and the axis of a matrix. (..., 3, 3) → θ (...) [rad], n (..., 3)"""
    return angle_axis_from_quaternion(quaternion_from_matrix(C))


def angle_axis_from_euler(angles: Array, order: str = "zyx") -> tuple[Array, Array]:
    """Compute the angle, in [0, π], and the axis of Euler angles. (..., 3) [rad] → θ (...) [rad], n (..., 3)"""
    return angle_axis_from_quaternion(quaternion_from_euler(angles, order))


def rotation_vector_from_euler(angles: Array, order: str = "zyx") -> Array:
    """Compute the rotation vector, ‖r‖ ≤ π, of Euler angles. (..., 3) [rad] → (..., 3) [rad]"""
    return rotation_vector_from_quaternion(quaternion_from_euler(angles, order))


def euler_from_quaternion(q: Array, order: str = "zyx") -> Array:
    """Compute the Euler angles of a quaternion. (..., 4) → (..., 3) [rad]"""
    return euler_from_matrix(matrix_from_quaternion(q), order)


def euler_from_rotation_vector(r: Array, order: str = "zyx") -> Array:
    """Compute the Euler angles of a rotation vector. (..., 3) [rad] → (..., 3) [rad]"""
    return euler_from_matrix(matrix_from_rotation_vector(r), order)


def euler_from_angle_axis(theta: Array, n: Array, order: str = "zyx") -> Array:
    """Compute the Euler angles of a rotation by θ about n. (...) [rad], (..., 3) → (..., 3) [rad]"""
    return euler_from_rotation_vector(rotation_vector_from_angle_axis(theta, n), order)


def rodrigues_from_quaternion(q: Array) -> Array:
    """Compute the Rodrigues parameters n tan(θ/2) of a quaternion (1). (..., 4) → (..., 3); infinite at θ = π"""
    q = quaternion(q, "q")
    return q[..., 1:] / q[..., :1]


def quaternion_from_rodrigues(g: Array) -> Array:
    """Compute the quaternion, q0 > 0, of Rodrigues parameters (1). (..., 3) → (..., 4)"""
    g = vector(g, "g")
    length = sqrt(1.0 + square(g))
    return np.concatenate([1.0 / length, g / length], axis=-1)


def modified_rodrigues_from_quaternion(q: Array) -> Array:
    """Compute the modified Rodrigues parameters n tan(θ/4), of length at most 1, of a quaternion (2).

    (..., 4) → (..., 3). At θ = π the sign is arbitrary.
    """
    q = quaternion(q, "q")
    w, v = q[..., :1], q[..., 1:]
    return where(less(w, 0.0), -v, v) / (1.0 + absolute(w))


def quaternion_from_modified_rodrigues(p: Array) -> Array:
    """Compute the quaternion of modified Rodrigues parameters (2). (..., 3) → (..., 4)"""
    p = vector(p, "p")
    p2 = square(p)
    return np.concatenate([(1.0 - p2) / (1.0 + p2), 2.0 * p / (1.0 + p2)], axis=-1)


def quaternion_between(a: Array, b: Array) -> Array:
    """Compute the quaternion of the shortest rotation that turns the direction of a into that of b (3), (4).

    a, b (..., 3), of any length but zero → (..., 4). For opposite directions the axis is arbitrary: it is perpendicular
    to a and to the coordinate axis on which a has its smallest component.
    """
    (_, a), (_, b) = length_and_direction(vector(a, "a")), length_and_direction(vector(b, "b"))
    total = a + b
    s2, d2 = square(total), square(a - b)
    near, opposite = less(d2, s2), equal(s2, 0.0)
    s = sqrt(s2)
    _, n = length_and_direction(cross(a, where(opposite, _least_axis(a), total)))
    v = where(near, 2.0 * cross(a, b) / where(near, s, 1.0), sqrt(where(near, 1.0, d2)) * n)  # (4) or (3)
    length = sqrt(s2 + square(v))  # 2, up to rounding
    return np.concatenate([s / length, v / length], axis=-1)


def _least_axis(a: Array) -> Array:
    """Return the coordinate axis on which a (..., 3) has its smallest component, z if several are equal."""
    x, y, z = columns(a * a)
    x_least, y_least = less(x, y) & less(x, z), less(y, z)
    entries = [where(x_least, 1.0, 0.0), where(x_least, 0.0, where(y_least, 1.0, 0.0))]
    return np.concatenate([*entries, where(x_least, 0.0, where(y_least, 0.0, 1.0))], axis=-1)
