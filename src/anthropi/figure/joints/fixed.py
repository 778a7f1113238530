"""Joints without degrees of freedom: weld, and a joint locked at a configuration."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.figure.joints.base import Joint
from anthropi.figure.joints.interface import Array

__all__ = ["Locked", "Weld"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Weld(Joint):
    """A rigid connection of child and parent."""

    kind: ClassVar[str] = "weld"

    @property
    def axes(self) -> tuple[int, ...] | None:
        """Empty: S has no columns, because nothing moves."""
        return ()

    def transform(self, q: Array) -> Transform:
        """Return the identity."""
        return identity()

    def reversed(self) -> Joint:
        """Return the weld itself, which reversing does not change."""
        return self

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the weld itself, with empty factors."""
        return self, np.zeros(0), np.zeros(0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Locked(Weld):
    """Another joint, locked at a configuration; `figure.unlock` restores it.

    joint : the joint, with the name and placement of this one. at : (joint.nq,) configuration at which it is locked.
    """

    joint: Any = None
    at: Any = None
    kind: ClassVar[str] = "locked"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "joint", self.joint.changed(name=self.name, placement=self.placement))

    def transform(self, q: Array) -> Transform:
        """Return the pose in which the joint is locked."""
        return self.joint.transform(np.asarray(self.at))

    def reversed(self) -> Joint:
        """Return the reversed joint, locked in the same pose."""
        at, _ = self.joint.reverse_state(np.asarray(self.at), np.zeros(self.joint.nu))
        return self.changed(joint=self.joint.reversed(), at=at)

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the mirrored joint, locked in the mirrored pose."""
        joint, signs, _ = self.joint.mirrored(getattr(like, "joint", like))
        return self.changed(joint=joint, at=np.asarray(self.at) * signs + 0.0), np.zeros(0), np.zeros(0)

    def scaled(self, factor: float) -> Joint:
        """Return the scaled joint, locked in the scaled pose."""
        return self.changed(joint=self.joint.scaled(factor), at=self.joint.scaled_q(np.asarray(self.at), factor))
