"""Part 1 of docs/equations/thesis.md, spatial algebra: the dense forms of the thesis are built here and compared.

Tolerances: 1e-12 for a few dozen operations on numbers of order 1 (see `helpers.both`).
"""

import numpy as np
import pytest

from anthropi.algebra import spatial as sp
from unit.spatial import dense, paths
from unit.spatial.helpers import both, normal, rate, same, turn

SEEDS = range(4)
TIMES = (0.0, 0.7, -1.3)


def frame(seed):
    """Our transform of frame P seen from O, and the thesis' E (O components → P components) and r = OP."""
    C, r = turn(seed), normal(seed + 100, 3)
    return sp.Transform(C, r), C.T, r


# functions that are recorded, once each


def moved_origin(m, r):
    return sp.Transform(np.eye(3), r).undo_motion(m)


def act(C, r, m, f):
    X = sp.Transform(C, r)
    return X.act_motion(m), X.act_force(f)


def undo(C, r, m, f):
    X = sp.Transform(C, r)
    return X.undo_motion(m), X.undo_force(f)


def chain(C1, r1, C2, r2):
    return sp.Transform(C1, r1) @ sp.Transform(C2, r2)


def inverse(C, r):
    return sp.Transform(C, r).inverse()


def crosses(v, m, f):
    return sp.cross_motion(v, m), sp.cross_force(v, f)


def point_acceleration(a, v, r):
    return sp.acceleration_of_point(a, v, r)


def halves(m):
    return sp.angular(m), sp.linear(m)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_1__vectors_and_their_two_orders(seed):
    w, v, f, tau = normal(seed, 4, 3)
    m = both(sp.motion, w, v)  # thesis [ω; v₀]: the same
    assert m.tolist() == [*w, *v]
    ours = both(sp.force, tau, f)  # thesis [f; τ₀]: the halves change places
    assert (dense.P @ ours).tolist() == [*f, *tau]
    same(both(halves, m), (w, v))


@pytest.mark.parametrize("seed", SEEDS)
def test_1_2__4_2_2__4_2_3__every_vector_is_a_line_and_a_free_vector(seed):
    n, moment, r = normal(seed, 3, 3)
    p = (n @ moment) / (n @ n)
    for take, vector in ((sp.screw_of_motion, sp.motion(n, moment)), (sp.screw_of_force, sp.force(moment, n))):
        screw = both(take, vector)
        np.testing.assert_allclose(screw.pitch[0], p, rtol=1e-12)
        np.testing.assert_allclose(screw.moment, moment - p * n, atol=1e-12)
        np.testing.assert_allclose(screw.free, p * n, atol=1e-12)
        assert abs(screw.direction @ screw.moment) < 1e-12  # a line iff n·n₀ = 0
        np.testing.assert_allclose(np.cross(screw.point, n), screw.moment, atol=1e-12)
    line = sp.screw_of_force(sp.force_at(r, n))  # n₀ = r × n: its pitch is 0, it passes through r
    assert abs(line.pitch[0]) < 1e-12
    np.testing.assert_allclose(np.cross(r - line.point, n), 0.0, atol=1e-12)


@pytest.mark.parametrize("take", [sp.screw_of_motion, sp.screw_of_force])
def test_1_2__E17__a_free_vector_has_no_line(take):
    n = np.array([0.3, -0.4, 1.2])
    vector = sp.prismatic(n) if take is sp.screw_of_motion else sp.force(n, np.zeros(3))  # [0ᵀ nᵀ]ᵀ, a column (E17)
    screw = both(take, vector)
    assert not screw.moment.any() and not screw.pitch.any() and not screw.point.any()
    np.testing.assert_array_equal(screw.free, n)
    for x in (vector, np.zeros(6)):  # at the seam the derivatives stay finite
        values, slopes = rate(take, x)
        assert all(np.isfinite(part).all() for part in (*values, *slopes))


