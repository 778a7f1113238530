"""Retargeting: transfer a motion of a captured skeleton to a human figure."""

from anthropi.motion.retargeting.names import ROLES, roles
from anthropi.motion.retargeting.retarget import retarget

__all__ = ["ROLES", "retarget", "roles"]
