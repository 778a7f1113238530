"""Adaptive step size: an embedded Runge–Kutta pair with dense output for the frames between steps.

Each attempted step of length h compares two methods that share their stages (integrators.py (2)):

    e = largest of |e_θ| / tol  and  |e_u| / (tol (1 + |u|))                   (1)
    accepted if e ≤ 1;  next h: 0.9 e^(-1/p) h, within 0.2 and 5 times h       (2)  p: order; no growth after a failure
    dense output: q0 ⊞ θ(s),  u(s),  s = (t - t0) / h                          (3)  integrators.py (3)

The last stage of an accepted step is the first stage of the next (FSAL). Time is counted from the last frame, so it
stays accurate in long runs, also in float32. Each rollout chooses its steps independently of the others.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, exp, less, less_equal, log, maximum, minimum, where
from anthropi.simulation.integrators import Tableau, stages, weighted
from anthropi.tape import repeat

__all__ = ["Stride", "first_stride", "next_frame"]

SAFETY, MIN_GROWTH, MAX_GROWTH = 0.9, 0.2, 5.0  # safety factor and bounds of the change of step size (2)
MIN_STEP_SHARE = 1e-10  # smallest step, as a share of the interval between frames
MAX_ATTEMPTS = 100_000  # largest number of attempted steps between two frames


class Stride(NamedTuple):
    """The last accepted step of an adaptive simulation, and the coefficients of its dense output (3).

    Attributes
    ----------
    ahead : [s] time from the last frame to the end of the step.
    q, u, udot : state and acceleration at the end of the step.
    next : [s] length of the next attempt.
    held : 1 if the last attempt failed, else 0.
    tries : number of attempts so far.
    taken : [s] length of the step.
    q0, u0 : state at the start of the step.
    theta, change : (powers, nu) coefficients of θ(s) and u(s) - u0 as polynomials in s, beginning with s¹.
    """

    ahead: Any
    q: Any
    u: Any
    udot: Any
    next: Any
    held: Any
    tries: Any
    taken: Any
    q0: Any
    u0: Any
    theta: Any
    change: Any


def first_stride(rate: Any, t: Any, q: Any, u: Any, first: Any, powers: int) -> Stride:
    """Return the `Stride` at the start of a simulation; `first` [s] is the length of the first attempt."""
    none = np.zeros((powers, len(u)))
    zero = np.array(0.0)
    return Stride(zero, q, u, rate(t, q, u), first, zero, zero, np.array(1.0), q, u, none, none)


def next_frame(
    figure: Any,
    rate: Any,
    t: Any,
    stride: Stride,
    interval: Any,
    tolerance: Any,
    method: Tableau,
    longest: float = 1e30,
    settle: Any = None,
) -> Any:
    """Step to the next frame, `interval` [s] after the last frame at time t. Returns (stride, q, u) at that frame.

    u is NaN if the frame could not be reached.

    Parameters
    ----------
    rate : function (t, q, u) → udot (nu,).
    longest : [s] largest step.
    settle : function (t, q, u) → (q, u) that closes loops at the end of each step and at frames, or None.
    """
    every = tuple(range(len(method.b)))
    away = [b - e for b, e in zip(method.b, method.embedded, strict=True)]

    def attempt(s: Stride) -> Stride:
        h = minimum(s.next, longest)
        slopes = stages(figure, rate, t + s.ahead, s.q, s.u, h, method, every, s.udot)
        theta, change = weighted(method.b, slopes, figure.nu, h)
        there, speed = figure.integrate(s.q, theta), s.u + change
        error = _error(weighted(away, slopes, figure.nu, h), s.u, speed, tolerance)
        if settle is not None:
            there, speed = settle(t + s.ahead + h, there, speed)
        kept = less_equal(error, 1.0)
        most = where(less(0.5, s.held), 1.0, MAX_GROWTH)
        factor = SAFETY * exp(log(clip(error, 1e-10, 1e10)) * (-1.0 / method.order))  # (2)
        factor = where(
            less(error, 1e10), clip(factor, MIN_GROWTH, most), MIN_GROWTH
        )  # if the error is not finite, the step is shortened
        powers = [weighted(column, slopes, figure.nu, h) for column in zip(*method.dense, strict=True)]
        after = Stride(s.ahead + h, there, speed, slopes[every[-1]][1], s.next, s.held, s.tries, h, s.q, s.u,
                       np.stack([p[0] for p in powers]), np.stack([p[1] for p in powers]))  # fmt: skip
        after = Stride(*(where(kept, a, b) for a, b in zip(after, s, strict=True)))
        return after._replace(next=h * factor, held=where(kept, 0.0, 1.0), tries=s.tries + 1.0)

    def arrived(s: Stride):
        gone = less(s.next, MIN_STEP_SHARE * interval) | less_equal(
            interval, 0.0
        )  # the step is too short, or no frame is wanted
        return less_equal(interval, s.ahead) | gone

    stride = repeat(attempt, stride, MAX_ATTEMPTS, until=arrived)
    s = 1.0 - (stride.ahead - interval) / stride.taken
    q = figure.integrate(stride.q0, _polynomial(stride.theta, s))  # (3)
    u = stride.u0 + _polynomial(stride.change, s)
    if settle is not None:
        q, u = settle(t + interval, q, u)
    lost = where(less(stride.ahead, interval), np.nan, 0.0)
    return stride._replace(ahead=stride.ahead - interval), q, u + lost


def _error(away, before, after, tolerance):
    """Compute the scaled error of a step by equation (1); `away` is the difference of the two methods."""
    turned, sped = away
    size = tolerance * (1.0 + maximum(absolute(before), absolute(after)))
    worst = 0.0
    for x in [*(absolute(turned) / tolerance), *(absolute(sped) / size)]:
        worst = maximum(worst, x)
    return worst


def _polynomial(rows, s):
    """Evaluate Σ rows_j s^(j + 1)."""
    total = np.zeros(rows.shape[1])
    for row in rows[::-1]:
        total = s * (row + total)
    return total
