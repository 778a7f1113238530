"""Lowering: rewrite a tape in operations that every target computes identically, and fuse products into sums.

There are two passes. The first copies the tape and replaces `sin cos tan asin acos atan2 exp log` by the formulas of
`elementary.py`. Equal steps are shared, so sin and cos of the same argument need only one range reduction. The second
pass rewrites the sum or difference of a product and another value as one fma, if the product has no other use. Nothing
else is rewritten: the lowered tape determines the exact floating-point result on every target.

WebAssembly has no fma. For such targets (`fused=False`) the first pass uses the formulas that need none, and the second
pass rewrites each fma(a, b, c) as a product and a sum, each rounded. The lowered tape then contains no fma.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from anthropi.compiler import elementary
from anthropi.compiler.elementary import constants_for
from anthropi.tape.functions import FUNCTIONS, recorded
from anthropi.tape.inline import inline
from anthropi.tape.tape import Tape, bits

__all__ = ["LOWERED", "copied", "fuse", "lower", "unfuse"]

LOWERED = ("sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log")


def lower(tape: Tape, precision: str = "float64", fused: bool = True) -> Tape:
    """Rewrite a tape in operations that give bit-for-bit identical results on every target.

    Parameters
    ----------
    tape : a recorded tape.
    precision : "float64" or "float32"; the polynomials and constants depend on it.
    fused : whether the target has an fma. If not, the result contains none, and its last bits differ.

    Returns
    -------
    Tape with the same inputs, outputs and structure. It cannot be differentiated: differentiate before lowering.
    """
    functions = _functions(precision, fused)
    new = Tape()
    new.inputs, new.outputs, new.structure = tape.inputs, tape.outputs, tape.structure
    values = [new.wrap(new.input(k)) for k in range(sum(s.size for s in tape.inputs))]
    with np.errstate(all="ignore"):  # constants may fold to inf and NaN, as they would on a target
        result = inline(tape, values, functions)
    new.finish([new.place(x) for x in result])
    return fuse(new) if fused else unfuse(new)


@functools.cache
def _functions(precision: str, fused: bool) -> dict[str, Any]:
    """Return the functions, by operation name, with which `inline` copies a tape at a precision."""
    constants = constants_for(precision, fused)
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
    new = _empty_copy(tape, outer)
    fused = {p for p in (_product(tape, i, uses) for i in range(len(tape))) if p is not None}
    at: list[int] = [-1] * len(tape)  # for each node of the old tape, its index on the new tape

    def place(op, args):
        return new._place(op, args, None, (op, args, bits(None)))

    def negative(i):
        if new.op[i] == "const":
            return new.constant(-new.data[i])
        return new.args[i][0] if new.op[i] == "neg" else place("neg", (i,))

    for i, (op, args) in enumerate(zip(tape.op, tape.args, strict=True)):
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
        else:
            at[i] = _copy_node(tape, i, new, at, fuse)
    return new.finish([at[r] for r in tape.result])


def unfuse(tape: Tape, outer: Tape | None = None) -> Tape:
    """Return the tape with every fma(a, b, c) written as a product and a sum, also in loop bodies.

    A negated argument becomes a difference, which has the same bits: fma(-a, b, c) → c - a·b, fma(a, b, -c) → a·b - c.
    """
    new = _empty_copy(tape, outer)
    at: list[int] = [-1] * len(tape)  # for each node of the old tape, its index on the new tape

    def place(op, *args):
        args = args if op == "sub" else tuple(sorted(args))  # as recorded, so that equal operations are shared
        return new._place(op, args, None, (op, args, bits(None)))

    for i, op in enumerate(tape.op):
        if op != "fma":
            at[i] = _copy_node(tape, i, new, at, unfuse)
            continue
        a, b, c = (at[x] for x in tape.args[i])
        if new.op[a] == "neg":
            at[i] = place("sub", c, place("mul", new.args[a][0], b))
        elif new.op[c] == "neg":
            at[i] = place("sub", place("mul", a, b), new.args[c][0])
        else:
            at[i] = place("add", place("mul", a, b), c)
    return new.finish([at[r] for r in tape.result])


def _empty_copy(tape: Tape, outer: Tape | None) -> Tape:
    """Return a tape without nodes that has the inputs and outputs of another."""
    new = Tape(outer)
    new.inputs, new.outputs, new.structure = tape.inputs, tape.outputs, tape.structure
    new.inner_inputs = tape.inner_inputs
    return new


def _copy_node(tape: Tape, i: int, new: Tape, at: list[int], rewrite: Callable[[Tape, Tape], Tape]) -> int:
    """Copy node i to a new tape, a loop with its body rewritten; return its index there."""
    op, args, data = tape.op[i], tuple(at[a] for a in tape.args[i]), tape.data[i]
    if op == "const":
        return new.constant(data)
    if op in ("input", "mask_input"):
        return new.input(data, op == "mask_input")
    if op == "repeat":
        return new._place(op, args, data._replace(body=rewrite(data.body, new)), (op, i))
    return new._place(op, args, data, (op, args, bits(data)))


def copied(tape: Tape, outer: Tape | None, order: Iterable[int], rewrite: Callable[[Tape, Tape], Tape]) -> Tape:
    """Return a tape with the same nodes in another order; `rewrite` is applied to the bodies of its loops."""
    new = _empty_copy(tape, outer)
    at: list[int] = [-1] * len(tape)
    for i in order:
        at[i] = _copy_node(tape, i, new, at, rewrite)
    return new.finish([at[r] for r in tape.result])


def _product(tape: Tape, i: int, uses: list[int]) -> int | None:
    """Return the product to fuse into sum i: the first recorded operand that has no other use, or None."""
    if tape.op[i] not in ("add", "sub"):
        return None
    return min((a for a in tape.args[i] if tape.op[a] == "mul" and uses[a] == 1), default=None)
