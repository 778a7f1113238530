"""Trends of the walker's gait with speed: simulate walks of people at several speeds as a study, and compare them.

A point of the study is one walk of one person at one speed; its results are the quantities of the trends
(`gait/report/trends.py`). Works on plain floats only and cannot be recorded on a tape.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anthropi import study
from anthropi.errors import SimulationError
from anthropi.figure.human.build import human
from anthropi.gait.report.report import gait_report
from anthropi.gait.report.trends import SpeedTrends, trend_values, trends_of_values
from anthropi.gait.walker_walk import walker_walk

__all__ = ["trend_walk", "walk_trends"]

STEPS = 30  # of a walk; the report leaves out the first 5 s


def trend_walk(
    height: float, mass: float, sex: str, speed: float, style: str = "natural", steps: int = STEPS
) -> dict[str, float]:
    """Simulate a walk and return its `trend_values`. The function of a study. The parameters are those of `ap.walk`."""
    return trend_values(gait_report(walker_walk(human(height, mass, sex), steps, speed=speed, style=style)))


def walk_trends(
    speeds: Any,
    people: Sequence[tuple[float, float, str]] = ((1.75, 75.0, "m"),),
    *,
    style: str = "natural",
    steps: int = STEPS,
    executor: Any = None,
    workers: int | None = None,
    folder: str | Path | None = None,
    progress: Callable[[study.Progress], Any] | str | None = None,
) -> tuple[SpeedTrends, ...]:
    """Simulate walks at several speeds and return the trends of each person.

    Parameters
    ----------
    speeds : commanded speeds [m/s], at least two.
    people : (height [m], mass [kg], "m" or "f") of each person.
    style, steps : as in `ap.walk`.
    executor, workers, folder, progress : who computes, where results are kept (by default they are not) and how
        progress is shown, as in `study.Study`.

    Raises
    ------
    SimulationError if a walk could not be computed, for example because the person fell.
    """
    speeds = np.atleast_1d(np.asarray(speeds, float))
    columns = dict(zip(("height", "mass", "sex"), zip(*people, strict=True), strict=True))
    points = {name: np.repeat(np.array(x), len(speeds)) for name, x in columns.items()}
    points["speed"] = np.tile(speeds, len(people))
    trial = study.Study(trend_walk, points, folder, constants={"style": style, "steps": steps}, allow_nan=True)
    found = trial.run(executor, workers=workers, progress=progress)
    if found.failures:
        first = found.failures[0]
        raise SimulationError(f"The walk at {points['speed'][first.point]:g} m/s failed. {first.message}")
    walks = [{name: float(x[k]) for name, x in found.results.items()} for k in range(len(found))]
    return tuple(trends_of_values(walks[k : k + len(speeds)]) for k in range(0, len(walks), len(speeds)))
