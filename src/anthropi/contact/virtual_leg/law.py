"""Force of a virtual leg: spring along the leg, angular-momentum feedback, friction cone, and rest length.

The figure is reduced to its centre of mass G, with the angular momentum about G

    H_G = Σ C_i I*_i C_iᵀ ω_i + c_i × m_i v_i,   c_i from G to the centre of mass of link i            (7.3)

to which a uniform velocity adds nothing, since Σ m_i c_i = 0. r is the virtual leg, from G to the foot, r̂ = r / |r|, n
the normal of the ground; world axes throughout. The law is Kearney's, made well posed (docs/equations/thesis.md 6.4,
E9):

    M  = k_h (H̃ - H_G)                    target moment about G                                        (1)  7.2
    f⊥ = M × r / |r|²                     part of it that a force at the foot can produce              (2)
    f∥ = k_l (|r| - r_s) + b_l |r|'       spring and damper along the leg                              (3)  7.1
    f  = f∥ r̂ + f⊥                                                                                     (4)
    f·n < 0: f = 0                        feet do not adhere: lift-off                                 (5)
    |f_t| > μ f·n: f_t = μ f·n f_t/|f_t|  friction cone, if μ is given                                 (6)
    M - r × f                             residual moment                                              (7)

7.1 and 7.2 have rank 3 in (f, r_s): r × f does not determine f along r, and requires a moment across r. r_s is
therefore given by a rule, and M along r remains in (7). r_s > |r| pushes G away from the foot. The damper dissipates:
f∥ points from G to the foot, so a lengthening leg is pulled together.

Rules for the rest length r_s (docs/equations/thesis.md 6.4):

    (a) given                              r_s                                                          Given
    (b) from a normal force F_n            f∥ = (F_n - f⊥·n) / (r̂·n),  r_s = |r| - (f∥ - b_l |r|')/k_l  (8)  FromForce
    (c) from a height h* of G              F_n = m (a - γ·n),  a = ω² (h* - h) - 2 ζ ω h',  then (b)    (9)  FromHeight
    (d) from an apex z* of G               r_s = L + c (E* - E) |r|'                                    (10)  FromApex
        E = ½ m v² - m γ·(G - O) + ½ k_l (|r| - L)²,  E* = E of G at z* with the given horizontal speed

h = -r·n is the height of G above the foot, γ gravity. (d) is our addition, for hoppers: it has the power c k_l (E* - E)
|r|'², so that the energy converges to E* and a leg of length L bounces from then on. A new rule is a class here.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.scalar import Array, clip, less, maximum, minimum, sqrt, where
from anthropi.algorithms.kinematics import point_position, point_velocity
from anthropi.algorithms.momentum import centre_of, has_mass, spin_momentum, weighted
from anthropi.figure.figure import Figure

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
    """A figure reduced to its centre of mass, in world axes.

    mass : [kg]. centre, velocity : G (3,) [m], [m/s]. spin : H_G (3,) [N m s]. gravity : (3,) [m/s²].
    """

    mass: Any
    centre: Any
    velocity: Any
    spin: Any
    gravity: Any


def body_of(figure: Figure, k: Any, gravity: Array = None) -> Body:
    """Reduce a figure with the kinematics k to its centre of mass. gravity : (3,) [m/s²], of the figure if None."""
    centre, H = centre_of(figure, k), np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            arm, v = point_position(k, i, link.centre) - centre, point_velocity(k, i, link.centre)
            H = H + spin_momentum(k, i, link) + np.cross(arm, link.mass * v)  # (7.3)
    velocity = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    return Body(figure.mass, centre, velocity, H, figure.gravity if gravity is None else gravity)


UP = np.array([0.0, 0.0, 1.0])
MIN_SQUARE = 1e-12  # [m²] of a leg, so that derivatives stay finite at length 0


class Leg(NamedTuple):
    """Parameters of a virtual leg.

    stiffness : k_l [N/m]. damping : b_l [N s/m] along the leg. spin : k_h [1/s]. friction : μ; None for no slip.
    """

    stiffness: Any
    damping: Any = 0.0
    spin: Any = 0.0
    friction: Any = None


class Span(NamedTuple):
    """Geometry of a virtual leg.

    r : (3,) [m] from G to the foot. velocity : r' (3,) [m/s]. length : |r| [m]. direction : r̂ (3,). rate : |r|' [m/s].
    """

    r: Any
    velocity: Any
    length: Any
    direction: Any
    rate: Any


class Reaction(NamedTuple):
    """Ground reaction: force f (3,) [N] at the foot, rest length r_s [m], residual moment (3,) [N m] (7)."""

    force: Any
    rest: Any
    residual: Any


def span(foot: Array, foot_velocity: Array, body: Any) -> Span:
    """Virtual leg from G to a foot (3,) [m] with foot_velocity (3,) [m/s]."""
    r, v = foot - body.centre, foot_velocity - body.velocity
    length = sqrt(maximum(r @ r, MIN_SQUARE))
    direction = r / length
    return Span(r, v, length, direction, direction @ v)


def wanted_moment(leg: Leg, H: Array, wanted: Any) -> Any:
    """Target moment M (3,) [N m] about G (1). H, wanted : H_G and H̃ (3,) [N m s], present and target."""
    return leg.spin * (wanted - H)


def across(virtual: Span, moment: Array) -> Any:
    """Force f⊥ (3,) [N] across the leg (2)."""
    return np.cross(moment, virtual.r) / (virtual.length * virtual.length)


def along(leg: Leg, virtual: Span, rest: Array) -> Any:
    """Force f∥ [N] along the leg (3), positive from G to the foot."""
    return leg.stiffness * (virtual.length - rest) + leg.damping * virtual.rate


def leg_force(leg: Leg, virtual: Span, moment: Array, rest: Array, normal: Array = UP) -> Reaction:
    """Ground reaction (4)-(7) for a rest length r_s [m] and a target moment M (3,) [N m] about G.

    normal : (3,) of the ground.
    """
    f = along(leg, virtual, rest) * virtual.direction + across(virtual, moment)  # (4)
    normal_force = f @ normal
    f = where(less(normal_force, 0.0), 0.0, f)  # (5)
    if leg.friction is not None:
        f = _in_cone(leg.friction, maximum(normal_force, 0.0), f, normal)  # (6)
    return Reaction(f, rest, moment - np.cross(virtual.r, f))  # (7)


def _in_cone(friction, normal_force, f, normal):
    """Force f (3,) with its tangential part limited by friction (6)."""
    f_n = normal_force * normal
    f_t = f - f_n
    slip = sqrt(maximum(f_t @ f_t, MIN_SQUARE))
    return f_n + minimum(friction * normal_force / slip, 1.0) * f_t


MIN_SLOPE = -0.05  # bound of r̂·n: for flatter legs the given normal force is not reached


class Rest(Protocol):
    """Rule for the rest length of a virtual leg."""

    def length(self, leg: Leg, virtual: Span, body: Body, moment: Array, normal: Array = UP) -> Any:
        """Rest length r_s [m] of a virtual leg. moment : target M (3,) [N m] about G."""


class Given(NamedTuple):
    """Rule (a): given rest length `rest` [m]."""

    rest: Any

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Rest length r_s [m]."""
        return self.rest


