"""Fit a configuration to targets within limits: the solver of inverse kinematics.

Damped Gauss–Newton on the manifold (gauss_newton.py). The limits bound coordinates x (`Joint.coordinates`); degrees of
freedom without limits move by their velocities. With weighted errors e and Jacobian J (in x), each pass takes the step
d that minimises |J d - e|² + μ |d|² within the limits:

    μ = ½ s eᵀe + ε                      s : gauss_newton.py (2)                                                  (1)
    d = Jᵀ (J Jᵀ + μ)⁻¹ e                gauss_newton.py (1)                                                      (2)
    a coordinate that would exceed its limit is set to the limit; (2) is solved again for the others              (3)
    posture: d = d₀ + Jᵀ (J Jᵀ + μ)⁻¹ (e - J d₀),   d₀ = weight · (posture - x)                                   (4)

Limits of several coordinates (cones, swing and twist) are given as gaps ≥ 0 with Jacobian rows. If a step would exceed
such a limit, its row is added with a high weight, so that the step ends at the limit (3). A remaining error due to
curvature is removed by projection. A problem ends when every error is within the tolerance, or when e no longer
changes. Targets that always hold (loops) are then met exactly, by (2) and (3) without the other targets.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, less, less_equal, maximum, minimum, sqrt, where
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.shapes import Array, Number
from anthropi.constraints.gauss_newton import Damping, damped_step, gauss_newton
from anthropi.figure import Figure
from anthropi.tape import repeat

__all__ = ["Fit", "FitSettings", "fit_to_targets"]


@dataclass(frozen=True)
class FitSettings:
    """Settings of `fit_to_targets`, the solver of inverse kinematics.

    damping : schedule of s in (1); the values were chosen on random poses of a human.
    regularisation : ε of (1), relative to the mean square of J: keeps (2) solvable if targets repeat each other.
    stalled_change : relative change of eᵀe below which the iteration counts as stalled.
    settled_step : [rad or m] largest step at which the posture counts as reached.
    max_pull : [rad or m] largest entry of (posture - x) in (4).
    pull_halving : μ, relative to the mean square of J, that halves the effect of the posture.
    pull_share : fraction of the passes in which the posture acts, with decreasing strength.
    limit_weight : weight of limits of several coordinates; targets usually have weight 1.
    start_passes : passes that bring the start within limits of several coordinates.
    closing_passes : passes for targets that always hold.
    """

    damping: Damping = Damping()  # noqa: RUF009  it is frozen
    regularisation: float = 1e-9
    stalled_change: float = 1e-5
    settled_step: float = 1e-4
    max_pull: float = 0.5
    pull_halving: float = 1e-4
    pull_share: float = 0.6
    limit_weight: float = 100.0
    start_passes: int = 8
    closing_passes: int = 6


DEFAULT = FitSettings()


class Fit(NamedTuple):
    """Result of `fit_to_targets`: q (nq,), the error (targets,) [m or rad] of each target, and the number of passes."""

    q: Any
    error: Any
    passes: Any


def fit_to_targets(
    figure: Figure,
    targets: Any,
    q0: Array,
    goals: Array,
    weights: Array,
    tolerance: Number,
    posture: Array | None = None,
    pull: Array | None = None,
    passes: int = 60,
    limits: Any = True,
    settings: FitSettings = DEFAULT,
) -> Fit:
    """Find the configuration that meets the targets best.

    Parameters
    ----------
    targets : targets (`ap.targets`). goals : (sum of their sizes,), in the same order. weights : (targets,).
    q0 : (nq,), the start. tolerance : [m or rad], error of each target at which the iteration ends.
    posture, pull : (nq,), (nu,), the posture and its weights of (4).
    passes : largest number of steps.
    limits : whether to keep the limits of coordinates; or an object that also bounds whole joints, `limits.joints` by
        name, with rotation_bounds(figure, q) → gaps (m,), rows (m, nu), and within(figure, q) → q (`contact/limits`).
    """
    bounded = _bounded(figure, limits)
    whole = None if isinstance(limits, bool) or not limits.joints else limits
    if any(bounded):  # a start outside the limits is brought inside
        own = zip(figure.joints, figure.q_of, bounded, strict=True)
        x0 = np.concatenate([j.coordinates(q0[at]) if b else np.zeros(j.nu) for j, at, b in own])
        q0 = _moved(figure, q0, x0, np.zeros(figure.nu), bounded)
    if whole is not None:
        q0 = whole.within(figure, q0, settings.start_passes)

    def system(state: Any) -> tuple[Number, Any]:
        e, J, apart = _errors(figure, targets, state[0], goals, weights)
        x, J = _coordinates(figure, state[0], J, bounded)
        return (e * e).sum(), (e, J, apart, x)

    def advance(state: Any, found: Any, now: Number, s: Number, before: Number) -> tuple[Any, Number]:
        (q, count), (e, J, apart, x) = state, found
        size = (J * J).sum() / len(e) + 1e-30
        mu = 0.5 * s * now + settings.regularisation * size  # (1)
        pulled = np.zeros(figure.nu)
        if posture is not None:
            away = clip(_towards(figure, q, x, posture, bounded), -settings.max_pull, settings.max_pull)
            fade = maximum(0.0, 1.0 - count / (settings.pull_share * passes))
            pulled = pull * away * fade / (1.0 + mu / (settings.pull_halving * size))  # (4) compensates less as μ grows
        bounds = whole and whole.rotation_bounds(figure, q)
        d = _step(figure, J, e, mu, x, pulled, bounded, bounds, settings.limit_weight)
        stalled = less_equal(absolute(before - now), settings.stalled_change * before)
        ended = less_equal(_top(apart), tolerance * tolerance) | stalled
        if posture is not None:
            ended = ended & less_equal(_top(absolute(d)), settings.settled_step)
        there = _moved(figure, q, x, d, bounded)
        there = there if whole is None else whole.within(figure, there)
        there = np.array([where(ended, a, b) for a, b in zip(q, there, strict=True)])
        left = where(ended, 0.0, 1.0)
        return (there, count + left), left

    start = (q0, np.array(0.0))
    q, count = gauss_newton(start, system, advance, settings.damping, passes, lambda left: less(left, 0.5))
    always = [t for t in targets if t.always]
    if always:
        q = _closed(figure, always, q, bounded, whole, settings)
    error = sqrt(_errors(figure, targets, q, goals, np.ones(len(targets)))[2])
    return Fit(q, error, count)


def _closed(figure: Figure, targets: Any, q: Array, bounded: list[bool], whole: Any, settings: FitSettings) -> Array:
    """Return the nearest configuration that meets these targets (loops, which have no goals)."""

    def body(q: Array) -> Array:
        e, J, _ = _errors(figure, targets, q, np.zeros(0), np.ones(len(targets)))
        x, J = _coordinates(figure, q, J, bounded)
        mu = settings.regularisation * ((J * J).sum() / len(e) + 1e-30)
        bounds = whole and whole.rotation_bounds(figure, q)
        d = _step(figure, J, e, mu, x, np.zeros(figure.nu), bounded, bounds, settings.limit_weight)
        there = _moved(figure, q, x, d, bounded)
        return there if whole is None else whole.within(figure, there)

    return repeat(body, q, settings.closing_passes)


def _errors(figure: Figure, targets: Any, q: Array, goals: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return weighted errors (m,), their Jacobian (m, nu), and each target's squared error (0 if its weight is 0)."""
    k, at = kinematics(figure, q), 0
    e, J, apart = [], [], []
    for target, w in zip(targets, weights, strict=True):
        error, rows = target.error(figure, k, q, goals[at : at + target.size])
        at += target.size
        e.append(w * error)
        J.append(w * rows)
        apart.append(where(less(0.0, w), (error * error).sum(), 0.0))
    return np.concatenate(e), np.concatenate(J), np.stack(apart)


