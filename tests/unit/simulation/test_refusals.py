"""What a drive and the front of a simulation refuse, and that a rollout that is lost says why."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, StepError
from anthropi.figure import Euler, Link, Weld
from anthropi.simulation import adaptive
from anthropi.simulation import simulate as front
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.integrators import METHODS
from anthropi.simulation.step import State, advance

PUSH = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def figure():
    return ap.sample("double_pendulum")


def run(figure, q=(1.5, 0.0), u=None, forces=None, **options):
    return ap.simulate(figure, q, u, forces, **({"steps": 5, "opt": 0} | options))


# drives


def test_forces_on_named_links_in_a_drive_count(figure):
    wanted = run(figure, f_ext={"link_1": PUSH})
    found = run(figure, forces=lambda *_: Drive(f_ext={"link_1": PUSH}))
    assert np.array_equal(found.q, wanted.q) and np.abs(wanted.q - run(figure).q).max() > 1e-6
    with pytest.raises(InputError, match="Both the drive and an argument contain f_ext"):
        run(figure, forces=lambda *_: Drive(f_ext={"link_1": PUSH}), f_ext={"link_1": PUSH})
    with pytest.raises(InputError, match="Did you mean 'link_1'"):
        checked(figure, Drive(f_ext={"link_l": PUSH}))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tau": [1.0]}, r"'forces' has shape \(1,\). It must have shape \(2,\)"),
        ({"target": np.zeros(3)}, r"'target' has shape \(3,\). It must have shape \(2,\)"),
        ({"target": np.zeros(2), "kp": np.ones(1)}, r"'kp' has shape \(1,\)"),
        ({"kd": np.ones((2, 2))}, r"'kd' has shape \(2, 2\)"),
        ({"udot": [0.0]}, r"'udot' has shape \(1,\)"),
        ({"f_ext": np.zeros(6)}, r"'f_ext' has shape \(6,\). It must have shape \(2, 6\)"),
        ({"f_ext": {2: PUSH}}, "f_ext has link 2. Give a link name, or a number from 0 to 1"),
        ({"f_ext": {0: PUSH[:3]}}, r"'f_ext' has shape \(3,\). It must have shape \(6,\)"),
    ],
)
def test_fields_of_a_drive_have_sizes(figure, fields, message):
    with pytest.raises(InputError, match=message):
        checked(figure, Drive(**fields))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_refuses_springs_to_nowhere(figure, method):
    with pytest.raises(InputError, match="The drive has kp, but no target"):
        advance(figure, lambda *_: Drive(kp=1.0), State(0.0, np.zeros(2), np.zeros(2)), 1e-3, method)


@pytest.mark.parametrize("method", ["rk4", "linearly_implicit_euler", "variational"])
def test_one_gain_is_for_all(figure, method):
    state = State(0.0, np.array([1.5, 0.0]), np.ones(2))
    one = advance(figure, lambda *_: Drive(target=[0.5, 0.0], kp=9.0, kd=2), state, 1e-2, method)
    all_ = Drive(target=np.array([0.5, 0.0]), kp=np.full(2, 9.0), kd=np.full(2, 2.0))
    assert np.array_equal(one.u, advance(figure, lambda *_: all_, state, 1e-2, method).u)


def test_accelerations_come_from_somewhere(figure):
    with pytest.raises(InputError, match="The drive has no udot, but joint_0 is prescribed"):
        advance(
            figure, lambda *_: Drive(tau=np.zeros(2)), State(0.0, np.zeros(2), np.zeros(2)), 1e-3, "rk4", ("joint_0",)
        )
    led = run(figure, forces=lambda *_: Drive(udot=[0.5, 0.0]), prescribed="joint_0")
    assert np.array_equal(led.q, run(figure, udot=[0.5, 0.0], prescribed="joint_0").q)


# the front


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prescribed": [0], "udot": np.zeros(2)}, r"prescribed=\[0\] is not valid. Give names"),
        ({"prescribed": None}, "prescribed=None is not valid. Give names"),
        ({"parameters": [1.0]}, r"parameters=\[1.0\] is not valid. Give a dictionary"),
        ({"method": ["rk4"]}, r"No method '\['rk4'\]'"),
        ({"progress": True}, "progress=True is not valid. Give a function"),
        ({"precision": "float32", "steps": np.int64(1 << 24)}, "float32 can count 16777215 steps, not 16777216"),
        ({"u": np.zeros((5, 2)), "forces": np.zeros((5, 2))}, r"ambiguous.* forces\[:, None\]"),
        ({"forces": np.zeros((5, 2)), "parameters": {"link_1.mass": np.ones(5)}}, "ambiguous"),
    ],
)
def test_bad_input_is_answered(figure, options, message):
    with pytest.raises(InputError, match=message):
        run(figure, **options)


@pytest.mark.slow
def test_rows_of_parameters_are_looked_at_one_by_one(figure):
    rows = np.tile(figure.links[1].tensor[np.triu_indices(3)], (4, 1))
    rows[1, 0], rows[2, 3], rows[2, 5] = 10.0, 5.0, 5.0
    with pytest.raises(InputError, match=r"Row 1 of parameters is invalid.*'link_1'"):  # the ends make real bodies
        run(figure, parameters={"link_1.tensor": rows})
    many = np.linspace(1.0, 2.0, 1000)
    many[700] = -1.0
    with pytest.raises(InputError, match=r"Row 700 of parameters is invalid.*mass"):
        run(figure, parameters={"link_1.mass": many})


# rollouts that are lost


def test_a_lost_rollout_tries_no_more_in_frames_nobody_wants(figure, monkeypatch):
    monkeypatch.setattr(adaptive, "MAX_ATTEMPTS", 3)
    stride = adaptive.first_stride(lambda t, q, u: u, 0.0, np.zeros(2), np.ones(2), np.array(1e-3), 4)

    def never(t, q, u):
        raise AssertionError("tried")

    stride = stride._replace(ahead=np.array(-0.01))  # it did not get to the last frame
    after, _, u = adaptive.next_frame(figure, never, 0.0, stride, 0.0, 1e-6, METHODS["dormand_prince"])
    assert after.tries == 0 and np.isnan(u).all()


@pytest.mark.parametrize("options", [{"method": "rk4"}, {"method": "dormand_prince", "tolerance": 1e-6}])
def test_a_singular_joint_is_named(options):
    body = Link("body", 2.0, (0.1, 0.0, -0.2), np.diag([0.1, 0.2, 0.3]))
    hull = Link("hull", 3.0, (0, 0, 0), np.eye(3))
    figure = ap.figure_from_parts(
        "arm", [("", Weld(name="root"), hull), ("hull", Euler(name="shoulder", order="xyz"), body)]
    )
    lock = np.array([[0.3, 0.1, 0.1], [0.3, np.pi / 2, 0.1]])
    said = "rollout 1 of 2 .*Joint 'shoulder' of link 'body' was singular shortly before: its axes are aligned"
    with pytest.raises(StepError, match=said):
        run(figure, lock, np.ones(3), np.ones(3), **options)


def test_with_a_tolerance_the_advice_is_about_it():
    with pytest.raises(StepError, match=r"tolerance = 1e-06\. Use a larger tolerance, or `longest`"):
        run(ap.sample("pendulum"), [0.0], [1.0], lambda f, t, q, u: u * u * u * 1e6, steps=1, dt=0.01,
            method="dormand_prince", tolerance=1e-6)  # fmt: skip


def test_runs_are_cut_with_and_without_progress(figure, monkeypatch):
    """Rows and adaptive steps are cut between frames; no bit changes."""
    rows = np.random.default_rng(0).normal(size=(100, 2))
    kinds = ({}, {"forces": rows}, {"method": "dormand_prince", "tolerance": 1e-6})
    wanted = [run(figure, steps=100, every=2, **kind) for kind in kinds]
    calls, made = [], front.compiled

    def counted(*given):
        kernel = made(*given)
        return lambda **inputs: calls.append(inputs["limit"]) or kernel(**inputs)

    monkeypatch.setattr(front, "compiled", counted)
    for k, ends in enumerate(([33, 66, 99, 100], [32, 64, 96, 100], [32, 64, 96, 100])):
        monkeypatch.setattr(front, "REPORT_STEPS", 33)
        told = []
        cut = run(figure, steps=100, every=2, progress=lambda *at, told=told: told.append(at[0]), **kinds[k])
        assert told == ends and np.array_equal(cut.q, wanted[k].q) and np.array_equal(cut.u, wanted[k].u)
        monkeypatch.setattr(front, "REPORT_STEPS", 1)  # 32 steps of a figure as small as this
        calls.clear()
        cut = run(figure, steps=100, every=2, **kinds[k])
        assert len(calls) == 4 and np.array_equal(cut.q, wanted[k].q) and np.array_equal(cut.u, wanted[k].u)
