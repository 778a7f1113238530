"""What is a walker told? The middle level, as a row of numbers that may change between any two steps of the kernel."""

from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError

__all__ = ["WIDTH", "Command", "read_command", "rows_at"]

FASTEST = 6.0  # [m/s]
WIDTH = 7  # of a row


class Command(NamedTuple):
    """go : whether to walk; False: stop and stand. speed [m/s]. heading [rad], 0 along x, left positive.

    lift [m] : how much higher the swinging foot passes. reach [m] : how far ahead and aside the next foothold moves.
    rise [m] : how much higher than the foot that stands it is; legs shorten for it.
    """

    go: bool = True
    speed: float = 1.3
    heading: float = 0.0
    lift: float = 0.0
    reach: tuple[float, float] = (0.0, 0.0)
    rise: float = 0.0

    def row(self) -> np.ndarray:
        """The row (`WIDTH`,) that the kernel takes; InputError names the field that makes no sense."""
        if not (isinstance(self.reach, (tuple, list, np.ndarray)) and len(self.reach) == 2):
            raise InputError(f"Command has reach={self.reach!r}; give two numbers [m], ahead and aside.")
        row = np.array([1.0 if self.go else 0.0, self.speed, self.heading, self.lift, *self.reach, self.rise], float)
        for name, value in zip(("go", "speed", "heading", "lift", "reach", "reach", "rise"), row, strict=True):
            if not np.isfinite(value):
                raise InputError(f"Command has {name}={value!r}; give a finite number.")
        if not 0.0 <= self.speed <= FASTEST:
            raise InputError(f"Command has speed={self.speed!r}; a figure walks or runs at 0 to {FASTEST:g} m/s.")
        return row


def rows_at(speeds) -> np.ndarray:
    """Rows (n, `WIDTH`) that tell each of n walks its speed [m/s]."""
    return np.stack([Command(speed=float(v)).row() for v in np.atleast_1d(speeds)])


def read_command(row) -> Command:
    """A command of numbers that may record; the default where nothing is told."""
    return Command() if len(row) == 0 else Command(row[0], row[1], row[2], row[3], (row[4], row[5]), row[6])