def _bounded(figure: Figure, limits: Any) -> list[bool]:
    """Return for each joint whether its coordinates have limits."""
    ends = [np.concatenate([j.lower, j.upper]) for j in figure.joints]
    whole = () if isinstance(limits, bool) else limits.joints
    return [
        limits is not False and j.name not in whole and bool(np.isfinite(x).any())  # floats only
        for j, x in zip(figure.joints, ends, strict=True)
    ]


def _coordinates(figure: Figure, q: Array, J: Array, bounded: list[bool]) -> tuple[Array, Array]:
    """Return the coordinates x (nu,) of joints with limits (0 for others), and J with respect to x instead of u."""
    x, columns = [], []
    for i, joint in enumerate(figure.joints):
        at, own = q[figure.q_of[i]], J[:, figure.u_of[i]]
        x.append(joint.coordinates(at) if bounded[i] else np.zeros(joint.nu))
        T = joint.coordinate_rates(at) if bounded[i] else None
        columns.append(own if T is None else own @ T)
    return np.concatenate(x), np.concatenate(columns, axis=1)


def _towards(figure: Figure, q: Array, x: Array, posture: Array, bounded: list[bool]) -> Array:
    """Return the difference (nu,) from q to the posture: in x for joints with limits, in u for others."""
    parts = []
    for i, joint in enumerate(figure.joints):
        at, goal = q[figure.q_of[i]], posture[figure.q_of[i]]
        parts.append(joint.coordinates(goal) - x[figure.u_of[i]] if bounded[i] else joint.difference(at, goal))
    return np.concatenate(parts)


