"""Which numbers of a walker are searched? A vector of them, in units of how far each may be off, and back. Floats only.

A number at 1.3 m/s is row 0 of a parameter, its slope over the speed row 1, its bend row 2
(`gait/walker/observation.py` (1)): slopes are searched half as far, bends a quarter. Bounds hold stiffnesses within
what people have.

Evolve
------
The search: CMA-ES over the numbers of a walker, every candidate scored over several walks that differ. Floats only.

scenario   what happens in walks: speeds and headings told, pushes, how they start; another one each generation, the
           same for all candidates of it
strength   of what disturbs grows by 2 % whenever the best quarter of candidates stays up in over 85 % of walks
"""

import time
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import clip
from anthropi.errors import MissingExtra
from anthropi.gait.walker.search.rollouts import cost

__all__ = ["CURVES", "HIGH", "LOW", "SPREAD", "START", "Found", "Scenario", "Space", "evolve", "space", "walked"]


SPREAD: dict = {
    "step": 0.02, "forward": [0.4, 0.12, 0.4, 0.12], "sideways": [0.3, 0.12, 0.3, 0.12], "upright": [250.0, 25.0],
    "hip": 100.0, "knee": 60.0, "ankle": 50.0, "push": 0.15, "push_from": 0.04, "reach": 0.08, "spread": 0.04,
    "tilt": 0.04, "lean": 0.04, "bend": 0.04, "point": 0.05, "arms": 0.2, "yield": [0.3, 0.1], "roll": [0.3, 0.1],
    "sway": [0.2, 0.07], "hurry": [0.5, 0.5, 0.7, 0.7], "release": 0.08, "lift": 0.05, "pad": [0.05, 0.05],
    "soft": [0.15, 0.15], "bank": 0.3, "land": [0.05, 0.05, 0.05], "brake": 0.5, "toe": 10.0,
}  # fmt: skip
START: dict = {"slow": [0.1, 0.3, 0.3, 0.1, 0.05], "balance": [0.01, 0.5, 0.2], "hold": [0.2, 0.1],
               "shift": [0.02, 0.02, 0.1, 0.1, 0.1]}  # of stepping in place, standing and starting  # fmt: skip
CLIMB: dict = {"climb": [0.5, 0.2, 2.0, 0.2]}  # of steps up and down that are seen
CURVES = (("side.hip", 1, 5), ("side.knee", 0, 6), ("side.ankle", 0, 6), ("side.hip", 0, 2), ("middle.lumbar", 1, 1),
          ("side.ankle", 1, 1))  # parameter, row, harmonics  # fmt: skip
MEAN, WAVE = 0.04, 0.03  # [rad] of them
FACTORS, BENT = (1.0, 0.5, 0.25), 2  # of rows; harmonics that bend over the speed
LOW: dict = {"hip": 100.0, "knee": 150.0, "ankle": 100.0, "toe": 20.0, "upright": [200.0, 20.0], "step": 0.40,
             "release": 0.02, "brake": 1.0}  # fmt: skip
HIGH: dict = {"hip": 700.0, "knee": 600.0, "ankle": 450.0, "toe": 150.0, "upright": [2500.0, 250.0], "step": 0.75,
              "release": 0.6, "brake": 6.0}  # fmt: skip
RUN_LOW: dict = LOW | {"step": 0.25}
RUN_HIGH: dict = HIGH | {"hip": 1500.0, "knee": 2000.0, "ankle": 1500.0, "step": 0.45, "upright": [4000.0, 400.0]}


class Entry(NamedTuple):
    """A number: of parameter `name`, row of (a, b, c), place in it; how far it may be off."""

    name: str
    row: int
    at: tuple
    spread: float


class Space(NamedTuple):
    """entries : what each number of a vector is; begin : {name: (3, …)} of a vector of zeros; bounds of row 0."""

    entries: tuple[Entry, ...]
    begin: dict
    low: dict = LOW
    high: dict = HIGH

    def parameters(self, x) -> dict[str, np.ndarray]:
        """{name: (3, …)} of a vector (n,)."""
        return {name: np.asarray(rows, float) for name, rows in self.recorded(np.asarray(x, float)).items()}

    def recorded(self, x) -> dict[str, np.ndarray]:
        """The same of a vector that may record."""
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


