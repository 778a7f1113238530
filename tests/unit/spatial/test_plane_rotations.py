"""Rotated matrices equal C X Cᵀ for every kind of rotation, also in batches; operation counts."""

from itertools import permutations, product

import numpy as np
import pytest

from anthropi.algebra import spatial as sp
from anthropi.algebra.linear import full, upper
from anthropi.algebra.scalar import cos, sin
from anthropi.algebra.spatial.plane_rotations import MatrixRotation, coordinate_rotation, plane_of
from unit.spatial.helpers import both, normal, spd, taped, turn

ROUNDING = 1e-14  # a dozen sums and products of numbers of order 1

SWAPS = [P for order in permutations(range(3)) for signs in product((1.0, -1.0), repeat=3)
         if np.linalg.det(P := np.array(signs)[:, None] * np.eye(3)[list(order)]) > 0.0]  # fmt: skip


def about(k: int, angle):
    """Turns about coordinate axis k by angles (…)."""
    angle = np.asarray(angle)
    matrices = [coordinate_rotation(k, np.cos(a), np.sin(a)) for a in angle.ravel()]
    return np.array(matrices).reshape(*angle.shape, 3, 3)


def check(C, lead=()):
    X, S = normal(1, *lead, 3, 3), spd(2, 3) * np.ones((*lead, 1, 1))
    CT = np.swapaxes(C, -1, -2)
    np.testing.assert_allclose(MatrixRotation(C).matrix(X), C @ X @ CT, rtol=0.0, atol=ROUNDING)
    np.testing.assert_allclose(full(MatrixRotation(C).symmetric(upper(S))), C @ S @ CT, rtol=0.0, atol=10 * ROUNDING)


@pytest.mark.parametrize("k", range(3))
def test_a_turn_in_a_plane_with_axes_swapped_and_turned_round(k):
    assert len(SWAPS) == 24
    for before, after in product(SWAPS, SWAPS):
        C = before @ about(k, 0.7) @ after
        plane = plane_of(C)
        assert plane is not None and sorted((abs(plane.c), abs(plane.s))) == sorted((np.cos(0.7), np.sin(0.7)))
        check(C)


def test_any_turn():
    C = turn(3)
    assert plane_of(C) is None
    check(C)
    diagonal = np.diag([1.0, 2.0, 5.0])
    np.testing.assert_allclose(full(MatrixRotation(C).symmetric(upper(diagonal))), C @ diagonal @ C.T, atol=ROUNDING)


def test_batches():
    angles = np.array([0.1, -2.0, 3.0, 0.0])
    check(about(1, angles), (4,))
    check(about(1, 0.4), (4,))
    check(np.stack([turn(k) for k in range(4)]), (4,))
    check(turn(0), (2, 3))
    assert plane_of(np.stack([about(0, 0.3), about(1, 0.3)])) is None  # each in a plane of its own


def test_only_a_turn_is_taken_for_one():
    """A mirror image, two angles, an entry that is only nearly zero."""
    c, s = np.cos(0.5), np.sin(0.5)
    assert plane_of(np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, 1.0]])) is None
    assert plane_of(np.array([[c, -s, 0.0], [s, np.cos(0.6), 0.0], [0.0, 0.0, 1.0]])) is None
    assert plane_of(np.array([[c, -s, 1e-17], [s, c, 0.0], [0.0, 0.0, 1.0]])) is None
    seen = []
    taped(lambda C: seen.append(plane_of(C)) or C, np.eye(3))  # recorded numbers may turn out as anything
    assert seen == [None]


def carried(angle, matrix, C):
    """An inertia turned by a hinge, and by any rotation."""
    I = sp.ArticulatedInertia.from_matrix(matrix)
    return I.rotated(coordinate_rotation(2, cos(angle[0]), sin(angle[0]))), I.rotated(C)


def test_recorded_it_is_the_same():
    I = spd(5, 6)
    hinge, any_turn = both(carried, np.array([0.3]), I, turn(1))
    for found, C in ((hinge, about(2, 0.3)), (any_turn, turn(1))):
        X = np.kron(np.eye(2), C)
        np.testing.assert_allclose(found.matrix(), X @ I @ X.T, atol=1e-13)


def test_what_it_costs():
    I, angle, C, S = np.eye(6), np.zeros(1), np.eye(3), np.zeros(6)

    def hinge(angle, matrix):
        return carried(angle, matrix, np.eye(3))[0]

    def any_turn(C, matrix):
        return sp.ArticulatedInertia.from_matrix(matrix).rotated(C)

    assert taped(hinge, angle, I).operations == 2 + 54  # sine and cosine; 1 + 2 · 15 + 23
    assert taped(any_turn, C, I).operations == 59 + 80 + 59
    assert taped(lambda C, S: MatrixRotation(C).symmetric(S), C, S).operations == 59
    assert (
        taped(
            lambda C, m: MatrixRotation(C).symmetric(m * np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0])), C, angle
        ).operations
        == 0
    )
    assert (
        taped(lambda S: [MatrixRotation(P).symmetric(S) for P in SWAPS], S).operations == 0
    )  # swapped axes are no work
    assert taped(lambda C: [MatrixRotation(P).matrix(C) for P in SWAPS], C).operations == 0


def test_small_entries_err_by_rounding_of_the_large_ones():
    """What (3) gives up: a moment of inertia 1e-9 of another is right to 1e-7, and so is C X Cᵀ at any other angle."""
    S = np.diag([1.0, 1e-9, 1.0])
    for angle in (0.0, 1e-3, 0.4, 1.5):
        C = about(2, angle)
        off = np.abs(full(MatrixRotation(C).symmetric(upper(S))) - C @ S @ C.T).max()
        assert off <= 4 * np.finfo(float).eps
