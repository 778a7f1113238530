"""May a ball joint turn its axis this far? The reach cone: p' = R p stays within an angle φ of p (rotations section 9).

    g = <p, R p> - cos φ ≥ 0                                                   (1)  K.50
    g' = <p × Rᵀ p, ω>, ω in the child frame                                   (2)  K.54, K.X-impulse
    gap = φ - θ,  θ = atan2(|p × p'|, <p, p'>),  gap' = g' / sin θ             (3)

(3) is (1) measured as an angle: the same sign and the same direction of the impulse, but the same slope everywhere. In
exponential coordinates J_bᵀ takes (2) to the gradient K.58-K.61 (`algebra/rotation/cone.py`).
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import atan2, cos, maximum, records, sqrt
from anthropi.contact.limits.boundary import unit_vector
from anthropi.errors import InputError

__all__ = ["ReachCone", "Side"]

TINY = 1e-12  # sine below which the cone's axis has no side to lean to


class Side(NamedTuple):
    """One side of what a ball joint may do. gap : [rad], ≥ 0 inside. row : (3,) with gap' = row·ω.

    room : [rad] how much the gap can be, static.
    """

    name: str
    gap: Any
    row: Any
    room: float


@dataclass(frozen=True, eq=False)
class ReachCone:
    """A cone about an axis, in which a joint's child keeps that axis of its own.

    axis : p (3,), in the joint's frame and in the child's alike. angle : φ, half of the opening, in [0, π] [rad].
    """

    axis: Any
    angle: Any

    def __post_init__(self):
        object.__setattr__(self, "axis", unit_vector(self.axis, "the axis of a reach cone"))
        if not records(self.angle):
            good = isinstance(self.angle, (int, float)) and 0.0 <= self.angle <= math.pi
            if not good:
                raise InputError(f"A reach cone has half angle {self.angle!r}; give one from 0 to π [rad].")

    def value(self, R):
        """g (1): 0 on the cone, negative outside."""
        return self.axis @ matvec(R, self.axis) - cos(self.angle)

    def moment(self, R):
        """About which axis (3,) of the child does the cone push back? p × Rᵀ p (2)."""
        return np.cross(self.axis, matvec(transpose(R), self.axis))

    def sides(self, R) -> list[Side]:
        """(3)"""
        n = self.moment(R)
        s = sqrt((n * n).sum())
        gap = self.angle - atan2(s, self.axis @ matvec(R, self.axis))
        return [Side("cone", gap, n / maximum(s, TINY), math.pi if records(self.angle) else float(self.angle))]

    def data(self) -> tuple:
        """What it is, as plain numbers."""
        return ("cone", tuple(self.axis), self.angle)
