"""Fit the polynomials of `compiler/elementary.py` and print its two tables (development only: needs mpmath).

    python tools/fit_polynomials.py            # paste between "# fmt: off" and "# fmt: on" there

Each polynomial is near-minimax for the *relative* error of the function it serves: Lawson's iteration (repeated least
squares, weights grown where the error is large; Rice & Usow 1968) on Chebyshev points in 60 digits. A coefficient is
rounded to its precision as soon as it is known and the later ones are fitted again to the remainder, lowest order
first, so that they compensate most of the rounding error.
"""

from fractions import Fraction

from mpmath import mp, mpf

mp.dps = 60
PI, LN2 = +mp.pi, mp.log(2)
BITS = {"float64": 53, "float32": 24}


def rounded(x, bits: int):
    """Round x to a number of bits, halves to even."""
    if x == 0:
        return mpf(0)
    with mp.workprec(bits):
        return +mpf(x)


def lawson(columns, target, weight, passes: int = 25):
    """Return coefficients c with nearly the least max |weight · (target - columns c)|, and that maximum."""
    n, m = len(columns), len(target)
    share = [mpf(1) / m] * m
    best = (None, mp.inf)
    for _ in range(passes):
        w = [s * v * v for s, v in zip(share, weight, strict=True)]
        normal, right = mp.matrix(n, n), mp.matrix(n, 1)
        for i in range(n):
            wi = [a * b for a, b in zip(w, columns[i], strict=True)]
            right[i] = mp.fdot(wi, target)
            for j in range(i, n):
                normal[i, j] = normal[j, i] = mp.fdot(wi, columns[j])
        c = mp.lu_solve(normal, right)
        error = [abs(v * (t - mp.fdot(c, [col[k] for col in columns])))
                 for k, (v, t) in enumerate(zip(weight, target, strict=True))]  # fmt: skip
        worst = max(error)
        if worst < best[1]:
            best = (list(c), worst)
        share = [s * e for s, e in zip(share, error, strict=True)]
        total = mp.fsum(share)
        share = [s / total for s in share]
    return best


def fit(function, weight, low, high, terms: int, bits: int):
    """Return rounded coefficients c₀ … of Σ cⱼ tʲ ≈ function(t) on [low, high], and the largest weighted error."""
    m = 6 * terms
    points = [(low + high) / 2 + (high - low) / 2 * mp.cos(PI * (2 * k + 1) / (2 * m)) for k in range(m)]
    target, w = [function(t) for t in points], [weight(t) for t in points]
    fixed = []
    for j in range(terms):
        left = [f - mp.polyval(fixed[::-1], t) if fixed else f for f, t in zip(target, points, strict=True)]
        columns = [[t**i for t in points] for i in range(j, terms)]
        c, _ = lawson(columns, left, w, passes=30 if j == 0 else 8)
        fixed.append(rounded(c[0], bits))
    worst = max(abs(v * (f - mp.polyval(fixed[::-1], t))) for v, f, t in zip(w, target, points, strict=True))
    return fixed, worst


def odd(f):
    """Return (f(y) - y)/y³ as a function of y², and the weight that gives the relative error of f."""
    return (lambda t: (f(mp.sqrt(t)) - mp.sqrt(t)) / mp.sqrt(t) ** 3), (lambda t: mp.sqrt(t) ** 3 / f(mp.sqrt(t)))


def polynomials(precision: str):
    """Return the fits: name, comment, function, weight, interval, number of terms."""
    double = precision == "float64"
    reach = mpf("0.7856") if double else mpf("0.80")  # |r| after reduction, k off by the rounding of x·2/π
    half = LN2 / 2 * (1 + mpf(2) ** (-40 if double else -14))
    f_low, f_high = 1 / mp.sqrt(2) - 1, mp.sqrt(2) - 1
    yield "SIN", "(sin r - r)/r³ in r²", *odd(mp.sin), 0, reach**2, 6 if double else 3
    yield ("COS", "(cos r - 1 + r²/2)/r⁴ in r²", lambda t: (mp.cos(mp.sqrt(t)) - 1 + t / 2) / t**2,
           lambda t: t**2 / mp.cos(mp.sqrt(t)), 0, reach**2, 6 if double else 3)  # fmt: skip
    yield "ASIN", "(asin y - y)/y³ in y²", *odd(mp.asin), 0, mpf("0.25"), 13 if double else 6
    yield "ATAN", "(atan q - q)/q³ in q²", *odd(mp.atan), 0, mpf(1), 20 if double else 9
    yield ("EXP", "(exp r - 1 - r)/r² in r", lambda r: (mp.expm1(r) - r) / r**2, lambda r: r**2 / mp.exp(r),
           -half, half, 10 if double else 5)  # fmt: skip
    if double:
        yield ("LOG", "(2 atanh s - 2 s)/s³ in s²", lambda t: 2 * (mp.atanh(mp.sqrt(t)) - mp.sqrt(t)) / mp.sqrt(t) ** 3,
               lambda t: mp.sqrt(t) ** 3 / (2 * mp.atanh(mp.sqrt(t))), 0, (f_high / (2 + f_high)) ** 2, 7)  # fmt: skip
    else:
        yield ("LOG", "(log(1+f) - f + f²/2)/f³ in f", lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3,
               lambda f: f**3 / mp.log1p(f), f_low, f_high, 8)  # fmt: skip


def split(x, sizes):
    """Split x into a sum of numbers of so many bits each, each the rounding of the remainder."""
    out = []
    for bits in sizes:
        out.append(rounded(x, bits))
        x -= out[-1]
    return out


def text(x) -> str:
    """Return the shortest decimal that reads back as this float."""
    value = float(x)
    assert Fraction(value) == Fraction(int(x.man) * (-1 if x._mpf_[0] else 1)) * Fraction(2) ** int(x.exp)
    return repr(value)


def constants(precision: str) -> dict:
    """Return the splits, each a list of floats of this precision."""
    bits = BITS[precision]
    half_pi = rounded(PI / 2, bits)
    return {
        "TWO_OVER_PI": [rounded(2 / PI, bits)],
        "HALF_PI": split(PI / 2, [bits, 33 if precision == "float64" else bits, bits]),
        "PI_LOW": [rounded(PI / 2 - half_pi, bits)],
        "PI_RATIO": [rounded((PI / 2 - half_pi) / half_pi, bits)],
        "LOG2_E": [rounded(1 / LN2, bits)],
        "LN2": split(LN2, [bits, bits]),
        "ROOT": [rounded(mp.sqrt(2) / 4, bits)],
    }


def main() -> None:
    for precision, bits in BITS.items():
        print(f"{precision.upper()} = Constants(\n    *{precision.upper()}_RANGES,")
        for label, values in constants(precision).items():
            one = text(values[0]) if len(values) == 1 else "(" + ", ".join(map(text, values)) + ")"
            print(f"    {label}={one},")
        for label, comment, function, weight, low, high, terms in polynomials(precision):
            c, worst = fit(function, weight, mpf(low), mpf(high), terms, bits)
            size = float(mp.log(worst, 2))
            print(f"    {label}=(  # {comment}: relative error 2^{size:.1f}")
            for k in range(0, terms, 4):
                print("        " + " ".join(f"{text(x)}," for x in c[k : k + 4]))
            print("    ),")
        print(")")


if __name__ == "__main__":
    main()
