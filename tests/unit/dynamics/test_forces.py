"""Bias, gravity, passive and external forces, power and momentum: each term of the equations of motion."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.bias_forces import (
    bias_forces,
    external_forces,
    gravity_forces,
    passive_forces,
    velocity_forces,
)
from anthropi.algorithms.centroidal import centroidal_momentum_matrix, centroidal_momentum_rate
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.energy import kinetic_energy, potential_energy, power_balance
from anthropi.algorithms.equations_of_motion import newton_euler
from anthropi.algorithms.exponential import exponential_forces
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.jacobians import spatial_jacobian
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.momentum import momentum, momentum_rate, total_wrench
from anthropi.errors import InputError
from anthropi.figure import Ball, Figure, Link, Loop, Revolute
from laws.rotation.law import along
from oracle.figures import FAMILIES, family
from unit.dynamics.cases import same
from unit.dynamics.catalog import SEEDS, acting

each = pytest.mark.parametrize("seed", SEEDS)


@each
def test_the_terms_make_the_equation_of_motion(seed):
    """M u' + h = τ + passive + Σ Jᵀ f_ext"""
    fig, x = acting(seed)
    q, u, udot, f_ext = x["q"], x["u"], x["udot"], x["f_ext"]
    tau = inverse_dynamics(fig, q, u, udot, f_ext)
    h, passive = bias_forces(fig, q, u), passive_forces(fig, q, u)
    outside = external_forces(fig, q, f_ext)
    same(mass_matrix(fig, q) @ udot + h, tau + passive + outside)
    same(bias_forces(fig, q, u, f_ext), h - outside)
    same(velocity_forces(fig, q, u) + gravity_forces(fig, q), h)
    body = newton_euler(fig, q, u, f_ext)
    same(body.M @ udot - body.h, tau)
    same(body.h, passive + outside - h)


@each
def test_each_term_by_its_meaning(seed):
    """Gravity is the slope of potential energy, external forces go by Jacobians, uᵀ C u is what M's change takes."""
    fig, x = acting(seed)
    q, u, f_ext = x["q"], x["u"], x["f_ext"]
    bare = fig.changed(joints=[j.changed(stiffness=np.zeros(j.nu)) for j in fig.joints])
    slope = [along(lambda q: potential_energy(bare, q), (q,), (fig.rate(q, e),)) for e in np.eye(fig.nu)]
    same(gravity_forces(fig, q), slope)
    J = [spatial_jacobian(fig, q, link=link.name) for link in fig.links]
    same(external_forces(fig, q, f_ext), sum(j.T @ f for j, f in zip(J, f_ext, strict=True)))
    rate = along(lambda q: 0.5 * u @ mass_matrix(fig, q) @ u, (q,), (fig.rate(q, u),))
    same(u @ velocity_forces(fig, q, u), rate)  # uᵀ (M' - 2 C) u = 0
    same(velocity_forces(fig, q, 2.0 * u), 4.0 * velocity_forces(fig, q, u))


def test_a_pendulum():
    """m = 2, c = 0.5, k = 5 from 0.2, d = 0.3: g = m g c sin q, spring -k (q - 0.2), damper -d u."""
    rod = Link("rod", 2.0, np.array([0.0, 0.0, -0.5]), np.diag([0.1, 0.2, 0.3]))
    fig = Figure("p", [rod], [Revolute(name="a", axis="y", stiffness=5.0, rest=0.2, damping=0.3)], (-1,))
    q, u = np.array([0.7]), np.array([3.0])
    same(gravity_forces(fig, q), [2.0 * 9.81 * 0.5 * np.sin(0.7)])
    same(velocity_forces(fig, q, u), [0.0])
    same(passive_forces(fig, q, u), [-5.0 * 0.5 - 0.3 * 3.0])
    power = power_balance(fig, q, u, np.array([4.0]))
    same([power.joints, power.dampers, power.springs, power.external], [12.0, -2.7, 7.5, 0.0])
    same(power.residual, 0.0)


@each
def test_power_balances(seed):
    """dT/dt + dV/dt + springs = τ·u + dampers + external"""
    fig, x = acting(seed)
    q, u, tau, f_ext = x["q"], x["u"], x["tau"], x["f_ext"]
    udot = direct_dynamics(fig, q, u, tau, f_ext)
    p = power_balance(fig, q, u, tau, f_ext)
    scale = np.abs(p).max()
    assert abs(p.residual) <= 1e-11 * scale
    same(np.array(power_balance(fig, q, u, tau, f_ext, udot)), np.array(p))
    same(p.kinetic, along(lambda q, u: kinetic_energy(fig, q, u), (q, u), (fig.rate(q, u), udot)))
    bare = fig.changed(joints=[j.changed(stiffness=np.zeros(j.nu)) for j in fig.joints])
    same(p.potential, along(lambda q: potential_energy(bare, q), (q,), (fig.rate(q, u),)))
    same(p.joints + p.dampers - p.springs, (tau + passive_forces(fig, q, u)) @ u)
    assert p.dampers < 0.0


