"""Checks of states and arrays of a figure, batches row by row, and the rotations among the velocities.

`angular_starts` finds the triples of u that are one angular velocity and compose as rotations; all others add. They are
found from `lift`, θ' = ω + ½ θ × ω + …: its part odd in θ is a cross product where a joint rotates, and 0 where
velocities add. Plain floats only, cannot be recorded.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.errors import InputError, ShapeError, StateError

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["angular_starts", "checked", "finite", "row_by_row", "unit_quaternions"]


UNIT_LENGTH_TOLERANCE = 1e-6  # of quaternions: rounding, not a mistake


def checked(array: Any, size: int, name: str, figure: str) -> np.ndarray:
    """Return the array if its last axis has this size, else raise an error. Any scalars."""
    array = np.asarray(array)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(f"'{name}' has shape {array.shape}; figure '{figure}' wants ({size},) or (batch, {size}).")
    return array


def finite(name: str, array: Any, figure: "Figure | None" = None, shape: str = "", bad: Any = None) -> None:
    """Raise an error if a number of an array is not finite; it names the joint, coordinate or link.

    shape : "nq", "nu" or "links*6", the meaning of the entries; for others the place alone is named.
    bad : mask of the numbers that count as not finite; by default all that are not.
    """
    bad = ~np.isfinite(array) if bad is None else bad  # floats only
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"'{name}' holds {array[where]} at {where}{_whose(figure, shape, where)}. Give finite numbers."
        )


def _whose(figure: Any, shape: str, where: tuple[int, ...]) -> str:
    """Return the name of an entry, and its row of the batch, in parentheses."""
    if not shape:
        return ""
    *rows, k = where
    if shape == "nq":
        what = _coordinate(figure, k)
    elif shape == "nu":
        what = figure.dofs[k]
    elif shape == "links*6" and rows:
        what = f"link '{figure.links[rows.pop()].name}', {('moment', 'force')[k // 3]} {'xyz'[k % 3]}"
    else:
        return ""
    row = f"row {', '.join(map(str, rows))}: " if rows else ""
    return f" ({row}{what})"


def _coordinate(figure: "Figure", k: int) -> str:
    """Return the joint and coordinate of entry k of q."""
    i = next(i for i, at in enumerate(figure.q_of) if at.start <= k < at.stop)
    joint, own = figure.joints[i], k - figure.q_of[i].start
    for at in joint.quaternions:
        if at.start <= own < at.stop:
            return f"joint '{joint.name}', {'wxyz'[own - at.start]} of its quaternion"
    before = sum(at.stop <= own for at in joint.quaternions)  # each has four coordinates for three degrees of freedom
    return f"joint '{joint.name}', coordinate {joint.dofs[own - before]}"


def row_by_row(function: Any, first: Any, second: Any, size: int) -> Any:
    """Return a function of one pair of rows, or of each pair of a batch; a single row is paired with every row.

    size : of the value of the function.
    """
    if first.ndim == second.ndim == 1:
        return function(first, second)
    lead = np.broadcast_shapes(first.shape[:-1], second.shape[:-1])
    a = np.broadcast_to(first, (*lead, first.shape[-1])).reshape(-1, first.shape[-1])
    b = np.broadcast_to(second, (*lead, second.shape[-1])).reshape(-1, second.shape[-1])
    rows = [function(x, y) for x, y in zip(a, b, strict=True)]
    return np.stack(rows).reshape(*lead, size) if rows else np.zeros((*lead, size))


def unit_quaternions(figure: "Figure", q: Any) -> None:
    """Raise an error if a quaternion of a configuration (…, nq) does not have unit length. Recordings pass."""
    if records(q):
        return
    names, places = figure.quaternion_places
    if not names:
        return
    length = (np.asarray(q, float)[..., places] ** 2).sum(-1) ** 0.5
    off = abs(length - 1.0) > UNIT_LENGTH_TOLERANCE
    if off.any():
        where = tuple(np.argwhere(off)[0])
        raise StateError(
            f"The quaternion of joint '{names[where[-1]]}' in q has length {length[where]:.6g}, not 1. Start from "
            "figure.neutral(), move with figure.integrate(q, v), or put it right with figure.normalise(q)."
        )


def angular_starts(figure: "Figure") -> tuple[int, ...]:
    """Return the first of each three places in u that are one angular velocity: of ball joints, free joints …"""
    found: list[int] = []
    for joint, at in zip(figure.joints, figure.u_of, strict=True):
        if joint.plain or joint.nu < 3:
            continue
        e = np.eye(joint.nu)
        for k in range(joint.nu - 2):
            odd = joint.lift(e[k], e[k + 1]) - joint.lift(-e[k], e[k + 1])
            if np.allclose(odd, e[k + 2]):
                found.append(at.start + k)
    return tuple(found)
