"""Laws of small linear systems, on random matrices of every size up to 6."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anthropi.algebra import linear
from unit.spatial.helpers import run, taped


def matrices(n):
    entries = st.floats(-3.0, 3.0)
    return st.lists(entries, min_size=n * n, max_size=n * n).map(lambda x: np.array(x).reshape(n, n))


systems = st.integers(1, 6).flatmap(
    lambda n: st.tuples(matrices(n), st.lists(st.floats(-5.0, 5.0), min_size=n, max_size=n).map(np.array))
)


def everything(A, b):
    x = linear.solve_symmetric(A, b)
    return (
        x,
        linear.cholesky(A).solve(b),
        linear.solve(A, b),
        linear.inverse_symmetric(A),
        linear.determinant_symmetric(A),
    )


@given(systems)
def test_a_solution_solves_on_floats_and_recorded(system):
    X, b = system
    A = X @ X.T + np.eye(len(b))  # condition up to ~300
    for result in (everything(A, b), run(taped(everything, A, b), A, b)):
        x, y, z, inverse, determinant = result
        for solution in (x, y, z):
            np.testing.assert_allclose(A @ solution, b, atol=1e-11)
        np.testing.assert_allclose(inverse @ A, np.eye(len(b)), atol=1e-11)
        assert determinant > 0.0


@given(systems)
def test_swapping_rows_changes_the_sign_of_the_determinant(system):
    X, b = system
    n = len(b)
    if n > 1:
        swapped = X[[1, 0, *range(2, n)]]
        scale = max(1.0, np.abs(X).max()) ** n
        np.testing.assert_allclose(linear.determinant(X), -linear.determinant(swapped), atol=1e-11 * scale)


@given(systems, st.floats(-2.0, 2.0))
def test_solving_is_linear_in_the_right_hand_side(system, k):
    X, b = system
    factor = linear.ldl(X @ X.T + np.eye(len(b)))
    np.testing.assert_allclose(factor.solve(k * b + X[0]), k * factor.solve(b) + factor.solve(X[0]), atol=1e-11)
