"""Rotations from data: nearest rotation, alignment of vectors and points, random rotations. Floats only.

Nearest rotation to a matrix M = U diag(s) Vᵀ (singular values in decreasing order), in the Frobenius norm:

    C = U diag(1, 1, d) Vᵀ,   d = det(U) det(V) = ±1                                                                 (1)

It is unique if s₂ + d s₃ > 0. The rotation that aligns vectors b_i with a_i, minimising Σ w_i ‖a_i - C b_i‖² (Wahba's
problem), is the nearest rotation to M = Σ w_i a_i b_iᵀ (Kabsch).

W. Kabsch, A solution for the best rotation to relate two sets of vectors, Acta Cryst. A32, 1976.
"""

from typing import Any

import numpy as np

from anthropi.algebra.orientation.checks import broadcast, finite, real, shaped
from anthropi.errors import InputError, ShapeError, SingularError

__all__ = [
    "align_points", "align_vectors", "batch_shape", "generator", "nearest", "normalise", "random_quaternion",
    "same_shapes",
]  # fmt: skip

MIN_CERTAINTY = 1e-9  # (s₂ + d s₃) / s₁ below which a rotation is not determined


def normalise(v: Any) -> np.ndarray:
    """Return quaternions (..., 4) or vectors (..., 3) scaled to unit length.

    Raises
    ------
    InputError : a vector is zero or not finite, so that it has no direction.
    """
    a = finite(real(v, "normalise: 'v'"), "normalise: 'v'")
    if a.shape[-1:] not in ((3,), (4,)):
        raise ShapeError(f"normalise: 'v' has shape {a.shape}; wanted quaternions (..., 4) or vectors (..., 3).")
    largest = np.max(np.abs(a), axis=-1, keepdims=True)
    if not np.all(largest > 0.0):
        raise InputError("normalise: 'v' is zero and has no direction. Leave it out, or choose a direction.")
    scaled = a / largest  # so that lengths of 1e-200 and 1e200 do not under- or overflow
    return scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)


def nearest(M: Any) -> np.ndarray:
    """Compute the rotation matrix nearest to a matrix, for example to a measured or rounded one (1).

    (..., 3, 3) → (..., 3, 3)

    Raises
    ------
    SingularError : several rotations are equally near, for example to 0 or to -1.
    """
    a = finite(shaped(real(M, "nearest: 'M'"), "nearest: 'M'", (3, 3), "matrix"), "nearest: 'M'")
    return _nearest(a, "nearest: several rotations are equally near to 'M'. Check its rank and its determinant.")


def _nearest(M: np.ndarray, refusal: str) -> np.ndarray:
    """Compute (1); raise `SingularError` with a message where the rotation is not unique."""
    largest = np.max(np.abs(M), axis=(-2, -1), keepdims=True, initial=0.0)
    U, s, Vt = np.linalg.svd(M / np.where(largest > 0.0, largest, 1.0))
    d = np.where(np.linalg.det(U @ Vt) < 0.0, -1.0, 1.0)
    if np.any(s[..., 1] + d * s[..., 2] <= MIN_CERTAINTY * s[..., 0]):
        raise SingularError(refusal)
    U = U * np.stack([np.ones_like(d), np.ones_like(d), d], axis=-1)[..., None, :]
    return U @ Vt


