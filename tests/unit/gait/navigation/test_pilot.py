"""A pilot leads a walker without physics among what stands and what moves: it arrives, untouched."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.contact.geometry.surfaces import Box, Sphere
from anthropi.contact.scene import Obstacle
from anthropi.errors import InputError
from anthropi.gait.navigation import (
    Body,
    Limits,
    NoPath,
    PlanarState,
    PointWalker,
    disc,
    follow,
    plan,
    polygon,
    random_course,
)
from anthropi.gait.navigation.steering import Track, predict
from anthropi.gait.walker.command import Command


def led(seed):
    course = random_course(seed)
    return follow(PointWalker(course.start, seed=seed + 1000), course.goal, course.outlines)


def good(log, limits=None):
    """Arrived and untouched, and never commanded what a walking person cannot follow."""
    limits = limits or Limits()
    heads = np.unwrap([c.heading for c in log.commands])
    assert log.arrived and log.untouched and log.left < limits.goal_tolerance, log.text()
    assert np.abs(np.diff(heads)).max(initial=0.0) < limits.max_turn_rate * 0.25 + 1e-9
    assert all(c.go or c.speed == 0.0 for c in log.commands) and max(c.speed for c in log.commands) <= 1.5
    return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", (100, 103, 107))
def test_ten_metres_round_five_obstacles_one_moving(seed):
    assert good(led(seed))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200))
def test_two_hundred_courses(seed):
    assert good(led(seed))


def test_a_course_is_hard_without_a_pilot():
    """Straight on at the same speed most courses touch: the test above is no gift."""
    touched = 0
    for seed in range(20):
        course = random_course(seed)
        t = np.linspace(0.0, 10.0 / 1.2, 200)
        places = np.outer(t, [1.2, 0.0])
        touched += min(float(o.gap(places, t).min()) for o in course.outlines) < Body().half
    assert touched >= 19


def test_an_empty_place_is_a_straight_walk():
    log = follow(PointWalker(seed=1), [5.0, 0.0])
    assert good(log) and log.length < 5.6 and set(log.kinds) == {"on"} and log.smallest == np.inf


@pytest.mark.slow
def test_a_goal_behind_is_turned_to():
    log = follow(PointWalker(seed=2), [-3.0, 0.5], [disc([-1.5, 0.2], 0.3, name="stool")])
    assert good(log) and log.names == ("stool",)


def test_who_is_there_stays():
    log = follow(PointWalker(), [0.1, 0.0])
    assert log.arrived and not log.commands and "arrived, 0.10 m" in log.text()


@pytest.mark.slow
def test_one_who_wanders_is_asked_at_every_look():
    """Only the current position and velocity of the obstacle are known, not its later motion."""
    rng = np.random.default_rng(5)
    turns = np.cumsum(rng.normal(scale=0.25, size=400))
    steps = 0.1 * 0.5 * np.stack([np.cos(2.6 + turns), np.sin(2.6 + turns)], -1)
    places = np.array([5.5, -1.5]) + np.cumsum(steps, axis=0)

    def seen(t):
        k = min(int(t / 0.1), 398)
        return [disc(places[k] + (t / 0.1 - k) * steps[k + 1], 0.3, steps[k + 1] / 0.1, name="dog", since=t)]

    assert good(follow(PointWalker(seed=3), [8.0, 0.0], seen))


@pytest.mark.slow
def test_what_comes_into_sight_is_minded_from_then_on():
    box = polygon([[3.0, -0.4], [3.6, -0.4], [3.6, 0.5], [3.0, 0.5]], name="box")
    session = PointWalker(seed=6)
    log = follow(session, [6.0, 0.0], lambda t: [box] if session.position[0] > 0.5 else [])
    assert good(log) and log.names == ("box",) and np.isinf(log.gap("box")[0]) and log.smallest < 0.5


@pytest.mark.slow
def test_a_scene_is_a_course():
    """Its own obstacles, the moving one by its pose; the figure in it does not matter."""
    crate = Obstacle("crate", Box((0.6, 0.6, 0.6)), Transform(np.eye(3), np.array([2.0, 0.1, 0.3])))
    ball = Obstacle("ball", Sphere(0.3), lambda t: (Transform(np.eye(3), np.array([4.0, 2.0 - 0.5 * t, 0.3])),
                                                    np.zeros(3), np.array([0.0, -0.5, 0.0])))  # fmt: skip
    scene = ap.Scene(ap.sample("bench42"), obstacles=(crate, ball))
    log = follow(PointWalker(seed=3), [6.0, 0.0], scene)
    assert good(log) and log.names == ("crate", "ball")


@pytest.mark.slow
def test_a_gap_that_somebody_comes_through_is_waited_for_or_walked_later():
    walls = [
        polygon([[3.0, y], [3.4, y], [3.4, 4.0 * np.sign(y)], [3.0, 4.0 * np.sign(y)]], name=f"wall {y}")
        for y in (-0.65, 0.65)
    ]
    comes = disc([7.0, 0.0], 0.25, velocity=(-1.0, 0.0), name="comes")
    kinds = follow(PointWalker(seed=4), [6.5, 2.0], [*walls, comes])
    assert good(kinds) and set(kinds.kinds) - {"on"}, "it did not just walk on"


@pytest.mark.slow
def test_a_plan_is_free_where_it_says_so():
    """What is predicted of a free plan keeps its distance, by steering's own law."""
    body, limits, held = Body(), Limits(), 0
    for seed in range(30, 50):
        course = random_course(seed)
        got = plan(course.start, course.goal, course.outlines)
        if not got.free or not np.isfinite(got.gap):
            continue
        t = np.arange(0.0, body.horizon, body.grain)
        track, begin = Track.of(got.path, limits), (course.start, PlanarState(), 0.0)
        (places,), _ = predict([track], [got.speed], [got.wait], *begin, limits, t)
        gaps = [o.gap(places, t).min() - body.half for o in course.outlines]
        assert gaps[-1] >= body.beside - 1e-9 and min(gaps[:-1]) >= body.near - 1e-9
        held += 1
    assert held > 5


