"""Interface of sensors, their errors (noise, bias, resolution, delay), and the wrapper that reads them in a simulation.

A sensor is a pure function that can be recorded on a tape, like a controller:

    reading, memory = sensor.read(figure, sense, memory, parameters)

An imperfect sensor of the value x gives at step k

    y = r ⌊(x + b + w + σ n) / r⌉                                              (1)  r: resolution, b: bias, σ: noise
    w ← w + σ_w √h n'                                                          (2)  random walk of the bias
    reading = y of step k - d                                                  (3)  d: delay; the first y before step d

with n, n' independent numbers of the standard normal distribution for each rollout, step, sensor and entry.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from anthropi.algebra.scalar import less, nearest, sqrt, where
from anthropi.errors import InputError, did_you_mean
from anthropi.simulation.drive import Drive
from anthropi.simulation.memory import READING, named, part_of
from anthropi.simulation.options import finite_array
from anthropi.simulation.sense import CHANNEL_DRAWS, MAX_CHANNEL, is_controller

__all__ = ["Imperfect", "Sensed", "Sensor", "place_on", "sensed"]


class Sensor(Protocol):
    """Interface of a sensor.

    labels : names of the n numbers of a reading. parameters, memory : as for a `Controller`.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers of a reading."""
        ...

    @property
    def parameters(self) -> dict[str, Any]:
        """Numbers {name: value} that are inputs of the kernel."""
        ...

    @property
    def memory(self) -> dict[str, Any]:
        """Numbers {name: value} at the start that are passed from step to step."""
        ...

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the reading (n,) and the new memory."""
        ...


@dataclass(eq=False)
class Imperfect:
    """A sensor with noise, bias, limited resolution and delay, (1)-(3).

    Attributes
    ----------
    sensor : the sensor whose values are measured.
    noise : standard deviation σ of white noise, in the unit of the sensor; one number, or one for each entry.
    bias : constant bias b.
    walk : σ_w of the random walk of the bias, in the unit of the sensor per √s.
    resolution : smallest difference r of two readings; 0 for no rounding.
    delay : number d of steps.
    name : distinguishes the random numbers of sensors that a controller reads itself, without `sensed`.

    noise, bias, walk and resolution are parameters. They exist only if they are given.
    """

    sensor: Any
    noise: Any = None
    bias: Any = None
    walk: Any = None
    resolution: Any = None
    delay: int = 0
    name: str = ""
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        size = len(self.sensor.labels)
        own = {"noise": self.noise, "bias": self.bias, "walk": self.walk, "resolution": self.resolution}
        for name, value in own.items():
            if value is None:
                continue
            array = finite_array(name, value, None)
            if array.shape not in ((), (size,)) or (name != "bias" and (array < 0).any()):
                raise InputError(
                    f"{name} of an Imperfect sensor is {value!r}. Give one {'' if name == 'bias' else 'non-negative '}"
                    f"number, or {size}, one for each of {', '.join(self.sensor.labels)}."
                )
            self.parameters[name] = array
        if not isinstance(self.delay, (int, np.integer)) or self.delay < 0:
            raise InputError(f"delay={self.delay!r} is not valid. Give a number of steps: 0, 1, 2, …")
        if 4 * size > CHANNEL_DRAWS:
            raise InputError(f"An Imperfect sensor has at most {CHANNEL_DRAWS // 4} entries, but this one has {size}.")
        self.memory = named("sensor", self.sensor.memory)
        self.memory |= {} if self.walk is None else {"walk": np.zeros(size)}
        self.memory |= {"queue": np.zeros((self.delay, size)), "filled": 0.0} if self.delay else {}
        self.parameters |= named("sensor", self.sensor.parameters)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers of a reading, those of the sensor."""
        return self.sensor.labels

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the reading (n,) and the new memory."""
        own = sense._replace(channel=_channel(sense.channel, self.name))
        size = len(self.labels)
        y, left = self.sensor.read(figure, own, part_of(memory, "sensor"), part_of(parameters, "sensor"))
        after = named("sensor", left)
        if "bias" in parameters:
            y = y + parameters["bias"]
        if "walk" in parameters:
            y, after["walk"] = y + memory["walk"], memory["walk"]
            if sense.dt is not None:
                n = np.array([own.normal(size + i) for i in range(size)])
                after["walk"] = memory["walk"] + parameters["walk"] * sqrt(sense.dt) * n  # (2)
        if "noise" in parameters:
            y = y + parameters["noise"] * np.array([own.normal(i) for i in range(size)])
        if "resolution" in parameters:
            r = parameters["resolution"] + np.zeros(size)
            some = less(0.0, r)
            y = where(some, r * nearest(y / where(some, r, 1.0)), y)  # (1)
        if not self.delay:
            return y, after
        queue = where(less(0.5, memory["filled"]), memory["queue"], np.stack([y] * self.delay))
        return queue[0], after | {"queue": np.concatenate([queue[1:], y[None]]), "filled": 1.0}  # (3)


