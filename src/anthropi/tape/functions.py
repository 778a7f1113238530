"""Operations on one number or recording scalar, with constant folding.

Every function takes Python floats and `Scalar`s in any combination. Floats give a float. A `Scalar` gives a node on its
tape, unless the operation folds (arguments 0, 1, -1, negations, equal arguments). Folding replaces 0·x and x - x by 0
for any x, and may change the sign of a zero (y - x is stored as the negative of x - y). Products with constant zeros of
a figure are therefore never computed. `algebra/scalar.py` extends these functions to arrays.
"""

import math
import struct
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from anthropi.errors import TraceError
from anthropi.tape.operations import uniform_bits
from anthropi.tape.scalar import Mask, Scalar, Table

__all__ = ["FUNCTIONS", "recorded"]

Number = Any  # a float or a recording Scalar; for comparisons a bool or a Mask
Unary = Callable[[Number], Number]


_TAKES_MASKS = frozenset(("and", "or", "not"))


def recorded(x: Any) -> bool:
    """Whether x is a recording scalar or mask."""
    return isinstance(x, (Scalar, Mask))


def _is(x: Number, value: float) -> bool:
    """Whether x is this constant (zeros of either sign count as 0)."""
    return not isinstance(x, Scalar) and x == value


def node(op: str, *args: Any) -> Any:
    """Record an operation on the deepest tape among the arguments and return its node."""
    tape: Any = None
    for place, x in enumerate(args):
        kind = type(x)  # kept fast: this runs for every argument of every recorded operation
        if kind is Mask:
            if op not in _TAKES_MASKS and not (op == "select" and place == 0):
                raise TraceError(f"A mask is not a number: '{op}' cannot take one. Use where(mask, 1.0, 0.0).")
        elif kind is not Scalar:
            continue
        if x.tape is not tape and (tape is None or x.tape.depth > tape.depth):
            tape = x.tape
    return tape.emit(op, args)


def _op(x: Scalar) -> str:
    return x.tape.op[x.index]


def _arg(x: Scalar, k: int = 0) -> Number:
    return Scalar(x.tape, x.tape.args[x.index][k])


def _same(x: Number, y: Number) -> bool:
    return isinstance(x, Scalar) and isinstance(y, Scalar) and x.index == y.index and x.tape is y.tape


# arithmetic: most of a recording are sums, differences and products of scalars of one tape and floats (`Tape.binary`)


def add(x: Number, y: Number) -> Number:
    """Sum x + y."""
    if type(x) is Scalar and type(y) is Scalar and x.tape is y.tape:
        tape, i, j = x.tape, x.index, y.index
        if tape.op[i] != "neg":
            return tape.binary("add", i, j) if tape.op[j] != "neg" else sub(x, Scalar(tape, tape.args[j][0]))
    if not isinstance(x, Scalar):
        if not isinstance(y, Scalar):
            return x + y
        x, y = y, x
        if y == 0.0:
            return x
    if _op(x) == "neg":
        return sub(y, _arg(x))
    if not isinstance(y, Scalar):
        return x if y == 0.0 else x.tape.binary("add", x.index, x.tape.constant(y))
    return sub(x, _arg(y)) if _op(y) == "neg" else node("add", x, y)


def sub(x: Number, y: Number) -> Number:
    """Difference x - y."""
    if type(x) is Scalar and type(y) is Scalar and x.tape is y.tape:
        ops, i, j = x.tape.op, x.index, y.index
        if i != j and ops[i] != "neg" and ops[j] != "neg":
            return _difference(x.tape, i, j)
    if not isinstance(y, Scalar):
        if not isinstance(x, Scalar):
            return x - y
        return x if y == 0.0 else _difference(x.tape, x.index, x.tape.constant(y))
    if _is(x, 0.0):
        return neg(y)
    if _same(x, y):
        return 0.0
    if _op(y) == "neg":
        return add(x, _arg(y))
    if not isinstance(x, Scalar):
        return _difference(y.tape, y.tape.constant(x), y.index)
    return neg(add(_arg(x), y)) if _op(x) == "neg" else node("sub", x, y)


def _difference(tape: Any, i: int, j: int) -> Scalar:
    """Record the difference of nodes i and j, or return the negative of the opposite difference if there is one."""
    opposite = tape.has("sub", j, i)
    return tape.binary("sub", i, j) if opposite is None else neg(Scalar(tape, opposite))


def neg(x: Number) -> Number:
    """Negative -x."""
    if not isinstance(x, Scalar):
        return -x
    return _arg(x) if _op(x) == "neg" else x.tape.unary("neg", x.index)


