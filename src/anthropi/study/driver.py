"""The driver: hands chunks of points to a pool of workers until every point is in the journal.

Chunks are sized by the measured cost of a point, so that one takes about `chunk_seconds`. The first chunk of a run is
small and alone: it measures the cost, and fills the kernel cache for the other workers. Sizes depend on the clock;
results do not, because every point depends on its own values and its own random stream only.

When a worker is lost, its chunk is handed out again. After `ATTEMPTS` losses it is split into halves, and a single
point that loses `ATTEMPTS` workers is computed once more at the end, with nothing beside it, because a worker of Dask
that dies takes other points with it; if it is lost again, it is recorded as failed. A chunk to be checked is computed
again by another worker; if the bits differ, a third worker, or the driver, decides, the worker at fault is named, and
all its chunks are checked.
"""

import itertools
import time
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from anthropi.errors import SimulationError, StudyWarning
from anthropi.study.chunk import Chunk, ChunkResult, Failure, run_chunk, worker_name
from anthropi.study.journal import Entry, Journal
from anthropi.study.pools import Pool, WorkerLost

__all__ = ["Driver", "Progress", "missing_ranges"]

ATTEMPTS = 3  # losses of a worker with the same chunk until the chunk is split, or its point fails
MIN_LANES = 8  # points of a batch below which vector lanes would be empty
GROWTH = 4  # largest factor between the sizes of chunks that are measured one after the other
POLL = 0.2  # [s] between looks at the clock
GRACE = 30.0  # [s] that a chunk may take beyond the time limits of its calls, such as for compiling kernels


class Progress(NamedTuple):
    """How far a study is: points done, of all, failed; points per second, and [s] left (None: not known yet)."""

    done: int
    total: int
    failed: int
    rate: float
    left: float | None
    best: float | None = None

    def __str__(self) -> str:
        left = "" if self.left is None else f", {_duration(self.left)} left"
        failed = f", {self.failed:,} failed" if self.failed else ""
        best = "" if self.best is None else f", best {self.best:.6g}"
        return f"{self.done:,} of {self.total:,} points{failed}, {self.rate:.3g} per second{left}{best}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def missing_ranges(entries: list[Entry], first: int, last: int) -> list[tuple[int, int]]:
    """Return the ranges of points between `first` and `last` that no chunk covers."""
    found, at = [], first
    for entry in entries:
        if entry.last <= first or entry.first >= last:
            continue
        if entry.first > at:
            found.append((at, entry.first))
        at = max(at, entry.last)
    return [*found, (at, last)] if at < last else found


@dataclass
class _Task:
    """A chunk that a worker computes: for the first time, or to check an entry of the journal."""

    chunk: Chunk
    checks: Entry | None = None
    others: list[ChunkResult] = field(default_factory=list)  # earlier results of a check that differed
    losses: int = 0
    alone: bool = False  # whether nothing else is computed at the same time
    since: float = 0.0


