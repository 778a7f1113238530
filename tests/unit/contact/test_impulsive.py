"""Impulsive contact: what comes to rest, slides, bounces, piles up; what it solves together; that kernels agree."""

import functools

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.elimination import eliminate
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.impulsive.setup import set_up
from anthropi.contact.impulsive.solve import solved
from anthropi.contact.material import Material
from anthropi.contact.model import Rows
from anthropi.contact.scene import Scene
from anthropi.contact.touches import tangents
from oracle.contact_problems import natural_map
from unit.contact.impulsive_steps import ball, box, brick_wall, problem, run, step

G = 9.81


def on_ground(figure, height):
    q = np.array(figure.neutral())
    q[2] = height
    return q


def test_a_box_rests():
    figure = box()
    scene, q = Scene(figure, contact=Impulsive()), on_ground(figure, 0.05)
    frames = run(scene, q, np.zeros(6), 5000, 2e-3, every=50)
    assert frames["gaps"].min() >= -1e-3
    assert np.abs(frames["q"] - q).max() <= 1e-6
    weight = frames["impulses"].sum(1) / 2e-3
    np.testing.assert_allclose(weight[:, 2], 2.0 * G, rtol=1e-3)
    assert np.abs(weight[:, :2]).max() < 1e-9


def test_a_sliding_block_stops_where_it_must():
    figure, mu, v = box(), 0.4, 2.0
    scene = Scene(figure, contact=Impulsive(), material=Material(friction=mu))
    frames = run(scene, on_ground(figure, 0.05), np.array([v, 0, 0, 0, 0, 0]), 1000, 1e-3)
    assert np.isclose(frames["q"][-1, 0], v**2 / (2.0 * mu * G), rtol=0.01)
    assert np.abs(frames["u"][-1]).max() < 1e-12
    impulses = frames["impulses"]
    reach = np.hypot(impulses[..., 0], impulses[..., 1])
    assert (reach <= mu * impulses[..., 2] * (1.0 + 1e-6)).all()
    assert reach.max() > 0.0


@pytest.mark.parametrize("e", [0.5, 0.8])
def test_a_balls_heights_follow_the_square_of_the_restitution(e):
    figure = ball()
    scene = Scene(figure, contact=Impulsive(), material=Material(restitution=e))
    z = run(scene, on_ground(figure, 1.1), np.zeros(6), 8000, 2.5e-4)["q"][:, 2] - 0.1
    tops = z[1:-1][(z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:])]
    np.testing.assert_allclose(tops[:3], e ** (2.0 * np.arange(1, 4)), rtol=0.01)


def test_a_dropped_ball_comes_to_rest():
    figure = ball()
    scene = Scene(figure, contact=Impulsive(), material=Material(restitution=0.5))
    frames = run(scene, on_ground(figure, 0.2), np.zeros(6), 1500, 1e-3, every=100)
    assert np.abs(frames["u"][-1]).max() < 1e-12 and abs(frames["q"][-1, 2] - 0.1) < 1e-4


@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_contact_makes_no_energy(e):
    """A thrown box tumbles on the ground: what impulses change in kinetic energy, step by step."""
    figure, dt = box(), 1e-3
    scene = Scene(figure, contact=Impulsive(), material=Material(friction=0.5, restitution=e))
    start = np.array([2.0, 0.5, -1.0, 5.0, -8.0, 3.0])
    frames = run(scene, on_ground(figure, 0.4), start, 1500, dt)
    worst, hits = -1.0, 0
    for q, u, after, P in zip(frames["q"], frames["u"], frames["u"][1:], frames["impulses"][1:], strict=False):
        if not P.any():
            continue
        hits += 1
        free = u + dt * direct_dynamics(figure, q, u, np.zeros(6))
        total = kinetic_energy(figure, q, u) + potential_energy(figure, q)
        worst = max(worst, (kinetic_energy(figure, q, after) - kinetic_energy(figure, q, free)) / total)
    assert hits > 3 and worst <= 1e-6


def test_a_pile_of_25_bodies_with_100_contacts_comes_to_rest():
    scene, q = brick_wall(5, 5, Impulsive(tolerance=1e-5, passes=30))
    assert len(scene.candidates) == 100
    frames = run(scene, q, np.zeros(scene.figure.nu), 300, 5e-3, every=30)
    energies = [kinetic_energy(scene.figure, a, b) for a, b in zip(frames["q"], frames["u"], strict=True)]
    assert max(energies[3:]) < 1e-4
    assert frames["gaps"].min() > -2e-3
    ground = frames["impulses"][-1][:20].sum(0) / 5e-3
    np.testing.assert_allclose(ground[2], 25.0 * G, rtol=1e-3)