def mul(x: Number, y: Number) -> Number:
    """Product x · y."""
    if type(x) is Scalar and type(y) is Scalar and x.tape is y.tape:
        tape, i, j = x.tape, x.index, y.index
        if tape.op[i] != "neg":
            return tape.binary("mul", i, j) if tape.op[j] != "neg" else neg(tape.binary("mul", i, tape.args[j][0]))
        if tape.op[j] != "neg":
            return neg(tape.binary("mul", tape.args[i][0], j))
    if not isinstance(x, Scalar):
        if not isinstance(y, Scalar):
            return x * y
        x, y = y, x
    if not isinstance(y, Scalar):
        if y == 0.0:
            return 0.0
        if y == 1.0:
            return x
        if y == -1.0:
            return neg(x)
        if _op(x) == "neg":
            return mul(_arg(x), -y)
        return x.tape.binary("mul", x.index, x.tape.constant(y))
    if _op(x) == "neg":
        return neg(mul(_arg(x), y))
    if _op(y) == "neg":
        return neg(mul(x, _arg(y)))
    return node("mul", x, y)


def div(x: Number, y: Number) -> Number:
    """Quotient x / y; division by a constant power of two is recorded as a product, with the identical result."""
    if not isinstance(y, Scalar):
        if not isinstance(x, Scalar):
            return float(np.divide(x, y))
        if y == 1.0:
            return x
        if y == -1.0:
            return neg(x)
        if y != 0.0 and abs(math.frexp(y)[0]) == 0.5 and 1e-300 < abs(y) < 1e300:
            return mul(x, 1.0 / y)
        return neg(div(_arg(x), y)) if _op(x) == "neg" else node("div", x, y)
    if _is(x, 0.0):
        return 0.0
    if _op(y) == "neg":
        return neg(div(x, _arg(y)))
    if isinstance(x, Scalar) and _op(x) == "neg":
        return neg(div(_arg(x), y))
    return node("div", x, y)


def fma(x: Number, y: Number, z: Number) -> Number:
    """Fused multiply-add x · y + z, with one rounding on the tape (a plain product and sum on floats)."""
    if not isinstance(x, Scalar) and not isinstance(y, Scalar):
        return add(x * y, z)
    if _is(z, 0.0):
        return mul(x, y)
    for a, b in ((x, y), (y, x)):
        if not isinstance(a, Scalar):
            if a == 0.0:
                return z
            if a == 1.0:
                return add(b, z)
            if a == -1.0:
                return sub(z, b)
    if isinstance(x, Scalar) and isinstance(y, Scalar) and _op(x) == _op(y) == "neg":
        x, y = _arg(x), _arg(y)
    return node("fma", x, y, z)


def sqrt(x: Number) -> Number:
    """Square root √x."""
    return node("sqrt", x) if isinstance(x, Scalar) else (math.sqrt(x) if x >= 0.0 else math.nan)


def absolute(x: Number) -> Number:
    """Absolute value |x|."""
    if not isinstance(x, Scalar):
        return abs(x)
    if _op(x) == "neg":
        return absolute(_arg(x))
    return x if _op(x) == "abs" else node("abs", x)


def minimum(x: Number, y: Number) -> Number:
    """Smaller of x and y; NaN if either is NaN."""
    if not isinstance(x, Scalar) and not isinstance(y, Scalar):
        return float(np.minimum(x, y))
    return x if _same(x, y) else node("min", x, y)


def maximum(x: Number, y: Number) -> Number:
    """Larger of x and y; NaN if either is NaN."""
    if not isinstance(x, Scalar) and not isinstance(y, Scalar):
        return float(np.maximum(x, y))
    return x if _same(x, y) else node("max", x, y)


def floor(x: Number) -> Number:
    """Largest whole number not above x."""
    return node("floor", x) if isinstance(x, Scalar) else float(np.floor(x))


def nearest(x: Number) -> Number:
    """Nearest whole number, halves to even."""
    return node("round", x) if isinstance(x, Scalar) else float(np.rint(x))


def power(x: Number, n: Number) -> Number:
    """Power xⁿ for whole n, by repeated squaring, or n = ½."""
    if isinstance(n, Scalar):
        raise TraceError("A power with a recording exponent cannot be recorded. Use exp(n*log(x)).")
    if not isinstance(x, Scalar):
        return x**n
    if n == 0.5:
        return sqrt(x)
    if not isinstance(n, (int, float, np.integer, np.floating)) or not math.isfinite(n) or n != int(n):
        raise TraceError(
            f"The power {n!r} of a recording scalar cannot be recorded, only whole powers and 0.5. Use exp(n*log(x))."
        )
    n = int(n)
    if n < 0:
        return div(1.0, power(x, -n))
    result, square = 1.0, x
    while n:
        if n & 1:
            result = mul(result, square)
        n >>= 1
        if n:
            square = mul(square, square)
    return result


# comparisons and masks


def less(x: Number, y: Number) -> Number:
    """Comparison x < y."""
    if isinstance(x, Scalar) or isinstance(y, Scalar):
        return node("lt", x, y)
    return bool(x < y)


def less_equal(x: Number, y: Number) -> Number:
    """Comparison x ≤ y."""
    if isinstance(x, Scalar) or isinstance(y, Scalar):
        return node("le", x, y)
    return bool(x <= y)


