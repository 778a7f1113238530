"""The front: what it takes, what it refuses, and that bits do not depend on pieces, batches, lanes or threads."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.simulation import simulate as front
from anthropi.simulation.drive import Drive
from anthropi.simulation.integrators import METHODS
from anthropi.simulation.simulate import Lost
from anthropi.simulation.step import State, advance


@pytest.fixture(scope="module")
def arm():
    figure = ap.sample("floating_arm6")
    rng = np.random.default_rng(1)
    return figure, np.stack([figure.random(rng) for _ in range(11)]), rng.normal(size=(11, figure.nu))


def run(figure, q, u=None, forces=None, **options):
    return ap.simulate(figure, q, u, forces, **({"steps": 30, "dt": 0.01, "opt": 0} | options))


def by_hand(figure, q, u, drive, steps, dt=0.01, **options):
    state, states = State(0.0, q, u), [(q, u)]
    for k in range(steps):
        state = advance(figure, lambda t, q, u, k=k: drive(k, t, q, u), state._replace(t=k * dt), dt, **options)
        states.append((state.q, state.u))
    return [np.array(x) for x in zip(*states, strict=True)]


def same(a, b):
    """The same bits."""
    return np.array_equal(a.time, b.time) and np.array_equal(a.q, b.q) and np.array_equal(a.u, b.u)


# what drives


@pytest.mark.slow
def test_frames_are_the_start_and_every_so_manieth_step(arm):
    figure, (q, *_), (u, *_) = arm
    motion = run(figure, q, u, every=10, start=2.0)
    np.testing.assert_allclose(motion.time, [2.0, 2.1, 2.2, 2.3])
    qs, us = by_hand(figure, q, u, lambda *_: Drive(), 30)
    np.testing.assert_allclose(motion.q, qs[::10], atol=1e-12)
    np.testing.assert_allclose(motion.u, us[::10], atol=1e-11)
    assert np.array_equal(run(figure, q).u[0], np.zeros(figure.nu))


@pytest.mark.slow
def test_forces_constant_in_rows_and_as_a_function(arm):
    figure, q, u = arm
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(11, 30, figure.nu))
    one = run(figure, q[0], u[0], rows[0], every=5)
    qs, _ = by_hand(figure, q[0], u[0], lambda k, *_: Drive(tau=rows[0, k]), 30)
    np.testing.assert_allclose(one.q, qs[::5], atol=1e-11)
    many = run(figure, q, u, rows, every=5)
    assert np.array_equal(many.q[0], one.q) and many.q.shape == (11, 7, figure.nq)

    held = run(figure, q[0], u[0], rows[0, 0])
    assert same(held, run(figure, q[0], u[0], rows[:1, 0]))  # (1, nu)
    assert np.array_equal(run(figure, q[0], u[0], rows[:, :1]).q[0], held.q)  # (batch, 1, nu)

    def wave(figure, t, q, u):
        return ap.scalar.sin(3.0 * t) * rows[0, 0] - 0.001 * u

    waved = run(figure, q[0], u[0], wave, start=0.5)
    qs, _ = by_hand(figure, q[0], u[0], lambda k, t, q, u: Drive(tau=wave(figure, t + 0.5, q, u)), 30)
    np.testing.assert_allclose(waved.q, qs, atol=1e-11)


def test_a_function_is_recorded_anew_each_time():
    figure = ap.sample("pendulum")
    size = [1.0]

    def push(figure, t, q, u):
        return np.array([size[0]])

    first = run(figure, np.zeros(1), forces=push)
    size[0] = -1.0
    assert np.allclose(run(figure, np.zeros(1), forces=push).q, -first.q, atol=1e-12)


def test_a_drive_with_a_target_pulls_the_figure_there():
    figure = ap.sample("chain", links=3, joint="ball").changed(gravity=np.zeros(3))
    there = figure.random(np.random.default_rng(3))
    pull = Drive(target=there, kp=np.full(9, 50.0), kd=np.full(9, 9.0))
    motion = run(
        figure, figure.neutral(), forces=lambda *_: pull, steps=600, every=600, method="linearly_implicit_euler"
    )
    assert np.abs(figure.difference(there, motion.q[-1])).max() < 1e-3


@pytest.mark.slow
def test_external_forces_by_link_as_an_array_and_as_a_function(arm):
    figure, (q, *_), (u, *_) = arm
    push = np.array([0.1, 0.2, -0.1, 5.0, 0.0, -3.0])
    whole = np.zeros((figure.n, 6))
    whole[figure.link_index("base")] = push
    wanted = run(figure, q, u, f_ext=whole)
    for given in ({"base": push}, lambda figure, t, q, u: {"base": push}):
        np.testing.assert_allclose(run(figure, q, u, f_ext=given).q, wanted.q, atol=1e-12)
    many = run(figure, q, u, f_ext={"base": np.stack([push, 0.0 * push])})
    np.testing.assert_allclose(many.q[0], wanted.q, atol=1e-12)
    np.testing.assert_allclose(many.q[1], run(figure, q, u).q, atol=1e-12)
    assert np.abs(wanted.q - many.q[1]).max() > 1e-3


def test_prescribed_joints_follow_rows(arm):
    figure, (q, *_), (u, *_) = arm
    held = ["elbow", "root"]
    at = list(figure.dof_indices(held))
    rows = np.random.default_rng(4).normal(size=(30, figure.nu))
    rows[:, [k for k in range(figure.nu) if k not in at]] = 1e6  # not read
    motion = run(figure, q, u, udot=rows, prescribed=held, method="semi_implicit_euler")
    np.testing.assert_allclose(np.diff(motion.u[:, at], axis=0), 0.01 * rows[:, at], atol=1e-12)
    assert np.isfinite(motion.u).all() and np.abs(motion.u).max() < 1e3


@pytest.mark.slow
def test_parameters_are_inputs_of_the_same_kernel(arm):
    figure, (q, *_), (u, *_) = arm
    masses = np.array([30.0, 60.0, 90.0])
    many = run(figure, q, u, parameters={"base.mass": masses})
    for k, mass in enumerate(masses):
        other = figure.with_numbers(["base.mass"], [mass])
        np.testing.assert_allclose(many.q[k], run(other, q, u).q, atol=1e-11)
    one = run(figure, q, u, parameters={"base.mass": 30.0})
    assert np.array_equal(one.q, many.q[0]) and one.figure.links[0].mass == 30.0
    with pytest.raises(ap.AnthropiError, match="mass"):
        run(figure, q, u, parameters={"base.mass": [-1.0, 2.0]})


# bits


@pytest.mark.parametrize("method", ["rk4", "variational"])
def test_bits_do_not_depend_on_batch_lanes_threads_or_place(arm, method):
    figure, q, u = arm
    many = run(figure, q, u, every=10, method=method)
    assert same(many, run(figure, q, u, every=10, method=method, threads=2))
    back = run(figure, q[::-1], u[::-1], every=10, method=method, threads=1)
    assert np.array_equal(back.q[::-1], many.q) and np.array_equal(back.u[::-1], many.u)
    for k in (0, 10):
        assert np.array_equal(run(figure, q[k], u[k], every=10, method=method).q, many.q[k])


@pytest.mark.slow
def test_bits_do_not_depend_on_where_the_run_is_cut(arm, monkeypatch):
    """Pieces of other lengths, in the middle of frames too; frames or none between."""
    figure, (q, *_), (u, *_) = arm

    def wave(figure, t, q, u):
        return 0.01 * ap.scalar.sin(5.0 * t) - 0.001 * u

    whole = run(figure, q, u, wave, steps=300, every=100)
    fine = run(figure, q, u, wave, steps=300, every=1)
    assert np.array_equal(fine.q[::100], whole.q)
    told = []
    monkeypatch.setattr(front, "REPORT_STEPS", 37)
    cut = run(figure, q, u, wave, steps=300, every=100, progress=lambda *at: told.append(at))
    assert same(cut, whole)
    assert told[:3] == [(37, 300), (74, 300), (111, 300)] and told[-1] == (300, 300)
    monkeypatch.setattr(front, "PIECE_SIZES", (2, 1))
    assert same(run(figure, q, u, wave, steps=300, every=100), whole)
    rows = 0.01 * np.random.default_rng(5).normal(size=(300, figure.nu))
    short = run(figure, q, u, rows, steps=300, every=20)
    monkeypatch.setattr(front, "PIECE_SIZES", (64, 8, 1))
    assert same(run(figure, q, u, rows, steps=300, every=20), short)


def test_one_kernel_serves_runs_of_any_length(arm, monkeypatch):
    from anthropi.simulation import time_loop

    figure, (q, *_), (u, *_) = arm
    monkeypatch.setattr(time_loop, "_programs", time_loop.KeptByContent(8))
    for options in ({"steps": 7}, {"steps": 700, "every": 7, "dt": 0.001}, {"steps": 30, "start": 1.0}):
        run(figure, q, u, **options)
    assert len(time_loop._programs) == 1


def test_single_precision_stays_near_double(arm):
    figure, q, u = arm
    single, double = run(figure, q, u, precision="float32", every=30), run(figure, q, u, every=30)
    assert single.q.dtype == np.float32
    np.testing.assert_allclose(single.q, double.q, atol=1e-4)
    solved = run(figure, q, u, precision="float32", every=30, method="variational")
    np.testing.assert_allclose(solved.q, double.q, atol=5e-3)  # second order at 10 ms


# what it refuses


def test_a_lost_rollout_is_an_error_or_an_event():
    figure = ap.sample("pendulum")

    def wall(figure, t, q, u):
        return ap.scalar.where(ap.scalar.less(1.0, q), np.inf, 0.0)  # no way past 1 rad

    q, u = np.zeros((3, 1)), np.array([[0.1], [9.0], [8.0]])
    with pytest.raises(
        ap.AnthropiError, match=r"'pendulum': after t = 0\.1\d s the state of rollout 1 of 3 \(and 1 more\) is not fin"
    ):
        run(figure, q, u, wall)
    motion = run(figure, q, u, wall, strict=False)
    assert [e.rollout for e in motion.events] == [1, 2] and all(isinstance(e, Lost) for e in motion.events)
    assert np.isfinite(motion.q[0]).all() and np.isnan(motion.q[1, -1]).all()
    assert motion.rollout(2).events == motion.events[1:]
    assert motion.events[0].time == motion.time[np.isfinite(motion.q[1, :, 0])][-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps=0 is not valid. Give an integer number of steps, at least 1"),
        ({"steps": 30, "every": 7}, r"not a multiple of every=7.* Use steps=28 or 35"),
        ({"dt": 0.0}, "dt=0.0 is not valid. Give a positive"),
        ({"dt": "x"}, "dt='x' is not valid. Give a positive"),
        ({"method": "rk5"}, r"No method 'rk5'. Did you mean 'rk\d'"),
        ({"q": np.zeros(3)}, r"'q' has shape \(3,\). Give \(13,\) or \('batch', 13\)"),
        ({"u": np.full(12, np.nan)}, r"'u' holds nan at \(0,\)"),
        ({"q": np.zeros(13)}, "quaternion"),
        ({"forces": np.zeros((4, 12))}, r"'forces' has shape \(4, 12\). Give \(12,\), \(1, 12\), \(30, 12\)"),
        (
            {"u": np.zeros((3, 12)), "forces": np.zeros((2, 1, 12))},
            "'forces' has 2 rollouts, but other arguments have 3",
        ),
        ({"forces": lambda *_: 0.0}, r"'forces' has shape \(\). It must have shape \(12,\)"),
        (
            {"f_ext": lambda *_: {"base": np.zeros(3)}},
            r"'f_ext' has shape \(3,\). It must have shape \(6,\)",
        ),
        ({"f_ext": {"bse": np.zeros(6)}}, "Did you mean 'base'"),
        ({"f_ext": np.zeros((2, 6))}, r"'f_ext' has shape \(2, 6\). Give \(7, 6\)"),
        ({"prescribed": ["elbow"]}, "Give both options, or neither"),
        ({"prescribed": ["elbo"], "udot": np.zeros(12)}, "Did you mean 'elbow'"),
        ({"prescribed": "elbow", "udot": np.zeros(12), "method": "variational"}, "cannot prescribe elbow"),
        ({"parameters": {"base.mss": 1.0}}, "Did you mean 'base.mass'"),
        ({"precision": "float32", "steps": 1 << 24}, "float32 can count 16777215 steps, not 16777216"),
        ({"target": "tpu"}, "Unknown target 'tpu'"),
    ],
)
def test_bad_input_is_answered(arm, options, message):
    figure, (q, *_), (u, *_) = arm
    given = {"q": q, "u": u} | options
    with pytest.raises(ap.AnthropiError, match=message):
        run(figure, given.pop("q"), given.pop("u"), **given)


def test_no_figure_and_no_tree():
    with pytest.raises(ap.AnthropiError, match="first argument of simulate is of type ndarray"):
        ap.simulate(np.zeros(3), np.zeros(3), steps=1)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_one_the_front_takes(method):
    motion = run(ap.sample("double_pendulum"), np.array([0.3, 0.2]), method=method, steps=2, dt=1e-3)
    exact = run(ap.sample("double_pendulum"), np.array([0.3, 0.2]), steps=20, every=10, dt=1e-4)
    np.testing.assert_allclose(motion.q, exact.q, atol=1e-4)
