"""Claim: a study of closed-loop walks on two processes, with chunks of 1 s, spends at most 10 % of its time on anything
but walks: 1 - (seconds in calls of the function) / (workers × wall time), start of the workers included.

Also prints what a chunk costs: the journal (results and a transaction, both forced to disk), the way to a worker
process and to a worker of Dask and back, and the driver's time per chunk with functions that do nothing, for results of
several sizes, as wall time and as processor time; the efficiency of many workers that only sleep, which need no cores;
and the chunk and cluster sizes at which efficiency falls below 90 %. docs/scale.md explains them.

    python benchmarks/study_overhead.py [--seconds 60] [--no-dask] [--only walks,costs,many]
"""

import argparse
import contextlib
import logging
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _machine import machine

from anthropi import study
from anthropi.gait.trials import LANES, walk_trial
from anthropi.study.chunk import run_chunk
from anthropi.study.executors import Futures
from anthropi.study.journal import Journal
from anthropi.study.pools import Processes

WORKERS, MAX_OVERHEAD = 2, 0.1
BODIES = ((1.75, 75.0), (1.65, 60.0))  # [m], [kg]
POINTS = 64  # in a chunk of the functions that do nothing
SIZES = (1, 16, 256, 4096)  # numbers in the result of a point
CHUNKS = 100  # of one measurement
EFFICIENCY, CHUNK_SECONDS = 0.9, (1.0, 10.0, 60.0)  # share of the time in calls; [s] of chunks
SLEEPERS, NAPS = 16, (1.0, 0.3, 0.1, 0.03)  # workers; [s] of a chunk


def nothing(x, size):
    """Return some numbers for each point."""
    return {"numbers": np.broadcast_to(x[:, None], (len(x), size)) + 0.0}


def nap(x, seconds):
    """Take some time, but no processor."""
    time.sleep(seconds)
    return x


def made(folder: Path, size: int, chunks: int = CHUNKS) -> study.Study:
    """Return a study of a function that does nothing."""
    x = np.arange(float(POINTS * chunks))
    return study.Study(nothing, {"x": x}, folder, batch=POINTS, constants={"size": size})


def walks(seconds: float) -> bool:
    """Measure a study of walks; return whether the claim holds."""
    with tempfile.TemporaryDirectory() as folder:
        once = time.perf_counter()
        for height, mass in BODIES:
            walk_trial(height, mass, speed=1.3, duration=0.1)  # compiles the kernel
        compiled = time.perf_counter() - once
        once = time.perf_counter()
        walk_trial(np.full(LANES, BODIES[0][0]), BODIES[0][1], speed=np.linspace(1.0, 1.6, LANES))
        rate = LANES / (time.perf_counter() - once)
        count = max(int(WORKERS * seconds * rate / len(BODIES) / 8), 8)
        grid = study.grid(body=range(len(BODIES)), push=np.linspace(0.0, 100.0, count), speed=np.linspace(1.0, 1.6, 8))
        at = grid.columns.pop("body")
        columns = dict(zip(("height", "mass"), np.array(BODIES)[at].T, strict=True)) | grid.columns
        trial = study.Study(walk_trial, columns, folder, batch=LANES)
        seen: list[tuple[float, int]] = []
        once = time.perf_counter()
        trial.run(workers=WORKERS, progress=lambda p: seen.append((time.perf_counter() - once, p.done)))
        wall = time.perf_counter() - once
        with Journal(Path(folder)) as journal:
            entries = journal.entries()
    busy = sum(e.seconds for e in entries)
    first = next(t for t, done in seen if done > 0)
    overhead = 1.0 - busy / (WORKERS * wall)
    later = 1.0 - (busy - entries[0].seconds) / (WORKERS * (wall - first))
    count = len(trial.points)
    print(f"{count:,} walks of 10 s in {wall:.1f} s: {count / busy:.0f} walks per second and worker "
          f"({compiled:.1f} s to compile or load {len(BODIES)} kernels before)")  # fmt: skip
    print(f"{len(entries)} chunks of {np.median([e.seconds for e in entries]):.2f} s (median); first one after "
          f"{first:.1f} s, alone")  # fmt: skip
    print(f"overhead {100 * overhead:.1f} %, after the first chunk {100 * later:.1f} % (claim: at most "
          f"{100 * MAX_OVERHEAD:.0f} %)\n")  # fmt: skip
    return overhead <= MAX_OVERHEAD


