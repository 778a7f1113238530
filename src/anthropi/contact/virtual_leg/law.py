"""Force of a virtual leg: spring along the leg, angular-momentum feedback, friction cone, and rest length.

The figure is reduced to its centre of mass G, with the angular momentum about G

    H_G = Σ C_i I*_i C_iᵀ ω_i + c_i × m_i v_i,   c_i from G to the centre of mass of link i            (7.3)

A uniform velocity adds nothing to H_G, since Σ m_i c_i = 0. r is the virtual leg, from G to the foot, r̂ = r / |r|, and
n is the normal of the ground. All vectors are in world axes. The law is Kearney's, made well posed
(docs/equations/thesis.md 6.4, E9):

    M  = k_h (H̃ - H_G)                    target moment about G                                        (1)  7.2
    f⊥ = M × r / |r|²                     part of it that a force at the foot can produce              (2)
    f∥ = k_l (|r| - r_s) + b_l |r|'       spring and damper along the leg                              (3)  7.1
    f  = f∥ r̂ + f⊥                                                                                     (4)
    f·n < 0: f = 0                        feet do not adhere: lift-off                                 (5)
    |f_t| > μ f·n: f_t = μ f·n f_t/|f_t|  friction cone, if μ is given                                 (6)
    M - r × f                             residual moment                                              (7)

7.1 and 7.2 have rank 3 in (f, r_s): r × f does not determine f along r, and requires a moment across r. A rule
therefore determines r_s, and M along r remains in (7). r_s > |r| pushes G away from the foot. The damper dissipates
energy: f∥ points from G to the foot, so a leg that becomes longer is pulled together.

Rules for the rest length r_s (docs/equations/thesis.md 6.4):

    (a) given                              r_s                                                          Given
    (b) from a normal force F_n            f∥ = (F_n - f⊥·n) / (r̂·n),  r_s = |r| - (f∥ - b_l |r|')/k_l  (8)  FromForce
    (c) from a height h* of G              F_n = m (a - γ·n),  a = ω² (h* - h) - 2 ζ ω h',  then (b)    (9)  FromHeight
    (d) from an apex z* of G               r_s = L + c (E* - E) |r|'                                    (10)  FromApex
        E = ½ m v² - m γ·(G - O) + ½ k_l (|r| - L)²,  E* = E of G at z* with the given horizontal speed

h = -r·n is the height of G above the foot, and γ is gravity. (d) is an addition to the thesis, for hopping. Its power
is c k_l (E* - E) |r|'², so the energy converges to E*, and the leg then bounces with the length L. To add a rule, add a
class to this file.
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

    mass : [kg]. centre, velocity : (3,) [m], [m/s] of the centre of mass G. spin : (3,) [N m s] angular momentum H_G
    about G. gravity : (3,) [m/s²].
    """

    mass: Any
    centre: Any
    velocity: Any
    spin: Any
    gravity: Any


def body_of(figure: Figure, k: Any, gravity: Array = None) -> Body:
    """Reduce a figure with kinematics k to its centre of mass. gravity : (3,) [m/s²]; None for that of the figure."""
    centre, H = centre_of(figure, k), np.zeros(3)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            arm, v = point_position(k, i, link.centre) - centre, point_velocity(k, i, link.centre)
            H = H + spin_momentum(k, i, link) + np.cross(arm, link.mass * v)  # (7.3)
    velocity = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    return Body(figure.mass, centre, velocity, H, figure.gravity if gravity is None else gravity)


UP = np.array([0.0, 0.0, 1.0])
MIN_SQUARE = 1e-12  # [m²] smallest squared length, so that derivatives stay finite at length 0


class Leg(NamedTuple):
    """Parameters of a virtual leg.

    stiffness : k_l [N/m]. damping : b_l [N s/m] along the leg. spin : gain k_h [1/s] of angular-momentum feedback.
    friction : coefficient of friction μ; None for unlimited friction.
    """

    stiffness: Any
    damping: Any = 0.0
    spin: Any = 0.0
    friction: Any = None


class Span(NamedTuple):
    """Geometry of a virtual leg, the vector r from the centre of mass G to the foot.

    r : (3,) [m]. velocity : r' (3,) [m/s]. length : |r| [m]. direction : r̂ (3,). rate : |r|' [m/s].
    """

    r: Any
    velocity: Any
    length: Any
    direction: Any
    rate: Any


class Reaction(NamedTuple):
    """Ground reaction of a virtual leg.

    force : (3,) [N] at the foot. rest : rest length r_s [m]. residual : (3,) [N m] part of the target moment that a
    force at the foot cannot produce.
    """

    force: Any
    rest: Any
    residual: Any


def span(foot: Array, foot_velocity: Array, body: Any) -> Span:
    """Compute the virtual leg from the centre of mass of a body to a foot (3,) [m] with foot_velocity (3,) [m/s]."""
    r, v = foot - body.centre, foot_velocity - body.velocity
    length = sqrt(maximum(r @ r, MIN_SQUARE))
    direction = r / length
    return Span(r, v, length, direction, direction @ v)


