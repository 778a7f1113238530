"""One thread that compiles better code while worse code runs. It never outlives the interpreter.

Cpu
---
A tape on this CPU: which code for how many lanes, compiled in which tier, run on how many threads.
"""

import atexit
import ctypes
import os
import queue
import threading
import time
import weakref

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import Buffers, aligned
from anthropi.compiler.targets import llvm
from anthropi.compiler.targets.machine import BYTES, DTYPE, Machine
from anthropi.compiler.thread_count import default_threads
from anthropi.errors import InputError
from anthropi.tape.tape import Tape

__all__ = ["Cpu", "later"]


_jobs: queue.SimpleQueue = queue.SimpleQueue()
_lock = threading.Lock()
_state: dict = {"thread": None, "leaving": False}


def _begin_anew() -> None:
    """A forked child has no compiling thread and owes nobody a job."""
    global _jobs, _lock
    _jobs, _lock = queue.SimpleQueue(), threading.Lock()
    _state["thread"] = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def later(job) -> threading.Event:
    """Run a job soon, in the background; the event is set when it is done or will never be."""
    done = threading.Event()
    _jobs.put((job, done))
    with _lock:
        if _state["thread"] is None or not _state["thread"].is_alive():  # a forked child starts its own
            _state["thread"] = threading.Thread(target=_work, name="anthropi-compiler", daemon=True)
            _state["thread"].start()
            atexit.register(_leave)
    return done


def _work() -> None:
    while not _state["leaving"]:
        job, done = _jobs.get()
        try:
            if not _state["leaving"] and job is not None:
                job()
        finally:
            done.set()


def _leave() -> None:
    """LLVM must not be at work while the interpreter is taken down: wait for the job in hand, drop the rest."""
    _state["leaving"] = True
    _jobs.put((None, threading.Event()))
    if _state["thread"] is not None and _state["thread"].is_alive():
        _state["thread"].join()


_TIMED = 20_000  # tapes of up to this many operations, passes counted, have their lane width chosen by timing
_SHARE = 20_000  # operations a thread should have to do before another is worth waking
_FIRST = 0.3  # [s] for who could not wait: writing code is Python, and Python does one thing at a time
_ROWS = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Code:
    """What runs a tape for one lane width. `rows` is swapped for a better one when a second tier is ready."""

    def __init__(self, rows, lanes: int, scratch: int):
        self.rows, self.lanes, self.scratch = rows, lanes, scratch

    @classmethod
    def of(cls, machine_code: bytes, lanes: int, scratch: int) -> "Code":
        """Machine code as it was compiled."""
        return cls(llvm.load(machine_code).function("rows", *_ROWS), lanes, scratch)

    @property
    def loaded(self):
        """The machine code in memory; None while a program is interpreted."""
        return getattr(self.rows, "keep", None)

    def adopt(self, better: "Code") -> None:
        """Use the other's machine code from the next call on; a call in flight keeps its own alive."""
        self.scratch = better.scratch  # first: who reads the new rows must find their scratch
        self.rows = better.rows


