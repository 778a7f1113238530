"""Gradients of whole rollouts with checkpoints, compared with differences and with torch."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, ShapeError
from interop.rollouts import HOPPER, NAMES, START_U, hopping, slope

STEPS = 40


def loss(q, u):
    return (q * q).sum() + 0.1 * (u * u).sum()


def running(q, tau):
    return 0.1 * (q * q).sum() + 0.01 * (tau * tau).sum()


def gradient(sim, **given):
    tau = np.random.default_rng(0).normal(size=(STEPS, 5))
    return ap.rollout_gradient(sim, loss, STEPS, **{"running": running, "tau": tau, "parameters": NAMES} | given)


@pytest.mark.parametrize("model", ["compliant", "impulsive"])
def test_the_gradient_is_that_of_differences(model):
    sim, rng = hopping(model), np.random.default_rng(1)
    found, q = gradient(sim), sim.q.copy()
    present = {n: x for n, x in zip(NAMES, (0.4, HOPPER.joints[2].placement.origin, 0.3, 300.0), strict=True)}
    for name in NAMES:
        along = rng.normal(size=np.shape(present[name]))

        def changed(x, name=name):
            return gradient(sim, parameters=present | {name: x}).loss

        expected = slope(changed, np.asarray(present[name], float), along)
        assert expected != 0.0
        np.testing.assert_allclose(np.sum(found.parameters[name] * along), expected, rtol=1e-5, atol=1e-9, err_msg=name)
    tau = np.random.default_rng(0).normal(size=(STEPS, 5))
    along = rng.normal(size=tau.shape)
    np.testing.assert_allclose(
        (found.tau * along).sum(), slope(lambda x: gradient(sim, tau=x).loss, tau, along), rtol=1e-5
    )

    def from_state(x):
        sim.reset(x[:5], x[5:])
        return gradient(sim).loss

    along = rng.normal(size=10)
    expected = slope(from_state, np.concatenate([q, START_U]), along)
    np.testing.assert_allclose(np.concatenate([found.q, found.u]) @ along, expected, rtol=1e-5)


def test_checkpoints_change_nothing():
    sim = hopping("impulsive")
    found = [gradient(sim, checkpoints=k) for k in (None, 1, 7, STEPS)]
    assert all(np.array_equal(x.tau, found[0].tau) and np.array_equal(x.q, found[0].q) for x in found)


def test_the_rollout_is_that_of_the_simulation_and_leaves_it_alone():
    sim, tau = hopping("compliant"), np.linspace(-1.0, 1.0, 5)
    before = sim.q.copy()
    found = gradient(sim, tau=tau, running=None)
    assert np.array_equal(sim.q, before) and found.tau.shape == (5,)
    sim.step(STEPS, tau=tau)
    np.testing.assert_allclose(found.final["q"], sim.q, rtol=1e-12, atol=1e-14)
    assert found.loss == pytest.approx(loss(sim.q, sim.u), rel=1e-12)


def test_a_batch_is_its_rollouts():
    alone, sim = hopping("impulsive"), hopping("impulsive", batch=2)
    sim.reset(sim.q, np.stack([START_U, 1.1 * START_U]))
    many = gradient(sim)
    alone.reset(alone.q, 1.1 * START_U)
    one = gradient(alone)
    assert many.loss.shape == (2,) and many.tau.shape == (2, STEPS, 5)
    np.testing.assert_allclose(many.tau[1], one.tau, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(many.parameters["leg.origin"][1], one.parameters["leg.origin"], rtol=1e-12)


def test_errors_name_what_is_wrong():
    sim = hopping("compliant")
    with pytest.raises(InputError, match="must be among q, u, t"):
        ap.rollout_gradient(sim, lambda x: x, 5)
    with pytest.raises(InputError, match="one number"):
        ap.rollout_gradient(sim, lambda q: q, 5)
    with pytest.raises(InputError, match="steps=0"):
        ap.rollout_gradient(sim, loss, 0)
    with pytest.raises(ShapeError, match=r"'tau' has shape \(3, 5\)"):
        ap.rollout_gradient(sim, loss, 4, tau=np.zeros((3, 5)))


def test_present_numbers_of_the_simulation_count():
    """Slots that were changed by `set_parameters` have their new values in the step."""
    base = hopping("compliant")
    sim = ap.Simulation(base.problem.scene, base.problem.controller, dt=base.dt, slots=("shin.mass",))
    sim.reset(base.q, START_U)
    sim.set_parameters({"shin.mass": 1.5, "kp": 100.0})
    found = gradient(sim, tau=None, running=None, parameters=("friction",))
    sim.step(STEPS)
    np.testing.assert_allclose(found.final["q"], sim.q, rtol=1e-12, atol=1e-14)
    assert gradient(base, tau=None, running=None, parameters=("friction",)).loss != found.loss
