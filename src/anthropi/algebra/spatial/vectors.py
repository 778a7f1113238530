"""Motion and force vectors, (…, 6) arrays with the angular part first; velocities, accelerations, lines and screws.

    motion m = [ω; v]      ω angular velocity, v velocity of the body's point at the origin
    force  f = [τ; f]      τ moment about the origin, f force

    power               f · m = τ·ω + f·v                                     (1)  thesis 1.7
    motion × motion     [ω; v] × [a; b] = [ω×a; ω×b + v×a]                    (2)  thesis 1.8
    motion × force      [ω; v] ×* [τ; f] = [ω×τ + v×f; ω×f]                   (3)  thesis 1.8, angular part first

An axis of a joint is a number 0…5: rotation about x, y, z, then translation along them.

Moving frames, with d'/dt the rate of the components in a frame that moves with v:

    velocity of a point Q       v_Q = v_P + ω × PQ = v_P + QP × ω             (4)  thesis 4.7
    spatial acceleration        a = d/dt [ω; v₀] = [ω'; r'' + r'×ω + r×ω']    (5)  thesis 4.8
    acceleration of a point     r'' = a_lin + ω'×r + ω×(v + ω×r)              (6)
    derivative of a vector      d/dt m = d'/dt m + v × m                      (7)  thesis 4.19, 4.20
    two points of a body        r'' - p'' = B (r - p),  B = ω'× + ω× ω×       (8)

Lines and screws: a spatial vector is a direction n (ω of a motion, f of a force) with a moment n₀ about the origin, and
splits into a line vector and a free vector parallel to it:

    pitch            p = n·n₀ / n·n                                           (9)  thesis 4.2.3
    line             n₀* = n₀ - p n = r × n  for every point r of the line     (10)
    nearest point    r = n × n₀ / n·n                                         (11)

A vector with n₀ = 0 is a line through the origin (thesis erratum E16). A vector with n = 0 is free and has infinite
pitch. For a free vector, the functions return pitch 0, line 0 and the whole moment as the free part.

"thesis n": docs/equations/thesis.md.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, stacked
from anthropi.algebra.rotation.vectors import skew
from anthropi.algebra.scalar import Array, equal, where

__all__ = [
    "Screw",
    "acceleration_matrix",
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
    "power",
    "prismatic",
    "remaining_axes",
    "revolute",
    "screw_of_force",
    "screw_of_motion",
    "skew",
    "spatial_acceleration",
    "velocity_of_point",
]


def motion(angular: Array, linear: Array) -> Array:
    """Assemble a motion vector (…, 6) from angular (…, 3) [rad/s] and linear (…, 3) [m/s] velocity at the origin."""
    return np.concatenate(np.broadcast_arrays(angular, linear), axis=-1)


def force(moment: Array, force: Array) -> Array:
    """Assemble a force vector (…, 6) from the moment about the origin (…, 3) [N m] and the force (…, 3) [N]."""
    return np.concatenate(np.broadcast_arrays(moment, force), axis=-1)


def angular(vector: Array) -> Array:
    """Return the angular part (…, 3): ω of a motion, the moment of a force."""
    return vector[..., :3]


def linear(vector: Array) -> Array:
    """Return the linear part (…, 3): v of a motion, f of a force."""
    return vector[..., 3:]


def power(force: Array, motion: Array) -> Array:
    """Compute the power (…) [W] of a force on a motion, or the virtual work on a displacement (1)."""
    return (force * motion).sum(-1)


def cross_motion(v: Array, m: Array) -> Array:
    """Compute v × m (2): the rate of a motion vector m that moves along with v."""
    w, lv = v[..., :3], v[..., 3:]
    a, b = m[..., :3], m[..., 3:]
    return motion(cross(w, a), cross(w, b) + cross(lv, a))


def cross_force(v: Array, f: Array) -> Array:
    """Compute v ×* f (3): the rate of a force vector f that moves along with v."""
    w, lv = v[..., :3], v[..., 3:]
    moment, line = f[..., :3], f[..., 3:]
    return force(cross(w, moment) + cross(lv, line), cross(w, line))


def cross_motion_matrix(v: Array) -> Array:
    """Return the dense matrix v× (…, 6, 6) of `cross_motion` (2), for tests and derivations."""
    W, V = skew(v[..., :3]), skew(v[..., 3:])
    return _blocks(W, 0.0 * V, V, W)


def cross_force_matrix(v: Array) -> Array:
    """Return the dense matrix v×* = -(v×)ᵀ (…, 6, 6) of `cross_force` (3), for tests and derivations."""
    W, V = skew(v[..., :3]), skew(v[..., 3:])
    return _blocks(W, V, 0.0 * V, W)


def _blocks(A: Array, B: Array, C: Array, D: Array) -> Array:
    return np.concatenate([np.concatenate([A, B], axis=-1), np.concatenate([C, D], axis=-1)], axis=-2)


# subsets of the six coordinates


def remaining_axes(axes: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers from 0 to 5 that are not among the axes, in order."""
    return tuple(k for k in range(6) if k not in axes)


