"""Periodic gait cycle that is nearest to desired curves, with feet that stand on the ground.

Curves are x(p) = Σ cₖ β(n p - k), with p in cycles, k = 0 … n-1 and β the uniform cubic B-spline. They are C² and
linear in c. In a symmetric walk, left and right are mirror images half a cycle apart, so the curves of the pelvis
repeat with every step, some with the opposite sign:

    "cycle" n coefficients;    "step"  x(p + ½) = x(p);    "mirror"  x(p + ½) = -x(p)     n/2 coefficients each     (1)

The 13 coordinates θ (`leg_chain.py`) over the cycle are such splines, θ = B c. Let p(θ) be the position of a sole
point, p̄ its footprint while it stands, and h its smallest height elsewhere. The coefficients c, half the step width
and the yaw of the footprints minimise

    Σ |W (θ - θ̄)|² + |progression - desired|² + |(p - p̄)/σ|² + |min(0, p_z - h)/σ|² + |λ (c - c̄)″|²
    (2)

by Gauss–Newton steps with Marquardt's damping. σ is so small that contact holds to a fraction of a millimetre where the
figure can reach. Each phase depends on only four coefficients of each curve, so sums run over these alone and a pass
takes a few milliseconds. No matrix product is large enough for a library to split it between threads, which would
change its rounding.

The unknowns of the linear equations form a ring of blocks that are coupled to their neighbours only. The ring is cut at
its last block. This block joins the border y of unknowns that are coupled to all others. The rest x is a chain:

    T x + E y = b,   Eᵀ x + F y = c       (F - Eᵀ T⁻¹ E) y = c - Eᵀ T⁻¹ b                                          (3)
    T's blocks: D_i = H_ii - L_i D_i-1⁻¹ U_i-1, from the first to the last, then back                              (4)

For m blocks of k unknowns the work is m k³ instead of (m k)³. The functions work on plain floats only.
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


WEIGHTS = {  # weights of the four coefficients around a point s after the second: polynomials in s, lowest order first
    0: np.array([[1, -3, 3, -1], [4, 0, -6, 3], [1, 3, 3, -3], [0, 0, 0, 1]]) / 6.0,
    1: np.array([[-3, 6, -3, 0], [0, -12, 9, 0], [3, 6, -9, 0], [0, 0, 3, 0]]) / 6.0,
    2: np.array([[6, -6, 0, 0], [-12, 18, 0, 0], [6, -18, 0, 0], [0, 6, 0, 0]]) / 6.0,
}


def basis(phase: Any, n: int, derivative: int = 0) -> np.ndarray:
    """Return the spline basis B (points, n) of x = B c, or its first or second derivative with respect to the phase.

    phase : (points,) [cycles]. n : number of coefficients. derivative : 0, 1 or 2.
    """
    u = np.asarray(phase, float) * n
    k = np.floor(u)
    powers = (u - k)[:, None] ** np.arange(4)
    weights = powers @ WEIGHTS[derivative].T * float(n) ** derivative
    out = np.zeros((len(u), n))
    for j in range(4):
        np.add.at(out, (np.arange(len(u)), (k.astype(int) + j - 1) % n), weights[:, j])
    return out


def folded(B: np.ndarray, kind: str) -> np.ndarray:
    """Return the basis for a kind of symmetry (1), "cycle", "step" or "mirror": (points, n) or (points, n/2)."""
    half = B.shape[1] // 2
    if kind == "cycle":
        return B
    return B[:, :half] + B[:, half:] if kind == "step" else B[:, :half] - B[:, half:]


def fitted(phase: Any, values: Any, n: int) -> np.ndarray:
    """Fit spline coefficients c (n,) to values (points,) at phases (points,) [cycles], by least squares."""
    return np.linalg.lstsq(basis(phase, n), np.asarray(values, float), rcond=None)[0]


def ring_solve(H: np.ndarray, b: np.ndarray, blocks: list[np.ndarray], border: np.ndarray) -> np.ndarray:
    """Solve H x = b by (3), (4). H (n, n) is symmetric and positive definite, with blocks coupled in a ring.

    blocks : indices of the unknowns in each block, in order round the ring. border : indices of the other unknowns.
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
    """Return the blocks of coefficients round the ring of half a cycle, for `ring_solve`.

    Each block contains `reach` neighbouring coefficients of every curve. parts : slice of the coefficients of each
    curve. kinds : kind of symmetry (1) of each curve. half : number of coefficients in half a cycle, a multiple of
    `reach`.
    """
    blocks = []
    for first in range(0, half, reach):
        own = np.arange(first, first + reach)
        rows = [p.start + own for p in parts] + [
            p.start + half + own for p, kind in zip(parts, kinds, strict=True) if kind == "cycle"
        ]
        blocks.append(np.concatenate(rows))
    return blocks


KINDS = ("step", "mirror", "step", "step", "mirror", "mirror", *("cycle",) * 7)  # symmetry (1) of each coordinate
BORDER = np.array([-2, -1])  # half the step width and the yaw, which affect all phases
LIMIT_WEIGHT = 50.0 * 57.3  # [1/rad], weight of a coordinate beyond its limits
SIGMA = (1e-3, 1e-4)  # [m], error that weighs as much as one degree: for a first solution, and the final value


