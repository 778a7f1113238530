"""The command `gait-report`: what it prints and writes, and what it refuses in one line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anthropi.cli import app
from unit.gait.report.walker import norm_walk


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """What a command writes stays out of the checkout."""
    monkeypatch.chdir(tmp_path)
    norm_walk().save("walk.npz")


def run(*words):
    return CliRunner().invoke(app, ["gait-report", *map(str, words)])


def test_it_prints_the_table_and_writes_files(monkeypatch):
    monkeypatch.setattr("anthropi.gait.report.GaitReport.plot", lambda self, path: Path(path).write_text("<svg"))
    done = run("walk.npz", "--csv", "rows.csv", "--plot", "sheet.svg", "--norm", "free")
    assert done.exit_code == 0, done.output
    for words in ("knee flexion, RMSE, offset removed", "not measured: record contact", "60.5 ± 4.8 [C]", "pass",
                  "3 left and 3 right strides by recorded", "wrote: rows.csv", "drawn: sheet.svg"):  # fmt: skip
        assert words in done.output
    assert "GPS" in Path("rows.csv").read_text() and "<svg" in Path("sheet.svg").read_text()
    assert sorted(p.name for p in Path().iterdir()) == ["rows.csv", "sheet.svg", "walk.npz"]


def test_a_picture_that_fails_leaves_the_old_one(monkeypatch):
    def full(self, path):
        Path(path).write_text("half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("anthropi.gait.report.GaitReport.plot", full)
    Path("sheet.png").write_text("old")
    done = run("walk.npz", "--plot", "sheet.png")
    assert done.exit_code == 2 and "No space left" in done.output and Path("sheet.png").read_text() == "old"
    assert sorted(p.name for p in Path().iterdir()) == ["sheet.png", "walk.npz"]


def test_json_is_all_it_prints():
    done = run("walk.npz", "--json", "--from-time", "0.5")
    data = json.loads(done.output)
    assert data["events"] == "recorded" and {row["verdict"] for row in data["rows"]} >= {
        "pass",
        "fail",
        "reported only",
    }
    assert len(data["curves"]["hip_flexion"]["mean"]) == 101 and len(data["strides"]["l"]) == 3


@pytest.mark.parametrize(("words", "said"), [
    (("none.npz",), "No file none.npz"),
    (("walk.npz", "--norm", "quick"), "Choose one of: auto, very_slow"),
    (("walk.npz", "--from-time", "9"), "the motion ends at 4.4 s"),
    (("walk.npz", "--events", "load"), "does not contain the data for events='load'"),
    (("walk.npz", "--plot", "sheet.gif"), "--plot sheet.gif: the file name must end in .png or .svg or .pdf"),
    (("walk.npz", "--csv", "there/rows.csv"), "--csv there/rows.csv is in there, which is not an existing folder"),
])  # fmt: skip
def test_refusals_in_one_line(words, said):
    done = run(*words)
    assert done.exit_code == 2 and said in done.output and done.output.count("\n") == 1
    assert [p.name for p in Path().iterdir()] == ["walk.npz"]
