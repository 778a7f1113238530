"""How do rows of a Jacobian act through the inertia of a tree? Half of M⁻¹, without fill-in.

Degrees of freedom are eliminated from the leaves inwards, as the articulated-body algorithm does (Featherstone, Rigid
Body Dynamics Algorithms, 6.5); `above` k are those on the way from k to the root:

    M = Lᵀ D L,   L_kk = 1,   L_ki ≠ 0 only for i above k                                             (1)
    half of a row j:   w = j L⁻¹,   w_i = j_i - Σ w_k L_ki  over k beyond i                           (2)
    j M⁻¹ kᵀ = Σ_i w_i v_i / D_i   for halves w of j and v of k                                       (3)
    M⁻¹ x = L⁻¹ D⁻¹ (half of x),   y_k = z_k - Σ L_ki y_i  over i above k                             (4)

The row of a loop between two limbs is not zero only on these, so neither is its half. Degrees of freedom that are
prescribed are left out of all of it.
"""

from typing import NamedTuple

from anthropi.algebra.scalar import nothing

__all__ = ["Elimination", "dofs_above", "eliminate"]


class Elimination(NamedTuple):
    """L as one {column: number} a row, without its diagonal of ones; 1/D; and the free ones above each (1)."""

    L: list[dict]
    reciprocal: list
    above: list[list[int]]
    free: tuple[int, ...]

    def half(self, row) -> list:
        """(2), (nu,): 0.0 where it is by structure."""
        w = [row[k] if k in self._members else 0.0 for k in range(len(self.L))]
        for k in reversed(self.free):
            if nothing(w[k]):
                continue
            for i in self.above[k]:
                w[i] = w[i] - w[k] * self.L[k][i]
        return w

    def product(self, w, v):
        """(3)"""
        total = 0.0
        for i in self.free:
            if not (nothing(w[i]) or nothing(v[i])):
                total = total + w[i] * (v[i] * self.reciprocal[i])
        return total

    def spread(self, z) -> list:
        """(4): M⁻¹ x (nu,) from the half of x; 0.0 at what is prescribed."""
        y: list = [0.0] * len(self.L)
        for k in self.free:
            total = z[k] * self.reciprocal[k]
            for i in self.above[k]:
                total = total - self.L[k][i] * y[i]
            y[k] = total
        return y

    @property
    def _members(self) -> set[int]:
        return set(self.free)


def eliminate(figure, M, prescribed=()) -> Elimination:
    """Factor the inertia M (nu, nu) of the tree (1), over the degrees of freedom that are not prescribed (numbers)."""
    held, n = set(prescribed), figure.nu
    above = [[i for i in way if i not in held] for way in dofs_above(figure)]
    free = tuple(k for k in range(n) if k not in held)
    left: list[dict] = [{i: M[k][i] for i in (*above[k], k)} for k in range(n)]
    L: list[dict] = [{} for _ in range(n)]
    reciprocal: list = [0.0] * n
    for k in reversed(free):
        reciprocal[k] = 1.0 / left[k][k]
        L[k] = {i: left[k][i] * reciprocal[k] for i in above[k]}
        for i in above[k]:
            for j in (*above[i], i):
                left[i][j] = left[i][j] - L[k][i] * left[k][j]
    return Elimination(L, reciprocal, above, free)


def dofs_above(figure) -> list[list[int]]:
    """For each degree of freedom those on its way to the root, from the root on."""
    to_link: list[list[int]] = []
    found: list[list[int]] = []
    for i, parent, joint in figure.outward():
        way = [] if parent < 0 else to_link[parent]
        own = list(range(figure.u_of[i].start, figure.u_of[i].stop))
        found += [way + own[:k] for k in range(joint.nu)]
        to_link.append(way + own)
    return found
