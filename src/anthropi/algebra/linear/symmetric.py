"""Symmetric positive definite systems: packed storage, unrolled LDLᵀ and Cholesky factorisations.

A symmetric (n, n) matrix is packed as its upper triangle row by row: (a₀₀, a₀₁, …, a₀ₙ, a₁₁, …), n(n+1)/2 numbers.
Packing and unpacking compute nothing. All arrays may have leading axes.

    A = L D Lᵀ, L unit lower      d_j  = a_jj - Σ_k l_jk w_jk                 (1)
                                  w_ij = a_ij - Σ_k l_ik w_jk = l_ij d_j      (2)
                                  l_ij = w_ij / d_j                           (3)
    A x = b                       L y = b,  z = D⁻¹ y,  Lᵀ x = z              (4)
    derivative of x               A dx = db - dA x                            (5)
    its transpose                 A λ = x̄,  b̄ = λ,  Ā = -λ xᵀ                 (6)
    A⁻¹                           L⁻ᵀ D⁻¹ L⁻¹, upper triangle                 (7)
    A = G Gᵀ, G lower             g_jj² = a_jj - Σ_k g_jk²                    (8)
                                  g_ij  = (a_ij - Σ_k g_ik g_jk) / g_jj       (9)

Only upper triangles are read. In (6), an entry above the diagonal therefore collects the cotangents of both its
positions, and an entry below gets none. Derivatives reuse the factors of the solution: on the tape they are the same
nodes.
A matrix that is not positive definite gives infinities or NaN; nothing is raised, since values are unknown while
recording.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, sqrt
from anthropi.errors import ShapeError
from anthropi.tape import derivative_rule

__all__ = [
    "Factor",
    "cholesky",
    "cross",
    "full",
    "ldl",
    "matvec",
    "size_of_packed",
    "square",
    "stacked",
    "symmetric_matvec",
    "transpose",
    "upper",
    "upper_product",
]


def stacked(entries: Iterable[Any], axis: int = -1) -> Array:
    """Stack numbers, or numbers and arrays of one shape, along a new axis."""
    return np.stack(np.broadcast_arrays(*entries), axis=axis)


def transpose(A: Array) -> Array:
    """Swap the last two axes."""
    return np.swapaxes(A, -1, -2)


def matvec(A: Array, x: Array) -> Array:
    """Compute A x (…, m) for A (…, m, n) and x (…, n)."""
    return (A * x[..., None, :]).sum(-1)


def cross(a: Array, b: Array) -> Array:
    """Compute a × b (…, 3) for a, b (…, 3) by the operations of `np.cross`, which takes four times longer to record."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != (3,) or b.shape != (3,) or not (a.dtype == object or b.dtype == object):
        return np.cross(a, b)
    (a1, a2, a3), (b1, b2, b3) = a.tolist(), b.tolist()
    return np.array([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], dtype=object)


