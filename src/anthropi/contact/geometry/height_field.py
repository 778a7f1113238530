"""Terrain given by heights on a grid.

With the position f = (x - x₀)/spacing in cells, the node i below it (1) or nearest to it (2), and a = f - i, the
weights w and their derivatives w' are:

    bilinear   (1 - a, a),                          (-1, 1)                    (1)
    smooth     (½(½-a)², ¾-a², ½(½+a)²),            (-(½-a), -2a, ½+a)         (2)  quadratic B-splines: C¹
    h = Σ w_i w_j H_ij,   slopes with w',   n = (-h_x, -h_y, 1)/√(1 + h_x² + h_y²),   gap = (z - h) n_z   (3)

Outside the grid the terrain continues with the height of the grid's edge. The smooth form rounds off peaks: it passes
near the given heights, not through them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, clip, equal, floor, gather, nearest, records, sqrt, where
from anthropi.contact.geometry.surfaces import Surface, finite, positive
from anthropi.errors import InputError, ShapeError
from anthropi.tape.scalar import Table

__all__ = ["HeightField"]

MAX_NODES = 1 << 22  # largest number of nodes of a grid


@dataclass(frozen=True, eq=False)
class HeightField(Surface):
    """Terrain as a height field.

    Attributes
    ----------
    heights : (nx, ny) [m] at the nodes of a grid.
    origin : (2,) or (3,) [m] position of node (0, 0); a third number is added to all heights.
    spacing : [m] distance of nodes along x and y, one number or two.
    smooth : True for quadratic B-splines with continuous slopes, False for bilinear interpolation, which needs a third
        of the computing time.
    """

    heights: Any
    origin: Any = (0.0, 0.0, 0.0)
    spacing: Any = 1.0
    smooth: bool = False

    def __post_init__(self) -> None:
        try:
            heights = np.asarray(self.heights)
        except ValueError:
            raise ShapeError(
                "The heights of a height field have rows of different lengths. Give an array (nx, ny) [m]."
            ) from None
        if heights.ndim != 2 or min(heights.shape) < 2 or heights.size > MAX_NODES:
            raise ShapeError(
                f"A height field has heights of shape {heights.shape}. Give an array (nx, ny) with at least 2 × 2 and "
                f"at most {MAX_NODES} values."
            )
        heights = heights if records(heights) else _numbers(heights)
        given = np.ravel(np.asarray(self.origin))
        origin = finite(given, (3,) if len(given) == 3 else (2,), "A height field", "origin")
        spacing = np.broadcast_to(np.asarray(self.spacing), (2,)) if np.size(self.spacing) == 1 else self.spacing
        spacing = finite(spacing, (2,), "A height field", "spacing")
        for step in spacing:
            positive(step, "A height field", "spacing")
        object.__setattr__(self, "heights", heights)
        object.__setattr__(self, "origin", origin if len(origin) == 3 else np.array([*origin, 0.0]))
        object.__setattr__(self, "spacing", spacing)

    @staticmethod
    def of(function: Any, low: Array, high: Array, spacing: Any, smooth: bool = False) -> "HeightField":
        """Sample a function (x, y) → height [m] on a grid between two corners `low` and `high`, (2,) [m] each.

        Works on plain floats only; cannot be recorded on a tape.
        """
        owner = "A height field"
        steps = finite(np.broadcast_to(spacing, (2,)) if np.size(spacing) == 1 else spacing, (2,), owner, "spacing")
        low, high = finite(low, (2,), owner, "low"), finite(high, (2,), owner, "high")
        for step in steps:
            positive(step, owner, "spacing")
        if not (low < high).all():
            raise InputError(f"A height field from {low.tolist()} to {high.tolist()} is empty. Give low < high [m].")
        axes = [a + s * np.arange(round((b - a) / s) + 1) for a, b, s in zip(low, high, steps, strict=True)]
        heights = np.array([[float(function(x, y)) for y in axes[1]] for x in axes[0]])
        return HeightField(heights, (low[0], low[1], 0.0), spacing, smooth)

    @cached_property
    def _table(self):
        """All heights as one vector; a lookup table for kernels if they are plain floats."""
        return self.heights.ravel() if records(self.heights) else Table(self.heights.ravel())

    def height(self, x: Array, y: Array) -> tuple[Any, Any, Any]:
        """Compute the height h [m] and the slopes ∂h/∂x, ∂h/∂y of the terrain at x, y [m]."""
        nx, ny = self.heights.shape
        along_x, along_y = self._nodes(x, 0, nx), self._nodes(y, 1, ny)
        table = self._table if records(x) or records(y) else self.heights.ravel()
        h = h_x = h_y = 0.0
        for i, w, dw in along_x:
            row = row_y = 0.0
            for j, v, dv in along_y:
                H = gather(table, i * ny + j)
                row, row_y = row + v * H, row_y + dv * H
            h, h_x, h_y = h + w * row, h_x + dw * row, h_y + w * row_y
        return h + self.origin[2], h_x, h_y

    def _nodes(self, x, axis: int, n: int):
        """Return (node, weight, derivative of the weight [1/m]) for the nodes near x along an axis with n nodes."""
        free = (x - self.origin[axis]) / self.spacing[axis]
        f = clip(free, 0.0, n - 1.0)
        rate = where(equal(free, f), 1.0 / self.spacing[axis], 0.0)
        if not self.smooth:
            i = clip(floor(f), 0.0, n - 2.0)
            a = f - i
            return [(i, 1.0 - a, -rate), (i + 1.0, a, rate)]
        i = nearest(f)
        a = f - i
        below, above = clip(i - 1.0, 0.0, n - 1.0), clip(i + 1.0, 0.0, n - 1.0)
        return [
            (below, 0.5 * (0.5 - a) * (0.5 - a), (a - 0.5) * rate),
            (i, 0.75 - a * a, -2.0 * a * rate),
            (above, 0.5 * (0.5 + a) * (0.5 + a), (0.5 + a) * rate),
        ]

    def distance(self, p: Array) -> tuple[Any, Any]:
        """Compute gap [m] and normal (3,) at a point p (3,) [m], by equation (3) of this module."""
        h, h_x, h_y = self.height(p[0], p[1])
        n_z = 1.0 / sqrt(1.0 + h_x * h_x + h_y * h_y)
        return (p[2] - h) * n_z, np.array([-h_x * n_z, -h_y * n_z, n_z])


def _numbers(heights):
    """Convert heights to floats; raise InputError that names the first node with a height that is not finite."""
    if heights.dtype.kind not in "fiu":
        raise InputError(f"A height field has heights of type {heights.dtype}. Give numbers [m].")
    heights = heights.astype(float)
    bad = np.argwhere(~(abs(heights) < float("inf")))
    if len(bad):
        i, j = bad[0]
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise InputError(
            f"A height field has height {heights[i, j]} at node ({i}, {j}){more}. Give finite numbers [m]."
        )
    return heights
