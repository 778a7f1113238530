"""Conditions on velocities in the impulsive contact model: contacts, further constraints and the least normal speed.

All contacts between links a and b act through one wrench between the two links. A pair of links with many contacts
therefore needs only the six rows of the relative twist at the origin p of a,

    V = [ω_a - ω_b; velocity of p as a point of a, less as a point of b] = B u                        (1)
    speed at x along d:   d · speed = [arm × d; d] · V,   arm = x - p                                 (2)

A pair with at most six rows uses these rows for B. The normal speed after the step must be at least

    0 in contact,   -gap / dt before contact (there is no impulse until the surfaces meet)            (3)

A contact that closes within this step, and faster than `min_bounce_speed`, bounces. Without impulse the speed v becomes
v + dt a. First-order steps store the speed of half a step earlier, so the true speed at time t is w = v + dt a / 2. The
impact acts with the delay τ after the start of the step. The speed to store for the middle of the step is

    gap + w τ + a τ²/2 = 0,   w' = w + a τ   (at the impact),   -e w' + a (dt/2 - τ)                  (4)

which gives heights and energies to second order in dt.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, is_constant_zero, less, maximum, minimum, sqrt, where
from anthropi.algorithms.jacobians import columns, moving_joints
from anthropi.contact.vectors import combine
from anthropi.figure.figure import Figure

__all__ = [
    "MIN_DENOMINATOR",
    "MIN_SQUARE",
    "Basis",
    "Condition",
    "LeastSpeed",
    "contact_conditions",
    "further_conditions",
    "least_speed",
]


MIN_DENOMINATOR = 1e-30  # added to a divisor that may be 0
MIN_SQUARE = 1e-36  # added under a square root to keep its derivative finite


class Basis(NamedTuple):
    """Jacobian rows (d, nu) that several conditions share. A Python 0.0 marks an entry that is always zero."""

    rows: list[Any]


class Condition(NamedTuple):
    """Condition on the relative velocity of one contact, or on one further unilateral constraint.

    Attributes
    ----------
    number : number of the contact or of the further constraint.
    basis : number of the basis, see `Basis`.
    G : (size, d) rows of the condition in that basis; normal and two tangents for a contact with friction.
    friction : coefficient of friction; None for a single row.
    axes : (3, 3) directions of the rows in world axes; None for further constraints.
    """

    number: int
    basis: int
    G: list[Any]
    friction: Any
    axes: Any

    @property
    def size(self) -> int:
        """Number of rows of the condition."""
        return len(self.G)


def contact_conditions(
    figure: Figure, k: Any, q: Array, contacts: list[Any], axes: Any, with_friction: bool = True
) -> tuple[list[Basis], list[Condition]]:
    """Compute the bases and conditions of contacts.

    A contact between links that cannot move relative to each other has no condition.

    Parameters
    ----------
    k, q : kinematics of the figure, and its configuration (nq,).
    axes : (3, 3) for each contact, normal and tangents as rows, in world axes.
    with_friction : False to leave out the tangents.
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
            friction = contacts[n].material.friction if with_friction else 0.0
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


def further_conditions(more: Any, first: int) -> tuple[list[Basis], list[Condition]]:
    """Compute the bases and conditions of the further unilateral rows, with bases numbered from `first`.

    Rows of the same degree of freedom, such as the two limits of a joint, share a basis.
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


class LeastSpeed(NamedTuple):
    """Smallest admissible normal speed of a contact after a step.

    speed : [m/s] smallest admissible speed. delay : [s] time from the start of the step to the impact.
    impact_speed : [m/s] normal speed at the impact.
    """

    speed: Any
    delay: Any
    impact_speed: Any


def least_speed(
    gap: Array, before: Array, free: Array, restitution: Array, dt: Array, min_bounce_speed: Array
) -> LeastSpeed:
    """Compute the smallest admissible normal speed after a step, by equations (3) and (4) of this module.

    gap : [m]. before, free : [m/s] normal speed before the step, and after it without impulses. dt : [s] time step.
    min_bounce_speed : [m/s] slower impacts do not bounce.
    """
    apart = maximum(gap, 0.0)
    least = -apart / dt
    if is_constant_zero(restitution):
        return LeastSpeed(least, 0.0, free)
    hits = less(before, -min_bounce_speed) & less(gap + dt * free, 0.0)
    half = 0.5 * (free - before)  # a dt / 2
    w = where(hits, before + half, -1.0)
    root = sqrt(maximum(w * w - (4.0 / dt) * half * apart, 0.0))
    delay = where(hits, minimum(2.0 * apart / (root - w), dt), 0.0)
    turn = half * (1.0 - (2.0 / dt) * delay)
    impact_speed = free - turn
    bounced = maximum(least, turn - restitution * impact_speed)
    return LeastSpeed(where(hits, bounced, least), delay, where(hits, impact_speed, free))


def _relative_twist(figure, k, q, a: int, b: int):
    """Compute the six rows (nu,) of the relative twist (1) of two links; None if no joint lies between them."""
    there, back = moving_joints(figure, a), [] if b < 0 else moving_joints(figure, b)
    far, near = [j for j in there if j not in back], [j for j in back if j not in there]
    if not (far or near):
        return None
    rows: list[list[Any]] = [[0.0] * figure.nu for _ in range(6)]
    for sign, joints in ((1.0, far), (-1.0, near)):
        for j in joints:
            w, l = columns(figure, k, q, j)
            for n, turn, slide in zip(range(figure.u_of[j].start, figure.u_of[j].stop), w, l, strict=True):
                column = [*turn, *(slide + np.cross(turn, k.position[a] - k.position[j]))]
                for i in range(6):
                    rows[i][n] = sign * column[i]
    return rows
