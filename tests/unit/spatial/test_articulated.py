"""Articulated inertia: joints along unit axes, other frames, batches, and entries that are not computed."""

import numpy as np
import pytest

from anthropi.algebra import spatial as sp
from anthropi.algebra.linear import full, inverse_symmetric, transpose, upper
from anthropi.tape import Scalar, record
from unit.spatial.helpers import both, normal, same, spd, taped, turn

AXES = [(2,), (5,), (0, 1, 2), (3, 4, 5), (0, 2), (1, 4), (2, 0), (0, 1, 2, 5), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5)]


def inertia(matrix):
    return sp.ArticulatedInertia.from_matrix(matrix)


def eliminated(axes):
    def function(matrix):
        I = inertia(matrix)
        D = inverse_symmetric(I.block(axes))
        return I.columns(axes), I.block(axes), I.gain(axes, D), I.eliminate(axes, D)

    return function


@pytest.mark.parametrize("axes", AXES)
def test_eliminate_equals_the_dense_form(axes):
    I = spd(1, 6)
    S = np.eye(6)[:, list(axes)]
    U, D = I @ S, S.T @ I @ S
    columns, block, gain, left = both(eliminated(axes), I)
    off = list(sp.remaining_axes(axes))
    same((columns, block, gain), (U, D, (U @ np.linalg.inv(D))[off]))
    np.testing.assert_allclose(left.matrix(), I - U @ np.linalg.inv(D) @ U.T, atol=1e-12)
    np.testing.assert_array_equal(left.matrix()[list(axes)], 0.0)  # exactly, for it is not computed


@pytest.mark.parametrize("axes", AXES)
def test_rows_of_the_axes_are_no_work(axes):
    seen = {}

    def look(matrix):
        I = inertia(matrix)
        left = I.eliminate(axes, inverse_symmetric(I.block(axes)))
        seen["zeros"] = [not isinstance(x, Scalar) for x in left.matrix()[list(axes)].flat]
        return left

    record(look, matrix=np.eye(6))
    assert all(seen["zeros"])


def test_a_ball_joint_hands_on_less_work():
    def dense(matrix, C, p):
        return sp.Transform(C, p).act_inertia(inertia(matrix))

    def eased(matrix, C, p):
        I = inertia(matrix)
        return sp.Transform(C, p).act_inertia(I.eliminate((0, 1, 2), matrix[:3, :3]))

    args = np.eye(6), np.eye(3), np.ones(3)
    whole, part = taped(dense, *args).operations, taped(eased, *args).operations
    gain = 3 * 3 * 5 + 6 * 6  # K = Hᵀ D⁻¹ and M - K H, upper triangle
    assert part - gain == 59 + 24 + 18  # C M Cᵀ, p× M, p× M (p×)ᵀ: nothing is spent on blocks that vanished
    assert whole == 59 + 80 + 59 + 24 + 9 + 18 + 21  # C A Cᵀ, C H Cᵀ, C M Cᵀ, H', A' on and off its diagonal


@pytest.mark.parametrize("axes", [(2,), (0, 1, 2)])
def test_any_columns_equal_unit_columns(axes):
    I, S = inertia(spd(2, 6)), np.eye(6)[:, list(axes)]
    U = I.act_columns(S)
    D = inverse_symmetric(transpose(S) @ U)
    np.testing.assert_allclose(I.downdated(U @ D, U).matrix(), I.eliminate(axes, D).matrix(), atol=1e-12)


@pytest.mark.parametrize("axes", AXES)
def test_merge_undoes_taking_apart(axes):
    x = normal(3, 6)
    np.testing.assert_array_equal(sp.merge(axes, x[list(axes)], x[list(sp.remaining_axes(axes))]), x)


def frames(matrix, C, p, v):
    I, X = inertia(matrix), sp.Transform(C, p)
    return X.act_inertia(I), X.undo_inertia(I), I.rate(v), I + I, I - I


