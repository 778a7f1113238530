"""Limits in the simulator: springs, walls and hard rows of a scene do what their own steps do."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation as rot
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.contact.limits import (
    HardLimits,
    Power,
    ReachCone,
    SoftLimits,
    human_limits,
    implicit_limits,
    limited_step,
)
from anthropi.contact.scene import Scene
from anthropi.figure import Link
from anthropi.figure.joints import Ball, Composite, Euler, Exponential, Revolute
from anthropi.simulation.drive import Drive
from unit.limits.limbs import gaps

ROD = Link("rod", 2.0, [0.0, 0.05, -0.35], np.diag([0.09, 0.09, 0.02]))
CONE = {"ball": ReachCone([0.1, 0.0, -1.0], 0.8)}
TURNS = tuple(Revolute(name=x, axis=x) for x in "xyz")
BALLS = [Ball(name="ball"), Exponential(name="ball"), Euler(name="ball"), Composite(name="ball", parts=TURNS)]
H = 1e-3


def thrown(joint):
    figure = ap.figure_from_parts("rod", [("", joint, ROD)])
    q = figure.integrate(figure.neutral(), [0.5, 0.2, 0.1])
    return figure, q, np.array([3.0, 1.0, -2.0])


def test_a_scene_steps_as_soft_limits_do():
    figure, q, u = thrown(BALLS[0])
    limits = SoftLimits(CONE, wall=1e5)
    motion = ap.simulate(Scene(figure, ground=None, limits=limits), q, u, steps=300, dt=H)
    for _ in range(300):
        tau, extra, _ = implicit_limits(figure, limits, q, u, np.zeros(3), H)
        u = u + H * direct_dynamics(figure, q, u, tau, extra=extra)
        q = figure.integrate(q, H * u)
    assert np.allclose(motion.q[-1], q, atol=1e-9) and np.allclose(motion.u[-1], u, atol=1e-8)


@pytest.mark.slow
def test_a_scene_steps_as_hard_limits_do():
    figure, q, u = thrown(BALLS[0])
    limits = HardLimits(CONE)
    motion = ap.simulate(Scene(figure, ground=None, limits=limits), q, u, steps=300, dt=H)
    for _ in range(300):
        q, u, _ = limited_step(figure, limits, q, u, np.zeros(3), H)
    assert np.allclose(motion.q[-1], q, atol=1e-7) and np.allclose(motion.u[-1], u, atol=1e-6)
    assert min(gaps(figure, limits, x).min() for x in motion.q) > -1e-9


def test_a_released_ball_stays_in_its_cone_for_60_s():
    """Every step of it, by the impulsive solve of scenes."""
    figure, q, u = thrown(BALLS[0])
    limits = HardLimits(CONE, restitution=0.3)
    motion = ap.simulate(Scene(figure, ground=None, limits=limits), q, u, duration=60.0, dt=H)
    cone = CONE["ball"]
    p = rot.matrix_from_quaternion(motion.q) @ cone.axis
    left = cone.angle - np.arctan2(np.linalg.norm(np.cross(p, cone.axis), axis=1), p @ cone.axis)
    assert len(left) == 60_001 and -1e-6 < left.min() < 1e-3


@pytest.mark.parametrize("joint", BALLS, ids=lambda j: j.kind)
@pytest.mark.parametrize("kind", ["soft", "stiff", "hard"])
def test_a_cone_holds_in_every_coordinates(joint, kind):
    figure, q, u = thrown(joint)
    limits = {"soft": SoftLimits(CONE), "stiff": SoftLimits(CONE, wall=3e6), "hard": HardLimits(CONE)}[kind]
    motion = ap.simulate(Scene(figure, ground=None, limits=limits), q, u, steps=1000, dt=H, opt=0)
    least = min(gaps(figure, limits, x).min() for x in motion.q)
    assert -{"soft": np.deg2rad(5.0), "stiff": 1e-3, "hard": 1e-6}[kind] < least < 0.05


def test_a_limb_slides_along_its_cone():
    """A stiff cone takes no speed along it: without gravity a rod that circles inside it keeps its energy."""
    figure, _, _ = thrown(BALLS[0])
    figure = figure.changed(gravity=np.zeros(3), links=(Link("rod", 2.0, [0, 0, -0.35], ROD.tensor),))
    cone = {"ball": ReachCone([0.0, 0.0, -1.0], 0.8)}
    q = rot.quaternion_from_rotation_vector([0.8, 0.0, 0.0])
    u = rot.matrix_from_rotation_vector([0.8, 0.0, 0.0]).T @ [0.0, 0.0, 3.0]  # round the cone's own axis
    for limits in (SoftLimits(cone, Power(1.0, 2.0), wall=3e6), HardLimits(cone)):
        motion = ap.simulate(Scene(figure, ground=None, limits=limits), q, u, steps=1000, dt=2e-4)
        energy = ap.dynamics.kinetic_energy(figure, motion.q, motion.u)
        assert energy[-1] > 0.97 * energy[0]
        assert gaps(figure, limits, motion.q[-1])[0] < 1e-2


def test_controllers_and_limits_yield_together():
    """A drive with stiffness (nu,) beside limits with (nu, nu)."""
    figure, q, u = thrown(BALLS[0])

    def pull(figure, t, q, u):
        return Drive(tau=-2.0 * u, damping=np.full(3, 2.0), stiffness=np.zeros(3))

    motion = ap.simulate(Scene(figure, ground=None, limits=SoftLimits(CONE)), q, u, pull, steps=200, dt=H)
    assert np.isfinite(motion.q).all()


def test_limits_by_runge_kutta_are_explicit_and_close():
    figure, q, u = thrown(BALLS[0])
    scene = Scene(figure, ground=None, limits=SoftLimits(CONE))
    ends = [ap.simulate(scene, q, u, steps=n, dt=0.3 / n, method=m).q[-1]
            for n, m in ((6000, "linearly_implicit_euler"), (600, "rk4"))]  # fmt: skip
    assert np.allclose(*ends, atol=2e-3)


def test_a_standing_human_is_left_alone():
    figure = ap.human()
    tau = human_limits(figure).force(figure, ap.standing(figure), np.zeros(figure.nu))[0]
    pushed = {figure.dofs[k] for k in np.flatnonzero(tau)}
    assert pushed == {"l_elbow.flexion", "r_elbow.flexion"}, "but for its straight elbows"
