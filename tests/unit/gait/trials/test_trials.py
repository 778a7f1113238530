"""Measures of a walker: lines, lanes, times, falls. No kernel of a human is built here."""

import numpy as np
import pytest
from research.walker_trials import Lanes, Line, fell_at, markdown, subject, text, timing
from research.walker_trials.bodies import apart
from research.walker_trials.likeness import heel_first
from research.walker_trials.plausibility import stance_slip_of_contacts
from research.walker_trials.rough import crossed
from research.walker_trials.surroundings import laden
from research.walker_trials.walks import _end

import anthropi as ap
from anthropi.contact.geometry.surfaces import Plane
from anthropi.errors import AnthropiError
from anthropi.gait.walker.command import rows_at
from anthropi.motion import Motion
from anthropi.simulation.controllers import Nominal

WEIGHT = 735.0  # [N]


@pytest.fixture(scope="module")
def figure():
    return ap.human(1.75, 75)


def test_a_line_holds_within_its_limits():
    assert Line("a", 1.0, low=1.0).holds and Line("a", 1.0, high=1.0).holds
    assert not Line("a", 0.99, low=1.0).holds and not Line("a", 1.01, low=-1.0, high=1.0).holds
    assert not Line("a", float("nan"), high=1.0).holds and not Line("a", float("inf"), low=1.0).holds
    assert Line("a", float("nan")).verdict == "" and Line("a", 2.0, high=1.0).verdict == "FAIL"


def test_tables_say_what_holds():
    lines = [Line("slip", 12.34, "mm", None, 10.0, 1, "ball"), Line("speed", 1.3, "m/s")]
    assert text("feet", lines).startswith("feet: 0 of 1 hold") and "12.3 mm (ball)" in text("feet", lines)
    assert "| slip | 12.3 mm (ball) | ≤ 10.0 | FAIL |" in markdown("feet", lines)


@pytest.fixture(scope="module")
def lanes():
    return Lanes([1.0, 2.0, 2.0, 0.0], [0.1, 0.0, 0.0, 0.0], [0.0, 0.04, -0.04, 0.0])


@pytest.mark.parametrize(
    ("place", "gap", "normal"),
    [
        ((0.5, 0.0, 0.02), 0.02, (0, 0, 1)),  # before the slope
        ((2.0, 0.0, 0.1), 0.0, np.array([-0.1, 0, 1]) / np.sqrt(1.01)),
        ((1.97, 100.0, 0.02), 0.02, (0, 0, 1)),  # the floor is nearer than the wall
        ((1.99, 100.0, 0.02), 0.01, (-1, 0, 0)),  # the wall of a step up
        ((1.97, 100.0, 0.08), 0.05, (-0.6, 0, 0.8)),  # its edge
        ((2.5, 100.0, 0.03), -0.01, (0, 0, 1)),  # in its top
        ((1.5, 200.0, -0.01), -0.01, (0, 0, 1)),  # before a step down
        ((2.5, 200.0, -0.03), 0.01, (0, 0, 1)),  # below it
        ((2.005, 200.0, -0.02), 0.005, (1, 0, 0)),  # beside its wall
        ((9.0, 300.0, -0.01), -0.01, (0, 0, 1)),
    ],
)
def test_lanes_know_their_gaps(lanes, place, gap, normal):
    d, n = lanes.distance(np.array(place))
    assert float(d) == pytest.approx(gap, abs=1e-12)
    np.testing.assert_allclose(np.array(n, float), normal, atol=1e-12)


def test_lanes_record_and_are_as_high_as_they_say(lanes):
    kernel = ap.build(ap.record(lanes.distance, p=np.zeros(3)), opt=0)
    rng = np.random.default_rng(3)
    p = np.stack([rng.uniform(-1, 5, 200), rng.choice(lanes.middles, 200) + rng.uniform(-40, 40, 200),
                  rng.uniform(-0.1, 0.4, 200)], axis=1)  # fmt: skip
    gap, normal = kernel(p)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-12)
    np.testing.assert_array_equal(gap[7], lanes.distance(p[7])[0])
    assert ((gap > 0.0) == (p[:, 2] > lanes.height(p[:, 0], p[:, 1]))).all()


def test_lanes_refuse_what_makes_no_sense():
    with pytest.raises(AnthropiError, match="equal length"):
        Lanes([1.0, 2.0], [0.1], [0.0])
    with pytest.raises(AnthropiError, match="Lane 1 has a slope and a step"):
        Lanes([1.0, 2.0], [0.1, 0.1], [0.0, 0.04])


def stepping(step=0.5, stance=0.6, speed=1.3, end=20.0, rate=200.0):
    """time, place, loads of feet that bear for a share of the stride, in turn."""
    time = np.arange(0.0, end, 1.0 / rate)
    load = {side: np.where((time / (2.0 * step) + late) % 1.0 < stance, WEIGHT, 0.0)
            for side, late in (("l", 0.0), ("r", 0.5))}  # fmt: skip
    return time, np.stack([speed * time, 0.0 * time], axis=1), load


