"""Features of bodies to which mates refer: axes, planes, frames, spheres and cylinders.

perpendicular to z        x = (1 + s z₁² a, s b, -s z₁),  y = (b, s + z₂² a, -z₂)                  (1)
                          s = sign z₃,  a = -1/(s + z₃),  b = z₁ z₂ a        (Duff et al., JCGT 6, 2017)
frame                     z, x perpendicular to it, y = z × x                                               (2)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, records, sqrt, where
from anthropi.constraints.primitives import Direction, Point, unit
from anthropi.errors import InputError

__all__ = [
    "Axis",
    "Frame",
    "Plane",
    "Rod",
    "Sphere",
    "across",
    "axes_of",
    "direction_of",
    "frame_of",
    "point_of",
    "refuse_feature",
]

Vector = Any  # three numbers


class Axis(NamedTuple):
    """A directed line of a body: through the point `at` (3,) [m] in the direction `along` (3,), in the body's frame."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)


class Plane(NamedTuple):
    """A plane of a body: through the point `at` (3,) [m]; its `normal` (3,) points out of the body."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    normal: Vector = (0.0, 0.0, 1.0)


class Frame(NamedTuple):
    """A frame of a body: origin `at` (3,) [m], z axis `along` (3,), and an x axis as near as possible to `x` (3,)."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)
    x: Vector = (1.0, 0.0, 0.0)


class Sphere(NamedTuple):
    """A spherical surface: centre `at` (3,) [m], radius [m]."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    radius: Any = 1.0


class Rod(NamedTuple):
    """A cylindrical surface: axis through `at` (3,) [m] along `along` (3,), radius [m]."""

    body: str
    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)
    radius: Any = 1.0


NEEDS: dict[str, tuple[Any, ...]] = {  # what a side of a mate needs: the features that have it
    "point": (Point, Axis, Plane, Frame, Sphere, Rod),
    "direction": (Direction, Axis, Plane, Frame, Rod),
    "line": (Axis, Frame, Rod, Plane),
    "frame": (Frame,),
}


def refuse_feature(name: str, side: str, feature: Any, needs: str) -> None:
    """Raise `InputError` if a side of a mate is not a feature with what it needs.

    name : of the mate. side : name of the parameter. needs : a key of `NEEDS`.
    """
    kinds = NEEDS[needs]
    if isinstance(feature, kinds):
        return
    what = "plane or axis" if needs == "line" else needs
    choices = ", ".join(kind.__name__ for kind in kinds)
    raise InputError(
        f"'{name}' has {side} = {feature!r}, which is a {type(feature).__name__} and has no {what}. Give one of "
        f"{choices}, for example ap.mates.{kinds[0].__name__}(…)."
    )


def point_of(feature: Any) -> Point:
    """Return a point on a feature."""
    return Point(feature.body, feature.at)


def direction_of(feature: Any) -> Direction:
    """Return the unit direction of a feature: along an axis, a plane's normal, or a frame's z axis."""
    if isinstance(feature, Direction):
        return unit(feature)
    return unit(Direction(feature.body, feature.normal if isinstance(feature, Plane) else feature.along))


def across(feature: Any) -> tuple[Direction, Direction]:
    """Return two unit directions of the body, perpendicular to the feature's direction and to each other (1)."""
    z = direction_of(feature)
    z1, z2, z3 = z.along
    s = where(less(z3, 0.0), -1.0, 1.0)
    a = -1.0 / (s + z3)
    b = z1 * z2 * a
    x, y = np.array([1.0 + s * z1 * z1 * a, s * b, -s * z1]), np.array([b, s + z2 * z2 * a, -z2])
    return Direction(z.body, x), Direction(z.body, y)


def frame_of(feature: Any) -> Frame:
    """Return the frame of a feature; an `Axis` gets the x axis of (1)."""
    if isinstance(feature, Frame):
        return feature
    return Frame(feature.body, feature.at, direction_of(feature).along, across(feature)[0].along)


def axes_of(frame: Frame) -> tuple[Direction, Direction, Direction]:
    """Return the unit axes x, y, z of a frame (2)."""
    z, x = unit(Direction(frame.body, frame.along)).along, np.asarray(frame.x)
    if not records(x, z) and np.shape(x) != (3,):
        raise InputError(f"The x axis of a frame on '{frame.body}' is {frame.x}; give three numbers.")
    x = x - z * (z * x).sum()
    length = sqrt((x * x).sum())
    if not records(x) and not length > 1e-6 * np.max(np.abs(np.asarray(frame.x, float))):  # floats only
        raise InputError(
            f"The x axis {np.asarray(frame.x).tolist()} of a frame on '{frame.body}' lies along its z axis "
            f"{z.tolist()}. Give one that is not parallel to it."
        )
    x = x / length
    return Direction(frame.body, x), Direction(frame.body, np.cross(z, x)), Direction(frame.body, z)
