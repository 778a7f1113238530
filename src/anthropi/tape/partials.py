"""The derivative of every operation: its tangent from its arguments' tangents, and the share of each argument.

`PUSH[op](y, args, tangents)` is the tangent of y. `PULL[op](y, args, c)` are the shares of the cotangent c, one for
each argument. Operations not listed (masks, floor, round, exponent, uniform …) have zero derivative.
"""

from typing import Any

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

__all__ = ["PULL", "PUSH"]


def _slope_asin(x):
    return div(1.0, sqrt(sub(1.0, mul(x, x))))


def _sign(x):
    return select(less(x, 0.0), -1.0, 1.0)


# dy for y = f(x): the slope, from y and x
SLOPE = {
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


def _is_zero(t) -> bool:
    return isinstance(t, float) and t == 0.0


def _push_gather(y, args, tangents):
    return 0.0 if all(_is_zero(t) for t in tangents[1:]) else gather(tangents[1:], args[0])


def _push_atan2(y, args, tangents):
    (b, a), (db, da) = args, tangents  # angle of (a, b)
    return div(sub(mul(a, db), mul(b, da)), fma(a, a, mul(b, b)))


def _push_div(y, args, tangents):
    (_, b), (da, db) = args, tangents
    return div(da, b) if _is_zero(db) else div(fma(neg(y), db, da), b)


def _push_unary(slope):
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


def _pull_div(y, args, c):
    share = div(c, args[1])
    return share, neg(mul(y, share))


def _pull_atan2(y, args, c):
    b, a = args
    share = div(c, fma(a, a, mul(b, b)))
    return mul(a, share), neg(mul(b, share))


def _pull_choice(mask, c):
    return select(mask, c, 0.0), select(mask, 0.0, c)


def _pull_gather(y, args, c):
    n = len(args) - 1
    if n == 0:
        return (0.0,)
    at = minimum(maximum(floor(args[0]), 0.0), float(n - 1))
    return (0.0, *(select(equal(at, float(k)), c, 0.0) for k in range(n)))


def _pull_unary(slope):
    return lambda y, args, c: ((c, slope(y, args[0])),)


PULL: dict[str, Any] = {
    "add": lambda y, a, c: (c, c),
    "sub": lambda y, a, c: (c, neg(c)),
    "mul": lambda y, a, c: ((c, a[1]), (c, a[0])),  # pairs: share = product, accumulated in one operation
    "div": _pull_div,
    "fma": lambda y, a, c: ((c, a[1]), (c, a[0]), c),
    "min": lambda y, a, c: _pull_choice(less(a[0], a[1]), c),
    "max": lambda y, a, c: _pull_choice(less(a[1], a[0]), c),
    "select": lambda y, a, c: (0.0, *_pull_choice(a[0], c)),
    "atan2": _pull_atan2,
    "gather": _pull_gather,
    **{op: _pull_unary(slope) for op, slope in SLOPE.items()},
}
