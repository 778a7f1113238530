"""Derivatives of impulses at the solution, compared with differences, forward and in reverse."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.contacts import contacts
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.limits import HardLimits
from anthropi.entry.differentiable import differentiable
from anthropi.errors import TraceError
from anthropi.motion.state import State
from anthropi.simulation.step_function import step_function
from unit.contact.impulsive_steps import ball, box


def compare(sim, seed=0, rtol=1e-5, h=1e-7):
    """Compare derivatives of the next step, along a direction, with differences; make the step and return its forces.

    Contacts are just open before the step and close in it: at a gap of 0, a step has a kink.
    """
    step, rng = step_function(sim, opt=0), np.random.default_rng(seed)
    tangent, gradient = step.tangent(("q", "u")).kernel, step.gradient(("q", "u")).kernel
    now = step.ordered((), {"q": sim.q.copy(), "u": sim.u.copy(), "memory": sim.program.memory.pack(sim.memory)})
    dq, du = rng.normal(size=sim.q.shape), rng.normal(size=sim.u.shape)

    def after(s):
        found = step.kernel(now[0] + s * dq, now[1] + s * du, *now[2:])
        return np.concatenate([found["q"], found["u"]])

    found = tangent(*now, dq, du)
    along = np.concatenate([found["q"], found["u"]])
    expected = (after(h) - after(-h)) / (2.0 * h)
    np.testing.assert_allclose(along, expected, rtol=rtol, atol=rtol * np.abs(expected).max())
    w = {s.name: rng.normal(size=s.shape) if s.name in "qu" else np.zeros(s.shape) for s in step.outputs}
    gq, gu = gradient(*now, *w.values())
    total = np.concatenate([w["q"], w["u"]]) @ along
    np.testing.assert_allclose(gq @ dq + gu @ du, total, rtol=1e-6, atol=1e-6 * np.abs(along).max())
    sim.step(1)
    return sim.contacts.forces


def dropped(figure, height, u, material=None, **options):
    """Return a simulation of a figure above the ground."""
    material = ap.contact.Material(friction=0.4) if material is None else material
    scene = ap.Scene(figure, contact=Impulsive(), material=material, **options)
    sim, q = ap.Simulation(scene, dt=2e-3), np.array(figure.neutral())
    q[2] = height
    sim.reset(q, u)
    return sim


@pytest.mark.parametrize("speed", [1.5, 0.01])
def test_sliding_and_sticking_with_redundant_contacts(speed):
    """Four corners of a box: the forces of the corners are not unique, the motion is."""
    sim = dropped(box(), 0.0501, np.array([speed, 0.3 * speed, -0.3, 0.0, 0.0, 0.5 * speed]))
    forces = compare(sim, rtol=1e-3)  # friction of a turning box depends a little on how corners share the load
    assert (forces[:, 2] > 1.0).sum() >= 3
    slides = np.hypot(*forces.sum(0)[:2]) > 0.399 * forces.sum(0)[2]
    assert slides == (speed > 1.0)


def test_an_edge_lands():
    sim = dropped(box(), 0.0, np.array([0.1, 0.0, -0.5, 1.0, 0.2, 0.0]))
    q = sim.q.copy()
    q[3:7] = np.cos(0.2), np.sin(0.2), 0.0, 0.0
    q[2] = 0.1 * np.sin(0.4) + 0.05 * np.cos(0.4) + 1e-4
    sim.reset(q, sim.u)
    forces = compare(sim)
    assert 1 <= (forces[:, 2] > 1.0).sum() <= 2


@pytest.mark.parametrize("spin", [0.0, 20.0])
def test_bouncing(spin):
    sim = dropped(ball(), 0.1003, np.array([0.3, 0.0, -0.6, 0.0, spin, 0.0]), ap.contact.Material(0.3, 0.5))
    assert compare(sim).any()
    assert sim.u[2] > 0.25


def test_penetration_is_removed():
    assert compare(dropped(ball(), 0.099, np.array([0.0, 0.0, -0.1, 0.0, 0.0, 0.0]))).any()


def test_hard_limits_and_contact_together():
    figure = ap.sample("hopper")
    scene = ap.Scene(figure, contact=Impulsive(), limits=HardLimits(), features=["shin"])
    sim, q = ap.Simulation(scene, dt=2e-3), np.array(figure.neutral())
    q[3] = 0.999
    q[1] += 1e-4 - min(c.gap for c in contacts(scene, 0.0, kinematics(figure, q, np.zeros(5))))
    sim.reset(q, np.array([0.0, -3.0, 0.0, 3.0, 0.0]))
    assert compare(sim)[0, 2] > 1.0
    np.testing.assert_allclose(sim.q[3], 1.0, atol=1e-9)  # at its limit


def test_several_groups():
    """More rows than one group has: six balls that land on the ground."""
    names = [f"b{n}" for n in range(6)]
    scene = ap.Scene.of([ball(name=n) for n in names], contact=Impulsive(), material=ap.contact.Material(friction=0.3))
    figure, rng = scene.figure, np.random.default_rng(1)
    q, u = np.array(figure.neutral()), rng.normal(size=figure.nu)
    for n in names:
        k = figure.link_index(f"{n}/{n}")
        q[figure.q_of[k].start : figure.q_of[k].start + 3] = 0.5 * names.index(n), 0.0, 0.1005
        u[figure.u_of[k].start + 2] = -0.5
    sim = ap.Simulation(scene, dt=2e-3)
    sim.reset(q, u)
    assert (compare(sim)[:, 2] > 1.0).sum() == 6


def test_outputs_that_a_function_leaves_out():
    """A loss that does not read the impulses keeps their rule."""
    sim = dropped(ball(), 0.1005, np.array([0.3, 0.0, -0.6, 0.0, 2.0, 0.0]))
    step, memory = sim.function, sim.memory

    def height(q, u):
        return step(State(0.0, q, u, memory)).q[2]

    made = differentiable(height, inputs={"q": 7, "u": 6}, opt=0)
    (gradient,) = made.gradient(("u",)).kernel(sim.q, sim.u, 1.0)
    np.testing.assert_allclose(gradient, np.zeros(6), atol=1e-8)  # the ball lands, whatever its velocity
    (gradient,) = made.gradient(("u",)).kernel(sim.q, -sim.u, 1.0)
    np.testing.assert_allclose(gradient, [0.0, 0.0, 2e-3, 0.0, 0.0, 0.0], atol=1e-12)


def test_long_loops_without_a_rule_are_refused_only_if_they_matter():
    def found(x):
        last = ap.repeat(lambda y: 0.5 * (y + x / y), x, 50, until=lambda y: ap.scalar.less(abs(y * y - x), 1e-12))
        return {"root": last, "square": x * x}

    tape = ap.record(found, x=np.ones(()))
    assert ap.build(tape.vjp("square"), opt=0)(3.0, 1.0)[1]["x"] == pytest.approx(6.0)
    with pytest.raises(TraceError, match="up to 50 passes"):
        tape.vjp("root")
