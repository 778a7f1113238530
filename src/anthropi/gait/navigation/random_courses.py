"""Random courses and a walker without physics, for quick tests of navigation.

A `PointWalker` is a point that follows commands with a lag, sways and is disturbed:

    speed v and course χ by (1) to (3) of `steering.py`                                                           (1)
    p' = v (cos, sin)(χ + drift) + w,   w' = -w / 0.5 s + jolts and noise                                         (2)
    position shown: p + 3 cm · sin(π steps) to the side,   steps' = √(v / 0.42 m/s) per second, as in people      (3)

A `Course` has a goal 10 m away and obstacles in between. One of them moves across the path of the walker. All functions
work on plain floats only; they cannot be recorded on a tape.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from anthropi.gait.navigation.outlines import Outline, disc, polygon
from anthropi.gait.navigation.path import NoPath, path_out, standing_room
from anthropi.gait.navigation.steering import STANDING_SPEED, Limits, PlanarState
from anthropi.gait.walker.command import Command

__all__ = ["Course", "PointWalker", "random_course"]


DT = 0.01  # [s]


class PointWalker:
    """A walker without physics, with the methods and properties of a `WalkingSession`.

    Parameters
    ----------
    position : (2,) [m].
    heading : [rad].
    seed : random seed of the disturbances; no disturbances if None.
    sway : amplitude of the sideways sway [m] (eq. 3).
    noise, jolt : disturbances [m/s] (eq. 2); a jolt occurs every 4 s on average.
    drift : angle between course and motion [rad] (eq. 2).
    limits : how the walker follows commands (eq. 1).
    """

    drift: Any
    fallen: Any
    jolt: Any
    limits: Any
    noise: Any
    phase: Any
    sway: Any
    time: Any

    def __init__(
        self,
        position: Any = (0.0, 0.0),
        heading: float = 0.0,
        seed: int | None = None,
        sway: float = 0.03,
        noise: float = 0.05,
        jolt: float = 0.3,
        drift: float = 0.0,
        limits: Limits | None = None,
    ) -> None:
        self.drift, self.limits = drift, limits or Limits()
        self.time, self.phase, self.fallen = 0.0, 0.0, False
        self._state = PlanarState(0.0, 0.0, float(heading), float(heading))
        self.sway, self.noise, self.jolt = sway, noise, jolt
        self._p, self._w = [float(x) for x in position], [0.0, 0.0]
        self._command = Command(go=False, speed=0.0)
        self._rng = None if seed is None else np.random.default_rng(seed)

    def command(self, command: Command) -> None:
        """Set the command from now on."""
        self._command = command

    def run(self, seconds: float) -> None:
        """Simulate some seconds."""
        count = max(1, round(seconds / DT))
        jostled = np.zeros((count, 2)) if self._rng is None else self._rng.standard_normal((count, 2))
        jolts = np.ones(count) if self._rng is None else self._rng.random(count)
        for row, jolt in zip(jostled.tolist(), jolts.tolist(), strict=True):
            self._step(row, jolt < DT / 4.0)  # a jolt every 4 s on average

    def _step(self, row: list[float], jolted: bool) -> None:
        """Advance the walker by one time step."""
        go, now = self._command.go, self._state
        speed, heading = (self._command.speed, self._command.heading) if go else (0.0, now.heading)
        self._state = now = PlanarState(*(float(x) for x in now.after(speed, heading, self.limits, DT)))  # (1)
        moving, goes = min(now.speed / 0.3, 1.0), now._replace(course=now.course + self.drift).velocity(self.limits)
        for k in (0, 1):
            shock = self.jolt * (math.cos, math.sin)[k](50.0 * row[0]) if jolted else 0.0
            shock += self.noise * math.sqrt(2.0 * DT / 0.5) * row[k]
            self._w[k] += -DT * self._w[k] / 0.5 + moving * shock  # (2)
            self._p[k] += DT * (float(goes[k]) + self._w[k])
        self.phase += DT * math.sqrt(max(now.speed, 0.0) / 0.42)
        self.time += DT

    @property
    def position(self) -> np.ndarray:
        """Position (2,) [m], with sway (eq. 3)."""
        aside = self.sway * math.sin(math.pi * self.phase)
        return np.array([self._p[0] - aside * math.sin(self.heading), self._p[1] + aside * math.cos(self.heading)])

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of the walker (2,) [m/s]."""
        pace, goes = self._state.speed, self._state.course + self.drift
        return np.array([pace * math.cos(goes) + self._w[0], pace * math.sin(goes) + self._w[1]])

    @property
    def heading(self) -> float:
        """Current desired heading [rad]."""
        return self._state.heading

    @property
    def stands(self) -> bool:
        """Whether the walker stands."""
        return not self._command.go and self._state.speed < STANDING_SPEED

    @property
    def steps(self) -> int:
        """Number of steps since the start."""
        return int(self.phase)

    @property
    def side(self) -> int:
        """Leg in stance: 0 left, 1 right."""
        return self.steps % 2

    @property
    def feet(self) -> dict[str, np.ndarray]:
        """Approximate positions of the feet {"l": (3,), "r": (3,)} [m], beside the body."""
        aside = np.array([-math.sin(self.heading), math.cos(self.heading)]) * 0.08
        return {"l": np.array([*(self._p + aside), 0.0]), "r": np.array([*(self._p - aside), 0.0])}


