"""Navigation: lead a walker around obstacles that stand and move, and choose footholds on rough ground.

`outlines.py` holds the ground that obstacles take and the gaps of a whole figure to them, `path.py` the shortest path,
`steering.py` the model of a walker that follows commands and the law that commands it, `planner.py` one plan in space
and time, `pilot.py` the loop that leads a session, `footholds.py` the choice of footholds. `random_courses.py` has
courses and a walker without physics, for tests.
"""

from anthropi.gait.navigation.footholds import (
    Foothold,
    FootholdStepper,
    Reach,
    Sole,
    foothold,
    nominal_print,
    step_over,
)
from anthropi.gait.navigation.outlines import Outline, disc, outline_of, outlines_of, polygon, skin_gaps
from anthropi.gait.navigation.path import NoPath, Path, shortest
from anthropi.gait.navigation.pilot import Log, follow, steer
from anthropi.gait.navigation.planner import Body, PathPlan, PlannerSettings, plan
from anthropi.gait.navigation.random_courses import Course, PointWalker, random_course
from anthropi.gait.navigation.steering import Limits, PlanarState
from anthropi.gait.walker.search.grounds import stepping_terrain

__all__ = [
    "Body",
    "Course",
    "Foothold",
    "FootholdStepper",
    "Limits",
    "Log",
    "NoPath",
    "Outline",
    "Path",
    "PathPlan",
    "PlanarState",
    "PlannerSettings",
    "PointWalker",
    "Reach",
    "Sole",
    "disc",
    "follow",
    "foothold",
    "nominal_print",
    "outline_of",
    "outlines_of",
    "plan",
    "polygon",
    "random_course",
    "shortest",
    "skin_gaps",
    "steer",
    "step_over",
    "stepping_terrain",
]
