"""The search for a walker on rough ground that it sees: tiles of random heights, walks that begin anywhere beside them.

    10 (T - upright) + Σ w sums / t                                                                               (1)

Only gains and offsets are searched, at one speed, and `climb`: how legs go up and down. Floats only.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from anthropi.contact.geometry.height_field import HeightField
from anthropi.gait.walker.command import WIDTH, rows_at
from anthropi.gait.walker.search.evolve import SPREAD, Scenario, Space, space
from anthropi.gait.walker.search.grounds import stepping_terrain

__all__ = ["OPTIONS", "Rough", "narrow", "price", "tiles"]

SEED, LENGTH, ACROSS, AMPLITUDE = 3, 12.0, 16.0, 0.085  # of the tiles, [m]
BEFORE, ASIDE = (-1.9, -1.3), 7.0  # [m] where walks begin
LOST = 10.0  # (1), a second
COSTS = {"pace": 5.0, "across": 5.0, "turn": 5.0, "angles": 1.0, "hard": 5.0}
FIXED = ("arms", "brake", "push_from", "soft")  # not searched


@cache
def tiles() -> HeightField:
    """The ground of all walks: one field, so that one kernel walks them."""
    return stepping_terrain(SEED, length=LENGTH, amplitude=AMPLITUDE, width=ACROSS)


def narrow(begin: dict) -> Space:
    """The numbers that are searched."""
    return space(begin, climb=True, only=[*(name for name in SPREAD if name not in FIXED), "climb"])


def price(sums: dict, duration: float) -> np.ndarray:
    """(1): (n,) of sums (n, R)."""
    t = np.maximum(sums["upright"], 0.05)
    total = LOST * (duration - sums["upright"]) + sum(w * sums[name] / t for name, w in COSTS.items())
    return np.where(np.isfinite(total), total, 1e3).mean(-1)


OPTIONS = {"sigma": 0.15, "population": 24, "price": price}  # of `evolve`


@dataclass(frozen=True, eq=False)
class Rough:
    """Walks over the tiles. start (q, u) and its speed [m/s]; told : [m/s]."""

    start: tuple[np.ndarray, np.ndarray]
    speed: float = 1.3
    told: float = 1.2
    walks: int = 16
    pieces: int = 20

    def __call__(self, rng, strength: float) -> Scenario:
        """One draw; strength says nothing here."""
        R, P = self.walks, self.pieces
        commands = np.broadcast_to(rows_at(self.told), (R, P, WIDTH))
        q, u = (np.tile(x, (R, 1)) for x in self.start)
        q[:, 0] += rng.uniform(*BEFORE, R)
        q[:, 1] += rng.uniform(-ASIDE, ASIDE, R)
        speed = np.full(R, self.speed)
        return Scenario(commands, np.zeros((R, P, 3)), q, u, {"v_x": speed, "speed": speed})
