"""A frame reached in steps: a fixed place in the parent, then a turn about a coordinate axis k of that place.

The rotation of any place is three turns about coordinate axes, the last about k, and the joint goes on with that one:

    C_place = R_k(α) R_m(β) R_k(γ),   C = R_k(α) R_m(β) R_k(γ + q)                                            (1)

Turn by turn an inertia costs a quarter of what it costs by C (turns.py), a vector 6 operations in place of 15. A turn
that only swaps axes or turns them round costs nothing and is no step. The place's origin p is added where it has most
zeros, in the parent's axes or after some of the turns; late if that is the same, where the joint has left zeros in what
it passes on:

    X = T(p) R₁ R₂ … = R₁ T(R₁ᵀ p) R₂ …                                                                       (2)
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anthropi.algebra.linear import transpose
from anthropi.algebra.scalar import records
from anthropi.algebra.spatial.transform import Transform
from anthropi.algebra.spatial.turns import plane_of

__all__ = ["Place", "Steps", "aim", "place_of_turn", "three_turns", "turn_matrix"]

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
    """The place of a joint that turns about coordinate axis k of it, taken apart (1).

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
        C = turn_matrix(self.k, self.c * c - self.s * s, self.s * c + self.c * s)  # (1)
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
    """p where it has most zeros, before the turns or after some of them; zeros in the other places (2)."""
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


def aim(j: int, k: int, x) -> list:
    """R_j(α), R_m(β) that carry coordinate axis k to the unit vector x (3,); m is another axis. Floats only."""
    if j == k:
        m, n = (k + 1) % 3, (k + 2) % 3
        return [turn_matrix(k, *_unit(-x[n], x[m])), turn_matrix(m, *_unit(x[k], math.hypot(x[m], x[n])))]
    m, sign = 3 - j - k, 1.0 if (j + 1) % 3 == k else -1.0
    return [turn_matrix(j, *_unit(x[k], sign * x[m])), turn_matrix(m, *_unit(math.hypot(x[k], x[m]), -sign * x[j]))]


def three_turns(C, j: int, k: int) -> list:
    """R_j(α), R_m(β), R_k(γ) with the product C (3, 3), as in (1). Floats only."""
    alpha, beta = aim(j, k, C[:, k])
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
