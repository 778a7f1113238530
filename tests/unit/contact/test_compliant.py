"""The compliant model: rest, sliding, bounces, falls, costs."""

from types import SimpleNamespace

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import spatial
from anthropi.algebra.spatial import Transform, skew
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.compliant import Compliant, added_inertia
from anthropi.contact.compliant_laws import bounce
from anthropi.contact.geometry.contacts import contact_rows, contacts, frame_of
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.material import Material
from anthropi.contact.scene import Obstacle, Scene
from anthropi.errors import InputError
from anthropi.figure.from_parts import figure_from_parts
from anthropi.figure.joints import Free, Weld
from anthropi.figure.parts import Link, Shape
from unit.contact.bodies import body, energies, one_step, placed, run

g = 9.81
BOX = body("box", 0.3, 0.2, 0.1, mass=2.0)


def test_a_box_rests():
    frames = run(Scene(BOX), placed(z=0.05), np.zeros(6), 10.0, every=100)
    assert -1e-3 < frames.gap[-1].min() < 0.0
    assert np.abs(frames.q[-1, :2]).max() < 1e-6
    assert np.ptp(frames.q[10:, 2]) < 1e-6
    assert frames.force[-1, :, 2].sum() == pytest.approx(2.0 * g, rel=1e-3)


def test_a_box_rests_on_a_slope():
    """Friction holds what a bristle can: no creep below the cone, on a slope of 20 degrees."""
    slope = np.radians(20.0)
    scene = Scene(BOX, gravity=(g * np.sin(slope), 0.0, -g * np.cos(slope)))
    frames = run(scene, placed(z=0.05), np.zeros(6), 10.0, every=100)
    assert np.abs(frames.q[-1, :2] - frames.q[20, :2]).max() < 1e-6
    assert frames.force[-1].sum(0) == pytest.approx(
        [-2 * g * np.sin(slope), 0, 2 * g * np.cos(slope)], rel=1e-3, abs=1e-6
    )


@pytest.mark.parametrize(("mu", "v"), [(0.5, 2.0), (0.3, 1.0), (0.8, 3.0)])
def test_a_block_slides_as_far_as_coulomb_says(mu, v):
    scene = Scene(BOX, material=Material(friction=mu))
    frames = run(scene, placed(z=0.05 - 3.15e-4), [v, 0, 0, 0, 0, 0], 1.2, every=100)
    assert frames.q[-1, 0] == pytest.approx(v * v / (2 * mu * g), rel=2e-3)  # the bristles' give, h v / 2
    assert np.abs(frames.u[-1]).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("e", [0.5, 0.8])
def test_a_ball_bounces_to_e_squared(e):
    """Two impacts from a metre: the result is independent of step and weight."""
    ball = body("sphere", 0.1, mass=0.5)
    frames = run(Scene(ball, material=Material(restitution=e)), placed(z=1.1), np.zeros(6), 1.7)
    z, v = frames.q[:, 2] - 0.1, frames.u[:, 2]
    tops = [1.0, *(z[k] for k in range(len(z) - 1) if v[k] > 0.0 >= v[k + 1])][:3]
    assert len(tops) == 3
    assert np.array(tops[1:]) / tops[:-1] == pytest.approx(e * e, rel=1e-2)


@pytest.mark.parametrize(("e", "v"), [(0.0, 1.0), (0.0, 5.0), (0.5, 5.0)])
def test_a_glancing_blow_takes_what_friction_may(e, v):
    """μ (1 + e) v of the speed along the ground, though the explicit damper would take more."""
    ball, mu = body("sphere", 0.1), 0.05
    material = Material(friction=mu, restitution=e, stiffness=0.5 * g * 5e-4**-1.5)
    scene = Scene(ball, material=material, gravity=(0.0, 0.0, 0.0))
    frames = run(scene, placed(z=0.11), [3.0, 0.0, -v, 0.0, 0.0, 0.0], 0.06, h=1e-4, every=100)
    assert 3.0 - frames.u[-1, 0] == pytest.approx(mu * (1.0 + e) * v, rel=0.06)  # of first order in the step


def soled(kind, *size):
    """5 kg, and welded to it a shape of 1 g."""
    sole = Link.of("sole", spatial.box((0.3, 0.2, 0.1), mass=1e-3), [Shape(kind, size)])
    block = Link.of("block", spatial.box((0.3, 0.2, 0.1), mass=5.0))
    return figure_from_parts("soled", [(None, Free(name="root"), block), ("block", Weld(name="glue"), sole)])


def test_a_welded_sole_slides_as_far_as_its_body():
    """1 g under 5 kg: the mass of the rigid body counts for impact and friction."""
    mu, v = 0.5, 2.0
    scene = Scene(soled("box", 0.3, 0.2, 0.1), material=Material(friction=mu))
    frames = run(scene, placed(z=0.05 - 3.15e-4), [v, 0, 0, 0, 0, 0], 0.6, every=100)
    assert frames.q[-1, 0] == pytest.approx(v * v / (2 * mu * g), rel=2e-3)


