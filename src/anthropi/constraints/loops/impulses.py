"""Which velocities follow a blow, when loops stay closed? And which closed velocities are nearest?

    M (u⁺ - u) = P + Σ Jᵀ P_ext + Jᵀ Λ,   J u⁺ = -drift                                               (1)

Λ are the impulses of the loops. Without a blow u⁺ is the closed velocity nearest to u in the metric of M: the loss of
energy ½ (u⁺ - u)ᵀ M (u⁺ - u) is least (Gauss).
"""

from typing import Any, NamedTuple

from anthropi.algorithms.bias_forces import external_forces
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.equations import Equations
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.loops.independent import choice
from anthropi.constraints.loops.multipliers import hold, wrenches
from anthropi.constraints.loops.rows import drifts
from anthropi.constraints.relative import rows

__all__ = ["LoopBlow", "loop_impulses"]


class LoopBlow(NamedTuple):
    """u (nu,) after it. impulses : {loop: (6,) about frame b's origin, on link b, world axes [N m s, N s]}."""

    u: Any
    impulses: dict[str, Any]


@algorithm(q="nq", u="nu", blow="nu", blow_ext="links*6", course="3*numbers")
def loop_impulses(figure, q, u, blow=None, blow_ext=None, course=None) -> LoopBlow:
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
    change, kept = loops.solve(given, lacks)  # (1)
    return LoopBlow(u + change, wrenches(figure, k, constraints, loops.shared(kept)))
