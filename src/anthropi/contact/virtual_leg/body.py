"""What is the whole figure, seen from its centre of mass G? Mass, place, velocity, and its angular momentum about G.

    H_G = Σ C_i I*_i C_iᵀ ω_i + c_i × m_i v_i,   c_i from G to the link's centre of mass            (7.3)

Steady motion of the whole adds nothing, since Σ m_i c_i = 0.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import point_position, point_velocity
from anthropi.algorithms.momentum import centre_of, has_mass, spin_momentum, weighted

__all__ = ["Body", "body_of"]


class Body(NamedTuple):
    """mass [kg]; centre G, velocity (3,) [m, m/s]; spin H_G (3,) [N m s]; gravity (3,) [m/s²]. World."""

    mass: Any
    centre: Any
    velocity: Any
    spin: Any
    gravity: Any


def body_of(figure, k, gravity=None) -> Body:
    """The figure as one body, with its poses and velocities known. gravity : the figure's own if None."""
    centre, H = centre_of(figure, k), np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            arm, v = point_position(k, i, link.centre) - centre, point_velocity(k, i, link.centre)
            H = H + spin_momentum(k, i, link) + np.cross(arm, link.mass * v)  # (7.3)
    velocity = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    return Body(figure.mass, centre, velocity, H, figure.gravity if gravity is None else gravity)