def equal(x: Number, y: Number) -> Number:
    """Comparison x = y."""
    if isinstance(x, Scalar) or isinstance(y, Scalar):
        return node("eq", x, y)
    return bool(x == y)


def logical_and(a: Number, b: Number) -> Number:
    """Conjunction of two masks."""
    if not isinstance(a, Mask):
        return b if a else False
    if not isinstance(b, Mask):
        return a if b else False
    return a if a.index == b.index and a.tape is b.tape else node("and", a, b)


def logical_or(a: Number, b: Number) -> Number:
    """Disjunction of two masks."""
    if not isinstance(a, Mask):
        return True if a else b
    if not isinstance(b, Mask):
        return True if b else a
    return a if a.index == b.index and a.tape is b.tape else node("or", a, b)


def logical_not(a: Number) -> Number:
    """Negation of a mask."""
    if not isinstance(a, Mask):
        return not a
    return Mask(a.tape, a.tape.args[a.index][0]) if a.tape.op[a.index] == "not" else node("not", a)


def select(mask: Number, x: Number, y: Number) -> Number:
    """Select x where the mask is true, y elsewhere."""
    if not isinstance(mask, Mask):
        return x if mask else y
    if mask.tape.op[mask.index] == "not":
        return select(logical_not(mask), y, x)
    if isinstance(x, Mask) or isinstance(y, Mask) or isinstance(x, bool) or isinstance(y, bool):
        return logical_or(logical_and(mask, x), logical_and(logical_not(mask), y))
    if _same(x, y):
        return x
    if not isinstance(x, Scalar) and not isinstance(y, Scalar) and struct.pack("<d", x) == struct.pack("<d", y):
        return x
    return node("select", mask, x, y)


# functions that are one node each until lowering


def _unary(op: str, on_float: Callable[..., Any]) -> Unary:
    """Make a function of one argument from the operation's name and its float version."""

    def function(x):
        return node(op, x) if isinstance(x, Scalar) else float(on_float(x))

    function.__name__ = op
    function.__doc__ = f"Compute {op}(x)."
    return function


sin: Unary = _unary("sin", np.sin)
cos: Unary = _unary("cos", np.cos)
tan: Unary = _unary("tan", np.tan)
asin: Unary = _unary("asin", np.arcsin)
acos: Unary = _unary("acos", np.arccos)
exp: Unary = _unary("exp", np.exp)
log: Unary = _unary("log", np.log)


def atan2(y: Number, x: Number) -> Number:
    """Angle of the point (x, y) [rad]."""
    if isinstance(x, Scalar) or isinstance(y, Scalar):
        return node("atan2", y, x)
    return math.atan2(y, x)


# tables and random numbers


def gather(table: Iterable[Number] | Table, index: Number) -> Number:
    """Entry table[⌊index⌋], with the index clamped to the table. NaN reads the first entry."""
    entries = table if isinstance(table, Table) else list(table)
    if not entries:
        raise TraceError("gather reads from an empty table. Give at least one entry.")
    if not isinstance(index, Scalar):
        return entries[int(min(max(index, 0.0), len(entries) - 1.0)) if index == index else 0]
    if not isinstance(entries, Table) and any(isinstance(e, Scalar) for e in entries):
        return node("gather", index, *entries)
    return index.tape.emit("gather", (index,), entries if isinstance(entries, Table) else Table(entries))


def uniform(key: Number, counter: Number) -> Number:
    """Random number in [0, 1) that depends only on two whole numbers, key and counter (Philox 2x32-10)."""
    if isinstance(key, Scalar) or isinstance(counter, Scalar):
        return node("uniform", key, counter)
    return float(uniform_bits(np.float64(key), np.float64(counter)) >> np.uint64(11)) * 2.0**-53


# functions of lowered tapes only


def pow2(k: Number) -> Number:
    """Power 2ᵏ for whole k in the normal range of the precision."""
    return node("pow2", k) if isinstance(k, Scalar) else math.ldexp(1.0, int(k))


def exponent(x: Number) -> Number:
    """Whole number e with 2ᵉ ≤ |x| < 2ᵉ⁺¹, for normal x."""
    return node("exponent", x) if isinstance(x, Scalar) else float(math.frexp(x)[1] - 1)


def copysign(x: Number, y: Number) -> Number:
    """|x| with the sign of y; y may be a signed zero."""
    return node("copysign", x, y) if isinstance(x, Scalar) or isinstance(y, Scalar) else math.copysign(x, y)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": add, "sub": sub, "mul": mul, "div": div, "neg": neg, "fma": fma, "sqrt": sqrt, "abs": absolute,
    "min": minimum, "max": maximum, "floor": floor, "round": nearest, "lt": less, "le": less_equal, "eq": equal,
    "and": logical_and, "or": logical_or, "not": logical_not, "select": select, "sin": sin, "cos": cos, "tan": tan,
    "asin": asin, "acos": acos, "atan2": atan2, "exp": exp, "log": log, "uniform": uniform,
    "pow2": pow2, "exponent": exponent, "copysign": copysign,
}  # fmt: skip
