"""Part 2 of the thesis' specification: inertia and the equation of motion, against its dense forms."""

import numpy as np
import pytest

from anthropi.algebra import spatial as sp
from anthropi.algebra.linear import inverse_symmetric, solve_symmetric
from unit.spatial import dense, paths
from unit.spatial.helpers import both, normal, rate, same, spd, turn

SEEDS = range(4)
TIMES = (0.0, 0.7, -1.3)


def body(seed):
    """A real body: mass, centre, tensor about the centre of mass."""
    spread = spd(seed, 3)  # ∫ r rᵀ dm
    return 0.5 + abs(normal(seed, 1)[0]), normal(seed + 1, 3), np.trace(spread) * np.eye(3) - spread


def momentum(mass, c, tensor, v):
    return sp.RigidInertia(mass, c, tensor).momentum(v)


def energy(mass, c, tensor, v):
    return sp.RigidInertia(mass, c, tensor).kinetic_energy(v)


def bias_force(mass, c, tensor, v):
    return sp.RigidInertia(mass, c, tensor).bias_force(v)


def blocks(mass, c, tensor):
    return sp.RigidInertia(mass, c, tensor).articulated()


def acted(mass, c, tensor, C, r):
    X, I = sp.Transform(C, r), sp.RigidInertia(mass, c, tensor)
    return X.act_inertia(I), X.undo_inertia(I), X.act_inertia(I.articulated()), X.undo_inertia(I.articulated())


def total(m1, c1, t1, m2, c2, t2):
    one, two = sp.RigidInertia(m1, c1, t1), sp.RigidInertia(m2, c2, t2)
    return one + two, one.articulated() + two.articulated()


def inertia_rate(mass, c, tensor, v):
    return sp.RigidInertia(mass, c, tensor).rate(v)


def between(m1, c1, t1, m2, c2, t2):
    return sp.harmonic_sum(sp.RigidInertia(m1, c1, t1).articulated(), sp.RigidInertia(m2, c2, t2).articulated())


@pytest.mark.parametrize("seed", SEEDS)
def test_2_1__5_1__E17__momentum(seed):
    mass, c, tensor = body(seed)
    v = normal(seed + 2, 6)
    v_P = sp.velocity_of_point(v, c)
    thesis = np.concatenate([mass * v_P, tensor @ v[:3] + np.cross(c, mass * v_P)])
    np.testing.assert_allclose(dense.P @ both(momentum, mass, c, tensor, v), thesis, atol=1e-12)
    at_centre = sp.RigidInertia(mass, np.zeros(3), tensor).momentum(sp.motion(v[:3], v_P))
    np.testing.assert_allclose(dense.P @ at_centre, [*(mass * v_P), *(tensor @ v[:3])], atol=1e-12)  # a column (E17)


