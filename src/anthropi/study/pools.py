"""Pools of workers that compute chunks: processes of this machine, or this process itself.

A pool takes chunks and gives outcomes back in any order. `Processes` starts its own workers, one per core, each with
one thread; it replaces a worker that died and can end one that hangs. `Inline` computes in this process, with all its
threads. executors.py contains the pool for executors and clusters, whose workers belong to somebody else.

    driver ── Chunk ──> worker           over a local socket with a random key, pickled
           <── ChunkResult or error ──
"""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from multiprocessing.connection import Connection, Listener, wait
from pathlib import Path
from typing import NamedTuple, Protocol

from anthropi.compiler.threads import THREADS_VARIABLE, default_threads
from anthropi.errors import InputError, SimulationError
from anthropi.study.chunk import Chunk, ChunkResult, run_chunk, worker_name

__all__ = ["Inline", "Outcome", "Pool", "Processes", "WorkerLost"]

START_TIMEOUT = 60.0  # [s] for a worker to start and connect
START_ATTEMPTS = 5  # to start a worker that is killed while it starts


class WorkerLost(SimulationError):
    """A worker died or was ended while it computed a chunk.

    kind : kind of failure of the point, if the chunk has only one: "worker" or "time".
    again : whether the same chunk is worth another attempt. If not, it is split, or its only point fails.
    """

    def __init__(self, message: str, kind: str = "worker", again: bool = True) -> None:
        super().__init__(message)
        self.kind, self.again = kind, again


class Outcome(NamedTuple):
    """The end of a task: its number, the result or the error, and the worker."""

    task: int
    result: ChunkResult | None
    error: BaseException | None
    worker: str


class Pool(Protocol):
    """What a study needs of its workers."""

    def capacity(self) -> int:
        """Return the number of chunks that are computed at the same time."""

    def submit(self, task: int, chunk: Chunk, avoid: Iterable[str] = ()) -> None:
        """Hand out a chunk, if possible not to the workers in `avoid`."""

    def wait(self, timeout: float) -> list[Outcome]:
        """Return the tasks that ended, at the latest after some time [s]."""

    def end(self, task: int) -> bool:
        """End a task that takes too long; its outcome is an error. Return False if it has not begun yet."""

    def share_kernels(self) -> int:
        """Give all machines the kernels that the first chunk has compiled; return the number of new kernels."""

    def close(self) -> None:
        """End all workers that belong to the pool."""


class Inline:
    """Computes chunks in this process, one after the other, when `wait` is called."""

    def __init__(self) -> None:
        self._tasks: list[tuple[int, Chunk]] = []

    def capacity(self) -> int:
        """Return 1."""
        return 1

    def submit(self, task: int, chunk: Chunk, avoid: Iterable[str] = ()) -> None:
        """Keep a chunk for the next `wait`."""
        self._tasks.append((task, chunk))

    def wait(self, timeout: float) -> list[Outcome]:
        """Compute the chunks and return their outcomes."""
        tasks, self._tasks = self._tasks, []
        return [_attempt(task, chunk) for task, chunk in tasks]

    def end(self, task: int) -> bool:
        """Return False: a task that does not return cannot be ended from the same process."""
        return False

    def share_kernels(self) -> int:
        """Return 0: the workers use one kernel cache."""
        return 0

    def close(self) -> None:
        """Forget all tasks."""
        self._tasks = []


def _attempt(task: int, chunk: Chunk) -> Outcome:
    try:
        return Outcome(task, run_chunk(chunk), None, worker_name())
    except Exception as error:
        return Outcome(task, None, error, worker_name())


class _Worker:
    """A process of this pool, its connection, and the task that it computes."""

    def __init__(self, process: subprocess.Popen[bytes], connection: Connection, name: str) -> None:
        self.process, self.connection, self.name = process, connection, name
        self.task: int | None = None


