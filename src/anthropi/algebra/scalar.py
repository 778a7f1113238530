"""Elementary functions of floats, float arrays, recording scalars and arrays that mix them.

Use these instead of the `np.` forms in any function that should record: `np.where` and array comparisons call `bool()`
on a mask, and `np.sin` fails on mixed arrays. On floats these functions call NumPy.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from anthropi.errors import ShapeError
from anthropi.tape import functions as f
from anthropi.tape.functions import recorded
from anthropi.tape.scalar import Mask, Scalar, Table

__all__ = [
    "absolute", "acos", "asin", "atan2", "clip", "cos", "equal", "exp", "floor", "fma", "gather", "greater",
    "greater_equal", "hypot", "is_constant_zero", "less", "less_equal", "log", "maximum", "minimum", "nearest",
    "polynomial", "records", "sign", "sin", "sqrt", "tan", "uniform", "where", "zeros",
]  # fmt: skip

Array = Any  # a number or an array of floats, of recording scalars, or of both mixed (dtype object)
Function = Callable[..., Any]  # a function of numbers and arrays, applied element by element
_SINGLE = frozenset((Scalar, Mask, float, int, bool))
_PLAIN = frozenset((np.ndarray, float, int, bool))


def records(*values: Array) -> bool:
    """Whether any of the values is or may contain a recording scalar (true for arrays of dtype object)."""
    for x in values:  # a loop, because this runs for every call of a function of arrays
        kind = type(x)
        if kind is np.ndarray:
            if x.dtype.kind == "O":
                return True
        elif kind is not float and (recorded(x) or (isinstance(x, np.ndarray) and x.dtype.kind == "O")):
            return True
    return False


def is_constant_zero(x: Any) -> bool:
    """Whether a number is the constant 0 and not a recording scalar, so that products with it can be left out."""
    return isinstance(x, (int, float, np.floating)) and x == 0.0


def _lift(one: Callable[..., Any], on_floats: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of arrays from a function of one recorded element and a function of float arrays."""
    elementwise = np.frompyfunc(one, one.__code__.co_argcount, 1)

    def function(*args):
        kinds = {type(x) for x in args}
        if kinds <= _SINGLE and (Scalar in kinds or Mask in kinds):
            return one(*args)  # most calls while recording; `elementwise` gives the same in more time
        if not kinds <= _PLAIN:
            args = tuple(np.asarray(x) if isinstance(x, (list, tuple)) else x for x in args)
        return elementwise(*args) if records(*args) else on_floats(*args)

    function.__name__, function.__doc__ = one.__name__, one.__doc__
    return function


sin: Function = _lift(f.sin, np.sin)
cos: Function = _lift(f.cos, np.cos)
tan: Function = _lift(f.tan, np.tan)
asin: Function = _lift(f.asin, np.arcsin)
acos: Function = _lift(f.acos, np.arccos)
atan2: Function = _lift(f.atan2, np.arctan2)
exp: Function = _lift(f.exp, np.exp)
log: Function = _lift(f.log, np.log)
sqrt: Function = _lift(f.sqrt, np.sqrt)
absolute: Function = _lift(f.absolute, np.abs)
floor: Function = _lift(f.floor, np.floor)
nearest: Function = _lift(f.nearest, np.rint)
minimum: Function = _lift(f.minimum, np.minimum)
maximum: Function = _lift(f.maximum, np.maximum)
less: Function = _lift(f.less, np.less)
less_equal: Function = _lift(f.less_equal, np.less_equal)
equal: Function = _lift(f.equal, np.equal)
where: Function = _lift(f.select, lambda mask, x, y: np.asarray(np.where(mask, x, y))[()])
fma: Function = _lift(f.fma, lambda x, y, z: x * y + z)


def greater(x: Array, y: Array) -> Array:
    """Compare x > y, element by element."""
    return less(y, x)


def greater_equal(x: Array, y: Array) -> Array:
    """Compare x ≥ y, element by element."""
    return less_equal(y, x)


def clip(x: Array, low: Array, high: Array) -> Array:
    """Limit x to the range [low, high]."""
    return minimum(maximum(x, low), high)


def sign(x: Array) -> Array:
    """Compute the sign of x: -1, 0 or 1."""
    return where(less(x, 0.0), -1.0, where(less(0.0, x), 1.0, 0.0))


def hypot(x: Array, y: Array) -> Array:
    """Compute √(x² + y²) without overflow or underflow; its derivative at (0, 0) is finite."""
    if not records(x, y):
        return np.hypot(x, y)
    a, b = absolute(x), absolute(y)
    big, small = maximum(a, b), minimum(a, b)
    safe = where(equal(big, 0.0), 1.0, big)
    ratio = small / safe
    return big * sqrt(fma(ratio, ratio, 1.0))


def polynomial(x: Array, coefficients: Sequence[Any]) -> Array:
    """Evaluate c₀ + x (c₁ + x (c₂ + …)) by Horner's rule, one fused multiply-add per coefficient."""
    *rest, total = coefficients
    for c in reversed(rest):
        total = fma(x, total, c)
    return total


def zeros(*shape: int) -> Array:
    """Return an object array of zeros (Python floats), to be combined with recording scalars."""
    return np.full(shape, 0.0, dtype=object)


def gather(table: Array, index: Array) -> Array:
    """Read table[⌊index⌋], with the index clamped to the table. The derivative with respect to the index is zero."""
    if isinstance(table, Table) and records(index):
        return np.frompyfunc(lambda i: f.gather(table, i), 1, 1)(index)
    table = np.asarray(table)
    if table.ndim != 1:
        raise ShapeError(
            f"gather needs a table with one axis; this one has shape {table.shape}. Call it once for each row."
        )
    if records(index) or table.dtype == object:
        entries = list(table)
        return np.frompyfunc(lambda i: f.gather(entries, i), 1, 1)(index)
    at = np.where(np.isnan(index), 0.0, np.clip(np.floor(index), 0, len(table) - 1))
    return table[at.astype(int)]


def uniform(key: Array, counter: Array) -> Array:
    """Return a random number in [0, 1) that depends only on two whole numbers, key and counter (Philox 2x32-10)."""
    if records(key, counter):
        return np.frompyfunc(f.uniform, 2, 1)(key, counter)
    from anthropi.tape.operations import uniform_bits

    result = (uniform_bits(np.asarray(key, float), np.asarray(counter, float)) >> np.uint64(11)) * 2.0**-53
    return result if np.ndim(result) else float(result)


pi: float = math.pi
