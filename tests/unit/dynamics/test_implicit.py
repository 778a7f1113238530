"""Springs and dampers treated implicitly: as inertia of the joint, without a trace in the figure's momentum."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.centroidal import centroidal_momentum_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.implicit_springs import implicit_drive
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.figure import Revolute, figure_from_parts
from unit.dynamics.test_direct_and_inverse import every_joint


@pytest.mark.parametrize("armature", [0.0, 0.3])
@pytest.mark.parametrize("root", [False, True])
def test_extra_inertia_is_a_diagonal_beside_the_mass_matrix(armature, root):
    figure, rng = every_joint(11, armature)
    q, (u, tau) = figure.random(rng), rng.normal(size=(2, figure.nu))
    extra = rng.uniform(0.0, 2.0, figure.nu)
    extra[:6] *= root
    h = inverse_dynamics(figure, q, u, np.zeros(figure.nu))
    expected = np.linalg.solve(mass_matrix(figure, q) + np.diag(extra), tau - h)
    np.testing.assert_allclose(direct_dynamics(figure, q, u, tau, extra=extra), expected, rtol=1e-9, atol=1e-9)


def test_hybrid_reads_extra_inertia_where_a_degree_of_freedom_is_free():
    figure, rng = every_joint(12)
    q, (u, tau, udot) = figure.random(rng), rng.normal(size=(3, figure.nu))
    held = list(figure.dof_indices([*[f.name for f in figure.joints[3:] if f.nu][::2], figure.joints[11].dofs[1]]))
    free = [k for k in range(figure.nu) if k not in held]
    extra = rng.uniform(0.0, 2.0, figure.nu)
    rates, forces = hybrid_dynamics(figure, q, u, tau, udot, extra=extra, prescribed=[figure.dofs[k] for k in held])
    assert np.array_equal(rates[held], udot[held])
    needed = inverse_dynamics(figure, q, u, rates)
    np.testing.assert_allclose(needed[held], forces[held], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(needed[free] + (extra * rates)[free], tau[free], rtol=1e-9, atol=1e-9)


def test_forces_inside_joints_leave_the_momentum_alone_however_stiff():
    """kd dt + kp dt² of 10⁴ kg m²: the whole articulated inertia passes, so action equals reaction."""
    figure, rng = ap.human(detail="standard").changed(gravity=np.zeros(3)), np.random.default_rng(3)
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    gains = np.concatenate([np.zeros(6), np.full(figure.nu - 6, 1e6)])
    target = figure.integrate(q, np.concatenate([np.zeros(6), rng.normal(size=figure.nu - 6)]))
    tau, extra = implicit_drive(figure, q, u, np.zeros(figure.nu), 0.1, target, gains, 0.01 * gains)
    assert extra[6:].min() > 1e4
    drift = direct_dynamics(figure, q, u, tau, extra=extra) - direct_dynamics(figure, q, u, np.zeros(figure.nu))
    assert np.abs(drift).max() > 1.0
    A = centroidal_momentum_matrix(figure, q)
    assert np.abs(A @ drift).max() < 1e-11 * np.abs(A).max() * np.abs(drift).max()


def test_the_step_is_that_of_a_spring_and_damper_at_its_end():
    """One hinge: J u⁺ = J u + h (-k (x + h u⁺) - d u⁺ + kp (e - h u⁺) - kd u⁺)."""
    hinge = Revolute(name="hinge", axis="z", stiffness=[300.0], damping=[7.0], rest=[0.2])
    figure = figure_from_parts("spring", [("", hinge, ap.sample("bench42").links[1])])
    x, u, h, J = 0.5, -2.0, 0.1, mass_matrix(figure, np.zeros(1))[0, 0]
    target, kp, kd = np.array([-0.4]), np.array([1000.0]), np.array([20.0])
    tau, extra = implicit_drive(figure, np.array([x]), np.array([u]), np.zeros(1), h, target, kp, kd)
    after = u + h * direct_dynamics(figure, np.array([x]), np.array([u]), tau, extra=extra)[0]
    end = x + h * after
    forces = -300.0 * (end - 0.2) - 7.0 * after + 1000.0 * (-0.4 - end) - 20.0 * after
    assert J * (after - u) == pytest.approx(h * forces, rel=1e-12)
