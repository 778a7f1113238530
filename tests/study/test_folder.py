"""The folder of a study is read without its function, also while it runs."""

import json
import sqlite3

import numpy as np
import pytest
from tests.study import trials
from typer.testing import CliRunner

from anthropi import study
from anthropi.cli import app
from anthropi.errors import FileError, Interrupted
from anthropi.study.folder import read_points, write_points
from anthropi.study.journal import Journal, being_run

QUIET = {"progress": None}


@pytest.mark.parametrize(
    "points",
    [
        study.grid(x=[0, 1, 2], y=[1.0, 2.0]),
        study.uniform(7, 3, x=(0.0, 4.0), y=(1.0, 3.0)),
        study.table({"x": [1, 2], "y": [2.0, 1.0]}),
    ],
    ids=["grid", "samples", "table"],
)
def test_a_folder_gives_the_table_of_the_study(tmp_path, points):
    table = study.Study(trials.noisy, points, tmp_path).run("inline", **QUIET)
    found = study.read_folder(tmp_path)
    assert found.digest == table.digest and (found.axes is None) == (points.axes is None)
    assert all(found.points[n].dtype == x.dtype for n, x in points.columns.items())


def test_words_are_points(tmp_path):
    points = study.table({"word": ["a", "longer"], "on": [True, False]})
    (tmp_path / "points").mkdir()
    write_points(tmp_path, 0, points)
    assert read_points(tmp_path).digest() == points.digest()


@pytest.mark.slow
def test_the_generations_of_a_search(tmp_path):
    pytest.importorskip("cma")
    search = study.CmaEs({"a": (-1.0, 1.0), "b": (-1.0, 1.0)}, minimise="cost", generations=4)
    trial = study.Study(trials.bowl, search, tmp_path)
    table = trial.run("inline", **QUIET)
    assert len(list((tmp_path / "points").iterdir())) == 4
    assert study.read_folder(tmp_path).digest == table.digest
    now = study.read_progress(tmp_path)
    assert now.search and now.minimise == "cost" and now.progress.total == len(table) and not now.running
    fresh = study.Study(trials.bowl, study.CmaEs({"a": (-1.0, 1.0), "b": (-1.0, 1.0)}, minimise="cost", generations=4),
                        tmp_path)  # fmt: skip
    assert fresh.table().digest == table.digest


def test_a_running_study_is_read(tmp_path):
    seen = []

    def look(progress):
        now, table = study.read_progress(tmp_path), study.read_folder(tmp_path)
        assert now.running and being_run(tmp_path) and now.progress.done == progress.done
        assert (table.status == "done").sum() == progress.done
        seen.append(now)
        if progress.done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        study.Study(trials.awkward_free, study.grid(x=list(range(30))), tmp_path).run(
            "inline", progress=look, chunk_seconds=1e-9
        )
    assert seen[-1].workers == 1 and seen[-1].progress.rate > 0.0 and seen[-1].progress.left > 0.0
    assert seen[-1].function.endswith("awkward_free")
    assert not study.read_progress(tmp_path).running


def test_reading_changes_nothing(tmp_path):
    trial = study.Study(trials.awkward_free, study.grid(x=[1, 2]), tmp_path)
    trial.run("inline", **QUIET)
    for file in (tmp_path / "chunks").iterdir():
        file.write_bytes(b"damaged")
    before = sorted((str(p), p.stat().st_mtime_ns) for p in tmp_path.rglob("*.npz"))
    assert (study.read_folder(tmp_path).status == "missing").all()
    with Journal(tmp_path) as journal:
        assert journal.entries()
    assert sorted((str(p), p.stat().st_mtime_ns) for p in tmp_path.rglob("*.npz")) == before
    assert trial.run("inline", **QUIET)["value"].tolist() == [1.0, 2.0]


def test_folders_without_a_study(tmp_path):
    with pytest.raises(FileError, match="no study"):
        study.read_folder(tmp_path)
    sqlite3.connect(tmp_path / "study.sqlite").execute("CREATE TABLE other (x)")  # as in a study that begins
    with pytest.raises(FileError, match="no study"):
        study.read_folder(tmp_path)
    study.Study(trials.awkward_free, study.grid(x=[1]), tmp_path / "s").run("inline", **QUIET)
    (tmp_path / "s" / "points" / "0.npz").write_bytes(b"damaged")
    with pytest.raises(FileError, match="no points"):
        study.read_folder(tmp_path / "s")
    (tmp_path / "s" / "study.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(FileError, match="cannot be read"):
        study.read_folder(tmp_path / "s")


def test_the_points_of_another_study_are_replaced(tmp_path):
    with Journal(tmp_path, {"points": "1", "seed": "0", "key": "a"}, write=True):
        write_points(tmp_path, 0, study.grid(x=[1, 2, 3]))
    with Journal(tmp_path, {"points": "2", "seed": "0", "key": "a"}, write=True):
        assert read_points(tmp_path) is None


def test_the_status_of_a_folder(tmp_path):
    study.Study(trials.lanes_that_fail, study.grid(x=[1.0, 2.0, 3.0]), tmp_path, batch=2).run("inline", **QUIET)
    found = CliRunner().invoke(app, ["study", str(tmp_path), "--status", "--json"])
    data = json.loads(found.stdout)
    assert found.exit_code == 1 and data["done"] == 2 and data["failed"][0]["point"] == 2
    assert "2 of 3 points done" in CliRunner().invoke(app, ["study", str(tmp_path), "--status"]).stdout
    assert "is a folder" in CliRunner().invoke(app, ["study", str(tmp_path)]).output
    assert np.isnan(study.read_folder(tmp_path)["root"][2])
