"""`Simulation`: the compiled stepper behind every run; the same bits as `simulate`, one call or many."""

import os
import pickle
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.contact import Compliant, Impulsive
from anthropi.contact.convex import Convex
from anthropi.contact.limits import SoftLimits
from anthropi.errors import InputError, ShapeError
from anthropi.motion.contacts import contact_wrenches
from anthropi.simulation import held_kernel, time_loop
from anthropi.simulation.drive import Drive
from anthropi.simulation.simulation import Simulation

HUMAN = ap.human()
STANDING = ap.standing(HUMAN)
SCENE = ap.Scene(HUMAN, features="feet", limits=SoftLimits())


class Sway:
    """A controller with a parameter, a memory and a random number."""

    prescribed = ()

    def __init__(self):
        self.parameters, self.memory = {"kp": 200.0}, {"steps": 0.0}

    def __call__(self, figure, sense, memory, parameters):
        push = sense.command[0] * (sense.noise() - 0.5) if len(sense.command) else 0.0
        tau = np.array([push if name == "lumbar.y" else 0.0 for name in figure.dofs])
        drive = Drive(tau=tau, target=STANDING, kp=parameters["kp"], kd=20.0)
        return drive, {"steps": memory["steps"] + 1.0}


@pytest.fixture(scope="module")
def sim():
    return Simulation(SCENE, Sway(), opt=0)


def test_steps_one_by_one_many_at_once_and_simulate_have_the_same_bits(sim):
    whole = ap.simulate(SCENE, STANDING, forces=Sway(), command=[5.0], steps=60, seed=3, opt=0)
    sim.reset(STANDING, seed=3)
    for _ in range(20):
        sim.step(command=[5.0])
    sim.step(40, command=[5.0])
    assert np.array_equal(sim.q, whole.q[-1]) and np.array_equal(sim.u, whole.u[-1])
    assert sim.time == whole.time[-1] and sim.memory["control"]["steps"] == 60.0
    sim.reset(STANDING, seed=3)
    frames = sim.record(6, 10, command=[5.0])
    assert np.array_equal(frames["q"], whole.q[:-1:10]) and np.array_equal(frames["time"], whole.time[:-1:10])
    mean = whole.channels["contact"][:60].reshape(6, 10, -1, 3).mean(1)
    np.testing.assert_allclose(frames["contact"], mean, rtol=1e-12, atol=1e-9)


def test_a_state_taken_out_pickled_and_put_back_goes_on_bit_for_bit(sim):
    sim.reset(STANDING, seed=1)
    sim.step(15, command=[5.0])
    kept = pickle.loads(pickle.dumps(sim.state))
    sim.step(25, command=[5.0])
    there, time = sim.q.copy(), sim.time
    other = Simulation(SCENE, Sway(), opt=0)
    other.state = kept
    other.step(25, command=[5.0])
    assert np.array_equal(other.q, there) and other.time == time
    motion = ap.simulate(SCENE, kept, forces=Sway(), command=[5.0], steps=25, seed=1, opt=0)
    assert np.array_equal(motion.q[-1], there)


def test_part_of_a_batch_starts_again():
    many = Simulation(SCENE, Sway(), batch=3, opt=0)
    many.reset(STANDING)
    many.step(20)
    first = many.q.copy()
    many.reset(STANDING, where=[False, True, False])
    assert many.time.tolist() == [0.02, 0.0, 0.02]
    many.step(20)
    assert np.array_equal(many.q[1], first[1]) and not np.array_equal(many.q[0], first[0])
    alone = Simulation(SCENE, Sway(), opt=0)
    alone.reset(STANDING)
    alone.step(20)
    assert np.array_equal(alone.q, first[0])  # lanes do not change bits


