"""Joint limits: soft (springs), hard (unilateral constraints) and stopping (accelerations).

Ball joints can have reach cones, or limits of swing and twist.
"""

from anthropi.contact.limits.ball_joints import ReachCone, SwingTwist
from anthropi.contact.limits.boundary import Boundary
from anthropi.contact.limits.bounds import End, Limits, Split, distal_mass, end_names, ends, split_forces
from anthropi.contact.limits.hard import HardLimits, limited_step
from anthropi.contact.limits.human import human_limits, swing_twist_of
from anthropi.contact.limits.joint_stops import JointStops, joint_stops, stop_limits
from anthropi.contact.limits.soft import SoftLimits, implicit_limits
from anthropi.contact.limits.springs import Exponential, Linear, Power, limit_force, zone_width
from anthropi.contact.limits.stopping import Stopped, StoppingLimits, stopping_dynamics, stopping_step

__all__ = [
    "Boundary",
    "End",
    "Exponential",
    "HardLimits",
    "JointStops",
    "Limits",
    "Linear",
    "Power",
    "ReachCone",
    "SoftLimits",
    "Split",
    "Stopped",
    "StoppingLimits",
    "SwingTwist",
    "distal_mass",
    "end_names",
    "ends",
    "human_limits",
    "implicit_limits",
    "joint_stops",
    "limit_force",
    "limited_step",
    "split_forces",
    "stop_limits",
    "stopping_dynamics",
    "stopping_step",
    "swing_twist_of",
    "zone_width",
]
