"""Grounds of searched walks: parallel lanes, each with a slope or a step, and random tiles.

With `Lanes`, which can be recorded on a tape, one kernel walks on all grounds. Lane k is where |y - 100 k m| < 50 m.
Before x₀ the ground is the floor. Beyond, with a = x - x₀,

    slope     z = s a:   gap = (z - s a) n_z,   n_z = 1/√(1 + s²)                                                 (1)
    step      z = h: the lower floor, and a block with a wall and an edge. At w ahead of the wall and t above the
              top: gap = √(w² + t²) where both are positive, else max(w, t). The smaller gap of floor and block
              counts                                                                                              (2)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import clip, gather, less, maximum, minimum, nearest, sqrt, where
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Surface
from anthropi.errors import InputError

__all__ = ["LANE_WIDTH", "Lanes", "stepping_terrain"]


LANE_WIDTH = 100.0  # [m]


@dataclass(frozen=True, eq=False)
class Lanes(Surface):
    """Parallel lanes of ground, each with a slope or a step.

    Attributes
    ----------
    begins : x₀ of each lane (n,) [m].
    slopes : rise over run (n,).
    steps : height of the step, negative for a step down (n,) [m].
    """

    begins: Any
    slopes: Any
    steps: Any

    def __post_init__(self) -> None:
        rows = [np.atleast_1d(np.asarray(x, float)) for x in (self.begins, self.slopes, self.steps)]
        if len({x.shape for x in rows}) != 1 or rows[0].ndim != 1 or not all(np.isfinite(x).all() for x in rows):
            raise InputError("Lanes needs begins, slopes and steps of equal length, with finite numbers only.")
        both = np.flatnonzero(rows[1] * rows[2])
        if len(both):
            raise InputError(f"Lane {both[0]} has a slope and a step. Set one of them to 0.")
        for name, x in zip(("begins", "slopes", "steps"), rows, strict=True):
            object.__setattr__(self, name, x)

    @property
    def middles(self) -> np.ndarray:
        """Coordinates y of the middles of the lanes (n,) [m]."""
        return LANE_WIDTH * np.arange(len(self.begins))

    def height(self, x: Any, y: Any) -> np.ndarray:
        """Height of the ground (…,) [m] at x, y (…,) [m]. Works on plain floats only; cannot be recorded on a tape."""
        k = np.clip(np.round(np.nan_to_num(y) / LANE_WIDTH), 0, len(self.begins) - 1).astype(int)
        beyond = np.asarray(x) - self.begins[k]
        return np.where(beyond > 0.0, self.slopes[k] * beyond + self.steps[k], 0.0)

    def distance(self, p: Any) -> tuple[Any, Any]:
        """Gap [m] between a point (3,) and the ground, and normal (3,) of the ground: slope (eq. 1) or step (eq. 2)."""
        lane = clip(nearest(p[1] / LANE_WIDTH), 0.0, len(self.begins) - 1.0)
        begin, slope, step = (gather(x, lane) for x in (self.begins, self.slopes, self.steps))
        beyond = p[0] - begin
        even = less(step * step, 1e-12)
        ramp, block = _ramp(beyond, p[2], slope), _block(beyond, p[2], step)
        gap, n_x, n_z = (where(even, a, b) for a, b in zip(ramp, block, strict=True))
        return gap, np.array([n_x, 0.0 * gap, n_z])


def _ramp(beyond: Any, z: Any, slope: Any) -> tuple[Any, Any, Any]:
    """Gap [m] and components n_x, n_z of the normal of a slope (eq. 1)."""
    tilted = less(0.0, beyond)
    s = where(tilted, slope, 0.0)
    n_z = 1.0 / sqrt(1.0 + s * s)
    return (z - s * beyond) * n_z, -s * n_z, n_z


def _block(beyond: Any, z: Any, step: Any) -> tuple[Any, Any, Any]:
    """Gap [m] and components n_x, n_z of the normal of a step (eq. 2)."""
    up = where(less(step, 0.0), -1.0, 1.0)  # the block is beyond x₀ for a step up, before x₀ for a step down
    w, t = -up * beyond, z - maximum(step, 0.0)
    edge, wall = less(0.0, w) & less(0.0, t), less(t, w)
    d = sqrt(where(edge, w * w + t * t, 1.0))
    gap = where(edge, d, maximum(w, t))
    n_x, n_z = where(edge, w / d, where(wall, 1.0, 0.0)), where(edge, t / d, where(wall, 0.0, 1.0))
    floor = z - minimum(step, 0.0)
    nearer = less(gap, floor)
    return where(nearer, gap, floor), where(nearer, -up * n_x, 0.0), where(nearer, n_z, 1.0)


def stepping_terrain(
    seed: int,
    length: float = 10.0,
    amplitude: float = 0.08,
    tile: Any = 0.4,
    width: float = 4.0,
    room: float = 2.0,
    edge: float = 0.05,
    change: float | None = None,
) -> HeightField:
    """Make flat tiles of random heights, with level ground around them.

    The tiles cover x from 0 to `length` and y within ± width/2.

    Parameters
    ----------
    amplitude : largest height of a tile, up or down [m].
    tile : size along x and y, one or two numbers [m].
    room : length of level ground before and after the tiles [m].
    edge : length of the transition from one tile to the next, which is the spacing of the grid [m].
    change : largest height difference between a row of tiles and the next [m]; unlimited if None.
    """
    tiles = np.broadcast_to(np.asarray(tile, float), (2,))
    given = {"length": length, "tile": tiles.min(), "width": width, "edge": edge}
    for name, value in given.items():
        if not 0.0 < value < np.inf:
            raise InputError(f"stepping_terrain got {name}={value!r}. Give a finite number above 0 [m].")
    if not 0.0 <= amplitude < np.inf or edge >= tiles.min() or room < edge:
        raise InputError(
            f"stepping_terrain got amplitude={amplitude!r}, edge={edge!r}, room={room!r}. Give amplitude ≥ 0, edge "
            f"below the tile size of {tiles.min():g} m, and room ≥ edge."
        )
    rng = np.random.default_rng(seed)
    counts = [int(np.ceil(size / t - 1e-9)) for size, t in zip((length, width), tiles, strict=True)]
    heights = rng.uniform(-amplitude, amplitude, counts)
    if change is not None:
        before = np.zeros(counts[1])
        for row in heights:  # beginning next to the level ground
            row[:] = before = np.clip(row, before - change, before + change)
    x = edge * np.arange(round((length + 2.0 * room) / edge) + 1) - room
    y = edge * np.arange(round((width + 2.0 * edge) / edge) + 1) - 0.5 * width - edge
    i, j = np.floor((x + 1e-9) / tiles[0]).astype(int), np.floor((y + 0.5 * width + 1e-9) / tiles[1]).astype(int)
    i, j = (
        np.where((k < 0) | (at > size - 1e-9), -1, k) for k, at, size in ((i, x, length), (j, y + 0.5 * width, width))
    )
    level = (i < 0)[:, None] | (j < 0)[None]
    table = np.where(level, 0.0, heights[np.clip(i, 0, counts[0] - 1)][:, np.clip(j, 0, counts[1] - 1)])
    return HeightField(table, (x[0], y[0], 0.0), edge)
