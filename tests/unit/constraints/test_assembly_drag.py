"""Dragging bodies: the closest solution, along the constraints."""

import numpy as np
import pytest

from anthropi.constraints import mates
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.mates import Axis, Plane, Point
from anthropi.errors import InputError
from unit.constraints.assemblies import chain, four_bar, scattered, worst

X, Y, Z = np.eye(3)


def lid():
    hinge = mates.Hinge(Axis("box", (0, 0, 0), Y), Axis("lid", (1.0, 0.0, 0.0), Y), name="hinge")
    return Assembly([Body("box", fixed=True), Body("lid", (1.0, 2.0, 3.0), (0.3, 0.4, 0.5, 0.6))], [hinge]).solve()


@pytest.mark.parametrize("goal", [(3.0, 0.0, 4.0), (-0.2, 5.0, 0.1), (-0.3, 0.0, -0.7)])
def test_a_lid_is_dragged_along_its_circle(goal):
    solved = lid().drag("lid", goal)
    flat = np.array([goal[0], 0.0, goal[2]])
    np.testing.assert_allclose(solved.places["lid"].origin, flat / np.linalg.norm(flat), atol=2e-5)
    assert worst(solved) < 1e-11


def test_a_pin_on_a_sphere_and_on_a_line():
    for c, nearest in (
        (mates.Distance(Point("a"), Point("b"), 2.0), lambda g: 2.0 * g / np.linalg.norm(g)),
        (mates.OnLine(Point("b"), Axis("a", X, Z)), lambda g: np.array([1.0, 0.0, g[2]])),
        (mates.OnPlane(Point("b"), Plane("a", X, Z), 0.5), lambda g: np.array([g[0], g[1], 0.5])),
    ):
        solved = Assembly([Body("a", fixed=True), *scattered("b", np.random.default_rng(13))], [c]).solve()
        for goal in np.random.default_rng(14).normal(size=(5, 3)) * 2.0:
            got = solved.drag("b", goal).places["b"].origin
            np.testing.assert_allclose(got, nearest(goal), atol=1e-5)


def test_an_attitude_is_dragged_too():
    ball = Assembly(
        [Body("a", fixed=True), *scattered("b", np.random.default_rng(15))], [mates.Ball(Point("a"), Point("b"))]
    )
    wish = np.array([0.1, 0.2, -0.3, 0.9])
    got = ball.solve().drag("b", quaternion=wish)
    np.testing.assert_allclose(abs(got.x[1, 3:] @ wish), np.linalg.norm(wish), atol=1e-10)


def test_a_mechanism_follows_a_drag():
    solved = four_bar().solve()
    for angle in np.linspace(0.0, 2 * np.pi, 9):
        pin = np.array([np.cos(angle), np.sin(angle), 0.0])
        solved = solved.drag("coupler", pin)
        np.testing.assert_allclose(solved.places["coupler"].origin, pin, atol=1e-5)
        assert worst(solved) < 1e-11


def test_a_long_chain_follows_a_drag():
    solved = chain(40, np.random.default_rng(16), ("hinge", "ball")).solve()
    goal = solved.places["link 40"].origin + np.array([0.5, -0.5, 0.5])
    there = solved.drag("link 40", goal)
    np.testing.assert_allclose(there.places["link 40"].origin, goal, atol=1e-3)
    assert worst(there) < 1e-11


def test_dragging_refuses():
    solved = lid()
    with pytest.raises(InputError, match=r"No body 'lit'\. Did you mean 'lid'"):
        solved.drag("lit", (0, 0, 0))
    with pytest.raises(InputError, match="is fixed"):
        solved.drag("box", (0, 0, 0))
    with pytest.raises(InputError, match="finite"):
        solved.drag("lid", (0, 0, np.nan))
