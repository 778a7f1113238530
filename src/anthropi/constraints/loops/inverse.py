"""Which joint forces make a motion of a figure with closed loops? Many do: the smallest, or those of some actuators.

What the tree would need is shared between joints and loops, e = τ + Jᵀ λ. With W = 1/M_kk, which makes forces and
moments alike, and H = J W Jᵀ over the rows that say something new,

    all joints push:      Σ W τ² least:   λ₀ = H⁻¹ J W e,   τ₀ = e - Jᵀ λ₀                            (1)
    passive joints p:     the same with τ_p = 0:   λ = λ₀ + H⁻¹ J_p ν,   J_pᵀ H⁻¹ J_p ν = τ₀_p        (2)

Where the actuators are just enough (2) has one solution; where they are not, τ_p shows what is lacking.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.equations import Equations
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.loops.independent import choice
from anthropi.constraints.loops.multipliers import hold, wrenches
from anthropi.constraints.loops.semidefinite import factored
from anthropi.constraints.relative import rows

__all__ = ["LoopEffort", "loop_inverse_dynamics"]


class LoopEffort(NamedTuple):
    """tau (nu,). forces : {loop: (6,) moment about frame b's origin and force on link b, world axes [N m, N]}."""

    tau: Any
    forces: dict[str, Any]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6", course="3*numbers")
def loop_inverse_dynamics(figure, q, u, udot, f_ext=None, course=None, *, actuated=None) -> LoopEffort:
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
    multipliers = H.solve([_dot(row, e) for row in scaled])  # (1)
    tau = _less(e, kept, multipliers)
    passive = [] if actuated is None else [n for n in range(figure.nu) if n not in figure.dof_indices(actuated)]
    if passive:
        columns = [[row[n] for row in kept] for n in passive]
        through = [H.solve(c) for c in columns]
        C = [[_dot(through[i], columns[j]) for j in range(i + 1)] for i in range(len(passive))]
        nu = factored(C).solve([tau[n] for n in passive])  # (2)
        multipliers = [m + _dot(nu, [t[r] for t in through]) for r, m in enumerate(multipliers)]
        tau = _less(e, kept, multipliers)
    loops = hold(Equations(residual, J, None, None), which, factor_mass_matrix(tree, M))
    return LoopEffort(tau, wrenches(figure, k, constraints, loops.shared(multipliers)))


def _dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def _less(e, kept, multipliers):
    """e - Jᵀ λ (nu,)."""
    return np.array([x - _dot(multipliers, [row[n] for row in kept]) for n, x in enumerate(e)])
