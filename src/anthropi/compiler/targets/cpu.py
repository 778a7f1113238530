"""The CPU target: code for each lane width, recompilation in a background thread, and threads for batches."""

import atexit
import contextlib
import ctypes
import math
import os
import queue
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import Buffers, aligned
from anthropi.compiler.targets import llvm
from anthropi.compiler.targets.machine import BYTES, DTYPE, Machine
from anthropi.compiler.threads import default_threads, renewed_in_child
from anthropi.errors import InputError
from anthropi.tape.tape import Slot, Tape

__all__ = ["Cpu", "run_in_background"]


_jobs: queue.SimpleQueue = queue.SimpleQueue()
_lock = threading.Lock()
_working = threading.Lock()  # held while a job runs
_state: dict[str, Any] = {"thread": None, "exiting": False, "forks": 0}


def _before_fork() -> None:
    """Wait for the running job and let no other start, so that the child inherits no lock or import of a job."""
    _state["forks"] += 1
    _working.acquire()


def _after_fork_in_parent() -> None:
    _working.release()
    _state["forks"] -= 1


def _after_fork_in_child() -> None:
    """Reset the background compiler in a forked child process: no thread and no pending jobs."""
    global _jobs, _lock, _working
    _jobs, _lock, _working = queue.SimpleQueue(), threading.Lock(), threading.Lock()
    _state.update(thread=None, forks=0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)


def run_in_background(job: Callable[[], Any], wait: float = 0.0) -> threading.Event:
    """Queue a job for the compiling thread, to start `wait` seconds from now at the earliest.

    Returns an event that is set when the job is done or dropped.
    """
    done = threading.Event()
    _jobs.put((job, time.monotonic() + wait, done))
    with _lock:
        if _state["thread"] is None or not _state["thread"].is_alive():
            _state["thread"] = threading.Thread(target=_run_jobs, name="anthropi-compiler", daemon=True)
            _state["thread"].start()
            atexit.register(_finish_at_exit)
    return done


def _run_jobs() -> None:
    """Run queued jobs until the process exits."""
    while not _state["exiting"]:
        job, due, done = _jobs.get()
        try:
            while not _state["exiting"] and (_state["forks"] or time.monotonic() < due):
                time.sleep(max(0.001, min(0.05, due - time.monotonic())))
            with _working:
                if not _state["exiting"] and job is not None:
                    job()
        finally:
            done.set()


def _finish_at_exit() -> None:
    """Wait for the running job and drop the rest: LLVM must not run while the interpreter shuts down.

    Ctrl-C does not shorten this: an interpreter that ends while a thread is inside LLVM crashes.
    """
    while True:
        try:
            with _no_interrupts():
                _state["exiting"] = True
                _jobs.put((None, 0.0, threading.Event()))
                if _state["thread"] is not None and _state["thread"].is_alive():
                    _state["thread"].join()
            return
        except KeyboardInterrupt:  # it came before the signal was ignored
            continue


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Context manager that ignores Ctrl-C, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


MAX_TIMED_OPERATIONS = 20_000  # counting every pass of a loop; longer tapes use the full lane width without timing
OPERATIONS_PER_THREAD = 20_000  # a thread with less work than this costs more time than it saves
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
    def compiled(self) -> bool:
        """Whether the code for one figure is the final machine code."""
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
        if code.loaded is None:
            code.replace_by(self._compiled(lanes, 0))
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

        text, scratch = cpu_module(self._lower(), Machine(self.precision, lanes))
        machine_code = llvm.assemble(text, opt)
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
        table = self._table(steps, [0] * len(steps), results)
        memory = self._memory(code)
        start = time.perf_counter()
        code.rows(table.ctypes.data, memory.ctypes.data, 0, batch // lanes, batch)
        return (time.perf_counter() - start) / batch

    # running

    def evaluate(
        self, arrays: list[np.ndarray], steps: list[int], results: list[np.ndarray], batch: int, threads: int | None
    ) -> None:
        """Fill the result arrays (batch, *shape) from input arrays; step 0 means one row for all figures."""
        if threads is not None and not _is_count(threads):
            raise InputError(f"threads={threads!r}: give a whole number, at least 1, or None for the default.")
        code = self.code(1 if batch == 1 else self.lanes)
        rows, table = code.rows, self._table(arrays, steps, results)
        blocks = -(-batch // code.lanes)
        share = max(1, OPERATIONS_PER_THREAD // max(1, self.meta["work"] * code.lanes))
        most_threads = blocks if threads else max(1, blocks // share)
        count = min(threads or default_threads(), most_threads) if most_threads > 1 else 1

        def work(part: int) -> None:
            memory = self._memory(code)
            first, last = blocks * part // count, blocks * (part + 1) // count
            rows(table.ctypes.data, memory.ctypes.data, first, last, batch)

        if count == 1:
            work(0)
        else:
            list(_pool().map(work, range(count)))

    def _table(self, arrays: list[np.ndarray], steps: list[int], results: list[np.ndarray]) -> np.ndarray:
        """Return the table of addresses and steps of arrays that the machine code reads."""
        entries = []
        for slot, array, step in zip(self.inputs, arrays, steps, strict=True):
            if slot.size:
                entries += [array.ctypes.data, step * slot.size]
        entries += [r.ctypes.data for s, r in zip(self.outputs, results, strict=True) if s.size]
        return np.array(entries, np.int64)

    def _memory(self, code: Code) -> np.ndarray:
        slots = sum(s.size for s in (*self.inputs, *self.outputs)) + code.scratch
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
