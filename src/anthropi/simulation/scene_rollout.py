"""The loop over time for a figure in a scene or with a controller, inside one kernel. `rollout.py` has the loop itself.

Frames bring q, u, the memory, and what else is to be recorded, which is computed at frames only.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.constraints.loops.dynamics import accelerate
from anthropi.errors import InputError, did_you_mean
from anthropi.simulation.acting import Given, Setting, acting, first_memory
from anthropi.simulation.drive import acceleration, applied_force, inputs
from anthropi.simulation.inputs import finite_array
from anthropi.simulation.memory import Layout, layout
from anthropi.simulation.methods import SemiImplicit
from anthropi.simulation.methods import method as by_name
from anthropi.simulation.rollout import Plan, drive_of, piece
from anthropi.simulation.scene_step import SceneState, over_of, scene_step

__all__ = ["CHANNELS", "SceneRun", "recorded"]

CHANNELS = ("contact", "tau", "udot", "energy", "work")


@dataclass(frozen=True, eq=False)
class SceneRun:
    """A setting, ready to be recorded.

    memory, settings : how they lie in a row. command : how many numbers. record : {channel: None, or a function
    (figure, t, q, u)}. conserve : whether steps keep momentum. stop : function (figure, t, q, u) → mask, or None.
    """

    setting: Setting
    memory: Layout
    settings: Layout
    command: int
    record: dict[str, Callable | None]
    conserve: bool = False
    stop: Callable | None = None

    @staticmethod
    def of(setting: Setting, command: int, record, conserve: bool, stop=None) -> "SceneRun":
        """With the layouts of what the setting remembers and is told."""
        told = {} if setting.controller is None else setting.controller.parameters
        return SceneRun(setting, layout(first_memory(setting)), layout(numbers(told)), command, record, conserve, stop)

    def state(self) -> dict[str, np.ndarray]:
        """The memory at the start, as a kernel carries it."""
        return {"memory": self.memory.pack(first_memory(self.setting))} if self.memory.size else {}

    def inputs(self) -> dict[str, np.ndarray]:
        """Zeros for what a kernel takes besides the state."""
        found = {"settings": self.settings.size, "command": self.command}
        return {name: np.zeros(n) for name, n in found.items() if n} | {"stream": np.zeros(())}

    def piece(self, figure, plan: Plan, functions, q, u, count, due, start, dt, per_frame, limit, memory=None,
              settings=None, command=None, stream=0.0, **given):  # fmt: skip
        """Some frames; what `rollout` records."""
        setting = self._of(figure)
        rows = {name: given.pop(name) for name in ("forces", "udot") if getattr(plan, name) == "rows"}
        told = {} if settings is None else self.settings.unpack(settings)
        command = np.zeros(0) if command is None else command
        first = np.zeros(0) if memory is None else memory

        def at(count, row=None):
            base = drive_of(figure, plan._replace(prescribed=()), functions, given | (row or {}))
            return base, Given(told, command, stream, count)

        def step(state, count, row=None):
            q, u, memory = state
            base, also = at(count, row)
            held = SceneState(q, u, self.memory.unpack(memory))
            after = scene_step(setting, base, held, start + count * dt, dt, also, plan.method, plan.prescribed,
                               self.conserve)  # fmt: skip
            return after.q, after.u, self.memory.pack(after.memory)

        def observe(state, count):
            q, u, memory = state
            q, u = (q, u) if setting.rooted is None else setting.rooted.back(q, u)
            row = {name: array[0, 0] for name, array in rows.items()}  # a row is for a step, not for a frame
            base, also = at(count, row)
            return self._seen(setting, plan, base, start + count * dt, dt, q, u, self.memory.unpack(memory), also)

        def stop(state, count):
            q, u = state[:2] if setting.rooted is None else setting.rooted.back(*state[:2])
            return self.stop(figure, start + count * dt, q, u)  # type: ignore[misc]

        seen = observe if self.record else None
        last, frames = piece(step, (q, u, first), (count, due), plan.frames, per_frame, limit, rows or None, plan.every,
                             seen, None if self.stop is None else stop)  # fmt: skip
        (q1, u1, after), (done, due) = last[:2]
        state = {"q": q1, "u": u1, "count": done, "due": due} | ({"memory": after} if self.memory.size else {})
        found = {"q": frames[0][0], "u": frames[0][1]} | ({"memory": frames[0][2]} if self.memory.size else {})
        if seen is None:
            return state, found, {}
        return state, found | frames[2], observe((q, u, first), count)

    def held(self, figure, plan: Plan, functions, t, dt, q, u, count, memory=None, settings=None, command=None,
             stream=0.0, **given):  # fmt: skip
        """{loop: (6,)}: what holds each loop over the step from a state on; pure."""
        told = {} if settings is None else self.settings.unpack(settings)
        also = Given(told, np.zeros(0) if command is None else command, stream, count)
        base = drive_of(figure, plan._replace(prescribed=()), functions, given)
        left, over = {} if memory is None else self.memory.unpack(memory), over_of(plan.method, dt)
        drive = acting(self._of(figure), base, t, q, u, left, also, over).drive
        tau, extra, added = inputs(figure, drive, q, u, over)
        return accelerate(figure, q, u, tau, drive.f_ext, extra, drive.course, drive.udot, plan.prescribed, added)[2]

    def _of(self, figure) -> Setting:
        """The setting with this figure, whose numbers may be inputs."""
        scene = self.setting.scene
        if figure is self.setting.figure:
            return self.setting
        return replace(self.setting, figure=figure, scene=None if scene is None else scene.changed(figure=figure))

    def _seen(self, setting, plan, base, t, dt, q, u, memory, also) -> dict[str, Any]:
        """What is recorded of a state: of steps of first order, what acts over the step that begins there."""
        figure, over, found = setting.figure, over_of(plan.method, dt), dict[str, Any]()
        first = isinstance(by_name(plan.method), SemiImplicit)
        now, udot = acting(setting, base, t, q, u, memory, also, over), None
        if first and {"tau", "udot"} & {name for name, function in self.record.items() if function is None}:
            state = SceneState(q, u, memory)
            udot = (
                scene_step(setting, base, state, t, dt, also, plan.method, plan.prescribed, self.conserve).u - u
            ) / dt
        for name, function in self.record.items():
            if function is not None:
                found[name] = np.asarray(function(figure, t, q, u))
            elif name == "contact":
                found["contact"] = now.forces
            elif name == "tau":
                found["tau"] = applied_force(figure, now.drive, q, u, udot if first else np.zeros(figure.nu), over)
            elif name == "udot":
                found["udot"] = udot if first else acceleration(figure, now.drive, q, u, plan.prescribed)
            elif name == "work":
                found["work"] = memory["work"]
            else:
                found["energy"] = np.array([kinetic_energy(figure, q, u), potential_energy(figure, q)])
        return found


def recorded(setting: Setting, record) -> dict[str, Callable | None]:
    """What is to be recorded, by channel: names in `CHANNELS`, and {name: function (figure, t, q, u)}."""
    if record is None:
        record = ("contact",) if setting.contact is not None else ()
    chosen = {record: None} if isinstance(record, str) else record
    if not isinstance(chosen, (dict, list, tuple, set, frozenset)):
        raise InputError(f"record={record!r}: give names of channels ({', '.join(CHANNELS)}), or {{name: function}}.")
    found = dict(chosen) if isinstance(chosen, dict) else dict.fromkeys(chosen)
    for name, function in found.items():
        if name in ("q", "u", "memory", "tries") or not isinstance(name, str):
            raise InputError(f"record cannot have a channel {name!r}: give it a name of its own.")
        if function is None and name not in CHANNELS:
            raise InputError(f"record has no channel '{name}'.{did_you_mean(str(name), CHANNELS)} Channels: "
                            f"{', '.join(CHANNELS)}; or give {{name: function (figure, t, q, u)}}.")  # fmt: skip
        if function is not None and not callable(function):
            raise InputError(f"record['{name}'] must be a function (figure, t, q, u), or None; got {function!r}.")
    if "contact" in found and setting.contact is None:
        raise InputError("record asks for contacts, and nothing here can touch anything. Give a scene with contact.")
    return found


def numbers(told: dict) -> dict[str, np.ndarray]:
    """Parameters as arrays of floats."""
    return {name: finite_array(name, x, None) for name, x in told.items()}
