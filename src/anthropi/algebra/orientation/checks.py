"""Checks of rotations at the public boundary. Floats only; recording scalars pass unchecked.

One rule holds for all of `ap.rotation`, `ap.Rotation` and `ap.Transform`:

- Numbers are real and finite, and are computed in float64.
- A quaternion or an axis whose length differs from 1 by more than `TOLERANCE`, and a matrix whose columns are not
  orthonormal to it or whose determinant is negative, is refused. The message names the function that repairs it.
- Within the tolerance, the nearest rotation is used, so that different functions agree to rounding.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from anthropi.errors import InputError, ShapeError, SingularError
from anthropi.tape.functions import recorded

__all__ = ["TOLERANCE", "checked", "look_like_transforms", "real"]

F = TypeVar("F", bound=Callable[..., Any])

TOLERANCE = 1e-6  # deviation from unit length that counts as rounding; also that of quaternions in q
ROUNDING = 4e-15  # deviation up to which a rotation is used as it is: a few roundings of float64


class Kind(NamedTuple):
    """A type of argument: the number of its last axes, and the check that returns the array to use."""

    axes: int
    check: Callable[[np.ndarray, str], np.ndarray]


def is_recorded(value: Any) -> bool:
    """Return whether a value is or contains a recording scalar."""
    if isinstance(value, (list, tuple)):
        return any(is_recorded(x) for x in value)
    return recorded(value) or (
        isinstance(value, np.ndarray) and value.dtype == object and any(recorded(x) for x in value.flat)
    )


def real(value: Any, label: str) -> np.ndarray:
    """Return a value as an array of float64; raise `InputError` unless it consists of real numbers."""
    try:
        array = np.asarray(value)
        if array.dtype == object:
            array = array.astype(float)
    except InputError as error:  # of an object that is not an array
        raise InputError(f"{label}: {error}") from None
    except (ValueError, TypeError, OverflowError):
        raise InputError(f"{label} is not an array of numbers: {_short(value)}. Give real numbers.") from None
    if array.dtype.kind == "c":
        raise InputError(f"{label} is complex. Rotations are real; if you want the real part, pass only that.")
    if array.dtype.kind not in "fiub":
        raise InputError(f"{label} is not an array of numbers: {_short(value)}. Give real numbers.")
    return array.astype(float, copy=False)


def _short(value: Any) -> str:
    text = type(value).__name__ if isinstance(value, int) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _at(bad: np.ndarray) -> tuple[Any, str]:
    """Return the index of the first true entry and its description, empty if there is no batch."""
    where = tuple(int(k) for k in np.argwhere(bad)[0])
    return where, f" at index {', '.join(map(str, where))}" if where else ""


def finite(a: np.ndarray, label: str) -> np.ndarray:
    """Refuse NaN and infinite numbers."""
    bad = ~np.isfinite(a)
    if bad.any():
        where, text = _at(bad)
        raise InputError(f"{label} contains {a[where]}{text}. Give finite numbers.")
    return a


def shaped(a: np.ndarray, label: str, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Refuse an array whose last axes do not have the given lengths."""
    if a.shape[-len(shape) :] != shape:
        wanted = ", ".join(map(str, shape))
        raise ShapeError(f"{label} is not a {what}: its shape is {a.shape}, wanted (..., {wanted}).")
    return a


def _unit(a: np.ndarray, label: str, what: str) -> np.ndarray:
    """Refuse vectors that are not of unit length; return them normalised beyond rounding."""
    finite(a, label)
    with np.errstate(over="ignore"):
        length = np.linalg.norm(a, axis=-1, keepdims=True)
    bad = np.abs(length[..., 0] - 1.0) > TOLERANCE
    if bad.any():
        where, text = _at(bad)
        found = length[..., 0][where]
        repair = (
            "Give another value." if found == 0.0 else "Use ap.rotation.normalise first, if only its direction counts."
        )
        raise InputError(f"{label} is not a unit {what}{text}: its length is {found:.6g}, not 1. {repair}")
    return np.where(np.abs(length - 1.0) > ROUNDING, a / length, a)


def unit_vector(a: np.ndarray, label: str) -> np.ndarray:
    """Check an axis (..., 3) of unit length."""
    return _unit(shaped(a, label, (3,), "vector"), label, "vector")


def unit_quaternion(a: np.ndarray, label: str) -> np.ndarray:
    """Check a quaternion (..., 4) of unit length."""
    return _unit(shaped(a, label, (4,), "quaternion"), label, "quaternion")


def rotation_matrix(a: np.ndarray, label: str) -> np.ndarray:
    """Check a proper rotation matrix (..., 3, 3)."""
    C = finite(shaped(a, label, (3, 3), "matrix"), label)
    with np.errstate(all="ignore"):
        off = np.max(np.abs(np.swapaxes(C, -1, -2) @ C - np.eye(3)), axis=(-2, -1), initial=0.0)
    bad = ~(off <= 2.0 * TOLERANCE)  # twice, because it is of second order in the entries
    if bad.any():
        where, text = _at(bad)
        raise InputError(
            f"{label} is not a rotation matrix{text}: its columns are not orthonormal, CᵀC differs from the identity "
            f"by {off[where]:.3g}. Use ap.rotation.nearest for the nearest rotation of a noisy matrix."
        )
    flipped = np.linalg.det(C) < 0.0
    if flipped.any():
        _, text = _at(flipped)
        raise InputError(
            f"{label} is not a rotation matrix{text}: its determinant is -1, so it contains a reflection. Check the "
            "handedness of its axes, or use ap.rotation.nearest if you want the nearest rotation."
        )
    for _ in range(2):  # Newton's iteration for the polar decomposition: 2e-6 → 1e-12 → rounding
        better = 0.5 * (3.0 * C - C @ (np.swapaxes(C, -1, -2) @ C))
        C = np.where((off > ROUNDING)[..., None, None], better, C)
    return C


