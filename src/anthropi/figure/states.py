"""Whether an array can be a state of a figure, and rows of states one by one.

Turns
-----
Where do turns lie in u? Three velocities that are one angular velocity compose as rotations, all others add.

Found from `lift` itself, θ' = ω + ½ θ × ω + …: its part odd in θ is a cross product where a joint turns, and nothing
where velocities add. Floats only.
"""

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.errors import InputError, ShapeError, StateError

__all__ = ["angular_starts", "checked", "finite", "row_by_row", "unit_quaternions"]


NEAR_ONE = 1e-6  # how far from 1 the length of a quaternion may be: rounding, not a mistake


def checked(array, size: int, name: str, figure: str) -> np.ndarray:
    """The array, if its last axis has this size; else an error that says what was wanted. Any numbers, any scalars."""
    array = np.asarray(array)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(f"'{name}' has shape {array.shape}; figure '{figure}' wants ({size},) or (batch, {size}).")
    return array


def finite(name: str, array, figure=None, shape: str = "", bad=None) -> None:
    """Refuse an array in which a number is not finite, naming the first by joint, coordinate or link.

    shape : what the array holds of the figure, "nq", "nu" or "links*6"; other entries are told by place alone.
    bad : where numbers count as not finite; everywhere they are not, by default.
    """
    bad = ~np.isfinite(array) if bad is None else bad  # floats only
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"'{name}' holds {array[where]} at {where}{_whose(figure, shape, where)}. Give finite numbers."
        )


def _whose(figure, shape: str, where: tuple[int, ...]) -> str:
    """Whose entry this is, and of which row of a batch, in brackets."""
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


def _coordinate(figure, k: int) -> str:
    """The joint of q's entry k, and which of its coordinates it is: one of a quaternion, or a degree of freedom's."""
    i = next(i for i, at in enumerate(figure.q_of) if at.start <= k < at.stop)
    joint, own = figure.joints[i], k - figure.q_of[i].start
    for at in joint.quaternions:
        if at.start <= own < at.stop:
            return f"joint '{joint.name}', {'wxyz'[own - at.start]} of its quaternion"
    before = sum(at.stop <= own for at in joint.quaternions)  # each has four coordinates for three freedoms
    return f"joint '{joint.name}', coordinate {joint.dofs[own - before]}"


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
        raise StateError(
            f"The quaternion of joint '{names[where[-1]]}' in q has length {length[where]:.6g}, not 1. Start from "
            "figure.neutral(), move with figure.integrate(q, v), or put it right with figure.normalise(q)."
        )


def angular_starts(figure) -> tuple[int, ...]:
    """The first of each three places in u that turn together: of balls, free joints and the like."""
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
