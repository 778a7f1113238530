"""What pulls and pushes a figure while it moves: a hand with a spring, blows, and the forces that are set. Floats only.

spring    F = k (x* - x) + c (x*' - x'), x a point of a link, k in proportion to the mass m, c = 0.2 √(k m)  (1)
          and k the less the nearer x is to x*: a small pull leads a walker, a long one lifts it
blow      F = J / T over T seconds                                                                         (2)
wrench    (s × Cᵀ F, Cᵀ F) in the link's frame, s the point in it                                          (3)
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.kinematics import Kinematics
from anthropi.studio.messages import Force

__all__ = ["AppliedImpulse", "Drag", "wrenches"]

PULL = 12.0  # [1/s²] of k over the mass, from afar: 36 N on 75 kg at 0.2 m, a third of the weight at 0.5 m
NEAR, SOFT = 1.0, 0.1  # [m] below which k falls with the distance, down to this part of it
STRONGEST = 1.5  # times the weight, the most that a hand pulls
LAST = 0.02  # [s] a blow lasts
SETTLES, FAST = 0.1, 3.0  # [s] over which the velocity of a hand is told, [m/s] at most


class Drag(NamedTuple):
    """A hand on link i, at a point of it (3,) [m], that pulls to a place in the world (3,) which moves."""

    link: int
    point: np.ndarray
    target: np.ndarray
    stiffness: float | None = None
    velocity: Any = (0.0, 0.0, 0.0)
    since: float = 0.0

    def moved(self, target, time: float) -> "Drag":
        """The same hand at another place, at a time [s]: a hand that goes along does not hold a walker back."""
        span = time - self.since
        if span <= 0.0:
            return self._replace(target=target)
        now, share = (target - self.target) / span, min(span / SETTLES, 1.0)
        new = np.asarray(self.velocity) + share * (np.clip(now, -FAST, FAST) - self.velocity)
        return self._replace(target=target, velocity=new, since=time)


class AppliedImpulse(NamedTuple):
    """An impulse (3,) [N s], world axes, on link i at a point of it, until a time [s]."""

    link: int
    point: np.ndarray
    impulse: np.ndarray
    until: float


def wrenches(k: Kinematics, mass: float, t: float, grip: Drag | None, blows, forces) -> np.ndarray:
    """(links, 6): all that acts on links at a time. forces : (link number, `Force`)s."""
    found = np.zeros((len(k.position), 6))
    if grip is not None:
        found[grip.link] += _wrench(k, grip.link, grip.point, _pull(k, mass, grip))
    for blow in blows:
        if t < blow.until:
            found[blow.link] += _wrench(k, blow.link, blow.point, blow.impulse / LAST)  # (2)
    for i, force in forces:
        if force.start <= t and (force.end is None or t < force.end):
            found[i] += _given(k, i, force)
    return found


def _pull(k: Kinematics, mass: float, grip: Drag) -> np.ndarray:
    """(1)"""
    C: Any = k.rotation[grip.link]
    arm = C @ grip.point
    x = k.position[grip.link] + arm
    v = k.velocity[grip.link] + np.cross(k.angular_velocity[grip.link], arm)
    away = grip.target - x
    soft = min(max(float(np.linalg.norm(away)) / NEAR, SOFT), 1.0)
    stiffness = PULL * soft * mass if grip.stiffness is None else grip.stiffness
    pull = stiffness * away - 0.2 * np.sqrt(stiffness * mass) * (v - np.asarray(grip.velocity))
    size, most = float(np.linalg.norm(pull)), STRONGEST * 9.81 * mass
    return pull if size <= most else pull * (most / size)


def _wrench(k: Kinematics, i: int, point, force) -> np.ndarray:
    """(3)"""
    own = np.asarray(k.rotation[i], float).T @ force
    return np.concatenate([np.cross(point, own), own])


def _given(k: Kinematics, i: int, force: Force) -> np.ndarray:
    vector, C = np.array(force.vector), np.asarray(k.rotation[i], float)
    world = C @ vector if force.axes == "link" else vector
    if force.moment:
        return np.concatenate([C.T @ world, np.zeros(3)])
    return _wrench(k, i, np.array(force.point), world)
