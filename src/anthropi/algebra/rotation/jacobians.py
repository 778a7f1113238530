"""The Jacobians of the exponential map and what their time derivatives do.

J_b ṙ = w_b (local), J_s ṙ = w_s (global), G = J⁻¹. Source: K(20)-(29), K(40)-(44) with errata 2 and 3; C's Γ is J_s.
r (..., 3) [rad], ṙ, w (..., 3) [rad/s]. J is singular at θ = 2πk, k ≥ 1, and G infinite; 0 is regular.

Identities
----------
Derivatives of what one does with rotations, by left perturbations Φ → exp(v) ⊗ Φ.

Each function gives matrices (..., 3, 3) for rotations given as matrices. Source: C Derivatives, with errata 4 and 5;
rotations.md section 6. Γ = J_s.
"""

import numpy as np

from anthropi.algebra.rotation.coefficients import beta, d_alpha, d_beta, d_delta, d_gamma, d_zeta, gamma, zeta
from anthropi.algebra.rotation.exponential import matrix_from_rotation_vector, rotation_vector_from_matrix
from anthropi.algebra.rotation.group import box_minus
from anthropi.algebra.rotation.vectors import (
    act,
    array,
    columns,
    cross,
    dot,
    identity,
    matrix,
    outer,
    skew,
    square,
    square_matrix,
    vector,
)

__all__ = [
    "G_b",
    "G_b_dot_w",
    "G_s",
    "G_s_dot_w",
    "J_b",
    "J_b_dot_rdot",
    "J_determinant",
    "J_s",
    "J_s_dot_rdot",
    "box_minus_derivatives",
    "box_plus_derivatives",
    "cross_derivatives",
    "exp_derivative",
    "inverse_derivative",
    "log_derivative",
    "product_derivatives",
    "rotate_derivatives",
    "skew_polynomial",
    "skew_polynomial_inverse",
]


def _one_plus(y, z, r):
    """I + y [r] + z [r]², y and z (..., 1)."""
    r1, r2, r3 = columns(r)
    z1, z2, z3, y1, y2, y3 = z * r1, z * r2, z * r3, y * r1, y * r2, y * r3
    s1, s2, s3, p12, p13, p23 = z1 * r1, z2 * r2, z3 * r3, z1 * r2, z1 * r3, z2 * r3
    return square_matrix([
        [1.0 - (s2 + s3), p12 - y3, p13 + y2],
        [p12 + y3, 1.0 - (s1 + s3), p23 - y1],
        [p13 - y2, p23 + y1, 1.0 - (s1 + s2)],
    ])  # fmt: skip


def J_b(r):
    """How does the local angular velocity follow from ṙ? K(21): I - β [r] + γ [r]². → (..., 3, 3)"""
    r = vector(r, "r")
    t2 = square(r)
    return _one_plus(-beta(square=t2), gamma(square=t2), r)


def J_s(r):
    """How does the global angular velocity follow from ṙ? K(24), C's Γ(r): I + β [r] + γ [r]². → (..., 3, 3)"""
    r = vector(r, "r")
    t2 = square(r)
    return _one_plus(beta(square=t2), gamma(square=t2), r)


def G_b(r):
    """How does ṙ follow from the local angular velocity? K(22): J_b⁻¹ = I + [r] / 2 + ζ [r]². → (..., 3, 3)"""
    r = vector(r, "r")
    return _one_plus(0.5, zeta(square=square(r)), r)


def G_s(r):
    """How does ṙ follow from the global angular velocity? K(25): J_s⁻¹ = I - [r] / 2 + ζ [r]². → (..., 3, 3)"""
    r = vector(r, "r")
    return _one_plus(-0.5, zeta(square=square(r)), r)


def J_determinant(r):
    """How far is J from singular? K(63): det J_b = det J_s = 2β; 0 at θ = 2πk, k ≥ 1. → (...)"""
    return 2.0 * beta(square=square(vector(r, "r")))[..., 0]


def skew_polynomial(x, y, z, r):
    """What is x I + y [r] + z [r]²? x, y, z (...), r (..., 3) → (..., 3, 3)"""
    r = vector(r, "r")
    x, y, z = (array(c)[..., None, None] for c in (x, y, z))
    return x * identity(r) + y * skew(r) + z * (outer(r, r) - square(r)[..., None] * identity(r))  # K(9)


def skew_polynomial_inverse(x, y, z, r):
    """Which d, e, f make d I + e [r] + f [r]² the inverse of x I + y [r] + z [r]²? K(26)-(29), corrected."""
    r2 = square(vector(r, "r"))[..., 0]
    D = (x - r2 * z) ** 2 + r2 * y**2
    return 1.0 / x, -y / D, (y**2 - x * z + r2 * z**2) / (x * D)


def _J_dot_rdot(r, rdot, sign):
    r, rdot = vector(r, "r"), vector(rdot, "rdot")
    t2, s = square(r), dot(r, rdot)
    alphad, betad, gammad = d_alpha(square=t2) * s, d_beta(square=t2) * s, d_gamma(square=t2) * s
    g = gamma(square=t2)
    return (alphad + g * s) * rdot + sign * betad * cross(rdot, r) + (gammad * s + g * square(rdot)) * r


def J_b_dot_rdot(r, rdot):
    """What does the change of J_b add, ẇ_b = J_b r̈ + J̇_b ṙ? K(40), corrected. → J̇_b ṙ (..., 3) [rad/s²]"""
    return _J_dot_rdot(r, rdot, 1.0)


def J_s_dot_rdot(r, rdot):
    """What does the change of J_s add, ẇ_s = J_s r̈ + J̇_s ṙ? K(43). → J̇_s ṙ (..., 3) [rad/s²]"""
    return _J_dot_rdot(r, rdot, -1.0)


def _G_dot_w(r, rdot, w, half):
    r, rdot, w = vector(r, "r"), vector(rdot, "rdot"), vector(w, "w")
    t2, s = square(r), dot(r, w)  # <r, w_b> = <r, w_s> = <r, ṙ>, K(18)
    z, deltad, zetad = zeta(square=t2), d_delta(square=t2) * s, d_zeta(square=t2) * s
    return deltad * w + half * cross(rdot, w) + (zetad * s + z * dot(rdot, w)) * r + z * s * rdot


def G_b_dot_w(r, rdot, w):
    """What does the change of G_b add, r̈ = G_b ẇ_b + Ġ_b w_b? K(41); ṙ = G_b w. → Ġ_b w (..., 3) [rad/s²]"""
    return _G_dot_w(r, rdot, w, 0.5)


def G_s_dot_w(r, rdot, w):
    """What does the change of G_s add, r̈ = G_s ẇ_s + Ġ_s w_s? K(44); ṙ = G_s w. → Ġ_s w (..., 3) [rad/s²]"""
    return _G_dot_w(r, rdot, w, -0.5)


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
