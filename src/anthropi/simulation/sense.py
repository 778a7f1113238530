"""Interface of controllers. A controller is a pure function that can be recorded on a tape:

    drive, memory = controller(figure, sense, memory, parameters)

Parameters are inputs of the kernel, so that one kernel serves thousands of controllers with different numbers. Memory
is passed from step to step. Random numbers are a function of the rollout, the step and an index. They do not depend on
lanes or threads. With U the uniform random numbers of a step (Philox), and key the number of the rollout:

    controllers      U(key, 64 count + which)                                  (1)
    sensors          U(key', 64 count + which mod 64), key' = ⌊2³² U(key, 2²³ + 16 channel + ⌊which / 64⌋)⌋   (2)
    normal           √(-2 ln(1 - U₁)) cos(2π U₂)                               (3)  Box and Muller, 1958
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from anthropi.algebra.scalar import cos, floor, log, maximum, pi, sqrt, uniform
from anthropi.contact.geometry.contacts import ContactRecord
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive

__all__ = ["ContactForces", "Contacts", "Controller", "Sense", "is_controller"]

DRAWS = 64  # number of random numbers of a controller in a step
CHANNEL_DRAWS = 1024  # number of random numbers of a sensor in a step
MAX_CHANNEL = 1 << 16  # so that the counter in (2) is exact in single precision
FIRST_KEY = 1 << 23  # counter of the keys of channels
LEAST_UNIFORM = 2.0**-54  # below every 1 - U in double precision; keeps the logarithm finite in single precision


class Contacts(NamedTuple):
    """Contacts as measured for a controller.

    names : names of the contacts. links : numbers of the two links of each contact; -1 for the world. forces :
    (contacts, 3) [N] forces on the first link of each contact, in world axes. features : names of the features.
    points, normals : for each contact the point (3,) [m] and the unit normal (3,) towards the first link, in the world.
    """

    names: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    forces: Any
    features: tuple[str, ...] = ()
    points: tuple[Any, ...] = ()
    normals: tuple[Any, ...] = ()

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
    dt : [s] length of the step; None at the stages of a Runge–Kutta method, whose memory is not kept.
    ground : surface of the ground (`contact.geometry`), or None.
    readings : {name: values (n,)} of sensors, if the controller is wrapped by `ap.sensors.sensed`.
    channel : number of the sensor whose random numbers `noise` returns; 0 for a controller.
    """

    t: Any
    q: Any
    u: Any
    kinematics: Any
    contacts: Contacts
    command: Any
    stream: Any
    count: Any
    dt: Any = None
    ground: Any = None
    readings: Mapping[str, Any] = MappingProxyType({})
    channel: int = 0

    def noise(self, which: int = 0) -> Any:
        """Return a random number in [0, 1), which differs for each rollout, step and index `which` from 0 to 63.

        Each sensor (`channel`) has its own 1024 numbers.
        """
        draws = CHANNEL_DRAWS if self.channel else DRAWS
        if which not in range(draws):
            raise InputError(
                f"noise({which}) is not valid. A step has random numbers with the indices 0 to {draws - 1}."
            )
        key = self.stream
        if self.channel:  # (2)
            key = floor(uniform(key, float(FIRST_KEY + 16 * self.channel + which // DRAWS)) * 2.0**32)
        return uniform(key, self.count * float(DRAWS) + float(which % DRAWS))  # (1)

    def normal(self, which: int = 0) -> Any:
        """Return a random number of the standard normal distribution, from noise(2 which) and noise(2 which + 1)."""
        low, turn = self.noise(2 * which), self.noise(2 * which + 1)
        return sqrt(-2.0 * log(maximum(1.0 - low, LEAST_UNIFORM))) * cos(2.0 * pi * turn)  # (3)


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
