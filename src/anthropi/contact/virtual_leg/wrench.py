"""How does a force at a foot enter the dynamics? As f_ext of its link (thesis 7.4, E10).

    f_link = C_iᵀ f,   τ_link = C_iᵀ ((x - p_i) × f),   x the foot, p_i the link's origin        (1)

The arm is from the link's origin, not from G; moment first, as everywhere here. Forces on one link add.
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose

__all__ = ["link_wrench", "pushed"]


def link_wrench(k, i: int, x, f):
    """(1): moment and force (6,) on link i, in its frame, of a force f (3,) [N] at x (3,) [m]; both world."""
    back = transpose(k.rotation[i])
    return np.concatenate([matvec(back, np.cross(x - k.position[i], f)), matvec(back, f)])


def pushed(k, links, places, forces) -> dict:
    """f_ext {link number: (6,)} of forces (n, 3) at places (n, 3) on links (n,); each counts once."""
    found: dict = {}
    for i, x, f in zip(links, places, forces, strict=True):
        own = link_wrench(k, i, x, f)
        found[i] = own if i not in found else found[i] + own
    return found
