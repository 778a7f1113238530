"""Results of `ap.kinematics` by name: links, points, centres of mass and markers, one state or many, in both frames."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms import kinematics as kin
from anthropi.errors import InputError
from unit.kinematics.tree import state, tree

FIG = tree()
SEEDS = (0, 1, 2)


def same(a, b):  # nine links
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.fixture(scope="module")
def many():
    q, u, udot = (np.stack([state(s)[n] for s in SEEDS]) for n in range(3))
    return ap.kinematics(FIG, q, u, udot)


def test_links_by_name(many):
    for n, seed in enumerate(SEEDS):
        k = state(seed)[3]
        for i, link in enumerate(FIG.links):
            view, own = many.link(link.name), many.link(link.name, frame="link")
            for got, wanted in zip(view, k, strict=True):
                same(got[n], wanted[i])
            same(own.rotation[n], k.rotation[i])
            for got, wanted in zip(own[1:], k[1:], strict=True):
                same(got[n], k.rotation[i].T @ wanted[i])


def test_points_centres_and_markers(many):
    point, way = FIG.marker("point"), FIG.marker("way")
    i, j = FIG.link_index(point.link), FIG.link_index(way.link)
    of_point = (kin.point_position, kin.point_velocity, kin.point_acceleration)
    of_way = (kin.direction, kin.direction_velocity, kin.direction_acceleration)
    for n, seed in enumerate(SEEDS):
        k = state(seed)[3]
        for got, function in zip(many.marker_motion("point"), of_point, strict=True):
            same(got[n], function(k, i, point.point))
        for got, function in zip(many.marker_motion("way", frame="link"), of_way, strict=True):
            same(got[n], k.rotation[j].T @ function(k, j, way.direction))
        for got, function in zip(many.centre("b3"), of_point, strict=True):
            same(got[n], function(k, 3, FIG.links[3].centre))
        same(many.marker("way")[n], kin.direction(k, j, way.direction))
        same(many.point("b3", (0, 0, 1), frame="link").velocity[n],
             k.rotation[3].T @ kin.point_velocity(k, 3, np.array([0.0, 0.0, 1.0])))  # fmt: skip


def test_what_was_not_asked_for_is_none():
    k = ap.kinematics(FIG, state(0)[0])
    assert k.velocity is None and k.link("b1").acceleration is None
    assert k.point("b1").velocity is None and k.marker_motion("way").acceleration is None
    with pytest.raises(InputError, match=r"No frame 'wrld'\. Did you mean 'world'"):
        k.point("b1", frame="wrld")
    with pytest.raises(InputError, match=r"No marker 'pont' .*Did you mean 'point'"):
        k.marker("pont")
