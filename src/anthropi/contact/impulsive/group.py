"""A group of conditions solved together: speeds, residual, one Gauss–Seidel sweep, one semi-smooth Newton step.

Velocities are expressed in coordinates y in which the inertia is 1 (`setup.py` (5)),

    v = v₀ + H y,   y = Σ Hᵀ P                                                                        (1)

A sweep goes through the conditions. For each it computes the impulse that satisfies this condition, with the impulses
of all others unchanged. The Newton step uses Coulomb's law in the form of Alart and Curnier, with p = P - ρ v and
e = p_t / |p_t|:

    open   p_n ≤ 0:          P = 0                                                                    (2)
    stick  |p_t| ≤ μ p_n:    v = 0                                                                    (3)
    slide  else:             v_n = 0,   P_t = μ p_n e                                                 (4)

Linearised, dP = -g - k dv. A condition v = 0 is softened to dP = -(ρ/ε)(v + dv). Redundant contacts require this, and
it reduces v by the factor ε. With κ = μ p_n / |p_t|, f ⟂ e, a = ρ/ε,

    stick:  k = a 1,   g = a v                                                                        (5)
    slide:  dP_n = -a (v_n + dv_n),
            dP_t = -(1 - κ f fᵀ)⁻¹ (P_t - μ p_n e) + μ e (dP_n - ρ dv_n) - ρ κ / (1 - κ) f fᵀ dv_t     (6)

and y changes by dy,

    (1 + Σ Hᵀ k H) dy = -Σ Hᵀ g,   dP = -g - k H dy                                                   (7)

The step is accepted only if it reduces the residual of the natural map. This also rejects steps with a bad pivot.

Reference: P. Alart and A. Curnier, "A mixed formulation for frictional contact problems prone to Newton like solution
methods", Comput. Methods Appl. Mech. Eng. 92 (1991) 353.
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import Array, absolute, is_constant_zero, less, less_equal, maximum, sqrt, where
from anthropi.contact.impulsive.conditions import MIN_DENOMINATOR, MIN_SQUARE, Condition
from anthropi.contact.impulsive.friction_cone import Local, clamped, local, natural, one_contact
from anthropi.contact.vectors import add_scaled, dot, products

__all__ = [
    "MIN_SLIDING_MARGIN",
    "Group",
    "Linear",
    "Member",
    "add_projected",
    "coordinates",
    "linearised",
    "local_problems",
    "make_group",
    "newton_step",
    "residual",
    "select",
    "select_impulses",
    "solve_dense",
    "solve_linearised",
    "speeds",
    "sweep",
    "try_newton",
]


MIN_SLIDING_MARGIN = 1e-6  # smallest 1 - κ, at the transition to sticking
SOFTENING = 1e-7, 1e-3  # range of ε, which is set to the tolerance so that float32 can reach it


class Linear(NamedTuple):
    """Linearised law dP = -g - k dv of one condition, with k = [[kn, 0], [m, T]] and T symmetric."""

    g: list[Any]
    kn: Any
    m: list[Any]
    T: list[Any]


def newton_step(group: Any, v: Array, P: Array) -> list[Any]:
    """Compute the Newton step dP of equation (7), one list per condition. v, P : current speeds and impulses."""
    return solve_linearised(group, linearised(group, v, P))


def linearised(group: Any, v: Array, P: Array) -> list["Linear"]:
    """Linearise all conditions by (5), (6). v, P : current speeds and impulses."""
    return [
        (_contact if c.size == 3 else _push)(c, x, w, group.soft) for c, x, w in zip(group.members, P, v, strict=True)
    ]


def solve_linearised(group: Any, lines: list["Linear"]) -> list[Any]:
    """Compute dP of equation (7) for linearised conditions, one list per condition."""
    conditions, H = group.members, group.H
    n = len(H[0][0])
    S = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    right: list[Any] = [0.0] * n
    for line, rows in zip(lines, H, strict=True):
        for factor, row in zip(line.g, rows, strict=True):
            right = add_scaled(right, -factor, row)
    for C, members in group.bases:
        add_projected(S, C, [(_matrix(lines[i], len(G)), G) for i, G in members])
    dy = solve_dense(S, right)
    found = []
    for c, line, rows in zip(conditions, lines, H, strict=True):
        dv = products(rows, dy)
        out = [-line.g[0] - line.kn * dv[0]]
        if c.size == 3:
            for i in (0, 1):
                pull = line.m[i] * dv[0] + line.T[i] * dv[1] + line.T[i + 1] * dv[2]
                out.append(-line.g[i + 1] - pull)
        found.append(out)
    return found


def _push(c, P, v, soft: float) -> Linear:
    """Linearise the contact law (2), (3) for a condition without friction."""
    closed = less(0.0, P[0] - c.rho * v[0])
    a = where(closed, c.rho / soft, 0.0)
    return Linear([where(closed, a * v[0], P[0])], a, [], [])


def _contact(c, P, v, soft: float) -> Linear:
    """Linearise Coulomb's law for a condition with friction by (5), (6); P = 0 (2) if the contact is open."""
    rho, mu = c.rho, c.friction
    pn = P[0] - rho * v[0]
    p1, p2 = P[1] - rho * v[1], P[2] - rho * v[2]
    size = sqrt(p1 * p1 + p2 * p2 + MIN_SQUARE)
    closed, stick = less(0.0, pn), less_equal(size, mu * pn)
    e1, e2 = p1 / size, p2 / size
    rim = where(closed, mu * pn, 0.0)
    kappa = rim / size
    stiff = 1.0 / where(stick, 1.0, maximum(1.0 - kappa, MIN_SLIDING_MARGIN))
    a = rho / soft
    m1, m2 = P[1] - rim * e1, P[2] - rim * e2
    f = (e1 * m2 - e2 * m1) * stiff  # along f = (-e2, e1)
    straight = e1 * m1 + e2 * m2 + mu * a * v[0]
    turn = rho * kappa * stiff
    slide_m = mu * (a + rho)

    def by_state(open_, sticks, slides):
        return where(closed, where(stick, sticks, slides), open_)

    g = [
        where(closed, a * v[0], P[0]),
        by_state(P[1], a * v[1], straight * e1 - f * e2),
        by_state(P[2], a * v[2], straight * e2 + f * e1),
    ]
    T = [by_state(0.0, a, turn * e2 * e2), by_state(0.0, 0.0, -turn * e1 * e2), by_state(0.0, a, turn * e1 * e1)]
    return Linear(g, where(closed, a, 0.0), [by_state(0.0, 0.0, slide_m * e1), by_state(0.0, 0.0, slide_m * e2)], T)


