"""Formulas as text, such as "0.4*sin(2*pi*t) + a*t": safe parsing, with derivatives from the tape.

Text is parsed with Python's grammar and checked node by node. Only these parts are accepted: numbers, known names,
+ - * / and powers with integer exponents, comparisons inside where(…), and calls of `FUNCTIONS`. Nothing is evaluated
as Python, so a formula in a file can only compute a number. `Expression` is a function of time; `formula` evaluates a
formula of several variables, such as "0.2*sin(3*x)*cos(y)", at many points.
"""

import ast
import math
from typing import Any

import numpy as np

from anthropi.algebra import scalar
from anthropi.algebra.scalar import records
from anthropi.compiler import build
from anthropi.errors import InputError, did_you_mean
from anthropi.motion.time_functions import Integral, TimeFunction
from anthropi.tape import record
from anthropi.tape.sweeps import push

__all__ = ["FUNCTIONS", "Expression", "formula"]


FUNCTIONS: dict[str, tuple[Any, int]] = {  # name: (function, number of arguments)
    "sin": (scalar.sin, 1),
    "cos": (scalar.cos, 1),
    "tan": (scalar.tan, 1),
    "asin": (scalar.asin, 1),
    "acos": (scalar.acos, 1),
    "atan2": (scalar.atan2, 2),
    "exp": (scalar.exp, 1),
    "log": (scalar.log, 1),
    "sqrt": (scalar.sqrt, 1),
    "abs": (scalar.absolute, 1),
    "min": (scalar.minimum, 2),
    "max": (scalar.maximum, 2),
    "floor": (scalar.floor, 1),
    "where": (scalar.where, 3),
}
CONSTANTS = {"pi": math.pi}
MAX_CHARACTERS, MAX_NESTING, MAX_EXPONENT = 2000, 50, 64
_SIGNS: dict[type[Any], Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
_ORDERS: dict[type[Any], Any] = {
    ast.Lt: scalar.less,
    ast.LtE: scalar.less_equal,
    ast.Gt: scalar.greater,
    ast.GtE: scalar.greater_equal,
}


class Expression:
    """Function of time from text: t → `TimeFunction`. Can be recorded on a tape.

    Parameters
    ----------
    text : a formula in t [s]; functions: see `FUNCTIONS`; constants: pi and those given.
    span : (first, last) [s] over which it can be integrated.
    breaks : [s] times at which it is not smooth.
    constants : numbers by name.
    """

    breaks: Any
    constants: Any
    span: Any
    text: Any

    def __init__(self, text: str, span: Any = (0.0, 10.0), breaks: Any = (), **constants: float) -> None:
        self.text, self.span, self.breaks, self.constants = text, tuple(span), tuple(breaks), constants
        known = CONSTANTS | constants
        for name, value in constants.items():
            if name == "t" or name in FUNCTIONS:
                raise InputError(f"'{name}' already has a meaning in expressions. Give the constant another name.")
            if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
                raise InputError(f"The constant '{name}' is {value!r}; give a number.")
        tree = _parsed(text)
        _check(tree, text, (*known, "t"))
        with np.errstate(all="ignore"):
            tape = record(lambda t: np.array([_value(tree, {**known, "t": t})]), t=np.zeros(()))
        self._tapes = (tape, *_slopes(tape, 2))

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def __call__(self, t: Any) -> TimeFunction:
        """Return value, rate and acceleration at t [s]: a number, a recording scalar, or (n,) floats."""
        if not records(t) and np.ndim(t):
            rows = [self(float(x)) for x in np.ravel(t)]
            return TimeFunction(*(np.array(x).reshape(np.shape(t)) for x in zip(*rows, strict=True)))
        t = t if records(t) else float(t)
        with np.errstate(all="ignore"):  # numbers that are not finite are checked where they are used
            return TimeFunction(*_on(self._tapes[-1], t)[:3])

    def derivative(self) -> "_Slope":
        """Return the exact derivative as a function of time, computed from the tape."""
        return _Slope(self, _slopes(self._tapes[-1], 1)[-1], 1)

    def integral(self, value: Any = 0.0, at: float | None = None) -> Integral:
        """Return the integral as a function of time within the span, with `value` at `at` [s], by default its start."""
        return Integral(self, self.span, (value,), at, self.breaks)


class _Slope:
    """Derivative of an expression, from a tape that also contains all lower derivatives."""

    def __init__(self, of: Expression, tape, order: int) -> None:
        self._of, self._tape, self._order = of, tape, order

    def __call__(self, t) -> TimeFunction:
        if not records(t) and np.ndim(t):
            rows = [self(float(x)) for x in np.ravel(t)]
            return TimeFunction(*(np.array(x).reshape(np.shape(t)) for x in zip(*rows, strict=True)))
        with np.errstate(all="ignore"):
            return TimeFunction(*_on(self._tape, t if records(t) else float(t))[self._order : self._order + 3])

    def derivative(self) -> "_Slope":
        return _Slope(self._of, _slopes(self._tape, 1)[-1], self._order + 1)

    def integral(self, value=0.0, at: float | None = None) -> Integral:
        return Integral(self, self._of.span, (value,), at, self._of.breaks)


def _on(tape, t) -> list[Any]:
    """Return the outputs of a tape at t; if t is a recording scalar, so are they."""
    return push(tape, [t], [(0.0,)])[0]


def _slopes(tape, times: int) -> list[Any]:
    """Return tapes with one, two … derivatives appended to the outputs."""
    found: list[Any] = []
    for _ in range(times):
        before = found[-1] if found else tape

        def more(t, before=before):
            outputs, slopes = push(before, [t], [(1.0,)])
            return np.array([*outputs, slopes[-1][0]], object)

        found.append(record(more, t=np.zeros(())))
    return found


def _parsed(text) -> ast.expr:
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"An expression must be text, such as '0.4*sin(2*pi*t)'; got {text!r}.")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"The expression has {len(text)} characters; at most {MAX_CHARACTERS} are allowed. If it contains "
            "tabulated values, use a spline instead."
        )
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" at character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        raise InputError(f"The expression '{text[:80]}' cannot be read{where}: {_words(error)}.") from None


