"""The pool of a study for a `concurrent.futures.Executor` or a Dask cluster, whose workers belong to somebody else."""

import contextlib
import queue
import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from anthropi.compiler.cache import export_entries, import_entries, used_entries
from anthropi.compiler.threads import default_threads
from anthropi.errors import InputError, MissingExtra, SimulationError
from anthropi.study.chunk import Chunk, run_chunk, worker_name
from anthropi.study.pools import Outcome, WorkerLost

__all__ = ["Futures", "dask_client"]

NO_SCHEDULER = (
    "The Dask scheduler does not answer. Chunks that are done are kept; run the study again with a new cluster."
)
THREADS_AGE = 1.0  # [s] for which the number of threads of a Dask cluster is believed


def dask_client(address: str) -> Any:
    """Return a client of the Dask scheduler at an address, such as "tcp://10.0.0.5:8786"."""
    try:
        from dask.distributed import Client
    except ImportError:
        raise MissingExtra("dask", "study", "A study on a cluster") from None
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"No Dask scheduler answers at {address}: {error}. Start one with `dask scheduler`, and workers with "
            f"`dask worker {address}`."
        ) from None


class Futures:
    """The workers of a `concurrent.futures.Executor` or of a client of Dask.

    Parameters
    ----------
    executor : an executor, or a `dask.distributed.Client`.
    workers : number of chunks that are computed at the same time; by default the number of workers of the executor.
    """

    def __init__(self, executor: Any, workers: int | None = None) -> None:
        self.executor = executor
        self.dask = hasattr(executor, "scheduler_info") and hasattr(executor, "nthreads")
        if not hasattr(executor, "submit"):
            raise InputError(
                f"executor={executor!r} has no method `submit`. Give a concurrent.futures.Executor, a client of Dask, "
                "or None for processes on this machine."
            )
        self._workers = workers
        self._threads = -np.inf, 0  # [s] when the scheduler was asked last, and the number of threads of its workers
        self._done: queue.Queue[tuple[int, Any]] = queue.Queue()
        self._futures: dict[int, Any] = {}
        self._ended: list[int] = []

    def share_kernels(self) -> int:
        """Copy the kernels that a worker of Dask has compiled to the other machines; return the number of new kernels.

        Each machine receives a kernel once. A machine with another kind of processor does not use it.
        """
        if not self.dask:
            return 0
        hosts: dict[str, str] = {}  # {machine: one of its workers}
        for address, worker in self.executor.scheduler_info(n_workers=-1)["workers"].items():
            hosts.setdefault(worker["host"], address)
        if len(hosts) < 2:
            return 0
        with self._scheduler():
            names = self.executor.run(used_entries)
            source = max(names, key=lambda address: len(names[address]))
            entries = self.executor.run(export_entries, names[source], workers=[source])[source]
            return sum(self.executor.run(import_entries, entries, workers=list(hosts.values())).values())

    def capacity(self) -> int:
        """Return the number of chunks to send at a time: for Dask two for each thread, so that no thread waits."""
        if self._workers is not None:
            return self._workers
        if self.dask:
            asked, threads = self._threads
            if time.monotonic() - asked > THREADS_AGE:  # asking the scheduler takes milliseconds
                with self._scheduler():
                    threads = sum(self.executor.nthreads().values())
                self._threads = time.monotonic(), threads
            return max(2 * threads, 1)
        return int(getattr(self.executor, "_max_workers", 0)) or default_threads()

    def submit(self, task: int, chunk: Chunk, avoid: Iterable[str] = ()) -> None:
        """Hand out a chunk. `avoid` has an effect only with Dask."""
        options: dict[str, Any] = {}
        if self.dask:
            options = {"pure": False, "key": f"{chunk.name}-{task}"}
            others = self._other_workers(set(avoid)) if avoid else []
            if others:
                options["workers"] = others
        try:
            with self._scheduler():
                future = self.executor.submit(run_chunk, chunk, **options)
        except RuntimeError as error:  # a broken or closed executor
            raise SimulationError(
                f"The executor takes no more work: {error}. Finished points are kept. Run the study again "
                "with a new executor."
            ) from error
        self._futures[task] = future
        future.add_done_callback(lambda f, task=task: self._done.put((task, f)))

    def wait(self, timeout: float) -> list[Outcome]:
        """Return the tasks that ended, at the latest after some time [s]."""
        late = WorkerLost("The worker took too long; its task was cancelled.", "time", again=False)
        found = [Outcome(task, None, late, "") for task in self._ended]
        first, self._ended = not found, []
        while True:
            try:
                task, future = self._done.get(timeout=timeout if first else 0.0)
            except queue.Empty:
                return found
            first = False
            if task in self._futures:  # else it was ended, and its outcome was given then
                del self._futures[task]
                found.append(self._outcome(task, future))

    def end(self, task: int) -> bool:
        """Cancel a task that has begun. The worker of Dask that computes it is restarted."""
        future = self._futures[task]
        if self.dask:
            with self._scheduler():
                keys = self.executor.run(_executing, on_error="ignore")
            busy = [address for address, executing in keys.items() if future.key in executing]
            if not busy:
                return False
            del self._futures[task]
            self._ended.append(task)
            future.cancel(force=True)
            self.executor.restart_workers(busy, timeout=60, raise_for_error=False)
            return True
        if not future.running():
            return False
        del self._futures[task]
        self._ended.append(task)
        return True

    def close(self) -> None:
        """Cancel the waiting chunks. The executor is not closed, because it belongs to the caller."""
        for future in self._futures.values():
            with contextlib.suppress(Exception):  # the scheduler of Dask may be gone, which was said already
                future.cancel()
        self._futures = {}

    def _outcome(self, task: int, future: Any) -> Outcome:
        if self.dask and future.status != "finished":
            self._wait_for_scheduler()
        try:
            if future.cancelled():
                return Outcome(task, None, WorkerLost("The task was cancelled."), "")
            error = future.exception()
        except Exception as gone:
            return Outcome(task, None, WorkerLost(f"The task was lost: {gone}"), "")
        if error is None:
            try:
                result = future.result()
            except OSError as gone:  # the results are on a worker that died, or the scheduler is gone
                return Outcome(task, None, WorkerLost(f"The results were lost: {gone}"), "")
            return Outcome(task, result, None, result.worker)
        name = type(error).__name__
        if name in ("KilledWorker", "FutureCancelledError", "CommClosedError", "CancelledError", "BrokenProcessPool"):
            if name == "BrokenProcessPool":
                raise SimulationError(
                    f"A process of the executor died: {error} Finished points are kept. Run the study again with a "
                    "new executor, or with executor=None, which replaces workers that die."
                ) from error
            lost = WorkerLost(f"The worker was lost: {name}: {error}", again=name != "KilledWorker")  # Dask tried often
            return Outcome(task, None, lost, "")
        return Outcome(task, None, error, "")

    @contextlib.contextmanager
    def _scheduler(self) -> Iterator[None]:
        """Replace errors of the connection to a Dask scheduler by one that states which results are kept."""
        try:
            yield
        except Exception as error:
            lost = isinstance(error, OSError | TimeoutError) or type(error).__name__ == "ClosedClientError"
            if not self.dask or not lost:  # Dask's CommClosedError is an OSError
                raise
            raise SimulationError(f"{NO_SCHEDULER} ({type(error).__name__}: {error})") from error

    def _wait_for_scheduler(self) -> None:
        """Wait until Dask has found its scheduler again, or given up: tasks of a lost scheduler are no lost workers."""
        while self.executor.status == "connecting":
            time.sleep(0.1)
        if self.executor.status != "running":
            raise SimulationError(NO_SCHEDULER)

    def _other_workers(self, avoid: set[str]) -> list[str]:
        """Return the addresses of Dask workers whose processes are not among the names of workers to avoid."""
        with self._scheduler():
            names = self.executor.run(worker_name)
        return [address for address, name in names.items() if name not in avoid]


def _executing(dask_worker: Any) -> list[str]:
    """Return the keys of the tasks that a worker of Dask computes; it runs on the worker."""
    return [task.key for task in dask_worker.state.executing]
