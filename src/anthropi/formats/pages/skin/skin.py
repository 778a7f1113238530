"""Make the skin of a figure: a smooth surface around all its solids, where each vertex moves with at most four links.

The surface is meshed in the bind pose (`bind`) as a level set of the field of the merged solids (`field`). The cell
size is proportional to the figure's size, and smaller around thin links such as hands. The vertices are then projected
onto the surface. With d_j the distance of a vertex from link j, and r the thickness of the nearest link i, the weights
are

    w_j ~ exp(-(d_j - d_i) / (WEIGHT_SPREAD r)),  j = i, its parent, its children, and near the parent its siblings  (1)

and are smoothed along the surface. The same figure always gives the same skin.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.figure import Figure
from anthropi.formats.pages.meshes import packed, unpacked
from anthropi.formats.pages.skin.bind import bind_pose
from anthropi.formats.pages.skin.body import body_skin
from anthropi.formats.pages.skin.field import (
    MAX_DEPTH,
    MAX_REACH,
    Lump,
    distances,
    field,
    grid_of,
    nets,
    reached,
    thickness,
)
from anthropi.formats.pages.skin.weights import in_parts, largest_four, smoothed
from anthropi.pictures.solids import scene_of

__all__ = ["Skin", "make_skin", "skin_of", "unpacked_vertices"]

CELLS, FINE_FACTOR = 125, 3  # number of cells along the figure's size; factor by which cells around thin links shrink
THIN_LINK_CELLS = 1.1  # links thinner than this number of cells are meshed with small cells
MAX_NODES = 6_000_000  # largest number of nodes of a grid
WEIGHT_SPREAD, SMOOTHING_PASSES = 0.5, 4


class Skin(NamedTuple):
    """A skin in the bind pose.

    positions, normals : (n, 3). colours : (n, 3), 0 to 255. joints : (n, 4), the links with which a vertex moves, as
    indices into the links of the skin. weights : (n, 4), their weights. triangles : (m, 3), counter-clockwise seen from
    outside. bind : (links, 7), position and quaternion of each link in the bind pose.
    """

    positions: np.ndarray
    normals: np.ndarray
    colours: np.ndarray
    joints: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    bind: np.ndarray


_made: dict[tuple[Any, ...], Skin | None] = {}


def make_skin(figure: Figure, links: Sequence[int] | None = None) -> Skin | None:
    """Make the skin of a figure, or of some of its links; None if fewer than two links have solids.

    The skins of recent figures are kept and reused.
    """
    own = tuple(range(figure.n)) if links is None else tuple(links)
    place = (figure.key, own)
    if place not in _made:
        if len(_made) > 32:
            _made.pop(next(iter(_made)))
        _made[place] = _make(figure, own)
    return _made[place]


def skin_of(figure: Figure, own: tuple[Any, ...]) -> dict[Any, Any] | None:
    """Return the skin of the links `own` of a figure as packed arrays for JSON; None if it has no skin.

    Positions are in 65535ths of a box, normals in 127ths, weights in 255ths.
    """
    skin = make_skin(figure, own)
    if skin is None:
        return None
    low = skin.positions.min(0).astype(float)
    span = np.maximum(np.ptp(skin.positions, axis=0).astype(float), 1e-9)
    return {
        "positions": packed(np.rint((skin.positions - low) * (65535.0 / span)), "u2"),
        "box": [[float(x) for x in low], [float(x) for x in span]],
        "normals": packed(np.rint(128.0 + 127.0 * skin.normals), "u1"),
        "colours": packed(skin.colours, "u1"),
        "joints": packed(skin.joints, "u1" if len(skin.bind) <= 256 else "u2"),
        "weights": packed(in_parts(skin.weights, 255), "u1"),
        "indices": packed(skin.triangles.ravel(), "u2" if len(skin.positions) < 65536 else "u4"),
        "bind": packed(skin.bind),
    }


def unpacked_vertices(skin: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions (n, 3) and unit normals (n, 3) of a packed skin."""
    low, span = (np.array(x) for x in skin["box"])
    normals = unpacked(skin["normals"]) - 128.0
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return low + unpacked(skin["positions"]) * (span / 65535.0), normals


