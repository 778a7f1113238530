"""Joints along or about one axis: revolute, prismatic, helical, cylindrical.

The axis is a unit vector in the joint frame, and, since turning about it leaves it alone, in the child frame too.

    revolute     C = exp(q a×)            S = [a; 0]                           joint_motion (2b), (6) JT 3
    prismatic    p = q a                  S = [0; a]                           joint_motion (3), (8) JT 1
    helical      C = exp(q a×), p = h q a S = [a; h a]                         thesis 1.11
    cylindrical  C = exp(q₁ a×), p = q₀ a S = [[0, a], [a, 0]]                 joint_motion section 7
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import cos, records, sin
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError
from anthropi.figure.joints.base import MIRROR, Joint

__all__ = ["Cylindrical", "Helical", "Prismatic", "Revolute"]

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def unit_axis(axis, name: str) -> np.ndarray:
    """A unit vector from "x", "y", "z", "-x" … or three numbers; refuses what has no direction."""
    if isinstance(axis, str):
        sign, letter = (-1.0, axis[1:]) if axis.startswith("-") else (1.0, axis)
        if letter not in AXES:
            raise InputError(f"Joint '{name}' has axis '{axis}'. Choose x, y, z, -x, -y, -z or give three numbers.")
        return sign * np.array(AXES[letter]) + 0.0
    a = np.asarray(axis)
    if records(a):
        return a
    a = np.asarray(a, float)
    length = math.sqrt(a @ a) if a.shape == (3,) else math.nan
    if not 1e-12 < length < math.inf:
        raise InputError(
            f"Joint '{name}' has axis {np.asarray(axis).tolist()}: give three finite numbers, not all zero."
        )
    return a if abs(length - 1.0) < 1e-15 else a / length  # twice made a unit vector, it keeps its bits


def turn(axis, angle):
    """exp(angle axis×) for a unit axis (3,): 1 + sin a× + (1 - cos) a× a×, joint_motion (2b)."""
    s, c = sin(angle), cos(angle)
    x, y, z = axis
    v = 1.0 - c
    return np.array([
        [c + v * (x * x), v * (x * y) - s * z, v * (x * z) + s * y],
        [v * (x * y) + s * z, c + v * (y * y), v * (y * z) - s * x],
        [v * (x * z) - s * y, v * (y * z) + s * x, c + v * (z * z)],
    ])  # fmt: skip


def about(axis, angle):
    """`turn`, with the exact ones and zeros of a turn about a coordinate axis."""
    if records(axis) or np.count_nonzero(axis) != 1:
        return turn(axis, angle)
    k = int(np.flatnonzero(axis)[0])
    s, c = sin(angle) * float(axis[k]), cos(angle)
    i, j = (k + 1) % 3, (k + 2) % 3
    rows: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    rows[k][k], rows[i][i], rows[j][j], rows[i][j], rows[j][i] = 1.0, c, c, -s, s
    return np.array(rows)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Axial(Joint):
    """A joint with one axis.

    axis : unit vector (3,) in the joint frame, or "x", "-y" …
    """

    axis: Any = "z"
    lengths: ClassVar[tuple[bool, ...]] = (False,)

    def __post_init__(self):
        object.__setattr__(self, "axis", unit_axis(self.axis, self.name))
        super().__post_init__()

    def _column(self) -> int | None:
        """Which coordinate axis it is, if it is one in the positive sense."""
        found = [k for k in range(3) if not records(self.axis) and self.axis.tolist() == np.eye(3)[k].tolist()]
        return found[0] if found else None

    def reversed(self):
        """About the opposite axis the same coordinates undo it."""
        return self.changed(axis=-self.axis + 0.0)

    def mirrored(self, like=None):
        """Along the mirrored axis M a; a turn about it changes its sign.

        About -M a it is the slide that does. Taken is the axis of `like` if it is one of the two, else the joint's
        own if that is, so that coordinate axes stay what they are; else the one that keeps the (last) sign.
        """
        turns = np.array([not long for long in self.lengths])
        image = MIRROR * self.axis
        side = 1.0 if not turns[-1] else -1.0
        for wanted in (getattr(like, "axis", None), self.axis):
            along = 0.0 if wanted is None or np.shape(wanted) != (3,) else float(wanted @ image)
            if abs(along) > 1.0 - 1e-12:
                side = math.copysign(1.0, along)
                break
        signs = side * np.where(turns, -1.0, 1.0)  # floats only
        return self._signed(signs, axis=side * image + 0.0), signs, signs


@dataclass(frozen=True, eq=False, kw_only=True)
class Revolute(_Axial):
    """Turns about an axis by q [rad]."""

    kind: ClassVar[str] = "revolute"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1
    suffixes: ClassVar[tuple[str, ...]] = ("angle",)

    @property
    def axes(self):
        """The axis as a row of S."""
        k = self._column()
        return None if k is None else (k,)

    def transform(self, q):
        """(2b)"""
        return Transform(about(self.axis, q[0]), np.zeros(3))

    def subspace(self, q):
        """[a; 0]"""
        return np.concatenate([self.axis, np.zeros(3)])[:, None]

    def slide(self, q, u):
        """The origin stays."""
        return np.zeros(3)

    def slide_rate(self, q, u, udot):
        """The origin stays."""
        return np.zeros(3)


@dataclass(frozen=True, eq=False, kw_only=True)
class Prismatic(_Axial):
    """Slides along an axis by q [m]."""

    kind: ClassVar[str] = "prismatic"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1
    suffixes: ClassVar[tuple[str, ...]] = ("slide",)
    lengths: ClassVar[tuple[bool, ...]] = (True,)

    @property
    def axes(self):
        """The axis as a row of S."""
        k = self._column()
        return None if k is None else (3 + k,)

    def transform(self, q):
        """joint_motion (2a), (3)"""
        return Transform(np.eye(3), self.axis * q[0])

    def subspace(self, q):
        """[0; a]"""
        return np.concatenate([np.zeros(3), self.axis])[:, None]


@dataclass(frozen=True, eq=False, kw_only=True)
class Helical(_Axial):
    """A screw: turns about an axis by q [rad] and slides along it by pitch · q.

    pitch : [m/rad].
    """

    pitch: Any = 0.0
    kind: ClassVar[str] = "helical"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1
    suffixes: ClassVar[tuple[str, ...]] = ("angle",)

    def transform(self, q):
        """A turn and the slide that goes with it."""
        return Transform(about(self.axis, q[0]), self.axis * (self.pitch * q[0]))

    def subspace(self, q):
        """[a; h a], thesis 1.11"""
        return np.concatenate([self.axis, self.axis * self.pitch])[:, None]

    def slide(self, q, u):
        """h q' a: the turn leaves the axis alone"""
        return self.axis * (self.pitch * u[0])

    def slide_rate(self, q, u, udot):
        """h q'' a"""
        return self.axis * (self.pitch * udot[0])

    def mirrored(self, like=None):
        """A right-handed screw becomes a left-handed one."""
        joint, *signs = super().mirrored(like)
        return joint.changed(pitch=-self.pitch), *signs

    def scaled(self, factor):
        """A coarser thread."""
        return super().scaled(factor).changed(pitch=self.pitch * factor)


