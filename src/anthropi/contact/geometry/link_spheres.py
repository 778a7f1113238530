"""Contact of whole links: a few spheres for each link, which together make one contact with a surface.

`Scene(features="body")` uses it, so that every link of a person who falls rests on the ground. For sphere i of a link,
with centre c_i, radius r_i and distance d_i of the surface from c_i, the contact acts at a mean of the lowest spheres:

    g_i = d_i - r_i,   w_i = max(0, b - (g_i - min g)),   c = Σ w_i c_i / Σ w_i,   r = Σ w_i r_i / Σ w_i         (1)

with b = `BLEND`. The contact point moves continuously from one end of a link to the other. One contact costs a fraction
of a contact for each sphere. `contact/geometry/contacts.py` computes the contact of the sphere (c, r).

The spheres of a link are chosen from those of its shapes (`features.py`): in each direction they reach as far as all
shapes of the link, within `COVER`. Links with contact markers touch with their markers. Their spheres are small and lie
on the upper side, so that they touch only if the foot is turned over. The choice of spheres works on plain floats only;
`lowest_sphere` can be recorded.
"""

from math import pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import maximum, minimum

__all__ = ["FeatureGroup", "covering_spheres", "lowest_sphere", "upper_side"]

BLEND = 0.01  # [m] b in equation (1)
COVER = 0.01  # [m] largest distance by which a shape may reach beyond the chosen spheres
MAX_SPHERES = 6  # per link
UPPER_RADIUS = 0.005  # [m] of spheres on the upper side of a foot
MIN_CLEARANCE = 0.01  # [m] between such a sphere and the plane of the contact markers
DIRECTIONS = 256  # in which the reach of spheres is compared


class FeatureGroup(NamedTuple):
    """Contact feature of a whole link: spheres that make one contact (equation 1).

    points : (n, 3) [m] their centres in the link frame. radii : (n,) [m].
    """

    name: str
    link: str
    points: Any
    radii: Any


def lowest_sphere(gaps: Any, points: Any, radii: Any) -> tuple[Any, Any]:
    """Compute the centre (3,) and the radius [m] of the sphere at which a group makes contact (1). Records.

    gaps : [m] of all spheres. points, radii : of the `FeatureGroup`.
    """
    if len(gaps) == 1:
        return points[0], radii[0]
    lowest = gaps[0]
    for gap in gaps[1:]:
        lowest = minimum(lowest, gap)
    weights = [maximum(0.0, (BLEND + lowest) - gap) for gap in gaps]
    share = 1.0 / sum(weights[1:], weights[0])
    centre = [sum(w * float(p[k]) for w, p in zip(weights, points, strict=True)) * share for k in range(3)]
    return np.array(centre), sum(w * float(r) for w, r in zip(weights, radii, strict=True)) * share


def covering_spheres(points: Any, radii: Any) -> list[int]:
    """Choose some of the spheres that, within `COVER`, reach as far as all of them in every direction.

    points : (n, 3) [m] centres. radii : (n,) [m]. The sphere that reduces the largest difference most is added first.
    Returns the numbers of the chosen spheres.
    """
    directions = _directions()
    reach = directions @ np.asarray(points, float).T + np.asarray(radii, float)  # (directions, n)
    whole, chosen = reach.max(-1), [int(np.argmax(reach.sum(0)))]
    while len(chosen) < min(MAX_SPHERES, len(radii)):
        own = reach[:, chosen].max(-1)
        if (whole - own).max() <= COVER:
            break
        lacks = np.maximum(whole[:, None] - np.maximum(own[:, None], reach), 0.0)
        chosen.append(int(np.argmin(lacks.max(0) + 1e-3 * lacks.mean(0))))
    return sorted(set(chosen))


def upper_side(points: Any, radii: Any, soles: Any, up: Any) -> tuple[np.ndarray, np.ndarray]:
    """Replace the spheres of a foot by small ones on its upper side, well above its contact markers.

    points, radii : (n, 3), (n,) [m] spheres of its shapes. soles : (m, 3) [m] contact markers. up : (3,) unit vector.

    Returns points (k, 3) and radii (k,) [m]; k = 0 if all spheres are too near to the plane of the markers.
    """
    radii = np.asarray(radii, float)
    small = np.minimum(radii, UPPER_RADIUS)
    raised = np.asarray(points, float) + (radii - small)[:, None] * up
    high = raised @ up - small > (np.asarray(soles, float) @ up).max() + MIN_CLEARANCE
    return raised[high], small[high]


def _directions() -> np.ndarray:
    """Unit vectors (DIRECTIONS, 3), evenly distributed on the sphere."""
    k = np.arange(DIRECTIONS) + 0.5
    z, angle = 1.0 - 2.0 * k / DIRECTIONS, pi * (1.0 + sqrt(5.0)) * k
    across = np.sqrt(1.0 - z * z)
    return np.stack([across * np.cos(angle), across * np.sin(angle), z], -1)
