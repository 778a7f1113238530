"""Which way must the body go for its feet to carry it? The path of the hips, at one with the virtual leg. Floats only.

The ground gives a force F at the virtual foot p, and next to no moment. A plan of a motion needs, about p,

    N = n + (x - p) × F,   F, n its root's force and moment at x, by inverse dynamics                            (1)

The hips are moved by δ until N_x = N_y = 0. With G at the height z, a shift of the whole body does to N what that of a
mass point does, linear in δ:

    δN_y = m z δx'' - F_z δx,   δN_x = F_z δy - m z δy''                       (2)

so each pass solves (2) on the grid for δN = -N and makes the plan anew: legs bend, arms swing, and (1) is other than
(2) foresaw. About three passes shrink N tenfold. So dynamics guides the lower body (thesis 9.3, principle 2). What is
left, the moment about the vertical, is a residual: a point cannot give it, real soles can, by friction.
"""

from typing import NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.entry import centre_of_mass, inverse_dynamics
from anthropi.gait.hidds.walking.legs import Legs, Lower
from anthropi.gait.hidds.walking.pose import MARGIN, Anatomy, rates_of
from anthropi.motion.splines import spline

__all__ = ["HipPath", "balanced", "course"]

COARSE = 4e-3  # [s] between the grid points that (2) is solved on
PASSES, CLOSE = 30, 0.3  # at most; [N m per 75 kg] the moment that is small enough
SPARE, NEAR = 3, 0.1  # steps, and [s], beside what is wanted, where the ends of the grid do harm
SHARE, SMALLEST, WORSE = 0.7, 0.02, 1.5  # of a pass's answer that is taken; halved where N grows by this


class HipPath(NamedTuple):
    """A plan on a grid: t (n,) [s]; q, u, udot (n, …); lower: hips and legs.

    force (n, 3) [N], moment (n, 3) [N m] about the virtual foot: what the motion needs of the ground (1). World.
    """

    t: np.ndarray
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    lower: Lower
    force: np.ndarray
    moment: np.ndarray


def course(body: Anatomy, legs: Legs, t, aside, form: str = "cosine") -> HipPath:
    """The plan at evenly spaced t (n,) with the hips moved by aside (n, 2) [m]; the ends' three points are lost."""
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


def balanced(body: Anatomy, legs: Legs, start: float, end: float, form: str = "cosine"):
    """(legs that reach, spline t → (2,) [m]: the way δ of the hips, N after each pass [N m]), from start to end [s].

    First on a coarse grid with steps to spare, where the ends do no harm; then on that of the increments.
    """
    spare = SPARE * max(plan.step for plan in legs.prints.plans)
    legs, rough, before = _passes(body, legs, start - spare, end + spare, COARSE, form, None)
    legs, fine, after = _passes(body, legs, start - NEAR, end + NEAR, legs.prints.dt, form, rough)
    return legs, fine, before + after


def _passes(body: Anatomy, legs: Legs, start: float, end: float, h: float, form: str, before):
    """Passes of (1), (2) on a grid h [s] apart, from another way or none; a pass that makes it worse is taken back."""
    t = h * np.arange(np.floor(start / h) - MARGIN, np.ceil(end / h) + MARGIN + 1)
    m, share = float(body.figure.mass), SHARE
    history: list[float] = []
    aside = np.zeros((len(t), 2)) if before is None else before(t).value
    best = (np.inf, legs, aside, aside)
    while len(history) < PASSES and share > SMALLEST:
        legs = legs.settled(t, aside) if before is None else legs
        found = course(body, legs, t, aside, form)
        inside = (found.t > start + NEAR) & (found.t < end - NEAR)
        left = float(np.sqrt((found.moment[inside, :2] ** 2).mean()))
        if not left < WORSE * best[0]:
            share *= 0.5
            aside = best[2] + share * best[3]
            continue
        z, press = centre_of_mass(body.figure, found.q)[0][:, 2], found.force[:, 2]
        wanted = np.stack([found.moment[:, 1], -found.moment[:, 0]], -1)
        change = np.pad(_solved(press, m * z / (h * h), wanted), ((MARGIN, MARGIN), (0, 0)), "edge")
        history.append(left)
        best = min(best, (left, legs, aside, change), key=lambda found: found[0])
        if left < CLOSE * m / 75.0:
            break
        aside = aside + share * change
    return best[1], spline(t, best[2]), history


def _solved(press, inertia, wanted) -> np.ndarray:
    """δ (n, 2) of press δ - inertia (δ_k-1 - 2 δ_k + δ_k+1) = wanted (2), 0 at the ends."""
    inertia, wanted = inertia.copy(), wanted.copy()
    inertia[0] = inertia[-1] = wanted[0] = wanted[-1] = 0.0
    middle = np.maximum(press, 0.2 * press.mean()) + 2.0 * inertia
    upper, right = np.zeros(len(press)), np.zeros_like(wanted)
    for k in range(len(press)):  # down, then up: three diagonals
        behind = (upper[k - 1], right[k - 1]) if k else (0.0, np.zeros(2))
        pivot = middle[k] + inertia[k] * behind[0]
        upper[k], right[k] = -inertia[k] / pivot, (wanted[k] + inertia[k] * behind[1]) / pivot
    for k in range(len(press) - 2, -1, -1):
        right[k] = right[k] - upper[k] * right[k + 1]
    return right
