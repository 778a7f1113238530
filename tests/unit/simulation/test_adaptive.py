"""Steps as long as the accuracy allows: errors follow the tolerance, between steps too, and rollouts do not mix."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.simulation.adaptive import first_stride, next_frame
from anthropi.simulation.drive import Drive, acceleration
from anthropi.simulation.integrators import METHODS


@pytest.fixture(scope="module")
def flails():
    """Thirteen double ball pendulums, gentle to wild."""
    figure = ap.sample("chain", links=2, joint="ball")
    rng = np.random.default_rng(0)
    u = np.linspace(0.1, 6.0, 13)[:, None] * rng.normal(size=(13, figure.nu))
    return figure, np.stack([figure.random(rng) for _ in range(13)]), u


def run(figure, q, u, tolerance, **options):
    options = {"steps": 100, "every": 10, "dt": 0.01, "opt": 0} | options
    return ap.simulate(figure, q, u, method="dormand_prince", tolerance=tolerance, **options)


@pytest.mark.slow
def test_errors_follow_the_tolerance_at_every_frame(flails):
    figure, q, u = flails
    exact = ap.simulate(figure, q, u, steps=8000, every=800, dt=1.25e-4, method="rk6", opt=0)
    worst, tries = [], []
    for tolerance in (1e-5, 1e-7, 1e-9):
        motion = run(figure, q, u, tolerance)
        np.testing.assert_allclose(motion.time, exact.time)
        worst.append(np.abs(figure.difference(exact.q[:6], motion.q[:6])).max())
        tries.append(motion.channels["tries"][:, -1])
    assert worst[0] < 1e-3 and worst[2] < 1e-7
    assert worst[1] < 0.05 * worst[0] and worst[2] < 0.05 * worst[1]  # a hundredth each, more or less
    assert (np.diff(tries, axis=0) > 0).all()
    assert tries[2].max() > 2 * tries[2].min()  # the wild take many more steps than the gentle


def test_between_steps_the_error_is_of_fourth_order(flails):
    """One try of length h, looked into at half way: local error h⁵."""
    figure, q, u = flails

    def rate(t, q, u):
        return acceleration(figure, Drive(), q, u)

    def look(q, u, h):
        stride = first_stride(rate, 0.0, q, u, h, 4)
        return next_frame(figure, rate, 0.0, stride, 0.5 * h, 1e9, METHODS["dormand_prince"])[1:]  # any error will do

    zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "h": np.zeros(())}
    kernel, errors = ap.build(ap.record(look, **zeros), opt=0), []
    for h in (0.004, 0.002):
        exact = ap.simulate(figure, q, u, steps=20, every=20, dt=h / 40, method="rk6", opt=0)[-1]
        there = kernel(q, u, h)
        miss = figure.difference(there[0], exact.q) ** 2 + (there[1] - exact.u) ** 2
        errors.append(miss.mean() ** 0.5)
    assert abs(np.log2(errors[0] / errors[1]) - 5.0) < 0.2


def test_rollouts_do_not_depend_on_their_neighbours(flails):
    """Bits: in a batch, alone, in another order, on one thread or two, in one piece or many."""
    figure, q, u = flails
    batch = run(figure, q, u, 1e-7)
    for other in (run(figure, q[::-1], u[::-1], 1e-7, threads=1), run(figure, q[::-1], u[::-1], 1e-7, threads=2)):
        assert np.array_equal(other.q[::-1], batch.q) and np.array_equal(other.u[::-1], batch.u)
    for k in (0, 7, 12):
        alone = run(figure, q[k], u[k], 1e-7)
        assert np.array_equal(alone.q, batch.q[k]) and np.array_equal(
            alone.channels["tries"], batch.channels["tries"][k]
        )


def test_more_frames_than_steps_and_more_than_a_piece(flails):
    """1000 frames of a gentle swing, most without a step of their own: the same way as with 10 frames."""
    figure, q, u = flails
    few, many = run(figure, q[0], u[0], 1e-6), run(figure, q[0], u[0], 1e-6, steps=1000, every=1, dt=1e-3)
    assert many.channels["tries"][-1] < 200 < len(many)
    assert np.abs(figure.difference(few.q, many.q[::100])).max() < 1e-4


def test_a_pulse_that_cannot_be_stepped_over_ends_with_an_error():
    figure = ap.sample("pendulum")

    def wall(figure, t, q, u):
        return 1.0 / (0.5 - t) + 0.0 * u  # no step reaches 0.5 s

    with pytest.raises(ap.AnthropiError, match=r"after t = 0.4.* is not finite"):
        run(figure, np.zeros(1), np.zeros(1), 1e-8, forces=wall)


def test_a_longest_step_catches_what_comes_and_goes():
    """A pendulum at rest takes ever longer steps, over a push of 50 ms after half a minute; not with a bound."""
    figure = ap.sample("pendulum")

    def push(figure, t, q, u):
        on = ap.scalar.less(30.0, t) & ap.scalar.less(t, 30.05)
        return ap.scalar.where(on, 1.0, 0.0) + 0.0 * u

    options = {"forces": push, "steps": 40, "every": 20, "dt": 1.0}
    missed = run(figure, np.zeros(1), np.zeros(1), 1e-6, **options)
    caught = run(figure, np.zeros(1), np.zeros(1), 1e-6, longest=0.04, **options)
    assert np.abs(missed.u[-1]).max() == 0.0 and np.abs(caught.u[-1]).max() > 0.01
    assert missed.channels["tries"][-1] < 20 and caught.channels["tries"][-1] >= 1000


def test_what_an_adaptive_run_refuses():
    figure = ap.sample("pendulum")
    with pytest.raises(ap.AnthropiError, match=r"'rk4' has no adaptive steps. With a tolerance, use: dormand_prince"):
        ap.simulate(figure, np.zeros(1), steps=10, tolerance=1e-6)
    with pytest.raises(ap.AnthropiError, match="'longest' limits adaptive steps"):
        ap.simulate(figure, np.zeros(1), steps=10, longest=0.1)
    with pytest.raises(ap.AnthropiError, match="one row per step, but with a tolerance"):
        run(figure, np.zeros(1), np.zeros(1), 1e-6, forces=np.zeros((100, 1)))
