"""Homogeneous transforms T_IB = [[C_IB, I_r_IB], [0, 1]] and the velocities of points.

Source: C Homogeneous Transformation, Velocity in Moving Bodies; rotations.md section 10. Lengths in m.
"""

import numpy as np

from anthropi.algebra.rotation.vectors import act, apply_transpose, array, cross, matrix, vector
from anthropi.errors import ShapeError

__all__ = ["homogeneous", "homogeneous_inverse", "homogeneous_parts", "point_velocity", "transform_point"]


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
