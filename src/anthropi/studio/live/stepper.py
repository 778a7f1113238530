"""The simulation of a live run. All values that may change between two calls are inputs of its kernel.

The inputs are the wrenches (6,) on all links in their frames, the parameters and the command of the controller, and the
numbers of the figure that have sliders: mass and inertia tensor of every link with mass; stiffness, damping and rest
position of every degree of freedom; gravity. The kernel is interpreted first and compiled in the background. Works on
plain floats only; cannot be recorded on a tape.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import Kinematics
from anthropi.contact.geometry.contacts import contact_records
from anthropi.figure.figure import Figure
from anthropi.figure.numbers import content, numbers
from anthropi.simulation.controllers import Nominal
from anthropi.simulation.problem import Problem
from anthropi.simulation.simulation import Simulation
from anthropi.studio.project.state import FigureItem

__all__ = ["Slots", "StepView", "Stepper", "carry_over", "drive_settings"]

JOINT_NUMBERS = ("stiffness", "rest", "damping")


class Slots:
    """The names of the numbers of a figure that have sliders, and their values in a figure of the same structure."""

    names: Any

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        own = [f"{link.name}.{part}" for link in figure.links if link.mass > 0.0 for part in ("mass", "tensor")]
        own += [f"{joint.name}.{part}" for joint in figure.joints if joint.nu for part in JOINT_NUMBERS]
        self.names = (*own, "gravity")
        self._links = [_link_without_numbers(link) for link in figure.links]
        self._joints = [_joint_without_numbers(joint) for joint in figure.joints]
        sizes = numbers(figure)
        self._ends = np.cumsum([len(sizes[name]) for name in self.names])

    def row(self, figure: Figure) -> np.ndarray | None:
        """Return the values (size,) of these numbers in a figure, or None if its structure is different."""
        if not self._same_structure(figure):
            return None
        found = numbers(figure)
        return np.concatenate([np.asarray(found[name], float) for name in self.names])

    def values(self, row: np.ndarray) -> dict[str, Any]:
        """Split an array of values (size,) into {slot: values}."""
        return dict(zip(self.names, np.split(row, self._ends[:-1]), strict=True))

    def _same_structure(self, figure: Figure) -> bool:
        """Return whether a figure differs from the original one in these numbers only."""
        own = self.figure
        if figure is own:
            return True
        if figure.n != own.n or figure.parent != own.parent or figure.nq != own.nq:
            return False
        links = zip(figure.links, own.links, self._links, strict=True)
        joints = zip(figure.joints, own.joints, self._joints, strict=True)
        return (
            all(a is b or _link_without_numbers(a) == known for a, b, known in links)
            and all(a is b or _joint_without_numbers(a) == known for a, b, known in joints)
            and (figure.loops is own.loops or content(figure.loops) == content(own.loops))
            and (figure.markers is own.markers or content(figure.markers) == content(own.markers))
        )


def _link_without_numbers(link: Any) -> tuple[bool, str]:
    """Return whether a link has mass, and its content other than the numbers."""
    return link.mass > 0.0, content(replace(link, mass=0.0, tensor=np.zeros((3, 3))))


def _joint_without_numbers(joint: Any) -> str:
    """Return the content of a joint other than the numbers."""
    return content(joint.changed(**{name: np.zeros(joint.nu) for name in JOINT_NUMBERS}))


class StepView(NamedTuple):
    """Kinematics of all links, and points (contacts, 3) [m] and forces (contacts, 3) [N] of all contacts."""

    kinematics: Kinematics
    points: np.ndarray
    forces: np.ndarray


class Stepper:
    """A simulation of a figure with numbers, such as masses, that may change while it runs.

    Parameters
    ----------
    problem : figure, scene and controller.
    dt : [s] duration of a step.
    """

    contacts: Any
    dt: Any
    problem: Any
    simulation: Any
    slots: Any

    def __init__(self, problem: Problem, dt: float) -> None:
        self.problem, self.dt = problem, dt
        self.slots = Slots(problem.figure)
        controller = None if problem.controller is None else Nominal(problem.controller, problem.figure)
        self.simulation = Simulation(
            problem.scene or problem.figure,
            controller,
            dt,
            "linearly_implicit_euler",
            slots=self.slots.names,
            opt="now",
        )
        self.contacts = contact_records(problem.scene) if problem.contact is not None else ()
        self._numbers: Any = None
        self._parameters: Any = None

    def numbers(self) -> np.ndarray:
        """Return the original numbers of the figure, in the order of `slots`."""
        row = self.slots.row(self.problem.figure)
        assert row is not None
        return row

    def start(self, q: np.ndarray, u: np.ndarray, memory: Any = None, time: float = 0.0) -> None:
        """Start at a state q (nq,), u (nu,) and a time [s]. memory None means the initial memory."""
        self.simulation.reset(q, u, start=time)
        if memory is not None:
            self.simulation.state = self.simulation.state._replace(memory=memory)

    def step(
        self,
        steps: int,
        numbers: np.ndarray,
        wrenches: np.ndarray,
        parameters: dict[str, Any] | None,
        command: np.ndarray,
    ) -> StepView:
        """Take a number of steps and return the kinematics and contacts after them.

        Parameters
        ----------
        steps : the number of steps, 0 or more.
        numbers : (size,) the numbers of the figure, in the order of `slots`.
        wrenches : (links, 6) [N m, N] external wrenches on all links, in their frames.
        parameters : parameters of the controller. None, or the same dict as before, leaves them unchanged.
        command : command of the controller, empty if it takes no command.
        """
        if self._numbers is None or not np.array_equal(numbers, self._numbers):
            self._numbers = np.array(numbers)
            self.simulation.set_parameters(self.slots.values(numbers))
        if parameters is not None and parameters is not self._parameters:
            self._parameters = parameters
            self.simulation.set_parameters(parameters)
        self.simulation.step(steps, command=command if len(command) else None, f_ext=wrenches)
        found = self.simulation.contacts
        k = self.simulation.kinematics
        rows = (np.stack(x) for x in (k.rotation, k.position, k.angular_velocity, k.velocity))
        return StepView(Kinematics(*rows), np.array(found.points), np.array(found.forces))


def drive_settings(items: Iterable[FigureItem]) -> list[Any]:
    """Return the settings that are compiled into the kernel besides the figures: controls, drives and joint stops."""
    return [(item.controls, item.drives, item.stops) for item in items]


def carry_over(old_model: Any, old: Stepper, model: Any, new: Stepper) -> None:
    """Start the stepper of an edited structure in the state of the old one.

    Joints of the same name and type keep their state. A walker keeps its memory if the memory has the same layout. It
    keeps its height over the ground: a new terrain may be higher or lower at the place that the walker has reached
    while the kernel was built.
    """
    state = old.simulation.state
    figure, before = model.problem.figure, old.problem.figure
    q, u = np.array(model.q), np.array(model.u)
    places = {joint.name: i for i, joint in enumerate(before.joints)}
    for i, joint in enumerate(figure.joints):
        j = places.get(joint.name)
        if j is not None and before.joints[j].kind == joint.kind and before.joints[j].nq == joint.nq:
            q[figure.q_of[i]], u[figure.u_of[i]] = state.q[before.q_of[j]], state.u[before.u_of[j]]
    if model.dynamics == old_model.dynamics == "walk":
        q[2] += _ground_height(model.problem.scene, q) - _ground_height(old_model.problem.scene, q)
    same = old.simulation.program.memory.shapes == new.simulation.program.memory.shapes
    new.start(q, u, state.memory if old_model.dynamics == "walk" and same else None, state.t)


def _ground_height(scene: Any, q: np.ndarray) -> float:
    """Return the height of the ground [m] below a free root."""
    if scene is None or scene.ground is None:
        return 0.0
    gap, normal = scene.ground.distance(np.array([q[0], q[1], 0.0]))
    return -float(gap) / float(normal[2])