def test_parameters_and_forces_are_inputs(sim):
    slots = Simulation(SCENE, Sway(), slots=("head.mass", "gravity"), opt=0)
    slots.reset(STANDING, parameters={"kp": 300.0, "head.mass": 9.0})
    slots.step(20)
    heavy = ap.Scene(HUMAN.with_numbers(["head.mass"], [9.0]), features="feet", limits=SoftLimits())
    told = ap.simulate(heavy, STANDING, forces=Sway(), parameters={"kp": 300.0}, steps=20, opt=0)
    np.testing.assert_allclose(slots.q, told.q[-1], rtol=1e-9, atol=1e-12)
    push = {"pelvis": np.array([0.0, 0, 0, 50.0, 0, 0])}
    sim.reset(STANDING)
    sim.step(10, f_ext=push)
    pushed = ap.simulate(SCENE, STANDING, forces=Sway(), f_ext=push, steps=10, opt=0)
    assert np.array_equal(sim.q, pushed.q[-1])


def test_forces_that_acted_balance_every_step():
    """Contact forces, implicit parts included, and joint forces give the acceleration of each step, root included."""
    motion = ap.simulate(SCENE, STANDING, forces=Sway(), steps=120, record=("contact", "tau"), opt=0)
    wrenches, weight = contact_wrenches(motion, "intervals"), 9.81 * HUMAN.mass
    for k in range(0, 120, 7):
        udot = (motion.u[k + 1] - motion.u[k]) / 1e-3
        needed = inverse_dynamics(HUMAN, motion.q[k], motion.u[k], udot, wrenches[k])
        assert np.abs(needed - motion.channels["tau"][k])[:6].max() < 1e-9 * weight  # nothing drives the root
        np.testing.assert_allclose(needed, motion.channels["tau"][k], atol=1e-8 * weight)  # joints: implicit dampers


CLOSED = [
    pytest.param(
        name, model, marks=[] if name == "four_bar" else [pytest.mark.slow], id=f"{name}-{type(model).__name__}"
    )
    for name in ("four_bar", "stewart")
    for model in (Compliant(), Impulsive(), Convex())
]


@pytest.mark.parametrize(("name", "model"), CLOSED)
def test_loops_stay_closed_under_every_contact_model(name, model):
    """To 1e-12 after 2 s on the ground that their hinges overlap, with equal bits in `simulate`, steps and a batch."""
    figure = ap.sample(name)
    q = ap.loops.close_loops(figure, figure.neutral())
    scene = ap.Scene(figure, contact=model)
    motion = ap.simulate(scene, q, steps=2000, every=2000, record=(), opt=0)
    errors = ap.loops.loop_errors(figure, motion.q[-1])
    assert max(np.abs(np.asarray(x)).max() for x in errors.values()) < 1e-12
    one, many = Simulation(scene, opt=0), Simulation(scene, batch=2, opt=0)
    for run in (one, many):
        run.reset(q)
        run.step(2000)
    assert np.array_equal(one.q, motion.q[-1]) and np.array_equal(many.q[1], motion.q[-1])


def recordings(monkeypatch):
    """Count the recordings of time loops."""
    calls, own = [], time_loop._tape
    monkeypatch.setattr(time_loop, "_tape", lambda program: calls.append(program) or own(program))
    return calls


def test_the_second_run_of_the_same_scene_records_nothing(monkeypatch):
    ap.simulate(ap.Scene(HUMAN, features="feet"), STANDING, forces=Sway(), steps=2, opt=0)
    calls = recordings(monkeypatch)
    ap.simulate(ap.Scene(ap.human(), features="feet"), STANDING, forces=Sway(), steps=3, dt=5e-4, opt=0)
    assert not calls


GAIN = 1.0


def helped(figure, t, q, u):
    return helper(u)


def helper(u):
    return -GAIN * u


