"""The CPU target: code for each lane width, recompilation in the background, and threads for batches."""

import ctypes
import math
import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import Buffers, address, aligned, placed
from anthropi.compiler.targets import llvm
from anthropi.compiler.targets.background import run_in_background
from anthropi.compiler.targets.direct import direct_call
from anthropi.compiler.targets.machine import BYTES, DTYPE, Machine
from anthropi.compiler.targets.packing import GATHERED
from anthropi.compiler.threads import default_threads, renewed_in_child
from anthropi.errors import InputError
from anthropi.tape.tape import Slot, Tape

__all__ = ["Cpu"]


MAX_TIMED_OPERATIONS = 20_000  # counting every pass of a loop; longer tapes use the full lane width without timing
OPERATIONS_PER_THREAD = 4_000_000  # a thread with less work than this costs more time than it saves
MAX_DIRECT_OPERATIONS = 100_000  # per lane, about 15 µs: a direct call keeps other Python threads waiting
LAZY_SECONDS_PER_OPERATION = 40e-6  # [s] in lazy mode: about the time to compile an operation at opt 0
BACKGROUND_DELAY = 0.3  # [s] before background compilation starts: it contends with the caller for the GIL
_ROWS = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Code:
    """Executable code of a tape for one lane width. `rows` is replaced when better code is ready."""

    rows: Callable[..., Any]
    lanes: int
    scratch: int

    def __init__(self, rows: Callable[..., Any], lanes: int, scratch: int) -> None:
        self.rows, self.lanes, self.scratch = rows, lanes, scratch

    @classmethod
    def from_object(cls, machine_code: bytes, lanes: int, scratch: int) -> "Code":
        """Load compiled machine code."""
        return cls(llvm.load(machine_code).function("rows", *_ROWS), lanes, scratch)

    @property
    def loaded(self) -> Any:
        """The machine code in memory; None while the interpreter is used."""
        return getattr(self.rows, "keep", None)

    def replace_by(self, better: "Code") -> None:
        """Use the machine code of `better` from the next call on. A call that is running keeps the old code alive."""
        self.scratch = better.scratch  # set first: a thread that reads the new rows needs their scratch size
        self.rows = better.rows


