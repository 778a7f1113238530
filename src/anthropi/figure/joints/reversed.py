"""A joint taken backwards with its coordinates kept: the child carries the parent, q and u mean what they meant.

Reversing most joints gives a joint of the same family. Where limits, springs, dampers or rotors act on coordinates that
reversing would mix (a ball with limits, a planar joint with springs), this keeps them attached (thesis 7).

    X⁻ = X⁻¹,   S⁻ = -X S,   c⁻ = -X c                (X carries from the child to the joint frame: v⁻ = -X v)
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.spatial import identity
from anthropi.figure.joints.base import ACTING, Joint

__all__ = ["Reversed"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reversed(Joint):
    """Another joint from its other side.

    joint : the joint; its own name, placement and what acts in it are this one's.
    """

    joint: Any = None
    kind: ClassVar[str] = "backward"

    def __post_init__(self):
        for name in ("nq", "nu", "plain", "lengths"):
            object.__setattr__(self, name, getattr(self.joint, name))
        super().__post_init__()
        acting = {n: getattr(self, n) for n in ("lower", "upper", *ACTING)}
        object.__setattr__(self, "joint", self.joint.changed(name=self.name, placement=identity(), **acting))

    @staticmethod
    def of(joint: Joint) -> "Reversed":
        """A joint taken backwards, with all that acts in it."""
        acting = {n: getattr(joint, n) for n in ("lower", "upper", *ACTING)}
        return Reversed(name=joint.name, joint=joint, **acting)

    @property
    def quaternions(self):
        """Those of the joint."""
        return self.joint.quaternions

    @property
    def dofs(self):
        """Those of the joint."""
        return self.joint.dofs

    def transform(self, q):
        """X⁻¹"""
        return self.joint.transform(q).inverse()

    def subspace(self, q):
        """-X S"""
        X, S = self.joint.transform(q), self.joint.subspace(q)
        return np.stack([-X.act_motion(S[:, k]) for k in range(self.nu)], axis=1)

    def bias(self, q, u):
        """-X c, since v × v = 0"""
        return -self.joint.transform(q).act_motion(self.joint.bias(q, u))

    def rate(self, q, u):
        """The joint's own."""
        return self.joint.rate(q, u)

    def velocity(self, q, qdot):
        """The joint's own."""
        return self.joint.velocity(q, qdot)

    def integrate(self, q, v):
        """The joint's own."""
        return self.joint.integrate(q, v)

    def lift(self, theta, u):
        """The joint's own."""
        return self.joint.lift(theta, u)

    def difference(self, q0, q1):
        """The joint's own."""
        return self.joint.difference(q0, q1)

    def coordinates(self, q):
        """The joint's own."""
        return self.joint.coordinates(q)

    def coordinate_rates(self, q):
        """The joint's own."""
        return self.joint.coordinate_rates(q)

    def from_coordinates(self, x):
        """The joint's own."""
        return self.joint.from_coordinates(x)

    def neutral(self):
        """The joint's own."""
        return self.joint.neutral()

    def random(self, rng):
        """The joint's own, within the limits."""
        return self.joint.random(rng)

    def reversed(self):
        """The joint itself."""
        return self.joint

    def mirrored(self, like=None):
        """The mirrored joint taken backwards."""
        joint, *signs = self.joint.mirrored(getattr(like, "joint", like))
        return Reversed.of(joint), *signs

    def scaled(self, factor):
        """The larger joint taken backwards."""
        return Reversed.of(self.joint.scaled(factor))

    def scaled_q(self, q, factor):
        """The joint's own."""
        return self.joint.scaled_q(q, factor)
