"""How are steps solved for? Dense by NumPy; sparse by `scipy.sparse` (extra `assembly`) for many bodies. Floats only.

    damped      (JᵀJ + μ 1) d = -Jᵀ r, or d = -Jᵀ (J Jᵀ + μ 1)⁻¹ r where there are fewer rows than unknowns   (1)
    projected   d = e - H Jᵀ y,  (J H Jᵀ + ε 1) y = r + J e,  H = W⁻¹: nearest to e in the norm W, J d = -r   (2)

ε is 1e-13 of the mean diagonal: rows that repeat others do not make (2) singular. Two more passes of (2) on what is
left of r take out its effect.

Levenberg
---------
Which state meets the constraints? Levenberg-Marquardt on the manifold, with restarts. Floats only.

With residual r, Jacobian J (m rows, mean squared length σ), from a state x:

    d = -(JᵀJ + μ)⁻¹ Jᵀ r,   μ = σ (λ |r|/√m + 1e-13),   |d|∞ ≤ 2                                     (3)
    |r(x ⊞ d)| < |r|: go there; λ ← λ/5 where the linear model foretold at least half the gain, 2 λ where less than a
    fifth; else stay, λ ← 4 λ                                                                         (4)
    an attempt ends where |Jᵀr| is small beside |J| |r|, or after 4 steps that gain less than a tenth   (5)

Threads and teeth come in after the rest has settled: far away they only confuse. Every other restart settles what is
said of attitudes alone first, with restarts of its own: places then follow almost linearly.          (4)
Restarts, by turns: the bodies with the largest part in what is left over get random attitudes where the last attempt
ended; half of the bodies; all bodies, anywhere. A body alone is first turned, where it starts, by the rotations of a
tetrahedron (`constraints/newton.py`). A fixed seed: the same start ends at the same solution.   (5)
An assembly whose least residual was reached 17 times over, 5 of them from anywhere, has no solution.  (7)
A solution is polished by steps (3) without λ while they halve |r|²; where it is singular, that takes many.  (6)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.constraints.newton import TETRAHEDRON
from anthropi.errors import MissingExtra

__all__ = ["Attempt", "attempt", "damped", "mean_square", "projected", "solve_assembly", "sparse_rows"]


TINY = 1e-13


def _scipy():
    try:
        import scipy.sparse
        import scipy.sparse.linalg
    except ImportError as missing:
        raise MissingExtra("scipy", "assembly", "An assembly of many bodies") from missing
    return scipy.sparse


def sparse_rows(row, column, blocks, shape):
    """A sparse matrix from blocks (1, 6), sorted by row."""
    count = np.bincount(row, minlength=shape[0]) * 6
    indices = (6 * column[:, None] + np.arange(6)).ravel()
    return _scipy().csr_matrix((blocks.ravel(), indices, np.concatenate([[0], np.cumsum(count)])), shape=shape)


def mean_square(J) -> float:
    """The mean over rows of their squared lengths."""
    squares = J.data if not isinstance(J, np.ndarray) else J
    return float((squares * squares).sum()) / max(J.shape[0], 1)


def damped(J, r, mu: float) -> np.ndarray:
    """(1)"""
    m, n = J.shape
    if not isinstance(J, np.ndarray):
        return -_factor(J.T @ J, mu)(J.T @ r)
    if m < n:
        return -J.T @ np.linalg.solve(J @ J.T + mu * np.eye(m), r)
    return -np.linalg.solve(J.T @ J + mu * np.eye(n), J.T @ r)


def projected(J, r, e, H) -> np.ndarray:
    """(2), H (n,) a diagonal."""
    if isinstance(J, np.ndarray):
        S = (J * H) @ J.T
        small = TINY * max(np.trace(S) / max(len(S), 1), 1e-300)
        inverse = np.linalg.inv(S + small * np.eye(len(S)))
        solve = inverse.__matmul__
    else:
        S = J @ _scipy().diags(H) @ J.T
        solve = _factor(S, TINY * max(S.diagonal().mean(), 1e-300))
    d = e
    for _ in range(3):
        d = d - H * (J.T @ solve(r + J @ d))
    return d


def _factor(S, more: float):
    """The solver of a sparse symmetric matrix plus a multiple of 1."""
    sparse = _scipy()
    whole = (S + more * sparse.identity(S.shape[0], format="csr")).tocsc()
    factors = sparse.linalg.splu(whole, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                                 options={"SymmetricMode": True})  # fmt: skip
    return factors.solve


FARTHEST = 2.0  # rad, or sizes of the assembly
PATIENCE, PROGRESS, LEVEL = 4, 0.1, 1e-9
AGAIN, ANEW, SAME = 16, 4, 1e-3
INNER = 8  # restarts of attitudes alone
POLISH, NEAR = 20, 1e-3


class Attempt(NamedTuple):
    """Where a solver ended: the state, the residual and its Jacobian there, whether it is a solution."""

    x: np.ndarray
    r: np.ndarray
    J: Any
    solved: bool
    attempts: int = 1


def solve_assembly(
    problem, x0, tolerance: float = 1e-12, restarts: int = 40, seed: int = 0, passes: int = 200
) -> Attempt:
    """A solution from any start, or the nearest there was to one."""
    rng = np.random.default_rng(seed)
    last = best = _staged(problem, x0, tolerance, passes)
    k, again, anew = 0, 0, 0
    while not last.solved and k < restarts and (again < AGAIN or anew < ANEW):
        k += 1
        turns_first = k % 2 == 1 and not _turned(problem, k)
        last = _staged(problem, _restart(problem, x0, last, k, rng), tolerance, passes, turns_first, k)  # (5)
        cost, least = last.r @ last.r, best.r @ best.r
        if last.solved or cost < (1.0 - SAME) * least:
            best, again, anew = last, 0, 0
        elif cost <= (1.0 + SAME) * least:
            again, anew = again + 1, anew + (k % 4 == 0)  # (7)
    return (_polished(problem, best) if best.solved and tolerance < 1e-6 else best)._replace(attempts=k + 1)


def _staged(problem, x, tolerance: float, passes: int, turns_first: bool = False, seed: int = 0) -> Attempt:
    """(4)"""
    if turns_first and problem.turning is not None:
        x = solve_assembly(problem.turning, x, 1e-3, INNER, seed, passes).x
    if problem.smooth is not None:
        x = attempt(problem.smooth, x, 1e-3, passes).x
    return attempt(problem, x, tolerance, passes)


def attempt(problem, x, tolerance: float = 1e-12, passes: int = 200) -> Attempt:
    """(3) to (5), from one start."""
    r, J = problem(x)
    cost, damping, idle = r @ r, 1.0, 0
    for _ in range(passes):
        if problem.holds(r, tolerance):
            return Attempt(x, r, J, True)
        size = mean_square(J)
        slope = J.T @ r
        if not slope @ slope > LEVEL**2 * size * cost or idle >= PATIENCE:
            break  # (5)
        d = damped(J, r, size * (damping * np.sqrt(cost / len(r)) + 1e-13))
        d *= min(1.0, FARTHEST / max(np.abs(d).max(), 1e-300))  # (3)
        there = problem.coordinates.moved(x, d)
        r1, J1 = problem(there)
        cost1, foretold = r1 @ r1, cost - np.square(r + J @ d).sum()
        if not cost1 < cost:  # (4)
            damping, idle = 4.0 * damping, idle + 1
            continue
        gain = (cost - cost1) / max(foretold, 1e-300)
        damping = max(damping / 5.0, 1e-6) if gain > 0.5 else 2.0 * damping if gain < 0.2 else damping
        idle = idle + 1 if cost - cost1 < PROGRESS * cost else 0
        x, r, J, cost = there, r1, J1, cost1
    return Attempt(x, r, J, problem.holds(r, tolerance))


def _polished(problem, last: Attempt) -> Attempt:
    """(6)"""
    J = last.J
    for _ in range(POLISH):
        d = damped(J, last.r, 1e-13 * mean_square(J))
        if not np.abs(d).max(initial=0.0) < NEAR:
            break
        x = problem.coordinates.moved(last.x, d)
        r, J = problem(x)
        if not r @ r < 0.5 * (last.r @ last.r):
            break
        last = last._replace(x=x, r=r)
    return last


def _turned(problem, k: int) -> bool:
    """Whether restart k only turns a body that is alone."""
    return problem.coordinates.alone and k < len(TETRAHEDRON)


def _restart(problem, x0, last: Attempt, k: int, rng):
    """(5)"""
    c = problem.coordinates
    if _turned(problem, k):
        return c.turned(x0, TETRAHEDRON[k])
    if k % 4 == 0:
        return c.scattered(x0, rng)
    blame = problem.blame(last.r)
    involved = np.count_nonzero(blame)
    many = min(1 if k % 2 else max(1, len(blame) // 2), involved)
    if not many:
        return c.scattered(x0, rng)
    return c.scattered(last.x, rng, rng.choice(len(blame), many, replace=False, p=blame / blame.sum()))
