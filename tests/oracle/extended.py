"""A tape played in extended precision: the same operations on mpmath numbers, and central differences of it."""

import mpmath
import numpy as np

from anthropi.tape import inline

DIGITS = 50
STEP = mpmath.mpf(10) ** -16  # of a central difference: truncated at 1e-32, rounded at 1e-34

FUNCTIONS = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y,
    "neg": lambda x: -x, "fma": lambda x, y, z: x * y + z, "sqrt": mpmath.sqrt, "abs": abs, "min": min, "max": max,
    "floor": mpmath.floor, "round": mpmath.nint, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
    "eq": lambda x, y: x == y, "and": lambda x, y: x and y, "or": lambda x, y: x or y, "not": lambda x: not x,
    "select": lambda mask, x, y: x if mask else y, "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan,
    "asin": mpmath.asin, "acos": mpmath.acos, "atan2": mpmath.atan2, "exp": mpmath.exp, "log": mpmath.log,
}  # fmt: skip


def difference(tape, at, direction) -> np.ndarray:
    """How do the tape's flat results change from `at` along `direction`? By a central difference."""
    with mpmath.workdps(DIGITS):
        start, along = ([mpmath.mpf(float(x)) for x in values] for values in (at, direction))
        ends = [
            inline(tape, [x + sign * STEP * d for x, d in zip(start, along, strict=True)], FUNCTIONS)
            for sign in (1, -1)
        ]
        return np.array([float((a - b) / (2 * STEP)) for a, b in zip(*ends, strict=True)])
