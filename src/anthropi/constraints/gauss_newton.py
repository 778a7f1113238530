"""Damped Gauss–Newton (Levenberg–Marquardt): the steps and iterations that all constraint solvers share.

A residual e(x) with Jacobian J is reduced by steps x ⊞ d with J d ≈ e (e is the remaining error, goal minus value):

    (JᵀJ + μ) d = Jᵀ e,   or   d = Jᵀ (J Jᵀ + μ)⁻¹ e,   whichever takes fewer operations                         (1)
    with weights W of the damping:  (JᵀJ + μ W) d = Jᵀ e,   or   d = W⁻¹ Jᵀ (J W⁻¹ Jᵀ + μ)⁻¹ e                  (1a)

`gauss_newton` accepts every step. Its damping is proportional to the squared error, so that the last steps converge
quadratically and steps far from the goal stay short (Sugihara, IEEE Trans. Robotics 27, 2011). It can be recorded:

    μ = c s eᵀe + ε,   s ← growth s if eᵀe grew, else decay s, within bounds                                     (2)

`levenberg_marquardt` compares each step with the linear model. It works on plain floats and cannot be recorded. σ is
the mean squared length of the m rows:

    μ = σ (λ min(|e|/√m, 1) + ε),   |rotations in d| ≤ max_step                                                  (3)
    |e(x ⊞ d)| < |e|: accept; λ/5 if the gain is at least half of the predicted gain, 2 λ if below a fifth;
    otherwise first improve the translations alone by (1); if |e| is still not smaller reject, 4 λ               (4)
    Residuals are nearly linear in translations, so these have no largest step, and a small weight in (1a) far from a
    solution (|e|/√m > 1, 100 times larger after each rejected step): the number of steps does not depend on distances.
    Coordinates give the mask of rotations.
    end when |Jᵀe| is small compared with |J| |e|, or after `patience` steps without progress                    (5)

| used by | steps | iteration |
| --- | --- | --- |
| `fit_to_targets.py` (inverse kinematics) | (1) within limits | `gauss_newton` |
| `loops/projection.py` (`close_loops`) | (1) in the metric of the mass matrix | `gauss_newton` |
| `loops/independent_rows.py` (closed configurations) | (1), dense | `levenberg_marquardt`, from several starts |
| `assembly/` | (1), dense or sparse | `levenberg_marquardt`, with restarts |
| `newton.py`, `robust` (one body) | (1) with geodesic acceleration | own iteration, recorded, with restarts |
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.linear import upper, upper_product
from anthropi.algebra.linear.symmetric import ldl_packed
from anthropi.algebra.scalar import absolute, less, maximum, minimum, where
from anthropi.algorithms.shapes import Array, Number
from anthropi.errors import MissingExtra
from anthropi.tape import repeat

__all__ = [
    "Attempt",
    "Damping",
    "LevenbergMarquardtSettings",
    "damped_step",
    "float_step",
    "gauss_newton",
    "largest",
    "levenberg_marquardt",
    "limited",
    "mean_square",
    "normal_factor",
    "projected",
    "sparse_rows",
]

TRANSLATION_WEIGHT = 1e-4  # W of (1a) for translations far from a solution; rotations have 1
RELATIVE_REGULARISATION = 1e-13  # ε of (3) and `projected`, relative to mean squares of rows: allows repeated rows


@dataclass(frozen=True)
class Damping:
    """Schedule of the damping factor s of `gauss_newton` (2).

    start : initial s. growth, decay : factors applied to s after a step that increased, or decreased, eᵀe.
    minimum, maximum : bounds of s.
    """

    start: float = 0.3
    growth: float = 4.0
    decay: float = 0.7
    minimum: float = 0.03
    maximum: float = 1e3

    def update(self, s: Number, before: Number, now: Number) -> Number:
        """Return the new damping factor s after eᵀe changed from `before` to `now`."""
        return minimum(maximum(s * where(less(before, now), self.growth, self.decay), self.minimum), self.maximum)


def gauss_newton(
    x: Any,
    system: Callable[[Any], tuple[Number, Any]],
    advance: Callable[[Any, Any, Number, Number, Number], tuple[Any, Number]],
    damping: Damping,
    passes: int,
    stop: Callable[[Number], Any],
) -> Any:
    """Iterate damped Gauss–Newton steps (1), (2), on plain floats or while recording.

    Parameters
    ----------
    x : initial unknowns, nested arrays.
    system : function of x that returns eᵀe and any data for `advance`.
    advance : function of (x, data, eᵀe, s, previous eᵀe) that returns the next x and a convergence measure.
    damping : schedule of s.
    passes : largest number of steps.
    stop : function of the convergence measure (initially 1) that returns whether to stop.

    Returns
    -------
    The last x.
    """

    def body(state: Any) -> Any:
        x, before, s, _ = state
        now, found = system(x)
        s = damping.update(s, before, now)
        x, measure = advance(x, found, now, s, before)
        return x, now, s, measure

    start = (x, np.array(1e300), np.array(damping.start / damping.decay), np.array(1.0))
    return repeat(body, start, passes, until=lambda state: stop(state[3]))[0]


def damped_step(J: Array, e: Array, mu: Number, start: Array, free: Array | None = None) -> Array:
    """Return the damped step d (n,): `start` plus the step (1) for the error e - J start that remains.

    J : (m, n). e : (m,). mu : μ. free : J with zero columns for the unknowns that stay at `start`; by default J.
    """
    K = J if free is None else free
    left = e - J @ start
    m, n = J.shape
    if 5 * m <= 4 * n:  # where operations break even, measured on a human with 42 markers
        return start + K.T @ ldl_packed(upper_product(K, J) + mu * upper(np.eye(m))).solve(left)
    return start + normal_factor(K, mu).solve(K.T @ left)


def normal_factor(J: Array, mu: Number) -> Any:
    """Factor JᵀJ + μ 1, (n, n); return the factors, which have a method `solve`."""
    return ldl_packed(upper_product(J.T, J.T) + mu * upper(np.eye(J.shape[1])))


def limited(d: Array, max_step: float) -> Array:
    """Return the step d, scaled down if necessary so that |d|∞ ≤ max_step [rad or m]."""
    return d * minimum(1.0, max_step / maximum(largest(d), 1e-30))


def largest(values: Array) -> Number:
    """Return the largest absolute value in an array (n,); 0 if it is empty."""
    top = np.array(0.0)
    for value in values:
        top = maximum(top, absolute(value))
    return top


# functions for plain floats: dense matrices by NumPy, sparse matrices by scipy.sparse (extra `assembly`)


class FloatProblem(Protocol):
    """Interface of a problem for `levenberg_marquardt`: a residual and its Jacobian."""

    coordinates: Any
    """Object with a method moved(x, d) that returns x ⊞ d. `rotations` (n,) masks the unknowns whose steps are limited,
    and damped with the full weight; without it, all are."""

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray, Any]:
        """Return the residual r (m,) and its Jacobian J (m, n), dense or sparse; a step d with J d = -r reduces r."""

    def holds(self, r: np.ndarray, tolerance: float) -> bool:
        """Return whether a residual is small enough for a solution."""


class Attempt(NamedTuple):
    """Result of a solver: final state x, its residual r and Jacobian J, and whether it is a solution."""

    x: np.ndarray
    r: np.ndarray
    J: Any
    solved: bool
    attempts: int = 1


@dataclass(frozen=True)
class LevenbergMarquardtSettings:
    """Settings of `levenberg_marquardt`, equations (3)-(5).

    max_step : [rad] largest rotation of a step; also of other unknowns, in their units, if the coordinates do not tell
        rotations from translations.
    patience : number of steps that may reduce |e|² by less than the fraction `min_progress` before an attempt ends.
    min_slope : value of |Jᵀe| / (|J| |e|) below which x counts as a minimum.
    """

    max_step: float = 2.0
    patience: int = 4
    min_progress: float = 0.1
    min_slope: float = 1e-9


def levenberg_marquardt(
    problem: Any,
    x: np.ndarray,
    tolerance: float = 1e-12,
    passes: int = 200,
    settings: LevenbergMarquardtSettings = LevenbergMarquardtSettings(),
) -> Attempt:
    """Minimise a residual from one start by Levenberg–Marquardt (3)-(5), on plain floats.

    Parameters
    ----------
    problem : a `FloatProblem`.
    x : initial state. tolerance : tolerance of a solution, passed to `problem.holds`. passes : largest number of steps.
    """
    r, J = problem(x)
    cost, damping, idle = r @ r, 1.0, 0
    rotations = getattr(problem.coordinates, "rotations", None)
    limited_part = slice(None) if rotations is None else rotations
    rejected = 0
    for _ in range(passes):
        if problem.holds(r, tolerance):
            return Attempt(x, r, J, True)
        size = mean_square(J)
        slope = J.T @ r
        if not slope @ slope > settings.min_slope**2 * size * cost or idle >= settings.patience:
            break  # (5)
        mean = np.sqrt(cost / len(r))  # floats only
        light = TRANSLATION_WEIGHT * 100.0**rejected if mean > 1.0 else 1.0
        share = damping * min(mean, 1.0)
        every, part = share + RELATIVE_REGULARISATION, share * min(light, 1.0) + RELATIVE_REGULARISATION
        weights = None if rotations is None else np.where(rotations, 1.0, part / every)  # floats only
        d = float_step(J, r, size * every, weights)
        d *= min(1.0, settings.max_step / max(np.abs(d[limited_part]).max(initial=0.0), 1e-300))  # floats only (3)
        there = problem.coordinates.moved(x, d)
        r1, J1 = problem(there)
        cost1, predicted = r1 @ r1, cost - np.square(r + J @ d).sum()
        if not cost1 < cost and rotations is not None:
            there, r1, J1 = _translated(problem, there, r1, J1, rotations, cost)
            cost1 = r1 @ r1
        if not cost1 < cost:  # (4)
            damping, idle, rejected = 4.0 * damping, idle + 1, rejected + 1
            continue
        gain, rejected = (cost - cost1) / max(predicted, 1e-300), 0
        damping = max(damping / 5.0, 1e-6) if gain > 0.5 else 2.0 * damping if gain < 0.2 else damping
        idle = idle + 1 if cost - cost1 < settings.min_progress * cost else 0
        x, r, J, cost = there, r1, J1, cost1
    return Attempt(x, r, J, problem.holds(r, tolerance))


def _translated(
    problem: Any, x: np.ndarray, r: np.ndarray, J: Any, rotations: np.ndarray, cost: float
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return state, residual and Jacobian after a step of the translations alone that reduces the residual most.

    The step is left out if the linear model does not predict |r|² below `cost` after it.
    """
    part = J[:, np.flatnonzero(~rotations)]
    size, d = mean_square(part), np.zeros(len(rotations))
    if not 0.0 < size < np.inf:
        return x, r, J
    d[~rotations] = float_step(part, r, RELATIVE_REGULARISATION * size)
    if not np.square(r + J @ d).sum() < cost:
        return x, r, J
    there = problem.coordinates.moved(x, d)
    return there, *problem(there)


