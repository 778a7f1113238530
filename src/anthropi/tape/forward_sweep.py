"""Forward derivative sweep: values and tangents along k directions at once, also through loops."""

from typing import Any

import numpy as np

from anthropi.tape.derivative_rules import PUSH
from anthropi.tape.inline import apply, carry_rules, ending, loop_parts
from anthropi.tape.operations import MASKS
from anthropi.tape.repeat import loop
from anthropi.tape.scalar import Scalar
from anthropi.tape.tape import Loop, Tape

__all__ = ["is_zero_tangent", "push"]


def is_zero_tangent(tangent: tuple[Any, ...]) -> bool:
    """Whether a tangent (a tuple, one number per direction) is the constant zero."""
    return all(not isinstance(t, Scalar) and t == 0.0 for t in tangent)


def push(tape: Tape, values: list[Any], tangents: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the outputs and their tangents, each a tuple with one number per direction.

    values : the flat inputs. tangents : for each input a tuple of k numbers.
    """
    k = len(tangents[0]) if tangents else 1
    zero = (0.0,) * k
    done: list[Any] = [None] * len(tape)
    slope: list[Any] = [zero] * len(tape)
    rules = _by_last(tape)
    for i, op in enumerate(tape.op):  # inputs first: a rule may read a captured value that is placed after its outputs
        if op in ("input", "mask_input"):
            done[i] = values[tape.data[i]]
            slope[i] = tangents[tape.data[i]] if op == "input" else zero
    for i in range(len(tape)):
        op, args = tape.op[i], tape.args[i]
        if op in ("input", "mask_input"):
            continue
        if op == "repeat":
            done[i], slope[i] = _push_loop(tape.data[i], args, done, slope, values, tangents, k)
            continue
        done[i] = apply(tape, i, done, values)
        if op == "item":
            slope[i] = slope[args[0]][tape.data[i]]
        elif op in PUSH and not all(is_zero_tangent(slope[a]) for a in args if tape.op[a] not in MASKS):
            on, along = [done[a] for a in args], [slope[a] for a in args]
            slope[i] = tuple(PUSH[op](done[i], on, [t[d] for t in along]) for d in range(k))
        for rule in rules.get(i, ()):
            _apply_rule(rule, done, slope, zero)
    carry_rules(tape, done)
    return [done[i] for i in tape.result], [slope[i] for i in tape.result]


def _by_last(tape: Tape) -> dict[int, list[Any]]:
    """Group rules by the last of their output nodes, at which all their inputs and outputs have been computed."""
    found: dict[int, list[Any]] = {}
    for rule in tape.rules:
        found.setdefault(max(x for x in rule.outputs if isinstance(x, int)), []).append(rule)
    return found


def _apply_rule(rule: Any, done: Any, slope: Any, zero: Any) -> None:
    """Replace the tangents of a rule's outputs by those that the rule computes."""
    along = [slope[x] if isinstance(x, int) else zero for x in rule.inputs]
    if all(is_zero_tangent(t) for t in along):
        return
    inputs = [done[x] if isinstance(x, int) else x for x in rule.inputs]
    outputs = [done[x] if isinstance(x, int) else x for x in rule.outputs]
    columns = [rule.push(inputs, outputs, [t[d] for t in along]) for d in range(len(zero))]
    for j, place in enumerate(rule.outputs):
        if isinstance(place, int):
            slope[place] = tuple(column[j] for column in columns)


def _push_loop(
    data: Loop, args: Any, done: Any, slope: Any, values: Any, tangents: Any, k: int
) -> tuple[list[Any], list[Any]]:
    """Differentiate a loop, using a loop that carries the values and all tangents that are not constant zeros."""
    carry, blocks, captured = loop_parts(data, [done[a] for a in args], values)
    d_args = [slope[a] for a in args]
    d_carry, d_captured = d_args[: data.carry], d_args[data.carry + data.held :]
    d_blocks = _tangent_blocks(data, d_args[data.carry : data.carry + data.held], tangents, k)
    n, zero = data.carry, (0.0,) * k
    active = [not is_zero_tangent(t) for t in d_carry]
    row_active = not all(is_zero_tangent(t) for b in d_blocks for row in b for t in row)
    while True:  # the set of nonzero tangents grows until the body adds none
        live: list[int] = [j for j in range(n) if active[j]]
        grown: set[int] = set()

        def step(state, row, live=live, grown=grown):
            x, dx = state[:n], {j: tuple(state[n + k * a : n + k * (a + 1)]) for a, j in enumerate(live)}
            width = data.row
            r, dr = row[:width], row[width:]
            d_row = [tuple(dr[k * j : k * (j + 1)]) if row_active else zero for j in range(width)]
            d_in = [*(dx.get(j, zero) for j in range(n)), *d_row, *d_captured]
            out, d_out = push(data.body, [*x, *r, *captured], d_in)
            grown.update(j for j in range(n) if not active[j] and not is_zero_tangent(d_out[j]))
            return [*out[:n], *(t for j in live for t in d_out[j])]

        start = [*carry, *(t for j in live for t in d_carry[j])]
        all_blocks = blocks + ([_widen(d_blocks, data.times, k)] if row_active else [])
        stop = (lambda state: ending(data, state[:n], captured)) if data.stops else None
        last, records = loop(step, start, data.times, stop, all_blocks, data.every)
        if not grown:
            break
        for j in grown:
            active[j] = True
    return _take_apart([last, *records], n, live, k, zero)


def _take_apart(states: Any, n: Any, live: Any, k: Any, zero: Any) -> tuple[list[Any], list[Any]]:
    """Split carries that contain values and tangents into the items of the loop node and their tangents."""
    items, d_items = [], []
    for state in states:
        items += state[:n]
        where = {j: a for a, j in enumerate(live)}
        d_items += [tuple(state[n + k * where[j] : n + k * (where[j] + 1)]) if j in where else zero for j in range(n)]
    return items, d_items


def _tangent_blocks(data: Loop, d_held: Any, tangents: Any, k: int) -> list[Any]:
    """Return the tangents of the rows: for each block and pass, the tangents of the row's values."""
    result = []
    for b in data.blocks:
        if b.source == "table":
            result.append([[(0.0,) * k] * b.width for _ in range(data.times)])
        else:
            source = {"input": tangents, "nodes": d_held}.get(b.source) or d_held[b.node]
            result.append([[source[b.base + i * b.stride + j] for j in range(b.width)] for i in range(data.times)])
    return result


def _widen(d_blocks: Any, times: int, k: int) -> np.ndarray:
    """Return the tangents of all rows as one array (times, values × k)."""
    wide = [[t for b in d_blocks for tangent in b[i] for t in tangent] for i in range(times)]
    out = np.empty((times, len(wide[0]) if wide else 0), dtype=object)
    for i, row in enumerate(wide):
        out[i, :] = row
    return out
