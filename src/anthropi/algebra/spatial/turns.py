"""Matrices in turned axes, C X Cᵀ, with no more products than the structure of the turn C asks for.

A turn keeps the trace, and turns the vector of what is not symmetric, so that entries follow from others:

    symmetric X    x'_ij = c_i · X c_j for ij = 00, 01, 02, 11, 12;   x'_22 = tr X - x'_00 - x'_11            (1)
    any X          the same, and x'_ji = x'_ij ± w'_k,   w' = C w,   w the vector of X - Xᵀ                   (2)

Where C turns in a coordinate plane (a hinge, a screw, a joint on a table) by cosine c and sine s, the entries of the
plane (x, y; z, t) become

    e = c (x - t) - s (y + z):   x' = t + c e,   t' = x - c e,   y' = y + s e,   z' = z + s e                 (3)

and those that the third axis has with the plane turn like vectors: 54 operations for the three blocks of an articulated
inertia, 198 by (1) and (2), 240 by products. Errors are those of C X Cᵀ: rounding of the largest entry.

Steps
-----
A frame reached in steps: a fixed place in the parent, then a turn about a coordinate axis k of that place.

The rotation of any place is three turns about coordinate axes, the last about k, and the joint goes on with that one:

    C_place = R_k(α) R_m(β) R_k(γ),   C = R_k(α) R_m(β) R_k(γ + q)                                            (4)

Turn by turn an inertia costs a quarter of what it costs by C (turns.py), a vector 6 operations in place of 15. A turn
that only swaps axes or turns them round costs nothing and is no step. The place's origin p is added where it has most
zeros, in the parent's axes or after some of the turns; late if that is the same, where the joint has left zeros in what
it passes on:

    X = T(p) R₁ R₂ … = R₁ T(R₁ᵀ p) R₂ …                                                                       (5)
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, matvec, stacked, transpose
from anthropi.algebra.scalar import records
from anthropi.algebra.spatial.transform import Transform

__all__ = [
    "Place",
    "Plane",
    "Steps",
    "Turn",
    "place_of_turn",
    "plane_of",
    "three_turns",
    "turn_matrix",
    "two_turns_to_axis",
]


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


ROUNDING = 4.0 * 2.0**-52  # of products of unit vectors: what is less is a zero


@dataclass(frozen=True, eq=False)
class Steps:
    """Transforms one after another, X = X₁ X₂ …; does what a `Transform` does.

    Inertias go step by step; vectors too where there are two steps, by the product where there are more.
    """

    steps: tuple[Transform, ...]

    @cached_property
    def whole(self) -> Transform:
        """The product."""
        X, *rest = self.steps
        for step in rest:
            X = X @ step
        return X

    @property
    def rotation(self):
        """C (…, 3, 3) of the product."""
        return self.whole.rotation

    @property
    def origin(self):
        """p (…, 3) of the product."""
        return self.whole.origin

    @property
    def _light(self) -> tuple[Transform, ...]:
        """The steps that vectors take."""
        return self.steps if len(self.steps) == 2 else (self.whole,)

    def act_force(self, f_B):
        """Return the force vector f_A of one known as f_B."""
        for step in reversed(self._light):
            f_B = step.act_force(f_B)
        return f_B

    def undo_motion(self, m_A):
        """Return the motion vector m_B of one known as m_A."""
        for step in self._light:
            m_A = step.undo_motion(m_A)
        return m_A

    def undo_direction(self, d_A):
        """Return the direction d_B (…, 3) of one known as d_A."""
        for step in self._light:
            d_A = step.undo_direction(d_A)
        return d_A

    def act_inertia(self, I_B):
        """Return the inertia about A's origin in A of one known in B."""
        for step in reversed(self.steps):
            I_B = step.act_inertia(I_B)
        return I_B


@dataclass(frozen=True, eq=False)
class Place:
    """The place of a joint that turns about coordinate axis k of it, taken apart (4).

    steps : those before the joint's own. before : what is left of the place but for γ. c, s : cosine and sine of γ.
    """

    k: int
    steps: tuple[Transform, ...]
    before: Transform
    c: float
    s: float

    def __matmul__(self, joint: Transform) -> Transform | Steps:
        """Return the place followed by the joint's transform."""
        i, j = (self.k + 1) % 3, (self.k + 2) % 3
        c, s = joint.rotation[i, i], joint.rotation[j, i]
        C = turn_matrix(self.k, self.c * c - self.s * s, self.s * c + self.c * s)  # (4)
        last = self.before @ Transform(C, turn_matrix(self.k, self.c, self.s) @ joint.origin)
        return Steps((*self.steps, last)) if self.steps else last


