"""A walker without physics: a point that lags behind what it is told, sways and is jostled. To try ways with, quickly.

Speed v and heading ψ follow what is told, v* and ψ*:

    v' = (v* - v) / T_v within ± 1.2 m/s²,   ψ' = (ψ* - ψ) / T_ψ within ± turn,   χ' = (ψ - χ) / T_χ                (1)
    p' = v (cos, sin)(χ + drift) + w,   w' = -w / 0.5 s + jolts and noise                                          (2)
    shown: p + 3 cm · sin(π steps) to the side,   steps' = √(v / 0.42 m/s) a second: people's                      (3)
"""

import math

import numpy as np

from anthropi.gait.walker.command import Command

__all__ = ["StandIn"]

DT = 0.01  # [s]
TURN = math.radians(70.0)  # [rad/s]
STOPS = 0.6  # [s] T_v of one who is told to stand: two steps


class StandIn:
    """What a `walker.Session` shows of itself, at the same names.

    seed : of what jostles it, None nothing: noise [m/s], and every 4 s a jolt [m/s]. lags [s], turn [rad/s] (1).
    """

    def __init__(self, position=(0.0, 0.0), heading=0.0, seed=None, sway=0.03, noise=0.05, jolt=0.3, drift=0.0,
                 lags=(1.2, 0.5, 0.5), turn=TURN):  # fmt: skip
        self.drift, self.lags, self.turn = drift, lags, turn
        self.time, self.heading, self.phase, self.fallen = 0.0, float(heading), 0.0, False
        self._goes = self.heading
        self.sway, self.noise, self.jolt = sway, noise, jolt
        self._p, self._v, self._w = [float(x) for x in position], 0.0, [0.0, 0.0]
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
        wanted = self._command.speed if self._command.go else 0.0
        late = self.lags[0] if self._command.go else STOPS
        self._v += DT * min(max((wanted - self._v) / late, -1.2), 1.2)  # (1)
        error = (self._command.heading - self.heading + math.pi) % (2.0 * math.pi) - math.pi
        self.heading += DT * min(max(error / self.lags[1], -self.turn), self.turn)
        self._goes += DT * (self.heading - self._goes) / self.lags[2]
        moving = min(self._v / 0.3, 1.0)
        for k in (0, 1):
            shock = self.jolt * (math.cos, math.sin)[k](50.0 * row[0]) if jolted else 0.0
            shock += self.noise * math.sqrt(2.0 * DT / 0.5) * row[k]
            self._w[k] += -DT * self._w[k] / 0.5 + moving * shock  # (2)
            self._p[k] += DT * (self._v * (math.cos, math.sin)[k](self._goes + self.drift) + self._w[k])
        self.phase += DT * math.sqrt(max(self._v, 0.0) / 0.42)
        self.time += DT

    @property
    def position(self) -> np.ndarray:
        """(2,) [m] (3)"""
        aside = self.sway * math.sin(math.pi * self.phase)
        return np.array([self._p[0] - aside * math.sin(self.heading), self._p[1] + aside * math.cos(self.heading)])

    @property
    def velocity(self) -> np.ndarray:
        """(2,) [m/s]"""
        goes = self._goes + self.drift
        return np.array([self._v * math.cos(goes) + self._w[0], self._v * math.sin(goes) + self._w[1]])

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
