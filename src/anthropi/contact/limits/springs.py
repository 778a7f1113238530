"""Force laws of soft joint limits: springs in a zone before the limit, gates, dampers, and a wall past the limit.

With the gap to the limit, its rate gap' and the width w of the zone (docs/equations/thesis.md 8.7):

    d = max(0, w - gap)                        depth in the zone; d > w past the limit                  (1)
    linear f = k d,   power f = k dⁿ,   exponential f = k (exp(c d) - 1)                                (2)
    gate g = 1 (none),   1 where gap' < 0 (direction),   from 1 at gap' = 0 to 0 at v (smooth)          (3)
    F = g f max(0, 1 - χ gap')                 damper proportional to the spring force                  (4)
    F += max(0, K p - K T gap'), p = -gap > 0  wall past the limit, of any stiffness                    (5)

The gate "direction" is the one of the thesis. There is no force while the joint moves away from the limit, so a limb
does not rebound. But it is not held under a load either, because the force switches on and off (erratum E11). The
damper (4) dissipates energy, never pulls towards the limit, and sets in as smoothly as the spring.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from anthropi.algebra.scalar import Array, clip, equal, exp, less, log, maximum, records, where
from anthropi.contact.material import plain
from anthropi.errors import InputError, did_you_mean

__all__ = ["GATES", "Exponential", "Linear", "Power", "Spring", "Yield", "limit_force", "positive", "zone_width"]

GATES = ("direction", "smooth", "none")
SMOOTH_GATE_SPEED = 0.5  # [rad/s or m/s] speed v at which the smooth gate of (3) becomes 0


class Yield(NamedTuple):
    """Force of a limit, its stiffness and its damping.

    Stiffness and damping are minus the derivatives of the force with respect to the gap and its rate.
    """

    force: Any
    stiffness: Any
    damping: Any


@dataclass(frozen=True)
class Spring:
    """Base class of spring laws f(d), with the depth d ≥ 0 in the zone of a limit.

    k : strength [N m or N m/radⁿ], per kg of distal mass if `SoftLimits.by_mass`.
    """

    k: Any = 1.0

    def __post_init__(self) -> None:
        for name, x in vars(self).items():
            object.__setattr__(self, name, plain(x))
        positive(type(self).__name__, k=self.k)

    def force(self, d: Array, strength: Array = 1.0) -> tuple[Any, Any]:
        """Compute the force strength · f(d) at a depth d ≥ 0, and its derivative with respect to d."""
        raise NotImplementedError


@dataclass(frozen=True)
class Linear(Spring):
    """Linear spring f = k d. Its derivative jumps at d = 0."""

    def force(self, d: Array, strength: Array = 1.0) -> tuple[Any, Any]:
        """Compute the force strength · f(d) at a depth d ≥ 0, and its derivative with respect to d."""
        k = strength * self.k
        return k * d, where(less(0.0, d), k, 0.0)


@dataclass(frozen=True)
class Power(Spring):
    """Power law f = k dⁿ. For n ≥ 2, value and derivative are continuous at d = 0."""

    n: float = 3.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (isinstance(self.n, (int, float)) and 1.0 <= self.n < math.inf):
            raise InputError(f"Power has n={self.n!r}. Give a finite number ≥ 1; the thesis uses 3.")

    def force(self, d: Array, strength: Array = 1.0) -> tuple[Any, Any]:
        """Compute the force strength · f(d) at a depth d ≥ 0, and its derivative with respect to d."""
        k, below = strength * self.k, _power(d, self.n - 1.0)  # dⁿ⁻¹
        if self.n == 1.0:
            return k * d, where(less(0.0, d), k, 0.0)
        return k * (below * d), (self.n * k) * below


@dataclass(frozen=True)
class Exponential(Spring):
    """Exponential spring f = k (exp(c d) - 1), with the derivative k c at d = 0. c : [1/rad]."""

    c: Any = 5.0

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("Exponential", c=self.c)

    def force(self, d: Array, strength: Array = 1.0) -> tuple[Any, Any]:
        """Compute the force strength · f(d) at a depth d ≥ 0, and its derivative with respect to d."""
        k = strength * self.k
        grown = k * exp(self.c * d)
        return grown - k, where(less(0.0, d), self.c * grown, 0.0)


def zone_width(zone: float, zone_share: float, room: float) -> float:
    """Compute the width min(zone, zone_share · room) [rad or m] of the zone before a limit.

    With zone_share ≤ ½ the zones of two limits never overlap. room : [rad or m] range between the limits.
    """
    return min(zone, zone_share * room)


def limit_force(
    spring: Spring,
    gap: Array,
    rate: Array,
    width: Array,
    gate: str = "none",
    dissipation: Array = 0.0,
    strength: Array = 1.0,
    wall: Array = 0.0,
    wall_relaxation: Array = 0.0,
) -> Yield:
    """Compute the force of a soft limit along its gap, with stiffness and damping, by equations (1)-(5).

    Parameters
    ----------
    gap, rate : [rad or m] distance from the limit, and its rate.
    width : [rad or m] width of the zone.
    gate : one of `GATES`.
    dissipation : χ [s/rad] in equation (4).
    strength : factor of the forces of spring and wall.
    wall, wall_relaxation : K [N m/rad] and T [s] in equation (5).
    """
    d = maximum(0.0, width - gap)  # (1)
    f, slope = spring.force(d, strength)
    g, closing = _gate(gate, rate)  # (3)
    brake = maximum(0.0, 1.0 - dissipation * rate) if _nonzero(dissipation) else 1.0
    eased = where(less(0.0, brake), dissipation, 0.0) if _nonzero(dissipation) else 0.0
    force, stiffness, damping = g * f * brake, g * slope * brake, f * (g * eased + closing * brake)  # (4)
    if not _nonzero(wall):
        return Yield(force, stiffness, damping)
    K = wall * strength
    D = K * wall_relaxation
    push = -(K * gap) - D * rate
    on = less(gap, 0.0) & less(0.0, push)
    return Yield(force + where(on, push, 0.0), stiffness + where(on, K, 0.0), damping + where(on, D, 0.0))  # (5)


def positive(what: str, **numbers: Any) -> None:
    """Raise InputError if a number is not finite or is below 0; recorded scalars are accepted."""
    for name, x in numbers.items():
        if records(x):
            continue
        if not isinstance(x, (int, float)) or not 0.0 <= x < math.inf:
            raise InputError(f"{what} has {name}={x!r}. Give a finite number of 0 or more.")


def checked_gate(gate: str) -> str:
    """Return the name of the gate; raise InputError that lists the choices if it is unknown."""
    if gate not in GATES:
        raise InputError(f"No gate {gate!r}.{did_you_mean(str(gate), GATES)} Gates: {', '.join(GATES)}.")
    return gate


def _gate(gate: str, rate):
    """Compute the gate g of equation (3), and minus its derivative."""
    if checked_gate(gate) == "none":
        return 1.0, 0.0
    if gate == "direction":
        return where(less(rate, 0.0), 1.0, 0.0), 0.0
    s = clip(rate * (1.0 / SMOOTH_GATE_SPEED), 0.0, 1.0)
    return 1.0 - s * s * (3.0 - 2.0 * s), 6.0 / SMOOTH_GATE_SPEED * s * (1.0 - s)


def _power(d, n: float):
    """Compute dⁿ for d ≥ 0, by products for integer n, else by exp and log."""
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


def _nonzero(x) -> bool:
    """Whether a number is not the constant 0."""
    return records(x) or x != 0.0