def _make(figure, own: tuple[Any, ...]) -> Skin | None:
    person = body_skin(figure, own)
    return around_solids(figure, own) if person is None else Skin(*person)


def around_solids(figure: Figure, own: tuple[Any, ...]) -> Skin | None:
    """Make the skin around the solids of any figure."""
    k0, still = kinematics(figure, figure.neutral()), scene_of(figure, figure.neutral())
    solids: dict[int, list[Any]] = {}
    colours: dict[int, list[Any]] = {}
    for s in still.solids:
        if s.link in own and figure.links[s.link].name.partition("/")[0] != "scenery":
            C, p = k0.rotation[s.link], k0.position[s.link]
            solids.setdefault(s.link, []).append((s.kind, s.size, C.T @ s.rotation, C.T @ (s.middle - p)))
            colours.setdefault(s.link, []).append(s.colour)
    if len(solids) < 2:
        return None
    size = _size([s for s in still.solids if s.link in solids])
    q = bind_pose(figure, own, solids, size)
    k = kinematics(figure, q)
    lumps = [
        Lump(kind, sides, k.rotation[i] @ C, k.position[i] + k.rotation[i] @ m, i, colour)
        for i in own
        if i in solids
        for (kind, sides, C, m), colour in zip(solids[i], colours[i], strict=True)
    ]
    points, triangles = _surface(lumps, size / CELLS)
    if not len(triangles):
        return None
    places = reached(lumps, points, 2.0 * size / CELLS)
    for _ in range(2):
        d, normals = field(lumps, points, places)
        points = points - np.clip(d, -0.01 * size, 0.01 * size)[:, None] * normals
    _, normals = field(lumps, points, places)
    shades, near = _near(lumps, points, own, places)
    joints, weights = _weights(figure, own, near, lumps, triangles)
    turns = quaternion_from_matrix(k.rotation[list(own)])
    bind = np.concatenate([k.position[list(own)], turns], -1)
    return Skin(points.astype(np.float32), normals.astype(np.float32), shades, joints, weights, triangles, bind)


def _size(solids) -> float:
    ends = np.array([s.middle + sign * s.reach(e) * e for s in solids for e in np.eye(3) for sign in (-1.0, 1.0)])
    return float(np.ptp(ends, axis=0).max())


def _surface(lumps, cell: float):
    """Mesh the surface with cells of size `cell` [m], and smaller cells around thin links.

    Returns vertices (n, 3) and triangles (m, 3).
    """
    boxes = _fine_boxes(lumps, cell)
    low, high = _around(lumps, 2.0 * cell)
    points, quads = _net(lumps, low, high, cell)
    kept = np.ones(len(quads), bool)
    middle = points[quads].mean(1)
    for box in boxes:
        kept &= ~((middle > box[0] + cell) & (middle < box[1] - cell)).all(-1)
    sheets = [(points, quads[kept])]
    for box in boxes:
        fine, more = _net(lumps, box[0], box[1], cell / FINE_FACTOR)
        sheets.append((fine, more))
    at, all_points, all_quads = 0, [], []
    for x, q in sheets:
        used = np.unique(q)
        new = np.full(len(x), -1)
        new[used] = np.arange(len(used)) + at
        all_points.append(x[used])
        all_quads.append(new[q])
        at += len(used)
    points, quads = np.concatenate(all_points), np.concatenate(all_quads)
    return points, _triangles(points, quads)


def _net(lumps, low, high, cell: float):
    shape = np.ceil((high - low) / cell).astype(int) + 1
    while shape.prod() > MAX_NODES:
        cell *= 1.3
        shape = np.ceil((high - low) / cell).astype(int) + 1
    return nets(grid_of(lumps, low, cell, shape, MAX_REACH, MAX_DEPTH), low, cell)


