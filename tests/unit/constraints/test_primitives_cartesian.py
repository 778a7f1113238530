"""Sections 1, 2 and the Cartesian half of 4 of spec/constraints.md by number, against complex-step differentiation.

A complex step has no rounding of its own (1e-30), so what is left is a few roundings of numbers of order ten.
"""

import numpy as np
import pytest

from anthropi.algebra.rotation import matrix_from_rotation_vector
from anthropi.constraints import cartesian
from anthropi.constraints.cartesian import E, G, K, K_manifold, K_peng, attitude
from anthropi.constraints.primitives import Angle, Direction, Distance, Dot1, Dot2, Normalisation, Point
from anthropi.errors import InputError, ShapeError

TIGHT = 1e-12  # the issue's
BODIES = ("i", "j")
SEEDS = range(5)


def slope(f, x):
    """df/dx by a complex step, one column an entry of x."""
    h = 1e-30
    return np.stack([np.imag(f(x + 1j * h * e)) / h for e in np.eye(len(x))], axis=-1)


def skew(v):
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def sample(seed, unit=False):
    """q of two bodies, Euler parameters of any length unless `unit`."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=14)
    if unit:
        for at in (slice(3, 7), slice(10, 14)):
            q[at] /= np.linalg.norm(q[at])
    return rng, q


def every(rng):
    """One primitive of each kind between the two bodies, by name."""
    v = lambda: rng.normal(size=3)  # noqa: E731
    P, Q = Point("i", v()), Point("j", v())
    return {
        "dot-1": Dot1(Direction("i", v()), Direction("j", v()), 0.3),
        "angle": Angle(Direction("i", v()), Direction("j", v()), 0.7),
        "dot-2": Dot2(Direction("i", v()), P, Q, -0.2),
        "dot-2, v on j": Dot2(Direction("j", v()), P, Q),
        "dot-2, v in the world": Dot2(Direction("", v()), P, Q, 0.1),
        "dist": Distance(P, Q, 1.3),
        "normalisation": Normalisation("j"),
    }


def blocks(q, primitive, form="euler"):
    """The parts of a row: r_i, p_i, r_j, p_j."""
    row = cartesian.rows(BODIES, q, primitive, form=form)[1][0]
    return row[:3], row[3:7], row[7:10], row[10:]


def world(q, primitive):
    """The table's letters: A_i, A_j, and the features in the body (primed) and in the world."""
    A, r = {"i": attitude(q[3:7]), "j": attitude(q[10:]), "": np.eye(3)}, {"i": q[:3], "j": q[7:10], "": np.zeros(3)}
    out = []
    for f in primitive.features():
        local = np.asarray(f.at if isinstance(f, Point) else f.along)
        out.append((local, A[f.body] @ local + (r[f.body] if isinstance(f, Point) else 0.0)))
    return out


def close(a, b, tolerance=TIGHT):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


# section 1


@pytest.mark.parametrize("seed", SEEDS)
def test_A__A_is_E_Gt_and_its_three_forms_agree(seed):
    p = np.random.default_rng(seed).normal(size=4)
    e0, e = p[0], p[1:]
    close(E(p), np.column_stack([-e, skew(e) + e0 * np.eye(3)]))
    close(G(p), np.column_stack([-e, -skew(e) + e0 * np.eye(3)]))
    close(attitude(p), E(p) @ G(p).T)
    close(attitude(p), np.outer(e, e) + skew(e) @ skew(e) + 2 * e0 * skew(e) + e0**2 * np.eye(3))
    close(attitude(p), 2 * np.outer(e, e) + (e0**2 - e @ e) * np.eye(3) + 2 * e0 * skew(e))


@pytest.mark.parametrize("seed", SEEDS)
def test_1__1p__A_is_a_rotation_on_the_unit_sphere_only(seed):
    p = np.random.default_rng(seed).normal(size=4)
    unit = p / np.linalg.norm(p)
    close(attitude(unit) @ attitude(unit).T, np.eye(3))
    close(attitude(p) @ attitude(p).T, (p @ p) ** 2 * np.eye(3))
    assert np.abs(attitude(p) @ attitude(p).T - np.eye(3)).max() > 0.1
    close(E(p) @ p, 0.0), close(G(p) @ p, 0.0)
    close(E(p) @ E(p).T, p @ p * np.eye(3)), close(G(p) @ G(p).T, p @ p * np.eye(3))


