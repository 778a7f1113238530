"""Closed-loop walks (body × speed × push) as a study, computed in several ways side by side, and compared bit by bit:

    one       one process
    two       two worker processes
    dask      a Dask LocalCluster of two worker processes
    killed    two worker processes, while workers and the driver are killed at random (`kill -9`)
    older     one process that uses the vector instructions of an older CPU (AVX2 for kernels and BLAS, SSE for NumPy)

The tests of test_walk_study.py run it, and so does a person, on a machine with 8 cores or more:

    PYTHONPATH=src python tests/study/study_soak.py --walks 10000 --worker-kills 100 --driver-kills 20 \
        --folder out/soak --seconds 560

Prints a table; the exit code is 0 if no walk is lost, doubled or different, 1 if one is, and 3 if the time was over.
The same command then goes on where it was. Needs numpy, llvmlite, pydantic, dask, distributed and psutil.
"""

import argparse
import contextlib
import json
import logging
import os
import platform
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from anthropi import study
from anthropi.errors import Interrupted
from anthropi.gait.trials import LANES, walk_trial
from anthropi.study.journal import Journal

ROOT = Path(__file__).parents[2]
WAYS = ("one", "two", "dask", "killed", "older")
BODIES = ((1.60, 55.0, "f"), (1.75, 75.0, "m"), (1.80, 70.0, "f"), (1.90, 95.0, "m"))  # [m], [kg]
AXES = {  # with four bodies 10,000 walks
    "speed": [round(0.9 + 0.03 * k, 2) for k in range(25)],  # [m/s]
    "push": [6.0 * k for k in range(20)],  # [N s]
    "direction": [round(0.7 * k, 1) for k in range(5)],  # [rad]
}
LAST_KILL = 0.8  # share of the walks that are done at the last kill


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The walks and the kills. duration, at : [s] of a walk, and of its push. batch : walks in one call."""

    walks: int = 10_000
    bodies: int = len(BODIES)
    worker_kills: int = 100
    driver_kills: int = 20
    duration: float = 10.0
    at: float = 4.0
    batch: int = LANES
    chunk_seconds: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """The result of a way: numbers of walks, and of bits that differ from those of one process."""

    way: str
    done: int
    failed: int
    lost: int
    doubled: int
    bits: int
    chunks: int
    worker_kills: int
    driver_kills: int
    seconds: float

    @property
    def good(self) -> bool:
        return not (self.failed or self.lost or self.doubled or self.bits)


def made(own: Settings, folder: Path) -> study.Study:
    """Return the study; of fewer walks than the grid has, those at equal distances."""
    grid = study.grid(body=list(range(own.bodies)), **AXES).columns
    count = len(grid["body"])
    if not 0 < own.walks <= count:
        raise SystemExit(f"{own.walks} walks: give 1 to {count:,}.")
    chosen = np.arange(own.walks) * count // own.walks
    columns = {name: x[chosen] for name, x in grid.items()}
    height, mass, sex = zip(*(BODIES[k] for k in columns.pop("body")), strict=True)
    columns = {"height": height, "mass": mass, "sex": sex} | columns
    return study.Study(walk_trial, columns, folder, batch=own.batch, constants={"duration": own.duration, "at": own.at})


# one way, in a process of its own


def drive(way: str, own: Settings, folder: Path) -> None:
    """Run the study in one way."""
    run = {"chunk_seconds": own.chunk_seconds, "progress": None}
    if way == "dask":
        from dask.distributed import Client, LocalCluster

        options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(**options, silence_logs=logging.CRITICAL) as cluster, Client(cluster) as client:
            made(own, folder).run(client, **run)
        return
    if way == "older":
        use_older_vectors()
    one = way in ("one", "older")
    made(own, folder).run("inline" if one else None, **run, **({} if one else {"workers": 2}))


def use_older_vectors() -> None:
    """Compile kernels for vectors of half the width. `environment` chooses the instructions of NumPy and BLAS."""
    from anthropi.compiler.targets import llvm

    name, features, wide = llvm.host()
    if platform.machine() in ("x86_64", "AMD64"):
        name, features = "haswell", "+avx2,+fma"
    llvm.host = lambda: (name, features, max(wide // 2, 128))
    if used := numpy_vectors():
        raise SystemExit(f"NumPy uses {', '.join(used)}, which NPY_DISABLE_CPU_FEATURES was to switch off.")


def numpy_vectors() -> list[str]:
    """Return the vector instructions that NumPy uses here and could do without."""
    from numpy._core import _multiarray_umath as core

    return [name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)]


def environment(way: str) -> dict[str, str]:
    """Return the environment of a way."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "ANTHROPI_THREADS": "1"}
    if way == "older":
        env |= {"NPY_DISABLE_CPU_FEATURES": " ".join(numpy_vectors()), "OPENBLAS_CORETYPE": "Haswell"}
    return env


