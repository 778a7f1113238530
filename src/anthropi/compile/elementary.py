"""sin, cos, tan, asin, acos, atan2, exp and log from additions, products and a few bit operations.

Each is range reduction and a polynomial, written on `anthropi.tape.functions`, so that it records. Sources: W. J. Cody,
W. Waite, Software Manual for the Elementary Functions (1980); J.-M. Muller et al., Handbook of Floating-Point
Arithmetic, 2nd ed. (2018). The polynomials are our own (`coefficients.py`); `accuracy_elementary.py` measures.

Fast2Sum, used below: s = a + b rounded has the error (a - s) + b, exactly, if |a| ≥ |b| or if a is 0 or a multiple of
b's last place. Fusion (`lower.py`) can only take roundings away; a product whose rounded value matters is read twice,
so that it stays. `sin` and `tan` of -0.0 give 0.0; every other sign of zero is kept.
"""

import math

from anthropi.compile.coefficients import Constants
from anthropi.tape.functions import (
    absolute,
    add,
    copysign,
    div,
    equal,
    exponent,
    floor,
    fma,
    less,
    less_equal,
    mul,
    nearest,
    neg,
    pow2,
    select,
    sqrt,
    sub,
)  # fmt: skip

__all__ = ["acos", "asin", "atan2", "cos", "exp", "log", "sin", "tan"]


def horner(t, coefficients):
    """c₀ + t (c₁ + t (c₂ + …)), one fma a step"""
    *rest, total = coefficients
    for c in reversed(rest):
        total = fma(t, total, c)
    return total


# sin, cos, tan:  x = k π/2 + r + δ


def reduce(x, C: Constants):
    """x as k, r, δ with x = k π/2 + r + δ, |r| ≤ π/4 and δ around r's last place: Cody and Waite's reduction, by fma.

    π/2 = P₁ + P₂ + P₃. k P₁ is exact inside an fma and x - k P₁ fits a float (it is below 1 and a multiple of the last
    place of P₁ or of x), so (2) has no error. Near a multiple of π/2, r loses most digits of t and (4) must still be
    exact. It is if k P₂ fits a float (float64: P₂ is short); else the product's own error is carried along (float32).
    From C.FAR on the angle counts as nearly 0: bounded results rather than noise. inf and NaN give NaN.
    """
    P1, P2, P3 = C.HALF_PI
    x = select(less(absolute(x), C.FAR), x, mul(x, C.SHRINK))
    k = nearest(mul(x, C.TWO_OVER_PI))  # (1)
    t = fma(k, -P1, x)  # (2) exact
    if C.SHORT_SECOND:
        r = fma(k, -P2, t)  # (3)
        d = fma(k, -P2, sub(t, r))  # (4) t - k P₂ - r
    else:
        p = mul(k, P2)
        r = sub(t, p)  # (3)
        d = add(sub(sub(t, r), p), fma(k, -P2, p))  # (4)
    return k, r, fma(k, -P3, d)  # (5)


def sine_cosine(x, C: Constants):
    """sin and cos of r + δ, and of k whether it is odd and whether ⌊k/2⌋ is"""
    k, r, d = reduce(x, C)
    z = mul(r, r)
    half = mul(r, -0.5)
    w = fma(half, r, 1.0)  # (6) 1 - r²/2, rounded
    e = fma(half, r, sub(1.0, w))  # (7) its error
    s = add(r, fma(mul(z, r), horner(z, C.SIN), mul(d, w)))  # (8) r + r³S(z) + δ cos r
    c = add(w, fma(mul(z, z), horner(z, C.COS), fma(neg(r), d, e)))  # (9) 1 - z/2 + z²C(z) - δ r
    h = mul(k, 0.5)
    f = floor(h)
    g = mul(f, 0.5)
    return s, c, less(f, h), less(floor(g), g)


def sin(x, C: Constants):
    """sin x: s, c, -s, -c for k = 0, 1, 2, 3 mod 4"""
    s, c, odd, back = sine_cosine(x, C)
    v = select(odd, c, s)
    return select(back, neg(v), v)


def cos(x, C: Constants):
    """cos x: c, -s, -c, s for k = 0, 1, 2, 3 mod 4"""
    s, c, odd, back = sine_cosine(x, C)
    v = select(odd, neg(s), c)
    return select(back, neg(v), v)


def tan(x, C: Constants):
    """tan x: s/c for even k, -c/s for odd k"""
    s, c, odd, _ = sine_cosine(x, C)
    return div(select(odd, c, s), select(odd, neg(s), c))


# asin, acos:  asin y = y + y³A(y²) for y ≤ ½,  asin a = π/2 - 2 asin √((1-a)/2) above


