"""What a simulation is of: a figure alone, or in a scene, driven by forces or by a controller. Floats only."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.contact.scene import Scene
from anthropi.contact.touches import touch_names
from anthropi.errors import InputError, ShapeError, StateError, did_you_mean
from anthropi.figure import Figure
from anthropi.figure.numbers import numbers as slots_of
from anthropi.motion import Motion
from anthropi.simulation.acting import Setting
from anthropi.simulation.inputs import Inputs, finite_array, number
from anthropi.simulation.scene_rollout import SceneRun, numbers, recorded
from anthropi.simulation.sense import is_controller

__all__ = ["Place", "in_scene"]


@dataclass
class Place:
    """What `simulate` was given, the scene and the controller taken apart. run : None for a figure alone."""

    figure: Figure
    q: Any
    u: Any
    forces: Any
    method: str
    prescribed: Any
    parameters: dict | None
    start: float
    run: SceneRun | None
    told: dict[str, Any]
    command: Any
    seed: int
    state: dict[str, Any]
    first: int = 0  # which rollout of an earlier batch goes on, or the first of them

    @property
    def driven(self) -> bool:
        """Whether there is a controller."""
        return self.run is not None and self.run.setting.controller is not None

    def into(self, given: Inputs, tolerance, precision="float64") -> None:
        """What the kernel of a scene takes, beside the rest."""
        given.state |= self.state
        if "count" in self.state:
            first = self.state["count"] / given.every
            given.times = given.start + given.dt * given.every * (first + np.arange(len(given.times)))
        if self.run is None:
            return
        if tolerance is not None:
            raise InputError(
                "A tolerance is for a figure alone; contacts and controllers come step by step. Leave it out."
            )
        if hasattr(self.run.setting.controller, "check"):
            self.run.setting.controller.check(given.figure, given.q, given.u, float(given.times[0]))
        given.functions["scene"] = self.run  # type: ignore[assignment]
        if self.run.settings.size:
            given.arrays["settings"] = given.batched("parameters", self._settings(given), 1)
        if self.run.command:
            given.arrays["command"] = given.batched("command", self.command, 1)
        size = self.run.memory.size
        if size and "memory" not in self.state:
            given.state["memory"] = self.run.state()["memory"]
        elif size:
            given.batched("memory", np.asarray(self.state["memory"]), 1)
        if self.run.setting.contact is not None:
            given.metadata["touches"] = touch_names(self.run.setting.scene)
        given.width += size + self._seen(given)
        given.stops = self.run.stop is not None
        many = np.arange(given.batch or 1)
        most = np.uint64(1 << (24 if precision == "float32" else 32))  # whole numbers that the precision tells apart
        key = (np.uint64(self.seed) * np.uint64(2654435761) + np.uint64(self.first) + many.astype(np.uint64)) % most
        given.arrays["stream"] = key.astype(float) if given.batch is not None else np.asarray(float(key[0]))

    def _seen(self, given: Inputs) -> int:
        """How many numbers a frame brings in channels, as far as that is known before."""
        assert self.run is not None
        figure, setting = given.figure, self.run.setting
        sizes = {"energy": 2, "work": 4, "contact": 3 * len(touch_names(setting.scene)) if setting.contact else 0}
        state = given.q.reshape(-1, figure.nq)[0], given.u.reshape(-1, figure.nu)[0]
        for name, function in self.run.record.items():
            if function is not None:
                sizes[name] = np.size(function(figure, given.start, *state))
        return sum(sizes.get(name, figure.nu) for name in self.run.record)

    def _settings(self, given: Inputs) -> np.ndarray:
        """The controller's parameters as one row, or one a rollout."""
        assert self.run is not None
        whole = self.run.settings.unpack(np.zeros(self.run.settings.size))
        parts, lead = [], ()
        for name, shape in zip(self.run.settings.names, self.run.settings.shapes, strict=True):
            array = np.asarray(self.told.get(name, whole[name]))
            if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
                raise InputError(f"Parameter '{name}' of the controller holds what is no finite number.")
            array = array.astype(float)
            if array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1:
                raise ShapeError(f"Parameter '{name}' has shape {array.shape}; wanted {shape} or {('batch', *shape)}.")
            parts.append(array.reshape(*array.shape[: array.ndim - len(shape)], -1))
            lead = given.batched(name, array, len(shape)).shape[: array.ndim - len(shape)] or lead
        return np.concatenate([np.broadcast_to(p, (*lead, p.shape[-1])) for p in parts], -1)


