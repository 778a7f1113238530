"""A simulation whose state grows without bound is reported, also while its numbers are still finite."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, StepError
from anthropi.figure import Figure, Link, Prismatic, Revolute
from anthropi.simulation.divergence import diverged

ROD = Link("rod", 1.0, [0.0, 0.0, -0.5], np.diag([0.09, 0.09, 0.01]))


def pendulum(stiffness: float = 0.0) -> Figure:
    return Figure("pendulum", [ROD], [Revolute(name="pivot", axis="y", stiffness=stiffness)], [-1])


@pytest.mark.parametrize("steps", [10, 20, 30, 100])
def test_an_explicit_method_with_too_long_a_step_is_reported(steps):
    """Found by a review: 6e14 rad were returned as a result."""
    with pytest.raises(StepError, match=r"has diverged: the speed of pivot is .*Use a shorter dt") as caught:
        ap.simulate(pendulum(1e7), np.array([0.1]), steps=steps, dt=1e-3, method="rk4")
    kept = caught.value.motion
    assert np.isfinite(kept.q).all() and len(kept) >= 2 and np.abs(kept.u).max() < 1e6


def test_without_strict_the_frames_after_a_divergence_are_nan():
    q = np.array([[0.1], [0.0]])
    motion = ap.simulate(pendulum(1e7), q, steps=30, dt=1e-3, method="rk4", strict=False)
    (event,) = motion.events
    frame = int(np.searchsorted(motion.time, event.time))
    assert event.rollout == 0 and np.isfinite(motion.q[0, : frame + 1]).all()
    assert np.isnan(motion.q[0, frame + 1 :]).all() and np.isnan(motion.u[0, frame + 1 :]).all()
    assert np.isfinite(motion.q[1]).all()


def test_a_recording_of_a_simulation_reports_it_too():
    simulation = ap.Simulation(pendulum(1e7), dt=1e-3, method="rk4")
    simulation.reset(np.array([0.1]))
    with pytest.raises(StepError, match="has diverged"):
        simulation.record(20)


@pytest.mark.parametrize("opt", [0, "tiers"])
def test_a_step_of_a_simulation_reports_it_too(opt):
    """In compiled buffers and in plain calls; an earlier state makes the simulation usable again."""
    simulation = ap.Simulation(pendulum(1e7), dt=1e-3, method="rk4", opt=opt)
    simulation.reset(np.array([0.1]))
    before = simulation.state
    with pytest.raises(StepError, match=r"has diverged at t = .*Use a shorter dt"):
        for _ in range(30):
            simulation.step()
    assert simulation.diverged and np.isfinite(simulation.q).all()
    simulation.state = before
    simulation.step()
    assert not simulation.diverged


def test_a_rollout_that_diverges_does_not_stop_the_others_of_a_batch():
    simulation = ap.Simulation(pendulum(1e7), dt=1e-3, method="rk4", batch=2)
    simulation.reset(np.array([[0.1], [0.0]]))
    simulation.step(30)
    assert simulation.diverged.tolist() == [True, False]


def test_a_step_of_what_is_fast_from_the_start_is_not_refused():
    simulation = ap.Simulation(pendulum(), dt=1e-3)
    simulation.reset(np.zeros(1), np.array([2e6]))
    simulation.step(5)
    assert not simulation.diverged


def test_the_same_springs_with_an_implicit_method_do_not_diverge():
    motion = ap.simulate(pendulum(1e7), np.array([0.1]), steps=30, dt=1e-3, method="linearly_implicit_euler")
    assert motion.events == () and np.abs(motion.q).max() <= 0.1


def test_what_is_fast_from_the_start_has_not_diverged():
    """A wheel at 12,000 turns per minute in steps of 0.9 s, and a satellite."""
    wheel = Figure("wheel", [Link("disc", 1.0, np.zeros(3), np.eye(3))], [Revolute(name="axle", axis="z")], [-1])
    motion = ap.simulate(wheel, np.zeros(1), np.array([1257.0]), steps=20, dt=0.9)
    assert motion.events == () and np.allclose(motion.u, 1257.0)
    slide = Figure("slide", [Link("mass", 1.0, np.zeros(3), np.eye(3))], [Prismatic(name="rail", axis="x")], [-1])
    assert ap.simulate(slide, np.array([4e7]), np.array([3e3]), steps=20, dt=60.0).events == ()


def test_bounds_of_speeds_and_angles():
    figure, none = pendulum(), np.zeros(1)
    assert not diverged(figure, none, np.array([1e5]), none, 1e-3)
    assert diverged(figure, none, np.array([1e7]), none, 1e-3)
    assert not diverged(figure, none, np.array([1e7]), np.array([1e5]), 1e-3)
    assert not diverged(figure, none, np.array([1e7]), none, None)
    assert diverged(figure, np.array([4e13]), none, none, None) and diverged(
        figure, np.array([np.nan]), none, none, 1.0
    )
    assert diverged(figure, np.array([2e6]), none, none, None, "float32")
    assert diverged(figure, np.zeros((3, 2, 1)), np.zeros((3, 2, 1)), np.zeros((3, 1, 1)), 1e-3).shape == (3, 2)


def test_angles_beyond_the_range_of_the_sine_are_refused():
    figure = ap.human()
    q = np.tile(figure.neutral(), (3, 1))
    place = figure.q_of[[joint.name for joint in figure.joints].index("l_knee")].start
    q[1, place] = 4e13
    for call in (lambda: ap.kinematics(figure, q), lambda: ap.mass_matrix(figure, q[1])):
        with pytest.raises(InputError, match=r"holds 4e\+13 rad .*'l_knee'.*sine of an angle beyond 3.5e\+13 rad"):
            call()
    q[1, place] = 0.0
    q[1, 0] = 1e20  # a position may be as far away
    assert np.isfinite(ap.mass_matrix(figure, q)).all()
