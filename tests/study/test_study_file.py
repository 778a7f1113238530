"""Study files and `anthropi study`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anthropi.cli import app
from anthropi.errors import FormatError
from anthropi.formats.studies import read_study

TRIALS = (Path(__file__).parent / "trials.py").read_text()
GRID = """
function = "trials.py:bowl"
folder = "out"
out = "table.csv"
[grid]
a = { from = -1, to = 1, count = 5 }
b = [0.0, 0.5]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "trials.py").write_text(TRIALS)
    return tmp_path


def written(folder, text, name="study.toml"):
    (folder / name).write_text(text)
    return folder / name


def run(*words):
    return CliRunner().invoke(app, ["study", *map(str, words)])


@pytest.mark.slow
def test_a_file_is_run_saved_and_run_again(folder):
    file = written(folder, GRID)
    first, again = (run(file, "--workers", "1", "--json") for _ in range(2))
    assert first.exit_code == again.exit_code == 0
    data = json.loads(first.stdout)
    assert data == json.loads(again.stdout) and data["done"] == 10 and data["failed"] == []
    assert (folder / "table.csv").read_text().splitlines()[0] == "a,b,cost,status"
    assert "10 of 10 points done" in run(file, "--status").stdout


@pytest.mark.slow
def test_a_search_from_a_file(folder):
    file = written(folder, 'function = "trials.py:bowl"\nfolder = "s"\n[search]\nminimise = "cost"\ngenerations = 5\n'
                   "bounds = { a = [-1.0, 1.0], b = [-1.0, 1.0] }\n")  # fmt: skip
    assert json.loads(run(file, "--workers", "1", "--json").stdout)["best"]["value"] < 0.1


@pytest.mark.slow
def test_points_that_fail_give_exit_code_1(folder):
    file = written(folder, 'function = "trials.py:awkward"\nfolder = "s"\n[grid]\nx = [0, 1]\n')
    found = run(file, "--workers", "1")
    assert found.exit_code == 1 and "one is not allowed" in found.stdout


@pytest.mark.parametrize("kind", ["uniform", "normal", "latin_hypercube", "sobol"])
def test_samples_from_a_file(folder, kind):
    text = f'function = "trials.py:bowl"\nfolder = "s"\n[{kind}]\ncount = 8\nseed = 2\na = [0.0, 1.0]\nb = 0.5\n'
    assert len(read_study(written(folder, text)).study.points) == 8


def test_points_from_a_table(folder):
    (folder / "points.csv").write_text("a,b\n1,2\n3,4\n")
    text = 'function = "trials.py:bowl"\nfolder = "s"\ntable = "points.csv"\n[run]\nrecheck = 0.5\n'
    found = read_study(written(folder, text))
    assert len(found.study.points) == 2 and found.options["recheck"] == 0.5


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[grid]", "[gird]", "Did you mean 'grid'"),
        ("folder =", "fodler =", "Did you mean 'folder'"),
        ("b = [0.0, 0.5]", "b = []", "axis 'b' has no values"),
        ("[grid]", '[run]\nrechek = 0.1\n[grid]', "Did you mean 'recheck'"),
        ("trials.py:bowl", "trials.py:bwol", "Did you mean 'bowl'"),
        ("trials.py:bowl", "nowhere:bowl", "No module named 'nowhere'"),
        ("trials.py:bowl", "bowl", "Give 'module:function'"),
        ("[grid]\na", "[grid]\nc", "no parameter 'c'"),
        ("[grid]", "[uniform]", "needs the key 'count'"),
        ("[grid]", 'table = "x.csv"\n[grid]', "several kinds: grid, table"),
        ("{ from = -1, to = 1, count = 5 }", "{ from = -1, to = 1 }", "from, to and count"),
        ('"out"', "3", "folder"),
        ("[grid]", "[grid", "not valid TOML"),
    ],
)  # fmt: skip
def test_errors_in_a_file_name_the_place_and_the_choices(folder, old, new, words):
    with pytest.raises(FormatError, match=words):
        read_study(written(folder, GRID.replace(old, new)))


def test_workers_and_a_cluster_exclude_each_other(folder):
    found = run(written(folder, GRID), "--workers", "2", "--dask", "tcp://127.0.0.1:1")
    assert found.exit_code == 2
