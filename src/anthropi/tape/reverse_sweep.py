"""Reverse derivative sweep: the gradient of a weighted sum of the outputs, also through loops.

A loop runs once forward, storing the carry of every pass, and once backward over the stored carries. A short loop that
stops with `until` makes all its passes; the carry and its cotangents do not change in passes after the stop.
"""

from typing import Any

import numpy as np

from anthropi.errors import TraceError
from anthropi.tape.derivative_rules import PULL
from anthropi.tape.forward_sweep import is_zero_tangent
from anthropi.tape.functions import add, fma, mul, select
from anthropi.tape.inline import apply, carry_rules, ending, inline, loop_parts
from anthropi.tape.repeat import loop
from anthropi.tape.tape import Loop, Tape

__all__ = ["pull"]

MAX_STOPPING_PASSES = 16  # of loops that stop; all of them are made, so that longer loops would be slow


def pull(tape: Tape, values: list[Any], cotangents: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return (outputs, gradient): the gradient of Σ cotangent · output with respect to each flat input."""
    done: list[Any] = [None] * len(tape)
    kept: dict[int, list[Any]] = {}  # repeat node → carries before each pass
    moving = _reached(tape, cotangents)
    for i in range(len(tape)):
        if tape.op[i] == "repeat" and moving[i] and not _too_long(tape.data[i]):
            done[i], kept[i] = _run_and_keep(tape.data[i], [done[a] for a in tape.args[i]], values)
        else:
            done[i] = apply(tape, i, done, values)
    carry_rules(tape, done)
    sums = _Cotangents()
    for place, c in zip(tape.result, cotangents, strict=True):
        sums.add(place, c)
    rules = _by_last(tape)
    gradient: list[Any] = [0.0] * len(values)
    for i in reversed(range(len(tape))):
        for rule in rules.get(i, ()):
            _apply_rule(rule, done, sums)
        op, args = tape.op[i], tape.args[i]
        if op == "input":
            continue
        c = sums.pop(i)
        if op == "repeat":
            _pull_loop(tape, i, done, kept.get(i), values, sums, gradient)
        elif is_zero_tangent((c,)):
            continue
        elif op == "item":
            sums.add((args[0], tape.data[i]), c)
        elif op in PULL:
            for a, share in zip(args, PULL[op](done[i], [done[a] for a in args], c), strict=True):
                sums.add(a, share)
    for i, op in enumerate(tape.op):  # inputs last: a rule may read a captured value that is placed after its outputs
        if op == "input":
            gradient[tape.data[i]] = add(gradient[tape.data[i]], sums.pop(i))
    return [done[i] for i in tape.result], gradient


def _by_last(tape: Tape) -> dict[int, list[Any]]:
    """Group rules by the last of their output nodes, below which the sweep has no further cotangents for them."""
    found: dict[int, list[Any]] = {}
    for rule in tape.rules:
        found.setdefault(max(x for x in rule.outputs if isinstance(x, int)), []).append(rule)
    return found


def _reached(tape: Tape, cotangents: list[Any]) -> bytearray:
    """Return 1 for each node that may get a cotangent. A loop whose outputs have a derivative rule gets none."""
    found, rules = bytearray(len(tape)), _by_last(tape)
    for place, c in zip(tape.result, cotangents, strict=True):
        if not is_zero_tangent((c,)):
            found[place] = 1
    for i in reversed(range(len(tape))):
        for rule in rules.get(i, ()):
            outputs = [x for x in rule.outputs if isinstance(x, int)]
            if any(found[x] for x in outputs):
                for x in outputs:
                    found[x] = 0
                for x in rule.inputs:
                    if isinstance(x, int):
                        found[x] = 1
        if found[i] and (tape.op[i] in PULL or tape.op[i] in ("item", "repeat")):
            for a in tape.args[i]:
                found[a] = 1
    return found


def _too_long(data: Loop) -> bool:
    """Whether a loop stops and has so many passes that not all of them are made."""
    return data.stops and data.times > MAX_STOPPING_PASSES


class _Cotangents:
    """Cotangents accumulated so far, by node, or by (repeat node, item)."""

    def __init__(self) -> None:
        self.total: dict[str, Any] = {}

    def add(self, place: Any, share: Any) -> None:
        """Add a number, or the product of a pair in one fused operation."""
        pair = isinstance(share, tuple)
        if place not in self.total:
            value = mul(*share) if pair else share
            if not is_zero_tangent((value,)):
                self.total[place] = value
        else:
            total = self.total[place]
            self.total[place] = fma(share[0], share[1], total) if pair else add(total, share)

    def pop(self, place: Any) -> Any:
        """Return and remove the cotangent of a node; 0 if there is none."""
        return self.total.pop(place, 0.0)


def _apply_rule(rule: Any, done: Any, sums: Any) -> None:
    """Distribute the cotangents of a rule's outputs to its inputs."""
    cotangents = [sums.pop(x) if isinstance(x, int) else 0.0 for x in rule.outputs]
    if all(is_zero_tangent((c,)) for c in cotangents):
        return
    inputs = [done[x] if isinstance(x, int) else x for x in rule.inputs]
    outputs = [done[x] if isinstance(x, int) else x for x in rule.outputs]
    for x, share in zip(rule.inputs, rule.pull(inputs, outputs, cotangents), strict=True):
        if isinstance(x, int):
            sums.add(x, share)


def _run_and_keep(data: Loop, args: list[Any], values: list[Any]) -> tuple[list[Any], list[Any]]:
    """Run a loop forward; return its items and the carry before every pass."""
    carry, blocks, captured = loop_parts(data, args, values)

    n = data.carry

    def step(state, row):  # the carry also contains its values before the pass
        after = inline(data.body, [*state[:n], *row, *captured])[:n]
        if data.stops:
            over = ending(data, state[:n], captured)
            after = [select(over, x, y) for x, y in zip(state[:n], after, strict=True)]
        return [*after, *state[:n]]

    last, after = loop(step, [*carry, *carry], data.times, None, blocks, 1)
    items = list(last[:n])
    for r in range(data.records):
        items += after[(r + 1) * data.every - 1][:n]
    return items, [record[n:] for record in after]


def _pull_loop(tape: Tape, i: int, done: Any, kept: Any, values: Any, sums: _Cotangents, gradient: Any) -> None:
    """Run a loop backward over the stored carries; distribute the cotangents to its arguments and the inputs."""
    data, args = tape.data[i], tape.args[i]
    n, m, times = data.carry, data.row, data.times
    _, blocks, captured = loop_parts(data, [done[a] for a in args], values)
    weights = [sums.pop((i, j)) for j in range(n * (1 + data.records))]
    if all(is_zero_tangent((w,)) for w in weights):
        return
    if kept is None:
        raise TraceError(
            f"The reverse sweep needs a fixed number of passes, but this repeat stops with `until`, and has up to "
            f"{data.times} passes. Remove `until`, use at most {MAX_STOPPING_PASSES} passes, use the forward sweep "
            "(jvp), or give the solver an explicit derivative rule."
        )
    if not times:
        for j in range(n):
            sums.add(args[j], weights[j])
        return
    seeds = _backward([_record_weights(data, weights, p) for p in range(times)])
    rows = [_backward(kept), *(b[::-1] for b in blocks), seeds]
    active = [not is_zero_tangent((w,)) for w in weights[:n]] + [False] * (m + len(captured))
    if not all(is_zero_tangent((x,)) for x in seeds.flat):
        active[:n] = [True] * n
    while True:
        live: list[int] = [j for j in range(len(active)) if active[j]]
        grown: set[int] = set()

        def step(state, row, live=live, grown=grown):
            c = dict(zip(live, state, strict=True))
            before, own, seed = row[:n], row[n : n + m], row[n + m :]
            after = [add(c.get(j, 0.0), seed[j]) for j in range(n)]
            _, g = pull(data.body, [*before, *own, *captured], [*after, 0.0] if data.stops else after)
            if data.stops:
                over = ending(data, before, captured)
                g = [select(over, after[j] if j < n else 0.0, x) for j, x in enumerate(g)]
            total = [*g[: n + m], *(add(c.get(n + m + j, 0.0), g[n + m + j]) for j in range(len(captured)))]
            grown.update(j for j, t in enumerate(total) if not active[j] and not is_zero_tangent((t,)))
            return [total[j] for j in live]

        start = [weights[j] if j < n else 0.0 for j in live]
        last, records = loop(step, start, times, None, rows, 1 if any(n <= j < n + m for j in live) else 0)
        if not grown:
            break
        for j in grown:
            active[j] = True
    where = {j: k for k, j in enumerate(live)}
    for j in range(n):
        if j in where:
            sums.add(args[j], last[where[j]])
    for j in range(len(captured)):
        if n + m + j in where:
            sums.add(args[n + data.held + j], last[where[n + m + j]])
    _spread_rows(data, args, where, records, sums, gradient)


def _record_weights(data: Loop, weights: Any, p: int) -> list[Any]:
    """Return the weights of the record made after pass p; zeros if none was made."""
    n = data.carry
    if not data.every or (p + 1) % data.every:
        return [0.0] * n
    r = (p + 1) // data.every
    return weights[n * r : n * (r + 1)]


def _backward(lines: list[Any]) -> np.ndarray:
    """Return lists of values, one per pass, as an array in reversed order."""
    out = np.empty((len(lines), len(lines[0])), dtype=object)
    for p, line in enumerate(reversed(lines)):
        out[p, :] = line
    return out


def _spread_rows(data: Loop, args: Any, where: Any, records: Any, sums: _Cotangents, gradient: Any) -> None:
    """Distribute the cotangents of the row values; the records start with the last pass."""
    start = data.carry
    for b in data.blocks:
        for j in range(b.width):
            k = where.get(start + j)
            if k is None or b.source == "table":
                continue
            for p in range(data.times):
                share, at = records[data.times - 1 - p][k], b.base + p * b.stride + j
                if b.source == "input":
                    gradient[at] = add(gradient[at], share)
                elif b.source == "items":
                    sums.add((args[data.carry + b.node], at), share)
                else:
                    sums.add(args[data.carry + at], share)
        start += b.width
