"""Errors of attitudes in closed loops, which are zero only at the right pose.

The equations of loops/closures.py for parallel axes and equal orientation, dot products, are also zero half a turn
away. They are used for forces, where the loops are closed. Loops are closed and checked with the errors here, which
have the same value and derivative at the right pose. Frames a and b have the axes a_k and b_k; R has the entries
a_i · b_j, the rotation of b seen from a:

    axes       e = θ/sin θ (a₁ · b₃, a₂ · b₃)        θ the angle between a₃ and b₃, from 0 to π               (1)
    frames     e = (φ₂, -φ₁, -φ₃),   φ = log R       |φ| from 0 to π                                          (2)
    rates      along a rotation w of b against a:   e' = w · (a₂, -a₁), and w · (a₂, -a₁, -a₃)                (3)

Half a turn away e has the length π; its direction is then arbitrary. (3) omits the derivative of the logarithm, which
is 1 where e = 0. The gradient of |e|² by (3) is exact everywhere, since the derivative of the logarithm maps φ to φ.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.rotation import rotation_vector_from_matrix
from anthropi.algebra.scalar import atan2, less, maximum, sqrt, where
from anthropi.constraints.primitives import Direction, Primitive

__all__ = ["AxisError", "FrameError"]

MIN_SINE = 1e-9  # sin θ below which the direction of the error (1) is undefined
TURNS = ((1, 1.0), (0, -1.0), (2, -1.0))  # axis of a and sign of each row of (3)


@dataclass(frozen=True, eq=False)
class _TurnError(Primitive):
    """Base class of the errors: row 0, 1 or 2 of (1) or (2). a, b : axes x, y, z of the frames, on two bodies."""

    a: tuple[Direction, Direction, Direction]
    b: tuple[Direction, Direction, Direction]
    row: int
    name: str = field(default="attitude", kw_only=True)

    def features(self) -> Any:
        """Return the features: axes x, y, z of frame a, then those of frame b."""
        return (*self.a, *self.b)

    def gradient(self, x: Any) -> Any:
        """Return gradients with the moments -N on a and N on b, where N is the axis of this row in (3)."""
        a, b = x[:3], x[3:]
        k, sign = TURNS[self.row]
        N, zero = sign * a[k], np.zeros(3)
        on_a = [zero, zero, zero]
        on_a[(k + 1) % 3] = -sign * a[(k + 2) % 3]  # a₁ × a₂ = a₃ and so on
        return (*on_a, *(_dot(N, b[(j + 2) % 3]) * b[(j + 1) % 3] for j in range(3)))


@dataclass(frozen=True, eq=False)
class AxisError(_TurnError):
    """Error of two z axes that point the same way (1); row 0 or 1."""

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return one component of the angle between the axes [rad] (1)."""
        s = [_dot(x[0], x[5]), _dot(x[1], x[5])]
        along, square = _dot(x[2], x[5]), s[0] * s[0] + s[1] * s[1]
        sine = sqrt(maximum(square, MIN_SINE * MIN_SINE))
        flat = less(square, MIN_SINE * MIN_SINE)
        opposite = flat & less(along, 0.0)
        scale = where(flat, 1.0, atan2(sine, along) / sine)
        return where(opposite, math.pi if self.row == 0 else 0.0, scale * s[self.row])


@dataclass(frozen=True, eq=False)
class FrameError(_TurnError):
    """Error of two frames with equal orientation (2); row 0, 1 or 2."""

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return one component of the rotation vector between the frames [rad] (2)."""
        R = np.array([[_dot(a, b) for b in x[3:]] for a in x[:3]])
        k, sign = TURNS[self.row]
        return sign * rotation_vector_from_matrix(R)[k]


def _dot(a: Any, b: Any) -> Any:
    return (a * b).sum()
