"""What is fixed to a body? Points and directions, in the body's frame; the body "" is the world.

    point       x = r + A s'                                                                          (1)
    direction   x = A v'                                                                              (2)

Both may move in their body as given functions of time, s'(t), v'(t): a nail on a path, a hand of a clock.
"""

from typing import Any, NamedTuple

__all__ = ["Direction", "EulerParameters", "Feature", "Point"]


class Point(NamedTuple):
    """A point of a body. at : (3,) [m] in the body's frame, or a function of time [s] that gives it."""

    body: str
    at: Any = (0.0, 0.0, 0.0)


class Direction(NamedTuple):
    """A direction of a body. along : (3,) in the body's frame, of any length, or a function of time that gives it."""

    body: str
    along: Any


class EulerParameters(NamedTuple):
    """The four Euler parameters of a body, scalar first (Cartesian coordinates only)."""

    body: str


Feature = Point | Direction | EulerParameters
