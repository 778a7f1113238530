"""Studies in the studio: found and opened in the workspace, read while they run, run and stopped on request."""

import json
import os
import sqlite3
import struct
import sys

import numpy as np
import pytest

from anthropi import study
from anthropi.errors import AnthropiError, InputError, Interrupted, StateError
from anthropi.studio.messages import Problem
from anthropi.studio.studies import reader as reader_module
from anthropi.studio.studies.catalog import Studies

TRIAL = """
import time
from pathlib import Path

Path(__file__).with_name("imported").write_text("yes")


def trial(speed, push, kind="a", pause=0.0):
    time.sleep(pause)
    if push > 30.0 and speed > 1.3:
        raise ValueError("it fell")
    return {"cost": (speed - 1.2) ** 2 + push, "steps": 3, "kind": "b" * int(speed), "pair": [speed, push]}
"""
FILE = """
function = "trial.py:trial"
folder = "out/first"
constants = { pause = %s }
[grid]
speed = [1.0, 1.2, 1.4]
push = [0.0, 20.0, 40.0]
[run]
chunk_seconds = 0.1
"""


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "trial.py").write_text(TRIAL)
    (tmp_path / "first.toml").write_text(FILE % 0.0)
    return tmp_path


@pytest.fixture
def studies(workspace):
    made = Studies(workspace, lambda event: None)
    yield made
    made.close()


def unpacked(data):
    """Return the header of the data of a study, and its arrays by (role, name)."""
    assert data[:4] == b"APS1"
    size = struct.unpack("<I", data[4:8])[0]
    head, body = json.loads(data[8 : 8 + size]), np.frombuffer(data[8 + size :], "<f4")
    arrays, at = {}, 0
    for column in head["columns"] or []:
        for part in ("", ".low", ".high") if column["bounded"] else ("",):
            arrays[column["role"], column["name"] + part] = body[at : at + head["count"]]
            at += head["count"]
    assert at == len(body)
    return head, arrays


def run(folder, function, points, **options):
    return study.Study(function, points, folder).run("inline", progress=None, **options)


def test_studies_are_found_without_running_their_code(studies, workspace):
    run(workspace / "lonely", study.examples.pendulum_period, study.grid(length=[1.0]))
    (workspace / "figure.toml").write_text("name = 'no study'")
    (workspace / "broken.toml").write_text("]")
    (workspace / "away.toml").write_text('function = "trial.py:trial"\nfolder = "../away"\n')
    (workspace / "foreign.toml").write_text('function = "/tmp/trial.py:trial"\nfolder = "away"\n')
    found = {c.path: (c.folder, c.begun, c.running) for c in studies.listing().studies}
    assert found == {"first.toml": ("out/first", False, False), "lonely": ("lonely", True, False)}
    opened = studies.open("first.toml")
    head, arrays = unpacked(studies.data(opened.study, -1))
    assert not head["begun"] and not head["columns"] and not arrays
    assert not (workspace / "imported").exists()


