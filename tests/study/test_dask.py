"""A study on a real Dask cluster with worker processes."""

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.study import trials

from anthropi import study
from anthropi.errors import InputError, SimulationError, StudyWarning
from anthropi.study import driver as driver_module

ROOT = Path(__file__).parents[2]
QUIET = {"progress": None}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client():
    import dask
    from dask.distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    patient = dask.config.set(
        {"distributed.deploy.lost-worker-timeout": "120s"}
    )  # restarts on a busy machine take long
    with patient, LocalCluster(**options) as cluster, Client(cluster) as found:
        yield found


def test_a_cluster_gives_the_bits_of_one_process(client, tmp_path):
    points = study.grid(x=[float(k) for k in range(20)], y=[1.0, 2.0])
    alone = study.Study(trials.noisy, points, tmp_path / "a").run("inline", **QUIET)
    trial = study.Study(trials.noisy, points, tmp_path / "b")
    table = trial.run(client, chunk_seconds=1e-3, recheck=0.5, **QUIET)
    assert table.digest == alone.digest and trial.faults() == ()


def test_a_search_on_a_cluster_takes_the_same_course(client, tmp_path):
    def search():
        return study.CmaEs({"a": (-1.0, 1.0), "b": (-1.0, 1.0)}, minimise="cost", generations=6, seed=4)

    alone = study.Study(trials.bowl, search(), tmp_path / "a")
    cluster = study.Study(trials.bowl, search(), tmp_path / "b")
    assert alone.run("inline", **QUIET).digest == cluster.run(client, **QUIET).digest
    assert alone.best == cluster.best


def test_failing_dying_and_hanging_points_on_a_cluster(client, tmp_path, monkeypatch):
    monkeypatch.setattr(driver_module, "GRACE", 4.0)  # [s] on a busy machine; chunks of one point need it once
    trial = study.Study(trials.awkward, study.grid(x=[0, 1, 2, 3, 4, 6]), tmp_path)
    table = trial.run(client, time_limit=1.0, chunk_seconds=1e-9, **QUIET)
    assert table.status.tolist() == ["done", "error", "nan", "time", "worker", "done"]


def test_a_worker_that_flips_a_bit_is_named_and_its_results_are_replaced(client, tmp_path):
    """Of two workers that differ, the driver finds the one at fault."""
    client.wait_for_workers(2, timeout=60)  # an earlier test killed some
    marker = tmp_path / "marker"
    trial = study.Study(
        trials.flipping, study.grid(x=list(range(1, 9))), tmp_path / "s", constants={"marker": str(marker)}
    )
    with pytest.warns(StudyWarning, match="returned wrong results"):
        table = trial.run(client, recheck=1.0, chunk_seconds=1e-9, **QUIET)
    assert table["value"].tolist() == [float(x) for x in range(1, 9)]
    assert {worker.rpartition(":")[2] for worker, _ in trial.faults()} == {marker.read_text()}


def test_other_code_on_the_workers_is_refused(client, tmp_path, monkeypatch):
    monkeypatch.setattr(trials, "FACTOR", 5.0)  # the workers import the file, which says 2
    trial = study.Study(trials.with_helper, study.grid(x=[1, 2]), tmp_path)
    with pytest.raises(InputError, match="differs from the code on the driver"):
        trial.run(client, **QUIET)


def test_kernels_reach_every_machine_once(client, tmp_path, monkeypatch):
    """Two workers stand for two machines with caches of their own: what one compiles, the other receives."""
    from anthropi.compiler import cache
    from anthropi.study.executors import Futures

    def own_cache(dask_worker, folder=str(tmp_path)):
        os.environ["ANTHROPI_CACHE"] = os.path.join(folder, str(dask_worker.name))

    client.wait_for_workers(2, timeout=60)  # an earlier test killed some
    client.run(own_cache)
    names = client.run(cache.folder)
    first = sorted(names)[0]
    client.run(cache.write, "a.tape", {"kind": "test"}, b"content", workers=[first])
    info = client.scheduler_info(n_workers=-1)
    for k, address in enumerate(info["workers"]):
        info["workers"][address]["host"] = f"machine {k}"
    monkeypatch.setattr(client, "scheduler_info", lambda **_: info)
    pool = Futures(client)
    assert pool.share_kernels() == 1 and pool.share_kernels() == 0
    found = client.run(cache.read, "a.tape")
    assert len(found) == 2 and all(entry == ({"kind": "test"}, b"content") for entry in found.values())


def test_the_search_for_a_walker_takes_the_same_course(client, tmp_path):
    """Generation by generation; the walks are those of a toy whose best numbers are known."""
    import numpy as np

    from anthropi.gait.walker.search.evolve import evolve
    from anthropi.gait.walker.search.scenarios import Straight
    from unit.gait.search.toy import Toy

    def found(executor, folder, generations=5):
        case = Straight((np.zeros(7), np.zeros(6)), walks=2, intervals=4)
        options = {"generations": generations, "population": 12, "sigma": 0.5, "folder": folder, "price": trials.price}
        return evolve(Toy(np.array([0.7, -0.4, 0.2])), case, np.zeros(3), executor=executor, **options)

    def course(search):
        return [{n: np.asarray(x).tolist() for n, x in record.items() if n != "seconds"} for record in search.history]

    alone, cluster = found("inline", tmp_path / "a"), found(client, tmp_path / "b")
    assert course(alone) == course(cluster) and np.array_equal(alone.mean, cluster.mean)
    found("inline", tmp_path / "c", 3)
    assert course(found(None, tmp_path / "c")) == course(alone)  # three generations are read from the folder


def test_a_scheduler_that_is_killed_loses_nothing(tmp_path):
    import dask
    from dask.distributed import Client

    points = study.grid(x=[float(k) for k in range(20)], y=[1.0, 2.0])
    trial = study.Study(trials.noisy, points, tmp_path / "s", constants={"pause": 0.02})
    file = tmp_path / "scheduler.json"
    options = ["--scheduler-file", str(file), "--no-dashboard"]
    scheduler, worker = started("scheduler", *options, "--port", "0"), started("worker", *options, "--nthreads", "1")

    def kill(progress):
        if progress.done >= 5:
            scheduler.kill()

    try:
        with dask.config.set({"distributed.comm.timeouts.connect": "2s"}):
            while not file.exists() and scheduler.poll() is None:
                time.sleep(0.05)
            with Client(scheduler_file=str(file)) as own:
                own.wait_for_workers(1, timeout=60)
                with pytest.raises(SimulationError, match=r"kept; run the study again with a new"):
                    trial.run(own, chunk_seconds=1e-9, progress=kill)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    table = trial.table()
    assert 5 <= (table.status == "done").sum() < len(points) and not table.failures
    whole = study.Study(trials.noisy, points, tmp_path / "a").run("inline", **QUIET)
    assert trial.run("inline", **QUIET).digest == whole.digest


def started(part, *options):
    """Start a process of Dask."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{part}", *options]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
