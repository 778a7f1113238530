"""Which impulses meet all conditions together? Gauss–Seidel sweeps with Newton steps between, until nothing is off.

Few bases (`COUPLED` rows at most) are one group: a Newton step from the last impulses, which is all it takes as long as
every contact goes on as it was, then some passes of a sweep and a Newton step; what these leave, an interior-point
method takes (`interior_point.py`). Many bases (piles, a figure with all its limits) are several groups, visited in
turn: the touches, if their bases are few, and each other basis; up to `ALL` rows an interior-point method over them all
takes what that leaves. What a group does to the others goes through z (`setup.py`):

    v₀ = b + G B z,   z += Bᵀ Gᵀ ΔP                                                                   (1)

A pass that finds no group off by more than the tolerance is the last.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import is_constant_zero, less, less_equal, maximum, where
from anthropi.contact.impulsive.conditions import Condition
from anthropi.contact.impulsive.group import (
    Group,
    chosen,
    improved,
    locals_of,
    make_group,
    moved,
    residual,
    speeds,
    swept,
)
from anthropi.contact.impulsive.interior_point import interior
from anthropi.contact.impulsive.setup import triangle
from anthropi.contact.vectors import add_scaled, combine, dot, products
from anthropi.tape import repeat

__all__ = ["COUPLED", "Solved", "solved"]

FEW = 6  # rows up to which sweeps alone do
COUPLED = 30  # rows of all bases up to which one Newton step takes them together
ALL = 64  # rows up to which the interior-point method takes them
SWEEPS = 30, 60  # passes, at most, before it: from there on it is the faster one; one group, several
WHOLE = 12.0  # passes after which sweeps go half of their way: contacts that drive each other round come to rest


class Solved(NamedTuple):
    """impulses : one list a condition. passes : how many it took. off : what is left [m/s]."""

    impulses: list
    passes: Any
    off: Any


class Tolerance(NamedTuple):
    """What was asked for, and what that is for these speeds."""

    asked: float
    here: Any


def solved(conditions: list[Condition], halves: list, b: list, start: list, tolerance, passes: int) -> Solved:
    """Solve.

    halves : rows (d, nu) a basis. b : speeds without impulses, less what they must be, one list a condition.
    start : impulses to begin with, one list a condition. tolerance : [m/s], of the fastest blow where that is above 1.
    """
    enough: Any = 1.0
    for own in b:
        enough = maximum(enough, -own[0])
    limit = Tolerance(tolerance, tolerance * enough)
    way = _together if sum(map(len, halves)) <= COUPLED else _apart
    return way(conditions, halves, b, start, limit, passes)


def _together(conditions, halves, b, start, tolerance: Tolerance, passes) -> Solved:
    group = _grouped(conditions, halves, range(len(halves)), tolerance.asked)
    y = moved(group, start)
    off = residual(group, start, speeds(group, b, y))
    P, y, off = improved(group, b, y, start, off)

    def body(carry):
        flat, y, _, count = carry
        part = where(less(count, WHOLE), 1.0, 0.5)
        P, y = swept(group, locals_of(group), b, list(y), _cut(flat, conditions), part)  # seldom here: not before
        off = residual(group, P, speeds(group, b, y))
        P, y, off = improved(group, b, y, P, off)
        return _flat(P), np.array(y), np.array(off), count + 1.0

    first = (_flat(P), np.array(y), np.array(off), np.array(0.0))
    few = min(passes, SWEEPS[0])
    flat, _, off, count = repeat(body, first, few, until=lambda carry: less_equal(carry[2], tolerance.here))
    P, off, more = interior(group, b, _cut(flat, conditions), off, tolerance.here)
    return Solved(P, count + more, off)


def _apart(conditions, halves, b, start, tolerance: Tolerance, passes) -> Solved:
    parts = _parts(conditions, halves)
    members = [[n for n, c in enumerate(conditions) if c.basis in bases] for bases in parts]
    groups = [_grouped([conditions[n] for n in own], halves, bases, tolerance.asked)
              for own, bases in zip(members, parts, strict=True)]  # fmt: skip
    locals_ = [locals_of(group) for group in groups]
    used = [k for k in range(len(halves[0][0])) if not all(is_constant_zero(h[k]) for basis in halves for h in basis)]
    B = [[[h[k] for k in used] for h in basis] for basis in halves]

    def body(carry):
        flat, z, _, count = carry
        P, z, off = _cut(flat, conditions), list(z), 0.0
        for bases, group, own, local in zip(parts, groups, members, locals_, strict=True):
            V = {i: products(B[i], z) for i in bases}
            v0 = [[a + dot(g, V[conditions[n].basis]) for a, g in zip(b[n], conditions[n].G, strict=True)] for n in own]
            old = [P[n] for n in own]  # (1)
            here = residual(group, old, v0)
            off = maximum(off, here)
            new = _visited(group, local, v0, old, here, tolerance.here)
            F: dict[int, list] = {i: [0.0] * len(B[i]) for i in bases}
            for n, x in zip(own, new, strict=True):
                i = conditions[n].basis
                for g, a, c in zip(conditions[n].G, x, P[n], strict=True):
                    F[i] = add_scaled(F[i], a - c, g)
                P[n] = x
            for i in bases:
                for f, row in zip(F[i], B[i], strict=True):
                    z = add_scaled(z, f, row)  # (1)
        return _flat(P), np.array(z), np.array(off), count + 1.0

    z: list = [0.0] * len(used)
    for c, x in zip(conditions, start, strict=True):
        for g, a in zip(c.G, x, strict=True):
            z = add_scaled(z, a, combine(g, B[c.basis]))
    first = (_flat(start), np.array(z), np.array(1e30), np.array(0.0))
    few = max(sum(map(len, halves)), len(used)) <= ALL
    most = min(passes, SWEEPS[1]) if few else passes
    flat, _, off, count = repeat(body, first, most, until=lambda carry: less_equal(carry[2], tolerance.here))

    def rest(carry):
        backward = {i: [row[::-1] for row in rows] for i, rows in enumerate(B)}  # tips first: a tree stays sparse
        group, P = make_group(conditions, backward, tolerance.asked), _cut(carry[0], conditions)
        P, off, more = interior(group, b, P, residual(group, P, speeds(group, b, moved(group, P))), tolerance.here)
        return _flat(P), np.array(off), carry[2] + more

    if few:
        flat, off, count = repeat(rest, (flat, off, count), 1, until=lambda carry: less_equal(carry[1], tolerance.here))
    return Solved(_cut(flat, conditions), count, off)


def _visited(group: Group, local, v0, old, off, tolerance) -> list:
    """Impulses of a group after a visit: a Newton step if it has many rows, and a sweep if that is not enough."""
    y: list = [0.0] * len(group.H[0][0])
    if sum(m.size for m in group.members) <= FEW:
        return swept(group, local, v0, y, old)[0]
    new, y, off = improved(group, v0, y, old, off)
    return chosen(less_equal(off, tolerance), new, swept(group, local, v0, y, new)[0])


def _parts(conditions, halves) -> list[list[int]]:
    """Which bases make a group: those of all touches, if they are few; else each by itself."""
    touched = sorted({c.basis for c in conditions if c.axes is not None})
    if sum(len(halves[i]) for i in touched) > COUPLED:
        touched = []
    alone = [[i] for i in range(len(halves)) if i not in touched]
    return [touched, *alone] if touched else alone


def _grouped(conditions, halves, bases, tolerance) -> Group:
    """One group of these bases."""
    C, places, at = triangle([h for i in bases for h in halves[i]]), {}, 0
    for i in bases:
        places[i] = C[at : at + len(halves[i])]
        at += len(halves[i])
    return make_group(conditions, places, tolerance)


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