@cache
def _triangle(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows and columns of the packed entries, and the packed position of entry (i, j) of the full matrix."""
    rows, columns = np.triu_indices(n)
    place = np.zeros((n, n), dtype=int)
    place[rows, columns] = place[columns, rows] = np.arange(len(rows))
    return rows, columns, place


def size_of_packed(packed: Array) -> int:
    """Return the size n of a matrix from its n(n+1)/2 packed entries."""
    count = packed.shape[-1]
    n = (math.isqrt(8 * count + 1) - 1) // 2
    if n * (n + 1) // 2 != count:
        raise ShapeError(f"{count} numbers are not a packed upper triangle. Give n(n+1)/2: 1, 3, 6, 10, 15, 21, …")
    return n


def square(A: Array, name: str = "A") -> tuple[Array, int]:
    """Return the matrix as an array and its size n; raise `ShapeError` if it is not (…, n, n)."""
    A = np.asarray(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ShapeError(f"{name} has shape {A.shape}; wanted a square matrix (…, n, n).")
    return A, A.shape[-1]


def upper(A: Array) -> Array:
    """Pack the upper triangle of (…, n, n); entries below the diagonal are not read."""
    A, n = square(A)
    rows, columns, _ = _triangle(n)
    return A[..., rows, columns]


def full(packed: Array) -> Array:
    """Unpack an upper triangle to the symmetric matrix (…, n, n)."""
    return packed[..., _triangle(size_of_packed(packed))[2]]


def upper_product(X: Array, Y: Array) -> Array:
    """Pack the upper triangle of X Yᵀ, for X, Y (…, n, m)."""
    rows, columns, _ = _triangle(X.shape[-2])
    return (X[..., rows, :] * Y[..., columns, :]).sum(-1)


def symmetric_matvec(packed: Array, x: Array) -> Array:
    """Compute A x (…, n) for a packed A (…, n(n+1)/2) and x (…, n)."""
    return matvec(full(packed), x)


@dataclass(frozen=True, eq=False)
class Factor:
    """Factorisation A = L D Lᵀ of a symmetric matrix, L lower.

    Attributes
    ----------
    packed : (…, n(n+1)/2), upper triangle of A.
    below : rows of L left of the diagonal, each entry a number or an array (…).
    pivots, inverses : the diagonal of D and its inverse; for Cholesky those of the triangle G.
    unit : whether L has a unit diagonal (LDLᵀ) or `pivots` (Cholesky, where D = 1).
    """

    packed: np.ndarray
    below: tuple[Any, ...]
    pivots: tuple[Any, ...]
    inverses: tuple[Any, ...]
    unit: bool

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return len(self.pivots)

    def solve(self, b: Array) -> Array:
        """Return x with A x = b, for b (…, n). The derivative is (5), (6)."""
        b = np.asarray(b)
        if b.shape[-1:] != (self.n,):
            raise ShapeError(f"b has shape {b.shape}; wanted (…, {self.n}), because A has {self.n} rows.")
        again = ldl_packed if self.unit else cholesky_packed
        rule = derivative_rule(*_rules(again))
        return rule(lambda packed, right: self._substitute(right))(self.packed, b)

    def solve_columns(self, B: Array) -> Array:
        """Return X with A X = B, for B (…, n, m)."""
        B = np.asarray(B)
        return np.stack([self.solve(B[..., :, j]) for j in range(B.shape[-1])], axis=-1)

    def inverse(self) -> Array:
        """Return the upper triangle of A⁻¹, packed (7)."""
        n = self.n
        T = _inverse_triangle(self)
        scale = self.inverses if self.unit else (1.0,) * n
        W = [[T[k][i] * scale[k] for i in range(k)] + [scale[k] * T[k][k]] for k in range(n)]
        pairs = [(i, j) for i in range(n) for j in range(i, n)]
        return stacked([sum((T[k][i] * W[k][j] for k in range(j + 1, n)), T[j][i] * W[j][j]) for i, j in pairs])

    def determinant(self) -> Array:
        """Return det A."""
        product = 1.0
        for d in self.pivots:
            product = product * (d if self.unit else d * d)
        return product

    def lower(self) -> Array:
        """Return the triangle L (…, n, n)."""
        n = self.n
        rows = [[*self.below[i], 1.0 if self.unit else self.pivots[i], *[0.0] * (n - 1 - i)] for i in range(n)]
        lead = self.packed.shape[:-1]
        return np.broadcast_to(stacked([x for row in rows for x in row]), (*lead, n * n)).reshape((*lead, n, n))

    def forward(self, b: Array) -> Array:
        """Return L⁻¹ b (…, n): forward substitution (4)."""
        y: list[Any] = []
        for i in range(self.n):
            s = b[..., i][()]
            for k in range(i):
                s = s - self.below[i][k] * y[k]
            y.append(s if self.unit else s * self.inverses[i])
        return stacked(y)

    def backward(self, y: Array) -> Array:
        """Return L⁻ᵀ y (…, n): back substitution (4)."""
        x: list[Any] = [None] * self.n
        for i in reversed(range(self.n)):
            s = y[..., i][()]
            for k in range(i + 1, self.n):
                s = s - self.below[k][i] * x[k]
            x[i] = s if self.unit else s * self.inverses[i]
        return stacked(x)

    def _substitute(self, b: Array) -> Array:
        """Solve A x = b by forward and back substitution (4)."""
        y = self.forward(b)
        if self.unit:
            y = stacked([y[..., i][()] * self.inverses[i] for i in range(self.n)])
        return self.backward(y)


def ldl(A: Array) -> Factor:
    """Factor a symmetric positive definite A (…, n, n) as L D Lᵀ; only its upper triangle is read."""
    return ldl_packed(upper(A))


def cholesky(A: Array) -> Factor:
    """Factor a symmetric positive definite A (…, n, n) as G Gᵀ; only its upper triangle is read."""
    return cholesky_packed(upper(A))


def ldl_packed(packed: Array) -> Factor:
    """Factor a packed matrix as L D Lᵀ."""
    n, a = _entries(packed)
    L: list[Any] = [[] for _ in range(n)]
    W: list[Any] = [[] for _ in range(n)]
    pivots, inverses = [], []
    for j in range(n):
        d = a[j, j]
        for k in range(j):
            d = d - L[j][k] * W[j][k]  # (1)
        pivots.append(d)
        inverses.append(1.0 / d)
        for i in range(j + 1, n):
            w = a[j, i]
            for k in range(j):
                w = w - L[i][k] * W[j][k]  # (2)
            W[i].append(w)
            L[i].append(w * inverses[j])  # (3)
    return Factor(packed, tuple(map(tuple, L)), tuple(pivots), tuple(inverses), unit=True)


def cholesky_packed(packed: Array) -> Factor:
    """Factor a packed matrix as G Gᵀ."""
    n, a = _entries(packed)
    G: list[Any] = [[] for _ in range(n)]
    pivots, inverses = [], []
    for j in range(n):
        square = a[j, j]
        for k in range(j):
            square = square - G[j][k] * G[j][k]  # (8)
        pivots.append(sqrt(square))
        inverses.append(1.0 / pivots[j])
        for i in range(j + 1, n):
            g = a[j, i]
            for k in range(j):
                g = g - G[i][k] * G[j][k]
            G[i].append(g * inverses[j])  # (9)
    return Factor(packed, tuple(map(tuple, G)), tuple(pivots), tuple(inverses), unit=False)


def _entries(packed: Array) -> tuple[int, dict[tuple[int, int], Array]]:
    """Return n and the entries of the upper triangle by (row, column)."""
    n = size_of_packed(packed)
    places = [(i, j) for i in range(n) for j in range(i, n)]
    return n, {place: packed[..., k][()] for k, place in enumerate(places)}


def _inverse_triangle(factor: Factor) -> list[Any]:
    """Compute the rows of L⁻¹ up to the diagonal."""
    T: list[Any] = []
    for i, row in enumerate(factor.below):
        diagonal = 1.0 if factor.unit else factor.inverses[i]
        line = []
        for j in range(i):
            s = row[j] * T[j][j]
            for k in range(j + 1, i):
                s = s + row[k] * T[k][j]
            line.append(-(s * diagonal))
        T.append([*line, diagonal])
    return T


def _rules(factored: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Make the derivative rules of x = A⁻¹ b with respect to (packed A, b)."""

    def push(inputs, x, tangents):
        (packed, _), (d_packed, db) = inputs, tangents
        return factored(packed).solve(db - symmetric_matvec(d_packed, x))  # (5)

    def pull(inputs, x, cotangent):
        packed, b = inputs
        n = x.shape[-1]
        share = factored(packed).solve(cotangent)  # (6)
        pairs = [(i, j) for i in range(n) for j in range(i, n)]
        both = [
            share[..., i] * x[..., j] + share[..., j] * x[..., i] if i != j else share[..., i] * x[..., i]
            for i, j in pairs
        ]
        return fold(-stacked(both), packed.shape), fold(share, b.shape)

    return push, pull


def fold(share: Array, shape: tuple[int, ...]) -> Array:
    """Sum a cotangent over the axes along which its input was broadcast."""
    share = share.sum(axis=tuple(range(share.ndim - len(shape)))) if share.ndim > len(shape) else share
    for axis, n in enumerate(shape):
        if n == 1 and share.shape[axis] != 1:
            share = share.sum(axis=axis, keepdims=True)
    return share
