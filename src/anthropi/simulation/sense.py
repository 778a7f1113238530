"""What a controller is: a pure function of what it senses, of its memory and of its parameters. It records.

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
    """What touches at the start of a step: names and numbers of the two links (static; -1: the world), and the forces
    (touches, 3) on the first of them, world [N]."""

    names: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    forces: Any
    features: tuple[str, ...] = ()

    def on(self, link: int):
        """The whole force (3,) on a link [N]; zero where nothing may touch it."""
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
    """What a controller sees: time t [s], q (nq,), u (nu,), kinematics of all links, contacts, command (n,).

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

    def noise(self, which: int = 0):
        """A number in [0, 1), another for each rollout, step and `which` below 64."""
        if which not in range(DRAWS):
            raise InputError(f"noise({which}): a step has the random numbers 0 to {DRAWS - 1}.")
        return uniform(self.stream, self.count * float(DRAWS) + float(which))


class Controller(Protocol):
    """parameters : {name: numbers}, kernel inputs. memory : {name: numbers} at the start. prescribed : what follows
    the drive's udot."""

    parameters: dict[str, Any]
    memory: dict[str, Any]
    prescribed: tuple[str, ...]

    def __call__(self, figure, sense: Sense, memory, parameters) -> tuple[Drive, dict[str, Any]]:
        """What drives the figure now, and what to remember."""


def is_controller(thing) -> bool:
    """Whether a thing has the shape of a controller."""
    return callable(thing) and all(hasattr(thing, name) for name in ("parameters", "memory", "prescribed"))
