"""Where does a field on a grid pass its level? Surface nets: one vertex a cell that the surface crosses, one quad an
edge that it crosses (Gibson, Constrained elastic surface nets, 1998). Even quads, no table of cases. Floats only.
"""

import numpy as np

__all__ = ["grid_of", "nets"]

CORNERS = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 1]


def grid_of(lumps, low, cell: float, shape, reach: float, deep: float) -> np.ndarray:
    """S of (1) in `field`, at the nodes low + cell (i, j, k) of a grid; each solid only where it counts."""
    from anthropi.studio.skin.field import distances

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
    return S


def nets(S: np.ndarray, level: float, low, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and quads (m, 4), seen from outside against the clock. S : more inside."""
    g = np.log(np.maximum(S, 1e-30)) - np.log(level)
    inside = g > 0.0
    n = np.array(S.shape) - 1
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
    """The quads across the edges along an axis."""
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