@pytest.mark.parametrize("path", ["../x.toml", "/etc/passwd", "nothing.toml", "out", "trial.py", "away.toml", "link"])
def test_only_studies_of_the_workspace_are_opened(studies, workspace, path, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    run(other, study.examples.pendulum_period, study.grid(length=[1.0]))
    os.symlink(other, workspace / "link")
    (workspace / "away.toml").write_text('function = "os:getpid"\nfolder = "link"\n')
    with pytest.raises(AnthropiError):
        studies.open(path)
    assert all(choice.path == "first.toml" for choice in studies.listing().studies)


def test_a_study_is_read_while_it_runs(studies, workspace):
    seen = []

    def look(progress):
        opened = studies.open("pendulum")
        head, arrays = unpacked(studies.data(opened.study, -1))
        assert head["running"] and not head["own"] and head["done"] == progress.done and head["total"] == 12
        assert np.isfinite(arrays.get(("result", "period"), np.array([]))).sum() == progress.done
        seen.append((head["revision"], head["workers"]))
        if progress.done >= 6:
            raise KeyboardInterrupt

    points = study.grid(length=np.linspace(0.5, 2.0, 12))
    with pytest.raises(Interrupted):
        study.Study(study.examples.pendulum_period, points, workspace / "pendulum").run(
            "inline", progress=look, chunk_seconds=1e-9
        )
    assert len({revision for revision, _ in seen}) == len(seen) and seen[-1][1] == 1
    number = studies.open("pendulum").study
    head, arrays = unpacked(studies.data(number, -1))
    assert not head["running"] and head["function"].endswith("pendulum_period")
    assert [c["name"] for c in head["columns"]] == ["length", "period", "status"]
    status = head["columns"][-1]["words"]
    assert [status[int(x)] for x in arrays["status", "status"]] == ["done"] * 6 + ["missing"] * 6
    again, nothing = unpacked(studies.data(number, head["revision"]))
    assert again["columns"] is None and not nothing and again["revision"] == head["revision"]
    point = studies.reader(number).point(3)
    assert point.values == {"length": points.columns["length"][3]} and point.status == "done"
    assert point.results["period"] == pytest.approx(arrays["result", "period"][3], rel=1e-6)  # rounded to 32 bits
    assert studies.reader(number).point(9).status == "missing"
    with pytest.raises(InputError, match="no point 12"):
        studies.reader(number).point(12)


def test_large_studies_are_thinned_out_and_keep_their_extremes(studies, workspace, monkeypatch):
    monkeypatch.setattr(reader_module, "MAX_COUNT", 10)
    x = np.random.default_rng(1).uniform(0.1, 2.0, 75)
    run(workspace / "s", study.examples.pendulum_period, {"length": x}, chunk_seconds=1e-9)
    head, arrays = unpacked(studies.data(studies.open("s").study, -1))
    assert head["stride"] == 8 and head["count"] == 10
    assert np.allclose(arrays["point", "length"], x[::8])
    column = next(c for c in head["columns"] if c["name"] == "period")
    assert (column["least"]["point"], column["most"]["point"]) == (np.argmin(x), np.argmax(x))
    period = 2.0 * np.pi * np.sqrt(x / 9.81)
    groups = [period[k : k + 8] for k in range(0, 75, 8)]
    assert np.allclose(arrays["result", "period.low"], [g.min() for g in groups])
    assert np.allclose(arrays["result", "period.high"], [g.max() for g in groups])


@pytest.mark.slow
def test_the_generations_of_a_search_are_added(studies, workspace, monkeypatch):
    pytest.importorskip("cma")
    monkeypatch.setattr(reader_module, "MAX_COUNT", 16)
    search = study.CmaEs({"length": (0.1, 2.0), "gravity": (5.0, 10.0)}, minimise="period", generations=6)
    counts = []

    def look(progress):
        head, _ = unpacked(studies.data(studies.open("s").study, -1))
        assert head["total"] == progress.total and head["search"] and head["minimise"] == "period"
        counts.append((head["stride"], head["count"]))

    trial = study.Study(study.examples.pendulum_period, search, workspace / "s")
    table = trial.run("inline", progress=look)
    head, arrays = unpacked(studies.data(studies.open("s").study, -1))
    assert np.allclose(arrays["result", "period"], table["period"][:: head["stride"]])
    assert head["columns"][2]["least"]["point"] == trial.best.point and counts[0][0] == 1 < head["stride"]


def test_a_folder_from_anybody_does_no_harm(studies, workspace, monkeypatch):
    run(workspace / "s", study.examples.pendulum_period, study.grid(length=[1.0, 2.0]), chunk_seconds=1e-9)
    (workspace / "other.npz").write_bytes(next((workspace / "s/chunks").iterdir()).read_bytes())
    with sqlite3.connect(workspace / "s/study.sqlite") as journal:
        for first, last, name in ((-5, 1, "0" * 32), (0, 10**12, "1" * 32), (0, 1, "../../other")):
            journal.execute("INSERT INTO chunks VALUES (?, ?, ?, 'x', 0, 'w', 0)", (name, first, last))
        journal.execute("INSERT INTO failures VALUES (-3, 'strange', 'x', 'w')")
    head, arrays = unpacked(studies.data(studies.open("s").study, -1))
    assert head["count"] == 2 and np.isfinite(arrays["result", "period"]).all()
    monkeypatch.setattr(reader_module, "MAX_POINTS", 100)
    np.savez(workspace / "s/points/0.npz", axis_length=np.arange(20.0), axis_gravity=np.arange(20.0))
    fresh = Studies(workspace, print)
    with pytest.raises(AnthropiError, match="at most"):
        fresh.data(fresh.open("s").study, -1)


def ended(tried, number, seconds=60.0):
    tried.until(lambda: not unpacked(tried.session.studies.data(number, -1))[0]["own"], seconds)
    tried.until(lambda: tried.of(Problem), seconds)


@pytest.mark.slow
def test_a_study_file_is_run_in_a_process_of_its_own(tried, workspace):
    number = tried.do("open_study", path="first.toml")["study"]
    tried.do("start_study", study=number, workers=1)
    with pytest.raises(StateError, match="already"):
        tried.do("start_study", study=number)
    ended(tried, number)
    head, arrays = unpacked(tried.session.studies.data(number, -1))
    assert "some points failed" in head["message"] and tried.of(Problem)[-1].level == "note"
    assert (head["done"], head["total"], head["failed"]) == (9, 9, 1)
    assert [c["name"] for c in head["columns"]] == [
        "speed",
        "push",
        "cost",
        "steps",
        "kind",
        "pair_0",
        "pair_1",
        "status",
    ]
    assert head["columns"][4]["words"] == ["b"] and np.isnan(arrays["result", "steps"][8])
    assert head["failures"][0]["point"] == 8 and "it fell" in head["failures"][0]["message"]
    row = tried.do("get_study_point", study=number, point=8)
    assert row["status"] == "error" and "it fell" in row["message"] and row["values"]["speed"] == 1.4
    assert tried.do("get_study_point", study=number, point=1)["results"]["pair"] == [1.0, 20.0]
    assert "trial" not in [name for name in sys.modules if name.startswith("anthropi_study_")]
    (workspace / "trial.py").write_text("def other(): pass\n")
    tried.events.clear()
    tried.do("start_study", study=number, workers=1)
    ended(tried, number)
    assert "cannot be imported" in tried.of(Problem)[-1].message and tried.of(Problem)[-1].level == "error"


@pytest.mark.slow
def test_a_study_is_stopped_and_goes_on(tried, workspace):
    (workspace / "first.toml").write_text(FILE % 0.3)
    number = tried.do("open_study", path="first.toml")["study"]
    with pytest.raises(StateError, match="does not run"):
        tried.do("stop_study", study=number)
    tried.do("start_study", study=number, workers=1)
    tried.until(lambda: unpacked(tried.session.studies.data(number, -1))[0]["done"] >= 1, 60.0)
    assert unpacked(tried.session.studies.data(number, -1))[0]["running"]
    tried.do("stop_study", study=number)
    ended(tried, number)
    head, _ = unpacked(tried.session.studies.data(number, -1))
    assert "was stopped" in head["message"] and 1 <= head["done"] < 9 and not head["running"]
    tried.do("start_study", study=number, workers=2)
    tried.until(lambda: unpacked(tried.session.studies.data(number, -1))[0]["done"] == 9, 60.0)


def test_a_study_that_only_its_folder_names_is_not_run(tried, workspace):
    run(workspace / "s", study.examples.pendulum_period, study.grid(length=[1.0]))
    number = tried.do("open_study", path="s")["study"]
    with pytest.raises(InputError, match="Open its study file"):
        tried.do("start_study", study=number)
    with pytest.raises(InputError, match="No study 99"):
        tried.do("get_study_point", study=99, point=0)


def test_the_columns_travel_over_http_with_the_token_only(served):
    from studio.test_server import Browser

    run(served.session.folder / "s", study.examples.pendulum_period, study.grid(length=[1.0, 2.0]))
    browser = Browser(served)
    try:
        number = browser.do("open_study", path="s")["study"]
        status, body = browser.fetch(f"/study/{number}")
        assert status == 200 and unpacked(body)[0]["done"] == 2
        revision = unpacked(body)[0]["revision"]
        assert unpacked(browser.fetch(f"/study/{number}?have={revision}")[1])[0]["columns"] is None
        assert browser.fetch("/study/99")[0] == 404
        assert browser.fetch(f"/study/{number}", **{"X-Token": "wrong"})[0] == 403
    finally:
        browser.close()
