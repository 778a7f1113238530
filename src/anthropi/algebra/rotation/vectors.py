"""Three-vectors, their skew matrices, and the checks of shape at the door of every function here.

Arrays keep their last axes: vectors (..., 3), quaternions (..., 4), matrices (..., 3, 3); inner numbers keep an axis of
length one, so that a single recorded vector stays an array. Spec: rotations.md section 1, K(1), K(8)-(12).
"""

import numpy as np

from anthropi.algebra import scalar
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.tape import derivative_rule

__all__ = ["act", "apply_transpose", "columns", "cross", "dot", "identity", "outer", "skew", "square", "unskew"]

FRAMES = ("global", "local")


def array(x):
    """Give x as an array of floats, or of objects where it holds recording scalars."""
    x = np.asarray(x)
    return x if x.dtype == object else x.astype(float, copy=False)


def _refuse(name: str, kind: str, wanted: str, shape) -> ShapeError:
    return ShapeError(f"'{name}' is no {kind}: its shape is {shape}, wanted (..., {wanted}). "
                     f"Put the {kind}'s {wanted} entries on the last axes; leading axes are a batch.")  # fmt: skip


def vector(x, name: str):
    """Give x as an array (..., 3), or say what is wrong with it."""
    x = array(x)
    if x.shape[-1:] != (3,):
        raise _refuse(name, "vector", "3", x.shape)
    return x


def quaternion(x, name: str):
    """Give x as an array (..., 4), or say what is wrong with it."""
    x = array(x)
    if x.shape[-1:] != (4,):
        raise _refuse(name, "quaternion", "4", x.shape)
    return x


def matrix(x, name: str):
    """Give x as an array (..., 3, 3), or say what is wrong with it."""
    x = array(x)
    if x.shape[-2:] != (3, 3):
        raise _refuse(name, "matrix", "3, 3", x.shape)
    return x


def number(x):
    """Give a number, or an array (...), one axis more at the end: (..., 1)."""
    return array(x)[..., None]


def is_global(frame: str) -> bool:
    """Whether a velocity is in the frame that stands still ("global", I) or in the one that turns ("local", B)."""
    if frame not in FRAMES:
        hint = did_you_mean(str(frame), FRAMES)
        raise InputError(
            f"No frame '{frame}'.{hint} Say frame='global' (I_w, K's w_s) or frame='local' (B_w, K's w_b)."
        )
    return frame == "global"


def columns(x):
    """Give the entries on the last axis one by one, each (..., 1)."""
    return [x[..., k : k + 1] for k in range(x.shape[-1])]


def dot(a, b):
    """What is <a, b>? (..., 3), (..., 3) → (..., 1)"""
    return np.sum(a * b, axis=-1, keepdims=True)


def short_dot(a, b):
    """Give <a, b> in three operations."""
    (a1, a2, a3), (b1, b2, b3) = columns(a), columns(b)
    return scalar.fma(a3, b3, scalar.fma(a2, b2, a1 * b1))


@derivative_rule(
    push=lambda x, y, d: 2.0 * short_dot(x[0], d[0]),
    pull=lambda x, y, c: (2.0 * c * x[0],),
)
def square(a):
    """What is ‖a‖²? (..., 3) → (..., 1)"""
    return dot(a, a)


def cross(a, b):
    """What is a x b? (..., 3), (..., 3) → (..., 3)"""
    (a1, a2, a3), (b1, b2, b3) = columns(a), columns(b)
    return np.concatenate([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], axis=-1)


def outer(a, b):
    """What is a bᵀ? (..., 3), (..., 3) → (..., 3, 3)"""
    return a[..., :, None] * b[..., None, :]


def identity(like):
    """Give the unit matrices (..., 3, 3) that go with vectors (..., 3)."""
    return np.broadcast_to(np.eye(3), (*like.shape[:-1], 3, 3))


def square_matrix(rows):
    """Put nine entries, each (..., 1), into matrices (..., 3, 3)."""
    return np.stack([np.concatenate(np.broadcast_arrays(*row), axis=-1) for row in rows], axis=-2)


def skew(a):
    """Which matrix makes the cross product, [a] b = a x b?

    K(1), C Operators. (..., 3) → (..., 3, 3), [[0, -a3, a2], [a3, 0, -a1], [-a2, a1, 0]].
    """
    a1, a2, a3 = columns(vector(a, "a"))
    zero = np.zeros(a1.shape)
    return square_matrix([[zero, -a3, a2], [a3, zero, -a1], [-a2, a1, zero]])


def unskew(A):
    """Which vector makes the skew part of A? The inverse of `skew`; a symmetric part of A drops out.

    C Operators (vee). (..., 3, 3) → (..., 3), (A32 - A23, A13 - A31, A21 - A12) / 2.
    """
    A = matrix(A, "A")
    return 0.5 * np.stack(
        [A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1]], axis=-1
    )


def act(A, v):
    """What is A v? (..., 3, 3), (..., 3) → (..., 3)"""
    return (A @ v[..., None])[..., 0]


def apply_transpose(A, v):
    """What is Aᵀ v? (..., 3, 3), (..., 3) → (..., 3)"""
    return (v[..., None, :] @ A)[..., 0, :]
