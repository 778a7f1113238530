"""Centre of mass, momentum and energy: closed forms, massless links, armature, springs, and traced masses."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.centroidal import (
    centre_of_mass_jacobian,
    centroidal_momentum_matrix,
    centroidal_momentum_rate,
)
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.momentum import centre_of_mass, momentum
from anthropi.errors import InputError
from anthropi.figure import Ball, Figure, Free, Link, Prismatic, Revolute
from laws.rotation.law import along
from oracle.figures import figure, state


def same(a, b, tol=1e-12):  # a dozen links, numbers of size 1 to 100
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=tol, atol=tol)


def pendulum(**fields) -> Figure:
    rod = Link("rod", 2.0, np.array([0.0, 0.0, -0.5]), np.diag([0.1, 0.2, 0.3]))
    return Figure("pendulum", [rod], [Revolute(name="pivot", axis="y", **fields)], (-1,))


def test_a_pendulum():
    """m = 2, c = 0.5 below the pivot, I_y = 0.2: h_G = 0.2 u, T = ½ (0.2 + 2 · 0.25) u², V = -m g 0.5 cos q"""
    fig, q, u = pendulum(), np.array([0.7]), np.array([3.0])
    same(momentum(fig, q, u), [0.0, 0.6, 0.0, -3.0 * np.cos(0.7), 0.0, 3.0 * np.sin(0.7)])
    same(momentum(fig, q, u, about="origin")[1], 0.7 * 3.0)
    same(kinetic_energy(fig, q, u), 0.5 * 0.7 * 9.0)
    same(potential_energy(fig, q), -2.0 * 9.81 * 0.5 * np.cos(0.7))
    same(centre_of_mass(fig, q).position, [-0.5 * np.sin(0.7), 0.0, -0.5 * np.cos(0.7)])
    assert centre_of_mass(fig, q).velocity is None


@pytest.mark.parametrize("seed", range(4))
def test_matrices_give_momentum_and_the_centres_motion(seed):
    fig = figure(seed, links=8)
    q, u, udot = state(fig, seed)
    A, rate = centroidal_momentum_matrix(fig, q), centroidal_momentum_rate(fig, q, u)
    same(A @ u, momentum(fig, q, u))
    same(rate, along(lambda q: centroidal_momentum_matrix(fig, q), (q,), (fig.rate(q, u),)))
    c = centre_of_mass(fig, q, u, udot)
    same(centre_of_mass_jacobian(fig, q) @ u, c.velocity)
    same((rate @ u + A @ udot)[3:], fig.mass * c.acceleration)


@pytest.mark.parametrize("seed", range(4))
def test_kinetic_energy_is_half_u_m_u(seed):
    fig = figure(seed, links=8)
    q, u, _ = state(fig, seed)
    same(kinetic_energy(fig, q, u), 0.5 * u @ mass_matrix(fig, q) @ u)


def test_links_without_mass_do_not_count():
    hollow = Link("hollow")
    rod = Link("rod", 2.0, np.array([0.0, 0.0, -0.5]), 0.1 * np.eye(3))
    fig = Figure("arm", [hollow, rod], [Revolute(name="a", axis="x"), Revolute(name="b", axis="y")], (-1, 0))
    q, u = np.array([0.3, -0.4]), np.array([1.0, 2.0])
    same(centroidal_momentum_matrix(fig, q) @ u, momentum(fig, q, u))
    same(centroidal_momentum_rate(fig, q, u),
         along(lambda q: centroidal_momentum_matrix(fig, q), (q,), (u,)))  # fmt: skip


def test_armature_and_springs_count():
    fig = pendulum(armature=0.3, stiffness=5.0, rest=0.2)
    q, u = np.array([0.7]), np.array([3.0])
    same(kinetic_energy(fig, q, u), 0.5 * (0.7 + 0.3) * 9.0)
    same(potential_energy(fig, q), potential_energy(pendulum(), q) + 0.5 * 5.0 * 0.5**2)


def test_power_of_gravity_is_the_loss_of_potential_energy():
    """dV/dt = -m g · c'"""
    fig = figure(3, links=6)
    q, u, _ = state(fig, 3)
    rate = along(lambda q: potential_energy(fig, q), (q,), (fig.rate(q, u),))
    same(rate, -fig.mass * fig.gravity @ centre_of_mass(fig, q, u).velocity)


def test_masses_may_be_inputs_of_a_kernel():
    bodies = [Link(n, 1.0, np.array([0.0, 0.1, 0.2]), 0.1 * np.eye(3)) for n in "abc"]
    fig = Figure("three", bodies, [Free(name="r"), Ball(name="s"), Prismatic(name="t")], (-1, 0, 1))
    q, u, _ = state(fig, 0)
    heavy = fig.with_numbers(("b.mass",), np.array([4.0]))
    for function in (ap.dynamics.momentum, ap.dynamics.kinetic_energy, ap.dynamics.centroidal_momentum_rate):
        kernel = ap.compile(function, fig, parameters=("b.mass",), opt=0)
        same(kernel(np.array([4.0]), q, u), function.algorithm(heavy, q, u))


def test_unknown_reference_is_answered_with_the_choices():
    with pytest.raises(InputError, match=r"about 'com'.*centre, origin"):
        momentum(pendulum(), np.zeros(1), np.zeros(1), about="com")
