"""Laws of spatial algebra: groups, invariants, and elimination, on floats and through recordings."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anthropi.algebra import spatial as sp
from anthropi.algebra.linear import inverse_symmetric
from unit.spatial.bench42 import rotation
from unit.spatial.helpers import both, run, taped

numbers = st.floats(-3.0, 3.0)


def vectors(n):
    return st.lists(numbers, min_size=n, max_size=n).map(np.array)


def _unit(q):
    length = np.sqrt(q @ q)
    return q / length if length > 1e-3 else np.array([0.0, 0.0, 0.0, 1.0])


rotations = vectors(4).map(_unit).map(rotation)
poses = st.builds(sp.Transform, rotations, vectors(3))
motions, forces = vectors(6), vectors(6)
square = st.lists(numbers, min_size=9, max_size=9).map(lambda x: np.array(x).reshape(3, 3))


def _body(mass, centre, X):
    spread = X @ X.T + 0.1 * np.eye(3)
    return sp.RigidInertia(mass, centre, np.trace(spread) * np.eye(3) - spread)


bodies = st.builds(_body, st.floats(0.1, 5.0), vectors(3), square)
joints = st.lists(st.integers(0, 5), min_size=1, max_size=5, unique=True).map(tuple)


def near(x, y, tolerance=1e-10):
    np.testing.assert_allclose(x, y, rtol=0.0, atol=tolerance * max(1.0, np.abs(y).max()))


def round_trip(C, p, m, f):
    X = sp.Transform(C, p)
    return X.undo_motion(X.act_motion(m)), X.undo_force(X.act_force(f)), (X @ X.inverse()).matrix()


@given(poses, motions, forces)
def test_a_transform_and_its_inverse_cancel(X, m, f):
    back_m, back_f, one = both(round_trip, X.rotation, X.origin, m, f, tolerance=1e-11)
    near(back_m, m)
    near(back_f, f)
    near(one, np.eye(6))


@given(poses, poses, poses, motions)
def test_transforms_associate(X, Y, Z, m):
    near(((X @ Y) @ Z).matrix(), (X @ (Y @ Z)).matrix())
    near((X @ Y).act_motion(m), X.act_motion(Y.act_motion(m)))


@given(poses, motions, forces)
def test_power_does_not_depend_on_the_observer(X, m, f):
    near(sp.power(X.act_force(f), X.act_motion(m)), sp.power(f, m))


@given(poses, motions, motions, forces)
def test_transforms_keep_cross_products(X, v, m, f):
    near(X.act_motion(sp.cross_motion(v, m)), sp.cross_motion(X.act_motion(v), X.act_motion(m)))
    near(X.act_force(sp.cross_force(v, f)), sp.cross_force(X.act_motion(v), X.act_force(f)))


@given(motions, motions, motions, forces)
def test_cross_products_are_a_lie_algebra(a, b, c, f):
    near(sp.cross_motion(a, b), -sp.cross_motion(b, a))
    cycle = [sp.cross_motion(x, sp.cross_motion(y, z)) for x, y, z in ((a, b, c), (b, c, a), (c, a, b))]
    near(sum(cycle), np.zeros(6))  # Jacobi
    near(sp.power(sp.cross_force(a, f), b), -sp.power(f, sp.cross_motion(a, b)))  # ×* is minus the transpose of ×


def moved(mass, c, tensor, C, p, v):
    X, I = sp.Transform(C, p), sp.RigidInertia(mass, c, tensor)
    there = X.act_inertia(I)
    return there.kinetic_energy(X.act_motion(v)), there.bias_force(X.act_motion(v)), there.momentum(X.act_motion(v))


@given(bodies, poses, motions)
def test_energy_bias_force_and_momentum_move_along(I, X, v):
    energy, bias, momentum = both(moved, I.mass, I.centre, I.tensor, X.rotation, X.origin, v, tolerance=1e-11)
    near(energy, I.kinetic_energy(v))
    near(bias, X.act_force(I.bias_force(v)))
    near(momentum, X.act_force(I.momentum(v)))
    near(sp.power(I.bias_force(v), v), 0.0, 1e-9)  # the bias force does no work


@given(bodies, bodies, poses)
def test_sums_of_bodies_transform_like_bodies(one, two, X):
    near(X.act_inertia(one + two).matrix(), X.act_inertia(one).matrix() + X.act_inertia(two).matrix())
    near((one + two).matrix(), (two + one).matrix())
    (one + two).validate()
    X.act_inertia(one).validate()


@given(bodies, motions)
def test_rates_of_energy_and_momentum(I, v):
    near(I.rate(v).act(v), sp.cross_force(v, I.momentum(v)) - I.act(sp.cross_motion(v, v)), 1e-9)
    near(sp.power(I.rate(v).act(v), v), 0.0, 1e-8)


def _eliminate(I, axes):
    return I.eliminate(axes, inverse_symmetric(I.block(axes)))


@given(bodies, bodies, joints)
def test_elimination(one, two, axes):
    I = one.articulated() + two.articulated()
    left = _eliminate(I, axes)
    matrix = left.matrix()
    near(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9  # still no negative apparent mass
    for axis in axes:
        assert not left.act(np.eye(6)[axis]).any()  # nothing resists along the joint
    one_by_one = I
    for axis in axes:
        one_by_one = _eliminate(one_by_one, (axis,))
    near(matrix, one_by_one.matrix(), 1e-9)  # three hinges in one point are a ball joint


@given(bodies, bodies)
def test_harmonic_sum_is_less_than_either_and_symmetric(one, two):
    I, J = one.articulated(), two.articulated()
    between = sp.harmonic_sum(I, J).matrix()
    near(between, sp.harmonic_sum(J, I).matrix(), 1e-9)
    assert np.linalg.eigvalsh(I.matrix() - between).min() > -1e-9


@given(poses, motions)
def test_pitch_belongs_to_the_screw_not_to_the_observer(X, m):
    if m[:3] @ m[:3] > 1e-2:
        here, there = sp.screw_of_motion(m), sp.screw_of_motion(X.act_motion(m))
        near(there.pitch, here.pitch, 1e-8)
        on_axis = X.undo_point(there.point) - here.point
        near(np.cross(on_axis, here.direction), np.zeros(3), 1e-7)


@given(vectors(6))
def test_a_screw_puts_its_vector_back_together(m):
    screw, recorded = sp.screw_of_motion(m), run(taped(sp.screw_of_motion, m), m)
    near(screw.moment + screw.free, m[3:])
    near(recorded.moment + recorded.free, m[3:])
    length = np.sqrt(screw.direction @ screw.direction)
    if length > 1e-6:  # below, rounding of the moment moves the line as far as it likes
        near(recorded.moment, screw.moment, 1e-9)
        near(length * recorded.pitch, length * screw.pitch, 1e-9)
        near(length * recorded.point, length * screw.point, 1e-9)
