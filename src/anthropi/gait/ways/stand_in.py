"""A walker without physics: a point that lags behind what it is told, sways and is jostled. To try ways with, quickly.

Speed v and course χ follow what is told as `model.py` has it, which was measured of the walker in physics:

    v, φ, χ by (1) … (3) of `model.py`                                                                             (1)
    p' = v (cos, sin)(χ + drift) + w,   w' = -w / 0.5 s + jolts and noise                                          (2)
    shown: p + 3 cm · sin(π steps) to the side,   steps' = √(v / 0.42 m/s) a second: people's                      (3)
"""

import math

import numpy as np

from anthropi.gait.walker.command import Command
from anthropi.gait.ways.model import STILL, Limits, State

__all__ = ["StandIn"]

DT = 0.01  # [s]


class StandIn:
    """What a `walker.Session` shows of itself, at the same names.

    seed : of what jostles it, None nothing: noise [m/s], and every 4 s a jolt [m/s]. limits : how it lags (1).
    """

    def __init__(self, position=(0.0, 0.0), heading=0.0, seed=None, sway=0.03, noise=0.05, jolt=0.3, drift=0.0,
                 limits=None):  # fmt: skip
        self.drift, self.limits = drift, limits or Limits()
        self.time, self.phase, self.fallen = 0.0, 0.0, False
        self._state = State(0.0, 0.0, float(heading), float(heading))
        self.sway, self.noise, self.jolt = sway, noise, jolt
        self._p, self._w = [float(x) for x in position], [0.0, 0.0]
        self._command = Command(go=False, speed=0.0)
        self._rng = None if seed is None else np.random.default_rng(seed)

    def tell(self, command: Command) -> None:
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
        self._state = now = State(*(float(x) for x in now.after(speed, heading, self.limits, DT)))  # (1)
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
