"""The thesis' other way (8.4, 11.2): accelerations that stop at limits, through hybrid dynamics."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.contact.geometry.features import Feature
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.limits import StoppingLimits, stopping_dynamics, stopping_step
from anthropi.contact.scene import Scene
from anthropi.errors import InputError
from anthropi.figure import Link
from anthropi.figure.joints import Ball, Prismatic, Revolute
from anthropi.simulation.audit import energy_audit
from anthropi.simulation.controllers import Hold
from anthropi.tape import repeat

H = 5e-3


def state(seed, figure=None):
    figure = ap.human() if figure is None else figure
    rng = np.random.default_rng(seed)
    return figure, figure.random(rng), 8.0 * rng.normal(size=figure.nu), 20.0 * rng.normal(size=figure.nu)


def past(figure, q):
    """How far coordinates are past their limits (nu,)."""
    x = np.concatenate([j.coordinates(q[at]) for j, at in zip(figure.joints, figure.q_of, strict=True)])
    return np.maximum(figure.limits[0] - x, x - figure.limits[1])


@pytest.mark.parametrize("seed", range(4))
def test_11_2__it_is_hybrid_dynamics_with_the_stopped_ones_prescribed(seed):
    figure, q, u, tau = state(seed)
    found = stopping_dynamics(figure, q, u, tau, H)
    balls = [of for joint, of in zip(figure.joints, figure.u_of, strict=True) if not joint.plain]
    plain = [k for k in range(figure.nu) if not any(of.start <= k < of.stop for of in balls)]
    held = [figure.dofs[k] for k in plain if found.held[k]]
    assert held and set(found.held) <= {0.0, 1.0}
    udot, needed = hybrid_dynamics(figure, q, u, found.tau, found.udot, prescribed=held)
    assert np.allclose(udot, found.udot, rtol=1e-9, atol=1e-9 * abs(udot).max())  # cond(M) ~ 1e4
    assert np.allclose(needed, found.tau, rtol=1e-9, atol=1e-9 * abs(needed).max())
    same = np.array([not found.held[k] for k in plain])
    assert np.array_equal(found.tau[plain][same], tau[plain][same]), "nothing else is touched"
    again = inverse_dynamics(figure, q, u, found.udot)
    assert np.allclose(again, found.tau, rtol=1e-9, atol=1e-9 * abs(again).max())


@pytest.mark.parametrize("seed", range(4))
def test_8_4__stopped_ones_are_at_their_limit_after_the_increment(seed):
    figure, q, u, tau = state(seed)
    found = stopping_dynamics(figure, q, u, tau, H)
    end, _ = stopping_step(figure, q, u, tau, H)
    held = np.flatnonzero(found.held)
    plain = [figure.joints[i].plain for i in range(figure.n) for _ in range(figure.joints[i].nu)]
    for k in held:
        assert abs(past(figure, end)[k]) < (1e-12 if plain[k] else 5e-3), figure.dofs[k]  # turns: to first order in h


def test_without_limits_in_reach_it_is_direct_dynamics():
    figure, q, u, tau = state(3)
    found = stopping_dynamics(figure, q, 0.0 * u, 0.0 * tau, 1e-6)
    assert not found.held.any()
    assert np.allclose(found.udot, ap.direct_dynamics(figure, q, 0.0 * u, 0.0 * tau), rtol=1e-10, atol=1e-9)


def arm():
    """Two hinges, a slide and a ball, all with limits."""
    inertia = np.diag([0.02, 0.02, 0.004])
    rods = [Link(name, 1.0, [0.0, 0.01, -0.15], inertia) for name in ("a", "b", "c", "d")]
    down = Transform(np.eye(3), np.array([0.0, 0.0, -0.3]))
    joints = [Revolute(name="first", axis="y", lower=-1.0, upper=0.6),
              Revolute(name="second", axis=[1.0, 1.0, 0.0], lower=-0.2, upper=0.9, placement=down),
              Prismatic(name="slide", axis="z", lower=-0.1, upper=0.05, placement=down),
              Ball(name="ball", lower=[-0.4, -0.5, -0.3], upper=[0.4, 0.5, 0.3], placement=down)]  # fmt: skip
    return ap.figure_from_parts(
        "arm", [(above, j, rod) for above, j, rod in zip(["", "a", "b", "c"], joints, rods, strict=True)]
    )


def test_a_swinging_arm_never_passes_its_limits_and_lets_go_again():
    figure, steps = arm(), 800
    tau = np.array([[3.0 * np.sin(0.02 * k), 1.0, -1.0, 0.3, -0.2, 0.1] for k in range(steps)])

    def run(q, u, tau):
        def body(state, tau):
            q, u, _ = state
            found = stopping_dynamics(figure, q, u, tau, H)
            u = u + H * found.udot
            return figure.integrate(q, H * u), u, found.held

        return repeat(body, (q, u, np.zeros(6)), steps, rows=tau, every=1)[1]

    u = np.array([4.0, -3.0, 0.0, 1.0, 2.0, -1.0])
    q, u, held = ap.build(ap.record(run, q=figure.neutral(), u=u, tau=tau), opt=0)(figure.neutral(), u, tau)
    beyond = np.array([past(figure, x) for x in q])
    assert beyond[:, :3].max() < 1e-12
    assert beyond[:, 3:].max() < 0.02  # a ball's coordinates: to first order, put right in the next step
    assert (held.sum(0)[:3] > 0).all() and (held.sum(0) < steps).all()


def test_records():
    figure = arm()
    tape = ap.record(lambda q, u, tau: stopping_dynamics(figure, q, u, tau, H)[:2], q=figure.neutral(),
                     u=np.zeros(6), tau=np.zeros(6))  # fmt: skip
    kernel = ap.build(tape, opt=0)
    rng = np.random.default_rng(0)
    for _ in range(5):
        q, u, tau = figure.random(rng), 8.0 * rng.normal(size=6), rng.normal(size=6)
        for a, b in zip(kernel(q, u, tau), stopping_dynamics(figure, q, u, tau, H), strict=False):
            assert np.allclose(a, b, rtol=1e-9, atol=1e-8)


def test_refuses():
    figure = arm()
    with pytest.raises(InputError, match="above 0"):
        stopping_dynamics(figure, figure.neutral(), np.zeros(6), np.zeros(6), 0.0)


def test_what_holds_a_ball_with_a_rotor():
    """Armature couples a ball's coordinates: the free ones feel it, and what is needed is inverse dynamics'."""
    figure, rng = arm(), np.random.default_rng(1)
    figure = figure.changed(joints=[j.changed(armature=0.05) for j in figure.joints])
    seen = 0
    for _ in range(10):
        q, u, tau = figure.random(rng), 8.0 * rng.normal(size=6), rng.normal(size=6)
        found = stopping_dynamics(figure, q, u, tau, H)
        seen += found.held[3:].sum() % 3 > 0  # some of the ball's, not all
        np.testing.assert_allclose(inverse_dynamics(figure, q, u, found.udot), found.tau, rtol=1e-9, atol=1e-7)
        np.testing.assert_allclose(found.tau - tau, found.stop, atol=1e-9 * abs(found.tau).max())
    assert seen


# in the simulator


@pytest.mark.slow
def test_simulate_steps_as_stopping_step_does():
    figure, tau = arm(), np.array([2.0, 1.0, -1.0, 0.3, -0.2, 0.1])
    u = np.array([4.0, -3.0, 0.0, 1.0, 2.0, -1.0])
    scene = Scene(figure, ground=None, limits=StoppingLimits())
    motion = ap.simulate(scene, figure.neutral(), u, tau, steps=400, dt=H, opt=0)
    q = figure.neutral()
    for k in range(40):
        assert np.allclose(motion.q[k], q, atol=1e-9), k
        q, u = stopping_step(figure, q, u, tau, H)
        q = scene.limits.project(figure, q)  # a ball's coordinates, which bend within a step
    beyond = np.array([past(figure, x) for x in motion.q])
    assert beyond.max() < 1e-12 and (beyond[:, :3] > -1e-12).any(0).all()  # every one came to its limit, none past it


@pytest.mark.slow
def test_a_human_flung_about_keeps_within_its_ranges_and_loses_energy():
    """At 10 rad/s, with springs of a controller that are implicit: energy adds up, and the ends take some."""
    figure = ap.human().changed(gravity=np.zeros(3))
    scene, rng = Scene(figure, ground=None, limits=StoppingLimits()), np.random.default_rng(2)
    q = scene.limits.project(figure, figure.neutral())
    u = np.where(np.arange(figure.nu) < 6, 0.0, 10.0) * rng.choice([-1.0, 1.0], figure.nu)
    motion = ap.simulate(scene, q, u, Hold(figure, q, 20.0, 0.5), duration=0.5, dt=1e-3, every=5, opt=0,
                         record=("energy", "work"))  # fmt: skip
    assert max(past(figure, x).max() for x in motion.q) < 1e-12
    audit = energy_audit(motion)
    ends = audit.works["limits"]
    assert ends[-1] < -0.1 * audit.energy[0] and np.diff(ends).max() < 1e-6 * audit.energy[0]
    assert abs(audit.left_over).max() < 0.1 * audit.energy[0]  # 3 %: a step of first order at 10 rad/s


@pytest.mark.slow
def test_a_human_falls_on_the_ground_with_stops():
    """Compliant contact, which is implicit, beside stopped joints."""
    figure = ap.human()
    scene = Scene(figure, features="feet", limits=StoppingLimits())
    q = scene.limits.project(figure, ap.standing(figure))
    motion = ap.simulate(scene, q, duration=0.3, opt=0, every=10, record=("contact",))
    assert max(past(figure, x).max() for x in motion.q) < 1e-12
    assert motion.channels["contact"][..., 2].sum(-1).max() > 0.5 * figure.mass * 9.81


@pytest.mark.parametrize(
    ("change", "options", "said"),
    [
        ({}, {"method": "rk4"}, "method 'rk4'"),
        ({"contact": Impulsive()}, {}, "impulsive contact"),
        ({}, {"prescribed": ["first"], "udot": np.zeros(6)}, "prescribed first"),
        ({"limits": StoppingLimits(exclude=("elbow",))}, {}, "No joint 'elbow'"),
    ],
)
def test_what_stops_do_not_go_with(change, options, said):
    tip = Feature("tip", "d", (0.0, 0.0, -0.3))
    scene = Scene(arm(), limits=StoppingLimits(), features=(tip,)).changed(**change)
    with pytest.raises(InputError, match=said):
        ap.simulate(scene, scene.figure.neutral(), steps=1, **options)


def test_joints_left_out_pass_their_limits():
    figure = arm()
    scene = Scene(figure, ground=None, limits=StoppingLimits(exclude=("first",)))
    motion = ap.simulate(scene, figure.neutral(), [9.0, 0.0, 0.0, 0.0, 0.0, 0.0], steps=40, dt=H, opt=0)
    beyond = np.array([past(figure, x) for x in motion.q])
    assert beyond[:, 0].max() > 0.1 and beyond[:, 1:].max() < 1e-12
