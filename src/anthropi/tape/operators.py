"""Operators of the recording scalar and mask, + - * / ** < <= == & | ~, attached to the classes on import."""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.tape import functions as f
from anthropi.tape.operations import COMMUTES
from anthropi.tape.scalar import Mask, Scalar

__all__: list[str] = []


def _operator(function: Callable[..., Any], swap: bool = False) -> Callable[..., Any]:
    """Make an operator method from a function of two values. With an array, NumPy calls it for each element."""

    def method(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # NumPy then calls the operator for each element
        return function(other, self) if swap else function(self, other)

    return method


def _arithmetic(op: str, function: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Make the methods of +, - or * and of the same operator with the arguments swapped.

    Frequent cases are handled in one call, because a recording consists mostly of them: two scalars of which none is
    negated, and the constant 0. They give the same nodes as `function`, which handles all other cases.
    """
    commutes, is_difference, is_product, new = op in COMMUTES, op == "sub", op == "mul", object.__new__

    def method(self, other):
        kind = type(other)
        if kind is Scalar:
            tape, i, j = self.tape, self.index, other.index
            if tape.op[i] != "neg" and other.tape.op[j] != "neg":
                if other.tape is not tape:
                    if other.tape.depth > tape.depth:
                        tape, i = other.tape, other.tape.capture(self)
                    else:
                        j = tape.capture(other)
                elif is_difference and (i == j or (op, j, i) in tape.numbers):
                    return function(self, other)
                if commutes and i > j:
                    i, j = j, i
                name = (op, i, j)
                index = tape.numbers.get(name)
                if index is None:
                    index = tape.numbers[name] = len(tape.op)
                    tape.op.append(op)
                    tape.args.append((i, j))
                    tape.data.append(None)
                made = new(Scalar)
                made.tape, made.index = tape, index
                return made
        elif kind is float:
            if other == 0.0:
                return 0.0 if is_product else self
        elif isinstance(other, np.ndarray):
            return NotImplemented  # NumPy then calls the operator for each element
        return function(self, other)

    def swapped(self, other):
        if type(other) is float and other == 0.0 and commutes:
            return 0.0 if is_product else self
        return NotImplemented if isinstance(other, np.ndarray) else function(other, self)

    return method, swapped


def _different(x: Any, y: Any) -> Any:
    return f.logical_not(f.equal(x, y))


def _itself(x: Any) -> Any:
    return x


_SCALAR: dict[str, Any] = {
    "lt": _operator(f.less),
    "gt": _operator(f.less, swap=True),
    "le": _operator(f.less_equal),
    "ge": _operator(f.less_equal, swap=True),
    "eq": _operator(f.equal),
    "ne": _operator(_different),
    "neg": f.neg,
    "pos": _itself,
    "abs": f.absolute,
}
_ARITHMETIC: dict[str, Any] = {"add": f.add, "sub": f.sub, "mul": f.mul}
_BOTH_SIDES: dict[str, Any] = {"truediv": f.div, "pow": f.power}
_MASK: dict[str, Any] = {"and": f.logical_and, "or": f.logical_or}

for _cls, _methods in ((Scalar, _SCALAR), (Mask, {"invert": f.logical_not})):
    for _name, _method in _methods.items():
        setattr(_cls, f"__{_name}__", _method)
for _cls, _methods in ((Scalar, _BOTH_SIDES), (Mask, _MASK)):
    for _name, _function in _methods.items():
        setattr(_cls, f"__{_name}__", _operator(_function))
        setattr(_cls, f"__r{_name}__", _operator(_function, swap=True))
for _name, _function in _ARITHMETIC.items():
    _method, _swapped = _arithmetic(_name, _function)
    setattr(Scalar, f"__{_name}__", _method)
    setattr(Scalar, f"__r{_name}__", _swapped)
