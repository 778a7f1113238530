"""One step of time on the manifold of configurations, for every joint.

Runge–Kutta–Munthe-Kaas: within a step the configuration is q0 ⊞ θ with θ in a vector space, and

    θ' = lift(θ, u),   u' = udot(t, q0 ⊞ θ, u)                                 (1)

is an ordinary differential equation, which any Runge–Kutta method solves to its full order, since `lift` is exact
(θ' = G_b(θ) ω for turns, rotations K.15). Semi-implicit Euler needs no stages:

    u⁺ = u + h udot(t, q, u),   q⁺ = q ⊞ h u⁺                                  (2)
"""

import numpy as np

from anthropi.simulation.methods import RK4, Tableau

__all__ = ["runge_kutta", "runge_kutta_in_time", "semi_implicit_euler", "stages", "weighted"]


def semi_implicit_euler(figure, acceleration, q, u, h):
    """One step by semi-implicit Euler (2): first order.

    acceleration(q, u) → udot (nu,). Returns (q⁺, u⁺).
    """
    u = u + h * acceleration(q, u)
    return figure.integrate(q, h * u), u


def runge_kutta(figure, acceleration, q, u, h, method: Tableau = RK4):
    """One step by a Runge–Kutta–Munthe-Kaas method (1). acceleration(q, u) → udot (nu,). Returns (q⁺, u⁺)."""
    return runge_kutta_in_time(figure, lambda _, q, u: acceleration(q, u), 0.0, q, u, h, method)


def runge_kutta_in_time(figure, rate, t, q, u, h, method: Tableau):
    """The same from t on, for rate(t, q, u) → udot (nu,)."""
    theta, change = weighted(method.b, stages(figure, rate, t, q, u, h, method, method.needed), figure.nu, h)
    return figure.integrate(q, theta), u + change


def stages(figure, rate, t, q, u, h, method: Tableau, which, first=None) -> dict:
    """The slopes {stage: (θ', u')} of a step (1).

    rate(t, q, u) → udot. which : the stages wanted, in order, with all that they read. first : udot at (t, q, u), if it
    is known.
    """
    slopes: dict[int, tuple] = {}
    for i in which:
        if not any(method.A[i]):
            slopes[i] = (u, rate(t, q, u) if first is None else first)
            continue
        theta, change = weighted(method.A[i], slopes, figure.nu, h)
        speed = u + change
        udot = rate(t + method.c[i] * h, figure.integrate(q, theta), speed)
        slopes[i] = (figure.lift(theta, speed), udot)
    return slopes


def weighted(weights, slopes: dict, size: int, h):
    """h Σ w θ' and h Σ w u' over the weights that are not zero."""
    totals = [np.zeros(size), np.zeros(size)]
    for i, w in enumerate(weights):
        if w:
            totals = [total + w * slope for total, slope in zip(totals, slopes[i], strict=True)]
    return h * totals[0], h * totals[1]
