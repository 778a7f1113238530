"""The GPU target: one figure per thread. Arrays are blocks [n][32] that stay on the device between calls."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import NamedBuffers
from anthropi.compiler.lower import lower
from anthropi.compiler.targets import cuda, llvm
from anthropi.compiler.targets.machine import DTYPE, WARP, Machine
from anthropi.compiler.targets.modules import gpu_module
from anthropi.tape.tape import Slot, Tape

__all__ = ["REGISTER_BUDGET", "Gpu", "GpuBuffers", "ptx_of"]

REGISTER_BUDGET = {"float64": 110, "float32": 235}  # values that fit the 255 registers of a thread, measured


def ptx_of(meta: dict[str, Any], tape: Callable[[], Tape], precision: str, chip: str) -> tuple[str, dict[str, Any]]:
    """Return the PTX of a kernel and its requirements (see `gpu_module`), from the cache if possible.

    Neither a GPU nor the CUDA toolkit is needed.
    """
    name = cache.digest(meta["key"], "ptx", precision, chip, cache.source_digest()) + ".ptx"
    entry = cache.read(name)
    if entry is None:
        text, needs = gpu_module(lower(tape(), precision), Machine(precision, 1, True, REGISTER_BUDGET[precision]))
        entry = needs, llvm.ptx(text, chip).encode()
        cache.write(name, *entry)
    return entry[1].decode(), entry[0]


class GpuBuffers(NamedBuffers):
    """Inputs, outputs and scratch memory of a batch on the device, in blocks [n][32].

    Unused threads of the last block repeat the last figure.
    """

    blocks: int
    memory: list[cuda.Array]

    def __init__(
        self, inputs: Iterable[Slot], outputs: Iterable[Slot], batch: int, dtype: Any, scratch: int, owner: Any
    ) -> None:
        super().__init__(inputs, outputs, batch, owner)
        gpu = cuda.device()
        self.blocks = -(-self.batch // WARP)
        sizes = [sum(s.size for s in slots) for slots in (inputs, outputs)] + [scratch]
        self.memory = [cuda.Array(gpu, (self.blocks, n * WARP), dtype) for n in sizes]

    def write(self, **arrays: Any) -> None:
        """Copy plain arrays (batch, *shape), or one row (*shape) for all figures, to the device."""
        for name, array in arrays.items():
            slot = self._find(name, 0)
            rows = self._rows(name, array).reshape(self.batch, slot.size)
            if self.batch % WARP:
                rows = rows[np.minimum(np.arange(self.blocks * WARP), self.batch - 1)]
            blocks = rows.reshape(self.blocks, WARP, slot.size).swapaxes(1, 2)
            self.memory[0].write(blocks.reshape(self.blocks, -1), slot.start * WARP)

    def read(self, name: str) -> np.ndarray:
        """Return a plain copy (batch, *shape) of an output, after waiting for the device."""
        slot = self._find(name, 1)
        blocks = self.memory[1].read(slot.start * WARP, slot.size * WARP).reshape(self.blocks, slot.size, WARP)
        rows = blocks.swapaxes(1, 2).reshape(self.blocks * WARP, *slot.shape)
        return np.ascontiguousarray(rows[: self.batch])


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
    ) -> None:
        self.meta, (self.inputs, self.outputs), self.dtype = meta, slots, DTYPE[precision]
        self.owner = (meta["key"], precision)
        self._gpu = cuda.device()
        text, self.needs = ptx_of(meta, tape, precision, self._gpu.chip)
        name = cache.digest("cubin", text, self._gpu.name, self._gpu.chip, self._gpu.driver) + ".cubin"
        entry = cache.read(name)
        code = entry[1] if entry else self._gpu.link(text)
        if entry is None:
            cache.write(name, {}, code)
        self._module, self._function = self._gpu.load(code)
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

    def buffers(self, batch: int) -> GpuBuffers:
        """Allocate buffers on the device."""
        return GpuBuffers(self.inputs, self.outputs, batch, self.dtype, self.needs["scratch"], self.owner)

    def usage(self) -> dict[str, int]:
        """Return registers per thread, spilled bytes per thread and shared-memory bytes per block."""
        return self._gpu.usage(self._function)

    def bind(self, buffers: GpuBuffers) -> Callable[[], None]:
        """Return a function without arguments that launches the kernel; reading a buffer waits for the result."""
        buffers.check_owner(self.owner)
        pointers = [m.address for m in buffers.memory]

        def call():
            self._gpu.launch(self._function, pointers, buffers.blocks, self.needs["threads"])

        call.keep = (buffers, self._module)  # type: ignore[attr-defined]
        return call