@pytest.mark.parametrize("mu", [0.5, 1.4, 3.0])
@pytest.mark.parametrize("angle", [30.0, 60.0, 80.0])
def test_a_painleve_rod_gets_a_finite_impulse_in_the_cone(mu, angle):
    """A thin rod slides with its lower end on rough ground; for μ > 4/3 accelerations alone would be inconsistent."""
    link = ap.spatial.cylinder(0.005, 1.0, mass=1.0)
    shape = ap.figure.Shape("capsule", (0.0, 1.0), name="rod")
    figure = ap.figure.assemble("rod", [(None, ap.figure.Free(name="root"), ap.figure.Link.of("rod", link, [shape]))],
                                [ap.figure.Marker("sole", "rod", np.array([0.0, 0.0, -0.5]))])  # fmt: skip
    scene = Scene(figure, features=["sole"], contact=Impulsive(), material=Material(friction=mu))
    lean = np.deg2rad(90.0 - angle)
    q = np.array([0.0, 0.0, 0.5 * np.cos(lean), np.cos(0.5 * lean), 0.0, np.sin(0.5 * lean), 0.0])
    for v in (1.0, -1.0):
        u = np.array([v, 0.0, 0.0, 0.0, 0.0, 0.0])
        after = step(scene, q, u, scene.contact.memory(scene), 1e-3)
        M, W, found = problem(scene, q, u)
        assert abs(found[0].gap) < 1e-12
        P = after.impulses @ np.stack([found[0].normal, *tangents(found[0].normal)]).T
        free = u + 1e-3 * direct_dynamics(figure, q, u, np.zeros(6))
        assert np.isfinite(P).all() and P[0, 0] > 0.0
        assert natural_map(M, W, after.u - free, P, (W @ after.u).reshape(-1, 3), [mu]) <= 1e-8


# what is solved together ---------------------------------------------------------------------------------------------


@functools.cache
def standing():
    """bench42 on its feet, with eight touches, and velocities that press, twist and slide them."""
    figure = ap.sample("bench42")
    scene = Scene(figure, features="feet", contact=Impulsive(), material=Material(friction=0.6))
    u = 0.2 * np.random.default_rng(5).normal(size=42)
    u[2] -= 0.2
    return scene, on_ground(figure, 0.96), u


def test_limits_and_loops_are_solved_with_the_contacts():
    scene, q, u = standing()
    rng = np.random.default_rng(3)
    J = np.zeros((7, 42))
    J[:4] = np.eye(42)[[20, 21, 30, 31]] * np.array([1.0, -1.0, 1.0, -1.0])[:, None]  # hard limits of leg joints
    J[4:] = rng.normal(size=(3, 42))
    J[6] = J[4] + J[5]  # a loop's row that says nothing new
    lacks = np.array([0.0, 0.0, 0.0, 0.0, 0.1, -0.2, -0.1])
    gap = np.array([0.0, 0.0, 0.0, 1e-4, 0.0, 0.0, 0.0])
    more = Rows(J, gap, lacks, np.zeros(7), (True,) * 4 + (False,) * 3)
    M, W, found = problem(scene, q, u)
    k = kinematics(scene.figure, q, u)
    blow = Impulsive().impulse(
        scene, found, k, eliminate(scene.figure, M), u, u, Impulsive().memory(scene), 1e-3, more, q
    )
    P = blow.impulses[:, [2, 0, 1]]
    rest = M @ (blow.u - u) - J.T @ blow.more
    np.testing.assert_allclose(rest, W.T @ P.ravel(), atol=1e-8)
    speeds = (W @ blow.u).reshape(-1, 3)
    A = W @ np.linalg.solve(M, W.T)
    off = natural_map(np.eye(24), np.eye(24), P.ravel(), P, speeds, [0.6] * 8)
    assert off <= 1e-8 and A.shape == (24, 24)
    np.testing.assert_allclose(J[4:] @ blow.u, lacks[4:], atol=1e-9)
    slack = J[:4] @ blow.u + np.array([0.0, 0.0, 0.0, 0.1])  # 0.1 mm may be closed in a millisecond
    assert slack.min() >= -1e-8 and blow.more[:4].min() >= 0.0
    assert np.minimum(slack, blow.more[:4]).max() <= 1e-8 and blow.more[:4].max() > 0.0


def test_a_start_from_the_answer_needs_no_pass():
    scene, q, u = standing()
    M, _, found = problem(scene, q, u)
    k, tree, model = kinematics(scene.figure, q, u), eliminate(scene.figure, M), Impulsive()
    setup = set_up(scene, k, q, tree, found, None, True)
    asked = model.asked(setup, found, u, u, [], model.memory(scene), 1e-3)
    cold = solved(setup.conditions, setup.halves, asked.b, asked.start, model.tolerance, model.passes)
    warm = solved(setup.conditions, setup.halves, asked.b, cold.impulses, model.tolerance, model.passes)
    assert cold.off <= 1e-9 and warm.off <= 1e-9
    assert warm.passes == 0.0


def test_the_kernel_is_the_plain_function():
    scene, q, u = standing()
    memory = scene.contact.memory(scene)

    def one(q, u):
        after = step(scene, q, u, memory, 1e-3)
        return {"u": after.u, "impulses": after.impulses, "q": after.q}

    tape = ap.record(one, q=q, u=u)
    plain, kernel = one(q, u), ap.build(tape, opt=0)(q, u)
    for name, value in plain.items():
        np.testing.assert_allclose(kernel[name], value, atol=1e-8)  # what the tolerance of the solve leaves free
