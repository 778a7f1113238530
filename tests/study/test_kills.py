"""Studies whose workers or driver are killed: nothing is lost, doubled or changed.

The small versions run in `make test`; the soak test computes 10,000 walks (see docs/study.md).
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.study import trials

from anthropi import study
from anthropi.study.journal import Journal
from anthropi.study.pools import Processes

ROOT = Path(__file__).parents[2]
POINTS = study.grid(x=[float(k) for k in range(60)], y=[1.0, 2.0])
QUIET = {"progress": None}


def killer(pool, kills, rng, stop):
    """Kill a random worker again and again."""
    while kills[0] > 0 and not stop.is_set():
        time.sleep(rng.uniform(0.05, 0.25))
        for process in rng.sample(pool.processes, min(1, len(pool.processes))):
            try:
                os.kill(process, signal.SIGKILL)
                kills[0] -= 1
            except ProcessLookupError:
                pass


@pytest.mark.slow
def test_workers_killed_at_random_lose_and_double_nothing(tmp_path, monkeypatch):
    alone = study.Study(trials.noisy, POINTS, tmp_path / "a").run("inline", **QUIET)
    pool, stop, kills = Processes(2), threading.Event(), [12]
    monkeypatch.setattr("anthropi.study.study._pool", lambda *_: pool)
    thread = threading.Thread(target=killer, args=(pool, kills, random.Random(1), stop), daemon=True)
    thread.start()
    trial = study.Study(trials.noisy, POINTS, tmp_path / "b", constants={"pause": 0.02})
    table = trial.run(chunk_seconds=0.2, **QUIET)
    stop.set()
    thread.join()
    assert kills[0] < 12 and not table.failures and table.results["sum"].tolist() == alone.results["sum"].tolist()
    with Journal(trial.folder, trial._identity()) as journal:
        entries = journal.entries()
    assert sum(e.last - e.first for e in entries) == len(POINTS) and entries[0].first == 0


@pytest.mark.slow
def test_a_worker_killed_while_it_starts_is_started_again(tmp_path, monkeypatch):
    launched = []

    def launch(pool, start=Processes._launched):
        process = start(pool)
        launched.append(process.pid)
        if len(launched) < 3:
            process.kill()
        return process

    monkeypatch.setattr(Processes, "_launched", launch)
    table = study.Study(trials.noisy, POINTS, tmp_path).run(workers=1, **QUIET)
    assert len(launched) == 3 and (table.status == "done").all()


DRIVER = """
import sys
sys.path.insert(0, {root!r})
from anthropi import study
from tests.study import trials
points = study.grid(x=[float(k) for k in range(60)], y=[1.0, 2.0])
trial = study.Study(trials.noisy, points, {folder!r}, constants={{"pause": 0.01}})
trial.run(workers=2, chunk_seconds=0.05, progress=None)
"""


@pytest.mark.slow
def test_a_driver_killed_at_random_goes_on_where_it_was(tmp_path):
    folder, rng = tmp_path / "s", random.Random(2)
    code = DRIVER.format(root=str(ROOT), folder=str(folder))
    for _ in range(4):
        driver = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(rng.uniform(0.4, 1.2))
        driver.kill()
        driver.wait()
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
    trial = study.Study(trials.noisy, POINTS, folder, constants={"pause": 0.01})
    table = trial.table()
    alone = study.Study(trials.noisy, POINTS, tmp_path / "a", constants={"pause": 0.0}).run("inline", **QUIET)
    assert (table.status == "done").all() and table.results["sum"].tolist() == alone.results["sum"].tolist()
    with Journal(folder, trial._identity()) as journal:
        assert sum(e.last - e.first for e in journal.entries()) == len(POINTS)  # no point twice
