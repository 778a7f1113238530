"""A kernel together with the state of a `Simulation`.

The state of one rollout is held in the buffers of the kernel, the state of a batch in NumPy arrays.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.entry.kernels import compile
from anthropi.errors import InputError, ShapeError, StepError
from anthropi.figure import Figure
from anthropi.figure.numbers import find_slot, numbers
from anthropi.simulation.divergence import safe_square
from anthropi.simulation.slots import SCENE_SLOTS

__all__ = ["FRAMES_PER_CALL", "HeldKernel", "kinematics_kernel", "recorded", "replaced_rows", "stacked"]

BINDING_TARGETS = ("cpu", "wasm")  # targets whose buffers are arrays of this process
MAX_DIRECT_OPERATIONS = 1_000_000  # of all rollouts: about 30 µs, in which a direct call keeps other threads waiting
FRAMES_PER_CALL = 16  # frames that a recording kernel computes in a call; frames that are not needed cost nothing


class HeldKernel:
    """A stepping kernel, its inputs, and the state of a simulation.

    For one rollout on the CPU, the state is in the buffers of the kernel as soon as its code is compiled. A step then
    copies the inputs, makes one call and copies the state back, without allocating memory.
    """

    command: Any
    kernel: Any
    links: Any
    names: Any
    program: Any
    sim: Any
    size: Any
    stale: Any
    takes_tau: Any

    def __init__(self, sim: Any, program: Any, kernel: Any) -> None:
        self.sim, self.program, self.kernel = sim, program, kernel
        self.names = tuple(program.state())
        self.size = sum(int(np.prod(np.shape(x))) for x in program.state().values())
        self.takes_tau, self.command, self.links = bool(program.forces), program.command, program.f_ext
        self.stale = False  # whether parameters have changed since they were written to the buffers
        self._call: Any = None
        self._held: dict[str, np.ndarray] = {}
        self._view: dict[str, np.ndarray] = {}

    def takes(self, tau: Any, command: Any, f_ext: Any) -> bool:
        """Whether this kernel has exactly these inputs."""
        links = "" if f_ext is None else linked(self.sim.figure, f_ext)
        size = 0 if command is None else len(command) if self.sim.batch == 1 else np.shape(command)[-1]
        return self.takes_tau == (tau is not None) and self.command == size and self.links == links

    # arrays on a GPU (device_kernel.py)

    def puts(self, fresh: dict[str, Any], where: Any) -> bool:
        """Replace arrays of the state directly on the GPU if possible; return whether this was done (here: never)."""
        return False

    def takes_parameters(self, known: Any, parameters: dict[str, Any], where: Any) -> bool:
        """Set the parameters directly on the GPU if possible; return whether this was done (here: never)."""
        return False

    def takes_rows(self, rows: dict[str, Any], where: Any) -> bool:
        """Set rows of parameters directly on the GPU if possible; return whether this was done (here: never)."""
        return False

    def parameter_arrays(self) -> dict[str, Any] | None:
        """Return the rows of parameters on the GPU; None if the state is not there (here: always None)."""
        return None

    def newer_parameters(self) -> dict[str, np.ndarray]:
        """Return rows of parameters that were changed on a GPU since the last call (here: none)."""
        return {}

    # state

    def enter(self, state: dict[str, np.ndarray]) -> None:
        """Take over a state (batch, …)."""
        self._held = {name: state[name] for name in (*self.names, "start", "stream")}
        self._call = None
        self.stale = False

    def state(self) -> dict[str, np.ndarray]:
        """Return the state as arrays (batch, …)."""
        if self._call is None:
            return self._held
        return {name: self._view[name] for name in (*self.names, "start", "stream")}

    def leave(self) -> dict[str, np.ndarray]:
        """Return a copy of the state (batch, …) and release the buffers."""
        found = {name: np.array(x) for name, x in self.state().items()}
        self._call = None
        return found

    # steps

    def run(self, steps: int, tau: Any, command: Any, f_ext: Any) -> None:
        """Make a number of steps with these inputs."""
        if not isinstance(steps, (int, np.integer)) or steps < 0:
            raise InputError(f"step({steps!r}) is not valid. Give an integer number of steps, 0 or more.")
        if self._call is None and not self._bind():
            self._plain(steps, steps, tau, command, f_ext)
            if self.sim.batch == 1:
                refuse_diverged(self.sim)
            return
        self._prepare(steps, tau, command, f_ext)
        self._call()
        self._inside[...] = self._outside
        if not self._square(self._moving) < self._safe:  # 0.4 µs; False for NaN
            refuse_diverged(self.sim)

    def bound_step(self, tau: Any, command: Any, f_ext: Any) -> Callable[[], None]:
        """Return the bound kernel, a function that makes one step from the current state at every call."""
        self.kernel.settle()
        if self._call is None and not self._bind():
            raise InputError(
                "bound_step needs a simulation of one rollout on the CPU or in WebAssembly. Use batch=1 and "
                'target="cpu" or "wasm".'
            )
        self._prepare(1, tau, command, f_ext)
        return self._call

    def _prepare(self, steps: int, tau: Any, command: Any, f_ext: Any) -> None:
        """Write the inputs of a number of steps into the buffers."""
        if self.stale:
            self._write_parameters()
        if tau is not None:
            self._write("forces", tau)
        if command is not None:
            self._write("command", command)
        if f_ext is not None:
            self._write("f_ext", stacked(f_ext))
        self._limit[0] = self._due[0] = self._count[0] + steps

    def _write(self, name: str, value: Any) -> None:
        """Write one input into its buffer; raise an error if its shape is wrong or a number is not finite."""
        view = self._view[name]
        array = value if type(value) is np.ndarray else np.asarray(value)
        if array.shape != view.shape[1:] and array.shape != view.shape:
            raise ShapeError(f"'{_SHOWN.get(name, name)}' has shape {array.shape}. Give shape {view.shape[1:]}.")
        view[...] = array
        flat = view.reshape(-1)
        if not flat.dot(flat) < math.inf and not np.isfinite(view).all():  # 0.3 µs if all numbers are finite
            raise InputError(f"'{_SHOWN.get(name, name)}' contains a number that is not finite. Give finite numbers.")

    def _sized(self, name: str, array: np.ndarray) -> np.ndarray:
        """Return an input; raise ShapeError if it has not the shape for one rollout or for all of them."""
        shape = next(slot.shape for slot in self.kernel.inputs if slot.name == name)
        if array.shape not in (shape, (self.sim.batch, *shape)):
            many = "" if self.sim.batch == 1 else f" or {(self.sim.batch, *shape)}"
            raise ShapeError(f"'{_SHOWN.get(name, name)}' has shape {array.shape}. Give shape {shape}{many}.")
        return array.reshape(shape) if self.sim.batch == 1 else array

    def _write_parameters(self) -> None:
        """Write the parameters of the simulation into the buffers."""
        for name, array in self.sim.parameter_rows().items():
            self._view[name][...] = array
        self.stale = False

    def _bind(self) -> bool:
        """Move the state into the buffers of the kernel, if there is one rollout and the code is compiled."""
        if self.sim.batch != 1 or self.sim.target not in BINDING_TARGETS or not self.kernel.compiled:
            return False
        buffers = self.kernel.buffers(1)
        names = [slot.name for slot in self.kernel.inputs]
        self._view = {name: buffers.input(name)[0] for name in names}
        self._inside, self._outside = (part.reshape(-1) for part in buffers.leading(self.size))
        figure = self.sim.figure
        self._moving = self._outside[: figure.nq + figure.nu]  # q and u come first in the state
        self._square = self._moving.dot
        self._safe = safe_square(self.sim.dt, self.sim.precision)
        self._limit, self._due, self._count = (self._view[name].reshape(-1) for name in ("limit", "due", "count"))
        for name in (*self.names, "start", "stream"):
            self._view[name][...] = self._held[name]
        self._view["dt"][...], self._view["per_frame"][...] = self.sim.dt, 1.0
        self._write_parameters()
        self._call = self.kernel.bind(buffers)
        return True

    def _plain(self, steps: int, per_frame: int, tau: Any, command: Any, f_ext: Any) -> dict[str, np.ndarray]:
        """Make steps by an ordinary call of the kernel; return the frames {name: (batch, frames, …)}."""
        held, alone = self._held, self.sim.batch == 1
        given = {name: held[name] for name in (*self.names, "start", "stream")} | self.sim.parameter_rows()
        given |= {"limit": held["count"] + steps, "due": held["count"] + per_frame}
        given = {name: x[0] for name, x in given.items()} if alone else given
        given |= {"dt": np.array(self.sim.dt), "per_frame": np.array(float(max(per_frame, 1)))}
        for name, value in (("forces", tau), ("command", command), ("f_ext", f_ext)):
            if value is not None:
                given[name] = self._sized(name, _finite(name, stacked(value) if name == "f_ext" else value))
        arrays = tuple(given[slot.name] for slot in self.kernel.inputs)
        little = not alone and steps * self.sim.batch * self.kernel.operations <= MAX_DIRECT_OPERATIONS
        found = self.kernel.direct(arrays, little_work=True) if little else None
        after, frames, _ = self.kernel(*arrays, threads=self.sim.threads) if found is None else found
        if alone:
            after, frames = ({name: np.asarray(x)[None] for name, x in found.items()} for found in (after, frames))
        self._held = held | after
        self.stale = False
        return frames

    def frames(self, count: int, every: int, tau: Any, command: Any, f_ext: Any) -> dict[str, np.ndarray]:
        """Make count × every steps; return {name: (batch, count, …)} with time, q, u and channels of each frame.

        time, q and u are those at the start of each group of `every` steps.
        """
        start = {name: np.array(self.state()[name]) for name in ("q", "u", "count")}
        if self._call is not None:
            self._held = self.leave()
        found = self._plain(count * every, every, tau, command, f_ext)
        shown = {name: x[:, :count] for name, x in found.items() if name not in ("memory", "means")}
        for name in ("q", "u"):
            shown[name] = np.concatenate([start[name][:, None], shown[name][:, :-1]], 1)
        counts = start["count"][:, None] + every * np.arange(count)
        means = self.program.mean_values(found["means"][:, :count]) if self.program.means.size else {}
        return {"time": self._held["start"][:, None] + counts * self.sim.dt} | shown | means


def kinematics_kernel(figure: Figure, sizes: dict[str, int]) -> tuple[Any, list[int]]:
    """Return the kernel of the kinematics of a simulation, and the entries of the row of slots that it takes.

    Kinematics depend on the origins of joints and on no other slot. sizes : {slot: how many numbers it has}.
    """
    known, read, entries, at = numbers(figure), list[str](), list[int](), 0
    for slot, size in sizes.items():
        if slot not in SCENE_SLOTS and find_slot(slot, known)[0].endswith(".origin"):
            read.append(slot)
            entries += range(at, at + size)
        at += size
    return compile(kinematics, figure, ("q", "u"), parameters=read, opt="now"), entries


_SHOWN = {"forces": "tau"}


def linked(figure: Any, f_ext: Any) -> tuple[int, ...]:
    """Return the numbers of the links on which external forces act."""
    if isinstance(f_ext, dict):
        return tuple(figure.link_index(name) if isinstance(name, str) else int(name) for name in f_ext)
    return tuple(range(figure.n))


def stacked(f_ext: Any) -> np.ndarray:
    """Convert external forces to an array (links, 6) or (batch, links, 6)."""
    if isinstance(f_ext, dict):
        return np.stack([np.asarray(x, float) for x in f_ext.values()], -2)
    return f_ext if hasattr(f_ext, "shape") else np.asarray(f_ext)


def _finite(name: str, value: Any) -> np.ndarray:
    """Convert an input to an array of floats; raise InputError if a number is not finite."""
    array = np.asarray(value, float)
    if not np.isfinite(array).all():
        raise InputError(f"'{_SHOWN.get(name, name)}' contains a number that is not finite. Give finite numbers.")
    return array


def refuse_diverged(sim: Any) -> None:
    """Raise StepError if the state of a rollout of a simulation is not finite or has diverged."""
    if np.any(sim.diverged):
        raise StepError(
            f"The state of figure '{sim.figure.name}' is not finite or has diverged at t = {np.max(sim.time):.6g} s. "
            "Use a shorter dt, or look for forces that grow without bound."
        )


def recorded(sim: Any, count: int, every: int, tau: Any, command: Any, f_ext: Any) -> dict[str, np.ndarray]:
    """Make steps of a simulation and return their frames; see `Simulation.record`."""
    for name, value in (("frames", count), ("every", every)):
        if not isinstance(value, (int, np.integer)) or value < 1:
            raise InputError(f"{name}={value!r} is not valid. Give an integer, at least 1.")
    parts, left = [], int(count)
    while left:
        held = sim.held(FRAMES_PER_CALL, tau, command, f_ext)
        parts.append(held.frames(min(left, FRAMES_PER_CALL), int(every), tau, command, f_ext))
        left -= min(left, FRAMES_PER_CALL)
        refuse_diverged(sim)
    found = {name: np.concatenate([part[name] for part in parts], 1) for name in parts[0]}
    return {name: x[0] if sim.batch == 1 else x for name, x in found.items()}


def replaced_rows(old: Any, values: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
    """Return a copy of an array (batch, …) with values (batch, …) in some rows; in all rows if `rows` is None."""
    whole = np.array(values if rows is None or old is None else old, float)
    if rows is not None:
        whole[rows] = values[rows]
    return whole
