"""A controller and a push: the same drive, and a horizontal force on a link for a while. It records.

    F = (fx, fy, 0) while when ≤ t < when + over,   else 0                     (1)

in the world, at the link's centre of mass. When, how hard and how long are parameters, another for each rollout: pushes
of all directions, phases and strengths are one kernel.
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, where
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined
from anthropi.simulation.sense import is_controller

__all__ = ["PARAMETERS", "Pushed"]

PARAMETERS = ("push.when", "push.over", "push.fx", "push.fy")  # [s], [s], [N], [N]


class Pushed:
    """A controller whose figure is pushed (1). Parameters are the controller's, and `PARAMETERS`; 0 N to begin with."""

    def __init__(self, controller, link: str = "pelvis"):
        if not is_controller(controller):
            raise InputError(f"Pushed wants a controller (parameters, memory, prescribed, a call); got {controller!r}.")
        self.controller, self.link = controller, link
        self.parameters = dict(controller.parameters) | {name: np.zeros(()) for name in PARAMETERS}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(self, figure, sense, memory, parameters):
        """The controller's drive and (1)."""
        own = {name: x for name, x in parameters.items() if name not in PARAMETERS}
        drive, after = self.controller(figure, sense, memory, own)
        when, over, fx, fy = (parameters[name] for name in PARAMETERS)
        on = where(less(sense.t, when), 0.0, where(less(sense.t, when + over), 1.0, 0.0))
        i = figure.link_index(self.link)
        force = matvec(transpose(sense.kinematics.rotation[i]), np.array([fx * on, fy * on, 0.0 * on]))  # (1)
        moment = np.cross(figure.links[i].centre, force)
        push = Drive(f_ext={i: np.concatenate([moment, force])})
        return combined(checked(figure, drive, self.prescribed), push), after

    def check(self, figure, q, u, t) -> None:
        """What the controller refuses to start from."""
        if hasattr(self.controller, "check"):
            self.controller.check(figure, q, u, t)
