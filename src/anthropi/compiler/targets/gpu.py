"""The GPU target: one figure per thread. Arrays are blocks [n][32] that stay on the device between calls."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import NamedBuffers
from anthropi.compiler.lower import lower
from anthropi.compiler.ordering import few_waiting, most_waiting
from anthropi.compiler.targets import cuda, llvm
from anthropi.compiler.targets.device_arrays import DeviceArray, packing, stream_of
from anthropi.compiler.targets.machine import DTYPE, UNIFORM, WARP, Machine
from anthropi.compiler.targets.modules import gpu_module
from anthropi.errors import InputError
from anthropi.tape.tape import Slot, Tape

__all__ = ["REGISTER_BUDGET", "Gpu", "GpuBuffers", "ptx_of"]

MANY_WAITING = 500  # values of a thread
HALF_THE_REGISTERS = 128  # of a thread
REGISTER_BUDGET = {"float64": 110, "float32": 235}  # values that fit the 255 registers of a thread, measured


def ptx_of(
    meta: dict[str, Any], tape: Callable[[], Tape], precision: str, chip: str, uniform: Sequence[str] = ()
) -> tuple[str, dict[str, Any]]:
    """Return the PTX of a kernel and its requirements (see `gpu_module`), from the cache if possible.

    uniform : names of inputs that are the same for all figures. Neither a GPU nor the CUDA toolkit is needed.

    Many values that are needed at the same time do not fit the registers of a thread. Then the operations are put in
    another order. In float32 the driver spills the rest best, with half the registers and twice the threads
    (docs/decisions/0013-few-registers.md).
    """
    name = cache.digest(meta["key"], "ptx", precision, chip, ",".join(uniform), cache.source_digest()) + ".ptx"
    entry = cache.read(name)
    if entry is None:
        lowered, budget, registers = lower(tape(), precision), REGISTER_BUDGET[precision], 0
        deep = most_waiting(lowered) > MANY_WAITING
        if deep:
            lowered = min(lowered, few_waiting(lowered), key=most_waiting)
            budget, registers = (1 << 20, HALF_THE_REGISTERS) if precision == "float32" else (budget, 0)
        shared = {p for s in lowered.inputs if s.name in uniform for p in range(s.start, s.start + s.size)}
        text, needs = gpu_module(lowered, Machine(precision, 1, True, budget), shared, deep)
        entry = needs | {"registers": registers}, llvm.ptx(text, chip).encode()
        cache.write(name, *entry)
    return entry[1].decode(), entry[0]


class GpuBuffers(NamedBuffers):
    """Inputs, outputs and scratch memory of a batch on the device, in blocks [n][32].

    Unused threads of the last block repeat the last figure.
    """

    blocks: int
    memory: list[cuda.Array]

    def __init__(
        self,
        inputs: Iterable[Slot],
        outputs: Iterable[Slot],
        batch: int,
        dtype: Any,
        scratch: int,
        owner: Any,
        uniform: Sequence[str] = (),
    ) -> None:
        super().__init__(inputs, outputs, batch, owner)
        self.uniform = tuple(uniform)  # names of inputs that are the same for all figures
        self._gpu = gpu = cuda.device()
        self._precision = np.dtype(dtype).name
        self._stream = 0  # in which the memory was used last
        self.blocks = -(-self.batch // WARP)
        sizes = [sum(s.size for s in slots) for slots in (inputs, outputs)] + [scratch]
        self.row = cuda.Array(gpu, (1, sizes[0]), dtype) if uniform else None  # inputs that all figures share
        self.memory = [cuda.Array(gpu, (self.blocks, n * WARP), dtype) for n in sizes]

    def write(self, **arrays: Any) -> None:
        """Copy plain arrays (batch, *shape), or one row (*shape) for all figures, to the device."""
        for name, array in arrays.items():
            slot = self._find(name, 0)
            rows = self._rows(name, array).reshape(self.batch, slot.size)
            if name in self.uniform and self.row is not None:
                if not (rows == rows[:1]).all():
                    raise InputError(f"'{name}' was declared the same for all figures (uniform), but it is not.")
                self.row.write(rows[:1], slot.start)
                continue
            if self.batch % WARP:
                rows = rows[np.minimum(np.arange(self.blocks * WARP), self.batch - 1)]
            blocks = rows.reshape(self.blocks, WARP, slot.size).swapaxes(1, 2)
            self.enter(0)
            self.memory[0].write(blocks.reshape(self.blocks, -1), slot.start * WARP)

    def read(self, name: str, side: int = 1) -> np.ndarray:
        """Return a plain copy (batch, *shape) of an output, or of an input (side 0), after waiting for the device."""
        slot = self._find(name, side)
        self.enter(0)
        if side == 0 and name in self.uniform and self.row is not None:
            row = self.row.read(slot.start, slot.size).reshape(slot.shape)
            return np.array(np.broadcast_to(row, (self.batch, *slot.shape)))
        blocks = self.memory[side].read(slot.start * WARP, slot.size * WARP).reshape(self.blocks, slot.size, WARP)
        rows = blocks.swapaxes(1, 2).reshape(self.blocks * WARP, *slot.shape)
        return np.ascontiguousarray(rows[: self.batch])

    def enter(self, stream: int) -> None:
        """Make the memory ready for use in a stream."""
        self._gpu.follow(stream, self._stream)
        self._stream = stream

    def mask(self, where: Any, stream: int) -> tuple[int, Any]:
        """Return the address of a mask (batch,) of booleans on the device, and what must be kept until it is read."""
        return packing(self._precision).mask(where, self.batch, stream)

    def finish(self, stream: int, ordered: bool) -> None:
        """Wait for a stream, unless memory that it reads is freed in its order."""
        if not ordered:
            self._gpu.wait_for(stream)

    def take(self, name: str, array: Any, stream: int, mask: Any = None, part: Any = None) -> Any:
        """Write an array, on the device or of this process, into an input; return what must be kept until it is read.

        mask : address of (batch,) bytes on the device; figures with 0 keep their numbers. part : (first number, shape)
        of a part of the row.
        """
        self.enter(stream)
        slot = self._find(name, 0)
        if name in self.uniform:
            raise InputError(f"'{name}' was declared the same for all figures (uniform). Give it as a NumPy array.")
        if part is not None:
            size = int(np.prod(part[1], dtype=int))
            slot = Slot(name, part[1], slot.start + part[0], size)
        return packing(self._precision).pack(name, array, self.memory[0], self.batch, slot, stream, mask)

    def give(self, name: str, stream: int, side: int = 1, part: tuple[int, tuple[int, ...]] | None = None) -> Any:
        """Return an output, or an input (side 0), as a `DeviceArray` (batch, *shape) of its own memory.

        part : (first number, shape) of a part of the row.
        """
        self.enter(stream)
        slot = self._find(name, side)
        first, shape = part or (0, slot.shape)
        return packing(self._precision).unpack(self.memory[side], self.batch, slot.start + first, shape, stream)

    def step(self, numbers: int, stream: int) -> None:
        """Copy the first numbers of the outputs to the inputs of the next call."""
        self.enter(stream)
        cuda.copy_columns(self._gpu, self.memory[0], self.memory[1], numbers * WARP, stream)

    def advance(self, source: str, target: str, value: float, stream: int) -> None:
        """Set an input, one number, to another one plus a value."""
        self.enter(stream)
        slots = self._find(source, 0).start, self._find(target, 0).start
        packing(self._precision).advance(self.memory[0], *slots, value, stream)


class Gpu:
    """Engine of a kernel with target "gpu"."""

    meta: dict[str, Any]
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    dtype: Any
    owner: tuple[str, str]
    needs: dict[str, Any]

    device: str = "gpu"
    direct: None = None
    lanes: int = 1

    def __init__(
        self,
        meta: dict[str, Any],
        slots: tuple[tuple[Slot, ...], tuple[Slot, ...]],
        tape: Callable[[], Tape],
        precision: str,
        opt: int | str,
        uniform: Sequence[str] = (),
    ) -> None:
        self.meta, (self.inputs, self.outputs), self.dtype = meta, slots, DTYPE[precision]
        self.owner, self._uniform = (meta["key"], precision), tuple(uniform)
        self._gpu = cuda.device()
        text, self.needs = ptx_of(meta, tape, precision, self._gpu.chip, self._uniform)
        registers = self.needs["registers"]
        parts = text, str(registers), self._gpu.name, self._gpu.chip, self._gpu.driver
        name = cache.digest("cubin", *parts) + ".cubin"
        entry = cache.read(name)
        code = entry[1] if entry else self._gpu.link(text, registers)
        if entry is None:
            cache.write(name, {}, code)
        self._module, self._function = self._gpu.load(code)
        self._symbol = self._gpu.symbol(self._module, UNIFORM[1:]) if self._uniform else 0
        self._kept: GpuBuffers | None = None
        self._lock = threading.Lock()

    @property
    def compiled(self) -> bool:
        """Always True: a GPU kernel is compiled when it is built."""
        return True

    def settle(self) -> None:
        """Do nothing: nothing is compiled in the background."""

    def evaluate(self, arrays: Any, steps: Any, results: Any, batch: int, threads: Any) -> None:
        """Fill the result arrays (batch, *shape) from input arrays. Device memory is kept for the next equal batch."""
        with self._lock:
            if self._kept is None or self._kept.batch != batch:
                self._kept = None  # free before allocating
                self._kept = self.buffers(batch)
            self._kept.write(**{s.name: a for s, a in zip(self.inputs, arrays, strict=True)})
            self.bind(self._kept)()
            for slot, result in zip(self.outputs, results, strict=True):
                result[...] = self._kept.read(slot.name)

    def on_device(self, arrays: Any, batch: int, library: Any) -> list[DeviceArray]:
        """Return results (batch, *shape) on the device, computed in the stream in which a library works."""
        stream, ordered = stream_of(library)
        with self._lock:
            if self._kept is None or self._kept.batch != batch:
                self._kept = None
                self._kept = self.buffers(batch)
            kept = [self._kept.take(s.name, a, stream) for s, a in zip(self.inputs, arrays, strict=True)]
            self.bind(self._kept, stream)()
            found = [self._kept.give(slot.name, stream) for slot in self.outputs]
        if not ordered:
            self._gpu.wait_for(stream)
        del kept
        return found

    def buffers(self, batch: int) -> GpuBuffers:
        """Allocate buffers on the device."""
        needs = self.needs["scratch"]
        return GpuBuffers(self.inputs, self.outputs, batch, self.dtype, needs, self.owner, self._uniform)

    def usage(self) -> dict[str, int]:
        """Return registers per thread, spilled bytes per thread and shared-memory bytes per block."""
        return self._gpu.usage(self._function)

    def bind(self, buffers: GpuBuffers, stream: int = 0) -> Callable[[], None]:
        """Return a function without arguments that launches the kernel; reading a buffer waits for the result."""
        buffers.check_owner(self.owner)
        pointers = [m.address for m in buffers.memory]

        def call():
            buffers.enter(stream)
            if buffers.row is not None:  # constant memory belongs to the kernel, so another batch may have written it
                cuda.copy_on_device(self._gpu, self._symbol, buffers.row, stream)
            self._gpu.run(self._function, pointers, buffers.blocks, self.needs["threads"], stream)

        call.keep = (buffers, self._module)  # type: ignore[attr-defined]
        return call