def in_scene(figure, q, u, forces, method, prescribed, parameters, command, seed, record, conserve, stop,
             start, dt) -> Place:  # fmt: skip
    """Take apart what is simulated."""
    scene = figure if isinstance(figure, Scene) else None
    own = figure if scene is None else scene.figure
    if not isinstance(own, Figure):
        raise InputError(f"simulate takes a figure or a scene first, then q and u; got {type(figure).__name__}.")
    if scene is not None and own.nu == 0:
        raise InputError(f"Nothing in the scene can move: figure '{own.name}' has no degrees of freedom.")
    controller = forces if is_controller(forces) else None
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 32:
        raise InputError(f"seed={seed!r}: give a whole number from 0 to 2^32 - 1.")
    if not (stop is None or callable(stop)):
        raise InputError(f"stop={stop!r}: give a function (figure, t, q, u) → mask, or None.")
    state: dict[str, Any] = {}
    first = 0
    if isinstance(q, Motion):
        first = q.metadata.get("clock", {}).get("rollout", 0)
        q, u, start, state = _end_of(q, own, u, dt)
    told, slots = _told(own, controller, parameters)
    command = None if command is None else _command(command)
    run = None
    if scene is not None or controller is not None or record or conserve or stop is not None:
        size = 0 if command is None else len(command.T)
        setting = Setting(own, scene, controller)
        wanted = recorded(setting, record)
        run = SceneRun.of(replace(setting, audit="work" in wanted), size, wanted, bool(conserve), stop)
        _check_memory(run, state)
    elif command is not None:
        raise InputError("command is for a controller; give one as `forces`, or leave it out.")
    held = (prescribed,) if isinstance(prescribed, str) else prescribed
    if controller is not None and isinstance(held, (tuple, list, set, frozenset)):
        held = tuple(dict.fromkeys((*held, *controller.prescribed)))
    if controller is not None:
        defaults = numbers(controller.parameters)
        told = defaults | told
    if run is None:
        state.pop("memory", None)
    rule = method or ("rk4" if scene is None and controller is None else "linearly_implicit_euler")
    left = None if controller is not None else forces
    return Place(own, q, u, left, rule, held, slots, start, run, told, command, int(seed), state, first)


def _command(command) -> np.ndarray:
    """Numbers (n,) or (batch, n)."""
    array = finite_array("command", command, None)
    if array.ndim not in (1, 2):
        raise ShapeError(f"'command' has shape {array.shape}; wanted (n,) or (batch, n).")
    return array


def _told(figure, controller, parameters) -> tuple[dict[str, Any], Any]:
    """Parameters of the controller, and of the figure."""
    if controller is None or not isinstance(parameters, dict):
        return {}, parameters
    own = {name: x for name, x in parameters.items() if name in controller.parameters}
    slots = {name: x for name, x in parameters.items() if name not in own}
    for name in slots:
        if name.split("[")[0] not in slots_of(figure):
            known = [*controller.parameters, *slots_of(figure)]
            raise InputError(f"No parameter '{name}' in the controller or the figure.{did_you_mean(name, known)} The "
                            f"controller has: {', '.join(controller.parameters) or 'none'}.")  # fmt: skip
    return own, slots or None


def _end_of(motion: Motion, figure, u, dt):
    """State, time and memory at the end of a motion, to go on with steps of dt; None: of any length."""
    if u is not None:
        raise InputError("q is a motion to go on from, which has its velocities; leave u out.")
    if motion.figure.nq != figure.nq or motion.figure.dofs != figure.dofs:
        raise StateError(f"The motion is of figure '{motion.figure.name}', this is '{figure.name}'.")
    state = {"memory": motion.channels["memory"][..., -1, :]} if "memory" in motion.channels else {}
    q, u, time, clock = motion.q[..., -1, :], motion.u[..., -1, :], float(motion.time[-1]), motion.metadata.get("clock")
    if clock is not None and dt is not None:
        count = round((time - clock["start"]) / clock["dt"])
        if abs(clock["start"] + count * clock["dt"] - time) < 1e-6 * clock["dt"] * max(1, count):
            start = clock["start"] if dt == clock["dt"] else time - count * number("dt", dt, positive=True)
            return q, u, start, state | {"count": float(count)}
    return q, u, time, state


def _check_memory(run: SceneRun, state) -> None:
    if "memory" in state and np.shape(state["memory"])[-1] != run.memory.size:
        raise StateError(f"The motion remembers {np.shape(state['memory'])[-1]} numbers, this scene {run.memory.size}; "
                        "it is of another scene or controller.")  # fmt: skip
