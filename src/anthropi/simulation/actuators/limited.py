"""Actuators of degrees of freedom: limits of force that depend on angle and speed, and a first-order lag.

The joint force that a controller commands, with its springs and dampers towards a target, is

    c = τ + kp (target ⊟ q - h u) - kd u                                       (1)  drive.py (1); h = 0 if explicit
    applied = min(max(c, lower(θ, u)), upper(θ, u))                            (2)

Inside the limits, springs and dampers remain implicit, so that their force differs from c by (h kd + h² kp) u'. At a
limit, the force of the step is the constant (2). With a time constant T, the actuator follows the limited command and
applies

    a' = (c - a) / T,   a ← a + (1 - exp(-h / T)) (c - a)                      (3)  exact for a constant command
    applied = min(max(a, lower), upper)                                        (4)

A motor has a peak torque P, a torque S at standstill and a speed u₀ without load,

    upper = min(P, S max(1 - u / u₀, 0)),   lower = -min(P, S max(1 + u / u₀, 0))    (5)
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from anthropi.algebra.scalar import clip, exp, less, maximum, minimum, records, where
from anthropi.algorithms.implicit_springs import pull_towards
from anthropi.errors import InputError
from anthropi.simulation.drive import BLOCKS, Drive, checked
from anthropi.simulation.memory import named, part_of
from anthropi.simulation.sense import is_controller

__all__ = ["Limited", "Motor", "limited"]


@dataclass(frozen=True)
class Motor:
    """Motor with a linear torque–speed curve, (5), at the joint (behind the gear).

    Attributes
    ----------
    peak : P [N m or N], largest force, for example by a limit of the current.
    no_load_speed : u₀ [rad/s or m/s], speed at which the force vanishes.
    stall : S [N m or N], force at standstill without that limit; None for the peak.
    lag : T [s] of (3); 0 for none.
    """

    peak: float
    no_load_speed: float
    stall: float | None = None
    lag: float = 0.0

    def __post_init__(self) -> None:
        if self.stall is None:
            object.__setattr__(self, "stall", self.peak)
        for f in fields(self):
            value = getattr(self, f.name)
            if not records(value) and not (0.0 < value < np.inf or (f.name == "lag" and value == 0.0)):
                raise InputError(f"{f.name}={value!r} of a Motor is not valid. Give a finite number above 0.")

    @property
    def numbers(self) -> dict[str, Any]:
        """Numbers {name: value} that become parameters of the controller."""
        own = {"peak": self.peak, "no_load_speed": self.no_load_speed, "stall": self.stall}
        return own | ({"lag": self.lag} if self.lag else {})

    def limits(self, angle: Any, speed: Any, numbers: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return the smallest and the largest force [N m or N] at an angle and a speed (5)."""
        share = speed / numbers["no_load_speed"]
        upper, lower = (numbers["stall"] * maximum(1.0 - s, 0.0) for s in (share, -share))
        return -minimum(numbers["peak"], lower), minimum(numbers["peak"], upper)


