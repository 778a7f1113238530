"""Limits of validity of a walker: the range in which its parameter set was tested, and what happens outside.

The table [limits] of a parameter set contains measurements with the reference body. Speeds scale with √(leg length)
(`parameters.py` (2)). A `ValidityWarning` is issued before a walk that is outside the limits.

    speed            [m/s] commands that `ap.walk` accepts: [smallest, largest]
    speed_kept       [m/s] commands that are kept within 5 %
    speed_measured   [[command, measured speed], …] [m/s] outside speed_kept
    stop_speed       [m/s] largest speed from which it stopped and stood in all trials
    stop_styles      styles from which it stopped in all trials without a fall
    standing_turn    [rad] largest turn on the spot without a fall
    slope            largest slope of the ground, as a ratio
    leg, build       leg length, and mass / leg length³, relative to the reference body: [smallest, largest]
    centre           [m] largest horizontal distance of the centre of mass from that of ap.human, standing; a load on
                     the back or in one hand moves it further

All functions work on plain floats only; they cannot be recorded on a tape.
"""

import math
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import centre_of
from anthropi.contact.geometry.surfaces import Plane
from anthropi.errors import ValidityWarning
from anthropi.figure.figure import Figure

__all__ = [
    "REFERENCE_MASS",
    "Going",
    "WalkerLimits",
    "body_notes",
    "change_notes",
    "limits_of",
    "plan_notes",
    "slope_notes",
    "speed_note",
    "steepness_note",
    "warn_of",
]

Pair = tuple[float, float]
REFERENCE_MASS = 75.0  # [kg] of the reference body
USUAL_CENTRE = 0.0012  # [m] of the centre of mass of ap.human ahead of the pelvis, scaled to the reference body


class WalkerLimits(NamedTuple):
    """Limits of a parameter set, as in the table of this module; None if a limit is unknown."""

    speed: Pair | None = None
    speed_kept: Pair | None = None
    speed_measured: tuple[Pair, ...] = ()
    stop_speed: float | None = None
    stop_styles: tuple[str, ...] | None = None
    standing_turn: float | None = None
    slope: float | None = None
    leg: Pair | None = None
    build: Pair | None = None
    centre: float | None = None


def limits_of(table: dict[str, Any]) -> WalkerLimits:
    """Read the table [limits] of a parameter set. Raises ValueError if a name or a number is wrong."""
    unknown = sorted(set(table) - set(WalkerLimits._fields))
    if unknown:
        raise ValueError(f"[limits] has no entry '{unknown[0]}'; it has {', '.join(WalkerLimits._fields)}")
    found: dict[str, Any] = {}
    for name, x in table.items():
        if name == "stop_styles":
            found[name] = tuple(str(word) for word in x)
        elif name == "speed_measured":
            found[name] = tuple(_pair(name, row) for row in x)
        elif name in ("speed", "speed_kept", "leg", "build"):
            found[name] = _pair(name, x)
        else:
            found[name] = float(x)
            if not math.isfinite(found[name]):
                raise ValueError(f"'{name}' of [limits] must be a finite number")
    return WalkerLimits(**found)


def _pair(name: str, x: Any) -> Pair:
    row = tuple(float(v) for v in x)
    if len(row) != 2 or not all(map(math.isfinite, row)):
        raise ValueError(f"'{name}' of [limits] must have two finite numbers")
    return row[0], row[1]


def warn_of(notes: Iterable[str], stacklevel: int = 3) -> None:
    """Issue a `ValidityWarning` for each note."""
    for note in notes:
        warnings.warn(note, ValidityWarning, stacklevel=stacklevel + 1)


def speed_note(limits: WalkerLimits, speed: float, factor: float, where: str = "") -> list[str]:
    """Return warnings about a commanded speed [m/s] outside the tested range.

    factor : ratio of the speeds of the figure to those of the reference body.
    """
    if limits.speed_kept is None:
        return []
    low, high = (factor * x for x in limits.speed_kept)
    if low - 1e-9 <= speed <= high + 1e-9:
        return []
    goes = ""
    if limits.speed_measured:
        command, measured = np.array(sorted(limits.speed_measured)).T
        inside = command[0] * factor <= speed <= command[-1] * factor
        found = factor * float(np.interp(speed / factor, command, measured))
        goes = f" At this command it moves at about {found:.2f} m/s." if inside else " At this command it may fall."
    return [f"{where}speed={speed:.3g} m/s: this walker keeps speeds of {low:.2f} to {high:.2f} m/s within 5 %.{goes}"]


