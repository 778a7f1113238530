"""Where is the centre of mass, how does it move, and what momentum has the figure? World components throughout.

    m c = Σ m_i c_i,   c_i = p_i + C_i s_i   and its derivatives              (1)  joint_motion (4), (9), (12)
    p = Σ p_i,  p_i = m_i c_i';   h_O = Σ C_i I_i* C_iᵀ ω_i + c_i × p_i       (2)
    h_G = h_O - c × p = Σ C_i I_i* C_iᵀ ω_i + (c_i - c) × p_i                 (3)

`centroidal.py` has the matrices that take u to these.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algorithms.kinematics import kinematics, point_acceleration, point_position, point_velocity
from anthropi.algorithms.shapes import algorithm
from anthropi.errors import InputError, did_you_mean

__all__ = [
    "CentreOfMass", "centre_of", "centre_of_mass", "check_about", "has_mass", "momentum", "spin_momentum", "weighted",
]  # fmt: skip

ABOUT = ("centre", "origin")


class CentreOfMass(NamedTuple):
    """position, velocity, acceleration (3,) of the centre of mass in the world; None where u or udot was not given."""

    position: Any
    velocity: Any = None
    acceleration: Any = None


@algorithm(q="nq", u="nu", udot="nu")
def centre_of_mass(figure, q, u=None, udot=None) -> CentreOfMass:
    """Where is the centre of mass, how fast does it move, how does its velocity change? [m, m/s, m/s²] (1)"""
    k = kinematics(figure, q, u, udot)
    known = [point_position] + [point_velocity] * (u is not None) + [point_acceleration] * (udot is not None)
    return CentreOfMass(*(weighted(figure, lambda i, f=f: f(k, i, figure.links[i].centre)) for f in known))


@algorithm(q="nq", u="nu")
def momentum(figure, q, u, *, about="centre"):
    """What momentum has the figure? (6,): angular [N m s] about its centre of mass or the world's origin, linear [N s].

    about : "centre" (3) or "origin" (2).
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


def check_about(about: str) -> None:
    """Refuse a point that momentum is not asked about."""
    if about not in ABOUT:
        raise InputError(f"No momentum about '{about}'.{did_you_mean(about, ABOUT)} Choose: {', '.join(ABOUT)}.")


def spin_momentum(k, i: int, link):
    """C I* Cᵀ ω (3,) of link i: angular momentum about its own centre of mass, in the world."""
    C = k.rotation[i]
    return matvec(C, matvec(link.tensor, matvec(transpose(C), k.angular_velocity[i])))


def centre_of(figure, k):
    """c (3,), with the poses known."""
    return weighted(figure, lambda i: point_position(k, i, figure.links[i].centre))


def weighted(figure, value):
    """Σ m_i value(i) / Σ m_i over the links that have mass (1)."""
    total = np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            total = total + link.mass * value(i)
    return total / figure.mass


def has_mass(link) -> bool:
    """Whether the link's mass is not known to be zero."""
    return not (isinstance(link.mass, (int, float)) and link.mass == 0.0)
