"""From published gains to a walk: what is mapped, what is counted; the real search is soak."""

import time

import numpy as np
import pytest

from anthropi.errors import Interrupted, SimulationError
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.search import simbicon
from unit.gait.search.toy import Toy

START = np.zeros(7), np.zeros(6)


@pytest.fixture
def begin(monkeypatch):
    """Published gains on curves that are at hand."""
    monkeypatch.setattr(simbicon, "beginning", lambda figure: (dict(load_walker("natural").parameters), {"step": 0.5}))
    return simbicon.published(None)[0]


def test_published_gains_are_what_a_search_begins_with(begin):
    spec = {"upright": (3000.0, 300.0), "hip": 300.0, "knee": 300.0, "ankle": 75.0, "step": 0.7,
            "forward": (0.3, 0.3, 0.0, 0.0), "sideways": (0.55, 0.3, 0.0, 0.0)}  # spec/gait.md 3.3  # fmt: skip
    own = simbicon.wide(begin)
    p = own.parameters(np.zeros(len(own.entries)))  # no bound clips them
    for name, x in spec.items():
        assert np.array_equal(p[name][0], x) and not p[name][1:].any(), name
    assert set(spec) <= {entry.name for entry in own.entries} and len(own.entries) < 60


def test_a_second_upright_is_always_worth_it():
    sums = {name: np.array([[0.0, 0.0], [0.0, 0.0], [0.0, np.nan]]) for name in simbicon.COSTS}
    sums["upright"] = np.array([[2.0, 2.0], [3.0, 3.0], [3.0, 3.0]])
    sums["angles"][1] = 3.0  # a likeness of 30° in nine coordinates
    found = simbicon.price(sums, 8.0)
    assert found[1] < found[0] and np.isfinite(found).all() and found[2] > found[0]


def test_the_search_ends_with_a_proof_and_counts_its_walks_too():
    toy, heard = Toy([0.9, -0.5]), []
    walk = simbicon.first_walk(toy, START, seed=2, progress=lambda record, mean: heard.append(record["rollouts"]))
    assert walk.proof.holds and np.allclose(walk.found.mean, toy.hidden, atol=0.01)  # NEAR
    assert walk.proof.stood.upright == pytest.approx([60.0] * 4) and not (walk.begun.upright > 40.0).any()
    assert walk.rollouts == walk.found.rollouts == toy.begun <= simbicon.MAX_ROLLOUTS
    assert heard == sorted(heard) and len(heard) == len(walk.found.history)


def test_a_search_that_gets_nowhere_begins_again_and_ends(monkeypatch):
    monkeypatch.setattr(simbicon, "RESTART_ROLLOUTS", 200)
    toy = Toy([1e6, 1e6])
    walk = simbicon.first_walk(toy, START, rollouts=1400)
    assert not walk.proof.holds and toy.begun == walk.rollouts <= 1400
    assert walk.rollouts > 1400 - 400 - 200 - 24  # what proofs are kept for, and less than an attempt
    bests = [record["best"] for record in walk.found.history]
    assert np.abs(bests[8]).max() < 5.0  # the ninth generation of 24 begins again from the start


def test_ctrl_c_keeps_the_walk_found_so_far():
    heard = []

    def stop_at_the_third(record, mean):
        heard.append(mean)
        if len(heard) == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        simbicon.first_walk(Toy([1e6, 1e6]), START, progress=stop_at_the_third)
    walk = stop.value.result
    assert len(walk.found.history) == 3 and np.array_equal(walk.found.mean, heard[-1]) and not walk.proof.holds


def test_more_walks_than_allowed_are_a_defect():
    with pytest.raises(SimulationError, match="allowed"):
        simbicon.first_walk(Toy([0.0, 0.0]), START, rollouts=3)


@pytest.mark.soak
def test_three_of_three_seeds_walk_with_at_most_20000_rollouts():
    """The issue's own words: published gains fall within 3 s; the walk found does not."""
    from anthropi.gait.walker.search.refine import task

    own = task("simbicon")
    for seed in (1, 2, 3):
        began = time.perf_counter()
        walk = simbicon.first_walk(own.trials, own.start, seed=seed)
        print(f"seed {seed}: {walk.rollouts:,} walks, {time.perf_counter() - began:.0f} s, {walk.proof.stood}")
        assert (walk.begun.upright < 3.0).all()
        assert walk.proof.holds and (walk.proof.stood.upright > 59.99).all() and (walk.proof.stood.speed > 1.1).all()
        assert walk.rollouts <= 20_000


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "walker"), [("style", "natural"), ("rough", "rough"), ("simbicon", None)])
def test_every_search_starts_from_quaternions_of_length_one(kind, walker):
    from anthropi.gait.styles import style_of
    from anthropi.gait.walker.search.refine import task

    own = task(kind, walker, style_of("tired"))
    q, figure = own.start[0], own.trials.figure
    assert all(abs(np.linalg.norm(q[at]) - 1.0) < 1e-12 for _, at in figure.quaternions)


@pytest.mark.soak
def test_two_generations_of_each_search_go():
    from anthropi.gait.styles import style_of
    from anthropi.gait.walker.search.refine import refine_walker

    for kind, walker, style in (("natural", "natural", None), ("run", "run", None), ("style", "natural", "tired")):
        found = refine_walker(kind, walker, style=style and style_of(style), generations=2, population=4)
        assert len(found.found.history) == 2 and np.isfinite([*found.before, *found.after]).all()
        assert set(found.walker.parameters) >= set(load_walker("natural").parameters)
