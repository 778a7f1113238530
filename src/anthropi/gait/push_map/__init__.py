"""How hard can a walker be pushed? The largest impulse it survives, by direction and phase.

`pushed.py` adds a push to any controller, `trials.py` runs them all at once, `push_map.py` asks, `result.py` answers.
"""

from anthropi.gait.push_map.push_map import push_map
from anthropi.gait.push_map.pushed import Pushed
from anthropi.gait.push_map.result import PushMap

__all__ = ["PushMap", "Pushed", "push_map"]
