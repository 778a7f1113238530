"""Rotation of matrices, C X Cᵀ, and joint placements, with few operations.

A rotation C keeps the trace and rotates the vector of the skew-symmetric part, so that some entries follow from others:

    symmetric X    x'_ij = c_i · X c_j for ij = 00, 01, 02, 11, 12;   x'_22 = tr X - x'_00 - x'_11            (1)
    any X          the same, and x'_ji = x'_ij ± w'_k,   w' = C w,   w the vector of X - Xᵀ                   (2)

Where C rotates in a coordinate plane (revolute, helical and planar joints) by cosine c and sine s, the entries of the
plane (x, y; z, t) become

    e = c (x - t) - s (y + z):   x' = t + c e,   t' = x - c e,   y' = y + s e,   z' = z + s e                 (3)

and the entries of the third axis with the plane rotate like vectors: 54 operations for the three blocks of an
articulated inertia, instead of 198 by (1) and (2) and 240 by products. Errors are those of C X Cᵀ: rounding of the
largest entry.

A joint may rotate about the coordinate axis k of a placement that is fixed in the parent. The rotation of any placement
is a product of three rotations about coordinate axes. The last one is about k and merges with the joint's own rotation:

    C_place = R_k(α) R_m(β) R_k(γ),   C = R_k(α) R_m(β) R_k(γ + q)                                            (4)

Step by step, an inertia takes a quarter of the operations that it takes with C, and a vector takes 6 instead of 15.
A rotation that only permutes or reverses axes takes no operations and is not a step. The placement's origin p is added
where it has most zeros, in the parent's axes or after some of the rotations. Among equal choices the last is used,
because the joint has left zeros there:

    X = T(p) R₁ R₂ … = R₁ T(R₁ᵀ p) R₂ …                                                                       (5)
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, matvec, stacked, transpose
from anthropi.algebra.scalar import Array, records
from anthropi.algebra.spatial.transform import Transform

__all__ = [
    "JointPlacement",
    "MatrixRotation",
    "Plane",
    "TransformChain",
    "coordinate_rotation",
    "decompose_placement",
    "plane_of",
    "three_rotations",
    "two_rotations_to_axis",
]


UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


class Plane(NamedTuple):
    """Rotation in a coordinate plane: v'_i = c v_a - s σ v_b,  v'_j = s v_a + c σ v_b,  v'_k = σ v_o;  σ = ±1."""

    a: int
    b: int
    o: int
    i: int
    j: int
    k: int
    c: Any
    s: Any
    sign: float


