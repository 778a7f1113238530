"""Impulses that satisfy all conditions: Gauss–Seidel sweeps, Newton steps, and an interior-point method.

Up to `MAX_COUPLED_ROWS` rows of all bases form one group. The first step is a Newton step from the last impulses, which
suffices if the states of the contacts do not change. Passes of a sweep and a Newton step follow. The interior-point
method (`interior_point.py`) solves the problems that do not converge in this way.

More rows (piles, a figure with all its limits) form several groups: one for all contacts, if they have few bases, and
one for each other basis. Each pass solves one group after another. If the passes do not converge, and there are at most
`MAX_INTERIOR_ROWS` rows, the interior-point method solves all groups together. Groups interact through z (`setup.py`):

    v₀ = b + G B z,   z += Bᵀ Gᵀ ΔP                                                                   (1)

The passes end when the residual of every group is within the tolerance.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, is_constant_zero, less, less_equal, maximum, where
from anthropi.contact.impulsive.adjoint import with_implicit_derivative
from anthropi.contact.impulsive.conditions import Condition
from anthropi.contact.impulsive.group import (
    Group,
    coordinates,
    local_problems,
    make_group,
    residual,
    select_impulses,
    speeds,
    sweep,
    try_newton,
)
from anthropi.contact.impulsive.interior_point import interior
from anthropi.contact.impulsive.setup import cholesky_of_rows
from anthropi.contact.vectors import add_scaled, combine, dot, products
from anthropi.tape import repeat

__all__ = ["MAX_COUPLED_ROWS", "Solved", "solved"]

MAX_SWEPT_ROWS = 6  # largest number of rows of a group that needs sweeps only
MAX_COUPLED_ROWS = 30  # largest number of rows of all bases in one group
MAX_INTERIOR_ROWS = 64  # largest number of rows for the interior-point method
MAX_SWEEPS = 30, 60  # passes before the interior-point method, for one group and for several; after them it is faster
FULL_SWEEPS = 12.0  # passes after which changes are halved, so that sweeps do not alternate between the same impulses


class Solved(NamedTuple):
    """Result of `solved`.

    impulses : one list per condition. passes : number of passes. off : [m/s] residual.
    """

    impulses: list[Any]
    passes: Any
    off: Any


class Tolerance(NamedTuple):
    """Tolerance of the residual: as given [m/s], and scaled for the speeds of this problem [m/s]."""

    asked: float
    here: Any


def solved(
    conditions: list[Condition], factors: list[Any], b: list[Any], start: list[Any], tolerance: Array, passes: int
) -> Solved:
    """Solve the conditions for their impulses.

    Parameters
    ----------
    factors : rows (d, nu) of each basis, in coordinates in which the inertia is 1 (`setup.py` (1)).
    b : [m/s] speeds without impulses, minus the required ones, one list per condition.
    start : [N s] start values of the impulses, one list per condition.
    tolerance : [m/s] largest residual; multiplied by the largest closing speed in m/s if that is above 1 m/s.
    passes : largest number of passes.
    """
    enough: Any = 1.0
    for own in b:
        enough = maximum(enough, -own[0])
    limit = Tolerance(tolerance, tolerance * enough)
    method = _as_one_group if sum(map(len, factors)) <= MAX_COUPLED_ROWS else _by_groups
    found: list[Solved] = []

    def solve() -> list[Any]:
        found.append(method(conditions, factors, b, start, limit, passes))
        return found[0].impulses

    impulses = with_implicit_derivative(conditions, factors, b, tolerance, solve)
    return found[0]._replace(impulses=impulses)


def _as_one_group(conditions, factors, b, start, tolerance: Tolerance, passes) -> Solved:
    """Solve all conditions as one group. Parameters as in `solved`."""
    group = _grouped(conditions, factors, range(len(factors)), tolerance.asked)
    y = coordinates(group, start)
    off = residual(group, start, speeds(group, b, y))
    P, y, off = try_newton(group, b, y, start, off)

    def body(carry):
        flat, y, _, count = carry
        part = where(less(count, FULL_SWEEPS), 1.0, 0.5)
        P, y = sweep(
            group, local_problems(group), b, list(y), _cut(flat, conditions), part
        )  # recorded inside the loop, which most steps do not enter
        off = residual(group, P, speeds(group, b, y))
        P, y, off = try_newton(group, b, y, P, off)
        return _flat(P), np.array(y), np.array(off), count + 1.0

    first = (_flat(P), np.array(y), np.array(off), np.array(0.0))
    small = min(passes, MAX_SWEEPS[0])
    flat, _, off, count = repeat(body, first, small, until=lambda carry: less_equal(carry[2], tolerance.here))
    P, off, more = interior(group, b, _cut(flat, conditions), off, tolerance.here)
    return Solved(P, count + more, off)


def _by_groups(conditions, factors, b, start, tolerance: Tolerance, passes) -> Solved:
    """Solve the conditions in several groups, one after another. Parameters as in `solved`."""
    parts = _partition(conditions, factors)
    members = [[n for n, c in enumerate(conditions) if c.basis in bases] for bases in parts]
    groups = [
        _grouped([conditions[n] for n in own], factors, bases, tolerance.asked)
        for own, bases in zip(members, parts, strict=True)
    ]
    locals_ = [local_problems(group) for group in groups]
    used = [k for k in range(len(factors[0][0])) if not all(is_constant_zero(h[k]) for basis in factors for h in basis)]
    B = [[[h[k] for k in used] for h in basis] for basis in factors]

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
            F: dict[int, list[Any]] = {i: [0.0] * len(B[i]) for i in bases}
            for n, x in zip(own, new, strict=True):
                i = conditions[n].basis
                for g, a, c in zip(conditions[n].G, x, P[n], strict=True):
                    F[i] = add_scaled(F[i], a - c, g)
                P[n] = x
            for i in bases:
                for f, row in zip(F[i], B[i], strict=True):
                    z = add_scaled(z, f, row)  # (1)
        return _flat(P), np.array(z), np.array(off), count + 1.0

    z: list[Any] = [0.0] * len(used)
    for c, x in zip(conditions, start, strict=True):
        for g, a in zip(c.G, x, strict=True):
            z = add_scaled(z, a, combine(g, B[c.basis]))
    first = (_flat(start), np.array(z), np.array(1e30), np.array(0.0))
    small = max(sum(map(len, factors)), len(used)) <= MAX_INTERIOR_ROWS
    most = min(passes, MAX_SWEEPS[1]) if small else passes
    flat, _, off, count = repeat(body, first, most, until=lambda carry: less_equal(carry[2], tolerance.here))

    def rest(carry):
        backward = {
            i: [row[::-1] for row in rows] for i, rows in enumerate(B)
        }  # the order from tips to root keeps it sparse
        group, P = make_group(conditions, backward, tolerance.asked), _cut(carry[0], conditions)
        P, off, more = interior(
            group, b, P, residual(group, P, speeds(group, b, coordinates(group, P))), tolerance.here
        )
        return _flat(P), np.array(off), carry[2] + more

    if small:
        flat, off, count = repeat(rest, (flat, off, count), 1, until=lambda carry: less_equal(carry[1], tolerance.here))
    return Solved(_cut(flat, conditions), count, off)


def _visited(group: Group, local, v0, old, off, tolerance) -> list[Any]:
    """Improve the impulses of one group by a sweep; a group with many rows first tries a Newton step."""
    y: list[Any] = [0.0] * len(group.H[0][0])
    if sum(m.size for m in group.members) <= MAX_SWEPT_ROWS:
        return sweep(group, local, v0, y, old)[0]
    new, y, off = try_newton(group, v0, y, old, off)
    return select_impulses(less_equal(off, tolerance), new, sweep(group, local, v0, y, new)[0])


def _partition(conditions, factors) -> list[list[int]]:
    """Return the bases of each group: one group for all contacts, if they have few rows, and one per other basis."""
    contact_bases = sorted({c.basis for c in conditions if c.axes is not None})
    if sum(len(factors[i]) for i in contact_bases) > MAX_COUPLED_ROWS:
        contact_bases = []
    alone = [[i] for i in range(len(factors)) if i not in contact_bases]
    return [contact_bases, *alone] if contact_bases else alone


def _grouped(conditions, factors, bases, tolerance) -> Group:
    """Make the group of the conditions on these bases."""
    C, places, at = cholesky_of_rows([h for i in bases for h in factors[i]]), {}, 0
    for i in bases:
        places[i] = C[at : at + len(factors[i])]
        at += len(factors[i])
    return make_group(conditions, places, tolerance)


def _flat(P):
    """Join the impulses of all conditions into one array."""
    return np.array([x for own in P for x in own])


def _cut(flat, conditions) -> list[Any]:
    """Cut one array of impulses into one list per condition."""
    found, at = [], 0
    for c in conditions:
        found.append(list(flat[at : at + c.size]))
        at += c.size
    return found
