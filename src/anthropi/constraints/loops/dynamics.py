"""How does a figure with closed loops move when forces act, or some of its joints are driven by motion?

Free degrees of freedom F have τ given, prescribed ones P have u' given. With h of the tree, λ the forces in the loops:

    M_FF u'_F + M_FP u'_P + h_F = τ_F + J_Fᵀ λ,   J_F u'_F + J_P u'_P = -bias                         (1)
    τ_P = M_PF u'_F + M_PP u'_P + h_P - J_Pᵀ λ                                                        (2)

h + M u'_P comes from inverse dynamics of the tree, M from composite bodies, eliminated from the leaves inwards; the
loops cost a small dense system beside (`multipliers.py`). bias = J' u, and what the clock adds where loops are led.

Inverse
-------
Which joint forces make a motion of a figure with closed loops? Many do: the smallest, or those of some actuators.

What the tree would need is shared between joints and loops, e = τ + Jᵀ λ. With W = 1/M_kk, which makes forces and
moments alike, and H = J W Jᵀ over the rows that say something new,

    all joints push:      Σ W τ² least:   λ₀ = H⁻¹ J W e,   τ₀ = e - Jᵀ λ₀                            (3)
    passive joints p:     the same with τ_p = 0:   λ = λ₀ + H⁻¹ J_p ν,   J_pᵀ H⁻¹ J_p ν = τ₀_p        (4)

Where the actuators are just enough (4) has one solution; where they are not, τ_p shows what is lacking.

Impulses
--------
Which velocities follow a blow, when loops stay closed? And which closed velocities are nearest?

    M (u⁺ - u) = P + Σ Jᵀ P_ext + Jᵀ Λ,   J u⁺ = -drift                                               (5)

Λ are the impulses of the loops. Without a blow u⁺ is the closed velocity nearest to u in the metric of M: the loss of
energy ½ (u⁺ - u)ᵀ M (u⁺ - u) is least (Gauss).
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.bias_forces import external_forces
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.equations_of_motion import joint_space_equations
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.driven import Equations
from anthropi.constraints.loops.closures import closures, drifts
from anthropi.constraints.loops.independent_rows import choice
from anthropi.constraints.loops.multipliers import factored, hold, wrenches
from anthropi.constraints.relative import equations, rows

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
    """udot (nu,). forces : {loop: (6,) moment about frame b's origin and force on link b, world axes [N m, N]}."""

    udot: Any
    forces: dict[str, Any]


class LoopHybrid(NamedTuple):
    """udot, tau (nu,), both complete. forces : as in `LoopMotion`."""

    udot: Any
    tau: Any
    forces: dict[str, Any]


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", extra="nu", course="3*numbers")
def loop_dynamics(figure, q, u, tau, f_ext=None, extra=None, course=None) -> LoopMotion:
    """How does a figure with closed loops move when forces act, and which forces hold the loops?

    q, u : closed (`close_loops`). tau (nu,), f_ext (links, 6), extra (nu,): as in `direct_dynamics`.
    course (3, numbers): value, rate and acceleration of the loops' numbers, where they are led; else they rest.
    """
    udot, _, forces = accelerate(figure, q, u, tau, f_ext, extra, course)
    return LoopMotion(udot, forces)


@algorithm(q="nq", u="nu", tau="nu", udot="nu", f_ext="links*6", extra="nu", course="3*numbers")
def loop_hybrid_dynamics(figure, q, u, tau, udot, f_ext=None, extra=None, course=None, *, prescribed=()) -> LoopHybrid:
    """How does a figure with closed loops move, some joints driven by motion, others by force?

    tau (nu,) is read where a degree of freedom is free, udot (nu,) where it is prescribed. prescribed : names of joints
    or degrees of freedom; what they are given must agree with the loops. Others as in `loop_dynamics`.
    """
    return LoopHybrid(*accelerate(figure, q, u, tau, f_ext, extra, course, udot, prescribed))


def accelerate(figure, q, u, tau, f_ext=None, extra=None, course=None, udot=None, prescribed=(), added=None):
    """(1), (2): udot, tau, and forces by loop."""
    tree, constraints = figure.changed(loops=(), checked=False), closures(figure, course)
    held = figure.dof_indices(prescribed)
    start = np.array([udot[k] if k in held else 0.0 for k in range(figure.nu)])
    M, bias = joint_space_equations(tree, q, u, start, f_ext, extra, added, held)  # bias: h + M u'_P
    rows = equations(figure, q, u, constraints, 0.0)
    loops = hold(rows, choice(figure, held), factor_mass_matrix(tree, M, held))
    given = [x + (row * start).sum() for x, row in zip(rows.bias, rows.jacobian, strict=True)] if held else rows.bias
    moved, kept = loops.solve(
        [tau[k] - bias[k] if k not in held else 0.0 for k in range(figure.nu)], [-x for x in given]
    )  # fmt: skip  (1)
    if held and loops.choice.shared:  # what is indeterminate is shared out as if nothing were prescribed
        loops = hold(rows, loops.choice, factor_mass_matrix(tree, M))
    multipliers = loops.shared(kept)
    needed = list(tau)
    for k in held:
        back = sum((m * row[k] for m, row in zip(multipliers, rows.jacobian, strict=True)), 0.0)
        needed[k] = bias[k] + (M[k] * moved).sum() - back  # (2)
    forces = wrenches(figure, kinematics(figure, q), constraints, multipliers)
    return moved + start, np.array(needed), forces


class LoopForces(NamedTuple):
    """tau (nu,). forces : {loop: (6,) moment about frame b's origin and force on link b, world axes [N m, N]}."""

    tau: Any
    forces: dict[str, Any]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6", course="3*numbers")
def loop_inverse_dynamics(figure, q, u, udot, f_ext=None, course=None, *, actuated=None) -> LoopForces:
    """Which joint forces make this motion of a figure with closed loops, and which forces hold the loops?

    q, u, udot : a motion that keeps the loops closed. f_ext (links, 6): as in `inverse_dynamics`.
    actuated : names of joints or degrees of freedom that push; all by default. The smallest forces are found; what the
    others would have to add stands in their entries of tau, 0 where the actuators suffice.
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


def _dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def _less(e, kept, multipliers):
    """e - Jᵀ λ (nu,)."""
    return np.array([x - _dot(multipliers, [row[n] for row in kept]) for n, x in enumerate(e)])


class LoopImpulse(NamedTuple):
    """u (nu,) after it. impulses : {loop: (6,) about frame b's origin, on link b, world axes [N m s, N s]}."""

    u: Any
    impulses: dict[str, Any]


@algorithm(q="nq", u="nu", blow="nu", blow_ext="links*6", course="3*numbers")
def loop_impulses(figure, q, u, blow=None, blow_ext=None, course=None) -> LoopImpulse:
    """Which velocities follow a blow, loops closed?

    q closed; u (nu,) before it. blow (nu,): impulses at the joints [N m s or N s]; blow_ext (links, 6): on links, as
    f_ext. course (3, numbers): as in `loop_dynamics`. Without a blow: velocities made to agree with the loops.
    """
    tree, constraints, k = figure.changed(loops=(), checked=False), closures(figure, course), kinematics(figure, q)
    residual, J = rows(figure, q, constraints, 0.0, k)
    drift = drifts(figure, k, constraints)
    at = Equations(residual, J, drift, None)
    loops = hold(at, choice(figure), factor_mass_matrix(tree, mass_matrix(tree, q)))
    given = blow if blow_ext is None else external_forces(tree, q, blow_ext) + (0.0 if blow is None else blow)
    lacks = [-d - (row * u).sum() for d, row in zip(drift, J, strict=True)]
    change, kept = loops.solve(given, lacks)  # (5)
    return LoopImpulse(u + change, wrenches(figure, k, constraints, loops.shared(kept)))
