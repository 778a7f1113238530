"""The controller interface: a pure function of sensor values, memory and parameters, which records.

    drive, memory = controller(figure, sense, memory, parameters)

Parameters are always inputs of the kernel, so that thousands of controllers differ by numbers alone. Memory goes from
step to step. Randomness is a function of the rollout, the step and a number: it does not depend on lanes or threads.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.scalar import uniform
from anthropi.contact.contacts import ContactRecord
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive

__all__ = ["ContactForces", "Contacts", "Controller", "Sense", "is_controller"]

DRAWS = 64  # random numbers in a step


class Contacts(NamedTuple):
    """Contacts as a controller senses them: names, numbers of the two links (static; -1: the world) and the forces
    (contacts, 3) [N] on the first of them, in world axes."""

    names: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    forces: Any
    features: tuple[str, ...] = ()

    def on(self, link: int) -> Any:
        """Return the total contact force (3,) [N] on a link; zero where it has no contacts."""
        total = np.zeros(3)
        for force, (a, b) in zip(self.forces, self.links, strict=True):
            total = total + force if a == link else total - force if b == link else total
        return total


class ContactForces(NamedTuple):
    """Contacts of a simulation, in world axes.

    records : what each contact is. forces : (contacts, 3) [N] on each first link. points : (contacts, 3) [m].
    """

    records: tuple[ContactRecord, ...]
    forces: Any
    points: Any


class Sense(NamedTuple):
    """Sensor values of a controller: time t [s], q (nq,), u (nu,), kinematics of all links, contacts, command (n,).

    stream, count : which rollout this is, and how many steps it has made.
    """

    t: Any
    q: Any
    u: Any
    kinematics: Any
    contacts: Contacts
    command: Any
    stream: Any
    count: Any

    def noise(self, which: int = 0) -> Any:
        """Return a random number in [0, 1), different for each rollout, step and `which` below 64."""
        if which not in range(DRAWS):
            raise InputError(f"noise({which}): a step has the random numbers 0 to {DRAWS - 1}.")
        return uniform(self.stream, self.count * float(DRAWS) + float(which))


class Controller(Protocol):
    """A controller. parameters : {name: numbers}, kernel inputs. memory : {name: numbers} at the start. prescribed :
    joints or dofs that follow the drive's udot."""

    parameters: dict[str, Any]
    memory: dict[str, Any]
    prescribed: tuple[str, ...]

    def __call__(self, figure: Any, sense: Sense, memory: Any, parameters: Any) -> tuple[Drive, dict[str, Any]]:
        """Return the drive and the new memory."""


def is_controller(value: Any) -> bool:
    """Whether an object has the interface of a controller."""
    return callable(value) and all(hasattr(value, name) for name in ("parameters", "memory", "prescribed"))
