"""Three-vectors, skew matrices, and shape checks of arguments.

Arrays keep their last axes: vectors (..., 3), quaternions (..., 4), matrices (..., 3, 3). Intermediate numbers keep an
axis of length one, (..., 1), so that a single recorded vector stays an array. Equations K.1 and K.8 to K.12 of
`docs/equations/rotations.md`.
"""

from typing import Any

import numpy as np

from anthropi.algebra import scalar
from anthropi.algebra.scalar import Array
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.tape import derivative_rule

__all__ = ["act", "apply_transpose", "columns", "cross", "dot", "identity", "outer", "skew", "square", "unskew"]

FRAMES = ("global", "local")


def array(x: Array) -> Array:
    """Convert x to an array of float64, or of objects if it contains recording scalars."""
    x = np.asarray(x)
    if x.dtype == object:
        return x
    if x.dtype.kind not in "fiub":
        raise InputError(f"Rotations need real numbers; got an array of {x.dtype}. Convert it to floats first.")
    return x.astype(float, copy=False)


def _shape_error(name: str, kind: str, wanted: str, shape: tuple[int, ...]) -> ShapeError:
    return ShapeError(
        f"'{name}' is not a {kind}: its shape is {shape}, wanted (..., {wanted}). "
        f"Put the {kind}'s {wanted} entries on the last axes; leading axes are a batch."
    )


def vector(x: Array, name: str) -> Array:
    """Convert x to an array (..., 3); raise `ShapeError` with the argument's name if it is not one."""
    x = array(x)
    if x.shape[-1:] != (3,):
        raise _shape_error(name, "vector", "3", x.shape)
    return x


def quaternion(x: Array, name: str) -> Array:
    """Convert x to an array (..., 4); raise `ShapeError` with the argument's name if it is not one."""
    x = array(x)
    if x.shape[-1:] != (4,):
        raise _shape_error(name, "quaternion", "4", x.shape)
    return x


def matrix(x: Array, name: str) -> Array:
    """Convert x to an array (..., 3, 3); raise `ShapeError` with the argument's name if it is not one."""
    x = array(x)
    if x.shape[-2:] != (3, 3):
        raise _shape_error(name, "matrix", "3, 3", x.shape)
    return x


def number(x: Array) -> Array:
    """Convert a number or array (...) to an array (..., 1)."""
    return array(x)[..., None]


def is_global(frame: str) -> bool:
    """Whether `frame` is "global" (inertial frame I) and not "local" (body frame B); raise `InputError` otherwise."""
    if not isinstance(frame, str) or frame not in FRAMES:
        hint = did_you_mean(str(frame), FRAMES)
        raise InputError(
            f"No frame '{frame}'.{hint} Choose frame='global' (angular velocity I_w) or frame='local' (B_w)."
        )
    return frame == "global"


def columns(x: Array) -> list[Array]:
    """Split the last axis into its entries, each (..., 1)."""
    return [x[..., k : k + 1] for k in range(x.shape[-1])]


def dot(a: Array, b: Array) -> Array:
    """Compute the scalar product <a, b>. (..., 3), (..., 3) → (..., 1)"""
    return np.sum(a * b, axis=-1, keepdims=True)


def short_dot(a: Array, b: Array) -> Array:
    """Compute the scalar product <a, b> in three operations, by fused multiply-add. (..., 3), (..., 3) → (..., 1)"""
    (a1, a2, a3), (b1, b2, b3) = columns(a), columns(b)
    return scalar.fma(a3, b3, scalar.fma(a2, b2, a1 * b1))


@derivative_rule(
    push=lambda x, y, d: 2.0 * short_dot(x[0], d[0]),
    pull=lambda x, y, c: (2.0 * c * x[0],),
)
def square(a: Array) -> Array:
    """Compute the squared length ‖a‖². (..., 3) → (..., 1)"""
    return dot(a, a)


def cross(a: Array, b: Array) -> Array:
    """Compute the cross product a × b. (..., 3), (..., 3) → (..., 3)"""
    (a1, a2, a3), (b1, b2, b3) = columns(a), columns(b)
    return np.concatenate([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], axis=-1)


def outer(a: Array, b: Array) -> Array:
    """Compute the outer product a bᵀ. (..., 3), (..., 3) → (..., 3, 3)"""
    return a[..., :, None] * b[..., None, :]


def identity(like: Array) -> Array:
    """Return identity matrices (..., 3, 3) for vectors (..., 3)."""
    return np.broadcast_to(np.eye(3), (*like.shape[:-1], 3, 3))


def square_matrix(rows: list[Any]) -> Array:
    """Assemble matrices (..., 3, 3) from three rows of three entries, each (..., 1)."""
    entries = [entry for row in rows for entry in row]
    shape = entries[0].shape
    if any(entry.shape != shape for entry in entries):
        entries = list(np.broadcast_arrays(*entries))
        shape = entries[0].shape
    return np.concatenate(entries, axis=-1).reshape(*shape[:-1], 3, 3)


def skew(a: Array) -> Array:
    """Return the matrix [a] of the cross product, [a] b = a × b (K.1). (..., 3) → (..., 3, 3)

    [a] = [[0, -a3, a2], [a3, 0, -a1], [-a2, a1, 0]].
    """
    a1, a2, a3 = columns(vector(a, "a"))
    zero = np.zeros(a1.shape)
    return square_matrix([[zero, -a3, a2], [a3, zero, -a1], [-a2, a1, zero]])


def unskew(A: Array) -> Array:
    """Return the vector of the skew-symmetric part of A, the inverse of `skew` (C.skew). (..., 3, 3) → (..., 3)

    (A32 - A23, A13 - A31, A21 - A12) / 2; the symmetric part of A is ignored.
    """
    A = matrix(A, "A")
    return 0.5 * np.stack(
        [A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1]], axis=-1
    )


def act(A: Array, v: Array) -> Array:
    """Compute the matrix-vector product A v. (..., 3, 3), (..., 3) → (..., 3)"""
    return (A @ v[..., None])[..., 0]


def apply_transpose(A: Array, v: Array) -> Array:
    """Compute the matrix-vector product Aᵀ v. (..., 3, 3), (..., 3) → (..., 3)"""
    return (v[..., None, :] @ A)[..., 0, :]
