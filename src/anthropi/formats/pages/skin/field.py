"""Compute a smooth surface around the solids of a figure, as the level set of a field, and mesh it.

Each solid i has a distance d_i, negative inside, and a softness h_i, a fraction of its thickness. With
e_i = exp(-d_i / h_i), the surface is

    S = Σ exp(-d_i / h_i) = LEVEL                                              (1)
    distance to it ≈ -H log(S / LEVEL),  H = Σ e_i h_i / S                     (2)
    gradient of S = -Σ e_i ∇d_i / h_i                                          (3)

Thin solids such as fingers keep their shape, while thick neighbours such as trunk and neck merge smoothly. The order of
the solids does not matter.

    ellipsoid  d = k (k - 1) / |x / r²|,  k = |x / r|                          (4)  accurate near its surface
    capsule    d = |x - nearest point of the axis| - r                         (5)
    box        d as in `contact.geometry.surfaces`, edges rounded by a tenth   (6)
    cylinder   the same in (ρ, z)                                              (7)

The mesh is computed with surface nets: one vertex for each grid cell and one quad for each grid edge that the surface
crosses (S. F. F. Gibson, 1998, Constrained elastic surface nets, MICCAI, doi:10.1007/BFb0056277).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = ["LEVEL", "Lump", "distances", "field", "grid_of", "nets", "reached", "thickness"]


LEVEL = 1.35  # above 1, to compensate for the swelling where solids merge
SOFTNESS = 0.20  # h relative to the thickness
MAX_REACH = 5.0  # distance in units of h beyond which a solid does not contribute
MAX_DEPTH = 12.0  # largest depth inside a solid, in units of h; greater depths are clipped
MIN_LENGTH = 1e-12


class Lump(NamedTuple):
    """A solid in the bind pose: kind and size as in `pictures.solids`, rotation (3, 3), centre (3,), link, colour."""

    kind: str
    size: tuple[Any, ...]
    rotation: np.ndarray
    middle: np.ndarray
    link: int
    colour: tuple[Any, ...]

    @property
    def soft(self) -> float:
        """Softness h [m] in (1)."""
        return SOFTNESS * thickness(self.kind, self.size)

    def box(self, more: float) -> np.ndarray:
        """Return two opposite corners (2, 3) of a box around the solid, enlarged by `more` [m]."""
        if self.kind == "ellipsoid":
            half = np.linalg.norm(self.rotation * np.asarray(self.size), axis=1)
        elif self.kind == "box":
            half = np.abs(self.rotation * (0.5 * np.asarray(self.size))).sum(1)
        elif self.kind == "sphere":
            half = np.full(3, self.size[0])
        else:
            half = self.size[0] + 0.5 * self.size[1] * np.abs(self.rotation[:, 2])
        return self.middle + np.array([-1.0, 1.0])[:, None] * (half + more)


def thickness(kind: str, size: Any) -> float:
    """Return the smallest half width of a solid [m]."""
    if kind == "ellipsoid":
        return float(min(size))
    if kind == "box":
        return 0.5 * float(min(size))
    return float(size[0])


def distances(lump: Lump, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the distance (…,) of points (…, 3) from a solid, and its gradient (…, 3), in the world frame."""
    C = lump.rotation.astype(points.dtype)
    x = (points - lump.middle.astype(points.dtype)) @ C
    if lump.kind == "ellipsoid":
        r = np.asarray(lump.size, x.dtype)
        k = np.sqrt((x * x / (r * r)).sum(-1)) + MIN_LENGTH
        scaled = x / (r * r)
        k2 = np.sqrt((scaled * scaled).sum(-1)) + MIN_LENGTH
        d = k * (k - 1.0) / k2
        direction = scaled / k2[..., None]
    elif lump.kind in ("sphere", "capsule"):
        half = 0.5 * lump.size[1] if lump.kind == "capsule" else 0.0
        near = x.copy()
        near[..., 2] -= np.clip(x[..., 2], -half, half)
        length = np.sqrt((near * near).sum(-1)) + MIN_LENGTH
        d, direction = length - lump.size[0], near / length[..., None]
    else:
        d, direction = _edged(lump, x)
    return d, direction @ C.T


def _edged(lump: Lump, x):
    """Compute the distance and its gradient for boxes (6) and cylinders (7), at points x in the solid's frame."""
    if lump.kind == "box":
        half, w = 0.5 * np.asarray(lump.size, x.dtype), np.abs(x)
    else:
        rho = np.sqrt(x[..., 0] ** 2 + x[..., 1] ** 2)
        half, w = np.array([lump.size[0], 0.5 * lump.size[1]], x.dtype), np.stack([rho, np.abs(x[..., 2])], -1)
    rounding = 0.2 * half.min()
    w = w - (half - rounding)
    out = np.maximum(w, 0.0)
    length = np.sqrt((out * out).sum(-1))
    inside = np.minimum(w.max(-1), 0.0)
    face = np.where(w == w.max(-1, keepdims=True), 1.0, 0.0)
    direction = np.where((length > MIN_LENGTH)[..., None], out / np.maximum(length, MIN_LENGTH)[..., None], face)
    if lump.kind != "box":
        flat = x[..., :2] / np.maximum(rho, MIN_LENGTH)[..., None]
        direction = np.concatenate([direction[..., :1] * flat, direction[..., 1:] * np.sign(x[..., 2:])], -1)
    else:
        direction = direction * np.sign(x)
    return length + inside - rounding, direction


