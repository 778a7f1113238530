"""A motion: its shapes, its frames, and the way between them."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.motion import Motion
from unit.simulation.systems import system


@pytest.fixture(scope="module")
def swing():
    """Five frames of a tree of joints, and its figure."""
    figure, _, (q, u) = system("forced")
    return ap.simulate(figure, q[:2], u[:2], steps=40, every=10, dt=0.005, opt=0)


@pytest.mark.slow
def test_frames_slices_and_rollouts(swing):
    assert len(swing) == 5 and "2 rollouts of 5 frames, 0 to 0.2 s" in repr(swing)
    assert swing[1].q.shape == (2, swing.figure.nq) and swing[-1].t == swing.time[-1]
    part = swing[1:4]
    assert len(part) == 3 and np.array_equal(part.q, swing.q[:, 1:4]) and part.time[0] == swing.time[1]
    one = swing.rollout(1)
    assert one.q.shape == (5, swing.figure.nq) and np.array_equal(one[2].u, swing.u[1, 2])
    with pytest.raises(ap.AnthropiError, match="single rollout already"):
        one.rollout(0)


def test_nobody_can_change_it(swing):
    with pytest.raises(ValueError, match="read-only"):
        swing.q[0, 0, 0] = 1.0
    with pytest.raises(AttributeError):
        swing.time = np.zeros(5)


def test_the_way_between_passes_through_the_frames_with_their_velocity(swing):
    at = swing.at(swing.time)
    assert np.abs(swing.figure.difference(swing.q, at.q)).max() < 1e-14
    np.testing.assert_allclose(at.u, swing.u, atol=1e-12)


def test_the_way_between_is_of_fourth_order():
    """Half way between frames, twice as far apart: sixteen times the error, for every joint."""
    figure, _, (q, u) = system("forced")
    fine = ap.simulate(figure, q, u, steps=32, every=1, dt=0.005, opt=0)
    errors, middle = [], np.array([0.04, 0.12])
    for every in (16, 8):
        rough = Motion(figure, fine.time[::every], fine.q[:, ::every], fine.u[:, ::every])
        times = middle if every == 16 else np.array([0.02, 0.06, 0.1, 0.14])
        wanted = np.searchsorted(fine.time, times - 1e-9)
        found = rough.at(times)
        errors.append((np.abs(figure.difference(fine.q[:, wanted], found.q)).mean((0, 1)),
                       np.abs(fine.u[:, wanted] - found.u).mean((0, 1))))  # fmt: skip
    (q_far, u_far), (q_near, u_near) = errors
    assert np.log2(q_far / q_near).mean() > 3.7
    assert np.log2(u_far / u_near).mean() > 2.7


def test_velocity_is_that_of_the_way(swing):
    h, figure = 1e-6, swing.figure
    a, b, c = (swing.at(0.083 + k * h) for k in (-1, 0, 1))
    np.testing.assert_allclose(figure.difference(a.q, c.q) / (2.0 * h), b.u, atol=1e-7)
    many = swing.at([0.083, 0.12])
    assert many.q.shape == (2, 2, figure.nq) and np.allclose(many.q[:, 0], b.q, atol=1e-15)


def test_without_velocities_they_are_those_of_the_frames_beside():
    figure = ap.sample("pendulum")
    uneven = Motion(figure, [0.0, 1.0, 3.0], [[0.0], [1.0], [2.0]])
    np.testing.assert_allclose(uneven.u, [[1.0], [0.75], [0.5]])
    ball = ap.sample("spherical_pendulum")
    rate = np.array([0.3, -0.2, 0.5])
    turn = Motion(
        ball, np.linspace(0.0, 1.0, 5), [ball.integrate(ball.neutral(), s * rate) for s in np.linspace(0, 1, 5)]
    )
    np.testing.assert_allclose(turn.u, np.tile(rate, (5, 1)), atol=1e-14)
    assert np.abs(ball.difference(ball.integrate(ball.neutral(), 0.37 * rate), turn.at(0.37).q)).max() < 1e-14


def test_one_frame_is_a_motion_too():
    one = Motion(ap.sample("pendulum"), [2.0], [[0.3]])
    assert one.at(2.0).q == pytest.approx(0.3) and one.at([2.0, 2.0]).q.shape == (2, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"time": [0.0, 0.0]}, "in increasing order"),
        ({"time": []}, "one or more finite times"),
        ({"time": [0.0, np.nan]}, "one or more finite times"),
        (
            {"q": [[0.0, 1.0]]},
            r"q has shape \(1, 2\); figure 'pendulum' at 2 times needs \(2, 1\) or \('batch', 2, 1\)",
        ),
        ({"q": "ab"}, "q must hold numbers"),
        ({"u": np.zeros((3, 1))}, r"u has shape \(3, 1\); with this q it must have \(2, 1\)"),
        ({"channels": {"heart": np.zeros(3)}}, r"Channel 'heart' has shape \(3,\); it must begin with \(2,\)"),
        ({"figure": None}, "A motion needs a figure; got NoneType"),
    ],
)
def test_bad_input_is_answered(given, message):
    good = {"figure": ap.sample("pendulum"), "time": [0.0, 1.0], "q": np.zeros((2, 1))}
    with pytest.raises(ap.AnthropiError, match=message):
        Motion(**(good | given))


def test_a_time_outside_is_refused(swing):
    with pytest.raises(ap.AnthropiError, match=r"from 0 to 0.2 s; got 0.3"):
        swing.at(0.3)
