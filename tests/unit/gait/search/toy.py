"""Trials whose walks are known: a walk of the vector x is upright for as long as x is near a hidden one, m.

An interval of 0.5 s of it, with f = |x - m|² and p the push:

    upright = 0.5 s where f < NEAR, else 0.5 s / (1 + f), less 1e-5 |p| s;   angles = f · 0.5 s                (1)
"""

from types import SimpleNamespace

import numpy as np

__all__ = ["NEAR", "Toy"]

NEAR, LOST = 1e-4, 50.0
SUMS = ("upright", "angles", "fallen", "v_x", "travel", "steps", "pace", "across", "turn", "effort", "hard")


class Toy:
    """As `Trials`. Every walk that begins is counted in `begun`, every call in `intervals`."""

    interval, dt = 500, 1e-3

    def __init__(self, hidden):
        self.hidden, self.begun, self.intervals = np.asarray(hidden, float), 0, 0
        self.space = SimpleNamespace(entries=(None,) * len(self.hidden))

    def start(self, batch, q, u, **memory):
        """Nothing has happened yet."""
        self.begun += batch
        assert len(q) == len(u) == batch and all(len(x) == batch for x in memory.values())
        return {name: np.zeros(batch) for name in SUMS}

    def go(self, sums, numbers, command, push):
        """(1)"""
        self.intervals += 1
        far = ((numbers - self.hidden) ** 2).sum(1)
        held = np.maximum(0.5 / (1.0 + far) - 1e-5 * np.hypot(push[:, 0], push[:, 1]), 0.0)
        up = np.where(far < NEAR, 0.5, held)
        grows = {"upright": up, "angles": 0.5 * far, "travel": up * command[:, 1], "steps": np.ones(len(far))}
        set_now = {"fallen": np.where(far > LOST, 1.0, 0.0), "v_x": command[:, 1]}
        return {name: set_now.get(name, x + grows.get(name, 0.0)) for name, x in sums.items()}

    def sums(self, state):
        """They are the state."""
        return state
