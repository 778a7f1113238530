"""Walks of many bodies, speeds and pushes as the function of a study."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.trials import walk_trial
from anthropi.gait.walker import Command, WalkingSession


@pytest.mark.slow
def test_rows_do_not_depend_on_other_rows():
    given = {
        "height": np.array([1.6, 1.75, 1.6, 1.75]),
        "mass": np.array([55.0, 75.0, 55.0, 75.0]),
        "sex": np.array(["f", "m", "f", "m"]),
        "push": np.array([0.0, 20.0, 150.0, 150.0]),
        "direction": np.array([0.0, 1.0, 2.0, 1.57]),
    }
    options = {"speed": 1.2, "at": 0.5, "duration": 2.0}
    together = walk_trial(**given, **options)
    for k in range(4):
        alone = walk_trial(**{name: x[k] for name, x in given.items()}, **options)
        assert {n: x[0] for n, x in alone.items()} == {n: x[k] for n, x in together.items()}
    assert together["fell"].tolist() == [False, False, True, True]
    assert (together["upright"][2:] > 0.5).all() and (together["upright"][2:] < 2.0).all()
    assert together["upright"][:2].tolist() == [2.0, 2.0] and together["fell"].dtype == bool


@pytest.mark.slow
def test_a_walk_without_a_push_is_that_of_a_session():
    found = walk_trial(1.75, 75.0, speed=1.3, duration=4.0)
    session = WalkingSession(ap.human(1.75, 75), start="walk")
    session.command(Command(True, 1.3))
    session.run(4.0)
    path = session.simulation.state.q[:2] - session.motion().q[0, :2]
    assert found["steps"][0] == session.steps
    assert found["distance"][0] == pytest.approx(np.linalg.norm(path), abs=1e-6)  # its kernel has more contacts
    assert found["speed_reached"][0] == pytest.approx(1.3, abs=0.1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"speed": [1.0, 1.1], "push": [0.0, 1.0, 2.0]}, "different shapes: speed"),
        ({"push": np.nan}, "push=nan"),
        ({"speed": "fast"}, "speed='fast'"),
        ({"duration": 0.0}, "duration=0.0"),
    ],
)
def test_wrong_arguments_are_named(given, words):
    with pytest.raises(InputError, match=words):
        walk_trial(1.75, 75.0, **given)
