"""Rotations as a group: product, inverse, action, exp and log, box-plus and box-minus, slerp, steps in time.

A rotation Φ is a quaternion (..., 4) or a matrix (..., 3, 3); what comes back is of the same type. All perturbations
are LEFT ones: Φ ⊞ v = exp(v) ⊗ Φ, v in the target frame (I of C_IB). Source: C Orientation 4-12, rotations.md 4.
"""

import numpy as np

from anthropi.algebra.rotation.exponential import (
    matrix_from_rotation_vector,
    quaternion_from_rotation_vector,
    rotation_vector_from_matrix,
    rotation_vector_from_quaternion,
)
from anthropi.algebra.rotation.quaternions import quaternion_conjugate, quaternion_product
from anthropi.algebra.rotation.vectors import act, array, cross, is_global, number, vector
from anthropi.errors import ShapeError

__all__ = [
    "box_minus", "box_plus", "differentiate", "exp", "integrate", "inverse", "log", "power", "product", "rotate",
    "slerp",
]  # fmt: skip


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