@pytest.mark.slow
def test_a_welded_sole_bounces_as_high_as_its_body():
    tops = []
    for figure in (soled("box", 0.3, 0.2, 0.1), body("box", 0.3, 0.2, 0.1, mass=5.001)):
        frames = run(Scene(figure, material=Material(restitution=0.7)), placed(z=0.55), np.zeros(6), 0.6)
        tops.append(frames.q[np.argmin(frames.q[:, 2]) :, 2].max() - 0.05)
    assert tops[0] == pytest.approx(tops[1], rel=1e-6)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_gravity_that_is_none_only_when_it_runs(e):
    """Traced, and 0: stiffness then comes from the earth's pull."""
    scene = Scene(BOX, material=Material(restitution=e))

    def step(q, u, gravity, **memory):
        own = scene.changed(figure=BOX.changed(gravity=gravity, checked=False))
        return one_step(own, q, u, memory, 0.0, 1e-3)[1]

    state = {"q": placed(z=0.049), "u": np.zeros(6), "gravity": np.zeros(3), **scene.contact.memory(scene)}
    tape = ap.record(step, **state)
    free = ap.build(tape, target="replay")(*state.values())
    none = scene.changed(gravity=(0.0, 0.0, 0.0))
    assert free == pytest.approx(one_step(none, state["q"], state["u"], none.contact.memory(none), 0.0, 1e-3)[1])
    assert free[2] > 0.0
    slopes = ap.build(tape.jvp("gravity"), target="replay")(*state.values(), np.ones(3))
    assert all(np.isfinite(x).all() for x in slopes)


def test_a_blow_is_what_bounce_says():
    """Without pull: one degree of freedom, fine steps, speeds over three decades."""
    for e in (0.2, 0.6, 0.95):
        for v in (0.1, 1.0, 10.0):
            c, x, speed, h = bounce(e).c0 / v, 0.0, v, 1e-5 / v**0.2
            while True:  # k / m = 1e6, midpoint rule
                y, w = x + 0.5 * h * speed, speed - 0.5 * h * 1e6 * max(x, 0.0) ** 1.5 * (1.0 + c * speed)
                x, speed = x + h * w, speed - h * 1e6 * max(y, 0.0) ** 1.5 * (1.0 + c * w)
                if x < 0.0:
                    break
            assert -speed / v == pytest.approx(e, rel=1e-3)


@pytest.mark.slow
def test_falling_loses_energy_at_every_step():
    rng = np.random.default_rng(3)
    scene = Scene(BOX)
    frames = run(scene, placed(z=0.4, turn=rng.normal(size=4)), rng.normal(size=6), 1.0)
    total = energies(scene, frames)
    assert np.diff(total).max() < 1e-6 * total[0]
    assert total[-1] < 0.5 * total[0]
    tangential = np.sqrt((frames.force[..., :2] ** 2).sum(-1))
    assert (tangential <= 0.8 * frames.force[..., 2] + 1e-9).all()
    assert frames.force[..., 2].min() == 0.0


@pytest.mark.slow
def test_a_light_foot_is_stable_under_a_heavy_figure():
    """Feet of 1.2 kg under 78 kg, steps of 2 ms: explicit friction would need a tenth of that."""
    figure = ap.sample("bench42")
    scene = Scene(figure, features="feet")
    q = figure.neutral()
    q[2] -= min(float(contact.gap) for contact in contacts(scene, 0.0, kinematics(figure, q)))
    memory, u = scene.contact.memory(scene), np.full(figure.nu, 0.1)
    for _ in range(40):
        q, u, memory, force, gap = one_step(scene, q, u, memory, 0.0, 2e-3)
    assert np.isfinite(q).all() and np.abs(u).max() < 30.0 and gap.min() > -5e-3
    assert force[:, 2].sum() > 0.0


def test_costs():
    """Eight points of two feet: of 2,058 operations 670 are the legs' kinematics, 220 contacts, 850 forces."""
    figure = ap.sample("bench42")
    scene = Scene(figure, features="feet")
    rng = np.random.default_rng(0)
    state = {"q": figure.random(rng), "u": rng.normal(size=figure.nu)}

    def step(q, u, **memory):
        return one_step(scene, q, u, memory, 0.0, 1e-3)

    def rest(q, u):
        kinematics(figure, q, u)
        u = u + 1e-3 * direct_dynamics(figure, q, u, np.zeros(figure.nu))
        return figure.integrate(q, 1e-3 * u), u

    whole = ap.record(step, **state, **scene.contact.memory(scene)).operations
    assert whole <= 7000
    assert whole - ap.record(rest, **state).operations <= 2100


def test_slopes_become_an_inertia():
    """Against the sum over dense matrices; two points share a normal, one has its own."""
    rng = np.random.default_rng(1)
    C, floor = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.array([0.0, 0.0, 1.0])
    wall = np.array([0.6, 0.0, 0.8])
    parts = [(SimpleNamespace(local=rng.normal(size=3), normal=n), *rng.uniform(size=2)) for n in (floor, wall, floor)]
    dense = np.zeros((6, 6))
    for contact, b_n, b_t in parts:
        n = C.T @ contact.normal
        B = b_t * np.eye(3) + (b_n - b_t) * np.outer(n, n)
        reach = np.hstack([-skew(contact.local), np.eye(3)])  # velocity of the point
        dense += reach.T @ B @ reach
    assert added_inertia(C, parts).matrix() == pytest.approx(dense, abs=1e-13)


