"""Interface of controllers. A controller is a pure function that can be recorded on a tape:

    drive, memory = controller(figure, sense, memory, parameters)

Parameters are inputs of the kernel, so that one kernel serves thousands of controllers with different numbers. Memory
is passed from step to step. Random numbers are a function of the rollout, the step and an index. They do not depend on
lanes or threads.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.scalar import uniform
from anthropi.contact.geometry.contacts import ContactRecord
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive

__all__ = ["ContactForces", "Contacts", "Controller", "Sense", "is_controller"]

DRAWS = 64  # number of random numbers in a step


class Contacts(NamedTuple):
    """Contacts as measured for a controller.

    names : names of the contacts. links : numbers of the two links of each contact; -1 for the world. forces :
    (contacts, 3) [N] forces on the first link of each contact, in world axes. features : names of the features.
    """

    names: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    forces: Any
    features: tuple[str, ...] = ()

    def on(self, link: int) -> Any:
        """Return the total contact force (3,) [N] on a link; zero if it has no contacts."""
        total = np.zeros(3)
        for force, (a, b) in zip(self.forces, self.links, strict=True):
            total = total + force if a == link else total - force if b == link else total
        return total


class ContactForces(NamedTuple):
    """Contacts of a simulation, in world axes.

    records : names of each contact and its two sides. forces : (contacts, 3) [N] on the first link of each contact.
    points : (contacts, 3) [m].
    """

    records: tuple[ContactRecord, ...]
    forces: Any
    points: Any


class Sense(NamedTuple):
    """Sensor values of a controller: time t [s], q (nq,), u (nu,), kinematics of all links, contacts, command (n,).

    stream, count : key of the rollout and number of its steps so far, for random numbers.
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
        """Return a random number in [0, 1), which differs for each rollout, step and index `which` from 0 to 63."""
        if which not in range(DRAWS):
            raise InputError(
                f"noise({which}) is not valid. A step has random numbers with the indices 0 to {DRAWS - 1}."
            )
        return uniform(self.stream, self.count * float(DRAWS) + float(which))


class Controller(Protocol):
    """Interface of a controller.

    parameters : {name: numbers} that are inputs of the kernel. memory : {name: numbers} at the start. prescribed :
    names of joints or dofs that follow udot of the drive.
    """

    parameters: dict[str, Any]
    memory: dict[str, Any]
    prescribed: tuple[str, ...]

    def __call__(self, figure: Any, sense: Sense, memory: Any, parameters: Any) -> tuple[Drive, dict[str, Any]]:
        """Return the drive and the new memory."""


def is_controller(value: Any) -> bool:
    """Whether an object has the interface of a controller."""
    return callable(value) and all(hasattr(value, name) for name in ("parameters", "memory", "prescribed"))
