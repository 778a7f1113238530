"""The WebAssembly target: a kernel as a module for browsers, which also runs in Python through wasmtime.

A module imports one memory, `env.memory`, exports one function, `run(in, out, scratch, blocks)`, and needs nothing
else. The arguments are addresses [byte] in the memory and the number of blocks. A block is `lanes` figures side by
side: number k of figure j is at position k · lanes + j. `layout` says where each array is, as plain data for JSON:

    precision, number_bytes, lanes      "float64" or "float32", 8 or 4, figures per block
    inputs, outputs                     [{name, shape, start, size}], start and size counted in numbers per figure
    input_bytes, output_bytes, scratch_bytes     of one block, of one block, and of all blocks together
    free                                first address [byte] that the module does not use itself
    pages                               memory pages (64 KiB) for one block placed as in `at`
    at                                  {inputs, outputs, scratch}: addresses for one block
    memory, function                    names of the import and of the export

In JavaScript, with one lane and the layout and the module of `kernel.layout` and `kernel.module`:

    const memory = new WebAssembly.Memory({ initial: layout.pages });
    const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } });
    const numbers = new Float64Array(memory.buffer);              // Float32Array for float32
    const slot = (side, name) => {                                // a view of one array
      const s = layout[side].find((s) => s.name === name);
      const start = layout.at[side] / layout.number_bytes + s.start;
      return numbers.subarray(start, start + s.size);
    };
    slot("inputs", "q").set(q);
    instance.exports.run(layout.at.inputs, layout.at.outputs, layout.at.scratch, 1);
    const after = slot("outputs", "q");

WebAssembly has no fma: the bits are those of `replay` of the tape lowered without fusing (target "replay_unfused"), in
every browser and in wasmtime. NaN may have any bits.
"""

import atexit
import functools
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import Buffers
from anthropi.compiler.lower import lower
from anthropi.compiler.targets import llvm
from anthropi.compiler.targets.machine import BYTES, DTYPE, Machine
from anthropi.compiler.targets.modules import wasm_module
from anthropi.compiler.targets.wasm_linker import PAGE, link
from anthropi.compiler.threads import renewed_in_child
from anthropi.errors import BuildError, MissingExtra
from anthropi.tape.tape import Slot, Tape

__all__ = ["Module", "Wasm", "WasmBuffers"]

VECTOR_BYTES = 16  # SIMD128
MAX_BYTES_PER_CALL = 64 << 20  # [byte], inputs and outputs of one call of a module; larger batches are cut


class Module(NamedTuple):
    """A WebAssembly module and the layout of its arrays; see the top of this file."""

    code: bytes
    layout: dict[str, Any]


