"""Small linear systems against np.linalg, on floats with leading axes and through recordings."""

import numpy as np
import pytest

from anthropi.algebra import linear
from anthropi.errors import ShapeError
from anthropi.tape import record
from unit.spatial.helpers import both, normal, spd, taped

SIZES = range(1, 8)


def ldl_solve(A, b):
    return linear.solve_symmetric(A, b)


def cholesky_solve(A, b):
    return linear.cholesky(A).solve(b)


def solve(A, b):
    return linear.solve(A, b)


def transposed(A, b):
    return linear.lu(A).solve_transposed(b)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", [ldl_solve, cholesky_solve, solve])
def test_solves_a_symmetric_system(function, n):
    A, b = spd(n, n), normal(n + 1, n)
    np.testing.assert_allclose(both(function, A, b), np.linalg.solve(A, b), rtol=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_solves_any_system_and_its_transpose(n):
    A, b = normal(n, n, n) + 0.5 * np.eye(n)[::-1], normal(n + 1, n)
    tolerance = 1e-14 * np.linalg.cond(A)
    np.testing.assert_allclose(both(solve, A, b, tolerance=1e-10), np.linalg.solve(A, b), rtol=tolerance, atol=1e-10)
    np.testing.assert_allclose(
        both(transposed, A, b, tolerance=1e-10), np.linalg.solve(A.T, b), rtol=tolerance, atol=1e-10
    )


def test_pivoting_copes_with_zeros_and_tiny_numbers_on_the_diagonal():
    cyclic = np.roll(np.eye(5), 1, axis=0)  # no entry of the diagonal is a pivot
    b = normal(1, 5)
    np.testing.assert_array_equal(both(solve, cyclic, b), np.roll(b, -1))
    A = np.array([[1e-20, 1.0], [1.0, 1.0]])  # without pivoting the first unknown is lost
    np.testing.assert_allclose(both(solve, A, np.array([1.0, 2.0])), [1.0, 1.0], rtol=1e-15)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", [linear.inverse_symmetric, linear.inverse])
def test_inverse(function, n):
    A = spd(n, n)
    np.testing.assert_allclose(both(function, A), np.linalg.inv(A), atol=1e-13)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", [linear.determinant_symmetric, linear.determinant])
def test_determinant(function, n):
    A = spd(n, n)
    np.testing.assert_allclose(both(function, A), np.linalg.det(A), rtol=1e-13)


@pytest.mark.parametrize("n", SIZES)
def test_determinant_keeps_its_sign(n):
    for seed in range(6):
        A = normal(seed, n, n)
        np.testing.assert_allclose(linear.determinant(A), np.linalg.det(A), rtol=1e-11)


@pytest.mark.parametrize("n", SIZES)
def test_a_singular_matrix_has_determinant_zero_and_no_finite_solution(n):
    A = np.ones((n, n)) * np.arange(n)  # column 0 is 0, the others are parallel
    assert both(linear.determinant, A) == 0.0
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(linear.solve(A, np.ones(n))).all()


def test_determinant_of_an_indefinite_symmetric_matrix():
    A = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, -1.0], [2.0, -1.0, 0.0]])
    np.testing.assert_allclose(linear.determinant_symmetric(A), np.linalg.det(A), rtol=1e-14)
    np.testing.assert_allclose(linear.inverse_symmetric(A), np.linalg.inv(A), atol=1e-15)


@pytest.mark.parametrize("n", SIZES)
def test_factors_multiply_to_the_matrix(n):
    A = spd(n, n, (3,))
    for factor in (linear.ldl(A), linear.cholesky(A)):
        L = factor.lower()
        D = np.stack(factor.pivots, axis=-1)[..., None, :] if factor.unit else 1.0
        np.testing.assert_allclose(L * D @ np.swapaxes(L, -1, -2), A, atol=1e-14)
        np.testing.assert_allclose(linear.full(factor.inverse()), np.linalg.inv(A), atol=1e-13)
        np.testing.assert_allclose(factor.determinant(), np.linalg.det(A), rtol=1e-13)


def many(A, B):
    return linear.ldl(A).solve_columns(B), linear.cholesky(A).solve_columns(B), linear.lu(A).solve_columns(B)


