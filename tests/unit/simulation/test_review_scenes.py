"""What a stranger tried on scenes: going on from motions, what is recorded against independent sums, odd arguments."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import momentum
from anthropi.contact import Impulsive, Material, Plane
from anthropi.contact.geometry.features import Feature
from anthropi.contact.limits import HardLimits
from anthropi.errors import InputError
from anthropi.figure import Free, Link, Revolute, Shape
from anthropi.motion.contacts import contacts_of
from anthropi.motion.editing import moved_to
from anthropi.simulation.audit import energy_audit
from anthropi.simulation.drive import Drive
from anthropi.simulation.forces import Inputs
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.step import State, step


def body(size=(0.2, 0.2, 0.2), mass=5.0, name="brick"):
    link = Link.of("block", ap.spatial.box(size, mass=mass), [Shape("box", size)])
    return ap.figure_from_parts(name, [("", Free(name="root"), link)])


BRICK = body()
START = np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0])


class Noise:
    """Remembers a random number a step."""

    parameters, memory, prescribed = {}, {"x": 0.0}, ()

    def __call__(self, figure, sense, memory, parameters):
        return Drive(), {"x": sense.noise()}


def test_going_on_with_another_step_goes_on_from_the_same_time():
    first = ap.simulate(BRICK, START, [0, 0, 1, 1, 2, 3], Noise(), steps=20, opt=0)
    then = ap.simulate(BRICK, first, forces=Noise(), steps=20, dt=2e-3, opt=0)
    np.testing.assert_allclose(then.time, 0.02 + 2e-3 * np.arange(21), atol=1e-15)
    numbers = np.concatenate([first.channels["memory"][1:, 0], then.channels["memory"][1:, 0]])
    assert len(np.unique(numbers)) == 40  # none comes twice


def test_going_on_with_a_tolerance_moves():
    options = dict(method="dormand_prince", tolerance=1e-10, steps=20, every=10, opt=0)
    half = ap.simulate(BRICK, START, [1, 0, 0, 1, 2, 3], **options)
    there = ap.simulate(BRICK, half, **options)
    np.testing.assert_allclose(there.time, [0.02, 0.03, 0.04])
    assert there.q[-1, 0] == pytest.approx(0.04, abs=1e-12)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_every_rollout_has_random_numbers_of_its_own(precision):
    many = ap.simulate(BRICK, np.tile(START, (200, 1)), forces=Noise(), steps=2, seed=1, precision=precision, opt=0)
    assert len(np.unique(many.channels["memory"][:, 1, 0])) == 200


def test_one_rollout_of_a_batch_goes_on_as_in_the_batch():
    many = ap.simulate(BRICK, np.tile(START, (3, 1)), forces=Noise(), steps=4, opt=0)
    batch = ap.simulate(BRICK, many, forces=Noise(), steps=4, opt=0)
    alone = ap.simulate(BRICK, many.rollout(-1), forces=Noise(), steps=4, opt=0)
    np.testing.assert_array_equal(alone.channels["memory"], batch.channels["memory"][2])
    with pytest.raises(InputError, match=r"rollout\(3\): there are 3"):
        many.rollout(3)


def test_what_is_recorded_is_what_acts_in_the_step():
    """Springs too stiff for the step: accelerations are its own, and forces are those that inverse dynamics ask for."""
    hold = ap.controllers.Hold(BRICK, START, kp=1e6, kd=1e3, joints=["root"])
    start = START + np.array([0.01, 0, 0.5, 0, 0, 0, 0])
    motion = ap.simulate(BRICK, start, forces=hold, steps=5, record=("tau", "udot"), opt=0)
    tau, udot = motion.channels["tau"], motion.channels["udot"]
    np.testing.assert_allclose(udot[:-1], np.diff(motion.u, axis=0) / 1e-3, rtol=1e-9, atol=1e-8)
    needed = [inverse_dynamics(BRICK, q, u, a) for q, u, a in zip(motion.q, motion.u, udot, strict=True)]
    np.testing.assert_allclose(tau, needed, rtol=1e-9, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("dt", [1e-3, 4e-3])
def test_of_two_bodies_the_upper_one_is_carried(dt):
    scene = ap.Scene.of([BRICK, body((0.15, 0.15, 0.2))], names=["a", "b"], pairs=[("a/block", "b/block")], edges=False)
    q = np.concatenate([START, START + np.array([0, 0, 0.2, 0, 0, 0, 0])])
    motion = ap.simulate(scene, q, duration=1.0, dt=dt, every=50, record=("contact", "udot"), opt=0)
    on_b = [force if name.startswith("b/") else -force
            for name, force in zip([c.name for c in contacts_of(motion)], motion.channels["contact"][-1], strict=True)
            if not name.endswith("ground")]  # fmt: skip
    np.testing.assert_allclose(np.sum(on_b, axis=0), [0, 0, 5.0 * 9.81], atol=1e-3)
    assert np.abs(motion.channels["udot"][-1]).max() < 1e-3


@pytest.mark.slow
def test_a_box_at_rest_by_impulses_does_not_accelerate():
    scene = ap.Scene(BRICK, contact=Impulsive())
    motion = ap.simulate(scene, START, steps=10, every=10, record=("udot",), opt=0)
    assert np.abs(motion.channels["udot"][-1]).max() < 1e-9


def chain(lower=-0.3, upper=0.3):
    """A free body and two more by revolutes."""
    inertia = ap.spatial.box((0.1, 0.1, 0.4), mass=1.0, centre=(0.0, 0.05, -0.2))
    hinge = dict(lower=lower, upper=upper)
    return ap.figure_from_parts("chain", [("", Free(name="root"), Link.of("a", inertia)),
                                 ("a", Revolute(name="x", axis="x", **hinge), Link.of("b", inertia)),
                                 ("b", Revolute(name="y", axis="y", **hinge), Link.of("c", inertia))])  # fmt: skip


def test_hard_limits_keep_momentum_and_their_work_is_told():
    figure = chain()
    scene = ap.Scene(figure, ground=None, limits=HardLimits(), gravity=(0, 0, 0))
    u = np.array([0.1, 0.2, 0.3, 1.0, 2.0, 0.5, 3.0, -4.0])
    record = ("energy", "work")
    motion = ap.simulate(scene, figure.neutral(), u, steps=400, every=20, conserve=True, record=record, opt=0)
    assert np.abs(motion.q[:, 7:]).max() == pytest.approx(0.3, abs=1e-9)  # both ends were met
    there = [momentum(scene.figure, q, u) for q, u in zip(motion.q, motion.u, strict=True)]
    assert np.abs(np.array(there) - there[0]).max() < 1e-12
    fine = ap.simulate(scene, figure.neutral(), u, steps=4000, every=200, dt=1e-4, record=record, opt=0)
    audit = energy_audit(fine)
    assert audit.works["limits"][-1] < -0.01 * audit.energy[0]
    assert np.abs(audit.left_over).max() < 0.05 * -audit.works["limits"][-1]


@pytest.mark.parametrize("held", [["x"], ["root"]])
def test_springs_of_the_ground_yield_to_what_is_prescribed_on_both_ways(held):
    """The articulated-body way, and the way through the joint-space inertia (which hard limits take)."""
    figure, rng = chain(), np.random.default_rng(3)
    features = [Feature(f"p{i}", link, 0.1 * rng.normal(size=3)) for i, link in enumerate("abc")]
    q, u, udot = figure.random(rng), rng.normal(size=figure.nu), rng.normal(size=figure.nu)
    ends = []
    for limits in (None, HardLimits(exclude=("x", "y"))):
        scene = ap.Scene(figure, ground=Plane((0, 0, 3)), features=features, limits=limits,
                         material=Material(stiffness=1e5))  # fmt: skip
        problem = Problem(scene.figure, scene, prescribed=tuple(held))
        state = State(0.0, q, u, initial_memory(problem))
        base = lambda t, q, u: Drive(tau=np.zeros(figure.nu), udot=udot)  # noqa: E731
        ends.append(step(problem, state, 1e-3, Inputs(base)).state.u)
    np.testing.assert_allclose(*ends, rtol=1e-9, atol=1e-9)


def test_contacts_turn_with_a_motion_that_is_placed_and_change_sides_in_the_mirror():
    scene = ap.Scene(BRICK, material=Material(friction=0.5))
    motion = ap.simulate(scene, START, [2.0, 0.5, 0, 0, 0, 0], steps=20, every=10, opt=0)
    there = START + np.array([1.0, 2.0, 0, np.cos(0.4) - 1.0, 0, 0, np.sin(0.4)])
    turn = np.array([[np.cos(0.8), -np.sin(0.8), 0], [np.sin(0.8), np.cos(0.8), 0], [0, 0, 1]])
    moved = moved_to(motion, type("Frame", (), {"q": there}))
    np.testing.assert_allclose(moved.channels["contact"], motion.channels["contact"] @ turn.T, atol=1e-10)
    mirrored = motion.mirror()
    total = motion.channels["contact"].sum(1)
    np.testing.assert_allclose(mirrored.channels["contact"].sum(1), total * [1, -1, 1], atol=1e-12)
    assert total[-1, 1] < 0.0


def test_what_holds_a_loop_on_the_ground_balances_weight_and_contact():
    """Statics of the open tree: with the loop's force and the ground's as external forces no joint force is left."""
    figure = ap.sample("four_bar")
    q, u = ap.loops.close_loops(figure, figure.neutral(), np.array([2.0, 0.0, 0.0]))[:2]
    spot, loop = np.array([0.1, 0.0, 0.0]), figure.loops[0]
    scene = ap.Scene(figure, ground=Plane((0, 0, -0.15)), features=[Feature("p", "coupler", spot)])
    motion = ap.simulate(scene, q, u, duration=2.0, every=500, loop_forces=True, opt=0)
    q, held, pushed = motion.q[-1], motion.channels["closure.force"][-1], motion.channels["contact"][-1, 0]
    assert pushed[2] > 50.0
    k, f_ext = kinematics(figure, q), {}
    for link, place, wrench in (("rocker", loop.at_b.origin, held), ("coupler", spot, [0, 0, 0, *pushed])):
        i = figure.link_index(link)
        moment = wrench[:3] + np.cross(k.rotation[i] @ place, wrench[3:])
        f_ext[i] = np.concatenate([k.rotation[i].T @ moment, k.rotation[i].T @ wrench[3:]])
    rest = np.zeros(figure.nu)
    left = inverse_dynamics(figure.changed(loops=()), q, rest, rest, f_ext)
    np.testing.assert_allclose(left, rest, atol=1e-9)
    with pytest.raises(InputError, match=r"loop_forces cannot be computed with impulsive contact"):
        ap.simulate(scene.changed(contact=Impulsive()), q, steps=1, loop_forces=True)


ODD = [
    ({"command": 3.0}, r"'command' has shape \(\)"),
    ({"command": "word"}, r"'command' is of type str"),
    ({"command": [np.nan]}, r"'command' holds nan"),
    ({"parameters": {"kp": np.ones(3), "kd": np.ones(4)}}, r"'kp' has 3 rollouts, but other parameters have 4"),
    ({"parameters": {"kp": "stiff"}}, r"'kp' of the controller is not a finite number"),
    ({"record": 3}, r"record=3 is not valid. Give names"),
    ({"record": {"q": lambda figure, t, q, u: q}}, r"cannot have a channel named 'q'"),
    ({"prescribed": 3}, r"prescribed=3"),
    ({"root": 3, "method": "rk4"}, r"'3', but figure 'brick' has no such link"),
    (
        {"forces": type("Odd", (Noise,), {"__call__": lambda *given: None})()},
        r"controller returned an object of type NoneType",
    ),
    (
        {"forces": type("Odd", (Noise,), {"__call__": lambda *given: Drive()})()},
        r"controller returned an object of type Drive",
    ),
    ({"forces": ap.controllers.Freeze(["root"]), "u": np.zeros(3)}, r"'u' has shape \(3,\)"),
    ({"q": np.zeros((0, 7))}, r"0 rollouts"),
]


@pytest.mark.parametrize(("given", "said"), ODD, ids=range(len(ODD)))
def test_odd_arguments_are_told(given, said):
    hold = ap.controllers.Hold(BRICK, START, kp=1.0, kd=1.0, joints=["root"])
    options = {"q": START, "u": None, "forces": hold, "steps": 2, "opt": 0} | given
    with pytest.raises(InputError, match=said):
        ap.simulate(ap.Scene(BRICK), **options)


def test_momentum_cannot_be_put_into_what_is_held():
    with pytest.raises(InputError, match=r"the root is prescribed"):
        ap.simulate(chain(), chain().neutral(), prescribed=["root"], udot=np.zeros(8), steps=1, conserve=True)
