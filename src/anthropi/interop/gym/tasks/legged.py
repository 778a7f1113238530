"""Standing, walking and running: a human figure and a six-legged robot that follow a speed along x.

    r = w_v exp(-(v_x - v)²/s²) + w_u c + w_h h - w_y v_y² - w_a |a - a'|²/n - w_p |a|²/n      (1)

with the velocity (v_x, v_y) of the root [m/s], the cosine c of its inclination, the cosine h of its heading, and the
actions a and a' of this control period and the one before.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import exp, less
from anthropi.contact.scene import Scene
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import human as human_figure
from anthropi.figure.human.build import standing
from anthropi.figure.samples import sample
from anthropi.interop.gym.laws import Targets
from anthropi.interop.gym.recording import Camera
from anthropi.interop.gym.view import Start, legged_observation, on_ground, upright, with_joints

__all__ = ["LeggedTask", "gain_of", "human", "human_for_learning", "roach"]

LOCKED = ("thoracic", "neck", "head", "l_clavicle", "r_clavicle", "l_wrist", "r_wrist")
GAINS = {  # [N m/rad] stiffness by the end of the joint's name; damping is a tenth of it, in [N m s/rad]
    "lumbar": 400.0, "shoulder": 80.0, "elbow": 40.0, "hip": 300.0, "knee": 300.0, "ankle": 200.0, "toe": 20.0,
}  # fmt: skip
SCALES = {  # [rad] change of the target for an action of 1, by the end of the joint's name
    "lumbar": 0.3, "shoulder": 0.8, "elbow": 0.8, "hip": 0.8, "knee": 1.0, "ankle": 0.5, "toe": 0.4,
}  # fmt: skip
BENT = {"knee": 0.15, "hip": (0.0, -0.08, 0.0), "ankle": (0.07, 0.0), "elbow": (0.3, 0.0)}  # [rad] of the rest pose


@dataclass(frozen=True)
class LeggedTask:
    """Observation, reward, end and start of a task for a figure on legs.

    Attributes
    ----------
    rest : (nq,) pose of action 0, with the feet on the ground. features : contact features of the scene.
    speed : v [m/s]. width : s [m/s]. track, level, ahead, aside, change, size : the weights w_v, w_u, w_h, w_y, w_a and
        w_p in (1).
    lowest : [m] height of the root below which an episode ends. steepest : cosine of the inclination below which it
        ends. shake : [rad, rad/s] largest deviation of joints from `rest` at the start.
    """

    rest: Any
    features: Any
    speed: float
    width: float
    lowest: float
    steepest: float = 0.5
    track: float = 2.0
    level: float = 0.5
    ahead: float = 0.25
    aside: float = 0.25
    change: float = 0.05
    size: float = 0.02
    shake: float = 0.05

    def observe(self, figure: Any, view: Any) -> Any:
        """Return the observation (n,)."""
        return legged_observation(figure, view, self.rest)

    def reward(self, figure: Any, view: Any) -> Any:
        """Return the reward (1)."""
        v, off = view.u[0] - self.speed, view.action - view.previous
        heading = view.kinematics.rotation[0][0, 0]
        effort = self.change * (off * off).sum() + self.size * (view.action * view.action).sum()
        good = self.track * exp(-v * v / (self.width * self.width)) + self.level * upright(figure, view)
        return good + self.ahead * heading - self.aside * view.u[1] * view.u[1] - effort / len(view.action)

    def done(self, figure: Any, view: Any) -> Any:
        """Whether the figure has fallen."""
        return less(view.q[2], self.lowest) | less(upright(figure, view), self.steepest)

    def start(self, figure: Any, random: Any) -> Start:
        """Start near the rest pose, with the lowest feature on the ground."""
        free = np.zeros(6)
        moved = np.concatenate([free, random.uniform(-self.shake, self.shake, figure.nu - 6)])
        u = np.concatenate([random.uniform(-self.shake, self.shake, 6),
                            random.uniform(-self.shake, self.shake, figure.nu - 6)])  # fmt: skip
        return Start(on_ground(figure, figure.integrate(self.rest, moved), self.features), u)


def human_for_learning(figure: Figure | None = None) -> Figure:
    """Return a human figure with fixed neck, upper trunk, clavicles and wrists: 33 degrees of freedom.

    figure : a human figure of the detail "standard"; by default 1.75 m, 75 kg.
    """
    figure = human_figure() if figure is None else figure
    return figure.lock(LOCKED)


def human(speed: float = 1.25, figure: Figure | None = None, **options: Any) -> dict[str, Any]:
    """Return the parts of the tasks HumanStand (speed 0), HumanWalk and HumanRun. speed : [m/s] along x."""
    figure = human_for_learning(figure)
    joints = [j for j in figure.joints[1:] if j.nu]
    scene = Scene(figure, features="feet")
    own = {j.name: BENT[_end(j.name)] for j in joints if _end(j.name) in BENT}
    rest = on_ground(figure, with_joints(figure, standing(figure), own), scene.features)
    kp = np.concatenate([np.full(j.nu, GAINS[_end(j.name)]) for j in joints])
    scale = np.concatenate([np.full(j.nu, SCALES[_end(j.name)]) for j in joints])
    law = Targets(figure, rest, kp, 0.1 * kp, scale=scale, substeps=10, **({"pushed": "pelvis"} | options))
    task = LeggedTask(rest, scene.features, speed, 0.5 + 0.25 * speed, 0.65 * float(rest[2]))
    return {"scene": scene, "law": law, "dt": 2e-3, "observe": task.observe, "reward": task.reward,
            "done": task.done, "start": task.start, "camera": Camera()}  # fmt: skip


def gain_of(name: str) -> float:
    """Return the stiffness [N m/rad] of a joint."""
    return GAINS[_end(name)]


def _end(name: str) -> str:
    return name.split("_")[-1]


def roach(speed: float = 0.3, **options: Any) -> dict[str, Any]:
    """Return the parts of the task Roach. speed : [m/s] along x."""
    from anthropi.gait.walker.hexapod import Roach

    figure = sample("roach")
    scene = Scene(figure, features="feet")
    rest = on_ground(figure, np.asarray(Roach(figure).start(), float), scene.features)
    law = Targets(figure, rest, 20.0, 0.5, scale=0.5, substeps=10, **({"pushed": "body"} | options))
    task = LeggedTask(rest, scene.features, speed, 0.2, 0.5 * float(rest[2]), aside=1.0)
    return {"scene": scene, "law": law, "dt": 2e-3, "observe": task.observe, "reward": task.reward,
            "done": task.done, "start": task.start, "camera": Camera(span=0.8, centre=(0.0, 0.0, 0.1))}  # fmt: skip
