"""How far is every joint from its ends, and which way do they push? What springs, rows, IK and ID are made of.

A scalar coordinate x with limits α ≤ x ≤ β has one end, the nearer of its two; with x' = N u (N = 1 where coordinates
add, G_b(x) for turns, whose coordinates are rotation vectors):

    gap = min(x - α, β - x),   row = ± N_k,   gap' = row·u                     (1)

Reach cones and swing and twist bound R(q), with ω = S_ω u:  row = S_ωᵀ n      (2)

They take the place of the scalar limits of their joint.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, minimum, records, where
from anthropi.errors import InputError, did_you_mean

__all__ = ["End", "check", "distal_mass", "end_names", "ends", "inverse_rates", "whole_row"]

TURNING = "ball, exponential, euler, or a composite of turns"


class End(NamedTuple):
    """The end of a joint that is nearer.

    name : "l_knee", "l_shoulder.swing". joint : number of the joint. gap : what is left [rad or m], negative past it.
    row : (joint.nu,) with gap' = row·u. only : the place of the row's one entry ±1, None if there are more.
    room : the range that two zones share; static.
    """

    name: str
    joint: int
    gap: Any
    row: Any
    only: int | None
    room: float


def ends(figure, joints, q, but=(), ahead=None) -> list[End]:
    """All ends of a figure at q (nq,).

    joints : {joint name: `ReachCone` or `SwingTwist`}. but : joints to leave out. ahead : (nu,) h u: gaps, and the rows
    of (2), are then those at q ⊞ h u, to first order for coordinates of turns.
    """
    found: list[End] = []
    for i, joint in enumerate(figure.joints):
        if joint.name in but:
            continue
        at, on = q[figure.q_of[i]], None if ahead is None else ahead[figure.u_of[i]]
        if joint.name in joints:
            found += _turned(i, joint, joints[joint.name], at if on is None else joint.integrate(at, on))
        else:
            found += _scalar(i, joint, at, on)
    return found


def end_names(figure, joints) -> tuple[str, ...]:
    """The names of all ends, in order."""
    return tuple(end.name for end in ends(figure, joints, figure.neutral()))


def whole_row(figure, end: End):
    """The row over all velocities (nu,), 0.0 where it is by structure."""
    of = figure.u_of[end.joint]
    return np.concatenate([np.zeros(of.start), end.row, np.zeros(figure.nu - of.stop)])


def distal_mass(figure, i: int):
    """The mass [kg] that joint i carries."""
    mass = [link.mass for link in figure.links]
    for k in range(figure.n - 1, i, -1):
        mass[figure.parent[k]] = mass[figure.parent[k]] + mass[k]
    return mass[i]


def check(figure, joints) -> None:
    """Refuse limits of joints that are not there or cannot have them."""
    names = [joint.name for joint in figure.joints]
    for name, shape in joints.items():
        if name not in names:
            raise InputError(f"Limits name a joint '{name}', which figure '{figure.name}' has not."
                             f"{did_you_mean(str(name), names)} Joints: {', '.join(names)}.")  # fmt: skip
        if not hasattr(shape, "sides"):
            raise InputError(f"The limit of joint '{name}' is {shape!r}; give a ReachCone or a SwingTwist.")
        joint = _core(figure.joints[names.index(name)])
        turning = [n for n, own in zip(names, figure.joints, strict=True) if _turns(_core(own))]
        if not _turns(joint):
            raise InputError(f"Joint '{name}' is {joint.kind}; cones, swing and twist bound joints that turn about a "
                             f"point: {TURNING}. Of figure '{figure.name}' these are: "
                             f"{', '.join(turning) or 'none'}.")  # fmt: skip


def _scalar(i: int, joint, at, ahead) -> list[End]:
    """(1)"""
    if not any(_finite(x) for x in (*joint.lower, *joint.upper)):
        return []
    x, N = joint.coordinates(at), inverse_rates(joint, at)
    if ahead is not None:
        x = x + np.array([_moved(N, k, ahead) for k in range(joint.nu)])
    found = []
    for k, (low, high) in enumerate(zip(joint.lower, joint.upper, strict=True)):
        if not (_finite(low) or _finite(high)):
            continue
        if _finite(low) and _finite(high):
            sign = where(less(x[k] + x[k], low + high), 1.0, -1.0)
            gap = minimum(x[k] - low, high - x[k])
        else:
            sign, gap = (1.0, x[k] - low) if _finite(low) else (-1.0, high - x[k])
        row, only = _signed(N, k, sign, joint.nu)
        room = math.inf if records(low, high) else float(high - low)
        found.append(End(joint.dofs[k], i, gap, row, only, room))
    return found


def _moved(N, k: int, ahead):
    """N_k ahead."""
    if N is None or N[k] is None:
        return ahead[k]
    start, row = N[k]
    return row @ ahead[start : start + len(row)]


def _signed(N, k: int, sign, nu: int):
    """Row k of N times a sign, and the place of its one entry where it has one."""
    if N is not None and N[k] is not None:
        start, row = N[k]
        whole = [0.0] * start + [sign * x for x in row] + [0.0] * (nu - start - len(row))
        return np.array(whole), None
    return np.array([sign if j == k else 0.0 for j in range(nu)]), k


def inverse_rates(joint, at):
    """For each coordinate (start, entries) of x_k' = N_k u, None where that is u_k; None if it is for all."""
    joint = _core(joint)
    if joint.plain:
        return None
    if joint.kind == "composite":
        found, at_q, at_u = [], 0, 0
        for part in joint.parts:
            own = inverse_rates(part, at[at_q : at_q + part.nq]) or [None] * part.nu
            found += [None if row is None else (row[0] + at_u, row[1]) for row in own]
            at_q, at_u = at_q + part.nq, at_u + part.nu
        return found
    first = joint.nu - 3  # a ball's three turns, or the last three of a free joint
    G = rot.G_b(joint.coordinates(at)[first:])
    return [None] * first + [(first, G[k]) for k in range(3)]


def _turned(i: int, joint, shape, at) -> list[End]:
    """(2)"""
    core = _core(joint)
    R, free = core.transform(at).rotation, core.axes == (0, 1, 2)
    S = None if free else core.subspace(at)[:3]
    return [End(f"{joint.name}.{side.name}", i, side.gap, side.row if free else matvec(transpose(S), side.row), None,
                side.room) for side in shape.sides(R)]  # fmt: skip


def _core(joint):
    """The joint itself, where it is taken backwards."""
    return joint.joint if joint.kind == "backward" else joint


def _finite(x) -> bool:
    """Whether it is a limit; one that is being traced is."""
    return records(x) or math.isfinite(x)


def _turns(joint) -> bool:
    """Whether it only turns, about more than one axis."""
    if joint.kind == "composite":
        return joint.nu > 1 and not any(joint.lengths) and all(p.nu == 0 or not any(p.lengths) for p in joint.parts)
    return joint.kind in ("ball", "exponential", "euler")
