"""A walker: a controller that makes a human figure walk in pure physics, nothing at its root.

`command.py` is what it is told, `phase_clock.py` where in the gait it is, `joint_targets.py` where limbs are aimed over
a cycle, `walker.py` the law, `parameters.py` how it fits other bodies, `parameters.py` its parameters as text,
`walker.py` how it begins, `walker.py` and `gait/walker/search/grounds.py` what it stands on, `foot_placement.py` its
eyes, `session.py` a walker at work.
"""

from anthropi.gait.walker.command import Command
from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.joint_targets import joint_targets_of
from anthropi.gait.walker.parameters import WalkerFile, load_walker, save_walker, walkers
from anthropi.gait.walker.session import WalkingSession
from anthropi.gait.walker.walker import Walker, first_state, sole, sole_scene, walker_at_start

__all__ = [
    "Command",
    "Sight",
    "Walker",
    "WalkerFile",
    "WalkingSession",
    "first_state",
    "joint_targets_of",
    "load_walker",
    "save_walker",
    "sole",
    "sole_scene",
    "walker_at_start",
    "walkers",
]