def test_times_of_a_walk():
    found = timing(*stepping(), start=2.0)
    assert found.step == pytest.approx(0.5, abs=1e-3) and found.stance == pytest.approx(0.6, abs=0.01)
    assert found.double_support == pytest.approx(0.1, abs=0.006)  # a frame is 5 ms
    assert found.speed == pytest.approx(1.3) and found.length == pytest.approx(1.3, abs=3e-3)
    assert found.flight == 0.0 and found.strides >= 30


def test_times_of_a_run_and_of_nothing():
    assert timing(*stepping(step=0.35, stance=0.3)).flight == pytest.approx(0.4, abs=0.03)
    time, place, load = stepping(end=0.4)
    assert timing(time, place, load).strides == 0 and np.isnan(timing(time, place, load).step)


def standing(figure, heights, times=None):
    q = np.tile(figure.neutral(), (len(heights), 1))
    q[:, 2] = heights
    return Motion(figure, np.arange(len(heights)) * 0.1, q, np.zeros((len(heights), figure.nu)))


def test_who_fell_and_when(figure):
    assert np.isnan(fell_at(standing(figure, [0.92, 0.9, 0.92])))
    assert fell_at(standing(figure, [0.92, 0.9, 0.6, 0.92])) == pytest.approx(0.2)
    assert fell_at(standing(figure, [0.9, np.nan, np.nan])) == pytest.approx(0.1)
    high = ap.Scene(figure, Plane((0.0, 0.0, 0.3)))
    assert np.isnan(fell_at(standing(figure, [1.2, 1.2, 1.5]), high))
    assert fell_at(standing(figure, [1.2, 0.6, 1.5]), high) == pytest.approx(0.1)


def test_a_walk_goes_on_where_it_was_and_one_that_fell_begins_again(figure):
    q = np.tile(figure.neutral(), (2, 3, 1))
    q[..., 0] = np.arange(6.0).reshape(2, 3)
    memory = np.arange(12.0).reshape(2, 3, 2)
    motion = Motion(figure, np.arange(3.0), q, np.zeros((2, 3, figure.nu)), {"memory": memory})
    end = _end(motion, np.array([np.nan, 1.0]))
    np.testing.assert_array_equal(end.q[:, 0, 0], [2.0, 3.0])
    np.testing.assert_array_equal(end.channels["memory"][:, 0], [[4.0, 5.0], [6.0, 7.0]])
    assert end.time.tolist() == [2.0]


def touched(figure, slides=0.0):
    """Feet that stand still, the left from 0.2 s on, heel first; from then on they slide [m]."""
    names = [f"{side}_{part}.{side}_sole_{at} on ground" for side in "lr"
             for part, at in (("foot", "heel_in"), ("foot", "ball_in"))]  # fmt: skip
    time = np.arange(0.0, 1.0, 0.01)
    force = np.zeros((len(time), len(names), 3))
    force[time >= 0.2, 0, 2], force[time >= 0.3, 1, 2] = WEIGHT, WEIGHT
    q = np.tile(figure.neutral(), (len(time), 1))
    q[:, 0] = slides * np.clip(time - 0.2, 0.0, None)
    about = {"touches": tuple(names)}
    return Motion(figure, time, q, np.zeros((len(time), figure.nu)), {"contact": force}, (), about)


def test_heels_come_first_and_feet_that_bear_stand(figure):
    assert heel_first(touched(figure)) == 1.0
    assert stance_slip_of_contacts(touched(figure))[0] == 0.0
    far, where = stance_slip_of_contacts(touched(figure, slides=0.01))
    assert far == pytest.approx(0.01 * 0.79, rel=0.02) and "l_sole_heel_in" in where
    motion = touched(figure)
    swapped = motion.changed(channels={"contact": motion.channels["contact"][:, [1, 0, 2, 3]]})
    assert heel_first(swapped) == 0.0


def test_subjects(figure):
    who = subject(figure)
    assert who.preferred == pytest.approx(1.3, abs=2e-3) and float(who.controller.memory["speed"]) > 0.5
    assert subject(ap.human(1.95, 100)).preferred > 1.35
    assert set(who.columns()) >= {"steps", "side", "last"}
    heavy = laden(figure, 7.5)
    assert heavy.mass == pytest.approx(82.5) and figure.mass == pytest.approx(75.0)
    other = subject(heavy, taken_for=figure)
    assert isinstance(other.controller, Nominal) and other.figure is not figure
    assert rows_at([0.8, 1.3]).shape == (2, 7) and rows_at(1.7)[0, 1] == 1.7


def test_how_far_two_motions_are_apart(figure):
    one = standing(figure, np.full(30, 0.9))
    q = one.q.copy()
    i = figure.joint_index("l_knee")
    q[:, figure.q_of[i]] += np.radians(10.0)
    other = Motion(figure, one.time, q, one.u)
    assert apart(one, one) == 0.0
    assert apart(one, other) == pytest.approx(10.0 / np.sqrt(figure.nu - 6))


@pytest.mark.slow
def test_eyes_carry_a_walker_over_tiles():
    """Six strips of random tiles of ±8 cm: all but one at most are crossed with eyes, one at most without."""
    with_eyes, without = (crossed("rough", 21, 6, eyes=eyes) for eyes in (True, False))
    assert with_eyes.sum() >= 5 and without.sum() <= 1