def test_springs_take_up_what_their_energy_gains():
    """For coordinates that add, and for balls as stiff about every axis."""
    fig = ap.sample("biped").changed(gravity=np.zeros(3))
    rng = np.random.default_rng(0)
    stiff = {1: 7.0, 2: 5.0, 3: 3.0, 6: 0.0}
    fig = fig.changed(joints=[j.changed(stiffness=np.full(j.nu, stiff[j.nu])) for j in fig.joints])
    q, u, tau = fig.random(rng), *rng.normal(size=(2, fig.nu))
    wanted = along(lambda q: potential_energy(fig, q), (q,), (fig.rate(q, u),))
    same(power_balance(fig, q, u, tau).springs, wanted)
    uneven = fig.changed(joints=[j.changed(stiffness=np.arange(1.0, 4.0)) if isinstance(j, Ball) else j
                                 for j in fig.joints])  # fmt: skip
    p = power_balance(uneven, q, u, tau)
    assert abs(p.residual) < 1e-11 * np.abs(p).max()


@pytest.mark.parametrize("about", ["centre", "origin"])
@pytest.mark.parametrize("seed", [0, 3, 6, 9])  # a free root
def test_only_gravity_and_external_forces_change_momentum(seed, about):
    fig, x = acting(seed)
    root = fig.joints[0].changed(stiffness=np.zeros(6), damping=np.zeros(6), armature=np.zeros(6))
    fig = fig.changed(joints=[root, *fig.joints[1:]])  # what acts in a root acts on the world
    q, u, f_ext = x["q"], x["u"], x["f_ext"]
    tau = np.concatenate([np.zeros(6), x["tau"][6:]])
    udot = direct_dynamics(fig, q, u, tau, f_ext)
    rate = momentum_rate(fig, q, u, udot, about=about)
    tolerance = 1e-13 * np.abs(udot).max()  # light links turn fast, and what they do cancels
    np.testing.assert_allclose(rate, total_wrench(fig, q, f_ext, about=about), rtol=0.0, atol=max(1e-11, tolerance))
    moved = along(lambda q, u: momentum(fig, q, u, about=about), (q, u), (fig.rate(q, u), udot))
    np.testing.assert_allclose(rate, moved, rtol=0.0, atol=max(1e-11, tolerance))
    if about == "centre":
        A, change = centroidal_momentum_matrix(fig, q), centroidal_momentum_rate(fig, q, u)
        np.testing.assert_allclose(A @ udot + change @ u, rate, rtol=0.0, atol=max(1e-11, tolerance))


def test_a_held_root_carries_the_difference():
    """For a pendulum it is what its pivot pulls with."""
    fig = ap.sample("pendulum")
    q, u = np.array([0.4]), np.array([2.0])
    udot = direct_dynamics(fig, q, u, np.zeros(1))
    pivot = momentum_rate(fig, q, u, udot, about="origin") - total_wrench(fig, q, about="origin")
    up, across = 0.5 * (udot[0] * np.sin(0.4) + 4.0 * np.cos(0.4)), 0.5 * (4.0 * np.sin(0.4) - udot[0] * np.cos(0.4))
    same(pivot, [0.0, 0.0, 0.0, across, 0.0, up + 9.81])


def test_the_figures_hold_every_joint_type():
    assert {family(j) for seed in range(40) for j in acting(seed)[0].joints} == set(FAMILIES)


def test_operations_of_the_benchmark_figure():
    """Exact and the same on every machine; lower them when you can. Zeros fold: h costs less than inverse dynamics."""
    fig = ap.sample("bench42")
    q, u = np.zeros(fig.nq), np.zeros(fig.nu)
    whole = ap.record(lambda q, u, udot: inverse_dynamics(fig, q, u, udot), q=q, u=u, udot=u).operations
    assert ap.record(lambda q, u: bias_forces(fig, q, u), q=q, u=u).operations <= whole - 2 * fig.nu
    assert ap.record(lambda q: gravity_forces(fig, q), q=q).operations <= 749
    assert ap.record(lambda q, u, a: power_balance(fig, q, u, u, udot=a), q=q, u=u, a=u).operations <= 3228
    assert ap.record(lambda q, tau: exponential_forces(fig, q, tau), q=q, tau=u).operations <= 1092


def test_masses_may_be_inputs_of_a_kernel():
    fig, x = acting(1, links=3)
    heavy = fig.with_numbers(("l1.mass",), np.array([4.0]))
    for function in (bias_forces, gravity_forces, newton_euler, power_balance):
        names = [n for n in function.shapes if n != "udot"]
        kernel = ap.compile(function, fig, inputs=names, parameters=("l1.mass",), opt=0)
        got, wanted = kernel(np.array([4.0]), *(x[n] for n in names)), function(heavy, *(x[n] for n in names))
        pairs = zip(got, wanted, strict=True) if isinstance(wanted, tuple) else ((got, wanted),)
        for a, b in pairs:
            same(a, b)


def test_figures_with_loops_are_refused():
    fig = ap.sample("double_pendulum")
    here = ap.spatial.identity()
    fig = fig.changed(loops=[Loop("ring", "point", "link_1", here, "", here)])
    q = np.zeros(2)
    for call in (lambda: bias_forces(fig, q, q), lambda: gravity_forces(fig, q), lambda: newton_euler(fig, q, q),
                 lambda: velocity_forces(fig, q, q), lambda: external_forces(fig, q, np.zeros((2, 6)))):  # fmt: skip
        with pytest.raises(InputError, match=r"for trees, but figure 'double_pendulum' has loops \(ring\)"):
            call()
    with pytest.raises(InputError, match=r"about 'com'"):
        momentum_rate(ap.sample("pendulum"), np.zeros(1), np.zeros(1), np.zeros(1), about="com")
