"""What is the whole figure, seen from its centre of mass G? Mass, place, velocity, and its angular momentum about G.

    H_G = Σ C_i I*_i C_iᵀ ω_i + c_i × m_i v_i,   c_i from G to the link's centre of mass            (7.3)

Steady motion of the whole adds nothing, since Σ m_i c_i = 0.

Law
---
Which force does the ground give a figure through its virtual leg? Kearney's law, made well posed (thesis 6.4, E9).

r is the virtual leg, from the centre of mass G to the foot, r̂ = r / |r|; n the ground's normal. World throughout.

    M  = k_h (H̃ - H_G)                    the moment about G that is wanted            (1)  7.2
    f⊥ = M × r / |r|²                     what of it a force at the foot can make      (2)
    f∥ = k_l (|r| - r_s) + b_l |r|'       spring and damper along the leg              (3)  7.1
    f  = f∥ r̂ + f⊥                                                                     (4)
    f·n < 0: f = 0                        feet do not stick: lift-off                  (5)
    |f_t| > μ f·n: f_t = μ f·n f_t/|f_t|  friction cone, if there is a μ               (6)
    M - r × f                             what the foot could not make: the residual   (7)

7.1 and 7.2 have rank 3 in (f, r_s): r × f says nothing of f along r, and needs a moment across r. So r_s comes from
elsewhere (Rest), and M along r is left over in (7). r_s > |r| pushes G away from the foot. The damper's sign is
the one that takes energy: f∥ points from G to the foot, so a leg that lengthens is pulled together.

Rest
----
How long does the virtual leg want to be? Ways to get its rest length r_s (thesis 6.4).

    (a) given                              r_s                                                       Given
    (b) from a wanted normal force F_n     f∥ = (F_n - f⊥·n) / (r̂·n),  r_s = |r| - (f∥ - b_l |r|')/k_l  (8)  FromForce
    (c) from a wanted height h* of G       F_n = m (a - γ·n),  a = ω² (h* - h) - 2 ζ ω h',  then (b)  (9)  FromHeight
    (d) from a wanted apex z* of G         r_s = L + c (E* - E) |r|'                                  (10)  FromApex
        E = ½ m v² - m γ·(G - O) + ½ k_l (|r| - L)²,  E* = E of G at z* with the wanted speed over ground

h = -r·n is the height of G over its foot, γ gravity. (d) is ours, for hoppers: it does work c k_l (E* - E) |r|'² a
second, so that energy comes to E* and a leg of length L bounces from then on. A new way is a class here.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.scalar import clip, less, maximum, minimum, sqrt, where
from anthropi.algorithms.kinematics import point_position, point_velocity
from anthropi.algorithms.momentum import centre_of, has_mass, spin_momentum, weighted

__all__ = [
    "UP",
    "Body",
    "FromApex",
    "FromForce",
    "FromHeight",
    "Given",
    "Leg",
    "Reaction",
    "Rest",
    "Span",
    "across",
    "along",
    "body_of",
    "leg_force",
    "span",
    "wanted_moment",
]


class Body(NamedTuple):
    """mass [kg]; centre G, velocity (3,) [m, m/s]; spin H_G (3,) [N m s]; gravity (3,) [m/s²]. World."""

    mass: Any
    centre: Any
    velocity: Any
    spin: Any
    gravity: Any


def body_of(figure, k, gravity=None) -> Body:
    """The figure as one body, with its poses and velocities known. gravity : the figure's own if None."""
    centre, H = centre_of(figure, k), np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            arm, v = point_position(k, i, link.centre) - centre, point_velocity(k, i, link.centre)
            H = H + spin_momentum(k, i, link) + np.cross(arm, link.mass * v)  # (7.3)
    velocity = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    return Body(figure.mass, centre, velocity, H, figure.gravity if gravity is None else gravity)


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


LEVEL = -0.05  # r̂·n of a leg that all but lies: beyond, the wanted normal force is not reached


class Rest(Protocol):
    """A way to get r_s."""

    def length(self, leg: Leg, virtual: Span, body: Body, moment, normal=UP) -> Any:
        """r_s [m] of a virtual leg. moment : M (3,) [N m] wanted about G."""


class Given(NamedTuple):
    """(a): rest [m]."""

    rest: Any

    def length(self, leg, virtual, body, moment, normal=UP):
        """r_s [m]."""
        return self.rest


class FromForce(NamedTuple):
    """(b): force F_n [N], normal to the ground."""

    force: Any

    def length(self, leg, virtual, body, moment, normal=UP):
        """r_s [m] (8)."""
        f = (self.force - across(virtual, moment) @ normal) / minimum(virtual.direction @ normal, LEVEL)
        return virtual.length - (f - leg.damping * virtual.rate) / leg.stiffness


class FromHeight(NamedTuple):
    """(c): height h* [m] of G over the foot, frequency ω [rad/s] and damping ratio ζ of the way there."""

    height: Any
    frequency: Any = 10.0
    ratio: Any = 1.0

    def length(self, leg, virtual, body, moment, normal=UP):
        """r_s [m] (9)."""
        height, rate = -(virtual.r @ normal), -(virtual.velocity @ normal)
        a = self.frequency * (self.frequency * (self.height - height) - 2.0 * self.ratio * rate)
        wanted = FromForce(body.mass * (a - body.gravity @ normal))
        return wanted.length(leg, virtual, body, moment, normal)


class FromApex(NamedTuple):
    """(d): apex z* [m] of G over the world's origin, rest length L [m], speed over ground [m/s] at the apex.

    gain : c [s/(N m)]. reach : [m] how far r_s may be from L.
    """

    apex: Any
    rest: Any
    speed: Any = 0.0
    gain: Any = 1e-3
    reach: Any = 0.1

    def length(self, leg, virtual, body, moment, normal=UP):
        """r_s [m] (10)."""
        v, give = body.velocity, virtual.length - self.rest
        fall = body.gravity @ body.centre + sqrt(body.gravity @ body.gravity) * self.apex
        lacks = body.mass * (0.5 * (self.speed * self.speed - v @ v) + fall)
        lacks = lacks - 0.5 * leg.stiffness * give * give  # E* - E
        return self.rest + clip(self.gain * lacks * virtual.rate, -self.reach, self.reach)
