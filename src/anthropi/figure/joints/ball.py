"""Spherical joints, in quaternion, exponential or Euler coordinates.

    quaternion    C = C(q), u = ω in the child frame, q' = ½ q ⊗ ω             (C.q2m), (C.qrate)
    exponential   C = exp(r), u = ω in the child frame, r' = G_b(r) ω          (C.rv2m), (K.15); change of chart (K.66)
    Euler abc     C = R_a R_b R_c, u = rates, ω = E_B(q) u                     section 7

The labels are those of docs/equations/rotations.md.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.algebra.spatial import Transform
from anthropi.figure.joints.axial import Revolute
from anthropi.figure.joints.base import Joint
from anthropi.figure.joints.derived import MIRROR
from anthropi.figure.joints.interface import Array
from anthropi.figure.joints.wrapped import Reversed

__all__ = ["Ball", "Euler", "Exponential"]


def random_quaternion(rng: np.random.Generator) -> np.ndarray:
    """Return a uniformly random unit quaternion (4,)."""
    q = rng.normal(size=4)
    return q / math.sqrt(q @ q)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Spherical(Joint):
    """Rotation about a point; u = ω relative to the parent, in the child frame [rad/s]."""

    nu: ClassVar[int] = 3
    suffixes: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    plain: ClassVar[bool] = False

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Rows 0, 1, 2: the columns of S are the angular unit vectors."""
        return (0, 1, 2)

    def slide(self, q: Array, u: Array) -> Array:
        """Return zero: the origin does not move."""
        return np.zeros(3)

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return zero: the origin does not move."""
        return np.zeros(3)

    def coordinates(self, q: Array) -> Array:
        """Return the rotation vector r from neutral; of equivalent ones, the nearest to the middle of the limits."""
        r = self.difference(self.neutral(), q)
        ends = zip(self.lower, self.upper, strict=True)
        middle = [0.5 * (a + b) if -math.inf < a and b < math.inf else 0.0 for a, b in ends]
        return rot.nearest_rotation_vector(r, np.array(middle)) if any(middle) else r

    def coordinate_rates(self, q: Array) -> Array | None:
        """Return the matrix J_b(r) with ω = J_b(r) r' (K.6)."""
        return rot.J_b(self.coordinates(q))

    def from_coordinates(self, x: Array) -> Array:
        """Return the configuration with the rotation vector x."""
        return self.integrate(self.neutral(), x)

    def _even(self) -> bool:
        """Return whether spring, damper and rotor are the same about every axis, so that the frame does not matter."""
        alike = all(all(x is v[0] or x == v[0] for x in v) for v in (self.stiffness, self.damping, self.armature))
        return alike and not self.changed(stiffness=None, damping=None, armature=None).acts()

    def reversed(self) -> Joint:
        """Return a joint of the same kind, or `Reversed` if it has limits or springs that differ between axes."""
        return self.changed(rest=-self.rest + 0.0) if self._even() else Reversed.of(self)

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint and its factors: rotations about x and z change sign."""
        return self._signed(-MIRROR), np.concatenate([np.ones(self.nq - 3), -MIRROR]), -MIRROR

    def _random_vector(self, rng: np.random.Generator) -> np.ndarray | None:
        """Return a rotation vector of at most half a turn within the limits, or None if there are none."""
        if not (np.isfinite(self.lower).any() or np.isfinite(self.upper).any()):  # floats only
            return None
        low, high = self.finite_limits()
        r = rng.uniform(low, high)
        for _ in range(100):
            if r @ r <= math.pi**2:
                break
            r = rng.uniform(low, high)
        return r


@dataclass(frozen=True, eq=False, kw_only=True)
class Ball(_Spherical):
    """Spherical joint in quaternion coordinates (w, x, y, z)."""

    kind: ClassVar[str] = "ball"
    nq: ClassVar[int] = 4

    @property
    def quaternions(self) -> tuple[slice, ...]:
        """One slice: all four coordinates are a unit quaternion."""
        return (slice(0, 4),)

    def transform(self, q: Array) -> Transform:
        """Return the rotation C(q) of the quaternion (C.q2m)."""
        return Transform(rot.matrix_from_quaternion(q), np.zeros(3))

    def rate(self, q: Array, u: Array) -> Array:
        """Return the quaternion rate q' = ½ q ⊗ ω."""
        return rot.quaternion_rate_from_angular_velocity(q, u, "local")

    def velocity(self, q: Array, qdot: Array) -> Array:
        """Return the angular velocity ω = 2 H̄ q'."""
        return rot.angular_velocity_from_quaternion_rate(q, qdot, "local")

    def integrate(self, q: Array, v: Array) -> Array:
        """Return q ⊗ exp(v), renormalised to first order so that rounding does not grow."""
        p = rot.quaternion_product(q, rot.quaternion_from_rotation_vector(v))
        return p * (1.5 - 0.5 * (p * p).sum(-1, keepdims=True))

    def lift(self, theta: Array, u: Array) -> Array:
        """Return the rate of the rotation vector, θ' = G_b(θ) ω (K.15)."""
        return matvec(rot.G_b(theta), u)

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the rotation vector from q0 to q1, log(q0⁻¹ ⊗ q1)."""
        return rot.rotation_vector_from_quaternion(rot.quaternion_product(rot.quaternion_conjugate(q0), q1))

    @property
    def takes_batches(self) -> bool:
        """True: the functions of rotations do."""
        return True

    def neutral(self) -> np.ndarray:
        """Return the quaternion of no rotation."""
        return np.array([1.0, 0.0, 0.0, 0.0])

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a uniformly random attitude; with limits, a random rotation vector within them."""
        r = self._random_vector(rng)
        return random_quaternion(rng) if r is None else rot.quaternion_from_rotation_vector(r)

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the state of the reversed joint: q⁻ = q*, ω⁻ = -C ω."""
        if not self._even():
            return q, u
        return rot.quaternion_conjugate(q), -rot.rotate(q, u)


@dataclass(frozen=True, eq=False, kw_only=True)
class Exponential(_Spherical):
    """Spherical joint in exponential coordinates r (a rotation vector); beyond half a turn the chart changes."""

    kind: ClassVar[str] = "exponential"
    nq: ClassVar[int] = 3

    def transform(self, q: Array) -> Transform:
        """Return the rotation exp(r) (C.rv2m)."""
        return Transform(rot.matrix_from_rotation_vector(q), np.zeros(3))

    def rate(self, q: Array, u: Array) -> Array:
        """Return the rate of the rotation vector, r' = G_b ω (K.15)."""
        return matvec(rot.G_b(q), u)

    def velocity(self, q: Array, qdot: Array) -> Array:
        """Return the angular velocity ω = J_b r' (K.6)."""
        return matvec(rot.J_b(q), qdot)

    def integrate(self, q: Array, v: Array) -> Array:
        """Return log(exp(r) exp(v)). Its angle is at most π, so the chart changes beyond half a turn."""
        p = rot.quaternion_product(rot.quaternion_from_rotation_vector(q), rot.quaternion_from_rotation_vector(v))
        return rot.rotation_vector_from_quaternion(p)

    def lift(self, theta: Array, u: Array) -> Array:
        """Return the rate of the rotation vector, θ' = G_b(θ) ω (K.15)."""
        return matvec(rot.G_b(theta), u)

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the rotation vector from q0 to q1, log(exp(-r0) exp(r1))."""
        p = rot.quaternion_product(rot.quaternion_from_rotation_vector(-q0), rot.quaternion_from_rotation_vector(q1))
        return rot.rotation_vector_from_quaternion(p)

    @property
    def takes_batches(self) -> bool:
        """True: the functions of rotations do."""
        return True

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a uniformly random attitude; with limits, a random rotation vector within them."""
        r = self._random_vector(rng)
        return rot.rotation_vector_from_quaternion(random_quaternion(rng)) if r is None else r

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the state of the reversed joint: r⁻ = -r, ω⁻ = -C ω."""
        if not self._even():
            return q, u
        return -q, -matvec(rot.matrix_from_rotation_vector(q), u)


@dataclass(frozen=True, eq=False, kw_only=True)
class Euler(_Spherical):
    """Spherical joint in Euler or Cardan angles; u = their rates. Singular where the middle angle aligns two axes.

    order : one of the twelve, "xyz" … "zyz": rotations about the first letter, then about the rotated axes. "XYZ" is
        the same as "xyz".
    """

    order: Any = "xyz"
    kind: ClassVar[str] = "euler"
    nq: ClassVar[int] = 3
    suffixes: ClassVar[tuple[str, ...]] = ("a", "b", "c")
    plain: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", rot.euler_order(self.order, f"Joint '{self.name}' has Euler order"))
        super().__post_init__()

    @property
    def axes(self) -> tuple[int, ...] | None:
        """None, because S is not made of unit columns."""
        return None

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the degrees of freedom: the letters of the order, numbered if a letter occurs twice."""
        letters = (
            tuple(self.order) if len(set(self.order)) == 3 else tuple(f"{a}{k}" for k, a in enumerate(self.order, 1))
        )
        return tuple(f"{self.name}.{s}" for s in letters)

    def transform(self, q: Array) -> Transform:
        """Return the rotation R_a R_b R_c."""
        return Transform(rot.matrix_from_euler(q, self.order), np.zeros(3))

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S = [E_B(q); 0]."""
        return np.concatenate([rot.euler_rate_matrix(q, self.order, "local"), np.zeros((3, 3))])

    @property
    def span(self) -> tuple[int, ...] | None:
        """Rows 0, 1, 2 (angular), valid except at the singularity."""
        return (0, 1, 2)

    def to_span(self, q: Array, u: Array) -> Array:
        """Return the angular velocity ω = E_B u."""
        return matvec(rot.euler_rate_matrix(q, self.order, "local"), u)

    def from_span(self, q: Array, s: Array) -> Array:
        """Return the rates of the angles, u = E_B⁻¹ ω."""
        return rot.euler_rate_from_angular_velocity(q, s, self.order, "local")

    def force_to_span(self, q: Array, tau: Array) -> Array:
        """Return the moment m = E_B⁻ᵀ τ."""
        return matvec(np.swapaxes(rot.euler_rate_matrix_inverse(q, self.order, "local"), -1, -2), tau)

    def force_from_span(self, q: Array, f: Array) -> Array:
        """Return the joint forces τ = E_Bᵀ m."""
        return matvec(np.swapaxes(rot.euler_rate_matrix(q, self.order, "local"), -1, -2), f)

    coordinates, coordinate_rates = Joint.coordinates, Joint.coordinate_rates
    from_coordinates = Joint.from_coordinates

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias c = S' u = [E_B' u; 0]."""
        return np.concatenate([matvec(rot.euler_rate_matrix_derivative(q, u, self.order, "local"), u), np.zeros(3)])

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return random angles within the limits, the middle one away from the singularity where the limits permit."""
        low, high = self.finite_limits()
        low, high = low.copy(), high.copy()
        open_ = (-1.3, 1.3) if len(set(self.order)) == 3 else (0.2, 2.9)
        if max(low[1], open_[0]) <= min(high[1], open_[1]):
            low[1], high[1] = max(low[1], open_[0]), min(high[1], open_[1])
        return rng.uniform(low, high)

    def reversed(self) -> Joint:
        """Return the joint with rotation Rcᵀ Rbᵀ Raᵀ: order and angles are reversed, and the angles change sign."""
        back = {n: getattr(self, n)[::-1] for n in ("stiffness", "damping", "armature")}
        return self.changed(
            order=self.order[::-1],
            lower=-self.upper[::-1] + 0.0,
            upper=-self.lower[::-1] + 0.0,
            rest=-self.rest[::-1] + 0.0,
            **back,
        )

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the state of the reversed joint: the angles (-c, -b, -a) and their rates."""
        return -q[::-1], -u[::-1]

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint and its factors: rotations about x and z change sign."""
        signs = np.array([1.0 if letter == "y" else -1.0 for letter in self.order])
        return self._signed(signs), signs, signs

    def parts_in_sequence(self) -> tuple[Joint, ...]:
        """Return the three revolute joints that are equivalent to this joint."""
        return tuple(self._part(Revolute, k, axis=letter) for k, letter in enumerate(self.order))
