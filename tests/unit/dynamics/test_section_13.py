"""Every id of spec/rotations.md section 13: the projected Newton–Euler form, contacts, impulses, other velocities."""

import numpy as np
import pytest

from anthropi.algebra.spatial import skew
from anthropi.algorithms.centroidal import centroidal_momentum_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.equations_of_motion import Equations, change_velocities, measure_step, newton_euler
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.jacobians import jacobian, jacobian_bias
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.momentum import centre_of_mass, momentum, momentum_rate, total_wrench
from anthropi.simulation.integrators import runge_kutta
from unit.dynamics import sheet
from unit.dynamics.cases import differs, same
from unit.dynamics.ids import ROTATIONS
from unit.dynamics.sheet import FREE, PLAIN, POINT, TIP

TESTS: dict = {}


def proves(name):
    """Register a test under the id it stands for."""

    def mark(function):
        TESTS[name] = function
        return function

    return mark


@proves("C.EoM-M")
def mass_matrix_by_bodies(s):
    """M = Σ J_COMᵀ m J_COM + J_Rᵀ Θ J_R: kinetic energy is ½ uᵀ M u, in both sets of velocities"""
    for fig, q, u in ((FREE, s.free.q, s.free.u), (PLAIN, s.q, s.u)):
        M = newton_euler(fig, q, u).M
        same(0.5 * u @ M @ u, sheet.kinetic(s.q, s.u))
        same(M, mass_matrix(fig, q))


@proves("C.EoM-gf")
def equations_of_motion_by_bodies(s):
    """M u' + g = f against Lagrange's equations, with gravity, a force at a point and a torque"""
    M, g, f = newton_euler(PLAIN, s.q, s.u, s.f_ext)
    same(M @ s.udot + g, sheet.lagrange(sheet.kinetic, s.q, s.u, s.udot))
    turns = [R @ sheet.attitude(s.q).T for R in sheet.slopes(sheet.attitude, s.q)]  # [w_k]×
    w = np.array([[W[2, 1], W[0, 2], W[1, 0]] for W in turns])
    work = sheet.slopes(sheet.place, s.q) @ s.force + w @ s.torque
    same(f, work - sheet.slopes(sheet.potential, s.q))
    free = newton_euler(FREE, s.free.q, s.free.u, s.f_ext)
    f_ext = np.zeros((FREE.n, 6))
    f_ext[3] = s.f_ext[3]
    same(free.M @ s.free.udot - free.h, inverse_dynamics(FREE, s.free.q, s.free.u, s.free.udot, f_ext))


def by_bodies(q, u, J_frame, right=True):
    """M and g with J_R, Θ, Ω in the inertial or each body's frame, J_COM in the other one."""
    k, M, g = kinematics(FREE, q, u), 0.0, 0.0
    for i, link in enumerate(FREE.links):
        C, W = k.rotation[i], k.angular_velocity[i]
        inertial = J_frame == "inertial"
        theta, omega = (C @ link.tensor @ C.T, W) if inertial else (link.tensor, C.T @ W)
        turning = dict(link=link.name, point=link.centre, frame="world" if inertial else "link")
        moving = turning | dict(frame="link" if inertial else "world")
        J_R, a_R = jacobian(FREE, q, **turning)[:3], jacobian_bias(FREE, q, u, **turning)[:3]
        J_C, a_C = jacobian(FREE, q, **moving)[3:], jacobian_bias(FREE, q, u, **moving)[3:]
        if inertial and right:  # J_COM in the body frame: J' u is not the acceleration, w × v is missing
            a_C = a_C + np.cross(C.T @ W, J_C @ u)
        M = M + J_C.T @ J_C * link.mass + J_R.T @ theta @ J_R
        g = g + J_C.T @ a_C * link.mass + J_R.T @ (theta @ a_R + np.cross(omega, theta @ omega))
    return M, g


@proves("C.frame-note")
def one_frame_for_each_body(s):
    """J_R, Θ, Ω, t in one frame per body, whichever; J_COM in the inertial one, or with w × (J_COM u)"""
    wanted = newton_euler(FREE, s.free.q, s.free.u)
    for frame in ("inertial", "body"):
        M, g = by_bodies(s.free.q, s.free.u, frame)
        same(M, wanted.M)
        same(g, wanted.g)
    differs(by_bodies(s.free.q, s.free.u, "inertial", right=False)[1], wanted.g)