def _around(lumps, more: float):
    boxes = np.array([lump.box(more + 2.0 * lump.soft) for lump in lumps])
    return boxes[:, 0].min(0), boxes[:, 1].max(0)


def _fine_boxes(lumps, cell: float) -> list[np.ndarray]:
    """Return boxes (2, 3) around links with mostly thin solids. Overlapping boxes are merged."""
    found = []
    for i in dict.fromkeys(lump.link for lump in lumps):
        mine = [lump for lump in lumps if lump.link == i]
        if np.median([thickness(lump.kind, lump.size) for lump in mine]) < THIN_LINK_CELLS * cell:
            found.append(np.array(_around(mine, 2.0 * cell)))
    merged = True
    while merged:
        merged = False
        for a in range(len(found)):
            for b in range(a + 1, len(found)):
                if (found[a][0] < found[b][1]).all() and (found[b][0] < found[a][1]).all():
                    found[a] = np.array([np.minimum(found[a][0], found[b][0]), np.maximum(found[a][1], found[b][1])])
                    del found[b]
                    merged = True
                    break
            if merged:
                break
    return found


def _triangles(points, quads) -> np.ndarray:
    """Cut each quad along its shorter diagonal. Returns triangles (2 m, 3)."""
    a, b, c, d = quads.T
    first = np.linalg.norm(points[a] - points[c], axis=-1) <= np.linalg.norm(points[b] - points[d], axis=-1)
    one = np.where(first, [a, b, c], [b, c, d]).T
    two = np.where(first, [a, c, d], [b, d, a]).T
    return np.concatenate([one, two]).astype(np.uint32)


def _near(lumps, points, own, places):
    """Compute the colours (n, 3) of points and their distances (n, links) from each link."""
    number = {i: k for k, i in enumerate(own)}
    near = np.full((len(points), len(own)), np.inf)
    total, shade = np.zeros((len(points), 1)), np.zeros((len(points), 3))
    for lump, at in zip(lumps, places, strict=True):
        d, _ = distances(lump, points[at])
        k = number[lump.link]
        near[at, k] = np.minimum(near[at, k], d)
        e = np.exp(np.clip(-d / lump.soft, -30.0, MAX_DEPTH))[:, None]
        total[at] += e
        shade[at] += e * np.asarray(lump.colour)
    shade = np.where(total > 0.0, shade / np.maximum(total, 1e-30), 0.8)
    return np.clip(np.rint(255.0 * shade), 0, 255).astype(np.uint8), near


def _weights(figure, own, near, lumps, triangles):
    """Compute the weights (1). Return the indices of at most four links for each vertex and their weights, (n, 4)."""
    number = {i: k for k, i in enumerate(own)}
    count = len(own)
    thick = np.full(count, np.inf)
    for k, i in enumerate(own):
        mine = [thickness(lump.kind, lump.size) for lump in lumps if lump.link == i]
        thick[k] = max(mine) if mine else np.inf
    parent = np.array([number.get(figure.parent[i], -1) for i in own])
    nearest = near.argmin(1)
    spread = WEIGHT_SPREAD * thick[nearest][:, None]
    w = np.exp(np.maximum(-(near - near.min(1, keepdims=True)) / spread, -60.0))
    w[~np.isfinite(near)] = 0.0
    beside = np.zeros((count, count))
    above = np.full((count, count), -1)
    for a in range(count):
        for b in range(count):
            if a == b or parent[a] == b or parent[b] == a:
                beside[a, b] = 1.0
            elif parent[a] >= 0 and parent[a] == parent[b]:
                above[a, b] = parent[a]
    allowed = beside[nearest]
    for a in range(count):
        for b in np.flatnonzero(above[a] >= 0).tolist():
            rows = nearest == a
            allowed[rows, b] = w[rows, above[a, b]]
    w = w * allowed
    w /= w.sum(1, keepdims=True)
    w = smoothed(w, triangles, SMOOTHING_PASSES)
    return largest_four(w)
