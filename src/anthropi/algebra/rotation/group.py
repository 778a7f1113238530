"""Rotations as a group: product, inverse, action, exp and log, box-plus and box-minus, slerp, steps in time.

A rotation Φ is a quaternion (..., 4) or a matrix (..., 3, 3); what comes back is of the same type. All perturbations
are LEFT ones: Φ ⊞ v = exp(v) ⊗ Φ, v in the target frame (I of C_IB). Source: C Orientation 4-12, rotations.md 4.

Mean
----
The mean of rotations on the manifold.

m is where the weighted turns to all rotations cancel (Karcher mean, the least sum of squared angles):

    Σ w_i r_i = 0,   r_i = q_i ⊟ m                                                                                   (1)

Newton's method. The change of r_i with m ⊞ v is -G_s(-r_i), whose symmetric part is -(δ_i I + ζ_i r_i r_iᵀ); the rest
of it sums to ½ [Σ w_i r_i] and so vanishes with (1):

    (Σ w_i (δ_i I + ζ_i r_i r_iᵀ)) v = Σ w_i r_i,    m ← m ⊞ v                                                       (2)

Homogeneous
-----------
Homogeneous transforms T_IB = [[C_IB, I_r_IB], [0, 1]] and the velocities of points.

Source: C Homogeneous Transformation, Velocity in Moving Bodies; rotations.md section 10. Lengths in m.
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
    apply_transpose,
    array,
    cross,
    dot,
    identity,
    is_global,
    matrix,
    number,
    outer,
    quaternion,
    square,
    vector,
)
from anthropi.algebra.scalar import less, sqrt, where
from anthropi.errors import ShapeError
from anthropi.tape import repeat

__all__ = [
    "box_minus",
    "box_plus",
    "differentiate",
    "exp",
    "homogeneous",
    "homogeneous_inverse",
    "homogeneous_parts",
    "integrate",
    "inverse",
    "log",
    "mean",
    "point_velocity",
    "power",
    "product",
    "rotate",
    "slerp",
    "transform_point",
]


def _rotation(Phi, name: str):
    """Give a rotation as an array, and whether it is a quaternion."""
    Phi = array(Phi)
    if Phi.shape[-1:] != (4,) and Phi.shape[-2:] != (3, 3):
        raise ShapeError(
            f"'{name}' is no rotation: its shape is {Phi.shape}, wanted a quaternion (..., 4) or a matrix (..., 3, 3). "
            "From a rotation vector make one with quaternion_from_rotation_vector."
        )
    return Phi, Phi.shape[-1] == 4


def _two(Phi1, Phi2):
    (a, first), (b, second) = _rotation(Phi1, "Phi1"), _rotation(Phi2, "Phi2")
    if first != second:
        raise ShapeError(f"Two rotations of different type: {a.shape} and {b.shape}. "
                         "Convert one: matrix_from_quaternion or quaternion_from_matrix.")  # fmt: skip
    return a, b, first


def product(Phi1, Phi2):
    """Which rotation is Φ2, then Φ1? C 5: (Φ1 ⊗ Φ2)(r) = Φ1(Φ2(r))."""
    a, b, quaternions = _two(Phi1, Phi2)
    return quaternion_product(a, b) if quaternions else a @ b


def inverse(Phi):
    """Which rotation turns back? C 4: the conjugate, the transpose."""
    Phi, quaternions = _rotation(Phi, "Phi")
    return quaternion_conjugate(Phi) if quaternions else np.swapaxes(Phi, -1, -2)


def rotate(Phi, r):
    """Where does the rotation take a vector? C Rotation: I_r = C_IB B_r. (..., 3) → (..., 3), same unit"""
    (Phi, quaternions), r = _rotation(Phi, "Phi"), vector(r, "r")
    if not quaternions:
        return act(Phi, r)
    w, v = Phi[..., :1], Phi[..., 1:]
    t = 2.0 * cross(v, r)
    return r + w * t + cross(v, t)  # (I + 2 q0 [v] + 2 [v]²) r


def exp(v):
    """Which matrix is exp([v])? C 6, Rodrigues. (..., 3) [rad] → (..., 3, 3)"""
    return matrix_from_rotation_vector(v)


def log(Phi):
    """Which v has exp([v]) = Φ? C 7, ‖v‖ ≤ π. → (..., 3) [rad]"""
    Phi, quaternions = _rotation(Phi, "Phi")
    return rotation_vector_from_quaternion(Phi) if quaternions else rotation_vector_from_matrix(Phi)


def _exp_like(v, quaternions: bool):
    return quaternion_from_rotation_vector(v) if quaternions else matrix_from_rotation_vector(v)


def box_plus(Phi, v):
    """Where does a turn by v lead from Φ? C 8: Φ ⊞ v = exp(v) ⊗ Φ. v (..., 3) [rad], target frame"""
    Phi, quaternions = _rotation(Phi, "Phi")
    return product(_exp_like(v, quaternions), Phi)


def box_minus(Phi1, Phi2):
    """Which turn leads from Φ2 to Φ1? C 9: Φ1 ⊟ Φ2 = log(Φ1 ⊗ Φ2⁻¹). → (..., 3) [rad], ≤ π"""
    a, b, _ = _two(Phi1, Phi2)
    return log(product(a, inverse(b)))


def power(Phi, t):
    """Which rotation is t times Φ? C 12: Φᵗ = exp(t log Φ). t (...)"""
    Phi, quaternions = _rotation(Phi, "Phi")
    return _exp_like(number(t) * log(Phi), quaternions)


def slerp(Phi0, Phi1, t):
    """What lies between two rotations? C 12: Φ0 ⊞ t (Φ1 ⊟ Φ0), the short way. t (...), 0 at Φ0, 1 at Φ1"""
    return box_plus(Phi0, number(t) * box_minus(Phi1, Phi0))


def integrate(Phi, w, dt, frame: str = "global"):
    """Where is Φ_IB after dt at angular velocity w? C 10, exact for constant w, local error O(dt²).

    w (..., 3) [rad/s]: I_w, Φ ⊞ (I_w dt), or with frame="local" B_w, Φ ⊗ exp(B_w dt). dt (...) [s]
    """
    Phi, quaternions = _rotation(Phi, "Phi")
    turn = _exp_like(vector(w, "w") * number(dt), quaternions)
    return product(turn, Phi) if is_global(frame) else product(Phi, turn)


def differentiate(Phi0, Phi1, dt, frame: str = "global"):
    """Which angular velocity leads from Φ0 to Φ1 in dt? C 11. → (..., 3) [rad/s]

    I_w = (Φ1 ⊟ Φ0) / dt; with frame="local" B_w = -(Φ1⁻¹ ⊟ Φ0⁻¹) / dt, where Φ⁻¹ = Φ_BI. dt (...) [s]
    """
    if is_global(frame):
        return box_minus(Phi1, Phi0) / number(dt)
    return -box_minus(inverse(Phi1), inverse(Phi0)) / number(dt)


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


def homogeneous(C, p):
    """Which 4x4 matrix turns by C_IB and shifts by I_r_IB? C.homog. (..., 3, 3), (..., 3) → (..., 4, 4)"""
    C, p = matrix(C, "C"), vector(p, "p")
    lead = np.broadcast_shapes(C.shape[:-2], p.shape[:-1])
    C, p = np.broadcast_to(C, (*lead, 3, 3)), np.broadcast_to(p, (*lead, 3))
    last = np.broadcast_to(np.array([[0.0, 0.0, 0.0, 1.0]]), (*lead, 1, 4))
    return np.concatenate([np.concatenate([C, p[..., None]], axis=-1), last], axis=-2)


def homogeneous_parts(T):
    """What are C_IB and I_r_IB of T_IB? (..., 4, 4) → (..., 3, 3), (..., 3)"""
    T = array(T)
    if T.shape[-2:] != (4, 4):
        raise ShapeError(f"'T' is no homogeneous transform: its shape is {T.shape}, wanted (..., 4, 4). "
                         "Make one with homogeneous(C, p).")  # fmt: skip
    return T[..., :3, :3], T[..., :3, 3]


def homogeneous_inverse(T):
    """Which transform leads back? C.homog: T_BI = [[Cᵀ, -Cᵀ I_r_IB], [0, 1]]. (..., 4, 4) → (..., 4, 4)"""
    C, p = homogeneous_parts(T)
    return homogeneous(np.swapaxes(C, -1, -2), -apply_transpose(C, p))


def transform_point(T, r):
    """Where is a point of B seen from I? C.homog: I_r_IP = C_IB B_r_BP + I_r_IB. (..., 4, 4), (..., 3) → (..., 3)"""
    C, p = homogeneous_parts(T)
    return act(C, vector(r, "r")) + p


def point_velocity(v, w, r, rdot=None):
    """How fast does P move, seen from I, if A moves with v and B turns with w? C.vP, C.vQ: v + ṙ + w x r.

    v, w, r = B_r_AP, ṙ (..., 3), all in the frame B [m/s, rad/s, m, m/s]; ṙ is the change of the components of r,
    nothing for a point of a rigid body. → (..., 3) [m/s], inertial velocity in B
    """
    moved = vector(v, "v") + cross(vector(w, "w"), vector(r, "r"))
    return moved if rdot is None else moved + vector(rdot, "rdot")
