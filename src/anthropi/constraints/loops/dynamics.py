"""How does a figure with closed loops move when forces act, or some of its joints are driven by motion?

Free degrees of freedom F have τ given, prescribed ones P have u' given. With h of the tree, λ the forces in the loops:

    M_FF u'_F + M_FP u'_P + h_F = τ_F + J_Fᵀ λ,   J_F u'_F + J_P u'_P = -bias                         (1)
    τ_P = M_PF u'_F + M_PP u'_P + h_P - J_Pᵀ λ                                                        (2)

h + M u'_P comes from inverse dynamics of the tree, M from composite bodies, eliminated from the leaves inwards; the
loops cost a small dense system beside (`multipliers.py`). bias = J' u, and what the clock adds where loops are led.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.equations_of_motion import joint_space_equations
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.loops.independent import choice
from anthropi.constraints.loops.multipliers import hold, wrenches
from anthropi.constraints.relative import equations

__all__ = ["LoopHybrid", "LoopMotion", "accelerate", "loop_dynamics", "loop_hybrid_dynamics"]


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
