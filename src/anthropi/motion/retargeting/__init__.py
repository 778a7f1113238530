"""Retargeting: transfer a motion of a captured skeleton, or of keypoints, to a human figure."""

from anthropi.motion.retargeting.keypoints import from_keypoints
from anthropi.motion.retargeting.names import ROLES, roles
from anthropi.motion.retargeting.retarget import retarget

__all__ = ["ROLES", "from_keypoints", "retarget", "roles"]
