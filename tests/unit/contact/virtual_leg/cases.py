"""States to try a virtual leg on."""

import numpy as np

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics, point_position, point_velocity
from anthropi.contact.virtual_leg import Leg, body_of, span

LEG = Leg(stiffness=15e3, damping=300.0, spin=8.0)
SOLES = {"l_foot": np.array([0.05, 0.0, -0.07]), "r_foot": np.array([0.05, 0.0, -0.07])}


def standing(seed: int = 0):
    """bench42 in a random state near standing: figure, q, u, tau."""
    figure, rng = ap.sample("bench42"), np.random.default_rng(seed)
    q = figure.integrate(ap.standing(figure), 0.2 * rng.normal(size=figure.nu))
    return figure, q, rng.normal(size=figure.nu), 20.0 * rng.normal(size=figure.nu) * ([0.0] * 6 + [1.0] * 36)


def on_foot(figure, q, u, foot="l_foot"):
    """Kinematics, body, the foot's place and the virtual leg to it."""
    k, i = kinematics(figure, q, u), figure.link_index(foot)
    body, x = body_of(figure, k), point_position(k, i, SOLES[foot])
    return k, body, x, span(x, point_velocity(k, i, SOLES[foot]), body)