def _channel(outer: int, name: str) -> int:
    """Return the number of a sensor for its random numbers, from its name and the number of the enclosing object."""
    return 1 + zlib.crc32(f"{outer}.{name}".encode()) % (MAX_CHANNEL - 1)


class Sensed:
    """A controller with sensors; see `sensed`."""

    controller: Any
    memory: dict[str, Any]
    parameters: dict[str, Any]
    prescribed: Any
    sensors: dict[str, Any]

    def __init__(self, controller: Any, sensors: Mapping[str, Any]) -> None:
        self.controller, self.sensors = controller, dict(sensors)
        for name, sensor in self.sensors.items():
            if not isinstance(name, str) or not callable(getattr(sensor, "read", None)):
                raise InputError(f"{name!r}: {sensor!r} is not a sensor. Give {{name: sensor}}.")
        self.prescribed = () if controller is None else controller.prescribed
        self.parameters = {} if controller is None else dict(controller.parameters)
        self.memory = {} if controller is None else dict(controller.memory)
        for name, sensor in self.sensors.items():
            self.parameters |= named(f"sensor.{name}", sensor.parameters)
            self.memory |= named(f"sensor.{name}", sensor.memory)
            self.memory[f"{READING}.{name}"] = np.zeros(len(sensor.labels))

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive of the controller, which finds the readings in sense.readings, and the memory."""
        readings, after = dict(sense.readings), dict[str, Any]()
        for name, sensor in self.sensors.items():
            own, numbers = (part_of(x, f"sensor.{name}") for x in (memory, parameters))
            here = sense._replace(channel=_channel(sense.channel, name))
            readings[name], left = sensor.read(figure, here, own, numbers)
            after |= named(f"sensor.{name}", left) | {f"{READING}.{name}": readings[name]}
        if self.controller is None:
            return Drive(), after
        inner = {name: memory[name] for name in self.controller.memory}
        given = {name: parameters[name] for name in self.controller.parameters}
        drive, left = self.controller(figure, sense._replace(readings=readings), inner, given)
        return drive, after | left

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Run the check of the controller."""
        if hasattr(self.controller, "check"):
            self.controller.check(figure, q, u, t)


def sensed(controller: Any, sensors: Mapping[str, Any]) -> Sensed:
    """Return a controller that reads sensors, and gives their readings to another controller.

    Parameters
    ----------
    controller : a controller, which finds the readings in `sense.readings[name]`; None for sensors alone.
    sensors : {name: sensor}.

    The readings are recorded in motions as channels "sensor.NAME" (frames, n). The row of a frame is the newest reading
    at that time, which was made at the start of the step that ends there; it is 0 before the first step. Random numbers
    depend on the name of the sensor, not on the other sensors.
    """
    if controller is not None and not is_controller(controller):
        raise InputError(f"{controller!r} is not a controller. Give a controller or None, and {{name: sensor}}.")
    return Sensed(controller, sensors)


def place_on(figure: Any, at: Any) -> tuple[int, Any]:
    """Return the number of a link and a point (3,) [m] on it, from a marker, a link, or a pair (link, point)."""
    if not isinstance(at, str):
        link, point = at
        return figure.link_index(link), np.asarray(point)
    markers = {m.name: m for m in figure.markers if hasattr(m, "point")}
    if at in markers:
        return figure.link_index(markers[at].link), markers[at].point
    links = [link.name for link in figure.links]
    if at not in links:
        raise InputError(
            f"No marker or link '{at}' in figure '{figure.name}'.{did_you_mean(at, [*markers, *links])} "
            f"Markers: {', '.join(markers) or 'none'}. Links: {', '.join(links)}."
        )
    return links.index(at), np.zeros(3)
