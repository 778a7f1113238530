"""The loop of recorded functions, used for time stepping, contact sweeps and solver iterations."""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.errors import TraceError
from anthropi.tape.record import flatten, rebuild
from anthropi.tape.scalar import Mask, Scalar
from anthropi.tape.tape import Block, Loop, Tape, bits

__all__ = ["loop", "repeat"]


def repeat(
    body: Callable[..., Any],
    carry: Any,
    times: int,
    until: Callable[[Any], Any] | None = None,
    rows: Any = None,
    every: int = 0,
) -> Any:
    """Apply a function repeatedly: a Python loop on floats, one loop node on a tape.

    Parameters
    ----------
    body : function of the carry, or of (carry, row) if rows are given; returns the next carry, with the same shapes.
    carry : nested arrays (tuples, dicts …).
    times : maximum number of passes.
    until : function of the carry that returns a mask, called before each pass. Where true, the carry stops changing.
    rows : nested arrays with a leading axis of length `times`; pass i reads row i.
    every : k > 0 also records the carry after every k-th pass.

    Returns
    -------
    The last carry; with `every`, the pair (last carry, records with a leading axis of length times // every).

    Raises
    ------
    TraceError : the body changes the shape of the carry, the carry contains a mask, or a count is not a whole
        number.
    """
    times, every = _count("times", times), _count("every", every)
    arrays, names, shape = flatten(carry)
    if any(isinstance(x, Mask) for a in arrays for x in a.flat):
        raise TraceError("The carry of repeat contains a mask. Carry a number: where(mask, 1.0, 0.0).")
    row_arrays, row_names, row_shape = flatten(rows) if rows is not None else ([], [], None)
    for array, name in zip(row_arrays, row_names, strict=True):
        if array.shape[:1] != (times,):
            raise TraceError(
                f"repeat reads row '{name}' {times} times, but its shape is {array.shape}. Give one row per pass."
            )

    def step(values, row):
        state = rebuild(shape, _shaped(values, arrays))
        after = body(state) if rows is None else body(state, rebuild(row_shape, _shaped(row, row_arrays, skip=1)))
        return _flat(after, arrays, names)

    def stop(values):
        assert until is not None
        return _single_mask(until(rebuild(shape, _shaped(values, arrays))))

    flat = [x for a in arrays for x in a.flat]
    blocks = [a.reshape(times, int(np.prod(a.shape[1:]))) for a in row_arrays]
    last, records = loop(step, flat, times, stop if until else None, blocks, every)
    final = rebuild(shape, _shaped(last, arrays))
    if not every:
        return final
    stacked = np.array(records, dtype=None if records else float).reshape(len(records), len(flat))
    parts, start = [], 0
    for a in arrays:
        parts.append(stacked[:, start : start + a.size].reshape((len(records), *a.shape)))
        start += a.size
    return final, rebuild(shape, parts)


