"""Two feet as one virtual foot, their shares of the force, and wrenches on links (docs/equations/thesis.md 9.7, 7.4).

    positioning         r = α r_l + (1 - α) r_r: position of the virtual foot                      (1)  9.4.5
    force equalisation  f_l = α f,  f_r = (1 - α) f: together the force and moment of the leg      (2)
    synchronisation     one α for both feet: load moves from one foot to the other                 (3)
    α over double support, s = t / t_ds from heel strike to toe-off of the other foot:
        linear s,  cosine (1 - cos π s)/2,  cubic 3 s² - 2 s³                                      (4)
    wrench of a foot    f_link = C_iᵀ f,   τ_link = C_iᵀ ((x - p_i) × f)                           (5)  E10

(2) holds for any shares with the sum 1: Σ w_k r_k × f = r × f. With cosine and cubic, α' = 0 at both ends, so f is C¹.
The velocity of the virtual foot is Σ w_k v_k, a mean of velocities of material points. A change of load alone does not
stretch the leg. In (5), x is the foot and p_i the origin of the link, not G. The moment comes first. Forces on the same
link are added.
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import Array, clip, cos, floor
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


BLENDS: dict[Any, Any] = {  # (4)
    "linear": lambda s: s,
    "cosine": lambda s: 0.5 - 0.5 * cos(math.pi * s),
    "cubic": lambda s: s * s * (3.0 - 2.0 * s),
}


def blend(form: str, s: Array) -> Any:
    """Compute the load share α of a foot at the phase s of double support: 0 for s ≤ 0, 1 for s ≥ 1.

    form : "linear", "cosine" or "cubic".
    """
    if form not in BLENDS:
        raise InputError(f"No blend '{form}'.{did_you_mean(str(form), BLENDS)} Choose one of: {', '.join(BLENDS)}.")
    return BLENDS[form](clip(s, 0.0, 1.0))


def in_step(t: Array, step: Array, double_support: Array, form: str = "cosine") -> Any:
    """Compute the load share α of the left foot at time t [s] of periodic walking.

    α rises from 0 at left heel strike to 1 at right toe-off, and falls from right heel strike to left toe-off.

    Parameters
    ----------
    step : [s] time from a heel strike to the heel strike of the other foot; the left heel strikes at t = 0.
    double_support : [s] duration of double support.
    form : form of the blend, see `blend`.
    """
    t = t - 2.0 * step * floor(t / (2.0 * step))
    return blend(form, t / double_support) - blend(form, (t - step) / double_support)


def shares(alpha: Array) -> np.ndarray:
    """Return the load shares (2,) of the left and the right foot, for the share alpha of the left foot."""
    return np.stack([alpha, 1.0 - alpha])


def virtual_foot(places: Array, parts: Any) -> Any:
    """Compute the position or velocity (3,) of the virtual foot.

    places : (feet, 3) positions or velocities of the feet. parts : (feet,) load shares.
    """
    return np.asarray(parts) @ np.asarray(places)


def foot_forces(force: Array, parts: Any) -> np.ndarray:
    """Distribute the force (3,) [N] of the virtual leg over the feet, (feet, 3) [N], by load shares (feet,)."""
    return np.stack([part * force for part in np.asarray(parts)])


def foot_place(wanted: Any, other: Any, alpha: Array) -> Any:
    """Compute the position (3,) [m] of the left foot for a given position of the virtual foot.

    wanted : (3,) [m] position of the virtual foot. other : (3,) [m] position of the right foot. alpha : load share of
    the left foot, above 0.
    """
    return (wanted - (1.0 - alpha) * other) / alpha


def link_wrench(k: Any, i: int, x: Array, f: Array) -> np.ndarray:
    """Compute the wrench (6,) on link i, in the link frame, of a force f (3,) [N] at x (3,) [m] in world axes."""
    back = transpose(k.rotation[i])
    return np.concatenate([matvec(back, np.cross(x - k.position[i], f)), matvec(back, f)])


def foot_wrenches(k: Any, links: Array, places: Array, forces: Array) -> dict[Any, Any]:
    """Compute external forces {link number: (6,)} from forces (n, 3) [N] at places (n, 3) [m] on links (n,)."""
    found: dict[Any, Any] = {}
    for i, x, f in zip(links, places, forces, strict=True):
        own = link_wrench(k, i, x, f)
        found[i] = own if i not in found else found[i] + own
    return found