@pytest.mark.parametrize("seed", SEEDS)
def test_2__3__virtual_rotation_of_tangent_changes(seed):
    rng = np.random.default_rng(seed)
    p, dp = rng.normal(size=4), rng.normal(size=4)
    p = p / np.linalg.norm(p)
    dp = dp - p * (p @ dp)
    dA = slope(lambda x: attitude(x).ravel(), p) @ dp
    dA, A = dA.reshape(3, 3), attitude(p)
    close(dA @ A.T, -A @ dA.T)  # (2)
    turn = A.T @ dA
    close(np.array([turn[2, 1], turn[0, 2], turn[1, 0]]), 2 * G(p) @ dp)  # (3)
    away = (slope(lambda x: attitude(x).ravel(), p) @ p).reshape(3, 3)  # along p itself (2) fails
    assert np.abs(away @ A.T + A @ away.T).max() > 1.0


# section 2


@pytest.mark.parametrize("seed", SEEDS)
def test_4__6b__peng_is_right_along_the_sphere_and_lacks_the_radial_part(seed):
    rng, q = sample(seed, unit=True)
    p, u, dp = q[3:7], rng.normal(size=3), rng.normal(size=4)
    dp = dp - p * (p @ dp)
    true = slope(lambda x: attitude(x) @ u, p)
    close(K_peng(u, p), -2 * attitude(p) @ skew(u) @ G(p))
    close(K_peng(u, p) @ dp, true @ dp)  # (4)
    close(K_peng(u, p) @ p, 0.0)  # (6b)
    assert np.abs(true @ p).max() > 0.1
    long = 1.5 * p
    away = slope(lambda x: attitude(x) @ u, long) - K_peng(u, long)
    assert np.abs(away @ dp).max() > 0.01  # off the sphere it is not even right along it


@pytest.mark.parametrize("seed", SEEDS)
def test_7__7p__K_is_the_derivative_for_any_p(seed):
    rng, q = sample(seed)
    p, u = q[3:7], rng.normal(size=3)
    e0, e, one = p[0], p[1:], np.eye(3)
    close(K(u, p), slope(lambda x: attitude(x) @ u, p))
    right = (e @ u) * one + np.outer(e, u) - skew(e) @ skew(u) - skew(skew(e) @ u) - 2 * e0 * skew(u)
    close(K(u, p), np.column_stack([2 * (skew(e) + e0 * one) @ u, right]))
    close(K(u, p) @ p, 2 * attitude(p) @ u)
    radial = 2 * np.outer(attitude(p) @ u, p)
    close(K(u, p), (-2 * attitude(p) @ skew(u) @ G(p) + radial) / (p @ p))


@pytest.mark.parametrize("kind", every(np.random.default_rng(0)))
@pytest.mark.parametrize("seed", SEEDS)
def test_definition1__5__6a__8__rows_are_derivatives(seed, kind):
    rng, q = sample(seed)
    primitive = every(rng)[kind]
    x = [w for _, w in world(q, primitive)] if kind != "normalisation" else [q[10:]]
    flat = np.concatenate(x)
    cut = lambda y: np.split(y, np.cumsum([len(w) for w in x])[:-1])  # noqa: E731
    close(np.concatenate(primitive.gradient(x)), slope(lambda y: np.array([primitive.value(cut(y))]), flat)[0])  # (6a)
    residual, J = cartesian.rows(BODIES, q, primitive)
    close(J, slope(lambda y: cartesian.rows(BODIES, y, primitive)[0], q))  # (5), (8)
    close(residual[0], primitive.value(x))


