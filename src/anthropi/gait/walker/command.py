"""Command of a walker: a row of numbers that may change between any two steps of the kernel."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError

__all__ = ["MAX_SPEED", "WIDTH", "Command", "read_command", "rows_at"]

MAX_SPEED = 6.0  # [m/s], largest commanded speed
WIDTH = 7  # numbers in a command row


class Command(NamedTuple):
    """Command of a walker.

    Attributes
    ----------
    go : walk if True; stop and stand if False.
    speed : desired speed [m/s].
    heading : desired heading [rad]; 0 is along x, left is positive.
    lift : additional clearance of the swing foot [m].
    reach : shift of the next foothold, ahead and to the left of the heading [m].
    rise : height of the next foothold above the stance foot [m]; the legs bend accordingly.
    """

    go: Any = True
    speed: Any = 1.3
    heading: Any = 0.0
    lift: Any = 0.0
    reach: Any = (0.0, 0.0)
    rise: Any = 0.0

    def row(self) -> np.ndarray:
        """Return the command as a row (`WIDTH`,), the input of the kernel.

        Raises InputError if a field is not finite, out of range or not a pair. The message names the field.
        """
        if not (isinstance(self.reach, (tuple, list, np.ndarray)) and len(self.reach) == 2):
            raise InputError(f"Command has reach={self.reach!r}. Give two numbers [m]: ahead and to the left.")
        row = np.array([1.0 if self.go else 0.0, self.speed, self.heading, self.lift, *self.reach, self.rise], float)
        for name, value in zip(("go", "speed", "heading", "lift", "reach", "reach", "rise"), row, strict=True):
            if not np.isfinite(value):
                raise InputError(f"Command has {name}={value!r}. Give a finite number.")
        if not 0.0 <= self.speed <= MAX_SPEED:
            raise InputError(f"Command has speed={self.speed!r}. Give a speed from 0 to {MAX_SPEED:g} m/s.")
        return row


def rows_at(speeds: float | Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the command rows (n, `WIDTH`) of n straight walks at the given speeds [m/s]."""
    return np.stack([Command(speed=float(v)).row() for v in np.atleast_1d(speeds)])


def read_command(row: Any) -> Command:
    """Read a command from a row (`WIDTH`,); an empty row gives the default command. Can be recorded on a tape."""
    return Command() if len(row) == 0 else Command(row[0], row[1], row[2], row[3], (row[4], row[5]), row[6])
