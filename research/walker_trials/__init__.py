"""Trials of a walker: plain functions that return measurements with their limits.

`lines.py` defines a measurement with its limits, `subject.py` the body and controller of a trial, and `walks.py`
batches of walks. The measurements are in `speeds.py`, `likeness.py`, `pushes.py`, `surroundings.py`, `bodies.py`,
`plausibility.py`, `runs.py` and `rough.py`. `benchmarks/walker.py` prints them all.
"""

from research.walker_trials.bodies import BODIES, bodies, otherwise
from research.walker_trials.likeness import likeness
from research.walker_trials.lines import Line, markdown, text
from research.walker_trials.plausibility import plausibility
from research.walker_trials.pushes import IMPULSES, pushes
from research.walker_trials.rough import rough
from research.walker_trials.runs import runs
from research.walker_trials.speeds import speeds
from research.walker_trials.subject import Subject, subject
from research.walker_trials.surroundings import grounds, loads, slippery
from research.walker_trials.timing import Timing, timing
from research.walker_trials.walks import fell_at, long_walk, on_the_walk, walk

from anthropi.gait.walker.search.grounds import Lanes

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
    "likeness",
    "loads",
    "long_walk",
    "markdown",
    "on_the_walk",
    "otherwise",
    "plausibility",
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
