"""Which configuration meets the targets best? Damped Gauss-Newton (Levenberg-Marquardt) on the manifold, within limits.

The limits bound coordinates x (`Joint.coordinates`); degrees of freedom without any move by their velocities. With
weighted errors e and Jacobian J (in x), each pass takes the step d that minimises |J d - e|² + μ |d|² in the limits:

    μ = s ½ eᵀe + tiny                   s grows when the last step made e larger, else shrinks                   (1)
    d = Jᵀ (J Jᵀ + μ)⁻¹ e                or (Jᵀ J + μ)⁻¹ Jᵀ e, whichever takes fewer operations                   (2)
    a coordinate that would pass its limit goes to the limit; once more for the rest                              (3)
    posture: d = d₀ + Jᵀ (J Jᵀ + μ)⁻¹ (e - J d₀),   d₀ = weight · (posture - x)                                   (4)

(1) damps in proportion to what is left, so the last passes converge quadratically (Sugihara 2011) and far from the goal
steps stay short. Limits that are not of single coordinates (cones, swing and twist) come as gaps ≥ 0 with rows:
where a step would pass one, its row asks once more to end at the limit, before all targets (3), and what still bends
past it is put back. A problem stops when every error is within the tolerance, or when e changes no more. Targets that
hold always (loops) are then met exactly, by (2) and (3) without the others.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import upper, upper_product
from anthropi.algebra.linear.symmetric import ldl_packed
from anthropi.algebra.scalar import absolute, clip, less, less_equal, maximum, minimum, sqrt, where
from anthropi.algorithms.kinematics import kinematics
from anthropi.tape import repeat

__all__ = ["Fit", "gauss_newton"]

START, GROW, SHRINK, LEAST, MOST = 0.3, 4.0, 0.7, 0.03, 1e3  # s in (1); tried on random poses of a human
TINY = 1e-9  # of the mean square of J: keeps (2) regular where targets repeat each other
STILL = 1e-5  # relative change of e·e that is no change
SETTLED = 1e-4  # [rad or m] longest step of a posture that has come to rest
FARTHEST, NEAR = 0.5, 1e-4  # [rad or m] what a posture pulls with at most; μ, in mean squares of J, that halves it
PULLING = 0.6  # the part of the passes in which a posture pulls, ever less
FIRST = 100.0  # weight of limits against targets, whose weights are 1 as a rule
FAR_OUT = 8  # passes that bring a start within
CLOSING = 6  # passes for targets that hold always


class Fit(NamedTuple):
    """q (nq,); error (targets,) [m or rad] of each target there; how many passes it took."""

    q: Any
    error: Any
    passes: Any


def gauss_newton(
    figure, targets, q0, goals, weights, tolerance, posture=None, pull=None, passes=60, limits=True
) -> Fit:
    """Meet the targets.

    limits : whether to keep to the limits of coordinates; or an object that bounds whole joints besides,
    `limits.joints` by name, with turned(figure, q) → gaps (m,), rows (m, nu), and within(figure, q) → q
    (`contact/limits`).
    goals : flat, target after target. weights (targets,). tolerance : [m or rad]. posture (nq,), pull (nu,): see (4).
    """
    bounded = _bounded(figure, limits)
    turned = None if isinstance(limits, bool) or not limits.joints else limits
    if any(bounded):  # a start outside the limits is brought inside
        x0 = np.concatenate([j.coordinates(q0[at]) if b else np.zeros(j.nu)
                             for j, at, b in zip(figure.joints, figure.q_of, bounded, strict=True)])  # fmt: skip
        q0 = _moved(figure, q0, x0, np.zeros(figure.nu), bounded)
    if turned is not None:
        q0 = turned.within(figure, q0, FAR_OUT)

    def body(state):
        q, before, s, _, count = state
        e, J, apart = _errors(figure, targets, q, goals, weights)
        x, J = _coordinates(figure, q, J, bounded)
        now = (e * e).sum()
        s = minimum(maximum(s * where(less(before, now), GROW, SHRINK), LEAST), MOST)
        size = (J * J).sum() / len(e) + 1e-30
        mu = 0.5 * s * now + TINY * size  # (1)
        pulled = np.zeros(figure.nu)
        if posture is not None:
            way = clip(_towards(figure, q, x, posture, bounded), -FARTHEST, FARTHEST)
            fade = maximum(0.0, 1.0 - count / (PULLING * passes))  # the last passes belong to the targets
            pulled = pull * way * fade / (1.0 + mu / (NEAR * size))  # what (4) cannot undo grows with μ
        d = _step(figure, J, e, mu, x, pulled, bounded, turned and turned.rotation_bounds(figure, q))
        ended = less_equal(_largest(apart), tolerance * tolerance) | less_equal(absolute(before - now), STILL * before)
        if posture is not None:
            ended = ended & less_equal(_largest(absolute(d)), SETTLED)
        there = _moved(figure, q, x, d, bounded)
        there = there if turned is None else turned.within(figure, there)
        there = np.array([where(ended, a, b) for a, b in zip(q, there, strict=True)])
        return there, now, s, where(ended, 1.0, 0.0), count + where(ended, 0.0, 1.0)

    start = (q0, np.array(1e300), np.array(START / SHRINK), np.array(0.0), np.array(0.0))
    q, _, _, _, count = repeat(body, start, passes, until=lambda state: less(0.5, state[3]))
    if any(t.always for t in targets):
        q = _closed(figure, [t for t in targets if t.always], q, bounded, turned)
    error = sqrt(_errors(figure, targets, q, goals, np.ones(len(targets)))[2])
    return Fit(q, error, count)


def _closed(figure, targets, q, bounded, turned=None):
    """The nearest configuration that meets these targets, which have no goals."""

    def body(q):
        e, J, _ = _errors(figure, targets, q, np.zeros(0), np.ones(len(targets)))
        x, J = _coordinates(figure, q, J, bounded)
        d = _step(figure, J, e, TINY * ((J * J).sum() / len(e) + 1e-30), x, np.zeros(figure.nu), bounded,
                  turned and turned.rotation_bounds(figure, q))  # fmt: skip
        there = _moved(figure, q, x, d, bounded)
        return there if turned is None else turned.within(figure, there)

    return repeat(body, q, CLOSING)


def _errors(figure, targets, q, goals, weights):
    """Weighted errors (m,), Jacobian (m, nu), and each target's squared error, 0 where its weight is."""
    k, at = kinematics(figure, q), 0
    e, J, apart = [], [], []
    for target, w in zip(targets, weights, strict=True):
        error, rows = target.error(figure, k, q, goals[at : at + target.size])
        at += target.size
        e.append(w * error)
        J.append(w * rows)
        apart.append(where(less(0.0, w), (error * error).sum(), 0.0))
    return np.concatenate(e), np.concatenate(J), np.stack(apart)


