"""Closed-loop walks (body × speed × push) as a study: the same table from one process, two processes, a Dask cluster,
and after workers and drivers were killed.

The small version runs in `make test`; `make soak` computes 10,000 walks of 10 s, with 100 kills of workers and 20 of
the driver.
"""

import contextlib
import json
import logging
import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anthropi import study
from anthropi.gait.trials import LANES, walk_trial
from anthropi.study.journal import Journal

ROOT = Path(__file__).parents[2]
BODIES = ((1.60, 55.0, "f"), (1.75, 75.0, "m"), (1.80, 70.0, "f"), (1.90, 95.0, "m"))
SMALL = {
    "bodies": 2,
    "axes": {"speed": [1.1, 1.4], "push": [0.0, 40.0, 120.0], "direction": [0.0, 1.6]},
    "batch": 2,
    "constants": {"duration": 2.0, "at": 0.5},
    "chunk_seconds": 1e-3,
    "kills": {"worker": 3, "driver": 2},
}
LARGE = {
    "bodies": 4,
    "axes": {
        "speed": [round(0.9 + 0.03 * k, 2) for k in range(25)],
        "push": [6.0 * k for k in range(20)],
        "direction": [round(0.7 * k, 1) for k in range(5)],
    },
    "batch": LANES,
    "constants": {"duration": 10.0},
    "chunk_seconds": 1.0,
    "kills": {"worker": 100, "driver": 20},
}
DRIVER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.study.test_walk_study import made
given = json.loads(sys.argv[2])
made(given, sys.argv[3]).run(workers=2, chunk_seconds=given["chunk_seconds"], progress=None)
"""


def made(given, folder):
    """Return the study of the walks. given : numbers, from which a driver in another process makes the same study."""
    grid = study.grid(body=list(range(given["bodies"])), **given["axes"]).columns
    bodies = [BODIES[k] for k in grid.pop("body")]
    columns = dict(zip(("height", "mass", "sex"), zip(*bodies, strict=True), strict=True)) | grid
    return study.Study(walk_trial, columns, folder, batch=given["batch"], constants=given["constants"])


def in_every_way(given, tmp_path):
    """Return {way: digest of the table}, the table of one process, and the kills that came too late."""
    run = {"chunk_seconds": given["chunk_seconds"], "progress": None}
    tables = {"one process": made(given, tmp_path / "one").run("inline", **run)}
    tables["two processes"] = made(given, tmp_path / "two").run(workers=2, **run)
    with dask() as client:
        tables["dask"] = made(given, tmp_path / "dask").run(client, **run)
    left = with_kills(given, tmp_path / "killed")
    killed = made(given, tmp_path / "killed")
    tables["killed"] = killed.table()
    with Journal(killed.folder, killed._identity()) as journal:
        entries = journal.entries()
    assert [e.first for e in entries] == [0, *(e.last for e in entries[:-1])]  # no point twice, and none left out
    assert entries[-1].last == len(killed.points)
    return {way: table.digest for way, table in tables.items()}, tables["one process"], left


@contextlib.contextmanager
def dask():
    from dask.distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


def with_kills(given, folder):
    """Run a study, kill its workers and its driver at random while it proceeds, and return the kills that are left."""
    rng, total = random.Random(5), len(made(given, folder).points)
    victims = [who for who, n in given["kills"].items() for _ in range(n)]
    rng.shuffle(victims)
    marks = [0.8 * total * k / len(victims) for k in range(len(victims))]
    command = [sys.executable, "-c", DRIVER, str(ROOT), json.dumps(given), str(folder)]
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "ANTHROPI_THREADS": "1"}
    driver = subprocess.Popen(command, env=env)
    try:
        while driver.poll() is None:
            if victims and done(folder) >= marks[len(marks) - len(victims)] and kill(driver, victims[-1], rng, given):
                victims.pop()
                if driver.poll() is not None:
                    driver = subprocess.Popen(command, env=env)
            time.sleep(0.02)
        assert driver.returncode == 0
        return victims
    finally:
        driver.kill()
        driver.wait()


def kill(driver, who, rng, given):
    """Kill the driver or one of its workers within the time of a chunk; return whether there was one."""
    import psutil

    time.sleep(rng.uniform(0.0, min(given["chunk_seconds"], 1.0)))
    if who == "driver":
        driver.kill()
        return driver.wait() != 0
    with contextlib.suppress(psutil.NoSuchProcess):
        workers = psutil.Process(driver.pid).children()
        if workers:
            rng.choice(workers).kill()
            return True
    return False


def done(folder):
    """Return the number of points in the journal of a study that another process runs."""
    with contextlib.suppress(sqlite3.OperationalError):
        journal = sqlite3.connect(f"file:{folder / 'study.sqlite'}?mode=ro", uri=True, timeout=5.0)
        with contextlib.closing(journal):
            return journal.execute("SELECT COALESCE(SUM(last - first), 0) FROM chunks").fetchone()[0]
    return 0


@pytest.mark.slow
def test_walks_are_the_same_in_every_way(tmp_path):
    digests, table, late = in_every_way(SMALL, tmp_path)
    assert len(set(digests.values())) == 1 and len(late) < sum(SMALL["kills"].values()), (digests, late)
    assert (table.status == "done").all() and table["fell"].any() and not table["fell"].all()


@pytest.mark.soak
def test_ten_thousand_walks_are_the_same_in_every_way(tmp_path):
    digests, table, late = in_every_way(LARGE, tmp_path)
    assert len(table) == 10_000 and (table.status == "done").all()
    assert len(set(digests.values())) == 1 and late == [], (digests, late)
