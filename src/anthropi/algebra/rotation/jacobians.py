"""Jacobians of the exponential map, their time derivatives, and derivatives of operations on rotations.

J_b ṙ = w_b (local), J_s ṙ = w_s (global), G = J⁻¹; Γ of the kindr cheat sheet is J_s. r (..., 3) [rad], ṙ, w (..., 3)
[rad/s]. J is singular at θ = 2πk, k ≥ 1, where G is infinite; θ = 0 is regular.

Derivatives of operations are with respect to left perturbations Φ → exp(v) ⊗ Φ; they are matrices (..., 3, 3), for
rotations given as matrices.

Equations: `docs/equations/rotations.md`, sections 5, 6 and 8 (K.20 to K.29, K.40 to K.44), with errata 2 to 5.
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
from anthropi.algebra.scalar import Array

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


def _one_plus(y: Array, z: Array, r: Array) -> Array:
    """Compute I + y [r] + z [r]², for y and z (..., 1)."""
    r1, r2, r3 = columns(r)
    z1, z2, z3, y1, y2, y3 = z * r1, z * r2, z * r3, y * r1, y * r2, y * r3
    s1, s2, s3, p12, p13, p23 = z1 * r1, z2 * r2, z3 * r3, z1 * r2, z1 * r3, z2 * r3
    return square_matrix([
        [1.0 - (s2 + s3), p12 - y3, p13 + y2],
        [p12 + y3, 1.0 - (s1 + s3), p23 - y1],
        [p13 - y2, p23 + y1, 1.0 - (s1 + s2)],
    ])  # fmt: skip


def J_b(r: Array) -> Array:
    """Compute the local Jacobian J_b, w_b = J_b ṙ (K.21): I - β [r] + γ [r]². (..., 3) → (..., 3, 3)"""
    r = vector(r, "r")
    t2 = square(r)
    return _one_plus(-beta(square=t2), gamma(square=t2), r)


def J_s(r: Array) -> Array:
    """Compute the global Jacobian J_s = Γ(r), w_s = J_s ṙ (K.24): I + β [r] + γ [r]². (..., 3) → (..., 3, 3)"""
    r = vector(r, "r")
    t2 = square(r)
    return _one_plus(beta(square=t2), gamma(square=t2), r)


def G_b(r: Array) -> Array:
    """Compute the inverse G_b = J_b⁻¹, ṙ = G_b w_b (K.22): I + [r] / 2 + ζ [r]². (..., 3) → (..., 3, 3)"""
    r = vector(r, "r")
    return _one_plus(0.5, zeta(square=square(r)), r)


def G_s(r: Array) -> Array:
    """Compute the inverse G_s = J_s⁻¹, ṙ = G_s w_s (K.25): I - [r] / 2 + ζ [r]². (..., 3) → (..., 3, 3)"""
    r = vector(r, "r")
    return _one_plus(-0.5, zeta(square=square(r)), r)


def J_determinant(r: Array) -> Array:
    """Compute the determinant det J_b = det J_s = 2β (K.63); 0 at θ = 2πk, k ≥ 1. (..., 3) → (...)"""
    return 2.0 * beta(square=square(vector(r, "r")))[..., 0]


def skew_polynomial(x: Array, y: Array, z: Array, r: Array) -> Array:
    """Compute x I + y [r] + z [r]² (K.9). x, y, z (...), r (..., 3) → (..., 3, 3)"""
    r = vector(r, "r")
    x, y, z = (array(c)[..., None, None] for c in (x, y, z))
    return x * identity(r) + y * skew(r) + z * (outer(r, r) - square(r)[..., None] * identity(r))  # K.9


def skew_polynomial_inverse(x: Array, y: Array, z: Array, r: Array) -> tuple[Array, Array, Array]:
    """Compute d, e, f such that d I + e [r] + f [r]² is the inverse of x I + y [r] + z [r]² (K.26-29, corrected).

    x, y, z (...), r (..., 3) → d, e, f (...)
    """
    r2 = square(vector(r, "r"))[..., 0]
    D = (x - r2 * z) ** 2 + r2 * y**2
    return 1.0 / x, -y / D, (y**2 - x * z + r2 * z**2) / (x * D)


def _J_dot_rdot(r: Array, rdot: Array, sign: float) -> Array:
    """Compute J̇_b ṙ (sign = 1) or J̇_s ṙ (sign = -1)."""
    r, rdot = vector(r, "r"), vector(rdot, "rdot")
    t2, s = square(r), dot(r, rdot)
    alphad, betad, gammad = d_alpha(square=t2) * s, d_beta(square=t2) * s, d_gamma(square=t2) * s
    g = gamma(square=t2)
    return (alphad + g * s) * rdot + sign * betad * cross(rdot, r) + (gammad * s + g * square(rdot)) * r


def J_b_dot_rdot(r: Array, rdot: Array) -> Array:
    """Compute the term J̇_b ṙ of ẇ_b = J_b r̈ + J̇_b ṙ (K.40, corrected). (..., 3) twice → (..., 3) [rad/s²]"""
    return _J_dot_rdot(r, rdot, 1.0)


def J_s_dot_rdot(r: Array, rdot: Array) -> Array:
    """Compute the term J̇_s ṙ of ẇ_s = J_s r̈ + J̇_s ṙ (K.43). (..., 3) twice → (..., 3) [rad/s²]"""
    return _J_dot_rdot(r, rdot, -1.0)


def _G_dot_w(r: Array, rdot: Array, w: Array, half: float) -> Array:
    """Compute Ġ_b w (half = ½) or Ġ_s w (half = -½)."""
    r, rdot, w = vector(r, "r"), vector(rdot, "rdot"), vector(w, "w")
    t2, s = square(r), dot(r, w)  # <r, w_b> = <r, w_s> = <r, ṙ>, K.18
    z, deltad, zetad = zeta(square=t2), d_delta(square=t2) * s, d_zeta(square=t2) * s
    return deltad * w + half * cross(rdot, w) + (zetad * s + z * dot(rdot, w)) * r + z * s * rdot


def G_b_dot_w(r: Array, rdot: Array, w: Array) -> Array:
    """Compute the term Ġ_b w of r̈ = G_b ẇ_b + Ġ_b w_b (K.41), where ṙ = G_b w.

    (..., 3) three times → (..., 3) [rad/s²]
    """
    return _G_dot_w(r, rdot, w, 0.5)


def G_s_dot_w(r: Array, rdot: Array, w: Array) -> Array:
    """Compute the term Ġ_s w of r̈ = G_s ẇ_s + Ġ_s w_s (K.44), where ṙ = G_s w.

    (..., 3) three times → (..., 3) [rad/s²]
    """
    return _G_dot_w(r, rdot, w, -0.5)


def rotate_derivatives(C: Array, r: Array) -> tuple[Array, Array]:
    """Compute the derivatives of a rotated vector: ∂(C r)/∂Φ = -[C r] (C.dPhi(r)), ∂(C r)/∂r = C (C.d/dr)."""
    C = matrix(C, "C")
    return -skew(act(C, vector(r, "r"))), C


def inverse_derivative(C: Array) -> Array:
    """Compute the derivative of the inverse rotation, ∂Φ⁻¹/∂Φ = -Cᵀ (C.dPhiinv)."""
    return -np.swapaxes(matrix(C, "C"), -1, -2)


def product_derivatives(C1: Array, C2: Array) -> tuple[Array, Array]:
    """Compute the derivatives of a product: ∂(Φ1 ⊗ Φ2)/∂Φ1 = I (C.dcomp1), ∂(Φ1 ⊗ Φ2)/∂Φ2 = C(Φ1) (C.dcomp2)."""
    C1, C2 = matrix(C1, "C1"), matrix(C2, "C2")
    return np.broadcast_to(np.eye(3), np.broadcast_shapes(C1.shape, C2.shape)), C1


def exp_derivative(v: Array) -> Array:
    """Compute the derivative of the exponential map, ∂exp(v)/∂v = Γ(v) = J_s(v) (C.dexp)."""
    return J_s(v)


def log_derivative(C: Array) -> Array:
    """Compute the derivative of the logarithm, ∂log(Φ)/∂Φ = Γ⁻¹(log Φ) = G_s(log Φ) (C.dlog)."""
    return G_s(rotation_vector_from_matrix(C))


def box_plus_derivatives(C: Array, v: Array) -> tuple[Array, Array]:
    """Compute ∂(Φ ⊞ v)/∂Φ = C(exp v) and ∂(Φ ⊞ v)/∂v = Γ(v), by the chain rule."""
    matrix(C, "C")
    return matrix_from_rotation_vector(v), J_s(v)


def box_minus_derivatives(C1: Array, C2: Array) -> tuple[Array, Array]:
    """Compute, for d = Φ1 ⊟ Φ2, ∂d/∂Φ1 = Γ⁻¹(d) (C.dbm1) and ∂d/∂Φ2 = -Γ⁻¹(-d) (C.dbm2, corrected sign)."""
    d = box_minus(matrix(C1, "C1"), matrix(C2, "C2"))
    return G_s(d), -G_s(-d)


def cross_derivatives(a: Array, b: Array) -> tuple[Array, Array]:
    """Compute the derivatives of a cross product: ∂(a × b)/∂a = -[b], ∂(a × b)/∂b = [a] (C.dskew)."""
    return -skew(b), skew(a)