class Driver:
    """Computes points of a study.

    Parameters
    ----------
    journal, pool : where results are kept, and who computes.
    make : returns the chunk of the points first … last - 1.
    chunk_seconds : [s] that a chunk should take.
    recheck : share of the chunks that another worker computes again, 0 to 1.
    time_limit : [s] of one call of the function; None: no limit.
    batch : the largest number of points in one call; 0 if the function takes one point.
    """

    def __init__(
        self,
        journal: Journal,
        pool: Pool,
        make: Callable[[int, int], Chunk],
        *,
        chunk_seconds: float = 1.0,
        recheck: float = 0.0,
        time_limit: float | None = None,
        batch: int = 0,
    ) -> None:
        self.journal, self.pool, self.make = journal, pool, make
        self.chunk_seconds, self.recheck, self.time_limit = chunk_seconds, recheck, time_limit
        self.unit = max(batch, 1)
        self.cost: float | None = None  # [s] of a point
        self.size = self.unit
        self.bad_workers: set[str] = set()
        self._suspects: deque[_Task] = deque()  # single points that lost workers, perhaps those of other points
        self._numbers = itertools.count()

    def complete(self, first: int, last: int, progress: Callable[[int, int], None]) -> tuple[int, int]:
        """Compute the points first … last - 1 that the journal lacks; return how many, and how many of them failed.

        progress : called with the numbers of points done and failed since the start of the call.
        """
        todo = deque((a, b, 0) for a, b in missing_ranges(self.journal.entries(), first, last))
        queue: deque[_Task] = deque(self._unfinished_checks(first, last))
        running: dict[int, _Task] = {}
        done = failed = 0
        while todo or queue or running or self._suspects:
            if not (todo or queue or running):
                self._submit(self._suspects.popleft(), running)
            limit = 1 if self.cost is None else self.pool.capacity()
            while len(running) < limit and (queue or todo) and not any(task.alone for task in running.values()):
                task = queue.popleft() if queue else self._next(todo)
                self._submit(task, running)
            for outcome in self.pool.wait(POLL):
                task = running.pop(outcome.task)
                if outcome.error is not None:
                    given_up = self._lost(task, outcome.error, outcome.worker, todo, queue)
                    done, failed = done + given_up, failed + given_up
                    continue
                assert outcome.result is not None
                if not outcome.result.intact:
                    self._accuse(task.chunk.name, outcome.worker, "its results were changed on the way to the driver")
                    queue.append(task)
                elif task.checks is None:
                    self._store(task.chunk, outcome.result, queue)
                    done, failed = done + len(task.chunk), failed + len(outcome.result.failures)
                else:
                    self._compare(task, outcome.result, queue)
            self._end_hanging(running)
            progress(done, failed)
        return done, failed

    # chunks

    def _next(self, todo: deque[tuple[int, int, int]]) -> _Task:
        """Take the next chunk off the ranges to compute."""
        a, b, losses = todo.popleft()
        left = b - a + sum(y - x for x, y, _ in todo)
        parts = 2 * self.pool.capacity() if self.pool.capacity() > 1 else 1
        even = max(-(-left // parts), min(self.unit, MIN_LANES))  # smaller chunks at the end, so that all end together
        size = min(self.size, even) if losses == 0 else b - a
        if b - a > size:
            todo.appendleft((a + size, b, 0))
            b = a + size
        return _Task(self.make(a, b), losses=losses)

    def _submit(self, task: _Task, running: dict[int, _Task]) -> None:
        number = next(self._numbers)
        avoid = set(self.bad_workers)
        if task.checks is not None:
            avoid |= {task.checks.worker, *(r.worker for r in task.others)}
        running[number] = task
        self.pool.submit(number, task.chunk, avoid)  # may start a worker, which does not count
        task.since = time.monotonic()

    def _store(self, chunk: Chunk, result: ChunkResult, queue: deque[_Task]) -> None:
        """Keep a result; measure its cost; choose whether it is checked. A result that came before is compared."""
        known = self.journal.find(chunk.name)
        if known is not None:
            self._compare(_Task(chunk, checks=known), result, queue)
            return
        entry = self.journal.add(chunk, result)
        if self.cost is None:
            self.pool.share_kernels()
        cost = max(result.seconds, 1e-6) / len(chunk)
        self.cost = cost if self.cost is None else 0.5 * (self.cost + cost)
        wanted = max(int(self.chunk_seconds / self.cost), 1)
        size = min(wanted, GROWTH * self.size)
        self.size = max(size // self.unit, 1) * self.unit
        if int(entry.name[:8], 16) < self.recheck * 2**32 and _checkable(result.failures):
            queue.append(_Task(chunk, checks=entry))

    def _lost(
        self, task: _Task, error: BaseException, worker: str, todo: deque[tuple[int, int, int]], queue: deque[_Task]
    ) -> int:
        """Hand out a chunk again whose worker was lost; raise other errors, which concern every point.

        Returns the number of points given up, 0 or 1.
        """
        if not isinstance(error, WorkerLost):
            raise error
        task.losses += 1
        chunk = task.chunk
        if task.losses < (ATTEMPTS if task.checks is None else 3 * ATTEMPTS) and (
            error.again or task.checks is not None
        ):
            queue.append(task)
        elif task.checks is not None:
            raise SimulationError(
                f"Chunk {chunk.name} cannot be checked: its worker was lost {task.losses} times. {error}"
            )
        elif len(chunk) > 1:
            middle = (chunk.first + chunk.last) // 2
            todo.appendleft((middle, chunk.last, 1))
            todo.appendleft((chunk.first, middle, 1))
        elif error.kind == "worker" and not task.alone:
            self._suspects.append(_Task(chunk, losses=ATTEMPTS - 1, alone=True))
        else:
            result = ChunkResult.make({}, (Failure(chunk.first, error.kind, str(error), worker),), 0.0)
            self.journal.add(chunk, result)
            return 1
        return 0

    def _end_hanging(self, running: dict[int, _Task]) -> None:
        """End workers that take longer than the limits of their calls allow."""
        if self.time_limit is None:
            return
        for number, task in running.items():
            if time.monotonic() - task.since > task.chunk.calls * self.time_limit + GRACE:
                task.since = float("inf") if self.pool.end(number) else time.monotonic()

    # checks

    def _unfinished_checks(self, first: int, last: int) -> list[_Task]:
        """Return the checks of chunks that an earlier run chose and did not finish."""
        if not self.recheck:
            return []
        known, bad = self.journal.checks(), {f.point for f in self.journal.failures() if f.kind in _BY_CHANCE}
        return [
            _Task(self.make(e.first, e.last), checks=e)
            for e in self.journal.entries()
            if first <= e.first < last
            and e.name not in known
            and int(e.name[:8], 16) < self.recheck * 2**32
            and not any(e.first <= p < e.last for p in bad)
        ]

    def _compare(self, task: _Task, result: ChunkResult, queue: deque[_Task]) -> None:
        """Compare the result of a check with the stored one. If they differ, the result of the majority is used.

        The result of every worker counts once. If there is no third worker, the driver computes the chunk.
        """
        entry = task.checks
        assert entry is not None
        voters = {entry.worker, *(r.worker for r in task.others)}
        if task.others and result.worker in voters and worker_name() not in voters:
            result = run_chunk(task.chunk)
        same = result.digest == entry.digest
        self.journal.add_check(entry.name, result, same)
        if same:
            for other in task.others:
                self._accuse(entry.name, other.worker, "its results differ from those of two other workers")
            return
        agrees = next((r for r in task.others if r.digest == result.digest), None)
        if agrees is not None:  # two say the same, so the stored result is wrong
            self._accuse(entry.name, entry.worker, "its results differ from those of two other workers")
            self.journal.add(task.chunk, result)
            suspects = [e for e in self.journal.entries() if e.worker == entry.worker]
            queue.extend(_Task(self.make(e.first, e.last), checks=e) for e in suspects)
        elif len(task.others) >= 3:
            raise SimulationError(
                f"Points {task.chunk.first} to {task.chunk.last - 1} gave different results each time they were "
                "computed. The function is not deterministic: use its parameter `rng` for random numbers, and no clock."
            )
        else:
            queue.append(_Task(task.chunk, checks=entry, others=[*task.others, result]))

    def _accuse(self, name: str, worker: str, message: str) -> None:
        """Record a worker that returned wrong results, warn, and give it no more work."""
        self.journal.add_fault(name, worker, message)
        if worker != worker_name():
            self.bad_workers.add(worker)
        warnings.warn(
            f"Worker {worker} returned wrong results for chunk {name[:12]}: {message}. Its memory or processor may be "
            "faulty. It gets no more work, and all its results are checked.",
            StudyWarning,
            stacklevel=2,
        )


_BY_CHANCE = ("time", "memory", "worker")  # kinds of failures that may not happen again


def _checkable(failures: tuple[Failure, ...]) -> bool:
    return not any(f.kind in _BY_CHANCE for f in failures)
