"""Path of the hips on which the ground forces of the virtual leg support a walk.

The ground exerts a force F at the virtual foot p, and almost no moment. The moment about p that a planned motion
requires is

    N = n + (x - p) × F,   with force F and moment n on the root at x, by inverse dynamics                       (1)

The hips are moved by δ until N_x = N_y = 0. With the centre of mass at height z, a shift of the whole body changes N
like that of a point mass, linear in δ:

    δN_y = m z δx'' - F_z δx,   δN_x = F_z δy - m z δy''                                                         (2)

Each pass solves (2) on the grid for δN = -N and recomputes the plan. Because legs bend and arms swing, the new N (1)
differs from the prediction of (2). About three passes reduce N tenfold. In this way dynamics guides the lower body
(docs/equations/thesis.md, 9.3, principle 2). The remaining moment about the vertical is a residual. A point contact
cannot exert it, but real soles can, by friction. The functions work on plain floats only.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.entry import centre_of_mass, inverse_dynamics
from anthropi.gait.hidds.walking.legs import Legs, Lower
from anthropi.gait.hidds.walking.pose import MARGIN, Anatomy, rates_of
from anthropi.motion.splines import spline

__all__ = ["HipPath", "balanced", "course"]

COARSE_GRID = 4e-3  # [s], spacing of the grid of (2) in the first passes
MAX_PASSES, MOMENT_TOLERANCE = 30, 0.3  # number of passes, [N m per 75 kg]
EXTRA_STEPS, EXTRA_TIME = 3, 0.1  # steps, [s] added at both ends, where the solution is inaccurate
STEP_SHARE, MIN_STEP_SHARE, MAX_GROWTH = 0.7, 0.02, 1.5  # share of a pass's solution; halved if N grows more


class HipPath(NamedTuple):
    """Planned motion at evenly spaced times.

    t : (n,) [s]. q, u, udot : (n, …), state and accelerations. lower : motion of hips and legs.
    force, moment : (n, 3) [N], [N m], required ground force and moment about the virtual foot (1), in world axes.
    """

    t: np.ndarray
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    lower: Lower
    force: np.ndarray
    moment: np.ndarray


def course(body: Anatomy, legs: Legs, t: np.ndarray, aside: np.ndarray, form: str = "cosine") -> HipPath:
    """Compute the planned motion at evenly spaced times t (n,), with the hips moved by aside (n, 2) [m].

    Three points at each end are cut off.
    """
    figure, h = body.figure, float(t[1] - t[0])
    lower = legs(t, aside)
    q = body.pose(lower)
    u, udot = rates_of(figure, q, h)
    inner = slice(MARGIN, len(t) - MARGIN)
    t, q = t[inner], q[inner]
    lower = lower.cut(inner)
    share = {side: legs.prints.load(t, side, form)[:, None] for side in lower.legs}
    foot = sum(share[side] * leg.load for side, leg in lower.legs.items())
    tau = inverse_dynamics(figure, q, u, udot)
    C = rot.matrix_from_quaternion(q[:, 3:7])
    moment = np.einsum("nij,nj->ni", C, tau[:, 3:6]) + np.cross(q[:, :3] - foot, tau[:, :3])  # (1)
    return HipPath(t, q, u, udot, lower, tau[:, :3], moment)


def balanced(
    body: Anatomy, legs: Legs, start: float, end: float, form: str = "cosine"
) -> tuple[Legs, Callable[..., Any], list[float]]:
    """Find the path of the hips from start to end [s] on which ground forces support the walk.

    The path is solved first on a coarse grid with additional steps, so that errors at its ends do not matter, and then
    on the grid of the increments.

    Returns
    -------
    The legs, with hips low enough to reach the ground; a spline t → δ (2,) [m]; and N after each pass [N m].
    """
    spare = EXTRA_STEPS * max(plan.step for plan in legs.prints.plans)
    legs, rough, before = _passes(body, legs, start - spare, end + spare, COARSE_GRID, form, None)
    legs, fine, after = _passes(body, legs, start - EXTRA_TIME, end + EXTRA_TIME, legs.prints.dt, form, rough)
    return legs, fine, before + after


def _passes(body: Anatomy, legs: Legs, start: float, end: float, h: float, form: str, before):
    """Improve the path of the hips by repeated passes of (1) and (2) on a grid of spacing h [s].

    A pass that increases the moment N is undone.

    before : path to start from, or None.
    """
    t = h * np.arange(np.floor(start / h) - MARGIN, np.ceil(end / h) + MARGIN + 1)
    m, share = float(body.figure.mass), STEP_SHARE
    history: list[float] = []
    aside = np.zeros((len(t), 2)) if before is None else before(t).value
    best = (np.inf, legs, aside, aside)
    while len(history) < MAX_PASSES and share > MIN_STEP_SHARE:
        legs = legs.settled(t, aside) if before is None else legs
        found = course(body, legs, t, aside, form)
        inside = (found.t > start + EXTRA_TIME) & (found.t < end - EXTRA_TIME)
        left = float(np.sqrt((found.moment[inside, :2] ** 2).mean()))
        if not left < MAX_GROWTH * best[0]:
            share *= 0.5
            aside = best[2] + share * best[3]
            continue
        z, press = centre_of_mass(body.figure, found.q)[0][:, 2], found.force[:, 2]
        required = np.stack([found.moment[:, 1], -found.moment[:, 0]], -1)
        change = np.pad(_solved(press, m * z / (h * h), required), ((MARGIN, MARGIN), (0, 0)), "edge")
        history.append(left)
        best = min(best, (left, legs, aside, change), key=lambda found: found[0])
        if left < MOMENT_TOLERANCE * m / 75.0:
            break
        aside = aside + share * change
    return best[1], spline(t, best[2]), history


def _solved(press, inertia, required) -> np.ndarray:
    """Solve press δ - inertia (δ_k-1 - 2 δ_k + δ_k+1) = required (2) for δ (n, 2), with δ = 0 at the ends."""
    inertia, required = inertia.copy(), required.copy()
    inertia[0] = inertia[-1] = required[0] = required[-1] = 0.0
    middle = np.maximum(press, 0.2 * press.mean()) + 2.0 * inertia
    upper, right = np.zeros(len(press)), np.zeros_like(required)
    for k in range(len(press)):  # tridiagonal system: elimination, then back substitution
        behind = (upper[k - 1], right[k - 1]) if k else (0.0, np.zeros(2))
        pivot = middle[k] + inertia[k] * behind[0]
        upper[k], right[k] = -inertia[k] / pivot, (required[k] + inertia[k] * behind[1]) / pivot
    for k in range(len(press) - 2, -1, -1):
        right[k] = right[k] - upper[k] * right[k + 1]
    return right