class FromForce(NamedTuple):
    """Rule (b): normal force F_n [N]."""

    force: Any

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Rest length r_s [m] (8)."""
        f = (self.force - across(virtual, moment) @ normal) / minimum(virtual.direction @ normal, MIN_SLOPE)
        return virtual.length - (f - leg.damping * virtual.rate) / leg.stiffness


class FromHeight(NamedTuple):
    """Rule (c): height h* [m] of G above the foot, approached with frequency ω [rad/s] and damping ratio ζ."""

    height: Any
    frequency: Any = 10.0
    ratio: Any = 1.0

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Rest length r_s [m] (9)."""
        height, rate = -(virtual.r @ normal), -(virtual.velocity @ normal)
        a = self.frequency * (self.frequency * (self.height - height) - 2.0 * self.ratio * rate)
        wanted = FromForce(body.mass * (a - body.gravity @ normal))
        return wanted.length(leg, virtual, body, moment, normal)


class FromApex(NamedTuple):
    """Rule (d): apex z* [m] of G above the origin of the world.

    rest : L [m]. speed : [m/s] horizontal, at the apex. gain : c [s/(N m)]. reach : [m] largest |r_s - L|.
    """

    apex: Any
    rest: Any
    speed: Any = 0.0
    gain: Any = 1e-3
    reach: Any = 0.1

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Rest length r_s [m] (10)."""
        v, give = body.velocity, virtual.length - self.rest
        fall = body.gravity @ body.centre + sqrt(body.gravity @ body.gravity) * self.apex
        missing = body.mass * (0.5 * (self.speed * self.speed - v @ v) + fall)
        missing = missing - 0.5 * leg.stiffness * give * give  # E* - E
        return self.rest + clip(self.gain * missing * virtual.rate, -self.reach, self.reach)
