"""How do two feet act as one? The virtual leg's foot, and what each real foot takes of its force (thesis 9.7).

    positioning         r = α r_l + (1 - α) r_r: the feet's places fix the virtual foot            (1)  9.4.5
    force equalisation  f_l = α f,  f_r = (1 - α) f: together the virtual leg's force and moment   (2)
    synchronisation     one α for both: what one foot takes on, the other gives up                 (3)
    α over double support, s = t / t_ds from heel strike to the other's toe-off:
        linear s,  cosine (1 - cos π s)/2,  cubic 3 s² - 2 s³                                      (4)

(2) holds for any shares of sum 1: Σ w_k r_k × w f = r × f. With cosine and cubic α' = 0 at both ends, so f is C¹. The
virtual foot's velocity is that of matter, Σ w_k v_k: load that shifts from foot to foot stretches no leg.
"""

import math

import numpy as np

from anthropi.algebra.scalar import clip, cos, floor
from anthropi.errors import InputError, did_you_mean

__all__ = ["BLENDS", "blend", "foot_forces", "foot_place", "in_step", "shares", "virtual_foot"]

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
