"""Where does a walker begin? Standing, or on its gait. Floats only."""

import numpy as np

from anthropi.api import kinematics
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.walker.aims import MIRROR, SIDED
from anthropi.gait.walker.size import size_of
from anthropi.gait.walker.walker import Walker

__all__ = ["ANKLE", "STARTS", "begun", "first_state"]

STARTS = ("stand", "walk")
ANKLE = 0.072  # [m] above the ground, of a body of 1.75 m


def begun(figure, walker, start: str = "walk", sight=None):
    """(`Walker` that remembers how it starts, q, u): what `simulate` takes. walker : a `WalkerFile`. sight : its
    eyes."""
    q, u, memory = first_state(figure, walker, start)
    controller = Walker(figure, walker.parameters, sight)
    controller.memory = controller.memory | {name: np.array(x) for name, x in memory.items()}
    return controller, q, u


def first_state(figure, walker, start: str = "stand"):
    """(q, u, control memory that differs from a walker's first)."""
    if start not in STARTS:
        raise InputError(f"No start {start!r}.{did_you_mean(str(start), STARTS)} Choose: {', '.join(STARTS)}.")
    z = size_of(figure)
    if start == "walk":
        q, u = (np.array(x) for x in walker.start)
        q[:3] *= z.length
        u[:3] *= z.time
        u[3:] /= z.time
        return figure.normalise(q), u, {"speed": walker.speed * float(z.time)}
    return standing(figure, walker.parameters), np.zeros(figure.nu), {"gear": 0.0, "stand": 1.0, "speed": 0.0}


def standing(figure, parameters) -> np.ndarray:
    """q of the posture that a walker stands in."""
    q = figure.neutral().copy()
    for name in SIDED:
        x = parameters[f"stand.{name}"][0]
        for side in "lr":
            i = figure.joint_index(f"{side}_{name}")
            own = x * MIRROR if len(x) == 3 and side == "r" else x
            q[figure.q_of[i]] = figure.joints[i].from_coordinates(own)
    place = np.asarray(kinematics(figure, q).position)
    q[2] -= min(place[figure.link_index(f"{side}_foot")][2] for side in "lr") - ANKLE * size_of(figure).length
    return q
