"""Footholds step after step: chosen when a foot strikes, kept until the next one does, and learnt from. Floats only.

Where a foot goes by itself is a guess (`nominal_print`). Each print shows how far off it was, in the frame of the step:

    bias ← bias + 0.3 (print - told),   nominal = guess + bias of that side                                        (1)
"""

import numpy as np

from anthropi.gait.walker.command import Command
from anthropi.gait.ways.footholds import Foothold, Reach, Sole, foothold, nominal_print

__all__ = ["Stepper"]

LEARNS = 0.3  # (1)
FARTHEST = 0.3  # [m] a print farther off teaches nothing: somebody stumbled, or stopped


class Stepper:
    """A function (session, Command) → Command with lift, reach and rise, for `follow(…, also=…)`. field : a
    `HeightField`.

    prints : [(told (2,), landed (2,))] so far, footholds : those chosen.
    """

    def __init__(self, field, reach: Reach | None = None, sole: Sole | None = None):
        self.field, self.reach, self.sole = field, reach, sole
        self.bias = {0: np.zeros(2), 1: np.zeros(2)}
        self.prints: list = []
        self.footholds: list[Foothold] = []
        self._step = -1
        self._told: np.ndarray | None = None

    def __call__(self, session, command: Command) -> Command:
        """The command, with what the ground asks for in this step."""
        if not command.go:
            self._told = None
            return command
        if session.steps != self._step or not self.footholds:
            self._learn(session)
            self._choose(session)
            self._step = session.steps
        taken = self.footholds[-1]
        return command._replace(lift=taken.lift, reach=taken.reach, rise=taken.rise)

    def _learn(self, session) -> None:
        if self._told is None or session.steps != self._step + 1:
            return
        landed, frame = np.asarray(session.feet["lr"[session.side]], float)[:2], _frame(session.heading)
        off = frame @ (landed - self._told)
        self.prints.append((self._told, landed))
        if np.hypot(*off) < FARTHEST:
            self.bias[session.side] = self.bias[session.side] + LEARNS * off  # (1)

    def _choose(self, session) -> None:
        side, other = session.side, 1 - session.side
        stands, swings = (np.asarray(session.feet["lr"[k]], float) for k in (side, other))
        nominal = nominal_print(session) + self.bias[other] @ _frame(session.heading)  # (1)
        found = foothold(self.field, nominal, session.heading, stands, side, swings[:2], self.reach, self.sole)
        self.footholds.append(found)
        self._told = found.place[:2]


def _frame(heading: float) -> np.ndarray:
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, s], [-s, c]])
