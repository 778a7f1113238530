"""Which impulse does one contact take, and how far is it from Coulomb's law?

With the relative velocity v = A P + b after the blow, its normal part less what it must at least be (`conditions.py`),
and the quadratic cone K = {|P_t| ≤ μ P_n}, Coulomb's law (not associated; De Saxcé's form) is

    K ∋ P  ⟂  v + μ |v_t| n ∈ K*                                                                      (1)
    P = proj_K(P - ρ (v + μ |v_t| n))     for any ρ > 0: the natural map, here ρ = 1 / trace A        (2)

so a contact is open (P = 0, v_n ≥ 0), sticks (v = 0) or slides (v_n = 0, P_t = -μ P_n v_t / |v_t|). For one contact,
with v_n = 0 taken out, w = A_tn / A_nn, S = A_tt - w A_nt, c = b_t - w b_n:

    v_t = -λ P_t:   P_t = -(S + λ)⁻¹ c,   P_n = (-b_n - A_nt P_t) / A_nn,   λ ≥ 0                     (3)
    stick: λ = 0;   slide: μ P_n / |P_t| - 1 = 0, which is linear in λ if S is isotropic: Newton      (4)
    the direction e of P_t known:   P_n = -b_n / (A_nn + μ A_nt e)                                    (5)
    λ ≤ (A_nn / μ + |A_nt|) |c| / -b_n, for |P_t| ≤ |c| / λ                                           (6)

λ starts from what v and P are now, so a contact that is right stays as it is.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, less, less_equal, maximum, minimum, sqrt, where
from anthropi.tape import repeat

__all__ = ["Local", "clamped", "local", "natural", "one_contact"]

TRIES = 6  # of Newton in (4), kept in an interval; the next sweep goes on from there
NARROW, ENOUGH = 1e-6, 1e-12
FLOOR = 1e-10  # of the trace: what keeps S regular where a tangent cannot be moved along
TINY, SQUARE = 1e-30, 1e-36  # nothing, and nothing squared: roots keep a derivative
STEEP = 0.3  # of A_nn: below it (5) is not to be trusted (Painlevé), and P_n of (3) is taken


class Local(NamedTuple):
    """A (symmetric) of one contact: its entries, S of (3), w, 1 / A_nn, the scale ρ, and |A_nt|."""

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


def local(A) -> Local:
    """From A (3, 3), normal first."""
    trace = A[0][0] + A[1][1] + A[2][2] + TINY
    nn = A[0][0] + FLOOR * trace
    inverse = 1.0 / nn
    n1, n2 = A[0][1], A[0][2]
    w1, w2 = n1 * inverse, n2 * inverse
    s11 = A[1][1] - w1 * n1 + FLOOR * trace
    s22 = A[2][2] - w2 * n2 + FLOOR * trace
    return Local(
        nn, n1, n2, s11, A[1][2] - w1 * n2, s22, w1, w2, inverse, 1.0 / trace, sqrt(n1 * n1 + n2 * n2 + SQUARE)
    )


def one_contact(A: Local, mu, P, v) -> list:
    """P (3,) after (3)-(5), from P and v (3,) before."""
    a11, a22, a12 = A.s11 + A.w1 * A.n1, A.s22 + A.w2 * A.n2, A.s12 + A.w1 * A.n2
    bn = v[0] - A.nn * P[0] - A.n1 * P[1] - A.n2 * P[2]
    b1 = v[1] - A.n1 * P[0] - a11 * P[1] - a12 * P[2]
    b2 = v[2] - A.n2 * P[0] - a12 * P[1] - a22 * P[2]
    c1, c2 = b1 - A.w1 * bn, b2 - A.w2 * bn
    closing = maximum(-bn, TINY)
    rim, rough = closing * A.inverse * mu, mu * A.inverse
    high = (1.0 + rough * A.cross) * sqrt(c1 * c1 + c2 * c2 + SQUARE) / (rim + TINY)  # (6)
    slip = -(v[1] * P[1] + v[2] * P[2]) / (P[1] * P[1] + P[2] * P[2] + SQUARE)

    def closer(state):
        slow, low, high, _ = state
        p1, p2, size, d11, d22, det = _pushed(A, c1, c2, slow)
        e1, e2 = p1 / size, p2 / size
        g1, g2 = (d22 * p1 - A.s12 * p2) / det, (d11 * p2 - A.s12 * p1) / det
        across, fall = A.n1 * e1 + A.n2 * e2, e1 * g1 + e2 * g2
        lacks = rim / size - rough * across - 1.0
        slope = (rim * fall / size + rough * (A.n1 * g1 + A.n2 * g2 - across * fall)) / size
        under = less(lacks, 0.0)
        low, high = where(under, slow, low), where(under, high, slow)
        step = slow - lacks / where(less(absolute(slope), TINY), TINY, slope)  # (4)
        inside = less_equal(low, step) & less_equal(step, high)
        return np.array([where(inside, step, _between(low, high)), low, high, absolute(lacks)])

    first = np.array([minimum(maximum(slip, 0.0), high), 0.0, high, 1.0])
    slow = repeat(closer, first, TRIES, until=lambda state: less_equal(state[3], ENOUGH))[0]
    s1, s2, held, *_ = _pushed(A, c1, c2, 0.0)
    firm = (closing - A.n1 * s1 - A.n2 * s2) * A.inverse
    stick = less_equal(held, mu * firm)
    p1, p2, size, *_ = _pushed(A, c1, c2, slow)
    normal = maximum((closing - A.n1 * p1 - A.n2 * p2) * A.inverse, 0.0)  # (3)
    e1, e2 = p1 / size, p2 / size
    along = A.nn + mu * (A.n1 * e1 + A.n2 * e2)
    steady = less(STEEP * A.nn, along)
    slid = where(steady, closing / where(steady, along, 1.0), normal)  # (5)
    open_ = less_equal(0.0, bn)
    either = ((firm, slid), (s1, mu * slid * e1), (s2, mu * slid * e2))
    return [where(open_, 0.0, where(stick, a, b)) for a, b in either]


def _between(low, high):
    """A number between, in the geometric middle of what matters."""
    return sqrt(maximum(low, NARROW * high) * high)


def _pushed(A: Local, c1, c2, slow):
    """P_t of (3), its length, and S + λ: diagonal and determinant."""
    d11, d22 = A.s11 + slow, A.s22 + slow
    det = d11 * d22 - A.s12 * A.s12
    p1, p2 = (A.s12 * c2 - d22 * c1) / det, (A.s12 * c1 - d11 * c2) / det
    return p1, p2, sqrt(p1 * p1 + p2 * p2 + SQUARE), d11, d22, det


def natural(rho, mu, P, v):
    """How far P is from (2), as a speed [m/s]."""
    slip = sqrt(v[1] * v[1] + v[2] * v[2] + SQUARE)
    n = P[0] - rho * (v[0] + mu * slip)
    t1, t2 = P[1] - rho * v[1], P[2] - rho * v[2]
    t = sqrt(t1 * t1 + t2 * t2 + SQUARE)
    inside = less_equal(t, mu * n)
    top = maximum((n + mu * t) / (1.0 + mu * mu), 0.0)
    scale = where(inside, 1.0, mu * top / where(inside, 1.0, t))
    off = maximum(absolute(P[0] - where(inside, n, top)),
                  maximum(absolute(P[1] - scale * t1), absolute(P[2] - scale * t2)))  # fmt: skip
    return off / rho


def clamped(mu, P) -> list:
    """P in the cone: its normal part kept, its tangent part shortened."""
    n = maximum(P[0], 0.0)
    t = sqrt(P[1] * P[1] + P[2] * P[2] + SQUARE)
    inside = less_equal(t, mu * n)
    scale = where(inside, 1.0, mu * n / where(inside, 1.0, t))
    return [n, scale * P[1], scale * P[2]]
