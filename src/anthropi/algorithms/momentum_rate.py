"""How does the figure's momentum change, and what changes it? World components, about the centre of mass or the origin.

    rate     p' = Σ m_i c_i'',   h' = Σ Θ_i α_i + ω_i × Θ_i ω_i + (c_i - o) × m_i c_i''        (1)  Newton, Euler
    wrench   Σ m_i γ + f_i,      Σ t_i + (p_i - o) × f_i + (c_i - o) × m_i γ                   (2)

Θ_i = C I* Cᵀ; γ gravity; f_i, t_i the external force and moment on link i; o the centre of mass or the origin. Joint
forces, springs, dampers and rotors act between links and change neither, so for a figure whose root is free

    rate = wrench                                                                              (3)

and for one held by the world the difference is what its root joint carries. A' u + A u' of `centroidal.py` is (1).
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.forces import external_force
from anthropi.algorithms.kinematics import kinematics, point_acceleration, point_position
from anthropi.algorithms.momentum import centre_of, check_about, has_mass
from anthropi.algorithms.shapes import algorithm

__all__ = ["momentum_rate", "total_wrench"]


@algorithm(q="nq", u="nu", udot="nu")
def momentum_rate(figure, q, u, udot, *, about="centre"):
    """How does the momentum change? (6,): angular [N m], linear [N] (1).

    about : "centre" of mass or the world's "origin".
    """
    check_about(about)
    k = kinematics(figure, q, u, udot)
    base, h, p = _base(figure, k, about), np.zeros(3), np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            own = link.mass * point_acceleration(k, i, link.centre)
            arm = point_position(k, i, link.centre) - base
            h, p = h + _spin_rate(k, i, link) + np.cross(arm, own), p + own  # (1)
    return np.concatenate([h, p])


@algorithm(q="nq", f_ext="links*6")
def total_wrench(figure, q, f_ext=None, *, about="centre"):
    """Which moment and force do gravity and the external forces make together? (6,) [N m, N] (2)"""
    check_about(about)
    k = kinematics(figure, q)
    centre, base = centre_of(figure, k), _base(figure, k, about)
    weight = figure.mass * figure.gravity
    t, f = np.cross(centre - base, weight) if about == "origin" else np.zeros(3), weight
    for i in range(figure.n):
        push = external_force(f_ext, i)
        if push is not None:
            moment, line = (matvec(k.rotation[i], half) for half in (push[:3], push[3:]))
            t, f = t + moment + np.cross(k.position[i] - base, line), f + line  # (2)
    return np.concatenate([t, f])


def _base(figure, k, about: str):
    return centre_of(figure, k) if about == "centre" else np.zeros(3)


def _spin_rate(k, i: int, link):
    """Θ α + ω × Θ ω (3,) in the world."""
    C = k.rotation[i]
    w, alpha = (matvec(transpose(C), x) for x in (k.angular_velocity[i], k.angular_acceleration[i]))
    return matvec(C, matvec(link.tensor, alpha) + np.cross(w, matvec(link.tensor, w)))
