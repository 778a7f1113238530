"""Centre of mass, momentum, its rate, and the total force on a figure, in world components.

With c_i = p_i + C_i s_i the centre of mass of link i, Θ_i = C_i I_i* C_iᵀ its inertia about it, γ gravity, f_i and t_i
the external force and moment on link i:

    m c = Σ m_i c_i,   and its derivatives                                                     (1)
    p = Σ p_i,  p_i = m_i c_i';    h_O = Σ Θ_i ω_i + c_i × p_i                                 (2)
    h_G = h_O - c × p = Σ Θ_i ω_i + (c_i - c) × p_i                                            (3)
    rate     p' = Σ m_i c_i'',     h' = Σ Θ_i α_i + ω_i × Θ_i ω_i + (c_i - o) × m_i c_i''      (4)
    wrench   Σ m_i γ + f_i,        Σ t_i + (p_i - o) × f_i + (c_i - o) × m_i γ                 (5)

o is the centre of mass or the origin. Joint forces, springs, dampers and rotors act between links and change neither.
For a figure whose root is free, therefore,

    rate = wrench                                                                              (6)

and for a figure attached to the world the difference is the force in its root joint. centroidal.py computes A and A',
for which A u is the momentum and A' u + A u' its rate.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.forces import external_force
from anthropi.algorithms.kinematics import (
    Kinematics,
    kinematics,
    point_acceleration,
    point_position,
    point_velocity,
)
from anthropi.algorithms.shapes import Array, ExternalForces, algorithm
from anthropi.errors import InputError, did_you_mean
from anthropi.figure import Figure, Link

__all__ = [
    "CentreOfMass",
    "centre_of",
    "centre_of_mass",
    "check_about",
    "has_mass",
    "momentum",
    "momentum_rate",
    "spin_momentum",
    "total_wrench",
    "weighted",
]

ABOUT = ("centre", "origin")


class CentreOfMass(NamedTuple):
    """Position, velocity, acceleration (3,) of the centre of mass in the world; None if u or udot was not given."""

    position: Array
    velocity: Array = None
    acceleration: Array = None


@algorithm(q="nq", u="nu", udot="nu")
def centre_of_mass(figure: Figure, q: Array, u: Array | None = None, udot: Array | None = None) -> CentreOfMass:
    """Compute position [m], velocity [m/s] and acceleration [m/s²] of the centre of mass, in the world (1).

    q (nq,), u (nu,), udot (nu,). Without u, only the position is computed; without udot, no acceleration.
    """
    k = kinematics(figure, q, u, udot)
    known = [point_position] + [point_velocity] * (u is not None) + [point_acceleration] * (udot is not None)

    def mean(of: Callable[..., Any]) -> Array:
        return weighted(figure, lambda i: of(k, i, figure.links[i].centre))

    return CentreOfMass(*(mean(of) for of in known))


@algorithm(q="nq", u="nu")
def momentum(figure: Figure, q: Array, u: Array, *, about: str = "centre") -> Array:
    """Compute the momentum of the figure (2), (3).

    Parameters
    ----------
    q, u : (nq,), (nu,).
    about : reference point of the angular momentum, "centre" (of mass) or "origin" (of the world).

    Returns
    -------
    (6,): angular [N m s], linear [N s], in the world.
    """
    check_about(about)
    k = kinematics(figure, q, u)
    base = centre_of(figure, k) if about == "centre" else np.zeros(3)
    h, p = np.zeros(3), np.zeros(3)
    for i, link in enumerate(figure.links):
        own = link.mass * point_velocity(k, i, link.centre) if has_mass(link) else np.zeros(3)
        arm = point_position(k, i, link.centre) - base
        h, p = h + spin_momentum(k, i, link) + np.cross(arm, own), p + own  # (2), (3)
    return np.concatenate([h, p])


@algorithm(q="nq", u="nu", udot="nu")
def momentum_rate(figure: Figure, q: Array, u: Array, udot: Array, *, about: str = "centre") -> Array:
    """Compute the rate of the figure's momentum (4).

    Parameters
    ----------
    q, u, udot : (nq,), (nu,), (nu,).
    about : reference point of the angular momentum, "centre" (of mass) or "origin" (of the world).

    Returns
    -------
    (6,): angular [N m], linear [N], in the world.
    """
    check_about(about)
    k = kinematics(figure, q, u, udot)
    base, h, p = _base(figure, k, about), np.zeros(3), np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            own = link.mass * point_acceleration(k, i, link.centre)
            arm = point_position(k, i, link.centre) - base
            h, p = h + _spin_momentum_rate(k, i, link) + np.cross(arm, own), p + own  # (4)
    return np.concatenate([h, p])


@algorithm(q="nq", f_ext="links*6")
def total_wrench(figure: Figure, q: Array, f_ext: ExternalForces = None, *, about: str = "centre") -> Array:
    """Compute the moment [N m] and force [N] of gravity and all external forces together (5).

    q (nq,), f_ext (links, 6) as in `direct_dynamics`, about as in `momentum_rate` → (6,), in the world.
    """
    check_about(about)
    k = kinematics(figure, q)
    centre, base = centre_of(figure, k), _base(figure, k, about)
    weight = figure.mass * figure.gravity
    t, f = np.cross(centre - base, weight) if about == "origin" else np.zeros(3), weight
    for i in range(figure.n):
        push = external_force(f_ext, i)
        if push is not None:
            moment, line = (matvec(k.rotation[i], part) for part in (push[:3], push[3:]))
            t, f = t + moment + np.cross(k.position[i] - base, line), f + line  # (5)
    return np.concatenate([t, f])


def check_about(about: str) -> None:
    """Raise an error if `about` is neither "centre" nor "origin"."""
    if about not in ABOUT:
        raise InputError(f"No momentum about '{about}'.{did_you_mean(about, ABOUT)} Choose: {', '.join(ABOUT)}.")


def spin_momentum(k: Kinematics, i: int, link: Link) -> Array:
    """Return Θ ω (3,) of link i: angular momentum about its own centre of mass, in the world."""
    C = k.rotation[i]
    return matvec(C, matvec(link.tensor, matvec(transpose(C), k.angular_velocity[i])))


def _spin_momentum_rate(k: Kinematics, i: int, link: Link) -> Array:
    """Return the rate Θ α + ω × Θ ω (3,) of `spin_momentum`, in the world."""
    C = k.rotation[i]
    w, alpha = (matvec(transpose(C), x) for x in (k.angular_velocity[i], k.angular_acceleration[i]))
    return matvec(C, matvec(link.tensor, alpha) + np.cross(w, matvec(link.tensor, w)))


def centre_of(figure: Figure, k: Kinematics) -> Array:
    """Return the centre of mass (3,) [m] in the world, from known poses k (1)."""
    return weighted(figure, lambda i: point_position(k, i, figure.links[i].centre))


def weighted(figure: Figure, value: Callable[[int], Any]) -> Array:
    """Return Σ m_i value(i) / Σ m_i (3,) over the links that have mass (1)."""
    total = np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            total = total + link.mass * value(i)
    return total / figure.mass


def has_mass(link: Link) -> bool:
    """Return whether the link's mass may be nonzero. A recording scalar always may be."""
    return not (isinstance(link.mass, (int, float)) and link.mass == 0.0)


def _base(figure: Figure, k: Kinematics, about: str) -> Array:
    """Return the reference point o (3,) of (4) and (5): the centre of mass or the world's origin."""
    return centre_of(figure, k) if about == "centre" else np.zeros(3)
