"""The search: CMA-ES over the numbers of a walker, every candidate scored over several walks that differ. Floats only.

scenario   what happens in walks: speeds and headings told, pushes, how they start; another one each generation, the
           same for all candidates of it
strength   of what disturbs grows by 2 % whenever the best quarter of candidates stays up in over 85 % of walks
"""

import time
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import MissingExtra
from anthropi.gait.search.score import cost

__all__ = ["Found", "Scenario", "evolve", "walked"]

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
