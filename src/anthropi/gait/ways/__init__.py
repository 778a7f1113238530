"""Ways through a scene: a path round what stands and what moves, a pilot that leads a walker, footholds.

`outlines.py` what obstacles take of the ground, `path.py` the shortest path, `plan.py` meetings in space and time,
`model.py` how a walker follows what it is told, `steering.py` a path, `pilot.py` leads, `skin.py` measures what the
figure itself came near to, `footholds.py` and `terrain.py` look at rough ground;
`stand_in.py` and `course.py` are to try them with.
"""

from anthropi.gait.ways.course import Course, random_course
from anthropi.gait.ways.footholds import Foothold, Reach, Sole, foothold, nominal_print, step_over
from anthropi.gait.ways.model import Limits, State
from anthropi.gait.ways.outlines import Outline, disc, outline_of, outlines_of, polygon
from anthropi.gait.ways.path import NoWay, Path, shortest
from anthropi.gait.ways.pilot import Log, follow, steer
from anthropi.gait.ways.plan import Body, Plan, plan
from anthropi.gait.ways.skin import skin_gaps
from anthropi.gait.ways.stand_in import StandIn
from anthropi.gait.ways.stepper import Stepper
from anthropi.gait.ways.terrain import stepping_terrain

__all__ = [
    "Body", "Course", "Foothold", "Limits", "Log", "NoWay", "Outline", "Path", "Plan", "Reach", "Sole", "StandIn",
    "State", "Stepper", "disc", "follow", "foothold", "nominal_print", "outline_of", "outlines_of", "plan", "polygon",
    "random_course", "shortest", "skin_gaps", "steer", "step_over", "stepping_terrain",
]  # fmt: skip
