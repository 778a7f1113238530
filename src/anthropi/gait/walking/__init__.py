"""The thesis' walk: feet on their prints, hips where the ground can carry them, HIDDS step by step (9.4, 9.5).

`prints.py`, `foot.py`, `legs.py` and `pose.py` plan, `balance.py` lets dynamics move the plan, `ground.py` is an
increment, `steps.py` a step, `hidds_walk.py` the walk; `walk.py` is the front, `shown.py` for pictures.
"""

from anthropi.gait.walking.hidds_walk import hidds_walk
from anthropi.gait.walking.shown import with_feet
from anthropi.gait.walking.walk import METHODS, walk

__all__ = ["METHODS", "hidds_walk", "walk", "with_feet"]
