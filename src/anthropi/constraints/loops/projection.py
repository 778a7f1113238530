"""Which closed state is nearest? Gauss-Newton on the manifold, in the metric of inertia.

    q ⊞ d:   ½ dᵀ M d least with J d = -Φ(q):   d = -M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ Φ,   again until Φ = 0       (1)
    u:       the same with J u⁺ = -drift                                                              (2)

`close_loops` starts from anywhere: first all rows, damped with what is left,

    d = -M⁻¹ Jᵀ (A + μ diag A)⁻¹ Φ,   μ = s |Φ|² + tiny                                               (3)

s growing where Φ does, then (1) with the rows that say something new. `nearest_closed` is for the end of a time step,
where q is near: A is factored once, and passes with it need nothing but positions, then velocities.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, less, less_equal, maximum, minimum, where
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.driven import Equations
from anthropi.constraints.loops.closures import closures, gaps, speeds
from anthropi.constraints.loops.dynamics import loop_impulses
from anthropi.constraints.loops.independent_rows import Choice, choice
from anthropi.constraints.loops.multipliers import factored, hold
from anthropi.constraints.relative import rows
from anthropi.tape import repeat

__all__ = ["Closed", "close_loops", "nearest_closed"]

ROUGH, FINE = 1e-5, 1e-10  # (3) ends; (1) ends, after one more step: largest |Φ|
START, GROW, SHRINK, LEAST, MOST, TINY = 1.0, 4.0, 0.5, 1e-3, 1e6, 1e-9  # (3)
LONGEST = 0.5  # [rad or m] a step of (3)


class Closed(NamedTuple):
    """q (nq,), u (nu,) or None. error : largest residual of any row, in place."""

    q: Any
    u: Any
    error: Any


@algorithm(q="nq", u="nu", course="3*numbers")
def close_loops(figure, q, u=None, course=None, *, passes=100) -> Closed:
    """Which closed state is near this one? q (nq,), u (nu,). course (3, numbers): as in `loop_dynamics`."""
    constraints, every = closures(figure, course), _every(figure)

    def damped(state):
        q, before, s, _ = state
        loops = _held(figure, q, constraints, every)
        e = loops.rows.residual
        now = (e * e).sum()
        s = minimum(maximum(s * where(less(before, now), GROW, SHRINK), LEAST), MOST)
        mu = s * now + TINY
        A = [[x * (1.0 + mu) if i == j else x for j, x in enumerate(row)] for i, row in enumerate(loops.A)]
        d, _ = loops._replace(factor=factored(A)).solve(None, -e)
        longest = _largest(d)
        d = d * minimum(1.0, LONGEST / maximum(longest, 1e-30))
        return figure.integrate(q, d), now, s, _largest(e)

    rough = (q, np.array(1e300), np.array(START / SHRINK), np.array(1.0))
    q, _, _, _ = repeat(damped, rough, passes, until=lambda state: less_equal(state[3], ROUGH))

    def exact(state):
        q, _, _ = state
        loops = _held(figure, q, constraints, choice(figure))
        e = loops.rows.residual
        d, _ = loops.solve(None, -e)
        return figure.integrate(q, d), _largest(e[list(loops.choice.kept)]), _largest(d)

    fine = (q, np.array(1.0), np.array(1.0))
    q, _, _ = repeat(exact, fine, 8, until=lambda state: less_equal(state[1], FINE))
    error = _largest(gaps(figure, kinematics(figure, q), constraints))
    return Closed(q, None if u is None else loop_impulses(figure, q, u, course=course).u, error)


def nearest_closed(figure, q, u, course=None, prescribed=(), passes: int = 3):
    """(1), (2) for a state that is nearly closed: (q, u). The largest |Φ| falls by a factor of about |d| each pass.

    prescribed : names of joints or degrees of freedom that stay as they are.
    """
    held = figure.dof_indices(prescribed)
    constraints = closures(figure, course)
    loops = _held(figure, q, constraints, choice(figure, held), held)

    def moved(q):
        e = gaps(figure, kinematics(figure, q), constraints)
        return figure.integrate(q, loops.solve(None, -e)[0])

    def turned(u):
        return u + loops.solve(None, -speeds(figure, kinematics(figure, there, u), constraints))[0]

    there = repeat(moved, figure.integrate(q, loops.solve(None, -loops.rows.residual)[0]), passes - 1)
    return there, repeat(turned, u, passes)


def _every(figure) -> Choice:
    """All rows."""
    usual = choice(figure)
    return usual._replace(kept=tuple(range(usual.total)), shared=())


def _held(figure, q, constraints, which, prescribed=()):
    """The loops at a configuration."""
    tree, k = figure.changed(loops=(), checked=False), kinematics(figure, q)
    residual, J = rows(figure, q, constraints, 0.0, k)
    return hold(Equations(residual, J, None, None), which, factor_mass_matrix(tree, mass_matrix(tree, q), prescribed))


def _largest(values):
    """The largest of some numbers, without sign."""
    top = np.array(0.0)
    for value in values:
        top = maximum(top, absolute(value))
    return top
