"""Vector arithmetic that skips structural zeros.

Rows of Jacobians and of matrix factors are lists of numbers. A Python 0.0 in them marks an entry that is always zero
(`algebra.scalar.is_constant_zero`). Products with such an entry are not computed, so they add no operation to a tape.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, is_constant_zero, less, sqrt, where

__all__ = ["add_scaled", "combine", "dot", "products", "unit"]

MIN_LENGTH = 1e-12  # [m] shorter vectors are treated as having no direction


def dot(a: Array, b: Array) -> Any:
    """Compute the dot product Σ a_i b_i of two vectors."""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if not (is_constant_zero(x) or is_constant_zero(y)):
            total = total + x * y
    return total


def add_scaled(a: Array, factor: Array, b: Array) -> list[Any]:
    """Compute a + factor b for two vectors a and b."""
    return [x if is_constant_zero(factor) or is_constant_zero(y) else x + factor * y for x, y in zip(a, b, strict=True)]


def products(rows: Array, x: Array) -> list[Any]:
    """Multiply a matrix, given by its rows, by a vector x."""
    return [dot(row, x) for row in rows]


def combine(weights: Array, rows: Array) -> list[Any]:
    """Compute the linear combination Σ weights_i rows_i."""
    total: list[Any] = [0.0] * len(rows[0])
    for weight, row in zip(weights, rows, strict=True):
        total = add_scaled(total, weight, row)
    return total


def unit(p: Array) -> tuple[Any, Any]:
    """Compute length and direction (3,) of a vector p (3,).

    For a vector shorter than `MIN_LENGTH`, the length is 0 and the direction is (0, 0, 1).
    """
    square = (p * p).sum()
    some = less(MIN_LENGTH * MIN_LENGTH, square)
    length = sqrt(where(some, square, 1.0))
    up = (0.0, 0.0, 1.0)
    return where(some, length, 0.0), np.array([where(some, x / length, z) for x, z in zip(p, up, strict=True)])
