"""Lines, free vectors and screws: what a spatial vector looks like in space (thesis 1.2, 1.11, 1.12).

Every spatial vector is a direction n (ω of a motion, f of a force) with a moment n₀ about the origin, and splits into
a line and a free vector parallel to it:

    pitch            p = n·n₀ / n·n                                           (1)  thesis 4.2.3
    line             n₀* = n₀ - p n = r × n  for every point r of the line     (2)
    nearest point    r = n × n₀ / n·n                                         (3)

A vector with n₀ = 0 is a line through the origin (E16); one with n = 0 is free: its pitch is infinite, and we return
pitch 0, line 0 and the whole moment as the free part.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import equal, where
from anthropi.algebra.spatial.vectors import force, motion

__all__ = ["Screw", "force_at", "helical", "prismatic", "revolute", "screw_of_force", "screw_of_motion"]


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
    pitch = (n * moment).sum(-1, keepdims=True) / safe  # (1)
    line = where(nothing, 0.0, moment - pitch * n)  # (2)
    return Screw(n, line, moment - line, pitch, np.cross(n, line) / safe)  # (3)


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
