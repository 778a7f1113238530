"""Implicit compliant contacts push, and their friction is within the cone (`simulation/unilateral.py`)."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact.material import Material
from anthropi.figure.from_parts import figure_from_parts
from anthropi.simulation.force_laws import TAU_EXACT
from anthropi.simulation.memory import layout
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.step import State, step
from anthropi.simulation.unilateral import MAX_EXCESS
from golden.figures import block

START = np.array([0.0, 0.0, 0.16, 0.8, 0.6, 0.0, 0.0]), np.array([0.5, 0.2, -1.0, 1.0, -2.0, 0.5])


def box_scene(**options):
    box = figure_from_parts("box", [(None, ap.joints.Free(name="root"), block("body", (0.2, 0.3, 0.1), 2.0))])
    return ap.Scene(box, **options)


def landing(dt, every=1, **options):
    """A box that strikes the ground with an edge and turns onto a side, 0.2 s."""
    return ap.simulate(box_scene(**options), *START, steps=round(0.2 / dt), dt=dt, every=every, opt="now",
                       record=("contact", "tau", "energy", "work"))  # fmt: skip


def parts(motion):
    """Normal and tangential forces (frames, contacts) in weights."""
    f = motion.channels["contact"][:-1] / (motion.figure.mass * 9.81)
    return f[..., 2], np.linalg.norm(f[..., :2], axis=-1)


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("dt", [5e-4, 2e-3])
def test_contacts_push_within_the_friction_cone(dt, restitution):
    motion = landing(dt, material=Material(friction=0.6, restitution=restitution))
    normal, tangential = parts(motion)
    assert normal.max() > 1.0 and normal.min() >= -MAX_EXCESS
    assert (tangential - 0.6 * np.maximum(normal, 0.0)).max() <= 1.001 * MAX_EXCESS  # gravity is not 9.81 exactly


def test_momentum_is_balanced_by_the_limited_forces():
    motion = landing(2e-3)
    found = motion.verify()
    assert found.failed == () and found.row("joint forces").measured < TAU_EXACT and found.row("work").holds
    force = motion.channels["contact"][:-1].sum(1)
    rate = np.diff(motion.u[:, :3], axis=0) / 2e-3 * motion.figure.mass
    centre = np.abs(rate - force - motion.figure.mass * motion.figure.gravity).max()
    assert centre < 1e-9 * motion.figure.mass * 9.81


def test_a_long_step_is_closer_to_short_steps_than_with_forces_that_pull():
    """A box that starts in the ground; with forces that pull it stuck there, and its turn was wrong by 0.07."""
    q = np.array([0.0, 0.0, 0.12, *START[0][3:]])
    short, long = (
        ap.simulate(box_scene(), q, START[1], steps=round(0.12 / dt), dt=dt, every=round(2e-3 / dt), opt="now").q[-1]
        for dt in (2e-5, 2e-3)
    )
    assert np.linalg.norm(long - short) < 0.06


def test_derivatives_of_a_step_in_which_contacts_open():
    """A step of several passes: forward and reverse derivative against central differences."""
    scene = box_scene()
    problem = Problem(scene.figure, scene)
    kept = layout(initial_memory(problem))
    memory, q = kept.pack(initial_memory(problem)), np.array([0.0, 0.0, 0.11, 0.8, 0.6, 0.0, 0.0])
    tape = ap.record(lambda u: step(problem, State(0.0, q, u, kept.unpack(memory)), 2e-3).state.u, u=np.zeros(6))
    after, u = ap.build(tape, target="replay"), np.array([0.5, 0.2, -3.0, 4.0, -2.0, 0.5])
    along, weight = np.array([0.3, -0.5, 1.0, 0.2, 0.4, -0.7]), np.array([1.0, 0.5, -1.0, 0.3, 0.2, 0.6])
    wanted = weight @ (after(u + 1e-6 * along) - after(u - 1e-6 * along)) / 2e-6
    forward = weight @ np.asarray(ap.build(tape.jvp(), target="replay")(u, along)[1])
    reverse = np.asarray(ap.build(tape.vjp(), target="replay")(u, weight)[1]["u"]) @ along
    np.testing.assert_allclose([forward, reverse], wanted, rtol=1e-6)  # differences of 1e-6
