"""Small functions to try studies with."""

import math

__all__ = ["pendulum_period"]


def pendulum_period(length: float, gravity: float = 9.81) -> dict[str, float]:
    """Return the period [s] of small swings of a pendulum. length : [m]. gravity : [m/s²]."""
    return {"period": 2.0 * math.pi * math.sqrt(length / gravity)}
