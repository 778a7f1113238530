"""Coulomb's law for one contact: the impulse that satisfies it, and the residual of a given impulse.

Let v = A P + b be the relative velocity after the impact, with the least normal speed (`conditions.py`) subtracted from
its normal part. With the quadratic cone K = {|P_t| ≤ μ P_n}, Coulomb's law in the form of De Saxcé and Feng is

    K ∋ P  ⟂  v + μ |v_t| n ∈ K*                                                                      (1)
    P = proj_K(P - ρ (v + μ |v_t| n))     for any ρ > 0: the natural map, here ρ = 1 / trace A        (2)

A contact is therefore open (P = 0, v_n ≥ 0), sticks (v = 0) or slides (v_n = 0, P_t = -μ P_n v_t / |v_t|). For one
contact, with v_n = 0 eliminated, w = A_tn / A_nn, S = A_tt - w A_nt, c = b_t - w b_n:

    v_t = -λ P_t:   P_t = -(S + λ)⁻¹ c,   P_n = (-b_n - A_nt P_t) / A_nn,   λ ≥ 0                     (3)
    stick: λ = 0;   slide: μ P_n / |P_t| - 1 = 0 by Newton's method; linear in λ if S is isotropic    (4)
    the direction e of P_t known:   P_n = -b_n / (A_nn + μ A_nt e)                                    (5)
    λ ≤ (A_nn / μ + |A_nt|) |c| / -b_n, since |P_t| ≤ |c| / λ                                         (6)

The start value of λ comes from the current v and P, so an impulse that satisfies the law is not changed.

Reference: G. De Saxcé and Z.-Q. Feng, "The bipotential method: a constructive approach to design the complete contact
law with friction and improved numerical algorithms", Math. Comput. Model. 28 (1998) 225.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import Array, absolute, less, less_equal, maximum, minimum, sqrt, where
from anthropi.contact.impulsive.conditions import MIN_DENOMINATOR, MIN_SQUARE
from anthropi.tape import repeat

__all__ = ["Local", "clamped", "local", "natural", "one_contact"]

NEWTON_STEPS = 6  # largest number of Newton steps for (4); the next sweep continues from the result
NEWTON_TOLERANCE = 1e-12  # tolerance of μ P_n / |P_t| - 1 = 0
MIN_BRACKET = 1e-6  # lower end of a bisection of λ, relative to its upper end
REGULARISATION = 1e-10  # relative to the trace; keeps S regular if the figure cannot move along a tangent
MIN_SLIDING_SLOPE = 0.3  # relative to A_nn; below it (5) is unreliable (Painlevé's paradox), and P_n of (3) is used


class Local(NamedTuple):
    """Symmetric matrix A of one contact, prepared for `one_contact`.

    nn, n1, n2 : normal row of A. s11, s12, s22 : S of equation (3). w1, w2 : w of (3). inverse : 1 / A_nn.
    rho : ρ of (2). cross : |A_nt|.
    """

    nn: Any
    n1: Any
    n2: Any
    s11: Any
    s12: Any
    s22: Any
    w1: Any
    w2: Any
    inverse: Any
    rho: Any
    cross: Any


def local(A: Array) -> Local:
    """Prepare the matrix A (3, 3) of a contact, with the normal first, for `one_contact`."""
    trace = A[0][0] + A[1][1] + A[2][2] + MIN_DENOMINATOR
    nn = A[0][0] + REGULARISATION * trace
    inverse = 1.0 / nn
    n1, n2 = A[0][1], A[0][2]
    w1, w2 = n1 * inverse, n2 * inverse
    s11 = A[1][1] - w1 * n1 + REGULARISATION * trace
    s22 = A[2][2] - w2 * n2 + REGULARISATION * trace
    return Local(
        nn, n1, n2, s11, A[1][2] - w1 * n2, s22, w1, w2, inverse, 1.0 / trace, sqrt(n1 * n1 + n2 * n2 + MIN_SQUARE)
    )


def one_contact(A: Local, mu: Array, P: Array, v: Array) -> list[Any]:
    """Compute the impulse P (3,) of one contact by equations (3)-(5), with the impulses of all others unchanged.

    mu : coefficient of friction. P, v : current impulse (3,) and relative velocity (3,), normal first.
    """
    a11, a22, a12 = A.s11 + A.w1 * A.n1, A.s22 + A.w2 * A.n2, A.s12 + A.w1 * A.n2
    bn = v[0] - A.nn * P[0] - A.n1 * P[1] - A.n2 * P[2]
    b1 = v[1] - A.n1 * P[0] - a11 * P[1] - a12 * P[2]
    b2 = v[2] - A.n2 * P[0] - a12 * P[1] - a22 * P[2]
    c1, c2 = b1 - A.w1 * bn, b2 - A.w2 * bn
    closing = maximum(-bn, MIN_DENOMINATOR)
    limit, mu_over_nn = closing * A.inverse * mu, mu * A.inverse
    high = (1.0 + mu_over_nn * A.cross) * sqrt(c1 * c1 + c2 * c2 + MIN_SQUARE) / (limit + MIN_DENOMINATOR)  # (6)
    slip = -(v[1] * P[1] + v[2] * P[2]) / (P[1] * P[1] + P[2] * P[2] + MIN_SQUARE)

    def newton(state):
        multiplier, low, high, _ = state
        p1, p2, size, d11, d22, det = _tangential(A, c1, c2, multiplier)
        e1, e2 = p1 / size, p2 / size
        g1, g2 = (d22 * p1 - A.s12 * p2) / det, (d11 * p2 - A.s12 * p1) / det
        across, decay = A.n1 * e1 + A.n2 * e2, e1 * g1 + e2 * g2
        excess = limit / size - mu_over_nn * across - 1.0
        slope = (limit * decay / size + mu_over_nn * (A.n1 * g1 + A.n2 * g2 - across * decay)) / size
        under = less(excess, 0.0)
        low, high = where(under, multiplier, low), where(under, high, multiplier)
        step = multiplier - excess / where(less(absolute(slope), MIN_DENOMINATOR), MIN_DENOMINATOR, slope)  # (4)
        inside = less_equal(low, step) & less_equal(step, high)
        return np.array([where(inside, step, _bisected(low, high)), low, high, absolute(excess)])

    first = np.array([minimum(maximum(slip, 0.0), high), 0.0, high, 1.0])
    multiplier = repeat(newton, first, NEWTON_STEPS, until=lambda state: less_equal(state[3], NEWTON_TOLERANCE))[0]
    s1, s2, stick_size, *_ = _tangential(A, c1, c2, 0.0)
    stick_normal = (closing - A.n1 * s1 - A.n2 * s2) * A.inverse
    stick = less_equal(stick_size, mu * stick_normal)
    p1, p2, size, *_ = _tangential(A, c1, c2, multiplier)
    normal = maximum((closing - A.n1 * p1 - A.n2 * p2) * A.inverse, 0.0)  # (3)
    e1, e2 = p1 / size, p2 / size
    along = A.nn + mu * (A.n1 * e1 + A.n2 * e2)
    steady = less(MIN_SLIDING_SLOPE * A.nn, along)
    slide_normal = where(steady, closing / where(steady, along, 1.0), normal)  # (5)
    open_ = less_equal(0.0, bn)
    either = ((stick_normal, slide_normal), (s1, mu * slide_normal * e1), (s2, mu * slide_normal * e2))
    return [where(open_, 0.0, where(stick, a, b)) for a, b in either]


def _bisected(low, high):
    """Bisect an interval of λ on a logarithmic scale."""
    return sqrt(maximum(low, MIN_BRACKET * high) * high)


def _tangential(A: Local, c1, c2, multiplier):
    """Compute the two components of P_t in equation (3), its length, and diagonal and determinant of S + λ."""
    d11, d22 = A.s11 + multiplier, A.s22 + multiplier
    det = d11 * d22 - A.s12 * A.s12
    p1, p2 = (A.s12 * c2 - d22 * c1) / det, (A.s12 * c1 - d11 * c2) / det
    return p1, p2, sqrt(p1 * p1 + p2 * p2 + MIN_SQUARE), d11, d22, det


def natural(rho: Array, mu: Array, P: Array, v: Array) -> Any:
    """Compute the residual of Coulomb's law for one contact as a speed [m/s], by the natural map (2)."""
    slip = sqrt(v[1] * v[1] + v[2] * v[2] + MIN_SQUARE)
    n = P[0] - rho * (v[0] + mu * slip)
    t1, t2 = P[1] - rho * v[1], P[2] - rho * v[2]
    t = sqrt(t1 * t1 + t2 * t2 + MIN_SQUARE)
    inside = less_equal(t, mu * n)
    top = maximum((n + mu * t) / (1.0 + mu * mu), 0.0)
    scale = where(inside, 1.0, mu * top / where(inside, 1.0, t))
    off = maximum(
        absolute(P[0] - where(inside, n, top)), maximum(absolute(P[1] - scale * t1), absolute(P[2] - scale * t2))
    )
    return off / rho


def clamped(mu: Array, P: Array) -> list[Any]:
    """Move an impulse P (3,) into the friction cone: keep its normal part, shorten its tangential part."""
    n = maximum(P[0], 0.0)
    t = sqrt(P[1] * P[1] + P[2] * P[2] + MIN_SQUARE)
    inside = less_equal(t, mu * n)
    scale = where(inside, 1.0, mu * n / where(inside, 1.0, t))
    return [n, scale * P[1], scale * P[2]]
