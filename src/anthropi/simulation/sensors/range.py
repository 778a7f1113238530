"""Sensor of the distance to the ground along a ray.

The ray starts at p with the unit direction e. On a plane with the normal n and the distance d of p,

    s = d / -(n·e)                                                             (1)

Other surfaces are searched along the ray. The clearance c(s) = z - h of a height field changes along the ray at most at
the rate |e_z| + L |e_xy|, where L is the largest slope of the field, and that of other surfaces at most at the rate 1.
So the ray does not meet the surface within

    Δs = c(s) / (|e_z| + L |e_xy|)                                             (2)

The search advances by (2), but at least by reach / samples, until c ≤ 0; halving the last step then gives s. It may
pass through parts of the ground that are thinner along the ray than reach / samples.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import absolute, clip, hypot, less, less_equal, maximum, minimum, records, where
from anthropi.algorithms.kinematics import point_position
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import finite
from anthropi.contact.vectors import dot
from anthropi.errors import InputError
from anthropi.simulation.sensors.sensor import place_on
from anthropi.tape import repeat

__all__ = ["Range", "ray_distance"]

HALVINGS = 40  # of a step of reach / samples: 1e-13 of the reach
MIN_DESCENT = 1e-9  # -n·e of rays that meet a plane


@dataclass(eq=False)
class Range:
    """Distance to the ground [m] along a ray, (1) or (2).

    Attributes
    ----------
    at : start of the ray: name of a marker, name of a link (its origin), or a pair (link, point (3,) [m]).
    direction : (3,) of the ray, in the frame of the link.
    reach : [m] largest distance; also the reading if the ray does not meet the ground.
    samples : largest number of steps of the search on ground that is not a plane.
    """

    at: Any
    direction: Any = (0.0, 0.0, -1.0)
    reach: float = 10.0
    samples: int = 64
    labels: tuple[str, ...] = field(init=False, default=("range",))
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        e = finite(self.direction, (3,), "A Range", "direction")
        length = float((e * e).sum()) ** 0.5
        if not length > 0.0 or not 0.0 < self.reach < np.inf or not self.samples >= 1:
            raise InputError("A Range needs a direction other than 0, a reach above 0 [m], and at least 1 sample.")
        self.direction = e / length

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the distance (1,) [m] and the memory."""
        if sense.ground is None:
            raise InputError("A Range measures the distance to the ground, but the scene has no ground.")
        i, s = place_on(figure, self.at)
        p = point_position(sense.kinematics, i, s)
        e = matvec(sense.kinematics.rotation[i], self.direction)
        return np.array([ray_distance(sense.ground, p, e, self.reach, self.samples)]), {}


def ray_distance(surface: Any, p: Any, e: Any, reach: float, samples: int = 64) -> Any:
    """Return the distance [m] at which a ray meets a surface, at most `reach`; 0 for a start below the surface.

    p, e : (3,) start [m] and unit direction of the ray, in the frame of the surface. samples : as in `Range`.
    """
    if surface.constant:
        d, n = surface.distance(p)
        descent = -dot(n, e)
        meets = less(MIN_DESCENT, descent)
        return clip(where(meets, d / where(meets, descent, 1.0), where(less(0.0, d), reach, 0.0)), 0.0, reach)  # (1)
    field_of_heights = isinstance(surface, HeightField)
    rate = absolute(e[2]) + _largest_slope(surface) * hypot(e[0], e[1]) if field_of_heights else 1.0

    def clearance(s: Any) -> Any:
        x = p + s * e
        return x[2] - surface.height(x[0], x[1])[0] if field_of_heights else surface.distance(x)[0]

    def march(carry: Any) -> Any:
        s, _, c = carry
        there = minimum(s + maximum(c / rate, reach / samples), reach)  # (2)
        return there, s, clearance(there)

    def found(carry: Any) -> Any:
        return less_equal(carry[2], 0.0) | less_equal(reach, carry[0])

    def halve(carry: Any) -> Any:
        free, met = carry
        middle = 0.5 * (free + met)
        below = less_equal(clearance(middle), 0.0)
        return where(below, free, middle), where(below, middle, met)

    s, before, c = repeat(march, (0.0 * p[0], 0.0 * p[0], clearance(0.0)), samples, found)
    _, met = repeat(halve, (before, s), HALVINGS)
    return where(less_equal(c, 0.0), met, reach)


def _largest_slope(surface: HeightField) -> float:
    """Return the bound L of the slope of a height field; inf if its heights are inputs of a kernel."""
    heights, spacing = surface.heights, surface.spacing
    if records(heights, spacing):
        return np.inf
    steps = [np.abs(np.diff(heights, axis=k)).max() / spacing[k] for k in (0, 1)]
    return float(np.hypot(*steps))
