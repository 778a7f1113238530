"""Search for a walker on rough ground: tiles of random heights, with footholds chosen by `Sight`.

The walks start on level ground next to the tiles. The cost of T seconds of walking, of which the figure is upright for
a time t, is

    10 (T - upright) + Σ w sums / t                                                                               (1)

Only gains, offsets and `climb` (how the legs step up and down) are searched, at one speed. All functions work on plain
floats only; they cannot be recorded on a tape.
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

SEED, LENGTH, WIDTH_OF_TILES, AMPLITUDE = 3, 12.0, 16.0, 0.085  # random seed and sizes of the tiles [m]
START_RANGE, START_WIDTH = (-1.9, -1.3), 7.0  # [m], range of x and half the range of y in which walks start
FALL_COST = 10.0  # per second after a fall (1)
COSTS = {"pace": 5.0, "across": 5.0, "turn": 5.0, "angles": 1.0, "hard": 5.0}
FIXED = ("arms", "brake", "push_from", "soft")  # not searched


@cache
def tiles() -> HeightField:
    """Ground of all walks. It is a single field, so that all walks share one kernel."""
    return stepping_terrain(SEED, length=LENGTH, amplitude=AMPLITUDE, width=WIDTH_OF_TILES)


def narrow(begin: dict[Any, Any]) -> Space:
    """Make the space of searched numbers: gains, offsets and `climb` at one speed."""
    return space(begin, climb=True, only=[*(name for name in SPREAD if name not in FIXED), "climb"])


def price(sums: dict[Any, Any], duration: float) -> np.ndarray:
    """Costs of n candidates (n,) from the sums of their walks (n, R) (eq. 1)."""
    t = np.maximum(sums["upright"], 0.05)
    total = FALL_COST * (duration - sums["upright"]) + sum(w * sums[name] / t for name, w in COSTS.items())
    return np.where(np.isfinite(total), total, 1e3).mean(-1)


OPTIONS: dict[Any, Any] = {"sigma": 0.15, "population": 24, "price": price}  # options of `evolve`


@dataclass(frozen=True, eq=False)
class Rough:
    """Scenario of walks over the tiles.

    The walks start from the state (q, u) with its speed [m/s] and are commanded to another speed [m/s].
    """

    start: tuple[np.ndarray, np.ndarray]
    speed: float = 1.3
    commanded: float = 1.2
    walks: int = 16
    intervals: int = 20

    def __call__(self, rng: np.random.Generator, strength: float) -> Scenario:
        """Draw a scenario. The argument `strength` has no effect."""
        R, P = self.walks, self.intervals
        commands = np.broadcast_to(rows_at(self.commanded), (R, P, WIDTH))
        q, u = (np.tile(x, (R, 1)) for x in self.start)
        q[:, 0] += rng.uniform(*START_RANGE, R)
        q[:, 1] += rng.uniform(-START_WIDTH, START_WIDTH, R)
        speed = np.full(R, self.speed)
        return Scenario(commands, np.zeros((R, P, 3)), q, u, {"v_x": speed, "speed": speed})
