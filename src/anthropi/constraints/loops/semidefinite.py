"""Which x solves A x = b where A may lack rank? L D Lᵀ in the order given, without rows that repeat those before.

    d_j  = a_jj - Σ_k l_jk w_jk,   w_ij = a_ij - Σ_k l_ik w_jk,   l_ij = w_ij / d_j                   (1)
    left out where d_j ≤ 1e-11 a_jj + 1e-22 max a:   1/d_j → 0,   x_j = 0                             (2)

A = J M⁻¹ Jᵀ, so d_j / a_jj is the squared sine of the angle between row j and those before it: (2) leaves out what lies
within 3e-6 of them, and rows that are nothing but rounding. For b that is in reach of A the x found is a solution.
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import less, maximum, where

__all__ = ["Semidefinite", "factored"]

DEPENDENT, NOTHING = 1e-11, 1e-22  # (2)


class Semidefinite(NamedTuple):
    """below : rows of L left of the diagonal. inverses : 1/d_j, 0 where a row is left out."""

    below: list[list]
    inverses: list

    def solve(self, b) -> list:
        """x with A x = b, 0 in rows that are left out."""
        n, L = len(self.inverses), self.below
        y: list = []
        for i in range(n):
            total = b[i]
            for k in range(i):
                total = total - L[i][k] * y[k]
            y.append(total)
        x: list = [None] * n
        for i in reversed(range(n)):
            total = y[i] * self.inverses[i]
            for k in range(i + 1, n):
                total = total - L[k][i] * x[k]
            x[i] = total
        return x


def factored(A) -> Semidefinite:
    """Factor A (n, n), symmetric, positive semidefinite; its lower triangle is read."""
    n = len(A)
    L: list[list] = [[] for _ in range(n)]
    W: list[list] = [[] for _ in range(n)]
    inverses: list[Any] = []
    largest: Any = 0.0
    for j in range(n):
        largest = maximum(largest, A[j][j])
    for j in range(n):
        d = A[j][j]
        for k in range(j):
            d = d - L[j][k] * W[j][k]
        kept = less(DEPENDENT * A[j][j] + NOTHING * largest, d)
        inverses.append(where(kept, 1.0 / where(kept, d, 1.0), 0.0))  # (2)
        for i in range(j + 1, n):
            w = A[i][j]
            for k in range(j):
                w = w - L[i][k] * W[j][k]
            W[i].append(w)
            L[i].append(w * inverses[j])  # (1)
    return Semidefinite(L, inverses)
