"""Make a walker better: the whole search, from a file of parameters to another. Floats only.

    natural    everyday walks at all speeds (`scenarios.Everyday`): likeness in calm ones, staying up in all      (1)
    style      the same in the style of words: the reference changes with it, only numbers at 1.3 m/s are searched  (2)
    run        one speed, pushed (`scenarios.Straight`)                                                           (3)
    rough      tiles of random heights that it sees (`rough.py`)                                                     (6)
    simbicon   from published gains that fall, until a walk does not (`simbicon.py`)                              (4)

Before and after are compared on walks that no search has seen, the same for both: (5)

    deviation  √(Σ angles / (t n)) of calm walks, n coordinates: hips, knees, ankles, pelvis, to the reference
    up         share of the other walks, pushed, that end upright;  pace: RMS of speed off what was told
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError, did_you_mean
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
COORDINATES = 3 + 2 * sum(COMPARED.values())  # (5)
UNSEEN, HARD, WALKS = 987_654_321, 0.45, 24  # (5): seed; [m/s] that a push would give; walks


class Task(NamedTuple):
    """What is searched: trials, scenario, start (q, u) and speed of the set, options of `evolve`."""

    trials: Trials
    scenario: Callable
    start: tuple
    speed: float
    options: dict[str, Any]


class Measures(NamedTuple):
    """(5): deviation [deg], up in shares, calm in shares, pace [m/s], cost, strength of pushes [m/s]."""

    deviation: float
    up: float
    calm: float
    pace: float
    cost: float
    strength: float


class Refined(NamedTuple):
    """walker : the better file. found : the search. before, after : (5). seconds : of the search, compiling not."""

    walker: WalkerFile
    found: Found
    before: Measures
    after: Measures
    seconds: float

    @property
    def better(self) -> bool:
        """Whether unseen walks cost less than before."""
        return self.after.cost < self.before.cost


def task(kind: str = "natural", walker=None, style=None, target: str = "cpu") -> Task:
    """The search of a kind, from a walker's file; None begins with the reference gait."""
    if kind not in KINDS:
        raise InputError(f"No search '{kind}'.{did_you_mean(str(kind), KINDS)} Choose: {', '.join(KINDS)}.")
    figure = human(1.75, 75.0)
    if kind == "run":
        begin, reference = running(figure, RUN_SPEED)
    else:
        begin, reference = (simbicon.published if kind == "simbicon" else beginning)(figure)
    own = None if walker is None else load_walker(walker)
    if own is not None:
        begin = begin | own.parameters
    start = reference["start"][0][: figure.nq], reference["start"][0][figure.nq :]
    where = space(begin, (0, 1, 2), start=True)
    ground: Any = GROUND
    sight = None
    scenario: Any = Everyday(figure, reference, begin)
    options: dict[str, Any] = {"calm": 3, "falls": scenario.falls, "sigma": 0.08,
                               "population": 32, "strength": 0.35, "strongest": 0.45}  # fmt: skip
    if kind == "run":
        where, scenario = space(begin, run=True), Straight(start, RUN_SPEED, pieces=16)
        options = {"sigma": 0.5, "population": 48, "strength": 0.02}
    elif kind == "simbicon":
        where, scenario = simbicon.wide(begin), Straight(start, simbicon.SPEED, walks=1, pieces=simbicon.PIECES)
        options = dict(simbicon.OPTIONS)
    elif kind == "rough":
        start = start if own is None else own.start
        where, scenario, options = rough.narrow(begin), rough.Rough(start), dict(rough.OPTIONS)
        ground, sight = rough.tiles(), Sight(rough.tiles())
    elif kind == "style":
        from anthropi.gait.styles.styled_walker import styled

        begin = styled(begin, style)
        reference = reference | styled({n: x for n, x in reference.items() if n not in ("grf", "start")}, style)
        where, scenario = space(begin), Straight(start, 1.3, walks=6)
        options = {"sigma": 0.15, "population": 32, "strength": 0.1, "strongest": 0.4, "calm": 2}
    scored, built = Scored(figure, begin, reference, sight), {} if target == "gpu" else {"opt": 2}
    trials = Trials(sole_scene(figure, ground=ground), scored, where, target=target, **built)
    return Task(trials, scenario, start, RUN_SPEED if kind == "run" else 1.3, options)


def measured(own: Task, X, strength: float = HARD, walks: int = WALKS) -> list[Measures]:
    """(5) of vectors X (n, …), all on the same unseen walks."""
    calm = own.options.get("calm", 1)
    case = replace(own.scenario, walks=walks)(np.random.default_rng(UNSEEN), strength)  # type: ignore[type-var]
    sums, duration = walked(own.trials, X, case), case.commands.shape[1] * own.trials.piece * own.trials.dt
    t = np.maximum(sums["upright"], 0.05)
    off = np.degrees(np.sqrt((sums["angles"] / t)[:, :calm].mean(1) / COORDINATES))
    up = sums["upright"] > duration - 2.5 * own.trials.dt
    pace = np.sqrt((sums["pace"] / t)[:, :calm].mean(1))
    costs = cost(sums, duration, calm)
    return [Measures(float(off[k]), float(up[k, calm:].mean()), float(up[k, :calm].mean()), float(pace[k]),
                     float(costs[k]), strength) for k in range(len(X))]  # fmt: skip


def refine_walker(kind: str = "natural", walker=None, *, style=None, target: str = "cpu", made: str = "", tell=None,
                  **options) -> Refined:  # fmt: skip
    """Search, and give the walker in the middle of what was found. options : of `evolve`, as seconds or generations.

    tell : function (record, WalkerFile) called after every generation.
    """
    own = task(kind, walker, style, target)
    zeros = np.zeros(len(own.trials.space.entries))

    def file_of(x) -> WalkerFile:
        return WalkerFile(own.trials.space.parameters(x), own.start, own.speed, made)

    told = None if tell is None else lambda record, mean: tell(record, file_of(mean))
    began = time.perf_counter()
    if kind == "simbicon":
        limits = {"rollouts": simbicon.MOST} | options
        found = simbicon.first_walk(own.trials, own.start, tell=told, **limits).found
    else:
        found = evolve(own.trials, own.scenario, zeros, **(own.options | options | {"tell": told}))
    seconds = time.perf_counter() - began
    before, after = measured(own, [zeros, found.mean])
    return Refined(file_of(found.mean), found, before, after, seconds)
