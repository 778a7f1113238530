"""Item 4.6 of the thesis' specification: accelerations integrated twice at each increment, and the methods we chose."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import rotation as rot
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.implicit_springs import implicit_drive
from anthropi.simulation.integrators import runge_kutta, semi_implicit_euler
from laws.rotation.law import along
from unit.dynamics.cases import same

ARM, PENDULUM = ap.sample("floating_arm6"), ap.sample("double_pendulum")
FRAME = 1.0 / 24.0  # [s]


def test_4_6__8_2__accelerations_are_integrated_twice():
    """u⁺ = u + h u', then q⁺ from u⁺: p⁺ = p + h v⁺, R⁺ = R exp(h [ω⁺]), angles by their rates."""
    rng = np.random.default_rng(0)
    q, u, tau, h = ARM.random(rng), rng.normal(size=ARM.nu), rng.normal(size=ARM.nu), 0.01
    q1, u1 = semi_implicit_euler(ARM, lambda q, u: direct_dynamics(ARM, q, u, tau), q, u, h)
    same(u1, u + h * direct_dynamics(ARM, q, u, tau))
    same(q1[:3], q[:3] + h * u1[:3])
    turned = rot.matrix_from_quaternion(q[3:7]) @ rot.matrix_from_rotation_vector(h * u1[3:6])
    same(rot.matrix_from_quaternion(q1[3:7]), turned)
    same(q1[7:], q[7:] + h * u1[6:])


def test_4_6__the_base_turns_by_its_quaternion():
    """R' = R [ω]×, ω in the body's own axes."""
    rng = np.random.default_rng(1)
    q, u = ARM.random(rng), rng.normal(size=ARM.nu)
    rate = along(lambda q: rot.matrix_from_quaternion(q[3:7]), (q,), (ARM.rate(q, u),))
    same(rate, rot.matrix_from_quaternion(q[3:7]) @ rot.skew(u[3:6]))


def frame(step, count):
    """One frame of the double pendulum in so many increments."""
    q, u = np.array([1.0, 0.5]), np.array([0.3, -2.0])
    for _ in range(count):
        q, u = step(PENDULUM, lambda q, u: direct_dynamics(PENDULUM, q, u, np.zeros(2)), q, u, FRAME / count)
    return np.concatenate([q, u])


@pytest.mark.parametrize("step,order", [(semi_implicit_euler, 1), (runge_kutta, 4)], ids=["semi-implicit", "RK4"])
def test_4_6__increments_between_frames(step, order):
    """Half the increment, the error 2 to the power of the order less."""
    exact = frame(runge_kutta, 60)
    errors = [np.linalg.norm(frame(step, count) - exact) for count in (2, 4)]
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.3, errors


def test_4_6__a_stiff_damper_taken_implicitly():
    """At ten times its own time constant a damper explodes explicitly; implicitly the rods come to rest."""
    joints = [j.changed(damping=40.0) for j in PENDULUM.joints]
    fig = PENDULUM.changed(joints=joints, gravity=np.zeros(3))

    def acceleration(q, u):
        tau, extra = implicit_drive(fig, q, u, np.zeros(2), FRAME)
        return direct_dynamics(fig, q, u, tau, extra=extra)

    explicit = implicit = np.array([1.0, 0.5]), np.array([1.0, -2.0])
    for _ in range(6):
        explicit = semi_implicit_euler(fig, lambda q, u: direct_dynamics(fig, q, u, np.zeros(2)), *explicit, FRAME)
        implicit = semi_implicit_euler(fig, acceleration, *implicit, FRAME)
    assert np.abs(explicit[1]).max() > 1e3
    assert np.abs(implicit[1]).max() < 1e-3
