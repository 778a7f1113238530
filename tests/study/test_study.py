"""Studies: the same bits from any workers, nothing lost and nothing doubled, and failures that are recorded."""

import errno
import gc
import os
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.study import trials

from anthropi import study
from anthropi.errors import FileError, InputError, Interrupted, SimulationError, StateError, StudyWarning
from anthropi.study import driver as driver_module
from anthropi.study import journal as journal_module
from anthropi.study.chunk import ChunkResult, run_chunk
from anthropi.study.driver import missing_ranges
from anthropi.study.journal import Entry, Journal
from anthropi.study.pools import Inline, Outcome, WorkerLost

GRID = study.grid(x=[0.0, 1.0, 2.0, 3.0, 4.0], y=[1.0, 2.0, 3.0])
QUIET = {"progress": None}


def run(folder, executor=None, points=GRID, function=trials.noisy, make=None, **options):
    return study.Study(function, points, folder, **(make or {})).run(executor, **QUIET, **options)


def test_one_process_two_processes_and_threads_give_the_same_bits(tmp_path):
    alone = run(tmp_path / "a", "inline")
    assert (alone.status == "done").all() and len(alone) == 15
    assert alone["pair"].shape == (15, 2) and alone["word"][2] == "aaa" and alone["whole"].dtype == np.int64
    for n in (1, 2):
        assert run(tmp_path / f"p{n}", workers=n, chunk_seconds=1e-3).digest == alone.digest
    with ThreadPoolExecutor(2) as pool:
        assert run(tmp_path / "t", pool, chunk_seconds=1e-3).digest == alone.digest


def test_a_batch_gives_the_same_bits_at_every_size(tmp_path):
    points = study.uniform(40, 2, x=(0.0, 3.0), y=(1.0, 2.0))
    found = [run(tmp_path / f"{n}", "inline", points, trials.lanes, {"batch": n}).digest for n in (1, 7, 40)]
    assert len(set(found)) == 1


def test_a_second_run_computes_nothing_again(tmp_path):
    log, points = tmp_path / "log", study.grid(x=[1, 2, 3, 4])
    for _ in range(2):
        table = run(tmp_path / "s", "inline", points, trials.counted, {"constants": {"log": str(log)}})
    assert table["value"].tolist() == [2.0, 4.0, 6.0, 8.0] and len(log.read_text().split()) == 4


def test_a_stopped_study_goes_on_where_it_was(tmp_path):
    log, points = tmp_path / "log", study.grid(x=list(range(30)))
    trial = study.Study(trials.counted, points, tmp_path / "s", constants={"log": str(log)})

    def stop(progress):
        if progress.done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="are done and kept") as stopped:
        trial.run("inline", progress=stop, chunk_seconds=1e-9)
    partial = stopped.value.result
    assert (partial.status == "missing").sum() == 30 - 10 and np.isnan(partial["value"][29])
    assert (trial.table().status == "done").sum() == 10
    assert trial.run("inline", **QUIET)["value"].tolist() == [2.0 * x for x in range(30)]
    assert sorted(map(int, log.read_text().split())) == list(range(30))  # none twice, none missing


def test_a_study_without_a_folder_uses_one_that_is_deleted_with_it():
    trial = study.Study(trials.awkward_free, study.grid(x=[1, 2]))
    table, folder = trial.run("inline", **QUIET), trial.folder
    assert trial.table().digest == table.digest and table.require_done() is table and folder.is_dir()
    del trial
    gc.collect()
    assert not folder.exists()


def test_points_that_are_not_done_can_be_refused(tmp_path):
    trial = study.Study(trials.awkward, study.grid(x=[0, 1]), tmp_path)
    with pytest.raises(
        SimulationError, match=r"1 of 2 points are not done.*point 1 \(x=1\): error.*one is not allowed"
    ):
        trial.run("inline", **QUIET).require_done()


