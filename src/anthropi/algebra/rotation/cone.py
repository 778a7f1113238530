"""The reach cone of a spherical joint: the turned axis p' = R p stays within an angle φ of p.

g(r) = <p, R p> - cos φ ≥ 0 is admissible. Source: K(50)-(61), rotations.md section 9. p (..., 3) is a unit vector in
the joint's frame, φ (...) in [0, π] [rad], r (..., 3) [rad].
"""

from anthropi.algebra.rotation.coefficients import alpha, beta, d_beta
from anthropi.algebra.rotation.exponential import matrix_from_rotation_vector
from anthropi.algebra.rotation.vectors import act, apply_transpose, cross, dot, is_global, number, square, vector
from anthropi.algebra.scalar import cos

__all__ = ["reach_cone", "reach_cone_gradient", "reach_cone_moment"]


def reach_cone(r, p, phi):
    """How far inside the cone is r? K(50)-(52): g = cos θ + β <r, p>² - cos φ. → (...), negative outside"""
    r, p = vector(r, "r"), vector(p, "p")
    t2 = square(r)
    b, along = beta(square=t2), dot(r, p)
    return ((1.0 - b * t2) + b * along * along - cos(number(phi)))[..., 0]  # cos θ = 1 - β θ²


def reach_cone_gradient(r, p):
    """How does g change with r? K(60): 2β <r, p> p - ((β² - α γ) <r, p>² + α) r, where β² - α γ = -d_β.

    → (..., 3) [1/rad]; also the direction of the generalised impulse (dual to ṙ) of the limit, λ grad g with λ ≥ 0.
    """
    r, p = vector(r, "r"), vector(p, "p")
    t2, along = square(r), dot(r, p)
    return 2.0 * beta(square=t2) * along * p + (d_beta(square=t2) * along * along - alpha(square=t2)) * r


def reach_cone_moment(r, p, frame: str = "local"):
    """About which axis does the limit push back? K.X-impulse: p x Rᵀ p (local), p' x p (global). → (..., 3)

    J_bᵀ times the local one is the gradient, K(58). Zero when p' = ± p.
    """
    R, p = matrix_from_rotation_vector(r), vector(p, "p")
    return cross(act(R, p), p) if is_global(frame) else cross(p, apply_transpose(R, p))
