"""Ways through a scene: a path round what stands and what moves, a pilot that leads a walker, footholds.

`outlines.py` what obstacles take of the ground, `path.py` the shortest path, `planner.py` meetings in space and time,
`steering.py` how a walker follows what it is told, `steering.py` a path, `pilot.py` leads, `outlines.py` measures what
the figure itself came near to, `footholds.py` and `gait/walker/search/grounds.py` look at rough ground;
`random_courses.py` and `random_courses.py` are to try them with.
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
from anthropi.gait.navigation.planner import Body, PathPlan, plan
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
]  # fmt: skip
