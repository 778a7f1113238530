"""Rows of numbers with zeros by structure: Python's 0.0 stands for what is never computed.

Rows
----
How do impulses at touches act on a figure, and what must hold of the speeds there?

All touches between links a and b act through the one wrench between the two, so a pair with many of them needs only the
six rows of the relative twist at a's origin p,

    V = [ω_a - ω_b; velocity of p as a point of a, less as a point of b] = B u                        (1)
    speed at x along d:   d · speed = [arm × d; d] · V,   arm = x - p                                           (2)

A pair with six rows or less takes its own rows for B. The normal speed after the step must be at least

    0 in touch,   -gap / dt before it (nothing acts until surfaces meet)                              (3)

A blow faster than `slow`, that would pass the surface in this step, bounces. Without it the speed v goes to v + dt a;
steps of first order keep the speed of half a step ago, so that what moves at t is really as fast as w = v + dt a / 2.
The blow acts τ ("late") after the start of the step, and what is kept half a step before its end is

    gap + w τ + a τ²/2 = 0,   w' = w + a τ   (at the blow),   -e w' + a (dt/2 - τ)                    (4)

which gives heights and energies to second order in dt.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import is_constant_zero, less, maximum, minimum, sqrt, where
from anthropi.algorithms.jacobians import columns, moving_joints
from anthropi.contact.vectors import combine

__all__ = [
    "Basis",
    "Condition",
    "Least",
    "contact_conditions",
    "further_conditions",
    "least_speed",
]


class Basis(NamedTuple):
    """rows : lists (d, nu), zeros by structure as 0.0."""

    rows: list


class Condition(NamedTuple):
    """What must hold of one touch (three rows: normal, two tangents) or of one row that only pushes.

    number : of the touch, or of the further row. basis : which. G : its rows in that basis (size, d).
    friction : None for one row. axes : its rows' directions in the world (3, 3), None for further rows.
    """

    number: int
    basis: int
    G: list
    friction: Any
    axes: Any

    @property
    def size(self) -> int:
        """How many rows."""
        return len(self.G)


def contact_conditions(figure, k, q, contacts, axes, rough=True) -> tuple[list[Basis], list[Condition]]:
    """Bases and conditions of touches. axes : (3, 3) a touch: normal and tangents. rough : whether there is friction.

    A touch between links that cannot move against each other has no condition.
    """
    pairs: dict[tuple[int, int], list[int]] = {}
    for n, contact in enumerate(contacts):
        pairs.setdefault((contact.a, contact.b), []).append(n)
    bases: list[Basis] = []
    conditions: list[Condition] = []
    for (a, b), numbers in pairs.items():
        twist = _relative_twist(figure, k, q, a, b)
        if twist is None:
            continue
        p, own, rows = k.position[a], [], []
        for n in numbers:
            friction = contacts[n].material.friction if rough else 0.0
            directions = axes[n][:1] if is_constant_zero(friction) else axes[n]
            arm = contacts[n].point - p if contacts[n].arm is None else contacts[n].arm
            G = [[*np.cross(arm, d), *d] for d in directions]  # (2)
            own.append((n, G, None if is_constant_zero(friction) else friction))
            rows += G
        few = len(rows) <= 6
        done = 0
        for n, G, friction in own:
            units = [[1.0 if i == done + j else 0.0 for i in range(len(rows))] for j in range(len(G))]
            conditions.append(Condition(n, len(bases), units if few else G, friction, axes[n]))
            done += len(G)
        bases.append(Basis([combine(g, twist) for g in rows] if few else twist))
    return bases, conditions


def further_conditions(more, first: int) -> tuple[list[Basis], list[Condition]]:
    """Those of the further rows that only push, their bases numbered from `first` on.

    Rows of one and the same degree of freedom, as the two ends of a joint, share a basis.
    """
    bases: list[Basis] = []
    conditions: list[Condition] = []
    alone: dict[int, int] = {}
    for n, one_sided in enumerate(more.unilateral):
        if not one_sided:
            continue
        row = [0.0 if is_constant_zero(x) else x for x in more.jacobian[n]]
        places = [k for k, x in enumerate(row) if not is_constant_zero(x)]
        factor = row[places[0]] if len(places) == 1 else None
        single = isinstance(factor, (float, np.floating))
        if single and places[0] in alone:
            conditions.append(Condition(n, alone[places[0]], [[factor]], None, None))
            continue
        if single:
            alone[places[0]] = first + len(bases)
            row = [1.0 if k == places[0] else 0.0 for k in range(len(row))]
        conditions.append(Condition(n, first + len(bases), [[factor if single else 1.0]], None, None))
        bases.append(Basis([row]))
    return bases, conditions


class Least(NamedTuple):
    """speed : [m/s] what it must be at least after the step. late : [s] when a blow acts. now : [m/s] how fast then."""

    speed: Any
    late: Any
    now: Any


def least_speed(gap, before, free, restitution, dt, slow) -> Least:
    """(3), (4) of a normal speed `before` the step, `free` after it without impulses."""
    apart = maximum(gap, 0.0)
    least = -apart / dt
    if is_constant_zero(restitution):
        return Least(least, 0.0, free)
    hits = less(before, -slow) & less(gap + dt * free, 0.0)
    half = 0.5 * (free - before)  # a dt / 2
    w = where(hits, before + half, -1.0)
    root = sqrt(maximum(w * w - (4.0 / dt) * half * apart, 0.0))
    late = where(hits, minimum(2.0 * apart / (root - w), dt), 0.0)
    turn = half * (1.0 - (2.0 / dt) * late)
    now = free - turn
    bounced = maximum(least, turn - restitution * now)
    return Least(where(hits, bounced, least), late, where(hits, now, free))


def _relative_twist(figure, k, q, a: int, b: int):
    """(1): six rows (nu,), or None if no joint lies between the two."""
    there, back = moving_joints(figure, a), [] if b < 0 else moving_joints(figure, b)
    far, near = [j for j in there if j not in back], [j for j in back if j not in there]
    if not (far or near):
        return None
    rows: list[list] = [[0.0] * figure.nu for _ in range(6)]
    for sign, joints in ((1.0, far), (-1.0, near)):
        for j in joints:
            w, l = columns(figure, k, q, j)
            for n, turn, slide in zip(range(figure.u_of[j].start, figure.u_of[j].stop), w, l, strict=True):
                column = [*turn, *(slide + np.cross(turn, k.position[a] - k.position[j]))]
                for i in range(6):
                    rows[i][n] = sign * column[i]
    return rows