@pytest.mark.slow
def test_where_a_goal_is_taken_there_is_no_way():
    box = polygon([[4.0, -1.0], [5.0, -1.0], [5.0, 1.0], [4.0, 1.0]], name="box")
    with pytest.raises(NoPath, match=r"is 0\.20 m from obstacle 'box', but a body needs 0\.38 m"):
        follow(PointWalker(), [5.2, 0.0], [box])
    assert good(follow(PointWalker(), [5.4, 0.0], [box])), "within the margin there still is room"
    with pytest.raises(InputError, match="goal is"):
        follow(PointWalker(), [5.0, np.inf])
    late = follow(PointWalker(), [5.0, 0.0], longest=1.0)
    assert not late.arrived and "time limit of 1 s" in late.text()


def test_the_last_word_is_heard():
    heard = []
    follow(
        PointWalker(), [1.0, 0.0], also=lambda session, command: heard.append(command) or command._replace(lift=0.05)
    )
    assert len(heard) > 10 and isinstance(heard[0], Command)


def test_a_fall_ends_the_way():
    class Falls(PointWalker):
        def run(self, seconds):
            super().run(seconds)
            self.fallen = self.time > 1.0

    log = follow(Falls(), [5.0, 0.0])
    assert log.fallen and not log.arrived and "fallen" in log.text()


def test_the_stand_in_lags_and_sways_and_repeats():
    a, b = PointWalker(seed=7), PointWalker(seed=7)
    for walker in (a, b):
        walker.command(Command(speed=1.0, heading=0.5))
        walker.run(5.0)
    assert (a.position == b.position).all() and a.heading == pytest.approx(0.5, abs=0.01)
    assert np.hypot(*a.velocity) == pytest.approx(1.0, abs=0.4) and a.steps >= 5 and set(a.feet) == {"l", "r"}
