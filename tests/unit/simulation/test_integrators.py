"""Every method has its nominal order on the manifold: alone and in a tree, driven and not, whatever the joint."""

import functools

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.simulation.drive import Drive
from anthropi.simulation.integrators import METHODS, runge_kutta, semi_implicit_euler, stages
from anthropi.simulation.step import State, advance
from unit.simulation.systems import nothing, runner, system

TIME = 1.0  # [s]
STEPS = {  # a second, by order: few enough that errors stay above rounding, enough that the leading term rules
    "torque-free": {1: (400, 800), 2: (100, 200), 4: (40, 80), 5: (160, 320), 6: (30, 45), 8: (14, 20)},
    "forced": {1: (400, 800), 2: (100, 200), 4: (40, 80), 5: (80, 160), 6: (30, 45), 8: (14, 20)},
}


@functools.cache
def end(name, method, per_second):
    """Where the sixteen rollouts of a system end."""
    _, _, start = system(name)
    return runner(name, method)(*start, 1.0 / per_second, per_second * TIME)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", STEPS)
def test_measured_order_is_the_nominal_one(name, method):
    """How fast the mean square error of many rollouts falls with the step, joint by joint."""
    figure, _, _ = system(name)
    exact = end(name, "rk8", 250)
    few, many = STEPS[name][METHODS[method].order]
    for i, joint in enumerate(figure.joints):
        if joint.nu:
            of, errors = figure.u_of[i], []
            for found in (end(name, method, few), end(name, method, many)):
                square = figure.difference(found.q, exact.q) ** 2 + (found.u - exact.u) ** 2
                errors.append(square[:, of].mean() ** 0.5)
            order = np.log(errors[0] / errors[1]) / np.log(many / few)
            assert abs(order - METHODS[method].order) < 0.2, (joint.name, order)


def test_the_orders_are_measured_on_turns_through_the_change_of_chart():
    for name in STEPS:
        assert {"ball", "free", "exponential"} <= {j.kind for j in system(name)[0].joints}
    figure, _, start = system("torque-free")
    at = figure.q_of[figure.joint_index("exponential")]
    way = [runner("torque-free", "rk4")(*start, 0.01, k).q[:, at] for k in np.arange(0.0, 101.0, 5.0)]
    jumps = np.linalg.norm(np.diff(way, axis=0), axis=-1).max(0)
    assert (jumps > np.pi).sum() >= 8  # in so many of the sixteen r comes in from the other side


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_plain_steps_are_those_of_the_kernel(method):
    figure, drive, ((q, *_), (u, *_)) = system("forced")
    by_hand = advance(figure, drive, State(0.0, q, u), 0.01, method)
    there = runner("forced", method)(q, u, 0.01, 1.0)
    np.testing.assert_allclose(there.q, by_hand.q, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(there.u, by_hand.u, rtol=0.0, atol=1e-11)  # velocities up to 10


def test_the_short_forms_are_the_same_steps():
    figure, _, ((q, *_), (u, *_)) = system("forced")

    def rate(q, u):
        return direct_dynamics(figure, q, u, np.zeros(figure.nu))

    for short, method in ((runge_kutta, "rk4"), (semi_implicit_euler, "semi_implicit_euler")):
        there = advance(figure, nothing, State(0.0, q, u), 0.01, method)
        np.testing.assert_array_equal(np.concatenate(short(figure, rate, q, u, 0.01)), np.concatenate(there[1:3]))


def test_a_known_first_slope_is_not_computed_again():
    figure, _, ((q, *_), (u, *_)) = system("forced")
    calls = []

    def rate(t, q, u):
        calls.append(t)
        return np.zeros(figure.nu)

    m = METHODS["dormand_prince"]
    stages(figure, rate, 0.0, q, u, 0.1, m, range(7), np.zeros(figure.nu))
    assert len(calls) == 6  # seven stages, the first is the last of the step before
    np.testing.assert_allclose(calls, 0.1 * np.array(m.c[1:]))


def test_prescribed_joints_follow_their_acceleration_and_the_rest_gives_way():
    """A cosine prescribed for one hinge: q follows it to the order of the method."""
    figure = ap.sample("double_pendulum")
    held = figure.dofs[0]

    def drive(t, q, u):
        return Drive(udot=np.array([-0.3 * 4.0 * ap.scalar.cos(2.0 * t), 0.0]))

    state = State(0.0, np.array([0.3, 0.1]), np.zeros(2))
    for _ in range(50):
        state = advance(figure, drive, state, 0.01, "rk4", (held,))
    assert state.q[0] == pytest.approx(0.3 * np.cos(1.0), abs=1e-9)
    assert abs(state.q[1] - 0.1) > 0.1


@pytest.mark.slow
def test_implicit_springs_and_dampers_stay_calm_where_explicit_ones_explode():
    figure = ap.sample("chain", links=3, joint="ball")
    gains = np.full(figure.nu, 1e4), np.full(figure.nu, 1e3)  # h² kp and h kd: a thousand times the inertia

    def drive(t, q, u):
        return Drive(target=figure.neutral(), kp=gains[0], kd=gains[1])

    start = State(0.0, figure.random(np.random.default_rng(0)), np.zeros(figure.nu))
    calm = wild = start
    for _ in range(300):
        calm = advance(figure, drive, calm, 0.01, "linearly_implicit_euler")
    with np.errstate(all="ignore"):
        for _ in range(10):
            wild = advance(figure, drive, wild, 0.01, "semi_implicit_euler")
    assert np.abs(figure.difference(figure.neutral(), calm.q)).max() < 1e-2
    assert not np.abs(wild.u).max() < 1e3


@pytest.mark.slow
def test_operations_of_a_step():
    """A step of k stages costs k times direct dynamics, and k - 1 times integrate and lift: nothing else grows."""
    figure = ap.sample("bench42")
    zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu)}

    def cost(method):
        def step(q, u):
            return advance(figure, nothing, State(0.0, q, u), 1e-3, method)[1:]

        return ap.record(step, **zeros).operations

    dynamics = ap.record(lambda q, u: direct_dynamics(figure, q, u, np.zeros(figure.nu)), **zeros).operations
    assert cost("semi_implicit_euler") < dynamics + 1200
    for name, count in (("rk4", 4), ("dormand_prince", 6), ("rk6", 7), ("rk8", 11)):
        assert cost(name) < count * (dynamics + 2500), name
    assert cost("variational") < 20_000  # 12,000 once, 6,700 a pass


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rk4", "variational", "linearly_implicit_euler"])
def test_steps_have_derivatives(method):
    """Along a direction of the start, through the passes that solve an implicit step too."""
    figure = ap.sample("chain", links=2, joint="ball")
    rng = np.random.default_rng(8)
    q, (u, way) = figure.random(rng), rng.normal(size=(2, figure.nu))

    def end(u):
        def step(state):
            return advance(figure, nothing, state, 5e-3, method)

        return ap.repeat(step, State(np.array(0.0), q, u), 4).u

    tape = ap.record(end, u=u)
    _, slope = ap.build(tape.jvp("u"), opt=0)(u, way)
    kernel, h = ap.build(tape, opt=0), 1e-5
    by_hand = (kernel(u + h * way) - kernel(u - h * way)) / (2.0 * h)
    np.testing.assert_allclose(slope, by_hand, atol=1e-7 * np.abs(by_hand).max())
    if method == "rk4":
        _, gradient = ap.build(tape.vjp(wrt="u"), opt=0)(u, way)
        assert gradient["u"] @ way == pytest.approx(way @ slope, rel=1e-12)
