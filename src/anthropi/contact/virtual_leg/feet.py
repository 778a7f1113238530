"""How do two feet act as one? The virtual leg's foot, and what each real foot takes of its force (thesis 9.7).

    positioning         r = α r_l + (1 - α) r_r: the feet's places fix the virtual foot            (1)  9.4.5
    force equalisation  f_l = α f,  f_r = (1 - α) f: together the virtual leg's force and moment   (2)
    synchronisation     one α for both: what one foot takes on, the other gives up                 (3)
    α over double support, s = t / t_ds from heel strike to the other's toe-off:
        linear s,  cosine (1 - cos π s)/2,  cubic 3 s² - 2 s³                                      (4)

(2) holds for any shares of sum 1: Σ w_k r_k × w f = r × f. With cosine and cubic α' = 0 at both ends, so f is C¹. The
virtual foot's velocity is that of matter, Σ w_k v_k: load that shifts from foot to foot stretches no leg.

Wrench
------
How does a force at a foot enter the dynamics? As f_ext of its link (thesis 7.4, E10).

    f_link = C_iᵀ f,   τ_link = C_iᵀ ((x - p_i) × f),   x the foot, p_i the link's origin        (4)

The arm is from the link's origin, not from G; moment first, as everywhere here. Forces on one link add.
"""

import math

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, cos, floor
from anthropi.errors import InputError, did_you_mean

__all__ = [
    "BLENDS",
    "blend",
    "foot_forces",
    "foot_place",
    "foot_wrenches",
    "in_step",
    "link_wrench",
    "shares",
    "virtual_foot",
]


BLENDS = {  # (4)
    "linear": lambda s: s,
    "cosine": lambda s: 0.5 - 0.5 * cos(math.pi * s),
    "cubic": lambda s: s * s * (3.0 - 2.0 * s),
}


def blend(form: str, s):
    """α (4) at s, 0 before double support and 1 after it. form : linear, cosine or cubic."""
    if form not in BLENDS:
        raise InputError(f"No blend '{form}'.{did_you_mean(str(form), BLENDS)} Choose: {', '.join(BLENDS)}.")
    return BLENDS[form](clip(s, 0.0, 1.0))


def in_step(t, step, double, form: str = "cosine"):
    """α (3) at time t [s] of walking: the left foot strikes at 0, the right a step [s] later; double support [s].

    LHS 0 → RTO 1 … RHS 1 → LTO 0 …, cycle after cycle of two steps.
    """
    t = t - 2.0 * step * floor(t / (2.0 * step))
    return blend(form, t / double) - blend(form, (t - step) / double)


def shares(alpha):
    """(2,): what left and right take."""
    return np.stack([alpha, 1.0 - alpha])


def virtual_foot(places, parts):
    """(1): Σ w_k p_k (3,) for feet's places (or velocities) (feet, 3) and shares (feet,) of sum 1."""
    return np.asarray(parts) @ np.asarray(places)


def foot_forces(force, parts):
    """(2): the force (feet, 3) [N] on each foot."""
    return np.stack([part * force for part in np.asarray(parts)])


def foot_place(wanted, other, alpha):
    """Where the left foot goes (3,) for the virtual foot to be at a wanted place, the right one standing: (1) for r_l.

    alpha : the share at which it is to be there, > 0.
    """
    return (wanted - (1.0 - alpha) * other) / alpha


def link_wrench(k, i: int, x, f):
    """(4): moment and force (6,) on link i, in its frame, of a force f (3,) [N] at x (3,) [m]; both world."""
    back = transpose(k.rotation[i])
    return np.concatenate([matvec(back, np.cross(x - k.position[i], f)), matvec(back, f)])


def foot_wrenches(k, links, places, forces) -> dict:
    """f_ext {link number: (6,)} of forces (n, 3) at places (n, 3) on links (n,); each counts once."""
    found: dict = {}
    for i, x, f in zip(links, places, forces, strict=True):
        own = link_wrench(k, i, x, f)
        found[i] = own if i not in found else found[i] + own
    return found
