"""Projection onto closed loops: the nearest closed configuration and velocity, in the metric of the mass matrix.

    q ⊞ d:   ½ dᵀ M d least with J d = -Φ(q):   d = -M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ Φ,   repeated until Φ = 0                (1)
    u:       the same with J u⁺ = -drift                                                                         (2)

`close_loops` starts from any configuration: damped Gauss–Newton (gauss_newton.py) with all rows first, A = J M⁻¹ Jᵀ,

    d = -M⁻¹ Jᵀ (A + μ D)⁻¹ Φ,   μ = s |Φ|² + ε,   D = diag A at the start,   s by the change of Φᵀ D⁻¹ Φ        (3)

then (1) with the independent rows. Φ are the errors that are zero only at the right pose (`pose_closures`), so that a
loop never closes half a turn off. `nearest_closed` is used at the end of a time step, when the loops are nearly
closed: A is factored once, and its passes need only positions, then velocities.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less_equal, maximum
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import Array, Number, algorithm
from anthropi.constraints.driven import Equations
from anthropi.constraints.gauss_newton import Damping, gauss_newton, largest, limited
from anthropi.constraints.loops.closures import closures, gaps, pose_closures, speeds
from anthropi.constraints.loops.dynamics import loop_impulses
from anthropi.constraints.loops.independent_rows import Choice, choice
from anthropi.constraints.loops.multipliers import Held, factored, hold
from anthropi.constraints.primitives import guides_of, primitives_of
from anthropi.constraints.relative import rows
from anthropi.figure import Figure
from anthropi.tape import repeat

__all__ = ["Closed", "ClosingSettings", "close_loops", "nearest_closed"]


@dataclass(frozen=True)
class ClosingSettings:
    """Settings of `close_loops`.

    damping, regularisation : schedule of s, and ε, in (3).
    max_step : [rad or m] largest entry of a step of (3).
    damped_until : value of |Φ| at which (3) ends. closed_at : value of |Φ| at which (1) makes its last step.
    exact_passes : largest number of steps of (1).
    """

    damping: Damping = Damping(start=1.0, growth=4.0, decay=0.5, minimum=1e-3, maximum=1e6)  # noqa: RUF009  frozen
    regularisation: float = 1e-9
    max_step: float = 0.5
    damped_until: float = 1e-5
    closed_at: float = 1e-10
    exact_passes: int = 8


DEFAULT = ClosingSettings()


class Closed(NamedTuple):
    """State with closed loops: q (nq,), and u (nu,) or None. error : largest |Φ| of all loop equations."""

    q: Any
    u: Any
    error: Any


@algorithm(q="nq", u="nu", course="3*numbers")
def close_loops(
    figure: Figure, q: Array, u: Array | None = None, course: Array | None = None, *, passes: int = 100
) -> Closed:
    """Find a state near (q, u) in which all loops are closed.

    q : (nq,), start. u : (nu,), velocities, which are changed to agree with the loops.
    course : (3, numbers), as in `loop_dynamics`. passes : largest number of damped steps.
    """
    constraints, settings = pose_closures(figure, course), DEFAULT
    every = (*constraints, *guides_of(constraints))
    all_rows = _all_rows(len(primitives_of(every)))

    D = [row[-1] for row in _held(figure, q, every, all_rows).A]  # the steps are descents of Φᵀ D⁻¹ Φ
    D = [maximum(d, settings.regularisation) for d in D]

    def system(q: Array) -> tuple[Number, Held]:
        loops = _held(figure, q, every, all_rows)
        return sum((e * e / d for e, d in zip(loops.rows.residual, D, strict=True)), np.array(0.0)), loops

    def advance(q: Array, loops: Held, now: Number, s: Number, before: Number) -> tuple[Array, Number]:
        e = loops.rows.residual
        mu = s * (e * e).sum() + settings.regularisation
        A = [[x + mu * D[i] if i == j else x for j, x in enumerate(row)] for i, row in enumerate(loops.A)]
        d, _ = loops._replace(factor=factored(A)).solve(None, -e)  # (3)
        return figure.integrate(q, limited(d, settings.max_step)), largest(e)

    def damped_enough(gap: Number) -> Any:
        return less_equal(gap, settings.damped_until)

    q = gauss_newton(q, system, advance, settings.damping, passes, damped_enough)

    def exact(state: Any) -> Any:
        q, _, _ = state
        loops = _held(figure, q, constraints, choice(figure))
        e = loops.rows.residual
        d, _ = loops.solve(None, -e)  # (1)
        return figure.integrate(q, d), largest(e[list(loops.choice.kept)]), largest(d)

    start = (q, np.array(1.0), np.array(1.0))
    q, _, _ = repeat(exact, start, settings.exact_passes, until=lambda state: less_equal(state[1], settings.closed_at))
    error = largest(gaps(figure, kinematics(figure, q), every, q))
    return Closed(q, None if u is None else loop_impulses(figure, q, u, course=course).u, error)


def nearest_closed(
    figure: Figure,
    q: Array,
    u: Array,
    course: Array | None = None,
    prescribed: Any = (),
    passes: int = 3,
    metric: Array | None = None,
) -> tuple[Array, Array]:
    """Project a state whose loops are nearly closed onto closed loops (1), (2); return (q, u).

    prescribed : names of joints or degrees of freedom that keep their values. Each pass reduces |Φ| by a factor of
    about |d|. metric : (nq,) configuration at which M is evaluated; q if None. A time step gives its start, so that the
    impulses of loops keep the momentum balance M (u⁺ - u) there.
    """
    held = figure.dof_indices(prescribed)
    constraints = closures(figure, course)
    loops = _held(figure, q, constraints, choice(figure, held), held, metric)

    def moved(q: Array) -> Array:
        e = gaps(figure, kinematics(figure, q), constraints, q)
        return figure.integrate(q, loops.solve(None, -e)[0])

    def corrected(u: Array) -> Array:
        return u + loops.solve(None, -speeds(figure, kinematics(figure, there, u), constraints, there, u))[0]

    there = repeat(moved, figure.integrate(q, loops.solve(None, -loops.rows.residual)[0]), passes - 1)
    return there, repeat(corrected, u, passes)


def _all_rows(count: int) -> Choice:
    """Return a `Choice` that keeps all rows, independent or not."""
    return Choice(tuple(range(count)), (), count, (1.0,) * count)


def _held(
    figure: Figure, q: Array, constraints: Any, which: Choice, prescribed: Any = (), metric: Array | None = None
) -> Held:
    """Return the loop equations at q, together with the factored mass matrix at `metric`, or at q if that is None."""
    tree, k = figure.changed(loops=(), checked=False), kinematics(figure, q)
    residual, J = rows(figure, q, constraints, 0.0, k)
    M = mass_matrix(tree, q if metric is None else metric)
    return hold(Equations(residual, J, None, None), which, factor_mass_matrix(tree, M, prescribed))
