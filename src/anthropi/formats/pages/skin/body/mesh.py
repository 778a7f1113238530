"""Mesh a distance field in regions with cells of different sizes, and join the regions to one closed surface.

Each region is meshed by surface nets (`skin.field`) in its own frame, up to planes that separate it from others. The
rings of edges that are left open on the two sides of a plane are joined by a strip of triangles. The mesh can be cut
along curves on its surface, so that the colours of its parts meet in sharp, smooth edges, and parts of it can be raised
as layers.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from anthropi.formats.pages.skin.field import nets

__all__ = ["Plane", "Region", "closed_mesh", "cut_along", "layered", "project", "tangent"]

BLOCK = 6  # cells along a side of the blocks that are tested first
GAP = 0.25  # distance of an open ring from the plane that ends its region, in cells
STEPS = 1  # of the projection onto the surface after the first
FIELD_MARGIN = 6.0  # distances up to this are accurate in the cells that the surface crosses
MIN_CURVE_DISTANCE = 1e-3  # distance of a vertex from a curve that counts as on one side
TETRAHEDRON = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]) / np.sqrt(3.0)

Field = Callable[[np.ndarray, float], np.ndarray]


class Plane(NamedTuple):
    """A plane that ends a region: a point on it and the direction out of the region. radius : of the part that ends."""

    point: np.ndarray
    normal: np.ndarray
    radius: float

    def beyond(self, points: np.ndarray) -> np.ndarray:
        """Return how far points lie beyond the plane; points that are far to the side of it are not beyond."""
        away = points - self.point
        over = away @ self.normal
        side = np.linalg.norm(away - over[..., None] * self.normal, axis=-1)
        return np.where(side < self.radius, over, -np.inf)


class Region(NamedTuple):
    """A box in a frame, meshed with one cell size. frame : (3, 3), columns: its axes. low, high : its corners."""

    frame: np.ndarray
    low: np.ndarray
    high: np.ndarray
    cell: float
    ends: tuple[Plane, ...]


def closed_mesh(field: Field, regions: list[Region]) -> tuple[np.ndarray, np.ndarray]:
    """Mesh a field. The first region is joined with each of the others at one of its ends, in their order.

    Returns vertices (n, 3) and triangles (m, 3), counter-clockwise seen from outside.
    """
    points, faces, rings, count = [], [], [], 0
    for region in regions:
        x, triangles = _part(field, region)
        triangles = triangles + count
        points.append(x)
        faces.append(triangles)
        rings.append(_rings(triangles))
        count += len(x)
    every = np.concatenate(points)
    for end, own in zip(regions[0].ends, rings[1:], strict=True):
        one, two = (_nearest(every, given, end.point) for given in (rings[0], own))
        faces.append(_strip(every, one, two))
    return every, np.concatenate(faces)


def project(field: Field, points: np.ndarray, reach: float = 8.0) -> np.ndarray:
    """Move points onto the surface, along its normal near them."""
    d, normal = tangent(field, points)
    points = points - np.clip(d, -reach, reach)[:, None] * normal
    for _ in range(STEPS):
        points = points - np.clip(field(points, FIELD_MARGIN), -reach, reach)[:, None] * normal
    return points


def tangent(field: Field, points: np.ndarray, span: float = 0.35) -> tuple[np.ndarray, np.ndarray]:
    """Return the distance (n,) and the unit normal (n, 3) of the field at points, from four points around each."""
    around = points[:, None, :] + span * TETRAHEDRON
    d = field(around.reshape(-1, 3), FIELD_MARGIN).reshape(-1, 4)
    slope = 0.75 / span * (d @ TETRAHEDRON)
    long = np.linalg.norm(slope, axis=1)
    return d.mean(1) / np.maximum(long, 0.3), slope / np.maximum(long, 1e-9)[:, None]


def _part(field: Field, region: Region):
    """Mesh one region up to its ends, with its vertices on the surface. Returns vertices and triangles."""
    cell, low = region.cell, region.low
    shape = np.ceil((region.high - low) / (cell * BLOCK)).astype(int) * BLOCK + 1
    blocks = (shape - 1) // BLOCK
    middles = low + cell * BLOCK * (np.indices(tuple(blocks)).reshape(3, -1).T + 0.5)
    reach = 0.5 * np.sqrt(3.0) * cell * BLOCK
    d = field(middles @ region.frame.T, 2.0 * reach + 10.0)
    kept = np.abs(d) < 1.4 * reach + 6.0
    for end in region.ends:
        kept &= end.beyond(middles @ region.frame.T) < reach + 2.0 * cell
    g = np.repeat(np.repeat(np.repeat(np.where(d < 0.0, 1.0, -1.0).reshape(blocks), BLOCK, 0), BLOCK, 1), BLOCK, 2)
    g = np.pad(g, ((0, 1),) * 3, mode="edge")
    need = np.zeros(tuple(shape), bool)
    for i, j, k in np.argwhere(kept.reshape(blocks)) * BLOCK:
        need[i : i + BLOCK + 1, j : j + BLOCK + 1, k : k + BLOCK + 1] = True
    nodes = np.argwhere(need)
    g[need] = -field((low + cell * nodes) @ region.frame.T, 2.0 * cell + 1.0)
    points, quads = nets(g, low, cell)
    points = points @ region.frame.T
    points = project(field, points)
    triangles = _split(points, quads)
    for end in region.ends:
        over = np.maximum(end.beyond(points), -1e3) + GAP * cell
        table, triangles = cut_along(np.concatenate([points, over[:, None]], 1), triangles, 3)
        points = table[:, :3]
        triangles = triangles[table[triangles, 3].sum(1) < 0.0]
    triangles = _largest(triangles, len(points))
    used = np.unique(triangles)
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    return points[used], number[triangles]


def _largest(faces, count: int):
    """Return the faces of the largest connected part."""
    label = np.arange(count)
    while True:
        least = label[faces].min(1)
        new = label.copy()
        for k in range(faces.shape[1]):
            np.minimum.at(new, faces[:, k], least)
        new = new[new]
        if (new == label).all():
            break
        label = new
    own = label[faces[:, 0]]
    names, sizes = np.unique(own, return_counts=True)
    return faces[own == names[sizes.argmax()]]


def _split(points, quads) -> np.ndarray:
    """Cut each quad along its shorter diagonal. Returns triangles (2 m, 3)."""
    a, b, c, d = quads.T
    first = np.linalg.norm(points[a] - points[c], axis=-1) <= np.linalg.norm(points[b] - points[d], axis=-1)
    one = np.where(first, [a, b, c], [b, c, d]).T
    two = np.where(first, [a, c, d], [b, d, a]).T
    return np.concatenate([one, two])


def _rings(triangles) -> list[np.ndarray]:
    """Return the closed rings of open edges, in the direction of their triangles."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    count = int(edges.max()) + 1
    forth, back = edges @ [count, 1], edges @ [1, count]
    after: dict[int, list[int]] = {}
    for a, b in edges[~np.isin(back, forth)].tolist():
        after.setdefault(a, []).append(b)
    found = []
    while after:
        start = next(iter(after))
        ring, at = [start], start
        while True:
            nexts = after[at]
            at = nexts.pop()
            if not nexts:
                del after[ring[-1]]
            if at == start or at not in after:
                break
            ring.append(at)
        found.append(np.array(ring))
    return found