class Limited:
    """A controller whose joint forces are limited by actuators; see `limited`."""

    actuators: dict[str, Any]
    controller: Any
    memory: dict[str, Any]
    parameters: dict[str, Any]
    prescribed: Any

    def __init__(self, controller: Any, actuators: Mapping[str, Any]) -> None:
        self.controller, self.actuators = controller, dict(actuators)
        self.prescribed = controller.prescribed
        self.parameters, self.memory = dict(controller.parameters), dict(controller.memory)
        for name, actuator in self.actuators.items():
            if not callable(getattr(actuator, "limits", None)):
                raise InputError(f"'{name}': {actuator!r} is not an actuator. Give a Motor or a Strength.")
            self.parameters |= named(f"actuator.{name}", actuator.numbers)
            if actuator.lag:
                self.memory[f"actuator.{name}.force"] = 0.0

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the limited drive and the memory."""
        inner = {name: memory[name] for name in self.controller.memory}
        given = {name: parameters[name] for name in self.controller.parameters}
        drive, left = self.controller(figure, sense, inner, given)
        drive, after = checked(figure, drive, self.prescribed), dict(left)
        h = 0.0 if sense.dt is None else sense.dt
        command, _ = pull_towards(figure, sense.q, sense.u, h, drive.target, drive.kp, drive.kd, drive.limit)
        command = command if drive.tau is None else command + drive.tau  # (1)
        angle = figure.difference(figure.neutral(), sense.q)
        fixed: dict[int, tuple[Any, Any]] = {}  # {dof: (mask of a fixed force, that force)}
        for name, actuator in self.actuators.items():
            k, numbers = _one_dof(figure, name), part_of(parameters, f"actuator.{name}")
            if k in fixed:
                raise InputError(f"Two actuators act on '{figure.dofs[k]}'. Leave one out.")
            lower, upper = actuator.limits(angle[k], sense.u[k], numbers)
            force = clip(command[k], lower, upper)  # (2)
            if not actuator.lag:
                fixed[k] = less(command[k], lower) | less(upper, command[k]), force
                continue
            a = memory[f"actuator.{name}.force"]
            passed = 0.0 if sense.dt is None else 1.0 - exp(-sense.dt / numbers["lag"])
            after[f"actuator.{name}.force"] = a + passed * (force - a)  # (3)
            fixed[k] = True, clip(a, lower, upper)  # (4)
        return _with_fixed(figure, drive, fixed), after

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Run the check of the controller."""
        if hasattr(self.controller, "check"):
            self.controller.check(figure, q, u, t)


def limited(controller: Any, actuators: Mapping[str, Any]) -> Limited:
    """Return a controller whose joint forces are those that actuators can exert, (1)-(4).

    Parameters
    ----------
    controller : a controller, for example `Hold` or `Torque`.
    actuators : {degree of freedom: `Motor` or `Strength`}. The other degrees of freedom are not limited.

    The numbers of an actuator are parameters such as "actuator.l_knee.peak". External forces of the controller and
    prescribed accelerations are not limited.
    """
    if not is_controller(controller):
        raise InputError(f"{controller!r} is not a controller. Give a controller and {{degree of freedom: actuator}}.")
    return Limited(controller, actuators)


def _one_dof(figure: Any, name: str) -> int:
    """Return the index of a degree of freedom; raise InputError for a joint with several."""
    own = figure.dof_indices(name)
    if len(own) != 1:
        raise InputError(
            f"Joint '{name}' has {len(own)} degrees of freedom: {', '.join(figure.dofs[k] for k in own)}. Give an "
            "actuator for each of them."
        )
    return own[0]


def _with_fixed(figure: Any, drive: Drive, fixed: Mapping[int, tuple[Any, Any]]) -> Drive:
    """Return a drive in which some degrees of freedom have a given force where a mask is true.

    There, the limit of springs and dampers is 0. Their stiffness stays, because those of a ball joint act together.
    """
    tau = np.zeros(figure.nu) if drive.tau is None else drive.tau
    found = {"tau": np.array([_select(*fixed[k], tau[k]) if k in fixed else tau[k] for k in range(figure.nu)])}
    if drive.kp is not None or drive.kd is not None:
        limit = np.full(figure.nu, np.inf) if drive.limit is None else drive.limit
        found["limit"] = np.array([_select(fixed[k][0], 0.0, x) if k in fixed else x for k, x in enumerate(limit)])
    free = np.array([_select(fixed[k][0], 0.0, 1.0) if k in fixed else 1.0 for k in range(figure.nu)])
    for name in BLOCKS:
        value = getattr(drive, name)
        if value is not None:
            found[name] = value * free if np.ndim(value) == 1 else value * free * free[:, None]
    return drive._replace(**found)


def _select(mask: Any, one: Any, other: Any) -> Any:
    """Return `one` where the mask is true, else `other`; without an operation if the mask is known."""
    return where(mask, one, other) if records(mask) else one if mask else other
