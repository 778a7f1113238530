"""The fixed list of operations that a tape can contain, and the random bits of `uniform`.

A new operation needs a decision page. Random bits are a pure function of a key and a counter: Philox 2x32-10 (J. K.
Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011).
"""

from typing import Any, NamedTuple

import numpy as np

__all__ = [
    "COMMUTES",
    "COUNTED",
    "LOWERED_ONLY",
    "MASKS",
    "MULTIPLIER",
    "NAMES",
    "OPERATIONS",
    "ROUNDS",
    "WEYL",
    "Operation",
    "uniform_bits",
]


class Operation(NamedTuple):
    """One kind of node: its name, its number of arguments (-1: any), and its count in operation budgets."""

    name: str
    arity: int
    cost: int


OPERATIONS = (
    # values
    Operation("const", 0, 0),  # data: the float
    Operation("input", 0, 0),  # data: flat position among the tape's inputs
    Operation("mask_input", 0, 0),  # data: position; a mask captured by a repeated block
    Operation("item", 1, 0),  # data: which value of a repeat node
    # arithmetic
    Operation("add", 2, 1),
    Operation("sub", 2, 1),
    Operation("mul", 2, 1),
    Operation("div", 2, 1),
    Operation("neg", 1, 0),
    Operation("fma", 3, 1),
    Operation("sqrt", 1, 1),
    Operation("abs", 1, 1),
    Operation("min", 2, 1),
    Operation("max", 2, 1),
    Operation("floor", 1, 1),
    Operation("round", 1, 1),  # to nearest, halves to even
    # masks
    Operation("lt", 2, 1),
    Operation("le", 2, 1),
    Operation("eq", 2, 1),
    Operation("and", 2, 1),
    Operation("or", 2, 1),
    Operation("not", 1, 1),
    Operation("select", 3, 1),
    # one node each until lowering
    Operation("sin", 1, 1),
    Operation("cos", 1, 1),
    Operation("tan", 1, 1),
    Operation("asin", 1, 1),
    Operation("acos", 1, 1),
    Operation("atan2", 2, 1),
    Operation("exp", 1, 1),
    Operation("log", 1, 1),
    # tables, random numbers, loops
    Operation("gather", -1, 1),  # args: index, then the entries when they are traced; data: the table when it is not
    Operation("uniform", 2, 1),
    Operation("repeat", -1, 0),  # data: a Loop; its body is counted
    # only in lowered tapes (docs/decisions/0008)
    Operation("pow2", 1, 1),
    Operation("exponent", 1, 1),
    Operation("copysign", 2, 1),
)
NAMES = tuple(o.name for o in OPERATIONS)
COUNTED = {o.name: o.cost for o in OPERATIONS}
MASKS = frozenset(("mask_input", "lt", "le", "eq", "and", "or", "not"))
COMMUTES = frozenset(("add", "mul", "eq", "and", "or"))
LOWERED_ONLY = frozenset(("pow2", "exponent", "copysign"))


MULTIPLIER = 0xD256D193
WEYL = 0x9E3779B9
ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)


def _whole(x: Any) -> np.ndarray:
    """Convert whole numbers held as floats to 64 bits (modulo 2**64); values that are not finite count as 0."""
    x = np.where(np.isfinite(x), x, 0.0)
    return np.clip(np.trunc(x), -(2.0**62), 2.0**62).astype(np.int64).astype(np.uint64)


def uniform_bits(key: Any, counter: Any) -> np.ndarray:
    """Compute 64 random bits per key (its low 32 bits) and counter (64 bits), whole numbers held as floats."""
    key, counter = np.broadcast_arrays(_whole(key), _whole(counter))
    key, low, high = key & _LOW, counter & _LOW, counter >> np.uint64(32)
    for _ in range(ROUNDS):
        product = np.uint64(MULTIPLIER) * low  # 32 x 32 → 64 bits
        low, high = (product >> np.uint64(32)) ^ key ^ high, product & _LOW
        key = (key + np.uint64(WEYL)) & _LOW
    return (high << np.uint64(32)) | low
