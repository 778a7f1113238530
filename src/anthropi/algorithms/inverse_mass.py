"""What is M⁻¹? The joint-space inertia of a tree factors without fill-in, and so does its inverse.

Row k of M is not zero only in the degrees of freedom on the way from k to the root ("above" k) and beyond k. With the
last ones eliminated first (Featherstone, Rigid Body Dynamics Algorithms, 6.5),

    M = Lᵀ D L,   L_kk = 1,   L_ki ≠ 0 only for i above k                      (1)
    Y = L⁻¹:   Y_ki = -L_ki - Σ L_km Y_mi  over m above k and beyond i         (2)  as sparse as L
    M⁻¹ = Y D⁻¹ Yᵀ:   (M⁻¹)_ik = Σ Y_im Y_km / D_m  over m above both          (3)

Two limbs share only the root, so an entry of (3) is a short sum. The columns of a limb do the same operations: they are
passes of a `repeat`.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from anthropi.algorithms.elimination import eliminate
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.tape import repeat

__all__ = ["TreeFactor", "inverse_mass_matrix", "inverse_of", "limbs", "multiply", "tree_factor"]


class TreeFactor(NamedTuple):
    """Y as one {column: number} a row, without its diagonal of ones; 1/D; and the degrees of freedom above each (2)."""

    Y: list[dict]
    reciprocal: list
    above: list[list[int]]


@algorithm(q="nq")
def inverse_mass_matrix(figure, q):
    """What is M(q)⁻¹? q (nq,) → (nu, nu): the accelerations that unit forces at the joints give."""
    return inverse_of(tree_factor(figure, mass_matrix(figure, q)))


def inverse_of(factor: TreeFactor):
    """M⁻¹ (nu, nu), limb by limb: its rows from the limb on, the others by symmetry."""
    Y, scale, above = factor
    n = len(Y)
    M = [[0.0] * n for _ in range(n)]
    for limb in limbs(above):
        first = limb[0]
        way = [*above[first], *limb]
        rows = np.array([[scale[j] if m == j else Y[j][m] * scale[m] if m in Y[j] else 0.0 for m in way] for j in limb])
        one = partial(_rows_from, factor, first, way)
        _, columns = repeat(one, np.zeros(n - first), len(limb), rows=rows, every=1)
        for j, column in zip(limb, columns, strict=True):
            for i in range(j, n):
                M[i][j] = M[j][i] = column[i - first]
    return np.array(M).reshape(n, n)


def _rows_from(factor, first: int, way, _, row):
    """Σ Y_im W_m over m on the way, for every i from the first on (3)."""
    W = dict(zip(way, row, strict=True))
    return np.array([multiply(factor, i, W) for i in range(first, len(factor.Y))])


def multiply(factor, i: int, W: dict):
    """(Y W)_i = W_i + Σ Y_im W_m over m above i, for W with the entries given."""
    total = W.get(i, 0.0)
    for m in factor.above[i]:
        if m in W:
            total = total + factor.Y[i][m] * W[m]
    return total


def limbs(above) -> list[list[int]]:
    """Degrees of freedom in runs without a branch: what holds for one of them holds for the run."""
    children = [0] * len(above)
    for way in above:
        if way:
            children[way[-1]] += 1
    found: list[list[int]] = []
    for k, way in enumerate(above):
        if way and way[-1] == k - 1 and children[k - 1] == 1:
            found[-1].append(k)
        else:
            found.append([k])
    return found


def tree_factor(figure, M) -> TreeFactor:
    """Factor the inertia M (nu, nu) of a tree (1), (2)."""
    L, reciprocal, above, _ = eliminate(figure, M)  # (1)
    Y: list[dict] = []
    for k in range(figure.nu):
        row: dict = {}
        for i in above[k]:
            total = L[k][i]
            for m in above[k]:
                if m > i and i in Y[m]:
                    total = total + L[k][m] * Y[m][i]
            row[i] = -total  # (2)
        Y.append(row)
    return TreeFactor(Y, reciprocal, above)