def float_step(J: Any, r: np.ndarray, mu: float, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the damped step (1) that reduces the residual r, for a dense or sparse Jacobian J.

    weights : (n,), W of (1a); by default 1.
    """
    m, n = J.shape
    W = np.ones(n) if weights is None else weights
    if not isinstance(J, np.ndarray):
        return -_sparse_solver(J.T @ J, mu * W)(J.T @ r)
    if m < n:
        return -(J / W).T @ _solved((J / W) @ J.T + mu * np.eye(m), r)
    return -_solved(J.T @ J + mu * np.diag(W), J.T @ r)


def _solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the solution x of A x = b; the one of least length if A is singular to rounding."""
    try:
        return np.linalg.solve(A, b)  # floats only
    except np.linalg.LinAlgError:  # floats only
        return np.linalg.lstsq(A, b, rcond=None)[0]  # floats only


def projected(J: Any, r: np.ndarray, e: np.ndarray, H: np.ndarray) -> np.ndarray:
    """Return the step d with J d = -r that is nearest to a given step e (n,).

    The distance is weighted with a diagonal matrix W; H (n,) is the diagonal of W⁻¹:

        d = e - H Jᵀ y,   (J H Jᵀ + ε 1) y = r + J e

    ε keeps the system solvable if rows are repeated; two more passes on the remaining residual remove its effect.
    """
    if isinstance(J, np.ndarray):
        S = (J * H) @ J.T
        small = RELATIVE_REGULARISATION * max(np.trace(S) / max(len(S), 1), 1e-300)
        solve: Callable[[np.ndarray], np.ndarray] = np.linalg.inv(S + small * np.eye(len(S))).__matmul__  # floats only
    else:
        S = J @ _scipy_sparse().diags(H) @ J.T
        more = RELATIVE_REGULARISATION * max(S.diagonal().mean(), 1e-300)
        solve = _sparse_solver(S, np.full(S.shape[0], more))
    d = e
    for _ in range(3):
        d = d - H * (J.T @ solve(r + J @ d))
    return d


def mean_square(J: Any) -> float:
    """Return the mean squared length of the rows of a dense or sparse matrix."""
    squares = J.data if not isinstance(J, np.ndarray) else J
    return float((squares * squares).sum()) / max(J.shape[0], 1)


def sparse_rows(row: np.ndarray, column: np.ndarray, blocks: np.ndarray, shape: tuple[int, int]) -> Any:
    """Return a sparse matrix made of blocks (1, 6), which are given with their rows and columns, sorted by row."""
    count = np.bincount(row, minlength=shape[0]) * 6
    indices = (6 * column[:, None] + np.arange(6)).ravel()
    starts = np.concatenate([[0], np.cumsum(count)])
    return _scipy_sparse().csr_matrix((blocks.ravel(), indices, starts), shape=shape)


def _sparse_solver(S: Any, more: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that solves (S + diag(more)) x = b for a sparse symmetric matrix S."""
    sparse = _scipy_sparse()
    whole = (S + sparse.diags(more, format="csr")).tocsc()
    options = {"SymmetricMode": True}
    return sparse.linalg.splu(whole, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options).solve


def _scipy_sparse() -> Any:
    try:
        import scipy.sparse
        import scipy.sparse.linalg
    except ImportError as missing:
        raise MissingExtra("scipy", "assembly", "An assembly of many bodies") from missing
    return scipy.sparse
