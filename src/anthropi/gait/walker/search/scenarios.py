"""What may happen to a walker while it is searched? Walks of 0.5 s pieces, drawn anew each generation. Floats only.

    straight   at one speed; all but the first walk are pushed                                                    (1)
    everyday   three calm walks at 0.8, 1.3, 1.7 m/s; one that starts from standing and stops, one that stops and
               starts again, one that slows down to step in place, one that stops after a turn, one that stops at
               once; five that meet a slope or a step they do not know of; the rest at speeds and headings that change,
               and pushed                                                                                         (2)

Pushes are forces of 0.1 s at the pelvis that would change the velocity of a body of 75 kg by `strength` [m/s]; ranges
of speeds and headings grow with it.
"""

from dataclasses import dataclass

import numpy as np

from anthropi.gait.walker.command import WIDTH
from anthropi.gait.walker.observation import MIDDLE_SPEED, SPEED_SPAN
from anthropi.gait.walker.parameters import REFERENCE_MASS
from anthropi.gait.walker.search.evolve import Scenario
from anthropi.gait.walker.search.grounds import Lanes
from anthropi.gait.walker.search.rollouts import PUSH
from anthropi.gait.walker.walker import standing

__all__ = ["Everyday", "Straight", "on_the_gait"]

LATEST = 0.4  # [s] into a piece that a push begins
SCATTER = 0.03  # [m/s] of velocities at the start
ALL = 0.25  # [m/s] strength from which all speeds and headings may come
SPEEDS = (0.45, 1.78)  # [m/s] then
TURN = 2.5  # [rad] then
CALM, ODD, STOPS = 3, 5, 0.5  # walks of (2) that are calm, that start or stop; how much a fall of these counts
SLOPE, STEP, AT = 0.0875, 0.04, 10.0  # 5°, [m], [m] along x where ground changes
GROUND = Lanes([AT] * 5, [0.0, SLOPE, -SLOPE, 0.0, 0.0], [0.0, 0.0, 0.0, STEP, -STEP])  # the first is level
MEETS, AHEAD = (1, 2, 3, 3, 4), (3.0, 4.5)  # lanes of walks of (2); [m] that they begin before it


@dataclass(frozen=True, eq=False)
class Straight:
    """(1): start (q, u), speed [m/s]."""

    start: tuple[np.ndarray, np.ndarray]
    speed: float = 1.3
    walks: int = 4
    pieces: int = 20
    often: float = 0.15

    def __call__(self, rng, strength: float) -> Scenario:
        """One draw."""
        R = self.walks
        commands = _commands(R, self.pieces)
        commands[..., 1] = self.speed
        pushes = _pushes(rng, strength, R, self.pieces, self.often)
        pushes[0] = 0.0
        q, u = (np.tile(x, (R, 1)) for x in self.start)
        u[1:, :2] += min(strength, 0.1) * 0.5 * rng.standard_normal((R - 1, 2))
        speed = np.full(R, self.speed)
        return Scenario(commands, pushes, q, u, {"v_x": speed, "speed": speed})


@dataclass(frozen=True, eq=False)
class Everyday:
    """(2): figure, reference and parameters {name: (3, …)} that the search begins with."""

    figure: object
    reference: dict
    parameters: dict
    walks: int = 20
    pieces: int = 24
    often: float = 0.15

    @property
    def falls(self) -> np.ndarray:
        """How much a fall counts (walks,): less where it starts, stops or steps in place."""
        return np.array([1.0] * CALM + [STOPS] * ODD + [1.0] * (self.walks - CALM - ODD))

    def __call__(self, rng, strength: float) -> Scenario:
        """One draw."""
        R, P, wide = self.walks, self.pieces, min(1.0, strength / ALL)
        low, high = (MIDDLE_SPEED + wide * (x - MIDDLE_SPEED) for x in SPEEDS)
        first, then = rng.uniform(low, high, R), rng.uniform(low, high, R)
        first[:3] = then[:3] = 1.3, 0.8, 1.7
        turn = np.where(rng.random(R) < 0.7, rng.uniform(-TURN, TURN, R) * wide, 0.0)
        odd = CALM + ODD + len(MEETS)
        turn[:odd] = 0.0
        pushes = _pushes(rng, strength, R, P, self.often)
        pushes[:odd] = 0.0
        c = _commands(R, P)
        c[:, : P // 3, 1], c[:, P // 3 :, 1], c[:, P // 3 + 2 :, 2] = first[:, None], then[:, None], turn[:, None]
        q, u = on_the_gait(self.figure, self.reference, first)
        u[:, :2] += SCATTER * rng.standard_normal((R, 2))
        memory = {"v_x": first.copy(), "speed": first.copy(), "gear": np.ones(R), "stand": np.zeros(R)}
        q[3], u[3] = standing(self.figure, self.parameters), 0.0
        for name, x in (("v_x", 0.0), ("speed", 0.0), ("gear", 0.0), ("stand", 1.0)):
            memory[name][3] = x
        c[3, : rng.integers(1, 4), 0], c[3, rng.integers(12, 17) :, 0], c[3, :, 1] = 0.0, 0.0, rng.uniform(0.7, 1.2)
        stops = rng.integers(3, 7)
        c[4, stops : stops + 9, 0], c[4, :, 1] = 0.0, rng.uniform(0.7, 1.3)
        c[5, 6:, 1] = rng.uniform(0.0, 0.5)
        c[6, 14:, 0], c[6, :, 2], c[6, 2:, 2] = 0.0, 0.0, rng.uniform(-TURN, TURN)
        c[7, rng.integers(4, 8) :, 0], c[7, :, 1] = 0.0, first[7]
        for walk, lane in enumerate(MEETS, CALM + ODD):
            q[walk, :2] += AT - rng.uniform(*AHEAD), GROUND.middles[lane]
            c[walk, :, 1] = first[walk]
        return Scenario(c, pushes, q, u, memory)


def on_the_gait(figure, reference: dict, speeds):
    """q (R, nq), u (R, nu) on the reference gait at speeds (R,), the left foot just struck."""
    x = ((np.asarray(speeds) - MIDDLE_SPEED) / SPEED_SPAN)[:, None]
    a, b, c = reference["start"]
    rows = a + x * (b + x * c)
    q, u = rows[:, : figure.nq].copy(), rows[:, figure.nq :].copy()
    for place in (slice(3, 7), *(figure.q_of[i] for i, joint in enumerate(figure.joints) if joint.nq == 4)):
        q[:, place] /= np.linalg.norm(q[:, place], axis=1, keepdims=True)
    return q, u


def _commands(walks: int, pieces: int) -> np.ndarray:
    commands = np.zeros((walks, pieces, WIDTH))
    commands[..., 0] = 1.0
    return commands


def _pushes(rng, strength, walks: int, pieces: int, often: float) -> np.ndarray:
    """Forces (walks, pieces, 3) [N, N, s]; none in the first second."""
    angle, comes = rng.uniform(0.0, 2.0 * np.pi, (walks, pieces)), rng.random((walks, pieces)) < often
    comes[:, :2] = False
    force = strength * REFERENCE_MASS / PUSH * comes
    return np.stack([force * np.cos(angle), force * np.sin(angle), rng.uniform(0.0, LATEST, (walks, pieces))], axis=-1)
