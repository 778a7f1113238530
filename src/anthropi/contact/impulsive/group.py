"""One group of conditions: its speeds, how far it is from the law, a sweep over it, a Newton step.

v = v₀ + H y,   y = Σ Hᵀ P          (`halves.py`)                                                 (1)
sweep: one condition after another takes the impulse that is right for it, the others as they are (`cone.py`)   (2)
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import absolute, less, maximum, where
from anthropi.contact.impulsive.cone import Local, clamped, local, natural, one_contact
from anthropi.contact.impulsive.newton import newton_step
from anthropi.contact.impulsive.rows import Condition
from anthropi.contact.impulsive.sparse import added, dot, turned

__all__ = [
    "Group",
    "Member",
    "choose",
    "chosen",
    "improved",
    "locals_of",
    "make_group",
    "moved",
    "residual",
    "speeds",
    "swept",
]

TINY = 1e-30
SOFT = 1e-7, 1e-3  # ε follows the tolerance, so that coarse numbers (float32) bear it


class Member(NamedTuple):
    """A condition in its group: `size` rows, friction, the scale ρ = 1 / trace A."""

    size: int
    friction: Any
    rho: Any


class Group(NamedTuple):
    """members, and H (one list of rows each) in the group's coordinates.

    bases : for each basis its rows C of the triangle, and (member, G) of its conditions: H = G C.
    soft : ε of `newton.py`.
    """

    members: list[Member]
    H: list
    bases: list
    soft: float


def make_group(conditions: list[Condition], C: dict[int, list], tolerance: float = 0.0) -> Group:
    """C : {basis: its rows of the group's triangle}."""
    members, H = [], []
    bases: dict[int, tuple] = {n: (rows, []) for n, rows in C.items()}
    for n, c in enumerate(conditions):
        columns = list(zip(*C[c.basis], strict=True))
        rows = [[dot(g, column) for column in columns] for g in c.G]
        members.append(Member(c.size, c.friction, 1.0 / (sum(dot(row, row) for row in rows) + TINY)))
        H.append(rows)
        bases[c.basis][1].append((n, c.G))
    return Group(members, H, list(bases.values()), min(max(tolerance, SOFT[0]), SOFT[1]))


def locals_of(group: Group) -> list[Local | None]:
    """What the sweeps need of each condition."""
    return [local([[dot(a, b) for b in rows] for a in rows]) if m.size == 3 else None
            for m, rows in zip(group.members, group.H, strict=True)]  # fmt: skip


def moved(group: Group, P) -> list:
    """y of P (1)."""
    y: list = [0.0] * len(group.H[0][0])
    for rows, own in zip(group.H, P, strict=True):
        for row, a in zip(rows, own, strict=True):
            y = added(y, a, row)
    return y


def speeds(group: Group, v0, y) -> list:
    """(1), one list a condition."""
    return [[a + b for a, b in zip(base, turned(rows, y), strict=True)] for base, rows in zip(v0, group.H, strict=True)]


def residual(group: Group, P, v):
    """The largest distance from the natural map [m/s]."""
    worst: Any = 0.0
    for m, x, w in zip(group.members, P, v, strict=True):
        if m.size == 3:
            off = natural(m.rho, m.friction, x, w)
        else:
            off = absolute(x[0] - maximum(x[0] - m.rho * w[0], 0.0)) / m.rho
        worst = maximum(worst, off)
    return worst


def swept(group: Group, own, v0, y, P, part=1.0) -> tuple[list, list]:
    """P and y after one sweep (2); each condition goes a part of its way. own : see `locals_of`."""
    after = []
    for m, A, base, rows, x in zip(group.members, own, v0, group.H, P, strict=True):
        v = [a + dot(row, y) for a, row in zip(base, rows, strict=True)]
        new = one_contact(A, m.friction, x, v) if A else [maximum(x[0] - m.rho * v[0], 0.0)]
        way = [part * (a - b) for a, b in zip(new, x, strict=True)]
        for row, d in zip(rows, way, strict=True):
            y = added(y, d, row)
        after.append([a + d for a, d in zip(x, way, strict=True)])
    return after, y


def improved(group: Group, v0, y, P, off):
    """P, y and what is off after a Newton step from there, if that is better; else as they are."""
    way = newton_step(group, speeds(group, v0, y), P)
    there, x, now = _along(group, v0, y, P, way)
    better = less(now, off)
    return chosen(better, there, P), choose(better, x, y), where(better, now, off)


def _along(group: Group, v0, y, P, way):
    """P + way, in the cones; its y, and what is off there."""
    there = []
    for m, x, w in zip(group.members, P, way, strict=True):
        out = [a + b for a, b in zip(x, w, strict=True)]
        there.append(clamped(m.friction, out) if m.size == 3 else [maximum(out[0], 0.0)])
    for rows, new, old in zip(group.H, there, P, strict=True):
        for row, a, b in zip(rows, new, old, strict=True):
            y = added(y, a - b, row)
    return there, y, residual(group, there, speeds(group, v0, y))


def choose(mask, a, b) -> list:
    """a where the mask holds, b elsewhere, number by number."""
    return [where(mask, x, y) for x, y in zip(a, b, strict=True)]


def chosen(mask, P, Q) -> list:
    """The same for one list a condition."""
    return [choose(mask, x, y) for x, y in zip(P, Q, strict=True)]
