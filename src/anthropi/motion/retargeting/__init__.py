"""Retargeting: transfer a motion of a captured skeleton to a human figure."""

from anthropi.motion.retargeting.retarget import retarget
from anthropi.motion.retargeting.skeleton import ROLES, roles

__all__ = ["ROLES", "retarget", "roles"]
