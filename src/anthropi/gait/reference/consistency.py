"""A periodic gait cycle with feet that stand on the ground, nearest to desired curves. Plain floats only.

Curves are x(p) = Σ cₖ β(n p - k), p in cycles, k = 0 … n-1, β the uniform cubic B-spline: C², and linear in c. Left and
right of a symmetric walk are mirror images half a cycle apart, so that curves of the pelvis repeat with every step,
some with the opposite sign:

    "cycle" n coefficients;    "step"  x(p + ½) = x(p);    "mirror"  x(p + ½) = -x(p)     n/2 coefficients each     (1)

The coordinates θ (13, `leg_chain.py`) over the cycle are such splines, θ = B c. With the position of each sole point
p(θ), its print p̄ where it stands, and the least height h elsewhere, the coefficients c, half the step width and the
yaw of the prints minimise

    Σ |W (θ - θ̄)|² + |progression - desired|² + |(p - p̄)/σ|² + |min(0, p_z - h)/σ|² + |λ (c - c̄)″|²
    (2)

by Gauss–Newton steps with Marquardt's damping. σ is so small that contact holds to a fraction of a millimetre where the
figure can. Each phase depends on four coefficients of each curve: sums run over these alone, a pass costs some
milliseconds, and no product is large enough for a library to share it between threads, which would change its rounding.

The linear equations have unknowns in a ring: blocks that are coupled to their neighbours only. The ring is cut at its
last block, which joins the border y of unknowns that are coupled to all; the rest x is a chain:

    T x + E y = b,   Eᵀ x + F y = c       (F - Eᵀ T⁻¹ E) y = c - Eᵀ T⁻¹ b                                          (3)
    T's blocks: D_i = H_ii - L_i D_i-1⁻¹ U_i-1, from the first to the last, then back                              (4)

For m blocks of k unknowns the work is m k³, not (m k)³.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.gait.reference.leg_chain import EDGE, Footing, LegChain

__all__ = [
    "KINDS",
    "Cycle",
    "DesiredCycle",
    "basis",
    "consistent",
    "fitted",
    "folded",
    "phases",
    "ring_order",
    "ring_solve",
]


WEIGHTS = {  # of the four coefficients around a point s after the second: polynomials in s, lowest order first
    0: np.array([[1, -3, 3, -1], [4, 0, -6, 3], [1, 3, 3, -3], [0, 0, 0, 1]]) / 6.0,
    1: np.array([[-3, 6, -3, 0], [0, -12, 9, 0], [3, 6, -9, 0], [0, 0, 3, 0]]) / 6.0,
    2: np.array([[6, -6, 0, 0], [-12, 18, 0, 0], [6, -18, 0, 0], [0, 6, 0, 0]]) / 6.0,
}


def basis(phase: Any, n: int, derivative: int = 0) -> np.ndarray:
    """Return B (points, n) of x = B c, or of its first or second derivative by the phase [cycles]."""
    u = np.asarray(phase, float) * n
    k = np.floor(u)
    powers = (u - k)[:, None] ** np.arange(4)
    weights = powers @ WEIGHTS[derivative].T * float(n) ** derivative
    out = np.zeros((len(u), n))
    for j in range(4):
        np.add.at(out, (np.arange(len(u)), (k.astype(int) + j - 1) % n), weights[:, j])
    return out


def folded(B: np.ndarray, kind: str) -> np.ndarray:
    """Return the basis of a kind of (1): (points, n) or (points, n/2)."""
    half = B.shape[1] // 2
    if kind == "cycle":
        return B
    return B[:, :half] + B[:, half:] if kind == "step" else B[:, :half] - B[:, half:]


def fitted(phase: Any, values: Any, n: int) -> np.ndarray:
    """Fit the coefficients c (n,) to values (points,) at phases (points,), by least squares."""
    return np.linalg.lstsq(basis(phase, n), np.asarray(values, float), rcond=None)[0]


def ring_solve(H: np.ndarray, b: np.ndarray, blocks: list[np.ndarray], border: np.ndarray) -> np.ndarray:
    """Solve H x = b (3), (4), H (n, n) symmetric positive definite.

    blocks : indices round the ring. border : others.
    """
    edge = np.concatenate([blocks[-1], border])
    chain = blocks[:-1]
    ahead: list[np.ndarray] = []
    found: list[np.ndarray] = []
    for i, own in enumerate(chain):
        D, right = H[np.ix_(own, own)], np.concatenate([b[own, None], H[np.ix_(own, edge)]], axis=1)
        if i:
            L = H[np.ix_(own, chain[i - 1])]
            D, right = D - L @ ahead[-1], right - L @ found[-1]  # (4)
        follows = H[np.ix_(own, chain[i + 1])] if i + 1 < len(chain) else np.zeros((len(own), 0))
        both = np.linalg.solve(D, np.concatenate([follows, right], axis=1))
        ahead.append(both[:, : follows.shape[1]])
        found.append(both[:, follows.shape[1] :])
    for i in range(len(chain) - 2, -1, -1):
        found[i] = found[i] - ahead[i] @ found[i + 1]
    F, c = H[np.ix_(edge, edge)], b[edge]
    for own, x in zip(chain, found, strict=True):
        E = H[np.ix_(own, edge)]
        F, c = F - E.T @ x[:, 1:], c - E.T @ x[:, 0]
    y = np.linalg.solve(F, c)  # (3)
    out = np.zeros(len(b))
    out[edge] = y
    for own, x in zip(chain, found, strict=True):
        out[own] = x[:, 0] - x[:, 1:] @ y
    return out


def ring_order(parts: list[slice], kinds: tuple[str, ...], half: int, reach: int = 3) -> list[np.ndarray]:
    """Return blocks round the ring of half a cycle, each of `reach` neighbouring coefficients of every curve.

    parts : the slice of each curve's coefficients. kinds : of each curve. half : coefficients of
    half a cycle, a multiple of `reach`.
    """
    blocks = []
    for first in range(0, half, reach):
        own = np.arange(first, first + reach)
        rows = [p.start + own for p in parts] + [
            p.start + half + own for p, kind in zip(parts, kinds, strict=True) if kind == "cycle"
        ]
        blocks.append(np.concatenate(rows))
    return blocks


KINDS = ("step", "mirror", "step", "step", "mirror", "mirror", *("cycle",) * 7)  # of the coordinates
BORDER = np.array([-2, -1])  # half the width and the yaw, on which all phases depend
LIMIT_WEIGHT = 50.0 * 57.3  # [1/rad] of a coordinate beyond its limits
SIGMA = (1e-3, 1e-4)  # [m] that weighs as much as one degree: a first pass, then the final value


@dataclass(frozen=True, eq=False)
class DesiredCycle:
    """Desired curves, weights and bounds of (2) at `phases(n)`, n a multiple of 12; leg curves have n/2 coefficients.

    theta : (n, 13) [m, rad]. weight : (13,) [1/m, 1/rad]. smooth : (13,) λ. progression : [rad], and its weight (n,).
    half_width : of the step [m], and its weight. stride : [m] a cycle. lift : upward acceleration of the pelvis (n,)
    [m/cycle²], and its weight. lower, upper : bounds (13,).
    """

    theta: np.ndarray
    weight: np.ndarray
    smooth: np.ndarray
    progression: np.ndarray
    progression_weight: np.ndarray
    half_width: float
    width_weight: float
    stride: float
    lift: np.ndarray | None = None
    lift_weight: float = 0.0
    lower: np.ndarray = field(default_factory=lambda: np.full(13, -np.inf))
    upper: np.ndarray = field(default_factory=lambda: np.full(13, np.inf))


@dataclass(frozen=True, eq=False)
class Cycle:
    """A solution: coefficients (n/2, 13), half the step width [m], yaw of the prints [rad], passes, cost of (2), c."""

    controls: np.ndarray
    half_width: float
    yaw: float
    passes: int
    cost: float
    solution: np.ndarray

    def at(self, phase: Any) -> np.ndarray:
        """Return coordinates (points, 13) at phases [cycles]; x without the distance walked."""
        return basis(phase, len(self.controls)) @ self.controls


def phases(n: int) -> np.ndarray:
    """Return the phases [cycles] since the left foot's strike at which (2) is evaluated."""
    return (np.arange(n) + 0.5) / n


