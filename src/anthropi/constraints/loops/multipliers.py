"""Forces in closed loops: Lagrange multipliers of the loop equations, and the wrench of each loop.

Positive semidefinite systems A x = b are factored as L D Lᵀ in the given order, without rows that repeat earlier ones:

    d_j  = a_jj - Σ_k l_jk w_jk,   w_ij = a_ij - Σ_k l_ik w_jk,   l_ij = w_ij / d_j                   (1)
    left out where d_j ≤ 1e-11 a_jj + 1e-22 max a:   1/d_j → 0,   x_j = 0                             (2)

With A = J M⁻¹ Jᵀ, d_j / a_jj is the squared sine of the angle between row j and those before it. (2) leaves out rows
within 3e-6 rad of them, and rows that contain only rounding errors. If b is in the range of A, x is a solution.

Accelerations (M u' + h = τ + Jᵀ λ, J u' = -bias), impulses (M (u⁺ - u) = P + Jᵀ Λ, J u⁺ = -drift) and projections
(M d = Jᵀ μ, J d = -Φ) all have the form

    x = M⁻¹ (f + Jᵀ λ),   J x = r      ⇒      A λ = r - J M⁻¹ f,   A = J M⁻¹ Jᵀ                       (3)

with the independent rows S (independent_rows.py). A row R that depends on them, J_R = T J_S, does not change x. Its
force is indeterminate: of all λ with the same Jᵀ λ, the one with the least Σ w_j λ_j² is used,

    (w_R + T w_S Tᵀ) λ_R = T w_S λ_S,   λ_S - Tᵀ λ_R,   Tᵀ = A_SS⁻¹ A_SR                              (4)

The wrench of a loop on its link b, about the origin of frame b in world components, follows from the gradients g:

    force Σ λ g over points,   moment Σ λ (x - p_b) × g over points + Σ λ v × g over directions       (5)

The opposite acts on link a.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import less, maximum, where
from anthropi.algorithms.cholesky import MassFactor
from anthropi.constraints.driven import Equations
from anthropi.constraints.loops.independent_rows import Choice
from anthropi.constraints.primitives import Point
from anthropi.constraints.relative import features_of
from anthropi.figure import Figure

__all__ = ["Held", "Semidefinite", "factored", "hold", "wrenches"]


MIN_INDEPENDENCE, RELATIVE_ROUNDING = 1e-11, 1e-22  # (2)


class Semidefinite(NamedTuple):
    """Factors L D Lᵀ of a positive semidefinite matrix (1).

    below : rows of L, left of the diagonal. inverses : 1/d_j, or 0 if row j is left out.
    """

    below: list[list[Any]]
    inverses: list[Any]

    def solve(self, b: Any) -> list[Any]:
        """Solve A x = b; the entries of x are 0 for rows that are left out."""
        n, L = len(self.inverses), self.below
        y: list[Any] = []
        for i in range(n):
            total = b[i]
            for k in range(i):
                total = total - L[i][k] * y[k]
            y.append(total)
        x: list[Any] = [None] * n
        for i in reversed(range(n)):
            total = y[i] * self.inverses[i]
            for k in range(i + 1, n):
                total = total - L[k][i] * x[k]
            x[i] = total
        return x


def factored(A: Any) -> Semidefinite:
    """Factor a symmetric positive semidefinite matrix A (n, n), of which only the lower triangle is read."""
    n = len(A)
    L: list[list[Any]] = [[] for _ in range(n)]
    W: list[list[Any]] = [[] for _ in range(n)]
    inverses: list[Any] = []
    largest: Any = 0.0
    for j in range(n):
        largest = maximum(largest, A[j][j])
    for j in range(n):
        d = A[j][j]
        for k in range(j):
            d = d - L[j][k] * W[j][k]
        kept = less(MIN_INDEPENDENCE * A[j][j] + RELATIVE_ROUNDING * largest, d)
        inverses.append(where(kept, 1.0 / where(kept, d, 1.0), 0.0))  # (2)
        for i in range(j + 1, n):
            w = A[i][j]
            for k in range(j):
                w = w - L[i][k] * W[j][k]
            W[i].append(w)
            L[i].append(w * inverses[j])  # (1)
    return Semidefinite(L, inverses)


class Held(NamedTuple):
    """Loop equations of a figure at one state, factored so that they can be solved.

    halves : rows of J M^(-1/2), from forward substitution of each chosen row. A : lower triangle of J M⁻¹ Jᵀ.
    """

    rows: Equations
    choice: Choice
    tree: MassFactor
    halves: list[Any]
    A: list[Any]
    factor: Semidefinite

    def solve(self, f: Any, r: Any) -> Any:
        """Solve the loop equations (3); return x (nu,) and the multipliers λ of the chosen rows.

        f : (nu,), or None for 0. r : (rows,).
        """
        kept = self.choice.kept
        z = [0.0] * len(self.tree.L) if f is None else self.tree.forward(f)
        lacks = [r[j] - self.tree.product(w, z) for j, w in zip(kept, self.halves, strict=True)]
        multipliers = self.factor.solve(lacks)
        for m, w in zip(multipliers, self.halves, strict=True):
            z = [a + m * b for a, b in zip(z, w, strict=True)]
        return np.array(self.tree.backward(z)), multipliers

    def shared(self, multipliers: Any) -> list[Any]:
        """Return the multipliers λ of all rows, with indeterminate forces distributed by (4)."""
        kept, shared, total, weights = self.choice
        every: list[Any] = [0.0] * total
        for j, m in zip(kept, multipliers, strict=True):
            every[j] = m
        if not (kept and shared):
            return every
        more = [self.tree.forward(self.rows.jacobian[j]) for j in shared]
        T = [self.factor.solve([self.tree.product(w, v) for w in self.halves]) for v in more]
        weighted = [[t * weights[k] for k, t in zip(kept, row, strict=True)] for row in T]
        G = [[_dot(weighted[i], T[j]) for j in range(i + 1)] for i in range(len(shared))]
        for i, j in enumerate(shared):
            G[i][i] = G[i][i] + weights[j]
        parts = factored(G).solve([_dot(row, multipliers) for row in weighted])
        for part, row, j in zip(parts, T, shared, strict=True):
            every[j] = part
            for t, at in zip(row, kept, strict=True):
                every[at] = every[at] - t * part
        return every


def hold(rows: Equations, choice: Choice, tree: MassFactor) -> Held:
    """Factor the chosen loop equations with the mass matrix of the tree; return them ready to be solved."""
    halves = [tree.forward(rows.jacobian[j]) for j in choice.kept]
    A = [[tree.product(halves[i], halves[j]) for j in range(i + 1)] for i in range(len(halves))]
    return Held(rows, choice, tree, halves, A, factored(A))


def _dot(a: Any, b: Any) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def wrenches(figure: Figure, k: Any, constraints: Any, multipliers: Any) -> dict[str, Any]:
    """Return the wrench of each loop on its link b (5).

    {loop: (6,) moment about the origin of frame b [N m], force [N]}, in world components. Of a coupling, (1,): λ, the
    force on the coordinate `dof` [N m or N]; the force on `source` is -f' λ.
    """
    found, n = {}, 0
    for closure in constraints:
        if closure.at is None:
            found[closure.name], n = np.array([multipliers[n]]), n + 1
            continue
        body, s = closure.at
        origin = s
        if body:
            i = figure.link_index(body)
            origin = k.position[i] + matvec(k.rotation[i], s)
        moment, force = np.zeros(3), np.zeros(3)
        for row in closure.primitives():
            x = [m.x for m in features_of(figure, k._replace(angular_velocity=None), row, 0.0)]
            for feature, place, g in zip(row.features(), x, row.gradient(x), strict=True):
                if feature.body != body:
                    continue
                pull = multipliers[n] * g
                if isinstance(feature, Point):
                    moment, force = moment + np.cross(place - origin, pull), force + pull
                else:
                    moment = moment + np.cross(place, pull)
            n += 1
        found[closure.name] = np.concatenate([moment, force])
    return found