@pytest.mark.parametrize("seed", SEEDS)
def test_8__several_vectors_on_one_body_add(seed):
    rng, q = sample(seed)
    both = Dot2(Direction("i", rng.normal(size=3)), Point("i", rng.normal(size=3)), Point("", rng.normal(size=3)))
    (v_, v), (s, P), (_, Q) = world(q, both)
    close(blocks(q, both)[1], (Q - P) @ K(v_, q[3:7]) - v @ K(s, q[3:7]))
    close(np.concatenate(blocks(q, both)[2:]), 0.0)


@pytest.mark.parametrize("kind", every(np.random.default_rng(0)))
@pytest.mark.parametrize("seed", SEEDS)
def test_8__manifold_rows_are_derivatives_along_turns(seed, kind):
    rng, q = sample(seed, unit=True)
    primitive = every(rng)[kind]
    u = rng.normal(size=3)
    close(K_manifold(u, q[3:7]), -attitude(q[3:7]) @ skew(u))
    J = cartesian.rows(BODIES, q, primitive, form="manifold")[1]

    def moved(x):
        """Φ with the bodies moved by (dr, w) each: p ⊗ (1, w/2) has the same slope at w = 0."""
        out = []
        for at, d in ((0, x[:6]), (7, x[6:])):
            p, w = q[at + 3 : at + 7], d[3:]
            product = np.concatenate([[p[0] - p[1:] @ w / 2], p[1:] + (p[0] * w + np.cross(p[1:], w)) / 2])
            out += [q[at : at + 3] + d[:3], product]
        return cartesian.rows(BODIES, np.concatenate(out), primitive)[0]

    close(J, slope(moved, np.zeros(12)))


# section 4


@pytest.mark.parametrize("seed", SEEDS)
def test_18a__18b__18c__18d__normalisation__residuals(seed):
    rng, q = sample(seed)
    given = every(rng)
    value = {name: cartesian.rows(BODIES, q, p)[0][0] for name, p in given.items()}
    (_, u), (_, v) = world(q, given["dot-1"])
    close(value["dot-1"], u @ v - 0.3)
    (u_, u), (v_, v) = world(q, given["angle"])
    close(value["angle"], u @ v - np.cos(0.7))
    close([u_ @ u_, v_ @ v_], 1.0)
    for name, c in (("dot-2", -0.2), ("dot-2, v on j", 0.0), ("dot-2, v in the world", 0.1)):
        (_, v), (_, P), (_, Q) = world(q, given[name])
        close(value[name], v @ (Q - P) - c)
    (_, P), (_, Q) = world(q, given["dist"])
    close(value["dist"], (Q - P) @ (Q - P) - 1.3**2)
    close(value["normalisation"], q[10:] @ q[10:] - 1.0)


@pytest.mark.parametrize("kind", ["dot-1", "angle"])
@pytest.mark.parametrize("seed", SEEDS)
def test_19a__19b__19c__dot_1_and_angle(seed, kind):
    rng, q = sample(seed)
    primitive = every(rng)[kind]
    (u_, u), (v_, v) = world(q, primitive)
    r_i, p_i, r_j, p_j = blocks(q, primitive)
    close(np.concatenate([r_i, r_j]), 0.0)
    close(p_i, v @ K(u_, q[3:7]))
    close(p_j, u @ K(v_, q[10:]))


@pytest.mark.parametrize("seed", SEEDS)
def test_19d__19e__19f__19g__19p__dot_2_with_v_on_either_body(seed):
    rng, q = sample(seed)
    given = every(rng)
    (v_, v), (s_i, P), (s_j, Q) = world(q, given["dot-2"])
    r_i, p_i, r_j, p_j = blocks(q, given["dot-2"])
    close(r_i, -v), close(r_j, v)
    close(p_i, (Q - P) @ K(v_, q[3:7]) - v @ K(s_i, q[3:7]))
    close(p_j, v @ K(s_j, q[10:]))
    (v_, v), _, _ = world(q, given["dot-2, v on j"])
    r_i, p_i, r_j, p_j = blocks(q, given["dot-2, v on j"])
    close(r_i, -v), close(r_j, v)
    close(p_i, -v @ K(s_i, q[3:7]))
    close(p_j, v @ K(s_j, q[10:]) + (Q - P) @ K(v_, q[10:]))


