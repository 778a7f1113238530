"""The other charts of exponential coordinates: r' = (1 + 2πn/θ) r is the same rotation as r.

Switching to the chart with ‖r'‖ ≤ π keeps away from θ = 2π, where J is singular. Source: K(66)-(78), general n;
rotations.md section 9. Units: r [rad], ṙ [rad/s], r̈ [rad/s²], τ dual to ṙ [N m].

n = 0 for θ < π, so everything here may take θ for at least 1: nothing divides by zero at r = 0.
"""

import math

from anthropi.algebra.rotation.vectors import cross, dot, square, vector
from anthropi.algebra.scalar import equal, floor, maximum, nearest, sqrt, where

__all__ = ["change_chart", "change_chart_torque", "chart_number", "nearest_rotation_vector"]

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
