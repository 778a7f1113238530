"""Joints that slide freely: planar (two slides and a turn), translational (three slides).

translational  p = q                        S = [0; 1]                      joint_motion (3), (8) JT 2
planar         p = (x, y, 0), C = Rz(θ)     spin = (0, 0, θ'), slide = (x', y', 0) in the joint frame
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anthropi.algebra.scalar import cos, sin
from anthropi.algebra.spatial import Transform
from anthropi.figure.joints.axial import Prismatic, Revolute, about
from anthropi.figure.joints.base import MIRROR, Joint
from anthropi.figure.joints.reversed import Reversed

__all__ = ["Planar", "Translational"]

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Translational(Joint):
    """Slides along x, y, z of the joint frame by q [m]."""

    kind: ClassVar[str] = "translational"
    nq: ClassVar[int] = 3
    nu: ClassVar[int] = 3
    suffixes: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    lengths: ClassVar[tuple[bool, ...]] = (True, True, True)

    @property
    def axes(self):
        """All linear rows."""
        return (3, 4, 5)

    def transform(self, q):
        """joint_motion (2a), (3)"""
        return Transform(np.eye(3), q)

    def reversed(self):
        """Slides the other way: the axes are the same, the coordinates turn their sign."""
        return self._signed(-np.ones(3))

    def reverse_state(self, q, u):
        """p' = -p."""
        return -q, -u

    def mirrored(self, like=None):
        """(x, -y, z)"""
        return self._signed(MIRROR), MIRROR, MIRROR

    def pieces(self):
        """Three slides."""
        return tuple(self._piece(Prismatic, k, axis=axis) for k, axis in enumerate("xyz"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Planar(Joint):
    """Slides in the xy plane of the joint frame by x, y [m] and turns about its z by θ [rad]: q = (x, y, θ)."""

    kind: ClassVar[str] = "planar"
    nq: ClassVar[int] = 3
    nu: ClassVar[int] = 3
    suffixes: ClassVar[tuple[str, ...]] = ("x", "y", "angle")
    lengths: ClassVar[tuple[bool, ...]] = (True, True, False)

    def transform(self, q):
        """Slide, then turn."""
        return Transform(about(Z, q[2]), np.array([q[0], q[1], 0.0]))

    def subspace(self, q):
        """Columns x', y' seen in the turned frame, and θ'."""
        s, c = sin(q[2]), cos(q[2])
        rows = [[0.0] * 3, [0.0] * 3, [0.0, 0.0, 1.0], [c, s, 0.0], [-s, c, 0.0], [0.0] * 3]
        return np.array(rows)

    @property
    def span(self):
        """Slides along x and y, turns about z, in the turned frame."""
        return (3, 4, 2)

    def to_span(self, q, u):
        """(Rᵀ (x', y'), θ')"""
        s, c = sin(q[2]), cos(q[2])
        return np.array([c * u[0] + s * u[1], c * u[1] - s * u[0], u[2]])

    def from_span(self, q, s):
        """(R (…), θ')"""
        sn, c = sin(q[2]), cos(q[2])
        return np.array([c * s[0] - sn * s[1], sn * s[0] + c * s[1], s[2]])

    force_to_span, force_from_span = to_span, from_span  # T is a rotation

    def bias(self, q, u):
        """-θ' ẑ × (Cᵀ p')"""
        s, c = sin(q[2]), cos(q[2])
        x, y = c * u[0] + s * u[1], c * u[1] - s * u[0]
        return np.array([0.0, 0.0, 0.0, u[2] * y, -(u[2] * x), 0.0])

    def spin(self, q, u):
        """(0, 0, θ')"""
        return np.array([0.0, 0.0, u[2]])

    def slide(self, q, u):
        """(x', y', 0)"""
        return np.array([u[0], u[1], 0.0])

    def spin_rate(self, q, u, udot):
        """(0, 0, θ'')"""
        return np.array([0.0, 0.0, udot[2]])

    def slide_rate(self, q, u, udot):
        """(x'', y'', 0)"""
        return np.array([udot[0], udot[1], 0.0])

    def reversed(self):
        """A planar joint again; if anything acts on its coordinates, which mix, the same one taken backwards."""
        return Reversed.of(self) if self.acts() else self

    def reverse_state(self, q, u):
        """p⁻ = -Rᵀ p, θ⁻ = -θ; p⁻' = -Rᵀ (p' - θ' ẑ × p)."""
        if self.acts():
            return q, u
        s, c = sin(q[2]), cos(q[2])
        vx, vy = u[0] + u[2] * q[1], u[1] - u[2] * q[0]
        back = np.array([-(c * q[0] + s * q[1]), s * q[0] - c * q[1], -q[2]])
        return back, np.array([-(c * vx + s * vy), s * vx - c * vy, -u[2]])

    def mirrored(self, like=None):
        """(x, -y, -θ)"""
        signs = np.array([1.0, -1.0, -1.0])
        return self._signed(signs), signs, signs

    def pieces(self):
        """Two slides and a turn."""
        slides = (self._piece(Prismatic, k, axis=axis) for k, axis in enumerate("xy"))
        return *slides, self._piece(Revolute, 2, axis="z")
