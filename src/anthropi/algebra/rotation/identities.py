"""Derivatives of what one does with rotations, by left perturbations Φ → exp(v) ⊗ Φ.

Each function gives matrices (..., 3, 3) for rotations given as matrices. Source: C Derivatives, with errata 4 and 5;
rotations.md section 6. Γ = J_s.
"""

import numpy as np

from anthropi.algebra.rotation.exponential import matrix_from_rotation_vector, rotation_vector_from_matrix
from anthropi.algebra.rotation.group import box_minus
from anthropi.algebra.rotation.jacobians import G_s, J_s
from anthropi.algebra.rotation.vectors import act, matrix, skew, vector

__all__ = [
    "box_minus_derivatives", "box_plus_derivatives", "cross_derivatives", "exp_derivative", "inverse_derivative",
    "log_derivative", "product_derivatives", "rotate_derivatives",
]  # fmt: skip


def rotate_derivatives(C, r):
    """How does C r change with Φ and with r? C.dPhi(r), C.d/dr: -[C r] and C."""
    C = matrix(C, "C")
    return -skew(act(C, vector(r, "r"))), C


def inverse_derivative(C):
    """How does Φ⁻¹ change with Φ? C.dPhiinv: -Cᵀ."""
    return -np.swapaxes(matrix(C, "C"), -1, -2)


def product_derivatives(C1, C2):
    """How does Φ1 ⊗ Φ2 change with Φ1 and with Φ2? C.dcomp1, C.dcomp2: I and C(Φ1)."""
    C1, C2 = matrix(C1, "C1"), matrix(C2, "C2")
    return np.broadcast_to(np.eye(3), np.broadcast_shapes(C1.shape, C2.shape)), C1


def exp_derivative(v):
    """How does exp(v) change with v? C.dexp: Γ(v)."""
    return J_s(v)


def log_derivative(C):
    """How does log(Φ) change with Φ? C.dlog: Γ⁻¹(log Φ)."""
    return G_s(rotation_vector_from_matrix(C))


def box_plus_derivatives(C, v):
    """How does Φ ⊞ v change with Φ and with v? C(exp v) and Γ(v), by the chain rule."""
    matrix(C, "C")
    return matrix_from_rotation_vector(v), J_s(v)


def box_minus_derivatives(C1, C2):
    """How does Φ1 ⊟ Φ2 change with Φ1 and with Φ2? C.dbm1, C.dbm2 (corrected sign): Γ⁻¹(d) and -Γ⁻¹(-d)."""
    d = box_minus(matrix(C1, "C1"), matrix(C2, "C2"))
    return G_s(d), -G_s(-d)


def cross_derivatives(a, b):
    """How does a x b change with a and with b? C.dskew: -[b] and [a]."""
    return -skew(b), skew(a)
