"""Whether an array can be a state of a figure, and rows of states one by one."""

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.errors import SizeError

__all__ = ["checked", "row_by_row", "unit_quaternions"]

NEAR_ONE = 1e-6  # how far from 1 the length of a quaternion may be: rounding, not a mistake


def checked(array, size: int, name: str, figure: str) -> np.ndarray:
    """The array, if its last axis has this size; else an error that says what was wanted. Any numbers, any scalars."""
    array = np.asarray(array)
    if array.ndim == 0 or array.shape[-1] != size:
        raise SizeError(f"'{name}' has shape {array.shape}; figure '{figure}' wants ({size},) or (batch, {size}).")
    return array


def row_by_row(function, first, second, size: int):
    """function of one pair of rows, or of each pair of a batch; a single row goes with every row of the other.

    size : of what the function returns.
    """
    if first.ndim == second.ndim == 1:
        return function(first, second)
    lead = np.broadcast_shapes(first.shape[:-1], second.shape[:-1])
    a = np.broadcast_to(first, (*lead, first.shape[-1])).reshape(-1, first.shape[-1])
    b = np.broadcast_to(second, (*lead, second.shape[-1])).reshape(-1, second.shape[-1])
    rows = [function(x, y) for x, y in zip(a, b, strict=True)]
    return np.stack(rows).reshape(*lead, size) if rows else np.zeros((*lead, size))


def unit_quaternions(figure, q) -> None:
    """Refuse a configuration (…, nq) in which a joint's quaternion has not length 1; a recording is let pass."""
    if records(q):
        return
    names, places = figure.quaternion_places
    if not names:
        return
    length = (np.asarray(q, float)[..., places] ** 2).sum(-1) ** 0.5
    off = abs(length - 1.0) > NEAR_ONE
    if off.any():
        where = tuple(np.argwhere(off)[0])
        raise SizeError(
            f"The quaternion of joint '{names[where[-1]]}' in q has length {length[where]:.6g}, not 1. Start from "
            "figure.neutral(), move with figure.integrate(q, v), or put it right with figure.normalise(q)."
        )
