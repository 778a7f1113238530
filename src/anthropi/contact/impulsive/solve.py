"""Which impulses meet all conditions together? Gauss–Seidel sweeps with Newton steps between, until nothing is off.

Few bases (`COUPLED` rows at most) are one group: a Newton step from the last impulses, which is all it takes as long as
every contact goes on as it was, then passes of a sweep and a Newton step; what these leave, an interior-point method
takes (`interior.py`). Many bases (piles) are one group each, visited in
turn; what a group does to the others goes through z (`halves.py`):

    v₀ = b + G B z,   z += Bᵀ Gᵀ ΔP                                                                   (1)

A pass that finds no group off by more than the tolerance is the last.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, less_equal, maximum, where
from anthropi.contact.impulsive.group import Group, improved, make_group, residual, speeds, swept
from anthropi.contact.impulsive.halves import triangle
from anthropi.contact.impulsive.interior import interior
from anthropi.contact.impulsive.rows import Condition
from anthropi.contact.impulsive.sparse import added, combined, dot, nothing, turned
from anthropi.tape import repeat

__all__ = ["COUPLED", "Solved", "solved"]

COUPLED = 30  # rows of all bases up to which one Newton step takes them together


WHOLE = 12.0  # passes after which sweeps go half of their way: contacts that drive each other round come to rest


class Solved(NamedTuple):
    """impulses : one list a condition. passes : how many it took. off : what is left [m/s]."""

    impulses: list
    passes: Any
    off: Any


def solved(conditions: list[Condition], halves: list, b: list, start: list, tolerance, passes: int) -> Solved:
    """Solve.

    halves : rows (d, nu) a basis. b : speeds without impulses, less what they must be, one list a condition.
    start : impulses to begin with, one list a condition.
    """
    way = _together if sum(map(len, halves)) <= COUPLED else _apart
    return way(conditions, halves, b, start, tolerance, passes)


def _together(conditions, halves, b, start, tolerance, passes) -> Solved:
    C, places, at = triangle([h for basis in halves for h in basis]), {}, 0
    for n, basis in enumerate(halves):
        places[n] = C[at : at + len(basis)]
        at += len(basis)
    group = make_group(conditions, places)
    y: list = [0.0] * len(C)
    for rows, x in zip(group.H, start, strict=True):
        for row, a in zip(rows, x, strict=True):
            y = added(y, a, row)
    off = residual(group, start, speeds(group, b, y))
    P, y, off = improved(group, b, y, start, off)

    def body(carry):
        flat, y, _, count = carry
        part = where(less(count, WHOLE), 1.0, 0.5)
        P, y = swept(group, b, list(y), _cut(flat, conditions), part)
        off = residual(group, P, speeds(group, b, y))
        P, y, off = improved(group, b, y, P, off)
        return _flat(P), np.array(y), np.array(off), count + 1.0

    first = (_flat(P), np.array(y), np.array(off), np.array(0.0))
    flat, _, off, count = repeat(body, first, passes, until=lambda carry: less_equal(carry[2], tolerance))
    P, off, more = interior(group, b, _cut(flat, conditions), off, tolerance)
    return Solved(P, count + more, off)


def _apart(conditions, halves, b, start, tolerance, passes) -> Solved:
    members: list[list[int]] = [[] for _ in halves]
    for n, c in enumerate(conditions):
        members[c.basis].append(n)
    groups: list[Group] = [make_group([conditions[n] for n in own], {i: triangle(halves[i])})
                           for i, own in enumerate(members)]  # fmt: skip
    used = [k for k in range(len(halves[0][0])) if not all(nothing(h[k]) for basis in halves for h in basis)]
    B = [[[h[k] for k in used] for h in basis] for basis in halves]

    def body(carry):
        flat, z, _, count = carry
        P, z, off = _cut(flat, conditions), list(z), 0.0
        for i, (group, own) in enumerate(zip(groups, members, strict=True)):
            V = turned(B[i], z)
            v0 = [[a + dot(g, V) for a, g in zip(b[n], conditions[n].G, strict=True)] for n in own]  # (1)
            old = [P[n] for n in own]
            here = residual(group, old, v0)
            off = maximum(off, here)
            y: list = [0.0] * len(halves[i])
            if sum(conditions[n].size for n in own) > 6:
                new, y, _ = improved(group, v0, y, old, here)
                new, y = swept(group, v0, y, new)
            else:
                new, y = swept(group, v0, y, old)
            F: list = [0.0] * len(B[i])
            for n, x in zip(own, new, strict=True):
                for g, a, c in zip(conditions[n].G, x, P[n], strict=True):
                    F = added(F, a - c, g)
                P[n] = x
            for f, row in zip(F, B[i], strict=True):
                z = added(z, f, row)  # (1)
        return _flat(P), np.array(z), np.array(off), count + 1.0

    z: list = [0.0] * len(used)
    for c, x in zip(conditions, start, strict=True):
        for g, a in zip(c.G, x, strict=True):
            z = added(z, a, combined(g, B[c.basis]))
    first = (_flat(start), np.array(z), np.array(1e30), np.array(0.0))
    flat, _, off, count = repeat(body, first, passes, until=lambda carry: less_equal(carry[2], tolerance))
    return Solved(_cut(flat, conditions), count, off)


def _flat(P):
    """All impulses in one row."""
    return np.array([x for own in P for x in own])


def _cut(flat, conditions) -> list:
    """One list a condition again."""
    found, at = [], 0
    for c in conditions:
        found.append(list(flat[at : at + c.size]))
        at += c.size
    return found
