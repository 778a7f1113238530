"""The walker: a controller that makes a human figure walk by joint forces alone, with no force on its root.

- `walker.py`: the controller, its scene and its initial state.
- `phase_clock.py`, `observation.py`, `foot_placement.py`, `joint_targets.py`, `stance_control.py`: the parts of the
  control law.
- `settings.py`: the constants of these parts. `parameters.py`: reads and writes parameter sets.
- `command.py`: the command to the walker. `session.py`: runs the walker and changes its command.
- `external_aid.py`: adds external moments.
- `search/` finds parameter sets, `performer/` stands, jumps and dances, `hexapod/` walks on six legs.
"""

from anthropi.gait.walker.command import Command
from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.joint_targets import joint_targets_of
from anthropi.gait.walker.parameters import WalkerFile, load_walker, save_walker, walkers
from anthropi.gait.walker.session import WalkingSession
from anthropi.gait.walker.settings import SightSettings, WalkerSettings
from anthropi.gait.walker.walker import Walker, first_state, sole, sole_scene, walker_at_start

__all__ = [
    "Command",
    "Sight",
    "SightSettings",
    "Walker",
    "WalkerFile",
    "WalkerSettings",
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
