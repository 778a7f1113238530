"""Searches: points that depend on the results of earlier points, generation by generation.

A search proposes points (`ask`) and receives their results (`tell`). Its proposals must depend on nothing else, so that
an interrupted study can repeat the search from the journal without computing a point twice.

    CMA-ES    (Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772) by the package `cma`: samples around
              a mean, whose covariance adapts to the best ones. Several starts are searched side by side
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.errors import InputError, MissingExtra
from anthropi.study.points import Points, latin_hypercube

__all__ = ["Best", "CmaEs", "Search"]


class Best(NamedTuple):
    """The best point of a search: its index in the study, its values and the value of the objective."""

    point: int
    values: dict[str, float]
    value: float


class Search(Protocol):
    """What a study needs of a search."""

    def ask(self) -> Points | None:
        """Return the next generation of points; None if the search has ended."""

    def tell(self, results: Mapping[str, np.ndarray], status: np.ndarray) -> None:
        """Take the results of the generation that was asked for last, with the status of each point."""

    @property
    def best(self) -> Best | None:
        """The best point so far."""

    def content(self) -> Any:
        """Return everything that determines the proposals of the search. It is a part of the key of the study."""


class CmaEs:
    """A search for the smallest value of a result by CMA-ES.

    Parameters
    ----------
    bounds : {name: (low, high)} of the searched variables.
    minimise : name of the result to minimise; "value" if the function returns a number.
    start : {name: value} of the first mean; by default the middle of the bounds. Further starts are spread over the
        bounds by a Latin hypercube.
    sigma : initial standard deviation, as a share of the width of the bounds.
    population : number of points for each generation and start; by default 4 + 3 ln(number of variables).
    generations : the largest number of generations.
    starts : number of independent searches that run side by side.
    seed : of the random numbers.
    tolerance : a start ends when its standard deviations fall below this share of the bounds.
    """

    def __init__(
        self,
        bounds: Mapping[str, Sequence[float]],
        *,
        minimise: str = "value",
        start: Mapping[str, float] | None = None,
        sigma: float = 0.3,
        population: int | None = None,
        generations: int = 100,
        starts: int = 1,
        seed: int = 0,
        tolerance: float = 1e-9,
    ) -> None:
        if not bounds:
            raise InputError("The search has no variables. Give, for example, bounds={'gain': (0.0, 10.0)}.")
        pairs = np.array([_bounds(name, pair) for name, pair in bounds.items()])
        for name, x in (("population", population or 2), ("generations", generations), ("starts", starts)):
            if isinstance(x, bool) or not isinstance(x, int) or x < (2 if name == "population" else 1):
                raise InputError(f"{name}={x!r}: give a whole number of at least {2 if name == 'population' else 1}.")
        if not 0.0 < sigma <= 1.0:
            raise InputError(f"sigma={sigma!r}: give a share of the width of the bounds, above 0 and at most 1.")
        self.names, self.low, self.high = tuple(bounds), pairs[:, 0], pairs[:, 1]
        self.minimise, self.sigma, self.generations, self.seed = minimise, sigma, generations, seed
        self.population = population or 4 + int(3 * math.log(len(bounds)))
        self.tolerance, self.starts = tolerance, starts
        self._means = self._first_means(start)
        self.restart()

    def restart(self) -> None:
        """Go back to the first generation."""
        self.generation, self.count, self.best = 0, 0, None
        self._asked: list[np.ndarray] = []
        self._strategies = [
            _strategy(x, self.sigma, self.population, self.seed + 1 + k, self.tolerance)
            for k, x in enumerate(self._means)
        ]

    def content(self) -> Any:
        """Return everything that determines the proposals of the search."""
        settings = (self.names, self.minimise, self.sigma, self.population, self.generations, self.seed, self.tolerance)
        return "CMA-ES", settings, self.low.tolist(), self.high.tolist(), self._means.tolist()

    def ask(self) -> Points | None:
        """Return the next generation of all starts that have not ended; None if none is left."""
        running = [s for s in self._strategies if not s.stop()]
        if self.generation >= self.generations or not running:
            return None
        self._running = running
        self._asked = [np.array(s.ask()) for s in running]
        unit = np.concatenate(self._asked)
        scaled = self.low + (self.high - self.low) * unit
        return Points({name: scaled[:, k] for k, name in enumerate(self.names)})

    def tell(self, results: Mapping[str, np.ndarray], status: np.ndarray) -> None:
        """Receive the results of the generation. Points that failed are ranked after all others."""
        if self.minimise not in results:
            known = ", ".join(results) or "none"
            raise InputError(
                f"The search minimises '{self.minimise}', but the function does not return it. It returns: {known}."
            )
        cost = np.where((status == "done") & np.isfinite(results[self.minimise]), results[self.minimise], np.inf)
        at = 0
        for strategy, unit in zip(self._running, self._asked, strict=True):
            own = cost[at : at + len(unit)]
            worst = own[np.isfinite(own)].max(initial=0.0)
            strategy.tell(list(unit), [float(x) if np.isfinite(x) else float(worst) + 1.0 + abs(worst) for x in own])
            k = int(np.argmin(own))
            if np.isfinite(own[k]) and (self.best is None or own[k] < self.best.value):
                values = self.low + (self.high - self.low) * unit[k]
                found = dict(zip(self.names, values.tolist(), strict=True))
                self.best = Best(self.count + at + k, found, float(own[k]))
            at += len(unit)
        self.generation, self.count = self.generation + 1, self.count + len(cost)

    best: Best | None

    @property
    def means(self) -> tuple[dict[str, float], ...]:
        """The means of the distributions, one for each start."""
        middle = [self.low + (self.high - self.low) * np.asarray(s.result.xfavorite) for s in self._strategies]
        return tuple(dict(zip(self.names, x.tolist(), strict=True)) for x in middle)

    def _first_means(self, start: Mapping[str, float] | None) -> np.ndarray:
        """Return the means (starts, variables) of the first generations, as shares of the bounds."""
        first = np.full(len(self.names), 0.5)
        if start is not None:
            if set(start) != set(self.names):
                raise InputError(f"start has the variables {', '.join(start)}; the bounds {', '.join(self.names)}.")
            first = (np.array([float(start[n]) for n in self.names]) - self.low) / (self.high - self.low)
            if not ((first >= 0.0) & (first <= 1.0)).all():
                k = int(np.argmax((first < 0.0) | (first > 1.0)))
                raise InputError(f"start of '{self.names[k]}' is {start[self.names[k]]:g}, outside its bounds.")
        spread = latin_hypercube(max(self.starts - 1, 1), self.seed, **{f"x{k}": (0.0, 1.0) for k in range(len(first))})
        others = np.stack(list(spread.columns.values()), axis=1)[: self.starts - 1]
        return np.concatenate([first[None], others])


def _bounds(name: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError):
        raise InputError(f"The bounds of '{name}' are {pair!r}. Give (low, high), two numbers.") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"The bounds of '{name}' are ({low:g}, {high:g}). Give finite numbers, the lower one first.")
    return low, high


def _strategy(mean: np.ndarray, sigma: float, population: int, seed: int, tolerance: float) -> Any:
    """Return a strategy of `cma` in the unit cube."""
    try:
        import cma  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtra("cma", "optimise", "A search by CMA-ES") from None
    rng = np.random.Generator(np.random.Philox(key=[seed & (2**64 - 1), 4]))

    def randn(*size: int) -> np.ndarray:  # instead of NumPy's global stream, which others also draw from
        return rng.standard_normal(size)

    options = {
        "bounds": [0.0, 1.0],
        "popsize": population,
        "randn": randn,
        "seed": np.nan,
        "verbose": -9,
        "tolx": tolerance,
        "maxiter": 10**9,
        "tolfun": 0.0,
        "tolfunhist": 0.0,
        "tolstagnation": 10**9,
        "tolflatfitness": 10**9,
    }
    return cma.CMAEvolutionStrategy(mean.tolist(), sigma, options)
