"""Which operations a tape may hold: the closed list. A new one is a decision page.

Philox
------
Random bits as a pure function of a key and a counter: Philox 2x32-10 (Salmon et al., SC 2011).
"""

from typing import NamedTuple

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
    """One kind of node: its name, how many arguments it takes (-1: any), how much it counts for budgets."""

    name: str
    arity: int
    cost: int


OPERATIONS = (
    # what a node stands for rather than does
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
    # memory, chance, loops
    Operation("gather", -1, 1),  # args: index, then the entries when they are traced; data: the table when it is not
    Operation("uniform", 2, 1),
    Operation("repeat", -1, 0),  # data: a Loop; its body is counted
    # only in lowered tapes (decision 0008)
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


def _whole(x):
    """The bits of a whole number, modulo 2**64; what is not finite counts as 0."""
    x = np.where(np.isfinite(x), x, 0.0)
    return np.clip(np.trunc(x), -(2.0**62), 2.0**62).astype(np.int64).astype(np.uint64)


def uniform_bits(key, counter):
    """64 random bits for each key (its low 32 bits) and counter (64 bits), both whole numbers held as floats."""
    key, counter = np.broadcast_arrays(_whole(key), _whole(counter))
    key, low, high = key & _LOW, counter & _LOW, counter >> np.uint64(32)
    for _ in range(ROUNDS):
        product = np.uint64(MULTIPLIER) * low  # 32 x 32 → 64 bits
        low, high = (product >> np.uint64(32)) ^ key ^ high, product & _LOW
        key = (key + np.uint64(WEYL)) & _LOW
    return (high << np.uint64(32)) | low
