"""Motions: recorded or planned sequences of states; keyframes, splines and control functions; retargeting."""

from anthropi.motion.blending import blend, ramp
from anthropi.motion.controls import Control, driven
from anthropi.motion.editing import concatenate
from anthropi.motion.expressions import Expression
from anthropi.motion.joint_path import JointPath, JointState
from anthropi.motion.keyframes import Keyframes, configuration
from anthropi.motion.markers import from_markers
from anthropi.motion.motion import Event, Frame, Motion
from anthropi.motion.retargeting import retarget
from anthropi.motion.splines import Piecewise, spline
from anthropi.motion.time_functions import Fourier, Integral, TimeFunction

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
