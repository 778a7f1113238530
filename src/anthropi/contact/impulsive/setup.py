"""Transformation of contact conditions to coordinates with unit inertia, with bilateral rows satisfied exactly.

With M = Lᵀ D L (`algorithms/cholesky.py`) and z = D^½ L u the inertia is 1:

    a row j becomes h = j L⁻¹ D^-½,   j u = h z,   M Δu = jᵀ P  ⇔  Δz = hᵀ P                          (1)

Bilateral rows B z = r are satisfied first, with B = R Q and Q orthonormal (Gram–Schmidt). A row within 3e-6 of the span
of the previous rows is left out. The bilateral rows stay satisfied if the part along Q is removed from all other rows:

    z₀ = z + Qᵀ α,   R α = r - B z,   h → h - (h Qᵀ) Q                                                (2)
    Rᵀ Λ = α - Σ (Q hᵀ) F     their impulses, F those on the bases                                    (3)
    Δz = Qᵀ α + Σ hᵀ F,   F = Σ Gᵀ P on each basis                                                    (4)

The remaining rows of a group of bases have A = h hᵀ = C Cᵀ, with C lower triangular. In the coordinates y of the group,
with v = C y, the inertia is 1 again:

    H = G C,   v = v₀ + H y,   y = Σ Hᵀ P                                                             (5)

If only a few links make contact, and only with the world, `Articulated` uses the inverse inertias Ω of these links
(`algorithms/operational_space.py`). Ω is A for the twists of the links in link frames. No mass matrix is computed. With
the point s and a direction d in the frame of the link,

    speed along d:   [s × d; d] · [ω; v]                                                              (6)
    A = Ω = C Cᵀ,   Δu = `acceleration_change` of the wrenches Σ Gᵀ P                                 (7)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import Array, is_constant_zero, less, maximum, sqrt, where
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.operational_space import OperationalSpace
from anthropi.contact.geometry.contacts import tangents
from anthropi.contact.impulsive.conditions import Basis, Condition, contact_conditions, further_conditions
from anthropi.contact.vectors import add_scaled, combine, dot, products

__all__ = [
    "Articulated",
    "Bilateral",
    "Setup",
    "articulated_setup",
    "axes_of",
    "change_of_speed",
    "cholesky",
    "cholesky_of_rows",
    "forward_substituted",
    "orthonormal",
    "set_up",
    "suits",
]


DEPENDENT, NEGLIGIBLE = 1e-11, 1e-22  # squared sines of dependent rows, as in constraints/loops/multipliers.py
MAX_ARTICULATED_LINKS = 4  # largest number of links in contact for which `Articulated` costs less


class Bilateral(NamedTuple):
    """Bilateral rows in the factors of equation (2).

    Q : (m, nu) orthonormal rows. R : rows of R below its diagonal. inverses : reciprocals of the diagonal of R, 0 for
    rows that are left out.
    """

    Q: list[Any]
    R: list[Any]
    inverses: list[Any]

    def start(self, errors: Array) -> list[Any]:
        """Compute α of equation (2) for the errors r - B z."""
        alpha: list[Any] = []
        for row, inverse, error in zip(self.R, self.inverses, errors, strict=True):
            alpha.append((error - dot(row, alpha)) * inverse)
        return alpha

    def along(self, h: Array) -> list[Any]:
        """Compute the components h Qᵀ of a row h along Q."""
        return [dot(h, q) for q in self.Q]

    def remainder(self, h: Array, along: Array) -> list[Any]:
        """Return a row h without its part along Q."""
        for part, q in zip(along, self.Q, strict=True):
            h = add_scaled(h, -part, q)
        return h

    def impulses(self, beta: Array) -> list[Any]:
        """Compute the impulses Λ of the bilateral rows from Rᵀ Λ = β (3)."""
        m = len(self.Q)
        found: list[Any] = [0.0] * m
        for j in reversed(range(m)):
            total = beta[j]
            for i in range(j + 1, m):
                total = total - self.R[i][j] * found[i]
            found[j] = total * self.inverses[j]
        return found


def forward_substituted(tree: Any, rows: Array) -> list[Any]:
    """Compute h of equation (1) for each row (nu,), by forward substitution."""
    return [
        [x if is_constant_zero(x) else x * sqrt(r) for x, r in zip(tree.forward(row), tree.reciprocal, strict=True)]
        for row in rows
    ]


def change_of_speed(tree: Any, dz: Array) -> list[Any]:
    """Compute the change of velocity Δu (nu,) for a change Δz in equation (1), by back substitution."""
    du: list[Any] = [0.0] * len(dz)
    for k in tree.free:
        total = 0.0 if is_constant_zero(dz[k]) else dz[k] * sqrt(tree.reciprocal[k])
        for i in tree.above[k]:
            if not is_constant_zero(du[i]):
                total = total - tree.L[k][i] * du[i]
        du[k] = total
    return du


def orthonormal(rows: Array) -> Bilateral:
    """Compute Q and R of equation (2) for the bilateral rows h (m, nu)."""
    Q: list[Any] = []
    R: list[Any] = []
    inverses: list[Any] = []
    for row in rows:
        parts, remainder = [], row
        for q in Q:
            parts.append(dot(remainder, q))
            remainder = add_scaled(remainder, -parts[-1], q)
        size, left = dot(row, row), dot(remainder, remainder)
        kept = less(DEPENDENT * size, left)
        inverse = where(kept, 1.0 / sqrt(where(kept, left, 1.0)), 0.0)
        Q.append([x if is_constant_zero(x) else x * inverse for x in remainder])
        R.append(parts)
        inverses.append(inverse)
    return Bilateral(Q, R, inverses)


def cholesky_of_rows(factors: Array) -> list[Any]:
    """Compute the lower triangular C with C Cᵀ = h hᵀ for rows h of equal length.

    If a row depends linearly on the previous rows, its column of C is 0.
    """
    n = len(factors)
    if all(len(row) == n and all(is_constant_zero(x) for x in row[i + 1 :]) for i, row in enumerate(factors)):
        return factors  # lower triangular already
    return cholesky([[dot(factors[i], factors[j]) for j in range(i + 1)] for i in range(n)])


def cholesky(A: Array) -> list[Any]:
    """Compute the Cholesky factor C of A = C Cᵀ, with A given by the rows of its lower triangle."""
    n = len(A)
    largest: Any = A[0][0]
    for i in range(1, n):
        largest = maximum(largest, A[i][i])
    C: list[Any] = [[0.0] * n for _ in range(n)]
    for j in range(n):
        left = A[j][j] - dot(C[j][:j], C[j][:j])
        kept = less(DEPENDENT * A[j][j] + NEGLIGIBLE * largest, left)
        root = sqrt(where(kept, left, 1.0))
        inverse = where(kept, 1.0 / root, 0.0)
        C[j][j] = where(kept, root, 0.0)
        for i in range(j + 1, n):
            remainder = A[i][j] - dot(C[i][:j], C[j][:j])
            C[i][j] = 0.0 if is_constant_zero(remainder) else remainder * inverse
    return C


class Articulated(NamedTuple):
    """Contact conditions of a few links with the world, set up without a mass matrix by equations (6) and (7).

    Has the same methods as `Setup`. links : numbers of the links in contact, with one basis each. q : (nq,).
    """

    response: OperationalSpace
    q: Any
    links: list[int]
    conditions: list[Condition]
    factors: list[Any]
    bilateral_rows: tuple[int, ...] = ()  # no bilateral rows
    bilateral: Any = None

    @property
    def size(self) -> int:
        """Number nu of velocities."""
        return self.response.figure.nu

    def speeds(self, u: Array) -> list[Any]:
        """Compute the speeds of all conditions for velocities u (nu,), one list per condition."""
        k = kinematics(self.response.figure, self.q, np.asarray(u))
        back = {i: transpose(k.rotation[i]) for i in self.links}
        V = [[*matvec(back[i], k.angular_velocity[i]), *matvec(back[i], k.velocity[i])] for i in self.links]
        return [products(c.G, V[c.basis]) for c in self.conditions]

    def change(self, impulses: Array, alpha: Array) -> tuple[list[Any], list[Any]]:
        """Compute the change of velocity Δu (nu,) by equation (7); the list of bilateral impulses is empty."""
        F: list[Any] = [[0.0] * 6 for _ in self.links]
        for c, own in zip(self.conditions, impulses, strict=True):
            for g, x in zip(c.G, own, strict=True):
                F[c.basis] = add_scaled(F[c.basis], x, g)
        return list(self.response.acceleration_change({i: np.array(f) for i, f in zip(self.links, F, strict=True)})), []


def suits(scene: Any) -> bool:
    """Whether `Articulated` can be used: only a few links make contact, and only with the world."""
    links = {c.a for c in scene.candidates}
    return 0 < len(links) <= MAX_ARTICULATED_LINKS and all(c.b < 0 for c in scene.candidates)


def articulated_setup(
    response: OperationalSpace, k: Any, q: Array, contacts: list[Any], axes: Any, with_friction: bool
) -> Articulated:
    """Set up the conditions of contacts with the world, by equations (6) and (7).

    Parameters as in `contact_conditions`.
    """
    links = sorted({contact.a for contact in contacts})
    conditions = []
    for n, contact in enumerate(contacts):
        friction = contact.material.friction if with_friction else 0.0
        smooth = is_constant_zero(friction)
        back = transpose(k.rotation[contact.a])
        own = [matvec(back, d) for d in (axes[n][:1] if smooth else axes[n])]
        G = [[*np.cross(contact.local, d), *d] for d in own]  # (6)
        conditions.append(Condition(n, links.index(contact.a), G, None if smooth else friction, axes[n]))
    answers = response.inverse_inertias(links)
    n = 6 * len(links)
    A = [[answers[i // 6][j // 6][i % 6, j % 6] for j in range(i + 1)] for i in range(n)]
    C = cholesky(A)
    return Articulated(response, q, links, conditions, [C[6 * i : 6 * i + 6] for i in range(len(links))])


class Setup(NamedTuple):
    """Contact conditions and further rows, set up with the factors of the mass matrix.

    bases : rows of each basis. factors : h of these rows, without their part along the bilateral rows. along : that
    part. bilateral_rows : numbers of the bilateral rows among the further rows.
    """

    tree: Any
    bases: list[Basis]
    conditions: list[Condition]
    factors: list[Any]
    along: list[Any]
    bilateral: Bilateral
    bilateral_rows: list[int]
    sizes: list[Any]  # |h|² of the rows of each basis, with their part along the bilateral rows

    def movable(self, c: Condition) -> Any:
        """Whether an impulse along the normal can change the speed of a condition; false if loops hold it in place."""
        half = combine(c.G[0], self.factors[c.basis])
        bound: Any = 0.0
        for g, size in zip(c.G[0], self.sizes[c.basis], strict=True):
            bound = bound + g * g * size
        return less(DEPENDENT * bound, dot(half, half))

    @property
    def size(self) -> int:
        """Number nu of velocities."""
        return len(self.tree.L)

    def speeds(self, u: Array) -> list[Any]:
        """Compute the speeds of all conditions for velocities u (nu,), one list per condition."""
        V = [products(basis.rows, u) for basis in self.bases]
        return [products(c.G, V[c.basis]) for c in self.conditions]

    def bilateral_speeds(self, alpha: Array) -> list[Any]:
        """Compute the speeds that the bilateral rows add to each condition, one list per condition."""
        V = [[dot(part, alpha) for part in parts] for parts in self.along]
        return [products(c.G, V[c.basis]) for c in self.conditions]

    def change(self, impulses: Array, alpha: Array) -> tuple[list[Any], list[Any]]:
        """Compute the change of velocity Δu (nu,) by equation (4), and the impulses of the bilateral rows."""
        F = [[0.0] * len(basis.rows) for basis in self.bases]
        for c, own in zip(self.conditions, impulses, strict=True):
            for g, x in zip(c.G, own, strict=True):
                F[c.basis] = add_scaled(F[c.basis], x, g)
        dz: list[Any] = [0.0] * len(self.tree.L)
        beta = list(alpha)
        for a, q in zip(alpha, self.bilateral.Q, strict=True):
            dz = add_scaled(dz, a, q)
        for rows, parts, own in zip(self.factors, self.along, F, strict=True):
            for row, part, f in zip(rows, parts, own, strict=True):
                dz = add_scaled(dz, f, row)
                beta = add_scaled(beta, -f, part)
        return change_of_speed(self.tree, dz), self.bilateral.impulses(beta)


def set_up(
    scene: Any, k: Any, q: Array, tree: Any, contacts: list[Any], more: Any, with_friction: bool
) -> Setup | Articulated:
    """Set up the conditions of contacts and further rows, for the computation of impulses.

    Parameters
    ----------
    k : kinematics of the figure.
    q : (nq,) configuration; may be None if no joint has axes that depend on its own coordinates.
    tree : a `MassFactor`, or an `OperationalSpace` if `suits(scene)`.
    more : further rows (`Rows`), or None.
    with_friction : False to leave out friction.
    """
    if isinstance(tree, OperationalSpace):
        return articulated_setup(tree, k, q, contacts, [axes_of(t.normal) for t in contacts], with_friction)
    bases: list[Basis] = []
    conditions: list[Condition] = []
    if contacts:
        q = np.full(scene.figure.nq, None) if q is None else q
        axes = [axes_of(t.normal) for t in contacts]
        bases, conditions = contact_conditions(scene.figure, k, q, contacts, axes, with_friction)
    bilateral_rows: list[int] = []
    if more is not None:
        own = further_conditions(more, len(bases))
        bases, conditions = bases + own[0], conditions + own[1]
        bilateral_rows = [n for n, one_sided in enumerate(more.unilateral) if not one_sided]
    bilateral = orthonormal(
        forward_substituted(tree, [more.jacobian[n] for n in bilateral_rows]) if bilateral_rows else []
    )
    factors, along, sizes = [], [], []
    for basis in bases:
        whole = forward_substituted(tree, basis.rows)
        sizes.append([dot(h, h) for h in whole])
        along.append([bilateral.along(h) for h in whole])
        factors.append([bilateral.remainder(h, part) for h, part in zip(whole, along[-1], strict=True)])
    return Setup(tree, bases, conditions, factors, along, bilateral, bilateral_rows, sizes)


def axes_of(normal: Array) -> np.ndarray:
    """Return a unit normal (3,) and two tangents as rows (3, 3)."""
    return np.stack([normal, *tangents(normal)])
