"""A walker without physics: a point that lags behind what it is told, sways and is jostled. To try ways with, quickly.

Speed v and course χ follow what is told as `steering.py` has it, which was measured of the walker in physics:

    v, φ, χ by (1) … (3) of `steering.py`                                                           (1)
    p' = v (cos, sin)(χ + drift) + w,   w' = -w / 0.5 s + jolts and noise                                          (2)
    shown: p + 3 cm · sin(π steps) to the side,   steps' = √(v / 0.42 m/s) a second: people's                      (3)

Course
------
Random courses: a goal 10 m away, obstacles between, one of which crosses where the walker would be. Floats only.
"""

import math
from typing import NamedTuple

import numpy as np

from anthropi.gait.navigation.outlines import Outline, disc, polygon
from anthropi.gait.navigation.path import NoPath, path_out, standing_room
from anthropi.gait.navigation.steering import STILL, Limits, PlanarState
from anthropi.gait.walker.command import Command

__all__ = ["Course", "PointWalker", "random_course"]


DT = 0.01  # [s]


class PointWalker:
    """What a `walker.Session` shows of itself, at the same names.

    seed : of what jostles it, None nothing: noise [m/s], and every 4 s a jolt [m/s]. limits : how it lags (1).
    """

    def __init__(self, position=(0.0, 0.0), heading=0.0, seed=None, sway=0.03, noise=0.05, jolt=0.3, drift=0.0,
                 limits=None):  # fmt: skip
        self.drift, self.limits = drift, limits or Limits()
        self.time, self.phase, self.fallen = 0.0, 0.0, False
        self._state = PlanarState(0.0, 0.0, float(heading), float(heading))
        self.sway, self.noise, self.jolt = sway, noise, jolt
        self._p, self._w = [float(x) for x in position], [0.0, 0.0]
        self._command = Command(go=False, speed=0.0)
        self._rng = None if seed is None else np.random.default_rng(seed)

    def command(self, command: Command) -> None:
        """From now on."""
        self._command = command

    def run(self, seconds: float) -> None:
        """Go on for some seconds."""
        many = max(1, round(seconds / DT))
        jostled = np.zeros((many, 2)) if self._rng is None else self._rng.standard_normal((many, 2))
        jolts = np.ones(many) if self._rng is None else self._rng.random(many)
        for row, jolt in zip(jostled.tolist(), jolts.tolist(), strict=True):
            self._step(row, jolt < DT / 4.0)  # a jolt every 4 s

    def _step(self, row, jolted: bool) -> None:
        go, now = self._command.go, self._state
        speed, heading = (self._command.speed, self._command.heading) if go else (0.0, now.half)
        self._state = now = PlanarState(*(float(x) for x in now.after(speed, heading, self.limits, DT)))  # (1)
        moving, goes = min(now.pace / 0.3, 1.0), now._replace(goes=now.goes + self.drift).velocity(self.limits)
        for k in (0, 1):
            shock = self.jolt * (math.cos, math.sin)[k](50.0 * row[0]) if jolted else 0.0
            shock += self.noise * math.sqrt(2.0 * DT / 0.5) * row[k]
            self._w[k] += -DT * self._w[k] / 0.5 + moving * shock  # (2)
            self._p[k] += DT * (float(goes[k]) + self._w[k])
        self.phase += DT * math.sqrt(max(now.pace, 0.0) / 0.42)
        self.time += DT

    @property
    def position(self) -> np.ndarray:
        """(2,) [m] (3)"""
        aside = self.sway * math.sin(math.pi * self.phase)
        return np.array([self._p[0] - aside * math.sin(self.heading), self._p[1] + aside * math.cos(self.heading)])

    @property
    def velocity(self) -> np.ndarray:
        """(2,) [m/s]"""
        pace, goes = self._state.pace, self._state.goes + self.drift
        return np.array([pace * math.cos(goes) + self._w[0], pace * math.sin(goes) + self._w[1]])

    @property
    def heading(self) -> float:
        """[rad] that it aims at now."""
        return self._state.half

    @property
    def stands(self) -> bool:
        """Whether it has stopped."""
        return not self._command.go and self._state.pace < STILL

    @property
    def steps(self) -> int:
        """Steps so far."""
        return int(self.phase)

    @property
    def side(self) -> int:
        """0 left stands, 1 right."""
        return self.steps % 2

    @property
    def feet(self) -> dict[str, np.ndarray]:
        """Roughly: beside the body (3,)."""
        aside = np.array([-math.sin(self.heading), math.cos(self.heading)]) * 0.08
        return {"l": np.array([*(self._p + aside), 0.0]), "r": np.array([*(self._p - aside), 0.0])}


HALF, MARGIN, NEAR, ROOM = 0.3, 0.25, 0.08, 0.4  # [m] of a way there must be; about start and goal besides


class Course(NamedTuple):
    """start (2,), goal (2,) [m], outlines; the last moves."""

    start: np.ndarray
    goal: np.ndarray
    outlines: list[Outline]


def random_course(seed: int, obstacles: int = 5, far: float = 10.0, speed: float = 1.2) -> Course:
    """Discs and boxes of 0.3 to 1.2 m within 1.2 m of the straight line; start and goal have room, and there is a way.

    The last one goes at 0.3 to 1 m/s so that it meets somebody who walks straight on at `speed`, half way or so.
    """
    rng = np.random.default_rng(seed)
    start, goal = np.zeros(2), np.array([far, 0.0])
    while True:
        found = [_one(rng, k, far) for k in range(obstacles - 1)]
        found.append(_moving(rng, far, speed))
        room = min(min(o.gap(start), o.gap(goal)) for o in found[:-1]) if obstacles > 1 else np.inf
        if room < HALF + ROOM or found[-1].gap(start) < 1.5:
            continue
        try:
            path_out(start, goal, standing_room(goal, found[:-1], HALF, MARGIN, NEAR))
        except NoPath:
            continue
        return Course(start, goal, found)


def _one(rng, k: int, far: float) -> Outline:
    """Something that stands near the line."""
    centre = np.array([rng.uniform(1.5, far - 1.0), rng.uniform(-1.2, 1.2)])
    if rng.random() < 0.5:
        return disc(centre, rng.uniform(0.15, 0.6), name=f"disc {k + 1}")
    turn, size = rng.uniform(0.0, np.pi), rng.uniform(0.15, 0.6, 2)
    x, y = np.array([np.cos(turn), np.sin(turn)]) * size[0], np.array([-np.sin(turn), np.cos(turn)]) * size[1]
    return polygon([centre + x + y, centre - x + y, centre - x - y, centre + x - y], name=f"box {k + 1}")


def _moving(rng, far: float, speed: float) -> Outline:
    """Something that crosses."""
    meets = np.array([rng.uniform(0.35, 0.75) * far, rng.uniform(-0.3, 0.3)])
    way, fast = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.3, 1.0)
    velocity = fast * np.array([np.cos(way), np.sin(way)])
    return disc(meets - velocity * (meets[0] / speed + 0.5), rng.uniform(0.2, 0.4), velocity, name="moving")
