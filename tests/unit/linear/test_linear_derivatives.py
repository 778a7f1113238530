"""The derivatives of small solves: their cost, and their values against mpmath, inside a repeated block too."""

import mpmath as mp
import numpy as np
import pytest

from anthropi.algebra import linear
from anthropi.tape import repeat
from unit.spatial.helpers import normal, run, spd, taped

N = 6
A, B = spd(1, N), normal(2, N)
G = normal(3, N, N) + 2.0 * np.eye(N)[::-1]
dA, dB, W = normal(4, N, N), normal(5, N), normal(6, N)


def ldl(A, b):
    return linear.solve_symmetric(A, b)


def ldl_packed(packed, b):
    return linear.solve_symmetric(linear.full(packed), b)


def cholesky(A, b):
    return linear.cholesky(A).solve(b)


def lu(A, b):
    return linear.solve(A, b)


def lu_transposed(A, b):
    return linear.lu(A).solve_transposed(b)


def mp_solve(A, b):
    return mp.lu_solve(A, b)


def upper_only(A):
    return mp.matrix(N, N) + mp.matrix([[A[min(i, j), max(i, j)] for j in range(N)] for i in range(N)])


SOLVES = {  # ours, A, theirs of mpmath matrices
    "ldl": (ldl, A, lambda A, b: mp_solve(upper_only(A), b)),
    "cholesky": (cholesky, A, lambda A, b: mp_solve(upper_only(A), b)),
    "lu": (lu, G, mp_solve),
    "lu_transposed": (lu_transposed, G, lambda A, b: mp_solve(A.T, b)),
}


def passes(solver):
    """Three passes of x ← (A + x xᵀ)⁻¹ b, the solve inside a repeated block."""

    def function(A, b):
        return repeat(lambda x: solver(A + x[:, None] * x[None, :], b), 0.5 * b, 3)

    return function


def mp_passes(solver):
    def function(A, b):
        x = b * mp.mpf(0.5)
        for _ in range(3):
            x = solver(A + x * x.T, b)
        return x

    return function


REPEATED = {name: (passes(f), M, mp_passes(theirs)) for name, (f, M, theirs) in SOLVES.items() if name in ("ldl", "lu")}
ALL = {**SOLVES, **{f"{name} repeated": three for name, three in REPEATED.items()}}


def slope(function, M, b, dM, db):
    """The derivative along (dM, db), by differences with 60 digits to spare."""
    with mp.workdps(90):
        h = mp.mpf(10) ** -30
        M, b, dM, db = mp.matrix(M.tolist()), mp.matrix(b.tolist()), mp.matrix(dM.tolist()), mp.matrix(db.tolist())
        up, down = (function(M + s * h * dM, b + s * h * db) for s in (1, -1))
        return np.array([float(x / (2 * h)) for x in up - down])


@pytest.mark.parametrize("name", ALL)
def test_forward_sweep_agrees_with_mpmath(name):
    function, M, theirs = ALL[name]
    _, tangent = run(taped(function, M, B).jvp(), M, B, dA, dB)
    expected = slope(theirs, M, B, dA, dB)
    np.testing.assert_allclose(tangent, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("name", ALL)
def test_reverse_sweep_agrees_with_mpmath(name):
    function, M, theirs = ALL[name]
    _, gradient = run(taped(function, M, B).vjp(), M, B, W)
    units, none = np.eye(N * N).reshape(-1, N, N), np.zeros((N, N))
    by_A = np.array([W @ slope(theirs, M, B, E, np.zeros(N)) for E in units]).reshape(N, N)
    by_b = np.array([W @ slope(theirs, M, B, none, e) for e in np.eye(N)])
    np.testing.assert_allclose(gradient["A"], by_A, rtol=0, atol=1e-12 * np.abs(by_A).max())
    np.testing.assert_allclose(gradient["b"], by_b, rtol=0, atol=1e-12 * np.abs(by_b).max())


@pytest.mark.parametrize(
    ("function", "left"), [(ldl, A), (ldl_packed, linear.upper(A)), (cholesky, A), (lu, G), (lu_transposed, G)]
)
def test_derivatives_reuse_the_factor(function, left):
    tape = taped(function, left, B)
    assert tape.jvp().operations <= 2.5 * tape.operations
    assert tape.vjp().operations <= 4.0 * tape.operations


def test_costs_of_a_symmetric_solve_of_six():
    tape = taped(ldl, A, B)
    assert tape.operations == 91 + 66  # factor, two triangles and the diagonal
    assert tape.jvp().operations == 157 + 66 + 6 + 66  # dA x, db - dA x, another solve
    assert tape.vjp().operations == 157 + 66 + 21 + 2 * 15  # another solve, the upper triangle of its share


def test_the_lower_triangle_gets_no_share():
    _, gradient = run(taped(ldl, A, B).vjp(), A, B, W)
    assert not np.tril(gradient["A"], -1).any()


def test_second_derivatives_agree_with_mpmath():
    twice = taped(ldl, A, B).jvp(wrt="A").jvp(wrt="A")
    _, (_, curve) = run(twice, A, B, dA, dA)
    with mp.workdps(90):
        h = mp.mpf(10) ** -20
        M, b, dM = (mp.matrix(x.tolist()) for x in (A, B, dA))
        three = [mp_solve(upper_only(M + s * h * dM), b) for s in (-1, 0, 1)]
        expected = np.array([float(x / h**2) for x in three[2] - 2 * three[1] + three[0]])
    np.testing.assert_allclose(curve, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def stretched(A, b):
    return linear.solve_symmetric(A, b), linear.solve(A, b)


def test_one_matrix_for_many_right_hand_sides_differentiates():
    b = normal(7, 3, N)
    tape = taped(stretched, A, b)
    w = normal(8, 3, N)
    _, gradient = run(tape.vjp(of=["0"]), A, b, w)
    parts = [run(taped(ldl, A, b[0]).vjp(), A, b[k], w[k])[1] for k in range(3)]
    np.testing.assert_allclose(gradient["A"], sum(p["A"] for p in parts), atol=1e-12)
    np.testing.assert_allclose(gradient["b"], np.stack([p["b"] for p in parts]), atol=1e-12)
