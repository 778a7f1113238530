"""Lowering: rewrite a tape in operations that every target computes identically, and fuse products into sums.

There are two passes. The first copies the tape and replaces `sin cos tan asin acos atan2 exp log` by the formulas of
`elementary.py`. Equal steps are shared, so sin and cos of the same argument need only one range reduction. The second
pass rewrites the sum or difference of a product and another value as one fma, if the product has no other use. Nothing
else is rewritten: the lowered tape determines the exact floating-point result on every target.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.compiler import elementary
from anthropi.compiler.elementary import constants_for
from anthropi.tape.functions import FUNCTIONS, recorded
from anthropi.tape.inline import inline
from anthropi.tape.tape import Tape, bits

__all__ = ["LOWERED", "fuse", "lower"]

LOWERED = ("sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log")


def lower(tape: Tape, precision: str = "float64") -> Tape:
    """Rewrite a tape in operations that give bit-for-bit identical results on every target.

    Parameters
    ----------
    tape : a recorded tape.
    precision : "float64" or "float32"; the polynomials and constants depend on it.

    Returns
    -------
    Tape with the same inputs, outputs and structure. It cannot be differentiated: differentiate before lowering.
    """
    functions = _functions(precision)
    new = Tape()
    new.inputs, new.outputs, new.structure = tape.inputs, tape.outputs, tape.structure
    values = [new.wrap(new.input(k)) for k in range(sum(s.size for s in tape.inputs))]
    with np.errstate(all="ignore"):  # constants may fold to inf and NaN, as they would on a target
        result = inline(tape, values, functions)
    new.finish([new.place(x) for x in result])
    return fuse(new)


@functools.cache
def _functions(precision: str) -> dict[str, Any]:
    """Return the functions, by operation name, with which `inline` copies a tape at a precision."""
    constants = constants_for(precision)
    table = dict(FUNCTIONS)
    for name in LOWERED:
        table[name] = _or_fold(FUNCTIONS[name], getattr(elementary, name), constants)
    return table


def _or_fold(
    on_floats: Callable[..., Any], on_tape: Callable[..., Any], constants: elementary.Constants
) -> Callable[..., Any]:
    """Return a function that calls `on_tape` if any argument is being recorded, else `on_floats`."""

    def function(*args):
        return on_tape(*args, constants) if any(recorded(x) for x in args) else on_floats(*args)

    return function


def fuse(tape: Tape, outer: Tape | None = None) -> Tape:
    """Return the tape with single-use products fused into sums.

    add(a·b, c) → fma(a, b, c), sub(a·b, c) → fma(a, b, -c), sub(c, a·b) → fma(-a, b, c). A value is used once for each
    node that has it as an argument, and once for each result. If both operands of a sum are single-use products, the
    one recorded first is fused. Loop bodies are treated in the same way.
    """
    uses = [0] * len(tape)
    for args in tape.args:
        for a in args:
            uses[a] += 1
    for r in tape.result:
        uses[r] += 1
    new = Tape(outer)
    new.inputs, new.outputs, new.structure = tape.inputs, tape.outputs, tape.structure
    new.inner_inputs = tape.inner_inputs
    fused = {p for p in (_product(tape, i, uses) for i in range(len(tape))) if p is not None}
    at: list[int] = [-1] * len(tape)  # for each node of the old tape, its index on the new tape

    def place(op, args, data=None):
        return new._place(op, args, data, (op, args, bits(data)))

    def negative(i):
        if new.op[i] == "const":
            return new.constant(-new.data[i])
        return new.args[i][0] if new.op[i] == "neg" else place("neg", (i,))

    for i, (op, args, data) in enumerate(zip(tape.op, tape.args, tape.data, strict=True)):
        if i in fused:
            continue  # it becomes part of a sum
        product = _product(tape, i, uses) if op in ("add", "sub") else None
        if product is not None:
            a, b = (at[x] for x in tape.args[product])
            first = product == args[0]
            c = at[args[1] if first else args[0]]
            if op == "sub" and first:
                c = negative(c)
            elif op == "sub":  # negate the constant factor, if there is one
                a, b = (negative(b), a) if new.op[b] == "const" else (negative(a), b)
            at[i] = place("fma", (a, b, c))
        elif op == "const":
            at[i] = new.constant(data)
        elif op in ("input", "mask_input"):
            at[i] = new.input(data, op == "mask_input")
        elif op == "repeat":
            body = data._replace(body=fuse(data.body, new))
            at[i] = new._place(op, tuple(at[a] for a in args), body, (op, i))
        else:
            at[i] = place(op, tuple(at[a] for a in args), data)
    return new.finish([at[r] for r in tape.result])


def _product(tape: Tape, i: int, uses: list[int]) -> int | None:
    """Return the product to fuse into sum i: the first recorded operand that has no other use, or None."""
    if tape.op[i] not in ("add", "sub"):
        return None
    return min((a for a in tape.args[i] if tape.op[a] == "mul" and uses[a] == 1), default=None)
