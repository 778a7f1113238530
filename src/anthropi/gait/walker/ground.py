"""What does a walker stand on, and how is it pushed? The scene it is made for, and a force at its pelvis."""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.contact.compliant import Compliant
from anthropi.contact.scene import Scene
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined

__all__ = ["PushedPelvis", "pelvis_push", "sole", "sole_scene"]


def sole() -> Compliant:
    """The ground under shoes: half the weight on one point of the sole presses it in by 10 mm."""
    return Compliant(depth=1e-2, calm=2.0)


def sole_scene(figure, **fields) -> Scene:
    """A figure on its soles. fields : of the `Scene`, as ground or material."""
    own: dict[str, Any] = {"features": "feet", "contact": sole()} | fields
    return Scene(figure, **own)


def pelvis_push(q, x, y) -> Drive:
    """A force [N] along x and y of the world, at the pelvis' origin. It records."""
    force = matvec(transpose(rot.matrix_from_quaternion(q[3:7])), np.array([x, y, 0.0 * x]))
    return Drive(f_ext={0: np.concatenate([np.zeros(3), force])})


class PushedPelvis:
    """A controller, and a horizontal force at the pelvis: parameter "pelvis_push" (2,) [N], along x and y."""

    def __init__(self, controller):
        self.controller = controller
        self.parameters = dict(controller.parameters) | {"pelvis_push": np.zeros(2)}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(self, figure, sense, memory, parameters):
        """The controller's drive and the push."""
        own = {name: x for name, x in parameters.items() if name != "pelvis_push"}
        drive, after = self.controller(figure, sense, memory, own)
        push = pelvis_push(sense.q, *parameters["pelvis_push"])
        return combined(push, checked(figure, drive, self.prescribed)), after
