"""Rotation vectors: to and from quaternions and matrices. This is the exponential map and its inverse.

Source: C Quat<->RotVec with erratum 12, rotations.md 3.2 and 4. Both ways go through the quaternion, where nothing
cancels at 0 or π: no Taylor branch, no acos.

Chart
-----
The other charts of exponential coordinates: r' = (1 + 2πn/θ) r is the same rotation as r.

Switching to the chart with ‖r'‖ ≤ π keeps away from θ = 2π, where J is singular. Source: K(66)-(78), general n;
rotations.md section 9. Units: r [rad], ṙ [rad/s], r̈ [rad/s²], τ dual to ṙ [N m].

n = 0 for θ < π, so everything here may take θ for at least 1: nothing divides by zero at r = 0.

Cone
----
The reach cone of a spherical joint: the turned axis p' = R p stays within an angle φ of p.

g(r) = <p, R p> - cos φ ≥ 0 is admissible. Source: K(50)-(61), rotations.md section 9. p (..., 3) is a unit vector in
the joint's frame, φ (...) in [0, π] [rad], r (..., 3) [rad].
"""

import math

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
from anthropi.algebra.scalar import absolute, atan2, cos, equal, floor, less, maximum, nearest, records, sqrt, where
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


GRID = 1.5 * 2.0**29  # adding and subtracting it rounds to multiples of 2⁻²³


@derivative_rule(push=lambda x, y, d: 2.0 * short_dot(x[0], d[0]), pull=lambda x, y, c: (2.0 * c * x[0],))
def _fine_square(r):
    """Give ‖r‖² rounded once, where the plain sum rounds five times: near 2π those would turn the result by 1e-15.

    r = a + b with a on the grid: for ‖r‖ < 8 the squares of a and their sum are exact. In float32 a = 0: the plain sum.
    """
    a = (r + GRID) - GRID
    return dot(a, a) + dot(r - a, r + a)


def quaternion_from_rotation_vector(r):
    """Which quaternion is this rotation vector? C.rv2q: (cos(θ/2), r sin(θ/2)/θ). (..., 3) [rad] → (..., 4)"""
    r = vector(r, "r")
    t2 = _fine_square(r)
    theta = safe_angle(t2)
    return np.concatenate([half_cosine(theta, t2), half_sine(theta, t2) * r], axis=-1)


def matrix_from_rotation_vector(r):
    """Which matrix is this rotation vector? exp([r]), C.rv2m, K(2), by way of the quaternion.

    (..., 3) [rad] → (..., 3, 3). At most 1.2e-15 off for ‖r‖ < 2π.
    """
    return matrix_from_quaternion(quaternion_from_rotation_vector(vector(r, "r")))


def _slopes(inputs, k):
    """The derivatives of k by s² and by w: -γ(θ) k³ / 2 with θ = k s, and -2 / (s² + w²)."""
    s2, w = inputs
    kk = k * k
    return -0.5 * gamma(square=kk * s2) * (kk * k), -2.0 / (s2 + w * w)


def _push(inputs, k, tangents):
    by_s2, by_w = _slopes(inputs, k)
    return by_s2 * tangents[0] + by_w * tangents[1]


def _pull(inputs, k, c):
    by_s2, by_w = _slopes(inputs, k)
    return c * by_s2, c * by_w


def _plain_ratio(s2, w):
    s = safe_angle(s2)
    return 2.0 * atan2(s, w) / s


_recorded_ratio = np.frompyfunc(derivative_rule(push=_push, pull=_pull)(_plain_ratio), 2, 1)


def ratio(s2, w):
    """What is k = 2 atan2(s, w) / s, given s² and w ≥ 0? The limit at s = 0 is 2 / w."""
    return _recorded_ratio(s2, w) if records(s2, w) else _plain_ratio(s2, w)


def _short_way(q):
    """The rotation vector of a quaternion of any length, ‖r‖ ≤ π: 2 atan2(s, q0) v / s, after q → -q if q0 < 0."""
    w, v = q[..., :1], q[..., 1:]
    k = ratio(square(v), absolute(w))
    return where(less(w, 0.0), -k, k) * v


def rotation_vector_from_quaternion(q):
    """Which rotation vector is this quaternion? C.q2rv, the corrected form. (..., 4) → (..., 3) [rad], ‖r‖ ≤ π

    The length of q does not matter. At θ = π exactly the sign is free: see `nearest_rotation_vector`.
    """
    return _short_way(quaternion(q, "q"))


def rotation_vector_from_matrix(C):
    """Which rotation vector is this matrix? log(C), C.log; K(3)-(5) give the same but not in floats.

    (..., 3, 3) → (..., 3) [rad], ‖r‖ ≤ π. At most 1e-15 off, also at π. There the sign is free: see
    `nearest_rotation_vector`.
    """
    return _short_way(shepperd(matrix(C, "C")))


TWO_PI = 2.0 * math.pi


def _turns(r):
    """θ (at least 1), n of K(68) and η = 1 + 2πn/θ, each (..., 1)."""
    theta = sqrt(maximum(square(r), 1.0))
    n = -floor(0.5 * (theta / math.pi + 1.0))
    return theta, n, (theta + TWO_PI * n) / theta


def chart_number(r):
    """How many turns bring r into ‖r'‖ ≤ π? K(68): n = -⌊(θ/π + 1) / 2⌋. (..., 3) → (...)"""
    return _turns(vector(r, "r"))[1][..., 0]


def change_chart(r, rdot=None, rddot=None):
    """Which r' (and ṙ', r̈') with ‖r'‖ ≤ π is the same rotation (and motion)? K(66)-(70).

    (..., 3) each → r'; with ṙ given (r', ṙ'); with r̈ given (r', ṙ', r̈'). Nothing changes for ‖r‖ < π.
    """
    r = vector(r, "r")
    theta, n, eta = _turns(r)
    moved = eta * r  # K(67)
    if rdot is None:
        return moved
    rdot = vector(rdot, "rdot")
    s, g = dot(r, rdot), -TWO_PI * n / (theta * theta * theta)  # 2π/θ³ in the paper, where n = -1
    rate = eta * rdot + g * s * r  # K(69)
    if rddot is None:
        return moved, rate
    rddot = vector(rddot, "rddot")
    along = square(rdot) + dot(r, rddot) - 3.0 * s * s / (theta * theta)
    return moved, rate, eta * rddot + 2.0 * g * s * rdot + g * along * r  # K(70)


def change_chart_torque(r, tau):
    """Which torque, dual to ṙ', does the same work? K(76)-(78): τ - 2π/(η θ³) r x (r x τ). (..., 3) twice → (..., 3)

    Infinite at θ = 2π, where η = 0: switch charts at π, long before.
    """
    r, tau = vector(r, "r"), vector(tau, "tau")
    theta, n, eta = _turns(r)
    return tau + TWO_PI * n / (eta * (theta * theta * theta)) * cross(r, cross(r, tau))


def nearest_rotation_vector(r, near):
    """Which of the rotation vectors r (1 + 2πn/θ) lies nearest to another? (..., 3), (..., 3) → (..., 3) [rad]

    Keeps a sequence of logarithms continuous through θ = π, where `rotation_vector_from_matrix` flips its sign (K after
    (5)). At r = 0 there is no axis to go along, and r stays.
    """
    r, near = vector(r, "r"), vector(near, "near")
    t2 = square(r)
    nowhere = equal(t2, 0.0)
    theta = sqrt(where(nowhere, 1.0, t2))
    n = where(nowhere, 0.0, nearest((dot(near, r) / theta - theta) / TWO_PI))
    return (theta + TWO_PI * n) / theta * r


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
