"""One step of time on the manifold of configurations, for every joint.

Runge–Kutta–Munthe-Kaas: within a step the configuration is q0 ⊞ θ with θ in a vector space, and

    θ' = lift(θ, u),   u' = udot(q0 ⊞ θ, u)                                    (1)

is an ordinary differential equation, which any Runge–Kutta method solves to its full order, since `lift` is exact
(θ' = G_b(θ) ω for turns, rotations K.15). Semi-implicit Euler needs no stages:

    u⁺ = u + h udot(q, u),   q⁺ = q ⊞ h u⁺                                     (2)
"""

import numpy as np

from anthropi.simulation.methods import METHODS, Tableau

__all__ = ["runge_kutta", "semi_implicit_euler"]


def semi_implicit_euler(figure, acceleration, q, u, h):
    """One step by semi-implicit Euler (2): first order, and it does not pump energy in.

    acceleration(q, u) → udot (nu,). Returns (q⁺, u⁺).
    """
    u = u + h * acceleration(q, u)
    return figure.integrate(q, h * u), u


def runge_kutta(figure, acceleration, q, u, h, method: Tableau = METHODS["rk4"]):
    """One step by a Runge–Kutta–Munthe-Kaas method (1). Returns (q⁺, u⁺)."""
    slopes_theta: list = []
    slopes_u: list = []
    for row in method.A:
        theta, speed = h * _sum(row, slopes_theta, figure.nu), u + h * _sum(row, slopes_u, figure.nu)
        here = figure.integrate(q, theta) if slopes_theta else q
        slopes_theta.append(figure.lift(theta, speed) if len(slopes_u) else speed)
        slopes_u.append(acceleration(here, speed))
    theta = h * _sum(method.b, slopes_theta, figure.nu)
    return figure.integrate(q, theta), u + h * _sum(method.b, slopes_u, figure.nu)


def _sum(weights, vectors, size: int):
    """Σ w v over the weights that are not zero."""
    total = np.zeros(size)
    for w, v in zip(weights, vectors, strict=False):
        if w:
            total = total + w * v
    return total
