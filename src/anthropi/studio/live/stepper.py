"""A few steps of a scene in one kernel; everything that may change between two calls is its input.

State: q, u, memory, t. Inputs: how many steps; wrenches (6,) on all links, in their frames; a controller's parameters
and command; the figure's numbers (`slots.py`). A step is of first order, so what acts is asked for once.

It is interpreted at once and compiled meanwhile.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less
from anthropi.algorithms.kinematics import Kinematics, kinematics
from anthropi.compile import build, kernel_for
from anthropi.compile.cache import digest
from anthropi.contact.touches import touch_names
from anthropi.gait.trials.subject import Unaware
from anthropi.simulation.acting import Given, Setting, acting, first_memory
from anthropi.simulation.drive import Drive
from anthropi.simulation.impulses import impulse_step, needs_impulses
from anthropi.simulation.memory import layout
from anthropi.simulation.step import State, advance
from anthropi.studio.live.slots import Slots
from anthropi.tape import record, repeat

__all__ = ["Seen", "Stepper"]

MOST = 1000  # steps in a call


class Seen(NamedTuple):
    """What there is to see of a state: where links are and how they move; points (touches, 3) and forces on them."""

    kinematics: Kinematics
    points: np.ndarray
    forces: np.ndarray


class Stepper:
    """A scene that goes on. setting : what is simulated. command : how many numbers a controller is told.

    name : that says all of the setting, if something does: then the kernel is known without being recorded.
    """

    def __init__(self, setting: Setting, dt: float, command: int = 0, name: str = ""):
        self.setting, self.dt, self.command = setting, dt, command
        self.slots = Slots(setting.figure)
        self.prescribed = () if setting.controller is None else tuple(setting.controller.prescribed)
        first = first_memory(setting)
        self.memory = layout(first)
        self.first = self.memory.pack(first)
        told = {} if setting.controller is None else setting.controller.parameters
        self.settings = layout({n: np.asarray(x, float) for n, x in told.items()})
        self.parameters = self.settings.pack({n: np.asarray(x, float) for n, x in told.items()})
        self.touches = touch_names(setting.scene) if setting.contact is not None else ()
        self.kernel: Any
        if name:
            known = digest("studio live", name, setting.figure.key, str((dt, command)))
            self.kernel = kernel_for(known, self._tape, opt="now")
        else:
            self.kernel = build(self._tape(), opt="now")

    def numbers(self) -> np.ndarray:
        """The figure's own numbers."""
        row = self.slots.row(self.setting.figure)
        assert row is not None
        return row

    def __call__(self, state, steps: int, numbers, wrench, parameters, command) -> tuple[list, Seen]:
        """The state after some steps, at most `MOST`, and what there is to see of it."""
        found = self.kernel(*state, np.array(float(steps)), numbers, wrench, parameters, command)
        *after, rotation, position, omega, velocity, points, forces = found
        return after, Seen(Kinematics(rotation, position, omega, velocity), points, forces)

    def _tape(self):
        figure = self.setting.figure
        return record(self._steps, q=figure.neutral(), u=np.zeros(figure.nu), row=self.first, t=np.zeros(()),
                      count=np.zeros(()), numbers=np.zeros(self.slots.size), wrench=np.zeros((figure.n, 6)),
                      parameters=np.zeros(self.settings.size), command=np.zeros(self.command))  # fmt: skip

    def _steps(self, q, u, row, t, count, numbers, wrench, parameters, command):
        setting = self._traced(numbers)
        figure, dt = setting.figure, self.dt
        given = Given(self.settings.unpack(parameters), command, 0.0, 0.0)

        def base(t, q, u) -> Drive:
            return Drive(f_ext=dict(enumerate(wrench)))

        def step(state):
            q, u, row, t, left, *_ = state
            now = acting(setting, base, t, q, u, self.memory.unpack(row), given, dt)
            if needs_impulses(setting):
                q1, u1, after, _ = impulse_step(setting, now, q, u, dt, self.prescribed, True)
            else:
                reached = advance(figure, lambda t, q, u: now.drive, State(t, q, u), dt, "linearly_implicit_euler",
                                  self.prescribed)  # fmt: skip
                q1, u1, after = reached.q, reached.u, now.memory
            forces = none if now.forces is None else now.forces
            points = np.stack([np.asarray(x.point) for x in now.touches]) if now.touches else none
            return q1, u1, self.memory.pack(after), t + dt, left - 1.0, points, forces

        none = np.zeros((len(self.touches), 3))
        first = (q, u, row, t, count, none, none)
        last = repeat(step, first, MOST, until=lambda state: less(state[4], 0.5))
        k = kinematics(figure, last[0], last[1])
        rows = (np.stack(x) for x in (k.rotation, k.position, k.angular_velocity, k.velocity))
        return (*last[:4], *rows, *last[5:])

    def _traced(self, numbers) -> Setting:
        """The setting with what is an input in it."""
        setting, figure = self.setting, self.slots.traced(numbers)
        scene = None if setting.scene is None else setting.scene.changed(figure=figure, gravity=None)
        law = None if setting.controller is None else Unaware(setting.controller, setting.figure)
        return replace(setting, figure=figure, scene=scene, controller=law)