@pytest.mark.parametrize("seed", SEEDS)
def test_2_2__5_2_3__5_5_3__rigid_body_inertia(seed):
    mass, c, tensor = body(seed)
    v = normal(seed + 2, 6)
    thesis = dense.inertia_hat(mass, c, tensor)
    ours = both(blocks, mass, c, tensor)
    np.testing.assert_allclose(dense.P @ ours.matrix(), thesis, atol=1e-12)  # I^ = [[Hᵀ, M], [I, H]]
    np.testing.assert_allclose(sp.RigidInertia(mass, c, tensor).matrix(), ours.matrix(), atol=1e-12)
    np.testing.assert_allclose(dense.matrix_s(thesis), thesis, atol=1e-12)  # symmetric under ^S
    half = 0.5 * dense.column_s(v) @ thesis @ v
    np.testing.assert_allclose(both(energy, mass, c, tensor, v), half, rtol=1e-12)
    np.testing.assert_allclose(0.5 * sp.power(ours.act(v), v), half, rtol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_2_2__5_2_3__E17__positive_for_every_motion_but_zero(seed):
    I = sp.RigidInertia(*body(seed))
    for x in (*normal(seed, 20, 6), *np.eye(6), *-np.eye(6)):  # x ≠ 0, of any sign
        assert I.kinetic_energy(x) > 0.0
    assert I.kinetic_energy(np.zeros(6)) == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_2_2__transform_and_sum(seed):
    one, two = body(seed), body(seed + 20)
    C, r = turn(seed), normal(seed + 3, 3)
    to, back, I = dense.x_to(C.T, r), dense.x_from(C.T, r), dense.inertia_hat(*one)
    ours = both(acted, *one, C, r)
    for got, thesis in zip(ours, [back @ I @ to, to @ I @ back] * 2, strict=True):  # I_P = _P X_O I_O _O X_P
        np.testing.assert_allclose(dense.P @ got.matrix(), thesis, atol=1e-11)
    thesis = I + dense.inertia_hat(*two)
    for got in both(total, *one, *two):
        np.testing.assert_allclose(dense.P @ got.matrix(), thesis, atol=1e-12)
    many = sp.rigid_sum([sp.RigidInertia(*body(seed + k)) for k in range(3)])
    each = sum(dense.inertia_hat(*body(seed + k)) for k in range(3))
    np.testing.assert_allclose(dense.P @ many.matrix(), each, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_2_2__harmonic_sum(seed):
    one, two = body(seed), body(seed + 20)
    inverses = np.linalg.inv(dense.inertia_hat(*one)) + np.linalg.inv(dense.inertia_hat(*two))
    got = both(between, *one, *two, tolerance=1e-11)  # two 6×6 solves, condition ~100
    np.testing.assert_allclose(dense.P @ got.matrix(), np.linalg.inv(inverses), atol=1e-11)


def inertia_on_path(t):
    return paths.pose(t).act_inertia(sp.RigidInertia(*body(3)))


def inertia_matrix_on_path(t):
    return inertia_on_path(t).matrix()


@pytest.mark.parametrize("t", TIMES)
def test_2_2__rate_of_an_inertia(t):
    I, dI = rate(inertia_matrix_on_path, t)
    v, now = paths.velocity(t), inertia_on_path(t)
    thesis = dense.cross_hat(v) @ (dense.P @ I) - (dense.P @ I) @ dense.cross_hat(v)  # dI/dt = v×^ I - I v×^
    np.testing.assert_allclose(dense.P @ dI, thesis, atol=1e-12)
    got = both(inertia_rate, now.mass, now.centre, now.tensor, v)
    np.testing.assert_allclose(got.matrix(), dI, atol=1e-12)


def momentum_on_path(t):
    return inertia_on_path(t).momentum(paths.velocity(t))


@pytest.mark.parametrize("t", TIMES)
def test_2_3__5_3__equation_of_motion(t):
    (v, a), (_, force) = rate(paths.velocity, t), rate(momentum_on_path, t)  # the force is the rate of the momentum
    I = inertia_on_path(t)
    p = both(bias_force, I.mass, I.centre, I.tensor, v)
    np.testing.assert_allclose(p, sp.cross_force(v, I.act(v)), atol=1e-12)
    np.testing.assert_allclose(I.act(a) + p, force, atol=1e-12)  # f = I a + p
    thesis = dense.cross_hat(v) @ dense.inertia_hat(I.mass, I.centre, I.tensor) @ v
    np.testing.assert_allclose(dense.P @ p, thesis, atol=1e-12)


def handle(m1, c1, t1, m2, c2, t2, s):
    """The articulated inertia of body 1 that carries body 2 on a joint along s (6,)."""
    one, two = sp.RigidInertia(m1, c1, t1).articulated(), sp.RigidInertia(m2, c2, t2).articulated()
    U = two.act_columns(s.reshape(6, 1))
    return one + two.downdated(U @ inverse_symmetric(s.reshape(1, 6) @ U), U)


@pytest.mark.parametrize("seed", SEEDS)
def test_2_4__5_2__5_4__articulated_inertia(seed):
    one, two = body(seed), body(seed + 20)
    s = sp.revolute(np.array([0.0, 0.6, 0.8]), normal(seed, 3))
    IA = both(handle, *one, *two, s, tolerance=1e-11)
    # the two bodies written out, at rest: I₁ a₁ = f - g,  I₂ a₂ = g,  a₂ = a₁ + s q'',  s·g = 0
    I1, I2 = (sp.RigidInertia(*b).matrix() for b in (one, two))
    f = normal(seed + 5, 6)
    system = np.zeros((13, 13))  # a₁, g, q''
    system[:6, :6], system[:6, 6:12] = I1, np.eye(6)
    system[6:12, :6], system[6:12, 6:12], system[6:12, 12] = I2, -np.eye(6), I2 @ s
    system[12, 6:12] = s
    a = np.linalg.solve(system, np.concatenate([f, np.zeros(7)]))[:6]
    np.testing.assert_allclose(IA.act(a), f, atol=1e-10)  # f = I^A a, the bias zero at rest
    np.testing.assert_allclose(IA.solve(f), a, atol=1e-10)
    thesis = dense.P @ IA.matrix()
    np.testing.assert_allclose(dense.matrix_s(thesis), thesis, atol=1e-12)
    apparent = IA.matrix()[3:, 3:]  # the mass felt depends on the direction: no single centre of mass
    assert np.ptp(np.linalg.eigvalsh(apparent)) > 1e-3


def boxed(size, mass, centre):
    return sp.box(size, mass=mass, centre=centre)


@pytest.mark.parametrize("seed", SEEDS)
def test_2_5__5A__8_2_1__E2__box(seed):
    a, c, b = 0.2 + np.abs(normal(seed, 3))  # length (X), height (Y), width (Z)
    density = 1000.0
    m = density * a * b * c
    ours = both(boxed, np.array([a, c, b]), m, np.array([a / 2, 0.0, 0.0]))
    np.testing.assert_allclose(ours.tensor, m / 12 * np.diag([b**2 + c**2, a**2 + b**2, a**2 + c**2]), rtol=1e-12)
    at_joint = ours.articulated().matrix()[:3, :3]
    corrected = m / 12 * np.diag([b**2 + c**2, 4 * a**2 + b**2, 4 * a**2 + c**2])  # printed: 8a² and products (E2)
    np.testing.assert_allclose(at_joint, corrected, atol=1e-12 * m)
    np.testing.assert_allclose(at_joint, quadrature(a, c, b, density), atol=1e-12 * m)
    same(sp.box((a, c, b), density=density).mass, m)
    ours.validate("the box")


def quadrature(a, c, b, density):
    """∫ (r²1 - r rᵀ) dm of the box about the middle of its near end, by Gauss's rule (exact for squares)."""
    x, w = np.polynomial.legendre.leggauss(3)
    total = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                r = np.array([a * (1 + x[i]) / 2, c * x[j] / 2, b * x[k] / 2])
                total += w[i] * w[j] * w[k] / 8 * (r @ r * np.eye(3) - np.outer(r, r))
    return density * a * b * c * total


@pytest.mark.parametrize("seed", SEEDS)
def test_2_5__5A__E2__what_was_printed_is_no_body(seed):
    a, c, b = 0.2 + np.abs(normal(seed, 3))
    printed = np.array([
        [(b**2 + c**2) / 12, a * c / 4, a * b / 4],
        [a * c / 4, (8 * a**2 + b**2) / 12, b * c / 16],
        [a * b / 4, b * c / 16, (8 * a**2 + c**2) / 12],
    ])  # fmt: skip
    with pytest.raises(ValueError, match=r"not positive definite|triangle inequality"):
        sp.RigidInertia(1.0, np.zeros(3), printed).validate()


def test_2_4__solve_is_the_symmetric_solve():
    I = sp.RigidInertia(*body(1)).articulated()
    f = normal(2, 6)
    np.testing.assert_array_equal(I.solve(f), solve_symmetric(I.matrix(), f))