def _matrix(line: Linear, size: int) -> list[Any]:
    """Return the matrix k (size, size) of a linearised condition."""
    if size == 1:
        return [[line.kn]]
    return [[line.kn, 0.0, 0.0], [line.m[0], line.T[0], line.T[1]], [line.m[1], line.T[1], line.T[2]]]


def add_projected(S: Array, C: Array, members: Any) -> None:
    """Add Cᵀ (Σ Gᵀ k G) C to the matrix S, for the conditions of one basis with rows H = G C.

    members : pairs (k, G), one for each condition.
    """
    K: list[Any] = [[0.0] * len(C) for _ in C]
    for k, G in members:
        columns = list(zip(*G, strict=True))
        through = [[dot(row, column) for column in columns] for row in k]
        for i in range(len(C)):
            for row, there in zip(G, through, strict=True):
                K[i] = add_scaled(K[i], row[i], there)
    columns = list(zip(*C, strict=True))
    KC = [[dot(row, column) for column in columns] for row in K]
    for i, column in enumerate(columns):
        for x, row in zip(column, KC, strict=True):
            S[i] = add_scaled(S[i], x, row)


def solve_dense(S: Array, b: Array) -> list[Any]:
    """Solve S x = b by Gaussian elimination without pivoting; operations with constant zeros are skipped."""
    n, S, b = len(S), [list(row) for row in S], list(b)
    inverse = []
    for k in range(n):
        pivot = where(less(absolute(S[k][k]), MIN_DENOMINATOR), MIN_DENOMINATOR, S[k][k])
        inverse.append(1.0 / pivot)
        for i in range(k + 1, n):
            if is_constant_zero(S[i][k]):
                continue
            factor = S[i][k] * inverse[k]
            S[i] = [*S[i][: k + 1], *add_scaled(S[i][k + 1 :], -factor, S[k][k + 1 :])]
            b[i] = b[i] - factor * b[k]
    x: list[Any] = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (b[k] - dot(S[k][k + 1 :], x[k + 1 :])) * inverse[k]
    return x


class Member(NamedTuple):
    """One condition of a group: number of rows, coefficient of friction, and ρ = 1 / trace A."""

    size: int
    friction: Any
    rho: Any


class Group(NamedTuple):
    """Conditions that are solved together.

    members : one per condition. H : rows of each condition in the coordinates of the group. bases : for each basis its
    rows C of the Cholesky factor, and (member number, G) of its conditions, with H = G C. soft : ε of (5), (6).
    """

    members: list[Member]
    H: list[Any]
    bases: list[Any]
    soft: float


