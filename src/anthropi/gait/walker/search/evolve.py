"""Evolution of walkers: the space of searched numbers, and CMA-ES over it.

The value of a searched number at 1.3 m/s is in row 0 of a parameter, its slope over the speed in row 1, its curvature
in row 2 (`gait/walker/observation.py` (1)). Numbers are divided by their spread. Slopes have half of that spread,
curvatures a quarter. Bounds keep stiffnesses within those of people.

Every candidate is scored over several walks:

    scenario   speeds, headings, pushes and starts of the walks. They are drawn again for each generation and are the
               same for all its candidates
    strength   the strength of the disturbances grows by 2 % whenever the best quarter of the candidates stays upright
               in more than 85 % of the walks

Only `Space.recorded` can be recorded on a tape. All other functions work on plain floats only.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi import study
from anthropi.algebra.scalar import clip
from anthropi.compiler.content import content_key
from anthropi.errors import Interrupted, MissingExtra, SimulationError
from anthropi.gait.walker.search.rollouts import cost

__all__ = [
    "CURVES", "LOWER", "SPREAD", "UPPER", "Entry", "Evolution", "Found", "Scenario", "Space", "candidates", "evolve",
    "space", "walked",
]  # fmt: skip


SPREAD: dict[Any, Any] = {
    "step": 0.02, "forward": [0.4, 0.12, 0.4, 0.12], "sideways": [0.3, 0.12, 0.3, 0.12], "upright": [250.0, 25.0],
    "hip": 100.0, "knee": 60.0, "ankle": 50.0, "push": 0.15, "push_from": 0.04, "reach": 0.08, "spread": 0.04,
    "tilt": 0.04, "lean": 0.04, "bend": 0.04, "point": 0.05, "arms": 0.2, "yield": [0.3, 0.1], "roll": [0.3, 0.1],
    "sway": [0.2, 0.07], "hurry": [0.5, 0.5, 0.7, 0.7], "release": 0.08, "lift": 0.05, "pad": [0.05, 0.05],
    "soft": [0.15, 0.15], "bank": 0.3, "land": [0.05, 0.05, 0.05], "brake": 0.5, "toe": 10.0,
}  # fmt: skip
START_SPREAD: dict[Any, Any] = {
    "slow": [0.1, 0.3, 0.3, 0.1, 0.05],
    "balance": [0.01, 0.5, 0.2],
    "hold": [0.2, 0.1],
    "shift": [0.02, 0.02, 0.1, 0.1, 0.1],
}  # spreads of parameters for stepping in place, standing and starting
CLIMB_SPREAD: dict[Any, Any] = {"climb": [0.5, 0.2, 2.0, 0.2]}  # spreads for steps up and down chosen by `Sight`
CURVES = (
    ("side.hip", 1, 5),
    ("side.knee", 0, 6),
    ("side.ankle", 0, 6),
    ("side.hip", 0, 2),
    ("middle.lumbar", 1, 1),
    ("side.ankle", 1, 1),
)  # (parameter, its row, number of searched harmonics)
MEAN_SPREAD, WAVE_SPREAD = 0.04, 0.03  # [rad], spreads of the mean and of the harmonics of joint curves
ROW_FACTORS = (1.0, 0.5, 0.25)  # factors of the spreads, by row
CURVED_HARMONICS = 2  # harmonics with a curvature over the speed
LOWER: dict[Any, Any] = {
    "hip": 100.0,
    "knee": 150.0,
    "ankle": 100.0,
    "toe": 20.0,
    "upright": [200.0, 20.0],
    "step": 0.40,
    "release": 0.02,
    "brake": 1.0,
}
UPPER: dict[Any, Any] = {
    "hip": 700.0,
    "knee": 600.0,
    "ankle": 450.0,
    "toe": 150.0,
    "upright": [2500.0, 250.0],
    "step": 0.75,
    "release": 0.6,
    "brake": 6.0,
}
RUN_LOWER: dict[Any, Any] = LOWER | {"step": 0.25}
RUN_UPPER: dict[Any, Any] = UPPER | {
    "hip": 1500.0,
    "knee": 2000.0,
    "ankle": 1500.0,
    "step": 0.45,
    "upright": [4000.0, 400.0],
}


class Entry(NamedTuple):
    """A searched number: name of its parameter, row (value, slope or curvature), index in that row, and spread."""

    name: str
    row: int
    at: tuple[Any, ...]
    spread: float


class Space(NamedTuple):
    """Space of searched numbers.

    Attributes
    ----------
    entries : for each number of a vector, its place in the parameters.
    begin : parameters {name: (3, …)} that belong to a vector of zeros.
    low, high : bounds of row 0, by name.
    """

    entries: tuple[Entry, ...]
    begin: dict[Any, Any]
    low: dict[Any, Any] = LOWER
    high: dict[Any, Any] = UPPER

    def parameters(self, x: Any) -> dict[str, np.ndarray]:
        """Return the parameters {name: (3, …)} that belong to a vector (n,)."""
        return {name: np.asarray(rows, float) for name, rows in self.recorded(np.asarray(x, float)).items()}

    def recorded(self, x: Any) -> dict[str, np.ndarray]:
        """Return the parameters {name: (3, …)} that belong to a vector (n,). Can be recorded on a tape."""
        found = {name: np.array(rows, dtype=object) for name, rows in self.begin.items()}
        for number, entry in zip(x, self.entries, strict=True):
            place = (entry.row, *entry.at)
            found[entry.name][place] = found[entry.name][place] + entry.spread * number
        for name in {entry.name for entry in self.entries if entry.row == 0} & set(self.low):
            shape = found[name].shape[1:]
            low, high = (np.broadcast_to(bound[name], shape) for bound in (self.low, self.high))
            for at in np.ndindex(shape):
                found[name][(0, *at)] = clip(found[name][(0, *at)], float(low[at]), float(high[at]))
        return found


def space(
    begin: dict[Any, Any],
    rows: Sequence[int] = (0,),
    start: bool = False,
    run: bool = False,
    climb: bool = False,
    only: Iterable[str] | None = None,
) -> Space:
    """Make the space of searched numbers.

    Parameters
    ----------
    begin : parameters {name: (3, …)} at the start of the search.
    rows : rows of the parameters that are searched.
    start, climb : whether numbers for standing and starting, and for steps up, are included.
    run : whether the bounds are those of a run.
    only : names of the searched parameters; all if None.
    """
    entries = []
    more = (START_SPREAD if start else {}) | (CLIMB_SPREAD if climb else {})  # row 0 only
    for row in rows:
        for name, sizes in (SPREAD | (more if row == 0 else {})).items():
            far = ROW_FACTORS[row] * np.asarray(sizes, float)
            entries += [Entry(name, row, at, float(far[at])) for at in np.ndindex(far.shape)]
        for name, k, harmonics in CURVES:
            count = 1 + 2 * (harmonics if row < 2 else min(harmonics, CURVED_HARMONICS))
            entries += [
                Entry(name, row, (k, i), ROW_FACTORS[row] * (WAVE_SPREAD if i else MEAN_SPREAD)) for i in range(count)
            ]
    if only is not None:
        entries = [entry for entry in entries if entry.name in only]
    return Space(tuple(entries), begin, *((RUN_LOWER, RUN_UPPER) if run else (LOWER, UPPER)))


STRENGTH_GROWTH, UPRIGHT_SHARE = 1.02, 0.85  # factor of the disturbances; share of upright walks above which they grow


class Scenario(NamedTuple):
    """Conditions of R walks, each divided into P intervals.

    Attributes
    ----------
    commands : command rows (R, P, 7).
    pushes : (R, P, 3): force along x and y [N], and start [s].
    q, u : initial states (R, nq), (R, nu).
    memory : initial memory {name: (R,)}.
    """

    commands: np.ndarray
    pushes: np.ndarray
    q: np.ndarray
    u: np.ndarray
    memory: dict[Any, Any]


class Found(NamedTuple):
    """Result of a search: mean of the last distribution (n,), number of walks, and one record per generation."""

    mean: np.ndarray
    rollouts: int
    history: list[dict[str, Any]]


def walked(trials: Any, X: Any, scenario: Scenario) -> dict[str, np.ndarray]:
    """Run the walks of a scenario for vectors X (k, n), and return their cost sums {name: (k, R)}.

    The simulation ends early if the figure has fallen in all walks.
    """
    n, R = len(X), len(scenario.q)
    numbers = np.repeat(np.asarray(X, float), R, axis=0)
    memory = {name: np.tile(x, n) for name, x in scenario.memory.items()}
    state = trials.start(n * R, np.tile(scenario.q, (n, 1)), np.tile(scenario.u, (n, 1)), **memory)
    for commands, pushes in zip(np.swapaxes(scenario.commands, 0, 1), np.swapaxes(scenario.pushes, 0, 1), strict=True):
        state = trials.go(state, numbers, np.tile(commands, (n, 1)), np.tile(pushes, (n, 1)))
        if (trials.sums(state)["fallen"] > 0.5).all():
            break
    return {name: x.reshape(n, R) for name, x in trials.sums(state).items()}


def candidates(generation: Any, strength: Any, trials: Any, scenario: Any, seed: int, **numbers: Any) -> dict[str, Any]:
    """Run the walks of candidates of one generation; return their cost sums {name: (k, R)}. The function of a study.

    Parameters
    ----------
    generation, strength : (k,) number of the generation, and strength of its disturbances [m/s], the same for all.
    trials, scenario, seed : as in `evolve`.
    numbers : {"x0": (k,), "x1": …} the vectors of the candidates.
    """
    case = scenario(generation_rng(seed, int(generation[0])), float(strength[0]))
    X = np.stack([numbers[f"x{k}"] for k in range(len(numbers))], axis=1)
    return walked(trials, X, case)


def generation_rng(seed: int, generation: int) -> np.random.Generator:
    """Return the random numbers of the scenario of a generation."""
    return np.random.default_rng([seed, generation])


class Evolution:
    """The search of `evolve`, as a `study.Search`: it proposes generations and receives the cost sums of their
    walks."""

    best: study.Best | None = None

    def __init__(self, trials: Any, scenario: Any, start: Any, options: dict[str, Any]) -> None:
        try:
            import cma  # type: ignore[import-untyped]
        except ImportError:
            raise MissingExtra("cma", "optimise", "The search for a walk") from None
        self.trials, self.scenario, self.options = trials, scenario, options
        rng = study.stream(options["seed"], 0)
        own = {"popsize": options["population"], "seed": np.nan, "randn": lambda *size: rng.standard_normal(size)}
        self._start = np.asarray(start, float)
        self._search = cma.CMAEvolutionStrategy(start, options["sigma"], own | {"verbose": -9})
        self._began, self.rollouts, self.strength, self.ended = time.perf_counter(), 0, options["strength"], False
        self.mean, self.history = np.array(self._search.mean), list[dict[str, Any]]()

    def content(self) -> Any:
        """Return what determines the course of the search."""
        names = ("population", "sigma", "seed", "strength", "strongest", "undisturbed")
        return [*(self.options[n] for n in names), content_key((self.options["falls"], self.options["price"])),
                self._start.tolist()]  # fmt: skip

    def ask(self) -> study.Points | None:
        """Return the candidates of the next generation; None when the limits are used up."""
        own, count = self.options, len(self.history)
        late = time.perf_counter() - self._began >= own["seconds"]
        if self.ended or late or (own["generations"] is not None and count >= own["generations"]):
            return None
        self._case = self.scenario(generation_rng(own["seed"], count), self.strength)
        if self.rollouts + own["population"] * len(self._case.q) > own["rollouts"]:
            return None
        self._X = np.array(self._search.ask())
        columns: dict[str, Any] = {"generation": [count] * len(self._X), "strength": [self.strength] * len(self._X)}
        return study.Points(columns | {f"x{k}": x for k, x in enumerate(self._X.T)})

    def tell(self, results: Mapping[str, np.ndarray], status: np.ndarray) -> None:
        """Take the sums of the walks of the generation."""
        own, X, case = self.options, self._X, self._case
        lost = ~np.isin(status, ("done", "nan"))
        if lost.any():
            k = int(np.argmax(lost))
            raise SimulationError(
                f"Candidate {k} of generation {len(self.history)} was not computed ({status[k]}). Run the search again."
            )
        sums = dict(results)
        self.rollouts += len(X) * len(case.q)
        duration = case.commands.shape[1] * self.trials.interval * self.trials.dt
        price = own["price"]
        costs = cost(sums, duration, own["undisturbed"], own["falls"]) if price is None else price(sums, duration)
        self._search.tell(list(X), list(costs))
        self.mean = np.array(self._search.mean)
        best = np.argsort(costs)[: max(1, len(X) // 4)]
        up = float((sums["upright"][best] > duration - 2.5 * self.trials.dt).mean())
        self.strength = min(self.strength * STRENGTH_GROWTH, own["strongest"]) if up > UPRIGHT_SHARE else self.strength
        self.history.append(
            {
                "generation": len(self.history),
                "seconds": time.perf_counter() - self._began,
                "rollouts": self.rollouts,
                "strength": self.strength,
                "up": up,
                "cost": float(costs.min()),
                "median": float(np.median(costs)),
                "best": X[best[0]],
                "sums": {name: float(x[best].mean()) for name, x in sums.items()},
            }
        )
        if self.best is None or costs.min() < self.best.value:
            self.best = study.Best(self.rollouts, {}, float(costs.min()))
        if own["progress"] is not None:
            own["progress"](self.history[-1], self.mean)
        self.ended = own["enough"] is not None and own["enough"](self.history[-1], self.mean)


def evolve(
    trials: Any,
    scenario: Callable[[np.random.Generator, float], Scenario],
    start: Any,
    *,
    generations: int | None = None,
    seconds: float = np.inf,
    rollouts: float = np.inf,
    population: int = 48,
    sigma: float = 0.3,
    seed: int = 1,
    strength: float = 0.05,
    strongest: float = 0.5,
    undisturbed: int = 1,
    falls: Any = 1.0,
    price: Callable[[dict[Any, Any], float], np.ndarray] | None = None,
    enough: Callable[[dict[Any, Any], np.ndarray], bool] | None = None,
    progress: Callable[[dict[Any, Any], np.ndarray], Any] | None = None,
    executor: Any = "inline",
    folder: str | Path | None = None,
) -> Found:
    """Search by CMA-ES from a start (n,) until the given generations, seconds or rollouts are used up.

    Parameters
    ----------
    trials : `rollouts.Trials`, or an object with its methods.
    scenario : function (rng, strength) → `Scenario`.
    population, sigma : candidates per generation, and initial step size.
    strength, strongest : initial and largest strength of the disturbances [m/s].
    undisturbed, falls : as in `rollouts.cost`.
    price : function (sums, duration) → costs (n,), used instead of `rollouts.cost` if given.
    enough : function (record, mean) that ends the search by returning True.
    progress : function (record, mean) called after each generation.
    executor : workers, as in `study.Study.run`; by default this process with all its threads. The result does not
        depend on the workers.
    folder : folder in which the results of all generations are stored, so that an interrupted search continues from
        them; by default nothing is stored.

    Returns
    -------
    A `Found`. It is the same for the same seed, unless the limit in seconds ends the search.

    Raises
    ------
    Interrupted : Ctrl-C after the first generation; its field `result` is the `Found` of the last whole generation.
    """
    options = {name: value for name, value in locals().items() if name not in ("trials", "scenario", "start")}
    search = Evolution(trials, scenario, start, options)
    constants = {"trials": trials, "scenario": scenario, "seed": seed}
    try:
        study.Study(candidates, search, folder, batch=population, constants=constants).run(executor, progress=None)
    except KeyboardInterrupt:
        if not search.history:
            raise KeyboardInterrupt from None
        raise Interrupted(
            f"The search was stopped after {len(search.history)} generations. The result so far is in the field "
            "'result' of this exception.",
            result=Found(search.mean, search.rollouts, search.history),
        ) from None
    return Found(search.mean, search.rollouts, search.history)
