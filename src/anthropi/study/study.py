"""`Study`: one function at many points, on the cores of this machine or on a cluster, with the same bits everywhere.

The results of a point depend on the function, the values of the point, the constants of the study and the point's own
random stream, and on nothing else: not on the number of workers, the order, the chunks or restarts. This holds for
functions that treat the points of a batch independently, as kernels of anthropi do.
"""

import json
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, cast

import numpy as np

from anthropi.compiler.cache import digest
from anthropi.compiler.content import content_key
from anthropi.errors import InputError, Interrupted, did_you_mean
from anthropi.study.chunk import Chunk, Failure
from anthropi.study.driver import Driver, Progress
from anthropi.study.executors import Futures
from anthropi.study.folder import read_points, read_table, write_points
from anthropi.study.function import call_names, function_key, name_function
from anthropi.study.journal import Journal
from anthropi.study.points import Points
from anthropi.study.pools import Inline, Pool, Processes
from anthropi.study.progress import reporter
from anthropi.study.results import Table
from anthropi.study.search import Best, Search

__all__ = ["Study"]


class Study:
    """A function computed at many points, with a journal in a folder.

    Parameters
    ----------
    function : a function at the top level of a module. Its parameters have the names of the columns of the points; it
        returns a number, or {name: number, array or word}. A parameter `rng` receives the random stream of the point.
    points : `Points` (a grid, samples or a table), {name: values}, or a search.
    folder : folder of the journal and the results. A study that is run again in the same folder continues from its
        journal. None: a temporary folder, which is deleted with this object.
    batch : if given, the function takes arrays of up to this number of points, and returns arrays with one row for each
        (and `rng` is a list of streams).
    constants : {name: value} of further arguments, the same for all points. They must be picklable.
    seed : of the random streams.
    allow_nan : whether NaN is a result like any other. By default a point that returns NaN counts as failed.

    Examples
    --------
    >>> from anthropi import study
    >>> trial = study.Study(study.examples.pendulum_period, study.grid(length=[0.5, 1.0]), "out/pendulum")
    >>> trial.run(executor="inline", progress=None)["period"].round(2)
    array([1.42, 2.01])
    """

    def __init__(
        self,
        function: Callable[..., Any],
        points: Points | Mapping[str, Any] | Search,
        folder: str | Path | None = None,
        *,
        batch: int | None = None,
        constants: Mapping[str, Any] | None = None,
        seed: int = 0,
        allow_nan: bool = False,
    ) -> None:
        self.function, self.name = function, name_function(function)
        if batch is not None and (isinstance(batch, bool) or not isinstance(batch, int) or batch < 1):
            raise InputError(f"batch={batch!r}: give the largest number of points of one call, at least 1, or None.")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed={seed!r}: give a whole number of at least 0.")
        self.batch, self.seed, self.constants, self.allow_nan = batch or 0, seed, dict(constants or {}), allow_nan
        self.search: Search | None = None
        if hasattr(points, "ask") and hasattr(points, "tell"):
            self.search = cast(Search, points)
            self.points = Points({"none": []})
        else:
            self.points = points if isinstance(points, Points) else Points(points)
            if not len(self.points):
                raise InputError("The study has no points. Give at least one value for each variable.")
            self._check_names(self.points)
        self.key = self._key()
        self.folder = Path(tempfile.mkdtemp(prefix="anthropi-study-") if folder is None else folder)
        if folder is None:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def __repr__(self) -> str:
        what = f"{self.search}" if self.search is not None else f"{len(self.points):,} points"
        return f"Study({self.name}, {what}, {str(self.folder)!r})"

    # running

    def run(
        self,
        executor: Executor | Any | None = None,
        *,
        workers: int | None = None,
        chunk_seconds: float = 1.0,
        recheck: float = 0.0,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        retry: bool = False,
        progress: Callable[[Progress], Any] | str | None = "text",
    ) -> Table:
        """Compute all points that are not done yet, and return the table of results.

        Parameters
        ----------
        executor : None for processes on this machine; "inline" for this process; a `concurrent.futures.Executor`; or a
            `dask.distributed.Client`.
        workers : number of processes, or of chunks handed to an executor at a time; by default as many as there are.
        chunk_seconds : [s] that a worker should compute until it returns results.
        recheck : share of the chunks, 0 to 1, that another worker computes again to compare every bit.
        time_limit : [s] of one call. A point that takes longer fails. Workers that do not answer are ended.
        memory_limit : [bytes] of a process on this machine; a point that needs more fails.
        retry : whether points that failed earlier are computed again.
        progress : "text" for a line on the terminal or in a notebook, None, or a function that takes a `Progress`.

        Raises
        ------
        Interrupted : Ctrl-C. Chunks that are done are kept; its field `result` is the table so far.
        """
        for name, x, low, high in (("chunk_seconds", chunk_seconds, 0.0, 1e6), ("recheck", recheck, 0.0, 1.0)):
            if not low <= x <= high:
                raise InputError(f"{name}={x!r}: give a number from {low:g} to {high:g}.")
        if time_limit is not None and not time_limit > 0.0:
            raise InputError(f"time_limit={time_limit!r}: give seconds above 0, or None.")
        if self.search is not None and hasattr(self.search, "restart"):
            self.search.restart()
        with Journal(self.folder, self._identity(), write=True) as journal:
            journal.begin()
            journal.repair()
            if retry:
                for failure in journal.failures():
                    for entry in journal.entries():
                        if entry.first <= failure.point < entry.last:
                            journal.forget(entry.name)
            pool = _pool(executor, workers, memory_limit)
            try:
                driver = Driver(
                    journal,
                    pool,
                    self._chunk(time_limit),
                    chunk_seconds=chunk_seconds,
                    recheck=recheck,
                    time_limit=time_limit,
                    batch=self.batch,
                )
                with reporter(progress) as report:
                    self._run(driver, journal, report)
            except KeyboardInterrupt:
                table = read_table(journal, self.points)
                done = int((table.status != "missing").sum())
                raise Interrupted(
                    f"The study was stopped: {done:,} of {len(table):,} points are done and kept in {self.folder}. Run "
                    "it again to continue.",
                    result=table,
                ) from None
            finally:
                pool.close()
            return read_table(journal, self.points)

    def _run(self, driver: Driver, journal: Journal, report: Callable[[Progress], Any]) -> None:
        """Compute all points, or all generations of a search."""
        start, before = time.perf_counter(), sum(e.last - e.first for e in journal.entries())
        failed_before = len(journal.failures())
        counted = [0, 0]  # points done and failed in this run, without the present generation

        def completed(done: int, failed: int) -> None:
            done, failed = counted[0] + done, counted[1] + failed
            rate, total = done / max(time.perf_counter() - start, 1e-9), len(self.points)
            left = (total - before - done) / rate if rate > 0.0 and self.search is None else None
            best = None if self.best is None else self.best.value
            report(Progress(before + done, total, failed_before + failed, rate, left, best))

        if self.search is None:
            write_points(self.folder, 0, self.points)
            driver.complete(0, len(self.points), completed)
            return
        first, columns = 0, []
        while (points := self.search.ask()) is not None:
            self._check_names(points)
            write_points(self.folder, first, points)
            columns.append(points.columns)
            self.points = Points({n: np.concatenate([c[n] for c in columns]) for n in points.names})
            last = first + len(points)
            done, failed = driver.complete(first, last, completed)
            counted[:] = counted[0] + done, counted[1] + failed
            table = read_table(journal, self.points, first, last)
            self.search.tell(table.results, table.status)
            first = last

    # results

    def table(self) -> Table:
        """Return the points and the results that are in the folder; points that are not done are "missing"."""
        with Journal(self.folder, self._identity()) as journal:
            stored = None if self.search is None else read_points(self.folder)
            return read_table(journal, self.points if stored is None else stored)

    @property
    def best(self) -> Best | None:
        """The best point of a search so far."""
        return None if self.search is None else self.search.best

    def failures(self) -> tuple[Failure, ...]:
        """Return the points that failed, with their errors."""
        return self.table().failures

    def faults(self) -> tuple[tuple[str, str], ...]:
        """Return (worker, message) for every worker that returned wrong bits."""
        with Journal(self.folder, self._identity()) as journal:
            return tuple(journal.faults())

    # identity

    def _chunk(self, time_limit: float | None) -> Callable[[int, int], Chunk]:
        key = function_key(self.function, self.name)

        def make(first: int, last: int) -> Chunk:
            return Chunk(
                function=self.name,
                key=key,
                study=self.key,
                first=first,
                columns=self.points.rows(first, last),
                constants=self.constants,
                batch=self.batch,
                seed=self.seed,
                time_limit=time_limit,
                allow_nan=self.allow_nan,
            )

        return make

    def _key(self) -> str:
        """Return the key of the study: everything that its results depend on, except the points."""
        parts = [function_key(self.function, self.name), str(self.seed), str(self.allow_nan)]
        for name, value in sorted(self.constants.items()):
            known = content_key(value)
            if known is None:
                raise InputError(
                    f"The content of constant '{name}' cannot be determined, so that a study cannot be "
                    "identified by it. Give numbers, arrays, figures or plain objects."
                )
            parts += [name, known]
        return digest(*parts)

    def _identity(self) -> dict[str, str]:
        """Return the entries that distinguish this study from others in the same folder."""
        search = self.search
        points = json.dumps(search.content()) if search is not None else self.points.digest()
        return {
            "key": self.key,
            "function": str(self.name),
            "points": digest(points),
            "seed": str(self.seed),
            "count": "search" if search is not None else str(len(self.points)),
            "minimise": str(getattr(search, "minimise", "")),
        }

    def _check_names(self, points: Points) -> None:
        """Check that the columns and constants are the parameters of the function."""
        named, needed, any_other = call_names(self.function)
        given = {*points.names, *self.constants}
        both = set(points.names) & set(self.constants)
        if both:
            raise InputError(f"'{sorted(both)[0]}' is both a column of the points and a constant. Give it once.")
        unknown, lacking = sorted(given - named), sorted(needed - given - {"rng"})
        if unknown and not any_other:
            raise InputError(
                f"Function '{self.name.name}' has no parameter '{unknown[0]}'."
                f"{did_you_mean(unknown[0], named)} Its parameters: {', '.join(sorted(named))}."
            )
        if lacking:
            raise InputError(
                f"Function '{self.name.name}' needs '{lacking[0]}', which is neither a column of the points "
                f"nor a constant. Given: {', '.join(sorted(given))}."
            )


def _pool(executor: Any, workers: int | None, memory_limit: float | None) -> Pool:
    """Return the pool of workers for an executor."""
    if executor is None:
        return Processes(workers, memory_limit)
    if memory_limit is not None:
        raise InputError(
            "memory_limit applies to processes that the study starts itself. Limit the executor's workers."
        )
    if isinstance(executor, str):
        if executor != "inline":
            raise InputError(f"executor={executor!r}: give None, 'inline', an Executor, or a client of Dask.")
        return Inline()
    return Futures(executor, workers)
