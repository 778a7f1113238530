"""`anthropi refine` of a walker: what words name, what is reported and written. The search is a fake."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from anthropi.cli import app
from anthropi.cli import walker_search as refine_walker
from anthropi.errors import FormatError, Interrupted
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.search.evolve import Found
from anthropi.gait.walker.search.refine import Measures, Refined

BEFORE = Measures(deviation=6.0, up=0.5, undisturbed=1.0, pace=0.05, cost=40.0, strength=0.4)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def asked(monkeypatch):
    """What the search was asked for; it finds a cost of 30, or `cost`."""
    seen = {"cost": 30.0}

    def stands_in(kind, walker, *, progress, **options):
        seen.update(kind=kind, walker=walker, **options)
        records = [{"generation": k, "rollouts": 10 * k, "seconds": 0.1 * k, "cost": 50.0 / (1 + k), "median": 60.0,
                    "up": 0.1 * k, "strength": 0.3} for k in range(1, 9)]  # fmt: skip
        for record in records:
            progress(record, None)
        after = BEFORE._replace(deviation=5.0, up=0.9, cost=seen["cost"])
        own = load_walker("natural" if walker is None else walker)
        found = Refined(own, Found(np.zeros(3), 80, records), BEFORE, after, 1.5)
        if seen.get("ctrl_c"):
            raise Interrupted("stopped", result=found)
        return found

    monkeypatch.setattr(refine_walker, "refine_walker", stands_in)
    return seen


def run(*words):
    return CliRunner().invoke(app, ["refine", *map(str, words)], env={"COLUMNS": "200"})


def test_words_name_walkers_styles_and_nothing_else():
    assert refine_walker.search_target("natural")[:2] == ("natural", "natural")
    assert refine_walker.search_target("run")[:2] == ("run", "run")
    assert refine_walker.search_target("simbicon")[:2] == ("simbicon", None)
    tired = refine_walker.search_target("very tired")
    assert tired.kind == "style" and tired.walker == "natural" and tired.style.name == "very tired"
    assert refine_walker.search_target("walk.npz") is None and refine_walker.search_target("natural.npz") is None
    Path("run").mkdir()  # a folder of frames, perhaps
    assert refine_walker.search_target("run") is None
    with pytest.raises(FormatError, match=r"no walker 'gone\.toml'"):
        refine_walker.search_target("gone.toml")


@pytest.mark.slow
def test_it_tells_what_improved_and_writes_the_set(asked):
    found = run("natural", "--seconds", 5, "--population", 8, "--seed", 3, "--out", "better.toml", "--plot", "s.png")
    assert found.exit_code == 0, found.output
    assert (asked["kind"], asked["seconds"], asked["population"], asked["seed"]) == ("natural", 5.0, 8, 3)
    assert "rollouts" not in asked and asked["target"] == "cpu"  # only what was given
    for words in ("6.00", "5.00", "50%", "90%", "pushes of 30 N s", "wrote: better.toml"):
        assert words in found.output
    made = load_walker("better.toml").made
    assert "seed 3, 80 walks in 2 s" in made and "cores" in made and "from 'natural'" in made
    assert Path("s.png").read_bytes()[:4] == b"\x89PNG"
    assert sorted(p.name for p in Path().iterdir()) == ["better.toml", "s.png"]
    again = run("better.toml", "--out", "best.toml", "--quiet")
    assert again.exit_code == 0 and again.output == "" and asked["walker"] == "better.toml"


def test_what_is_no_better_is_not_written(asked):
    asked["cost"] = 41.0
    found = run("natural", "--out", "better.toml")
    assert found.exit_code == 1 and "nothing was written" in found.output and not Path("better.toml").exists()


def test_ctrl_c_writes_the_best_so_far(asked):
    """Ctrl-C ends the search with exit code 130; a set that is better is written."""
    asked["ctrl_c"] = True
    found = run("natural", "--out", "better.toml")
    assert found.exit_code == 130 and "stopped after 8 generations; the best parameters so far" in found.output
    assert load_walker("better.toml").made
    asked["cost"] = 41.0
    found = run("natural", "--out", "worse.toml")
    assert found.exit_code == 130 and "nothing was written" in found.output and not Path("worse.toml").exists()


@pytest.mark.parametrize("words, says", [
    (("natural", "--out", "better.npz"), "must end in .toml"),
    (("natural", "--target", "tpu"), "Choose cpu or gpu"),
    (("natural", "--seconds", "0"), "give a positive number"),
    (("natural", "--plot", "s.html"), "must end in .png"),
    (("enormously tired",), "no degree 'enormously'"),
    (("naturel",), "Did you mean 'natural'?"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_line(asked, words, says):
    found = run(*words)
    assert found.exit_code == 2 and says in found.output and len(found.output.strip().splitlines()) == 1
    assert "kind" not in asked
