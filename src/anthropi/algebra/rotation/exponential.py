"""Rotation vectors (exponential coordinates): exponential map, logarithm, change of chart, reach cone.

Conversions go through the quaternion, so that no digits are lost by cancellation at θ = 0 or π. They need no Taylor
series and no acos.

Charts: r' = (1 + 2πn/θ) r is the same rotation as r. Switching to the chart with ‖r'‖ ≤ π keeps r away from θ = 2π,
where the Jacobian J is singular. The code divides by max(θ, 1) instead of θ to avoid a division by zero; this does not
change r', because n = 0 for θ < π.

Reach cone of a spherical joint: the rotated axis p' = R p stays within an angle φ of p, g(r) = <p, R p> - cos φ ≥ 0.
p (..., 3) is a unit vector in the joint's frame, φ (...) in [0, π] [rad].

Equations: `docs/equations/rotations.md`, sections 3.2, 4 and 9, with erratum 12; K.50 to K.61 (cone), K.66 to K.78
(charts, for any n). Units: r [rad], ṙ [rad/s], r̈ [rad/s²], τ dual to ṙ [N m].
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra.rotation.coefficients import alpha, beta, d_beta, gamma, half_cosine, half_sine, safe_angle
from anthropi.algebra.rotation.quaternions import matrix_from_quaternion, shepperd
from anthropi.algebra.rotation.vectors import (
    act,
    apply_transpose,
    cross,
    dot,
    is_global,
    matrix,
    number,
    quaternion,
    short_dot,
    square,
    vector,
)
from anthropi.algebra.scalar import (
    Array,
    absolute,
    atan2,
    cos,
    equal,
    floor,
    less,
    maximum,
    nearest,
    records,
    sqrt,
    where,
)
from anthropi.tape import derivative_rule

__all__ = [
    "change_chart",
    "change_chart_torque",
    "chart_number",
    "matrix_from_rotation_vector",
    "nearest_rotation_vector",
    "quaternion_from_rotation_vector",
    "reach_cone",
    "reach_cone_gradient",
    "reach_cone_moment",
    "rotation_vector_from_matrix",
    "rotation_vector_from_quaternion",
]


ROUNDING_GRID = 1.5 * 2.0**29  # adding and subtracting it rounds to multiples of 2⁻²³


@derivative_rule(push=lambda x, y, d: 2.0 * short_dot(x[0], d[0]), pull=lambda x, y, c: (2.0 * c * x[0],))
def _fine_square(r: Array) -> Array:
    """Compute ‖r‖² with one rounding; five roundings would rotate the result by 1e-15 near θ = 2π.

    r is split into a + b with a on a grid, so that the squares of a and their sum are exact for ‖r‖ < 8. In float32
    a = 0, which gives the plain sum.
    """
    a = (r + ROUNDING_GRID) - ROUNDING_GRID
    return dot(a, a) + dot(r - a, r + a)


def quaternion_from_rotation_vector(r: Array) -> Array:
    """Compute the quaternion (cos(θ/2), r sin(θ/2)/θ) of a rotation vector (C.rv2q). (..., 3) [rad] → (..., 4)"""
    r = vector(r, "r")
    t2 = _fine_square(r)
    theta = safe_angle(t2)
    return np.concatenate([half_cosine(theta, t2), half_sine(theta, t2) * r], axis=-1)


def matrix_from_rotation_vector(r: Array) -> Array:
    """Compute the matrix exp([r]) of a rotation vector (C.rv2m, K.2), through the quaternion.

    (..., 3) [rad] → (..., 3, 3). The error is at most 1.2e-15 for ‖r‖ < 2π.
    """
    return matrix_from_quaternion(quaternion_from_rotation_vector(vector(r, "r")))


def _slopes(inputs: Array, k: Array) -> tuple[Array, Array]:
    """Compute ∂k/∂(s²) = -γ(θ) k³ / 2 with θ = k s, and ∂k/∂w = -2 / (s² + w²)."""
    s2, w = inputs
    kk = k * k
    return -0.5 * gamma(square=kk * s2) * (kk * k), -2.0 / (s2 + w * w)


def _push(inputs: Array, k: Array, tangents: Array) -> Array:
    by_s2, by_w = _slopes(inputs, k)
    return by_s2 * tangents[0] + by_w * tangents[1]


def _pull(inputs: Array, k: Array, c: Array) -> tuple[Any, ...]:
    by_s2, by_w = _slopes(inputs, k)
    return c * by_s2, c * by_w


def _plain_ratio(s2: Array, w: Array) -> Array:
    s = safe_angle(s2)
    return 2.0 * atan2(s, w) / s


_recorded_ratio = np.frompyfunc(derivative_rule(push=_push, pull=_pull)(_plain_ratio), 2, 1)


def ratio(s2: Array, w: Array) -> Array:
    """Compute k = 2 atan2(s, w) / s from s² and w ≥ 0; the limit at s = 0 is 2 / w."""
    return _recorded_ratio(s2, w) if records(s2, w) else _plain_ratio(s2, w)


def _shortest_rotation_vector(q: Array) -> Array:
    """Compute 2 atan2(s, q0) v / s, ‖r‖ ≤ π, of a quaternion of any length, after q → -q if q0 < 0."""
    w, v = q[..., :1], q[..., 1:]
    k = ratio(square(v), absolute(w))
    return where(less(w, 0.0), -k, k) * v


def rotation_vector_from_quaternion(q: Array) -> Array:
    """Compute the rotation vector of a quaternion (C.q2rv, corrected). (..., 4) → (..., 3) [rad], ‖r‖ ≤ π

    The length of q does not matter. At θ = π exactly the sign is arbitrary; see `nearest_rotation_vector`.
    """
    return _shortest_rotation_vector(quaternion(q, "q"))


def rotation_vector_from_matrix(C: Array) -> Array:
    """Compute the rotation vector log(C) of a matrix (C.log). (..., 3, 3) → (..., 3) [rad], ‖r‖ ≤ π

    The error is at most 1e-15, also at θ = π, where K.3 to K.5 lose digits. At θ = π the sign is arbitrary; see
    `nearest_rotation_vector`.
    """
    return _shortest_rotation_vector(shepperd(matrix(C, "C")))


TWO_PI = 2.0 * math.pi


def _turns(r: Array) -> tuple[Array, Array, Array]:
    """Compute θ (at least 1), n of K.68 and η = 1 + 2πn/θ, each (..., 1)."""
    theta = sqrt(maximum(square(r), 1.0))
    n = -floor(0.5 * (theta / math.pi + 1.0))
    return theta, n, (theta + TWO_PI * n) / theta


def chart_number(r: Array) -> Array:
    """Compute the number of full turns n = -⌊(θ/π + 1) / 2⌋ that brings r into ‖r'‖ ≤ π (K.68). (..., 3) → (...)"""
    return _turns(vector(r, "r"))[1][..., 0]


