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

Articulated
-----------
The same as Setup, for a few links that touch the world alone: straight from the articulated bodies.

The inverse inertias Ω (algorithms/operational_space.py) of the links that touch are A of their twists, in link frames;
no mass matrix, no elimination. What a touch does is known in the frame of its link: with s the point and d a direction
there,

    speed along d:   [s × d; d] · [ω; v]                                       (5)
    A = Ω = C Cᵀ,   Δu = `change` of the wrenches Σ Gᵀ P                       (6)

Setup
-----
What one solve needs, from touches and further rows: conditions, halves, speeds without impulses; and back to u.

Δz = Qᵀ α + Σ hᵀ F,   F = Σ Gᵀ P  on each basis                                                   (1)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import is_constant_zero, less, maximum, sqrt, where
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.operational_space import OperationalSpace
from anthropi.contact.contacts import tangents
from anthropi.contact.impulsive.conditions import Basis, Condition, contact_conditions, further_conditions
from anthropi.contact.vectors import add_scaled, dot, products

__all__ = [
    "Articulated",
    "Bilateral",
    "Setup",
    "articulated_setup",
    "axes_of",
    "change_of_speed",
    "orthonormal",
    "scaled_halves",
    "set_up",
    "suits",
    "triangle",
    "triangle_of",
]


DEPENDENT, NOTHING = 1e-11, 1e-22  # squared sines, as in constraints/loops/multipliers.py


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
            h = add_scaled(h, -part, q)
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
    return [[x if is_constant_zero(x) else x * sqrt(r) for x, r in zip(tree.forward(row), tree.reciprocal, strict=True)]
            for row in rows]  # fmt: skip


def change_of_speed(tree, dz) -> list:
    """Δu of Δz (1)."""
    du: list = [0.0] * len(dz)
    for k in tree.free:
        total = 0.0 if is_constant_zero(dz[k]) else dz[k] * sqrt(tree.reciprocal[k])
        for i in tree.above[k]:
            if not is_constant_zero(du[i]):
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
            rest = add_scaled(rest, -parts[-1], q)
        size, left = dot(row, row), dot(rest, rest)
        kept = less(DEPENDENT * size, left)
        inverse = where(kept, 1.0 / sqrt(where(kept, left, 1.0)), 0.0)
        Q.append([x if is_constant_zero(x) else x * inverse for x in rest])
        R.append(parts)
        inverses.append(inverse)
    return Bilateral(Q, R, inverses)


def triangle(halves) -> list:
    """C of (4), rows of equal length; columns of rows that depend on those before are 0."""
    n = len(halves)
    if all(len(row) == n and all(is_constant_zero(x) for x in row[i + 1 :]) for i, row in enumerate(halves)):
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
            C[i][j] = 0.0 if is_constant_zero(rest) else rest * inverse
    return C


MOST = 4  # links that touch


class Articulated(NamedTuple):
    """`Setup` by articulated bodies. links : those that touch, one basis each. q (nq,)."""

    response: OperationalSpace
    q: Any
    links: list[int]
    conditions: list[Condition]
    halves: list
    held: tuple[int, ...] = ()  # no bilateral rows
    bilateral: Any = None

    @property
    def size(self) -> int:
        """How many velocities the figure has."""
        return self.response.figure.nu

    def speeds(self, u) -> list:
        """What u (nu,) gives, one list a condition (5)."""
        k = kinematics(self.response.figure, self.q, np.asarray(u))
        back = {i: transpose(k.rotation[i]) for i in self.links}
        V = [[*matvec(back[i], k.angular_velocity[i]), *matvec(back[i], k.velocity[i])] for i in self.links]
        return [products(c.G, V[c.basis]) for c in self.conditions]

    def change(self, impulses, alpha) -> tuple[list, list]:
        """Δu (nu,) (6); no bilateral rows."""
        F: list = [[0.0] * 6 for _ in self.links]
        for c, own in zip(self.conditions, impulses, strict=True):
            for g, x in zip(c.G, own, strict=True):
                F[c.basis] = add_scaled(F[c.basis], x, g)
        return list(self.response.acceleration_change({i: np.array(f) for i, f in zip(self.links, F, strict=True)})), []


def suits(scene) -> bool:
    """Whether a few links touch the world alone."""
    links = {c.a for c in scene.candidates}
    return 0 < len(links) <= MOST and all(c.b < 0 for c in scene.candidates)