@proves("C.contact")
def contact_forces(s):
    """W = J_cᵀ, columns n, t, t: the motion is that of the force at the point, and momentum balances"""
    eq = newton_euler(FREE, s.free.q, s.free.u)
    tau = np.concatenate([np.zeros(6), s.tau[6:]])
    udot = np.linalg.solve(eq.M, eq.h + tau + s.W @ s.force)
    k = kinematics(FREE, s.free.q)
    C = k.rotation[3]
    pushed = np.zeros((FREE.n, 6))
    pushed[3] = np.concatenate([np.cross(POINT, C.T @ s.force), C.T @ s.force])
    same(udot, direct_dynamics(FREE, s.free.q, s.free.u, tau, pushed))
    rate = momentum_rate(FREE, s.free.q, s.free.u, udot)
    arm = point_position(k, 3, POINT) - centre_of_mass(FREE, s.free.q).position
    same(rate, total_wrench(FREE, s.free.q) + np.concatenate([np.cross(arm, s.force), s.force]))


@proves("C.impulse")
def impacts(s):
    """M (u⁺ - u⁻) = W Λ: momentum jumps by the impulse and its moment, whatever else acts"""
    eq = newton_euler(FREE, s.free.q, s.free.u)
    after = s.free.u + measure_step(eq.M, eq.h, 0.0, s.W, s.force)
    same(eq.M @ (after - s.free.u), s.W @ s.force)
    arm = point_position(kinematics(FREE, s.free.q), 3, POINT) - centre_of_mass(FREE, s.free.q).position
    jump = np.concatenate([np.cross(arm, s.force), s.force])
    same(centroidal_momentum_matrix(FREE, s.free.q) @ (after - s.free.u), jump)
    same(momentum(FREE, s.free.q, after) - momentum(FREE, s.free.q, s.free.u), jump)


@proves("C.measure")
def measures(s):
    """M Δu - h Δt = W P with P = λ Δt + Λ: forces and impacts in one step; for Λ = 0 it is the motion to first order"""
    eq, dt = newton_euler(FREE, s.free.q, s.free.u), 1e-3
    P = s.torque * dt + s.force
    step = measure_step(eq.M, eq.h, dt, s.W, P)
    same(eq.M @ step - eq.h * dt, s.W @ P)
    smooth = measure_step(eq.M, eq.h, dt, s.W, s.torque * dt)
    same(step, smooth + measure_step(eq.M, eq.h, 0.0, s.W, s.force))
    same(smooth, dt * np.linalg.solve(eq.M, eq.h + s.W @ s.torque))
    same(measure_step(eq.M, eq.h, dt), dt * np.linalg.solve(eq.M, eq.h))

    def acceleration(q, u):
        now, W = newton_euler(FREE, q, u), jacobian(FREE, q, link=TIP, point=POINT)[3:].T
        return np.linalg.solve(now.M, now.h + W @ s.torque)

    def off(h):
        _, u = runge_kutta(FREE, acceleration, s.free.q, s.free.u, h)
        return np.abs(s.free.u + measure_step(eq.M, eq.h, h, s.W, s.torque * h) - u).max()

    assert abs(np.log2(off(1e-3) / off(5e-4)) - 2.0) < 0.1  # M, h, W frozen over the step


@proves("C.transf")
def other_velocities(s):
    """ū = B u: M = Bᵀ M̄ B, h = Bᵀ h̄ - Bᵀ M̄ B' u, W = Bᵀ W̄, and back"""
    free, plain = newton_euler(FREE, s.free.q, s.free.u, s.f_ext), newton_euler(PLAIN, s.q, s.u, s.f_ext)
    old = Equations(free.M, free.h, s.W)
    new = change_velocities(old, s.change)
    same(new.M, plain.M)
    same(new.h, plain.h)
    same(new.W, jacobian(PLAIN, s.q, link=TIP, point=POINT)[3:].T)
    back = change_velocities(new, s.change.reversed())
    for a, b in zip(back, old, strict=True):
        same(a, b)
    again = s.change.reversed().reversed()
    same(again.B, s.change.B)
    same(again.drift, s.change.drift)
    differs(change_velocities(old, s.change._replace(drift=np.zeros(9))).h, plain.h)  # without B' u it is wrong


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ROTATIONS)
def test_id(name, seed):
    TESTS[name](sheet.sample(seed))


def test_omega_is_what_the_attitude_does():
    """Euler rates and the quaternion of the sample belong together."""
    s = sheet.sample(0)
    k, p = kinematics(FREE, s.free.q, s.free.u), kinematics(PLAIN, s.q, s.u)
    same(k.rotation, p.rotation)
    same(skew(k.angular_velocity[3]), skew(p.angular_velocity[3]))