class Cpu:
    """Engine of a kernel with target "cpu".

    meta : plain data of the tape (`kernel.py`).
    tape : function that returns the tape, called only if the cache does not contain the code.
    opt : 0, 2, "tiers" (0 at first, 2 from the background thread) or "now" (interpreted at first).
    """

    meta: dict[str, Any]
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    precision: str
    opt: int | str
    dtype: Any
    owner: tuple[str, str]
    direct: Callable[..., Any] | None = None
    """Function of the arrays of a call with little work (direct.py); None if there is none."""

    device: str = "cpu"

    def __init__(
        self,
        meta: dict[str, Any],
        slots: tuple[tuple[Slot, ...], tuple[Slot, ...]],
        tape: Callable[[], Tape],
        precision: str,
        opt: int | str,
    ) -> None:
        self.meta, (self.inputs, self.outputs), self._tape = meta, slots, tape
        self.precision, self.opt, self.dtype = precision, opt, DTYPE[precision]
        self.owner = (meta["key"], precision)
        self._codes: dict[int, Code] = {}
        self._lowered: Tape | None = None
        self._lock = threading.RLock()
        self._background: list[threading.Event] = []
        self._interpreted_seconds = 0.0
        self._used: dict[bool, Code] = {}  # by calls with a batch (True) and without one
        self._in_direct: dict[bool, Any] = {}  # the machine code of `direct`
        self._direct_batch: tuple[Any, Any] | None = None
        renewed_in_child(self)

    def renew_lock(self) -> None:
        """Replace the lock, in a forked child process, and forget background jobs, which do not run there."""
        self._lock = threading.RLock()
        self._background.clear()

    # code

    def code(self, lanes: int) -> Code:
        """Return the code for a lane width, compiled if necessary."""
        if lanes not in self._codes:
            with self._lock:
                if lanes not in self._codes:
                    self._codes[lanes] = self._make(lanes)
        return self._codes[lanes]

    def _make(self, lanes: int) -> Code:
        """Return cached, interpreted or compiled code according to `opt`, and start background compilation."""
        if self._lazy:
            return self._cached(lanes, 0) or self._interpreted()
        if self.opt in (0, 2):
            return self._compiled(lanes, self.opt)
        ready = self._cached(lanes, 2)
        if ready:
            return ready
        code = self._interpreted() if self.opt == "now" and lanes == 1 else self._compiled(lanes, 0)
        if os.environ.get("ANTHROPI_TIERS") == "0":  # no recompilation, for example in short tests
            return code
        wait = 0.0 if code.loaded else BACKGROUND_DELAY
        self._background.append(run_in_background(_recompile_job(weakref.ref(self), code), wait))
        return code

    @property
    def _lazy(self) -> bool:
        """Whether code is interpreted until that has taken as long as compilation would, for tests of many kernels."""
        return self.opt != 2 and os.environ.get("ANTHROPI_TIERS") == "lazy"

    def _compile_if_worthwhile(self, lanes: int, seconds: float) -> None:
        """In lazy mode, compile the code for a lane width after calls of the interpreter that took too long [s]."""
        self._interpreted_seconds += seconds
        if self._interpreted_seconds > LAZY_SECONDS_PER_OPERATION * self.meta["operations"]:
            with self._lock:
                self._codes[lanes] = self._compiled(lanes, 0)

    @property
    def compiled(self) -> bool:
        """Whether the code for one figure is the final machine code."""
        if self._lazy:
            return 1 in self._codes and self._codes[1].loaded is not None
        if self.opt in (0, 2):
            return True
        code = self._codes.get(1)
        tiers = os.environ.get("ANTHROPI_TIERS") != "0"
        return code is not None and code.loaded is not None and (not tiers or all(e.is_set() for e in self._background))

    def settle(self) -> None:
        """Wait until compilation in the background is finished."""
        while self._background:
            self._background.pop().wait()

    def _settled(self, lanes: int) -> Code:
        """Return the final machine code for a lane width, after waiting for the background thread."""
        code = self.code(lanes)
        self.settle()
        if code.loaded is None and self._lazy:
            code = self._codes[lanes] = self._compiled(lanes, 0)
        elif code.loaded is None:
            code.replace_by(self._compiled(lanes, 0))
            self._forget_direct()
        return code

    def _name(self, lanes: int, opt: int) -> str:
        """Return the name of the cache entry of the code for a lane width and optimization level."""
        cpu, features, _ = llvm.host()
        parts = (self.meta["key"], "cpu", self.precision, str(lanes), str(opt), cpu, features, llvm.versions())
        return cache.digest(*parts, cache.source_digest()) + ".code"

    def _cached(self, lanes: int, opt: int) -> Code | None:
        entry = cache.read(self._name(lanes, opt))
        return Code.from_object(entry[1], lanes, entry[0]["scratch"]) if entry else None

    def _interpreted(self) -> Code:
        from anthropi.compiler.targets.program import Program

        return Code(Program(self._tape(), self.precision).rows, 1, 0)

    def _compiled(self, lanes: int, opt: int) -> Code:
        ready = self._cached(lanes, opt)
        if ready:
            return ready
        from anthropi.compiler.targets.modules import cpu_module  # a cached kernel never needs it

        lowered = self._lower()
        text, scratch = cpu_module(lowered, Machine(self.precision, lanes))
        machine_code = llvm.assemble(text, opt, passes=lanes == 1 and opt == 2 and _steps(lowered))
        cache.write(self._name(lanes, opt), {"scratch": scratch}, machine_code)
        return Code.from_object(machine_code, lanes, scratch)

    def _lower(self) -> Tape:
        from anthropi.compiler.lower import lower

        if self._lowered is None:  # once set, no lock is needed, so that no forked child inherits a held lock
            with self._lock:
                self._lowered = self._lowered or lower(self._tape(), self.precision)
        return self._lowered

    @property
    def lanes(self) -> int:
        """Lane width for batches: the width of the CPU's vectors or half of it, whichever is faster for this kernel."""
        wide = llvm.host()[2] // (8 * BYTES[self.precision])
        if not hasattr(self, "_lanes"):
            with self._lock:
                small = self.meta["work"] <= MAX_TIMED_OPERATIONS and self.opt == 2
                self._lanes = self._fastest_width([wide, wide // 2]) if small else wide
        return self._lanes

    def _fastest_width(self, widths: list[int]) -> int:
        """Return the fastest of these lane widths, from the cache or by timing."""
        name = cache.digest(self._name(0, 2), "lanes") + ".lanes"
        entry = cache.read(name)
        if entry and entry[0].get("lanes") in widths:
            return entry[0]["lanes"]
        best = {w: min(self._seconds_per_figure(w) for _ in range(5)) for w in widths}
        lanes = min(widths, key=lambda w: best[w])
        cache.write(name, {"lanes": lanes})
        return lanes

    def _seconds_per_figure(self, lanes: int) -> float:
        """Measure the time of a batch of zeros; return it per figure [s]."""
        code, batch = self.code(lanes), 256
        steps = [np.zeros((1, *s.shape), self.dtype) for s in self.inputs]
        results = [np.empty((batch, *s.shape), self.dtype) for s in self.outputs]
        table, _kept = self._table(steps, [0] * len(steps), results)
        memory = self._memory(code)
        start = time.perf_counter()
        code.rows(address(table), address(memory), 0, batch // lanes, batch)
        return (time.perf_counter() - start) / batch

    # running

    def evaluate(
        self, arrays: list[np.ndarray], steps: list[int], results: list[np.ndarray], batch: int, threads: int | None
    ) -> None:
        """Fill the result arrays (batch, *shape) from input arrays in any memory order.

        steps : 1 for arrays (batch, *shape), 0 for one row (*shape) for all figures.
        """
        if threads is not None and not _is_count(threads):
            raise InputError(f"threads={threads!r}: give a whole number, at least 1, or None for the default.")
        lanes = 1 if batch == 1 else self.lanes
        code = self.code(lanes)
        self._used[batch > 1] = code
        if code.loaded is not self._in_direct.get(batch > 1):
            self._make_direct()
        rows = code.rows
        table, kept = self._table(arrays, steps, results, any_order=hasattr(rows, "keep"))
        gathers = any(places is not None for _, places in kept)
        blocks = -(-batch // code.lanes)
        share = max(1, OPERATIONS_PER_THREAD // max(1, self.meta["work"] * code.lanes))
        most_threads = blocks if threads else max(1, blocks // share)
        count = min(threads or default_threads(), most_threads) if most_threads > 1 else 1

        def work(part: int) -> None:
            memory = self._memory(code, gathers)
            first, last = blocks * part // count, blocks * (part + 1) // count
            rows(address(table), address(memory), first, last, batch)

        start = time.perf_counter()
        if count == 1:
            work(0)
        else:
            list(_pool().map(work, range(count)))
        if code.loaded is None and self._lazy:
            self._compile_if_worthwhile(lanes, time.perf_counter() - start)

    def _table(
        self, arrays: list[np.ndarray], steps: list[int], results: list[np.ndarray], any_order: bool = True
    ) -> tuple[np.ndarray, list[Any]]:
        """Return the table that the machine code reads (`cpu_module`), and the arrays to which it points.

        any_order : False for the interpreter, which takes rows of consecutive numbers only.
        """
        entries, kept = list[int](), list[Any]()
        for slot, array, many in zip(self.inputs, arrays, steps, strict=True):
            if slot.size:
                source, step, places = placed(array, many, any_order)
                entries += [address(source), step, 0 if places is None else address(places)]
                kept.append((source, places))
        entries += [address(r) for s, r in zip(self.outputs, results, strict=True) if s.size]
        return np.array(entries, np.int64), kept

    def _make_direct(self) -> None:
        """Set `direct`, of the code that calls have used, if the kernel has little work and the code is compiled."""
        used = {many: (code, code.loaded) for many, code in self._used.items()}
        self._in_direct = {many: loaded for many, (_, loaded) in used.items()}
        per_lane = MAX_DIRECT_OPERATIONS // max(1, self.meta["work"])
        if per_lane:
            one, many = (self._own(*used[k]) if k in used else None for k in (False, True))
            most = per_lane * (many[2] if many else 1)
            self.direct = direct_call([one, many], self.inputs, self.outputs, self.dtype, most)
        if any(code.loaded is not loaded for code, loaded in used.values()):  # better code has become ready
            self._forget_direct()

    def _forget_direct(self) -> None:
        """Let the next call make `direct` anew."""
        self.direct = None
        self._in_direct = {}

    def direct_batch(self) -> Callable[..., Any] | None:
        """Return a function like `direct` for batches of which the caller knows that they have little work."""
        code = self._used.get(True)
        own = None if code is None else self._own(code, code.loaded)
        if own is None:
            return None
        if self._direct_batch is None or self._direct_batch[0] is not own[0]:
            self._direct_batch = own[0], direct_call([None, own], self.inputs, self.outputs, self.dtype, 2**62)
        return self._direct_batch[1]

    def _own(self, code: Code, loaded: Any) -> tuple[Any, np.ndarray, int] | None:
        """Return machine code with memory of its own and its number of lanes; None if it is not compiled."""
        return None if loaded is None else (loaded, self._memory(code), code.lanes)

    def _memory(self, code: Code, gathers: bool = False) -> np.ndarray:
        """Allocate memory for packed arrays and scratch numbers. gathers : whether rows have places."""
        slots = sum(s.size for s in (*self.inputs, *self.outputs)) + code.scratch
        slots += GATHERED * sum(s.size for s in self.inputs) if gathers else 0
        return aligned(slots * code.lanes + 16, self.dtype)

    # buffers in the kernel's layout

    def buffers(self, batch: int) -> Buffers:
        """Allocate buffers for a batch."""
        code = self._settled(1 if batch == 1 else self.lanes)
        return Buffers(self.inputs, self.outputs, batch, code.lanes, self.dtype, code.scratch, self.owner)

    def bind(self, buffers: Buffers) -> Callable[[], None]:
        """Return a function without arguments that runs the kernel on these buffers; its overhead is about 0.1 µs."""
        from anthropi.compiler.targets.modules import trampoline

        buffers.check_owner(self.owner)
        loaded = self._settled(buffers.lanes).loaded
        text = trampoline(loaded.address("run"), buffers.pointers(), buffers.blocks)
        call = llvm.load(llvm.assemble(text, 2)).function("bound", hold_gil=True)
        call.keep = (call.keep, loaded, buffers)  # keeps the code and buffers alive
        return call


def _recompile_job(engine: weakref.ref, code: Code) -> Callable[[], None]:
    """Return a job that recompiles code at optimization level 2, if the kernel still exists."""

    def job() -> None:
        own = engine()
        if own is not None:
            code.replace_by(own._compiled(code.lanes, 2))
            own._forget_direct()

    return job


_pools: dict[int, Any] = {}


def _is_count(value: Any) -> bool:
    """Check whether a value is a whole number of at least 1. NaN and infinity are not."""
    number = isinstance(value, (int, float, np.integer, np.floating))
    return number and math.isfinite(value) and value == int(value) and value >= 1


def _pool() -> Any:
    """Return the thread pool of this process (a forked child makes its own)."""
    from concurrent.futures import ThreadPoolExecutor

    pid = os.getpid()
    if pid not in _pools:
        _pools[pid] = ThreadPoolExecutor(
            max_workers=max(os.cpu_count() or 1, default_threads()), thread_name_prefix="anthropi"
        )
    return _pools[pid]


def _steps(tape: Tape) -> bool:
    """Return whether a tape has a loop that may stop, such as the time loop of a simulation.

    The passes of LLVM make such a kernel about 10 % faster for one figure, and direct dynamics 2 % slower.
    """
    loops = [data for op, data in zip(tape.op, tape.data, strict=True) if op == "repeat"]
    return any(data.stops or _steps(data.body) for data in loops)