class _Problem:
    """Problem (2) for one σ: bases, linear part, and sums."""

    def __init__(self, chain: LegChain, footing: Footing, desired: DesiredCycle, sigma: float):
        self.chain, self.footing, self.desired, self.sigma = chain, footing, desired, sigma
        n = len(desired.theta)
        self.phase, controls = phases(n), n // 2
        self.bases = [folded(basis(self.phase, controls), kind) for kind in KINDS]
        self.bases += [np.ones((n, 1))] * 2  # half width and yaw
        ends = np.cumsum([0, *(b.shape[1] for b in self.bases)])
        self.parts = [slice(a, b) for a, b in pairwise(ends)]
        found = [_largest_four(B) for B in self.bases]
        self.of = np.repeat(np.arange(15), [k.shape[1] for k, _ in found])  # coordinate of each of `near`
        self.near = np.concatenate([k + part.start for (k, _), part in zip(found, self.parts, strict=True)], axis=1)
        self.share = np.concatenate([x for _, x in found], axis=1)
        self.ring = ring_order(self.parts[:13], KINDS, controls // 2)
        second = basis(np.arange(controls) / controls, controls, 2) / controls**2
        self.linear = np.zeros((ends[-1], ends[-1]))
        self.right, self.constant = np.zeros(ends[-1]), 0.0
        for k, kind in enumerate(KINDS):
            D = desired.smooth[k] * folded(second, kind)
            own = D @ np.linalg.lstsq(self.bases[k], desired.theta[:, k], rcond=None)[0]  # of the desired curve
            self.linear[self.parts[k], self.parts[k]] += D.T @ D
            self.right[self.parts[k]] += D.T @ own
            self.constant += float(own @ own)
        if desired.lift is not None:
            D = desired.lift_weight * folded(basis(self.phase, controls, 2), "step")
            self.linear[self.parts[2], self.parts[2]] += D.T @ D
            self.right[self.parts[2]] += D.T @ (desired.lift_weight * desired.lift)
            self.constant += desired.lift_weight**2 * float(desired.lift @ desired.lift)
        self.standing = footing.standing(self.phase)
        self.lowest = footing.lowest(self.phase)
        self.ahead = desired.stride * ((self.phase + EDGE) % 1.0 - EDGE)  # of the print under the foot

    def start(self) -> np.ndarray:
        c = [np.linalg.lstsq(B, self.desired.theta[:, k], rcond=None)[0] for k, B in enumerate(self.bases[:13])]
        return np.concatenate([*c, [self.desired.half_width], [-np.mean(self.desired.progression)]])

    def rows(self, c, slopes: bool = True):
        """Compute residuals (n, rows) of (2) without λ and, with slopes, their derivatives (n, rows, 15)."""
        w, n = self.desired, len(self.phase)
        theta = np.add.reduceat(self.share * c[self.near], np.searchsorted(self.of, np.arange(15)), axis=1)
        moved = theta[:, :13].copy()
        moved[:, 0] += self.ahead
        place, by = self.chain.points_at(moved, slopes)
        weight = np.broadcast_to(w.weight, (n, 13))
        over = np.minimum(0.0, moved - w.lower) + np.maximum(0.0, moved - w.upper)
        out = [weight * (theta[:, :13] - w.theta), LIMIT_WEIGHT * over]
        line = place[:, 7] - place[:, 6]
        off = -np.arctan2(line[:, 1], line[:, 0]) - w.progression
        out.append((w.progression_weight * off)[:, None])
        at, by_print = self.footing.prints(self.chain, place, by, self.phase, theta[0, 13], theta[0, 14])
        stand = self.standing / self.sigma
        out.append((stand * (place[:, :6] - at)).reshape(n, 18))
        gap = np.minimum(0.0, place[:, :6, 2] - self.lowest[:, None]) * (1.0 - self.standing[..., 2])
        out.append(gap / self.sigma)
        out.append(np.full((n, 1), w.width_weight * (theta[0, 13] - w.half_width)))
        if not slopes:
            return np.concatenate(out, axis=1), None
        own, bound, wide = np.zeros((n, 13, 15)), np.zeros((n, 13, 15)), np.zeros((n, 1, 15))
        k = np.arange(13)
        own[:, k, k], bound[:, k, k], wide[:, 0, 13] = weight, LIMIT_WEIGHT * (over != 0.0), w.width_weight
        by_line, flat = by[:, 7] - by[:, 6], line[:, 0] ** 2 + line[:, 1] ** 2
        turn = (line[:, 1, None] * by_line[:, 0] - line[:, 0, None] * by_line[:, 1]) / flat[:, None]
        j = [own, bound, np.pad((w.progression_weight[:, None] * turn)[:, None], ((0, 0), (0, 0), (0, 2)))]
        moves = np.pad(by[:, :6], ((0, 0), (0, 0), (0, 0), (0, 2))) - by_print
        j.append((stand[..., None] * moves).reshape(n, 18, 15))
        j.append(np.pad((gap < 0.0)[..., None] * by[:, :6, 2] / self.sigma, ((0, 0), (0, 0), (0, 2))))
        j.append(wide)
        return np.concatenate(out, axis=1), np.concatenate(j, axis=1)

    def system(self, c):
        """Compute cost, gradient and Gauss–Newton matrix of (2)."""
        r, j = self.rows(c)
        A, g, n = np.einsum("nra,nrb->nab", j, j), np.einsum("nra,nr->na", j, r), len(c)
        share, near, of = self.share, self.near, self.of
        gradient = _times(self.linear, c) - self.right + np.bincount(near.ravel(), (share * g[:, of]).ravel(), n)
        blocks = share[:, :, None] * share[:, None] * A[:, of[:, None], of]
        at = n * near[:, :, None] + near[:, None]
        H = self.linear + np.bincount(at.ravel(), blocks.ravel(), n * n).reshape(n, n)
        return self.cost(c, r), gradient, H

    def cost(self, c, r=None) -> float:
        r = self.rows(c, slopes=False)[0] if r is None else r
        return float(np.sum(r * r) + c @ _times(self.linear, c) - 2.0 * self.right @ c) + self.constant


def _largest_four(B):
    """Return the columns and values of the four largest entries of each row."""
    k = np.argsort(-np.abs(B), axis=1, kind="stable")[:, :4]
    return k, np.take_along_axis(B, k, axis=1)


def _times(A, x) -> np.ndarray:
    """Compute A x, summed in an order that does not depend on threads."""
    return np.einsum("ij,j->i", A, x)


def consistent(
    chain: LegChain,
    footing: Footing,
    desired: DesiredCycle,
    start: Cycle | None = None,
    passes: int = 60,
    tolerance: float = 3e-4,
) -> Cycle:
    """Minimise (2).

    chain, footing, desired : the leg, its ground contact, the desired curves. start : solution of a similar problem.
    passes : at most. tolerance : relative decrease of the cost in one pass at which iteration ends.
    """
    c, done, cost = None if start is None else start.solution, 0, 0.0
    for sigma in SIGMA if start is None else SIGMA[-1:]:
        problem = _Problem(chain, footing, desired, sigma)
        near = tolerance * sigma / SIGMA[-1]  # the first problem is solved less accurately
        c, more, cost = _minimised(problem, problem.start() if c is None else c, passes, near)
        done += more
    assert c is not None
    half = len(desired.theta) // 4
    controls = np.zeros((2 * half, 13))
    for k, kind in enumerate(KINDS):
        part = c[problem.parts[k]]
        again = {"cycle": part[half:], "step": part, "mirror": -part}[kind]
        controls[:, k] = np.concatenate([part[:half], again])
    return Cycle(controls, float(c[-2]), float(c[-1]), done, cost, c)


def _minimised(problem: _Problem, c, passes: int, tolerance: float):
    """Minimise by Gauss–Newton steps with Marquardt's damping; return c, passes, cost."""
    damping, done = 1e-3, 0
    cost, gradient, H = problem.system(c)
    for done in range(1, passes + 1):
        while True:
            step = ring_solve(H + damping * np.diag(np.diag(H)), -gradient, problem.ring, BORDER)
            new = problem.cost(c + step)
            if new < cost or damping > 1e6:
                break
            damping *= 8.0
        if not new < cost:
            break
        c, fall = c + step, cost - new
        if fall < tolerance * cost and damping < 1e-2:  # a strongly damped step decreases little anywhere
            return c, done, new
        damping = max(damping / 8.0, 1e-9)
        cost, gradient, H = problem.system(c)
    return c, done, cost
