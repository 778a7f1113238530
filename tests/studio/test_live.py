"""Live runs: they keep real time and can be pushed, dragged, commanded and edited while they run."""

import struct
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from anthropi.contact import Compliant, Impulsive
from anthropi.contact.convex import Convex
from anthropi.contact.geometry.contacts import ContactRecord
from anthropi.contact.scene import Scene
from anthropi.entry import loops
from anthropi.errors import AnthropiError
from anthropi.figure.human.build import human, standing
from anthropi.figure.samples import sample
from anthropi.gait.hidds.inverse import inverse_motion
from anthropi.gait.walker import Command, WalkingSession, load_walker, sole_scene, walker_at_start
from anthropi.simulation.motion_frames import step_means
from anthropi.simulation.problem import Problem as Simulated
from anthropi.simulation.simulate import simulate
from anthropi.studio.live import stepper as stepper_module
from anthropi.studio.live.frames import Recording
from anthropi.studio.live.interaction import AppliedImpulse, Drag, wrenches
from anthropi.studio.live.settings import LiveSettings
from anthropi.studio.live.stepper import Slots, Stepper
from anthropi.studio.messages import Live, Problem


def stepped(stepper, q, u, steps: int, numbers=None, command=None):
    """Return the state after a number of steps without external forces."""
    stepper.start(q, u)
    own = stepper.numbers() if numbers is None else numbers
    row = np.zeros(0) if command is None else command
    seen = stepper.step(steps, own, np.zeros((stepper.problem.figure.n, 6)), None, row)
    return np.array(stepper.simulation.q), seen


def test_a_stepper_steps_as_simulate_does():
    """The stepper, with the figure's numbers as inputs, agrees with `simulate` up to rounding."""
    figure = sample("double_pendulum")
    scene, q, u = Scene(figure, contact=None), np.array([1.0, 0.5]), np.array([0.2, -0.3])
    stepper = Stepper(Simulated(figure, scene), 1e-3)
    found, seen = stepped(stepper, q, u, 200)
    expected = simulate(scene, q, u, steps=200, every=200, opt=0)
    assert np.allclose(found, expected.q[-1], rtol=1e-9, atol=1e-12)
    assert np.allclose(seen.kinematics.position.shape, (2, 3))


def test_the_numbers_of_a_slider_are_those_of_the_figure():
    """A kernel with changed numbers as inputs gives the same motion as a figure with these numbers."""
    figure = sample("double_pendulum")
    slots = Slots(figure)
    heavy = figure.scale(mass=3.0 * figure.mass).changed(gravity=np.array([0.0, 0.0, -3.0]))
    joint = heavy.joints[1].changed(stiffness=np.array([2.0]), rest=np.array([0.3]), damping=np.array([0.1]))
    heavy = heavy.changed(joints=(heavy.joints[0], joint))
    row = slots.row(heavy)
    assert row is not None
    assert np.array_equal(np.concatenate([np.atleast_1d(x) for x in slots.values(row).values()]), row)
    q, u = np.array([1.0, 0.5]), np.zeros(2)
    one = Stepper(Simulated(figure, Scene(figure, contact=None)), 1e-3)
    other = Stepper(Simulated(heavy, Scene(heavy, contact=None)), 1e-3)
    assert np.allclose(stepped(one, q, u, 300, row)[0], stepped(other, q, u, 300)[0], rtol=1e-9)


def test_another_structure_has_no_row():
    """Another link, another size or another type of joint needs a new kernel."""
    figure = human()
    slots = Slots(figure)
    assert slots.row(figure)[0] == figure.links[0].mass
    assert slots.row(figure.with_numbers(["l_knee.origin"], [0.0, 0.0, -0.4])) is None
    assert slots.row(figure.with_numbers(["l_thigh.centre"], [0.0, 0.0, -0.4])) is None
    assert slots.row(figure.lock(["l_knee"])) is None
    assert slots.row(human(height=1.8)) is None