def _count(name: str, value: Any) -> int:
    """Return the value as an int; raise `TraceError` with the parameter's name if it is not a whole number."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or not value >= 0 or value != value // 1:
        raise TraceError(f"repeat needs a whole number of passes; got {name}={value!r}.")
    return int(value)


def _single_mask(done: Any) -> Any:
    """Return the result of `until` as a Mask or bool; raise `TraceError` if it is something else."""
    array = np.asarray(done)
    if array.size == 1:
        done = array.item() if array.dtype == object else bool(array.item())
        if isinstance(done, (Mask, bool)):
            return done
    raise TraceError(
        f"until must return one mask; got {type(done).__name__} of shape {array.shape}. "
        "Compare with anthropi.scalar.less(a, b) and combine masks with & and |."
    )


def loop(
    step: Callable[..., Any], carry: list[Any], times: int, stop: Any, blocks: list[Any], every: int
) -> tuple[list[Any], list[Any]]:
    """Run `repeat` on flat lists: step(carry, row) → carry, blocks (times, width). Return (last carry, records)."""
    tape = _tape_of(carry, *blocks)
    if tape is None:
        last, records, tape = _on_floats(step, carry, times, stop, blocks, every)
        if tape is None:
            return last, records
    return _on_tape(tape, step, carry, times, stop, blocks, every)


def _on_floats(step: Any, carry: Any, times: Any, stop: Any, blocks: Any, every: Any) -> tuple[Any, Any, Tape | None]:
    """Run the loop on floats; if a value is a recording scalar, stop and return its tape."""
    values, records = list(carry), []
    for i in range(times):
        done = stop(values) if stop else False
        if isinstance(done, Mask):
            return None, None, done.tape
        if done and not every:
            break
        if not done:
            values = list(step(values, [x for b in blocks for x in b[i]]))
            tape = _tape_of(values)
            if tape is not None:
                return None, None, tape
        if every and (i + 1) % every == 0:
            records.append(list(values))
    return values, records, None


def _on_tape(
    tape: Tape, step: Any, carry: Any, times: Any, stop: Any, blocks: Any, every: Any
) -> tuple[list[Any], list[Any]]:
    """Record the loop as one node; return its last carry and records."""
    tape = tape.root.active  # the body that is being recorded, if this loop is inside one
    width = sum(b.shape[1] for b in blocks)
    inner = Tape(outer=tape)
    inner.inner_inputs = len(carry) + width
    state = [Scalar(inner, inner.input(k)) for k in range(len(carry))]
    row = [Scalar(inner, inner.input(len(carry) + k)) for k in range(width)]
    tape.root.active = inner
    try:
        done = stop(state) if stop else False
        if done is True:
            return list(carry), [list(carry) for _ in range(times // every if every else 0)]
        after = step(state, row)
    finally:
        tape.root.active = tape
    result = [inner.place(x) for x in after]
    stops = isinstance(done, Mask)
    if stops:
        result.append(inner.place(done))
    inner.finish(result)
    described, held = _row_blocks(tape, blocks)
    data = Loop(inner, int(times), int(every), stops, len(carry), described, len(held))
    args = [*carry, *held, *(tape.wrap(outside) for outside in inner.captures)]
    places = tuple(tape.place(x) for x in args)
    tables = tuple(bits(b.table) for b in described)
    own = id(inner) if inner.has_rules else 0  # equal bodies may have different derivative rules
    name = (
        "repeat",
        places,
        inner.key,
        data.times,
        data.every,
        stops,
        tuple((*b[:4], b.node) for b in described),
        tables,
        own,
    )
    node = tape._place("repeat", places, data, name)

    def item(k):
        return Scalar(tape, tape._place("item", (node,), k, ("item", node, k)))

    n = len(carry)
    return [item(k) for k in range(n)], [[item(n * (r + 1) + k) for k in range(n)] for r in range(data.records)]


def _row_blocks(tape: Tape, blocks: Any) -> tuple[tuple[Block, ...], list[Any]]:
    """Find the source of each block of rows: a constant table, inputs of the tape, or nodes held as arguments."""
    described: list[Block] = []
    held: list[Any] = []
    for block in blocks:
        flat, width = list(block.flat), block.shape[1]
        if not any(isinstance(x, Scalar) for x in flat):
            described.append(Block("table", width, 0, width, tuple(float(x) for x in flat)))
            continue
        inputs, items = _evenly_spaced(tape, flat, width, "input"), _evenly_spaced(tape, flat, width, "item")
        if inputs is not None and not tape.depth:
            described.append(Block("input", width, *inputs))
        elif items is not None:
            node = tape.args[flat[0].index][0]
            described.append(Block("items", width, *items, node=len(held)))
            held.append(Scalar(tape, node))
        else:
            described.append(Block("nodes", width, len(held), width))
            held += flat
    return tuple(described), held


def _evenly_spaced(tape: Tape, flat: list[Any], width: int, op: str) -> tuple[int, int] | None:
    """Return (base, stride) if the rows are evenly spaced inputs, or evenly spaced records of one loop; else None."""
    if not all(isinstance(x, Scalar) and x.tape is tape and tape.op[x.index] == op for x in flat):
        return None
    if len({tape.args[x.index] for x in flat}) != 1:  # inputs have no arguments; items have one, their loop
        return None
    at = np.array([tape.data[x.index] for x in flat]).reshape(-1, width)
    stride = int(at[1, 0] - at[0, 0]) if len(at) > 1 else width
    want = at[0, 0] + stride * np.arange(len(at))[:, None] + np.arange(width)[None, :]
    if not np.array_equal(at, want):
        return None
    if op == "item":
        carry = tape.data[tape.args[flat[0].index][0]].carry
        if stride % carry or at.min() < carry:  # only records are in memory, one row per carried value
            return None
    return int(at[0, 0]), stride


def _tape_of(*groups: Any) -> Tape | None:
    """Return the deepest tape among the values."""
    found = None
    for group in groups:
        for x in group.flat if isinstance(group, np.ndarray) else group:
            if isinstance(x, (Scalar, Mask)) and (found is None or x.tape.depth > found.depth):
                found = x.tape
    return found


def _shaped(values: Any, arrays: Any, skip: int = 0) -> list[Any]:
    """Split a flat list into arrays of these shapes."""
    parts, start = [], 0
    for a in arrays:
        shape = a.shape[skip:]
        size = int(np.prod(shape))
        chunk = values[start : start + size]
        start += size
        plain = not any(isinstance(x, (Scalar, Mask)) for x in chunk)
        out = np.array(chunk, dtype=float) if plain else np.empty(size, dtype=object)
        if not plain:
            out[:] = chunk
        parts.append(out.reshape(shape))
    return parts


def _flat(value: Any, arrays: Any, names: Any) -> list[Any]:
    """Flatten the result of a body; raise `TraceError` if the carry changed its shape."""
    found, after_names, _ = flatten(value)
    by_name = dict(zip(after_names, found, strict=True))
    after = [by_name.get(n) for n in names]  # the order of a dict's keys does not matter
    if set(by_name) != set(names) or [a.shape for a in after] != [a.shape for a in arrays]:  # type: ignore[union-attr]
        before = ", ".join(f"{n} {a.shape}" for n, a in zip(names, arrays, strict=True))
        returned = ", ".join(f"{n} {a.shape}" for n, a in by_name.items())
        raise TraceError(
            f"The body of repeat must return a carry like the one it gets. Got {returned}; wanted {before}."
        )
    flat = [x for a in after for x in a.flat]  # type: ignore[union-attr]
    if any(isinstance(x, Mask) for x in flat):
        raise TraceError("The body of repeat returns a mask. Carry a number: where(mask, 1.0, 0.0).")
    return flat
