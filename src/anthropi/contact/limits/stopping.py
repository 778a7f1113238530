"""Joint limits as prescribed accelerations: a coordinate stops at its limit (docs/equations/thesis.md 8.4, 11.2).

A coordinate that would pass its limit within the step h gets the acceleration that brings it to the limit at the end of
the step. In the following steps it stays at the limit, as long as it would otherwise pass. There is no spring, no bound
on the step and no bounce. With x' = N u:

    x⁺ = x + h N (u + h u'),   held where x⁺ < α or x⁺ > β                     (1)
    (N u')_k = ((limit - x)_k / h - (N u)_k) / h                               (2)

Held coordinates are motion-driven and all others force-driven, as in hybrid dynamics, but the choice depends on the
state. Each joint with limits is therefore written in its coordinates, S T with u = T x'. With h_k = 1 for a held
coordinate and h_k = 0 for a free one, the substitution

    S ← S T (1 - h),   D ← D + h,   τ ← (1 - h) Tᵀ τ                           (3)

leaves exactly the free coordinates in the recursion (`algorithms/hybrid_dynamics.py`). (1) is evaluated for the free
motion, and again with the coordinates that were found to pass held. Rotations of ball joints reach their limits to
first order in the step. `project` removes the remaining error without changing velocities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import Array, less, where
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
from anthropi.figure.figure import Figure

__all__ = ["Stopped", "StoppedStep", "StoppingLimits", "stopping_dynamics", "stopping_step"]


PASSES = 2  # number of evaluations of (1)


class Stopped(NamedTuple):
    """Result of `stopping_dynamics`.

    Attributes
    ----------
    udot : (nu,) accelerations.
    tau : (nu,) joint forces, including those that hold coordinates at their limits.
    held : (nu,) 1 if a coordinate is held at its limit, else 0.
    stop : (nu,) forces of the limits alone: tau minus all given and implicit forces (`extra`).
    """

    udot: Any
    tau: Any
    held: Any
    stop: Any


def stopping_dynamics(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    dt: Array,
    f_ext: Any = None,
    extra: Any = None,
    added: Any = None,
    *,
    passes: int = PASSES,
    exclude: tuple[str, ...] = (),
) -> Stopped:
    """Compute direct dynamics over a step dt [s] in which joints stop at their limits.

    Parameters
    ----------
    q, u, tau, f_ext, extra, added : as in `direct_dynamics`.
    dt : [s] the time step.
    passes : how often the held coordinates are determined.
    exclude : names of joints without limits.

    Raises
    ------
    InputError : dt is not above 0, or the figure has loops.
    """
    require_tree(figure, "stopping_dynamics")
    if isinstance(dt, (int, float)) and not dt > 0.0:
        raise InputError(f"stopping_dynamics has dt={dt!r}. Give a time step above 0 [s].")
    coordinates = [_JointCoordinates(figure, i, q, exclude) for i in range(figure.n)]
    held, loads = np.zeros(figure.nu), (f_ext, extra, added)
    found = _solved(figure, coordinates, q, u, tau, loads, held, held)
    for _ in range(passes):
        held = _passing(coordinates, held, u, found.udot, dt)  # (1)
        found = _solved(figure, coordinates, q, u, tau, loads, held, _wanted(coordinates, held, u, dt))
    return found


def stopping_step(
    figure: Figure, q: Array, u: Array, tau: Array, dt: Array, f_ext: Any = None, extra: Any = None
) -> tuple[Any, Any]:
    """Do one first-order step dt [s] with `stopping_dynamics`; return q⁺ (nq,) and u⁺ (nu,)."""
    u = u + dt * stopping_dynamics(figure, q, u, tau, dt, f_ext, extra).udot
    return figure.integrate(q, dt * u), u


class _JointCoordinates:
    """Coordinates x of one joint, with T and N of u = T x' and x' = N u; all None if the joint has no limits."""

    def __init__(self, figure, i: int, q, exclude=()):
        joint, at = figure.joints[i], q[figure.q_of[i]]
        self.of, self.joint = figure.u_of[i], joint
        some = joint.nu > 0 and joint.name not in exclude
        self.limited = some and bool(np.isfinite([*joint.lower, *joint.upper]).any())  # floats only
        self.x = joint.coordinates(at) if self.limited else None
        self.T = joint.coordinate_rates(at) if self.limited else None
        rows = inverse_rates(joint, at) if self.T is not None else None
        self.N = None if rows is None else np.array([_whole(rows, k, joint.nu) for k in range(joint.nu)])

    def rates(self, v):
        """Compute the coordinate rates N v for joint velocities v."""
        return v if self.N is None else matvec(self.N, v)


def _whole(rows, k: int, nu: int):
    """Return row k (nu,) of the matrix N from the result of `inverse_rates`."""
    if rows[k] is None:
        return [1.0 if j == k else 0.0 for j in range(nu)]
    start, row = rows[k]
    return [0.0] * start + list(row) + [0.0] * (nu - start - len(row))


def _passing(coordinates, held, u, udot, dt):
    """Return (nu,): 1 for coordinates that would pass a limit (1) or are already held, else 0."""
    found = []
    for joint_coordinates in coordinates:
        now = held[joint_coordinates.of]
        if not joint_coordinates.limited:
            found += [0.0] * joint_coordinates.joint.nu
            continue
        there = joint_coordinates.x + dt * joint_coordinates.rates(
            u[joint_coordinates.of] + dt * udot[joint_coordinates.of]
        )
        for k, (low, high) in enumerate(zip(joint_coordinates.joint.lower, joint_coordinates.joint.upper, strict=True)):
            past = less(there[k], low) | less(high, there[k]) if np.isfinite([low, high]).any() else None  # floats only
            found.append(0.0 if past is None else where(past, 1.0, now[k]))
    return np.array(found)


def _wanted(coordinates, held, u, dt):
    """Compute the accelerations (nu,) of held coordinates by equation (2); 0 for free coordinates."""
    found: list[Any] = []
    for joint_coordinates in coordinates:
        if not joint_coordinates.limited or not not_zero(held[joint_coordinates.of]):
            found += [0.0] * joint_coordinates.joint.nu
            continue
        speed = joint_coordinates.rates(u[joint_coordinates.of])
        for k, (low, high) in enumerate(zip(joint_coordinates.joint.lower, joint_coordinates.joint.upper, strict=True)):
            if not_zero(held[joint_coordinates.of][k]):
                end = _nearer(joint_coordinates.x[k] + dt * speed[k], low, high)
                stop = ((end - joint_coordinates.x[k]) / dt - speed[k]) / dt
                found.append(where(less(0.5, held[joint_coordinates.of][k]), stop, 0.0))
            else:
                found.append(0.0)
    return np.array(found)


def _nearer(x, low, high):
    """Return the limit that is nearer to the predicted coordinate x."""
    if np.isinf(high) or np.isinf(low):  # floats only
        return low if np.isinf(high) else high  # floats only
    return where(less(x + x, low + high), low, high)


def _solved(figure, coordinates, q, u, tau, loads, held, wanted) -> Stopped:
    """Compute hybrid dynamics with the substitution (3).

    loads : f_ext, extra and added of `stopping_dynamics`. held, wanted : (nu,) mask and accelerations of held
    coordinates.
    """
    f_ext, extra, added = loads
    given = np.concatenate(
        [_forth(joint_coordinates, wanted[joint_coordinates.of]) for joint_coordinates in coordinates]
    )
    falls = figure.joints[0].kind == "free" and not coordinates[0].limited
    X, p = link_forces(figure, q, u, given, f_ext, np.zeros(3) if falls else -figure.gravity)
    world = gravity_acceleration(figure) if falls else np.zeros(6)
    I, p = add_link_inertias(figure, q, X, p, added, world, given if not_zero(held) else None)

    def eliminated(node, I, p):
        joint, at, of = node.joint, q[node.q], node.u
        drive = tau[of] + passive_force(joint, at, u[of]) if joint.nu else tau[of]
        if not not_zero(held[of]):
            return eliminate_joint(joint, at, I, p, drive, extra_inertia_of(extra, of))
        S, r = _columns(node, q), joint_inertia(joint, extra_inertia_of(extra, of))
        T, free = _turn(node, q), 1.0 - held[of]
        drive = (
            drive if r is None else drive - times(r, given[of])
        )  # free coordinates couple to the stopped ones through T
        r = np.zeros((joint.nu, joint.nu)) if r is None else _through(T, diagonal(r))
        r = r * np.outer(free, free) + diagonal(held[of])
        force = drive if T is None else matvec(transpose(T), drive)
        return eliminate_columns(S * free, r, I, p, free * force)  # (3)

    joints: list[Any] = [None] * len(X)
    for i, node in reversed(list(enumerate(figure.dynamics_tree))):  # inward, hybrid_dynamics (2)-(4)
        joints[i] = eliminated(node, I[i], p[i])
        if node.parent >= 0:
            I[node.parent] = I[node.parent] + X[i].act_inertia(joints[i].inertia)
            p[node.parent] = p[node.parent] + X[i].act_force(joints[i].force)
    found: list[Any] = []
    a: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):  # outward, hybrid_dynamics (5), (6)
        own, reached = joints[i].accelerate(X[i].undo_motion(world if node.parent < 0 else a[node.parent]))
        found.append(own)
        a.append(reached)
    rates: list[Any] = []
    forces: list[Any] = []
    stops: list[Any] = []
    for i, node in enumerate(figure.dynamics_tree):
        if not not_zero(held[node.u]):
            rates.append(found[i])
            forces.append(tau[node.u])
            stops.append(np.zeros(node.joint.nu))
            continue
        T = _turn(node, q)
        rates.append((found[i] if T is None else matvec(T, found[i])) + given[node.u])
        across, yields = I[i].act(a[i]) + p[i], extra_inertia_of(extra, node.u)
        left = tau[node.u] if yields is None else tau[node.u] - times(yields, rates[-1])
        forces.append(_needed(node, q, u, rates[-1], tau[node.u], held[node.u], across))
        stops.append(_needed(node, q, u, rates[-1], left, held[node.u], across) - left)
    return Stopped(np.concatenate(rates), np.concatenate(forces), held, np.concatenate(stops))


def _needed(node, q, u, rate, tau, held, across):
    """Compute the forces (nu,) of one joint: the given ones in free coordinates, the required ones in held ones."""
    joint, T = node.joint, _turn(node, q)
    whole = matvec(transpose(joint.subspace(q[node.q])), across) - passive_force(joint, q[node.q], u[node.u])
    if has_armature(joint):
        whole = whole + joint.armature * rate
    if T is None:
        return np.array([where(less(0.5, h), x, y) for h, x, y in zip(held, whole, tau, strict=True)])
    N = np.array([_whole(inverse_rates(joint, q[node.q]), k, joint.nu) for k in range(joint.nu)])
    return tau + matvec(transpose(N), held * matvec(transpose(T), whole - tau))


def _turn(node, q):
    """Return the matrix T of u = T x' for one joint; None if u = x'."""
    return node.joint.coordinate_rates(q[node.q])


def _columns(node, q):
    """Compute the motion subspace S T (6, nu) of one joint in its coordinate rates."""
    S, T = node.joint.subspace(q[node.q]), _turn(node, q)
    return S if T is None else S @ T


def _through(T, r):
    """Compute Tᵀ r T; r if T is None."""
    return r if T is None else transpose(T) @ r @ T


def _forth(joint_coordinates, y):
    """Compute T y for the coordinates of a joint; y if T is None."""
    return y if joint_coordinates.T is None else matvec(joint_coordinates.T, y)


class StoppedStep(NamedTuple):
    """Result of `StoppingLimits.step`: q (nq,), u (nu,), and impulses of the limits (nu,) [N m s or N s]."""

    q: Any
    u: Any
    impulse: Any


@dataclass(frozen=True, eq=False)
class StoppingLimits(Bounds):
    """Joint limits at which coordinates are stopped by accelerations.

    They apply to scalar coordinates only. Reach cones, swing and twist need soft or hard limits.
    exclude : names of joints without limits.
    """

    exclude: tuple[str, ...] = ()
    joints: Mapping[Any, Any] = field(default_factory=dict, init=False)
    hard: ClassVar[bool] = False

    def force(
        self, figure: Figure, q: Array, u: Array, memory: dict[Any, Any] | None = None, dt: Array = None
    ) -> tuple[Any, Any, Any, dict[Any, Any]]:
        """Return zero forces: these limits act in `step`."""
        return np.zeros(figure.nu), None, None, memory or {}

    def rows(self, figure: Figure, q: Array, u: Array = None, dt: Array = None) -> Rows | None:
        """Return None: these limits act in `step`, not as constraints."""

    def step(
        self,
        figure: Figure,
        q: Array,
        u: Array,
        tau: Array,
        dt: Array,
        f_ext: Any = None,
        extra: Any = None,
        added: Any = None,
    ) -> StoppedStep:
        """Do one first-order step over dt [s]. Parameters as in `stopping_dynamics`."""
        found = stopping_dynamics(figure, q, u, tau, dt, f_ext, extra, added, exclude=self.exclude)
        u = u + dt * found.udot
        return StoppedStep(self.project(figure, figure.integrate(q, dt * u)), u, dt * found.stop)

    def data(self) -> tuple[Any, ...]:
        """Return the settings as plain strings, for comparison and hashing."""
        return ("stopping", self.exclude)
