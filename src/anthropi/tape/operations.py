"""Which operations a tape may hold: the closed list. A new one is a decision page."""

from typing import NamedTuple

__all__ = ["COMMUTES", "COUNTED", "LOWERED_ONLY", "MASKS", "NAMES", "OPERATIONS", "Operation"]


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
