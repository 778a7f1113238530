"""Hill-type muscles: published values of the curves, moment arms, power balance, and work in simulations."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics, point_position, point_velocity
from anthropi.errors import InputError, ShapeError
from anthropi.figure import Ball, Free, Link, Revolute, figure_from_parts

A = ap.actuators
HUMAN = ap.human()
PATH = [("thorax", (0.05, 0.1, 0.2)), ("l_thigh", (0.03, 0.02, -0.1)), ("l_shank", (0.04, 0.0, -0.05)), "l_heel"]
PLAIN = A.Muscle("plain", [("", (0, 0, 0)), ("rod", (0, 0, 0))], 800.0, 0.1, 0.2)
PENNATE = A.Muscle("pennate", PLAIN.path, 800.0, 0.1, 0.2, pennation=0.4)


def test_values_of_the_curves():
    """The ranges that OpenSim documents for the same coefficients, and the defining values of the source."""
    assert A.active_force_length(1.0) == pytest.approx(1.0, abs=1e-15)
    assert A.force_velocity(0.0) == pytest.approx(1.0, abs=1e-15)
    assert A.force_velocity(-1.0) == pytest.approx(0.0, abs=1e-15)
    assert A.force_velocity(1.0) == pytest.approx(1.794, abs=5e-4)
    assert A.passive_force_length(1.6) == pytest.approx(1.0, abs=1e-15) and A.passive_force_length(1.0) == 0.0
    l, v = np.linspace(0.1, 2.0, 381), np.linspace(-1.5, 1.5, 301)
    active, passive, shape = A.active_force_length(l), A.passive_force_length(l), A.force_velocity(v)
    peak = np.argmax(active)
    assert abs(l[peak] - 1.0) < 0.02 and active.max() < 1.002  # the three terms peak at 1.015
    assert (np.diff(active[:peak]) >= 0.0).all() and (np.diff(active[peak:]) <= 0.0).all() and active.min() >= 0.0
    assert A.active_force_length(0.5) < 0.1 and A.active_force_length(1.6) < 0.15
    assert (np.diff(passive) >= 0.0).all() and (passive[l < 1.0] == 0.0).all()
    assert (np.diff(shape) >= 0.0).all() and (shape[v < -1.0] == 0.0).all()
    slope = np.diff(A.force_velocity(np.array([-1e-6, 0.0, 1e-6]))) / 1e-6
    np.testing.assert_allclose(slope, 0.3211346127989808 * 8.149 / np.hypot(0.374, 1.0), rtol=1e-5)


def test_tension_of_an_isometric_muscle():
    assert A.tension(PLAIN, 1.0, 0.3, 0.0)[0] == pytest.approx(800.0)
    assert A.tension(PLAIN, 0.5, 0.3, 0.0)[0] == pytest.approx(400.0)
    cosine = np.cos(0.4)
    assert A.tension(PENNATE, 1.0, 0.2 + 0.1 * cosine, 0.0)[0] == pytest.approx(800.0 * cosine)
    assert A.tension(PLAIN, 1.0, 0.19, 0.0)[0] < 0.01 * 800.0  # the tendon is slack
    assert A.tension(PLAIN, 0.0, 0.36, 0.0)[0] == pytest.approx(800.0)  # passive
    assert A.tension(PLAIN, 1.0, 0.3, -1.0)[0] == pytest.approx(0.0, abs=1e-12)  # 10 lengths per second
    assert A.tension(PLAIN, 1.0, 0.3, 0.0, {"max_force": 100.0})[0] == pytest.approx(100.0)


@pytest.mark.parametrize("muscle", [PLAIN, PENNATE], ids=lambda m: m.name)
def test_the_derivative_of_the_tension(muscle):
    rng, h = np.random.default_rng(0), 1e-6
    for _ in range(30):
        a, length, speed = rng.uniform(), 0.2 + rng.uniform(0.04, 0.17), rng.uniform(-0.9, 0.9)
        ahead, behind = (A.tension(muscle, a, length, speed + s * h)[0] for s in (1.0, -1.0))
        F, slope = A.tension(muscle, a, length, speed)
        assert slope == pytest.approx((ahead - behind) / (2 * h), rel=1e-6, abs=1e-3) and slope >= 0.0 <= F


def rate(muscle, a, e):
    """The right side of the source for the activation."""
    f = 0.5 * np.tanh(0.1 * (e - a))
    width = 0.5 + 1.5 * a
    return ((f + 0.5) / (muscle.activation_time * width) + width * (0.5 - f) / muscle.deactivation_time) * (e - a)


@pytest.mark.parametrize(("start", "excitation"), [(0.01, 1.0), (1.0, 0.0), (0.3, 0.6)])
def test_activation_follows_its_differential_equation(start, excitation):
    exact = solve_ivp(lambda t, a: rate(PLAIN, a, excitation), (0, 0.1), [start], rtol=1e-10, atol=1e-12).y[0, -1]
    errors = []
    for steps in (50, 100, 200):
        a = start
        for _ in range(steps):
            a = A.activation_after(PLAIN, a, excitation, 0.1 / steps)
            assert 0.0 <= a <= 1.0
        errors.append(abs(a - exact))
    assert errors[2] < 5e-3
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.3) or errors[0] < 1e-6  # first order


def test_activation_rises_faster_than_it_falls():
    rise = np.diff([0.2, A.activation_after(PLAIN, 0.2, 0.8, 0.01)])[0]
    fall = -np.diff([0.8, A.activation_after(PLAIN, 0.8, 0.2, 0.01)])[0]
    assert rise > fall > 0.0
    assert A.activation_after(PLAIN, 0.2, 1.0, 10.0) == pytest.approx(1.0)


def state(seed):
    rng = np.random.default_rng(seed)
    return HUMAN.integrate(ap.standing(HUMAN), 0.4 * rng.normal(size=HUMAN.nu)), rng.normal(size=HUMAN.nu)


@pytest.mark.parametrize("seed", range(3))
def test_moment_arms_are_the_gradient_of_the_length(seed):
    q, _ = state(seed)
    found, h = A.path_geometry(HUMAN, kinematics(HUMAN, q), q, PATH), 1e-6

    def length(v):
        there = HUMAN.integrate(q, v)
        return A.path_geometry(HUMAN, kinematics(HUMAN, there), there, PATH).length

    slope = [(length(h * e) - length(-h * e)) / (2 * h) for e in np.eye(HUMAN.nu)]
    np.testing.assert_allclose(found.arms, -np.array(slope), atol=1e-8)
    assert (found.arms[:6] == 0.0).all()  # a muscle does not push its figure as a whole
    assert np.abs(found.arms).max() > 0.01


@pytest.mark.parametrize("seed", range(3))
def test_muscles_give_the_power_that_they_lose(seed):
    """F L' = -τ·u, with L' from the velocities of the points."""
    q, u = state(seed)
    k = kinematics(HUMAN, q, u)
    found = A.path_geometry(HUMAN, k, q, PATH)
    heel = HUMAN.marker("l_heel")
    places = [(HUMAN.link_index(link), np.array(s)) for link, s in [*PATH[:-1], (heel.link, heel.point)]]
    p, v = (np.array([f(k, i, s) for i, s in places]) for f in (point_position, point_velocity))
    d, w = np.diff(p, axis=0), np.diff(v, axis=0)
    sizes = np.linalg.norm(d, axis=1)
    assert found.length == pytest.approx(sizes.sum(), rel=1e-14)
    tau = 500.0 * found.arms
    assert -tau @ u == pytest.approx(500.0 * ((d * w).sum(1) / sizes).sum(), rel=1e-12)


def floating():
    """Two bodies in weightlessness with a ball joint, and three muscles between them."""
    rod = Link.of("rod", ap.spatial.box((0.1, 0.1, 0.4), mass=2.0, centre=np.array([0, 0, 0.2])))
    other = Link.of("other", ap.spatial.box((0.1, 0.12, 0.3), mass=1.0, centre=np.array([0, 0, -0.15])))
    figure = figure_from_parts("two", [("", Free(name="root"), rod), ("rod", Ball(name="joint"), other)],
                               gravity=np.zeros(3))  # fmt: skip
    muscles = [
        A.Muscle(f"m{i}", [("rod", (x, y, 0.2)), ("rod", (x, y, 0.02)), ("other", (x, y, -0.12))], 300.0, 0.12, 0.2)
        for i, (x, y) in enumerate([(0.04, 0.0), (-0.03, 0.03), (0.0, -0.04)])
    ]
    return figure, muscles


@pytest.mark.parametrize(
    ("method", "conserve", "error"),
    [("linearly_implicit_euler", True, 1e-11), ("rk4", False, 1e-8)],  # rounding; fourth order of dt = 0.2 ms
)
def test_muscles_keep_momentum_and_do_the_work(method, conserve, error):
    figure, muscles = floating()

    def pulses(figure, sense):
        return np.array([0.5 + 0.5 * ap.scalar.sin(20.0 * sense.t + c) for c in (0.0, 2.0, 4.0)])

    controller = A.Muscles(figure, muscles, pulses)
    motion = ap.simulate(
        figure, figure.neutral(), forces=controller, duration=0.4, dt=2e-4, method=method, record=("energy",),
        conserve=conserve, opt=0,
    )  # fmt: skip
    momentum = ap.dynamics.momentum(figure, motion.q, motion.u)
    assert np.abs(momentum).max() < error
    length, F = motion.channels["sensor.length"][1:], motion.channels["sensor.tension"][1:]
    work = -((F[1:] + F[:-1]) / 2 * np.diff(length, axis=0)).sum()
    energy = motion.channels["energy"].sum(1)
    assert energy[-2] > 0.05 and work == pytest.approx(energy[-2], rel=0.02)  # first-order errors of dt
    a = motion.channels["sensor.activation"][1:]
    assert a.min() >= 0.0 and a.max() > 0.5


def test_strong_muscles_on_light_links_are_stable():
    """Without the implicit damping the step would need dt < 2 I / (r² ∂F/∂L') = 0.1 ms."""
    light = Link.of("light", ap.spatial.box((0.01, 0.01, 0.05), mass=0.02, centre=np.array([0, 0, -0.025])))
    figure = figure_from_parts("finger", [("", Revolute(name="joint", axis="y"), light)])
    muscles = [A.Muscle(n, [("", (x, 0, 0.1)), ("light", (x, 0, -0.02))], 2000.0, 0.06, 0.06)
               for n, x in (("front", 0.01), ("back", -0.01))]  # fmt: skip
    controller = A.Muscles(figure, muscles, [1.0, 0.6], activation=[1.0, 0.6])
    motion = ap.simulate(figure, [0.3], forces=controller, duration=0.5, dt=2e-3, opt=0)
    assert np.abs(motion.u[-50:]).max() < 1e-3 and np.isfinite(motion.q).all()


def test_excitations_are_numbers_commands_or_functions_and_rollouts_may_differ():
    figure, muscles = floating()
    q, wanted = figure.neutral(), np.array([0.2, 0.5, 0.9])
    by_function = A.Muscles(figure, muscles, lambda figure, sense: wanted)
    ends = [
        ap.simulate(figure, q, forces=c, steps=20, command=command, opt=0)
        for c, command in ((A.Muscles(figure, muscles, wanted), None), (A.Muscles(figure, muscles), wanted),
                           (by_function, None))
    ]  # fmt: skip
    for end in ends[1:]:
        np.testing.assert_allclose(end.q, ends[0].q, rtol=1e-12, atol=1e-14)
    given = {"excitation": [wanted, wanted * 0.5], "max_force": [[300.0] * 3, [100.0] * 3]}
    many = ap.simulate(figure, np.stack([q, q]), forces=A.Muscles(figure, muscles, wanted), steps=20, parameters=given,
                       opt=0)  # fmt: skip
    assert np.array_equal(many.q[0], ends[0].q) and not np.array_equal(many.q[1], ends[0].q)
    assert ends[0].verify().holds


def test_refusals():
    figure, muscles = floating()
    with pytest.raises(InputError, match="has 1 points"):
        A.Muscle("m", ["end"], 1.0, 1.0, 1.0)
    with pytest.raises(InputError, match="optimal_length of muscle 'm' is 0"):
        A.Muscle("m", PLAIN.path, 1.0, 0.0, 1.0)
    with pytest.raises(InputError, match="pennation 2"):
        A.Muscle("m", PLAIN.path, 1.0, 1.0, 1.0, pennation=2.0)
    with pytest.raises(InputError, match="different names"):
        A.Muscles(figure, [muscles[0], muscles[0]])
    with pytest.raises(InputError, match=r"No marker or link 'rood'.*Did you mean 'rod'"):
        A.Muscles(figure, [A.Muscle("m", ["rood", "other"], 1.0, 1.0, 1.0)])
    with pytest.raises(InputError, match="numbers from 0 to 1"):
        A.Muscles(figure, muscles, activation=2.0)
    with pytest.raises(ShapeError, match=r"excitations have shape \(2,\). Give \(3,\)"):
        ap.simulate(figure, figure.neutral(), forces=A.Muscles(figure, muscles), command=[1.0, 1.0], steps=1, opt=0)
