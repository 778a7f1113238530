"""Rigid-body inertia: a body, several bodies held together, their Coriolis matrix, and a validity check.

One body (docs/equations/thesis.md, 2.1 to 2.3 and 2.5), with mass m, centre of mass c and tensor I* about it:

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

(3) is v ×* (I v) with its products shared: the parts m v × v and the mass terms of h that cancel are not computed.

Several bodies held together, as sums about one origin, which need no division:

    inertia      m = Σ mᵢ,  h = Σ mᵢ cᵢ,  A = Σ Iᵢ* + mᵢ cᵢ× (cᵢ×)ᵀ           (9)  thesis 9.9
                 I [ω; v] = [A ω + h × v;  m v - h × ω]                       (10)
    other frame  h' = C h,  A' = C A Cᵀ;  then by p:                          (11)
                 A'' = A' + (h'·p)(2·1) - h' pᵀ - p h'ᵀ + m p× (p×)ᵀ,  h'' = h' + m p

Coriolis matrix B: how the forces of bodies change with a velocity field δ, for points x with velocity x' = v + ω × x:

    one body     Z = 2 Σ ∫ x' xᵀ dm,  p = 2 Σ ∫ x' dm                         (12)
                 B δ = [(tr Z) δω - Z δω;  δω × p],   Bᵀ s = [(tr Z) s_ω - Zᵀ s_ω + p × s_v;  0]      (13)
    other frame  p' = C p,  Z' = C Z Cᵀ + p' rᵀ                               (14)

B = v×* I - I v× + (I v)×̄* of Echeandia and Wensing (J. Dyn. Sys. Meas. Control 143 (2021) 061004). Its linear columns
are zero: a velocity field δ adds 2 δω × x' to the acceleration of every point, and nothing else.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear import (
    cross,
    determinant_symmetric,
    full,
    matvec,
    stacked,
    symmetric_matvec,
    transpose,
    upper,
)
from anthropi.algebra.scalar import Array, records
from anthropi.algebra.spatial.articulated import ArticulatedInertia
from anthropi.algebra.spatial.plane_rotations import MatrixRotation
from anthropi.algebra.spatial.vectors import force, skew
from anthropi.errors import InputError, ShapeError

__all__ = ["BodyCoriolis", "RigidInertia", "SummedInertia", "check", "paired", "rigid_sum"]


INERTIA_TOLERANCE = 1e-9  # relative; a flat body has equality in the triangle inequality, and files have ten digits


def check(mass: Array, centre: Array, tensor: Array, name: str) -> None:
    """Check that a mass, centre (…, 3) and tensor (…, 3, 3) belong to a physical body; raise `InputError` if not.

    Does nothing while recording, since values are unknown then.
    """
    if records(mass, centre, tensor):
        return
    mass, centre, tensor = np.asarray(mass, float), np.asarray(centre, float), np.asarray(tensor, float)
    _shape(name, "centre", centre, (3,))
    _shape(name, "tensor", tensor, (3, 3))
    for what, value in (("mass", mass), ("centre", centre), ("tensor", tensor)):
        if not (abs(value) < math.inf).all():
            raise InputError(f"The {what} of {name} is not finite: {_show(value)}. Give finite numbers.")
    if not (mass > 0.0).all():
        raise InputError(f"The mass of {name} is {_show(mass)} kg, not positive. For a massless frame use a marker.")
    scale = tensor.trace(axis1=-2, axis2=-1)
    gap = abs(tensor - np.swapaxes(tensor, -1, -2)).max(axis=(-2, -1))
    if not (gap <= INERTIA_TOLERANCE * abs(scale)).all():
        raise InputError(f"The tensor of {name} is not symmetric: {_show(tensor)}. Off-diagonal entries are -∫ x y dm.")
    if not (scale > 0.0).all() or not (_least_minor(tensor, scale) > 0.0).all():
        raise InputError(
            f"The tensor of {name} is not positive definite: {_show(tensor)} kg m². Give it about the centre of mass, "
            "off-diagonal entries -∫ x y dm; give a rod or a point some thickness."
        )
    spread = 0.5 * scale[..., None, None] * np.eye(3) - tensor  # ∫ r rᵀ dm
    if not (_least_minor(spread, scale) >= -INERTIA_TOLERANCE).all():
        raise InputError(
            f"The tensor of {name} breaks the triangle inequality: {_show(tensor)} kg m². No principal moment may "
            "exceed the sum of the other two. Check the units and that it is about the centre of mass; "
            "anthropi.spatial.box(size, mass=…) gives a valid one."
        )


def _least_minor(S: Array, scale: Array) -> Array:
    """Compute the least principal minor of symmetric matrices S (…, 3, 3), each divided by its power of the scale."""
    pairs = ((0, 1), (0, 2), (1, 2))
    first = [S[..., i, i] / scale for i in range(3)]
    second = [(S[..., i, i] * S[..., j, j] - S[..., i, j] ** 2) / scale**2 for i, j in pairs]
    return stacked([*first, *second, determinant_symmetric(S) / scale**3]).min(axis=-1)


def _shape(name: str, what: str, value: Array, wanted: tuple[int, ...]) -> None:
    """Raise `ShapeError` if a value does not end with the wanted axes."""
    if value.shape[-len(wanted) :] != wanted:
        size = ", ".join(map(str, wanted))
        raise ShapeError(f"The {what} of {name} has shape {value.shape}; wanted (…, {size}).")


def _show(value: Array) -> str:
    return str(value.tolist())


def _column(x: Array, axes: int = 1) -> Array:
    """Add axes to an array of one number per body, so that it multiplies vectors or matrices."""
    return np.asarray(x)[(..., *[None] * axes)]


def _spread(d: Array) -> Array:
    """Compute d²1 - d dᵀ = d× (d×)ᵀ of vectors d (…, 3), as a packed upper triangle."""
    x, y, z = d[..., 0][()], d[..., 1][()], d[..., 2][()]
    return stacked([y * y + z * z, -(x * y), -(x * z), x * x + z * z, -(y * z), x * x + y * y])


@dataclass(frozen=True, eq=False)
class RigidInertia:
    """Inertia of a rigid body in a frame.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", np.asarray(self.centre))
        object.__setattr__(self, "tensor", np.asarray(self.tensor))

    def act(self, m: Array) -> Array:
        """Return I m (…, 6): the momentum of a velocity, the force of an acceleration (1)."""
        w = m[..., :3]
        p = _column(self.mass) * (m[..., 3:] + cross(w, self.centre))
        return force(matvec(self._tensor(), w) + cross(self.centre, p), p)

    def momentum(self, v: Array) -> Array:
        """Return the momentum (…, 6) of the velocity v (1): angular about the origin [N m s], linear [N s]."""
        return self.act(v)

    def kinetic_energy(self, v: Array) -> Array:
        """Return the kinetic energy (…) [J] of a body that moves with the velocity v (2)."""
        w = v[..., :3]
        at_centre = v[..., 3:] + cross(w, self.centre)
        return 0.5 * (self.mass * (at_centre * at_centre).sum(-1) + (w * matvec(self._tensor(), w)).sum(-1))

    def bias_force(self, v: Array) -> Array:
        """Return v ×* (I v) (…, 6): the force at zero spatial acceleration (3)."""
        x, y, z = v[..., 0][()], v[..., 1][()], v[..., 2][()]
        xx, xy, xz, yy, yz, zz = x * x, x * y, x * z, y * y, y * z, z * z
        a, b, c, d, e, f = (upper(self.tensor)[..., k][()] for k in range(6))
        gyro = stacked([
            (f - d) * yz + e * (yy - zz) + c * xy - b * xz,
            (a - f) * xz + c * (zz - xx) + b * yz - e * xy,
            (d - a) * xy + b * (xx - yy) + e * xz - c * yz,
        ])  # ω × I*ω  # fmt: skip
        turn = full(stacked([-(yy + zz), xy, xz, -(xx + zz), yz, -(xx + yy)]))  # ω× ω×
        pull = _column(self.mass) * (cross(v[..., :3], v[..., 3:]) + matvec(turn, self.centre))
        return force(gyro + cross(self.centre, pull), pull)

    def required_force(self, a: Array, B: Array) -> Array:
        """Return the force (…, 6) that gives the frame's origin the classical acceleration a (…, 3) (8).

        B (…, 3, 3) : maps the position of a point of the body to its acceleration relative to the origin
        (`acceleration_matrix`).
        """
        f = _column(self.mass) * a + matvec(B, _column(self.mass) * self.centre)
        a, b, c, d, e, g = (upper(self.tensor)[..., k][()] for k in range(6))
        x, y, z = 0.5 * (d + g - a), 0.5 * (a + g - d), 0.5 * (a + d - g)
        P = B @ full(stacked([x, -b, -c, y, -e, z]))  # B Σ
        turn = stacked([P[..., i, j] - P[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))])
        return force(turn + cross(self.centre, f), f)

    def shifted(self, p: Array) -> "RigidInertia":
        """Return the inertia about the origin of a frame in which this frame's origin is p (…, 3) (6)."""
        return RigidInertia(self.mass, self.centre + p, self.tensor)

    def rotated(self, C: Array) -> "RigidInertia":
        """Return the inertia in the frame to which C (…, 3, 3) maps components (6)."""
        tensor = full(MatrixRotation(C).symmetric(upper(self.tensor)))
        return RigidInertia(self.mass, matvec(C, self.centre), tensor)

    def __add__(self, other: "RigidInertia") -> "RigidInertia":
        """Return the inertia of both bodies held together (5)."""
        return rigid_sum([self, other])

    def articulated(self) -> ArticulatedInertia:
        """Return the same inertia as symmetric blocks about the origin (4)."""
        m, one = _column(self.mass), np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
        A = upper(self.tensor) + m * _spread(self.centre)
        return ArticulatedInertia(A, _column(self.mass, 2) * skew(self.centre), m * one)

    def rate(self, v: Array) -> ArticulatedInertia:
        """Return dI/dt of a body that moves with v, in stationary coordinates (7)."""
        return self.articulated().rate(v)

    def matrix(self) -> Array:
        """Return the dense (…, 6, 6) matrix of `act`, for tests."""
        return self.articulated().matrix()

    def validate(self, name: str = "the body") -> "RigidInertia":
        """Return this inertia if a physical body can have it, else raise `InputError`. Does nothing while recording."""
        check(self.mass, self.centre, self.tensor, name)
        return self

    def _tensor(self) -> Array:
        return full(upper(self.tensor))


