"""One step with hard limits, where nothing else touches: their rows by the solver of contacts (`contact/impulsive`)."""

import numpy as np

from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.impulsive import Impulsive

__all__ = ["limited_step"]


def limited_step(figure, limits, q, u, tau, dt, f_ext=None):
    """One step of first order with hard limits and nothing else: q⁺ (nq,), u⁺ (nu,), impulses (rows,)."""
    u_free = u + dt * direct_dynamics(figure, q, u, tau, f_ext)
    rows = limits.rows(figure, q, u_free, dt)
    if rows is None:
        return figure.integrate(q, dt * u_free), u_free, np.zeros(0)
    tree = factor_mass_matrix(figure, mass_matrix(figure, q))
    blow = Impulsive().impulse(None, [], None, tree, u, u_free, {}, dt, rows, q)
    return limits.project(figure, figure.integrate(q, dt * blow.u)), blow.u, blow.more
