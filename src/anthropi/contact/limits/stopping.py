"""Which acceleration stops a joint at its limit? The thesis' other way (8.4, 11.2): prescribed for that increment.

A coordinate that would pass its limit within the increment h is given the acceleration that brings it to the limit at
its end; in the next it rests there, as long as it would pass. With x' = N u:

    x⁺ = x + h N (u + h u'),   held where x⁺ < α or x⁺ > β                     (1)
    (N u')_k = ((limit - x)_k / h - (N u)_k) / h                               (2)

Held ones are motion-driven and all others force-driven: hybrid dynamics, but which is which depends on the state. So
each joint with limits is taken in its coordinates, S T with u = T x', and with h_k = 1 where it is held, 0 elsewhere,

    S ← S T (1 - h),   D ← D + h,   τ ← (1 - h) Tᵀ τ                           (3)

leaves exactly the free ones in the recursion (algorithms/hybrid_dynamics.py). Who would pass is asked once for the free
motion, and again with those held.

Stopping limits
---------------
Joint limits as accelerations, for a scene: the thesis' other way (8.4, 11.2), step by step.

A coordinate that would pass its limit within the step is motion-driven for that step, and comes to rest at the limit
(`stopping.py`): no spring, nothing that a step is too long for, and no bounce. Turns of balls meet their limits to
first order in the step; what is left is taken back without any velocity.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, where
from anthropi.algorithms.forces import (
    diagonal,
    extra_inertia_of,
    gravity_acceleration,
    has_armature,
    joint_inertia,
    not_zero,
    passive_force,
    require_tree,
    times,
)
from anthropi.algorithms.recursions import add_link_inertias, eliminate_columns, eliminate_joint, link_forces
from anthropi.contact.limits.bounds import Bounds, inverse_rates
from anthropi.contact.model import Rows
from anthropi.errors import InputError

__all__ = ["Stopped", "StoppedStep", "StoppingLimits", "stopping_dynamics", "stopping_step"]


PASSES = 2


class Stopped(NamedTuple):
    """udot, tau (nu,), tau with what holds the held ones; held (nu,): 1 where a coordinate is stopped, else 0.

    stop (nu,): what the limits alone give, tau less all that is given and yields (`extra`).
    """

    udot: Any
    tau: Any
    held: Any
    stop: Any


def stopping_dynamics(
    figure, q, u, tau, dt, f_ext=None, extra=None, added=None, *, passes: int = PASSES, but=()
) -> Stopped:
    """How does the figure move over an increment dt [s], if joints stop at their limits?

    q (nq,), u (nu,), tau (nu,), f_ext, extra, added : as in `direct_dynamics`. passes : how often to ask who would
    pass. but : joints without limits.
    """
    require_tree(figure, "stopping_dynamics")
    if isinstance(dt, (int, float)) and not dt > 0.0:
        raise InputError(f"stopping_dynamics over dt={dt!r}: give a length of time above 0 [s].")
    places = [_Place(figure, i, q, but) for i in range(figure.n)]
    held, loads = np.zeros(figure.nu), (f_ext, extra, added)
    found = _solved(figure, places, q, u, tau, loads, held, held)
    for _ in range(passes):
        held = _passing(places, held, u, found.udot, dt)  # (1)
        found = _solved(figure, places, q, u, tau, loads, held, _wanted(places, held, u, dt))
    return found


def stopping_step(figure, q, u, tau, dt, f_ext=None, extra=None):
    """One increment of first order: q⁺ (nq,), u⁺ (nu,)."""
    u = u + dt * stopping_dynamics(figure, q, u, tau, dt, f_ext, extra).udot
    return figure.integrate(q, dt * u), u


class _Place:
    """One joint's coordinates: x, T, N and limits; x None where it has none."""

    def __init__(self, figure, i: int, q, but=()):
        joint, at = figure.joints[i], q[figure.q_of[i]]
        self.of, self.joint = figure.u_of[i], joint
        some = joint.nu > 0 and joint.name not in but
        self.limited = some and bool(np.isfinite([*joint.lower, *joint.upper]).any())  # floats only
        self.x = joint.coordinates(at) if self.limited else None
        self.T = joint.coordinate_rates(at) if self.limited else None
        rows = inverse_rates(joint, at) if self.T is not None else None
        self.N = None if rows is None else np.array([_whole(rows, k, joint.nu) for k in range(joint.nu)])

    def rates(self, v):
        """N v."""
        return v if self.N is None else matvec(self.N, v)


