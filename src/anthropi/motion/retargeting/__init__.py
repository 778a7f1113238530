"""One figure's motion on another: which of a skeleton's bones are which parts of a person, and how a person does it."""

from anthropi.motion.retargeting.retarget import retarget
from anthropi.motion.retargeting.skeleton import ROLES, roles

__all__ = ["ROLES", "retarget", "roles"]
