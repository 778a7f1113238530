"""Vector arithmetic that skips structural zeros.

Rows of Jacobians and factors are lists of numbers, in which a Python 0.0 marks an entry that is zero by structure
(`algebra.scalar.is_constant_zero`). Products with such an entry are not computed, so they cost no operation on a tape.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, is_constant_zero, less, sqrt, where

__all__ = ["add_scaled", "combine", "dot", "products", "unit"]

MIN_LENGTH = 1e-12  # [m] vectors that are shorter have no direction


def dot(a: Array, b: Array) -> Any:
    """Σ a_i b_i"""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if not (is_constant_zero(x) or is_constant_zero(y)):
            total = total + x * y
    return total


def add_scaled(a: Array, factor: Array, b: Array) -> list[Any]:
    """a + factor b"""
    return [x if is_constant_zero(factor) or is_constant_zero(y) else x + factor * y for x, y in zip(a, b, strict=True)]


def products(rows: Array, x: Array) -> list[Any]:
    """Product of a matrix, given by its rows, and a column x."""
    return [dot(row, x) for row in rows]


def combine(weights: Array, rows: Array) -> list[Any]:
    """Σ weights_i rows_i"""
    total: list[Any] = [0.0] * len(rows[0])
    for weight, row in zip(weights, rows, strict=True):
        total = add_scaled(total, weight, row)
    return total


def unit(p: Array) -> tuple[Any, Any]:
    """Length and direction (3,) of a vector p (3,); (0, 0, 1) for a vector shorter than `MIN_LENGTH`."""
    square = (p * p).sum()
    some = less(MIN_LENGTH * MIN_LENGTH, square)
    length = sqrt(where(some, square, 1.0))
    up = (0.0, 0.0, 1.0)
    return where(some, length, 0.0), np.array([where(some, x / length, z) for x, z in zip(p, up, strict=True)])
