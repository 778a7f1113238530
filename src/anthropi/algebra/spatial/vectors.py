"""Motion and force vectors, and how they meet: (…, 6) arrays, the angular part first in both.

    motion m = [ω; v]      ω angular velocity, v velocity of the body's point at the origin
    force  f = [τ; f]      τ moment about the origin, f force

    power               f · m = τ·ω + f·v                                     (1)  thesis 1.7
    motion × motion     [ω; v] × [a; b] = [ω×a; ω×b + v×a]                    (2)  thesis 1.8
    motion × force      [ω; v] ×* [τ; f] = [ω×τ + v×f; ω×f]                   (3)  thesis 1.8, in our order

An axis of a joint is a number 0…5: turning about x, y, z, then sliding along them.

Frames
------
Velocities, accelerations and derivatives in moving frames (thesis 1.3, 1.9, 1.10, 1.13).

    velocity of a point Q       v_Q = v_P + ω × PQ = v_P + QP × ω             (4)  thesis 4.7
    spatial acceleration        a = d/dt [ω; v₀] = [ω'; r'' + r'×ω + r×ω']    (5)  thesis 4.8
    acceleration of a point     r'' = a_lin + ω'×r + ω×(v + ω×r)              (6)
    derivative of a vector      d/dt m = d'/dt m + v × m                      (7)  thesis 4.19, 4.20
    turning                     r'' - p'' = B (r - p),  B = ω'× + ω× ω×       (8)  for two points of a body

with d'/dt the rate of the components in a frame that moves with v.

Lines
-----
Lines, free vectors and screws: what a spatial vector looks like in space (thesis 1.2, 1.11, 1.12).

Every spatial vector is a direction n (ω of a motion, f of a force) with a moment n₀ about the origin, and splits into
a line and a free vector parallel to it:

    pitch            p = n·n₀ / n·n                                           (9)  thesis 4.2.3
    line             n₀* = n₀ - p n = r × n  for every point r of the line     (10)
    nearest point    r = n × n₀ / n·n                                         (11)

A vector with n₀ = 0 is a line through the origin (E16); one with n = 0 is free: its pitch is infinite, and we return
pitch 0, line 0 and the whole moment as the free part.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import stacked
from anthropi.algebra.rotation.vectors import skew
from anthropi.algebra.scalar import equal, where

__all__ = [
    "Screw",
    "acceleration_of_point",
    "angular",
    "cross_force",
    "cross_force_matrix",
    "cross_motion",
    "cross_motion_matrix",
    "force",
    "force_at",
    "force_rate",
    "helical",
    "linear",
    "merge",
    "motion",
    "motion_rate",
    "others",
    "power",
    "prismatic",
    "revolute",
    "screw_of_force",
    "screw_of_motion",
    "skew",
    "spatial_acceleration",
    "turning",
    "velocity_of_point",
]


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


def velocity_of_point(v, point):
    """Return the velocity (…, 3) [m/s] of the body's point at `point` (…, 3), for the body's motion v (4)."""
    return v[..., 3:] + np.cross(v[..., :3], point)


def acceleration_of_point(a, v, point):
    """Return the ordinary acceleration (…, 3) [m/s²] of the body's point at `point` (…, 3) (6)."""
    w = v[..., :3]
    return a[..., 3:] + np.cross(a[..., :3], point) + np.cross(w, velocity_of_point(v, point))


def spatial_acceleration(w, dw, r, dr, ddr):
    """Return the spatial acceleration (…, 6) of a body, in stationary coordinates (5).

    w, dw : its angular velocity and acceleration. r, dr, ddr : position, velocity and ordinary acceleration of one
    of its points. All (…, 3), in the same frame.
    """
    return motion(dw, ddr + np.cross(dr, w) + np.cross(r, dw))


def turning(w, dw):
    """Return B (…, 3, 3) [1/s²], which takes an arm between two points of a body to how their accelerations differ (8).

    w, dw : (…, 3) the body's angular velocity and acceleration.
    """
    x, y, z = (w[..., k][()] for k in range(3))
    a, b, c = (dw[..., k][()] for k in range(3))
    xx, xy, xz, yy, yz, zz = x * x, x * y, x * z, y * y, y * z, z * z
    rows = [[-(yy + zz), xy - c, xz + b], [xy + c, -(xx + zz), yz - a], [xz - b, yz + a, -(xx + yy)]]
    return stacked([stacked(row) for row in rows], axis=-2)


def motion_rate(relative, v, m):
    """Return dm/dt of a motion vector m, from its component-wise rate in a frame that moves with v (7)."""
    return relative + cross_motion(v, m)


def force_rate(relative, v, f):
    """Return df/dt of a force vector f, from its component-wise rate in a frame that moves with v (7)."""
    return relative + cross_force(v, f)


class Screw(NamedTuple):
    """A spatial vector taken apart: direction n, moment n₀* of its line, free part p n, pitch p, nearest point r."""

    direction: Any  # (…, 3)
    moment: Any  # (…, 3) of the line about the origin
    free: Any  # (…, 3)
    pitch: Any  # (…, 1) [m]
    point: Any  # (…, 3) [m]


def screw_of_motion(m) -> Screw:
    """About which line does this motion turn, and how far does it slide per radian?"""
    return _screw(m[..., :3], m[..., 3:])


def screw_of_force(f) -> Screw:
    """Along which line does this force act, and with which moment about it?"""
    return _screw(f[..., 3:], f[..., :3])


def _screw(n, moment) -> Screw:
    squared = (n * n).sum(-1, keepdims=True)
    nothing = equal(squared, 0.0)
    safe = where(nothing, 1.0, squared)
    pitch = (n * moment).sum(-1, keepdims=True) / safe  # (9)
    line = where(nothing, 0.0, moment - pitch * n)  # (10)
    return Screw(n, line, moment - line, pitch, np.cross(n, line) / safe)  # (11)


def revolute(axis, point):
    """Return the motion (…, 6) of turning at 1 rad/s about a line: unit axis s (…, 3), through the point (…, 3)."""
    return motion(axis, np.cross(point, axis))


def prismatic(axis):
    """Return the motion (…, 6) of sliding at 1 m/s along a unit axis (…, 3)."""
    axis = np.asarray(axis)
    return motion(0.0 * axis, axis)


def helical(axis, point, pitch):
    """Return the motion (…, 6) of a screw: 1 rad/s about a line and `pitch` (…, 1) or a number [m/rad] along it."""
    return motion(axis, np.cross(point, axis) + pitch * np.asarray(axis))


def force_at(point, f):
    """Return the force vector (…, 6) of a force f (…, 3) [N] along a line through a point (…, 3) (thesis 4.14)."""
    return force(np.cross(point, f), f)
