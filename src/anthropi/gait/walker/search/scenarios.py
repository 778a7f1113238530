"""Scenarios of searched walks, in intervals of 0.5 s, drawn again for each generation.

    straight   straight ahead at one speed; all walks except the first are pushed                                 (1)
    everyday   three undisturbed walks at 0.8, 1.3, 1.7 m/s; one that starts from standing and stops, one that stops
               and starts again, one that slows down to step in place, one that stops after a turn, one that stops
               immediately; five onto a slope or step that is not announced to the walker; the others with changes of
               speed and heading, and pushes                                                                      (2)

Pushes are forces at the pelvis that last 0.1 s and would change the velocity of a body of 75 kg by `strength` [m/s].
The ranges of speeds and headings grow with the strength. All functions work on plain floats only; they cannot be
recorded on a tape.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.gait.walker.command import WIDTH
from anthropi.gait.walker.observation import MIDDLE_SPEED, SPEED_SPAN
from anthropi.gait.walker.parameters import REFERENCE_MASS
from anthropi.gait.walker.search.evolve import Scenario
from anthropi.gait.walker.search.grounds import Lanes
from anthropi.gait.walker.search.rollouts import PUSH_TIME
from anthropi.gait.walker.walker import standing

__all__ = ["Everyday", "Straight", "on_the_gait"]

MAX_PUSH_DELAY = 0.4  # [s], longest time from the start of an interval to a push
VELOCITY_SCATTER = 0.03  # [m/s], scatter of the initial velocities
FULL_STRENGTH = 0.25  # [m/s], strength from which speeds and headings have their full range
SPEED_RANGE = (0.45, 1.78)  # [m/s] at full strength
MAX_TURN = 2.5  # [rad] at full strength
UNDISTURBED, SPECIAL, STOP_FALL_WEIGHT = (
    3,
    5,
    0.5,
)  # numbers of walks in (2) without disturbance and of those that start or stop; weight of a fall in the latter
SLOPE, STEP, EDGE = 0.0875, 0.04, 10.0  # 5°; [m]; [m], position along x where the ground changes
GROUND = Lanes([EDGE] * 5, [0.0, SLOPE, -SLOPE, 0.0, 0.0], [0.0, 0.0, 0.0, STEP, -STEP])  # the first lane is level
LANES_MET, APPROACH = (1, 2, 3, 3, 4), (3.0, 4.5)  # lanes of walks in (2); [m], distance of their start from the edge


@dataclass(frozen=True, eq=False)
class Straight:
    """Scenario of walks straight ahead.

    The walks start from the state (q, u) at a speed [m/s]. often : share of intervals with a push.
    """

    start: tuple[np.ndarray, np.ndarray]
    speed: float = 1.3
    walks: int = 4
    intervals: int = 20
    often: float = 0.15

    def __call__(self, rng: np.random.Generator, strength: float) -> Scenario:
        """Draw a scenario with pushes of a strength [m/s]."""
        R = self.walks
        commands = _commands(R, self.intervals)
        commands[..., 1] = self.speed
        pushes = _pushes(rng, strength, R, self.intervals, self.often)
        pushes[0] = 0.0
        q, u = (np.tile(x, (R, 1)) for x in self.start)
        u[1:, :2] += min(strength, 0.1) * 0.5 * rng.standard_normal((R - 1, 2))
        speed = np.full(R, self.speed)
        return Scenario(commands, pushes, q, u, {"v_x": speed, "speed": speed})


@dataclass(frozen=True, eq=False)
class Everyday:
    """Scenario of everyday walks, with starts, stops, turns, slopes, steps and pushes.

    The reference and the parameters {name: (3, …)} are those with which the search begins.
    """

    figure: Any
    reference: dict[Any, Any]
    parameters: dict[Any, Any]
    walks: int = 20
    intervals: int = 24
    often: float = 0.15

    @property
    def falls(self) -> np.ndarray:
        """Weights of falls (walks,): smaller for walks that start, stop or step in place."""
        return np.array(
            [1.0] * UNDISTURBED + [STOP_FALL_WEIGHT] * SPECIAL + [1.0] * (self.walks - UNDISTURBED - SPECIAL)
        )

    def __call__(self, rng: np.random.Generator, strength: float) -> Scenario:
        """Draw a scenario with disturbances of a strength [m/s]."""
        R, P, wide = self.walks, self.intervals, min(1.0, strength / FULL_STRENGTH)
        low, high = (MIDDLE_SPEED + wide * (x - MIDDLE_SPEED) for x in SPEED_RANGE)
        first, then = rng.uniform(low, high, R), rng.uniform(low, high, R)
        first[:3] = then[:3] = 1.3, 0.8, 1.7
        turn = np.where(rng.random(R) < 0.7, rng.uniform(-MAX_TURN, MAX_TURN, R) * wide, 0.0)
        special = UNDISTURBED + SPECIAL + len(LANES_MET)
        turn[:special] = 0.0
        pushes = _pushes(rng, strength, R, P, self.often)
        pushes[:special] = 0.0
        c = _commands(R, P)
        c[:, : P // 3, 1], c[:, P // 3 :, 1], c[:, P // 3 + 2 :, 2] = first[:, None], then[:, None], turn[:, None]
        q, u = on_the_gait(self.figure, self.reference, first)
        u[:, :2] += VELOCITY_SCATTER * rng.standard_normal((R, 2))
        memory = {"v_x": first.copy(), "speed": first.copy(), "gear": np.ones(R), "stand": np.zeros(R)}
        q[3], u[3] = standing(self.figure, self.parameters), 0.0
        for name, x in (("v_x", 0.0), ("speed", 0.0), ("gear", 0.0), ("stand", 1.0)):
            memory[name][3] = x
        c[3, : rng.integers(1, 4), 0], c[3, rng.integers(12, 17) :, 0], c[3, :, 1] = 0.0, 0.0, rng.uniform(0.7, 1.2)
        stops = rng.integers(3, 7)
        c[4, stops : stops + 9, 0], c[4, :, 1] = 0.0, rng.uniform(0.7, 1.3)
        c[5, 6:, 1] = rng.uniform(0.0, 0.5)
        c[6, 14:, 0], c[6, :, 2], c[6, 2:, 2] = 0.0, 0.0, rng.uniform(-MAX_TURN, MAX_TURN)
        c[7, rng.integers(4, 8) :, 0], c[7, :, 1] = 0.0, first[7]
        for walk, lane in enumerate(LANES_MET, UNDISTURBED + SPECIAL):
            q[walk, :2] += EDGE - rng.uniform(*APPROACH), GROUND.middles[lane]
            c[walk, :, 1] = first[walk]
        return Scenario(c, pushes, q, u, memory)


def on_the_gait(figure: Any, reference: dict[Any, Any], speeds: Any) -> tuple[np.ndarray, np.ndarray]:
    """States q (R, nq), u (R, nu) within the reference gait at speeds (R,) [m/s], just after the left foot strike."""
    x = ((np.asarray(speeds) - MIDDLE_SPEED) / SPEED_SPAN)[:, None]
    a, b, c = reference["start"]
    rows = a + x * (b + x * c)
    q, u = rows[:, : figure.nq].copy(), rows[:, figure.nq :].copy()
    for place in (slice(3, 7), *(figure.q_of[i] for i, joint in enumerate(figure.joints) if joint.nq == 4)):
        q[:, place] /= np.linalg.norm(q[:, place], axis=1, keepdims=True)
    return q, u


def _commands(walks: int, intervals: int) -> np.ndarray:
    """Command rows (walks, intervals, WIDTH) of walks straight ahead."""
    commands = np.zeros((walks, intervals, WIDTH))
    commands[..., 0] = 1.0
    return commands


def _pushes(rng: np.random.Generator, strength: float, walks: int, intervals: int, often: float) -> np.ndarray:
    """Pushes (walks, intervals, 3): force along x and y [N], and start [s]. There are none in the first second."""
    angle, comes = rng.uniform(0.0, 2.0 * np.pi, (walks, intervals)), rng.random((walks, intervals)) < often
    comes[:, :2] = False
    force = strength * REFERENCE_MASS / PUSH_TIME * comes
    return np.stack(
        [force * np.cos(angle), force * np.sin(angle), rng.uniform(0.0, MAX_PUSH_DELAY, (walks, intervals))], axis=-1
    )
