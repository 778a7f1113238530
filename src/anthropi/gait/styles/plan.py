"""Plan of a walk: orders in sequence, each with gait, speed, heading, style and duration.

An order begins at `time` and lasts for `duration`. Speed and heading go from those before to its own, in a straight
line, over its first `over` seconds, and stay. Orders follow each other without gaps. Plain floats only.
"""

import math
from dataclasses import dataclass
from typing import Any

from anthropi.errors import InputError, did_you_mean
from anthropi.gait.styles.style import NATURAL, Style

__all__ = ["GAITS", "SPEED_RANGES", "Order", "Plan", "checked_goal"]

GAITS = ("stand", "walk", "run", "jump", "go to")
SPEED_RANGES = {  # [m/s]
    "stand": (0.0, 0.0),
    "walk": (0.0, 2.2),
    "go to": (0.1, 2.2),
    "run": (1.5, 6.0),
    "jump": (0.0, 3.0),
}
MAX_DURATION = 3600.0  # [s] of an order
MAX_DISTANCE = 1000.0  # [m] of a goal
MAX_HEADING = 8.0 * math.pi  # [rad] of a heading
UNITS = {"time": "s", "speed": "m/s", "heading": "rad", "duration": "s", "over": "s"}


@dataclass(frozen=True)
class Order:
    """An order of a plan.

    Attributes
    ----------
    time, duration, over : start, duration and time of change [s].
    gait : one of `GAITS`.
    speed : [m/s]; of a jump, forward at take-off.
    heading : [rad] in the world, 0 along x, left positive, not wrapped: from 0 to π is a turn to the left.
    style : style of the gait.
    goal : (x, y) [m] of "go to", else None.
    """

    time: float
    gait: str
    speed: float = 0.0
    heading: float = 0.0
    style: Style = NATURAL
    goal: tuple[float, float] | None = None
    duration: float = 0.0
    over: float = 0.0

    def __post_init__(self) -> None:
        if self.gait not in GAITS:
            hint = did_you_mean(str(self.gait), GAITS)
            raise InputError(f"An order has gait={self.gait!r}.{hint} Gaits: {', '.join(GAITS)}.")
        bounds = {
            "time": (0.0, math.inf),
            "speed": SPEED_RANGES[self.gait],
            "heading": (-MAX_HEADING, MAX_HEADING),
            "duration": (0.0, MAX_DURATION),
            "over": (0.0, MAX_DURATION),
        }
        for name, (low, high) in bounds.items():
            object.__setattr__(self, name, _within(self.gait, name, getattr(self, name), low, high))
        if self.over > self.duration:
            raise InputError(
                f"'{self.gait}' lasts {self.duration:g} s and changes over {self.over:g} s. Give it more time."
            )
        if not isinstance(self.style, Style):
            raise InputError(f"An order has style={self.style!r}; give a Style: style_of('tired').")
        if (self.goal is None) != (self.gait != "go to"):
            raise InputError(
                f"'{self.gait}' has goal={self.goal!r}; a point (x, y) goes with 'go to', and with nothing else."
            )
        object.__setattr__(self, "goal", None if self.goal is None else checked_goal(self.goal))

    @property
    def end(self) -> float:
        """Time at which the order ends [s]."""
        return self.time + self.duration

    def __str__(self) -> str:
        goal = f" ({self.goal[0]:g}, {self.goal[1]:g})" if self.goal else ""
        how = f" to {self.speed:.2f} m/s, heading {math.degrees(self.heading):.0f}°" if self.gait != "stand" else ""
        when = f", from {self.time:.2f} to {self.end:.2f} s" + (f", over {self.over:.2f} s" if self.over else "")
        return f"{self.gait}{goal}{how}{when}, {self.style.name}"

    def at(self, t: float, speed: float, heading: float) -> tuple[float, float]:
        """Speed and heading at time t [s] after the start, for given speed and heading before the order."""
        done = 1.0 if t >= self.over else max(t, 0.0) / self.over
        return speed + done * (self.speed - speed), heading + done * (self.heading - heading)


class Plan(tuple[Order, ...]):
    """A tuple of orders without gaps, from time 0 on."""

    __slots__ = ()

    @property
    def duration(self) -> float:
        """Duration of all orders [s]."""
        return self[-1].end if self else 0.0

    def table(self) -> str:
        """Return a table as text, one line for each order."""
        lines = [f"{'time':>7} {'for':>7}  {'gait':<6}{'speed':>10}{'heading':>10}{'over':>9}  style"]
        for o in self:
            goal = f"  to ({o.goal[0]:g}, {o.goal[1]:g})" if o.goal else ""
            when = f"{o.time:>6.2f}s{o.duration:>7.2f}s  {o.gait:<6}"
            how = f"{o.speed:>6.2f} m/s{math.degrees(o.heading):>9.1f}°{o.over:>7.2f} s  {o.style.name}{goal}"
            lines.append(when + how)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Plan({len(self)} orders, {self.duration:g} s)"


def checked_goal(goal: Any) -> tuple[float, float]:
    """Return a point as two numbers [m]; InputError if it is none or out of range."""
    try:
        x, y = (math.nan if isinstance(v, (bool, str, bytes)) else float(v) for v in goal)
    except (TypeError, ValueError, OverflowError):
        x = y = math.nan
    if not (abs(x) <= MAX_DISTANCE and abs(y) <= MAX_DISTANCE):
        raise InputError(f"An order has goal={goal!r}; give (x, y) within {MAX_DISTANCE:g} m.")
    return x, y


def _within(gait: str, name: str, value: Any, low: float, high: float) -> float:
    """Return a number within bounds; InputError names the field of the order."""
    try:
        number = math.nan if isinstance(value, (bool, str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not low <= number <= high or math.isinf(number):
        raise InputError(f"'{gait}' has {name}={value!r}; give {low:g} to {high:g} {UNITS[name]}.")
    return number