@pytest.mark.parametrize("seed", SEEDS)
def test_1_2__4_2_2__E16__no_moment_means_a_line_through_the_origin(seed):
    n, k = normal(seed, 3), normal(seed + 50, 1)
    for r in (np.zeros(3), k * n):  # r = 0 or r parallel to n: both are lines with n₀ = 0
        line = sp.screw_of_force(sp.force_at(r, n))
        np.testing.assert_allclose(line.moment, 0.0, atol=1e-12)
        np.testing.assert_allclose(line.point, 0.0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_3__4_1__translation_rule(seed):
    m, r = normal(seed, 6), normal(seed + 1, 3)  # r = OP
    at_P = both(moved_origin, m, r)
    np.testing.assert_allclose(at_P[3:], m[3:] + np.cross(-r, m[:3]), atol=1e-12)  # m_P = m_O + PO × m
    np.testing.assert_allclose(at_P[:3], m[:3], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_4__4_2__4E__cross_operator(seed):
    a, b = normal(seed, 2, 3)
    k, E = float(normal(seed + 1, 1)[0]), turn(seed)
    x = both(sp.skew, a)
    np.testing.assert_array_equal(x, dense.hat(a))
    y = sp.skew(b)
    np.testing.assert_allclose(x @ b, np.cross(a, b), atol=1e-15)
    np.testing.assert_allclose(sp.skew(k * a), k * x, atol=1e-15)
    np.testing.assert_allclose(sp.skew(a + b), x + y, atol=1e-15)
    np.testing.assert_array_equal(x.T, -x)
    np.testing.assert_allclose(x @ b, -(y @ a), atol=1e-15)
    np.testing.assert_allclose(sp.skew(E @ a), E @ x @ E.T, atol=1e-13)
    np.testing.assert_allclose(sp.skew(np.cross(a, b)), x @ y - y @ x, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_5__4_3__4_4__E1__parent_to_child(seed):
    X, E, r = frame(seed)
    m, f = normal(seed + 1, 2, 6)
    to = dense.x_to(E, r)  # _P X_O; called _O X_P in print (E1)
    m_P, f_P = both(undo, X.rotation, r, m, f)
    np.testing.assert_allclose(m_P, to @ m, atol=1e-12)
    np.testing.assert_allclose(dense.P @ f_P, to @ (dense.P @ f), atol=1e-12)  # the same matrix, in the thesis' order
    np.testing.assert_allclose(X.inverse().matrix(), to, atol=1e-12)
    np.testing.assert_allclose(X.inverse().force_matrix(), dense.P @ to @ dense.P, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_5__4_5__child_to_parent_and_composition(seed):
    X, E, r = frame(seed)
    Y, F, s = frame(seed + 10)
    m, f = normal(seed + 1, 2, 6)
    back = dense.x_from(E, r)
    m_O, f_O = both(act, X.rotation, r, m, f)
    np.testing.assert_allclose(m_O, back @ m, atol=1e-12)
    np.testing.assert_allclose(dense.P @ f_O, back @ dense.P @ f, atol=1e-12)
    np.testing.assert_allclose(back @ dense.x_to(E, r), np.eye(6), atol=1e-12)
    both_steps = both(chain, X.rotation, r, Y.rotation, s)  # _O X_P · _P X_Q = _O X_Q
    np.testing.assert_allclose(both_steps.matrix(), back @ dense.x_from(F, s), atol=1e-12)
    same(both(inverse, X.rotation, r), sp.Transform(E, -E @ r))
    p = normal(seed + 2, 3)
    np.testing.assert_allclose(X.undo_point(X.act_point(p)), p, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_6__4_6__E1__inverse_is_the_spatial_transpose(seed):
    X, E, r = frame(seed)
    a, b = normal(seed, 2, 6, 6)
    np.testing.assert_array_equal(dense.matrix_s(a), dense.P @ a.T @ dense.P)
    np.testing.assert_allclose(dense.matrix_s(a @ b), dense.matrix_s(b) @ dense.matrix_s(a), atol=1e-12)
    np.testing.assert_array_equal(dense.matrix_s(a + b), dense.matrix_s(a) + dense.matrix_s(b))
    to = dense.x_to(E, r)
    np.testing.assert_allclose(np.linalg.inv(to), dense.matrix_s(to), atol=1e-12)
    assert np.abs(np.linalg.inv(to) - to.T).max() > 0.1  # not the ordinary transpose, as printed (E1)
    np.testing.assert_allclose(X.matrix(), dense.matrix_s(X.inverse().matrix()), atol=1e-12)
    np.testing.assert_allclose(np.linalg.inv(X.matrix()).T, X.force_matrix(), atol=1e-12)  # the same fact in our order


@pytest.mark.parametrize("seed", SEEDS)
def test_1_7__4_3_3__scalar_product_is_power(seed):
    f, m = normal(seed, 2, 6)
    X, _, _ = frame(seed)
    thesis = dense.column_s(dense.P @ f) @ m  # f^S m
    np.testing.assert_allclose(both(sp.power, f, m), thesis, rtol=1e-12)
    np.testing.assert_allclose(sp.power(X.act_force(f), X.act_motion(m)), thesis, rtol=1e-11)  # whoever looks
    assert sp.power(np.eye(6)[0], np.eye(6)[3]) == 0.0  # not positive definite: a moment against a translation


@pytest.mark.parametrize("seed", SEEDS)
def test_1_8__4_3_5__spatial_cross(seed):
    v, m, f = normal(seed, 3, 6)
    X, _, _ = frame(seed)
    hat = dense.cross_hat(v)
    on_motion, on_force = both(crosses, v, m, f)
    np.testing.assert_allclose(on_motion, hat @ m, atol=1e-12)
    np.testing.assert_allclose(dense.P @ on_force, hat @ dense.P @ f, atol=1e-12)  # one operator in the thesis' order
    np.testing.assert_allclose(both(sp.cross_motion_matrix, v), hat, atol=1e-15)
    np.testing.assert_allclose(both(sp.cross_force_matrix, v), dense.P @ hat @ dense.P, atol=1e-15)
    np.testing.assert_array_equal(dense.matrix_s(hat), -hat)
    moved = X.act_motion(v)
    np.testing.assert_allclose(sp.cross_motion_matrix(moved), X.matrix() @ hat @ np.linalg.inv(X.matrix()), atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_9__4_4_2__4_7__E17__velocity_of_points(seed):
    v, Q = normal(seed, 6), normal(seed + 1, 3)
    at_Q = both(sp.velocity_of_point, v, Q)
    np.testing.assert_allclose(at_Q, v[3:] + np.cross(-Q, v[:3]), atol=1e-12)  # v_Q = v_P + QP × ω
    a, b = normal(seed + 2, 2, 6)  # the spatial transpose swaps halves, the cross operator does not (E17)
    np.testing.assert_allclose(sp.cross_motion(a, b)[:3], np.cross(a[:3], b[:3]), atol=1e-12)
    np.testing.assert_array_equal(dense.column_s(a)[:3], a[3:])


@pytest.mark.parametrize("t", TIMES)
def test_1_10__4_4_3__4_8__acceleration(t):
    (v, a), (w, dw), (dr, ddr) = rate(paths.velocity, t), rate(paths.spin, t), rate(paths.speed, t)
    r = paths.place(t)
    np.testing.assert_allclose(both(sp.spatial_acceleration, w, dw, r, dr, ddr), a, atol=1e-12)  # d v^/dt
    np.testing.assert_allclose(both(point_acceleration, a, v, r), ddr, atol=1e-12)
    at_origin = sp.acceleration_of_point(a, v, np.zeros(3))  # a_lin + ω × v_lin
    np.testing.assert_allclose(at_origin, a[3:] + np.cross(v[:3], v[3:]), atol=1e-12)


def velocity_in_link(t):
    return paths.pose(t).undo_motion(paths.velocity(t))


@pytest.mark.parametrize("t", TIMES)
def test_1_10__4_8__components_in_the_link_frame(t):
    (v, dv), (_, a) = rate(velocity_in_link, t), rate(paths.velocity, t)
    np.testing.assert_allclose(paths.pose(t).undo_motion(a), dv, atol=1e-12)  # because v × v = 0
    np.testing.assert_allclose(sp.cross_motion(v, v), 0.0, atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_1_11__5B__joint_axes(seed):
    r, s = normal(seed, 2, 3)
    s = s / np.sqrt(s @ s)
    np.testing.assert_allclose(both(sp.revolute, s, r), [*s, *np.cross(r, s)], atol=1e-12)
    np.testing.assert_array_equal(both(sp.prismatic, s), [0.0, 0.0, 0.0, *s])
    screw = both(sp.helical, s, r, np.array([0.3]))
    np.testing.assert_allclose(screw, [*s, *(np.cross(r, s) + 0.3 * s)], atol=1e-12)
    np.testing.assert_allclose(sp.screw_of_motion(screw).pitch, 0.3, rtol=1e-11)


@pytest.mark.parametrize("t", TIMES)
def test_1_11__4_4_4__4_10__4_11__4_12__chain_of_joints(t):
    s, ds = rate(paths.axes, t)
    v, a = rate(paths.chain_velocities, t)
    dq, ddq = np.array(paths.angle_rates(t)), np.array([-0.6, 0.8, 0.6 * t])
    tip, d_tip = rate(paths.chain_tip, t)
    np.testing.assert_allclose(
        sp.cross_motion_matrix(v[2]) @ tip.matrix(), tip_rate(t), atol=1e-12
    )  # v_3 is its velocity
    same(tip.rate(v[2]), (d_tip.rotation, d_tip.origin))
    np.testing.assert_allclose(ds, sp.cross_motion(v, s), atol=1e-12)  # d s_i/dt = v_i × s_i
    each = sp.cross_motion(v, s) * dq[:, None] + s * ddq[:, None]
    np.testing.assert_allclose(a, np.cumsum(each, axis=0), atol=1e-12)  # (4.10)
    before = np.zeros(6)  # v_0 = a_0 = 0 (4.12)
    for i in range(3):
        before = before + s[i] * ddq[i] + sp.cross_motion(v[i], s[i] * dq[i])  # (4.11)
        np.testing.assert_allclose(a[i], before, atol=1e-12)


def tip_matrix(t):
    return paths.chain_tip(t).matrix()


def tip_rate(t):
    return rate(tip_matrix, t)[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_1_12__4_14__force_along_a_line(seed):
    f, r, g, s = normal(seed, 4, 3)
    one, two = both(sp.force_at, r, f), sp.force_at(s, g)
    np.testing.assert_allclose(dense.P @ one, [*f, *np.cross(r, f)], atol=1e-12)
    np.testing.assert_allclose(one + two, sp.force(np.cross(r, f) + np.cross(s, g), f + g), atol=1e-12)


def pose_matrix(t):
    return paths.pose(t).matrix()


def carried(t):
    """A motion and a force vector at rest in the moving frame, seen from O."""
    X = paths.pose(t)
    return X.act_motion(FIXED[0]), X.act_force(FIXED[1])


def changing(t):
    return np.array([1.0, 2.0 * t, t * t, -t, 0.5, t * t * t])


def driven(t):
    X = paths.pose(t)
    return X.act_motion(changing(t)), X.act_force(changing(t))


FIXED = normal(7, 2, 6)


@pytest.mark.parametrize("t", TIMES)
def test_1_13__4_15__4_16__4_17__4_18__4D__rate_of_a_transform(t):
    (X, dX), v = rate(pose_matrix, t), paths.velocity(t)
    np.testing.assert_allclose(dX, dense.cross_hat(v) @ X, atol=1e-12)  # (4.18)
    C, dC = rate(paths.rotation, t)
    np.testing.assert_allclose(dC, dense.hat(v[:3]) @ C, atol=1e-12)  # App. 4D
    same(paths.pose(t).rate(v), (dC, rate(paths.place, t)[1]))
    (_, (d_seen, _)), (m, dm) = rate(driven, t), rate(changing, t)
    np.testing.assert_allclose(d_seen, dX @ m + X @ dm, atol=1e-12)  # (4.15)–(4.17), the product rule behind (4.18)


@pytest.mark.parametrize("t", TIMES)
def test_1_13__4_19__4_20__rates_in_moving_coordinates(t):
    X, v = paths.pose(t), paths.velocity(t)
    (m, f), (dm, df) = rate(driven, t)
    own = rate(changing, t)[1]
    np.testing.assert_allclose(both(sp.motion_rate, X.act_motion(own), v, m), dm, atol=1e-12)  # (4.19)
    np.testing.assert_allclose(both(sp.force_rate, X.act_force(own), v, f), df, atol=1e-12)
    (m, f), (dm, df) = rate(carried, t)
    np.testing.assert_allclose(sp.cross_motion(v, m), dm, atol=1e-12)  # (4.20)
    np.testing.assert_allclose(sp.cross_force(v, f), df, atol=1e-12)
