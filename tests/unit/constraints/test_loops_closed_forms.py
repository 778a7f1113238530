"""Four-bar, slider–crank and Bennett's linkage against their closed forms: places, velocities, accelerations."""

import mpmath as mp
import numpy as np
import pytest

import anthropi as ap
from anthropi.constraints.loops.dynamics import loop_dynamics, loop_hybrid_dynamics, loop_impulses
from anthropi.constraints.loops.projection import close_loops
from unit.constraints.closed_forms import FourBar, SliderCrank, acceleration, motion

CASES = {
    "four_bar": (FourBar("0.25", "0.7", "0.5", "0.8"), {}),
    "long four_bar": (FourBar("0.3", "0.9", "1.1", "1"), {"crank": 0.3, "coupler": 0.9, "rocker": 1.1, "ground": 1.0}),
    "slider_crank": (SliderCrank("0.1", "0.3"), {}),
}  # fmt: skip
STATES = [(0.3, 2.0, 1.5), (1.7, -3.0, 4.0), (-2.2, 5.0, -2.0), (3.0, 0.5, 0.0)]  # θ, θ', θ″


def figure_of(case):
    mechanism, options = CASES[case]
    return mechanism, ap.sample(case.split()[-1], **options)


@pytest.mark.parametrize("state", STATES, ids=lambda s: f"{s[0]}")
@pytest.mark.parametrize("case", CASES)
def test_places_velocities_and_accelerations(case, state):
    mechanism, figure = figure_of(case)
    theta, rate, change = state
    with mp.workdps(40):
        q, u, udot = motion(mechanism, theta, rate, change)
    rng = np.random.default_rng(0)
    near = close_loops(figure, q + 0.02 * rng.normal(size=3))
    with mp.workdps(40):
        want = motion(mechanism, near.q[0], 0, 0)[0]
    np.testing.assert_allclose(near.q, want, atol=1e-12)

    def leave(given):  # only the crank is believed; the rest follows from the loop
        return np.array([given[0], 0.0, 0.0])

    start = loop_impulses(figure, q, leave(u)).u
    np.testing.assert_allclose(start / start[0] * u[0], u, rtol=0.0, atol=1e-12 * abs(u).max())
    moved = loop_hybrid_dynamics(figure, q, u, np.zeros(3), leave(udot), prescribed=("crank",))
    np.testing.assert_allclose(moved.udot, udot, rtol=0.0, atol=1e-12 * abs(udot).max())


@pytest.mark.parametrize("case", CASES)
def test_free_acceleration_is_eksergians(case):
    mechanism, figure = figure_of(case)
    for theta, rate, torque in STATES[:2]:
        with mp.workdps(30):
            q, u, _ = motion(mechanism, theta, rate, 0)
            want = acceleration(mechanism, figure, theta, rate, torque)
            _, _, udot = motion(mechanism, theta, rate, want)
        found = loop_dynamics(figure, q, u, np.array([torque, 0.0, 0.0]))
        np.testing.assert_allclose(found.udot, udot, rtol=0.0, atol=1e-12 * abs(udot).max())


def test_the_block_is_where_the_crank_says():
    figure, mechanism = ap.sample("slider_crank"), CASES["slider_crank"][0]
    with mp.workdps(30):
        q = motion(mechanism, 0.8, 0, 0)[0]
        want = float(mechanism.place(mp.mpf("0.8")))
    place = ap.kinematics(figure, q).marker("pin")
    np.testing.assert_allclose(place, [want, 0.0, 0.0], atol=1e-15)


def test_bennett_moves_as_bennett_found():
    """tan ½θ₁ tan ½θ₂ = sin ½(β + α) / sin ½(β - α), θ₃ = -θ₁, and its five rows leave one freedom of three."""
    a, b, twist = 0.5, 0.4, 0.9
    figure = ap.sample("bennett", a=a, b=b, twist=twist)
    other = np.arcsin(b / a * np.sin(twist))
    ratio = np.sin(0.5 * (other + twist)) / np.sin(0.5 * (other - twist))
    first, second = 0.5 * np.pi, 2.0 * np.arctan2(np.sin(0.5 * (other + twist)), np.sin(0.5 * (other - twist)))
    for start in (0.4, -0.9, 1.3):
        q = close_loops(figure, np.array([start, 0.0, -start])).q
        t1, t2 = first + q[0], second + q[1]
        assert abs(q[0]) > 0.2
        np.testing.assert_allclose(np.tan(0.5 * t1) * np.tan(0.5 * t2), ratio, rtol=1e-12)
        np.testing.assert_allclose(q[2], -q[0], atol=1e-12)
    u = loop_impulses(figure, q, np.array([1.0, 0.0, 0.0])).u
    slope = -np.sin(t2) / np.sin(t1)  # from the derivative of the relation
    np.testing.assert_allclose(u[1] / u[0], slope, rtol=1e-12)
    np.testing.assert_allclose(u[2], -u[0], rtol=1e-12)