def test_steps_and_sliders_record_nothing_and_read_only_the_changed_link(monkeypatch):
    """A new kernel records the step and the kinematics once; frames and slider movements record nothing."""
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    module, tapes, read = sys.modules["anthropi.tape.record"], [], []
    finish, content = module.finish, stepper_module.content
    monkeypatch.setattr(module, "finish", lambda tape, value: tapes.append(tape) or finish(tape, value))
    monkeypatch.setattr(stepper_module, "content", lambda part: read.append(part) or content(part))
    figure = sample("double_pendulum").scale(mass=1.2345)  # no other test has this figure, so no kernel is in memory
    stepper = Stepper(Simulated(figure, Scene(figure, contact=None)), 1e-3)
    stepped(stepper, np.array([1.0, 0.5]), np.zeros(2), 2)
    assert len(tapes) == 2  # the step and the kinematics
    del read[:]
    for mass in (1.0, 2.0, 3.0):
        link = replace(figure.links[1], mass=mass)
        row = stepper.slots.row(figure.changed(links=(figure.links[0], link)))
        for _ in range(2):
            stepper.step(5, row, np.zeros((2, 6)), None, np.zeros(0))
    assert len(tapes) == 2
    assert len(read) == 3  # once per slider movement, the changed link


@pytest.mark.slow
def test_a_walker_in_a_stepper_is_that_of_a_session():
    """A live walk agrees with a walking session of the library."""
    figure = human()
    session = WalkingSession(figure, start="walk", opt=0)
    session.command(Command(True, 1.2))
    session.run(0.3)
    controller, q, u = walker_at_start(figure, load_walker("natural"), "walk")
    stepper = Stepper(Simulated(figure, sole_scene(figure), controller), 1e-3)
    stepped(stepper, q, u, 299, command=Command(True, 1.2).row())
    still = np.zeros((figure.n, 6))
    seen = stepper.step(1, stepper.numbers(), still, None, Command(True, 1.2).row())
    found = np.array(stepper.simulation.q)
    assert np.allclose(found, session.q, atol=1e-6)  # rounding grows in a walk
    assert seen.forces[:, 2].max() > 0.0 and np.abs(seen.points[seen.forces[:, 2] > 1.0][:, 2]).max() < 0.03


@pytest.mark.parametrize("model", [Compliant(), Impulsive(), Convex()], ids=lambda m: type(m).__name__)
def test_loops_of_a_live_run_stay_closed_with_the_bits_of_simulate(model):
    """After 2 s in pieces of 4 ms, loops are closed and the result equals that of `simulate` bit for bit."""
    figure = sample("four_bar")
    q = loops.close_loops(figure, figure.neutral())
    scene, still = Scene(figure, contact=model), np.zeros((figure.n, 6))
    stepper = Stepper(Simulated(figure, scene), 1e-3)
    stepper.start(q, np.zeros(figure.nu))
    for _ in range(500):
        stepper.step(4, stepper.numbers(), still, None, np.zeros(0))
    found = np.array(stepper.simulation.q)
    assert max(np.abs(np.asarray(x)).max() for x in loops.loop_errors(figure, found).values()) < 1e-12
    numbers = stepper.slots.values(stepper.numbers())
    told = simulate(scene, q, steps=2000, every=2000, parameters=numbers, f_ext=still, opt=0)
    assert np.array_equal(found, told.q[-1])


@pytest.mark.slow
def test_a_recording_holds_the_forces_that_acted():
    """Frames at every step balance the weight and the motion of the root; longer frames hold means."""
    figure = sample("biped")
    scene, still = Scene(figure, features="feet"), np.zeros((figure.n, 6))
    weight, motions = 9.81 * figure.mass, []
    for interval in (0.5e-3, 9.5e-3):
        stepper, recording = Stepper(Simulated(figure, scene), 1e-3), Recording(LiveSettings(record_interval=interval))
        stepper.start(standing(figure), np.linspace(-0.3, 0.3, figure.nu))
        for k in range(91):
            recording.add(1e-3 * k, stepper.simulation.q, stepper.simulation.u)
            view = stepper.step(1, stepper.numbers(), still, None, np.zeros(0))
            recording.add_contacts(1, view, stepper.contacts)
        motions.append(recording.motion(figure, step_means(1e-3, stepper.simulation.problem.method)))
    fine, coarse = motions
    assert np.abs(inverse_motion(fine).channels["residual"][:-1]).max() < 1e-9 * weight
    means = fine.channels["contact"][:90].reshape(9, 10, -1, 3).mean(1)
    assert np.abs(means - coarse.channels["contact"][:9]).max() < 1e-9 * weight and means[..., 2].sum(-1).max() > weight
    assert np.abs(inverse_motion(coarse).channels["residual"][:-1]).max() < 0.05 * weight


