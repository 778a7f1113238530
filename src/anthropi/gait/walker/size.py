"""How large is a body beside the one that parameters are for? Bodies of one shape move alike (dynamic similarity):

    lengths ~ l,   times ~ √l,   speeds ~ √l,   torques ~ m l,   dampers ~ m l √l,     l leg lengths, m masses   (1)

both over those of `ap.human(1.75, 75)`. So one file of parameters walks every body, each at its own speed.
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import sqrt
from anthropi.gait.angles import leg_length

__all__ = ["LEG", "MASS", "Size", "size_of"]

LEG, MASS = 0.9170894, 75.0  # [m], [kg]


class Size(NamedTuple):
    """Factors (1)."""

    length: Any
    time: Any
    torque: Any
    damping: Any


def size_of(figure) -> Size:
    """The factors of a figure."""
    length = leg_length(figure) / LEG
    time, mass = sqrt(length), figure.mass / MASS
    return Size(length, time, mass * length, mass * length * time)