@pytest.mark.parametrize("seed", SEEDS)
def test_19h__19i__19j__19k__normalisation__distance(seed):
    rng, q = sample(seed)
    given = every(rng)
    (s_i, P), (s_j, Q) = world(q, given["dist"])
    d = Q - P
    r_i, p_i, r_j, p_j = blocks(q, given["dist"])
    close(r_i, -2 * d), close(r_j, 2 * d)
    close(p_i, -2 * d @ K(s_i, q[3:7])), close(p_j, 2 * d @ K(s_j, q[10:]))
    r_i, p_i, r_j, p_j = blocks(q, given["normalisation"])
    close(np.concatenate([r_i, p_i, r_j]), 0.0), close(p_j, 2 * q[10:])


# second derivatives


@pytest.mark.parametrize("kind", every(np.random.default_rng(0)))
@pytest.mark.parametrize("seed", SEEDS)
def test_bend_is_the_second_derivative_along_a_direction(seed, kind):
    rng, q = sample(seed)
    primitive, along = every(rng)[kind], rng.normal(size=14)
    found = cartesian.equations(BODIES, q, along, primitive)
    close(found.bias, slope(lambda x: cartesian.rows(BODIES, x, primitive)[1] @ along, q) @ along)
    close(found.drift, 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_bend_on_the_manifold_is_that_of_a_steady_turn(seed):
    rng, q = sample(seed, unit=True)
    given = {name: p for name, p in every(rng).items() if name != "normalisation"}
    along = rng.normal(size=12)
    found = cartesian.equations(BODIES, q, along, list(given.values()), form="manifold")
    h = 1e-3  # a seven-point difference: error of order h⁶, rounding 1e-16/h²: both below 1e-9

    def at(s):
        out = []
        for at, d in ((0, along[:6]), (7, along[6:])):
            A = attitude(q[at + 3 : at + 7]) @ matrix_from_rotation_vector(s * d[3:])
            out.append((q[at : at + 3] + s * d[:3], A))
        return np.array([_value(p, dict(zip(BODIES, out, strict=True))) for p in given.values()])

    weights = np.array([2, -27, 270, -490, 270, -27, 2]) / 180
    second = sum(w * at(k * h) for w, k in zip(weights, range(-3, 4), strict=True)) / h**2
    close(found.bias, second, 1e-8)


def _value(primitive, pose):
    pose = {**pose, "": (np.zeros(3), np.eye(3))}
    x = [pose[f.body][1] @ np.asarray(f.along) if isinstance(f, Direction) else
         pose[f.body][0] + pose[f.body][1] @ np.asarray(f.at) for f in primitive.features()]  # fmt: skip
    return primitive.value(x)


# bad input


def test_what_does_not_fit_is_refused_with_the_choices():
    two = Dot1(Direction("a", (1, 0, 0)), Direction("bb", (0, 1, 0)))
    with pytest.raises(InputError, match=r"No body 'bb'. Did you mean 'b'\? Bodies: a, b"):
        cartesian.rows(("a", "b"), np.ones(14), two)
    with pytest.raises(ShapeError, match=r"q has shape \(13,\); wanted \(14,\)"):
        cartesian.rows(("a", "b"), np.ones(13), two)
    with pytest.raises(InputError, match=r"Unknown form 'eulr'. Did you mean 'euler'"):
        cartesian.rows(("a", "bb"), np.ones(14), two, form="eulr")
    with pytest.raises(InputError, match="is not a constraint"):
        cartesian.rows(("a",), np.ones(7), ["dot"])
    with pytest.raises(InputError, match=r"on body 'a' is \[0.0, 0.0, 0.0\]; give three finite numbers, not all zero"):
        Angle(Direction("a", np.zeros(3)), Direction("b", (1, 0, 0)), 0.3)
    with pytest.raises(ShapeError, match=r"has shape \(2,\); give three numbers"):
        cartesian.rows(("a", "b"), np.ones(14), Dot1(Direction("a", (1, 0)), Direction("b", (0, 1, 0))))