def test_a_recording_matches_contacts_by_name_when_an_edit_changes_them():
    """The impulse of every contact is kept, also in the frame in which a contact disappears and another comes."""
    figure = sample("biped")
    recording, state = Recording(LiveSettings(record_interval=0.01)), (figure.neutral(), np.zeros(figure.nu))
    recording.add(0.0, *state)
    for names, t in (("abc", 0.01), ("abc", 0.015), ("ca", 0.02), ("cd", 0.03)):
        records = tuple(ContactRecord(name, "thigh", "", "ground") for name in names)
        forces = np.array([[0.0, 0.0, "abcd".index(name) + 1.0] for name in names])
        recording.add_contacts(5, SimpleNamespace(forces=forces, points=2.0 * forces), records)
        recording.add(t, *state)
    motion = recording.motion(figure)
    order = [record["name"] for record in motion.metadata["contacts"]]
    impulses = [5, 10, 5] @ motion.channels["contact"][:-1, :, 2]  # steps of the frames times mean forces
    assert dict(zip(order, impulses, strict=True)) == pytest.approx({"a": 15.0, "b": 20.0, "c": 60.0, "d": 20.0})
    assert np.allclose(motion.channels["contact_point"][1, order.index("b"), 2], 4.0)


def test_quaternions_of_many_matrices():
    """Quaternions of many rotation matrices are correct, also near a rotation of 180°."""
    from anthropi.algebra.rotation import matrix_from_quaternion, quaternion_from_matrix

    rng = np.random.default_rng(1)
    for near in (0.0, 1.0):
        q = rng.normal(size=(20, 4)) * [1.0 - near + 1e-3, 1.0, 1.0, 1.0]
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        C = np.array([matrix_from_quaternion(x) for x in q])
        back = np.array([matrix_from_quaternion(x) for x in quaternion_from_matrix(C)])
        assert np.allclose(C, back, atol=1e-9)


def test_a_hand_pulls_towards_its_place_and_not_too_hard():
    """A drag pulls towards its target with a bounded force, and an impulse has the given size."""
    from anthropi.algorithms.kinematics import kinematics

    figure = sample("double_pendulum")
    k = kinematics(figure, np.array([0.3, 0.1]), np.zeros(2))
    near = wrenches(k, 1.0, 0.0, Drag(1, np.zeros(3), k.position[1] + [0.0, 0.0, 0.1], 10.0), [], [])
    assert np.allclose(k.rotation[1] @ near[1, 3:], [0, 0, 1.0])
    far = wrenches(k, 1.0, 0.0, Drag(1, np.zeros(3), k.position[1] + [0.0, 0.0, 100.0]), [], [])
    assert np.linalg.norm(far[1, 3:]) < 16.0
    impulse = AppliedImpulse(0, np.zeros(3), np.array([0.0, 0.2, 0.0]), 0.02)
    steps = [wrenches(k, 1.0, t, None, [impulse], [])[0, 3:] for t in np.arange(0.0, 0.1, 1e-3)]
    assert np.allclose(k.rotation[0] @ np.sum(steps, 0) * 1e-3, [0.0, 0.2, 0.0])


# runs in their own thread


@pytest.fixture
def live(tried):
    """Give a session with a live pendulum."""
    tried.do("open_sample", name="double_pendulum")
    tried.a, tried.b = tried.item.figure.dofs
    tried.do("set_dof", figure=1, dof=tried.a, value=0.5)
    tried.do("live_start", figure=1, dynamics="direct")
    tried.until(lambda: len(tried.frames) > 3)
    return tried


def times(tried) -> list[float]:
    """Return the simulated times of all sent frames."""
    return [struct.unpack("<IIff", frame[:16])[2] for frame in tried.frames]


def test_time_goes_with_the_clock(live):
    """The run keeps its pace, a pause stops the time, and the end of the run adds a motion."""
    wall, begin = time.perf_counter(), live.session.live.time
    live.until(lambda: live.session.live.time > begin + 0.5)
    assert live.session.live.time - begin < time.perf_counter() - wall + 0.15  # never far ahead of the clock
    live.do("live_pause", paused=True)
    time.sleep(0.05)
    stood = live.session.live.time
    time.sleep(0.1)
    assert live.session.live.time == stood and live.of(Live)[-1].state == "paused"
    live.do("live_pause", paused=False)
    live.do("live_pace", pace=0.25)
    assert sys.getswitchinterval() == pytest.approx(LiveSettings().switch_interval)  # other threads give way sooner
    live.do("live_stop")
    assert sys.getswitchinterval() == pytest.approx(5e-3)
    (made,) = live.session.project.motions
    assert made.kind == "live" and len(made.motion) > 10 and live.session.live is None
    assert np.all(np.diff(times(live)) >= 0.0)
    with pytest.raises(AnthropiError, match="No live run"):
        live.do("live_pause", paused=True)