def test_changing_a_global_a_helper_or_a_closure_cell_changes_the_result(monkeypatch):
    figure, q, u = ap.sample("double_pendulum"), np.array([0.3, 0.1]), np.ones(2)

    def made(gain):
        return lambda figure, t, q, u: -gain * u

    def end(forces):
        return ap.simulate(figure, q, u, forces, steps=20, opt=0).q[-1]

    first = end(helped)
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "GAIN", 2.0)
    second = end(helped)
    monkeypatch.setattr(module, "helper", lambda u: -3.0 * u)
    assert len({x.tobytes() for x in (first, second, end(helped))}) == 3
    assert not np.array_equal(end(made(1.0)), end(made(2.0)))
    assert np.array_equal(end(made(1.0)), first)


def test_a_controller_of_unknown_content_is_recorded_once_a_process(monkeypatch):
    class Opaque(Sway):
        def __init__(self):
            super().__init__()
            self.open = types.SimpleNamespace(stream=(x for x in ()))  # a generator: nobody knows what it holds

    controller, calls = Opaque(), recordings(monkeypatch)
    for _ in range(2):
        ap.simulate(SCENE, STANDING, forces=controller, steps=1, opt=0)
    assert len(calls) == 1


def test_a_new_process_reads_the_kernel_without_recording():
    code = """
import anthropi as ap
from anthropi.simulation import held_kernel, time_loop
from anthropi.simulation.simulation import Simulation
time_loop._tape = None
figure = ap.human()
sim = Simulation(ap.Scene(figure, features="feet"), opt=0)
sim.reset(ap.standing(figure))
sim.step()
print(sim.time)
"""
    figure = ap.human()
    warm = Simulation(ap.Scene(figure, features="feet"), opt=0)
    warm.reset(ap.standing(figure))
    warm.step()
    env = {**os.environ, "PYTHONPATH": str(Path(ap.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
    assert run.stdout.strip() == "0.001", run.stderr


def test_refusals(sim):
    sim.reset(STANDING)
    with pytest.raises(ShapeError, match=r"'tau' has shape \(3,\)"):
        sim.step(tau=np.zeros(3))
    with pytest.raises(InputError, match="'tau' contains a number that is not finite"):
        sim.step(tau=np.full(HUMAN.nu, np.nan))
    with pytest.raises(InputError, match=r"No parameter 'kq' in this simulation. It has: kp"):
        sim.set_parameters({"kq": 1.0})
    with pytest.raises(InputError, match=r"step\(-1\) is not valid. Give an integer"):
        sim.step(-1)
    with pytest.raises(ShapeError, match=r"where has shape \(2,\). Give \(1,\)"):
        sim.reset(STANDING, where=[True, False])
    with pytest.raises(InputError, match="Simulation got an object of type int"):
        Simulation(3)


def test_kinematics_have_one_kernel_which_takes_the_origins_of_joints_only(monkeypatch):
    """The kernel is made once per simulation, and a changed origin changes the kinematics without a step."""
    made, compile = [], held_kernel.compile
    monkeypatch.setattr(held_kernel, "compile", lambda *a, **k: made.append(k["parameters"]) or compile(*a, **k))
    arm = ap.sample("double_pendulum")
    first, second = arm.links
    at = f"{arm.joints[1].name}.origin"
    sim = Simulation(arm, opt=0, slots=(f"{first.name}.mass", at, f"{second.name}.tensor"))
    sim.reset(np.array([0.3, -0.2]))
    before = sim.kinematics.link(second.name).position
    for _ in range(3):
        sim.step(2)
        assert np.isfinite(sim.kinematics.position).all()
    assert made == [[at]]
    sim.reset(np.array([0.3, -0.2]))
    length = np.array(arm.joints[1].placement.origin)
    sim.set_parameters({at: 2.0 * length, f"{first.name}.mass": 3.0})
    np.testing.assert_allclose(sim.kinematics.link(second.name).position, 2.0 * before, atol=1e-15)
    longer = arm.with_numbers([at], 2.0 * length)
    np.testing.assert_array_equal(sim.kinematics.position, ap.kinematics(longer, sim.q, sim.u).position)
    assert len(made) == 1
