"""The pilot leads the walker in pure physics; its model of the walker is true of it."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.gait.navigation import Limits, PlanarState, disc, follow, random_course, skin_gaps
from anthropi.gait.walker import Command, WalkingSession


@pytest.mark.slow
@pytest.mark.parametrize("seed", (0, 3, 16))  # of those with room to spare: the walker's numbers still change
def test_ten_metres_round_five_obstacles_in_physics(seed):
    course = random_course(seed)
    session = WalkingSession(ap.human(1.75, 75), start="stand")
    log = follow(session, course.goal, course.outlines, speed=1.1)
    session.run(2.0)
    assert log.arrived and log.untouched and not session.fallen, log.text()
    gaps = skin_gaps(session.motion(), course.outlines)
    assert min(gaps.values()) > 0.0, gaps


@pytest.mark.slow
def test_the_model_is_true_of_the_walker():
    """Told to start, to turn by half a radian and to stop, it goes where the model says, each time from where it is.

    Within 0.6 m after 4 or 5 s: it starts half a metre later than the model. The pilot plans again every 0.25 s.
    """
    session, state, limits = WalkingSession(ap.human(1.75, 75), start="stand"), PlanarState(), Limits()
    for until, command in ((4.0, Command(speed=1.0)), (9.0, Command(speed=1.0, heading=0.5)),
                           (13.0, Command(go=False, speed=0.0, heading=0.5))):  # fmt: skip
        session.command(command)
        place = session.position
        while session.time < until - 1e-6:
            session.run(0.05)
            speed, heading = (command.speed, command.heading) if command.go else (0.0, state.heading)
            state = state.after(speed, heading, limits, 0.05)
            place = place + 0.05 * state.velocity(limits)
        assert np.hypot(*(session.position - place)) < 0.6, until
    assert session.stands and not session.fallen


def test_skin_is_the_figure_s_own():
    """Standing, a figure is as wide as its arms, and as long as its feet."""
    session = WalkingSession(ap.human(1.75, 75), start="stand")
    session.run(0.1)
    posts = [disc([0.0, 1.0], 0.5, name="left"), disc([1.0, 0.0], 0.5, name="ahead"), disc([0.0, 0.3], 0.2, name="in")]
    gaps = skin_gaps(session.motion(), posts, every=1)
    assert 0.2 < gaps["left"] < 0.35 and 0.2 < gaps["ahead"] < 0.4 and gaps["in"] < 0.0