def test_a_number_acts_in_the_next_frame(live):
    """A changed number needs no new kernel and acts in the next step after its command."""
    live.until(lambda: live.session.live.stepper is not None)
    run, slot = live.session.live, f"{live.item.figure.links[1].name}.mass"
    stepper, builds = run.stepper, run._builds
    for k in range(10):
        old = run._numbers
        live.do("set_number", figure=1, slot=slot, value=1.0 + 0.1 * k, done=False)
        assert (run._numbers != old).any()
    live.do("set_gravity", gravity=[0, 0, -2.0], done=False)
    assert run._numbers[-1] == -2.0
    assert run.stepper is stepper and run._builds == builds


def test_a_structure_edit_goes_on_with_the_new_figure(live):
    """After an edit of the structure, joints that still exist keep their state."""
    link = live.item.figure.links[1].name
    live.do("add_link", figure=1, name="tip", parent=link, type="revolute", axis="z")
    live.until(lambda: live.of(Live)[-1].links == (3,))
    before = len(live.frames)
    live.until(lambda: len(live.frames) > before + 3)
    assert len(live.frames[-1]) == 16 + 28 * 3
    assert not [p for p in live.of(Problem) if p.level == "error"]


def test_a_drag_and_a_blow_move_it(live):
    """A drag and an impulse move the figure; an unknown link is refused with its name."""
    link = live.item.figure.links[1].name
    live.until(lambda: live.session.live.stepper is not None)
    live.do("set_spring", figure=1, dof=live.a, damping=5.0)
    live.do("set_spring", figure=1, dof=live.b, damping=5.0)
    live.do("drag_link", figure=1, link=link, point=[0, 0, 0], target=[0.5, 0, 0])
    time.sleep(0.3)
    live.do("impulse", figure=1, link=link, point=[0, 0, 0], impulse=[0.01, 0, 0])
    live.do("release_link")
    with pytest.raises(AnthropiError, match="No link 'nobody'"):
        live.do("drag_link", figure=1, link="nobody", point=[0, 0, 0], target=[0, 0, 0])
    with pytest.raises(AnthropiError, match="not in the live run"):
        live.do("drag_link", figure=9, link=link, point=[0, 0, 0], target=[0, 0, 0])
    with pytest.raises(AnthropiError, match="No live walk is running"):
        live.do("live_walk", speed=1.0)
    assert not [p for p in live.of(Problem) if p.level == "error"]


def test_control_functions_act_live(live):
    """A degree of freedom driven by motion follows its control function."""
    live.do("set_control", figure=1, dof=live.a, control={"of": "velocity", "formula": "0.0"})
    live.until(
        lambda: live.session.live.stepper is not None and live.session.live.stepper.simulation.problem.prescribed != ()
    )
    q = live.session.live.stepper.simulation.q[0]
    time.sleep(0.2)
    assert live.session.live.stepper.simulation.q[0] == pytest.approx(q, abs=0.05)


def test_a_simulation_that_is_lost_pauses_and_says_so(live):
    """A diverging simulation pauses with a message and does not end the studio."""
    live.until(lambda: live.session.live.stepper is not None)
    live.session.live.pause(True)
    simulation = live.session.live.stepper.simulation
    live.until(lambda: live.session.live.state == "paused")
    time.sleep(0.1)
    simulation.state = simulation.state._replace(u=np.full(2, 1e300))
    live.session.live.pause(False)
    live.until(lambda: [p for p in live.of(Problem) if "diverged" in p.message])
    assert live.session.live.state == "paused"


def test_removing_the_figure_ends_the_run(live):
    """The run ends without a motion, because its figure no longer exists; the next project has no motion either."""
    live.do("open_sample", name="chain")
    live.until(lambda: live.session.live is None)
    assert live.session.project.motions == ()


