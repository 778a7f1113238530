"""Simulations in WebAssembly: the bits of replay without fusing, and the results of the CPU up to rounding."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact import Impulsive
from anthropi.gait.walker import Command, WalkingSession


def leg(target, precision="float64", contact=None, opt=0):
    """A leg with stiff springs in contact with the ground."""
    figure = ap.sample("hopper", leg="knee")
    hold = ap.controllers.Hold(figure, figure.neutral(), 300.0, 10.0)
    scene = ap.Scene(figure) if contact is None else ap.Scene(figure, contact=contact)
    sim = ap.Simulation(scene, hold, dt=2e-3, target=target, precision=precision, opt=opt)
    q = figure.neutral()
    q[2] += 0.02
    sim.reset(q)
    return sim


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_scene_has_the_bits_of_replay_without_fusing(precision):
    """Compliant contacts with memory, a controller, inputs that change, a state that is set."""
    here, there = leg("wasm", precision), leg("replay_unfused", precision)
    for sim in (here, there):
        sim.step(8)
        sim.step(2, tau=np.full(sim.figure.nu, 0.1))
    assert np.any(here.contacts.forces[..., 2] > 0.0)
    for a, b in ((here.q, there.q), (here.u, there.u), (here.contacts.forces, there.contacts.forces)):
        assert a.tobytes() == b.astype(a.dtype).tobytes()
    moved = there.q.copy()
    here.step(1)
    assert not np.array_equal(here.q, moved)
    here.state = there.state
    here.step(0)
    assert np.array_equal(here.q, moved)


def test_impulses_agree_with_the_cpu():
    """Iterations of a solver that stop by tolerance, inside the step."""
    here, there = (
        leg("wasm", contact=Impulsive(tolerance=1e-9)),
        leg("cpu", contact=Impulsive(tolerance=1e-9), opt="now"),
    )
    for sim in (here, there):
        sim.step(50)
    assert np.any(here.contacts.forces[..., 2] > 0.0)
    np.testing.assert_allclose(here.q, there.q, atol=1e-8)  # ten times the tolerance of the solver


def test_a_batch_has_the_bits_of_single_rollouts():
    figure = ap.sample("chain", links=3, joint="ball")
    rng = np.random.default_rng(0)
    q, u = np.stack([figure.random(rng) for _ in range(5)]), 2.0 * rng.normal(size=(5, figure.nu))
    options = {"steps": 20, "every": 10, "dt": 2e-3, "target": "wasm", "opt": 0}
    many = ap.simulate(figure, q, u, **options)
    assert np.array_equal(ap.simulate(figure, q[3], u[3], **options).q, many.q[3])
    there = ap.simulate(figure, q, u, **(options | {"target": "cpu"}))
    np.testing.assert_allclose(there.q, many.q, atol=1e-11)  # 20 steps of motions of size 1


@pytest.mark.slow
def test_a_walk_of_a_thousand_steps_ends_where_the_cpu_ends():
    session = WalkingSession(ap.human(1.75, 75.0), "natural", "walk", opt="now")
    command = Command(go=True, speed=1.3).row()
    here = session.simulation
    there = ap.Simulation(session.scene, here.problem.controller, target="wasm", opt=0)
    there.state = here.state
    for sim in (here, there):
        sim.step(1000, command=command)
    assert here.time == there.time and here.q[0] > 1.0  # it walked
    np.testing.assert_allclose(here.q, there.q, atol=1e-9)  # roundings in a gait that returns to its cycle: 1e-14
    np.testing.assert_allclose(here.u, there.u, atol=1e-7)
