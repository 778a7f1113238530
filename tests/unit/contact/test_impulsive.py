"""Impulsive contact: what comes to rest, slides, bounces, piles up; what it solves together; that kernels agree."""

import functools

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.contacts import contacts, tangents
from anthropi.contact.geometry.surfaces import Plane
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.impulsive.setup import set_up
from anthropi.contact.impulsive.solve import solved
from anthropi.contact.material import Material
from anthropi.contact.model import Rows
from anthropi.contact.scene import Obstacle, Scene
from anthropi.errors import InputError
from oracle.contact_problems import natural_map
from unit.contact.impulsive_steps import ball, box, brick_wall, problem, run, step

G = 9.81


def on_ground(figure, height):
    q = np.array(figure.neutral())
    q[2] = height
    return q


@pytest.mark.slow
def test_a_box_rests():
    figure = box()
    scene, q = Scene(figure, contact=Impulsive()), on_ground(figure, 0.05)
    frames = run(scene, q, np.zeros(6), 5000, 2e-3, every=50)
    assert frames["gaps"].min() >= -1e-3
    assert np.abs(frames["q"] - q).max() <= 1e-6
    weight = frames["impulses"].sum(1) / 2e-3
    np.testing.assert_allclose(weight[:, 2], 2.0 * G, rtol=1e-3)
    assert np.abs(weight[:, :2]).max() < 1e-9


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("e", [0.5, 0.8, 1.0])
def test_a_balls_heights_follow_the_square_of_the_restitution(e):
    """Steps of 1 ms, every bounce down to a millimetre, to a thousandth: impacts are timed within their step."""
    figure = ball()
    scene = Scene(figure, contact=Impulsive(), material=Material(restitution=e))
    z = run(scene, on_ground(figure, 1.1), np.zeros(6), 3000, 1e-3)["q"][:, 2] - 0.1
    k = np.flatnonzero((z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:])) + 1
    tops = z[k] + (z[k + 1] - z[k - 1]) ** 2 / (8.0 * (2.0 * z[k] - z[k + 1] - z[k - 1]))  # of the parabola
    tops = tops[tops > 1e-3]
    assert len(tops) >= 3
    np.testing.assert_allclose(tops / np.array([1.0, *tops[:-1]]), e * e, rtol=1e-3)


@pytest.mark.slow
def test_a_box_on_a_belt_is_carried_along():
    def belt(t):
        return Transform(np.eye(3), np.zeros(3)), np.zeros(3), np.array([1.0, 0.0, 0.0])

    figure = box()
    scene = Scene(figure, ground=None, obstacles=Obstacle("belt", Plane(), belt), contact=Impulsive(),
                  material=Material(friction=0.5))  # fmt: skip
    frames = run(scene, on_ground(figure, 0.05), np.zeros(6), 300, 1e-3, every=50)
    np.testing.assert_allclose(frames["u"][[0, -1], 0], [0.5 * G * 0.05, 1.0], rtol=1e-6)


def test_a_dropped_ball_comes_to_rest():
    figure = ball()
    scene = Scene(figure, contact=Impulsive(), material=Material(restitution=0.5))
    frames = run(scene, on_ground(figure, 0.2), np.zeros(6), 1500, 1e-3, every=100)
    assert np.abs(frames["u"][-1]).max() < 1e-12 and abs(frames["q"][-1, 2] - 0.1) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_contact_makes_no_energy(e):
    """A thrown box tumbles on the ground: what impulses change in kinetic energy, step by step."""
    figure, dt = box(), 1e-3
    scene = Scene(figure, contact=Impulsive(), material=Material(friction=0.5, restitution=e))
    start = np.array([2.0, 0.5, -1.0, 5.0, -8.0, 3.0])
    frames = run(scene, on_ground(figure, 0.4), start, 800, dt)
    worst, hits = -1.0, 0
    for q, u, after, P in zip(frames["q"], frames["u"], frames["u"][1:], frames["impulses"][1:], strict=False):
        if not P.any():
            continue
        hits += 1
        free = u + dt * direct_dynamics(figure, q, u, np.zeros(6))
        total = kinetic_energy(figure, q, u) + potential_energy(figure, q)
        worst = max(worst, (kinetic_energy(figure, q, after) - kinetic_energy(figure, q, free)) / total)
    assert hits > 1 and worst <= 1e-6