def wanted_moment(leg: Leg, H: Array, wanted: Any) -> Any:
    """Compute the target moment M (3,) [N m] about the centre of mass, by angular-momentum feedback.

    H, wanted : (3,) [N m s] current and target angular momentum about the centre of mass.
    """
    return leg.spin * (wanted - H)


def across(virtual: Span, moment: Array) -> Any:
    """Compute the force (3,) [N] across the virtual leg that produces a moment (3,) [N m] about the centre of mass."""
    return np.cross(moment, virtual.r) / (virtual.length * virtual.length)


def along(leg: Leg, virtual: Span, rest: Array) -> Any:
    """Compute the force [N] along the virtual leg, positive from the centre of mass to the foot."""
    return leg.stiffness * (virtual.length - rest) + leg.damping * virtual.rate


def leg_force(leg: Leg, virtual: Span, moment: Array, rest: Array, normal: Array = UP) -> Reaction:
    """Compute the ground reaction of a virtual leg by equations (4)-(7) of this module.

    rest : rest length r_s [m]. moment : (3,) [N m] target moment about the centre of mass. normal : (3,) unit normal of
    the ground.
    """
    f = along(leg, virtual, rest) * virtual.direction + across(virtual, moment)  # (4)
    normal_force = f @ normal
    f = where(less(normal_force, 0.0), 0.0, f)  # (5)
    if leg.friction is not None:
        f = _in_cone(leg.friction, maximum(normal_force, 0.0), f, normal)  # (6)
    return Reaction(f, rest, moment - np.cross(virtual.r, f))  # (7)


def _in_cone(friction, normal_force, f, normal):
    """Limit the tangential part of a force f (3,) by friction."""
    f_n = normal_force * normal
    f_t = f - f_n
    slip = sqrt(maximum(f_t @ f_t, MIN_SQUARE))
    return f_n + minimum(friction * normal_force / slip, 1.0) * f_t


MIN_SLOPE = -0.05  # upper bound of r̂·n; legs closer to horizontal do not reach the given normal force


class Rest(Protocol):
    """Rule for the rest length of a virtual leg."""

    def length(self, leg: Leg, virtual: Span, body: Body, moment: Array, normal: Array = UP) -> Any:
        """Compute the rest length r_s [m] of a virtual leg.

        moment : (3,) [N m] target moment about the centre of mass. normal : (3,) unit normal of the ground.
        """


class Given(NamedTuple):
    """Rule (a) for the rest length of a virtual leg: the given length `rest` [m]."""

    rest: Any

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Return the given rest length r_s [m]. Parameters as in `Rest.length`."""
        return self.rest


class FromForce(NamedTuple):
    """Rule (b) for the rest length of a virtual leg: the leg produces the normal force `force` [N]."""

    force: Any

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Compute the rest length r_s [m] by equation (8). Parameters as in `Rest.length`."""
        f = (self.force - across(virtual, moment) @ normal) / minimum(virtual.direction @ normal, MIN_SLOPE)
        return virtual.length - (f - leg.damping * virtual.rate) / leg.stiffness


class FromHeight(NamedTuple):
    """Rule (c) for the rest length of a virtual leg: the centre of mass approaches a height above the foot.

    height : target h* [m]. frequency, ratio : frequency ω [rad/s] and damping ratio ζ of the approach.
    """

    height: Any
    frequency: Any = 10.0
    ratio: Any = 1.0

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Compute the rest length r_s [m] by equation (9). Parameters as in `Rest.length`."""
        height, rate = -(virtual.r @ normal), -(virtual.velocity @ normal)
        a = self.frequency * (self.frequency * (self.height - height) - 2.0 * self.ratio * rate)
        wanted = FromForce(body.mass * (a - body.gravity @ normal))
        return wanted.length(leg, virtual, body, moment, normal)


class FromApex(NamedTuple):
    """Rule (d) for the rest length of a virtual leg: the centre of mass reaches a given apex when hopping.

    apex : height z* [m] of the apex above the origin of the world. rest : length L [m] of the leg in steady hopping.
    speed : [m/s] horizontal speed at the apex. gain : energy feedback c [s/(N m)]. reach : [m] largest |r_s - L|.
    """

    apex: Any
    rest: Any
    speed: Any = 0.0
    gain: Any = 1e-3
    reach: Any = 0.1

    def length(self, leg: Array, virtual: Array, body: Any, moment: Array, normal: Array = UP) -> Any:
        """Compute the rest length r_s [m] by equation (10). Parameters as in `Rest.length`."""
        v, give = body.velocity, virtual.length - self.rest
        fall = body.gravity @ body.centre + sqrt(body.gravity @ body.gravity) * self.apex
        missing = body.mass * (0.5 * (self.speed * self.speed - v @ v) + fall)
        missing = missing - 0.5 * leg.stiffness * give * give  # E* - E
        return self.rest + clip(self.gain * missing * virtual.rate, -self.reach, self.reach)
