"""Rigid-body inertia: mass, centre of mass and the tensor about it (thesis 2.1–2.3, 2.5).

    momentum          p = m (v + ω × c),  h = I* ω + c × p                    (1)  thesis 5.1
    energy            ½ (m |v + ω×c|² + ω·I*ω)                                (2)
    bias force        v ×* I v = [ω × I*ω + c × f; f],                        (3)  thesis 5.3
                      f = m (ω×v + ω×(ω×c))
    as blocks         A = I* + m c× (c×)ᵀ,  H = m c×,  M = m 1                (4)  thesis 5.2.3
    sum               m = Σ mᵢ,  c = Σ mᵢ cᵢ / m,  I* = Σ Iᵢ* + mᵢ (dᵢ²1 - dᵢ dᵢᵀ),  dᵢ = cᵢ - c   (5)
    transform         c' = C c + p,  I*' = C I* Cᵀ                            (6)
    rate              dI/dt = v ×* I - I v×                                   (7)  thesis 2.2
    Newton–Euler      f = m (a + B c),  B = ω'× + ω× ω×,                      (8)
                      τ = vee(B Σ - Σ Bᵀ) + c × f,  Σ = ½ tr(I*) 1 - I* = ∫ x xᵀ dm about c

(3) is v ×* (I v) with its products shared: the parts m v × v and the mass terms of h that cancel are never computed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, matvec, stacked, upper
from anthropi.algebra.spatial.articulated import ArticulatedInertia
from anthropi.algebra.spatial.turns import Turn
from anthropi.algebra.spatial.validity import check
from anthropi.algebra.spatial.vectors import force, skew

__all__ = ["RigidInertia", "rigid_sum"]


def _column(x, axes: int = 1):
    """A number a body, with axes added to multiply its vectors or matrices."""
    return np.asarray(x)[(..., *[None] * axes)]


def _spread(d):
    """The packed d²1 - d dᵀ = d× (d×)ᵀ of vectors d (…, 3)."""
    x, y, z = d[..., 0][()], d[..., 1][()], d[..., 2][()]
    return stacked([y * y + z * z, -(x * y), -(x * z), x * x + z * z, -(y * z), x * x + y * y])


@dataclass(frozen=True, eq=False)
class RigidInertia:
    """The inertia of a rigid body in some frame.

    Attributes
    ----------
    mass : (…) [kg].
    centre : c (…, 3) [m], centre of mass in the frame.
    tensor : I* (…, 3, 3) [kg m²], about the centre of mass, in the frame's axes; the upper triangle is read.
        Its off-diagonal entries are -∫ x y dm.
    """

    mass: Any
    centre: Any
    tensor: Any

    def __post_init__(self):
        object.__setattr__(self, "centre", np.asarray(self.centre))
        object.__setattr__(self, "tensor", np.asarray(self.tensor))

    def act(self, m):
        """Return I m (…, 6): the momentum of a velocity, the force of an acceleration (1)."""
        w = m[..., :3]
        p = _column(self.mass) * (m[..., 3:] + np.cross(w, self.centre))
        return force(matvec(self._tensor(), w) + np.cross(self.centre, p), p)

    def momentum(self, v):
        """Return the momentum (…, 6) of the velocity v (1): angular about the origin [N m s], linear [N s]."""
        return self.act(v)

    def kinetic_energy(self, v):
        """Return the kinetic energy (…) [J] (2)."""
        w = v[..., :3]
        at_centre = v[..., 3:] + np.cross(w, self.centre)
        return 0.5 * (self.mass * (at_centre * at_centre).sum(-1) + (w * matvec(self._tensor(), w)).sum(-1))

    def bias_force(self, v):
        """Return v ×* (I v) (…, 6): the force that keeps the spatial acceleration zero (3)."""
        x, y, z = v[..., 0][()], v[..., 1][()], v[..., 2][()]
        xx, xy, xz, yy, yz, zz = x * x, x * y, x * z, y * y, y * z, z * z
        a, b, c, d, e, f = (upper(self.tensor)[..., k][()] for k in range(6))
        gyro = stacked([
            (f - d) * yz + e * (yy - zz) + c * xy - b * xz,
            (a - f) * xz + c * (zz - xx) + b * yz - e * xy,
            (d - a) * xy + b * (xx - yy) + e * xz - c * yz,
        ])  # ω × I*ω  # fmt: skip
        turn = full(stacked([-(yy + zz), xy, xz, -(xx + zz), yz, -(xx + yy)]))  # ω× ω×
        pull = _column(self.mass) * (np.cross(v[..., :3], v[..., 3:]) + matvec(turn, self.centre))
        return force(gyro + np.cross(self.centre, pull), pull)

    def required_force(self, a, B):
        """Return the force (…, 6) that gives the frame's origin the acceleration a (…, 3) of classical mechanics (8).

        B (…, 3, 3) : takes the place of a point of the body to its acceleration relative to the origin (`turning`).
        """
        f = _column(self.mass) * a + matvec(B, _column(self.mass) * self.centre)
        a, b, c, d, e, g = (upper(self.tensor)[..., k][()] for k in range(6))
        x, y, z = 0.5 * (d + g - a), 0.5 * (a + g - d), 0.5 * (a + d - g)
        P = B @ full(stacked([x, -b, -c, y, -e, z]))  # B Σ
        turn = stacked([P[..., i, j] - P[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))])
        return force(turn + np.cross(self.centre, f), f)

    def shifted(self, p) -> "RigidInertia":
        """Return the inertia seen from a frame in which this frame's origin lies at p (…, 3) (6)."""
        return RigidInertia(self.mass, self.centre + p, self.tensor)

    def rotated(self, C) -> "RigidInertia":
        """Return the inertia in the frame to whose components C (…, 3, 3) maps (6)."""
        tensor = full(Turn(C).symmetric(upper(self.tensor)))
        return RigidInertia(self.mass, matvec(C, self.centre), tensor)

    def __add__(self, other: "RigidInertia") -> "RigidInertia":
        """Return the inertia of both bodies held together (5)."""
        return rigid_sum([self, other])

    def articulated(self) -> ArticulatedInertia:
        """Return the same inertia as symmetric blocks about the origin (4)."""
        m, one = _column(self.mass), np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
        A = upper(self.tensor) + m * _spread(self.centre)
        return ArticulatedInertia(A, _column(self.mass, 2) * skew(self.centre), m * one)

    def rate(self, v) -> ArticulatedInertia:
        """Return dI/dt of a body that moves with v, in stationary coordinates (7)."""
        return self.articulated().rate(v)

    def matrix(self):
        """Return the dense (…, 6, 6) matrix of `act`, for tests."""
        return self.articulated().matrix()

    def validate(self, name: str = "the body") -> "RigidInertia":
        """Return this inertia if a real body can have it; else say what is wrong. Does nothing while recording."""
        check(self.mass, self.centre, self.tensor, name)
        return self

    def _tensor(self):
        return full(upper(self.tensor))


def rigid_sum(bodies) -> RigidInertia:
    """What is the inertia of these bodies held together (5)? All in one frame."""
    bodies = list(bodies)
    mass = sum((b.mass for b in bodies[1:]), bodies[0].mass)
    moment = sum((_column(b.mass) * b.centre for b in bodies[1:]), _column(bodies[0].mass) * bodies[0].centre)
    centre = moment / _column(mass)
    parts = [upper(b.tensor) + _column(b.mass) * _spread(b.centre - centre) for b in bodies]
    return RigidInertia(mass, centre, full(sum(parts[1:], parts[0])))
