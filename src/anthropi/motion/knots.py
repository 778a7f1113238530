"""Which piece of a curve holds a time? Knots t₀ < t₁ < … cut time into pieces 0 … K: piece k begins at knot k - 1.

Piece 0 lies before the first knot and piece K after the last one. A knot belongs to the piece it begins, the last one
to the piece it ends: so a curve has its own acceleration at its end. Records: on the tape a search by halves through
`gather`, 4 log₂ K operations, and one `gather` for each number of the piece.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import clip, floor, gather, less_equal, records, where
from anthropi.errors import InputError

__all__ = ["Course", "checked_times", "pick", "piece_at", "wrapped"]


class Course(NamedTuple):
    """A control function at a time: its value, rate (first derivative) and acceleration (second)."""

    value: Any
    rate: Any
    acceleration: Any


def checked_times(times, what: str, least: int = 1) -> np.ndarray:
    """Times of keys (K,), rising."""
    try:
        given = np.array(times, float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: times must be numbers [s]; got {times!r}.") from None
    if given.ndim != 1 or len(given) < least or not np.isfinite(given).all() or not (np.diff(given) > 0.0).all():
        raise InputError(f"{what}: give at least {least} finite time{'s' * (least > 1)} [s], each later than the last; "
                         f"got {given.tolist() if given.size < 9 else f'{given.size} of them'}.")  # fmt: skip
    given.setflags(write=False)
    return given


def piece_at(knots: np.ndarray, t):
    """The number of the piece that holds t; t a number, (n,) floats, or recorded."""
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


def pick(table, k):
    """table[k] along the first axis; on the tape one `gather` for each number, none for numbers that never change."""
    table = np.asarray(table)
    if not records(k):
        return table[k]
    flat = table.reshape(len(table), -1)
    found = np.empty(flat.shape[1], object)
    for j, column in enumerate(flat.T):
        same = column.dtype != object and (column == column[0]).all()
        found[j] = float(column[0]) if same else gather(column, k)
    return found.reshape(table.shape[1:]) if table.ndim > 1 else found[0]


def wrapped(t, start: float, end: float):
    """t less whole periods: from start to end, and by rounding not an ulp beyond."""
    period = end - start
    return clip(t - period * floor((t - start) / period), start, end)