@pytest.mark.slow
def test_a_walk_is_commanded_pushed_and_dragged(tried):
    """The walker still walks after changes of speed, style, heading, mass and terrain, a push and a drag."""
    tried.do("open_sample", name="human")
    numbers = tried.do("live_start", figure=1, dynamics="walk", speed=1.2)["numbers"]
    assert {"slot": "gain:hip", "value": 1.0, "least": 0.0, "most": 2.0, "unit": "times"} in numbers
    run = tried.session.live
    tried.until(lambda: run.time > 0.5, 60)
    tried.do("live_walk", speed=1.4, style="happily")
    tried.do(
        "drag_link", figure=1, link="thorax", point=[0, 0, 0.1], target=[run.stepper.simulation.q[0] + 0.5, 0.1, 1.3]
    )
    tried.until(lambda t=run.time: run.time > t + 0.3)
    tried.do("release_link")
    tried.do("impulse", figure=1, link="pelvis", point=[0, 0, 0], impulse=[0, 10, 0])
    tried.do("set_number", figure=1, slot="gain:knee", value=1.05)
    tried.do("set_number", figure=1, slot="head.mass", value=5.5, done=False)
    tried.do("live_walk", turn=0.3)
    tried.until(lambda t=run.time: run.time > t + 1.5)
    assert tried.of(Live)[-1].style == "happily" and not run.fallen
    tried.do("live_walk", ground={"kind": "slope", "slope": 0.03})
    tried.until(lambda: run.model.problem.scene.ground.__class__.__name__ == "HeightField", 60)
    tried.until(lambda t=run.time: run.time > t + 0.3)
    assert not [p for p in tried.of(Problem) if p.level == "error"]
    tried.do("live_walk", go=False)
    tried.do("live_stop")
    assert tried.session.project.motions[-1].motion.channels["contact"].shape[1] > 0


@pytest.mark.slow
def test_a_live_walk_outside_the_limits_of_the_walker_is_noted(tried):
    """Speeds, stops and slopes that the walker was not tried on; a slider that stays outside is noted once."""
    tried.do("open_sample", name="human")
    tried.do("set_ground", ground={"kind": "slope", "slope": 0.25})
    tried.do("live_start", figure=1, dynamics="walk", speed=0.4)
    tried.session.live.pause(True)
    for speed in (0.41, 0.42, 1.3, 9.0):
        tried.do("live_walk", speed=speed)
    tried.do("live_walk", go=False)
    found = [p.message for p in tried.of(Problem) if p.level == "note"]
    words = ["speed=0.4 m/s: this walker keeps", "slope of 26%", "speed=9 m/s: this figure walks at", "stop from 2 m/s"]
    assert len(found) == len(words) and all(w in text for w, text in zip(words, found, strict=True)), found


@pytest.mark.slow
def test_the_motion_of_a_live_walk_says_that_it_fell(tried):
    """The fall was reported while it happened, but the kept motion did not contain it."""
    tried.do("open_sample", name="human")
    tried.do("live_start", figure=1, dynamics="walk", speed=1.2)
    run = tried.session.live
    tried.until(lambda: run.time > 0.3, 60)
    tried.do("impulse", figure=1, link="pelvis", point=[0, 0, 0], impulse=[0, 300, 0])
    tried.until(lambda: run.fallen, 60)
    tried.do("live_stop")
    motion = tried.session.project.motions[-1].motion
    assert motion.metadata["fell"] and motion.metadata["fall_time"] <= motion.time[-1]
    assert [e.what for e in motion.events] == ["fall"] and motion.verify().row("fall").holds


@pytest.mark.slow
def test_the_motion_of_a_live_run_says_on_which_ground_it_was_and_whether_forces_were_added(tried):
    """`verify` needs the ground; two grounds in one motion are not recorded, and pushes are said."""
    tried.do("open_sample", name="double_pendulum")
    tried.do("set_ground", ground={"kind": "flat"})
    for kind in ("flat", "slope"):
        tried.do("live_start", figure=1, dynamics="contact")
        run = tried.session.live
        tried.until(lambda run=run: run.time > 0.05, 60)
        if kind == "slope":
            tried.do("set_ground", ground={"kind": kind, "slope": 0.1})
            tried.until(lambda run=run: run.model.problem.scene.ground.__class__.__name__ == "HeightField", 60)
            tried.do("impulse", figure=1, link=tried.item.figure.links[1].name, point=[0, 0, 0], impulse=[0, 1, 0])
        tried.until(lambda run=run, t=run.time: run.time > t + 0.2, 60)
        tried.do("live_stop")
    level, changed = (item.motion.metadata for item in tried.session.project.motions)
    assert level["ground"]["height"] == 0.0 and "unrecorded_f_ext" not in level
    assert "ground" not in changed and changed["unrecorded_f_ext"]


def test_only_people_walk(tried):
    """A figure that is not a human cannot walk live, and the error says why."""
    tried.do("open_sample", name="double_pendulum")
    with pytest.raises(AnthropiError, match="cannot walk"):
        tried.do("live_start", figure=1, dynamics="walk")