class Processes:
    """Processes on this machine that compute one chunk at a time each, with one thread.

    Parameters
    ----------
    workers : the number of processes; by default one for each CPU that this process may use.
    memory_limit : [bytes] of address space that a worker may use; None: no limit. Not on Windows.
    """

    def __init__(self, workers: int | None = None, memory_limit: float | None = None) -> None:
        self.count = default_threads() if workers is None else workers
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise InputError(f"The number of workers is {workers!r}. Give a whole number of at least 1.")
        self.memory_limit = memory_limit
        self._key = secrets.token_bytes(32)
        address = ("127.0.0.1", 0) if sys.platform == "win32" else None  # None: a socket file that only this user sees
        self._listener = Listener(address, backlog=self.count + 8, authkey=self._key)
        self._workers: list[_Worker] = []
        self._starting: list[subprocess.Popen[bytes]] = []
        self._waiting: list[tuple[int, Chunk, tuple[str, ...]]] = []
        self._outcomes: list[Outcome] = []

    @property
    def processes(self) -> tuple[int, ...]:
        """The process numbers of the workers."""
        return tuple(worker.process.pid for worker in self._workers)

    def capacity(self) -> int:
        """Return the number of workers."""
        return self.count

    def submit(self, task: int, chunk: Chunk, avoid: Iterable[str] = ()) -> None:
        """Hand out a chunk, or keep it until a worker is free that is not to be avoided."""
        self._waiting.append((task, chunk, tuple(avoid)))
        self._hand_out()

    def wait(self, timeout: float) -> list[Outcome]:
        """Return the tasks that ended, at the latest after some time [s]."""
        self._hand_out()
        if not self._outcomes:
            busy = [w for w in self._workers if w.task is not None]
            ready = wait([w.connection for w in busy], timeout) if busy else []
            for worker in busy:
                if worker.connection in ready:
                    self._receive(worker)
            self._hand_out()
        found, self._outcomes = self._outcomes, []
        return found

    def end(self, task: int) -> bool:
        """Kill the worker of a task; another one takes its place."""
        found = [w for w in self._workers if w.task == task]
        for worker in found:
            self._lose(worker, "it took too long and was ended", kind="time")
        return bool(found)

    def share_kernels(self) -> int:
        """Return 0: the workers use one kernel cache."""
        return 0

    def close(self) -> None:
        """End all workers."""
        processes = [*(worker.process for worker in self._workers), *self._starting]
        for process in processes:
            process.kill()
        for worker in self._workers:
            worker.connection.close()
        for process in processes:
            process.wait()
        self._workers, self._starting, self._waiting = [], [], []
        self._listener.close()

    def _hand_out(self) -> None:
        for entry in list(self._waiting):
            task, chunk, avoid = entry
            worker = self._free(avoid)
            if worker is None:
                continue
            self._waiting.remove(entry)
            worker.task = task
            try:
                worker.connection.send(chunk)
            except OSError:
                self._lose(worker, "it died")

    def _free(self, avoid: tuple[str, ...]) -> _Worker | None:
        """Return a worker without a task; start one if there are fewer than there may be, or all are to be avoided."""
        free = [w for w in self._workers if w.task is None]
        for worker in free:
            if worker.name not in avoid:
                return worker
        if len(self._workers) < self.count:
            return self._start()
        if free and all(w.name in avoid for w in self._workers):  # replace one of those to be avoided
            self._drop(free[0])
            return self._start()
        return None

    def _start(self) -> _Worker:
        """Return a new worker. After the first one, all that are lacking are started together.

        A worker that is killed while it starts is started again.
        """
        for _ in range(START_ATTEMPTS + self.count):
            wanted = self.count - len(self._workers) if self._workers else 1
            while len(self._starting) < wanted:
                self._starting.append(self._launched())
            found = self._connected()
            if found is not None:
                self._starting.remove(found.process)
                self._workers.append(found)
                return found
            ended = [p for p in self._starting if p.poll() is not None]
            self._starting = [p for p in self._starting if p not in ended]
            if not ended or any(p.returncode >= 0 for p in ended):  # they do not connect, or end by themselves
                break
        code = ended[0].returncode if ended else "none"
        raise SimulationError(
            f"A worker could not start (exit code {code}). Try: {sys.executable} -c 'import anthropi.study.worker'."
        )

    def _launched(self) -> subprocess.Popen[bytes]:
        """Start the process of a worker with the address to connect to."""
        own = str(Path(__file__).resolve().parents[2])  # the anthropi of the driver, which another folder may not find
        path = os.pathsep.join([own, *filter(None, [os.environ.get("PYTHONPATH")])])
        env = dict(os.environ) | {THREADS_VARIABLE: "1", "PYTHONPATH": path}
        command = [sys.executable, "-m", "anthropi.study.worker"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=env, start_new_session=True)
        assert process.stdin is not None
        request = {
            "address": self._listener.address,
            "key": self._key.hex(),
            "memory": self.memory_limit,
            "path": sys.path,
        }
        with contextlib.suppress(OSError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.close()
        return process

    def _connected(self) -> _Worker | None:
        """Return the next worker that connects; None if a starting worker has ended, or none connects in time."""
        listening = self._listener._listener._socket  # type: ignore[attr-defined]  # Listener has no timeout
        listening.settimeout(0.2)
        limit = time.monotonic() + START_TIMEOUT
        while time.monotonic() < limit:
            with contextlib.suppress(EOFError, OSError):  # nothing yet, or a worker that was killed meanwhile
                connection = self._listener.accept()
                name = connection.recv()
                process = next((p for p in self._starting if name.endswith(f":{p.pid}")), None)
                if process is not None:
                    return _Worker(process, connection, name)
                connection.close()
            if any(p.poll() is not None for p in self._starting):
                return None
        return None

    def _receive(self, worker: _Worker) -> None:
        """Receive the result of a worker. A broken connection means that its process has ended."""
        task = worker.task
        assert task is not None
        try:
            kind, found = worker.connection.recv()
        except (EOFError, OSError):
            self._lose(worker, "it died")
            return
        worker.task = None
        if kind == "result":
            self._outcomes.append(Outcome(task, found, None, worker.name))
        else:
            self._outcomes.append(Outcome(task, None, found, worker.name))

    def _lose(self, worker: _Worker, why: str, kind: str = "worker") -> None:
        """Drop a worker, and make its task an error."""
        self._drop(worker)
        if worker.task is not None:
            code = worker.process.returncode
            text = f"Worker {worker.name} was lost: {why} (exit code {code})."
            if code == -signal.SIGKILL and why == "it died":
                text += " Somebody killed it, or the machine was out of memory."
            lost = WorkerLost(text, kind, again=kind == "worker")
            self._outcomes.append(Outcome(worker.task, None, lost, worker.name))

    def _drop(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        died = worker.process.poll() is not None
        if not died:
            with contextlib.suppress(subprocess.TimeoutExpired):
                worker.process.wait(0.2)
        worker.process.kill()
        worker.process.wait()
        worker.connection.close()
