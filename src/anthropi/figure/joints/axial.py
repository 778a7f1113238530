"""Joints with one axis: revolute, prismatic, helical, cylindrical.

The axis a is a unit vector in the joint frame and, since rotation about it leaves it unchanged, in the child frame too.

    revolute     C = exp(q a×)              S = [a; 0]                                                           (1)
    prismatic    p = q a                    S = [0; a]                                                           (2)
    helical      C = exp(q a×), p = h q a   S = [a; h a]                                                         (3)
    cylindrical  C = exp(q₁ a×), p = q₀ a   S = [[0, a], [a, 0]]                                                 (4)

Sources: docs/equations/joint_motion.md, (2b) and (6) with joint type 3 for (1), (3) and (8) with joint type 1 for (2),
section 7 for (4); docs/equations/thesis.md (1.11) for (3).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.scalar import cos, records, sin
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError
from anthropi.figure.joints.base import Joint
from anthropi.figure.joints.derived import MIRROR
from anthropi.figure.joints.interface import Array

__all__ = ["Cylindrical", "Helical", "Prismatic", "Revolute"]

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def unit_axis(axis: Any, name: str) -> np.ndarray:
    """Return a unit vector (3,) from "x", "y", "z", "-x" … or three numbers. name : joint name for errors."""
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
            f"Joint '{name}' has axis {np.asarray(axis).tolist()}. Give three finite numbers, not all zero."
        )
    return a if abs(length - 1.0) < 1e-15 else a / length  # so that normalising twice changes nothing


def rotation_about(axis: Array, angle: Any) -> Array:
    """Return the rotation matrix exp(angle a×) for a unit axis a (3,): 1 + sin a× + (1 - cos) a× a× (Rodrigues)."""
    s, c = sin(angle), cos(angle)
    x, y, z = axis
    v = 1.0 - c
    return np.array([
        [c + v * (x * x), v * (x * y) - s * z, v * (x * z) + s * y],
        [v * (x * y) + s * z, c + v * (y * y), v * (y * z) - s * x],
        [v * (x * z) - s * y, v * (y * z) + s * x, c + v * (z * z)],
    ])  # fmt: skip


def about(axis: Array, angle: Any) -> Array:
    """Return the rotation matrix about a unit axis, with exact ones and zeros if it is a coordinate axis."""
    if records(axis) or np.count_nonzero(axis) != 1:
        return rotation_about(axis, angle)
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", unit_axis(self.axis, self.name))
        super().__post_init__()

    def _column(self) -> int | None:
        """Return the number of the coordinate axis; None if the axis is not a positive coordinate axis."""
        found = [k for k in range(3) if not records(self.axis) and self.axis.tolist() == np.eye(3)[k].tolist()]
        return found[0] if found else None

    def reversed(self) -> Joint:
        """Return the joint about the opposite axis, with the same coordinates."""
        return self.changed(axis=-self.axis + 0.0)

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint, with axis M a or -M a, and the factors ±1 of its q and u.

        About M a rotations change sign, about -M a translations do. The axis of `like` is used if it is one of the two.
        Otherwise the joint's own axis is used if it is one of them, so that coordinate axes stay coordinate axes.
        Otherwise the axis is the one for which the last coordinate keeps its sign.
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
    """Rotation about an axis by q [rad]."""

    kind: ClassVar[str] = "revolute"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1
    suffixes: ClassVar[tuple[str, ...]] = ("angle",)

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Row of the axis in S if it is a positive coordinate axis, else None."""
        k = self._column()
        return None if k is None else (k,)

    def transform(self, q: Array) -> Transform:
        """Return the rotation about the axis (1)."""
        return Transform(about(self.axis, q[0]), np.zeros(3))

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S = [a; 0]."""
        return np.concatenate([self.axis, np.zeros(3)])[:, None]

    def slide(self, q: Array, u: Array) -> Array:
        """Return zero: the origin does not move."""
        return np.zeros(3)

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return zero: the origin does not move."""
        return np.zeros(3)


@dataclass(frozen=True, eq=False, kw_only=True)
class Prismatic(_Axial):
    """Translation along an axis by q [m]."""

    kind: ClassVar[str] = "prismatic"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1
    suffixes: ClassVar[tuple[str, ...]] = ("slide",)
    lengths: ClassVar[tuple[bool, ...]] = (True,)

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Row of the axis in S if it is a positive coordinate axis, else None."""
        k = self._column()
        return None if k is None else (3 + k,)

    def transform(self, q: Array) -> Transform:
        """Return the translation along the axis (2)."""
        return Transform(np.eye(3), self.axis * q[0])

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S = [0; a]."""
        return np.concatenate([np.zeros(3), self.axis])[:, None]


@dataclass(frozen=True, eq=False, kw_only=True)
class Helical(_Axial):
    """A screw: rotation about an axis by q [rad] and translation along it by pitch · q.

    pitch : [m/rad].
    """

    pitch: Any = 0.0
    kind: ClassVar[str] = "helical"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1
    suffixes: ClassVar[tuple[str, ...]] = ("angle",)

    def transform(self, q: Array) -> Transform:
        """Return the rotation and the translation h q along the axis (3)."""
        return Transform(about(self.axis, q[0]), self.axis * (self.pitch * q[0]))

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S = [a; h a]."""
        return np.concatenate([self.axis, self.axis * self.pitch])[:, None]

    def slide(self, q: Array, u: Array) -> Array:
        """Return the velocity h q' a; rotation leaves the axis unchanged."""
        return self.axis * (self.pitch * u[0])

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the acceleration h q'' a along the axis."""
        return self.axis * (self.pitch * udot[0])

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return a screw of the opposite handedness, and the factors of its q and u."""
        joint, q, u = super().mirrored(like)
        return joint.changed(pitch=-self.pitch), q, u

    def scaled(self, factor: float) -> Joint:
        """Return the screw with its pitch scaled."""
        return super().scaled(factor).changed(pitch=self.pitch * factor)


@dataclass(frozen=True, eq=False, kw_only=True)
class Cylindrical(_Axial):
    """Translation along an axis by q₀ [m] and rotation about it by q₁ [rad]."""

    kind: ClassVar[str] = "cylindrical"
    nq: ClassVar[int] = 2
    nu: ClassVar[int] = 2
    suffixes: ClassVar[tuple[str, ...]] = ("slide", "angle")
    lengths: ClassVar[tuple[bool, ...]] = (True, False)

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Rows of the axis in S if it is a positive coordinate axis, else None."""
        k = self._column()
        return None if k is None else (3 + k, k)

    def transform(self, q: Array) -> Transform:
        """Return the rotation and the translation, which commute (4)."""
        return Transform(about(self.axis, q[1]), self.axis * q[0])

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S = [[0, a], [a, 0]]."""
        return np.stack([np.concatenate([np.zeros(3), self.axis]), np.concatenate([self.axis, np.zeros(3)])], axis=1)

    def slide(self, q: Array, u: Array) -> Array:
        """Return the velocity q₀' a; rotation leaves the axis unchanged."""
        return self.axis * u[0]

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the acceleration q₀'' a along the axis."""
        return self.axis * udot[0]

    def parts_in_sequence(self) -> tuple[Joint, ...]:
        """Return a prismatic and a revolute joint that are equivalent to this joint."""
        return self._part(Prismatic, 0, axis=self.axis), self._part(Revolute, 1, axis=self.axis)