def rigid_sum(bodies: Iterable[RigidInertia]) -> RigidInertia:
    """Compute the inertia of bodies held together (5), all in one frame."""
    bodies = list(bodies)
    mass = sum((b.mass for b in bodies[1:]), bodies[0].mass)
    moment = sum((_column(b.mass) * b.centre for b in bodies[1:]), _column(bodies[0].mass) * bodies[0].centre)
    centre = moment / _column(mass)
    parts = [upper(b.tensor) + _column(b.mass) * _spread(b.centre - centre) for b in bodies]
    return RigidInertia(mass, centre, full(sum(parts[1:], parts[0])))


def paired(a: Array, b: Array) -> Array:
    """Compute a×(b×)ᵀ + b×(a×)ᵀ = 2 (a·b) 1 - a bᵀ - b aᵀ of vectors (…, 3), as a packed upper triangle."""
    (ax, ay, az), (bx, by, bz) = ([x[..., k][()] for k in range(3)] for x in (a, b))
    x, y, z = ax * bx, ay * by, az * bz
    xy, xz, yz = ax * by + ay * bx, ax * bz + az * bx, ay * bz + az * by
    return stacked([2.0 * (y + z), -xy, -xz, 2.0 * (x + z), -yz, 2.0 * (x + y)])


@dataclass(frozen=True, eq=False)
class SummedInertia:
    """Inertia of bodies held together (9): mass (…), moment h (…, 3), A (…, 6) the upper triangle about the origin."""

    mass: Any
    moment: Any
    A: Any

    @staticmethod
    def of(body: RigidInertia) -> "SummedInertia":
        """Convert the inertia of one body (9)."""
        return SummedInertia(body.mass, body.mass * body.centre, body.articulated().A)

    def act(self, m: Array) -> Array:
        """Return I m (…, 6): the momentum of a velocity, the force of an acceleration (10)."""
        w, v = m[..., :3], m[..., 3:]
        return force(symmetric_matvec(self.A, w) + cross(self.moment, v), self.mass * v - cross(self.moment, w))

    def __add__(self, other: "SummedInertia") -> "SummedInertia":
        """Return the inertia of both groups of bodies together."""
        return SummedInertia(self.mass + other.mass, self.moment + other.moment, self.A + other.A)

    def rotated(self, C: Array) -> "SummedInertia":
        """Return the inertia in the frame to which C (3, 3) maps components (11)."""
        return SummedInertia(self.mass, matvec(C, self.moment), MatrixRotation(C).symmetric(self.A))

    def shifted(self, p: Array) -> "SummedInertia":
        """Return the inertia about the origin of a frame in which this frame's origin is p (3,) (11)."""
        half = self.moment + 0.5 * self.mass * p
        return SummedInertia(self.mass, self.moment + self.mass * p, self.A + paired(half, p))


