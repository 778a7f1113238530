"""Elementary functions sin, cos, tan, asin, acos, atan2, exp and log from additions, products and bit operations.

Each is a range reduction and a polynomial, written with `anthropi.tape.functions`, so that it can be recorded on a
tape. Sources: W. J. Cody, W. Waite, Software Manual for the Elementary Functions (1980); J.-M. Muller et al., Handbook
of Floating-Point Arithmetic, 2nd ed. (2018). `tools/fit_polynomials.py` computes the polynomials and splits π/2 and
ln 2 into sums of floats; `benchmarks/accuracy_elementary.py` measures the errors. Every constant for float32 is exactly
representable in float32.

Fast2Sum, used below: s = a + b rounded has the error (a - s) + b, exactly, if |a| ≥ |b| or if a is 0 or a multiple of
b's last place. Fusion (`lower.py`) can only remove roundings; a product whose rounded value matters is used twice, so
that it is not fused. `sin` and `tan` of -0.0 give 0.0; every other sign of zero is kept.

Targets without fma (WebAssembly) have constants of their own (`constants_for(precision, fused=False)`): LN2 is split so
that k times its first part is exact, and SPLIT is the factor with which Veltkamp's splitting and Dekker's product give
the exact errors of products. Every other fma may become a product and a sum: its product is exact (a factor is a power
of two), or its rounding error is small beside the result. The bounds of the errors are the same.
"""

import math
from typing import NamedTuple

from anthropi.errors import BuildError, did_you_mean
from anthropi.tape.functions import (
    Number,
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
)

__all__ = ["CONSTANTS", "Constants", "acos", "asin", "atan2", "constants_for", "cos", "exp", "log", "sin", "tan"]


class Constants(NamedTuple):
    """Constants of one precision.

    HALF_PI and LN2 are sums of floats; each float is the remainder left by the floats before it, rounded.
    """

    MIN_POSITIVE: float  # smallest positive number
    MAX_ANGLE: float  # [rad]; larger angles have few significant digits modulo 2π
    SHRINK: float  # factor that brings any finite number within ±4
    SHORT_SECOND: bool  # whether HALF_PI[1] times a whole number below 2²⁰ is exact
    EXP_LOW: float  # exp(x) is 0 for x at or below this value
    EXP_HIGH: float  # exp(x) is inf for x at or above this value
    LOG_SMALL: float  # log scales arguments below this value
    LOG_SCALE: int  # exponent of the power of 2 by which it scales them
    LOG_DIVIDES: bool  # whether log uses a polynomial in f/(2+f) (True) or in f (False)
    TWO_OVER_PI: float
    HALF_PI: tuple[float, float, float]
    PI_LOW: float  # π/2 - HALF_PI[0]
    PI_RATIO: float  # PI_LOW / HALF_PI[0]: times the high part of a multiple of π/2, gives its low part
    LOG2_E: float
    LN2: tuple[float, float]
    ROOT: float  # √2/4
    SIN: tuple[float, ...]
    COS: tuple[float, ...]
    ASIN: tuple[float, ...]
    ATAN: tuple[float, ...]
    EXP: tuple[float, ...]
    LOG: tuple[float, ...]
    SPLIT: float = 0.0  # 2ⁿ + 1, n half the digits, for targets without fma; 0.0 if the target has it


FLOAT64_RANGES = (2.0**-1074, 2.0**45, 2.0**-1022, True, -746.0, 710.0, 2.0**-1020, 64, True)
FLOAT32_RANGES = (2.0**-149, 2.0**20, 2.0**-126, False, -104.0, 89.0, 2.0**-124, 32, False)

