"""Small linear systems for any scalar, unrolled: the counterpart of `np.linalg` for functions that record.

Arrays may have leading (batch) axes. Only the upper triangle of a symmetric matrix is read; `upper` and `full` pack and
unpack it. Factor once, then solve for many right-hand sides:

>>> import numpy as np
>>> factor = ldl(np.array([[4.0, 2.0], [2.0, 3.0]]))
>>> factor.solve(np.array([2.0, 5.0])).round(12)
array([-0.5,  2. ])
"""

from typing import Any

from anthropi.algebra.linear.general import Lu, lu
from anthropi.algebra.linear.symmetric import (
    Factor,
    cholesky,
    cross,
    full,
    ldl,
    matvec,
    square,
    stacked,
    symmetric_matvec,
    transpose,
    upper,
    upper_product,
)
from anthropi.algebra.scalar import Array

__all__ = [
    "Factor", "Lu", "cholesky", "cross", "determinant", "determinant_symmetric", "full", "inverse", "inverse_symmetric",
    "ldl", "lu", "matvec", "solve", "solve_symmetric", "stacked", "symmetric_matvec", "transpose", "upper",
    "upper_product",
]  # fmt: skip


def solve(A: Array, b: Array) -> Array:
    """Return x with A x = b for any invertible A (…, n, n), b (…, n)."""
    return lu(A).solve(b)


def solve_symmetric(A: Array, b: Array) -> Array:
    """Return x with A x = b for a symmetric positive definite A (…, n, n), b (…, n)."""
    return ldl(A).solve(b)


def inverse(A: Array) -> Array:
    """Return A⁻¹ for any invertible A (…, n, n)."""
    return lu(A).inverse()


def inverse_symmetric(A: Array) -> Array:
    """Return A⁻¹ for a symmetric positive definite A (…, n, n), by cofactors and one division up to n = 3."""
    A, n = square(A)
    return full(_by_cofactors(A, n)[0] if n <= 3 else ldl(A).inverse())


def determinant(A: Array) -> Array:
    """Return det A for any A (…, n, n), by cofactors up to n = 3."""
    A, n = square(A)
    if n > 3:
        return lu(A).determinant()
    rows = [[A[..., i, j][()] for j in range(n)] for i in range(n)]
    if n == 1:
        return rows[0][0]
    if n == 2:
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)


def determinant_symmetric(A: Array) -> Array:
    """Return det A for a symmetric A (…, n, n), n ≤ 3, or a positive definite one of any size."""
    A, n = square(A)
    return _cofactors(A, n)[1] if n <= 3 else ldl(A).determinant()


def _by_cofactors(A: Array, n: int) -> tuple[Array, Array]:
    """Compute the packed inverse and the determinant of a symmetric matrix up to 3×3."""
    cofactors, det = _cofactors(A, n)
    one_over = 1.0 / det
    return stacked([x * one_over for x in cofactors]), det


def _cofactors(A: Array, n: int) -> tuple[list[Any], Array]:
    """Compute the packed cofactors and the determinant of a symmetric matrix up to 3×3."""
    packed = upper(A)
    entries = [packed[..., k][()] for k in range(packed.shape[-1])]
    if n == 1:
        return [1.0], entries[0]
    if n == 2:
        a, b, d = entries
        return [d, -b, a], a * d - b * b
    a, b, c, d, e, f = entries
    cofactors = [d * f - e * e, c * e - b * f, b * e - c * d, a * f - c * c, b * c - a * e, a * d - b * b]
    return cofactors, a * cofactors[0] + b * cofactors[1] + c * cofactors[2]
