"""Rows of numbers with zeros by structure: Python's 0.0 stands for what is never computed."""

from anthropi.algebra.scalar import nothing

__all__ = ["added", "combined", "dot", "turned"]


def dot(a, b):
    """Σ a_i b_i"""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if not (nothing(x) or nothing(y)):
            total = total + x * y
    return total


def added(a, factor, b) -> list:
    """a + factor b"""
    return [x if nothing(factor) or nothing(y) else x + factor * y for x, y in zip(a, b, strict=True)]


def turned(rows, x) -> list:
    """Rows times a column."""
    return [dot(row, x) for row in rows]


def combined(weights, rows) -> list:
    """Σ weights_i rows_i"""
    total: list = [0.0] * len(rows[0])
    for weight, row in zip(weights, rows, strict=True):
        total = added(total, weight, row)
    return total