# all ways, side by side


class Way(threading.Thread):
    """Runs one way in a process until it is done, or `stop` is set; kills its processes if there are kills left."""

    def __init__(self, way: str, own: Settings, folder: Path, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.way, self.own, self.folder, self.stop = way, own, folder / way, stop
        self.file, self.code = folder / f"{way}.json", None
        self.known = {"seconds": 0.0, "worker": 0, "driver": 0, "whole": False}
        with contextlib.suppress(OSError, ValueError):
            self.known |= json.loads(self.file.read_text())

    def run(self) -> None:
        begun, before = time.perf_counter(), self.known["seconds"]
        victims, marks, rng = self._kills()
        driver = None if self.known["whole"] else self._launched()
        try:
            while driver is not None and not self.stop.is_set():
                at = self.known["worker"] + self.known["driver"]
                if at < len(victims) and done(self.folder) >= marks[at] and self._kill(driver, victims[at], rng):
                    self.known[victims[at]] += 1
                    self._save(before + time.perf_counter() - begun)
                    if driver.poll() is not None:
                        driver = self._launched()
                elif driver.poll() is not None:
                    self.code, self.known["whole"] = driver.returncode, driver.returncode == 0
                    break
                time.sleep(0.02)
        finally:
            if driver is not None:
                ended(driver)
                self._save(before + time.perf_counter() - begun)

    def _launched(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(Path(__file__).resolve()), "--way", self.way, "--folder", str(self.folder)]
        given = json.dumps(asdict(self.own))
        return subprocess.Popen([*command, "--settings", given], env=environment(self.way), start_new_session=True)

    def _kills(self) -> tuple[list[str], list[float], random.Random]:
        """Return the processes to kill in this order, and the number of walks that are done before each kill."""
        rng, killed = random.Random(5), self.way == "killed"
        victims = ["worker"] * (self.own.worker_kills * killed) + ["driver"] * (self.own.driver_kills * killed)
        rng.shuffle(victims)
        return victims, [LAST_KILL * self.own.walks * k / max(len(victims), 1) for k in range(len(victims))], rng

    def _kill(self, driver: subprocess.Popen[bytes], who: str, rng: random.Random) -> bool:
        """Kill the driver or one of its workers within the time of a chunk; return whether there was one."""
        import psutil

        time.sleep(rng.uniform(0.0, self.own.chunk_seconds))
        if who == "driver":
            driver.kill()
            return driver.wait() == -signal.SIGKILL
        with contextlib.suppress(psutil.NoSuchProcess):
            workers = psutil.Process(driver.pid).children()
            if workers:
                rng.choice(workers).kill()
                return True
        return False

    def _save(self, seconds: float) -> None:
        self.known["seconds"] = seconds
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(self.known))
        part.replace(self.file)


def ended(driver: subprocess.Popen[bytes]) -> None:
    """Stop a driver as Ctrl-C does, and kill it if it does not end."""
    if driver.poll() is None:
        driver.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            driver.wait(20.0)
    driver.kill()
    driver.wait()


def done(folder: Path) -> int:
    """Return the number of points in the journal of a study that another process runs."""
    with contextlib.suppress(sqlite3.OperationalError):
        journal = sqlite3.connect(f"file:{folder / 'study.sqlite'}?mode=ro", uri=True, timeout=5.0)
        with contextlib.closing(journal):
            return journal.execute("SELECT COALESCE(SUM(last - first), 0) FROM chunks").fetchone()[0]
    return 0


