"""Matrices in turned axes, C X Cᵀ, with no more products than the structure of the turn C asks for.

A turn keeps the trace, and turns the vector of what is not symmetric, so four entries follow from the others:

    symmetric X    x'_ij = c_i · X c_j for ij = 00, 01, 02, 11, 12;   x'_22 = tr X - x'_00 - x'_11              (1)
    any X          the same, and x'_ji = x'_ij ± w'_k,   w' = C w,   w the vector of X - Xᵀ                     (2)

Where C turns in a coordinate plane (a hinge, a screw, a joint on a table) by cosine c and sine s, entries of the plane
(x, y; z, t) become

    e = c (x - t) - s (y + z):   x' = t + c e,   t' = x - c e,   y' = y + s e,   z' = z + s e                   (3)

and those that the third axis has with the plane turn like vectors: 54 operations for the blocks of an articulated
inertia, 198 by (1), (2), 240 by products. Errors are those of C X Cᵀ: rounding of the largest entry.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, matvec, stacked, transpose

__all__ = ["Plane", "plane_of", "turned", "turned_symmetric"]


class Plane(NamedTuple):
    """What C does in a coordinate plane: v'_i = c v_a - s m v_b,  v'_j = s v_a + c m v_b;  beside it v'_to = sign v_of.

    m is -1 where C changes the sense of the plane, as it does when it turns the third axis round.
    """

    of: int
    to: int
    sign: float
    a: int
    b: int
    i: int
    j: int
    c: Any
    s: Any
    m: float


def plane_of(C) -> Plane | None:
    """Does C (…, 3, 3) turn in a coordinate plane, axes swapped or turned round at most? Its zeros must be constants."""
    for to in range(3):
        for of in range(3):
            sign = next((x for x in (1.0, -1.0) if _always(C[..., to, of], x)), None)
            if sign is None:
                continue
            i, j, a, b = (to + 1) % 3, (to + 2) % 3, (of + 1) % 3, (of + 2) % 3
            if not all(_always(x, 0.0) for x in (C[..., to, a], C[..., to, b], C[..., i, of], C[..., j, of])):
                continue
            c, s = C[..., i, a][()], C[..., j, a][()]
            if _always(C[..., j, b] - sign * c, 0.0) and _always(C[..., i, b] + sign * s, 0.0):
                return Plane(of, to, sign, a, b, i, j, c, s, sign)
    return None


def _always(x, value: float) -> bool:
    """Whether x is this number, not by luck: a constant, in every one of a batch."""
    return all(isinstance(y, (int, float)) and y == value for y in np.asarray(x).ravel().tolist())


def turned_symmetric(C, packed):
    """C X Cᵀ of a symmetric X, both as packed upper triangles (…, 6) (1), (3)."""
    plane = plane_of(C)
    entries = [packed[..., k][()] for k in range(6)]
    if plane is not None:
        X = [entries[0:3], [entries[1], entries[3], entries[4]], [entries[2], entries[4], entries[5]]]
        e = plane.c * (X[plane.a][plane.a] - X[plane.b][plane.b]) - 2.0 * plane.s * (plane.m * X[plane.a][plane.b])
        rows = _in_plane(plane, X, e)
        return stacked([rows[i][j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))])
    a, b, c, d, e, f = entries
    off = 0.0 if any(_always(x, 0.0) for x in (a, d, f)) else f  # a multiple of 1 is the same in all axes
    X = full(stacked([a - off, b, c, d - off, e, f - off]))
    P = C[..., :2, :] @ X
    xx, xy, xz = ((P[..., 0, :] * C[..., k, :]).sum(-1) for k in range(3))
    yy, yz = ((P[..., 1, :] * C[..., k, :]).sum(-1) for k in (1, 2))
    zz = X[..., 0, 0] + X[..., 1, 1] + X[..., 2, 2] - xx - yy
    return stacked([xx + off, xy, xz, yy + off, yz, zz + off])


def turned(C, X):
    """C X Cᵀ of any X (…, 3, 3) (2), (3)."""
    plane = plane_of(C)
    if plane is not None:
        x = [[X[..., i, j][()] for j in range(3)] for i in range(3)]
        e = plane.c * (x[plane.a][plane.a] - x[plane.b][plane.b]) - plane.s * (
            plane.m * (x[plane.a][plane.b] + x[plane.b][plane.a])
        )
        return stacked([stacked(row) for row in _in_plane(plane, x, e)], axis=-2)
    P = C[..., :2, :] @ X
    xx, xy, xz = ((P[..., 0, :] * C[..., k, :]).sum(-1) for k in range(3))
    yy, yz = ((P[..., 1, :] * C[..., k, :]).sum(-1) for k in (1, 2))
    zz = X[..., 0, 0] + X[..., 1, 1] + X[..., 2, 2] - xx - yy
    w = matvec(C, stacked([X[..., i, j] - X[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))]))
    u, v, w = (w[..., k] for k in range(3))
    return stacked([stacked([xx, xy, xz]), stacked([xy + w, yy, yz]), stacked([xz - v, yz + u, zz])], axis=-2)


def _in_plane(plane: Plane, X, e):
    """(3), with e known: rows of entries."""
    of, to, sign, a, b, i, j, c, s, m = plane
    new: list[list] = [[0.0] * 3 for _ in range(3)]
    along, across = c * e, s * e
    new[i][i], new[j][j], new[to][to] = X[b][b] + along, X[a][a] - along, X[of][of]
    new[i][j], new[j][i] = m * X[a][b] + across, m * X[b][a] + across
    for x, y, here in ((X[a][of], X[b][of], lambda k, v: new[k].__setitem__(to, v)),
                       (X[of][a], X[of][b], lambda k, v: new[to].__setitem__(k, v))):  # fmt: skip
        x, y = sign * x, sign * (m * y)
        here(i, c * x - s * y)
        here(j, s * x + c * y)
    return new
