"""How does a walker follow what it is told? What the walker in physics does, measured, in a few lines. Floats only.

Told a speed v* and a heading ψ, a walker aims at v̂ and φ, and goes at v along χ:

    v̂' = v* - v̂ at once, within - slower … faster,   v' = (v̂ - v) / late                                          (1)
    φ' = (ψ - φ) / eases within ± turns,              χ' = (φ - χ) / bends                                          (2)
    told to stop: v* = 0, φ stays; on the way it still goes v² / (2 slower) + halts · v                             (3)
    p' = v (cos χ, sin χ) + aside · left of φ, the latter for `shifts` [s] after a start: weight over the left foot  (4)
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

__all__ = ["STILL", "Limits", "State", "within"]

STILL = 0.1  # [m/s] and less is standing


@dataclass(frozen=True)
class Limits:
    """What a walker follows without stumbling, and how late; measured of the walker in physics (docs/ways.md).

    turn [rad/s], and sideways [m/s²], turn · speed : the most it is told; lead [rad] of what is told before the way it
    goes; slowest and fastest [m/s] of a walk; about [m/s] while it turns round; slowing [1/s], speed per way left;
    brake [m/s²] before a bend, gently [m/s²] : the most that a
    told speed changes; close [m] enough to the goal; faster, slower [m/s²], late [s] (1); turns [rad/s], eases,
    bends [s] (2); halts [s] (3); aside [m/s], shifts [s] (4); starts [s] after being told to go, a walker cannot stop;
    settles [s] after it has come to stand, it cannot go.
    """

    turn: float = 0.55
    sideways: float = 0.5
    lead: float = np.radians(60.0)
    slowest: float = 0.7
    fastest: float = 1.5
    about: float = 0.3
    slowing: float = 0.6
    brake: float = 0.4
    gently: float = 0.4
    close: float = 0.3
    faster: float = 0.7
    slower: float = 1.5
    late: float = 0.6
    turns: float = 0.6
    eases: float = 0.25
    bends: float = 0.5
    halts: float = 0.5
    aside: float = 0.2
    shifts: float = 2.0
    starts: float = 2.5
    settles: float = 0.5

    def stopping(self, pace):
        """(3) [m]"""
        return pace * (pace / (2.0 * self.slower) + self.halts)

    def turning(self, pace):
        """The fastest turn [rad/s] that is told at a pace [m/s]."""
        return np.minimum(self.turn, self.sideways / np.maximum(pace, 0.1))


class State(NamedTuple):
    """How a walker goes, or many (k,): aim v̂, pace v [m/s], half φ, goes χ [rad], age [s] since it started."""

    aim: Any = 0.0
    pace: Any = 0.0
    half: Any = 0.0
    goes: Any = 0.0
    age: Any = 0.0

    def after(self, speed, heading, limits: Limits, dt: float) -> "State":
        """(1), (2) after dt [s] of being told; who stops is told speed 0 and heading φ."""
        aim = self.aim + np.clip(speed - self.aim, -limits.slower * dt, limits.faster * dt)
        pace = self.pace + min(dt / limits.late, 1.0) * (aim - self.pace)
        turn = np.clip(min(1.0 / limits.eases, 1.0 / dt) * within(heading - self.half), -limits.turns, limits.turns)
        half = self.half + dt * turn
        goes = self.goes + min(dt / limits.bends, 1.0) * within(half - self.goes)
        stands = (np.asarray(speed) <= 0.0) & (pace < STILL)
        return State(aim, pace, half, goes, np.where(stands, 0.0, self.age + dt))

    def velocity(self, limits: Limits) -> np.ndarray:
        """(4): (…, 2) [m/s]"""
        starts = limits.aside * ((np.asarray(self.age) > 0.0) & (np.asarray(self.age) < limits.shifts))
        x = self.pace * np.cos(self.goes) - starts * np.sin(self.half)
        return np.stack([x, self.pace * np.sin(self.goes) + starts * np.cos(self.half)], -1)


def within(angle):
    """An angle within ± π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi
