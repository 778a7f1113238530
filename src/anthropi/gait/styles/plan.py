"""Plan of a walk: a sequence of orders, each with gait, speed, heading, style and duration.

An order begins at `time` and lasts for `duration`. During its first `over` seconds, speed and heading change linearly
from the previous values to those of the order; then they stay constant. Orders follow each other without gaps. All
functions work on plain floats only; they cannot be recorded on a tape.
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
MAX_DURATION = 3600.0  # [s], longest order
MAX_DISTANCE = 1000.0  # [m], largest coordinate of a goal
MAX_HEADING = 8.0 * math.pi  # [rad]
UNITS = {"time": "s", "speed": "m/s", "heading": "rad", "duration": "s", "over": "s"}


@dataclass(frozen=True)
class Order:
    """An order of a plan.

    Attributes
    ----------
    time, duration, over : start, duration, and duration of the change of speed and heading [s].
    gait : one of `GAITS`.
    speed : [m/s]; for a jump, the forward speed at take-off.
    heading : heading in the world [rad], 0 along x, left positive, not wrapped: from 0 to π is a turn to the left.
    style : style of the gait.
    goal : point (x, y) [m] for "go to", else None.
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
            raise InputError(f"An order has gait={self.gait!r}.{hint} Choose one of: {', '.join(GAITS)}.")
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
                f"'{self.gait}' lasts {self.duration:g} s, but its change of speed or heading takes {self.over:g} s. "
                "Give it more time."
            )
        if not isinstance(self.style, Style):
            raise InputError(f"An order has style={self.style!r}. Give a Style, such as style_of('tired').")
        if (self.goal is None) != (self.gait != "go to"):
            raise InputError(
                f"'{self.gait}' has goal={self.goal!r}. 'go to' needs a goal (x, y); other gaits need goal=None."
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
        """Speed and heading at time t [s] after the start, given the speed and heading before the order."""
        done = 1.0 if t >= self.over else max(t, 0.0) / self.over
        return speed + done * (self.speed - speed), heading + done * (self.heading - heading)


class Plan(tuple[Order, ...]):
    """A sequence of orders without gaps, starting at time 0."""

    __slots__ = ()

    @property
    def duration(self) -> float:
        """Duration of the whole plan [s]."""
        return self[-1].end if self else 0.0

    def table(self) -> str:
        """Return the plan as a table in text form, one line per order."""
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
    """Check a goal (x, y) and return it as two numbers [m].

    Raises InputError if it is not a point (x, y) or is out of range.
    """
    try:
        x, y = (math.nan if isinstance(v, (bool, str, bytes)) else float(v) for v in goal)
    except (TypeError, ValueError, OverflowError):
        x = y = math.nan
    if not (abs(x) <= MAX_DISTANCE and abs(y) <= MAX_DISTANCE):
        raise InputError(f"An order has goal={goal!r}. Give a point (x, y) within ± {MAX_DISTANCE:g} m.")
    return x, y


def _within(gait: str, name: str, value: Any, low: float, high: float) -> float:
    """Check that a number is within bounds, and return it.

    Raises InputError otherwise. The message names the field of the order.
    """
    try:
        number = math.nan if isinstance(value, (bool, str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not low <= number <= high or math.isinf(number):
        raise InputError(f"'{gait}' has {name}={value!r}. Give {low:g} to {high:g} {UNITS[name]}.")
    return number