def _nearest(points, rings, point):
    """Return the ring around a point: the longest whose middle is near it."""
    near = [r for r in rings if len(r) > 5]
    return min(near, key=lambda r: float(np.linalg.norm(points[r].mean(0) - point)))


def _strip(points, one, two) -> np.ndarray:
    """Join two rings of open edges by triangles. The rings run in opposite directions."""
    one = one[::-1]  # the edges of the strip run against those of the triangles
    gap = np.linalg.norm(points[two] - points[one[0]], axis=1)
    two = np.roll(two, -int(gap.argmin()))
    m, n, i, j, found = len(one), len(two), 0, 0, []
    while i < m or j < n:
        a, b = one[i % m], two[j % n]
        up, over = one[(i + 1) % m], two[(j + 1) % n]
        along = j == n or (i < m and np.linalg.norm(points[up] - points[b]) <= np.linalg.norm(points[over] - points[a]))
        if along:
            found.append((a, up, b))
            i += 1
        else:
            found.append((a, over, b))
            j += 1
    return np.array(found)


def cut_along(table: np.ndarray, triangles: np.ndarray, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Cut triangles (m, 3) where a column of the table (n, …) of values at the vertices changes its sign.

    Returns the table with rows for the new vertices, interpolated between the ends of their edges, and the triangles.
    """
    f = table[:, column]
    f = np.where(np.abs(f) < MIN_CURVE_DISTANCE, MIN_CURVE_DISTANCE, f)
    above = (f > 0.0)[triangles]
    count = above.sum(1)
    mixed = (count == 1) | (count == 2)
    if not mixed.any():
        return table, triangles
    given, up = triangles[mixed], above[mixed]
    lone = np.where(count[mixed] == 1, up.argmax(1), (~up).argmax(1))
    rows = np.arange(len(given))
    a, b, c = (given[rows, (lone + k) % 3] for k in range(3))
    edges = np.concatenate([np.stack([a, b], 1), np.stack([a, c], 1)])
    edges.sort(axis=1)
    unique, at = np.unique(edges, axis=0, return_inverse=True)
    at = at.ravel() + len(table)
    s = (f[unique[:, 0]] / (f[unique[:, 0]] - f[unique[:, 1]]))[:, None]
    new = table[unique[:, 0]] * (1.0 - s) + table[unique[:, 1]] * s
    new[:, column] = 0.0
    ab, ac = at[: len(given)], at[len(given) :]
    parts = [np.stack(three, 1) for three in ((a, ab, ac), (ab, b, c), (ab, c, ac))]
    return np.concatenate([table, new]), np.concatenate([triangles[~mixed], *parts])


def layered(
    points: np.ndarray, normals: np.ndarray, triangles: np.ndarray, layer: np.ndarray, rise: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Raise layers of a mesh along its normals and close the gaps at their edges by hems.

    layer : (m,) number of the layer of each triangle. rise : (n, layers), height of each layer at each vertex.
    Returns the vertex that each new vertex comes from, its layer, its position and normal, and the triangles.
    """
    n = len(points)
    key = triangles + n * layer[:, None]
    used, corner = np.unique(key, return_inverse=True)
    source, own = used % n, used // n
    placed = points[source] + rise[source, own][:, None] * normals[source]
    faces = corner.reshape(-1, 3)

    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owner = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((edges.max(1), edges.min(1)))
    edges, owner = edges[order], owner[order]
    same = (edges[1:] == edges[:-1, ::-1]).all(1)
    one, two = np.flatnonzero(same), np.flatnonzero(same) + 1
    differ = layer[owner[one]] != layer[owner[two]]
    one, two = one[differ], two[differ]
    height = np.array([rise[e, [layer[owner[k]]]].sum() for e, k in zip(edges[one], one, strict=True)])
    other = np.array([rise[e, [layer[owner[k]]]].sum() for e, k in zip(edges[one], two, strict=True)])
    swap = other > height
    high, low = np.where(swap, two, one), np.where(swap, one, two)  # the hem belongs to the higher layer
    i, j = edges[high].T
    a, b = layer[owner[high]], layer[owner[low]]
    along = points[j] - points[i]
    out = np.cross(along, normals[i] + normals[j])  # away from the triangle of the edge i → j
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    pair = (a * (layer.max() + 1) + b) * n
    hem, corner = np.unique(np.concatenate([pair + i, pair + j]), return_inverse=True)
    count = len(hem)
    facing = np.zeros((count, 3))
    np.add.at(facing, corner, np.concatenate([out, out]))
    facing /= np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-9)
    h, code = hem % n, hem // n
    top, bottom = code // (layer.max() + 1), code % (layer.max() + 1)
    raised = [points[h] + rise[h, k][:, None] * normals[h] for k in (top, bottom)]
    first = len(used)
    ci, cj = corner[: len(i)] + first, corner[len(i) :] + first
    strip = np.concatenate([np.stack([cj, ci, ci + count], 1), np.stack([cj, ci + count, cj + count], 1)])
    return (
        np.concatenate([source, h, h]),
        np.concatenate([own, top, top]),
        np.concatenate([placed, *raised]),
        np.concatenate([normals[source], facing, facing]),
        np.concatenate([faces, strip]),
    )