def _pairs(function: str, a: Any, b: Any, weights: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Check two sets of vectors (..., n, 3) and weights (..., n); return them with a common shape."""
    labels = [f"{function}: '{name}'" for name in ("a", "b", "weights")]
    a, b = (finite(shaped(real(x, m), m, (3,), "vector"), m) for x, m in zip((a, b), labels, strict=False))
    w = np.ones(a.shape[:-1]) if weights is None else finite(real(weights, labels[2]), labels[2])
    if a.ndim < 2 or b.ndim < 2 or a.shape[-2] != b.shape[-2] or w.ndim < 1 or w.shape[-1] != a.shape[-2]:
        raise ShapeError(
            f"{function} needs as many vectors in b as in a, (..., n, 3), and one weight for each, (..., n); got "
            f"shapes {a.shape}, {b.shape} and {w.shape}."
        )
    if np.any(w < 0.0) or np.any(w.sum(-1) == 0.0):
        raise InputError(f"{function}: weights must not be negative, and not all zero.")
    lead = broadcast(function, {"a": a.shape[:-2], "b": b.shape[:-2], "weights": w.shape[:-1]})
    n = a.shape[-2]
    return np.broadcast_to(a, (*lead, n, 3)), np.broadcast_to(b, (*lead, n, 3)), np.broadcast_to(w, (*lead, n))


def _align(function: str, a: np.ndarray, b: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, Any]:
    C = _nearest(
        np.swapaxes(_scaled(a), -1, -2) @ (_scaled(w[..., None]) * _scaled(b)),
        f"{function}: the vectors do not determine the rotation. Give at least two directions that are not parallel; "
        "for one direction use ap.rotation.quaternion_between(b, a).",
    )
    off = a - b @ np.swapaxes(C, -1, -2)
    with np.errstate(over="ignore"):
        return C, np.sqrt((w[..., None] * off * off).sum((-2, -1)))[()]


def _scaled(a: np.ndarray) -> np.ndarray:
    """Return vectors (..., n, k) divided by their largest entry; the rotation that aligns them is the same."""
    largest = np.max(np.abs(a), axis=(-2, -1), keepdims=True, initial=0.0)
    return a / np.where(largest > 0.0, largest, 1.0)


def align_vectors(a: Any, b: Any, weights: Any = None) -> tuple[np.ndarray, Any]:
    """Compute the rotation C that maps vectors b_i to a_i best, minimising Σ w_i ‖a_i - C b_i‖² (Kabsch).

    Parameters
    ----------
    a, b : (..., n, 3), at least two directions that are not parallel.
    weights : (..., n), not negative; equal by default.

    Returns
    -------
    C (..., 3, 3), and the root of the weighted sum of squared distances (...), as in SciPy's `align_vectors`.

    Raises
    ------
    SingularError : the vectors do not determine the rotation.
    """
    return _align("align_vectors", *_pairs("align_vectors", a, b, weights))


def align_points(a: Any, b: Any, weights: Any = None) -> tuple[np.ndarray, np.ndarray, Any]:
    """Compute the rigid motion that maps points b_i to a_i best, minimising Σ w_i ‖a_i - C b_i - p‖².

    Parameters
    ----------
    a, b : (..., n, 3) [m], at least three points that are not on a line.
    weights : (..., n), not negative; equal by default.

    Returns
    -------
    C (..., 3, 3), p (..., 3) [m], and the root of the weighted sum of squared distances (...) [m].

    Raises
    ------
    SingularError : the points do not determine the rotation.
    """
    a, b, w = _pairs("align_points", a, b, weights)
    share = (w / w.sum(-1, keepdims=True))[..., None]
    at, of = (share * a).sum(-2), (share * b).sum(-2)
    C, off = _align("align_points", a - at[..., None, :], b - of[..., None, :], w)
    return C, at - (C @ of[..., None])[..., 0], off


def random_quaternion(shape: int | tuple[int, ...] = (), seed: int | np.random.Generator = 0) -> np.ndarray:
    """Return quaternions of random rotations, uniformly distributed. → (*shape, 4), q0 ≥ 0

    seed : a whole number, or a generator of NumPy, which then advances. The same seed gives the same rotations.
    """
    q = normalise(generator(seed).normal(size=(*batch_shape(shape), 4)))
    return np.where(q[..., :1] < 0.0, -q, q)


def generator(seed: Any) -> np.random.Generator:
    """Return a generator of random numbers for a seed; a generator is returned as it is."""
    try:
        return np.random.default_rng(seed)
    except (ValueError, TypeError):
        raise InputError(f"seed {seed!r} is not valid. Give a whole number (not negative), or a generator.") from None


def batch_shape(shape: Any) -> tuple[int, ...]:
    """Return a batch shape as a tuple, from a whole number or several; raise `InputError` for other values."""
    found = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape) if np.iterable(shape) else (None,)
    if not all(isinstance(k, (int, np.integer)) and 0 <= k <= np.iinfo(np.int32).max for k in found):
        raise InputError(f"shape {shape!r} is not valid. Give a whole number, or a tuple of them; () for one.")
    return tuple(int(k) for k in found)


def same_shapes(parts: Any, kind: type[Any], axis: Any) -> list[Any]:
    """Return the objects to stack; raise an error unless all are of one kind and shape and the new axis exists."""
    found = list(parts) if isinstance(parts, (list, tuple)) else []
    if not found or not all(isinstance(part, kind) for part in found):
        raise InputError(f"stack takes a list of {kind.__name__} objects; got {type(parts).__name__}.")
    if len({part.shape for part in found}) != 1:
        raise ShapeError(f"stack needs objects of one shape; got shapes {[part.shape for part in found]}.")
    axes = len(found[0].shape) + 1
    if not isinstance(axis, (int, np.integer)) or not -axes <= axis < axes:
        raise ShapeError(f"stack: a batch of {axes} axes has no axis {axis!r}.")
    return found
