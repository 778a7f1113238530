"""Joint limits as accelerations, for a scene: the thesis' other way (8.4, 11.2), step by step.

A coordinate that would pass its limit within the step is motion-driven for that step, and comes to rest at the limit
(`stopping.py`): no spring, nothing that a step is too long for, and no bounce. Turns of balls meet their limits to
first order in the step; what is left is taken back without any velocity.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from anthropi.contact.limits.bounds import Bounds
from anthropi.contact.limits.stopping import stopping_dynamics
from anthropi.contact.model import Rows

__all__ = ["StoppedStep", "StoppingLimits"]


class StoppedStep(NamedTuple):
    """q⁺ (nq,), u⁺ (nu,), and what the limits gave to the velocities (nu,) [N m s or N s]."""

    q: Any
    u: Any
    impulse: Any


@dataclass(frozen=True, eq=False)
class StoppingLimits(Bounds):
    """Limits of coordinates as accelerations that stop there; cones, swing and twist are for the other kinds.

    but : joints without limits.
    """

    but: tuple[str, ...] = ()
    joints: Mapping = field(default_factory=dict, init=False)
    hard: ClassVar[bool] = False

    def force(self, figure, q, u, memory=None, dt=None):
        """No force before the dynamics."""
        return np.zeros(figure.nu), None, None, memory or {}

    def rows(self, figure, q, u=None, dt=None) -> Rows | None:
        """No rows."""

    def step(self, figure, q, u, tau, dt, f_ext=None, extra=None, added=None) -> StoppedStep:
        """One step of first order, dt [s]; the rest as in `stopping_dynamics`."""
        found = stopping_dynamics(figure, q, u, tau, dt, f_ext, extra, added, but=self.but)
        u = u + dt * found.udot
        return StoppedStep(self.project(figure, figure.integrate(q, dt * u)), u, dt * found.stop)

    def data(self) -> tuple:
        """What it is, as plain words."""
        return ("stopping", self.but)