def journal_cost(size: int) -> tuple[float, float, int]:
    """Return [s] to make a chunk and a result with digests, [s] to store it, and the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        trial = made(Path(folder), size)
        make, spent = trial._chunk(None), np.zeros((CHUNKS, 2))
        with Journal(Path(folder), trial._identity(), write=True) as journal:
            for k in range(CHUNKS):
                t = time.perf_counter()
                chunk = make(POINTS * k, POINTS * (k + 1))
                result = run_chunk(chunk)
                spent[k, 0] = time.perf_counter() - t
                journal.add(chunk, result)
                spent[k, 1] = time.perf_counter() - t - spent[k, 0]
            stored = journal.file(chunk.name).stat().st_size
    return *np.median(spent, 0), stored


def round_trip(pool, size: int) -> float:
    """Return [s] of one chunk to a worker and back, without the journal."""
    with tempfile.TemporaryDirectory() as folder:
        make, spent = made(Path(folder), size)._chunk(None), []
        for k in range(CHUNKS):
            t = time.perf_counter()
            pool.submit(k, make(POINTS * k, POINTS * (k + 1)))
            while not pool.wait(1.0):
                pass
            spent.append(time.perf_counter() - t)
    return float(np.median(spent))


def per_chunk(size: int, chunks: int = CHUNKS, **run) -> tuple[float, float]:
    """Return [s] per chunk of a whole study whose workers do nothing: the driver's wall time and processor time."""
    with tempfile.TemporaryDirectory() as folder:
        trial, seen = made(Path(folder), size, chunks), []
        note = lambda p: seen.append((time.perf_counter(), time.process_time(), p.done))  # noqa: E731
        trial.run(chunk_seconds=1e-9, progress=note, **run)
    (t0, cpu0, a), (t1, cpu1, b) = next(x for x in seen if x[2] >= 0.2 * POINTS * chunks), seen[-1]
    return (t1 - t0) / ((b - a) / POINTS), (cpu1 - cpu0) / ((b - a) / POINTS)


def efficiency(seconds: float) -> float:
    """Return the share of the time in which workers sleep, in chunks of some seconds, once all of them have started."""
    with tempfile.TemporaryDirectory() as folder:
        count, seen = max(SLEEPERS * 10, round(SLEEPERS * 25.0 / seconds**0.5)), []
        trial = study.Study(nap, {"x": np.arange(float(count))}, folder, constants={"seconds": seconds})
        note = lambda p: seen.append((time.perf_counter(), p.done))  # noqa: E731
        trial.run(workers=SLEEPERS, chunk_seconds=1e-9, progress=note)
    (t0, a), (t1, b) = (next(x for x in seen if x[1] >= share * count) for share in (0.6, 0.9))
    return (b - a) * seconds / SLEEPERS / (t1 - t0)


@contextlib.contextmanager
def dask():
    """Give a client of a Dask cluster of worker processes on this machine."""
    from dask.distributed import Client, LocalCluster

    options = {"n_workers": WORKERS, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options, silence_logs=logging.CRITICAL) as cluster, Client(cluster) as client:
        yield client


def costs(client) -> None:
    """Print what chunks cost."""
    print(f"cost of a chunk of {POINTS} points, median of {CHUNKS} [ms]; driver: wall time per chunk of a whole study, "
          "and its processor time")  # fmt: skip
    head = ("bytes/chunk", "call", "journal", "process trip", "Dask trip", "driver", "(cpu)", "driver, Dask", "(cpu)")
    print("".join(f"{word:>14}" for word in head))
    for size in SIZES:
        call, stored, file = journal_cost(size)
        pool = Processes(1)
        try:
            trip = round_trip(pool, size)
        finally:
            pool.close()
        far = round_trip(Futures(client), size) if client is not None else np.nan
        here = per_chunk(size, workers=WORKERS)
        there = per_chunk(size, executor=client) if client is not None else (np.nan, np.nan)
        row = (call, stored, trip, far, *here, *there)
        print(f"{file:14,}" + "".join(f"{1e3 * x:14.2f}" for x in row), flush=True)
        limits(here[0], trip, "processes")
        if client is not None:
            limits(there[0], far, "Dask")


def limits(driver: float, trip: float, who: str) -> None:
    """Print the shortest chunks [s], and the number of workers, at which 90 % of the time is spent in calls.

    efficiency = min(T / (T + trip), T / (N driver))       of N workers with chunks of T seconds
    """
    shortest = EFFICIENCY / (1.0 - EFFICIENCY) * trip
    most = ", ".join(f"{int(t / (EFFICIENCY * driver)):,} at {t:g} s" for t in CHUNK_SECONDS)
    print(f"{'':14}90 % with {who}: chunks of {1e3 * shortest:.0f} ms or more; workers at most {most}")


def many() -> None:
    """Print the efficiency of many workers."""
    driver, _ = per_chunk(1, workers=WORKERS)
    print(f"\n{SLEEPERS} workers that sleep; the driver needs {1e3 * driver:.1f} ms per chunk")
    print(f"{'chunk [s]':>12}{'efficiency':>12}{'expected':>12}")
    for seconds in NAPS:
        expected = min(seconds / (seconds + driver), seconds / (SLEEPERS * driver))
        print(f"{seconds:12g}{100 * efficiency(seconds):10.0f} %{100 * expected:10.0f} %", flush=True)


def main(words=None) -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=float, default=60.0, help="[s] of the study of walks")
    asked.add_argument("--dask", action=argparse.BooleanOptionalAction, default=True, help="measure Dask, too")
    asked.add_argument("--only", default="walks,costs,many", help="parts to measure, separated by commas")
    told = asked.parse_args(words)
    parts = told.only.split(",")
    print(f"{machine()}; {WORKERS} workers\n")
    holds = walks(told.seconds) if "walks" in parts else None
    if "costs" in parts:
        with dask() if told.dask else contextlib.nullcontext() as client:
            costs(client)
    if "many" in parts:
        many()
    if holds is not None:
        print("\n" + ("the claim holds" if holds else "the claim does not hold"))
    return int(holds is False)


if __name__ == "__main__":
    sys.exit(main())
