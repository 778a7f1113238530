"""Dynamics of a figure with closed loops: direct, hybrid and inverse dynamics, and impulses.

Direct and hybrid dynamics. Free degrees of freedom F have τ given, prescribed ones P have u' given. With h the bias
forces of the tree and λ the forces in the loops:

    M_FF u'_F + M_FP u'_P + h_F = τ_F + J_Fᵀ λ,   J_F u'_F + J_P u'_P = -bias                         (1)
    τ_P = M_PF u'_F + M_PP u'_P + h_P - J_Pᵀ λ                                                        (2)

h + M u'_P is computed by inverse dynamics of the tree, and M by the composite-rigid-body algorithm. M is factored from
the leaves to the root; the loops add a small dense system (multipliers.py). bias = J' u, plus the time derivatives of
driven loop numbers.

Inverse dynamics. Many joint forces τ produce the same motion: e = τ + Jᵀ λ, where e are the forces that the tree alone
would need. With W = 1/M_kk, which makes forces and moments comparable, and H = J W Jᵀ over the independent rows:

    all joints actuated:  Σ W τ² least:   λ₀ = H⁻¹ J W e,   τ₀ = e - Jᵀ λ₀                            (3)
    passive joints p:     the same with τ_p = 0:   λ = λ₀ + H⁻¹ J_p ν,   J_pᵀ H⁻¹ J_p ν = τ₀_p        (4)

If there are just enough actuators, (4) has one solution. If there are too few, τ_p is the missing force.

Impulses. P and P_ext are impulses at joints and on links, Λ those of the loops:

    M (u⁺ - u) = P + Σ Jᵀ P_ext + Jᵀ Λ,   J u⁺ = -drift                                               (5)

Without P and P_ext, u⁺ is the velocity nearest to u, in the metric of M, that agrees with the loops: the loss of energy
½ (u⁺ - u)ᵀ M (u⁺ - u) is least (Gauss's principle of least constraint).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.bias_forces import external_forces
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.equations_of_motion import joint_space_equations
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import Array, ExternalForces, LinkInertias, algorithm
from anthropi.constraints.driven import Equations
from anthropi.constraints.loops.closures import closures, drifts
from anthropi.constraints.loops.independent_rows import choice
from anthropi.constraints.loops.multipliers import factored, hold, wrenches
from anthropi.constraints.relative import equations, rows
from anthropi.figure import Figure

__all__ = [
    "LoopForces",
    "LoopHybrid",
    "LoopImpulse",
    "LoopMotion",
    "accelerate",
    "loop_dynamics",
    "loop_hybrid_dynamics",
    "loop_impulses",
    "loop_inverse_dynamics",
]


class LoopMotion(NamedTuple):
    """Accelerations and loop forces.

    udot : (nu,) [rad/s² or m/s²].
    forces : {loop: (6,) moment about the origin of frame b [N m] and force on link b [N], in world components; of a
        coupling (1,), the force on its coordinate `dof` [N m or N]}.
    """

    udot: Any
    forces: dict[str, Any]


class LoopHybrid(NamedTuple):
    """Accelerations udot (nu,) and joint forces tau (nu,) of all degrees of freedom; forces as in `LoopMotion`."""

    udot: Any
    tau: Any
    forces: dict[str, Any]


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", extra="nu", course="3*numbers")
def loop_dynamics(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    course: Array | None = None,
) -> LoopMotion:
    """Compute joint accelerations and loop forces from joint forces, with the loops kept closed (1).

    Parameters
    ----------
    q, u : (nq,), (nu,), a state with closed loops (`close_loops`).
    tau : (nu,) joint forces [N m or N]. f_ext, extra : as in `direct_dynamics`.
    course : (3, numbers), value, rate and acceleration of the numbers that define the loops (offsets, distances,
        angles), for all loops in order (`loop_course`). By default the numbers are constant.

    Returns
    -------
    `LoopMotion`: udot (nu,) and forces, {loop: (6,)}.
    """
    udot, _, forces = accelerate(figure, q, u, tau, f_ext, extra, course)
    return LoopMotion(udot, forces)


@algorithm(q="nq", u="nu", tau="nu", udot="nu", f_ext="links*6", extra="nu", course="3*numbers")
def loop_hybrid_dynamics(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    udot: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    course: Array | None = None,
    *,
    prescribed: Sequence[str] = (),
) -> LoopHybrid:
    """Compute accelerations of free and forces of prescribed degrees of freedom, with the loops kept closed (1), (2).

    Parameters
    ----------
    q, u, f_ext, extra, course : as in `loop_dynamics`.
    tau : (nu,) joint forces [N m or N], used for free degrees of freedom.
    udot : (nu,) accelerations, used for prescribed degrees of freedom; they must agree with the loops.
    prescribed : names of joints or degrees of freedom.

    Returns
    -------
    `LoopHybrid`: udot (nu,) and tau (nu,) of all degrees of freedom, and forces, {loop: (6,)}.
    """
    return LoopHybrid(*accelerate(figure, q, u, tau, f_ext, extra, course, udot, prescribed))


def accelerate(
    figure: Figure,
    q: Array,
    u: Array,
    tau: Array,
    f_ext: ExternalForces = None,
    extra: Array | None = None,
    course: Array | None = None,
    udot: Array | None = None,
    prescribed: Sequence[str] = (),
    added: LinkInertias = None,
) -> tuple[Array, Array, dict[str, Any]]:
    """Compute accelerations udot (nu,), joint forces tau (nu,) and loop forces {loop: (6,)} (1), (2).

    added : link inertias to add, as in `direct_dynamics`. The other parameters are those of `loop_hybrid_dynamics`.
    """
    tree, constraints = figure.changed(loops=(), checked=False), closures(figure, course)
    held = figure.dof_indices(prescribed)
    given_udot = np.zeros(figure.nu) if udot is None else udot
    start = np.array([given_udot[k] if k in held else 0.0 for k in range(figure.nu)])
    M, bias = joint_space_equations(tree, q, u, start, f_ext, extra, added, held)  # bias: h + M u'_P
    rows = equations(figure, q, u, constraints, 0.0)
    loops = hold(rows, choice(figure, held), factor_mass_matrix(tree, M, held))
    given = [x + (row * start).sum() for x, row in zip(rows.bias, rows.jacobian, strict=True)] if held else rows.bias
    free = [tau[k] - bias[k] if k not in held else 0.0 for k in range(figure.nu)]
    moved, kept = loops.solve(free, [-x for x in given])  # (1)
    if held and loops.choice.shared:  # indeterminate forces are distributed as if nothing were prescribed
        loops = hold(rows, loops.choice, factor_mass_matrix(tree, M))
    multipliers = loops.shared(kept)
    needed = list(tau)
    for k in held:
        back = sum((m * row[k] for m, row in zip(multipliers, rows.jacobian, strict=True)), 0.0)
        needed[k] = bias[k] + (M[k] * moved).sum() - back  # (2)
    forces = wrenches(figure, kinematics(figure, q), constraints, multipliers)
    return moved + start, np.array(needed), forces


class LoopForces(NamedTuple):
    """Joint forces tau (nu,) [N m or N], and loop forces as in `LoopMotion`."""

    tau: Any
    forces: dict[str, Any]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6", course="3*numbers")
def loop_inverse_dynamics(
    figure: Figure,
    q: Array,
    u: Array,
    udot: Array,
    f_ext: ExternalForces = None,
    course: Array | None = None,
    *,
    actuated: Sequence[str] | None = None,
) -> LoopForces:
    """Compute the smallest joint forces that produce a motion, and the forces in the loops (3), (4).

    Parameters
    ----------
    q, u, udot : (nq,), (nu,), (nu,), a motion that keeps the loops closed.
    f_ext : (links, 6) as in `inverse_dynamics`. course : as in `loop_dynamics`.
    actuated : names of joints or degrees of freedom that have an actuator; by default all.

    Returns
    -------
    `LoopForces`: tau (nu,) and forces, {loop: (6,)}. Entries of tau without an actuator are 0 if the other actuators
    can produce the motion; otherwise they are the missing force.
    """
    tree, constraints, k = figure.changed(loops=(), checked=False), closures(figure, course), kinematics(figure, q)
    residual, J = rows(figure, q, constraints, 0.0, k)
    M, which = mass_matrix(tree, q), choice(figure)
    e, kept = inverse_dynamics(tree, q, u, udot, f_ext), [J[j] for j in which.kept]
    scaled = [[x / M[n][n] for n, x in enumerate(row)] for row in kept]
    H = factored([[_dot(scaled[i], kept[j]) for j in range(i + 1)] for i in range(len(kept))])
    multipliers = H.solve([_dot(row, e) for row in scaled])  # (3)
    tau = _less(e, kept, multipliers)
    passive = [] if actuated is None else [n for n in range(figure.nu) if n not in figure.dof_indices(actuated)]
    if passive:
        columns = [[row[n] for row in kept] for n in passive]
        through = [H.solve(c) for c in columns]
        C = [[_dot(through[i], columns[j]) for j in range(i + 1)] for i in range(len(passive))]
        nu = factored(C).solve([tau[n] for n in passive])  # (4)
        multipliers = [m + _dot(nu, [t[r] for t in through]) for r, m in enumerate(multipliers)]
        tau = _less(e, kept, multipliers)
    loops = hold(Equations(residual, J, None, None), which, factor_mass_matrix(tree, M))
    return LoopForces(tau, wrenches(figure, k, constraints, loops.shared(multipliers)))


def _dot(a: Any, b: Any) -> Any:
    """Return the dot product Σ a b."""
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def _less(e: Array, kept: Any, multipliers: Any) -> Array:
    """Return the joint forces e - Jᵀ λ (nu,) that remain after subtracting the loop forces."""
    return np.array([x - _dot(multipliers, [row[n] for row in kept]) for n, x in enumerate(e)])


class LoopImpulse(NamedTuple):
    """Velocities after an impulse, and the impulses of the loops.

    u : (nu,).
    impulses : {loop: (6,) angular impulse about the origin of frame b [N m s] and impulse on link b [N s], in world
        components}.
    """

    u: Any
    impulses: dict[str, Any]


@algorithm(q="nq", u="nu", impulse="nu", impulse_ext="links*6", course="3*numbers")
def loop_impulses(
    figure: Figure,
    q: Array,
    u: Array,
    impulse: Array | None = None,
    impulse_ext: ExternalForces = None,
    course: Array | None = None,
) -> LoopImpulse:
    """Compute the velocities after impulses and the impulses in the loops, with the loops kept closed (5).

    Parameters
    ----------
    q : (nq,), configuration with closed loops. u : (nu,), velocities before the impulses.
    impulse : (nu,) at the joints [N m s or N s].
    impulse_ext : (links, 6) or {link number: (6,)}, angular impulse about the link's origin [N m s] and impulse [N s],
        in link frames.
    course : as in `loop_dynamics`.

    Returns
    -------
    `LoopImpulse`: u (nu,) and impulses, {loop: (6,)}. Without impulses u is the nearest velocity that agrees with the
    loops.
    """
    tree, constraints, k = figure.changed(loops=(), checked=False), closures(figure, course), kinematics(figure, q)
    residual, J = rows(figure, q, constraints, 0.0, k)
    drift = drifts(figure, k, constraints, q)
    at = Equations(residual, J, drift, None)
    loops = hold(at, choice(figure), factor_mass_matrix(tree, mass_matrix(tree, q)))
    given = impulse
    if impulse_ext is not None:
        given = external_forces(tree, q, impulse_ext) + (0.0 if impulse is None else impulse)
    lacks = [-d - (row * u).sum() for d, row in zip(drift, J, strict=True)]
    change, kept = loops.solve(given, lacks)  # (5)
    return LoopImpulse(u + change, wrenches(figure, k, constraints, loops.shared(kept)))