def reached(lumps: Sequence[Lump], points: np.ndarray, more: float) -> list[np.ndarray]:
    """Return for each solid the indices of the points near enough for it to contribute, plus a margin `more` [m]."""
    found = []
    for lump in lumps:
        (x0, y0, z0), (x1, y1, z1) = lump.box(max(MAX_REACH * lump.soft, thickness(lump.kind, lump.size)) + more)
        at = np.flatnonzero((points[:, 2] > z0) & (points[:, 2] < z1))
        x, y = points[at, 0], points[at, 1]
        found.append(at[(x > x0) & (x < x1) & (y > y0) & (y < y1)])
    return found


def field(lumps: Sequence[Lump], points: np.ndarray, places: Any) -> tuple[np.ndarray, np.ndarray]:
    """Compute the distance (n,) from the surface (2) and the unit normal (n, 3) at points (n, 3) near it.

    places : for each solid, the indices of the points to which it contributes, from `reached`.
    """
    S, H = np.full(len(points), 1e-30), np.zeros(len(points))
    gradient = np.zeros((len(points), 3))
    for lump, at in zip(lumps, places, strict=True):
        d, direction = distances(lump, points[at])
        e = np.exp(np.minimum(-d / lump.soft, MAX_DEPTH))
        S[at] += e
        H[at] += e * lump.soft
        gradient[at] += (e / lump.soft)[:, None] * direction
    length = np.linalg.norm(gradient, axis=-1, keepdims=True)
    return -(H / S) * np.log(S / LEVEL), gradient / np.maximum(length, MIN_LENGTH)


CORNERS = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 1]


def grid_of(
    lumps: Sequence[Lump], low: np.ndarray, cell: float, shape: tuple[int, int, int], reach: float, deep: float
) -> np.ndarray:
    """Compute log(S / LEVEL) of (1) at the nodes low + cell (i, j, k) of a grid.

    reach, deep : largest distance outside and depth inside a solid that count, in units of its softness h.
    """

    S = np.zeros(shape, np.float32)
    for lump in lumps:
        box = lump.box(reach * lump.soft)
        first = np.maximum(np.ceil((box[0] - low) / cell).astype(int), 0)
        last = np.minimum(np.floor((box[1] - low) / cell).astype(int) + 1, shape)
        if (last <= first).any():
            continue
        axes = [low[a] + cell * np.arange(first[a], last[a]) for a in range(3)]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).astype(np.float32)
        d, _ = distances(lump, points)
        where = tuple(slice(a, b) for a, b in zip(first, last, strict=True))
        S[where] += np.exp(np.minimum(-d / np.float32(lump.soft), deep))
    return np.log(np.maximum(S, 1e-30)) - np.log(LEVEL)


def nets(g: np.ndarray, low: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Mesh the surface g = 0, where g is positive inside.

    Returns vertices (n, 3) and quads (m, 4), counter-clockwise seen from outside.
    """
    inside = g > 0.0
    n = np.array(g.shape) - 1
    views = [inside[i : i + n[0], j : j + n[1], k : k + n[2]] for i, j, k in CORNERS]
    count = np.sum(views, axis=0, dtype=np.int8)
    cells = np.argwhere((count > 0) & (count < 8))
    number = np.full(tuple(n), -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    at = cells[:, None, :] + CORNERS
    values = np.clip(g[at[..., 0], at[..., 1], at[..., 2]], -8.0, 8.0).astype(float)
    total, hits = np.zeros((len(cells), 3)), np.zeros((len(cells), 1))
    for a, b in EDGES:
        va, vb = values[:, a], values[:, b]
        crosses = (va > 0.0) != (vb > 0.0)
        s = np.where(crosses, va / np.where(crosses, va - vb, 1.0), 0.0)[:, None]
        total += np.where(crosses[:, None], CORNERS[a] + s * (CORNERS[b] - CORNERS[a]), 0.0)
        hits += crosses[:, None]
    points = low + cell * (cells + total / np.maximum(hits, 1.0))
    quads = [_quads(inside, number, axis) for axis in range(3)]
    return points, np.concatenate(quads)


def _quads(inside, number, axis: int) -> np.ndarray:
    """Return the quads (m, 4) across those grid edges along an axis that the surface crosses."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    here = [slice(None)] * 3
    there = [slice(None)] * 3
    here[axis], there[axis] = slice(None, -1), slice(1, None)
    a, b = inside[tuple(here)], inside[tuple(there)]
    edges = np.argwhere(a != b)
    edges = edges[(edges[:, one] > 0) & (edges[:, two] > 0)]
    edges = edges[(edges[:, one] < inside.shape[one] - 1) & (edges[:, two] < inside.shape[two] - 1)]
    outward = a[tuple(edges.T)]
    corners = []
    for i, j in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
        step = np.zeros(3, int)
        step[one], step[two] = i, j
        corners.append(number[tuple((edges + step).T)])
    quad = np.stack(corners, -1)
    return np.where(outward[:, None], quad, quad[:, ::-1])
