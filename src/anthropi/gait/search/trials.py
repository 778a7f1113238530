"""Many walks at once: a kernel that takes a piece of a walk, for rows of states, searched numbers, commands and pushes.

What is not searched is a constant of the kernel. A push is a force at the pelvis for 0.1 s, from some time in the
piece on.
"""

import numpy as np

from anthropi.algebra.scalar import less, where
from anthropi.compile import build
from anthropi.gait.search.score import KEPT, SUMS
from anthropi.gait.walker.command import WIDTH
from anthropi.gait.walker.ground import pelvis_push
from anthropi.simulation.acting import Given, Setting, first_memory
from anthropi.simulation.memory import layout
from anthropi.simulation.scene_step import SceneState, scene_step
from anthropi.tape import record, repeat

__all__ = ["DT", "PUSH", "Trials"]

DT = 1e-3  # [s]
PUSH = 0.1  # [s]


class Trials:
    """Walks of a scored controller in a scene, `piece` steps a call. space : the numbers that differ (`space.py`)."""

    def __init__(self, scene, controller, space, piece: int = 500, dt: float = DT, **built):
        self.controller, self.space, self.piece, self.dt = controller, space, piece, dt
        setting = Setting(scene.figure, scene, controller)
        self.figure, self.first = scene.figure, first_memory(setting)
        self.memory = layout(self.first)
        self.tape = record(self._walk(setting), q=self.figure.neutral(), u=np.zeros(self.figure.nu),
                           memory=np.zeros(self.memory.size), t=np.zeros(()), numbers=np.zeros(len(space.entries)),
                           command=np.zeros(WIDTH), push=np.zeros(3))  # fmt: skip
        self.kernel = build(self.tape, **built)
        places = self.memory.unpack(np.arange(self.memory.size, dtype=float))["control"]
        self.column = {name: int(np.asarray(x)) for name, x in places.items()}

    def _walk(self, setting):
        def walk(q, u, memory, t, numbers, command, push):
            given = Given(self.space.recorded(numbers), command, 0.0, 0.0)
            begins = t + push[2]

            def force(t, q, u):
                acts = where(less(t, begins), 0.0, where(less(t, begins + PUSH), 1.0, 0.0))
                return pelvis_push(q, push[0] * acts, push[1] * acts)

            def step(state):
                q, u, row, t = state
                after = scene_step(setting, force, SceneState(q, u, self.memory.unpack(row)), t, self.dt, given)
                return after.q, after.u, self.memory.pack(after.memory), t + self.dt

            return repeat(step, (q, u, memory, t), self.piece)

        return walk

    def start(self, batch: int, q, u, **memory):
        """State of all walks: q, u, memory rows, t. memory : control memory that differs from the first."""
        rows = np.tile(self.memory.pack(self.first), (batch, 1))
        for name, x in memory.items():
            rows[:, self.column[name]] = x
        q, u = (np.tile(np.asarray(x, float), (batch, 1)) if np.ndim(x) == 1 else np.array(x, float) for x in (q, u))
        return [q, u, rows, np.zeros(batch)]

    def go(self, state, numbers, command, push=None):
        """The state after a piece; walks that are lost stay where numbers are finite."""
        push = np.zeros((len(numbers), 3)) if push is None else push
        q, u, rows, t = self.kernel(*state, numbers, command, push)
        return [np.nan_to_num(q), np.nan_to_num(u), np.nan_to_num(rows), t]

    def sums(self, state) -> dict[str, np.ndarray]:
        """What has been added up (`score.SUMS`), and steps."""
        return {name: state[2][:, self.column[name]] for name in (*SUMS, *KEPT, "steps", "gear", "speed", "stand")}