def merge(axes: Iterable[int], on: Array, off: Array) -> Array:
    """Assemble vectors (…, 6) from their entries `on` the axes and `off` the axes (ordered as `remaining_axes`)."""
    on, off = np.asarray(on), np.asarray(off)
    lead = np.broadcast_shapes(on.shape[:-1], off.shape[:-1])
    both = np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])) for x in (on, off)], axis=-1)
    order = (*axes, *remaining_axes(axes))
    return both[..., [order.index(k) for k in range(6)]]


def velocity_of_point(v: Array, point: Array) -> Array:
    """Return the velocity (…, 3) [m/s] of the body's point at `point` (…, 3), for the body's motion v (4)."""
    return v[..., 3:] + cross(v[..., :3], point)


def acceleration_of_point(a: Array, v: Array, point: Array) -> Array:
    """Return the classical acceleration (…, 3) [m/s²] of the body's point at `point` (…, 3) (6).

    a, v : (…, 6), spatial acceleration and velocity of the body."""
    w = v[..., :3]
    return a[..., 3:] + cross(a[..., :3], point) + cross(w, velocity_of_point(v, point))


def spatial_acceleration(w: Array, dw: Array, r: Array, dr: Array, ddr: Array) -> Array:
    """Return the spatial acceleration (…, 6) of a body, in stationary coordinates (5).

    Parameters
    ----------
    w, dw : (…, 3) [rad/s], [rad/s²], angular velocity and acceleration of the body.
    r, dr, ddr : (…, 3) [m], [m/s], [m/s²], position, velocity and classical acceleration of one of its points.
    """
    return motion(dw, ddr + cross(dr, w) + cross(r, dw))


def acceleration_matrix(w: Array, dw: Array) -> Array:
    """Return B (…, 3, 3) [1/s²] with r'' - p'' = B (r - p) for two points of a body (8).

    w, dw : (…, 3) [rad/s], [rad/s²], angular velocity and acceleration of the body.
    """
    x, y, z = (w[..., k][()] for k in range(3))
    a, b, c = (dw[..., k][()] for k in range(3))
    xx, xy, xz, yy, yz, zz = x * x, x * y, x * z, y * y, y * z, z * z
    rows = [[-(yy + zz), xy - c, xz + b], [xy + c, -(xx + zz), yz - a], [xz - b, yz + a, -(xx + yy)]]
    return stacked([stacked(row) for row in rows], axis=-2)


def motion_rate(relative: Array, v: Array, m: Array) -> Array:
    """Return dm/dt of a motion vector m, from its component-wise rate in a frame that moves with v (7)."""
    return relative + cross_motion(v, m)


def force_rate(relative: Array, v: Array, f: Array) -> Array:
    """Return df/dt of a force vector f, from its component-wise rate in a frame that moves with v (7)."""
    return relative + cross_force(v, f)


class Screw(NamedTuple):
    """A spatial vector as a screw: direction n, moment n₀* of its line, free part p n, pitch p, nearest point r."""

    direction: Any  # (…, 3)
    moment: Any  # (…, 3) of the line about the origin
    free: Any  # (…, 3)
    pitch: Any  # (…, 1) [m]
    point: Any  # (…, 3) [m]


def screw_of_motion(m: Array) -> Screw:
    """Decompose a motion (…, 6) into its screw axis and pitch [m/rad] (9)-(11)."""
    return _screw(m[..., :3], m[..., 3:])


def screw_of_force(f: Array) -> Screw:
    """Decompose a force (…, 6) into its line of action and the moment about it (9)-(11)."""
    return _screw(f[..., 3:], f[..., :3])


def _screw(n: Array, moment: Array) -> Screw:
    squared = (n * n).sum(-1, keepdims=True)
    is_free = equal(squared, 0.0)
    safe = where(is_free, 1.0, squared)
    pitch = (n * moment).sum(-1, keepdims=True) / safe  # (9)
    line = where(is_free, 0.0, moment - pitch * n)  # (10)
    return Screw(n, line, moment - line, pitch, cross(n, line) / safe)  # (11)


def revolute(axis: Array, point: Array) -> Array:
    """Return the motion (…, 6) of rotation at 1 rad/s about the line along `axis` through `point`.

    axis : (…, 3), unit vector. point : (…, 3), a point of the line.
    """
    return motion(axis, cross(point, axis))


def prismatic(axis: Array) -> Array:
    """Return the motion (…, 6) of translation at 1 m/s along a unit axis (…, 3)."""
    axis = np.asarray(axis)
    return motion(0.0 * axis, axis)


def helical(axis: Array, point: Array, pitch: Array) -> Array:
    """Return the motion (…, 6) of a screw: 1 rad/s about the line along `axis`, with a translation of `pitch` [m/rad].

    axis : (…, 3), unit vector. point : (…, 3), a point of the line. pitch : (…, 1) or a number."""
    return motion(axis, cross(point, axis) + pitch * np.asarray(axis))


def force_at(point: Array, f: Array) -> Array:
    """Return the force vector (…, 6) of a force f (…, 3) [N] along a line through a point (…, 3) [m] (thesis 4.14)."""
    return force(cross(point, f), f)
