"""Many walks at once: one `Simulation` of a scored controller for rows of searched numbers, commands and pushes.

Numbers that are not searched are constants of the kernel. A push is a force at the pelvis for 0.1 s, from some time in
the piece on.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import less, where
from anthropi.gait.search.score import KEPT, SUMS
from anthropi.gait.walker.ground import pelvis_push
from anthropi.simulation.drive import checked
from anthropi.simulation.forces import combined
from anthropi.simulation.simulation import Simulation

__all__ = ["DT", "PUSH", "Searched", "Trials"]

DT = 1e-3  # [s]
PUSH = 0.1  # [s]


class Searched:
    """A controller whose parameters come from a vector of searched numbers, with a push at the pelvis.

    Parameters: "numbers" (n,) of a `space.Space`; "push" (3,): force [N] forward and left, and the time [s] it begins.
    """

    def __init__(self, controller: Any, space: Any):
        self.controller, self.space = controller, space
        self.parameters = {"numbers": np.zeros(len(space.entries)), "push": np.zeros(3)}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(self, figure, sense, memory, parameters):
        """The drive of the searched controller and the push."""
        own = self.space.recorded(parameters["numbers"])
        drive, after = self.controller(figure, sense, memory, own)
        x, y, begins = parameters["push"]
        acts = where(less(sense.t, begins), 0.0, where(less(sense.t, begins + PUSH), 1.0, 0.0))
        push = pelvis_push(sense.q, x * acts, y * acts)
        return combined(push, checked(figure, drive, self.prescribed)), after


class Trials:
    """Walks of a scored controller in a scene, `piece` steps a call. space : the numbers that differ (`space.py`)."""

    def __init__(self, scene, controller, space, piece: int = 500, dt: float = DT, **options):
        self.controller, self.space, self.piece, self.dt = controller, space, piece, dt
        self.scene, self.figure, self.options = scene, scene.figure, options
        self.searched = Searched(controller, space)

    def start(self, batch: int, q, u, **memory) -> Simulation:
        """All walks at their start. memory : of the controller, where it differs from its own."""
        walks = Simulation(self.scene, self.searched, self.dt, batch=batch, **self.options)
        walks.reset(q, u)
        if memory:
            walks.set_memory({"control": {name: np.broadcast_to(x, (batch,)) for name, x in memory.items()}})
        return walks

    def go(self, walks: Simulation, numbers, command, push=None) -> Simulation:
        """Make a piece; walks that are lost stay where numbers are finite."""
        push = np.zeros((walks.batch, 3)) if push is None else np.array(push, float)
        push[:, 2] += walks.time
        walks.set_parameters({"numbers": numbers, "push": push})
        walks.step(self.piece, command=command)
        walks.replace_lost()
        return walks

    def sums(self, walks: Simulation) -> dict[str, np.ndarray]:
        """Accumulated measures (`score.SUMS`), and steps."""
        memory = walks.memory["control"]
        names = (*SUMS, *KEPT, "steps", "gear", "speed", "stand")
        return {name: np.array(np.reshape(memory[name], walks.batch)) for name in names}