def test_ranges_that_are_missing():
    entries = [Entry("a", 0, 3, "", 0.0, ""), Entry("b", 5, 6, "", 0.0, ""), Entry("c", 9, 12, "", 0.0, "")]
    assert missing_ranges(entries, 0, 15) == [(3, 5), (6, 9), (12, 15)]
    assert missing_ranges(entries, 5, 10) == [(6, 9)] and missing_ranges([], 0, 2) == [(0, 2)]


@pytest.mark.slow
def test_points_that_fail_are_recorded_with_their_error(tmp_path):
    trial = study.Study(trials.awkward, study.grid(x=list(range(7))), tmp_path / "s")
    table = trial.run(workers=1, time_limit=1.0, memory_limit=4e9, **QUIET)
    assert table.status.tolist() == ["done", "error", "nan", "time", "worker", "memory", "done"]
    assert table["value"][[0, 6]].tolist() == [0.0, 6.0] and np.isnan(table["value"][1:6]).all()
    words = {f.point: f.message for f in trial.failures()}
    assert "one is not allowed" in words[1] and "NaN" in words[2] and "limit of 1 s" in words[3] and "lost" in words[4]
    assert trial.table().digest == table.digest


@pytest.mark.slow
def test_a_worker_that_hangs_is_ended_and_only_its_point_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(driver_module, "GRACE", 4.0)  # [s] on a busy machine; chunks of one point need it once
    options = {"function": trials.deaf, "workers": 2, "time_limit": 1.0, "chunk_seconds": 1e-9}
    table = run(tmp_path / "s", points=study.grid(x=list(range(6))), **options)
    assert table.status.tolist() == ["done", "done", "time", "done", "done", "done"]


