"""Rigid motions SE(3): homogeneous transforms, their exponential and logarithm, and velocities of points.

A homogeneous transform is T_IB = [[C_IB, I_r_IB], [0, 1]], lengths in m. Its logarithm ξ = (φ, ρ), angular part first
as in all six-vectors here, is the constant motion that moves I to B within unit time:

    exp ξ = [[exp [φ], J_s(φ) ρ], [0, 1]]                                                                            (1)
    log T = (φ, G_s(φ) I_r_IB),  φ = log C_IB                                                                        (2)

ρ is not the position of B but the linear velocity, at the origin of I, of a screw motion. Equations:
`docs/equations/rotations.md`, sections 4 and 10.
"""

import numpy as np

from anthropi.algebra.rotation.exponential import matrix_from_rotation_vector, rotation_vector_from_matrix
from anthropi.algebra.rotation.jacobians import G_s, J_s
from anthropi.algebra.rotation.vectors import act, apply_transpose, array, cross, matrix, vector
from anthropi.algebra.scalar import Array
from anthropi.errors import ShapeError

__all__ = [
    "homogeneous",
    "homogeneous_exp",
    "homogeneous_inverse",
    "homogeneous_log",
    "homogeneous_parts",
    "homogeneous_product",
    "point_velocity",
    "transform_point",
]


def homogeneous(C: Array, p: Array) -> Array:
    """Compute the transform T_IB of C_IB and I_r_IB (C.homog). (..., 3, 3), (..., 3) [m] → (..., 4, 4)"""
    C, p = matrix(C, "C"), vector(p, "p")
    lead = np.broadcast_shapes(C.shape[:-2], p.shape[:-1])
    C, p = np.broadcast_to(C, (*lead, 3, 3)), np.broadcast_to(p, (*lead, 3))
    last = np.broadcast_to(np.array([[0.0, 0.0, 0.0, 1.0]]), (*lead, 1, 4))
    return np.concatenate([np.concatenate([C, p[..., None]], axis=-1), last], axis=-2)


def homogeneous_parts(T: Array) -> tuple[Array, Array]:
    """Return C_IB and I_r_IB of T_IB. (..., 4, 4) → (..., 3, 3), (..., 3) [m]"""
    T = array(T)
    if T.shape[-2:] != (4, 4):
        raise ShapeError(
            f"'T' is not a homogeneous transform: its shape is {T.shape}, wanted (..., 4, 4). "
            "Make one with homogeneous(C, p)."
        )
    return T[..., :3, :3], T[..., :3, 3]


def homogeneous_inverse(T: Array) -> Array:
    """Compute T_BI = [[Cᵀ, -Cᵀ I_r_IB], [0, 1]] (C.homog). (..., 4, 4) → (..., 4, 4)"""
    C, p = homogeneous_parts(T)
    return homogeneous(np.swapaxes(C, -1, -2), -apply_transpose(C, p))


def homogeneous_product(T1: Array, T2: Array) -> Array:
    """Compute T_IC = T_IB T_BC (C.homog). (..., 4, 4), (..., 4, 4) → (..., 4, 4)"""
    (C1, p1), (C2, p2) = homogeneous_parts(T1), homogeneous_parts(T2)
    return homogeneous(C1 @ C2, act(C1, p2) + p1)


def homogeneous_exp(xi: Array) -> Array:
    """Compute the transform exp ξ of a motion ξ = (φ, ρ) of unit duration (1). (..., 6) [rad, m] → (..., 4, 4)"""
    xi = array(xi)
    if xi.shape[-1:] != (6,):
        raise ShapeError(
            f"'xi' is not a motion: its shape is {xi.shape}, wanted (..., 6), the angular part first. "
            "Put the six entries on the last axis; leading axes are a batch."
        )
    phi, rho = xi[..., :3], xi[..., 3:]
    return homogeneous(matrix_from_rotation_vector(phi), act(J_s(phi), rho))


def homogeneous_log(T: Array) -> Array:
    """Compute the motion ξ = (φ, ρ) with exp ξ = T and ‖φ‖ ≤ π (2). (..., 4, 4) → (..., 6) [rad, m]"""
    C, p = homogeneous_parts(T)
    phi = rotation_vector_from_matrix(C)
    return np.concatenate([phi, act(G_s(phi), p)], axis=-1)


def transform_point(T: Array, r: Array) -> Array:
    """Compute I_r_IP = C_IB B_r_BP + I_r_IB (C.homog). (..., 4, 4), (..., 3) [m] → (..., 3) [m]"""
    C, p = homogeneous_parts(T)
    return act(C, vector(r, "r")) + p


def point_velocity(v: Array, w: Array, r: Array, rdot: Array = None) -> Array:
    """Compute the inertial velocity v + ṙ + w × r of a point P relative to a moving frame B (C.vP, C.vQ).

    Parameters
    ----------
    v : (..., 3) [m/s], inertial velocity of the frame's point A, in B.
    w : (..., 3) [rad/s], angular velocity of B, in B.
    r : (..., 3) [m], B_r_AP.
    rdot : (..., 3) [m/s], rate of the components of r; zero (None) for a point of a rigid body.

    Returns
    -------
    (..., 3) [m/s], in B
    """
    moved = vector(v, "v") + cross(vector(w, "w"), vector(r, "r"))
    return moved if rdot is None else moved + vector(rdot, "rdot")
