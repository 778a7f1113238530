"""Runge–Kutta tableaus satisfy every condition of their order: one a rooted tree (Butcher 1963)."""

import itertools
import math

import numpy as np
import pytest

from anthropi.errors import AnthropiError
from anthropi.simulation.integrators import METHODS, Tableau, method

TABLEAUS = {name: m for name, m in METHODS.items() if isinstance(m, Tableau)}
COUNT = [1, 1, 2, 4, 9, 20, 48, 115]  # trees of 1, 2 … 8 nodes


def trees(nodes):
    """Every rooted tree with so many nodes, as a sorted tuple of its branches."""
    if nodes == 1:
        return [()]
    found = set()
    for parts in partitions(nodes - 1, nodes - 1):
        for branches in itertools.product(*(trees(k) for k in parts)):
            found.add(tuple(sorted(branches)))
    return sorted(found)


def partitions(n, most):
    """Ways to write n as a sum of falling numbers."""
    if n == 0:
        yield ()
    for k in range(min(n, most), 0, -1):
        yield from ((k, *rest) for rest in partitions(n - k, k))


def size(tree):
    return 1 + sum(map(size, tree))


def density(tree):
    """γ: Σ b Φ must be 1/γ."""
    return size(tree) * math.prod(map(density, tree))


def weight(tree, A):
    """Φ of a tree (stages,)."""
    return math.prod((A @ weight(branch, A) for branch in tree), start=np.ones(len(A)))


def square(m):
    A = np.zeros((len(m.b), len(m.b)))
    for i, row in enumerate(m.A):
        A[i, : len(row)] = row
    return A


def test_there_are_as_many_trees_as_known():
    assert [len(trees(n + 1)) for n in range(8)] == COUNT


@pytest.mark.parametrize("name", TABLEAUS)
def test_every_condition_up_to_the_order_holds_and_not_all_beyond(name):
    m = TABLEAUS[name]
    A, b = square(m), np.array(m.b)
    np.testing.assert_allclose(A.sum(1), m.c, atol=1e-14)
    misses = [abs(b @ weight(tree, A) * density(tree) - 1.0) for n in range(m.order) for tree in trees(n + 1)]
    assert len(misses) == sum(COUNT[: m.order])
    assert max(misses) < 1e-12  # γ up to 40,320 times rounding
    assert max(abs(b @ weight(tree, A) * density(tree) - 1.0) for tree in trees(m.order + 1)) > 1e-2


def test_the_embedded_weights_are_of_fourth_order():
    m = METHODS["dormand_prince"]
    A, b = square(m), np.array(m.embedded)
    miss = [[abs(b @ weight(t, A) * density(t) - 1.0) for t in trees(n)] for n in range(1, 6)]
    assert max(max(row) for row in miss[:4]) < 1e-13
    assert max(miss[4]) > 1e-3


def test_dense_output_is_of_fourth_order_all_along_the_step():
    """Σ b_i(s) Φ_i = s^n / γ as polynomials, and b(1) = b."""
    m = METHODS["dormand_prince"]
    A, B = square(m), np.array(m.dense)
    np.testing.assert_allclose(B.sum(1), m.b, atol=1e-14)
    for n in range(1, 5):
        for tree in trees(n):
            np.testing.assert_allclose(B.T @ weight(tree, A) * density(tree), np.eye(4)[n - 1], atol=1e-12)


def test_a_stage_without_weight_is_not_computed():
    assert METHODS["dormand_prince"].needed == (0, 1, 2, 3, 4, 5)
    assert METHODS["rk8"].needed == tuple(range(11))


def test_a_method_that_is_none_is_answered_with_those_there_are():
    with pytest.raises(AnthropiError, match=r"No method 'rk5'. Did you mean 'rk\d'\? Methods: semi_implicit_euler"):
        method("rk5")
    assert method(METHODS["rk4"]) is METHODS["rk4"]
