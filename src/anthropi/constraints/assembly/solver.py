"""Solve an assembly from any start: Levenberg–Marquardt on the manifold, with restarts. Plain floats only.

One attempt is a run of `levenberg_marquardt` (gauss_newton.py). In addition:

- Couplings (threads, gears) are added after the other constraints are met, since they can be misleading far from a
  solution. Every second restart first solves the constraints on attitudes alone, also with restarts; the positions
  then follow almost linearly.                                                                                   (1)
- A restart gives random attitudes to one body or to half of the bodies, where the last attempt ended, or random
  positions and attitudes to all. Bodies with a large share in the residual are preferred. A single body is first
  rotated at its start by the rotations of a tetrahedron (newton.py). A fixed seed makes results repeatable.     (2)
- An assembly counts as unsolvable when the least residual was reached `same_minimum` more times, `from_anywhere` of
  them from random starts.                                                                                       (3)
- A solution is refined by undamped steps as long as they halve |r|²; a singular solution takes many steps.      (4)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.constraints.gauss_newton import (
    RELATIVE_REGULARISATION,
    Attempt,
    float_step,
    levenberg_marquardt,
    mean_square,
)
from anthropi.constraints.newton import TETRAHEDRON

__all__ = ["RestartSettings", "solve_assembly"]


@dataclass(frozen=True)
class RestartSettings:
    """Settings of the restarts of `solve_assembly`.

    same_minimum, from_anywhere : number of further attempts that must end at the least residual before giving up (3).
    same_residual : relative difference of |r|² below which two minima count as the same.
    rough_tolerance : tolerance of the first stages (1). attitude_restarts : restarts of the stage for attitudes.
    refinements : largest number of steps of (4). max_refinement : [rad, or sizes of the assembly] largest such step.
    """

    same_minimum: int = 16
    from_anywhere: int = 4
    same_residual: float = 1e-3
    rough_tolerance: float = 1e-3
    attitude_restarts: int = 8
    refinements: int = 20
    max_refinement: float = 1e-3


DEFAULT = RestartSettings()


def solve_assembly(
    problem: Any,
    x0: np.ndarray,
    tolerance: float = 1e-12,
    restarts: int = 40,
    seed: int = 0,
    passes: int = 200,
    settings: RestartSettings = DEFAULT,
) -> Attempt:
    """Solve an assembly with restarts; return a solution, or the attempt with the least residual.

    Parameters
    ----------
    problem : `Problem` of an assembly. x0 : initial state. tolerance : largest residual of a solution.
    restarts : largest number of restarts. seed : seed of their random numbers. passes : largest number of steps of one
    attempt.
    """
    rng = np.random.default_rng(seed)
    last = best = _staged(problem, x0, tolerance, passes, settings)
    k, again, anew = 0, 0, 0
    while not last.solved and k < restarts and (again < settings.same_minimum or anew < settings.from_anywhere):
        k += 1
        attitudes_first = k % 2 == 1 and not _rotates_only(problem, k)
        last = _staged(
            problem, _restart(problem, x0, last, k, rng), tolerance, passes, settings, attitudes_first, k
        )  # (2)
        cost, least = last.r @ last.r, best.r @ best.r
        if last.solved or cost < (1.0 - settings.same_residual) * least:
            best, again, anew = last, 0, 0
        elif cost <= (1.0 + settings.same_residual) * least:
            again, anew = again + 1, anew + (k % 4 == 0)  # (3)
    return (_refined(problem, best, settings) if best.solved and tolerance < 1e-6 else best)._replace(attempts=k + 1)


def _staged(
    problem: Any,
    x: np.ndarray,
    tolerance: float,
    passes: int,
    settings: RestartSettings,
    attitudes_first: bool = False,
    seed: int = 0,
) -> Attempt:
    """Run one attempt in stages: attitudes alone if `attitudes_first`, all but couplings, then everything (1)."""
    if attitudes_first and problem.turning is not None:
        x = solve_assembly(problem.turning, x, settings.rough_tolerance, settings.attitude_restarts, seed, passes).x
    if problem.smooth is not None:
        x = levenberg_marquardt(problem.smooth, x, settings.rough_tolerance, passes).x
    return levenberg_marquardt(problem, x, tolerance, passes)


def _refined(problem: Any, last: Attempt, settings: RestartSettings) -> Attempt:
    """Refine a solution by undamped steps (4)."""
    J = last.J
    for _ in range(settings.refinements):
        d = float_step(J, last.r, RELATIVE_REGULARISATION * mean_square(J))
        if not np.abs(d).max(initial=0.0) < settings.max_refinement:
            break
        x = problem.coordinates.moved(last.x, d)
        r, J = problem(x)
        if not r @ r < 0.5 * (last.r @ last.r):
            break
        last = last._replace(x=x, r=r)
    return last


def _rotates_only(problem: Any, k: int) -> bool:
    """Return whether restart k only rotates the body, which it does if a single body moves."""
    return problem.coordinates.alone and k < len(TETRAHEDRON)


def _restart(problem: Any, x0: np.ndarray, last: Attempt, k: int, rng: np.random.Generator) -> np.ndarray:
    """Return the initial state of restart k (2)."""
    c = problem.coordinates
    if _rotates_only(problem, k):
        return c.turned(x0, TETRAHEDRON[k])
    if k % 4 == 0:
        return c.scattered(x0, rng)
    blame = problem.blame(last.r)
    involved = int(np.count_nonzero(blame))
    many = min(1 if k % 2 else max(1, len(blame) // 2), involved)
    if not many:
        return c.scattered(x0, rng)
    return c.scattered(last.x, rng, rng.choice(len(blame), many, replace=False, p=blame / blame.sum()))
