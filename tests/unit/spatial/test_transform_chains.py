"""Joint placements decomposed into rotations about coordinate axes: the same pose, the fewest steps, exact zeros."""

from itertools import product

import numpy as np
import pytest

from anthropi.algebra import spatial as sp
from anthropi.algebra.scalar import cos, sin
from anthropi.algebra.spatial.plane_rotations import (
    JointPlacement,
    TransformChain,
    coordinate_rotation,
    decompose_placement,
    three_rotations,
    two_rotations_to_axis,
)
from unit.spatial.helpers import both, normal, same, spd, taped, turn
from unit.spatial.test_plane_rotations import SWAPS, about

EPS = np.finfo(float).eps
SLANTED = {
    "about the joint's axis": about(2, 0.7),
    "about another axis": about(0, -0.4),
    "swapped, about another": SWAPS[7] @ about(1, 2.5) @ SWAPS[11],
    "any": turn(4),
    "nearly nothing": about(0, 1e-9),
    "half a turn, nearly": about(1, np.pi - 1e-9),
}


@pytest.mark.parametrize("j,k", list(product(range(3), range(3))))
def test_three_turns_make_any_rotation(j, k):
    for C in [turn(n) for n in range(5)] + SWAPS + list(SLANTED.values()):
        first, second, third = three_rotations(C, j, k)
        np.testing.assert_allclose(first @ second @ third, C, rtol=0.0, atol=8 * EPS)
        assert first[j, j] == third[k, k] == 1.0
        x, y = two_rotations_to_axis(j, k, C[:, k])
        np.testing.assert_allclose((x @ y)[:, k], C[:, k], rtol=0.0, atol=8 * EPS)


def test_swapped_axes_come_out_exact():
    for C in SWAPS:
        for j, k in product(range(3), range(3)):
            turns = three_rotations(C, j, k)
            assert {abs(x) for R in turns for x in R.ravel()} <= {0.0, 1.0}
            np.testing.assert_array_equal(turns[0] @ turns[1] @ turns[2], C)


@pytest.mark.parametrize("name", SLANTED)
@pytest.mark.parametrize("k", range(3))
def test_a_place_taken_apart_is_the_same_place(name, k):
    """Poses, vectors and inertias, with a joint that slides as it turns."""
    place = sp.Transform(SLANTED[name], normal(1, 3))
    joint = sp.Transform(coordinate_rotation(k, np.cos(0.9), np.sin(0.9)), normal(2, 3))
    X, Y = place @ joint, decompose_placement(place, k) @ joint
    tolerance = 1e-13  # numbers of order 1 to 30 through three turns
    same((Y.rotation, Y.origin), (X.rotation, X.origin), tolerance)
    m, I = normal(3, 6), sp.ArticulatedInertia.from_matrix(spd(4, 6))
    same(Y.undo_motion(m), X.undo_motion(m), tolerance)
    same(Y.act_force(m), X.act_force(m), tolerance)
    same(Y.undo_direction(m[:3]), X.undo_direction(m[:3]), tolerance)
    same(Y.act_inertia(I).matrix(), X.act_inertia(I).matrix(), tolerance)


def steps(C, k: int, p=(0.0, 0.0, 0.0)) -> int:
    """How many steps come before the joint's own."""
    place = decompose_placement(sp.Transform(C, np.array(p)), k)
    return len(place.steps) if isinstance(place, JointPlacement) else 0


def test_no_step_without_need():
    assert all(steps(C, k) == 0 for C in SWAPS for k in range(3))
    assert steps(about(1, 0.3), 1) == steps(SWAPS[9] @ about(1, 0.3), 1) == 0  # the joint goes on with it
    assert steps(about(0, 0.3), 2) == steps(about(2, 0.4), 0) == steps(SWAPS[3] @ about(1, 0.4), 0) == 1
    assert steps(turn(1), 2) == 2


def test_an_origin_is_added_where_it_has_most_zeros():
    """Denavit and Hartenberg's frames: a along x, a twist about x, d along z. In the joint's axes that is (a, 0, d)."""
    C = about(0, 0.6)
    place = decompose_placement(sp.Transform(C, np.array([0.3, 0.0, 0.0]) + C @ [0.0, 0.0, 0.1]), 2)
    assert not place.steps[0].origin.any() and place.before.origin[1] == 0.0
    np.testing.assert_allclose(place.before.origin, [0.3, 0.0, 0.1], atol=EPS)
    above = decompose_placement(sp.Transform(C, np.array([0.0, 0.0, 0.2])), 2)
    assert above.steps[0].origin.tolist() == [0.0, 0.0, 0.2] and not above.before.origin.any()


def test_what_is_being_traced_stays_where_it_is():
    def turned(angle, place):
        return decompose_placement(place, 2) @ sp.Transform(
            coordinate_rotation(2, cos(angle[0]), sin(angle[0])), np.zeros(3)
        )

    def function(angle, p, C):
        X, Y = turned(angle, sp.Transform(about(0, 0.6), p)), turned(angle, sp.Transform(C, p))
        return (X, Y), (X.act_force(np.arange(6.0)), Y.act_force(np.arange(6.0)))

    def recorded(angle, p, C):
        (X, Y), forces = function(angle, p, C)
        assert isinstance(X, TransformChain) and X.steps[0].origin is p and isinstance(Y, sp.Transform)
        return forces

    one, other = both(lambda angle, p, C: function(angle, p, C)[1], np.array([0.4]), normal(0, 3), about(0, 0.6))
    same(one, other, 1e-14)
    taped(recorded, np.zeros(1), np.zeros(3), np.eye(3))