def test_one_factor_serves_many_right_hand_sides():
    A, B = spd(1, 6), normal(2, 6, 4)
    for X in both(many, A, B):
        np.testing.assert_allclose(A @ X, B, atol=1e-13)
    ldl_only = taped(lambda A, B: linear.ldl(A).solve_columns(B), A, B)
    assert ldl_only.operations == 91 + 4 * 66  # the factor is there once


@pytest.mark.parametrize("n", SIZES)
def test_leading_axes(n):
    A, G, b = spd(n, n, (2, 3)), normal(n, 2, 3, n, n), normal(n + 1, 2, 3, n)
    expected = np.linalg.solve(A, b[..., None])[..., 0]
    for function in (ldl_solve, cholesky_solve, solve):
        np.testing.assert_allclose(function(A, b), expected, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(linear.inverse_symmetric(A), np.linalg.inv(A), atol=1e-12)
    np.testing.assert_allclose(linear.determinant(G), np.linalg.det(G), rtol=1e-10)
    each = np.stack([linear.solve(A[0, 0], x) for x in b[0]])
    np.testing.assert_allclose(linear.solve(A[0, 0], b[0]), each, rtol=1e-12)  # one matrix, three right-hand sides


@pytest.mark.parametrize("function", [ldl_solve, cholesky_solve])
def test_the_lower_triangle_is_not_read(function):
    A, b = spd(3, 4), normal(4, 4)
    torn = np.where(np.tri(4, k=-1, dtype=bool), np.nan, A)
    np.testing.assert_array_equal(function(torn, b), function(A, b))
    np.testing.assert_array_equal(linear.inverse_symmetric(torn), linear.inverse_symmetric(A))


def test_zeros_of_the_matrix_are_no_work():
    def block_diagonal(A, b):
        zero = np.zeros((3, 3))
        whole = np.concatenate([np.concatenate([A, zero], 1), np.concatenate([zero, A], 1)], 0)
        return linear.solve_symmetric(whole, np.concatenate([b, b]))

    def alone(A, b):
        return linear.solve_symmetric(A, b)

    A, b = np.eye(3), np.zeros(3)
    assert (
        record(block_diagonal, A=A, b=b).operations == record(alone, A=A, b=b).operations
    )  # and the halves are shared


def test_packing_moves_numbers_only():
    packed = normal(1, 2, 10)
    A = linear.full(packed)
    np.testing.assert_array_equal(A, np.swapaxes(A, -1, -2))
    np.testing.assert_array_equal(linear.upper(A), packed)
    X, Y = normal(2, 2, 4, 3), normal(3, 2, 4, 3)
    np.testing.assert_allclose(linear.upper_product(X, Y), linear.upper(X @ np.swapaxes(Y, -1, -2)), atol=1e-15)
    np.testing.assert_allclose(linear.symmetric_matvec(packed, X[..., 0]), (A @ X[..., :1])[..., 0], atol=1e-14)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: linear.solve(np.ones((2, 3)), np.ones(2)), r"A has shape \(2, 3\); wanted a square matrix"),
        (lambda: linear.ldl(np.ones(3)), r"A has shape \(3,\)"),
        (lambda: linear.ldl(np.eye(3)).solve(np.ones(2)), r"b has shape \(2,\); wanted \(…, 3\), because A has 3 rows"),
        (lambda: linear.solve(np.eye(3), np.ones(2)), r"b has shape \(2,\); wanted \(…, 3\)"),
        (lambda: linear.full(np.ones(5)), r"5 numbers are not a packed upper triangle\. Give n\(n\+1\)/2"),
    ],
)
def test_refuses(call, words):
    with pytest.raises(ShapeError, match=words):
        call()


def test_the_cross_product_is_that_of_numpy_on_tapes_and_on_floats():
    """`cross` records the operations of `np.cross`, also with constants, and equals it on batches of floats."""
    fixed = np.array([0.0, 1.0, 2.5])
    for pair in (lambda a, b: (a, b), lambda a, b: (fixed, b), lambda a, b: (a, fixed)):
        keys = [
            record(lambda a, b, of=of, pair=pair: of(*pair(a, b)), a=np.zeros(3), b=np.zeros(3)).key
            for of in (linear.cross, np.cross)
        ]
        assert keys[0] == keys[1]
    a, b = np.random.default_rng(0).normal(size=(2, 5, 3))
    assert np.array_equal(linear.cross(a, b), np.cross(a, b))
    assert np.array_equal(linear.cross(a[0], b[0]), np.cross(a[0], b[0]))
