"""The mean of rotations on the manifold.

m is where the weighted turns to all rotations cancel (Karcher mean, the least sum of squared angles):

    Σ w_i r_i = 0,   r_i = q_i ⊟ m                                                                                   (1)

Newton's method. The change of r_i with m ⊞ v is -G_s(-r_i), whose symmetric part is -(δ_i I + ζ_i r_i r_iᵀ); the rest
of it sums to ½ [Σ w_i r_i] and so vanishes with (1):

    (Σ w_i (δ_i I + ζ_i r_i r_iᵀ)) v = Σ w_i r_i,    m ← m ⊞ v                                                       (2)
"""

import numpy as np

from anthropi.algebra.rotation.coefficients import delta, zeta
from anthropi.algebra.rotation.group import box_minus, box_plus
from anthropi.algebra.rotation.vectors import array, cross, dot, identity, outer, quaternion, square
from anthropi.algebra.scalar import less, sqrt, where
from anthropi.errors import ShapeError
from anthropi.tape import repeat

__all__ = ["mean"]

PASSES = 8  # Newton from the chordal start; six reach rounding for rotations up to 120° apart


def _solve(A, b):
    """A⁻¹ b for matrices (..., 3, 3) by their columns' cross products (Cramer)."""
    a1, a2, a3 = (A[..., :, k] for k in range(3))
    c1, c2, c3 = cross(a2, a3), cross(a3, a1), cross(a1, a2)
    return np.concatenate([dot(c1, b), dot(c2, b), dot(c3, b)], axis=-1) / dot(a1, c1)


def mean(q, weights=None, passes: int = PASSES):
    """Which rotation lies in the middle of these?

    Parameters
    ----------
    q : (..., n, 4), n unit quaternions; together within less than half a turn, or there is no one middle.
    weights : (..., n), positive; equal by default.
    passes : Newton steps; their number is fixed so that both sweeps can pass through.

    Returns
    -------
    (..., 4), of the sign of the first.
    """
    q = quaternion(q, "q")
    if q.ndim < 2:
        raise ShapeError(f"mean wants several quaternions, (..., n, 4); got one of shape {q.shape}.")
    weights = np.ones(q.shape[:-1]) if weights is None else array(weights)
    if weights.shape != q.shape[:-1]:
        raise ShapeError(f"mean wants one weight a quaternion: weights {q.shape[:-1]}, got {weights.shape}.")
    w = (weights / np.sum(weights, axis=-1, keepdims=True))[..., None]
    same_side = less(np.sum(q * q[..., :1, :], axis=-1, keepdims=True), 0.0)
    start = np.sum(w * where(same_side, -q, q), axis=-2)  # the chordal mean, not yet of unit length
    start = start / sqrt(np.sum(start * start, axis=-1, keepdims=True))

    def closer(m):
        r = box_minus(q, np.broadcast_to(m[..., None, :], q.shape))
        t2 = square(r)
        hessian = delta(square=t2)[..., None] * identity(r) + zeta(square=t2)[..., None] * outer(r, r)
        return box_plus(m, _solve(np.sum(w[..., None] * hessian, axis=-3), np.sum(w * r, axis=-2)))  # (2)

    return repeat(closer, start, passes)
