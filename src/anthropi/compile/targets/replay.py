"""A lowered tape played by NumPy over many lanes at once: slow, and the specification of every bit.

Lanes never mix: lane j of a result depends on lane j of the inputs alone.
"""

from collections.abc import Callable

import numpy as np

from anthropi.compile.coefficients import constants_for
from anthropi.compile.targets.exact import fma
from anthropi.errors import BuildError, ShapeError
from anthropi.tape.philox import uniform_bits
from anthropi.tape.tape import Loop, Tape

__all__ = ["replay"]

_FORMAT = {  # dtype, its bits as integers, how many of them the mantissa has, exponent bias, exponent field
    "float64": (np.float64, np.int64, 52, 1023, 0x7FF),
    "float32": (np.float32, np.int32, 23, 127, 0xFF),
}


def replay(tape: Tape, arrays, precision: str = "float64") -> np.ndarray:
    """What does this lowered tape give, to the bit?

    Parameters
    ----------
    tape : what `lower` returned for this precision.
    arrays : (inputs, lanes), the tape's flat inputs.

    Returns
    -------
    (outputs, lanes), in the dtype of the precision.
    """
    constants_for(precision)  # refuses a precision that is none
    dtype = _FORMAT[precision][0]
    arrays = np.asarray(arrays, dtype)
    wanted = sum(s.size for s in tape.inputs)
    if arrays.ndim != 2 or len(arrays) != wanted:
        raise ShapeError(f"replay wants inputs of shape ({wanted}, lanes), got {arrays.shape}.")
    lanes = arrays.shape[1]
    with np.errstate(all="ignore"):
        results = _play(tape, list(arrays), lanes, precision)
    return np.array([np.broadcast_to(x, lanes) for x in results], dtype).reshape(len(results), lanes)


def _play(tape: Tape, values: list, lanes: int, precision: str) -> list:
    """The results of a tape (or body) for these inputs, each an array (lanes,) or a single number for all lanes."""
    dtype = _FORMAT[precision][0]
    done: list = [None] * len(tape)
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
            raise BuildError(f"Operation '{op}' is not a lowered one. Give replay what lower(tape, precision) returns.")
    return [done[r] for r in tape.result]


def _minimum(a, b):
    """a if a < b else b; NaN if either is."""
    return np.where(np.isnan(a), a, np.where(a < b, a, b))


def _maximum(a, b):
    """a if b < a else b; NaN if either is."""
    return np.where(np.isnan(a), a, np.where(b < a, a, b))


_OPERATIONS: dict[str, Callable] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "fma": fma,
    "sqrt": np.sqrt, "abs": np.abs, "min": _minimum, "max": _maximum, "floor": np.floor, "round": np.rint,
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "and": np.logical_and, "or": np.logical_or,
    "not": np.logical_not, "select": np.where, "copysign": np.copysign,
}  # fmt: skip


def _pow2(precision: str, k):
    """k into the exponent field, by whole-number arithmetic that wraps; k is never NaN."""
    dtype, whole, mantissa, bias, _ = _FORMAT[precision]
    return ((k.astype(whole) + whole(bias)) << whole(mantissa)).view(dtype)


def _exponent(precision: str, x):
    """The exponent field, less the bias."""
    dtype, whole, mantissa, bias, field = _FORMAT[precision]
    return (((np.ascontiguousarray(x).view(whole) >> whole(mantissa)) & whole(field)) - whole(bias)).astype(dtype)


def _uniform(precision: str, key, counter):
    """The top bits of Philox, as many as the mantissa holds."""
    bits = uniform_bits(key.astype(np.float64), counter.astype(np.float64))
    if precision == "float64":
        return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (bits >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)


_BITS: dict[str, Callable] = {"pow2": _pow2, "exponent": _exponent, "uniform": _uniform}


def _gather(index, entries):
    """entries[⌊index⌋], clamped; NaN reads the first. Entries are numbers, or arrays over the lanes."""
    at = np.where(np.isnan(index), 0.0, np.clip(np.floor(index), 0, len(entries) - 1)).astype(np.intp)
    if isinstance(entries, np.ndarray):
        return entries[at]
    return np.stack(entries)[at, np.arange(len(at))]


def _repeat(loop: Loop, args: list, values: list, lanes: int, precision: str) -> list:
    """The items of a repeat node: last carry, then the recorded ones. A lane that is done keeps its values."""
    state, held, captured = (
        args[: loop.carry],
        args[loop.carry : loop.carry + loop.held],
        args[loop.carry + loop.held :],
    )
    dtype = _FORMAT[precision][0]
    records: list = []
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


def _row(block, i: int, held: list, values: list, lanes: int, dtype) -> list:
    """What pass i reads of a block (see `Block`)."""
    if block.source == "table":
        return [np.full(lanes, x, dtype) for x in block.table[i * block.width : (i + 1) * block.width]]
    source = {"input": values, "nodes": held}.get(block.source) or held[block.node]
    start = block.base + i * block.stride
    return source[start : start + block.width]