@dataclass(frozen=True, eq=False, kw_only=True)
class Cylindrical(_Axial):
    """Slides along an axis by q₀ [m] and turns about it by q₁ [rad]."""

    kind: ClassVar[str] = "cylindrical"
    nq: ClassVar[int] = 2
    nu: ClassVar[int] = 2
    suffixes: ClassVar[tuple[str, ...]] = ("slide", "angle")
    lengths: ClassVar[tuple[bool, ...]] = (True, False)

    @property
    def axes(self):
        """The axis as rows of S."""
        k = self._column()
        return None if k is None else (3 + k, k)

    def transform(self, q):
        """Slide and turn commute."""
        return Transform(about(self.axis, q[1]), self.axis * q[0])

    def subspace(self, q):
        """[[0, a], [a, 0]]"""
        return np.stack([np.concatenate([np.zeros(3), self.axis]), np.concatenate([self.axis, np.zeros(3)])], axis=1)

    def slide(self, q, u):
        """q₀' a: the turn leaves the axis alone"""
        return self.axis * u[0]

    def slide_rate(self, q, u, udot):
        """q₀'' a"""
        return self.axis * udot[0]

    def pieces(self):
        """A slide, then a turn."""
        return self._piece(Prismatic, 0, axis=self.axis), self._piece(Revolute, 1, axis=self.axis)