def space(begin: dict, rows=(0,), start: bool = False, run: bool = False, climb: bool = False, only=None) -> Space:
    """The numbers of some rows; start, climb : those of standing and starting, of steps up too; only : names, where not
    all."""
    entries = []
    more = (START if start else {}) | (CLIMB if climb else {})  # row 0 only
    for row in rows:
        for name, sizes in (SPREAD | (more if row == 0 else {})).items():
            far = FACTORS[row] * np.asarray(sizes, float)
            entries += [Entry(name, row, at, float(far[at])) for at in np.ndindex(far.shape)]
        for name, k, harmonics in CURVES:
            count = 1 + 2 * (harmonics if row < 2 else min(harmonics, BENT))
            entries += [Entry(name, row, (k, i), FACTORS[row] * (WAVE if i else MEAN)) for i in range(count)]
    if only is not None:
        entries = [entry for entry in entries if entry.name in only]
    return Space(tuple(entries), begin, *((RUN_LOW, RUN_HIGH) if run else (LOW, HIGH)))


GROWS, ENOUGH = 1.02, 0.85


class Scenario(NamedTuple):
    """Of R walks of P pieces: commands (R, P, 7), pushes (R, P, 3) [N, N, s], q (R, nq), u (R, nu), memory {name:
    (R,)}."""

    commands: np.ndarray
    pushes: np.ndarray
    q: np.ndarray
    u: np.ndarray
    memory: dict


class Found(NamedTuple):
    """mean : the vector (n,) in the middle of the search at its end. rollouts : how many walks. history : of
    generations."""

    mean: np.ndarray
    rollouts: int
    history: list[dict[str, Any]]


def walked(trials, X, scenario: Scenario) -> dict[str, np.ndarray]:
    """Sums {name: (len(X), R)} after all pieces of the scenario, for vectors X; ended early where all have fallen."""
    n, R = len(X), len(scenario.q)
    numbers = np.repeat(np.asarray(X, float), R, axis=0)
    state = trials.start(n * R, np.tile(scenario.q, (n, 1)), np.tile(scenario.u, (n, 1)),
                         **{name: np.tile(x, n) for name, x in scenario.memory.items()})  # fmt: skip
    for commands, pushes in zip(np.swapaxes(scenario.commands, 0, 1), np.swapaxes(scenario.pushes, 0, 1), strict=True):
        state = trials.go(state, numbers, np.tile(commands, (n, 1)), np.tile(pushes, (n, 1)))
        if (trials.sums(state)["fallen"] > 0.5).all():
            break
    return {name: x.reshape(n, R) for name, x in trials.sums(state).items()}


def evolve(trials, scenario, start, *, generations: int | None = None, seconds: float = np.inf,
           rollouts: float = np.inf, population: int = 48, sigma: float = 0.3, seed: int = 1, strength: float = 0.05,
           strongest: float = 0.5, calm: int = 1, falls=1.0, price=None, enough=None,
           tell=None) -> Found:  # fmt: skip
    """Breed vectors from a start (n,) on until generations, seconds or rollouts are used up, or enough(record, mean).

    scenario : function (rng, strength) -> `Scenario`. calm, falls : as of `cost`. price : function (sums, duration) ->
    (n,), instead of `cost`. tell : function (record, mean) called after each generation. The same seed finds the same,
    unless seconds end it.
    """
    try:
        import cma  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtra("cma", "optimise", "The search for a walk") from None
    rng, began, done = np.random.default_rng(seed), time.perf_counter(), 0
    search = cma.CMAEvolutionStrategy(start, sigma, {"popsize": population, "seed": seed, "verbose": -9})
    history: list[dict[str, Any]] = []
    while (generations is None or len(history) < generations) and time.perf_counter() - began < seconds:
        case = scenario(rng, strength)
        if done + population * len(case.q) > rollouts:
            break
        X = np.array(search.ask())
        sums = walked(trials, X, case)
        done += population * len(case.q)
        duration = case.commands.shape[1] * trials.piece * trials.dt
        costs = cost(sums, duration, calm, falls) if price is None else price(sums, duration)
        search.tell(list(X), list(costs))
        best = np.argsort(costs)[: max(1, population // 4)]
        up = float((sums["upright"][best] > duration - 2.5 * trials.dt).mean())
        strength = min(strength * GROWS, strongest) if up > ENOUGH else strength
        history.append({"generation": len(history), "seconds": time.perf_counter() - began, "rollouts": done,
                        "strength": strength, "up": up, "cost": float(costs.min()), "median": float(np.median(costs)),
                        "best": X[best[0]],
                        "sums": {name: float(x[best].mean()) for name, x in sums.items()}})  # fmt: skip
        mean = np.array(search.mean)
        if tell is not None:
            tell(history[-1], mean)
        if enough is not None and enough(history[-1], mean):
            break
    return Found(np.array(search.mean), done, history)