def body_notes(limits: WalkerLimits, figure: Figure, leg: float) -> list[str]:
    """Return warnings about a body. leg : leg length, relative to the reference body."""
    found, build = [], float(figure.mass) / REFERENCE_MASS / leg**3
    for name, x, bounds in (("leg length", leg, limits.leg), ("mass / leg length³", build, limits.build)):
        if bounds is not None and not bounds[0] <= x <= bounds[1]:
            found.append(
                f"Figure '{figure.name}' has {x:.2f} times the {name} of ap.human(1.75, 75). This walker was tested "
                f"from {bounds[0]:g} to {bounds[1]:g} times; it may fall."
            )
    k = kinematics(figure, figure.neutral())
    x, y = ((centre_of(figure, k) - k.position[0]) / leg)[:2]
    off = math.hypot(float(x) - USUAL_CENTRE, float(y))
    if limits.centre is not None and off > limits.centre:
        found.append(
            f"The centre of mass of figure '{figure.name}' is {1e3 * off:.0f} mm from the position in ap.human, as "
            f"with a load. This walker keeps its speed up to {1e3 * limits.centre:.0f} mm. For example, with 10 kg on "
            "the back and a command of 1.2 m/s it walks at 0.87 m/s."
        )
    return found


def slope_notes(limits: WalkerLimits, ground: Any) -> list[str]:
    """Return warnings about the ground of a scene."""
    if limits.slope is None or not isinstance(ground, Plane):
        return []
    x, y, z = (float(v) for v in ground.normal)
    return steepness_note(limits, math.hypot(x, y) / z if z > 0.0 else math.inf)


def steepness_note(limits: WalkerLimits, slope: float) -> list[str]:
    """Return warnings about a slope of the ground, as a ratio."""
    if limits.slope is None or slope <= limits.slope + 1e-9:
        return []
    return [
        f"The ground has a slope of {slope:.0%}. This walker was tested on slopes of up to {limits.slope:.0%}. On "
        "steeper slopes it fell in most trials."
    ]


class Going(NamedTuple):
    """A command to a walker: gait ("stand", "walk", "go to"), speed [m/s], heading [rad], and style if known."""

    gait: str = "stand"
    speed: float = 0.0
    heading: float = 0.0
    style: str | None = None


def change_notes(limits: WalkerLimits, before: Going, after: Going, factor: float, where: str = "") -> list[str]:
    """Return warnings about a change of the command: a speed outside the tested range, a stop that may cause a fall, or
    a turn on the spot. factor : see `speed_note`."""
    turns = after.gait == "walk" and after.speed == 0.0
    found = speed_note(limits, after.speed, factor, where) if after.gait in ("walk", "go to") and not turns else []
    if turns and limits.standing_turn is not None and abs(after.heading - before.heading) > limits.standing_turn:
        found.append(f"{where}a turn on the spot caused a fall in most trials. Turn while walking at 0.8 m/s or more.")
    if after.gait == "stand" and before.gait != "stand" and before.speed > 0.0:
        if limits.stop_speed is not None and before.speed > factor * limits.stop_speed + 1e-9:
            found.append(
                f"{where}a stop from {before.speed:.3g} m/s may cause a fall. In all trials, this walker stopped "
                f"from up to {factor * limits.stop_speed:.2f} m/s. Walk slower before the stop."
            )
        elif limits.stop_styles is not None and before.style is not None and before.style not in limits.stop_styles:
            found.append(
                f"{where}a stop in the style '{before.style}' may cause a fall. Walk naturally for 3 s before it. "
                f"Styles that stopped in all trials: {', '.join(limits.stop_styles)}."
            )
    return found


def plan_notes(limits: WalkerLimits, orders: Any, factor: float) -> list[str]:
    """Return warnings about the orders of a script: speeds outside the tested range, stops that may cause a fall, and
    turns on the spot. factor : see `speed_note`."""
    found: list[str] = []
    before = Going()
    for order in orders:
        after = Going(order.gait, order.speed, order.heading, order.style.name)
        found += change_notes(limits, before, after, factor, f"At {order.time:g} s: ")
        before = after
    return found
