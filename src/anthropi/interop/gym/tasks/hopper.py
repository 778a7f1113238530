"""Hopper: a planar body on one telescopic leg that hops forward.

    r = 2 exp(-(v_x - v)²/s²) + 0.5 cos α - 0.05 |a - a'|² - 0.02 |a|²,   and -2 if it falls      (1)

with the velocity v_x [m/s] and the inclination α [rad] of the body, the width s = 0.5 m/s, and the actions a and a' of
this control period and the one before.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import cos, exp, less, where
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.contact.scene import Scene
from anthropi.figure.samples import sample
from anthropi.interop.gym.laws import Targets
from anthropi.interop.gym.recording import Camera
from anthropi.interop.gym.view import RATE_SCALE, Start

__all__ = ["HopperTask", "hopper"]

KP, KD = (150.0, 4000.0), (6.0, 40.0)  # hip [N m/rad, N m s/rad], leg [N/m, N s/m]
RATES = np.array([1.0, 1.0, RATE_SCALE, RATE_SCALE, 1.0])  # factors of the velocities in an observation
SCALE = (0.8, 0.1)  # [rad], [m] change of the targets for an action of 1


@dataclass(frozen=True)
class HopperTask:
    """Observation, reward, end and start.

    feature : the contact feature of the foot. speed : v [m/s]. width : s [m/s]. lowest : [m] height of the body and
    steepest : cosine of its inclination below which an episode ends. drop : [m] largest height of the foot at the
    start.
    """

    feature: Any
    speed: float
    width: float = 0.5
    lowest: float = 0.35
    steepest: float = 0.75
    drop: float = 0.15

    def observe(self, figure: Any, view: Any) -> Any:
        """Return height [m], angles [rad], leg [m] (4), velocities (5), height of the foot [m] (1) and action (2)."""
        foot = self._foot(figure, view.kinematics)
        return np.concatenate([view.q[1:], RATES * view.u, foot[2:], view.action])

    def _foot(self, figure: Any, k: Any) -> Any:
        return point_position(k, figure.link_index(self.feature.link), self.feature.point)

    def reward(self, figure: Any, view: Any) -> Any:
        """Return the reward (1)."""
        v, change = (view.u[0] - self.speed) / self.width, view.action - view.previous
        effort = 0.05 * (change * change).sum() + 0.02 * (view.action * view.action).sum()
        return where(self.done(figure, view), -2.0, 2.0 * exp(-v * v) + 0.5 * cos(view.q[2]) - effort)

    def done(self, figure: Any, view: Any) -> Any:
        """Whether the body is too low or too inclined."""
        return less(view.q[1], self.lowest) | less(cos(view.q[2]), self.steepest)

    def start(self, figure: Any, random: Any) -> Start:
        """Start in the air, with the foot up to `drop` above the ground."""
        q = np.concatenate([np.zeros(2), random.uniform(-0.1, 0.1, 2), np.zeros(1)])
        foot = self._foot(figure, kinematics(figure, q))
        height = random.uniform(0.0, self.drop) - foot[2] + self.feature.radius
        u = np.concatenate([random.uniform(0.0, self.speed, (1,)), random.uniform(-0.3, 0.3, 4)])
        return Start(np.concatenate([q[:1], np.array([height]), q[2:]]), u)


def hopper(speed: float = 1.0, **options: Any) -> dict[str, Any]:
    """Return the parts of the task. speed : [m/s] along x."""
    figure = sample("hopper")
    scene = Scene(figure, features=[marker.name for marker in figure.markers])
    law = Targets(figure, None, KP, KD, scale=SCALE, dofs=("hip", "leg"), substeps=10, **({"pushed": "body"} | options))
    task = HopperTask(scene.features[0], speed)
    return {"scene": scene, "law": law, "dt": 2e-3, "observe": task.observe, "reward": task.reward,
            "done": task.done, "start": task.start,
            "camera": Camera("side", span=1.8, centre=(0.0, 0.0, 0.6))}  # fmt: skip