def change_chart(r: Array, rdot: Array = None, rddot: Array = None) -> Array:
    """Compute the rotation vector r' with ‖r'‖ ≤ π of the same rotation, and its derivatives (K.66 to K.70).

    Parameters
    ----------
    r : (..., 3) [rad].
    rdot, rddot : (..., 3) [rad/s], [rad/s²]; optional.

    Returns
    -------
    r'; with ṙ given (r', ṙ'); with r̈ given (r', ṙ', r̈'). Nothing changes for ‖r‖ < π.
    """
    r = vector(r, "r")
    theta, n, eta = _turns(r)
    moved = eta * r  # K.67
    if rdot is None:
        return moved
    rdot = vector(rdot, "rdot")
    s, g = dot(r, rdot), -TWO_PI * n / (theta * theta * theta)  # 2π/θ³ in Kim et al., where n = -1
    rate = eta * rdot + g * s * r  # K.69
    if rddot is None:
        return moved, rate
    rddot = vector(rddot, "rddot")
    along = square(rdot) + dot(r, rddot) - 3.0 * s * s / (theta * theta)
    return moved, rate, eta * rddot + 2.0 * g * s * rdot + g * along * r  # K.70


def change_chart_torque(r: Array, tau: Array) -> Array:
    """Compute the torque dual to ṙ' that has the same power (K.76 to K.78): τ - 2π/(η θ³) r × (r × τ).

    r [rad], τ [N m], (..., 3) twice → (..., 3) [N m]. Infinite at θ = 2π, where η = 0: switch charts at θ = π.
    """
    r, tau = vector(r, "r"), vector(tau, "tau")
    theta, n, eta = _turns(r)
    return tau + TWO_PI * n / (eta * (theta * theta * theta)) * cross(r, cross(r, tau))


def nearest_rotation_vector(r: Array, near: Array) -> Array:
    """Choose, among the rotation vectors r (1 + 2πn/θ), the one nearest to another. (..., 3), (..., 3) → (..., 3) [rad]

    This keeps a sequence of logarithms continuous through θ = π, where `rotation_vector_from_matrix` changes its sign
    (K.pi). At r = 0 the axis is undefined, and r is returned.
    """
    r, near = vector(r, "r"), vector(near, "near")
    t2 = square(r)
    is_zero = equal(t2, 0.0)
    theta = sqrt(where(is_zero, 1.0, t2))
    n = where(is_zero, 0.0, nearest((dot(near, r) / theta - theta) / TWO_PI))
    return (theta + TWO_PI * n) / theta * r


def reach_cone(r: Array, p: Array, phi: Array) -> Array:
    """Compute g = cos θ + β <r, p>² - cos φ (K.50 to K.52): positive inside the reach cone, negative outside.

    Parameters
    ----------
    r : (..., 3) [rad], rotation vector of the joint.
    p : (..., 3), unit vector in the joint's frame, axis of the cone.
    phi : (...) [rad], half angle of the cone in [0, π].

    Returns
    -------
    (...)
    """
    r, p = vector(r, "r"), vector(p, "p")
    t2 = square(r)
    b, along = beta(square=t2), dot(r, p)
    return ((1.0 - b * t2) + b * along * along - cos(number(phi)))[..., 0]  # cos θ = 1 - β θ²


def reach_cone_gradient(r: Array, p: Array) -> Array:
    """Compute ∂g/∂r (K.60): 2β <r, p> p - ((β² - α γ) <r, p>² + α) r, where β² - α γ = -d_β. (..., 3) twice → (..., 3)

    This is also the direction of the limit's generalised impulse λ ∂g/∂r (dual to ṙ), with λ ≥ 0.
    """
    r, p = vector(r, "r"), vector(p, "p")
    t2, along = square(r), dot(r, p)
    return 2.0 * beta(square=t2) * along * p + (d_beta(square=t2) * along * along - alpha(square=t2)) * r


def reach_cone_moment(r: Array, p: Array, frame: str = "local") -> Array:
    """Compute the direction of the limit's moment (K.X-impulse): p × Rᵀ p (local) or p' × p (global).

    J_bᵀ times the local direction is the gradient (K.58). The direction is zero when p' = ± p.

    Parameters
    ----------
    r, p : (..., 3) [rad], (..., 3), as in `reach_cone`.
    frame : "local" or "global".

    Returns
    -------
    (..., 3)
    """
    R, p = matrix_from_rotation_vector(r), vector(p, "p")
    return cross(act(R, p), p) if is_global(frame) else cross(p, apply_transpose(R, p))
