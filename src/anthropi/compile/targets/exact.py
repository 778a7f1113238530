"""a·b + c with one rounding, on NumPy arrays: the fma every target must match.

S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd, IEEE
Trans. Computers 57(4), 2008. TwoSum, Veltkamp's splitting and Dekker's product as in J.-M. Muller et al., Handbook of
Floating-Point Arithmetic, 2nd ed. (2018).
"""

import math
from fractions import Fraction

import numpy as np

__all__ = ["fma"]

_SPLIT = 2.0**27 + 1.0


def fma(a, b, c):
    """a·b + c, rounded once, for float64 or float32 arrays of one shape."""
    with np.errstate(all="ignore"):
        return _single(a, b, c) if np.result_type(a, b, c) == np.float32 else _double(*np.broadcast_arrays(a, b, c))


def _single(a, b, c):
    """The product of two float32 is exact in float64; the sum rounded to odd there rounds once more without harm."""
    return _sum_to_odd(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)).astype(np.float32)


def _double(a, b, c):
    high = a * b
    low = _product_error(a, b, high)
    th, tl = _two_sum(c, low)
    vh, vl = _two_sum(high, th)
    result = np.asarray(vh + _sum_to_odd(tl, vl))
    # where a step could leave the range: nothing to round for zeros and what is not finite, else exactly
    ea, eb, ec = (np.frexp(x)[1] for x in (a, b, c))
    plain = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    zero = (a == 0.0) | (b == 0.0)
    safe = (np.maximum(ea, eb) < 990) & (np.abs(ea + eb) < 960) & (ec < 990)
    result = np.where(plain & ~zero, result, a * b + c)
    result = np.where(np.isfinite(a) & np.isfinite(b) & ~np.isfinite(c), c, result)
    for k in zip(*np.nonzero(plain & ~zero & ~safe), strict=True):
        result[k] = _exactly(float(a[k]), float(b[k]), float(c[k]))
    return result


def _two_sum(a, b):
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _product_error(a, b, product):
    """a·b - product, by Dekker's product with Veltkamp's splitting."""
    ah, bh = _SPLIT * a, _SPLIT * b
    ah, bh = ah - (ah - a), bh - (bh - b)
    al, bl = a - ah, b - bh
    return al * bl - (((product - ah * bh) - al * bh) - ah * bl)


def _sum_to_odd(a, b):
    """a + b rounded to odd: if inexact, that neighbour whose last bit is 1."""
    s, e = _two_sum(a, b)
    s, e = np.atleast_1d(s), np.atleast_1d(e)
    bits = s.view(np.int64)
    nudge = (e != 0.0) & np.isfinite(e) & (bits & 1 == 0)
    step = np.where((e > 0.0) == (s > 0.0), 1, -1)
    return np.where(nudge, bits + step, bits).view(np.float64).reshape(np.shape(a))


def _exactly(a: float, b: float, c: float) -> float:
    """a·b + c by rational arithmetic, for finite numbers whose product is not zero."""
    total = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return total.numerator / total.denominator  # whole numbers divide with one rounding, also to subnormal numbers
    except OverflowError:
        return math.inf if total > 0 else -math.inf
