"""Momentum that a step of first order loses, put back into the root.

The dynamics balance momentum at an instant, implicit terms included; what a step loses comes from the configuration
that changes under its velocity. With (h, p) the momentum about the centre of mass, after a step it must be

    (h, p) + dt (h', p')(q, u, u'),   u' = (u⁺ - u) / dt                       (1)

and the root, which is free, takes what is missing, δh and δp, as one rigid body with all it carries:

    I δω = δh,   δv = δp / m - δω × (c - p_root)                               (2)
"""

import numpy as np

from anthropi.algebra.linear import full, ldl, matvec, transpose, upper
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.algorithms.momentum import centre_of, has_mass, momentum, momentum_rate
from anthropi.errors import InputError

__all__ = ["restore_momentum"]


def restore_momentum(figure, q, u, q1, u1, dt):
    """u⁺ (nu,) with the momentum that the forces of the step gave (1), (2). (q, u) before, (q1, u1) after it."""
    root = figure.joints[0]
    if root.kind != "free":
        raise InputError(f"conserve=True puts momentum into a free root; '{figure.name}' hangs by a {root.kind} joint.")
    held = [loop.name for loop in figure.loops if not (loop.link_a and loop.link_b)]
    if held:
        raise InputError(
            f"conserve=True is for figures that nothing holds; '{held[0]}' ties '{figure.name}' to the world."
        )
    missing = momentum(figure, q, u) + dt * momentum_rate(figure, q, u, (u1 - u) / dt) - momentum(figure, q1, u1)
    k = kinematics(figure, q1)
    centre = centre_of(figure, k)
    turn = ldl(_tensor(figure, k, centre)).solve(missing[:3])  # (2)
    slide = missing[3:] / figure.mass - np.cross(turn, centre - k.position[0])
    more = [matvec(transpose(root.placement.rotation), slide), matvec(transpose(k.rotation[0]), turn)]
    return np.concatenate([u1[:6] + np.concatenate(more), u1[6:]])


def _tensor(figure, k, centre):
    """Inertia tensor (3, 3) of the whole figure about its centre of mass, world axes."""
    total = np.zeros(6)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            C, d = k.rotation[i], point_position(k, i, link.centre) - centre
            own = C @ link.tensor @ transpose(C)
            total = total + upper(own) + link.mass * (d @ d * upper(np.eye(3)) - upper(np.outer(d, d)))
    return full(total)
