"""Values of a recording: `Scalar` for numbers, `Mask` for comparisons, `Table` for constants of `gather`.

Their operators are attached in `operators.py`; `functions.py` contains the operations and their folding rules.
"""

import struct
from collections.abc import Iterable
from typing import Any, ClassVar

from anthropi.errors import TraceError

__all__ = ["Mask", "Scalar", "Table"]


def _unavailable(what: str, instead: str) -> Any:
    """Make a method that raises `TraceError`, because the value is unknown while recording."""

    def method(self, *ignored):
        raise TraceError(f"{what} of a recording {type(self).__name__.lower()} is not known yet. {instead}")

    return method


def _no_ufunc(numpy_name: str, our_name: str) -> Any:
    """Make a method that raises `TraceError` with the function to use instead of NumPy's."""

    def method(self, *ignored):
        raise TraceError(f"np.{numpy_name} does not record. Use anthropi.scalar.{our_name} instead.")

    return method


_BRANCH = (
    "Branch only on properties of the figure. For values of the state use anthropi.scalar.where(mask, a, b), "
    "and compare arrays with anthropi.scalar.less(a, b), not a < b."
)
_FLOAT = (
    "It cannot be stored in a float array or passed to a function of floats. Build arrays with np.array([...]) or "
    "np.stack([...]), and do not assign into a float array."
)


class Scalar:
    """A number that is being recorded: a node of a tape.

    Constants stay Python floats; arithmetic with them folds. Comparisons give a `Mask`.

    tape, index : the tape and the number of the node.
    """

    __slots__ = ("index", "tape")
    index: int
    tape: Any
    __array_priority__: float = -1.0  # arrays handle the operation first, element by element
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, tape: Any, index: int) -> None:
        self.tape, self.index = tape, index

    def __repr__(self) -> str:
        return f"Scalar(%{self.index} = {self.tape.op[self.index]})"

    def conjugate(self) -> "Scalar":
        """Return the number itself; `np.vdot` and similar functions call this."""
        return self

    __bool__: Any = _unavailable("The truth value", _BRANCH)
    __float__: Any = _unavailable("The float value", _FLOAT)
    __int__: Any = _unavailable(
        "The int value", "Use anthropi.scalar.floor, or gather(table, index) to read from a table."
    )
    __index__: Any = _unavailable("The index value", "Use anthropi.scalar.gather(table, index).")
    __floordiv__: Any = _unavailable("The whole part", "Use anthropi.scalar.floor(x / y).")
    __rfloordiv__: Any = __floordiv__
    __mod__: Any = __floordiv__
    __rmod__: Any = __floordiv__
    __divmod__: Any = __floordiv__
    __round__: Any = _unavailable("The rounded value", "Use anthropi.scalar.nearest.")


class Mask:
    """Result of a comparison that is being recorded. Combine masks with & | ~ and use them with `where`."""

    __slots__ = ("index", "tape")
    index: int
    tape: Any
    __array_priority__: float = -1.0
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, tape: Any, index: int) -> None:
        self.tape, self.index = tape, index

    def __repr__(self) -> str:
        return f"Mask(%{self.index} = {self.tape.op[self.index]})"

    __bool__: Any = _unavailable("The truth value", _BRANCH)
    __float__: Any = _unavailable("The float value", "Use anthropi.scalar.where(mask, 1.0, 0.0).")
    __eq__: Any = _unavailable("The equality", "Combine masks with & | ~.")
    __ne__: Any = __eq__


_INSTEAD_OF_UFUNCS = {  # on object arrays, NumPy calls the method with the ufunc's name
    "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan2", "arctan2": "atan2",
    "exp": "exp", "log": "log", "sqrt": "sqrt", "hypot": "hypot", "floor": "floor", "rint": "nearest",
}  # fmt: skip
for _numpy_name, _our_name in _INSTEAD_OF_UFUNCS.items():
    setattr(Scalar, _numpy_name, _no_ufunc(_numpy_name, _our_name))


class Table(tuple):
    """Constant floats that `gather` reads. Tables are compared by `packed`, their bytes, computed only once."""

    packed: bytes

    def __new__(cls, numbers: Iterable[Any]) -> "Table":
        """Make a table of plain numbers."""
        made = super().__new__(cls, (float(x) for x in numbers))
        made.packed = struct.pack(f"<{len(made)}d", *made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (tuple(self),)
