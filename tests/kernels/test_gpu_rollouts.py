"""Rollouts on an NVIDIA GPU give the bits of the CPU, at any position in the batch (make gpu)."""

import numpy as np
import pytest

import anthropi as ap

pytestmark = pytest.mark.gpu
WAYS = {
    "rk4": {},
    "variational": {"method": "variational"},
    "linearly_implicit_euler": {"method": "linearly_implicit_euler"},
    "adaptive": {"method": "dormand_prince", "tolerance": 1e-6},
}


@pytest.fixture(scope="module")
def flails():
    figure = ap.sample("chain", links=3, joint="ball")
    rng = np.random.default_rng(0)
    return figure, np.stack([figure.random(rng) for _ in range(300)]), 2.0 * rng.normal(size=(300, figure.nu))


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("way", WAYS)
def test_a_rollout_has_the_bits_of_the_cpu(flails, way, precision):
    figure, q, u = flails
    options = {"steps": 50, "every": 10, "dt": 2e-3, "precision": precision, "strict": False} | WAYS[way]
    if precision == "float32" and way == "adaptive":
        options["tolerance"] = 1e-3
    here = ap.simulate(figure, q, u, opt=0, **options)
    there = ap.simulate(figure, q, u, target="gpu", **options)
    assert np.array_equal(here.q, there.q, equal_nan=True) and np.array_equal(here.u, there.u, equal_nan=True)
    assert np.isfinite(here.q).all()


def test_the_place_in_the_batch_changes_no_bit(flails):
    figure, q, u = flails
    options = {"steps": 50, "every": 10, "dt": 2e-3, "target": "gpu"}
    many = ap.simulate(figure, q, u, **options)
    back = ap.simulate(figure, q[::-1], u[::-1], **options)
    assert np.array_equal(many.q, back.q[::-1])
    assert np.array_equal(ap.simulate(figure, q[7], u[7], **options).q, many.q[7])


def test_rows_and_functions_drive_on_the_gpu_too(flails):
    figure, q, u = flails
    rows = 0.1 * np.random.default_rng(1).normal(size=(300, 20, figure.nu))

    def wave(figure, t, q, u):
        return 0.1 * ap.scalar.sin(5.0 * t) + 0.0 * u

    for forces in (rows, wave):
        options = {"steps": 20, "every": 5, "dt": 2e-3}
        here, there = (ap.simulate(figure, q, u, forces, target=target, **options) for target in ("cpu", "gpu"))
        assert np.array_equal(here.q, there.q)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("model", ["compliant", "impulsive"])
def test_scenes_with_memory_and_parameters_have_the_bits_of_the_cpu(model, precision):
    """A leg with stiff springs dropped onto the ground, another drop and gain for each rollout."""
    from anthropi.contact import Compliant, Impulsive

    figure, many = ap.sample("hopper", leg="knee"), 64
    rough = 1e-5 if precision == "float32" else 1e-9
    scene = ap.Scene(figure, contact=Compliant() if model == "compliant" else Impulsive(tolerance=rough))
    q = np.tile(figure.neutral(), (many, 1))
    q[:, 2] += np.linspace(1.0, 1.5, many)
    hold = ap.controllers.Hold(figure, figure.neutral(), 300.0, 10.0)
    options = {"parameters": {"kp": np.linspace(100.0, 500.0, many)}, "steps": 40, "every": 20, "precision": precision}
    here = ap.simulate(scene, q, forces=hold, opt=0, strict=False, **options)
    there = ap.simulate(scene, q, forces=hold, target="gpu", strict=False, **options)
    assert np.array_equal(here.q, there.q) and np.array_equal(here.channels["memory"], there.channels["memory"])
    assert np.isfinite(here.q).all()


def test_a_simulation_steps_on_the_gpu_as_on_the_cpu():
    """Contacts, inputs that change between calls, part of the batch started again, a state carried over."""
    figure = ap.sample("biped")
    scene, q = ap.Scene(figure, features="feet"), np.tile(figure.neutral(), (40, 1))
    q[:, 2] += np.linspace(0.9, 1.0, 40)
    tau = 0.5 * np.random.default_rng(2).normal(size=(40, figure.nu))
    tau[:, :6] = 0.0
    runs = [ap.Simulation(scene, batch=40, target=target) for target in ("cpu", "gpu")]
    for sim in runs:
        sim.reset(q)
        sim.step(30, tau=tau)
        sim.reset(q, where=np.arange(40) % 3 == 0)
        sim.step(20, tau=2.0 * tau)
    here, there = runs
    assert np.array_equal(here.q, there.q) and np.array_equal(here.u, there.u)
    assert np.array_equal(here.contacts.forces, there.contacts.forces) and np.array_equal(here.time, there.time)
    there.state = here.state
    for sim in runs:
        sim.step(5)
    assert np.array_equal(here.q, there.q)
