"""Surfaces for contact, given by the signed distance and the outward normal at a point.

The formulas hold in the frame of the surface, for a point p. Distance and normal are finite everywhere.

    plane       n·(p - p₀)                                                     (1)
    sphere      |p| - r,   n = p / |p|                                         (2)
    capsule     as (2), from the nearest point of its axis                     (3)
    box         with w = |p| - half: outside |max(w, 0)|, inside max w         (4)
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, absolute, clip, equal, less, maximum, records, sqrt, where
from anthropi.contact.vectors import MIN_LENGTH, unit
from anthropi.errors import InputError

__all__ = ["Box", "Capsule", "Plane", "Sphere", "Surface", "finite", "positive"]


class Surface:
    """Base class of surfaces for contact.

    constant : whether the normal is the same everywhere.
    """

    constant = False

    def distance(self, p: Array) -> tuple[Any, Any]:
        """Compute the signed distance [m] and the unit normal (3,) at a point p (3,) [m], in the surface frame."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Plane(Surface):
    """Plane through `point` (3,) [m] with the outward `normal` (3,); the floor z = 0 by default."""

    point: Any = (0.0, 0.0, 0.0)
    normal: Any = (0.0, 0.0, 1.0)
    constant = True

    def __post_init__(self) -> None:
        point, normal = finite(self.point, (3,), "A plane", "point"), finite(self.normal, (3,), "A plane", "normal")
        if not records(normal):
            length = float((normal * normal).sum()) ** 0.5
            if not length > 0.0:
                raise InputError("A plane has normal (0, 0, 0), which has no direction. Give the outward normal.")
            normal = normal / length + 0.0
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "normal", normal)

    def distance(self, p: Array) -> tuple[Any, Any]:
        """Compute the signed distance [m] of a point p (3,) [m] from the plane, and the normal (3,)."""
        total = 0.0
        for n, x, x0 in zip(self.normal, p, self.point, strict=True):
            total = total + n * (x - x0)
        return total, self.normal


@dataclass(frozen=True, eq=False)
class Sphere(Surface):
    """Sphere with its centre at the origin of its frame; radius [m]."""

    radius: Any = 0.5

    def __post_init__(self) -> None:
        positive(self.radius, "A sphere", "radius")

    def distance(self, p: Array) -> tuple[Any, Any]:
        """Compute the signed distance [m] of a point p (3,) [m] from the sphere, and the outward normal (3,)."""
        d, n = unit(p)
        return d - self.radius, n


@dataclass(frozen=True, eq=False)
class Capsule(Surface):
    """Capsule along z with its centre at the origin of its frame: a cylinder with a half sphere at each end.

    radius : [m]. length : [m] of the cylinder.
    """

    radius: Any = 0.1
    length: Any = 1.0

    def __post_init__(self) -> None:
        positive(self.radius, "A capsule", "radius")
        positive(self.length, "A capsule", "length")

    def distance(self, p: Array) -> tuple[Any, Any]:
        """Compute the signed distance [m] of a point p (3,) [m] from the capsule, and the outward normal (3,)."""
        half = 0.5 * self.length
        d, n = unit(np.array([p[0], p[1], p[2] - clip(p[2], -half, half)]))
        return d - self.radius, n


@dataclass(frozen=True, eq=False)
class Box(Surface):
    """Box with its centre at the origin of its frame; size (3,) [m] along x, y and z."""

    size: Any = field(default=(1.0, 1.0, 1.0))

    def __post_init__(self) -> None:
        size = finite(self.size, (3,), "A box", "size")
        for side in size:
            positive(side, "A box", "size")
        object.__setattr__(self, "size", size)

    def distance(self, p: Array) -> tuple[Any, Any]:
        """Compute the signed distance [m] of a point p (3,) [m] from the box, and the outward normal (3,)."""
        p = np.asarray(p)
        side = where(less(p, 0.0), -1.0, 1.0)
        w = absolute(p) - 0.5 * self.size
        inside = maximum(maximum(w[0], w[1]), w[2])
        out = maximum(w, 0.0)
        d2 = (out * out).sum()
        outside = less(MIN_LENGTH * MIN_LENGTH, d2)
        d = sqrt(where(outside, d2, 1.0))
        first = equal(w[0], inside)
        second = equal(w[1], inside)
        face = [
            where(first, 1.0, 0.0),
            where(first, 0.0, where(second, 1.0, 0.0)),
            where(first, 0.0, where(second, 0.0, 1.0)),
        ]
        n = [s * where(outside, o / d, f) for s, o, f in zip(side, out, face, strict=True)]
        return where(outside, d, inside), np.array(n)


def finite(values: Array, shape: Any, owner: str, name: str) -> np.ndarray:
    """Convert values to an array of this shape; raise InputError if the shape differs or a number is not finite.

    owner, name : object and argument for the message, for example "A plane" and "normal".
    """
    array = np.asarray(values)
    if array.shape != shape or not (records(array) or _numbers(array)):
        raise InputError(
            f"{owner} has {name} {values!r}. Give {shape[0] if len(shape) == 1 else shape} finite numbers."
        )
    return array if records(array) else array.astype(float)


def positive(value: Array, owner: str, name: str) -> None:
    """Raise InputError if a length [m] is not a finite number above 0; recorded scalars are accepted."""
    if not records(value) and not (isinstance(value, (int, float, np.number)) and 0.0 < value < float("inf")):
        raise InputError(f"{owner} has {name} {value!r}. Give a finite number above 0 [m].")


def _numbers(array) -> bool:
    """Whether an array contains finite numbers only."""
    return array.dtype.kind in "fiu" and bool((abs(array.astype(float)) < float("inf")).all())
