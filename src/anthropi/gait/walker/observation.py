"""Observation of a walker at one instant: all inputs of its control law, in the frame of its heading.

    parameters   p(v) = a + x b + x² c,   x = (v - 1.3 m/s) / 0.5 m/s, v the speed of the reference body
                 (`parameters.py`), limited to 0.75 … 2 m/s. At lower speeds the walker steps in place
                 increasingly: `still` grows from 0 to 1                                                          (1)
    errors       e = (G - p_stance) - d*(s),   e' = G' - v*(s),   x along and y across the heading                (2)
                 G centre of mass, p_stance ankle of the stance leg, d* and v* quartics in s
    turning      in a curve d* leans inwards by b ψ' v / ω²,   ω = √(g / height of G)                             (3)
    standing     e = G - (p_left + p_right) / 2 - place,   e' = G'; blended with (2) by clock.stand               (4)
    swing        the trailing leg is released over the first part of a step: w = min(s / release, 1).
                 A stance leg without load (in flight) swings with the weight `airborne`                          (5)

e and e' are scaled to the reference body. All functions can be recorded on a tape.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import clip, cos, less, maximum, minimum, sin, where
from anthropi.algorithms.kinematics import point_velocity
from anthropi.algorithms.momentum import centre_of, weighted
from anthropi.figure.figure import Figure
from anthropi.gait.reference.norms import GRAVITY
from anthropi.gait.walker.command import Command, read_command
from anthropi.gait.walker.parameters import Size, size_of
from anthropi.gait.walker.phase_clock import Clock, read_clock
from anthropi.gait.walker.settings import WalkerSettings

__all__ = [
    "GRAVITY",
    "MAX_GAIT_SPEED",
    "MIDDLE_SPEED",
    "MIN_GAIT_SPEED",
    "OMEGA",
    "SPEED_SPAN",
    "Observation",
    "along",
    "at_speed",
    "foot_load",
    "observe",
]

MIDDLE_SPEED, SPEED_SPAN = 1.3, 0.5  # [m/s] (1)
MIN_GAIT_SPEED, MAX_GAIT_SPEED = 0.75, 2.0  # [m/s], range of speeds in (1)
OMEGA = 3.27  # [1/s] √(g / height of G) of the reference body (3)


class Observation(NamedTuple):
    """Quantities that the control law of a walker uses at one instant.

    Attributes
    ----------
    figure, sense : the figure and the sensed state that a controller receives.
    settings : settings of the walker.
    p : parameters at the desired speed, {name: array} (eq. 1).
    clock : state of the phase clock.
    command : current command.
    size : scale factors from the reference body to the figure.
    still : 0 to 1, share of stepping in place (eq. 1).
    moving : 1 - clock.stand.
    weight : weight of the figure [N].
    pelvis : orientation of the pelvis relative to the heading, quaternion (4,).
    load : {side: 0 to 1}, load of each foot divided by `settings.loaded` times the weight, at most 1.
    swings : {side: 0 to 1}, 0 for a leg in stance and 1 for a leg in swing (eq. 5).
    e, rate : errors e [m] and e' [m/s] of the centre of mass (2,), scaled to the reference body (eq. 2).
    """

    figure: Figure
    sense: Any
    settings: WalkerSettings
    p: dict[str, Any]
    clock: Clock
    command: Command
    size: Size
    still: Any
    moving: Any
    weight: Any
    pelvis: Any
    load: dict[str, Any]
    swings: dict[str, Any]
    e: Any
    rate: Any


def observe(
    figure: Figure,
    sense: Any,
    memory: dict[Any, Any],
    parameters: dict[Any, Any],
    settings: WalkerSettings | None = None,
) -> Observation:
    """Compute the observation of a walker.

    Parameters
    ----------
    figure, sense, memory, parameters : the arguments of the controller.
    settings : settings of the walker; the default ones if None.
    """
    own = settings or WalkerSettings()
    command = read_command(sense.command)
    size, clock = size_of(figure), read_clock(memory, sense.t, command, own.clock)
    p = at_speed(parameters, clock.speed / size.time)
    still, moving = 1.0 - clip(clock.speed / (MIN_GAIT_SPEED * size.time), 0.0, 1.0), 1.0 - clock.stand
    weight, half = figure.mass * GRAVITY, 0.5 * clock.heading
    pelvis = rot.quaternion_product(np.array([cos(half), 0.0, 0.0, -sin(half)]), sense.q[3:7])
    load = {side: minimum(foot_load(figure, sense, side) / (own.loaded * weight), 1.0) for side in "lr"}
    e, rate = _errors(figure, sense.kinematics, p, clock, still, size)
    swings = _swings(p, clock, load, moving)
    return Observation(
        figure, sense, own, p, clock, command, size, still, moving, weight, pelvis, load, swings, e, rate
    )


def at_speed(parameters: dict[Any, Any], speed: Any) -> dict[str, Any]:
    """Evaluate the parameters {name: (3, …)} at a speed [m/s] of the reference body (eq. 1): {name: (…)}."""
    x = (clip(speed, MIN_GAIT_SPEED, MAX_GAIT_SPEED) - MIDDLE_SPEED) / SPEED_SPAN
    return {name: rows[0] + x * (rows[1] + x * rows[2]) for name, rows in parameters.items()}


def foot_load(figure: Figure, sense: Any, side: str) -> Any:
    """Vertical contact force [N] on the foot and toes of one side, "l" or "r"."""
    return sum(sense.contacts.on(figure.link_index(f"{side}_{part}"))[2] for part in ("foot", "toes"))


def along(heading: Any, vector: Any) -> Any:
    """Components (2,) of a world vector (2,) or (3,) along and across a heading [rad]."""
    c, s = cos(heading), sin(heading)
    return np.stack([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]])


def _swings(p: dict[Any, Any], clock: Clock, load: dict[Any, Any], moving: Any) -> dict[str, Any]:
    """Swing factor of each leg, {side: 0 in stance to 1 in swing} (eq. 5)."""
    released, found = clip(clock.s / maximum(p["release"], 0.01), 0.0, 1.0), {}
    for side, stance in (("l", clock.left), ("r", 1.0 - clock.left)):
        found[side] = moving * (released * (1.0 - stance) + p["airborne"] * (1.0 - load[side]) * stance)
    return found


def _errors(figure: Figure, k: Any, p: dict[Any, Any], clock: Clock, still: Any, size: Size) -> tuple[Any, Any]:
    """Errors e and e' of the centre of mass, (2,) each: equations (2) to (4)."""
    G = centre_of(figure, k)
    G_rate = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    feet = [k.position[figure.link_index(f"{side}_foot")] for side in "lr"]
    left, s = less(0.5, clock.left), clock.s
    sign = where(left, 1.0, -1.0)
    powers = np.stack([1.0 + 0.0 * s, s, s * s, s * s * s, s * s * s * s])
    ahead, aside, forward, across = (row @ powers for row in p["path"])  # d*, v*
    lean = p["bank"] * clock.turning * clock.speed / (OMEGA * OMEGA * size.length)  # (3)
    ahead = ahead * (1.0 + sign * p["asymmetry"])  # longer and shorter steps alternate
    path = np.stack([(1.0 - still) * ahead, sign * aside + lean])
    path_rate = np.stack([(1.0 - still) * forward, sign * across])
    walking = along(clock.heading, G - where(left, *feet)) / size.length - path  # (2)
    place = np.stack([p["balance"][0] + clock.shift * p["shift"][0], clock.shift * p["shift"][1]])
    standing = along(clock.heading, G - 0.5 * (feet[0] + feet[1])) / size.length - place  # (4)
    moving = 1.0 - clock.stand
    e = moving * walking + clock.stand * standing
    return e, along(clock.heading, G_rate) / size.time - moving * path_rate