def place_of_turn(place: Transform, k: int) -> Transform | Place:
    """The place of a joint that turns about coordinate axis k of it, taken apart if that is less work."""
    C, p = place.rotation, place.origin
    if records(C) or _swaps(C):
        return place
    turns = three_turns(C, k, k)
    first, last = turns[0] @ turns[1], turns[2]
    c, s = last[(k + 1) % 3, (k + 1) % 3], last[(k + 2) % 3, (k + 1) % 3]
    if _swaps(first):
        return Place(k, (), Transform(first, p), c, s)
    fixed = [first] if plane_of(first) is not None else turns[:2]
    *origins, end = _origins(p, fixed)
    steps = tuple(Transform(R, origin) for R, origin in zip(fixed, origins, strict=True))
    return Place(k, steps, Transform(np.eye(3), end), c, s)


def _origins(p, turns) -> list:
    """p where it has most zeros, before the turns or after some of them; zeros in the other places (5)."""
    if not all(isinstance(x, float) for x in p.tolist()):  # a length that is being traced
        return [p, *(np.zeros(3) for _ in turns)]
    size = max(map(abs, p.tolist()))
    seen = [_clean(p, size)]
    for R in turns:
        seen.append(_clean(transpose(R) @ seen[-1], size))
    best = max(range(len(seen)), key=lambda n: (np.count_nonzero(seen[n] == 0.0), n))
    return [x if n == best else np.zeros(3) for n, x in enumerate(seen)]


def turn_matrix(k: int, c, s):
    """R_k (3, 3), the turn about coordinate axis k with this cosine and sine."""
    i, j = (k + 1) % 3, (k + 2) % 3
    rows: list[list] = [[0.0] * 3 for _ in range(3)]
    rows[k][k], rows[i][i], rows[j][j], rows[i][j], rows[j][i] = 1.0, c, c, -s, s
    return np.array(rows)


def two_turns_to_axis(j: int, k: int, x) -> list:
    """R_j(α), R_m(β) that carry coordinate axis k to the unit vector x (3,); m is another axis. Floats only."""
    if j == k:
        m, n = (k + 1) % 3, (k + 2) % 3
        return [turn_matrix(k, *_unit(-x[n], x[m])), turn_matrix(m, *_unit(x[k], math.hypot(x[m], x[n])))]
    m, sign = 3 - j - k, 1.0 if (j + 1) % 3 == k else -1.0
    return [turn_matrix(j, *_unit(x[k], sign * x[m])), turn_matrix(m, *_unit(math.hypot(x[k], x[m]), -sign * x[j]))]


def three_turns(C, j: int, k: int) -> list:
    """R_j(α), R_m(β), R_k(γ) with the product C (3, 3), as in (4). Floats only."""
    alpha, beta = two_turns_to_axis(j, k, C[:, k])
    left = transpose(alpha @ beta) @ C
    i = (k + 1) % 3
    return [alpha, beta, turn_matrix(k, *_unit(left[i, i], left[(k + 2) % 3, i]))]


def _unit(c: float, s: float) -> tuple[float, float]:
    """Cosine and sine of the direction (c, s), zeros and ones exact; of no direction (1, 0)."""
    length = math.hypot(c, s)
    if length < ROUNDING:
        return 1.0, 0.0
    c, s = _clean(np.array([c, s]) / length, 1.0).tolist()
    return (c, s) if c and s else (float(np.sign(c)), float(np.sign(s)))  # floats only


def _clean(x, size: float):
    """x with zeros where there is only rounding of numbers of this size."""
    return np.array([0.0 if abs(y) <= ROUNDING * size else y for y in x.tolist()])


def _swaps(C) -> bool:
    """Whether C only swaps axes and turns them round."""
    return all(x in (0.0, 1.0, -1.0) for x in C.ravel().tolist())
