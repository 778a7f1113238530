"""Joint limits: springs, hard rows, cones, swing and twist, and the acceleration that stops at a limit."""

from anthropi.contact.limits.boundary import Boundary
from anthropi.contact.limits.bounds import Limits, Split, split_forces
from anthropi.contact.limits.cone import ReachCone
from anthropi.contact.limits.ends import End, distal_mass, end_names, ends
from anthropi.contact.limits.hard import HardLimits
from anthropi.contact.limits.human import human_limits, swing_twist_of
from anthropi.contact.limits.limited import limited_step
from anthropi.contact.limits.soft import SoftLimits, implicit_limits
from anthropi.contact.limits.springs import Exponential, Linear, Power, push_back, zone_width
from anthropi.contact.limits.stopping import Stopped, stopping_dynamics, stopping_step
from anthropi.contact.limits.stopping_limits import StoppingLimits
from anthropi.contact.limits.swing_twist import SwingTwist

__all__ = [
    "Boundary", "End", "Exponential", "HardLimits", "Limits", "Linear", "Power", "ReachCone", "SoftLimits",
    "Split", "Stopped", "StoppingLimits", "SwingTwist", "distal_mass", "end_names", "ends", "human_limits",
    "implicit_limits", "limited_step", "push_back", "split_forces", "stopping_dynamics", "stopping_step",
    "swing_twist_of", "zone_width",
]  # fmt: skip
