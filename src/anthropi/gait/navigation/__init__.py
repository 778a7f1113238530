"""Navigation: guide a walker around standing and moving obstacles, and choose footholds on rough ground.

- `outlines.py`: outlines of obstacles on the ground, and the gaps between a figure and them.
- `path.py`: the shortest path. `planner.py`: one plan in space and time.
- `steering.py`: a model of how a walker follows commands, and the law that computes the commands.
- `pilot.py`: the loop that guides a walking session. `footholds.py`: the choice of footholds.
- `random_courses.py`: random courses and a walker without physics, for tests.
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
