"""What do people hold bodies by? Lines, planes, frames, round surfaces: made of points and directions.

across a unit vector z    x = (1 + s z₁² a, s b, -s z₁),  y = (b, s + z₂² a, -z₂)                  (1)
                          s = sign z₃,  a = -1/(s + z₃),  b = z₁ z₂ a        (Duff et al. 2017)
frame                     z, x across it, y = z × x                                               (2)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, records, sqrt, where
from anthropi.constraints.primitives import Direction, Point, unit
from anthropi.errors import InputError

__all__ = ["Axis", "Frame", "Plane", "Rod", "Sphere", "across", "axes_of", "direction_of", "frame_of", "point_of"]

Vector = Any  # three numbers


class Axis(NamedTuple):
    """A line of a body, with a sense: through `at` (3,) [m], along `along` (3,), both in the body's frame."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)


class Plane(NamedTuple):
    """A plane of a body: through `at` (3,) [m], square to `normal` (3,), which points out of the body."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    normal: Vector = (0.0, 0.0, 1.0)


class Frame(NamedTuple):
    """A frame of a body: origin `at` (3,) [m], its z axis, and a direction its x axis is nearest to."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)
    x: Vector = (1.0, 0.0, 0.0)


class Sphere(NamedTuple):
    """The surface of a ball: middle `at` (3,) [m], radius [m]."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    radius: Any = 1.0


class Rod(NamedTuple):
    """The round surface of a cylinder: axis through `at` (3,) [m] along `along` (3,), radius [m]."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)
    radius: Any = 1.0


def point_of(feature) -> Point:
    """Where a feature is: a point on it."""
    return Point(feature.body, feature.at)


def direction_of(feature) -> Direction:
    """Which way a feature points: a line's sense, a plane's normal, a frame's z axis; of unit length."""
    if isinstance(feature, Direction):
        return unit(feature)
    return unit(Direction(feature.body, feature.normal if isinstance(feature, Plane) else feature.along))


def across(feature) -> tuple[Direction, Direction]:
    """Two unit directions of its body, square to a feature's and to each other: (1)."""
    way = direction_of(feature)
    z1, z2, z3 = way.along
    s = where(less(z3, 0.0), -1.0, 1.0)
    a = -1.0 / (s + z3)
    b = z1 * z2 * a
    x, y = np.array([1.0 + s * z1 * z1 * a, s * b, -s * z1]), np.array([b, s + z2 * z2 * a, -z2])
    return Direction(way.body, x), Direction(way.body, y)


def frame_of(feature) -> Frame:
    """The frame of a feature; a line's x axis is (1)."""
    if isinstance(feature, Frame):
        return feature
    return Frame(feature.body, feature.at, direction_of(feature).along, across(feature)[0].along)


def axes_of(frame: Frame) -> tuple[Direction, Direction, Direction]:
    """The unit axes x, y, z of a frame: (2)."""
    z, x = unit(Direction(frame.body, frame.along)).along, np.asarray(frame.x)
    if not records(x, z) and np.shape(x) != (3,):
        raise InputError(f"The x axis of a frame on '{frame.body}' is {frame.x}; give three numbers.")
    x = x - z * (z * x).sum()
    length = sqrt((x * x).sum())
    if not records(x) and not length > 1e-6 * np.max(np.abs(np.asarray(frame.x, float))):  # floats only
        raise InputError(
            f"The x axis {np.asarray(frame.x).tolist()} of a frame on '{frame.body}' lies along its z axis "
            f"{z.tolist()}. Give one across it."
        )
    x = x / length
    return Direction(frame.body, x), Direction(frame.body, np.cross(z, x)), Direction(frame.body, z)
