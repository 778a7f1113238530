"""Blending of two motions, on the configuration manifold of every joint. Works on plain floats only.

With δ = q_b ⊟ q_a and a weight w(t) from 0 (a) to 1 (b), the blend is q_a ⊞ w δ. If velocities add,
u = u_a + w (u_b - u_a) + w' δ. For rotations, D = exp(δ), E = exp(θ), θ = w δ and

    ω_D = ω_b - Dᵀ ω_a,   δ' = G_b(δ) ω_D,   ω = Eᵀ ω_a + J_b(θ) (w' δ + w δ')                                       (1)
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.errors import InputError, ShapeError
from anthropi.figure.figure import Figure
from anthropi.figure.states import angular_starts
from anthropi.motion.motion import Motion

__all__ = ["blend", "ramp"]


def blend(a: Motion, b: Motion, weight: Any, channels: Any = ()) -> Motion:
    """Blend two motions of the same figure over their common time, at all frames of either.

    Parameters
    ----------
    weight : 0 for a, 1 for b; a number or a function of time (`ramp`, `spline`), whose rate enters u.
    channels : names of channels to blend linearly. Others are left out: a blended force is not the force of a blended
        motion.
    """
    check_same_figure(a, b, "blend")
    low, high = max(a.time[0], b.time[0]), min(a.time[-1], b.time[-1])
    if low > high:
        raise InputError(
            f"The motions have no time in common: {a.time[0]:g} to {a.time[-1]:g} s, and {b.time[0]:g} to "
            f"{b.time[-1]:g} s. Shift one of them with motion.shift(by)."
        )
    times = np.unique(np.concatenate([a.time, b.time, [low, high]]))
    times = times[(low <= times) & (times <= high)]
    value, rate = _weights(weight, times)
    a, b = a.resample(times), b.resample(times)
    q, u = between(a.figure, (a.q, a.u), (b.q, b.u), value[:, None], rate[:, None])
    mixed = {}
    for name in [channels] if isinstance(channels, str) else channels:
        if name not in a.channels or name not in b.channels:
            raise InputError(
                f"Channel '{name}' is not in both motions. In the first: {', '.join(a.channels) or 'none'}."
            )
        x, y = a.channels[name], b.channels[name]
        w = value.reshape(-1, *(1,) * (x.ndim - a.q.ndim + 1))
        mixed[name] = (1.0 - w) * x + w * y
    metadata = {name: x for name, x in a.metadata.items() if name != "interval_means"}  # no simulation any more
    return Motion(a.figure, times, q, u, mixed, tuple(sorted((*a.events, *b.events), key=_when)), metadata)


def between(figure: Figure, first: Any, second: Any, w: Any, dw: Any) -> tuple[np.ndarray, np.ndarray]:
    """Blend two states (q, u) by (1); return q and u (…, n) for weights w and their rates dw (…, 1)."""
    (qa, ua), (qb, ub) = first, second
    delta = figure.difference(qa, qb)
    theta = w * delta
    u = np.array(ua + w * (ub - ua) + dw * delta, float)
    for k in angular_starts(figure):
        part = slice(k, k + 3)
        d, r = delta[..., part], theta[..., part]
        w_d = ub[..., part] - matvec(transpose(rot.matrix_from_rotation_vector(d)), ua[..., part])
        rate = dw * d + w * matvec(rot.G_b(d), w_d)
        back = transpose(rot.matrix_from_rotation_vector(r))
        u[..., part] = matvec(back, ua[..., part]) + matvec(rot.J_b(r), rate)  # (1)
    return figure.integrate(qa, theta), u


def ramp(start: float, end: float) -> Any:
    """Return a weight that rises from 0 to 1 between two times [s], as 10 s³ - 15 s⁴ + 6 s⁵, with two derivatives."""
    from anthropi.motion.splines import Piecewise

    h = end - start
    if not 0.0 < h < np.inf:
        raise InputError(f"ramp from {start!r} to {end!r} s: give two finite times, the later one last.")
    rise = [0.0, 0.0, 0.0, 10.0 / h**3, -15.0 / h**4, 6.0 / h**5]
    rows = [[0.0] * 6, rise, [1.0, *[0.0] * 5]]
    return Piecewise(np.array([start, end]), np.array(rows))


def check_same_figure(a: Motion, b: Motion, what: str) -> None:
    """Raise InputError for motions of different figures or batch shapes."""
    for x in (a, b):
        if not isinstance(x, Motion):
            raise InputError(f"{what} takes motions; got {type(x).__name__}.")
    if a.figure.key != b.figure.key:
        raise InputError(
            f"{what}: one motion is of figure '{a.figure.name}', the other of '{b.figure.name}', which is "
            "a different figure. Use motions of the same figure."
        )
    if a.q.shape[:-2] != b.q.shape[:-2]:
        raise ShapeError(
            f"{what}: the motions have {a.q.shape[:-2]} and {b.q.shape[:-2]} rollouts. Use one rollout of each."
        )


def _weights(weight, times) -> tuple[np.ndarray, np.ndarray]:
    """Weight and its rate at times (n,)."""
    if isinstance(weight, (int, float, np.integer, np.floating)):
        course: Any = (float(weight), 0.0)
    elif callable(weight):
        course = weight(times)
    else:
        raise InputError(f"weight={weight!r}: give a number or a function of time, such as ramp(start, end).")
    value, rate = (np.broadcast_to(np.asarray(x, float), times.shape) for x in course[:2])
    if not (np.isfinite(value).all() and np.isfinite(rate).all()):
        raise InputError("The weight is not finite at some time.")
    return value, rate


def _when(event) -> float:
    return float(getattr(event, "time", np.inf))
