"""Several bodies held together, as their sums: inertia and momentum about one origin, which add without division.

    inertia      m = Σ mᵢ,  h = Σ mᵢ cᵢ,  A = Σ Iᵢ* + mᵢ cᵢ× (cᵢ×)ᵀ           (1)  thesis 9.9
                 I [ω; v] = [A ω + h × v;  m v - h × ω]                       (2)
    other frame  h' = C h,  A' = C A Cᵀ;  then by p:                          (3)
                 A'' = A' + (h'·p)(2·1) - h' pᵀ - p h'ᵀ + m p× (p×)ᵀ,  h'' = h' + m p

    drag         what forces change by, twice the velocity product of the bodies' points x' = v + ω × x:
                 Z = 2 Σ ∫ x' xᵀ dm,  p = 2 Σ ∫ x' dm                         (4)
                 B δ = [(tr Z) δω - Z δω;  δω × p],   Bᵀ s = [(tr Z) s_ω - Zᵀ s_ω + p × s_v;  0]      (5)
    other frame  p' = C p,  Z' = C Z Cᵀ + p' rᵀ                               (6)

B = v×* I - I v× + (I v)×̄* of Echeandia and Wensing (J. Dyn. Sys. Meas. Control 143 (2021) 061004), whose linear columns
are zero: a velocity field δ adds 2 δω × x' to the acceleration of every point, and nothing else.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, matvec, stacked, symmetric_matvec, transpose, upper
from anthropi.algebra.spatial.rigid import RigidInertia
from anthropi.algebra.spatial.turns import Turn
from anthropi.algebra.spatial.vectors import force, skew

__all__ = ["Drag", "SummedInertia", "paired"]


def paired(a, b):
    """Packed a×(b×)ᵀ + b×(a×)ᵀ = 2 (a·b) 1 - a bᵀ - b aᵀ of vectors (…, 3)."""
    (ax, ay, az), (bx, by, bz) = ([x[..., k][()] for k in range(3)] for x in (a, b))
    x, y, z = ax * bx, ay * by, az * bz
    return stacked([2.0 * (y + z), -(ax * by + ay * bx), -(ax * bz + az * bx),
                    2.0 * (x + z), -(ay * bz + az * by), 2.0 * (x + y)])  # fmt: skip


@dataclass(frozen=True, eq=False)
class SummedInertia:
    """Inertia of bodies held together (1): mass (…), moment h (…, 3), A (…, 6) the upper triangle about the origin."""

    mass: Any
    moment: Any
    A: Any

    @staticmethod
    def of(body: RigidInertia) -> "SummedInertia":
        """One body (1)."""
        return SummedInertia(body.mass, body.mass * body.centre, body.articulated().A)

    def act(self, m):
        """Return I m (…, 6) (2)."""
        w, v = m[..., :3], m[..., 3:]
        return force(symmetric_matvec(self.A, w) + np.cross(self.moment, v), self.mass * v - np.cross(self.moment, w))

    def __add__(self, other: "SummedInertia") -> "SummedInertia":
        """Return the inertia of both."""
        return SummedInertia(self.mass + other.mass, self.moment + other.moment, self.A + other.A)

    def rotated(self, C) -> "SummedInertia":
        """Return the inertia in the frame to whose components C (3, 3) maps (3)."""
        return SummedInertia(self.mass, matvec(C, self.moment), Turn(C).symmetric(self.A))

    def shifted(self, p) -> "SummedInertia":
        """Return the inertia seen from a frame in which this frame's origin lies at p (3,) (3)."""
        half = self.moment + 0.5 * self.mass * p
        return SummedInertia(self.mass, self.moment + self.mass * p, self.A + paired(half, p))


@dataclass(frozen=True, eq=False)
class Drag:
    """How the forces of moving bodies change with their velocities (4)-(6): Z (3, 3), p (3,)."""

    Z: Any
    p: Any

    @staticmethod
    def of(body: RigidInertia, v) -> "Drag":
        """One body that moves with v (6,) (4)."""
        w, centre = v[..., :3], body.centre
        path = 2.0 * (body.mass * (v[..., 3:] + np.cross(w, centre)))
        spread = 0.5 * np.trace(body.tensor) * np.eye(3) - body.tensor  # ∫ x xᵀ dm about the centre
        return Drag(skew(w) @ full(upper(2.0 * spread)) + path[:, None] * centre, path)

    def act(self, m):
        """Return B m (…, 6) (5)."""
        w = m[..., :3]
        return force(matvec(self._N(), w), np.cross(w, self.p))

    def act_transposed(self, s):
        """Return Bᵀ s (…, 3): the linear part is zero (5)."""
        return matvec(transpose(self._N()), s[..., :3]) + np.cross(self.p, s[..., 3:])

    def _N(self):
        Z = self.Z
        x, y, z = Z[0, 0], Z[1, 1], Z[2, 2]
        return np.array([[y + z, -Z[0, 1], -Z[0, 2]], [-Z[1, 0], x + z, -Z[1, 2]], [-Z[2, 0], -Z[2, 1], x + y]])

    def __add__(self, other: "Drag") -> "Drag":
        """Return that of both."""
        return Drag(self.Z + other.Z, self.p + other.p)

    def rotated(self, C) -> "Drag":
        """Return the same in the frame to whose components C (3, 3) maps (6)."""
        return Drag(Turn(C).matrix(self.Z), matvec(C, self.p))

    def shifted(self, r) -> "Drag":
        """Return the same seen from a frame in which this frame's origin lies at r (3,) (6)."""
        return Drag(self.Z + self.p[:, None] * r, self.p)
