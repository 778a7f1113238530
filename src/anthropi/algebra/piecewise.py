"""Tables of numbers for pieces of a variable, such as the coefficients of a spline; floats or recording scalars.

Knots t₀ < t₁ < … divide a variable t into pieces 0 … K: piece k begins at knot k - 1, piece 0 lies before the first
knot and piece K after the last one. A knot belongs to the piece that begins there, but the last knot to the piece that
ends there, so that a curve has the acceleration of its last piece at its end. On the tape the piece is found by
bisection through `gather`, which takes 4 log₂ K operations, and each number of the piece by one more `gather`.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import gather, less_equal, records, where

__all__ = ["pick", "piece_at"]


def piece_at(knots: np.ndarray, t: Any) -> Any:
    """Return the number of the piece that contains t, which is a number, (n,) floats or a recording scalar."""
    limits = np.array([*knots[:-1], np.nextafter(knots[-1], np.inf)])
    if not records(t):
        return np.searchsorted(limits, t, "right")
    step = 1
    while step <= len(knots):
        step *= 2
    table = np.concatenate([[-np.inf], limits, np.full(2 * step, np.inf)])  # entry k: where piece k begins
    k: Any = 0.0
    while step > 1:
        step //= 2
        k = where(less_equal(gather(table, k + float(step)), t), k + float(step), k)
    return k


def pick(table: Any, k: Any) -> Any:
    """Return table[k] along the first axis; on a tape, with one `gather` for each number that is not constant."""
    table = np.asarray(table)
    if not records(k):
        return table[k]
    flat = table.reshape(len(table), -1)
    found = np.empty(flat.shape[1], object)
    for j, column in enumerate(flat.T):
        same = column.dtype != object and (column == column[0]).all()
        found[j] = float(column[0]) if same else gather(column, k)
    return found.reshape(table.shape[1:]) if table.ndim > 1 else found[0]
