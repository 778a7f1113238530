"""Values of a recording: `Scalar` for numbers, `Mask` for comparisons, `Table` for constants of `gather`.

Their operators are attached in `operators.py`; `functions.py` holds the operations and their folding rules.
"""

import struct
from collections.abc import Iterable
from typing import Any

from anthropi.errors import TraceError

__all__ = ["Mask", "Scalar", "Table"]


def _unavailable(what: str, instead: str) -> Any:
    """Make a method that raises `TraceError`: the value is unknown while recording."""

    def method(self, *ignored):
        raise TraceError(f"{what} of a recording {type(self).__name__.lower()} is not known yet: {instead}")

    return method


def _no_ufunc(numpy_name: str, our_name: str) -> Any:
    """Make a method that raises `TraceError` with the function to use instead of NumPy's."""

    def method(self, *ignored):
        raise TraceError(f"np.{numpy_name} does not record. Use anthropi.scalar.{our_name} instead.")

    return method


_BRANCH = (
    "branch on the figure, select on the state with anthropi.scalar.where(mask, a, b); "
    "compare arrays with anthropi.scalar.less(a, b), not a < b."
)
_FLOAT = (
    "it cannot go into a float array or a float-only function. Build arrays with np.array([...]) or np.stack([...]) "
    "and never assign into a float array."
)


class Scalar:
    """A number that is being recorded: a node of a tape.

    Constants stay Python floats; arithmetic with them folds. Comparisons give a `Mask`.

    tape, index : the tape and the number of the node.
    """

    __slots__ = ("index", "tape")
    __array_priority__ = -1.0  # arrays handle the operation first, element by element
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tape: Any, index: int) -> None:
        self.tape, self.index = tape, index

    def __repr__(self) -> str:
        return f"Scalar(%{self.index} = {self.tape.op[self.index]})"

    def conjugate(self) -> "Scalar":
        """Return the number itself; `np.vdot` and similar functions call this."""
        return self

    __bool__ = _unavailable("The truth", _BRANCH)
    __float__ = _unavailable("The float value", _FLOAT)
    __int__ = _unavailable("The int value", "use anthropi.scalar.floor, or gather(table, index) to look something up.")
    __index__ = _unavailable("The index value", "use anthropi.scalar.gather(table, index).")
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = _unavailable(
        "The whole part", "use anthropi.scalar.floor(x / y)."
    )
    __round__ = _unavailable("The rounded value", "use anthropi.scalar.nearest.")

    sin, cos, tan = _no_ufunc("sin", "sin"), _no_ufunc("cos", "cos"), _no_ufunc("tan", "tan")
    arcsin, arccos = _no_ufunc("arcsin", "asin"), _no_ufunc("arccos", "acos")
    arctan, arctan2 = _no_ufunc("arctan", "atan2"), _no_ufunc("arctan2", "atan2")
    exp, log, sqrt = _no_ufunc("exp", "exp"), _no_ufunc("log", "log"), _no_ufunc("sqrt", "sqrt")
    hypot, floor, rint = _no_ufunc("hypot", "hypot"), _no_ufunc("floor", "floor"), _no_ufunc("rint", "nearest")


class Mask:
    """The truth of a comparison that is being recorded: combine with & | ~, use with `where`."""

    __slots__ = ("index", "tape")
    __array_priority__ = -1.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tape: Any, index: int) -> None:
        self.tape, self.index = tape, index

    def __repr__(self) -> str:
        return f"Mask(%{self.index} = {self.tape.op[self.index]})"

    __bool__ = _unavailable("The truth", _BRANCH)
    __float__ = _unavailable("The float value", "use anthropi.scalar.where(mask, 1.0, 0.0).")
    __eq__ = __ne__ = _unavailable("The equality", "combine masks with & | ~.")


class Table(tuple):
    """Constant floats that `gather` reads; compared by their bits, which are kept so that repeated reads are cheap."""

    packed: bytes

    def __new__(cls, numbers: Iterable) -> "Table":
        """Make a table of numbers that do not record."""
        made = super().__new__(cls, (float(x) for x in numbers))
        made.packed = struct.pack(f"<{len(made)}d", *made)
        return made

    def __reduce__(self) -> tuple:
        return Table, (tuple(self),)