BODY_RADIUS, MARGIN, MIN_GAP, MIN_ROOM = 0.3, 0.25, 0.08, 0.4  # [m], for a path that must exist; at start and goal


class Course(NamedTuple):
    """A course: start (2,) and goal (2,) [m], and outlines of the obstacles. The last obstacle moves."""

    start: np.ndarray
    goal: np.ndarray
    outlines: list[Outline]


def random_course(seed: int, obstacles: int = 5, distance: float = 10.0, speed: float = 1.2) -> Course:
    """Make a random course with a path to its goal.

    Obstacles are discs and boxes of 0.3 to 1.2 m within 1.2 m of the straight line. The last one moves at 0.3 to 1 m/s
    so that it meets a walker that goes straight to the goal.

    Parameters
    ----------
    obstacles : number of obstacles.
    distance : distance of the goal [m].
    speed : speed of the walker that the moving obstacle meets [m/s].
    """
    rng = np.random.default_rng(seed)
    start, goal = np.zeros(2), np.array([distance, 0.0])
    while True:
        found = [_standing(rng, k, distance) for k in range(obstacles - 1)]
        found.append(_moving(rng, distance, speed))
        room = min(min(o.gap(start), o.gap(goal)) for o in found[:-1]) if obstacles > 1 else np.inf
        if room < BODY_RADIUS + MIN_ROOM or found[-1].gap(start) < 1.5:
            continue
        try:
            path_out(start, goal, standing_room(goal, found[:-1], BODY_RADIUS, MARGIN, MIN_GAP))
        except NoPath:
            continue
        return Course(start, goal, found)


def _standing(rng: np.random.Generator, k: int, distance: float) -> Outline:
    """Make obstacle k, which stands near the straight line from start to goal."""
    centre = np.array([rng.uniform(1.5, distance - 1.0), rng.uniform(-1.2, 1.2)])
    if rng.random() < 0.5:
        return disc(centre, rng.uniform(0.15, 0.6), name=f"disc {k + 1}")
    turn, size = rng.uniform(0.0, np.pi), rng.uniform(0.15, 0.6, 2)
    x, y = np.array([np.cos(turn), np.sin(turn)]) * size[0], np.array([-np.sin(turn), np.cos(turn)]) * size[1]
    return polygon([centre + x + y, centre - x + y, centre - x - y, centre + x - y], name=f"box {k + 1}")


def _moving(rng: np.random.Generator, distance: float, speed: float) -> Outline:
    """Make a moving obstacle that crosses the straight line from start to goal."""
    meets = np.array([rng.uniform(0.35, 0.75) * distance, rng.uniform(-0.3, 0.3)])
    direction, fast = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.3, 1.0)
    velocity = fast * np.array([np.cos(direction), np.sin(direction)])
    return disc(meets - velocity * (meets[0] / speed + 0.5), rng.uniform(0.2, 0.4), velocity, name="moving")
