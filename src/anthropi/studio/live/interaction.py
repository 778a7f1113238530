"""External forces on a figure in a live run: a drag with a spring, impulses, and the forces set in the project.

    drag      F = k (x* - x) + c (x*' - x'), x a point of a link, k in proportion to the mass m, c = ζ √(k m)     (1)
              and k decreases with the distance |x* - x|: a short drag leads a walker, a long one lifts it
    impulse   F = J / T over T seconds                                                                           (2)
    wrench    (s × Cᵀ F, Cᵀ F) in the link's frame, s the point in it                                            (3)

Works on plain floats only; cannot be recorded on a tape. The numbers are in `live.settings.InteractionSettings`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import Kinematics
from anthropi.studio.live.settings import InteractionSettings
from anthropi.studio.messages import Force

__all__ = ["AppliedImpulse", "Drag", "begun", "wrenches"]

STANDARD_GRAVITY = 9.81  # [m/s²] defines the weight that bounds a drag, independent of the world's gravity
DEFAULTS = InteractionSettings()


class Drag(NamedTuple):
    """A spring that pulls a point of a link to a moving target in the world.

    Attributes
    ----------
    link : the index of the link.
    point : (3,) [m] the point, in the link frame.
    target : (3,) [m] the target, in the world.
    stiffness : [N/m] of the spring; None: the value of the settings.
    velocity : (3,) [m/s] estimated velocity of the target.
    since : [s] simulated time of the last change of the target.
    """

    link: int
    point: np.ndarray
    target: np.ndarray
    stiffness: float | None = None
    velocity: Any = (0.0, 0.0, 0.0)
    since: float = 0.0

    def moved(self, target: np.ndarray, time: float, settings: InteractionSettings = DEFAULTS) -> "Drag":
        """Return the drag with another target (3,) [m] at a time [s].

        A low-pass filter estimates the velocity of the target. With this velocity in (1), a pointer that moves along
        with a walker does not hold it back.
        """
        span = time - self.since
        if span <= 0.0:
            return self._replace(target=target)
        measured, share = (target - self.target) / span, min(span / settings.velocity_time, 1.0)
        bound = settings.max_pointer_speed
        new = np.asarray(self.velocity) + share * (np.clip(measured, -bound, bound) - self.velocity)
        return self._replace(target=target, velocity=new, since=time)


class AppliedImpulse(NamedTuple):
    """An impulse (3,) [N s], world axes, on a link at a point (3,) [m, link frame].

    Its force acts until a time [s]; infinite before the first step in which it acts, so that no part of it is lost.
    """

    link: int
    point: np.ndarray
    impulse: np.ndarray
    until: float = np.inf


def begun(
    impulses: Iterable[AppliedImpulse], t: float, settings: InteractionSettings = DEFAULTS
) -> list[AppliedImpulse]:
    """Return the impulses that act at a time [s], without ended ones. New impulses get the time at which they end."""
    end = t + settings.impulse_duration
    return [one._replace(until=min(one.until, end)) for one in impulses if one.until > t]


def wrenches(
    k: Kinematics,
    mass: float,
    t: float,
    drag: Drag | None,
    impulses: Iterable[AppliedImpulse],
    forces: Iterable[tuple[int, Force]],
    settings: InteractionSettings = DEFAULTS,
) -> np.ndarray:
    """Compute the external wrenches (links, 6) [N m, N] on all links at a time, each in its link's frame.

    Parameters
    ----------
    k : positions, rotations and velocities of all links.
    mass : [kg] mass of the figure.
    t : [s] simulated time.
    drag : the present drag, or None.
    impulses : all impulses that have been applied; ended impulses are ignored.
    forces : pairs (link index, force), the forces that are set in the project.
    settings : stiffness, bounds and durations.
    """
    found = np.zeros((len(k.position), 6))
    if drag is not None:
        found[drag.link] += _wrench(k, drag.link, drag.point, _drag_force(k, mass, drag, settings))
    for one in impulses:
        if t < one.until:
            found[one.link] += _wrench(k, one.link, one.point, one.impulse / settings.impulse_duration)  # (2)
    for i, force in forces:
        if force.start <= t and (force.end is None or t < force.end):
            found[i] += _project_force(k, i, force)
    return found


def _drag_force(k: Kinematics, mass: float, drag: Drag, settings: InteractionSettings) -> np.ndarray:
    """Compute the spring force of a drag by (1), bounded: (3,) [N], world axes."""
    C: Any = k.rotation[drag.link]
    arm = C @ drag.point
    x = k.position[drag.link] + arm
    v = k.velocity[drag.link] + np.cross(k.angular_velocity[drag.link], arm)
    offset = drag.target - x
    ratio = min(max(float(np.linalg.norm(offset)) / settings.soft_distance, settings.min_stiffness_ratio), 1.0)
    stiffness = settings.stiffness * ratio * mass if drag.stiffness is None else drag.stiffness
    damping = settings.damping_ratio * np.sqrt(stiffness * mass)
    force = stiffness * offset - damping * (v - np.asarray(drag.velocity))
    size, bound = float(np.linalg.norm(force)), settings.max_force * STANDARD_GRAVITY * mass
    return force if size <= bound else force * (bound / size)


def _wrench(k: Kinematics, i: int, point: Any, force: np.ndarray) -> np.ndarray:
    """Compute the wrench (6,) of a force (3,) [N], world axes, at a point of link i by equation (3)."""
    own = np.asarray(k.rotation[i], float).T @ force
    return np.concatenate([np.cross(point, own), own])


def _project_force(k: Kinematics, i: int, force: Force) -> np.ndarray:
    """Compute the wrench (6,), in the frame of link i, of a force or moment that is set in the project."""
    vector, C = np.array(force.vector), np.asarray(k.rotation[i], float)
    world = C @ vector if force.axes == "link" else vector
    if force.moment:
        return np.concatenate([C.T @ world, np.zeros(3)])
    return _wrench(k, i, np.array(force.point), world)
