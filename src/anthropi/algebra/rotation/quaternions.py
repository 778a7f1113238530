"""Quaternion algebra, and conversions between quaternions and matrices.

Hamilton quaternions (w, x, y, z) of unit length; q and -q are the same rotation. Equations:
`docs/equations/rotations.md`, sections 3.1 and 3.2.
"""

from typing import Any

import numpy as np

from anthropi.algebra.rotation.vectors import columns, matrix, quaternion, square_matrix
from anthropi.algebra.scalar import Array, fma, less, sqrt, where
from anthropi.tape import derivative_rule

__all__ = [
    "matrix_from_quaternion", "quaternion_conjugate", "quaternion_from_matrix", "quaternion_left", "quaternion_product",
    "quaternion_right",
]  # fmt: skip


def quaternion_conjugate(q: Array) -> Array:
    """Compute the conjugate (w, -v), the inverse rotation (C.qinv). (..., 4) → (..., 4)"""
    w, x, y, z = columns(quaternion(q, "q"))
    return np.concatenate([w, -x, -y, -z], axis=-1)


def quaternion_product(q: Array, p: Array) -> Array:
    """Compute q ⊗ p, the rotation p followed by q (C.qmul). (..., 4), (..., 4) → (..., 4)

    (q0 p0 - v·p, q0 p + p0 v + v × p), with v and p the vector parts.
    """
    w, x, y, z = columns(quaternion(q, "q"))
    a, b, c, d = columns(quaternion(p, "p"))
    return np.concatenate(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c + y * a + z * b - x * d,
            w * d + z * a + x * c - y * b,
        ],
        axis=-1,
    )


def _rows(table: list[Any]) -> Array:
    """Assemble matrices from entries, each (..., 1)."""
    return np.stack([np.concatenate(row, axis=-1) for row in table], axis=-2)


def quaternion_left(q: Array) -> Array:
    """Compute the matrix Q(q) of left multiplication, q ⊗ p = Q(q) p (C.qmul). (..., 4) → (..., 4, 4)"""
    w, x, y, z = columns(quaternion(q, "q"))
    return _rows([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])


def quaternion_right(p: Array) -> Array:
    """Compute the matrix Q̄(p) of right multiplication, q ⊗ p = Q̄(p) q (C.qmul). (..., 4) → (..., 4, 4)"""
    w, x, y, z = columns(quaternion(p, "p"))
    return _rows([[w, -x, -y, -z], [x, w, z, -y], [y, -z, w, x], [z, y, -x, w]])


def _push(inputs: Array, C: Array, tangents: Array) -> Array:
    """Compute dC from dq: a product xy gives x dy + y dx."""
    w, x, y, z = columns(inputs[0])
    dw, dx, dy, dz = columns(2.0 * tangents[0])
    yy, zz = y * dy, z * dz
    a, b, c, d = fma(w, dw, -zz), fma(x, dx, -yy), fma(w, dw, zz), fma(x, dx, yy)
    xy, xz, yz = fma(x, dy, y * dx), fma(x, dz, z * dx), fma(y, dz, z * dy)
    wx, wy, wz = fma(w, dx, x * dw), fma(w, dy, y * dw), fma(w, dz, z * dw)
    return square_matrix([[a + b, xy - wz, xz + wy], [xy + wz, a - b, yz - wx], [xz - wy, yz + wx, c - d]])


def _pull(inputs: Array, C: Array, cotangent: Array) -> tuple[Any, ...]:
    """Compute the cotangent of q from that of C, by the transpose of `_push`."""
    w, x, y, z = columns(2.0 * inputs[0])
    c = [[cotangent[..., i, j : j + 1] for j in range(3)] for i in range(3)]
    m1, m2, m3 = c[2][1] - c[1][2], c[0][2] - c[2][0], c[1][0] - c[0][1]
    p1, p2, p3 = c[2][1] + c[1][2], c[0][2] + c[2][0], c[1][0] + c[0][1]
    both, apart = c[0][0] + c[1][1], c[0][0] - c[1][1]
    share = [
        fma(w, both + c[2][2], fma(x, m1, fma(y, m2, z * m3))),
        fma(x, apart - c[2][2], fma(w, m1, fma(y, p3, z * p2))),
        fma(y, -(apart + c[2][2]), fma(w, m2, fma(x, p3, z * p1))),
        fma(z, c[2][2] - both, fma(w, m3, fma(x, p2, y * p1))),
    ]
    return (np.concatenate(share, axis=-1),)


@derivative_rule(push=_push, pull=_pull)
def _matrix(q: Array) -> Array:
    w, x, y, z = columns(q)
    x2, y2, z2 = 2.0 * x, 2.0 * y, 2.0 * z
    ww, xx, yy, zz, xy, xz, yz = w * w, x * x, y * y, z * z, x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    a, b = ww - zz, xx - yy
    return square_matrix([
        [a + b, xy - wz, xz + wy],
        [xy + wz, a - b, yz - wx],
        [xz - wy, yz + wx, (ww + zz) - (xx + yy)],
    ])  # fmt: skip


def matrix_from_quaternion(q: Array) -> Array:
    """Compute the matrix I + 2 q0 [v] + 2 [v]² of a unit quaternion (C.q2m). (..., 4) → (..., 3, 3)

    The expanded form, q0² + q1² - q2² - q3² … on the diagonal, halves the error caused by a rounded length of q.
    """
    return _matrix(quaternion(q, "q"))


def shepperd(C: Array) -> Array:
    """Compute an unnormalised quaternion of a matrix, its largest entry positive (Shepperd, C.m2q).

    (..., 3, 3) → (..., 4). The largest of (t, C11, C22, C33) determines which entry of q is largest; four times
    its product with all entries is linear in C. The branch is chosen in two rounds: within (C11, C22) and (t, C33),
    then between these two.
    """
    c = [[C[..., i, j : j + 1] for j in range(3)] for i in range(3)]
    a, b, d = c[0][0], c[1][1], c[2][2]
    t = a + b + d
    m1, m2, m3 = c[2][1] - c[1][2], c[0][2] - c[2][0], c[1][0] - c[0][1]  # 4 q0 (q1, q2, q3)
    p1, p2, p3 = c[2][1] + c[1][2], c[0][2] + c[2][0], c[1][0] + c[0][1]  # 4 (q2 q3, q3 q1, q1 q2)
    rest = 1.0 - t
    y_wins, z_wins = less(a, b), less(t, d)
    xy, tz = where(y_wins, b, a), where(z_wins, d, t)
    top = rest + 2.0 * xy  # 4 q1² or 4 q2²
    first = [where(y_wins, u, v) for u, v in ((m2, m1), (p3, top), (top, p3), (p1, p2))]
    second = [where(z_wins, u, v) for u, v in ((m3, 1.0 + t), (p2, m1), (p1, m2), (rest + 2.0 * d, m3))]
    xy_wins = less(tz, xy)
    return np.concatenate([where(xy_wins, u, v) for u, v in zip(first, second, strict=True)], axis=-1)


def quaternion_from_matrix(C: Array) -> Array:
    """Compute the unit quaternion, q0 ≥ 0, of a matrix (C.m2q, Shepperd's branches). (..., 3, 3) → (..., 4)"""
    q = shepperd(matrix(C, "C"))
    w = q[..., :1]
    length = sqrt(np.sum(q * q, axis=-1, keepdims=True))  # at least 1
    return q / where(less(w, 0.0), -length, length)