def soak(own: Settings, folder: Path, ways: tuple[str, ...] = WAYS, seconds: float = 1e9) -> list[Row] | None:
    """Run all ways side by side; return their results, or None if the time was over."""
    folder.mkdir(parents=True, exist_ok=True)
    limit, stop = time.monotonic() + seconds, threading.Event()
    for height, mass, sex in BODIES[: own.bodies]:
        walk_trial(height, mass, sex, duration=0.1)  # compiles the kernel, which the ways then find in the cache
    running = [Way(way, own, folder, stop) for way in ways]
    for way in running:
        way.start()
    for way in running:
        way.join(max(limit - time.monotonic(), 0.0))
    stop.set()
    for way in running:
        way.join()
    bad = [f"{way.way} (exit code {way.code})" for way in running if way.code]
    if bad:
        raise SystemExit(f"failed: {', '.join(bad)}")
    return [compared(way, running[0]) for way in running] if all(way.known["whole"] for way in running) else None


def compared(way: Way, one: Way) -> Row:
    """Compare the table of a way with that of one process."""
    trial = made(way.own, way.folder)
    table = trial.table()
    with Journal(trial.folder, trial._identity()) as journal:
        entries = journal.entries()
    times = np.zeros(len(table), int)
    for entry in entries:
        times[entry.first : entry.last] += 1
    right = made(one.own, one.folder).table()
    return Row(
        way=way.way,
        done=int((table.status == "done").sum()),
        failed=len(table.failures),
        lost=int((times == 0).sum()),
        doubled=int((times > 1).sum()),
        bits=sum(differing_bits(table[name], right[name]) for name in (*right.points, *right.results)),
        chunks=len(entries),
        worker_kills=way.known["worker"],
        driver_kills=way.known["driver"],
        seconds=way.known["seconds"],
    )


def differing_bits(a: np.ndarray, b: np.ndarray) -> int:
    """Return the number of bits in which two columns differ; all of them if they are of different types or shapes."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return 8 * max(a.nbytes, b.nbytes)
    raw = [np.frombuffer(np.ascontiguousarray(x).tobytes(), np.uint8) for x in (a, b)]
    return int(np.unpackbits(raw[0] ^ raw[1]).sum())


def report(own: Settings, rows: list[Row]) -> str:
    """Return the results as a table."""
    names = ("way", "done", "failed", "lost", "doubled", "bits", "chunks", "worker_kills", "driver_kills", "seconds")
    lines = [f"{own.walks:,} walks of {own.duration:g} s; bits: that differ from those of one process"]
    lines.append("".join(f"{name.replace('_', ' '):>13}" for name in names))
    for row in rows:
        cells = (f"{x:.0f}" if isinstance(x, float) else f"{x}" for x in (getattr(row, name) for name in names))
        lines.append("".join(f"{cell:>13}" for cell in cells))
    return "\n".join(lines)


def good(own: Settings, rows: list[Row]) -> bool:
    """Return whether nothing was lost, doubled or different, and all kills took place."""
    kills = [(row.worker_kills, row.driver_kills) for row in rows if row.way == "killed"]
    return all(row.good and row.done == own.walks for row in rows) and all(
        x == (own.worker_kills, own.driver_kills) for x in kills
    )


def main(words: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--walks", type=int, default=Settings.walks)
    asked.add_argument("--worker-kills", type=int, default=Settings.worker_kills)
    asked.add_argument("--driver-kills", type=int, default=Settings.driver_kills)
    asked.add_argument("--folder", type=Path, default=Path("out/soak"), help="studies are kept here")
    asked.add_argument("--seconds", type=float, default=1e9, help="[s] after which to stop; run again to go on")
    asked.add_argument("--ways", default=",".join(WAYS), help="which ones, the first one is that of reference")
    asked.add_argument("--way", help=argparse.SUPPRESS)  # a driver: this way only, in the folder
    asked.add_argument("--settings", type=json.loads, help=argparse.SUPPRESS)
    given = asked.parse_args(words)
    if given.way:
        with contextlib.suppress(Interrupted, KeyboardInterrupt):
            drive(given.way, Settings(**given.settings), given.folder)
            return 0
        return 3
    own = Settings(walks=given.walks, worker_kills=given.worker_kills, driver_kills=given.driver_kills)
    rows = soak(own, given.folder.resolve(), tuple(given.ways.split(",")), given.seconds)
    if rows is None:
        print(f"{given.seconds:g} s are over. Run the same command again to go on.")
        return 3
    print(report(own, rows))
    print("all walks are the same in every way" if good(own, rows) else "WRONG: see the columns above")
    return int(not good(own, rows))


if __name__ == "__main__":
    sys.exit(main())
