"""Joints that do not move: weld, and a joint that is locked where it stands."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.figure.joints.base import Joint

__all__ = ["Locked", "Weld"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Weld(Joint):
    """Holds the child to the parent."""

    kind: ClassVar[str] = "weld"

    @property
    def axes(self):
        """No motion."""
        return ()

    def transform(self, q) -> Transform:
        """The child frame is the joint frame."""
        return identity()

    def reversed(self) -> Joint:
        """A weld from the other side."""
        return self

    def mirrored(self, like=None):
        """A weld."""
        return self, np.zeros(0), np.zeros(0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Locked(Weld):
    """Another joint held at a configuration; it comes back with `figure.unlock`.

    joint : the joint; its own name and placement are this one's. at : (joint.nq,) its configuration.
    """

    joint: Any = None
    at: Any = None
    kind: ClassVar[str] = "locked"

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "joint", self.joint.changed(name=self.name, placement=self.placement))

    def transform(self, q) -> Transform:
        """Where it was locked."""
        return self.joint.transform(np.asarray(self.at))

    def reversed(self):
        """The joint from the other side, locked in the same pose."""
        at, _ = self.joint.reverse_state(np.asarray(self.at), np.zeros(self.joint.nu))
        return self.changed(joint=self.joint.reversed(), at=at)

    def mirrored(self, like=None):
        """The joint in the mirror, locked in the mirrored pose."""
        joint, signs, _ = self.joint.mirrored(getattr(like, "joint", like))
        return self.changed(joint=joint, at=np.asarray(self.at) * signs + 0.0), np.zeros(0), np.zeros(0)

    def scaled(self, factor):
        """The larger joint, locked in the larger pose."""
        return self.changed(joint=self.joint.scaled(factor), at=self.joint.scaled_q(np.asarray(self.at), factor))