def _bounded(figure, limits) -> list[bool]:
    """Which joints have coordinates with limits to keep to."""
    ends = [np.concatenate([j.lower, j.upper]) for j in figure.joints]
    whole = () if isinstance(limits, bool) else limits.joints
    return [limits is not False and j.name not in whole and bool(np.isfinite(x).any())  # floats only
            for j, x in zip(figure.joints, ends, strict=True)]  # fmt: skip


def _coordinates(figure, q, J, bounded):
    """x (nu,) of the joints with limits (0 elsewhere), and J by x where it is by u."""
    x, columns = [], []
    for i, joint in enumerate(figure.joints):
        at, own = q[figure.q_of[i]], J[:, figure.u_of[i]]
        x.append(joint.coordinates(at) if bounded[i] else np.zeros(joint.nu))
        T = joint.coordinate_rates(at) if bounded[i] else None
        columns.append(own if T is None else own @ T)
    return np.concatenate(x), np.concatenate(columns, axis=1)


def _towards(figure, q, x, posture, bounded):
    """The way to the posture, in x or u."""
    ways = []
    for i, joint in enumerate(figure.joints):
        at, goal = q[figure.q_of[i]], posture[figure.q_of[i]]
        ways.append(joint.coordinates(goal) - x[figure.u_of[i]] if bounded[i] else joint.difference(at, goal))
    return np.concatenate(ways)


def _moved(figure, q, x, d, bounded):
    """q after the step, within its limits."""
    places = []
    for i, joint in enumerate(figure.joints):
        at, of = q[figure.q_of[i]], figure.u_of[i]
        if bounded[i]:
            places.append(joint.from_coordinates(minimum(maximum(x[of] + d[of], joint.lower), joint.upper)))
        else:
            places.append(joint.integrate(at, d[of]))
    return np.concatenate(places)


def _step(figure, J, e, mu, x, pulled, bounded, turned=None):
    """(2) to (4): the step; coordinates that would pass a limit are at it, and the rest makes up for it."""
    has = np.concatenate([np.full(j.nu, b) for j, b in zip(figure.joints, bounded, strict=True)])
    low, high = np.where(has, figure.limits, [[-np.inf], [np.inf]])  # floats only
    ends = np.isfinite(low) | np.isfinite(high)  # floats only
    d = _free_step(J, J, e, mu, pulled)
    if turned is not None:
        gap, rows = turned
        past = np.array([where(less(a, 0.0), FIRST, 0.0) for a in gap + rows @ d])
        J, e = np.concatenate([J, past[:, None] * rows]), np.concatenate([e, -past * gap])
        d = _free_step(J, J, e, mu, pulled)
    if not ends.any():
        return d
    there = x + d
    inside = minimum(maximum(there, low), high)
    past = less(0.0, absolute(there - inside))
    free = np.array([where(past[n], 0.0, 1.0) if ends[n] else 1.0 for n in range(len(d))])
    start = np.array([where(past[n], inside[n] - x[n], pulled[n]) if ends[n] else pulled[n] for n in range(len(d))])
    return _free_step(J, J * free, e, mu, start)  # (3)


def _free_step(J, K, e, mu, start):
    """(4) without limits; K is J without the columns that are held at `start`."""
    left = e - J @ start
    m, n = J.shape
    if 5 * m <= 4 * n:  # where the operations break even, on a human with 42 markers
        system = upper_product(K, J) + mu * upper(np.eye(m))
        return start + K.T @ ldl_packed(system).solve(left)
    system = upper_product(K.T, K.T) + mu * upper(np.eye(n))
    return start + ldl_packed(system).solve(K.T @ left)


def _largest(values):
    """The largest of some numbers."""
    top = values[0]
    for value in values[1:]:
        top = maximum(top, value)
    return top
