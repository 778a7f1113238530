"""Rodrigues parameters, modified Rodrigues parameters, and the rotation between two directions.

With the rotation by θ about n, h = θ/2, and its quaternion (w, v):

    Rodrigues parameters (Gibbs vector)   g = n tan h = v / w,              q = (1, g) / √(1 + ‖g‖²)                 (1)
    modified Rodrigues parameters         p = n tan(θ/4) = v / (1 + w),     q = (1 - ‖p‖², 2 p) / (1 + ‖p‖²)         (2)

g is infinite at θ = π. p of a quaternion with w ≥ 0 has ‖p‖ ≤ 1 and is finite everywhere; the sign of q is chosen so.

Directions a and b (unit vectors), bisector m = (a + b) / ‖a + b‖: the shortest rotation from a to b is

    w = ‖a + b‖ / 2,   v = ‖a - b‖ / 2 · (a × m) / ‖a × m‖                                                           (3)
                         = a × b / ‖a + b‖, accurate and smooth up to a quarter turn                                 (4)

M. D. Shuster, A survey of attitude representations, J. Astronautical Sciences 41(4), 1993, for (1) and (2).
"""

import numpy as np

from anthropi.algebra.rotation.conversions import length_and_direction
from anthropi.algebra.rotation.vectors import columns, cross, quaternion, square, vector
from anthropi.algebra.scalar import Array, absolute, equal, less, sqrt, where

__all__ = [
    "modified_rodrigues_from_quaternion",
    "quaternion_between",
    "quaternion_from_modified_rodrigues",
    "quaternion_from_rodrigues",
    "rodrigues_from_quaternion",
]


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
