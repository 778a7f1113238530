"""Forces of a motion: against plain inverse dynamics, thesis (9.13), momentum and energy."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.errors import InputError, ShapeError
from anthropi.gait.hidds import arm_motion
from unit.dynamics import thesis
from unit.dynamics.cases import case, same
from unit.spatial.dense import P

ARM = arm_motion(0.2)


def test_it_is_inverse_dynamics_of_every_frame():
    pushes = np.random.default_rng(0).normal(size=(len(ARM), ARM.figure.n, 6))
    found = ap.inverse_motion(ARM, pushes)
    plain = [inverse_dynamics(ARM.figure, *x) for x in zip(ARM.q, ARM.u, ARM.udot, pushes, strict=True)]
    assert np.allclose(found.tau, plain, rtol=0.0, atol=1e-12 * np.abs(plain).max())
    assert np.array_equal(found.channels["residual"], found.tau[:, :6])
    assert np.array_equal(found.channels["power"], found.tau * ARM.u)


def test_forces_from_outside_are_given_in_any_of_four_ways():
    rng = np.random.default_rng(1)
    push, link = rng.normal(size=6), ARM.figure.links[3].name
    whole = np.zeros((ARM.figure.n, 6))
    whole[3] = push
    found = [ap.inverse_motion(ARM, f).tau for f in (
        whole, np.tile(whole, (len(ARM), 1, 1)), {link: push}, {link: np.tile(push, (len(ARM), 1))},
        lambda figure, t, q, u: {link: push}, lambda figure, t, q, u: whole)]  # fmt: skip
    assert all(np.array_equal(x, found[0]) for x in found[1:])
    growing = np.linspace(0.0, 3.0, len(ARM))[:, None, None] * whole
    half = ap.inverse_motion(ARM, growing, dt=1.0 / 60.0)
    assert np.allclose(half.tau, ap.inverse_motion(ARM, growing).tau[::2], rtol=0.0, atol=1e-10)
    with pytest.raises(ShapeError, match=r"f_ext has shape \(3, 2\)"):
        ap.inverse_motion(ARM, np.zeros((3, 2)))
    with pytest.raises(
        ShapeError, match=r"function 'f_ext' returned shape \(3, 6\). Return an array of shape \(7, 6\)"
    ):
        ap.inverse_motion(ARM, lambda figure, t, q, u: np.zeros((3, 6)))
    nothing = ap.inverse_motion(ARM, lambda figure, t, q, u: None)
    assert np.array_equal(nothing.tau, ap.inverse_motion(ARM).tau)


@pytest.mark.parametrize("seed", [0, 3])  # those with a free root
def test_9_13__9_14__a_free_root_follows_from_the_joints(seed):
    """The thesis' own recursion, a_0 by a 6 x 6 solve, at one frame; f_0 is one of our f_ext; and back (10.2)."""
    c = case(seed)
    theirs = thesis.inverse(c.L, c.dq, c.ddq, c.pushed, **c.base)
    motion = ap.Motion(c.fig, [0.0], c.q[None], c.u[None], {"udot": c.udot[None]})
    pushed = np.array(c.f_ext, float)
    pushed[0] += P @ c.base["f_0"]
    found = ap.inverse_motion(motion, pushed, root="free")
    same(found.udot[0, :6], thesis.base_udot(c.fig, c.q, c.u, theirs.a[0] + c.g_0))  # (9.13)
    same(found.tau[0, 6:], c.made.by_velocity(theirs.Q))  # (9.14)
    same(direct_dynamics(c.fig, c.q, c.u, found.tau[0], pushed), found.udot[0], 1e-10)  # d_i differ by 1e3
    assert not found.channels["residual"].any()


def test_the_residual_is_what_momentum_lacks():
    """Newton and Euler for the whole figure: force and moment at the root make up for m g and nothing else."""
    figure = ap.human(detail="thesis42")
    rng = np.random.default_rng(2)
    keys = {t: figure.integrate(ap.standing(figure), 0.2 * rng.normal(size=figure.nu)) for t in (0.0, 0.2, 0.4)}
    found = ap.inverse_motion(ap.Keyframes(figure, keys), {}, dt=0.05)
    mass = sum(link.mass for link in figure.links)
    rate = ap.dynamics.momentum_rate(figure, found.q, found.u, found.udot)[:, 3:]
    assert np.allclose(found.channels["residual"][:, :3], rate - mass * figure.gravity, rtol=0.0, atol=1e-8)


def test_work_is_the_energy_gained():
    """A pendulum that was pushed: the trapezoidal rule at 1 ms, forces found again from its motion."""
    figure = ap.sample("double_pendulum")
    push = ap.simulate(figure, [0.3, -0.2], forces=[2.0, 0.5], steps=400, dt=1e-3)
    found = ap.inverse_motion(push)
    assert "residual" not in found.channels
    assert np.abs(found.tau[2:-2] - [2.0, 0.5]).max() < 1e-4
    energy = ap.dynamics.kinetic_energy(figure, push.q, push.u) + ap.dynamics.potential_energy(figure, push.q)
    gained = (energy - energy[0]).reshape(-1)
    assert np.abs(found.channels["work"].sum(-1) - gained).max() < 1e-4 * np.abs(gained).max()


def test_a_root_that_is_neither_is_refused():
    with pytest.raises(InputError, match=r"root='fre'. Did you mean 'free'"):
        ap.inverse_motion(ARM, root="fre")