def _words(error) -> str:
    return str(getattr(error, "msg", error)) or "too deeply nested"


def _check(node, text: str, names, depth: int = 0, truth: bool = False) -> None:
    """Raise InputError if a node is not part of a formula. truth : whether a comparison is expected."""

    def refuse(what: str) -> InputError:
        part = ast.get_source_segment(text.strip(), node) or text
        what = what if what.endswith(("?", ".")) else f"{what}."
        return InputError(
            f"The expression '{text[:80]}' has '{part[:40]}', {what} A formula is made of numbers, t, "
            f"+ - * / **, and {', '.join(FUNCTIONS)}; names: {', '.join(names)}."
        )

    if depth > MAX_NESTING:
        raise InputError(f"An expression is nested more than {MAX_NESTING} levels deep. Split it.")
    if isinstance(node, ast.Compare):
        if not truth or len(node.ops) != 1 or type(node.ops[0]) not in _ORDERS:
            raise refuse("a comparison. Use a single <, <=, > or >=, inside where(a < b, x, y)")
        inner = [node.left, node.comparators[0]]
    elif truth:
        raise refuse("where a comparison belongs: where(a < b, x, y)")
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)) or abs(node.value) > 1e300:
            raise refuse("which is not a finite number")
        return
    elif isinstance(node, ast.Name):
        if node.id not in names:
            hint = " It is a function: give it arguments." if node.id in FUNCTIONS else ""
            raise refuse(f"a name that is not known.{did_you_mean(node.id, names)}{hint} Give constants by name")
        return
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        _exponent(node, refuse)
        inner = [node.left]
    elif isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        inner = [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        wanted = FUNCTIONS[node.func.id][1]
        if node.keywords or len(node.args) != wanted:
            raise refuse(f"and {node.func.id} takes {wanted} argument{'s' * (wanted > 1)}")
        if node.func.id == "where":
            _check(node.args[0], text, names, depth + 1, truth=True)
        inner = node.args[1:] if node.func.id == "where" else node.args
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        raise refuse(f"a function that is not known.{did_you_mean(node.func.id, FUNCTIONS)}")
    else:
        raise refuse("which is not part of a formula")
    for part in inner:
        _check(part, text, names, depth + 1)


def _exponent(node: ast.BinOp, refuse) -> int | float:
    """Exponent of a power: an integer or 0.5."""
    right = node.right
    negative = isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub)
    bare = right.operand if isinstance(right, ast.UnaryOp) and negative else right
    value: Any = bare.value if isinstance(bare, ast.Constant) else None
    whole = (
        isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(min(value, MAX_EXPONENT + 1))
    )
    if not (whole and value <= MAX_EXPONENT) and value != 0.5:
        raise refuse(
            f"whose exponent is neither a whole number up to {MAX_EXPONENT} nor 0.5. Otherwise write exp(n*log(x))"
        )
    return -value if negative else value


def _value(node, names):
    """Return the value of a checked node; raise InputError if a constant part is not finite."""
    found = _value_of(node, names)
    if isinstance(found, (float, np.floating)) and not math.isfinite(found):
        raise InputError(f"In an expression, '{ast.unparse(node)[:60]}' is {found}, which is not a finite number.")
    return found


def _value_of(node, names):
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, names)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _power(_value(node.left, names), _exponent(node, None))
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, names), _value(node.right, names)
        if isinstance(node.op, ast.Div) and not records(right) and right == 0.0:
            raise InputError(f"An expression divides by 0: '{ast.unparse(node)[:60]}'.")
        return _SIGNS[type(node.op)](left, right)
    if isinstance(node, ast.Compare):
        return _ORDERS[type(node.ops[0])](_value(node.left, names), _value(node.comparators[0], names))
    return FUNCTIONS[node.func.id][0](*(_value(x, names) for x in node.args))


def _power(base: Any, exponent: float) -> Any:
    """Return a power; for a constant base, infinite or NaN where Python raises an error or gives a complex number."""
    if records(base):
        return base**exponent if exponent != -0.5 else 1.0 / base**0.5
    try:
        found = base**exponent
    except (ZeroDivisionError, OverflowError):
        return math.inf
    return math.nan if isinstance(found, complex) else found


def formula(text: str, **points: Any) -> np.ndarray:
    """Return the values (n,) of a formula at points, given by name as arrays (n,) of plain floats."""
    tree = _parsed(text)
    _check(tree, text, (*CONSTANTS, *points))
    given = np.stack([np.asarray(x, float) for x in points.values()], -1)
    with np.errstate(all="ignore"):  # numbers that are not finite are checked below
        tape = record(
            lambda at: np.array([_value(tree, CONSTANTS | dict(zip(points, at, strict=True)))]),
            at=np.zeros(len(points)),
        )
        found = np.broadcast_to(np.asarray(build(tape, "replay")(given)), (len(given), 1))[:, 0]
    lost = np.flatnonzero(~np.isfinite(found))
    if len(lost):
        where = ", ".join(f"{name} = {x:g}" for name, x in zip(points, given[lost[0]], strict=True))
        raise InputError(f"The formula '{text[:80]}' is {found[lost[0]]} at {where}. Give one that is finite there.")
    return found
