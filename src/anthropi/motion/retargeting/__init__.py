"""One figure's motion on another: which of a skeleton's bones are which parts of a person, and how a person does it."""

from anthropi.motion.retargeting.names import ROLES, roles
from anthropi.motion.retargeting.retarget import retarget

__all__ = ["ROLES", "retarget", "roles"]
