"""Motions: recorded or planned sequences of states; keyframes and control functions that make them."""

from anthropi.motion.blending import blend, ramp
from anthropi.motion.controls import Control, driven
from anthropi.motion.events import Event
from anthropi.motion.expressions import Expression
from anthropi.motion.functions import Fourier, Integral
from anthropi.motion.joining import concatenate
from anthropi.motion.keyframes import Keyframes, configuration
from anthropi.motion.knots import Course
from anthropi.motion.marked import from_markers
from anthropi.motion.motion import Frame, Motion
from anthropi.motion.retargeting import retarget
from anthropi.motion.splines import Piecewise, spline
from anthropi.motion.ways import JointState, Way

__all__ = [
    "Control", "Course", "Event", "Expression", "Fourier", "Frame", "Integral", "JointState", "Keyframes", "Motion",
    "Piecewise", "Way", "blend", "concatenate", "configuration", "driven", "from_markers", "ramp",
    "retarget", "spline",
]  # fmt: skip
