"""The simulation of a live run: everything that may change between two pieces is an input of its kernel.

Inputs: wrenches (6,) on all links, in their frames; a controller's parameters and command; the figure's numbers
(`slots.py`). The kernel is interpreted at once and compiled meanwhile.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import Kinematics
from anthropi.contact.touches import contact_records
from anthropi.simulation.controllers import Nominal
from anthropi.simulation.problem import Problem
from anthropi.simulation.simulation import Simulation
from anthropi.studio.live.slots import Slots

__all__ = ["Seen", "Stepper"]


class Seen(NamedTuple):
    """What there is to see of a state: where links are and how they move; points (contacts, 3) and forces on them."""

    kinematics: Kinematics
    points: np.ndarray
    forces: np.ndarray


class Stepper:
    """A simulation whose figure may change its numbers while it runs. problem : figure, scene and controller."""

    def __init__(self, problem: Problem, dt: float):
        self.problem, self.dt = problem, dt
        self.slots = Slots(problem.figure)
        law = None if problem.controller is None else Nominal(problem.controller, problem.figure)
        self.simulation = Simulation(problem.scene or problem.figure, law, dt, "linearly_implicit_euler",
                                     slots=self.slots.names, opt="now")  # fmt: skip
        self.contacts = contact_records(problem.scene) if problem.contact is not None else []
        self._numbers: Any = None
        self._parameters: Any = None

    def numbers(self) -> np.ndarray:
        """The figure's own numbers."""
        row = self.slots.row(self.problem.figure)
        assert row is not None
        return row

    def start(self, q, u, memory=None, time: float = 0.0) -> None:
        """Begin at a state; memory as at the start where None."""
        self.simulation.reset(q, u, start=time)
        if memory is not None:
            self.simulation.state = self.simulation.state._replace(memory=memory)

    def step(self, steps: int, numbers, wrench, parameters: dict | None, command) -> Seen:
        """Make some steps and return what there is to see after them."""
        if self._numbers is None or not np.array_equal(numbers, self._numbers):
            self._numbers = np.array(numbers)
            self.simulation.set_parameters(self.slots.values(numbers))
        if parameters is not None and parameters is not self._parameters:
            self._parameters = parameters
            self.simulation.set_parameters(parameters)
        self.simulation.step(steps, command=command if len(command) else None, f_ext=wrench)
        found = self.simulation.contacts
        k = self.simulation.kinematics
        rows = (np.stack(x) for x in (k.rotation, k.position, k.angular_velocity, k.velocity))
        return Seen(Kinematics(*rows), np.array(found.points), np.array(found.forces))
