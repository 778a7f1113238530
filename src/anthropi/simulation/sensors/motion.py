"""Sensors of motion: inertial units and encoders.

An inertial unit at a point of a link, with axes C in the world, measures the specific force and the angular velocity in
its own axes. A simulation computes the velocity v of the point at steps, and its mean acceleration between them:

    a = (v(t) - v(t - h)) / h                                                  (1)  0 at the first step
    f = Cᵀ (a - g)                                                             (2)  0 in free fall, upwards at rest
    ω = Cᵀ ω_link                                                              (3)

(1) is what a real unit integrates over its sampling interval; it includes impacts. `imu_values` uses the acceleration
at an instant instead.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, where
from anthropi.algorithms.kinematics import point_acceleration, point_velocity
from anthropi.contact.geometry.surfaces import finite
from anthropi.errors import InputError
from anthropi.simulation.sensors.sensor import place_on

__all__ = ["Encoder", "Imu", "imu_values"]


def imu_values(figure: Any, k: Any, at: Any, rotation: Any = None) -> Any:
    """Return specific force [m/s²] and angular velocity [rad/s] (6,) of an inertial unit at an instant, (2) and (3).

    Parameters
    ----------
    k : `Kinematics` with accelerations, or the view that `ap.kinematics(figure, q, u, udot)` returns.
    at, rotation : as in `Imu`.
    """
    i, s = place_on(figure, at)
    return _reading(figure, k, i, point_acceleration(k, i, s), rotation)


def _reading(figure: Any, k: Any, i: int, a: Any, rotation: Any) -> Any:
    """Return (2) and (3) for the acceleration a (3,) [m/s²] of the point, in the world."""
    back = transpose(k.rotation[i])
    f, w = matvec(back, a - figure.gravity), matvec(back, k.angular_velocity[i])
    if rotation is not None:
        f, w = matvec(transpose(rotation), f), matvec(transpose(rotation), w)
    return np.concatenate([f, w])


@dataclass(eq=False)
class Imu:
    """Inertial unit: specific force f [m/s²] and angular velocity ω [rad/s] in its own axes, (1)-(3).

    Attributes
    ----------
    at : where it is: name of a marker, name of a link (its origin), or a pair (link, point (3,) [m]).
    rotation : (3, 3) its axes in the frame of the link, as columns; None for the axes of the link.
    """

    at: Any
    rotation: Any = None
    labels: tuple[str, ...] = field(init=False, default=("fx", "fy", "fz", "wx", "wy", "wz"))
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        if self.rotation is not None:
            self.rotation = finite(self.rotation, (3, 3), "An Imu", "rotation")
        self.memory = {"velocity": np.zeros(3), "time": 0.0, "started": 0.0}

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the reading (6,) and the new memory."""
        i, s = place_on(figure, self.at)
        v, started = point_velocity(sense.kinematics, i, s), less(0.5, memory["started"])
        h = where(started, sense.t - memory["time"], 1.0)
        a = where(started, (v - memory["velocity"]) / h, 0.0)  # (1)
        reading = _reading(figure, sense.kinematics, i, a, self.rotation)
        return reading, {"velocity": v, "time": sense.t, "started": 1.0}


@dataclass(eq=False)
class Encoder:
    """Encoders of degrees of freedom: their coordinates q [rad or m], or with speed=True also their rates u.

    dofs : names of degrees of freedom with q' = u, such as those of hinges, slides and universal joints.
    """

    dofs: tuple[str, ...]
    speed: bool = False
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.dofs = (self.dofs,) if isinstance(self.dofs, str) else tuple(self.dofs)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers of a reading: "q.DOF", then "u.DOF"."""
        return tuple(f"{what}.{name}" for what in ("q", "u")[: 1 + self.speed] for name in self.dofs)

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the reading (n,) or (2 n,) and the memory."""
        places = [_coordinate(figure, name) for name in self.dofs]
        found = [sense.q[at] for at, _ in places] + ([sense.u[k] for _, k in places] if self.speed else [])
        return np.array(found), {}


def _coordinate(figure: Any, name: str) -> tuple[int, int]:
    """Return the index in q and the index in u of a degree of freedom with q' = u."""
    own = figure.dof_indices(name)
    i = next(i for i, of in enumerate(figure.u_of) if of.start <= own[0] < of.stop)
    if len(own) != 1 or not figure.joints[i].plain:
        plain = [d for joint in figure.joints if joint.plain for d in joint.dofs]
        raise InputError(
            f"An encoder cannot measure '{name}', whose velocity is not the rate of one coordinate. Degrees of freedom "
            f"with one coordinate: {', '.join(plain) or 'none'}."
        )
    return figure.q_of[i].start + own[0] - figure.u_of[i].start, own[0]
