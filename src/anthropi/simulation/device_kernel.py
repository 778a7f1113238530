"""A stepping kernel whose state stays on a GPU between steps, for arrays of torch, jax and cupy.

Steps, inputs, resets and parameters that are given on the GPU are not copied to the memory of this process, and calls
return before the GPU has finished. All other functions, for example `Simulation.state`, copy the arrays that they need.
"""

from typing import Any

import numpy as np

from anthropi.compiler.dlpack import on_gpu
from anthropi.compiler.foreign import library_of
from anthropi.errors import InputError
from anthropi.simulation.held_kernel import HeldKernel, stacked

__all__ = ["DeviceKernel", "device_view", "on_host"]


def on_host(array: Any) -> Any:
    """Return an array on a GPU as one of NumPy; return everything else unchanged."""
    if not on_gpu(array):
        return array
    for name in ("cpu", "get"):  # of torch, of cupy
        if hasattr(array, name):
            return np.asarray(getattr(array, name)())
    return np.asarray(array)


def device_view(held: Any, state: dict[str, np.ndarray], name: str, precision: str) -> Any:
    """Return an array of the state (batch, …) on the GPU."""
    if isinstance(held, DeviceKernel):
        return held.array(name)
    from anthropi.compiler.targets.device_arrays import packing

    return packing(precision).uploaded(state[name])


class DeviceKernel(HeldKernel):
    """A stepping kernel with the state of a batch in its buffers on a GPU."""

    def __init__(self, sim: Any, program: Any, kernel: Any) -> None:
        super().__init__(sim, program, kernel)
        self._buffers: Any = None
        self._library: Any = None  # that gave the last arrays; its stream is used
        self._newer: set[str] = set()  # rows of parameters that were changed on the GPU

    def takes(self, tau: Any, command: Any, f_ext: Any) -> bool:
        """Whether this kernel has exactly these inputs, and every parameter that it reads once for all rollouts is
        equal in all of them."""
        same = not self.stale or set(self.kernel.uniform) <= set(self.sim.alike_parameters())
        return same and super().takes(tau, command, f_ext)

    # state

    def enter(self, state: dict[str, np.ndarray]) -> None:
        """Take over a state (batch, …) and copy it to the GPU."""
        super().enter(state)
        if self._buffers is None:
            self._buffers = self.kernel.buffers(self.sim.batch)
            self._launch: dict[int, Any] = {}
        rows = self.sim.parameter_rows()
        self._buffers.write(**self._held, **rows, dt=np.array(self.sim.dt), per_frame=np.array(1.0))
        self._call = self._buffers

    def state(self) -> dict[str, np.ndarray]:
        """Return a copy of the state as arrays (batch, …)."""
        if self._call is None:
            return self._held
        return {name: self._buffers.read(name, 0) for name in (*self.names, "start", "stream")}

    def array(self, name: str) -> Any:
        """Return a copy of an array of the state (batch, …) on the GPU."""
        return self._buffers.give(name, self._stream(), side=0)

    def _stream(self, *arrays: Any) -> int:
        """Return the CUDA stream of the library of some arrays, or of the last one."""
        from anthropi.compiler.targets.device_arrays import stream_of

        self._library = library_of([a for a in arrays if on_gpu(a)]) or self._library
        return stream_of(self._library)[0]

    def _take(self, given: dict[str, Any], mask: Any = None) -> None:
        """Write arrays into the inputs of the kernel."""
        from anthropi.compiler.targets.device_arrays import stream_of

        stream = self._stream(*given.values(), mask)
        where, kept = (None, None) if mask is None else self._buffers.mask(mask, stream)
        taken = [self._buffers.take(name, array, stream, where) for name, array in given.items()]
        self._buffers.finish(stream, stream_of(self._library)[1])
        del taken, kept

    def puts(self, fresh: dict[str, Any], where: Any) -> bool:
        """Replace arrays of the state, for some rollouts or for all; return True."""
        if self._call is None:
            return False
        self._take({name: fresh[name] for name in fresh}, where)
        return True

    # parameters

    def takes_parameters(self, known: Any, parameters: dict[str, Any], where: Any) -> bool:
        """Set the parameters directly on the GPU if possible; return whether this was done.

        It is possible if the state is on the GPU, if at least one parameter is given there, and if the kernel can use a
        different value of each parameter in each rollout.
        """
        from anthropi.compiler.targets.device_arrays import stream_of

        if self._call is None or not any(on_gpu(x) for x in parameters.values()):
            return False
        if any(known.place(name)[0] in self.kernel.uniform for name in parameters):
            return False  # from the next step, a kernel is used for which they may differ
        stream = self._stream(*parameters.values(), where)
        mask, kept = (None, None) if where is None else self._buffers.mask(where, stream)
        if self.stale:
            self._write_parameters()
        for name, value in parameters.items():
            row, first, shape = known.place(name)
            kept = kept, self._buffers.take(row, value, stream, mask, part=(first, shape))
            self._newer.add(row)
        self._buffers.finish(stream, stream_of(self._library)[1])
        del kept
        return True

    def takes_rows(self, rows: dict[str, Any], where: Any) -> bool:
        """Set rows of parameters directly on the GPU if all of them are given there; return whether this was done."""
        if self._call is None or not all(on_gpu(x) for x in rows.values()):
            return False
        if self.stale:
            self._write_parameters()
        self._take(rows, where)
        self._newer.update(rows)
        return True

    def parameter_arrays(self) -> dict[str, Any] | None:
        """Return the rows of parameters on the GPU."""
        if self._call is None:
            return None
        if self.stale:
            self._write_parameters()
        return {s.name: self.array(s.name) for s in self.kernel.inputs if s.name in ("settings", "parameters")}

    def newer_parameters(self) -> dict[str, np.ndarray]:
        """Return rows of parameters that were changed on the GPU since the last call."""
        found = {name: np.array(self._buffers.read(name, 0), float) for name in self._newer}
        self._newer.clear()
        return found

    def _write_parameters(self) -> None:
        self._buffers.write(**self.sim.parameter_rows())
        self.stale = False

    # steps

    def run(self, steps: int, tau: Any, command: Any, f_ext: Any) -> None:
        """Make a number of steps with these inputs."""
        if not isinstance(steps, (int, np.integer)) or steps < 0:
            raise InputError(f"step({steps!r}) is not valid. Give an integer number of steps, 0 or more.")
        if self._call is None:
            self.enter(self._held)
        if self.stale:
            self._write_parameters()
        given = {"forces": tau, "command": command, "f_ext": None if f_ext is None else stacked(f_ext)}
        self._take({name: array for name, array in given.items() if array is not None})
        stream = self._stream()
        for name in ("limit", "due"):
            self._buffers.advance("count", name, float(steps), stream)
        if stream not in self._launch:
            self._launch[stream] = self.kernel.bind(self._buffers, stream)
        self._launch[stream]()
        self._buffers.step(self.size, stream)
