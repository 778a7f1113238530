"""Search for a walker on rough ground that it sees: tiles of random heights, walks that start beside them. Floats only.

    10 (T - upright) + Σ w sums / t                                                                               (1)

Only gains and offsets are searched, at one speed, and `climb`: how legs step up and down.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from anthropi.contact.geometry.height_field import HeightField
from anthropi.gait.walker.command import WIDTH, rows_at
from anthropi.gait.walker.search.evolve import SPREAD, Scenario, Space, space
from anthropi.gait.walker.search.grounds import stepping_terrain

__all__ = ["OPTIONS", "Rough", "narrow", "price", "tiles"]

SEED, LENGTH, WIDTH_OF_TILES, AMPLITUDE = 3, 12.0, 16.0, 0.085  # of the tiles, [m]
START_RANGE, START_WIDTH = (-1.9, -1.3), 7.0  # [m] in which walks start
FALL_COST = 10.0  # per second (1)
COSTS = {"pace": 5.0, "across": 5.0, "turn": 5.0, "angles": 1.0, "hard": 5.0}
FIXED = ("arms", "brake", "push_from", "soft")  # not searched


@cache
def tiles() -> HeightField:
    """Ground of all walks: one field, so that they share a kernel."""
    return stepping_terrain(SEED, length=LENGTH, amplitude=AMPLITUDE, width=WIDTH_OF_TILES)


def narrow(begin: dict[Any, Any]) -> Space:
    """Space of searched numbers."""
    return space(begin, climb=True, only=[*(name for name in SPREAD if name not in FIXED), "climb"])


def price(sums: dict[Any, Any], duration: float) -> np.ndarray:
    """Cost (1) (n,) of sums (n, R)."""
    t = np.maximum(sums["upright"], 0.05)
    total = FALL_COST * (duration - sums["upright"]) + sum(w * sums[name] / t for name, w in COSTS.items())
    return np.where(np.isfinite(total), total, 1e3).mean(-1)


OPTIONS: dict[Any, Any] = {"sigma": 0.15, "population": 24, "price": price}  # of `evolve`


@dataclass(frozen=True, eq=False)
class Rough:
    """Walks over the tiles, from a start (q, u) with its speed [m/s], at the commanded speed [m/s]."""

    start: tuple[np.ndarray, np.ndarray]
    speed: float = 1.3
    commanded: float = 1.2
    walks: int = 16
    intervals: int = 20

    def __call__(self, rng: np.random.Generator, strength: float) -> Scenario:
        """Draw a scenario; strength has no effect."""
        R, P = self.walks, self.intervals
        commands = np.broadcast_to(rows_at(self.commanded), (R, P, WIDTH))
        q, u = (np.tile(x, (R, 1)) for x in self.start)
        q[:, 0] += rng.uniform(*START_RANGE, R)
        q[:, 1] += rng.uniform(-START_WIDTH, START_WIDTH, R)
        speed = np.full(R, self.speed)
        return Scenario(commands, np.zeros((R, P, 3)), q, u, {"v_x": speed, "speed": speed})