def _layout(
    inputs: Iterable[Slot], outputs: Iterable[Slot], precision: str, lanes: int, scratch: int, free: int
) -> dict[str, Any]:
    """Return the layout of a module's arrays."""
    size = BYTES[precision]
    found: dict[str, Any] = {"precision": precision, "number_bytes": size, "lanes": lanes}
    for side, slots in (("inputs", inputs), ("outputs", outputs)):
        found[side] = [{"name": s.name, "shape": list(s.shape), "start": s.start, "size": s.size} for s in slots]
        found[side[:-1] + "_bytes"] = sum(s.size for s in slots) * lanes * size
    found["scratch_bytes"] = (scratch * lanes + 16) * size
    at, address = {}, free
    for side, key in (("inputs", "input_bytes"), ("outputs", "output_bytes"), ("scratch", "scratch_bytes")):
        at[side] = address
        address += -(-found[key] // 128) * 128
    return found | {"free": free, "pages": -(-address // PAGE), "at": at, "memory": "env.memory", "function": "run"}


@functools.cache
def _engine() -> tuple[Any, Any]:
    """Return the package wasmtime and its compiler, which starts no threads: a forked child would not have them."""
    try:
        import wasmtime
    except ImportError as problem:
        raise MissingExtra("wasmtime", "wasm", "Running a kernel with target='wasm' in Python") from problem
    config = wasmtime.Config()
    config.parallel_compilation = False
    atexit.register(_close_all)
    return wasmtime, _closed_at_exit(wasmtime.Engine(config))


_open: "weakref.WeakSet[Any]" = weakref.WeakSet()


def _closed_at_exit(thing: Any) -> Any:
    """Return an object of wasmtime that is closed when Python ends; its own finaliser may come too late then."""
    _open.add(thing)
    return thing


def _close_all() -> None:
    for thing in list(_open):
        thing.close()


class WasmBuffers(Buffers):
    """Inputs and outputs of a batch, in the memory of an instance of a module. Each has an instance of its own."""

    def __init__(
        self, loaded: Any, module: Module, inputs: Iterable[Slot], outputs: Iterable[Slot], batch: int, owner: Any
    ) -> None:
        self._loaded, self._free = loaded, module.layout["free"]
        lanes, size = module.layout["lanes"], module.layout["number_bytes"]
        scratch = (module.layout["scratch_bytes"] // size - 16) // lanes
        super().__init__(inputs, outputs, batch, lanes, DTYPE[module.layout["precision"]], scratch, owner)

    def allocate(self, count: int, dtype: Any) -> np.ndarray:
        """Make an instance with a memory of the size that is needed; return the free part of the memory."""
        wasmtime, engine = _engine()
        size = count * np.dtype(dtype).itemsize
        pages = -(-(self._free + size) // PAGE)
        self._store = _closed_at_exit(wasmtime.Store(engine))
        memory = wasmtime.Memory(self._store, wasmtime.MemoryType(wasmtime.Limits(pages, pages)))
        instance = wasmtime.Instance(self._store, self._loaded, [memory])
        self._function = instance.exports(self._store)["run"]
        self._base = np.frombuffer(memory.get_buffer_ptr(self._store), np.uint8)
        return self._base[self._free : self._free + size].view(dtype)

    def run(self) -> None:
        """Run the kernel on these buffers."""
        start = self._base.ctypes.data
        self._function(self._store, *(p - start for p in self.pointers()), self.blocks)


class Wasm:
    """Engine of a kernel with target "wasm"."""

    meta: dict[str, Any]
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    precision: str
    dtype: Any
    owner: tuple[str, str]

    device: str = "wasm"
    direct: None = None

    def __init__(
        self,
        meta: dict[str, Any],
        slots: tuple[tuple[Slot, ...], tuple[Slot, ...]],
        tape: Callable[[], Tape],
        precision: str,
        opt: int | str,
    ) -> None:
        self.meta, (self.inputs, self.outputs), self._tape = meta, slots, tape
        self.precision, self.dtype, self._opt = precision, DTYPE[precision], 0 if opt == 0 else 2
        self.owner = (meta["key"], precision)
        self._modules: dict[int, Module] = {}
        self._loaded: dict[int, Any] = {}
        self._lowered: Tape | None = None
        self._kept: WasmBuffers | None = None
        self._lock = threading.RLock()
        renewed_in_child(self)

    def renew_lock(self) -> None:
        """Replace the lock, in a forked child process."""
        self._lock = threading.RLock()

    @property
    def lanes(self) -> int:
        """Figures of a batch that are computed side by side."""
        return VECTOR_BYTES // BYTES[self.precision]

    def module(self, lanes: int = 1) -> Module:
        """Return the module for a lane width, from the cache or compiled."""
        with self._lock:
            if lanes not in self._modules:
                self._modules[lanes] = self._make(lanes)
            return self._modules[lanes]

    def _make(self, lanes: int) -> Module:
        if lanes not in (1, self.lanes):
            raise BuildError(
                f"A {self.precision} kernel with target='wasm' has 1 or {self.lanes} lanes, the numbers in a vector of "
                f"128 bits; got lanes={lanes!r}."
            )
        parts = (self.meta["key"], "wasm", self.precision, str(lanes), str(self._opt), llvm.versions())
        name = cache.digest(*parts, cache.source_digest()) + ".wasm"
        entry = cache.read(name)
        if entry is None:
            self._lowered = self._lowered or lower(self._tape(), self.precision, fused=False)
            text, scratch = wasm_module(self._lowered, Machine(self.precision, lanes, wasm=True))
            linked = link(llvm.wasm_object(text, self._opt))
            entry = {"scratch": scratch, "free": linked.free}, linked.code
            cache.write(name, *entry)
        needs, code = entry
        return Module(code, _layout(self.inputs, self.outputs, self.precision, lanes, needs["scratch"], needs["free"]))

    @property
    def compiled(self) -> bool:
        """Always True: nothing is compiled in the background."""
        return True

    def settle(self) -> None:
        """Do nothing: nothing is compiled in the background."""

    # running in Python

    def buffers(self, batch: int) -> WasmBuffers:
        """Allocate buffers for a batch, in a memory of their own."""
        lanes = 1 if batch == 1 else self.lanes
        module = self.module(lanes)
        with self._lock:
            if lanes not in self._loaded:
                wasmtime, engine = _engine()
                self._loaded[lanes] = _closed_at_exit(wasmtime.Module(engine, module.code))
        return WasmBuffers(self._loaded[lanes], module, self.inputs, self.outputs, batch, self.owner)

    def bind(self, buffers: WasmBuffers) -> Callable[[], None]:
        """Return a function without arguments that runs the kernel on these buffers."""
        buffers.check_owner(self.owner)
        return buffers.run

    def evaluate(self, arrays: Any, steps: Any, results: Any, batch: int, threads: Any) -> None:
        """Fill the result arrays (batch, *shape) from input arrays, in one thread."""
        numbers = sum(s.size for s in (*self.inputs, *self.outputs))
        most = max(self.lanes, MAX_BYTES_PER_CALL // max(1, numbers * BYTES[self.precision]))
        with self._lock:
            for first in range(0, batch, most):
                count = min(most, batch - first)
                if self._kept is None or self._kept.batch != count:
                    self._kept = None  # free before allocating
                    self._kept = self.buffers(count)
                rows = [a[first : first + count] if many else a for a, many in zip(arrays, steps, strict=True)]
                self._kept.write(**{s.name: a for s, a in zip(self.inputs, rows, strict=True)})
                self._kept.run()
                for slot, result in zip(self.outputs, results, strict=True):
                    result[first : first + count] = self._kept.read(slot.name)