@dataclass(frozen=True, eq=False)
class BodyCoriolis:
    """Coriolis matrix of moving bodies: how their forces change with velocity (12)-(14). Z (3, 3), p (3,)."""

    Z: Any
    p: Any

    @staticmethod
    def of(body: RigidInertia, v: Array) -> "BodyCoriolis":
        """Compute the matrix of one body that moves with v (6,) (12)."""
        w, centre = v[..., :3], body.centre
        path = 2.0 * (body.mass * (v[..., 3:] + cross(w, centre)))
        spread = 0.5 * np.trace(body.tensor) * np.eye(3) - body.tensor  # ∫ x xᵀ dm about the centre
        return BodyCoriolis(skew(w) @ full(upper(2.0 * spread)) + path[:, None] * centre, path)

    def act(self, m: Array) -> Array:
        """Return the product B m (…, 6) of the Coriolis matrix and a motion m (13)."""
        w = m[..., :3]
        return force(matvec(self._N(), w), cross(w, self.p))

    def act_transposed(self, s: Array) -> Array:
        """Return the angular part (…, 3) of Bᵀ s (13); the linear part is zero."""
        return matvec(transpose(self._N()), s[..., :3]) + cross(self.p, s[..., 3:])

    def _N(self) -> Array:
        Z = self.Z
        x, y, z = Z[0, 0], Z[1, 1], Z[2, 2]
        return np.array([[y + z, -Z[0, 1], -Z[0, 2]], [-Z[1, 0], x + z, -Z[1, 2]], [-Z[2, 0], -Z[2, 1], x + y]])

    def __add__(self, other: "BodyCoriolis") -> "BodyCoriolis":
        """Return the Coriolis matrix of both groups of bodies together."""
        return BodyCoriolis(self.Z + other.Z, self.p + other.p)

    def rotated(self, C: Array) -> "BodyCoriolis":
        """Return the matrix in the frame to which C (3, 3) maps components (14)."""
        return BodyCoriolis(MatrixRotation(C).matrix(self.Z), matvec(C, self.p))

    def shifted(self, r: Array) -> "BodyCoriolis":
        """Return the matrix about the origin of a frame in which this frame's origin is r (3,) (14)."""
        return BodyCoriolis(self.Z + self.p[:, None] * r, self.p)
