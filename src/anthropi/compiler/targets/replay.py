"""The replay targets: evaluate a lowered tape with NumPy. They are slow, and the reference for all other targets.

The other targets must give bit-for-bit identical results. Lane j of a result depends only on lane j of the inputs.
The fma (a·b + c with one rounding) follows S. Boldo, G. Melquiond,
Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd, IEEE Trans. Computers 57(4),
2008; TwoSum, Veltkamp's splitting and Dekker's product as in J.-M. Muller et al., Handbook of Floating-Point
Arithmetic, 2nd ed. (2018).
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from anthropi.compiler.elementary import constants_for
from anthropi.compiler.lower import lower
from anthropi.compiler.targets.machine import DTYPE
from anthropi.errors import BuildError, ShapeError
from anthropi.tape.operations import uniform_bits
from anthropi.tape.tape import Block, Loop, Slot, Tape

__all__ = ["Replay", "ReplayUnfused", "fma", "replay"]


_SPLIT = 2.0**27 + 1.0


def fma(a: Any, b: Any, c: Any) -> Any:
    """Compute a·b + c with a single rounding, for float64 or float32 arrays of equal shape."""
    with np.errstate(all="ignore"):
        return _single(a, b, c) if np.result_type(a, b, c) == np.float32 else _double(*np.broadcast_arrays(a, b, c))


def _single(a: Any, b: Any, c: Any) -> Any:
    """Compute a·b + c with a single rounding, for float32 arrays.

    The computation is in float64: the product of two float32 numbers is exact there, and a sum that is rounded to odd
    can be rounded to float32 correctly.
    """
    return _sum_to_odd(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)).astype(np.float32)


def _double(a: Any, b: Any, c: Any) -> Any:
    """Compute a·b + c with a single rounding, for float64 arrays.

    Error-free transformations are used, and rational arithmetic where a step could overflow or underflow.
    """
    high = a * b
    low = _product_error(a, b, high)
    th, tl = _two_sum(c, low)
    vh, vl = _two_sum(high, th)
    result = np.asarray(vh + _sum_to_odd(tl, vl))
    # where a step could overflow or underflow: a·b + c directly for zeros and non-finite values, else exact fractions
    ea, eb, ec = (np.frexp(x)[1] for x in (a, b, c))
    plain = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    zero = (a == 0.0) | (b == 0.0)
    safe = (np.maximum(ea, eb) < 990) & (np.abs(ea + eb) < 960) & (ec < 990)
    result = np.where(plain & ~zero, result, a * b + c)
    result = np.where(np.isfinite(a) & np.isfinite(b) & ~np.isfinite(c), c, result)
    for k in zip(*np.nonzero(plain & ~zero & ~safe), strict=True):
        result[k] = _exactly(float(a[k]), float(b[k]), float(c[k]))
    return result


def _two_sum(a: Any, b: Any) -> Any:
    """Return a + b rounded, and its error."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _product_error(a: Any, b: Any, product: Any) -> Any:
    """Compute a·b - product, by Dekker's product with Veltkamp's splitting."""
    ah, bh = _SPLIT * a, _SPLIT * b
    ah, bh = ah - (ah - a), bh - (bh - b)
    al, bl = a - ah, b - bh
    return al * bl - (((product - ah * bh) - al * bh) - ah * bl)


def _sum_to_odd(a: Any, b: Any) -> Any:
    """Compute a + b rounded to odd: if inexact, the neighbour whose last bit is 1."""
    s, e = _two_sum(a, b)
    s, e = np.atleast_1d(s), np.atleast_1d(e)
    bits = s.view(np.int64)
    nudge = (e != 0.0) & np.isfinite(e) & (bits & 1 == 0)
    step = np.where((e > 0.0) == (s > 0.0), 1, -1)
    return np.where(nudge, bits + step, bits).view(np.float64).reshape(np.shape(a))


def _exactly(a: float, b: float, c: float) -> float:
    """Compute a·b + c by rational arithmetic, for finite numbers whose product is not zero."""
    total = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return total.numerator / total.denominator  # whole numbers divide with one rounding, also to subnormal numbers
    except OverflowError:
        return math.inf if total > 0 else -math.inf


