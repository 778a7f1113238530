"""General small linear systems: unrolled LU factorisation with partial pivoting.

Rows are exchanged by selects, so that the factorisation can be recorded.

    P A = L U, L unit lower           A x = b:   L y = P b,  U x = y          (1)
                                      Aᵀ λ = c:  Uᵀ y = c,  Lᵀ z = y,  λ = Pᵀ z   (2)
    derivative of x                   A dx = db - dA x                        (3)
    its transpose                     Aᵀ λ = x̄,  b̄ = λ,  Ā = -λ xᵀ            (4)
    det A                             sign of P times the product of U's diagonal   (5)

A singular matrix gives infinities or NaN, and its determinant is 0; nothing is raised, since values are unknown while
recording. For n > 3, the derivative of the determinant is correct only if the matrix is invertible.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear.symmetric import fold, matvec, square, stacked
from anthropi.algebra.scalar import Array, absolute, equal, less, where
from anthropi.errors import ShapeError
from anthropi.tape import derivative_rule

__all__ = ["Lu", "lu"]


@dataclass(frozen=True, eq=False)
class Lu:
    """LU factorisation P A = L U of a matrix.

    Attributes
    ----------
    matrix : A (…, n, n).
    rows : L below the diagonal, U on and above it; each entry is a number or an array (…).
    inverses : reciprocals of the diagonal of U, infinite where it is 0.
    swaps : list of (i, j, mask), in order: rows i and j are exchanged where the mask is true.
    """

    matrix: np.ndarray
    rows: tuple[Any, ...]
    inverses: tuple[Any, ...]
    swaps: tuple[Any, ...]

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def solve(self, b: Array) -> Array:
        """Return x with A x = b, for b (…, n). The derivative is (3), (4)."""
        return _ruled(self, _push, _pull, lambda right: self._substitute(right), b)

    def solve_transposed(self, c: Array) -> Array:
        """Return λ with Aᵀ λ = c, for c (…, n). The derivative is that of (2)."""
        return _ruled(self, _push_transposed, _pull_transposed, lambda right: self._substitute_transposed(right), c)

    def solve_columns(self, B: Array) -> Array:
        """Return X with A X = B, for B (…, n, m)."""
        B = np.asarray(B)
        return np.stack([self.solve(B[..., :, j]) for j in range(B.shape[-1])], axis=-1)

    def inverse(self) -> Array:
        """Return A⁻¹ (…, n, n)."""
        return self.solve_columns(np.eye(self.n))

    def determinant(self) -> Array:
        """Return det A (5); 0 if a column has no nonzero pivot."""
        product = 1.0
        for i in range(self.n):
            product = product * self.rows[i][i]
        for _, _, swap in self.swaps:
            product = where(swap, -product, product)
        return product

    def _substitute(self, b: Array) -> Array:
        """Solve A x = b by forward and back substitution (1)."""
        n, R = self.n, self.rows
        y = [b[..., i][()] for i in range(n)]
        for i, j, swap in self.swaps:
            y[i], y[j] = where(swap, y[j], y[i]), where(swap, y[i], y[j])
        for i in range(n):  # (1)
            for k in range(i):
                y[i] = y[i] - R[i][k] * y[k]
        for i in reversed(range(n)):
            for k in range(i + 1, n):
                y[i] = y[i] - R[i][k] * y[k]
            y[i] = y[i] * self.inverses[i]
        return stacked(y)

    def _substitute_transposed(self, c: Array) -> Array:
        """Solve Aᵀ λ = c by forward and back substitution (2)."""
        n, R = self.n, self.rows
        y = [c[..., i][()] for i in range(n)]
        for i in range(n):  # (2)
            for k in range(i):
                y[i] = y[i] - R[k][i] * y[k]
            y[i] = y[i] * self.inverses[i]
        for i in reversed(range(n)):
            for k in range(i + 1, n):
                y[i] = y[i] - R[k][i] * y[k]
        for i, j, swap in reversed(self.swaps):
            y[i], y[j] = where(swap, y[j], y[i]), where(swap, y[i], y[j])
        return stacked(y)


def lu(A: Array) -> Lu:
    """Factor an invertible A (…, n, n), with the largest entry of each column as its pivot."""
    A, n = square(A)
    rows = [[A[..., i, j][()] for j in range(n)] for i in range(n)]
    swaps, inverses = [], []
    for k in range(n):
        for i in range(k + 1, n):
            swap = less(absolute(rows[k][k]), absolute(rows[i][k]))
            pairs = list(zip(rows[k], rows[i], strict=True))
            rows[k], rows[i] = [where(swap, y, x) for x, y in pairs], [where(swap, x, y) for x, y in pairs]
            swaps.append((k, i, swap))
        no_pivot = equal(rows[k][k], 0.0)  # then the whole column below is 0
        inverse = 1.0 / where(no_pivot, 1.0, rows[k][k])
        inverses.append(where(no_pivot, math.inf, inverse))
        for i in range(k + 1, n):
            factor = rows[i][k] * inverse
            rest = [rows[i][j] - factor * rows[k][j] for j in range(k + 1, n)]
            rows[i] = [*rows[i][:k], factor, *rest]
    return Lu(A, tuple(map(tuple, rows)), tuple(inverses), tuple(swaps))


def _ruled(
    factor: Lu, push: Callable[..., Any], pull: Callable[..., Any], substitute: Callable[..., Any], right: Array
) -> Array:
    """Solve with a derivative rule; raise `ShapeError` if the right-hand side does not fit."""
    right = np.asarray(right)
    if right.shape[-1:] != (factor.n,):
        raise ShapeError(f"b has shape {right.shape}; wanted (…, {factor.n}), because A has {factor.n} rows.")
    return derivative_rule(push, pull)(lambda A, b: substitute(b))(factor.matrix, right)


def _push(inputs: tuple[Any, ...], x: Array, tangents: tuple[Any, ...]) -> Array:
    (A, _), (dA, db) = inputs, tangents
    return lu(A).solve(db - matvec(dA, x))  # (3)


def _pull(inputs: tuple[Any, ...], x: Array, cotangent: Array) -> tuple[Array, Array]:
    (A, b), share = inputs, lu(inputs[0]).solve_transposed(cotangent)  # (4)
    return fold(-(share[..., :, None] * x[..., None, :]), A.shape), fold(share, b.shape)


def _push_transposed(inputs: tuple[Any, ...], x: Array, tangents: tuple[Any, ...]) -> Array:
    (A, _), (dA, dc) = inputs, tangents
    return lu(A).solve_transposed(dc - matvec(np.swapaxes(dA, -1, -2), x))


def _pull_transposed(inputs: tuple[Any, ...], x: Array, cotangent: Array) -> tuple[Array, Array]:
    (A, c), share = inputs, lu(inputs[0]).solve(cotangent)
    return fold(-(x[..., :, None] * share[..., None, :]), A.shape), fold(share, c.shape)
