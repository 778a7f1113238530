"""Outlines: the ground that obstacles take, beside the surfaces they come from."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.contact.geometry.surfaces import Box, Capsule, Plane, Sphere
from anthropi.contact.scene import Obstacle
from anthropi.errors import InputError
from anthropi.gait.navigation import disc, outline_of, outlines_of, polygon
from anthropi.gait.navigation.outlines import hull


def turned(angle, origin):
    c, s = np.cos(angle), np.sin(angle)
    return Transform(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array(origin))


@pytest.mark.parametrize(
    "surface", [Box((1.2, 0.6, 1.0)), Sphere(0.5), Capsule(0.2, 1.0)], ids=lambda s: type(s).__name__
)
def test_at_its_height_an_outline_is_as_far_as_the_surface(surface):
    obstacle = Obstacle("thing", surface, turned(0.7, (1.0, 2.0, 0.5)))
    outline = outline_of(obstacle)
    rng = np.random.default_rng(0)
    for p in rng.uniform(-1.5, 1.5, (40, 2)):
        local = obstacle.pose.rotation.T @ np.array([*p, 0.0])
        d = surface.distance(local)[0]
        if d < 0.0 and isinstance(surface, Box):  # the lid may be nearer
            continue
        assert outline.gap(p + np.array([1.0, 2.0])) == pytest.approx(d, abs=1e-12)


def test_gaps_inside_are_negative_and_inflating_takes_off_them():
    box = polygon([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])
    assert box.gap([[1.0, 0.4], [3.0, 2.0], [1.0, 1.5]]).tolist() == pytest.approx([-0.4, np.sqrt(2.0), 0.5])
    assert box.inflated(0.3).gap([1.0, 1.5]) == pytest.approx(0.2)


def test_a_lying_box_and_a_lying_capsule_take_what_they_cover():
    flat = Transform(np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]), np.array([0.0, 0.0, 0.3]))
    log = outline_of(Obstacle("log", Capsule(0.3, 2.0), flat))
    assert log.gap([[1.5, 0.0], [0.0, 0.5]]).tolist() == pytest.approx([0.2, 0.2])
    chest = outline_of(Obstacle("chest", Box((0.4, 0.6, 2.0)), flat))
    assert chest.gap([1.2, 0.0]) == pytest.approx(0.2) and chest.gap([0.0, 0.5]) == pytest.approx(0.2)


def test_what_is_overhead_or_underfoot_is_not_in_the_way():
    lamp, plate = (
        Obstacle(n, Box((0.5, 0.5, 0.02)), turned(0.0, (0.0, 0.0, z))) for n, z in (("lamp", 2.3), ("plate", 0.0))
    )
    door = Obstacle("door", Box((0.1, 1.0, 2.0)), turned(0.0, (3.0, 0.0, 1.0)))
    scene = ap.Scene(ap.human(1.75, 75), obstacles=(lamp, plate, door))
    assert [o.name for o in outlines_of(scene)] == ["door"]


def test_what_moves_is_where_it_says():
    ball = disc([1.0, 0.0], 0.2, velocity=(0.5, -0.5), since=2.0)
    assert ball.at(4.0).tolist() == [[2.0, -1.0]] and ball.at(np.zeros((3, 2))).shape == (3, 2, 1, 2)
    assert not disc([0.0, 0.0], 0.2, velocity=(0.0, 0.0)).moves
    swing = disc([0.0, 0.0], 0.2, velocity=lambda t: (np.sin(t), 0.0))
    assert swing.gap([2.0, 0.0], np.pi / 2.0) == pytest.approx(0.8)
    block = polygon([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], velocity=lambda t: (t, 0.0))
    assert block.gap([0.0, 0.0], 1.0) == pytest.approx(1.0)
    spins = Obstacle("spins", Box((2.0, 0.2, 1.0)), lambda t: (turned(t, (t, 0.0, 0.5)), np.array([0.0, 0.0, 1.0]),
                                                             np.array([1.0, 0.0, 0.0])))  # fmt: skip
    outline = outline_of(spins)
    assert outline.moves
    for t in (0.0, 0.4, np.pi / 2.0):
        end = np.array([t + np.cos(t), np.sin(t)])
        assert outline.gap(end, t) == pytest.approx(0.0, abs=1e-9), "the middle of its end"


@pytest.mark.parametrize("seed", range(5))
def test_a_hull_holds_its_points_and_turns_left(seed):
    points = np.random.default_rng(seed).normal(size=(30, 2))
    corners = hull(points)
    assert (polygon(corners).gap(points) < 1e-9).all()
    edges = np.roll(corners, -1, 0) - corners
    ahead = np.roll(edges, -1, 0)
    assert (edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0] > 0.0).all()


def test_what_is_no_outline_is_refused():
    for make, words in (
        (lambda: disc([0.0, np.nan], 0.2, name="fog"), "'fog' has centre"),
        (lambda: disc([0.0, 0.0], -0.2), "radius -0.2"),
        (lambda: disc([0.0, 0.0], 0.2, velocity=(1.0,)), "velocity"),
        (lambda: polygon([[0.0, 0.0, 1.0]]), "shape"),
        (lambda: outlines_of([3]), "3 is not an obstacle"),
        (lambda: outline_of(Obstacle("wall", Plane(normal=(1.0, 0.0, 0.0)))), "'wall' is a Plane"),
    ):
        with pytest.raises(InputError, match=words):
            make()