@pytest.mark.slow
def test_a_lift_carries_a_box():
    def lift(t):
        origin = t * np.array([0.2, 0.0, 0.3])
        return Transform(np.eye(3), origin), np.zeros(3), np.array([0.2, 0.0, 0.3])

    scene = Scene(BOX, ground=None, obstacles=(Obstacle("plate", Box((1.0, 1.0, 0.2)), lift),))
    frames = run(scene, placed(z=0.15), np.zeros(6), 1.0, every=100)
    assert frames.u[-1] == pytest.approx([0.2, 0, 0.3, 0, 0, 0], abs=1e-6)
    assert frames.q[-1, :3] == pytest.approx([0.2, 0.0, 0.45], abs=1e-3)


def test_a_box_slides_down_a_height_field():
    a, mu = np.radians(30.0), 0.3
    ground = HeightField.of(lambda x, y: -x * np.tan(a), (-1, -2), (5, 2), 0.5)
    scene = Scene(BOX, ground=ground, material=Material(friction=mu))
    at = 0.0497 * np.array([np.sin(a), 0.0, np.cos(a)])
    frames = run(scene, placed(*at, turn=(np.cos(a / 2), 0, np.sin(a / 2), 0)), np.zeros(6), 1.0, every=100)
    down = g * (np.sin(a) - mu * np.cos(a))
    assert np.linalg.norm(frames.u[-1, :3]) == pytest.approx(down, rel=1e-2)
    assert np.linalg.norm(frames.q[-1, :3] - frames.q[0, :3]) == pytest.approx(0.5 * down * 0.99**2 * 1.0, rel=3e-2)


def test_explicit_forces_without_a_step():
    """dt None: the same law at the state itself, nothing added, bristles as they were."""
    scene = Scene(BOX)
    k = kinematics(BOX, placed(z=0.049), np.array([0.1, 0.0, -0.01, 0.0, 0.0, 0.0]))
    memory = scene.contact.memory(scene)
    push, after = scene.contact.force(scene, contacts(scene, 0.0, k), k, memory, None)
    stiffness = 0.5 * 2.0 * g * 5e-4**-1.5
    expected = stiffness * 1e-3**1.5 * (1.0 + 30.0 * 0.01)
    assert push.added == {} and (after["bristles"] == memory["bristles"]).all()
    assert push.forces[:4, 2] == pytest.approx(expected)
    assert (push.forces[4:] == 0.0).all()
    assert push.f_ext[0][3:] == pytest.approx(push.forces.sum(0))


@pytest.mark.parametrize("field", ["depth", "relaxation", "damping"])
def test_refuses_numbers_that_cannot_be(field):
    for value in (0.0, -1.0, np.nan, np.inf, "soft"):
        with pytest.raises(InputError, match=field):
            Compliant(**{field: value})


def test_rows_are_derivatives_of_the_speed():
    figure = ap.sample("bench42")
    scene = Scene(figure, pairs=(("l_foot", "r_foot"), ("l_forearm", "torso")))
    rng = np.random.default_rng(5)
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    k = kinematics(figure, q, u)
    for contact in contacts(scene, 0.0, k)[::7]:
        rows = contact_rows(figure, k, contact)
        assert rows @ u == pytest.approx([d @ contact.speed for d in frame_of(contact.normal)], abs=1e-12)


@pytest.mark.slow
def test_derivatives_are_finite_at_every_seam():
    """At gap 0, at rest, with bristles slack, at the cone: values, tangents and adjoints; friction may be traced."""
    scene = Scene(BOX, material=Material(restitution=0.5))
    for model in (scene, Scene(BOX)):
        memory = model.contact.memory(model)

        def force(q, u, mu, model=model, **memory):
            own = model.changed(material=model.material._replace(friction=mu[0]))
            k = kinematics(own.figure, q, u)
            push, after = own.contact.force(own, contacts(own, 0.0, k), k, memory, 1e-3)
            return push.forces, after, push.added[0].A

        for z, speed in ((0.05, 0.0), (0.05, -1.0), (0.049, 0.0), (0.06, 1.0)):
            state = {"q": placed(z=z), "u": np.full(6, speed), "mu": np.array([0.5]), **memory}
            tape = ap.record(force, **state)
            for wrt in ("q", "u", "mu"):
                slopes = ap.build(tape.jvp(wrt), target="replay")(*state.values(), np.ones_like(state[wrt]))
                assert all(np.isfinite(x).all() for x in _leaves(slopes))


def _leaves(value):
    if isinstance(value, dict):
        value = tuple(value.values())
    return [x for v in value for x in _leaves(v)] if isinstance(value, (tuple, list)) else [np.asarray(value, float)]
