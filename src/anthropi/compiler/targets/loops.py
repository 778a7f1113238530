"""Loops of tapes as LLVM IR.

A register loop is written inside its function, with the carry in registers (phi nodes). A call loop calls the functions
of its body, with the carry in tmp. A memory loop is written inside its function, with the carry in tmp. A lane that is
finished keeps its values (by `select`); a loop ends early only when all its lanes are finished.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from anthropi.compiler.targets.copies import copy
from anthropi.compiler.targets.machine import Machine, Writer
from anthropi.compiler.targets.parallel_loops import is_parallel, write_parallel_loop
from anthropi.tape.tape import Block, Loop

__all__ = ["call_loop", "memory_loop", "register_loop"]


def register_loop(unit: Any, w: Writer, i: int) -> list[str]:
    """Write repeat node i inside the function, with the carry in registers; return the names of the last carry."""
    from anthropi.compiler.targets.ir import Unit

    m, data = w.machine, unit.tape.data[i]
    args, n = unit.tape.args[i], data.carry
    if is_parallel(m, data):
        return write_parallel_loop(unit, w, i, _Records(unit, i, data).lines)
    first = [unit.value(w, a) for a in args[:n]]
    captured = [unit.value(w, a) for a in args[n + data.held :]]
    held = _store_row_values(unit, w, data, args)
    if data.times == 0:
        return first
    records = _Records(unit, i, data)
    inner = Unit(unit.program, data.body, {}, whole=True)
    before, head, work, done, latch, end = w.label, *(w.fresh(s) for s in ("head", "work", "done", "latch", "end"))
    w.do(f"br label %{head}")
    w.block(head)
    index = w.let(f"phi i64 [ 0, %{before} ], [ %{head}.next, %{latch} ]")
    promised = len(w.lines)
    carry = [w.let(f"phi {m.number} [ {x}, %{before} ], ") for x in first]  # completed when the body is written
    more = w.let(f"icmp ult i64 {index}, {data.times}")
    w.do(f"br i1 {more}, label %{work}, label %{end}")
    w.block(work)
    w.scopes.append({})
    values = carry + _read_row(unit, w, data, i, held, index) + captured
    for node, op in enumerate(data.body.op):
        if op in ("input", "mask_input"):
            w.remember((inner.number, node), values[data.body.data[node]])
    if data.stops:
        finished = _write_stop_mask(inner, w, data)
        if not data.every:  # a recorded loop continues, so that its records are complete
            all_finished = m.all_true(w, finished)
            w.do(f"br i1 {all_finished}, label %{end}, label %{done}")
            w.block(done)
    inner.write(w, range(len(data.body)), ends=data.body.result[:n])
    after = [inner.value(w, r) for r in data.body.result[:n]]
    if inner.spilling:
        inner.spilling.release()
    if _keeps_finished_values(m, data):
        after = [
            w.let(f"select {m.mask} {finished}, {m.number} {c}, {m.number} {x}")
            for c, x in zip(carry, after, strict=True)
        ]
    records.write(w, index, after)
    w.do(f"br label %{latch}")
    w.block(latch)
    w.do(f"%{head}.next = add i64 {index}, 1")
    w.do(f"br label %{head}")
    for k, x in enumerate(after):
        w.lines[promised + k] += f"[ {x}, %{latch} ]"
    w.scopes.pop()
    w.block(end)
    return carry


class _Passes:
    """Loop over passes with the carry in memory. Code written before `close` is executed in each pass."""

    def __init__(self, w: Writer, times: int) -> None:
        before, self._head, self._latch, self.end = w.label, *(w.fresh(s) for s in ("head", "latch", "end"))
        self._w, self._times = w, times
        w.do(f"br label %{self._head}")
        w.block(self._head)
        w.scopes.append({})
        self.index = w.let(f"phi i64 [ 0, %{before} ], [ %{self._head}.next, %{self._latch} ]")

    def close(self) -> None:
        """Write the branch to the next pass or the end."""
        w, head = self._w, self._head
        w.do(f"br label %{self._latch}")
        w.block(self._latch)
        w.do(f"%{head}.next = add i64 {self.index}, 1")
        last = w.let(f"icmp uge i64 %{head}.next, {self._times}")
        w.do(f"br i1 {last}, label %{self.end}, label %{head}")
        w.scopes.pop()
        w.block(self.end)


def call_loop(unit: Any, w: Writer, i: int) -> int:
    """Write repeat node i as a loop that calls the functions of its body; return the first tmp slot of the carry."""
    from anthropi.compiler.targets.ir import Unit

    m, data, program = w.machine, unit.tape.data[i], unit.program
    args, n, body = unit.tape.args[i], data.carry, data.body
    held = _store_row_values(unit, w, data, args)
    records = _Records(unit, i, data)
    now, row, following = program.take(n), program.take(data.row), program.take(n + 1)
    places = {k: ("tmp", now + k) for k in range(n)}
    places |= {n + j: ("tmp", row + j) for j in range(data.row)}
    places |= {n + data.row + j: unit.place(a) for j, a in enumerate(args[n + data.held :])}
    inner = Unit(program, body, places)
    for k, r in enumerate(body.result):
        inner.stores.setdefault(r, []).append(("tmp", following + k))
    inner.plan()
    calls = inner.functions(f"{w.name}_loop{i}")
    _store_first_carry(unit, w, args[:n], now)
    if data.times:
        passes = _Passes(w, data.times)
        _exit_early(Unit(program, body, places, whole=True), w, data, passes.end)
        for j, x in enumerate(_read_row(unit, w, data, i, held, passes.index)):
            w.store("%tmp", row + j, x)
        for name in calls:
            w.do(f"call void @{name}({w.arguments})")
        finished = w.load_mask(following + n) if _keeps_finished_values(m, data) else None
        copy(w, ((("tmp", following + k), ("tmp", now + k)) for k in range(n)), finished)
        records.write_from(w, passes.index, now)
        passes.close()
    return now


def _store_first_carry(unit: Any, w: Writer, nodes: Sequence[int], now: int) -> None:
    """Store the first carry in tmp from slot `now` on; values that are only in memory are copied."""
    copied = []
    for k, a in enumerate(nodes):
        if unit.tape.op[a] != "const" and w.find((unit.number, a)) is None and unit.in_memory(a):
            copied.append((unit.place(a), ("tmp", now + k)))
        else:
            w.store("%tmp", now + k, unit.value(w, a))
    copy(w, copied)


def memory_loop(unit: Any, w: Writer, i: int) -> list[str]:
    """Write repeat node i inside the function, with the carry in tmp; return the names of the last carry.

    Used for GPU threads: with the carry and rows of a long body in memory, the registers are free for the body.
    """
    from anthropi.compiler.targets.ir import Unit

    data, program = unit.tape.data[i], unit.program
    args, n, body = unit.tape.args[i], data.carry, data.body
    held = _store_row_values(unit, w, data, args)
    records = _Records(unit, i, data)
    now = program.take(n)
    places = {k: ("tmp", now + k) for k in range(n)}
    places |= {n + data.row + j: unit.place(a) for j, a in enumerate(args[n + data.held :])}
    for k, a in enumerate(args[:n]):
        w.store("%tmp", now + k, unit.value(w, a))
    passes = _Passes(w, data.times)
    _exit_early(Unit(program, body, places, whole=True), w, data, passes.end)
    places |= _row_places(unit, w, data, i, held, passes.index)
    inner = Unit(program, body, places, whole=True)
    inner.write(w, range(len(body)), ends=body.result[:n])
    after = [inner.value(w, r) for r in body.result[:n]]
    if inner.spilling:
        inner.spilling.release()
    for k, x in enumerate(after):
        w.store("%tmp", now + k, x)
    records.write(w, passes.index, after)
    passes.close()
    return [w.load("%tmp", now + k) for k in range(n)]


def _row_places(unit: Any, w: Writer, data: Loop, i: int, held: int, index: str) -> dict[int, tuple[Any, ...]]:
    """Return the memory places of the row values of pass `index`; values that are not contiguous are copied to tmp."""
    places: dict[int, tuple[Any, ...]] = {}
    at = data.carry
    for b in data.blocks:
        if b.width and b.source in ("input", "nodes"):
            inside = b.source == "input"
            base, first = ("%" + unit.program.source(b.base), b.base) if inside else ("%tmp", held + b.base)
            start = w.address(base, w.let(f"add i64 {w.let(f'mul i64 {index}, {b.stride}')}, {first}"))
            places |= {at + j: (start[1:], j) for j in range(b.width)}
        elif b.width:
            row = unit.program.take(b.width)
            for j, x in enumerate(_read_row(unit, w, data._replace(blocks=(b,)), i, held, index)):
                w.store("%tmp", row + j, x)
            places |= {at + j: ("tmp", row + j) for j in range(b.width)}
        at += b.width
    return places


def _keeps_finished_values(machine: Machine, data: Loop) -> bool:
    """Return whether finished lanes stay in the loop and keep their values. A GPU thread leaves unless it records."""
    return bool(data.stops and (data.every or machine.lanes > 1))


def _exit_early(inner: Any, w: Writer, data: Loop, end: str) -> None:
    """Write the exit from a loop when all lanes are finished. A loop with records continues, to complete them."""
    if data.stops and not data.every:
        go = w.fresh("go")
        w.do(f"br i1 {w.machine.all_true(w, _write_stop_mask(inner, w, data))}, label %{end}, label %{go}")
        w.block(go)


def _write_stop_mask(inner: Any, w: Writer, data: Loop) -> str:
    """Write the stopping mask and the values it depends on; return its name."""
    mask = data.body.result[data.carry]
    inner.write(w, sorted(data.body.ancestors([mask])))
    return inner.value(w, mask)


def _store_row_values(unit: Any, w: Writer, data: Loop, args: Sequence[int]) -> int:
    """Store computed row values in tmp, where a pass can index them; return the first slot."""
    if not data.held:
        return 0
    base = unit.program.take(data.held)
    for j, a in enumerate(args[data.carry : data.carry + data.held]):
        if unit.tape.op[a] != "repeat":  # another loop's records are read in place
            w.store("%tmp", base + j, unit.value(w, a))
    return base


def _read_records(unit: Any, w: Writer, data: Loop, i: int, b: Block, index: str) -> list[str]:
    """Load the records of another loop that pass `index` reads, from out or tmp."""
    source = unit.tape.args[i][data.carry + b.node]
    n, values = unit.tape.data[source].carry, []
    for j in range(b.width):
        record, k = divmod(b.base + j, n)
        base, first, step = unit.lines[source][k]
        offset = w.let(f"mul i64 {index}, {b.stride // n * step}")
        values.append(w.load("%" + base, w.let(f"add i64 {offset}, {first + (record - 1) * step}")))
    return values


def _read_row(unit: Any, w: Writer, data: Loop, i: int, held: int, index: str) -> list[str]:
    """Load the row values of pass `index`."""
    m, values = w.machine, []
    for b in data.blocks:
        if not b.width:
            continue
        if b.source == "items":
            values += _read_records(unit, w, data, i, b, index)
            continue
        start = w.let(f"mul i64 {index}, {b.stride}")
        for j in range(b.width):
            at = w.let(f"add i64 {start}, {(held if b.source == 'nodes' else 0) + b.base + j}")
            if b.source == "table":
                x = unit.program.entry(w, b.table, at)
                if m.lanes > 1:
                    one = w.let(f"insertelement {m.number} poison, {m.element} {x}, i32 0")
                    x = w.let(f"shufflevector {m.number} {one}, {m.number} poison, <{m.lanes} x i32> zeroinitializer")
                values.append(x)
            else:
                values.append(w.load("%" + unit.program.source(b.base) if b.source == "input" else "%tmp", at))
    return values


class _Records:
    """Destination of the recorded carry: the output arrays if the records are evenly spaced there, else tmp."""

    def __init__(self, unit: Any, i: int, data: Loop) -> None:
        self.data, n = data, data.carry
        self.lines: list[tuple[str, int, int]] = []  # for each carry value: base, first slot, step
        unit.lines[i] = self.lines
        if not data.every:
            return
        nodes = {unit.tape.data[item]: item for item in unit.items.get(i, ())}
        for k in range(n):
            items = [nodes.get(n * (r + 1) + k) for r in range(data.records)]
            line = self._output_line(unit, items) or ("tmp", unit.program.take(data.records), 1)
            self.lines.append(line)
            for r, item in enumerate(items):
                if item is not None:
                    unit.record_places[item] = (line[0], line[1] + r * line[2])

    def _output_line(self, unit: Any, items: list[int | None]) -> tuple[str, int, int] | None:
        """Return ("out", first, step) if the records are evenly spaced outputs, and remove those stores; else None."""
        if not items or any(item is None or not unit.stores.get(item) for item in items):
            return None
        at = [slot for item in items for base, slot in unit.stores[item][:1] if base == "out"]
        if len(at) != len(items):
            return None
        step = at[1] - at[0] if len(at) > 1 else 1
        if any(b - a != step for a, b in pairwise(at)):
            return None
        for item, slot in zip(items, at, strict=True):
            unit.stores[item].remove(("out", slot))
        return "out", at[0], step

    def write(self, w: Writer, index: str, after: list[str]) -> None:
        """Store the carry, whose values have the names `after`, if this pass is recorded."""
        if beyond := self._begin(w, index):
            for (base, first, step), x in zip(self.lines, after, strict=True):
                w.store("%" + base, w.let(f"add i64 {w.let(f'mul i64 {self._number}, {step}')}, {first}"), x)
            self._close(w, beyond)

    def write_from(self, w: Writer, index: str, now: int) -> None:
        """Store the carry, which is in tmp from slot `now` on, if this pass is recorded."""
        if beyond := self._begin(w, index):
            for step in dict.fromkeys(step for _, _, step in self.lines):
                shift = w.let(f"mul i64 {self._number}, {step}")
                own = [(("tmp", now + k), (b, s)) for k, (b, s, other) in enumerate(self.lines) if other == step]
                copy(w, own, shift=shift)
            self._close(w, beyond)

    def _begin(self, w: Writer, index: str) -> str | None:
        """Branch around passes that are not recorded; return the label behind, or None if nothing is recorded."""
        every = self.data.every
        if not every or not self.lines:
            return None
        beyond = w.fresh("beyond")
        self._number = w.let(f"udiv i64 {index}, {every}")
        store = w.fresh("store")
        rest = w.let(f"urem i64 {w.let(f'add i64 {index}, 1')}, {every}")
        w.do(f"br i1 {w.let(f'icmp eq i64 {rest}, 0')}, label %{store}, label %{beyond}")
        w.block(store)
        return beyond

    def _close(self, w: Writer, beyond: str) -> None:
        w.do(f"br label %{beyond}")
        w.block(beyond)
