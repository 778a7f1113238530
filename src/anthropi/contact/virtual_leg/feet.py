"""Two feet as one virtual foot, their shares of the force, and wrenches on links (docs/equations/thesis.md 9.7, 7.4).

    positioning         r = α r_l + (1 - α) r_r: place of the virtual foot                         (1)  9.4.5
    force equalisation  f_l = α f,  f_r = (1 - α) f: together the force and moment of the leg      (2)
    synchronisation     one α for both feet: one takes the load that the other gives up            (3)
    α over double support, s = t / t_ds from heel strike to toe-off of the other foot:
        linear s,  cosine (1 - cos π s)/2,  cubic 3 s² - 2 s³                                      (4)
    wrench of a foot    f_link = C_iᵀ f,   τ_link = C_iᵀ ((x - p_i) × f)                           (5)  E10

(2) holds for any shares of sum 1: Σ w_k r_k × f = r × f. With cosine and cubic α' = 0 at both ends, so f is C¹. The
velocity of the virtual foot is Σ w_k v_k, that of material points: a change of load alone does not stretch the leg. In
(5) x is the foot and p_i the origin of the link, not G; the moment comes first. Forces on one link add.
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
    """Share α (4) at s: 0 before double support, 1 after it. form : "linear", "cosine" or "cubic"."""
    if form not in BLENDS:
        raise InputError(f"No blend '{form}'.{did_you_mean(str(form), BLENDS)} Choose: {', '.join(BLENDS)}.")
    return BLENDS[form](clip(s, 0.0, 1.0))


def in_step(t: Array, step: Array, double_support: Array, form: str = "cosine") -> Any:
    """Share α (3) of the left foot at time t [s] of periodic walking.

    Parameters
    ----------
    step : [s] from a heel strike to that of the other foot; the left foot strikes at 0.
    double_support : [s] its duration.
    form : of the blend.

    α rises from 0 at left heel strike to 1 at right toe-off, and falls from right heel strike to left toe-off.
    """
    t = t - 2.0 * step * floor(t / (2.0 * step))
    return blend(form, t / double_support) - blend(form, (t - step) / double_support)


def shares(alpha: Array) -> np.ndarray:
    """Shares (2,) of the left and the right foot."""
    return np.stack([alpha, 1.0 - alpha])


def virtual_foot(places: Array, parts: Any) -> Any:
    """Position or velocity (3,) of the virtual foot (1), from those of the feet (feet, 3) and their shares (feet,)."""
    return np.asarray(parts) @ np.asarray(places)


def foot_forces(force: Array, parts: Any) -> np.ndarray:
    """Force (feet, 3) [N] on each foot (2), from that of the leg (3,) and shares (feet,)."""
    return np.stack([part * force for part in np.asarray(parts)])


def foot_place(wanted: Any, other: Any, alpha: Array) -> Any:
    """Place (3,) of the left foot for a given place of the virtual foot: (1) solved for r_l.

    wanted : (3,) [m] place of the virtual foot. other : (3,) [m] place of the right foot. alpha : share, > 0.
    """
    return (wanted - (1.0 - alpha) * other) / alpha


def link_wrench(k: Any, i: int, x: Array, f: Array) -> np.ndarray:
    """Wrench (6,) on link i in its frame (5), of a force f (3,) [N] at x (3,) [m] in world axes."""
    back = transpose(k.rotation[i])
    return np.concatenate([matvec(back, np.cross(x - k.position[i], f)), matvec(back, f)])


def foot_wrenches(k: Any, links: Array, places: Array, forces: Array) -> dict[Any, Any]:
    """External forces {link number: (6,)} of forces (n, 3) [N] at places (n, 3) [m] on links (n,)."""
    found: dict[Any, Any] = {}
    for i, x, f in zip(links, places, forces, strict=True):
        own = link_wrench(k, i, x, f)
        found[i] = own if i not in found else found[i] + own
    return found
