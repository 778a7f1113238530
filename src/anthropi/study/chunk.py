"""A chunk of a study: consecutive points that one worker computes in one task, and its results.

The results of a chunk are columns with one row per point. A point can fail:

    error    the function raised an exception
    nan      it returned a number that is not a number; the returned values are kept
    time     a call took longer than the time limit
    memory   a call needed more memory than the worker may use
    worker   the worker died or did not answer, several times, with this point only

A batch whose call fails is computed again point by point, so that only the points at fault fail.
"""

import ctypes
import os
import platform
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.compiler.cache import digest as text_digest
from anthropi.errors import InputError
from anthropi.study.function import FunctionName, call_names, function_key, imported
from anthropi.study.points import columns_digest, stream

__all__ = ["Chunk", "ChunkResult", "Failure", "PointFailed", "run_chunk", "worker_name"]

MAX_MESSAGE = 2000  # characters of an error message that are kept


class Failure(NamedTuple):
    """A point that failed: its index, the kind of failure (see above), the message and the worker."""

    point: int
    kind: str
    message: str
    worker: str


class PointFailed(BaseException):
    """The time limit of a call is over. Not an Exception, so that a function does not catch it by accident."""


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """The task of a worker: all that it needs to compute some points.

    function, key : where to import the function, and its content key.
    study : the key of the study.
    first, columns : index of the first point, and the columns of the points.
    constants : arguments that are the same for all points.
    batch : largest number of points in one call; 0 if the function takes one point.
    seed : of the random streams.
    time_limit : [s] of one call, or None.
    allow_nan : whether NaN is a result like any other.
    """

    function: FunctionName
    key: str
    study: str
    first: int
    columns: dict[str, np.ndarray]
    constants: dict[str, Any] = field(default_factory=dict)
    batch: int = 0
    seed: int = 0
    time_limit: float | None = None
    allow_nan: bool = False

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def last(self) -> int:
        """One more than the index of the last point."""
        return self.first + len(self)

    @property
    def calls(self) -> int:
        """The number of calls of the function."""
        return -(-len(self) // self.batch) if self.batch else len(self)

    @property
    def name(self) -> str:
        """The name of the chunk: a digest of the study and of its points."""
        return text_digest(self.study, str(self.first), columns_digest(self.columns))[:32]


@dataclass(frozen=True, kw_only=True)
class ChunkResult:
    """What a worker returns.

    columns : {name: (n, …)} results of the points in order. Rows of failed points are NaN, 0 or "".
    failures : the points that failed.
    seconds : [s] that the calls took.
    worker : host and process.
    digest : of `columns` and the kinds of the failures, computed by the worker.
    """

    columns: dict[str, np.ndarray]
    failures: tuple[Failure, ...]
    seconds: float
    worker: str
    digest: str

    @staticmethod
    def make(columns: dict[str, np.ndarray], failures: tuple[Failure, ...], seconds: float) -> "ChunkResult":
        """Return the result with its digest, on the worker."""
        return ChunkResult(
            columns=columns,
            failures=failures,
            seconds=seconds,
            worker=worker_name(),
            digest=result_digest(columns, failures),
        )

    @property
    def intact(self) -> bool:
        """Whether the digest fits the content, so that nothing was changed on the way."""
        return self.digest == result_digest(self.columns, self.failures)


def result_digest(columns: Mapping[str, np.ndarray], failures: tuple[Failure, ...]) -> str:
    """Return the digest of results: all columns, and which points failed in which way."""
    failed = ";".join(f"{f.point}:{f.kind}" for f in sorted(failures))
    return text_digest(columns_digest(columns), failed)


def worker_name() -> str:
    """Return the name of this worker: host, process and kind of processor."""
    return f"{socket.gethostname()}:{os.getpid()}"


def machine_name() -> str:
    """Return the system, the processor and the version of Python, for error messages."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}"


_functions: dict[tuple[FunctionName, str], Callable[..., Any]] = {}


def run_chunk(chunk: Chunk) -> ChunkResult:
    """Compute a chunk on a worker."""
    function = _checked_function(chunk)
    start = time.perf_counter()
    rows: list[dict[str, Any] | None] = [None] * len(chunk)
    failures: list[Failure] = []
    size = chunk.batch or 1
    for a in range(0, len(chunk), size):
        here = range(a, min(a + size, len(chunk)))
        _compute(function, chunk, here, rows, failures)
    columns = _joined(rows, chunk.first)
    return ChunkResult.make(columns, tuple(sorted(failures)), time.perf_counter() - start)


def _checked_function(chunk: Chunk) -> Callable[..., Any]:
    """Import the function of a chunk and check that its code is identical to the code on the driver."""
    at = (chunk.function, chunk.key)
    if at not in _functions:
        function = imported(chunk.function)
        own = function_key(function, chunk.function)
        if own != chunk.key:
            raise InputError(
                f"'{chunk.function}' on worker {worker_name()} ({machine_name()}) differs from the code on the "
                "driver: the source of the function, of a function that it uses or of anthropi differs, or the version "
                "of Python or NumPy. Install the same versions on every worker and restart the workers."
            )
        _functions[at] = function
    return _functions[at]


def _compute(function: Callable[..., Any], chunk: Chunk, here: range, rows: list[Any], failures: list[Failure]) -> None:
    """Compute some points by one call, and point by point if that fails. Fills in rows and failures."""
    worker = worker_name()
    try:
        with _time_limit(chunk.time_limit):
            found = _call(function, chunk, here)
    except (Exception, PointFailed) as error:
        if len(here) > 1:
            for k in here:
                _compute(function, chunk, range(k, k + 1), rows, failures)
            return
        failures.append(Failure(chunk.first + here[0], _kind(error), _message(error), worker))
        return
    for k, row in zip(here, found, strict=True):
        rows[k] = row
        bad = [n for n, x in row.items() if x.dtype.kind == "f" and np.isnan(x).any() and not chunk.allow_nan]
        if bad:
            text = f"the result '{bad[0]}' is not a number (NaN)"
            failures.append(Failure(chunk.first + k, "nan", text, worker))


def _call(function: Callable[..., Any], chunk: Chunk, here: range) -> list[dict[str, np.ndarray]]:
    """Call the function for one point or a batch; return one row of results per point."""
    random = "rng" in call_names(function)[0] and "rng" not in chunk.columns
    streams = [stream(chunk.seed, chunk.first + k) for k in here] if random else []
    if not chunk.batch:
        point = {name: x[here[0]].item() for name, x in chunk.columns.items()}
        return [_row(function(**point, **chunk.constants, **({"rng": streams[0]} if random else {})))]
    points = {name: x[here[0] : here[-1] + 1] for name, x in chunk.columns.items()}
    found = _row(function(**points, **chunk.constants, **({"rng": streams} if random else {})))
    for name, x in found.items():
        if x.ndim < 1 or len(x) != len(here):
            raise InputError(
                f"The result '{name}' of a batch of {len(here)} points has shape {x.shape}. Return one "
                "row for each point."
            )
    return [{name: x[k] for name, x in found.items()} for k in range(len(here))]


def _row(found: Any) -> dict[str, np.ndarray]:
    """Return the result of a call as named arrays. A number is named "value"."""
    if hasattr(found, "_asdict"):
        found = found._asdict()
    elif hasattr(found, "__dataclass_fields__"):
        found = {name: getattr(found, name) for name in found.__dataclass_fields__}
    elif not isinstance(found, Mapping):
        found = {"value": found}
    row = {}
    for name, x in found.items():
        array = np.asarray(x)
        if array.dtype.kind not in "fiubU":
            raise InputError(f"The result '{name}' is of type {type(x).__name__}. Return numbers, arrays or words.")
        row[str(name)] = array.astype(
            {"f": np.float64, "i": np.int64, "u": np.int64}.get(array.dtype.kind, array.dtype)
        )
    if not row:
        raise InputError("The function returned no result. Return a number or {name: value}.")
    return row


def _joined(rows: list[Any], first: int) -> dict[str, np.ndarray]:
    """Return the columns of all rows, which must have the same names, shapes and kinds of values."""
    at = next((k for k, row in enumerate(rows) if row is not None), None)
    if at is None:
        return {}
    layout = rows[at]
    for k, row in enumerate(rows):
        if row is not None and not _same_layout(row, layout):
            raise InputError(
                f"The function returned {_layout(row)} at point {first + k}, and {_layout(layout)} at point "
                f"{first + at}. Return the same results, of the same shapes and types, for every point."
            )
    return {
        name: np.stack([np.asarray(_nothing(x) if row is None else row[name]) for row in rows])
        for name, x in layout.items()
    }


def _same_layout(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return {n: (x.shape, x.dtype.kind) for n, x in a.items()} == {n: (x.shape, x.dtype.kind) for n, x in b.items()}


def _layout(row: dict[str, np.ndarray]) -> str:
    words = {"f": "real", "i": "whole", "b": "true or false", "U": "word"}
    return ", ".join(
        f"'{name}' ({words[x.dtype.kind]}{', shape ' + str(x.shape) if x.ndim else ''})" for name, x in row.items()
    )


def _nothing(like: np.ndarray) -> np.ndarray:
    """Return the row of a failed point."""
    return np.full(like.shape, np.nan if like.dtype.kind == "f" else "" if like.dtype.kind == "U" else 0, like.dtype)


def _kind(error: BaseException) -> str:
    return "time" if isinstance(error, PointFailed) else "memory" if isinstance(error, MemoryError) else "error"


def _message(error: BaseException) -> str:
    """Return the type and message of an error, and the line of the study's code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""
    return (f"{type(error).__name__}: {error}{place}" if str(error) else f"{type(error).__name__}{place}")[:MAX_MESSAGE]


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `PointFailed` in this thread after some time: by a signal, or between two instructions of Python.

    Only the main thread of a process receives signals. Code that does not return to Python is not stopped: the driver
    then ends the worker.
    """
    if seconds is None:
        yield
        return
    text = f"the call took longer than the time limit of {seconds:g} s"
    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():

        def over(*_: Any) -> None:
            raise PointFailed(text)

        before = signal.signal(signal.SIGALRM, over)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
        return
    here, lock, running = ctypes.c_ulong(threading.get_ident()), threading.Lock(), [True]

    def stop() -> None:
        with lock:
            if running[0]:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(here, ctypes.py_object(PointFailed))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    except PointFailed:
        raise PointFailed(text) from None
    finally:
        with lock:
            running[0] = False
        timer.cancel()
