"""Matrices in turned axes, C X Cᵀ, with no more products than the structure of the turn C asks for.

A turn keeps the trace, and turns the vector of what is not symmetric, so that entries follow from others:

    symmetric X    x'_ij = c_i · X c_j for ij = 00, 01, 02, 11, 12;   x'_22 = tr X - x'_00 - x'_11            (1)
    any X          the same, and x'_ji = x'_ij ± w'_k,   w' = C w,   w the vector of X - Xᵀ                   (2)

Where C turns in a coordinate plane (a hinge, a screw, a joint on a table) by cosine c and sine s, the entries of the
plane (x, y; z, t) become

    e = c (x - t) - s (y + z):   x' = t + c e,   t' = x - c e,   y' = y + s e,   z' = z + s e                 (3)

and those that the third axis has with the plane turn like vectors: 54 operations for the three blocks of an articulated
inertia, 198 by (1) and (2), 240 by products. Errors are those of C X Cᵀ: rounding of the largest entry.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, matvec, stacked

__all__ = ["Plane", "Turn", "plane_of"]

UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


class Plane(NamedTuple):
    """A turn in a coordinate plane: v'_i = c v_a - s σ v_b,  v'_j = s v_a + c σ v_b,  v'_k = σ v_o;  σ = ±1."""

    a: int
    b: int
    o: int
    i: int
    j: int
    k: int
    c: Any
    s: Any
    sign: float


def plane_of(C) -> Plane | None:
    """Does C (…, 3, 3) turn in a coordinate plane, swapping axes or turning them round beside that?

    Only where its zeros and its one are constants, and its sines and cosines the same numbers: structure, not luck.
    """
    for k in range(3):
        for o in range(3):
            sign = next((x for x in (1.0, -1.0) if _always(C[..., k, o], x)), None)
            if sign is None:
                continue
            i, j, a, b = (k + 1) % 3, (k + 2) % 3, (o + 1) % 3, (o + 2) % 3
            if not all(_always(x, 0.0) for x in (C[..., k, a], C[..., k, b], C[..., i, o], C[..., j, o])):
                continue
            c, s = C[..., i, a][()], C[..., j, a][()]
            if _always(C[..., j, b] - sign * c, 0.0) and _always(C[..., i, b] + sign * s, 0.0):
                return Plane(a, b, o, i, j, k, c, s, sign)
    return None


class Turn:
    """A rotation C (…, 3, 3) of matrices."""

    def __init__(self, C):
        self.C, self.plane = C, plane_of(C)

    def symmetric(self, packed):
        """C X Cᵀ of a symmetric X, both as packed upper triangles (…, 6) (1), (3)."""
        a, b, c, d, e, f = (packed[..., k][()] for k in range(6))
        if self.plane is not None:
            rows = _in_plane(self.plane, [[a, b, c], [b, d, e], [c, e, f]], lambda s, y, _: 2.0 * s * y)
            return stacked([rows[i][j] for i, j in UPPER])
        level = f if all(_always(x, 0.0) for x in (b, c, e)) else 0.0  # a multiple of 1 is the same in all axes
        new = self._above(full(stacked([a - level, b, c, d - level, e, f - level])))
        return stacked([new[i, j] + level if i == j else new[i, j] for i, j in UPPER])

    def matrix(self, X):
        """C X Cᵀ of any X (…, 3, 3) (2), (3)."""
        if self.plane is not None:
            entries = [[X[..., i, j][()] for j in range(3)] for i in range(3)]
            return _stacked_rows(_in_plane(self.plane, entries, lambda s, y, z: s * (y + z)))
        new = self._above(X)
        w = matvec(self.C, stacked([X[..., i, j] - X[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))]))
        new[2, 1], new[2, 0], new[1, 0] = new[1, 2] + w[..., 0], new[0, 2] - w[..., 1], new[0, 1] + w[..., 2]
        return _stacked_rows([[new[i, j] for j in range(3)] for i in range(3)])

    def _above(self, X) -> dict:
        """(1): the entries on and above the diagonal, by place."""
        P = self.C[..., :2, :] @ X
        new = {(i, j): (P[..., i, :] * self.C[..., j, :]).sum(-1) for i, j in UPPER if i < 2}
        new[2, 2] = X[..., 0, 0] + X[..., 1, 1] + X[..., 2, 2] - new[0, 0] - new[1, 1]
        return new


def _in_plane(plane: Plane, X, twice):
    """(3) of rows of entries. twice(s, y, z) : s (y + z)."""
    a, b, o, i, j, k, c, s, sign = plane
    x, y, z, t = X[a][a], sign * X[a][b], sign * X[b][a], X[b][b]
    new: list[list] = [[X[o][o]] * 3 for _ in range(3)]
    if _always(s, 0.0):  # no turn, or half a one
        new[i][i], new[j][j], new[i][j], new[j][i] = x, t, y, z
    elif _always(c, 0.0):  # a right angle
        new[i][i], new[j][j], new[i][j], new[j][i] = t, x, -z, -y
    else:
        e = c * (x - t) - twice(s, y, z)
        new[i][i], new[j][j], new[i][j], new[j][i] = t + c * e, x - c * e, y + s * e, z + s * e
    x, y, z, t = sign * X[a][o], X[b][o], sign * X[o][a], X[o][b]
    new[i][k], new[j][k], new[k][i], new[k][j] = c * x - s * y, s * x + c * y, c * z - s * t, s * z + c * t
    return new


def _stacked_rows(rows):
    return stacked([stacked(row) for row in rows], axis=-2)


def _always(x, value: float) -> bool:
    """Whether x is this number for certain: a constant, in every one of a batch."""
    if not isinstance(x, np.ndarray):
        return isinstance(x, (int, float)) and x == value
    return all(isinstance(y, (int, float)) and y == value for y in x.ravel().tolist())