def make_group(conditions: list[Condition], C: dict[int, list[Any]], tolerance: float = 0.0) -> Group:
    """Make a group of conditions.

    C : {number of the basis: its rows of the group's Cholesky factor}. tolerance : [m/s] of the solve, which sets ε.
    """
    members, H = [], []
    bases: dict[int, tuple[Any, ...]] = {n: (rows, []) for n, rows in C.items()}
    for n, c in enumerate(conditions):
        columns = list(zip(*C[c.basis], strict=True))
        rows = [[dot(g, column) for column in columns] for g in c.G]
        members.append(Member(c.size, c.friction, 1.0 / (sum(dot(row, row) for row in rows) + MIN_DENOMINATOR)))
        H.append(rows)
        bases[c.basis][1].append((n, c.G))
    return Group(members, H, list(bases.values()), min(max(tolerance, SOFTENING[0]), SOFTENING[1]))


def local_problems(group: Group) -> list[Local | None]:
    """Compute the matrices of all conditions for `sweep`; None for conditions without friction."""
    return [
        local([[dot(a, b) for b in rows] for a in rows]) if m.size == 3 else None
        for m, rows in zip(group.members, group.H, strict=True)
    ]


def coordinates(group: Group, P: Array) -> list[Any]:
    """Compute the coordinates y = Σ Hᵀ P of a group for impulses P."""
    y: list[Any] = [0.0] * len(group.H[0][0])
    for rows, own in zip(group.H, P, strict=True):
        for row, a in zip(rows, own, strict=True):
            y = add_scaled(y, a, row)
    return y


def speeds(group: Group, v0: Array, y: Array) -> list[Any]:
    """Compute the speeds v = v₀ + H y of a group, one list per condition."""
    return [
        [a + b for a, b in zip(base, products(rows, y), strict=True)] for base, rows in zip(v0, group.H, strict=True)
    ]


def residual(group: Group, P: Array, v: Array) -> Any:
    """Compute the largest residual [m/s] of the conditions of a group, by the natural map."""
    worst: Any = 0.0
    for m, x, w in zip(group.members, P, v, strict=True):
        if m.size == 3:
            off = natural(m.rho, m.friction, x, w)
        else:
            off = absolute(x[0] - maximum(x[0] - m.rho * w[0], 0.0)) / m.rho
        worst = maximum(worst, off)
    return worst


def sweep(group: Group, own: Any, v0: Array, y: Array, P: Array, part: Array = 1.0) -> tuple[list[Any], list[Any]]:
    """Return impulses P and coordinates y after one Gauss–Seidel sweep over a group.

    own : result of `local_problems`. part : share of each change that is applied (under-relaxation).
    """
    after = []
    for m, A, base, rows, x in zip(group.members, own, v0, group.H, P, strict=True):
        v = [a + dot(row, y) for a, row in zip(base, rows, strict=True)]
        new = one_contact(A, m.friction, x, v) if A else [maximum(x[0] - m.rho * v[0], 0.0)]
        step = [part * (a - b) for a, b in zip(new, x, strict=True)]
        for row, d in zip(rows, step, strict=True):
            y = add_scaled(y, d, row)
        after.append([a + d for a, d in zip(x, step, strict=True)])
    return after, y


def try_newton(group: Group, v0: Array, y: Array, P: Array, off: Array) -> tuple[list[Any], list[Any], Any]:
    """Try a Newton step: return P, y and residual after it if the residual is below `off`, else return the old ones."""
    step = newton_step(group, speeds(group, v0, y), P)
    there, x, here = _along(group, v0, y, P, step)
    better = less(here, off)
    return select_impulses(better, there, P), select(better, x, y), where(better, here, off)


def _along(group: Group, v0, y, P, step):
    """Compute P + step, moved into the friction cones, with its coordinates y and its residual."""
    there = []
    for m, x, w in zip(group.members, P, step, strict=True):
        out = [a + b for a, b in zip(x, w, strict=True)]
        there.append(clamped(m.friction, out) if m.size == 3 else [maximum(out[0], 0.0)])
    for rows, new, old in zip(group.H, there, P, strict=True):
        for row, a, b in zip(rows, new, old, strict=True):
            y = add_scaled(y, a - b, row)
    return there, y, residual(group, there, speeds(group, v0, y))


def select(mask: Array, a: Array, b: Array) -> list[Any]:
    """Return the elements of a where the mask is true, of b elsewhere."""
    return [where(mask, x, y) for x, y in zip(a, b, strict=True)]


def select_impulses(mask: Array, P: Array, Q: Array) -> list[Any]:
    """Return the impulses P where the mask is true, Q elsewhere; each is one list per condition."""
    return [select(mask, x, y) for x, y in zip(P, Q, strict=True)]
