"""The rotation group: product, exponential and logarithm, box operators, interpolation, mean.

A rotation Φ is a quaternion (..., 4) or a matrix (..., 3, 3); results are of the same type. All perturbations are
left perturbations: Φ ⊞ v = exp(v) ⊗ Φ, with v in the target frame (I of C_IB).

Mean of rotations on the manifold (Karcher mean, which minimises the sum of squared angles): m with

    Σ w_i r_i = 0,   r_i = q_i ⊟ m                                                                                   (1)

is found by Newton's method. The change of r_i with m ⊞ v is -G_s(-r_i), whose symmetric part is
-(δ_i I + ζ_i r_i r_iᵀ). The remaining parts sum to ½ [Σ w_i r_i], which vanishes by (1):

    (Σ w_i (δ_i I + ζ_i r_i r_iᵀ)) v = Σ w_i r_i,    m ← m ⊞ v                                                       (2)

Equations: `docs/equations/rotations.md`, section 4.
"""

import numpy as np

from anthropi.algebra.rotation.coefficients import delta, zeta
from anthropi.algebra.rotation.exponential import (
    matrix_from_rotation_vector,
    quaternion_from_rotation_vector,
    rotation_vector_from_matrix,
    rotation_vector_from_quaternion,
)
from anthropi.algebra.rotation.quaternions import quaternion_conjugate, quaternion_product
from anthropi.algebra.rotation.vectors import (
    act,
    array,
    cross,
    dot,
    identity,
    is_global,
    number,
    outer,
    quaternion,
    square,
    vector,
)
from anthropi.algebra.scalar import Array, less, sqrt, where
from anthropi.errors import ShapeError
from anthropi.tape import repeat

__all__ = [
    "box_minus",
    "box_plus",
    "differentiate",
    "disparity_angle",
    "exp",
    "integrate",
    "inverse",
    "log",
    "mean",
    "power",
    "product",
    "rotate",
    "slerp",
]


def _rotation(Phi: Array, name: str) -> tuple[Array, bool]:
    """Return a rotation as an array, and whether it is a quaternion; raise `ShapeError` if it is not a rotation."""
    Phi = array(Phi)
    if Phi.shape[-1:] != (4,) and Phi.shape[-2:] != (3, 3):
        raise ShapeError(
            f"'{name}' is not a rotation: its shape is {Phi.shape}, wanted a quaternion (..., 4) or a matrix "
            "(..., 3, 3). Convert a rotation vector with quaternion_from_rotation_vector."
        )
    return Phi, Phi.shape[-1] == 4


def _two(Phi1: Array, Phi2: Array) -> tuple[Array, Array, bool]:
    """Return two rotations of the same type and whether they are quaternions; raise `ShapeError` otherwise."""
    (a, first), (b, second) = _rotation(Phi1, "Phi1"), _rotation(Phi2, "Phi2")
    if first != second:
        raise ShapeError(
            f"The two rotations have different types, with shapes {a.shape} and {b.shape}. "
            "Convert one with matrix_from_quaternion or quaternion_from_matrix."
        )
    return a, b, first


def product(Phi1: Array, Phi2: Array) -> Array:
    """Compute the product Φ1 ⊗ Φ2, the rotation Φ2 followed by Φ1: (Φ1 ⊗ Φ2)(r) = Φ1(Φ2(r))."""
    a, b, quaternions = _two(Phi1, Phi2)
    return quaternion_product(a, b) if quaternions else a @ b


def inverse(Phi: Array) -> Array:
    """Compute the inverse rotation Φ⁻¹: the conjugate of a quaternion, the transpose of a matrix."""
    Phi, quaternions = _rotation(Phi, "Phi")
    return quaternion_conjugate(Phi) if quaternions else np.swapaxes(Phi, -1, -2)


def rotate(Phi: Array, r: Array) -> Array:
    """Rotate a vector: I_r = C_IB B_r. Φ, (..., 3) → (..., 3), same unit"""
    (Phi, quaternions), r = _rotation(Phi, "Phi"), vector(r, "r")
    if not quaternions:
        return act(Phi, r)
    w, v = Phi[..., :1], Phi[..., 1:]
    t = 2.0 * cross(v, r)
    return r + w * t + cross(v, t)  # (I + 2 q0 [v] + 2 [v]²) r


def exp(v: Array) -> Array:
    """Compute the matrix exp([v]) (Rodrigues, C.rv2m). (..., 3) [rad] → (..., 3, 3)"""
    return matrix_from_rotation_vector(v)


def log(Phi: Array) -> Array:
    """Compute the logarithm of a rotation: v with exp([v]) = Φ and ‖v‖ ≤ π (C.log). → (..., 3) [rad]"""
    Phi, quaternions = _rotation(Phi, "Phi")
    return rotation_vector_from_quaternion(Phi) if quaternions else rotation_vector_from_matrix(Phi)


def _exp_like(v: Array, quaternions: bool) -> Array:
    """Compute exp(v) as a quaternion or a matrix."""
    return quaternion_from_rotation_vector(v) if quaternions else matrix_from_rotation_vector(v)


def box_plus(Phi: Array, v: Array) -> Array:
    """Rotate Φ further by v: Φ ⊞ v = exp(v) ⊗ Φ (C.box). v (..., 3) [rad], in the target frame"""
    Phi, quaternions = _rotation(Phi, "Phi")
    return product(_exp_like(v, quaternions), Phi)