def articulated_setup(response: OperationalSpace, k, q, contacts, axes, rough: bool) -> Articulated:
    """axes : (3, 3) a touch: normal and tangents, world. rough : whether there is friction."""
    links = sorted({contact.a for contact in contacts})
    conditions = []
    for n, contact in enumerate(contacts):
        friction = contact.material.friction if rough else 0.0
        smooth = is_constant_zero(friction)
        back = transpose(k.rotation[contact.a])
        own = [matvec(back, d) for d in (axes[n][:1] if smooth else axes[n])]
        G = [[*np.cross(contact.local, d), *d] for d in own]  # (5)
        conditions.append(Condition(n, links.index(contact.a), G, None if smooth else friction, axes[n]))
    answers = response.inverse_inertias(links)
    n = 6 * len(links)
    A = [[answers[i // 6][j // 6][i % 6, j % 6] for j in range(i + 1)] for i in range(n)]
    C = triangle_of(A)
    return Articulated(response, q, links, conditions, [C[6 * i : 6 * i + 6] for i in range(len(links))])


class Setup(NamedTuple):
    """bases, halves without their part along the bilateral rows, that part (`along`), and those rows (`held`)."""

    tree: Any
    bases: list[Basis]
    conditions: list[Condition]
    halves: list
    along: list
    bilateral: Bilateral
    held: list[int]

    @property
    def size(self) -> int:
        """How many velocities the figure has."""
        return len(self.tree.L)

    def speeds(self, u) -> list:
        """What u (nu,) gives, one list a condition."""
        V = [products(basis.rows, u) for basis in self.bases]
        return [products(c.G, V[c.basis]) for c in self.conditions]

    def drawn(self, alpha) -> list:
        """What meeting the bilateral rows adds to that."""
        V = [[dot(part, alpha) for part in parts] for parts in self.along]
        return [products(c.G, V[c.basis]) for c in self.conditions]

    def change(self, impulses, alpha) -> tuple[list, list]:
        """(1): Δu (nu,), and the impulses of the bilateral rows."""
        F = [[0.0] * len(basis.rows) for basis in self.bases]
        for c, own in zip(self.conditions, impulses, strict=True):
            for g, x in zip(c.G, own, strict=True):
                F[c.basis] = add_scaled(F[c.basis], x, g)
        dz: list = [0.0] * len(self.tree.L)
        beta = list(alpha)
        for a, q in zip(alpha, self.bilateral.Q, strict=True):
            dz = add_scaled(dz, a, q)
        for rows, parts, own in zip(self.halves, self.along, F, strict=True):
            for row, part, f in zip(rows, parts, own, strict=True):
                dz = add_scaled(dz, f, row)
                beta = add_scaled(beta, -f, part)
        return change_of_speed(self.tree, dz), self.bilateral.impulses(beta)


def set_up(scene, k, q, tree, contacts, more, rough: bool) -> Setup | Articulated:
    """Take touches and further rows (`Rows` or None) through the inertia of the tree.

    tree : a `MassFactor`, or an `OperationalSpace` where a few links touch the world alone (`setup.py`).
    q (nq,) may be None for figures whose joints' axes do not depend on their own coordinates.
    """
    if isinstance(tree, OperationalSpace):
        return articulated_setup(tree, k, q, contacts, [axes_of(t.normal) for t in contacts], rough)
    bases: list[Basis] = []
    conditions: list[Condition] = []
    if contacts:
        q = np.full(scene.figure.nq, None) if q is None else q
        axes = [axes_of(t.normal) for t in contacts]
        bases, conditions = contact_conditions(scene.figure, k, q, contacts, axes, rough)
    held: list[int] = []
    if more is not None:
        own = further_conditions(more, len(bases))
        bases, conditions = bases + own[0], conditions + own[1]
        held = [n for n, one_sided in enumerate(more.unilateral) if not one_sided]
    bilateral = orthonormal(scaled_halves(tree, [more.jacobian[n] for n in held]) if held else [])
    halves, along = [], []
    for basis in bases:
        whole = scaled_halves(tree, basis.rows)
        along.append([bilateral.along(h) for h in whole])
        halves.append([bilateral.rest(h, part) for h, part in zip(whole, along[-1], strict=True)])
    return Setup(tree, bases, conditions, halves, along, bilateral, held)


def axes_of(normal):
    """(3, 3): a unit normal and two tangents, rows; constants stay constants."""
    return np.stack([normal, *tangents(normal)])
