"""What does a walker know at an instant? Everything the law below it reads, in the frame of its heading.

parameters  p(v) = a + x b + x² c,   x = (v - 1.3 m/s) / 0.5 m/s, of a body of 1.75 m and 75 kg (`parameters.py`);
            below 0.75 m/s they stay, and `still` grows from 0 to 1, where it steps in place                  (1)
errors      e = (G - ankle that stands) - d*(s),   e' = G' - v*(s),   x along, y across the heading;
            in a curve d* leans in by b ψ' v / ω²; standing: of G over the middle of both feet, and G' itself (2)
swing       the trailing leg is let go over the first part of a step; a runner's leg in flight swings, too    (3)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import clip, cos, less, maximum, minimum, sin, where
from anthropi.algorithms.kinematics import point_velocity
from anthropi.algorithms.momentum import centre_of, weighted
from anthropi.gait.reference.norms import GRAVITY
from anthropi.gait.walker.command import Command, read_command
from anthropi.gait.walker.parameters import Size, size_of
from anthropi.gait.walker.phase_clock import Clock, read_clock

__all__ = [
    "GRAVITY",
    "MIDDLE_SPEED",
    "OMEGA",
    "SLOWEST",
    "SPAN",
    "Observation",
    "along",
    "at_speed",
    "foot_load",
    "observe",
]

MIDDLE_SPEED, SPAN, SLOWEST, FASTEST = 1.3, 0.5, 0.75, 2.0  # (1) [m/s]
LOADED = 0.3  # share of the weight from which a foot is loaded
OMEGA = 3.27  # [1/s] √(g / height of G), of a body of 1.75 m


class Observation(NamedTuple):
    """figure, sense: as a controller gets them. p: parameters at this speed. moving: 1 - clock.stand. weight [N].
    pelvis: its quaternion seen from the heading. load: share of `LOADED` that each foot bears, at most 1; swings: 0 to
    1. e, rate (2,): (2), over those of a body of 1.75 m."""

    figure: Any
    sense: Any
    p: dict
    clock: Clock
    told: Command
    size: Size
    still: Any
    moving: Any
    weight: Any
    pelvis: Any
    load: dict
    swings: dict
    e: Any
    rate: Any


def observe(figure, sense, memory, parameters) -> Observation:
    """What there is to know."""
    told = read_command(sense.command)
    size, clock = size_of(figure), read_clock(memory, sense.t, told)
    p = at_speed(parameters, clock.speed / size.time)
    still, moving = 1.0 - clip(clock.speed / (SLOWEST * size.time), 0.0, 1.0), 1.0 - clock.stand
    weight, half = figure.mass * GRAVITY, 0.5 * clock.heading
    pelvis = rot.quaternion_product(np.array([cos(half), 0.0, 0.0, -sin(half)]), sense.q[3:7])
    load = {side: minimum(foot_load(figure, sense, side) / (LOADED * weight), 1.0) for side in "lr"}
    e, rate = _errors(figure, sense.kinematics, p, clock, still, size)
    return Observation(figure, sense, p, clock, told, size, still, moving, weight, pelvis, load,
               _swings(p, clock, load, moving), e, rate)  # fmt: skip


def at_speed(parameters, speed):
    """(1): {name: numbers} at a speed [m/s] of the body that parameters are for."""
    x = (clip(speed, SLOWEST, FASTEST) - MIDDLE_SPEED) / SPAN
    return {name: rows[0] + x * (rows[1] + x * rows[2]) for name, rows in parameters.items()}


def foot_load(figure, sense, side: str):
    """What a foot carries [N], toes with it."""
    return sum(sense.contacts.on(figure.link_index(f"{side}_{part}"))[2] for part in ("foot", "toes"))


def along(heading, vector):
    """A vector of the world (2,) or (3,), along and across a heading (2,)."""
    c, s = cos(heading), sin(heading)
    return np.stack([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]])


def _swings(p, clock: Clock, load, moving) -> dict:
    """(3)"""
    free, found = clip(clock.s / maximum(p["release"], 0.01), 0.0, 1.0), {}
    for side, stands in (("l", clock.left), ("r", 1.0 - clock.left)):
        found[side] = moving * (free * (1.0 - stands) + p["airborne"] * (1.0 - load[side]) * stands)
    return found


def _errors(figure, k, p, clock: Clock, still, size: Size):
    """(2)"""
    G = centre_of(figure, k)
    speed = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    feet = [k.position[figure.link_index(f"{side}_foot")] for side in "lr"]
    left, s = less(0.5, clock.left), clock.s
    sign = where(left, 1.0, -1.0)
    powers = np.stack([1.0 + 0.0 * s, s, s * s, s * s * s, s * s * s * s])
    ahead, aside, forward, across = (row @ powers for row in p["path"])
    bank = p["bank"] * clock.turning * clock.speed / (OMEGA * OMEGA * size.length)
    ahead = ahead * (1.0 + sign * p["asymmetry"])  # as far as a longer or shorter step takes it
    path = np.stack([(1.0 - still) * ahead, sign * aside + bank])
    pace = np.stack([(1.0 - still) * forward, sign * across])
    walks = along(clock.heading, G - where(left, *feet)) / size.length - path
    place = np.stack([p["balance"][0] + clock.shift * p["shift"][0], clock.shift * p["shift"][1]])
    stands = along(clock.heading, G - 0.5 * (feet[0] + feet[1])) / size.length - place
    moving = 1.0 - clock.stand
    return moving * walks + clock.stand * stands, along(clock.heading, speed) / size.time - moving * pace