def box_minus(Phi1: Array, Phi2: Array) -> Array:
    """Compute Φ1 ⊟ Φ2 = log(Φ1 ⊗ Φ2⁻¹), the rotation vector from Φ2 to Φ1 (C.box). → (..., 3) [rad], ‖v‖ ≤ π"""
    a, b, _ = _two(Phi1, Phi2)
    return log(product(a, inverse(b)))


def disparity_angle(Phi1: Array, Phi2: Array) -> Array:
    """Compute the angle between two rotations, ‖Φ1 ⊟ Φ2‖. → (...) [rad] in [0, π]"""
    d = box_minus(Phi1, Phi2)
    return sqrt(square(d))[..., 0]


def power(Phi: Array, t: Array) -> Array:
    """Compute the power Φᵗ = exp(t log Φ) of a rotation (C.slerp). t (...)"""
    Phi, quaternions = _rotation(Phi, "Phi")
    return _exp_like(number(t) * log(Phi), quaternions)


def slerp(Phi0: Array, Phi1: Array, t: Array) -> Array:
    """Interpolate along the shorter arc: Φ0 ⊞ t (Φ1 ⊟ Φ0) (C.slerp).

    Parameters
    ----------
    Phi0, Phi1 : two rotations of the same type.
    t : (...), 0 at Φ0, 1 at Φ1.

    Returns
    -------
    A rotation of that type.
    """
    return box_plus(Phi0, number(t) * box_minus(Phi1, Phi0))


def integrate(Phi: Array, w: Array, dt: Array, frame: str = "global") -> Array:
    """Compute the orientation Φ_IB after a time step of constant angular velocity (C.disc); exact for constant w.

    Parameters
    ----------
    Phi : rotation Φ_IB.
    w : (..., 3) [rad/s], I_w with frame="global": Φ ⊞ (I_w dt); B_w with frame="local": Φ ⊗ exp(B_w dt).
    dt : (...) [s]. The local error for varying w is O(dt²).
    frame : "global" or "local".

    Returns
    -------
    A rotation of the type of Phi.
    """
    Phi, quaternions = _rotation(Phi, "Phi")
    turn = _exp_like(vector(w, "w") * number(dt), quaternions)
    return product(turn, Phi) if is_global(frame) else product(Phi, turn)


def differentiate(Phi0: Array, Phi1: Array, dt: Array, frame: str = "global") -> Array:
    """Compute the constant angular velocity from Φ0 to Φ1 within dt (C.disc2).

    Parameters
    ----------
    Phi0, Phi1 : two rotations of the same type.
    dt : (...) [s].
    frame : "global" for I_w = (Φ1 ⊟ Φ0) / dt; "local" for B_w = -(Φ1⁻¹ ⊟ Φ0⁻¹) / dt, where Φ⁻¹ = Φ_BI.

    Returns
    -------
    (..., 3) [rad/s]
    """
    if is_global(frame):
        return box_minus(Phi1, Phi0) / number(dt)
    return -box_minus(inverse(Phi1), inverse(Phi0)) / number(dt)


MEAN_PASSES = 8  # Newton steps from the chordal mean; six reach rounding for rotations up to 120° apart


def _solve(A: Array, b: Array) -> Array:
    """Solve A x = b for matrices (..., 3, 3) by cross products of their columns (Cramer's rule)."""
    a1, a2, a3 = (A[..., :, k] for k in range(3))
    c1, c2, c3 = cross(a2, a3), cross(a3, a1), cross(a1, a2)
    return np.concatenate([dot(c1, b), dot(c2, b), dot(c3, b)], axis=-1) / dot(a1, c1)


def mean(q: Array, weights: Array = None, passes: int = MEAN_PASSES) -> Array:
    """Compute the weighted mean of rotations (1), (2).

    Parameters
    ----------
    q : (..., n, 4), n unit quaternions within less than half a turn of each other, so that the mean is unique.
    weights : (..., n), positive; equal by default.
    passes : Newton steps; a fixed number, so that forward and reverse derivatives exist.

    Returns
    -------
    (..., 4), with the sign of the first quaternion.
    """
    q = quaternion(q, "q")
    if q.ndim < 2:
        raise ShapeError(f"mean needs several quaternions, (..., n, 4); got shape {q.shape}.")
    weights = np.ones(q.shape[:-1]) if weights is None else array(weights)
    if weights.shape != q.shape[:-1]:
        raise ShapeError(f"mean needs one weight per quaternion: weights of shape {q.shape[:-1]}, got {weights.shape}.")
    w = (weights / np.sum(weights, axis=-1, keepdims=True))[..., None]
    opposite = less(np.sum(q * q[..., :1, :], axis=-1, keepdims=True), 0.0)
    start = np.sum(w * where(opposite, -q, q), axis=-2)  # the chordal mean, not yet of unit length
    start = start / sqrt(np.sum(start * start, axis=-1, keepdims=True))

    def newton_step(m):
        r = box_minus(q, np.broadcast_to(m[..., None, :], q.shape))
        t2 = square(r)
        hessian = delta(square=t2)[..., None] * identity(r) + zeta(square=t2)[..., None] * outer(r, r)
        return box_plus(m, _solve(np.sum(w[..., None] * hessian, axis=-3), np.sum(w * r, axis=-2)))  # (2)

    return repeat(newton_step, start, passes)