def _whole(rows, k: int, nu: int):
    """Row k of N (nu,)."""
    if rows[k] is None:
        return [1.0 if j == k else 0.0 for j in range(nu)]
    start, row = rows[k]
    return [0.0] * start + list(row) + [0.0] * (nu - start - len(row))


def _passing(places, held, u, udot, dt):
    """(1), besides those held already."""
    found = []
    for place in places:
        now = held[place.of]
        if not place.limited:
            found += [0.0] * place.joint.nu
            continue
        there = place.x + dt * place.rates(u[place.of] + dt * udot[place.of])
        for k, (low, high) in enumerate(zip(place.joint.lower, place.joint.upper, strict=True)):
            past = less(there[k], low) | less(high, there[k]) if np.isfinite([low, high]).any() else None  # floats only
            found.append(0.0 if past is None else where(past, 1.0, now[k]))
    return np.array(found)


def _wanted(places, held, u, dt):
    """(2): (N u')_k where held, 0 elsewhere (nu,)."""
    found: list = []
    for place in places:
        if not place.limited or not not_zero(held[place.of]):
            found += [0.0] * place.joint.nu
            continue
        speed = place.rates(u[place.of])
        for k, (low, high) in enumerate(zip(place.joint.lower, place.joint.upper, strict=True)):
            if not_zero(held[place.of][k]):
                end = _nearer(place.x[k] + dt * speed[k], low, high)
                stop = ((end - place.x[k]) / dt - speed[k]) / dt
                found.append(where(less(0.5, held[place.of][k]), stop, 0.0))
            else:
                found.append(0.0)
    return np.array(found)


def _nearer(x, low, high):
    """The nearer of two limits to where a coordinate goes."""
    if np.isinf(high) or np.isinf(low):  # floats only
        return low if np.isinf(high) else high  # floats only
    return where(less(x + x, low + high), low, high)


def _solved(figure, places, q, u, tau, loads, held, wanted) -> Stopped:
    """Hybrid dynamics with (3)."""
    f_ext, extra, added = loads
    given = np.concatenate([_forth(place, wanted[place.of]) for place in places])
    falls = figure.joints[0].kind == "free" and not places[0].limited
    X, p = link_forces(figure, q, u, given, f_ext, np.zeros(3) if falls else -figure.gravity)
    world = gravity_acceleration(figure) if falls else np.zeros(6)
    I, p = add_link_inertias(figure, q, X, p, added, world, given if not_zero(held) else None)

    def eliminated(piece, I, p):
        joint, at, of = piece.joint, q[piece.q], piece.u
        drive = tau[of] + passive_force(joint, at, u[of]) if joint.nu else tau[of]
        if not not_zero(held[of]):
            return eliminate_joint(joint, at, I, p, drive, extra_inertia_of(extra, of))
        S, r = _columns(piece, q), joint_inertia(joint, extra_inertia_of(extra, of))
        T, free = _turn(piece, q), 1.0 - held[of]
        drive = drive if r is None else drive - times(r, given[of])  # free ones feel the stopped ones across T too
        r = np.zeros((joint.nu, joint.nu)) if r is None else _through(T, diagonal(r))
        r = r * np.outer(free, free) + diagonal(held[of])
        force = drive if T is None else matvec(transpose(T), drive)
        return eliminate_columns(S * free, r, I, p, free * force)  # (3)

    joints: list = [None] * len(X)
    for i, piece in reversed(list(enumerate(figure.dynamics_tree))):  # inward, hybrid_dynamics (2)-(4)
        joints[i] = eliminated(piece, I[i], p[i])
        if piece.parent >= 0:
            I[piece.parent] = I[piece.parent] + X[i].act_inertia(joints[i].inertia)
            p[piece.parent] = p[piece.parent] + X[i].act_force(joints[i].force)
    found: list = []
    a: list = []
    for i, piece in enumerate(figure.dynamics_tree):  # outward, hybrid_dynamics (5), (6)
        own, reached = joints[i].accelerate(X[i].undo_motion(world if piece.parent < 0 else a[piece.parent]))
        found.append(own)
        a.append(reached)
    rates: list = []
    forces: list = []
    stops: list = []
    for i, piece in enumerate(figure.dynamics_tree):
        if not not_zero(held[piece.u]):
            rates.append(found[i])
            forces.append(tau[piece.u])
            stops.append(np.zeros(piece.joint.nu))
            continue
        T = _turn(piece, q)
        rates.append((found[i] if T is None else matvec(T, found[i])) + given[piece.u])
        across, yields = I[i].act(a[i]) + p[i], extra_inertia_of(extra, piece.u)
        left = tau[piece.u] if yields is None else tau[piece.u] - times(yields, rates[-1])
        forces.append(_needed(piece, q, u, rates[-1], tau[piece.u], held[piece.u], across))
        stops.append(_needed(piece, q, u, rates[-1], left, held[piece.u], across) - left)
    return Stopped(np.concatenate(rates), np.concatenate(forces), held, np.concatenate(stops))


