"""Reach: an arm of six hinges moves its tool to a point, by targets of its joint angles."""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import exp, sqrt
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.contact.scene import Scene
from anthropi.figure import Figure
from anthropi.figure.samples import sample
from anthropi.interop.gym.laws import Targets
from anthropi.interop.gym.recording import Camera
from anthropi.interop.gym.view import RATE_SCALE, Start

__all__ = ["arm", "reach"]

REST = np.array([0.0, 0.6, 0.9, 0.0, 0.4, 0.0])  # [rad]
SCALE = np.array([1.6, 1.0, 1.2, 1.6, 1.2, 1.6])  # [rad] change of a target for an action of 1
KP = np.array([200.0, 200.0, 120.0, 30.0, 20.0, 5.0])  # [N m/rad]
REWARD_DISTANCE = 0.05  # [m] distance at which the additional reward has fallen to 1/e


def arm() -> Figure:
    """Return the arm of the sample "floating_arm6", fixed to the world, under gravity."""
    return sample("floating_arm6").lock(["root"]).changed(name="arm6", gravity=np.array([0.0, 0.0, -9.81]))


def _tool(figure: Any, k: Any) -> Any:
    marker = figure.markers[0]
    return point_position(k, figure.link_index(marker.link), marker.point)


def _observe(figure: Any, view: Any) -> Any:
    goal = view.goal["target"]
    return np.concatenate([view.q - REST, RATE_SCALE * view.u, goal, goal - _tool(figure, view.kinematics),
                           view.action])  # fmt: skip


def _reward(figure: Any, view: Any) -> Any:
    off = view.goal["target"] - _tool(figure, view.kinematics)
    square = (off * off).sum()
    change = view.action - view.previous
    return exp(-square / (REWARD_DISTANCE * REWARD_DISTANCE)) - sqrt(square + 1e-12) - 0.01 * (change * change).sum()


def _start(figure: Any, random: Any) -> Start:
    """Start near the rest pose; the target is where the tool is in a random pose, so it can be reached."""
    pose = REST + 0.8 * SCALE * random.uniform(-1.0, 1.0, 6)
    target = _tool(figure, kinematics(figure, pose))
    return Start(REST + random.uniform(-0.1, 0.1, 6), None, {"target": target})


def reach(**options: Any) -> dict[str, Any]:
    """Return the parts of the task."""
    figure = arm()
    law = Targets(figure, REST, KP, 0.1 * KP, scale=SCALE, substeps=10, **options)
    return {"scene": Scene(figure, ground=None, contact=None), "law": law, "dt": 2e-3, "observe": _observe,
            "reward": _reward, "start": _start, "camera": Camera(span=2.2, centre=(0.0, 0.0, 0.4))}  # fmt: skip
