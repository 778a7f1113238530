"""Evaluation of a tape on other values: floats, or scalars of another tape."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from anthropi.tape.functions import FUNCTIONS, gather
from anthropi.tape.repeat import loop
from anthropi.tape.scalar import Scalar
from anthropi.tape.tape import Block, Loop, Tape

__all__ = ["apply", "ending", "inline", "loop_parts", "rows_of"]


def inline(tape: Tape, values: list[Any], functions: dict[str, Any] = FUNCTIONS) -> list[Any]:
    """Return the tape's flat results for these flat inputs, each operation computed by `functions[op]`.

    Values may be scalars of any tape, which then records the operations. Derivative rules are copied to that tape.
    """
    done: list[Any] = [None] * len(tape)
    for i in range(len(tape)):
        done[i] = apply(tape, i, done, values, functions)
    carry_rules(tape, done)
    return [done[i] for i in tape.result]


def apply(tape: Tape, i: int, done: list[Any], values: list[Any], functions: dict[str, Any] = FUNCTIONS) -> Any:
    """Compute the value of node i from the values of earlier nodes."""
    op, args, data = tape.op[i], tape.args[i], tape.data[i]
    if op == "const":
        return data
    if op in ("input", "mask_input"):
        return values[data]
    if op == "item":
        return done[args[0]][data]
    if op == "gather":
        return gather(data if data is not None else [done[a] for a in args[1:]], done[args[0]])
    if op == "repeat":
        carry, blocks, captured = loop_parts(data, [done[a] for a in args], values)
        last, records = loop(
            lambda state, row: inline(data.body, [*state, *row, *captured], functions)[: data.carry],
            carry,
            data.times,
            (lambda state: ending(data, state, captured, functions)) if data.stops else None,
            blocks,
            data.every,
        )
        return [*last, *(x for record in records for x in record)]
    return functions[op](*(done[a] for a in args))


def loop_parts(data: Loop, args: list[Any], values: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Split a repeat node's arguments into first carry, blocks of rows (arrays times × width), captured values."""
    n, held = data.carry, args[data.carry : data.carry + data.held]
    return args[:n], [rows_of(b, data.times, held, values) for b in data.blocks], args[n + data.held :]


def rows_of(block: Block, times: int, held: list[Any], values: list[Any]) -> np.ndarray:
    """Return the rows of a block as an array (times, width)."""
    if block.source == "table":
        return np.array(block.table, dtype=float).reshape(times, block.width)
    source = {"input": values, "nodes": held}.get(block.source) or held[block.node]
    rows = np.empty((times, block.width), dtype=object)
    for i in range(times):
        for j in range(block.width):
            rows[i, j] = source[block.base + i * block.stride + j]
    return rows


def ending(data: Loop, state: Any, captured: Any, functions: dict[str, Any] = FUNCTIONS) -> Any:
    """Compute the mask that ends a loop. It never depends on the row, for which zeros are substituted."""
    body, values = data.body, [*state, *([0.0] * data.row), *captured]
    mask = body.result[data.carry]
    done: list[Any] = [None] * len(body)
    for i in sorted(body.ancestors([mask])):
        done[i] = apply(body, i, done, values, functions)
    return done[mask]


def carry_rules(tape: Tape, done: list[Any]) -> None:
    """Attach the tape's derivative rules to the values that correspond to its nodes."""
    for rule in tape.rules:
        inputs = [done[x] if isinstance(x, int) else x for x in rule.inputs]
        outputs = [done[x] if isinstance(x, int) else x for x in rule.outputs]
        owner = deepest([*inputs, *outputs])
        if owner is not None:
            owner.add_rule(inputs, outputs, rule.push, rule.pull, rule.partial)


def deepest(values: Iterable[Any]) -> Tape | None:
    """Return the deepest tape among the values; None if they are all plain numbers."""
    tapes = [x.tape for x in values if isinstance(x, Scalar)]
    return max(tapes, key=lambda t: t.depth) if tapes else None
