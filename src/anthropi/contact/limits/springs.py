"""How hard does the end of a joint push back? Springs over a zone before the limit, and past it (thesis 8.7).

With the gap left to the limit, its rate gap' and the zone's width w:

    d = max(0, w - gap)                        depth in the zone; past the limit d > w                  (1)
    linear f = k d,   power f = k dⁿ,   exponential f = k (exp(c d) - 1)                                (2)
    gate g = 1 (none),   1 where gap' < 0 (direction),   from 1 at gap' = 0 to 0 at v (smooth)          (3)
    F = g f max(0, 1 - χ gap')                 a damper that comes and goes with the spring             (4)
    F += max(0, K p - K T gap'), p = -gap > 0  a wall past the limit, as stiff as one likes             (5)

(3) `direction` is the thesis': no force when moving away, so a limb does not rebound, but neither is it held under a
load: the force comes and goes (erratum E11). (4) takes energy out, never pulls, and starts as smoothly as the spring.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from anthropi.algebra.scalar import clip, equal, exp, less, log, maximum, records, where
from anthropi.contact.material import plain
from anthropi.errors import InputError, did_you_mean

__all__ = ["GATES", "Exponential", "Linear", "Power", "Spring", "Yield", "limit_force", "positive", "zone_width"]

GATES = ("direction", "smooth", "none")
LEAVING = 0.5  # [rad/s or m/s] v of (3)


class Yield(NamedTuple):
    """A force, and by how much it falls with the gap and with the gap's rate."""

    force: Any
    stiffness: Any
    damping: Any


@dataclass(frozen=True)
class Spring:
    """A law f(d) for depths d ≥ 0. k : strength [N m, N m/radⁿ; times the distal mass where limits say so]."""

    k: Any = 1.0

    def __post_init__(self):
        for name, x in vars(self).items():
            object.__setattr__(self, name, plain(x))
        positive(type(self).__name__, k=self.k)

    def force(self, d, strength=1.0):
        """(2): strength times f, and its slope."""
        raise NotImplementedError


@dataclass(frozen=True)
class Linear(Spring):
    """f = k d: the force starts with a kink."""

    def force(self, d, strength=1.0):
        """(2)"""
        k = strength * self.k
        return k * d, where(less(0.0, d), k, 0.0)


@dataclass(frozen=True)
class Power(Spring):
    """f = k dⁿ: from n = 2 on value and slope start at zero."""

    n: float = 3.0

    def __post_init__(self):
        super().__post_init__()
        if not (isinstance(self.n, (int, float)) and 1.0 <= self.n < math.inf):
            raise InputError(f"Power has n={self.n!r}; give a number from 1 up. The thesis takes 3.")

    def force(self, d, strength=1.0):
        """(2)"""
        k, below = strength * self.k, _power(d, self.n - 1.0)  # dⁿ⁻¹
        if self.n == 1.0:
            return k * d, where(less(0.0, d), k, 0.0)
        return k * (below * d), (self.n * k) * below


@dataclass(frozen=True)
class Exponential(Spring):
    """f = k (exp(c d) - 1): starts with the slope k c. c : [1/rad]."""

    c: Any = 5.0

    def __post_init__(self):
        super().__post_init__()
        positive("Exponential", c=self.c)

    def force(self, d, strength=1.0):
        """(2)"""
        k = strength * self.k
        grown = k * exp(self.c * d)
        return grown - k, where(less(0.0, d), self.c * grown, 0.0)


def zone_width(zone: float, share: float, room: float) -> float:
    """w = min(zone, share · room): with share ≤ ½ the zones of two ends never overlap, however small the range."""
    return min(zone, share * room)


def limit_force(spring: Spring, gap, rate, width, gate="none", damper=0.0, strength=1.0, wall=0.0, settle=0.0) -> Yield:
    """What pushes back along the gap, and how it yields.

    gap, rate : to the limit, and how fast it grows. width : of the zone. gate : one of `GATES`. damper : χ of (4)
    [s/rad]. strength : what the spring's and the wall's forces are multiplied by. wall, settle : K and T of (5).
    """
    d = maximum(0.0, width - gap)  # (1)
    f, slope = spring.force(d, strength)
    g, closing = _gate(gate, rate)  # (3)
    brake = maximum(0.0, 1.0 - damper * rate) if _some(damper) else 1.0
    eased = where(less(0.0, brake), damper, 0.0) if _some(damper) else 0.0
    force, stiffness, damping = g * f * brake, g * slope * brake, f * (g * eased + closing * brake)  # (4)
    if not _some(wall):
        return Yield(force, stiffness, damping)
    K = wall * strength
    D = K * settle
    pressed = -(K * gap) - D * rate
    on = less(gap, 0.0) & less(0.0, pressed)
    return Yield(force + where(on, pressed, 0.0), stiffness + where(on, K, 0.0), damping + where(on, D, 0.0))  # (5)


def positive(what: str, **numbers) -> None:
    """Refuse numbers that are not finite or below zero; those being traced pass."""
    for name, x in numbers.items():
        if records(x):
            continue
        if not isinstance(x, (int, float)) or not 0.0 <= x < math.inf:
            raise InputError(f"{what} has {name}={x!r}; give a finite number, not below 0.")


def checked_gate(gate: str) -> str:
    """The gate, or an error that lists them."""
    if gate not in GATES:
        raise InputError(f"No gate {gate!r}.{did_you_mean(str(gate), GATES)} Gates: {', '.join(GATES)}.")
    return gate


def _gate(gate: str, rate):
    """(3), and minus its slope."""
    if checked_gate(gate) == "none":
        return 1.0, 0.0
    if gate == "direction":
        return where(less(rate, 0.0), 1.0, 0.0), 0.0
    s = clip(rate * (1.0 / LEAVING), 0.0, 1.0)
    return 1.0 - s * s * (3.0 - 2.0 * s), 6.0 / LEAVING * s * (1.0 - s)


def _power(d, n: float):
    """dⁿ of d ≥ 0: whole n by products, others by exp and log."""
    if n == 0.0:
        return 1.0
    if n == int(n):
        found, square, left = None, d, int(n)
        while left:
            if left & 1:
                found = square if found is None else found * square
            left >>= 1
            square = square * square if left else square
        return found
    none = equal(d, 0.0)
    return where(none, 0.0, exp(n * log(where(none, 1.0, d))))


def _some(x) -> bool:
    """Whether there is any of it, for certain or perhaps."""
    return records(x) or x != 0.0