def _needed(piece, q, u, rate, tau, held, across):
    """What acts in a joint (nu,): as given in its free coordinates, as the motion takes in its held ones."""
    joint, T = piece.joint, _turn(piece, q)
    whole = matvec(transpose(joint.subspace(q[piece.q])), across) - passive_force(joint, q[piece.q], u[piece.u])
    if has_armature(joint):
        whole = whole + joint.armature * rate
    if T is None:
        return np.array([where(less(0.5, h), x, y) for h, x, y in zip(held, whole, tau, strict=True)])
    N = np.array([_whole(inverse_rates(joint, q[piece.q]), k, joint.nu) for k in range(joint.nu)])
    return tau + matvec(transpose(N), held * matvec(transpose(T), whole - tau))


def _turn(piece, q):
    return piece.joint.coordinate_rates(q[piece.q])


def _columns(piece, q):
    """S T (6, nu)."""
    S, T = piece.joint.subspace(q[piece.q]), _turn(piece, q)
    return S if T is None else S @ T


def _through(T, r):
    """Tᵀ r T."""
    return r if T is None else transpose(T) @ r @ T


def _forth(place, y):
    """T y."""
    return y if place.T is None else matvec(place.T, y)


class StoppedStep(NamedTuple):
    """q⁺ (nq,), u⁺ (nu,), and what the limits gave to the velocities (nu,) [N m s or N s]."""

    q: Any
    u: Any
    impulse: Any


@dataclass(frozen=True, eq=False)
class StoppingLimits(Bounds):
    """Limits of coordinates as accelerations that stop there; cones, swing and twist are for the other kinds.

    but : joints without limits.
    """

    but: tuple[str, ...] = ()
    joints: Mapping = field(default_factory=dict, init=False)
    hard: ClassVar[bool] = False

    def force(self, figure, q, u, memory=None, dt=None):
        """No force before the dynamics."""
        return np.zeros(figure.nu), None, None, memory or {}

    def rows(self, figure, q, u=None, dt=None) -> Rows | None:
        """No rows."""

    def step(self, figure, q, u, tau, dt, f_ext=None, extra=None, added=None) -> StoppedStep:
        """One step of first order, dt [s]; the rest as in `stopping_dynamics`."""
        found = stopping_dynamics(figure, q, u, tau, dt, f_ext, extra, added, but=self.but)
        u = u + dt * found.udot
        return StoppedStep(self.project(figure, figure.integrate(q, dt * u)), u, dt * found.stop)

    def data(self) -> tuple:
        """What it is, as plain words."""
        return ("stopping", self.but)