@pytest.mark.slow
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
    own = ap.figure.Link.of("rod", link, [shape])
    figure = ap.figure.figure_from_parts("rod", [(None, ap.figure.Free(name="root"), own)],
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
    """bench42 on its feet, with eight contacts, and velocities that press, twist and slide them."""
    figure = ap.sample("bench42")
    scene = Scene(figure, features="feet", contact=Impulsive(), material=Material(friction=0.6))
    u = 0.2 * np.random.default_rng(5).normal(size=42)
    u[2] -= 0.2
    return scene, on_ground(figure, 0.96), u


@pytest.mark.slow
@pytest.mark.parametrize(
    "limits, open_, seed",
    [(4, 1.0, 3), (60, 50.0, 0), (60, 50.0, 3), (60, 1.0, 0)],
    ids=["few: one group", "many: in turn", "many: then together", "nearly all at an end"],
)
def test_limits_and_loops_are_solved_with_the_contacts(limits, open_, seed):
    scene, q, u = standing()
    rng = np.random.default_rng(seed)
    at, m = rng.integers(6, 42, limits), limits + 3
    J = np.zeros((m, 42))
    J[:limits] = np.eye(42)[at] * rng.choice([1.0, -1.0], limits)[:, None]  # hard limits of joints
    J[limits:] = rng.normal(size=(3, 42))
    J[-1] = J[-2] + J[-3]  # a loop's row that says nothing new
    required, gap = np.zeros(m), np.zeros(m)
    required[limits:] = 0.1, -0.2, -0.1
    gap[3:limits] = rng.uniform(0.0, 2e-4, limits - 3) * open_
    more = Rows(J, gap, required, np.zeros(m), (True,) * limits + (False,) * 3)
    M, W, found = problem(scene, q, u)
    k, model = kinematics(scene.figure, q, u), Impulsive()
    tree = factor_mass_matrix(scene.figure, M)
    result = model.impulse(scene, found, k, tree, u, u, model.memory(scene, m), 1e-3, more, q)
    np.testing.assert_array_equal(result.memory["further"], result.more)
    P = result.impulses[:, [2, 0, 1]]
    np.testing.assert_allclose(M @ (result.u - u) - J.T @ result.more, W.T @ P.ravel(), atol=1e-8)
    speeds = (W @ result.u).reshape(-1, 3)
    assert natural_map(np.eye(24), np.eye(24), P.ravel(), P, speeds, [0.6] * 8) <= 1e-8  # M and W: the line before
    np.testing.assert_allclose(J[limits:] @ result.u, required[limits:], atol=1e-9)
    slack, push = J[:limits] @ result.u + gap[:limits] / 1e-3, result.more[:limits]  # a gap may close in the step
    assert slack.min() >= -1e-8 and push.min() >= 0.0
    assert np.minimum(slack, push).max() <= 1e-8 and push.max() > 0.0


def test_a_start_from_the_answer_needs_no_pass():
    scene, q, u = standing()
    M, _, found = problem(scene, q, u)
    k, tree, model = kinematics(scene.figure, q, u), factor_mass_matrix(scene.figure, M), Impulsive()
    setup = set_up(scene, k, q, tree, found, None, True)
    asked = model.speed_conditions(setup, found, u, u, [], model.memory(scene), 1e-3)
    cold = solved(setup.conditions, setup.factors, asked.b, asked.start, model.tolerance, model.passes)
    warm = solved(setup.conditions, setup.factors, asked.b, cold.impulses, model.tolerance, model.passes)
    assert cold.off <= 1e-9 and warm.off <= 1e-9
    assert warm.passes == 0.0


@pytest.mark.slow
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


def test_operations_of_a_standing_figure():
    """Eight contacts of bench42: operations of every step, and of a pass where the contacts change."""
    scene, q, u = standing()
    M, memory = np.zeros((42, 42)), scene.contact.memory(scene)

    def impulses(q, u, M):
        k = kinematics(scene.figure, q, u)
        tree = factor_mass_matrix(scene.figure, M)
        return scene.contact.impulse(scene, contacts(scene, 0.0, k), k, tree, u, u, memory, 1e-3, None, q).u

    def elimination(M):
        return np.array(factor_mass_matrix(scene.figure, M).reciprocal)

    tape = ap.record(impulses, q=q, u=u, M=M)
    loops = [data.body.operations for data in tape.data if hasattr(data, "body")]
    always = tape.operations - sum(loops) - ap.record(elimination, M=M).operations
    assert always <= 17_000 and max(loops) <= 17_500 and min(loops[:2]) <= 10_000


@pytest.mark.parametrize(
    "wrong", [{"tolerance": 0.0}, {"tolerance": float("nan")}, {"passes": 0}, {"correction": -1.0}]
)
def test_settings_that_cannot_be_are_refused_by_name(wrong):
    with pytest.raises(InputError, match=f"Impulsive has {next(iter(wrong))}"):
        Impulsive(**wrong)


@pytest.mark.slow
def test_articulated_bodies_and_elimination_agree():
    """Feet on the world: the short way of the simulator against the general one, falling and sliding."""
    figure = ap.sample("bench42")
    scene = Scene(figure, features="feet", contact=Impulsive(), material=Material(friction=0.6))
    rng = np.random.default_rng(3)
    from anthropi.algorithms.cholesky import factor_mass_matrix
    from anthropi.algorithms.kinematics import kinematics
    from anthropi.algorithms.mass_matrix import mass_matrix
    from anthropi.algorithms.operational_space import operational_space
    from anthropi.contact.geometry.contacts import contacts

    for _ in range(3):
        q = figure.integrate(figure.neutral(), 0.002 * rng.normal(size=figure.nu))
        u = rng.normal(size=figure.nu)
        u[2] -= 2.0
        k = kinematics(figure, q, u)
        q[2] -= min(float(t.gap) for t in contacts(scene, 0.0, k)) + 1e-3
        k = kinematics(figure, q, u)
        found, response = contacts(scene, 0.0, k), operational_space(figure, q, u, np.zeros(figure.nu))
        u_free = u + 1e-3 * response.accelerations()
        ways = (response, factor_mass_matrix(figure, mass_matrix(figure, q)))
        memory = scene.contact.memory(scene)
        results = [scene.contact.impulse(scene, found, k, way, u, u_free, memory, 1e-3, None, q) for way in ways]
        assert np.abs(results[0].impulses).max() > 0.01
        np.testing.assert_allclose(results[0].u, results[1].u, atol=1e-9)
        np.testing.assert_allclose(results[0].shift, results[1].shift, atol=1e-9)
