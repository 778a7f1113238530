"""Operators of the recording scalar and mask, + - * / ** < <= == & | ~, attached to the classes on import."""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.tape import functions as f
from anthropi.tape.scalar import Mask, Scalar

__all__: list[str] = []


def _operator(function: Callable[..., Any], swap: bool = False) -> Callable[..., Any]:
    """Make an operator method from a function of two values. With an array, NumPy calls it for each element."""

    def method(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # NumPy then calls the operator for each element
        return function(other, self) if swap else function(self, other)

    return method


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
_BOTH_SIDES: dict[str, Any] = {"add": f.add, "sub": f.sub, "mul": f.mul, "truediv": f.div, "pow": f.power}
_MASK: dict[str, Any] = {"and": f.logical_and, "or": f.logical_or}

for _cls, _methods in ((Scalar, _SCALAR), (Mask, {"invert": f.logical_not})):
    for _name, _method in _methods.items():
        setattr(_cls, f"__{_name}__", _method)
for _cls, _methods in ((Scalar, _BOTH_SIDES), (Mask, _MASK)):
    for _name, _function in _methods.items():
        setattr(_cls, f"__{_name}__", _operator(_function))
        setattr(_cls, f"__r{_name}__", _operator(_function, swap=True))
