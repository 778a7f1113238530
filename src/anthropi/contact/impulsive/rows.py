"""How do impulses at touches act on a figure, and what must hold of the speeds there?

All touches between links a and b act through the one wrench between the two, so a pair with many of them needs only the
six rows of the relative twist at a's origin p,

    V = [ω_a - ω_b; velocity of p as a point of a, less as a point of b] = B u                        (1)
    speed at x along d:   d · speed = [arm × d; d] · V,   arm = x - p                                           (2)

A pair with six rows or less takes its own rows for B. The normal speed after the step must be at least

    0 in touch,   -gap / dt before it (nothing acts until surfaces meet),                             (3)
    -e v_n, if it comes in faster than `slow` and would pass the surface in this step                 (4)

Such a blow acts gap / |v_n| later than the start of the step: `late`.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, maximum, where
from anthropi.algorithms.jacobians import columns, moving_joints
from anthropi.contact.impulsive.sparse import combined, nothing

__all__ = ["Basis", "Condition", "further_conditions", "least_speed", "touch_conditions"]


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


def touch_conditions(figure, k, q, touches, axes, rough=True) -> tuple[list[Basis], list[Condition]]:
    """Bases and conditions of touches. axes : (3, 3) a touch: normal and tangents. rough : whether there is friction.

    A touch between links that cannot move against each other has no condition.
    """
    pairs: dict[tuple[int, int], list[int]] = {}
    for n, touch in enumerate(touches):
        pairs.setdefault((touch.a, touch.b), []).append(n)
    bases: list[Basis] = []
    conditions: list[Condition] = []
    for (a, b), numbers in pairs.items():
        twist = _relative_twist(figure, k, q, a, b)
        if twist is None:
            continue
        p, own, rows = k.position[a], [], []
        for n in numbers:
            friction = touches[n].material.friction if rough else 0.0
            directions = axes[n][:1] if nothing(friction) else axes[n]
            arm = touches[n].point - p if touches[n].arm is None else touches[n].arm
            G = [[*np.cross(arm, d), *d] for d in directions]  # (2)
            own.append((n, G, None if nothing(friction) else friction))
            rows += G
        few = len(rows) <= 6
        done = 0
        for n, G, friction in own:
            units = [[1.0 if i == done + j else 0.0 for i in range(len(rows))] for j in range(len(G))]
            conditions.append(Condition(n, len(bases), units if few else G, friction, axes[n]))
            done += len(G)
        bases.append(Basis([combined(g, twist) for g in rows] if few else twist))
    return bases, conditions


def further_conditions(more, first: int) -> tuple[list[Basis], list[Condition]]:
    """Those of the further rows that only push, each a basis of its own, numbered from `first` on."""
    bases: list[Basis] = []
    conditions: list[Condition] = []
    for n, one_sided in enumerate(more.unilateral):
        if one_sided:
            conditions.append(Condition(n, first + len(bases), [[1.0]], None, None))
            bases.append(Basis([_structural(more.jacobian[n])]))
    return bases, conditions


def least_speed(gap, speed, restitution, dt, slow):
    """(3), (4): what the speed after the step must be at least [m/s], and how late a blow acts [s]."""
    apart = maximum(gap, 0.0)
    least = -apart / dt
    if nothing(restitution):
        return least, 0.0
    hits = less(speed, -slow) & less(gap + dt * speed, 0.0)
    late = where(hits, apart / where(hits, -speed, 1.0), 0.0)
    return where(hits, maximum(least, -restitution * speed), least), late


def _structural(row) -> list:
    return [x if not nothing(x) else 0.0 for x in row]


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
