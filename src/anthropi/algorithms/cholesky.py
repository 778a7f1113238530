"""Sparse factorisation of the mass matrix of a tree, solution of M x = b, and the inverse mass matrix.

Row k of M has nonzero entries only at degrees of freedom on the path from k to the root ("above" k) and at those that k
carries ("beyond" k). Elimination from the last to the first, as in the articulated-body algorithm, keeps all other
entries zero:

    M = Lᵀ D L,   L_kk = 1,   L_ki ≠ 0 only for i above k                                      (1)
    forward substitution   w = L⁻ᵀ b:   w_i = b_i - Σ L_ki w_k  over k beyond i                (2)
    product                b M⁻¹ cᵀ = Σ_i w_i v_i / D_i,   w, v of b, c by (2)                 (3)
    back substitution      x = L⁻¹ D⁻¹ w:   x_k = w_k / D_k - Σ L_ki x_i  over i above k       (4)

If the nonzero entries of a row b lie on two limbs, for example in the row of a loop between them, (2) makes no others
nonzero. Prescribed degrees of freedom are left out of the factorisation. The inverse of L is as sparse as L:

    Y = L⁻¹:   Y_ki = -L_ki - Σ L_km Y_mi  over m above k and beyond i                         (5)
    M⁻¹ = Y D⁻¹ Yᵀ:   (M⁻¹)_ik = Σ Y_im Y_km / D_m  over m above both                          (6)

Two limbs share only the root, so an entry of (6) is a short sum. The columns of a limb take the same operations, so
they are computed by the passes of a `repeat`.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import is_constant_zero
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import Array, Number, algorithm
from anthropi.figure import Figure
from anthropi.tape import repeat

__all__ = [
    "InverseFactor",
    "MassFactor",
    "dofs_above",
    "factor_mass_matrix",
    "inverse_factor",
    "inverse_from",
    "inverse_mass_matrix",
    "limbs",
    "multiply",
]


class MassFactor(NamedTuple):
    """Factors L and D of the mass matrix M = Lᵀ D L (1), over the free degrees of freedom.

    L : one {column: number} per row, without its diagonal of ones. reciprocal : 1/D. above : for each degree of freedom
    the free ones on the path from the root to it. free : numbers of the free degrees of freedom.
    """

    L: list[dict[int, Any]]
    reciprocal: list[Any]
    above: list[list[int]]
    free: tuple[int, ...]

    def forward(self, b: Array) -> list[Any]:
        """Return w = L⁻ᵀ b (nu,) by forward substitution (2). Entries that are always zero are the float 0.0."""
        free = set(self.free)
        w = [b[k] if k in free else 0.0 for k in range(len(self.L))]
        for k in reversed(self.free):
            if is_constant_zero(w[k]):
                continue
            for i in self.above[k]:
                w[i] = w[i] - w[k] * self.L[k][i]
        return w

    def product(self, w: list[Any], v: list[Any]) -> Number:
        """Return b M⁻¹ cᵀ (3), from w = forward(b) and v = forward(c)."""
        total: Any = 0.0
        for i in self.free:
            if not (is_constant_zero(w[i]) or is_constant_zero(v[i])):
                total = total + w[i] * (v[i] * self.reciprocal[i])
        return total

    def backward(self, w: list[Any]) -> list[Any]:
        """Return x = L⁻¹ D⁻¹ w (nu,) by back substitution (4); 0.0 at prescribed degrees of freedom."""
        x: list[Any] = [0.0] * len(self.L)
        for k in self.free:
            total = w[k] * self.reciprocal[k]
            for i in self.above[k]:
                total = total - self.L[k][i] * x[i]
            x[k] = total
        return x


def factor_mass_matrix(figure: Figure, M: Array, prescribed: Iterable[int] = ()) -> MassFactor:
    """Factor the mass matrix M (nu, nu) of a tree (1).

    prescribed : numbers of degrees of freedom to leave out.
    """
    held, n = set(prescribed), figure.nu
    above = [[i for i in path if i not in held] for path in dofs_above(figure)]
    free = tuple(k for k in range(n) if k not in held)
    left: list[dict[int, Any]] = [{i: M[k][i] for i in (*above[k], k)} for k in range(n)]
    L: list[dict[int, Any]] = [{} for _ in range(n)]
    reciprocal: list[Any] = [0.0] * n
    for k in reversed(free):
        reciprocal[k] = 1.0 / left[k][k]
        L[k] = {i: left[k][i] * reciprocal[k] for i in above[k]}
        for i in above[k]:
            for j in (*above[i], i):
                left[i][j] = left[i][j] - L[k][i] * left[k][j]
    return MassFactor(L, reciprocal, above, free)


def dofs_above(figure: Figure) -> list[list[int]]:
    """Return, for each degree of freedom, those on the path from the root to it."""
    to_link: list[list[int]] = []
    found: list[list[int]] = []
    for i, parent, joint in figure.outward():
        path = [] if parent < 0 else to_link[parent]
        own = list(range(figure.u_of[i].start, figure.u_of[i].stop))
        found += [path + own[:k] for k in range(joint.nu)]
        to_link.append(path + own)
    return found


@algorithm(q="nq")
def inverse_mass_matrix(figure: Figure, q: Array) -> Array:
    """Compute M(q)⁻¹, the accelerations that unit joint forces give.

    q (nq,) → (nu, nu), symmetric.
    """
    return inverse_from(inverse_factor(figure, mass_matrix(figure, q)))


class InverseFactor(NamedTuple):
    """Factors Y = L⁻¹ and D of the inverse mass matrix M⁻¹ = Y D⁻¹ Yᵀ (6).

    Y : one {column: number} per row, without its diagonal of ones. reciprocal, above : as in `MassFactor`.
    """

    Y: list[dict[int, Any]]
    reciprocal: list[Any]
    above: list[list[int]]


def inverse_factor(figure: Figure, M: Array) -> InverseFactor:
    """Factor M⁻¹ for the mass matrix M (nu, nu) of a tree (1), (5)."""
    L, reciprocal, above, _ = factor_mass_matrix(figure, M)  # (1)
    Y: list[dict[int, Any]] = []
    for k in range(figure.nu):
        row: dict[int, Any] = {}
        for i in above[k]:
            total = L[k][i]
            for m in above[k]:
                if m > i and i in Y[m]:
                    total = total + L[k][m] * Y[m][i]
            row[i] = -total  # (5)
        Y.append(row)
    return InverseFactor(Y, reciprocal, above)


def inverse_from(factor: InverseFactor) -> Array:
    """Return M⁻¹ (nu, nu) (6), limb by limb. Rows before a limb follow by symmetry."""
    Y, scale, above = factor
    n = len(Y)
    M: list[list[Any]] = [[0.0] * n for _ in range(n)]
    for limb in limbs(above):
        first = limb[0]
        path = [*above[first], *limb]
        rows = [[scale[j] if m == j else Y[j][m] * scale[m] if m in Y[j] else 0.0 for m in path] for j in limb]
        one = partial(_rows_from, factor, first, path)
        _, columns = repeat(one, np.zeros(n - first), len(limb), rows=np.array(rows), every=1)
        for j, column in zip(limb, columns, strict=True):
            for i in range(j, n):
                M[i][j] = M[j][i] = column[i - first]
    return np.array(M).reshape(n, n)


def _rows_from(factor: InverseFactor, first: int, path: list[int], _: Array, row: Array) -> Array:
    """Return Σ Y_im W_m over m on the path, for every i from `first` on (6)."""
    W = dict(zip(path, row, strict=True))
    return np.array([multiply(factor, i, W) for i in range(first, len(factor.Y))])


def multiply(factor: InverseFactor, i: int, W: dict[int, Any]) -> Number:
    """Return (Y W)_i = W_i + Σ Y_im W_m over m above i; W {number: value} contains the nonzero entries."""
    total = W.get(i, 0.0)
    for m in factor.above[i]:
        if m in W:
            total = total + factor.Y[i][m] * W[m]
    return total


def limbs(above: list[list[int]]) -> list[list[int]]:
    """Split the degrees of freedom into runs without a branch; all columns of a run have the same structure.

    above : for each degree of freedom, those on the path from the root to it.
    """
    children = [0] * len(above)
    for path in above:
        if path:
            children[path[-1]] += 1
    found: list[list[int]] = []
    for k, path in enumerate(above):
        if path and path[-1] == k - 1 and children[k - 1] == 1:
            found[-1].append(k)
        else:
            found.append([k])
    return found