def half_angle(a, C: Constants):
    """Of a = |x|: whether a > ½, y (a, or √z), y z and A(z) with z = a² or (1-a)/2, and the error of the root."""
    big = less(0.5, a)
    z = select(big, fma(a, -0.5, 0.5), mul(a, a))
    root = sqrt(z)
    y = select(big, root, a)
    # (1) √z = root + (z - root²)/(2 √z) + …, where 1/(2 √z) ≈ 3 - 4 √z on [¼, ½]; smaller roots count less
    error = mul(fma(neg(root), root, z), fma(root, -4.0, 3.0))
    return big, y, mul(y, z), horner(z, C.ASIN), error


def asin(x, C: Constants):
    """asin x; NaN beyond ±1"""
    P1 = C.HALF_PI[0]
    big, y, yz, A, error = half_angle(absolute(x), C)
    w = fma(y, -2.0, P1)  # (2) π/2 - 2y, Fast2Sum
    e = fma(y, -2.0, sub(P1, w))
    above = add(w, fma(fma(yz, A, error), -2.0, add(e, C.PI_LOW)))  # (3) π/2 - 2 (y + t)
    return copysign(select(big, above, fma(yz, A, y)), x)


def acos(x, C: Constants):
    """acos x = H - M (±y ± t): H = π/2, M = 1 for |x| ≤ ½; else M = -2 and H = 0, or π for x < 0; NaN beyond ±1"""
    P1 = C.HALF_PI[0]
    big, y, yz, A, error = half_angle(absolute(x), C)
    t = fma(yz, A, select(big, error, 0.0))
    H = select(big, select(less(x, 0.0), 2.0 * P1, 0.0), P1)
    M = select(big, copysign(2.0, neg(x)), copysign(1.0, x))
    D = mul(M, y)
    w = sub(H, D)  # (4) Fast2Sum
    e = sub(sub(H, w), D)
    return add(w, fma(neg(M), t, fma(H, C.PI_RATIO, e)))  # (5) and the low part of H


# atan2:  atan q = q + q³T(q²) for q = min/max ≤ 1


def atan2(y, x, C: Constants):
    """The angle of (x, y), signs of zeros as IEEE 754 wants them: H ± atan(q), H = 0, π/2 or π"""
    P1 = C.HALF_PI[0]
    a, b = absolute(x), absolute(y)
    steep = less(a, b)
    n, d = select(steep, a, b), select(steep, b, a)
    q = div(n, select(less(d, C.TINY), C.TINY, d))  # 0/0 → 0
    z = mul(q, q)
    v = copysign(q, x)
    v = select(steep, neg(v), v)
    H = select(steep, P1, sub(P1, copysign(P1, x)))
    w = add(H, v)  # (1) Fast2Sum
    e = add(sub(H, w), v)
    low = fma(H, C.PI_RATIO, e)  # (2) the low part of H
    return copysign(add(w, fma(mul(v, z), horner(z, C.ATAN), low)), y)


# exp, log:  2ᵏ exp r,  k ln 2 + log m


def exp(x, C: Constants):
    """exp x = 2ᵏ (1 + r + r²E(r)), r = x - k ln 2; inf and 0 beyond the range, subnormal results honoured"""
    L1, L2 = C.LN2
    c = select(less(x, C.EXP_HIGH), x, C.EXP_HIGH)  # NaN → a number, so that k is whole
    c = select(less(C.EXP_LOW, c), c, C.EXP_LOW)
    k = nearest(mul(c, C.LOG2_E))
    r = fma(k, -L2, fma(k, -L1, c))  # the inner one exact
    p = add(1.0, fma(mul(r, r), horner(r, C.EXP), r))
    i = floor(mul(k, 0.5))  # 2ᵏ in two steps, the first never leaving the normal range
    y = mul(mul(p, pow2(i)), pow2(sub(k, i)))
    return select(equal(x, x), y, x)


def log(x, C: Constants):
    """log x = k ln 2 + log(1 + f), 1 + f in [√½, √2); -inf at 0, NaN below"""
    L1, L2 = C.LN2
    small = less(x, C.LOG_SMALL)
    m = select(small, mul(x, 2.0**C.LOG_SCALE), x)
    i = exponent(mul(m, C.ROOT))  # √8 ≤ m 2⁻ⁱ < √32
    k = add(i, select(small, 2.0 - C.LOG_SCALE, 2.0))
    f = fma(mul(m, pow2(neg(i))), 0.25, -1.0)  # exact
    h = mul(mul(f, 0.5), f)
    if C.LOG_DIVIDES:  # log(1+f) = f - h + s (h + z L(z)), s = f/(2+f), z = s²
        s = div(f, add(f, 2.0))
        z = mul(s, s)
        t = fma(s, fma(z, horner(z, C.LOG), h), mul(k, L2))
    else:  # log(1+f) = f - h + f³L(f)
        t = fma(mul(f, mul(f, f)), horner(f, C.LOG), mul(k, L2))
    y = fma(k, L1, add(f, sub(t, h)))
    y = select(less(x, math.inf), y, x)
    return select(less_equal(x, 0.0), select(equal(x, 0.0), -math.inf, math.nan), y)