_FORMAT = {  # dtype, integer type, mantissa bits, exponent bias, exponent field
    "float64": (np.float64, np.int64, 52, 1023, 0x7FF),
    "float32": (np.float32, np.int32, 23, 127, 0xFF),
}


def replay(tape: Tape, arrays: np.ndarray, precision: str = "float64") -> np.ndarray:
    """Evaluate a lowered tape with NumPy; every target gives the same result, bit for bit.

    Parameters
    ----------
    tape : result of `lower` for this precision.
    arrays : (inputs, lanes), all inputs of the tape in order, one row per number.
    precision : "float64" or "float32".

    Returns
    -------
    (outputs, lanes), in the dtype of the precision.
    """
    constants_for(precision)  # raises if there is no such precision
    dtype = _FORMAT[precision][0]
    arrays = np.asarray(arrays, dtype)
    wanted = sum(s.size for s in tape.inputs)
    if arrays.ndim != 2 or len(arrays) != wanted:
        raise ShapeError(f"replay needs inputs of shape ({wanted}, lanes), got {arrays.shape}.")
    lanes = arrays.shape[1]
    with np.errstate(all="ignore"):
        results = _play(tape, list(arrays), lanes, precision)
    return np.array([np.broadcast_to(x, lanes) for x in results], dtype).reshape(len(results), lanes)


def _play(tape: Tape, values: list[Any], lanes: int, precision: str) -> list[Any]:
    """Evaluate a tape or loop body; return its results, each an array (lanes,) or one number for all lanes."""
    dtype = _FORMAT[precision][0]
    done: list[Any] = [None] * len(tape)
    for i, (op, places, data) in enumerate(zip(tape.op, tape.args, tape.data, strict=True)):
        args = [done[a] for a in places]
        if op == "const":
            done[i] = np.full(lanes, data, dtype)
        elif op in ("input", "mask_input"):
            done[i] = values[data]
        elif op == "item":
            done[i] = args[0][data]
        elif op == "gather":
            done[i] = _gather(args[0], args[1:] if data is None else np.array(data, dtype))
        elif op == "repeat":
            done[i] = _repeat(data, args, values, lanes, precision)
        elif op in _BITS:
            done[i] = _BITS[op](precision, *args)
        elif op in _OPERATIONS:
            done[i] = _OPERATIONS[op](*args)
        else:
            raise BuildError(
                f"Operation '{op}' is not a lowered operation. Give replay the result of lower(tape, precision)."
            )
    return [done[r] for r in tape.result]


def _minimum(a: Any, b: Any) -> Any:
    """Return a if a < b else b; NaN if either is NaN."""
    return np.where(np.isnan(a), a, np.where(a < b, a, b))


def _maximum(a: Any, b: Any) -> Any:
    """Return a if b < a else b; NaN if either is NaN."""
    return np.where(np.isnan(a), a, np.where(b < a, a, b))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "fma": fma,
    "sqrt": np.sqrt, "abs": np.abs, "min": _minimum, "max": _maximum, "floor": np.floor, "round": np.rint,
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "and": np.logical_and, "or": np.logical_or,
    "not": np.logical_not, "select": np.where, "copysign": np.copysign,
}  # fmt: skip


def _pow2(precision: str, k: Any) -> Any:
    """Compute 2ᵏ by writing k into the exponent field; k is never NaN."""
    dtype, whole, mantissa, bias, _ = _FORMAT[precision]
    return ((k.astype(whole) + whole(bias)) << whole(mantissa)).view(dtype)


def _exponent(precision: str, x: Any) -> Any:
    """Return the exponent of x: its exponent field minus the bias."""
    dtype, whole, mantissa, bias, field = _FORMAT[precision]
    return (((np.ascontiguousarray(x).view(whole) >> whole(mantissa)) & whole(field)) - whole(bias)).astype(dtype)