class Cpu:
    """The engine behind a kernel with target "cpu".

    meta : what a kernel must know of its tape (`kernel.py`). tape : function that returns the tape, called only if
    the cache cannot answer. opt : 0, 2, "tiers" (0 at once, 2 in the background) or "now" (interpreted at once).
    """

    device = "cpu"

    def __init__(self, meta: dict, slots, tape, precision: str, opt):
        self.meta, (self.inputs, self.outputs), self._tape = meta, slots, tape
        self.precision, self.opt, self.dtype = precision, opt, DTYPE[precision]
        self.owner = (meta["key"], precision)
        self._codes: dict[int, Code] = {}
        self._lowered: Tape | None = None
        self._lock = threading.RLock()
        self._background: list[threading.Event] = []

    # code

    def code(self, lanes: int) -> Code:
        """The code for a lane width, compiled if need be."""
        if lanes not in self._codes:
            with self._lock:
                if lanes not in self._codes:
                    self._codes[lanes] = self._make(lanes)
        return self._codes[lanes]

    def _make(self, lanes: int) -> Code:
        if self.opt in (0, 2):
            return self._compiled(lanes, self.opt)
        ready = self._cached(lanes, 2)
        if ready:
            return ready
        code = self._interpreted() if self.opt == "now" and lanes == 1 else self._compiled(lanes, 0)
        if os.environ.get("ANTHROPI_TIERS") == "0":  # the first tier is all one wants, as in short tests
            return code
        wait = 0.0 if code.loaded else _FIRST
        self._background.append(later(_improvement(weakref.ref(self), code, wait)))
        return code

    @property
    def compiled(self) -> bool:
        """Whether the code for one figure is machine code of the last tier."""
        if self.opt in (0, 2):
            return True
        code = self._codes.get(1)
        tiers = os.environ.get("ANTHROPI_TIERS") != "0"
        return code is not None and code.loaded is not None and (not tiers or all(e.is_set() for e in self._background))

    def settle(self) -> None:
        """Wait until the better tier is in place."""
        while self._background:
            self._background.pop().wait()

    def _settled(self, lanes: int) -> Code:
        """The code for a lane width, which is machine code and stays."""
        code = self.code(lanes)
        self.settle()
        if code.loaded is None:
            code.adopt(self._compiled(lanes, 0))
        return code

    def _name(self, lanes: int, opt: int) -> str:
        cpu, features, _ = llvm.host()
        parts = (self.meta["key"], "cpu", self.precision, str(lanes), str(opt), cpu, features, llvm.versions())
        return cache.digest(*parts, cache.source_digest()) + ".code"

    def _cached(self, lanes: int, opt: int) -> Code | None:
        entry = cache.read(self._name(lanes, opt))
        return Code.of(entry[1], lanes, entry[0]["scratch"]) if entry else None

    def _interpreted(self) -> Code:
        from anthropi.compiler.targets.program import Program

        return Code(Program(self._tape(), self.precision).rows, 1, 0)

    def _compiled(self, lanes: int, opt: int) -> Code:
        ready = self._cached(lanes, opt)
        if ready:
            return ready
        from anthropi.compiler.targets.modules import cpu_module  # a cached kernel never needs it

        text, scratch = cpu_module(self._lower(), Machine(self.precision, lanes))
        machine_code = llvm.assemble(text, opt)
        cache.write(self._name(lanes, opt), {"scratch": scratch}, machine_code)
        return Code.of(machine_code, lanes, scratch)

    def _lower(self) -> Tape:
        from anthropi.compiler.lower import lower

        if self._lowered is None:  # once set it is read without the lock, so that no thread forks away with it
            with self._lock:
                self._lowered = self._lowered or lower(self._tape(), self.precision)
        return self._lowered

    @property
    def lanes(self) -> int:
        """The lane width for batches: as wide as the CPU's vectors, or half, whichever is faster here."""
        wide = llvm.host()[2] // (8 * BYTES[self.precision])
        if not hasattr(self, "_lanes"):
            with self._lock:
                small = self.meta["work"] <= _TIMED and self.opt == 2
                self._lanes = self._timed([wide, wide // 2]) if small else wide
        return self._lanes

    def _timed(self, widths: list[int]) -> int:
        name = cache.digest(self._name(0, 2), "lanes") + ".lanes"
        entry = cache.read(name)
        if entry and entry[0].get("lanes") in widths:
            return entry[0]["lanes"]
        best = {w: min(self._time(w) for _ in range(5)) for w in widths}
        lanes = min(widths, key=lambda w: best[w])
        cache.write(name, {"lanes": lanes})
        return lanes

    def _time(self, lanes: int) -> float:
        """Seconds for one figure among many."""
        code, batch = self.code(lanes), 256
        steps = [np.zeros((1, *s.shape), self.dtype) for s in self.inputs]
        results = [np.empty((batch, *s.shape), self.dtype) for s in self.outputs]
        table = self._table(steps, [0] * len(steps), results)
        memory = self._memory(code)
        start = time.perf_counter()
        code.rows(table.ctypes.data, memory.ctypes.data, 0, batch // lanes, batch)
        return (time.perf_counter() - start) / batch

    # running

    def evaluate(self, arrays, steps, results, batch: int, threads: int | None) -> None:
        """Fill the result arrays (batch, *shape) from input arrays; step 0 means one row for all."""
        if threads is not None and (threads != int(threads) or threads < 1):
            raise InputError(f"threads={threads!r}: give a whole number, at least 1, or None to let the kernel choose.")
        code = self.code(1 if batch == 1 else self.lanes)
        rows, table = code.rows, self._table(arrays, steps, results)
        blocks = -(-batch // code.lanes)
        share = max(1, _SHARE // max(1, self.meta["work"] * code.lanes))
        most = blocks if threads else max(1, blocks // share)
        count = min(threads or default_threads(), most) if most > 1 else 1

        def work(part: int) -> None:
            memory = self._memory(code)
            first, last = blocks * part // count, blocks * (part + 1) // count
            rows(table.ctypes.data, memory.ctypes.data, first, last, batch)

        if count == 1:
            work(0)
        else:
            list(_pool().map(work, range(count)))

    def _table(self, arrays, steps, results) -> np.ndarray:
        """Addresses and steps as the machine code reads them."""
        entries = []
        for slot, array, step in zip(self.inputs, arrays, steps, strict=True):
            if slot.size:
                entries += [array.ctypes.data, step * slot.size]
        entries += [r.ctypes.data for s, r in zip(self.outputs, results, strict=True) if s.size]
        return np.array(entries, np.int64)

    def _memory(self, code: Code) -> np.ndarray:
        slots = sum(s.size for s in (*self.inputs, *self.outputs)) + code.scratch
        return aligned(slots * code.lanes + 16, self.dtype)

    # the kernel's own layout

    def buffers(self, batch: int) -> Buffers:
        """Buffers for a batch."""
        code = self._settled(1 if batch == 1 else self.lanes)
        return Buffers(self.inputs, self.outputs, batch, code.lanes, self.dtype, code.scratch, self.owner)

    def bind(self, buffers: Buffers):
        """A function without arguments that runs the kernel on these buffers, in about 0.1 µs plus the work."""
        from anthropi.compiler.targets.modules import trampoline

        buffers.belongs_to(self.owner)
        loaded = self._settled(buffers.lanes).loaded
        text = trampoline(loaded.address("run"), buffers.pointers(), buffers.blocks)
        call = llvm.load(llvm.assemble(text, 2)).function("bound", hold_gil=True)
        call.keep = (call.keep, loaded, buffers)  # what it points into lives as long as it does
        return call


def _improvement(engine, code: Code, wait: float):
    """What the background does for a code after a while, unless nobody has the kernel any more by then."""
    due = time.monotonic() + wait

    def job() -> None:
        time.sleep(max(0.0, due - time.monotonic()))
        own = engine()
        if own is not None:
            code.adopt(own._compiled(code.lanes, 2))

    return job


_pools: dict = {}


def _pool():
    """Threads of this process (a forked child makes its own)."""
    from concurrent.futures import ThreadPoolExecutor

    pid = os.getpid()
    if pid not in _pools:
        _pools[pid] = ThreadPoolExecutor(
            max_workers=max(os.cpu_count() or 1, default_threads()), thread_name_prefix="anthropi"
        )
    return _pools[pid]
