"""How do bases act through the inertia, when bilateral rows hold whatever happens?

With M = Lᵀ D L (`algorithms/cholesky.py`) and z = D^½ L u the inertia is 1:

    a row j becomes h = j L⁻¹ D^-½,   j u = h z,   M Δu = jᵀ P  ⇔  Δz = hᵀ P                          (1)

Bilateral rows B z = r are met first and for good: with B = R Q, Q orthonormal (Gram–Schmidt; a row within 3e-6 of those
before is left out), z stays right if all others lose their part along Q:

    z₀ = z + Qᵀ α,   R α = r - B z,   h → h - (h Qᵀ) Q                                                (2)
    Rᵀ Λ = α - Σ (Q hᵀ) F     their impulses, F those on the bases                                    (3)

What is left of a group of bases has A = h hᵀ = C Cᵀ, C lower: y with v = C y are coordinates of its own, few of them,
in which the inertia is 1 again:

    H = G C,   v = v₀ + H y,   y = Σ Hᵀ P                                                             (4)
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import less, maximum, nothing, sqrt, where
from anthropi.contact.impulsive.sparse import added, dot

__all__ = ["Bilateral", "change_of_speed", "orthonormal", "scaled_halves", "triangle", "triangle_of"]

DEPENDENT, NOTHING = 1e-11, 1e-22  # squared sines, as in constraints/loops/semidefinite.py


class Bilateral(NamedTuple):
    """Q (m, nu), R by rows (lower triangle), 1/its diagonal (0 for rows left out)."""

    Q: list
    R: list
    inverses: list

    def start(self, lacks) -> list:
        """α of (2) for lacks = r - B z."""
        alpha: list = []
        for row, inverse, lack in zip(self.R, self.inverses, lacks, strict=True):
            alpha.append((lack - dot(row, alpha)) * inverse)
        return alpha

    def along(self, h) -> list:
        """h Qᵀ"""
        return [dot(h, q) for q in self.Q]

    def rest(self, h, along) -> list:
        """h less its part along Q (2)."""
        for part, q in zip(along, self.Q, strict=True):
            h = added(h, -part, q)
        return h

    def impulses(self, beta) -> list:
        """Λ of Rᵀ Λ = β (3)."""
        m = len(self.Q)
        found: list = [0.0] * m
        for j in reversed(range(m)):
            total = beta[j]
            for i in range(j + 1, m):
                total = total - self.R[i][j] * found[i]
            found[j] = total * self.inverses[j]
        return found


def scaled_halves(tree, rows) -> list:
    """h of (1) for each row (nu,)."""
    return [[x if nothing(x) else x * sqrt(r) for x, r in zip(tree.forward(row), tree.reciprocal, strict=True)]
            for row in rows]  # fmt: skip


def change_of_speed(tree, dz) -> list:
    """Δu of Δz (1)."""
    du: list = [0.0] * len(dz)
    for k in tree.free:
        total = 0.0 if nothing(dz[k]) else dz[k] * sqrt(tree.reciprocal[k])
        for i in tree.above[k]:
            if not nothing(du[i]):
                total = total - tree.L[k][i] * du[i]
        du[k] = total
    return du


def orthonormal(rows) -> Bilateral:
    """Q and R of (2) for halves (m, nu)."""
    Q: list = []
    R: list = []
    inverses: list = []
    for row in rows:
        parts, rest = [], row
        for q in Q:
            parts.append(dot(rest, q))
            rest = added(rest, -parts[-1], q)
        size, left = dot(row, row), dot(rest, rest)
        kept = less(DEPENDENT * size, left)
        inverse = where(kept, 1.0 / sqrt(where(kept, left, 1.0)), 0.0)
        Q.append([x if nothing(x) else x * inverse for x in rest])
        R.append(parts)
        inverses.append(inverse)
    return Bilateral(Q, R, inverses)


def triangle(halves) -> list:
    """C of (4), rows of equal length; columns of rows that depend on those before are 0."""
    n = len(halves)
    if all(len(row) == n and all(nothing(x) for x in row[i + 1 :]) for i, row in enumerate(halves)):
        return halves  # a triangle already
    return triangle_of([[dot(halves[i], halves[j]) for j in range(i + 1)] for i in range(n)])


def triangle_of(A) -> list:
    """C of A = C Cᵀ, A by rows of its lower triangle."""
    n = len(A)
    largest: Any = A[0][0]
    for i in range(1, n):
        largest = maximum(largest, A[i][i])
    C: list = [[0.0] * n for _ in range(n)]
    for j in range(n):
        left = A[j][j] - dot(C[j][:j], C[j][:j])
        kept = less(DEPENDENT * A[j][j] + NOTHING * largest, left)
        root = sqrt(where(kept, left, 1.0))
        inverse = where(kept, 1.0 / root, 0.0)
        C[j][j] = where(kept, root, 0.0)
        for i in range(j + 1, n):
            rest = A[i][j] - dot(C[i][:j], C[j][:j])
            C[i][j] = 0.0 if nothing(rest) else rest * inverse
    return C
