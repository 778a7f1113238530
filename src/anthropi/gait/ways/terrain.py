"""Rough ground to walk on: random tiles, high and low. Floats only."""

import numpy as np

from anthropi.contact.height_field import HeightField
from anthropi.errors import InputError

__all__ = ["stepping_terrain"]


def stepping_terrain(seed: int, length=10.0, amplitude=0.08, tile=0.4, width=4.0, room=2.0, edge=0.05, change=None):
    """Flat tiles of random heights within ± amplitude [m], x from 0 to `length`, y within ± width/2; level around.

    tile : [m] along x and y, one or two numbers. room : [m] of level ground before and after. edge : [m] over which
    one tile passes into the next (the grid's spacing). change : [m] the most between a row of tiles and the next, None
    any. A `HeightField`, bilinear.
    """
    tiles = np.broadcast_to(np.asarray(tile, float), (2,))
    given = {"length": length, "tile": tiles.min(), "width": width, "edge": edge}
    for name, value in given.items():
        if not 0.0 < value < np.inf:
            raise InputError(f"stepping_terrain has {name} {value!r}; give a finite number above 0 [m].")
    if not 0.0 <= amplitude < np.inf or edge >= tiles.min() or room < edge:
        raise InputError(f"stepping_terrain has amplitude {amplitude!r}, edge {edge!r}, room {room!r}; give amplitude "
                         f"≥ 0, edge below the tile's {tiles.min():g} m and room of an edge or more.")  # fmt: skip
    rng = np.random.default_rng(seed)
    counts = [int(np.ceil(size / t - 1e-9)) for size, t in zip((length, width), tiles, strict=True)]
    heights = rng.uniform(-amplitude, amplitude, counts)
    if change is not None:
        before = np.zeros(counts[1])
        for row in heights:  # from level ground on
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