def _moved(figure: Figure, q: Array, x: Array, d: Array, bounded: list[bool]) -> Array:
    """Return q after the step d, within its limits."""
    places = []
    for i, joint in enumerate(figure.joints):
        at, of = q[figure.q_of[i]], figure.u_of[i]
        if bounded[i]:
            places.append(joint.from_coordinates(minimum(maximum(x[of] + d[of], joint.lower), joint.upper)))
        else:
            places.append(joint.integrate(at, d[of]))
    return np.concatenate(places)


def _step(
    figure: Figure,
    J: Array,
    e: Array,
    mu: Number,
    x: Array,
    pulled: Array,
    bounded: list[bool],
    bounds: Any,
    limit_weight: float,
) -> Array:
    """Return the step (nu,) of (2)-(4). Coordinates that would exceed a limit are set to it; the others compensate."""
    has = np.concatenate([np.full(j.nu, b) for j, b in zip(figure.joints, bounded, strict=True)])
    low, high = np.where(has, figure.limits, [[-np.inf], [np.inf]])  # floats only
    ends = np.isfinite(low) | np.isfinite(high)  # floats only
    d = damped_step(J, e, mu, pulled)
    if bounds is not None:
        gap, rows = bounds
        past = np.array([where(less(a, 0.0), limit_weight, 0.0) for a in gap + rows @ d])
        J, e = np.concatenate([J, past[:, None] * rows]), np.concatenate([e, -past * gap])
        d = damped_step(J, e, mu, pulled)
    if not ends.any():
        return d
    there = x + d
    inside = minimum(maximum(there, low), high)
    past = less(0.0, absolute(there - inside))
    free = np.array([where(past[n], 0.0, 1.0) if ends[n] else 1.0 for n in range(len(d))])
    start = np.array([where(past[n], inside[n] - x[n], pulled[n]) if ends[n] else pulled[n] for n in range(len(d))])
    return damped_step(J, e, mu, start, J * free)  # (3)


def _top(values: Array) -> Number:
    """Return the largest number of an array (n,)."""
    top = values[0]
    for value in values[1:]:
        top = maximum(top, value)
    return top
