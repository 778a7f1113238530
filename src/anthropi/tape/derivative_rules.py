"""Derivatives of the operations, and derivative rules of functions.

`PUSH[op](y, args, tangents)` is the tangent of y. `PULL[op](y, args, c)` are the contributions of the cotangent c to
each argument. Operations not listed (masks, floor, round, exponent, uniform …) have zero derivative. `derivative_rule`
gives a function its own derivative, which replaces the chain rule.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.tape.functions import (
    add,
    cos,
    div,
    equal,
    floor,
    fma,
    gather,
    less,
    maximum,
    minimum,
    mul,
    neg,
    select,
    sin,
    sqrt,
    sub,
)
from anthropi.tape.inline import deepest

__all__ = ["PULL", "PUSH", "derivative_rule"]


def _slope_asin(x: Any) -> Any:
    return div(1.0, sqrt(sub(1.0, mul(x, x))))


def _sign(x: Any) -> Any:
    return select(less(x, 0.0), -1.0, 1.0)


# derivative dy/dx of y = f(x), from y and x
SLOPE: dict[str, Callable[[Any, Any], Any]] = {
    "neg": lambda y, x: -1.0,
    "sqrt": lambda y, x: div(0.5, y),
    "abs": lambda y, x: _sign(x),
    "sin": lambda y, x: cos(x),
    "cos": lambda y, x: neg(sin(x)),
    "tan": lambda y, x: fma(y, y, 1.0),
    "asin": lambda y, x: _slope_asin(x),
    "acos": lambda y, x: neg(_slope_asin(x)),
    "exp": lambda y, x: y,
    "log": lambda y, x: div(1.0, x),
}


def _is_zero(t: Any) -> bool:
    return isinstance(t, float) and t == 0.0


def _push_gather(y: Any, args: Any, tangents: Any) -> Any:
    return 0.0 if all(_is_zero(t) for t in tangents[1:]) else gather(tangents[1:], args[0])


def _push_atan2(y: Any, args: Any, tangents: Any) -> Any:
    (b, a), (db, da) = args, tangents  # angle of (a, b)
    return div(sub(mul(a, db), mul(b, da)), fma(a, a, mul(b, b)))


def _push_div(y: Any, args: Any, tangents: Any) -> Any:
    (_, b), (da, db) = args, tangents
    return div(da, b) if _is_zero(db) else div(fma(neg(y), db, da), b)


def _push_unary(slope: Any) -> Any:
    return lambda y, args, tangents: mul(slope(y, args[0]), tangents[0])


PUSH: dict[str, Any] = {
    "add": lambda y, a, t: add(t[0], t[1]),
    "sub": lambda y, a, t: sub(t[0], t[1]),
    "mul": lambda y, a, t: fma(a[0], t[1], mul(a[1], t[0])),
    "div": _push_div,
    "fma": lambda y, a, t: fma(a[0], t[1], fma(a[1], t[0], t[2])),
    "min": lambda y, a, t: select(less(a[0], a[1]), t[0], t[1]),
    "max": lambda y, a, t: select(less(a[1], a[0]), t[0], t[1]),
    "select": lambda y, a, t: select(a[0], t[1], t[2]),
    "atan2": _push_atan2,
    "gather": _push_gather,
    **{op: _push_unary(slope) for op, slope in SLOPE.items()},
}


def _pull_div(y: Any, args: Any, c: Any) -> Any:
    share = div(c, args[1])
    return share, neg(mul(y, share))


def _pull_atan2(y: Any, args: Any, c: Any) -> Any:
    b, a = args
    share = div(c, fma(a, a, mul(b, b)))
    return mul(a, share), neg(mul(b, share))


def _pull_choice(mask: Any, c: Any) -> Any:
    return select(mask, c, 0.0), select(mask, 0.0, c)


def _pull_gather(y: Any, args: Any, c: Any) -> Any:
    n = len(args) - 1
    if n == 0:
        return (0.0,)
    at = minimum(maximum(floor(args[0]), 0.0), float(n - 1))
    return (0.0, *(select(equal(at, float(k)), c, 0.0) for k in range(n)))


def _pull_unary(slope: Any) -> Any:
    return lambda y, args, c: ((c, slope(y, args[0])),)


PULL: dict[str, Any] = {
    "add": lambda y, a, c: (c, c),
    "sub": lambda y, a, c: (c, neg(c)),
    "mul": lambda y, a, c: ((c, a[1]), (c, a[0])),  # a pair stands for its product, added in one operation
    "div": _pull_div,
    "fma": lambda y, a, c: ((c, a[1]), (c, a[0]), c),
    "min": lambda y, a, c: _pull_choice(less(a[0], a[1]), c),
    "max": lambda y, a, c: _pull_choice(less(a[1], a[0]), c),
    "select": lambda y, a, c: (0.0, *_pull_choice(a[0], c)),
    "atan2": _pull_atan2,
    "gather": _pull_gather,
    **{op: _pull_unary(slope) for op, slope in SLOPE.items()},
}


def derivative_rule(
    push: Callable[..., Any], pull: Callable[..., Any], partial: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a function its own derivative (docs/decisions/0009-derivative-rules.md).

    The function takes arrays or numbers and returns one array or number; it is recorded unchanged. Derivatives then use

    - `push(inputs, output, tangents)` → tangent of the output, same shape as the output;
    - `pull(inputs, output, cotangent)` → tuple of cotangents, one for each input and of its shape,

    where `inputs` and `tangents` are tuples like the function's arguments. Both are ordinary functions that record, so
    second derivatives work too. The rule of an element-wise function may work on whole arrays.

    The rule applies only if all its inputs and outputs are used on the tape; otherwise the chain rule is used. The
    function should therefore take only values that it reads (a packed upper triangle, not a full symmetric matrix).
    With `partial`, the rule also applies if some inputs are not used. They are NaN, and the rule must not read them.
    """

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            output = function(*args)
            arrays = [np.asarray(a) for a in (*args, output)]
            if any(a.dtype == object for a in arrays[:-1]):
                _attach(arrays, push, pull, partial)
            return output

        return wrapper

    return decorate


def _attach(arrays: Any, push: Any, pull: Any, partial: bool) -> None:
    """Attach a derivative rule to the tape of the outputs, for flat lists of values."""
    shapes = [a.shape for a in arrays[:-1]]
    inputs, outputs = [x for a in arrays[:-1] for x in a.flat], list(arrays[-1].flat)
    tape, innermost = deepest(outputs), deepest(inputs)
    if tape is None or (innermost is not None and innermost.depth > tape.depth):
        return  # the output is constant, or does not depend on what changes from pass to pass
    shape = arrays[-1].shape

    def flat_push(values, results, tangents):
        return list(_flat(push(_cut(values, shapes), _one(results, shape), _cut(tangents, shapes)), shape))

    def flat_pull(values, results, cotangents):
        shares = pull(_cut(values, shapes), _one(results, shape), _one(cotangents, shape))
        return [x for share, s in zip(shares, shapes, strict=True) for x in _flat(share, s)]

    tape.add_rule(inputs, outputs, flat_push, flat_pull, partial)


def _flat(value: Any, shape: Any) -> Any:
    return np.broadcast_to(np.asarray(value, dtype=object), shape).flat


def _one(values: Any, shape: Any) -> Any:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(shape)[()] if shape == () else out.reshape(shape)


def _cut(values: Any, shapes: Any) -> Any:
    parts, start = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(_one(values[start : start + size], shape))
        start += size
    return tuple(parts)
