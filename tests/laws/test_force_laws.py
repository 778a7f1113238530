"""Laws of forces that hold in any figure: what acts and what it does, whatever the coordinates."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anthropi.algorithms.bias_forces import bias_forces, external_forces, passive_forces
from anthropi.algorithms.energy import power_balance
from anthropi.algorithms.equations_of_motion import newton_euler
from anthropi.algorithms.exponential import (
    exponential_forces,
    exponential_rates,
    forces_from_exponential,
    nearest_chart,
    velocities_from_exponential,
)
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from unit.dynamics.catalog import acting

FIGURES = st.builds(acting, st.integers(0, 10**6), links=st.integers(2, 6))


def near(a, b, size):
    assert np.max(np.abs(a - b), initial=0.0) <= 1e-11 * (1.0 + size)  # six links at most


@given(FIGURES)
def test_forces_of_a_motion_balance_its_power(drawn):
    fig, x = drawn
    tau = inverse_dynamics(fig, x["q"], x["u"], x["udot"], x["f_ext"])
    p = power_balance(fig, x["q"], x["u"], tau, x["f_ext"], x["udot"])
    near(p.residual, 0.0, np.abs(p).max())
    assert p.dampers <= 0.0


@given(FIGURES)
def test_bodies_and_recursions_agree(drawn):
    fig, x = drawn
    q, u, udot, f_ext = x["q"], x["u"], x["udot"], x["f_ext"]
    body = newton_euler(fig, q, u, f_ext)
    acts = passive_forces(fig, q, u) + external_forces(fig, q, f_ext)
    h = bias_forces(fig, q, u)
    near(body.h, acts - h, np.abs(h).max(initial=0.0) + np.abs(acts).max(initial=0.0))
    tau = inverse_dynamics(fig, q, u, udot, f_ext)
    near(body.M @ udot - body.h, tau, np.abs(tau).max(initial=0.0))


@given(FIGURES, st.floats(0.1, 1.9))
def test_exponential_coordinates_keep_power(drawn, turns):
    """In any chart: every exponential joint is turned to a rotation vector `turns` times π long."""
    fig, x = drawn
    q, u, tau = x["q"].copy(), x["u"], x["tau"]
    for joint, at in zip(fig.joints, fig.q_of, strict=True):
        if joint.kind == "exponential":
            q[at] *= turns * np.pi / np.sqrt(q[at] @ q[at])
    rates, forces = exponential_rates(fig, q, u), exponential_forces(fig, q, tau)
    size = 40.0 * (np.abs(tau).sum() * np.abs(u).sum())  # G_b up to 1 / sin(0.05 π)
    near(forces @ rates, tau @ u, size)
    near(velocities_from_exponential(fig, q, rates), u, size)
    near(forces_from_exponential(fig, q, forces), tau, size)
    q2, rates2, forces2 = nearest_chart(fig, q, rates, forces)
    near(forces2 @ rates2, tau @ u, size)
    near(velocities_from_exponential(fig, q2, rates2), u, size)
    near(forces_from_exponential(fig, q2, forces2), tau, size)
