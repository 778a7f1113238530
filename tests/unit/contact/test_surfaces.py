"""Surfaces: the normal is the gradient of the distance, finite everywhere, and they refuse what cannot be."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Capsule, Plane, Sphere
from anthropi.errors import InputError

HILLS = HeightField.of(lambda x, y: 0.3 * np.sin(x) * np.cos(0.7 * y) + 0.1 * x, (-3, -3), (3, 3), 0.25)
SMOOTH = HeightField(HILLS.heights, HILLS.origin, HILLS.spacing, smooth=True)
SOLID = {"plane": Plane((0.0, 0.0, 0.1), (1.0, 2.0, 3.0)), "sphere": Sphere(0.3), "capsule": Capsule(0.2, 0.8),
         "box": Box((0.4, 0.6, 0.8))}  # fmt: skip


@pytest.mark.parametrize("name", SOLID)
def test_the_normal_is_the_gradient(name):
    rng, d = np.random.default_rng(0), 1e-6
    for _ in range(100):
        p = rng.uniform(-1.0, 1.0, 3)
        _, n = SOLID[name].distance(p)
        slope = [(SOLID[name].distance(p + d * e)[0] - SOLID[name].distance(p - d * e)[0]) / (2 * d) for e in np.eye(3)]
        assert n == pytest.approx(slope, abs=1e-8)  # differences over 1e-6
        assert n @ n == pytest.approx(1.0)


@pytest.mark.parametrize("name", SOLID)
def test_finite_at_the_middle_in_value_and_derivative(name):
    for p in (np.zeros(3), np.array([0.2, 0.3, 0.4]), np.array([0.0, 0.0, 0.4])):
        tape = ap.record(lambda p: SOLID[name].distance(p), p=p)
        gap, n = ap.build(tape, target="replay")(p)
        assert np.isfinite(gap) and n @ n == pytest.approx(1.0)
        slopes = ap.build(tape.jvp("p"), target="replay")(p, np.ones(3))
        assert all(np.isfinite(np.asarray(x)).all() for x in np.atleast_1d(np.asarray(slopes, object)).ravel())


def test_distances_that_are_known():
    assert Box((2.0, 2.0, 2.0)).distance(np.array([2.0, 2.0, 0.0]))[0] == pytest.approx(2**0.5)
    assert Box((2.0, 2.0, 2.0)).distance(np.array([0.9, 0.0, 0.0]))[0] == pytest.approx(-0.1)
    assert Capsule(0.1, 1.0).distance(np.array([0.0, 0.3, 0.2]))[0] == pytest.approx(0.2)
    assert Capsule(0.1, 1.0).distance(np.array([0.0, 0.0, -0.8]))[0] == pytest.approx(0.2)
    assert Plane((0.0, 0.0, 1.0), (0.0, 0.0, 2.0)).distance(np.array([5.0, 5.0, 3.0]))[0] == pytest.approx(2.0)


@pytest.mark.parametrize("field", [HILLS, SMOOTH], ids=["bilinear", "smooth"])
def test_terrain_has_its_own_slopes(field):
    rng, d = np.random.default_rng(0), 1e-6
    for x, y in rng.uniform(-4.0, 4.0, (100, 2)):
        _, h_x, h_y = field.height(x, y)
        assert h_x == pytest.approx((field.height(x + d, y)[0] - field.height(x - d, y)[0]) / (2 * d), abs=1e-8)
        assert h_y == pytest.approx((field.height(x, y + d)[0] - field.height(x, y - d)[0]) / (2 * d), abs=1e-8)


def test_terrain_meets_its_nodes_and_goes_on_beyond():
    assert HILLS.height(-3.0 + 5 * 0.25, -3.0 + 7 * 0.25)[0] == pytest.approx(HILLS.heights[5, 7])
    assert HILLS.height(99.0, 99.0)[0] == pytest.approx(HILLS.heights[-1, -1])
    assert HILLS.height(99.0, 0.0)[1] == 0.0
    lifted = HeightField(HILLS.heights, (-3.0, -3.0, 2.0), 0.25)
    assert lifted.height(0.1, 0.2)[0] == pytest.approx(2.0 + HILLS.height(0.1, 0.2)[0])


def test_smooth_terrain_has_no_kinks():
    """Slopes on both sides of cells' middles, where the spline's pieces meet, and of nodes."""
    for x in (0.125, 0.25, 0.375, 2.999):
        left, right = (np.array(SMOOTH.height(x + s * 1e-9, 0.3)) for s in (-1, 1))
        assert left == pytest.approx(right, abs=1e-7)


def test_terrain_records():
    tape = ap.record(lambda p: HILLS.distance(p), p=np.zeros(3))
    for p in np.random.default_rng(2).uniform(-4.0, 4.0, (20, 3)):
        gap, n = ap.build(tape, target="replay")(p)
        wanted = HILLS.distance(p)
        assert gap == pytest.approx(wanted[0], abs=1e-14) and n == pytest.approx(wanted[1], abs=1e-14)


HOSTILE = {
    "plane nowhere": (lambda: Plane(normal=(0.0, 0.0, 0.0)), "has no direction"),
    "plane nan": (lambda: Plane(point=(0.0, np.nan, 0.0)), "point"),
    "plane short": (lambda: Plane(normal=(0.0, 1.0)), "normal"),
    "sphere": (lambda: Sphere(-1.0), "radius"),
    "sphere nan": (lambda: Sphere(np.nan), "radius"),
    "capsule": (lambda: Capsule(0.1, 0.0), "length"),
    "box": (lambda: Box((1.0, 0.0, 1.0)), "size"),
    "box short": (lambda: Box((1.0, 1.0)), "size"),
    "terrain row": (lambda: HeightField([1.0, 2.0]), r"shape \(2,\)"),
    "terrain thin": (lambda: HeightField([[1.0, 2.0]]), r"shape \(1, 2\)"),
    "terrain nan": (lambda: HeightField([[0.0, 1.0], [np.nan, np.inf]]), r"nan at node \(1, 0\) \(and 1 more\)"),
    "terrain words": (lambda: HeightField([["a", "b"], ["c", "d"]]), "type"),
    "terrain flat grid": (lambda: HeightField(np.zeros((3, 3)), spacing=0.0), "spacing"),
    "terrain lost": (lambda: HeightField(np.zeros((3, 3)), origin=(0.0, np.inf)), "origin"),
    "terrain ragged": (lambda: HeightField([[0.0, 1.0], [2.0]]), "rows of different lengths"),
    "terrain of nothing": (lambda: HeightField.of(lambda x, y: 0.0, (0, 0), (1, 1), 0.0), "spacing"),
    "terrain of words": (lambda: HeightField.of(lambda x, y: 0.0, (0, 0), (1, 1), "a"), "spacing"),
    "terrain backwards": (lambda: HeightField.of(lambda x, y: 0.0, (1, 0), (0, 1), 0.1), "low < high"),
    "terrain huge": (lambda: HeightField(np.broadcast_to(0.0, (5000, 5000))), "at most"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_refuses(name):
    make, words = HOSTILE[name]
    with pytest.raises(InputError, match=words):
        make()
