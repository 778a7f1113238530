"""The list of golden cases, and how the result of a case becomes a digest.

A case is a function without arguments that returns the numbers to keep: arrays, nested in tuples, dicts and
dataclasses as the package returns them. Names of fields and keys are not part of a digest, so renaming them changes
nothing.
"""

import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

CASES: dict[str, "Case"] = {}
DIGITS = 9  # of results that NumPy computed on floats
FITTED = 6  # of iterations on floats that stop at a tolerance


class Case(NamedTuple):
    """run : returns the numbers, or `Counted`.

    digits : None where the bits are promised: kernels and plain float arithmetic. A number where the result goes
    through NumPy's linear algebra or elementary functions, whose last bits differ between CPUs: the digest is then of
    values rounded to so many significant digits.
    """

    run: Callable[[], Any]
    digits: int | None


class Counted(NamedTuple):
    """Numbers, and the operations of the kernel that made them (before lowering, `neg` counts 0)."""

    numbers: Any
    operations: int


def case(name: str, digits: int | None = None):
    """Add a function to the cases: `@case("layer/figure/what")`."""

    def add(function):
        if name in CASES:
            raise ValueError(f"Two golden cases are called '{name}'.")
        CASES[name] = Case(function, digits)
        return function

    return add


def measured(name: str) -> dict[str, Any]:
    """Run a case: its digest, its operations if counted, its numbers' count and the sum of their magnitudes."""
    found = CASES[name].run()
    counted = isinstance(found, Counted)
    arrays = list(_arrays(found.numbers if counted else found))
    if CASES[name].digits is not None:
        arrays = [_rounded(x, CASES[name].digits) for x in arrays]
    sha = hashlib.sha256()
    for x in arrays:
        sha.update(f"{x.shape}".encode() + x.astype("<f8").tobytes())
    made: dict[str, Any] = {"digest": sha.hexdigest()[:24], "numbers": sum(x.size for x in arrays)}
    made["magnitude"] = float(f"{sum(float(np.abs(x).sum()) for x in arrays):.12g}")
    return made | ({"operations": found.operations} if counted else {})


def _arrays(value):
    """The arrays of float64 inside a result, in order."""
    if value is None:
        return
    if isinstance(value, dict):
        value = tuple(value.values())
    elif dataclasses.is_dataclass(value):
        value = tuple(getattr(value, f.name) for f in dataclasses.fields(value))
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from _arrays(part)
    else:
        yield np.ascontiguousarray(value, dtype=float).reshape(np.shape(value))


def _rounded(x: np.ndarray, digits: int) -> np.ndarray:
    """Values to so many significant digits of the largest one in the array; no negative zeros."""
    most = np.abs(x).max(initial=0.0)
    if most == 0.0 or not np.isfinite(most):
        return x
    places = digits - 1 - int(np.floor(np.log10(most)))
    return np.round(x, places) + 0.0