def transform_matrix(a: np.ndarray, label: str) -> np.ndarray:
    """Check a homogeneous transform (..., 4, 4)."""
    T = finite(shaped(a, label, (4, 4), "homogeneous transform"), label)
    bad = np.any(T[..., 3, :] != (0.0, 0.0, 0.0, 1.0), axis=-1)
    if bad.any():
        where, text = _at(bad)
        raise InputError(
            f"{label} is not a homogeneous transform{text}: its last row is {T[..., 3, :][where]}, not (0, 0, 0, 1). "
            "Make one with ap.rotation.homogeneous(C, p)."
        )
    C = rotation_matrix(T[..., :3, :3], label)
    return np.concatenate([np.concatenate([C, T[..., :3, 3:]], axis=-1), T[..., 3:, :]], axis=-2)


def rotation(a: np.ndarray, label: str) -> np.ndarray:
    """Check a rotation, a unit quaternion (..., 4) or a matrix (..., 3, 3); refuse homogeneous transforms."""
    if a.shape[-2:] == (4, 4) and look_like_transforms(a):
        raise ShapeError(
            f"{label} is a homogeneous transform (or four quaternions that look like one): its shape is {a.shape}. For "
            "transforms use ap.Transform, or homogeneous_inverse, homogeneous_product and homogeneous_log of "
            "ap.rotation; for a batch of quaternions use ap.Rotation."
        )
    if a.shape[-1:] == (4,):
        return unit_quaternion(a, label)
    if a.shape[-2:] != (3, 3):
        raise ShapeError(
            f"{label} is not a rotation: its shape is {a.shape}, wanted a quaternion (..., 4) or a matrix (..., 3, 3). "
            "Convert a rotation vector with quaternion_from_rotation_vector."
        )
    return rotation_matrix(a, label)


def look_like_transforms(a: np.ndarray) -> bool:
    """Return whether all matrices (..., 4, 4) have the last row of a homogeneous transform and an orthonormal block."""
    C = a[..., :3, :3]
    last = np.all(a[..., 3, :] == (0.0, 0.0, 0.0, 1.0))
    with np.errstate(all="ignore"):
        return bool(last) and bool(np.all(np.abs(np.swapaxes(C, -1, -2) @ C - np.eye(3)) <= 2.0 * TOLERANCE))


NUMBER = Kind(0, finite)
VECTOR = Kind(1, lambda a, label: finite(shaped(a, label, (3,), "vector"), label))
POINT = Kind(1, lambda a, label: shaped(a, label, (3,), "vector"))  # NaN stays NaN: a missing marker
MOTION = Kind(1, lambda a, label: finite(shaped(a, label, (6,), "motion, the angular part first"), label))
AXIS = Kind(1, unit_vector)
UNIT_QUATERNION = Kind(1, unit_quaternion)
ANY_QUATERNION = Kind(1, lambda a, label: finite(shaped(a, label, (4,), "quaternion"), label))
ROTATION_MATRIX = Kind(2, rotation_matrix)
ANY_MATRIX = Kind(2, lambda a, label: finite(shaped(a, label, (3, 3), "matrix"), label))
TRANSFORM = Kind(2, transform_matrix)
ROTATION = Kind(-1, rotation)  # one axis for quaternions, two for matrices


def checked(function: F, singular: Callable[..., None] | None = None, **kinds: Kind) -> F:
    """Return a function that checks its arguments, then calls the given one.

    Parameters
    ----------
    function : a function of arrays that any scalar can pass through.
    singular : function of the checked arguments by name; raises `SingularError` where the result is infinite.
    kinds : the kind of each array argument. None is passed on.

    Returns
    -------
    A function with the same signature. Arguments with recording scalars are passed on unchecked.
    """
    parameters = inspect.signature(function).parameters
    names = tuple(parameters)
    optional = {n for n in kinds if parameters[n].default is None}
    own = function.__name__

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        given = {**dict(zip(names, args, strict=False)), **named}
        if len(args) > len(names) or any(is_recorded(given[n]) for n in kinds if n in given):
            return function(*args, **named)
        arrays = {
            n: kind.check(real(given[n], f"{own}: '{n}'"), f"{own}: '{n}'")
            for n, kind in kinds.items()
            if n in given and not (given[n] is None and n in optional)
        }
        broadcast(own, {n: _lead(a, kinds[n]) for n, a in arrays.items()})
        given.update(arrays)
        with np.errstate(all="ignore"):
            if singular is not None:
                singular(own, **given)
            result = function(**given)
        if not all(np.isfinite(a).all() for a in arrays.values()):
            return result  # a missing point
        for part in result if isinstance(result, tuple) else (result,):
            if not np.isfinite(part).all():
                raise SingularError(f"{own}: the result is not finite. The arguments are too large, or singular.")
        return result

    return call  # type: ignore[return-value]


def _lead(a: np.ndarray, kind: Kind) -> tuple[int, ...]:
    """Return the batch axes of an argument."""
    axes = kind.axes if kind.axes >= 0 else 1 if a.shape[-1] == 4 else 2
    return a.shape[: a.ndim - axes]


def broadcast(function: str, leads: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the common batch shape of arguments; raise `ShapeError` if there is none."""
    try:
        return np.broadcast_shapes(*leads.values())
    except ValueError:
        listed = ", ".join(f"'{name}' {lead}" for name, lead in leads.items())
        raise ShapeError(
            f"{function}: the batches do not fit together: {listed}. Leading axes must be equal, or 1, or absent."
        ) from None
