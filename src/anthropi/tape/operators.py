"""The operators of the recording scalar and mask: + - * / ** < <= == & | ~, attached to the classes on import."""

import numpy as np

from anthropi.tape import functions as f
from anthropi.tape.scalar import Mask, Scalar

__all__: list[str] = []


def _operator(function, swap: bool = False):
    def method(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # the array takes over, element by element
        return function(other, self) if swap else function(self, other)

    return method


def _different(x, y):
    return f.logical_not(f.equal(x, y))


def _itself(x):
    return x


_SCALAR = {
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
_BOTH_SIDES = {"add": f.add, "sub": f.sub, "mul": f.mul, "truediv": f.div, "pow": f.power}
_MASK = {"and": f.logical_and, "or": f.logical_or}

for _name, _method in _SCALAR.items():
    setattr(Scalar, f"__{_name}__", _method)
for _cls, _methods in ((Scalar, _BOTH_SIDES), (Mask, _MASK)):
    for _name, _function in _methods.items():
        setattr(_cls, f"__{_name}__", _operator(_function))
        setattr(_cls, f"__r{_name}__", _operator(_function, swap=True))
for _cls, _name, _method in ((Mask, "__invert__", f.logical_not), (Scalar, "__hash__", None), (Mask, "__hash__", None)):
    setattr(_cls, _name, _method)