def test_failed_points_can_be_tried_again(tmp_path, monkeypatch):
    trial = study.Study(trials.lanes_that_fail, study.grid(x=[1.0, 2.0, 3.0, 0.5]), tmp_path / "s", batch=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        table = trial.run("inline", **QUIET)
        assert table.status.tolist() == ["done", "done", "error", "nan"] and table["root"][1] == 1.0
        again = trial.run("inline", retry=True, **QUIET)
    assert again.digest == table.digest


class Wrong(Inline):
    """Two workers by name; the first one flips the lowest bit of every result, and says so to nobody."""

    def __init__(self, wrong="first"):
        super().__init__()
        self.wrong, self.turn = wrong, 0

    def submit(self, task, chunk, avoid=()):
        names = [n for n in ("first", "second", "third") if n not in avoid]
        self._tasks.append((task, (chunk, names[self.turn % len(names)])))
        self.turn += 1

    def wait(self, timeout):
        tasks, self._tasks = self._tasks, []
        return [Outcome(task, self.computed(*work), None, work[1]) for task, work in tasks]

    def computed(self, chunk, name):
        found = run_chunk(chunk)
        columns = dict(found.columns)
        if name == self.wrong:
            columns["value"] = np.nextafter(columns["value"], np.inf)
        made = ChunkResult.make(columns, found.failures, found.seconds)
        return ChunkResult(**(vars(made) | {"worker": name}))


def test_a_worker_that_returns_a_flipped_bit_is_named_and_its_results_are_replaced(tmp_path, monkeypatch):
    points = study.grid(x=list(range(24)))
    right = run(tmp_path / "a", "inline", points, trials.awkward_free)
    monkeypatch.setattr("anthropi.study.study._pool", lambda *_: Wrong())
    trial = study.Study(trials.awkward_free, points, tmp_path / "b")
    with pytest.warns(StudyWarning, match="Worker first returned wrong results"):
        table = trial.run(recheck=1.0, chunk_seconds=1e-9, **QUIET)
    assert table.digest == right.digest
    assert {worker for worker, _ in trial.faults()} == {"first"}


def test_a_result_changed_on_the_way_is_not_kept(tmp_path, monkeypatch):
    class Line(Inline):
        hit = False

        def wait(self, timeout):
            found = super().wait(timeout)
            if found and not self.hit:
                self.hit = True
                found[0].result.columns["value"][0] += 1e-9
            return found

    points = study.grid(x=list(range(5)))
    right = run(tmp_path / "a", "inline", points, trials.awkward_free)
    monkeypatch.setattr("anthropi.study.study._pool", lambda *_: Line())
    with pytest.warns(StudyWarning, match="changed on the way"):
        assert run(tmp_path / "b", points=points, function=trials.awkward_free).digest == right.digest


def test_points_beside_a_deadly_one_are_not_blamed(tmp_path, monkeypatch):
    """When the worker of a point dies, a cluster loses what waits there too, again and again."""

    class Shared(Inline):
        def capacity(self):
            return 3

        def wait(self, timeout):
            if not any(chunk.first <= 2 < chunk.last for _, chunk in self._tasks):
                return super().wait(timeout)
            tasks, self._tasks = self._tasks, []
            return [Outcome(task, None, WorkerLost("it died"), "") for task, _ in tasks]

    monkeypatch.setattr("anthropi.study.study._pool", lambda *_: Shared())
    points = study.grid(x=list(range(5)))
    table = run(tmp_path, points=points, function=trials.awkward_free, chunk_seconds=1e-9)
    assert table.status.tolist() == ["done", "done", "worker", "done", "done"]


def test_a_chunk_that_arrives_twice_is_compared_not_added(tmp_path, monkeypatch):
    points = study.grid(x=list(range(4)))
    trial = study.Study(trials.awkward_free, points, tmp_path / "a")
    table = trial.run("inline", chunk_seconds=1e6, **QUIET)
    with Journal(trial.folder, trial._identity(), write=True) as journal:
        entries = journal.entries()
        driver = driver_module.Driver(journal, Inline(), trial._chunk(None))
        chunk = trial._chunk(None)(entries[0].first, entries[0].last)
        driver._store(chunk, run_chunk(chunk), driver_module.deque())
        assert journal.entries() == entries and journal.checks() == {entries[0].name: 1}
    assert trial.table().digest == table.digest


def test_a_function_that_is_not_deterministic_is_found(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyWarning)
        with pytest.raises(SimulationError, match="not deterministic"):
            run(tmp_path, "inline", study.grid(x=[1, 2]), trials.random_by_clock, recheck=1.0)


def test_a_full_disk_says_so_and_keeps_what_is_there(tmp_path, monkeypatch):
    points, left = study.grid(x=list(range(12))), [3]
    write = journal_module.write_whole

    def full(path, data):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, data)

    monkeypatch.setattr(journal_module, "write_whole", full)
    with pytest.raises(FileError, match=r"disk is full.*kept"):
        run(tmp_path / "s", "inline", points, trials.awkward_free, chunk_seconds=1e-9)
    monkeypatch.setattr(journal_module, "write_whole", write)
    trial = study.Study(trials.awkward_free, points, tmp_path / "s")
    assert (trial.table().status == "done").sum() == 3
    assert trial.run("inline", **QUIET)["value"].tolist() == list(range(12))


