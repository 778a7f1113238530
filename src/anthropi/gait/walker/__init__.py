"""A walker: a controller that makes a human figure walk in pure physics, nothing at its root.

`command.py` is what it is told, `clock.py` where in the gait it is, `aims.py` where limbs are aimed over a cycle,
`walker.py` the law, `size.py` how it fits other bodies, `files.py` its parameters as text, `start.py` how it begins,
`ground.py` and `lanes.py` what it stands on, `sight.py` its eyes, `session.py` a walker at work.
"""

from anthropi.gait.walker.aims import aims_of
from anthropi.gait.walker.command import Command
from anthropi.gait.walker.files import WalkerFile, load_walker, save_walker, walkers
from anthropi.gait.walker.ground import sole, sole_scene
from anthropi.gait.walker.session import Session
from anthropi.gait.walker.sight import Sight
from anthropi.gait.walker.start import begun, first_state
from anthropi.gait.walker.walker import Walker

__all__ = [
    "Command",
    "Session",
    "Sight",
    "Walker",
    "WalkerFile",
    "aims_of",
    "begun",
    "first_state",
    "load_walker",
    "save_walker",
    "sole",
    "sole_scene",
    "walkers",
]