def _uniform(precision: str, key: Any, counter: Any) -> Any:
    """Return random numbers in [0, 1): the top bits of Philox, as many as the mantissa has."""
    bits = uniform_bits(key.astype(np.float64), counter.astype(np.float64))
    if precision == "float64":
        return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (bits >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)


_BITS: dict[str, Callable[..., Any]] = {"pow2": _pow2, "exponent": _exponent, "uniform": _uniform}


def _gather(index: Any, entries: Any) -> Any:
    """Return entries[⌊index⌋] for each lane, with the index clamped to the table; NaN gives the first entry.

    The entries are numbers, or arrays (lanes,).
    """
    at = np.where(np.isnan(index), 0.0, np.clip(np.floor(index), 0, len(entries) - 1)).astype(np.intp)
    if isinstance(entries, np.ndarray):
        return entries[at]
    return np.stack(entries)[at, np.arange(len(at))]


def _repeat(loop: Loop, args: list[Any], values: list[Any], lanes: int, precision: str) -> list[Any]:
    """Run a loop (repeat node); return its last carry, then its records. A finished lane keeps its values."""
    state, held, captured = (
        args[: loop.carry],
        args[loop.carry : loop.carry + loop.held],
        args[loop.carry + loop.held :],
    )
    dtype = _FORMAT[precision][0]
    records: list[Any] = []
    ended = False
    for i in range(loop.times):
        if not ended:
            row = [x for block in loop.blocks for x in _row(block, i, held, values, lanes, dtype)]
            after = _play(loop.body, [*state, *row, *captured], lanes, precision)
            if loop.stops:
                done = after.pop()
                after = [np.where(done, old, new) for old, new in zip(state, after, strict=True)]
                ended = bool(np.all(done))
            state = after
        if loop.every and (i + 1) % loop.every == 0:
            records += state
    return [*state, *records]


def _row(block: Block, i: int, held: list[Any], values: list[Any], lanes: int, dtype: Any) -> list[Any]:
    """Return the values that a block of row values (see `Block`) provides to pass i of a loop."""
    if block.source == "table":
        return [np.full(lanes, x, dtype) for x in block.table[i * block.width : (i + 1) * block.width]]
    source = {"input": values, "nodes": held}.get(block.source) or held[block.node]
    start = block.base + i * block.stride
    return source[start : start + block.width]


class Replay:
    """Engine of a kernel with target "replay", the reference for targets with fma."""

    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    precision: str
    dtype: Any

    device: str = "replay"
    direct: None = None
    lanes: int = 1
    fused: bool = True

    def __init__(
        self,
        meta: dict[str, Any],
        slots: tuple[tuple[Slot, ...], tuple[Slot, ...]],
        tape: Callable[[], Tape],
        precision: str,
        opt: int | str,
    ) -> None:
        (self.inputs, self.outputs), self.precision, self.dtype = slots, precision, DTYPE[precision]
        self._lowered = lower(tape(), precision, self.fused)

    @property
    def compiled(self) -> bool:
        """Always False: there is no machine code to bind."""
        return False

    def settle(self) -> None:
        """Do nothing: nothing is compiled in the background."""

    def evaluate(self, arrays: Any, steps: Any, results: Any, batch: int, threads: Any) -> None:
        """Fill the result arrays (batch, *shape), all figures at once."""
        rows = [
            np.broadcast_to(a if many else a[None], (batch, *s.shape)).reshape(batch, s.size).T
            for s, a, many in zip(self.inputs, arrays, steps, strict=True)
        ]
        flat = replay(self._lowered, np.concatenate(rows) if rows else np.zeros((0, batch), self.dtype), self.precision)
        for slot, result in zip(self.outputs, results, strict=True):
            result[...] = flat[slot.start : slot.start + slot.size].T.reshape(batch, *slot.shape)

    def buffers(self, batch: int) -> None:
        """Raise `BuildError`: the replay target has no memory layout."""
        raise BuildError("target='replay' has no buffers to bind. Call the kernel, or build it with target='cpu'.")

    bind = buffers


class ReplayUnfused(Replay):
    """Engine of a kernel with target "replay_unfused", the reference for targets without fma (WebAssembly)."""

    fused: bool = False
