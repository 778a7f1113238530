"""What a task reads: the view of one environment after a control period, and the random numbers of a restart.

Observation, reward, end and start of an episode are pure functions of a figure and these objects. They are recorded on
a tape and run as one kernel for all environments, so they use `ap.scalar` and no `np` functions of the state.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import sqrt
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.errors import InputError, ShapeError
from anthropi.simulation.policy import View

__all__ = ["Random", "Start", "View", "legged_observation", "on_ground", "upright", "with_joints"]

RATE_SCALE = 0.1  # [s] of joint velocities in an observation, which brings them near the size of the joint angles


class Start(NamedTuple):
    """Start of an episode.

    q, u : (nq,), (nu,) state; u is 0 if None. goal : numbers {name: array} that stay until its end. t : [s] time of the
    simulation at the start, for action laws and functions that depend on time.
    """

    q: Any
    u: Any = None
    goal: dict[str, Any] = {}  # noqa: RUF012 - never changed
    t: Any = 0.0


class Random:
    """Random numbers of one episode, for the function that returns its `Start`.

    numbers : (n,) uniform in [0, 1), possibly recorded; None counts how many are needed.
    """

    used: int

    def __init__(self, numbers: Any = None) -> None:
        self._numbers = numbers
        self.used = 0

    def uniform(self, low: Any = 0.0, high: Any = 1.0, shape: Any = ()) -> Any:
        """Return uniform random numbers of this shape between low and high."""
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        size = int(np.prod(shape))
        at, self.used = self.used, self.used + size
        own = np.full(size, 0.5) if self._numbers is None else self._numbers[at : at + size]
        return low + (np.asarray(high) - low) * (own.reshape(shape) if shape else own[0])


def with_joints(figure: Any, q: Any, values: dict[str, Any]) -> Any:
    """Return q (nq,) with some joints turned or moved, {joint or dof: one number for each degree of freedom}."""
    moved = np.zeros(figure.nu)
    for name, value in values.items():
        at = figure.dof_indices(name)
        if np.size(value) not in (1, len(at)):
            raise ShapeError(f"'{name}' has {len(at)} degrees of freedom, and got {np.size(value)} numbers.")
        moved[list(at)] = value
    return figure.integrate(np.asarray(q, float), moved)


def on_ground(figure: Any, q: Any, features: Any, clearance: float = 0.0) -> Any:
    """Move a free root up or down so that the lowest of some contact features is `clearance` [m] above z = 0.

    features : features of the scene (`Scene.features`), spheres on links.
    """
    if figure.joints[0].kind != "free":
        raise InputError(f"The root of figure '{figure.name}' is of kind {figure.joints[0].kind}, and must be free.")
    from anthropi.algebra.scalar import minimum

    k = kinematics(figure, q)
    lowest: Any = None
    for f in features:
        z = point_position(k, figure.link_index(f.link), f.point)[2] - f.radius
        lowest = z if lowest is None else minimum(lowest, z)
    return np.concatenate([q[:2], np.array([q[2] - lowest + clearance]), q[3:]])


def upright(figure: Any, view: View) -> Any:
    """Return the cosine of the angle between the z axis of the first link and that of the world."""
    return view.kinematics.rotation[0][2, 2]


def legged_observation(figure: Any, view: View, rest: Any) -> Any:
    """Return the observation of a figure with a free root that stands on some of its links.

    It contains the height of the root [m] (1), the direction against gravity in the root frame (3), the heading (2, the
    x axis of the root in the world), velocity [m/s] and angular velocity [rad/s] of the root in its frame (3 + 3), the
    joint angles relative to the pose `rest` [rad] and a tenth of their rates (nu - 6 each), the load of each link with
    contacts in body weights, and the action.
    """
    k, gravity = view.kinematics, np.asarray(figure.gravity)
    own = transpose(k.rotation[0])
    up = matvec(own, -gravity / sqrt((gravity * gravity).sum()))
    links = sorted({a for a, _ in view.contacts.links if a >= 0})
    weight = figure.mass * sqrt((gravity * gravity).sum())
    load = np.array([view.contacts.on(i)[2] / weight for i in links])
    angles = figure.difference(rest, view.q)[6:]
    parts = [view.q[2:3], up, k.rotation[0][:2, 0], matvec(own, view.u[:3]), view.u[3:6], angles,
             RATE_SCALE * view.u[6:], load, view.action]  # fmt: skip
    return np.concatenate(parts)
