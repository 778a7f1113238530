"""The numbers of a figure that sliders move: inputs of the kernel, so that a change acts in the next step.

mass and tensor of every link that has mass; stiffness, damping and rest of every dof; gravity.

Stepper
-------
The simulation of a live run: everything that may change between two pieces is an input of its kernel.

Inputs: wrenches (6,) on all links, in their frames; a controller's parameters and command; the figure's numbers
(`stepper.py`). The kernel is interpreted at once and compiled meanwhile.

Carrying
--------
From one structure to another: what stays of a state when a live run goes on with an edited figure. Floats only.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import Kinematics
from anthropi.contact.contacts import contact_records
from anthropi.figure.figure import Figure
from anthropi.figure.numbers import content, numbers
from anthropi.simulation.controllers import Nominal
from anthropi.simulation.problem import Problem
from anthropi.simulation.simulation import Simulation

__all__ = ["Seen", "Slots", "Stepper", "carry_over", "controls"]


OF_JOINT = ("stiffness", "rest", "damping")


class Slots:
    """The slots of a figure, and the row of numbers of another that differs only in them."""

    def __init__(self, figure: Figure):
        self.figure = figure
        own = [f"{link.name}.{part}" for link in figure.links if link.mass > 0.0 for part in ("mass", "tensor")]
        own += [f"{joint.name}.{part}" for joint in figure.joints if joint.nu for part in OF_JOINT]
        self.names = (*own, "gravity")
        self._heavy = tuple(link.mass > 0.0 for link in figure.links)
        self._links = [content(_bare_link(link)) for link in figure.links]
        self._joints = [content(_bare_joint(joint)) for joint in figure.joints]

    def row(self, figure: Figure) -> np.ndarray | None:
        """The numbers (size,) that make this figure of the slots' own; None if more than numbers differ."""
        if not self._alike(figure):
            return None
        found = numbers(figure)
        return np.concatenate([np.asarray(found[name], float) for name in self.names])

    def values(self, row) -> dict[str, Any]:
        """{slot: numbers} of a row."""
        found, at, own = {}, 0, numbers(self.figure)
        for name in self.names:
            found[name], at = row[at : at + len(own[name])], at + len(own[name])
        return found

    def _alike(self, figure: Figure) -> bool:
        """Whether a figure is the slots' own but for these numbers."""
        own = self.figure
        if figure is own:
            return True
        if figure.n != own.n or figure.parent != own.parent or figure.nq != own.nq:
            return False
        links = zip(figure.links, own.links, self._links, strict=True)
        joints = zip(figure.joints, own.joints, self._joints, strict=True)
        return (
            tuple(link.mass > 0.0 for link in figure.links) == self._heavy
            and all(a is b or content(_bare_link(a)) == words for a, b, words in links)
            and all(a is b or content(_bare_joint(a)) == words for a, b, words in joints)
            and (figure.loops is own.loops or content(figure.loops) == content(own.loops))
            and (figure.markers is own.markers or content(figure.markers) == content(own.markers))
        )


def _bare_link(link):
    return replace(link, mass=0.0, tensor=np.zeros((3, 3)))


def _bare_joint(joint):
    return joint.changed(**{name: np.zeros(joint.nu) for name in OF_JOINT})


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
        self.contacts = contact_records(problem.scene) if problem.contact is not None else ()
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


def controls(items) -> list:
    """What drives figures besides forces: what a kernel has in it."""
    return [(item.controls, item.drives, item.stops) for item in items]


def carry_over(old, before: Stepper, thing, stepper: Stepper) -> None:
    """Start a new structure where the old one is: joints of the same name and kind keep their state, a walker its
    memory."""
    state = before.simulation.state
    figure, was = thing.problem.figure, before.problem.figure
    q, u = np.array(thing.q), np.array(thing.u)
    places = {joint.name: i for i, joint in enumerate(was.joints)}
    for i, joint in enumerate(figure.joints):
        j = places.get(joint.name)
        if j is not None and was.joints[j].kind == joint.kind and was.joints[j].nq == joint.nq:
            q[figure.q_of[i]], u[figure.u_of[i]] = state.q[was.q_of[j]], state.u[was.u_of[j]]
    same = before.simulation.program.memory.shapes == stepper.simulation.program.memory.shapes
    stepper.start(q, u, state.memory if old.dynamics == "walk" and same else None, state.t)
