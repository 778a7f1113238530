"""Checks of the states and arrays of a figure, evaluation of batches row by row, and the angular velocities in u.

`angular_starts` finds the triples of entries in u that form one angular velocity. Such velocities compose as rotations;
all others add. The test uses `lift`, θ' = ω + ½ θ × ω + …: the part that is odd in θ is a cross product if the joint
rotates, and 0 if velocities add. It works on plain floats only and cannot be recorded on a tape.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.errors import InputError, ShapeError, SingularError, StateError
from anthropi.tape.functions import recorded

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = [
    "MAX_ANGLE", "angle_places", "angular_starts", "checked", "common_batch", "finite", "joint_rows",
    "length_dofs", "real_array", "refuse_whole_turns", "unit_quaternions",
]  # fmt: skip


UNIT_LENGTH_TOLERANCE = 1e-6  # deviation of a quaternion's length from 1 that counts as rounding
MAX_ANGLE = {"float64": 3.5e13, "float32": 1e6}  # [rad] largest angles whose sine a kernel of this precision computes
WHOLE_TURN_DISTANCE = 1e-8  # [rad] from a whole turn, where the rates of a rotation vector lose half of their digits


def checked(array: Any, size: int, name: str, figure: str) -> np.ndarray:
    """Return the array if its last axis has the given size, else raise an error. Recording scalars are allowed."""
    array = real_array(array, name)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(f"'{name}' has shape {array.shape}; figure '{figure}' expects ({size},) or (batch, {size}).")
    return array


def real_array(given: Any, name: str) -> np.ndarray:
    """Return real numbers or recording scalars as an array; raise an error that names anything else.

    A complex array is refused, because its imaginary part would be lost. float32 stays float32.
    """
    try:
        array = np.asarray(given)
    except ValueError:
        raise ShapeError(f"'{name}' has rows of different lengths. Give one array of numbers.") from None
    if array.dtype.kind == "c":
        raise InputError(f"'{name}' is complex. States and forces are real; if you want the real part, give only that.")
    if array.dtype.kind == "O" and not any(recorded(x) for x in array.flat):
        try:
            array = array.astype(float)
        except (TypeError, ValueError):
            raise InputError(f"'{name}' holds objects that are not numbers. Give an array of numbers.") from None
    if array.dtype.kind not in "fiubO":
        what = f"of type {type(given).__name__}" if array.ndim == 0 else f"an array of {array.dtype.type.__name__}"
        raise InputError(f"'{name}' is {what}. Give an array of real numbers.")
    return array


def finite_numbers(what: str, given: Any, shape: tuple[int, ...], meaning: str = "") -> np.ndarray:
    """Return finite numbers as an array of floats of a shape, a copy; raise an error if they are not.

    what : names the numbers in messages. meaning : of the axes, such as "x, y, z".
    """
    about = f", {meaning}" if meaning else ""
    try:
        array = np.array(given, float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: got {given!r}; give numbers of shape {shape}{about}.") from None
    if array.shape != shape:
        raise ShapeError(f"{what}: got the shape {array.shape}; give numbers of shape {shape}{about}.")
    if not np.isfinite(array).all():
        raise InputError(f"{what}: a number is not finite. Give finite numbers{about}.")
    return array


def finite(name: str, array: Any, figure: "Figure | None" = None, shape: str = "", bad: Any = None) -> None:
    """Raise an error that names the joint, coordinate or link if an array contains a number that is not finite.

    shape : "nq", "nu" or "links*6": what the entries stand for. For other shapes the error gives only the index.
    bad : mask of the numbers to report; by default those that are not finite.
    """
    bad = ~np.isfinite(array) if bad is None else bad  # floats only
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"'{name}' holds {array[where]} at {where}{_whose(figure, shape, where)}. Give finite numbers."
        )
    if shape == "nq" and figure is not None and np.abs(array).max(initial=0.0) > MAX_ANGLE["float64"]:
        _check_angles(name, array, figure)


def _check_angles(name: str, q: Any, figure: "Figure") -> None:
    """Raise an error if an angle in q (…, nq) is so large that kernels do not compute its sine and cosine."""
    places = angle_places(figure)
    bad = np.abs(q[..., places]) > MAX_ANGLE["float64"]
    if bad.any():
        *rows, k = (int(i) for i in np.argwhere(bad)[0])
        where = (*rows, int(places[k]))
        raise InputError(
            f"'{name}' holds {q[where]:g} rad at {where}{_whose(figure, 'nq', where)}. The sine of an angle beyond "
            f"{MAX_ANGLE['float64']:g} rad is not computed. Give the angle within a few turns."
        )


def angle_places(figure: "Figure") -> np.ndarray:
    """Return the indices in q of the coordinates that are angles [rad]: not lengths, and not parts of quaternions."""
    found: list[int] = []
    for joint, at in zip(figure.joints, figure.q_of, strict=True):
        start = at.start
        for part in (joint,) if joint.plain else getattr(joint, "parts", ()):
            long = part.lengths or (False,) * part.nu
            found += [start + k for k in range(part.nq) if part.plain and not long[k]]
            start += part.nq
    return np.array(found, int)


def length_dofs(figure: "Figure") -> np.ndarray:
    """Return which degrees of freedom are lengths [m], (nu,) booleans; the others are angles [rad]."""
    return np.array([long for j in figure.joints for long in (j.lengths or (False,) * j.nu)], bool)


def _whose(figure: Any, shape: str, where: tuple[int, ...]) -> str:
    """Return the name of an array entry and its row in the batch, in parentheses, for an error message."""
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
    """Return the names of the joint and the coordinate at entry k of q."""
    i = next(i for i, at in enumerate(figure.q_of) if at.start <= k < at.stop)
    joint, own = figure.joints[i], k - figure.q_of[i].start
    for at in joint.quaternions:
        if at.start <= own < at.stop:
            return f"joint '{joint.name}', {'wxyz'[own - at.start]} of its quaternion"
    before = sum(at.stop <= own for at in joint.quaternions)  # each has four coordinates for three degrees of freedom
    return f"joint '{joint.name}', coordinate {joint.dofs[own - before]}"


def row_by_row(function: Any, first: Any, second: Any, size: int) -> Any:
    """Apply a function to one pair of rows, or to each pair of two batches; a single row is paired with every row.

    size : number of entries in the result of the function.
    """
    if first.ndim == second.ndim == 1:
        return function(first, second)
    lead = common_batch(first, second)
    a = np.broadcast_to(first, (*lead, first.shape[-1])).reshape(-1, first.shape[-1])
    b = np.broadcast_to(second, (*lead, second.shape[-1])).reshape(-1, second.shape[-1])
    rows = [function(x, y) for x, y in zip(a, b, strict=True)]
    return np.stack(rows).reshape(*lead, size) if rows else np.zeros((*lead, size))


def common_batch(first: Any, second: Any) -> tuple[int, ...]:
    """Return the common shape of the batch axes of two arrays; raise `ShapeError` if there is none."""
    try:
        return np.broadcast_shapes(first.shape[:-1], second.shape[:-1])
    except ValueError:
        raise ShapeError(
            f"The two batches do not fit together: shapes {first.shape} and {second.shape}. Give as many rows in both, "
            "or one row."
        ) from None


def joint_rows(joint: Any, method: str, first: Any, second: Any) -> Any:
    """Call a method of a joint, such as "integrate", on two batches: at once if the joint can, or row by row."""
    function = getattr(joint, method)
    if joint.takes_batches and not records(first, second):
        return function(first, second)
    return row_by_row(function, first, second, joint.nq if method in ("rate", "integrate") else joint.nu)


def unit_quaternions(figure: "Figure", q: Any) -> None:
    """Raise an error if a quaternion of a configuration (…, nq) does not have unit length.

    Arrays of recording scalars are not checked.
    """
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
            "figure.neutral(), move with figure.integrate(q, v), or correct it with figure.normalise(q)."
        )


def refuse_whole_turns(name: str, figure: "Figure", q: Any) -> None:
    """Raise an error if the rotation vector of an exponential joint is a whole turn, where its rates are infinite.

    name : name of the computation, for the message. q : (…, nq). Arrays of recording scalars are not checked.
    """
    if records(q):
        return
    q = np.asarray(q, float)
    for joint, at in zip(figure.joints, figure.q_of, strict=True):
        for start in _rotation_vectors(joint, at.start):
            angle = np.linalg.norm(q[..., start : start + 3], axis=-1)  # floats only
            turns = np.rint(angle / (2.0 * math.pi))  # floats only
            bad = (turns >= 1.0) & (abs(angle - 2.0 * math.pi * turns) <= WHOLE_TURN_DISTANCE)
            if bad.any():
                row = f" (number {int(np.argwhere(bad)[0][0])} of the batch)" if bad.ndim else ""
                raise SingularError(
                    f"{name}: the rotation vector of joint '{joint.name}' is a whole turn{row}, where its rates are "
                    "infinite. Use the same rotation with an angle of at most π (ap.rotation.change_chart)."
                )


def _rotation_vectors(joint: Any, at: int) -> Iterator[int]:
    """Yield the indices in q at which the rotation vectors of a joint start; its coordinates start at `at`."""
    if joint.kind == "exponential":
        yield at
    elif joint.kind == "composite":
        for part in joint.parts:
            yield from _rotation_vectors(part, at)
            at += part.nq
    elif joint.kind == "backward":
        yield from _rotation_vectors(joint.joint, at)


def angular_starts(figure: "Figure") -> tuple[int, ...]:
    """Return the indices in u at which the angular velocities (three entries each) of ball and free joints start."""
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
