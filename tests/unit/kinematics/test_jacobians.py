"""Jacobians against derivatives of positions, each other, and their own special cases."""

import numpy as np
import pytest

from anthropi.algebra.spatial import Transform, skew
from anthropi.algorithms.jacobians import (
    hessian,
    jacobian,
    jacobian_bias,
    jacobian_rate,
    relative_jacobian,
    spatial_jacobian,
)
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.errors import InputError
from anthropi.figure import Figure, Link, Revolute, Weld
from laws.rotation.law import along
from oracle.figures import figure, state

POINT = np.array([0.3, -0.2, 0.1])


def same(a, b, tol=1e-12):  # a dozen links, numbers of size 1 to 100
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=tol, atol=tol)


def case(seed, links=9):
    fig = figure(seed, links=links)
    return fig, *state(fig, seed)


@pytest.mark.parametrize("seed", range(5))
def test_spatial_jacobians_are_one_motion_in_two_frames(seed):
    fig, q, u, _ = case(seed)
    k = kinematics(fig, q, u)
    for i, link in enumerate(fig.links):
        X = Transform(k.rotation[i], k.position[i])
        body, world = (spatial_jacobian(fig, q, link=link.name, frame=f) for f in ("link", "world"))
        same(X.act_motion(body @ u), world @ u)
        same(body @ u, np.concatenate([X.rotation.T @ k.angular_velocity[i], X.rotation.T @ k.velocity[i]]))


@pytest.mark.parametrize("seed", range(5))
def test_relative_jacobian_is_the_rate_of_coordinates_in_the_other_link(seed):
    fig, q, u, _ = case(seed, links=7)
    for link, to in (("l6", "l2"), ("l2", "l6"), ("l5", "l0"), ("l0", "l5")):
        i, j = fig.link_index(link), fig.link_index(to)

        def seen(q, i=i, j=j):
            k = kinematics(fig, q)
            back = np.swapaxes(k.rotation[j], 0, 1)
            return back @ (point_position(k, i, POINT) - k.position[j]), back @ k.rotation[i]

        _, C = seen(q)
        x_rate, C_rate = along(seen, (q,), (fig.rate(q, u),))
        J = relative_jacobian(fig, q, link=link, to=to, point=POINT)
        same(J[3:] @ u, x_rate)
        same(skew(J[:3] @ u) @ C, C_rate)


def test_relative_jacobian_has_no_column_for_what_carries_both():
    fig, q, _, _ = case(2, links=12)
    fig = fig.changed(parent=(-1, 0, 1, 2, 3, 4, 3, 6, 7, 8, 9, 10))
    J = relative_jacobian(fig, q, link="l5", to="l11", point=POINT)
    shared = [d for i in range(4) for d in range(fig.u_of[i].start, fig.u_of[i].stop)]
    assert shared and (J[:, shared] == 0.0).all()
    same(relative_jacobian(fig, q, link="l5", to="l5"), np.zeros(J.shape), 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_rates_in_the_link_frame_are_rates_of_components(seed):
    fig, q, u, _ = case(seed, links=6)
    at = dict(link="l5", point=POINT, frame="link")
    rate = jacobian_rate(fig, q, u, **at)
    same(rate, along(lambda q: jacobian(fig, q, **at), (q,), (fig.rate(q, u),)))
    same(jacobian_bias(fig, q, u, **at), rate @ u)
    same(hessian(fig, q, **at) @ u, rate)


def test_a_figure_that_cannot_move_has_empty_jacobians():
    fig = Figure("post", [Link("a", 1.0, np.zeros(3), np.eye(3))], [Weld(name="w")], (-1,))
    q = np.zeros(0)
    assert jacobian(fig, q, link="a").shape == (6, 0)
    assert jacobian_rate(fig, q, q, link="a").shape == (6, 0)
    assert hessian(fig, q, link="a").shape == (6, 0, 0)


def test_wrong_names_are_answered_with_the_choices():
    fig = Figure("arm", [Link("upper", 1.0, np.zeros(3), np.eye(3))], [Revolute(name="j")], (-1,))
    with pytest.raises(InputError, match=r"No link 'uper'.*Did you mean 'upper'"):
        jacobian(fig, np.zeros(1), link="uper")
    with pytest.raises(InputError, match=r"No frame 'body'.*world, link"):
        jacobian(fig, np.zeros(1), link="upper", frame="body")
    with pytest.raises(InputError, match=r"No frame 'body'"):
        jacobian_bias(fig, np.zeros(1), np.zeros(1), link="upper", frame="body")
