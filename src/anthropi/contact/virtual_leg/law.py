"""Which force does the ground give a figure through its virtual leg? Kearney's law, made well posed (thesis 6.4, E9).

r is the virtual leg, from the centre of mass G to the foot, r̂ = r / |r|; n the ground's normal. World throughout.

    M  = k_h (H̃ - H_G)                    the moment about G that is wanted            (1)  7.2
    f⊥ = M × r / |r|²                     what of it a force at the foot can make      (2)
    f∥ = k_l (|r| - r_s) + b_l |r|'       spring and damper along the leg              (3)  7.1
    f  = f∥ r̂ + f⊥                                                                     (4)
    f·n < 0: f = 0                        feet do not stick: lift-off                  (5)
    |f_t| > μ f·n: f_t = μ f·n f_t/|f_t|  friction cone, if there is a μ               (6)
    M - r × f                             what the foot could not make: the residual   (7)

7.1 and 7.2 have rank 3 in (f, r_s): r × f says nothing of f along r, and needs a moment across r. So r_s comes from
elsewhere (`rest.py`), and M along r is left over in (7). r_s > |r| pushes G away from the foot. The damper's sign is
the one that takes energy: f∥ points from G to the foot, so a leg that lengthens is pulled together.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, maximum, minimum, sqrt, where

__all__ = ["UP", "Leg", "Reaction", "Span", "across", "along", "leg_force", "span", "wanted_moment"]

UP = np.array([0.0, 0.0, 1.0])
TINY = 1e-12  # [m²] so that a leg of no length has finite derivatives


class Leg(NamedTuple):
    """stiffness k_l [N/m], damping b_l [N s/m] along the leg; spin k_h [1/s]; friction μ, None: the foot sticks."""

    stiffness: Any
    damping: Any = 0.0
    spin: Any = 0.0
    friction: Any = None


class Span(NamedTuple):
    """r (3,) from G to the foot [m], r' (3,) as `velocity`; length |r|, direction r̂ (3,), and rate |r|' [m/s]."""

    r: Any
    velocity: Any
    length: Any
    direction: Any
    rate: Any


class Reaction(NamedTuple):
    """force f (3,) [N] on the figure at its foot; rest r_s [m]; residual (3,) [N m] of the moment, (7)."""

    force: Any
    rest: Any
    residual: Any


def span(foot, foot_velocity, body) -> Span:
    """The virtual leg from G to a foot (3,) [m] that moves with foot_velocity (3,) [m/s]."""
    r, v = foot - body.centre, foot_velocity - body.velocity
    length = sqrt(maximum(r @ r, TINY))
    direction = r / length
    return Span(r, v, length, direction, direction @ v)


def wanted_moment(leg: Leg, H, wanted):
    """M (3,) [N m] (1). wanted : H̃ (3,) [N m s], the angular momentum about G that is wanted."""
    return leg.spin * (wanted - H)


def across(virtual: Span, moment):
    """f⊥ (3,) [N] (2)."""
    return np.cross(moment, virtual.r) / (virtual.length * virtual.length)


def along(leg: Leg, virtual: Span, rest):
    """f∥ [N] (3), positive from G to the foot."""
    return leg.stiffness * (virtual.length - rest) + leg.damping * virtual.rate


def leg_force(leg: Leg, virtual: Span, moment, rest, normal=UP) -> Reaction:
    """The ground reaction, for a rest length r_s [m] and a moment M (3,) [N m] about G."""
    f = along(leg, virtual, rest) * virtual.direction + across(virtual, moment)  # (4)
    press = f @ normal
    f = where(less(press, 0.0), 0.0, f)  # (5)
    if leg.friction is not None:
        f = _in_cone(leg.friction, maximum(press, 0.0), f, normal)  # (6)
    return Reaction(f, rest, moment - np.cross(virtual.r, f))  # (7)


def _in_cone(friction, press, f, normal):
    """(6): f (3,) with its part along the ground cut to what friction holds."""
    f_n = press * normal
    f_t = f - f_n
    slip = sqrt(maximum(f_t @ f_t, TINY))
    return f_n + minimum(friction * press / slip, 1.0) * f_t
