"""Many people for one kernel."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, ShapeError
from anthropi.figure.numbers import slot_values


@pytest.mark.parametrize("detail", ["standard", "thesis42"])
def test_the_numbers_are_those_of_each_person(detail):
    people = ap.humans([1.55, 1.75, 2.0], [50.0, 75.0, 110.0], ["f", "m", "f"], detail)
    for i, row in enumerate(people.parameters):
        own = slot_values(people[i], people.slots)
        assert np.abs(row - own).max() <= 4e-15 * np.abs(own).max()


def test_one_kernel_computes_all_people():
    rng = np.random.default_rng(1)
    people = ap.humans(rng.uniform(1.5, 2.0, 20), rng.uniform(50.0, 100.0, 20))
    kernel = ap.compile(ap.mass_matrix, people.figure, parameters=people.slots, opt=0)
    q = np.stack([people.figure.random(rng) for _ in people.heights])
    M = kernel(people.parameters, q)
    for i in (0, 19):
        own = ap.mass_matrix(people[i], q[i])
        assert np.abs(M[i] - own).max() <= 1e-14 * np.abs(own).max()


def test_a_thousand_people_take_four_figures_at_most(monkeypatch):
    """Building each person took 22 ms."""
    from anthropi.figure.human import population

    calls, own = [], population.human
    monkeypatch.setattr(population, "human", lambda *a: calls.append(1) or own(*a))
    people = ap.humans(np.linspace(1.5, 2.0, 1000), 70.0, np.tile(["m", "f"], 500))
    assert len(people) == 1000 and len(calls) <= 4


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (([1.7, 9.0], 70.0), InputError, "Person 1 has the height 9"),
        ((1.7, [70.0, np.nan]), InputError, "Person 1 has the mass nan"),
        ((1.7, 70.0, ["m", "x"]), InputError, "Person 1 has the sex"),
        (([1.7, 1.8], [1.0, 2.0, 3.0]), ShapeError, "as many of each"),
        (([], []), ShapeError, "at least one person"),
        ((["tall"], 70.0), InputError, "Give numbers"),
    ],
)
def test_wrong_people_are_named(given, error, words):
    with pytest.raises(error, match=words):
        ap.humans(*given)
