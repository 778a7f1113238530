"""Planar joint (two translations and a rotation) and translational joint (three translations).

    translational  p = q                        S = [0; 1]                                                       (2)
    planar         p = (x, y, 0), C = Rz(θ)     spin = (0, 0, θ'), slide = (x', y', 0) in the joint frame

Source of (2): docs/equations/joint_motion.md, (3) and (8) with joint type 2.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anthropi.algebra.scalar import cos, sin
from anthropi.algebra.spatial import Transform
from anthropi.figure.joints.axial import Prismatic, Revolute, about
from anthropi.figure.joints.base import Joint
from anthropi.figure.joints.derived import MIRROR
from anthropi.figure.joints.interface import Array
from anthropi.figure.joints.wrapped import Reversed

__all__ = ["Planar", "Translational"]

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Translational(Joint):
    """Translation along x, y, z of the joint frame by q [m]."""

    kind: ClassVar[str] = "translational"
    nq: ClassVar[int] = 3
    nu: ClassVar[int] = 3
    suffixes: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    lengths: ClassVar[tuple[bool, ...]] = (True, True, True)

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Rows 3, 4, 5: the columns of S are the linear unit vectors."""
        return (3, 4, 5)

    def transform(self, q: Array) -> Transform:
        """Return the translation (2)."""
        return Transform(np.eye(3), q)

    def reversed(self) -> Joint:
        """Return a joint along the same axes with coordinates of opposite sign."""
        return self._signed(-np.ones(3))

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the state of the reversed joint, -q and -u."""
        return -q, -u

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint and its factors: y changes sign."""
        return self._signed(MIRROR), MIRROR, MIRROR

    def parts_in_sequence(self) -> tuple[Joint, ...]:
        """Return three prismatic joints that are equivalent to this joint."""
        return tuple(self._part(Prismatic, k, axis=axis) for k, axis in enumerate("xyz"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Planar(Joint):
    """Translation in the xy plane of the joint frame by x, y [m], then rotation about z by θ [rad]: q = (x, y, θ)."""

    kind: ClassVar[str] = "planar"
    nq: ClassVar[int] = 3
    nu: ClassVar[int] = 3
    suffixes: ClassVar[tuple[str, ...]] = ("x", "y", "angle")
    lengths: ClassVar[tuple[bool, ...]] = (True, True, False)

    def transform(self, q: Array) -> Transform:
        """Return the translation and the rotation about z."""
        return Transform(about(Z, q[2]), np.array([q[0], q[1], 0.0]))

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace: columns of x' and y' in the rotated frame, and of θ'."""
        s, c = sin(q[2]), cos(q[2])
        rows = [[0.0] * 3, [0.0] * 3, [0.0, 0.0, 1.0], [c, s, 0.0], [-s, c, 0.0], [0.0] * 3]
        return np.array(rows)

    @property
    def span(self) -> tuple[int, ...] | None:
        """Rows of translation along x and y and of rotation about z, in the rotated frame."""
        return (3, 4, 2)

    def to_span(self, q: Array, u: Array) -> Array:
        """Return the velocities in the rotated frame, (Rᵀ (x', y'), θ')."""
        s, c = sin(q[2]), cos(q[2])
        return np.array([c * u[0] + s * u[1], c * u[1] - s * u[0], u[2]])

    def from_span(self, q: Array, s: Array) -> Array:
        """Return the velocities u = (R (s₀, s₁), s₂)."""
        sn, c = sin(q[2]), cos(q[2])
        return np.array([c * s[0] - sn * s[1], sn * s[0] + c * s[1], s[2]])

    def force_to_span(self, q: Array, tau: Array) -> Array:
        """Return the forces T⁻ᵀ τ in the rotated frame, equal to T τ because T is orthogonal."""
        return self.to_span(q, tau)

    def force_from_span(self, q: Array, f: Array) -> Array:
        """Return the joint forces Tᵀ f, equal to T⁻¹ f because T is orthogonal."""
        return self.from_span(q, f)

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias c, whose linear part is -θ' ẑ × (Cᵀ p')."""
        s, c = sin(q[2]), cos(q[2])
        x, y = c * u[0] + s * u[1], c * u[1] - s * u[0]
        return np.array([0.0, 0.0, 0.0, u[2] * y, -(u[2] * x), 0.0])

    def spin(self, q: Array, u: Array) -> Array:
        """Return the angular velocity (0, 0, θ')."""
        return np.array([0.0, 0.0, u[2]])

    def slide(self, q: Array, u: Array) -> Array:
        """Return the velocity (x', y', 0) of the origin."""
        return np.array([u[0], u[1], 0.0])

    def spin_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the angular acceleration (0, 0, θ'')."""
        return np.array([0.0, 0.0, udot[2]])

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the acceleration (x'', y'', 0) of the origin."""
        return np.array([udot[0], udot[1], 0.0])

    def reversed(self) -> Joint:
        """Return a planar joint, or `Reversed` if limits or springs act on its coordinates, which reversing mixes."""
        return Reversed.of(self) if self.acts() else self

    def reverse_state(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the reversed state: p⁻ = -Rᵀ p, θ⁻ = -θ and p⁻' = -Rᵀ (p' - θ' ẑ × p), θ⁻' = -θ'."""
        if self.acts():
            return q, u
        s, c = sin(q[2]), cos(q[2])
        vx, vy = u[0] + u[2] * q[1], u[1] - u[2] * q[0]
        back = np.array([-(c * q[0] + s * q[1]), s * q[0] - c * q[1], -q[2]])
        return back, np.array([-(c * vx + s * vy), s * vx - c * vy, -u[2]])

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint and its factors: y and θ change sign."""
        signs = np.array([1.0, -1.0, -1.0])
        return self._signed(signs), signs, signs

    def parts_in_sequence(self) -> tuple[Joint, ...]:
        """Return two prismatic joints and a revolute joint that are equivalent to this joint."""
        slides = (self._part(Prismatic, k, axis=axis) for k, axis in enumerate("xy"))
        return *slides, self._part(Revolute, 2, axis="z")