# fmt: off
FLOAT64 = Constants(
    *FLOAT64_RANGES,
    TWO_OVER_PI=0.6366197723675814,
    HALF_PI=(1.5707963267948966, 6.12323399538461e-17, 3.5215598651832e-27),
    PI_LOW=6.123233995736766e-17,
    PI_RATIO=3.8981718325193755e-17,
    LOG2_E=1.4426950408889634,
    LN2=(0.6931471805599453, 2.3190468138462996e-17),
    ROOT=0.3535533905932738,
    SIN=(  # (sin r - r)/r³ in r²: relative error 2^-57.9
        -0.1666666666666663, 0.00833333333332191, -0.00019841269829449202, 2.7557313578619952e-06,
        -2.505074170704705e-08, 1.5895906144216604e-10,
    ),
    COS=(  # (cos r - 1 + r²/2)/r⁴ in r²: relative error 2^-63.9
        0.041666666666666595, -0.001388888888887334, 2.4801587288999193e-05, -2.755731421574272e-07,
        2.0875705157069743e-09, -1.1358733706998214e-11,
    ),
    ASIN=(  # (asin y - y)/y³ in y²: relative error 2^-59.9
        0.1666666666666676, 0.07499999999970879, 0.04464285717454342, 0.03038194271086395,
        0.02237221490479629, 0.017351613451332727, 0.013980803759924356, 0.011399046789240417,
        0.01077951084749138, 0.003709174082216116, 0.021700792092095873, -0.020989730154830008,
        0.03262283240484259,
    ),
    ATAN=(  # (atan q - q)/q³ in q²: relative error 2^-57.6
        -0.33333333333333065, 0.19999999999951062, -0.1428571428255527, 0.11111111006498381,
        -0.09090906994304616, 0.0769227974313072, -0.06666403302427307, 0.058805234529704827,
        -0.052534995533438676, 0.04722258719234179, -0.0421901434753921, 0.036638582156127295,
        -0.029898604142737557, 0.02197841024180137, -0.013894490860771413, 0.007192198707346116,
        -0.002882696174150589, 0.0008305340034232832, -0.0001519894367324165, 1.3207820327332295e-05,
    ),
    EXP=(  # (exp r - 1 - r)/r² in r: relative error 2^-57.9
        0.5000000000000011, 0.16666666666666452, 0.04166666666652711, 0.0083333333334715,
        0.001388888894428628, 0.0001984126955296912, 2.480149251878379e-05, 2.75575470748691e-06,
        2.763042972656315e-07, 2.5011985623388126e-08,
    ),
    LOG=(  # (2 atanh s - 2 s)/s³ in s²: relative error 2^-59.5
        0.6666666666666734, 0.3999999999941714, 0.2857142874185411, 0.2222219862665841,
        0.18183561610333726, 0.15314118523387846, 0.14795283424856792,
    ),
)
FLOAT32 = Constants(
    *FLOAT32_RANGES,
    TWO_OVER_PI=0.6366197466850281,
    HALF_PI=(1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
    PI_LOW=-4.371138828673793e-08,
    PI_RATIO=-2.7827534054836178e-08,
    LOG2_E=1.4426950216293335,
    LN2=(0.6931471824645996, -1.9046542121259336e-09),
    ROOT=0.3535533845424652,
    SIN=(  # (sin r - r)/r³ in r²: relative error 2^-27.7
        -0.16666653752326965, 0.008332095108926296, -0.0001950555160874501,
    ),
    COS=(  # (cos r - 1 + r²/2)/r⁴ in r²: relative error 2^-32.6
        0.04166664183139801, -0.001388713950291276, 2.4413875507889315e-05,
    ),
    ASIN=(  # (asin y - y)/y³ in y²: relative error 2^-31.7
        0.16666659712791443, 0.0750051736831665, 0.04451487213373184, 0.03182246536016464,
        0.014390213415026665, 0.03757648915052414,
    ),
    ATAN=(  # (atan q - q)/q³ in q²: relative error 2^-28.5
        -0.33333298563957214, 0.1999853104352951, -0.14264056086540222, 0.10951215028762817,
        -0.08400620520114899, 0.05790925398468971, -0.031129762530326843, 0.010888824239373207,
        -0.001787863322533667,
    ),
    EXP=(  # (exp r - 1 - r)/r² in r: relative error 2^-28.3
        0.4999999403953552, 0.1666652113199234, 0.04166826233267784, 0.008368667215108871,
        0.0013820989988744259,
    ),
    LOG=(  # (log(1+f) - f + f²/2)/f³ in f: relative error 2^-27.4
        0.3333333134651184, -0.250008225440979, 0.2000124156475067, -0.1662331521511078,
        0.14201664924621582, -0.13160644471645355, 0.12761281430721283, -0.07631923258304596,
    ),
)
# fmt: on

CONSTANTS = {"float64": FLOAT64, "float32": FLOAT32}
UNFUSED = {  # the first part of LN2 has 32 and 15 digits, and k, with which it is multiplied, has at most 11 and 8
    "float64": FLOAT64._replace(LN2=(0.6931471803691238, 1.9082149292705877e-10), SPLIT=2.0**27 + 1.0),
    "float32": FLOAT32._replace(LN2=(0.693145751953125, 1.428606765330187e-06), SPLIT=2.0**12 + 1.0),
}


def constants_for(precision: str, fused: bool = True) -> Constants:
    """Return the constants of a precision, for targets with or without fma; raise `BuildError` if it is unknown."""
    if precision not in CONSTANTS:
        guess = did_you_mean(precision, CONSTANTS)
        raise BuildError(f"Unknown precision '{precision}'.{guess} Choose one of {', '.join(CONSTANTS)}.")
    return (CONSTANTS if fused else UNFUSED)[precision]


def halves(x: Number, C: Constants) -> tuple[Number, Number]:
    """Split x into a sum of two numbers of half its digits (Veltkamp)."""
    if isinstance(x, float):
        digits = 26 if C.SPLIT > 2.0**20 else 12
        fraction, power = math.frexp(x)
        high = math.ldexp(round(math.ldexp(fraction, digits)), power - digits)
        return high, x - high
    c = mul(x, C.SPLIT)
    high = sub(c, sub(c, x))
    return high, sub(x, high)


def product_error(a: Number, b: Number, p: Number, C: Constants) -> Number:
    """Compute a b - p without fma, exactly if p is a b rounded (Dekker)."""
    (ah, al), (bh, bl) = halves(a, C), halves(b, C)
    return add(add(add(sub(mul(ah, bh), p), mul(ah, bl)), mul(al, bh)), mul(al, bl))


def horner(t: Number, coefficients: tuple[float, ...]) -> Number:
    """Evaluate c₀ + t (c₁ + t (c₂ + …)), one fma per coefficient."""
    *rest, total = coefficients
    for c in reversed(rest):
        total = fma(t, total, c)
    return total


# sin, cos, tan:  x = k π/2 + r + δ


def reduce(x: Number, C: Constants) -> tuple[Number, Number, Number]:
    """Find k, r and δ such that x = k π/2 + r + δ, by Cody and Waite's reduction with fma.

    |r| ≤ π/4, and δ is of the order of r's last place. π/2 = P₁ + P₂ + P₃. k P₁ is exact inside an fma and x - k P₁
    fits a float (it is below 1 and a multiple of the last place of P₁ or of x), so (2) has no error. Near a multiple of
    π/2, r loses most digits of t and (4) must still be exact. It is exact if k P₂ fits a float (float64: P₂ is short);
    otherwise the error of the product is added (float32). Without fma, p = k P₁ is rounded; x - p has no error, and
    subtracting the error of p gives x - k P₁. Angles of MAX_ANGLE and above are treated as nearly 0, which gives
    bounded results instead of noise. inf and NaN give NaN.
    """
    P1, P2, P3 = C.HALF_PI
    x = select(less(absolute(x), C.MAX_ANGLE), x, mul(x, C.SHRINK))
    k = nearest(mul(x, C.TWO_OVER_PI))  # (1)
    if C.SPLIT:
        p = mul(k, P1)
        t = sub(sub(x, p), product_error(k, P1, p, C))  # (2) exact
    else:
        t = fma(k, -P1, x)  # (2) exact
    if C.SHORT_SECOND:
        r = fma(k, -P2, t)  # (3)
        d = fma(k, -P2, sub(t, r))  # (4) t - k P₂ - r
    else:
        p = mul(k, P2)
        r = sub(t, p)  # (3)
        d = sub(sub(t, r), p)  # (4)
        d = sub(d, product_error(k, P2, p, C)) if C.SPLIT else add(d, fma(k, -P2, p))
    return k, r, fma(k, -P3, d)  # (5)


def sine_cosine(x: Number, C: Constants) -> tuple[Number, Number, Number, Number]:
    """Reduce x = k π/2 + r + δ; return sin and cos of r + δ, whether k is odd, and whether ⌊k/2⌋ is odd."""
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


def sin(x: Number, C: Constants) -> Number:
    """Compute sin x from s, c = sin, cos of the reduced angle: s, c, -s, -c for k = 0, 1, 2, 3 mod 4."""
    s, c, odd, back = sine_cosine(x, C)
    v = select(odd, c, s)
    return select(back, neg(v), v)


def cos(x: Number, C: Constants) -> Number:
    """Compute cos x from s, c = sin, cos of the reduced angle: c, -s, -c, s for k = 0, 1, 2, 3 mod 4."""
    s, c, odd, back = sine_cosine(x, C)
    v = select(odd, neg(s), c)
    return select(back, neg(v), v)


def tan(x: Number, C: Constants) -> Number:
    """Compute tan x from s, c = sin, cos of the reduced angle: s/c for even k, -c/s for odd k."""
    s, c, odd, _ = sine_cosine(x, C)
    return div(select(odd, c, s), select(odd, neg(s), c))


# asin, acos:  asin y = y + y³A(y²) for y ≤ ½,  asin a = π/2 - 2 asin √((1-a)/2) above


def half_angle(a: Number, C: Constants) -> tuple[Number, Number, Number, Number, Number]:
    """Compute the terms common to asin and acos, for a = |x|.

    Returns whether a > ½, y, y z, A(z) and the rounding error of √z. For a ≤ ½, z = a² and y = a; above, z = (1-a)/2
    and y = √z.
    """
    big = less(0.5, a)
    z = select(big, fma(a, -0.5, 0.5), mul(a, a))
    root = sqrt(z)
    y = select(big, root, a)
    # (1) √z = root + (z - root²)/(2 √z) + …, where 1/(2 √z) ≈ 3 - 4 √z on [¼, ½]; smaller roots count less
    if C.SPLIT:
        square = mul(root, root)
        rest = sub(sub(z, square), product_error(root, root, square, C))
    else:
        rest = fma(neg(root), root, z)
    error = mul(rest, fma(root, -4.0, 3.0))
    return big, y, mul(y, z), horner(z, C.ASIN), error


def asin(x: Number, C: Constants) -> Number:
    """Compute asin x; NaN for |x| > 1."""
    P1 = C.HALF_PI[0]
    big, y, yz, A, error = half_angle(absolute(x), C)
    w = fma(y, -2.0, P1)  # (2) π/2 - 2y, Fast2Sum
    e = fma(y, -2.0, sub(P1, w))
    above = add(w, fma(fma(yz, A, error), -2.0, add(e, C.PI_LOW)))  # (3) π/2 - 2 (y + t)
    return copysign(select(big, above, fma(yz, A, y)), x)


def acos(x: Number, C: Constants) -> Number:
    """Compute acos x = H - M (±y ± t); NaN for |x| > 1.

    H = π/2, M = 1 for |x| ≤ ½; else M = -2 and H = 0, or π for x < 0.
    """
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


def atan2(y: Number, x: Number, C: Constants) -> Number:
    """Compute the angle H ± atan(q) of (x, y), H = 0, π/2 or π, with signs of zeros as in IEEE 754."""
    P1 = C.HALF_PI[0]
    a, b = absolute(x), absolute(y)
    steep = less(a, b)
    n, d = select(steep, a, b), select(steep, b, a)
    q = div(n, select(less(d, C.MIN_POSITIVE), C.MIN_POSITIVE, d))  # 0/0 → 0
    z = mul(q, q)
    v = copysign(q, x)
    v = select(steep, neg(v), v)
    H = select(steep, P1, sub(P1, copysign(P1, x)))
    w = add(H, v)  # (1) Fast2Sum
    e = add(sub(H, w), v)
    low = fma(H, C.PI_RATIO, e)  # (2) the low part of H
    return copysign(add(w, fma(mul(v, z), horner(z, C.ATAN), low)), y)


# exp, log:  2ᵏ exp r,  k ln 2 + log m


def exp(x: Number, C: Constants) -> Number:
    """Compute exp x = 2ᵏ (1 + r + r²E(r)), r = x - k ln 2. Results may be subnormal; out of range they are inf or 0."""
    L1, L2 = C.LN2
    c = select(less(x, C.EXP_HIGH), x, C.EXP_HIGH)  # NaN → a number, so that k is whole
    c = select(less(C.EXP_LOW, c), c, C.EXP_LOW)
    k = nearest(mul(c, C.LOG2_E))
    r = fma(k, -L2, fma(k, -L1, c))  # the inner fma is exact
    p = add(1.0, fma(mul(r, r), horner(r, C.EXP), r))
    i = floor(mul(k, 0.5))  # multiply by 2ᵏ in two steps; the first stays in the normal range
    y = mul(mul(p, pow2(i)), pow2(sub(k, i)))
    return select(equal(x, x), y, x)


def log(x: Number, C: Constants) -> Number:
    """Compute log x = k ln 2 + log(1 + f), 1 + f in [√½, √2); -inf for x = 0, NaN for x < 0."""
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
