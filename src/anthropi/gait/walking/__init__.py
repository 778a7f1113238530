"""Walks, from everyday words to a motion: `walk.py` is the front.

The walker's (`gait/walker`): `walker_walk.py` and `script_walk.py` are the walks, `aid.py` an animator's aid.

The thesis', feet on their prints, hips where the ground can carry them, HIDDS step by step (9.4, 9.5): `prints.py`,
`foot.py`, `legs.py` and `pose.py` plan, `balance.py` lets dynamics move the plan, `ground.py` is an increment,
`steps.py` a step, `hidds_walk.py` the walk, `shown.py` for pictures.
"""

from anthropi.gait.walking.aid import Aid
from anthropi.gait.walking.hidds_walk import hidds_walk
from anthropi.gait.walking.script_walk import script_walk
from anthropi.gait.walking.shown import with_feet
from anthropi.gait.walking.walk import METHODS, method_of, walk
from anthropi.gait.walking.walker_walk import finished, speed_range, walker_session, walker_walk

__all__ = [
    "METHODS",
    "Aid",
    "finished",
    "hidds_walk",
    "method_of",
    "script_walk",
    "speed_range",
    "walk",
    "walker_session",
    "walker_walk",
    "with_feet",
]
