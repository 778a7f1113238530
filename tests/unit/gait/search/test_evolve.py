"""The search itself, on walks whose best numbers are known (`toy.py`)."""

import numpy as np
import pytest

from anthropi.errors import Interrupted
from anthropi.gait.walker.search.evolve import Entry, Space, evolve, walked
from anthropi.gait.walker.search.scenarios import Straight
from anthropi.gait.walker.search.simbicon import Counted
from unit.gait.search.toy import Toy

HIDDEN = np.array([0.7, -0.4, 0.2])
START = np.zeros(7), np.zeros(6)


def price(sums, duration):
    return (duration - sums["upright"] + sums["angles"]).mean(-1)


def search(seed=1, toy=None, **options):
    toy = Toy(HIDDEN) if toy is None else toy
    case = Straight(START, walks=2, intervals=4)
    return evolve(toy, case, np.zeros(3), population=12, sigma=0.5, seed=seed, price=price, **options)


def test_it_finds_what_is_hidden_and_counts_every_walk():
    toy = Toy(HIDDEN)
    found = search(toy=toy, generations=60)
    assert np.allclose(found.mean, HIDDEN, atol=1e-2)  # the noise of 60 generations
    assert found.rollouts == toy.begun == 60 * 12 * 2 and len(found.history) == 60
    assert found.history[-1]["cost"] < 0.02 * found.history[0]["cost"]
    assert found.history[-1]["strength"] > 0.05  # grown since they stay up
    assert {"generation", "seconds", "rollouts", "strength", "up", "cost", "median", "best"} <= set(found.history[0])


def test_the_same_seed_finds_the_same_and_another_does_not():
    a, b, c = search(3, generations=5), search(3, generations=5), search(4, generations=5)
    assert np.array_equal(a.mean, b.mean) and not np.array_equal(a.mean, c.mean)


def test_ctrl_c_keeps_the_last_whole_generation():
    """Everything until the last whole generation is in the exception; Ctrl-C before the first one keeps nothing."""

    class Stopped(Toy):
        def go(self, *args):
            if self.intervals == self.limit:
                raise KeyboardInterrupt
            return super().go(*args)

    toy = Stopped(HIDDEN)
    toy.limit = 4 * 5 + 2  # within the sixth generation
    with pytest.raises(Interrupted, match=r"after 5 generations.*'result'") as stop:
        search(3, toy=toy)
    whole = search(3, generations=5)
    assert np.array_equal(stop.value.result.mean, whole.mean) and stop.value.result.rollouts == whole.rollouts
    toy = Stopped(HIDDEN)
    toy.limit = 1
    with pytest.raises(KeyboardInterrupt) as stop:
        search(3, toy=toy)
    assert not isinstance(stop.value, Interrupted)


def test_it_ends_before_the_walks_that_are_allowed():
    toy = Toy(HIDDEN)
    assert search(toy=toy, rollouts=100).rollouts == toy.begun == 96  # four generations of 24
    assert search(rollouts=23).rollouts == 0
    assert len(search(seconds=0.0).history) == 0


def test_it_ends_when_there_is_enough():
    means = []
    found = search(generations=50, enough=lambda record, mean: record["generation"] == 2,
                   progress=lambda record, mean: means.append(mean))  # fmt: skip
    assert len(found.history) == len(means) == 3 and np.array_equal(means[-1], found.mean)


def test_walks_end_early_where_all_have_fallen():
    toy, case = Toy(HIDDEN), Straight(START, walks=3, intervals=9)(np.random.default_rng(1), 0.1)
    sums = walked(toy, [HIDDEN + 30.0, HIDDEN - 30.0], case)
    assert toy.intervals == 1 and sums["upright"].shape == (2, 3)
    walked(toy, [HIDDEN, HIDDEN - 30.0], case)
    assert toy.intervals == 10


def test_counted_trials_count_and_are_the_trials():
    toy = Counted(Toy(HIDDEN))
    toy.start(5, np.zeros((5, 7)), np.zeros((5, 6)))
    assert toy.walks == toy.begun == 5 and toy.dt == 1e-3


def test_a_vector_changes_numbers_by_spreads_within_bounds():
    begin = {"hip": np.array([400.0, 0.0, 0.0]), "upright": np.array([[900.0, 90.0], [0.0, 0.0], [0.0, 0.0]])}
    own = Space((Entry("hip", 0, (), 100.0), Entry("upright", 0, (1,), 25.0), Entry("hip", 1, (), 50.0)), begin)
    p = own.parameters([2.0, -1.0, 3.0])
    assert p["hip"] == pytest.approx([600.0, 150.0, 0.0]) and p["upright"][0] == pytest.approx([900.0, 65.0])
    assert own.parameters([9.0, 0.0, 0.0])["hip"][0] == 700.0 and begin["hip"][0] == 400.0