@dataclass(frozen=True, eq=False)
class DesiredCycle:
    """Desired curves, weights and bounds of the problem (2), at the n phases of `phases(n)`.

    n is a multiple of 12; leg curves have n/2 coefficients.

    theta : (n, 13) [m, rad], desired coordinates. weight : (13,) [1/m, 1/rad]. smooth : (13,), λ of (2).
    progression : (n,) [rad], desired foot progression, with its weight.
    half_width : half the step width [m], with its weight. stride : length of a cycle [m].
    lift : (n,) [m/cycle²], desired upward acceleration of the pelvis, with its weight.
    lower, upper : (13,), bounds of the coordinates.
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
    """A solution of the problem (2).

    It contains the spline coefficients (n/2, 13), half the step width [m], the yaw of the footprints [rad], the number
    of passes, the cost of (2), and the vector c of all unknowns.
    """

    controls: np.ndarray
    half_width: float
    yaw: float
    passes: int
    cost: float
    solution: np.ndarray

    def at(self, phase: Any) -> np.ndarray:
        """Return the coordinates (points, 13) at phases [cycles]; x does not include the distance walked."""
        return basis(phase, len(self.controls)) @ self.controls


def phases(n: int) -> np.ndarray:
    """Return the n phases [cycles], counted from the left foot's strike, at which (2) is evaluated."""
    return (np.arange(n) + 0.5) / n


class _Problem:
    """The least-squares problem (2) for one value of σ."""

    def __init__(self, chain: LegChain, footing: Footing, desired: DesiredCycle, sigma: float):
        self.chain, self.footing, self.desired, self.sigma = chain, footing, desired, sigma
        n = len(desired.theta)
        self.phase, controls = phases(n), n // 2
        self.bases = [folded(basis(self.phase, controls), kind) for kind in KINDS]
        self.bases += [np.ones((n, 1))] * 2  # half width and yaw
        ends = np.cumsum([0, *(b.shape[1] for b in self.bases)])
        self.parts = [slice(a, b) for a, b in pairwise(ends)]
        found = [_largest_four(B) for B in self.bases]
        self.of = np.repeat(np.arange(15), [k.shape[1] for k, _ in found])  # coordinate of each entry of `near`
        self.near = np.concatenate([k + part.start for (k, _), part in zip(found, self.parts, strict=True)], axis=1)
        self.share = np.concatenate([x for _, x in found], axis=1)
        self.ring = ring_order(self.parts[:13], KINDS, controls // 2)
        second = basis(np.arange(controls) / controls, controls, 2) / controls**2
        self.linear = np.zeros((ends[-1], ends[-1]))
        self.right, self.constant = np.zeros(ends[-1]), 0.0
        for k, kind in enumerate(KINDS):
            D = desired.smooth[k] * folded(second, kind)
            own = D @ np.linalg.lstsq(self.bases[k], desired.theta[:, k], rcond=None)[0]  # of the desired curve itself
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
        self.ahead = desired.stride * ((self.phase + EDGE) % 1.0 - EDGE)  # x of the footprint under the foot

    def start(self) -> np.ndarray:
        c = [np.linalg.lstsq(B, self.desired.theta[:, k], rcond=None)[0] for k, B in enumerate(self.bases[:13])]
        return np.concatenate([*c, [self.desired.half_width], [-np.mean(self.desired.progression)]])

    def rows(self, c, slopes: bool = True):
        """Compute the residuals (n, rows) of (2), without the smoothness term λ.

        If slopes is True, also compute their derivatives (n, rows, 15).
        """
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
        """Compute the cost, gradient and Gauss–Newton matrix of (2)."""
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
    """Return the columns and values of the four largest entries in each row of B."""
    k = np.argsort(-np.abs(B), axis=1, kind="stable")[:, :4]
    return k, np.take_along_axis(B, k, axis=1)


def _times(A, x) -> np.ndarray:
    """Compute A x with a summation order that does not depend on the number of threads."""
    return np.einsum("ij,j->i", A, x)


def consistent(
    chain: LegChain,
    footing: Footing,
    desired: DesiredCycle,
    start: Cycle | None = None,
    passes: int = 60,
    tolerance: float = 3e-4,
) -> Cycle:
    """Find the periodic gait cycle (2) that is nearest to desired curves and consistent with the ground.

    chain, footing, desired : the leg, its ground contact and the desired curves. start : solution of a similar problem,
    used as the initial guess. passes : largest number of iterations. tolerance : the iteration ends when the relative
    decrease of the cost in one pass is smaller.
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
    """Minimise (2) by Gauss–Newton steps with Marquardt's damping; return c, the number of passes and the cost."""
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
        if fall < tolerance * cost and damping < 1e-2:  # a strongly damped step always decreases little
            return c, done, new
        damping = max(damping / 8.0, 1e-9)
        cost, gradient, H = problem.system(c)
    return c, done, cost
