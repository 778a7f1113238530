"""The free joint: six degrees of freedom, used for the root of a floating-base figure.

q = (p, quaternion), u = (v, ω): v is the origin's velocity in the joint frame (the world, for a root), ω the angular
velocity in the child frame. u is not a spatial vector.

    S = [[0, 1], [Cᵀ, 0]],   S' u = [0; -ω × Cᵀ v],   q' = (v, ½ q ⊗ ω)

Source: docs/equations/rotations.md, section 11.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import Transform
from anthropi.figure.joints.axial import Prismatic
from anthropi.figure.joints.ball import Ball
from anthropi.figure.joints.base import ACTING, Joint
from anthropi.figure.joints.derived import MIRROR, block_diagonal
from anthropi.figure.joints.interface import Array
from anthropi.figure.joints.wrapped import Reversed

__all__ = ["Free"]

_ball = Ball(name="ball")


@dataclass(frozen=True, eq=False, kw_only=True)
class Free(Joint):
    """Six degrees of freedom: translation and rotation."""

    kind: ClassVar[str] = "free"
    nq: ClassVar[int] = 7
    nu: ClassVar[int] = 6
    suffixes: ClassVar[tuple[str, ...]] = ("px", "py", "pz", "rx", "ry", "rz")
    plain: ClassVar[bool] = False

    @property
    def quaternions(self) -> tuple[slice, ...]:
        """One slice: the four coordinates after the position."""
        return (slice(3, 7),)

    lengths: ClassVar[tuple[bool, ...]] = (True, True, True, False, False, False)

    def transform(self, q: Array) -> Transform:
        """Return the pose: rotation C of the quaternion and origin p."""
        return Transform(rot.matrix_from_quaternion(q[3:]), q[:3])

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S = [[0, 1], [Cᵀ, 0]]."""
        back = transpose(rot.matrix_from_quaternion(q[3:]))
        none, one = np.zeros((3, 3)), np.eye(3)
        return np.concatenate([np.concatenate([none, one], 1), np.concatenate([back, none], 1)])

    @property
    def span(self) -> tuple[int, ...] | None:
        """All six rows, the linear ones first, as in u."""
        return (3, 4, 5, 0, 1, 2)

    def to_span(self, q: Array, u: Array) -> Array:
        """Return the velocities in the child frame, (Cᵀ v, ω)."""
        back = transpose(rot.matrix_from_quaternion(q[3:]))
        return np.concatenate([matvec(back, u[:3]), u[3:]])

    def from_span(self, q: Array, s: Array) -> Array:
        """Return u = (C s₀, s₁) from the two halves of s = (s₀, s₁)."""
        return np.concatenate([matvec(rot.matrix_from_quaternion(q[3:]), s[:3]), s[3:]])

    def force_to_span(self, q: Array, tau: Array) -> Array:
        """Return the forces T⁻ᵀ τ in the child frame, equal to T τ because T is orthogonal."""
        return self.to_span(q, tau)

    def force_from_span(self, q: Array, f: Array) -> Array:
        """Return the joint forces Tᵀ f, equal to T⁻¹ f because T is orthogonal."""
        return self.from_span(q, f)

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias c = S' u = [0; -ω × Cᵀ v]."""
        v = matvec(transpose(rot.matrix_from_quaternion(q[3:])), u[:3])
        return np.concatenate([np.zeros(3), np.cross(v, u[3:])])

    def spin(self, q: Array, u: Array) -> Array:
        """Return the angular velocity ω."""
        return u[3:]

    def slide(self, q: Array, u: Array) -> Array:
        """Return the velocity v of the origin."""
        return u[:3]

    def spin_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the angular acceleration ω'."""
        return udot[3:]

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the acceleration v' of the origin."""
        return udot[:3]

    def rate(self, q: Array, u: Array) -> Array:
        """Return the coordinate rates (v, ½ q ⊗ ω)."""
        return np.concatenate([u[..., :3], _ball.rate(q[..., 3:], u[..., 3:])], axis=-1)

    def velocity(self, q: Array, qdot: Array) -> Array:
        """Return the velocities (p', 2 H̄ q')."""
        return np.concatenate([qdot[..., :3], _ball.velocity(q[..., 3:], qdot[..., 3:])], axis=-1)

    def integrate(self, q: Array, v: Array) -> Array:
        """Return the configuration (p + v, q ⊗ exp(ω))."""
        return np.concatenate([q[..., :3] + v[..., :3], _ball.integrate(q[..., 3:], v[..., 3:])], axis=-1)

    def lift(self, theta: Array, u: Array) -> Array:
        """Return the rates (v, G_b(θ) ω) of position and rotation vector."""
        return np.concatenate([u[:3], _ball.lift(theta[3:], u[3:])])

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the difference (p1 - p0, log(q0⁻¹ q1)) of two configurations."""
        return np.concatenate([q1[..., :3] - q0[..., :3], _ball.difference(q0[..., 3:], q1[..., 3:])], axis=-1)

    @property
    def takes_batches(self) -> bool:
        """True: as `Ball`."""
        return True

    def coordinates(self, q: Array) -> Array:
        """Return the position p and the rotation vector r."""
        return np.concatenate([q[:3], self._turn().coordinates(q[3:])])

    def coordinate_rates(self, q: Array) -> Array | None:
        """Return the matrix T = [[1, 0], [0, J_b(r)]]."""
        return block_diagonal([np.eye(3), self._turn().coordinate_rates(q[3:])])

    def from_coordinates(self, x: Array) -> Array:
        """Return the configuration (p, exp(r)) from x = (p, r)."""
        return np.concatenate([x[..., :3], _ball.from_coordinates(x[..., 3:])], axis=-1)

    def neutral(self) -> np.ndarray:
        """Return the configuration at the origin, without rotation."""
        return np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a position within 1 m or the limits, and a random attitude within the limits."""
        low, high = self.finite_limits(reach=1.0)
        turn = self._turn().random(rng)
        return np.concatenate([rng.uniform(low[:3], high[:3]), turn])

    def _turn(self) -> Ball:
        """Return the rotational part of the joint as a ball joint."""
        return Ball(name="r", **{n: getattr(self, n)[3:] for n in ("lower", "upper", *ACTING)})

    def reversed(self) -> Joint:
        """Return a free joint, or `Reversed` if limits or springs act on its coordinates, which reversing mixes."""
        return Reversed.of(self) if self.acts() else self

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the reversed state: p⁻ = -Cᵀ p, v⁻ = d(p⁻)/dt = ω × Cᵀ p - Cᵀ v, and ω⁻ = -C ω."""
        if self.acts():
            return q, u
        C = rot.matrix_from_quaternion(q[3:])
        p, v = matvec(transpose(C), q[:3]), matvec(transpose(C), u[:3])
        there = np.concatenate([-p, rot.quaternion_conjugate(q[3:])])
        return there, np.concatenate([np.cross(u[3:], p) - v, -matvec(C, u[3:])])

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint and its factors: M for p and v, -M for rotations."""
        u = np.concatenate([MIRROR, -MIRROR])
        return self._signed(u), np.concatenate([MIRROR, [1.0], -MIRROR]), u

    def scaled_q(self, q: Array, factor: float) -> Array:
        """Return the scaled position and the same attitude."""
        return np.concatenate([q[:3] * factor, q[3:]])

    def parts_in_sequence(self) -> tuple[Joint, ...]:
        """Return three prismatic joints and a ball joint that are equivalent to this joint."""
        return *(self._part(Prismatic, k, axis=axis) for k, axis in enumerate("xyz")), self._turn()