def test_a_damaged_file_is_computed_again(tmp_path):
    trial = study.Study(trials.awkward_free, study.grid(x=list(range(8))), tmp_path / "s")
    table = trial.run("inline", chunk_seconds=1e-9, **QUIET)
    files = sorted((tmp_path / "s" / "chunks").iterdir())
    files[0].write_bytes(b"")
    data = bytearray(files[1].read_bytes())
    data[len(data) // 2] ^= 1
    files[1].write_bytes(data)
    files[2].unlink()
    assert (trial.table().status == "missing").sum() >= 3
    assert trial.run("inline", **QUIET).digest == table.digest


def test_only_one_process_runs_a_study(tmp_path):
    trial = study.Study(trials.awkward_free, study.grid(x=[1]), tmp_path / "s")
    with Journal(trial.folder, trial._identity(), write=True), pytest.raises(StateError, match="another process"):
        trial.run("inline", **QUIET)


def test_another_study_in_the_same_folder_is_refused(tmp_path):
    run(tmp_path, "inline", study.grid(x=[1, 2]), trials.awkward_free)
    for points, function, seed, words in (
        (study.grid(x=[1, 3]), trials.awkward_free, 0, "table of points, or the search, changed"),
        (study.grid(x=[1, 2]), trials.deaf, 0, "code of the function"),
        (study.grid(x=[1, 2]), trials.awkward_free, 5, "seed changed"),
    ):
        with pytest.raises(InputError, match=words):
            study.Study(function, points, tmp_path, seed=seed).run("inline", **QUIET)


def test_a_changed_helper_is_another_study(tmp_path, monkeypatch):
    first = study.Study(trials.with_helper, study.grid(x=[1]), tmp_path).key
    monkeypatch.setattr(trials, "FACTOR", 3.0)
    assert study.Study(trials.with_helper, study.grid(x=[1]), tmp_path).key != first


def test_the_table_in_other_forms(tmp_path):
    table = run(tmp_path / "s", "inline")
    frame = table.to_pandas()
    assert list(frame.columns) == ["x", "y", "sum", "whole", "word", "pair_0", "pair_1", "status"] and len(frame) == 15
    data = table.to_xarray()
    assert data["sum"].dims == ("x", "y") and data["pair"].shape == (5, 3, 2)
    assert float(data["sum"].sel(x=2.0, y=3.0)) == table["sum"][8]
    for ending in ("csv", "npz", "parquet"):
        assert table.save(tmp_path / f"t.{ending}").stat().st_size > 100
    import pandas

    assert pandas.read_parquet(tmp_path / "t.parquet")["sum"].tolist() == table["sum"].tolist()
    with pytest.raises(InputError, match="Did you mean 'word'"):
        table["wrd"]
    with pytest.raises(FileError, match="Choose one of these"):
        table.save(tmp_path / "t.xls")


@pytest.mark.parametrize(
    ("function", "points", "words"),
    [
        (lambda x: x, {"x": [1]}, "inside another function|top level"),
        (trials.awkward_free, {"z": [1]}, "no parameter 'z'"),
        (trials.noisy, {"x": [1]}, "needs 'y'"),
        (trials.awkward_free, {"x": []}, "no points"),
        (np.sin, {"x": [1]}, "function|parameter|signature"),
    ],
)
def test_bad_studies_are_refused(function, points, words, tmp_path):
    with pytest.raises(InputError, match=words):
        study.Study(function, points, tmp_path)


@pytest.mark.parametrize("chunk_seconds", [1e6, 1e-9])
def test_results_of_different_kinds_stop_the_study(chunk_seconds, tmp_path):
    trial = study.Study(trials.mixed, study.grid(x=[1, 1, 1, 1, 1, 1, 2]), tmp_path)
    with pytest.raises(InputError, match="Return the same results"):
        trial.run("inline", chunk_seconds=chunk_seconds, **QUIET)


def test_a_search_finds_the_minimum_and_repeats_its_course_from_the_journal(tmp_path):
    bounds = {"a": (-1.0, 1.0), "b": (-1.0, 1.0)}

    def search(generations):
        return study.CmaEs(bounds, minimise="cost", generations=generations, starts=2, seed=4)

    whole = study.Study(trials.bowl, search(60), tmp_path / "a")
    table = whole.run("inline", **QUIET)
    assert whole.best.value < 1e-8 and abs(whole.best.values["a"] - 0.3) < 1e-3
    assert table["cost"][whole.best.point] == whole.best.value
    assert whole.search.means[0] == pytest.approx({"a": 0.3, "b": -0.2}, abs=1e-3)  # cost below 1e-8 near the best

    stopped = study.Study(trials.bowl, search(60), tmp_path / "b")

    def stop(progress):
        if progress.done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        stopped.run("inline", progress=stop)
    fresh = study.Study(trials.bowl, search(60), tmp_path / "b")
    assert fresh.run(workers=2, **QUIET).digest == table.digest and fresh.best == whole.best
