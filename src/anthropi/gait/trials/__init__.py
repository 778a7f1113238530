"""What a walker does, measured: every figure that is asked of it, as plain functions that return numbers.

`lines.py` is a number beside its limit, `subject.py` who walks, `walks.py` many walks at once. The measures:
`speeds.py`, `likeness.py`, `pushes.py`, `surroundings.py`, `bodies.py`, `honesty.py`, `runs.py`, `rough.py`.
`benchmarks/walker.py` prints them all.
"""

from anthropi.gait.trials.bodies import BODIES, bodies, otherwise
from anthropi.gait.trials.honesty import honesty
from anthropi.gait.trials.likeness import likeness
from anthropi.gait.trials.lines import Line, markdown, text
from anthropi.gait.trials.pushes import IMPULSES, pushes
from anthropi.gait.trials.rough import rough
from anthropi.gait.trials.runs import runs
from anthropi.gait.trials.speeds import speeds
from anthropi.gait.trials.subject import Subject, subject
from anthropi.gait.trials.surroundings import grounds, loads, slippery
from anthropi.gait.trials.timing import Timing, timing
from anthropi.gait.trials.walks import fell_at, long_walk, on_the_walk, walk
from anthropi.gait.walker.lanes import Lanes

__all__ = [
    "BODIES",
    "IMPULSES",
    "Lanes",
    "Line",
    "Subject",
    "Timing",
    "bodies",
    "fell_at",
    "grounds",
    "honesty",
    "likeness",
    "loads",
    "long_walk",
    "markdown",
    "on_the_walk",
    "otherwise",
    "pushes",
    "rough",
    "runs",
    "slippery",
    "speeds",
    "subject",
    "text",
    "timing",
    "walk",
]
