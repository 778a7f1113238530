"""Closing loops from anywhere, and inverse kinematics that keeps them closed."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.constraints.loops.closures import closures, loop_errors
from anthropi.constraints.loops.projection import close_loops, nearest_closed
from anthropi.constraints.relative import rows
from anthropi.constraints.targets import Position


def gap(figure, q) -> float:
    return max(np.abs(e).max() for e in loop_errors(figure, q).values())


@pytest.mark.slow
def test_samples_are_closed_when_neutral():
    for name in ("four_bar", "slider_crank", "bennett", "stewart"):
        figure = ap.sample(name)
        assert gap(figure, figure.neutral()) < 1e-15
    figure = ap.sample("lifter")
    assert gap(figure, ap.loops.close_loops(figure, ap.standing(figure))) < 1e-14  # not from the first start
    figure = ap.sample("lifter", bar="fixed")
    assert close_loops(figure, figure.integrate(ap.standing(figure), np.full(figure.nu, 0.1))).error < 1e-14
    with pytest.raises(ap.AnthropiError, match=r"bar='heldd'. Did you mean 'held'\?"):
        ap.sample("lifter", bar="heldd")
    with pytest.raises(ap.AnthropiError, match="does not close with its crank along the ground"):
        ap.sample("four_bar", crank=3.0)
    with pytest.raises(ap.AnthropiError, match=r"and b sin\(twist\) < a"):
        ap.sample("bennett", b=2.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "spread"), [("four_bar", 2.0), ("slider_crank", 2.0), ("bennett", 0.3), ("stewart", 0.3)]
)
def test_loops_close_from_afar(name, spread):
    figure, rng = ap.sample(name), np.random.default_rng(0)
    for _ in range(5):
        assert (
            close_loops(figure, figure.integrate(figure.neutral(), spread * rng.normal(size=figure.nu))).error < 1e-13
        )


def test_restarts_find_what_the_first_start_did_not():
    figure, rng = ap.sample("bennett"), np.random.default_rng(0)
    starts = 0.7 * rng.normal(size=(40, 3))
    with pytest.raises(
        ap.AnthropiError, match=r"number \d+ of the batch.*'closure' stays open by .* between the z axes"
    ):
        ap.loops.close_loops(figure, starts, restarts=0, passes=1)
    q, u = ap.loops.close_loops(figure, starts, np.ones(3), passes=1)
    assert max(gap(figure, x) for x in q) < 1e-12 and u.shape == (40, 3)


def test_the_nearest_closed_state_is_near_in_the_metric_of_inertia():
    """d is M-square to every motion that keeps the loops; u⁺ too, which is what projection at a step's end means."""
    figure, rng = ap.sample("stewart"), np.random.default_rng(1)
    closed = close_loops(figure, figure.integrate(figure.neutral(), 0.1 * rng.normal(size=figure.nu)),
                         rng.normal(size=figure.nu))  # fmt: skip
    off, du = 1e-6 * rng.normal(size=figure.nu), 1e-3 * rng.normal(size=figure.nu)
    q, u = nearest_closed(figure, figure.integrate(closed.q, off), closed.u + du)
    assert gap(figure, q) < 1e-15
    J, M = rows(figure, q, closures(figure), 0.0)[1].astype(float), mass_matrix(figure.changed(loops=()), q)
    np.testing.assert_allclose(J @ u, 0.0, atol=1e-13)
    free = np.linalg.svd(J)[2][len(J) :].T  # motions that keep the loops
    d = figure.difference(figure.integrate(closed.q, off), q)
    assert np.abs(free.T @ M @ d).max() < 1e-4 * np.abs(M @ d).max()  # to first order in |d|
    np.testing.assert_allclose(free.T @ M @ (u - closed.u - du), 0.0, atol=1e-7 * np.abs(M @ du).max())


def test_closed_exactly_where_the_mechanism_is_stretched():
    """A parallelogram flat on its ground: its rows depend on each other just there, and nothing blows up."""
    figure = ap.sample("four_bar", ground=0.8, crank=0.3, coupler=0.8, rocker=0.3 + 1e-12)
    flat = np.zeros(3)
    assert gap(figure, flat) < 1e-9
    found = ap.loops.loop_impulses(figure, flat, np.array([1.0, -1.0, 1.0]))
    assert np.isfinite(found.u).all() and np.abs(found.u).max() < 10.0
    moved = ap.loops.loop_dynamics(figure, flat, np.zeros(3), np.array([1.0, 0.0, 0.0]))
    assert np.isfinite(moved.udot).all()


@pytest.mark.slow
def test_hands_stay_on_the_bar_while_it_is_moved():
    figure = ap.sample("lifter")
    feet = {name: kinematics(figure, ap.standing(figure)) for name in ("l_foot", "r_foot")}
    still = [Position(name, k.position[figure.link_index(name)]) for name, k in feet.items()]
    goals = np.stack([[0.45, -0.25, z] for z in (0.9, 1.1, 1.3)])
    found = ap.inverse_kinematics(figure, [*still, Position("bar", goals)])
    assert found.converged.all() and found.error.shape == (3, 4)
    for q, goal in zip(found.q, goals, strict=True):
        assert gap(figure, q) < 1e-12  # loops are met to rounding, targets to the tolerance
        np.testing.assert_allclose(kinematics(figure, q).position[figure.link_index("bar")], goal, atol=1e-6)
    lower, upper = figure.limits
    for q in found.q:
        x = np.concatenate([j.coordinates(q[at]) for j, at in zip(figure.joints, figure.q_of, strict=True)])
        assert (x >= lower - 1e-9).all() and (x <= upper + 1e-9).all()


def test_a_goal_out_of_reach_leaves_loops_closed():
    figure = ap.sample("four_bar")
    found = ap.inverse_kinematics(figure, Position("knee", [0.3, 0.0, 2.0]), restarts=2)
    assert not found.converged and gap(figure, found.q) < 1e-12
    assert "position of knee comes no closer than" in found.explain() and "loop" not in found.explain()
    best = min(np.linalg.norm(knee - [0.3, 2.0]) for knee in _knees(figure))
    assert found.error[0] == pytest.approx(best, abs=2e-3)  # the grid of cranks is that coarse


def _knees(figure):
    """Where the knee can be: both ways to close the loop, over all angles of the crank."""
    a, b, c, d = 0.25, 0.7, 0.5, 0.8
    for t in np.linspace(0.0, 2.0 * np.pi, 721):
        pin = np.array([a * np.cos(t), a * np.sin(t)])
        way = np.array([d, 0.0]) - pin
        r = np.linalg.norm(way)
        along = (r * r + b * b - c * c) / (2.0 * r)
        up = np.sqrt(b * b - along * along)
        for side in (1.0, -1.0):
            yield pin + along * way / r + side * up * np.array([-way[1], way[0]]) / r