def plane_of(C: Array) -> Plane | None:
    """Recognise a rotation C (…, 3, 3) in a coordinate plane, with axes permuted or reversed; None if it is not one.

    The zeros and the one in C must be constants, and its sines and cosines must be the same numbers. This depends on
    the structure of C, not on its values.
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


class MatrixRotation:
    """Rotation C (…, 3, 3) of matrices."""

    C: Array
    plane: Plane | None

    def __init__(self, C: Array) -> None:
        self.C, self.plane = C, plane_of(C)

    def symmetric(self, packed: Array) -> Array:
        """Compute C X Cᵀ of a symmetric X, both as packed upper triangles (…, 6) (1), (3)."""
        a, b, c, d, e, f = (packed[..., k][()] for k in range(6))
        if self.plane is not None:
            rows = _in_plane(self.plane, [[a, b, c], [b, d, e], [c, e, f]], lambda s, y, _: 2.0 * s * y)
            return stacked([rows[i][j] for i, j in UPPER])
        level = (
            f if all(_always(x, 0.0) for x in (b, c, e)) else 0.0
        )  # a multiple of the identity is the same in all axes
        new = self._above(full(stacked([a - level, b, c, d - level, e, f - level])))
        return stacked([new[i, j] + level if i == j else new[i, j] for i, j in UPPER])

    def matrix(self, X: Array) -> Array:
        """Compute C X Cᵀ of any X (…, 3, 3) (2), (3)."""
        if self.plane is not None:
            entries = [[X[..., i, j][()] for j in range(3)] for i in range(3)]
            return _stacked_rows(_in_plane(self.plane, entries, lambda s, y, z: s * (y + z)))
        new = self._above(X)
        w = matvec(self.C, stacked([X[..., i, j] - X[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))]))
        new[2, 1], new[2, 0], new[1, 0] = new[1, 2] + w[..., 0], new[0, 2] - w[..., 1], new[0, 1] + w[..., 2]
        return _stacked_rows([[new[i, j] for j in range(3)] for i in range(3)])

    def _above(self, X: Array) -> dict[tuple[int, int], Any]:
        """Compute the entries on and above the diagonal by (1), as {(i, j): entry}."""
        P = self.C[..., :2, :] @ X
        new = {(i, j): (P[..., i, :] * self.C[..., j, :]).sum(-1) for i, j in UPPER if i < 2}
        new[2, 2] = X[..., 0, 0] + X[..., 1, 1] + X[..., 2, 2] - new[0, 0] - new[1, 1]
        return new


def _in_plane(plane: Plane, X: list[Any], twice: Callable[..., Any]) -> list[list[Any]]:
    """Apply (3) to rows of entries. twice(s, y, z) computes s (y + z)."""
    a, b, o, i, j, k, c, s, sign = plane
    x, y, z, t = X[a][a], sign * X[a][b], sign * X[b][a], X[b][b]
    new: list[list[Any]] = [[X[o][o]] * 3 for _ in range(3)]
    if _always(s, 0.0):  # rotation by 0 or π
        new[i][i], new[j][j], new[i][j], new[j][i] = x, t, y, z
    elif _always(c, 0.0):  # rotation by ± π/2
        new[i][i], new[j][j], new[i][j], new[j][i] = t, x, -z, -y
    else:
        e = c * (x - t) - twice(s, y, z)
        new[i][i], new[j][j], new[i][j], new[j][i] = t + c * e, x - c * e, y + s * e, z + s * e
    x, y, z, t = sign * X[a][o], X[b][o], sign * X[o][a], X[o][b]
    new[i][k], new[j][k], new[k][i], new[k][j] = c * x - s * y, s * x + c * y, c * z - s * t, s * z + c * t
    return new


def _stacked_rows(rows: list[Any]) -> Array:
    """Stack rows of entries into matrices (…, 3, 3)."""
    return stacked([stacked(row) for row in rows], axis=-2)


def _always(x: Array, value: float) -> bool:
    """Whether x is this constant in every element of a batch, without recording scalars."""
    if not isinstance(x, np.ndarray):
        return isinstance(x, (int, float)) and x == value
    return all(isinstance(y, (int, float)) and y == value for y in x.ravel().tolist())


ROUNDING = 4.0 * 2.0**-52  # relative error of products of unit vectors; smaller entries count as zeros


@dataclass(frozen=True, eq=False)
class TransformChain:
    """Product of transforms, X = X₁ X₂ …, with the methods of a `Transform`.

    Inertias are transformed step by step; vectors too if there are two steps, by the product if there are more.
    """

    steps: tuple[Transform, ...]

    @cached_property
    def whole(self) -> Transform:
        """The product of the steps."""
        X, *rest = self.steps
        for step in rest:
            X = X @ step
        return X

    @property
    def rotation(self) -> Array:
        """Rotation C (…, 3, 3) of the product."""
        return self.whole.rotation

    @property
    def origin(self) -> Array:
        """Origin p (…, 3) [m] of the product."""
        return self.whole.origin

    @property
    def _vector_steps(self) -> tuple[Transform, ...]:
        """The transforms applied to vectors."""
        return self.steps if len(self.steps) == 2 else (self.whole,)

    def act_force(self, f_B: Array) -> Array:
        """Transform a force vector from B to A. f_B (…, 6) → f_A (…, 6)"""
        for step in reversed(self._vector_steps):
            f_B = step.act_force(f_B)
        return f_B

    def undo_motion(self, m_A: Array) -> Array:
        """Transform a motion vector from A to B. m_A (…, 6) → m_B (…, 6)"""
        for step in self._vector_steps:
            m_A = step.undo_motion(m_A)
        return m_A

    def undo_direction(self, d_A: Array) -> Array:
        """Transform a direction from A to B. d_A (…, 3) → d_B (…, 3)"""
        for step in self._vector_steps:
            d_A = step.undo_direction(d_A)
        return d_A

    def act_inertia(self, I_B: Array) -> Any:
        """Transform an inertia from B to A (about A's origin)."""
        for step in reversed(self.steps):
            I_B = step.act_inertia(I_B)
        return I_B


@dataclass(frozen=True, eq=False)
class JointPlacement:
    """Placement of a joint that rotates about its coordinate axis k, decomposed by (4).

    steps : the transforms before the joint's own. before : the rest of the placement except γ. c, s : cos γ, sin γ.
    """

    k: int
    steps: tuple[Transform, ...]
    before: Transform
    c: float
    s: float

    def __matmul__(self, joint: Transform) -> Transform | TransformChain:
        """Return the placement followed by the joint's transform (4)."""
        i, j = (self.k + 1) % 3, (self.k + 2) % 3
        c, s = joint.rotation[i, i], joint.rotation[j, i]
        C = coordinate_rotation(self.k, self.c * c - self.s * s, self.s * c + self.c * s)  # (4)
        last = self.before @ Transform(C, coordinate_rotation(self.k, self.c, self.s) @ joint.origin)
        return TransformChain((*self.steps, last)) if self.steps else last


def decompose_placement(placement: Transform, k: int) -> Transform | JointPlacement:
    """Decompose the placement of a joint that rotates about its coordinate axis k, if that saves operations."""
    C, p = placement.rotation, placement.origin
    if records(C) or _only_permutes_axes(C):
        return placement
    rotations = three_rotations(C, k, k)
    first, last = rotations[0] @ rotations[1], rotations[2]
    c, s = last[(k + 1) % 3, (k + 1) % 3], last[(k + 2) % 3, (k + 1) % 3]
    if _only_permutes_axes(first):
        return JointPlacement(k, (), Transform(first, p), c, s)
    fixed = [first] if plane_of(first) is not None else rotations[:2]
    *origins, end = _origins(p, fixed)
    steps = tuple(Transform(R, origin) for R, origin in zip(fixed, origins, strict=True))
    return JointPlacement(k, steps, Transform(np.eye(3), end), c, s)


def _origins(p: Array, rotations: list[Any]) -> list[Any]:
    """Choose the step at which the origin p has most zeros (5); return p for this step and zeros for the others."""
    if not all(isinstance(x, float) for x in p.tolist()):  # a length is a recording scalar
        return [p, *(np.zeros(3) for _ in rotations)]
    size = max(map(abs, p.tolist()))
    seen = [_clean(p, size)]
    for R in rotations:
        seen.append(_clean(transpose(R) @ seen[-1], size))
    best = max(range(len(seen)), key=lambda n: (np.count_nonzero(seen[n] == 0.0), n))
    return [x if n == best else np.zeros(3) for n, x in enumerate(seen)]


def coordinate_rotation(k: int, c: Array, s: Array) -> Array:
    """Return R_k (3, 3), the rotation about coordinate axis k with this cosine and sine."""
    i, j = (k + 1) % 3, (k + 2) % 3
    rows: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    rows[k][k], rows[i][i], rows[j][j], rows[i][j], rows[j][i] = 1.0, c, c, -s, s
    return np.array(rows)


def two_rotations_to_axis(j: int, k: int, x: Array) -> list[Any]:
    """Compute R_j(α) and R_m(β), whose product rotates coordinate axis k to the unit vector x (3,).

    The axis m is neither j nor k. Works on plain floats only; cannot be recorded.
    """
    if j == k:
        m, n = (k + 1) % 3, (k + 2) % 3
        return [
            coordinate_rotation(k, *_unit(-x[n], x[m])),
            coordinate_rotation(m, *_unit(x[k], math.hypot(x[m], x[n]))),
        ]
    m, sign = 3 - j - k, 1.0 if (j + 1) % 3 == k else -1.0
    return [
        coordinate_rotation(j, *_unit(x[k], sign * x[m])),
        coordinate_rotation(m, *_unit(math.hypot(x[k], x[m]), -sign * x[j])),
    ]


def three_rotations(C: Array, j: int, k: int) -> list[Any]:
    """Compute the coordinate rotations R_j(α), R_m(β), R_k(γ) whose product is C (3, 3), as in (4).

    Works on plain floats only; cannot be recorded.
    """
    alpha, beta = two_rotations_to_axis(j, k, C[:, k])
    left = transpose(alpha @ beta) @ C
    i = (k + 1) % 3
    return [alpha, beta, coordinate_rotation(k, *_unit(left[i, i], left[(k + 2) % 3, i]))]


def _unit(c: float, s: float) -> tuple[float, float]:
    """Normalise (c, s) to a cosine and sine with exact zeros and ones; a zero vector gives (1, 0)."""
    length = math.hypot(c, s)
    if length < ROUNDING:
        return 1.0, 0.0
    c, s = _clean(np.array([c, s]) / length, 1.0).tolist()
    return (c, s) if c and s else (float(np.sign(c)), float(np.sign(s)))  # floats only


def _clean(x: Array, size: float) -> Array:
    """Set entries to zero that are rounding errors of numbers of this size."""
    return np.array([0.0 if abs(y) <= ROUNDING * size else y for y in x.tolist()])


def _only_permutes_axes(C: Array) -> bool:
    """Whether C only permutes axes and reverses them."""
    return all(x in (0.0, 1.0, -1.0) for x in C.ravel().tolist())
