"""Symmetric matrices as their upper triangles, and the few products that compute only what is not known yet.

A symmetric (n, n) matrix is packed as its upper triangle row by row: (a₀₀, a₀₁, …, a₀ₙ, a₁₁, …), n(n+1)/2 numbers.
Packing and unpacking move numbers and compute nothing. All arrays may have leading axes.
"""

import math
from functools import cache

import numpy as np

from anthropi.errors import ShapeError

__all__ = [
    "full", "matvec", "size_of_packed", "square", "stacked", "symmetric_matvec", "transpose", "upper", "upper_product",
]  # fmt: skip


def stacked(entries, axis: int = -1):
    """Put numbers, or arrays of one shape and numbers, side by side along a new axis."""
    return np.stack(np.broadcast_arrays(*entries), axis=axis)


def transpose(A):
    """Swap the last two axes."""
    return np.swapaxes(A, -1, -2)


def matvec(A, x):
    """A x for A (…, m, n), x (…, n): (…, m)."""
    return (A * x[..., None, :]).sum(-1)


@cache
def _triangle(n: int):
    """Rows and columns of the packed entries, and where entry (i, j) of the full matrix is packed."""
    rows, columns = np.triu_indices(n)
    place = np.zeros((n, n), dtype=int)
    place[rows, columns] = place[columns, rows] = np.arange(len(rows))
    return rows, columns, place


def size_of_packed(packed) -> int:
    """Return n for n(n+1)/2 packed entries."""
    count = packed.shape[-1]
    n = (math.isqrt(8 * count + 1) - 1) // 2
    if n * (n + 1) // 2 != count:
        raise ShapeError(f"{count} numbers are no packed upper triangle. Give n(n+1)/2 of them: 1, 3, 6, 10, 15, 21, …")
    return n


def square(A, name: str = "A"):
    """Return the matrix as an array and its size n, refusing one that is not (…, n, n)."""
    A = np.asarray(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ShapeError(f"{name} has shape {A.shape}; wanted a square matrix (…, n, n).")
    return A, A.shape[-1]


def upper(A):
    """Pack the upper triangle of (…, n, n); what is below the diagonal is not read."""
    A, n = square(A)
    rows, columns, _ = _triangle(n)
    return A[..., rows, columns]


def full(packed):
    """Unpack an upper triangle to the symmetric matrix (…, n, n)."""
    return packed[..., _triangle(size_of_packed(packed))[2]]


def upper_product(X, Y):
    """Pack the upper triangle of X Yᵀ, for X, Y (…, n, m)."""
    rows, columns, _ = _triangle(X.shape[-2])
    return (X[..., rows, :] * Y[..., columns, :]).sum(-1)


def symmetric_matvec(packed, x):
    """A x for a packed A."""
    return matvec(full(packed), x)
