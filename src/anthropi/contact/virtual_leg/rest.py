"""How long does the virtual leg want to be? Ways to get its rest length r_s (thesis 6.4).

    (a) given                              r_s                                                       Given
    (b) from a wanted normal force F_n     f∥ = (F_n - f⊥·n) / (r̂·n),  r_s = |r| - (f∥ - b_l |r|')/k_l  (1)  FromForce
    (c) from a wanted height h* of G       F_n = m (a - γ·n),  a = ω² (h* - h) - 2 ζ ω h',  then (b)  (2)  FromHeight
    (d) from a wanted apex z* of G         r_s = L + c (E* - E) |r|'                                  (3)  FromApex
        E = ½ m v² - m γ·(G - O) + ½ k_l (|r| - L)²,  E* = E of G at z* with the wanted speed over ground

h = -r·n is the height of G over its foot, γ gravity. (d) is ours, for hoppers: it does work c k_l (E* - E) |r|'² a
second, so that energy comes to E* and a leg of length L bounces from then on. A new way is a class here.
"""

from typing import Any, NamedTuple, Protocol

from anthropi.algebra.scalar import clip, minimum, sqrt
from anthropi.contact.virtual_leg.body import Body
from anthropi.contact.virtual_leg.law import UP, Leg, Span, across

__all__ = ["FromApex", "FromForce", "FromHeight", "Given", "Rest"]

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
        """r_s [m] (1)."""
        f = (self.force - across(virtual, moment) @ normal) / minimum(virtual.direction @ normal, LEVEL)
        return virtual.length - (f - leg.damping * virtual.rate) / leg.stiffness


class FromHeight(NamedTuple):
    """(c): height h* [m] of G over the foot, frequency ω [rad/s] and damping ratio ζ of the way there."""

    height: Any
    frequency: Any = 10.0
    ratio: Any = 1.0

    def length(self, leg, virtual, body, moment, normal=UP):
        """r_s [m] (2)."""
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
        """r_s [m] (3)."""
        v, give = body.velocity, virtual.length - self.rest
        fall = body.gravity @ body.centre + sqrt(body.gravity @ body.gravity) * self.apex
        lacks = body.mass * (0.5 * (self.speed * self.speed - v @ v) + fall)
        lacks = lacks - 0.5 * leg.stiffness * give * give  # E* - E
        return self.rest + clip(self.gain * lacks * virtual.rate, -self.reach, self.reach)