def test_transform_and_rate_equal_the_dense_form():
    I, C, p, v = spd(4, 6), turn(5), normal(6, 3), normal(7, 6)
    X = sp.Transform(C, p)
    act, undo, rate, twice, nothing = both(frames, I, C, p, v)
    F, B = X.force_matrix(), X.inverse().force_matrix()
    np.testing.assert_allclose(act.matrix(), F @ I @ F.T, atol=1e-12)
    np.testing.assert_allclose(undo.matrix(), B @ I @ B.T, atol=1e-12)
    dense = sp.cross_force_matrix(v) @ I - I @ sp.cross_motion_matrix(v)
    np.testing.assert_allclose(rate.matrix(), dense, atol=1e-12)
    np.testing.assert_allclose(twice.matrix(), 2.0 * I, atol=1e-15)
    assert not nothing.matrix().any()


def test_every_method_takes_leading_axes():
    n = 5
    I, C = spd(8, 6, (n,)), np.stack([turn(k) for k in range(n)])
    p, v = normal(9, n, 3), normal(10, n, 6)

    def everything(matrix, C, p, v):
        I, X = inertia(matrix), sp.Transform(C, p)
        D = inverse_symmetric(I.block((0, 2)))
        screw = sp.screw_of_motion(v)
        left = I.eliminate((0, 2), D)
        return [
            I.act(v), I.solve(v), I.columns((1,)), I.gain((0, 2), D), left.matrix(), X.act_inertia(left).matrix(),
            X.undo_inertia(I).matrix(), I.rate(v).matrix(), sp.harmonic_sum(I, I + I).matrix(), X.act_motion(v),
            X.undo_force(v), (X @ X.inverse()).matrix(), X.force_matrix(), X.act_point(p), *screw, sp.power(v, v),
            sp.cross_force_matrix(v), sp.merge((1, 2), v[..., :2], v[..., :4]), *X.rate(v), sp.force_at(p, p),
            sp.acceleration_of_point(v, v, p),
            I.downdated(I.act_columns(v[..., :, None]), I.act_columns(v[..., :, None])).matrix(),
        ]  # fmt: skip

    together = everything(I, C, p, v)
    for k in range(n):
        for whole, one in zip(together, everything(I[k], C[k], p[k], v[k]), strict=True):
            np.testing.assert_allclose(np.asarray(whole)[k], one, atol=1e-12)


def test_rigid_bodies_take_leading_axes():
    n = 4
    mass, c, v = 1.0 + normal(11, n) ** 2, normal(12, n, 3), normal(13, n, 6)
    spread = spd(14, 3, (n,))
    tensor = np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.eye(3) - spread
    C = np.stack([turn(k) for k in range(n)])

    def everything(mass, c, tensor, v, C):
        I = sp.RigidInertia(mass, c, tensor).validate()
        total = I + I.shifted(c).rotated(C)
        return [
            I.act(v), I.momentum(v), I.kinetic_energy(v), I.bias_force(v), I.matrix(), I.rate(v).matrix(),
            total.mass, total.centre, total.tensor,
        ]  # fmt: skip

    together = everything(mass, c, tensor, v, C)
    for k in range(n):
        for whole, one in zip(together, everything(mass[k], c[k], tensor[k], v[k], C[k]), strict=True):
            np.testing.assert_allclose(np.asarray(whole)[k], one, atol=1e-12)


def test_only_upper_triangles_are_read():
    I, C = spd(15, 6), turn(1)
    half = np.triu(I)
    half[:3, 3:] = I[:3, 3:]
    np.testing.assert_array_equal(inertia(half).matrix(), I)
    rigid, torn = (sp.RigidInertia(1.0, np.ones(3), t) for t in (I[:3, :3], np.triu(I[:3, :3])))
    v = normal(16, 6)
    for method in (
        lambda b: b.act(v), lambda b: b.bias_force(v), lambda b: b.matrix(), lambda b: b.rotated(C).tensor,
        lambda b: (b + b).tensor, lambda b: b.kinetic_energy(v),
    ):  # fmt: skip
        np.testing.assert_array_equal(method(rigid), method(torn))
    np.testing.assert_array_equal(full(upper(np.triu(I))), I)
