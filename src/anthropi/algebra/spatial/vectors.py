"""Motion and force vectors, and how they meet: (…, 6) arrays, the angular part first in both.

    motion m = [ω; v]      ω angular velocity, v velocity of the body's point at the origin
    force  f = [τ; f]      τ moment about the origin, f force

    power               f · m = τ·ω + f·v                                     (1)  thesis 1.7
    motion × motion     [ω; v] × [a; b] = [ω×a; ω×b + v×a]                    (2)  thesis 1.8
    motion × force      [ω; v] ×* [τ; f] = [ω×τ + v×f; ω×f]                   (3)  thesis 1.8, in our order

An axis of a joint is a number 0…5: turning about x, y, z, then sliding along them.
"""

import numpy as np

from anthropi.algebra.rotation.vectors import skew

__all__ = [
    "angular", "cross_force", "cross_force_matrix", "cross_motion", "cross_motion_matrix", "force", "linear", "merge",
    "motion", "others", "power", "skew",
]  # fmt: skip


def motion(angular, linear):
    """Put a motion vector together: angular (…, 3) [rad/s], linear (…, 3) [m/s] at the origin."""
    return np.concatenate(np.broadcast_arrays(angular, linear), axis=-1)


def force(moment, force):
    """Put a force vector together: moment about the origin (…, 3) [N m], force (…, 3) [N]."""
    return np.concatenate(np.broadcast_arrays(moment, force), axis=-1)


def angular(vector):
    """Return the first half (…, 3): ω of a motion, the moment of a force."""
    return vector[..., :3]


def linear(vector):
    """Return the second half (…, 3): v of a motion, f of a force."""
    return vector[..., 3:]


def power(force, motion):
    """What does a force do on a motion? (…,) [W], or the virtual work on a displacement (1)."""
    return (force * motion).sum(-1)


def cross_motion(v, m):
    """Return v × m (2): how fast a motion vector m turns when it is carried along by v."""
    w, lv = v[..., :3], v[..., 3:]
    a, b = m[..., :3], m[..., 3:]
    return motion(np.cross(w, a), np.cross(w, b) + np.cross(lv, a))


def cross_force(v, f):
    """Return v ×* f (3): how fast a force vector f turns when it is carried along by v."""
    w, lv = v[..., :3], v[..., 3:]
    moment, line = f[..., :3], f[..., 3:]
    return force(np.cross(w, moment) + np.cross(lv, line), np.cross(w, line))


def cross_motion_matrix(v):
    """Return the dense v× (…, 6, 6) of (2), for tests and derivations."""
    W, V = skew(v[..., :3]), skew(v[..., 3:])
    return _blocks(W, 0.0 * V, V, W)


def cross_force_matrix(v):
    """Return the dense v×* (…, 6, 6) of (3) = -(v×)ᵀ, for tests and derivations."""
    W, V = skew(v[..., :3]), skew(v[..., 3:])
    return _blocks(W, V, 0.0 * V, W)


def _blocks(A, B, C, D):
    return np.concatenate([np.concatenate([A, B], axis=-1), np.concatenate([C, D], axis=-1)], axis=-2)


# some of the six coordinates


def others(axes) -> tuple[int, ...]:
    """Return those of 0…5 that are not among the axes, in order."""
    return tuple(k for k in range(6) if k not in axes)


def merge(axes, on, off):
    """Put a vector (…, 6) together from its values `on` the axes and `off` them (in the order of `others`)."""
    on, off = np.asarray(on), np.asarray(off)
    lead = np.broadcast_shapes(on.shape[:-1], off.shape[:-1])
    both = np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])) for x in (on, off)], axis=-1)
    order = (*axes, *others(axes))
    return both[..., [order.index(k) for k in range(6)]]
