"""Motions: recorded or planned sequences of states; keyframes, splines and control functions; retargeting."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from anthropi.motion.blending import blend, ramp
from anthropi.motion.controls import Control, driven
from anthropi.motion.editing import concatenate
from anthropi.motion.expressions import Expression
from anthropi.motion.joint_path import JointPath, JointState
from anthropi.motion.keyframes import Keyframes, configuration
from anthropi.motion.motion import Event, Frame, Motion
from anthropi.motion.splines import Piecewise, spline
from anthropi.motion.time_functions import Fourier, Integral, TimeFunction

if TYPE_CHECKING:
    from anthropi.motion.markers import from_markers
    from anthropi.motion.retargeting.retarget import retarget

__all__ = [
    "Control",
    "Event",
    "Expression",
    "Fourier",
    "Frame",
    "Integral",
    "JointPath",
    "JointState",
    "Keyframes",
    "Motion",
    "Piecewise",
    "TimeFunction",
    "blend",
    "concatenate",
    "configuration",
    "driven",
    "from_markers",
    "ramp",
    "retarget",
    "spline",
]

_LATE = {  # {name: its module}
    "from_markers": "anthropi.motion.markers",
    "retarget": "anthropi.motion.retargeting.retarget",
}


def __getattr__(name: str) -> Any:
    """Load a name on first use, because its module is slow to import."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LATE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
