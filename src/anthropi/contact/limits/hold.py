"""What impulses keep joints within hard limits, where nothing else touches? Projected Gauss-Seidel over their rows.

    u⁺ = u_free + M⁻¹ Jᵀ p,   0 ≤ p ⊥ J u⁺ - b ≥ 0                             (1)
    b = -gap / h,  or e |J u| where e > 0 and the row would pass its limit     (2)
    p_i ← max(0, p_i + (b_i - J_i u⁺) / A_ii),  A = J M⁻¹ Jᵀ                   (3)

A is never formed: with halves w of the rows (`algorithms/elimination.py`) each pass carries z = Σ p_i w_i, and
J_i M⁻¹ Jᵀ p = w_i·D⁻¹ z. Contacts and limits together are solved by `contact/impulsive`.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, maximum, minimum, nothing, where
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.elimination import eliminate
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.limits.hard import along
from anthropi.contact.model import Rows
from anthropi.tape import repeat

__all__ = ["Held", "hold", "limited_step"]

SWEEPS = 30
SETTLED = 1e-14  # relative change of the impulses that ends the sweeps


class Held(NamedTuple):
    """u (nu,) after the impulses; impulses (rows,) ≥ 0 [N m s or N s]."""

    u: Any
    impulses: Any


def hold(tree, rows: Rows, u, u_free, dt, sweeps: int = SWEEPS) -> Held:
    """(1). tree : `Elimination` of the figure's inertia. u : before the step, u_free : what dynamics alone give."""
    J = rows.jacobian
    halves = [tree.half(row) for row in J]
    now, free = along(J, u), along(J, u_free)
    keep = -rows.gap / dt
    bounce = maximum(keep, -rows.restitution * minimum(now, 0.0))
    hits = [less(a, k) & less(0.0, e) for a, k, e in zip(free, keep, rows.restitution, strict=True)]
    b = np.array([where(*x) for x in zip(hits, bounce, keep, strict=True)]) - free  # (2)
    inverse = [1.0 / tree.product(w, w) for w in halves]

    def sweep(state):
        p, z, _ = state
        p, z, moved = list(p), list(z), 0.0
        for i, w in enumerate(halves):
            there = maximum(0.0, p[i] + (b[i] - tree.product(w, z)) * inverse[i])  # (3)
            change = there - p[i]
            z = [x if nothing(v) else x + change * v for x, v in zip(z, w, strict=True)]
            p[i], moved = there, moved + change * change
        size = sum(x * x for x in p)
        return np.array(p), np.array(z), where(less(SETTLED * SETTLED * size, moved), 1.0, 0.0)

    start = (np.zeros(len(J)), np.zeros(len(u)), np.array(1.0))
    p, z, _ = repeat(sweep, start, sweeps if len(J) > 1 else 1, until=lambda s: less(s[2], 0.5))
    return Held(u_free + np.array(tree.spread(list(z))), p)


def limited_step(figure, limits, q, u, tau, dt, f_ext=None):
    """One step of first order with hard limits and nothing else: q⁺ (nq,), u⁺ (nu,), impulses (rows,)."""
    u_free = u + dt * direct_dynamics(figure, q, u, tau, f_ext)
    rows = limits.rows(figure, q, u_free, dt)
    if rows is None:
        return figure.integrate(q, dt * u_free), u_free, np.zeros(0)
    held = hold(eliminate(figure, mass_matrix(figure, q)), rows, u, u_free, dt)
    return limits.project(figure, figure.integrate(q, dt * held.u)), held.u, held.impulses
