"""Refinement of walkers: a complete search, from one parameter set to a better one.

    natural    everyday walks at all speeds (`scenarios.Everyday`): undisturbed walks are compared with the
               reference, and all walks must stay upright                                                         (1)
    style      the same with a style, which also changes the reference; only values at 1.3 m/s are searched       (2)
    run        one speed, with pushes (`scenarios.Straight`)                                                      (3)
    rough      tiles of random heights, with footholds chosen by `Sight` (`rough.py`)                             (4)
    simbicon   from published gains with which the figure falls to gains with which it walks (`simbicon.py`)      (5)

The parameter sets before and after are compared on validation walks. They are the same for both sets and were not used
in the search:

    deviation  √(Σ angles / (t n)) of undisturbed walks from the reference, n coordinates: hips, knees, ankles, pelvis
    up         share of the other walks, with pushes, that end upright
    pace       RMS deviation from the commanded speed                                                             (6)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError, Interrupted, did_you_mean
from anthropi.figure.human.build import human
from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.parameters import WalkerFile, load_walker
from anthropi.gait.walker.search import rough, simbicon
from anthropi.gait.walker.search.evolve import Found, evolve, space, walked
from anthropi.gait.walker.search.initial_parameters import beginning, running
from anthropi.gait.walker.search.rollouts import COMPARED, Scored, Trials, cost
from anthropi.gait.walker.search.scenarios import GROUND, Everyday, Straight
from anthropi.gait.walker.walker import sole_scene

__all__ = ["KINDS", "Measures", "Refined", "Task", "measured", "refine_walker", "task"]

KINDS = ("natural", "style", "run", "rough", "simbicon")
RUN_SPEED = 3.0  # [m/s]
COORDINATES = 3 + 2 * sum(COMPARED.values())  # number n of coordinates in (6)
VALIDATION_SEED, VALIDATION_STRENGTH, VALIDATION_WALKS = 987_654_321, 0.45, 24  # (6); strength in m/s


class Task(NamedTuple):
    """A search: its trials, its scenario, the start (q, u) and speed [m/s] of the parameter set, and the options of
    `evolve`.
    """

    trials: Trials
    scenario: Callable[..., Any]
    start: tuple[Any, ...]
    speed: float
    options: dict[str, Any]


class Measures(NamedTuple):
    """Scores of a parameter set on validation walks.

    Attributes
    ----------
    deviation : deviation from the reference [deg].
    up, undisturbed : shares of walks with and without pushes that end upright.
    pace : deviation from the commanded speed [m/s].
    cost : result of `rollouts.cost`.
    strength : strength of the pushes [m/s].
    """

    deviation: float
    up: float
    undisturbed: float
    pace: float
    cost: float
    strength: float


class Refined(NamedTuple):
    """Result of a refinement.

    Contains the new parameter set, the search, the scores before and after, and the time of the search [s].
    """

    walker: WalkerFile
    found: Found
    before: Measures
    after: Measures
    seconds: float

    @property
    def better(self) -> bool:
        """Whether the cost of the validation walks is lower than before."""
        return self.after.cost < self.before.cost


def task(kind: str = "natural", walker: Any = None, style: Any = None, target: str = "cpu") -> Task:
    """Prepare a search of one kind (`KINDS`).

    Parameters
    ----------
    kind : "natural", "style", "run", "rough" or "simbicon".
    walker : initial parameter set; the reference gait if None.
    style : `Style` for the kind "style".
    target : "cpu" or "gpu".
    """
    if kind not in KINDS:
        hint = did_you_mean(str(kind), KINDS)
        raise InputError(f"There is no search '{kind}'.{hint} Choose one of: {', '.join(KINDS)}.")
    figure = human(1.75, 75.0)
    if kind == "run":
        begin, reference = running(figure, RUN_SPEED)
    else:
        begin, reference = (simbicon.published if kind == "simbicon" else beginning)(figure)
    own = None if walker is None else load_walker(walker)
    if own is not None:
        begin = begin | own.parameters
    start = reference["start"][0][: figure.nq], reference["start"][0][figure.nq :]
    if kind == "rough" and own is not None:
        start = own.start
    if kind in ("style", "rough", "simbicon"):  # fitted over speeds or read with six digits: not of unit length
        start = figure.normalise(start[0]), start[1]
    numbers = space(begin, (0, 1, 2), start=True)
    ground: Any = GROUND
    sight = None
    scenario: Any = Everyday(figure, reference, begin)
    options: dict[str, Any] = {
        "undisturbed": 3,
        "falls": scenario.falls,
        "sigma": 0.08,
        "population": 32,
        "strength": 0.35,
        "strongest": 0.45,
    }
    if kind == "run":
        numbers, scenario = space(begin, run=True), Straight(start, RUN_SPEED, intervals=16)
        options = {"sigma": 0.5, "population": 48, "strength": 0.02}
    elif kind == "simbicon":
        numbers, scenario = (
            simbicon.wide(begin),
            Straight(start, simbicon.SPEED, walks=1, intervals=simbicon.SEARCH_INTERVALS),
        )
        options = dict(simbicon.OPTIONS)
    elif kind == "rough":
        numbers, scenario, options = rough.narrow(begin), rough.Rough(start), dict(rough.OPTIONS)
        ground, sight = rough.tiles(), Sight(rough.tiles())
    elif kind == "style":
        from anthropi.gait.styles.styled_walker import styled

        begin = styled(begin, style)
        reference = reference | styled({n: x for n, x in reference.items() if n not in ("grf", "start")}, style)
        numbers, scenario = space(begin), Straight(start, 1.3, walks=6)
        options = {"sigma": 0.15, "population": 32, "strength": 0.1, "strongest": 0.4, "undisturbed": 2}
    scored, built = Scored(figure, begin, reference, sight), {} if target == "gpu" else {"opt": 2}
    trials = Trials(sole_scene(figure, ground=ground, features="feet"), scored, numbers, target=target, **built)
    return Task(trials, scenario, start, RUN_SPEED if kind == "run" else 1.3, options)


def measured(own: Task, X: Any, strength: float = VALIDATION_STRENGTH, walks: int = VALIDATION_WALKS) -> list[Measures]:
    """Scores of vectors X (k, n), all on the same validation walks."""
    undisturbed = own.options.get("undisturbed", 1)
    case = replace(own.scenario, walks=walks)(np.random.default_rng(VALIDATION_SEED), strength)  # type: ignore[type-var]
    sums, duration = walked(own.trials, X, case), case.commands.shape[1] * own.trials.interval * own.trials.dt
    t = np.maximum(sums["upright"], 0.05)
    off = np.degrees(np.sqrt((sums["angles"] / t)[:, :undisturbed].mean(1) / COORDINATES))
    up = sums["upright"] > duration - 2.5 * own.trials.dt
    pace = np.sqrt((sums["pace"] / t)[:, :undisturbed].mean(1))
    costs = cost(sums, duration, undisturbed)
    return [
        Measures(
            deviation=float(off[k]),
            up=float(up[k, undisturbed:].mean()),
            undisturbed=float(up[k, :undisturbed].mean()),
            pace=float(pace[k]),
            cost=float(costs[k]),
            strength=strength,
        )
        for k in range(len(X))
    ]


def refine_walker(
    kind: str = "natural",
    walker: Any = None,
    *,
    style: Any = None,
    target: str = "cpu",
    made: str = "",
    progress: Callable[[dict[Any, Any], WalkerFile], Any] | None = None,
    **options: Any,
) -> Refined:
    """Search for a better parameter set. The result is the mean of the last distribution of the search.

    Parameters
    ----------
    kind, walker, style, target : as in `task`.
    made : description of the new set.
    progress : function (record, WalkerFile) called after each generation.
    options : options of `evolve`, such as seconds or generations.

    Raises
    ------
    Interrupted : Ctrl-C after the first generation; its field `result` is the `Refined` of the search until then.
    """
    own = task(kind, walker, style, target)
    zeros = np.zeros(len(own.trials.space.entries))

    def file_of(x: Any) -> WalkerFile:
        return WalkerFile(own.trials.space.parameters(x), own.start, own.speed, made)

    report = None if progress is None else lambda record, mean: progress(record, file_of(mean))
    began, stopped = time.perf_counter(), False
    try:
        if kind == "simbicon":
            limits = {"rollouts": simbicon.MAX_ROLLOUTS} | options
            found = simbicon.first_walk(own.trials, own.start, progress=report, **limits).found
        else:
            found = evolve(own.trials, own.scenario, zeros, **(own.options | options | {"progress": report}))
    except Interrupted as stop:
        found, stopped = getattr(stop.result, "found", stop.result), True
    seconds = time.perf_counter() - began
    before, after = measured(own, [zeros, found.mean])
    result = Refined(file_of(found.mean), found, before, after, seconds)
    if stopped:
        raise Interrupted(
            f"The search was stopped after {len(found.history)} generations. The result so far is in the field "
            "'result' of this exception.",
            result=result,
        )
    return result
