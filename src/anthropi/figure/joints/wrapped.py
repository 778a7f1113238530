"""Reversed and mirrored joints that keep the coordinates of the original joint.

Reversing or mirroring most joints gives a joint of the same kind. The joints below are used for kinds without such a
rule, and where limits, springs, dampers or rotors act on coordinates that reversing would mix (a ball joint with
limits, a planar joint with springs). They keep q and u, so limits and forces still act on the same coordinates.

    reversed   X⁻ = X⁻¹,      S⁻ = -X S,           c⁻ = -X c             (X: child to joint frame, v⁻ = -X v)     (1)
    mirrored   X_m = M X M,   S_m = (-M, M) S,     c_m = (-M, M) c       (M = diag(1, -1, 1); rotations: -M)      (2)

Source of (1): S. M. Loizidou, PhD thesis, University of North London, 1992, chapter 7 (docs/equations/thesis.md).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.figure.joints.base import ACTING, Joint, JointRating
from anthropi.figure.joints.derived import MIRROR, mirrored_pose
from anthropi.figure.joints.interface import Array

__all__ = ["Mirrored", "Reversed"]

_MIRROR_MOTION = np.concatenate([-MIRROR, MIRROR])  # factors of a spatial velocity


@dataclass(frozen=True, eq=False, kw_only=True)
class _Wrapped(Joint):
    """A joint that wraps another joint and keeps its coordinates.

    joint : the wrapped joint; it gets the name, limits, spring, damper and rotor of this one.
    """

    joint: Any = None

    def __post_init__(self) -> None:
        for name in ("nq", "nu", "plain", "lengths"):
            object.__setattr__(self, name, getattr(self.joint, name))
        super().__post_init__()
        acting = {n: getattr(self, n) for n in ("lower", "upper", "stop", "rating", *ACTING)}
        object.__setattr__(self, "joint", self.joint.changed(name=self.name, placement=identity(), **acting))

    @classmethod
    def of(cls, joint: Any) -> Self:
        """Wrap a joint, together with its limits, spring, damper and rotor."""
        own = {n: getattr(joint, n) for n in ("lower", "upper", "stop", "rating", *ACTING)}
        return cls(name=joint.name, joint=joint, **own)

    @property
    def ratings(self) -> tuple[JointRating, ...]:
        """The ratings of the wrapped joint."""
        return self.joint.ratings

    @property
    def quaternions(self) -> tuple[slice, ...]:
        """Slices of the wrapped joint's coordinates that are unit quaternions."""
        return self.joint.quaternions

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the wrapped joint's degrees of freedom."""
        return self.joint.dofs

    def rate(self, q: Array, u: Array) -> Array:
        """Return the coordinate rates q' of the wrapped joint."""
        return self.joint.rate(q, u)

    def velocity(self, q: Array, qdot: Array) -> Array:
        """Return the velocities u of the wrapped joint."""
        return self.joint.velocity(q, qdot)

    def integrate(self, q: Array, v: Array) -> Array:
        """Return q ⊞ v of the wrapped joint."""
        return self.joint.integrate(q, v)

    def lift(self, theta: Array, u: Array) -> Array:
        """Return θ' of the wrapped joint; see `JointChart.lift`."""
        return self.joint.lift(theta, u)

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the difference of two configurations of the wrapped joint."""
        return self.joint.difference(q0, q1)

    @property
    def takes_batches(self) -> bool:
        """Whether the methods of the wrapped joint take arrays (n, nq)."""
        return self.joint.takes_batches

    def coordinates(self, q: Array) -> Array:
        """Return the coordinates of the wrapped joint that limits bound."""
        return self.joint.coordinates(q)

    def coordinate_rates(self, q: Array) -> Array | None:
        """Return the matrix T of the wrapped joint; see `JointChart.coordinate_rates`."""
        return self.joint.coordinate_rates(q)

    def from_coordinates(self, x: Array) -> Array:
        """Return the configuration of the wrapped joint with these coordinates."""
        return self.joint.from_coordinates(x)

    def neutral(self) -> np.ndarray:
        """Return the neutral configuration of the wrapped joint."""
        return self.joint.neutral()

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a random configuration of the wrapped joint, within the limits."""
        return self.joint.random(rng)

    def scaled(self, factor: float) -> Joint:
        """Wrap the scaled joint."""
        return type(self).of(self.joint.scaled(factor))

    def scaled_q(self, q: Array, factor: float) -> Array:
        """Return the scaled configuration of the wrapped joint."""
        return self.joint.scaled_q(q, factor)


@dataclass(frozen=True, eq=False, kw_only=True)
class Reversed(_Wrapped):
    """A joint with parent and child exchanged (1)."""

    kind: ClassVar[str] = "backward"

    def transform(self, q: Array) -> Transform:
        """Return the inverse pose X⁻¹."""
        return self.joint.transform(q).inverse()

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace -X S."""
        X, S = self.joint.transform(q), self.joint.subspace(q)
        return np.stack([-X.act_motion(S[:, k]) for k in range(self.nu)], axis=1)

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias -X c; the term v × v vanishes."""
        return -self.joint.transform(q).act_motion(self.joint.bias(q, u))

    def reversed(self) -> Joint:
        """Return the wrapped joint."""
        return self.joint

    def mirrored(self, like: Any = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint, reversed."""
        joint, *signs = self.joint.mirrored(getattr(like, "joint", like))
        return Reversed.of(joint), *signs


@dataclass(frozen=True, eq=False, kw_only=True)
class Mirrored(_Wrapped):
    """A joint mirrored by y → -y (2)."""

    kind: ClassVar[str] = "mirrored"

    def transform(self, q: Array) -> Transform:
        """Return the mirrored pose M X M."""
        return mirrored_pose(self.joint.transform(q))

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace (-M, M) S."""
        return _MIRROR_MOTION[:, None] * self.joint.subspace(q)

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias (-M, M) c."""
        return _MIRROR_MOTION * self.joint.bias(q, u)

    def mirrored(self, like: Any = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the wrapped joint, with factors of 1."""
        return self.joint, np.ones(self.nq), np.ones(self.nu)
