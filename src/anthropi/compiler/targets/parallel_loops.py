"""Loops whose passes are independent of each other (maps over rows).

A loop that does not read its carry and records every pass needs no registers for the carry. In a kernel for a batch its
passes run in sequence, and the lanes are figures. In a kernel for a single figure the lanes are passes. Each pass
performs the same operations in both cases, so the results are bit for bit identical. The last group of passes ends at
the last pass and repeats some passes of the group before. If there are fewer passes than lanes, some lanes are idle and
their results are not stored.

Captured values are loaded at every use (`load volatile`). Otherwise the compiler would keep them in registers from the
first use to the last, run out of registers and spill them.
"""

from typing import Any

from anthropi.compiler.targets.machine import Machine, Writer
from anthropi.tape.tape import Loop, Tape

__all__ = ["is_parallel", "row_places", "write_parallel_loop"]

MAX_PASSES_PER_VECTOR = 8
_UNSUPPORTED = ("repeat", "gather", "item", "mask_input")


def is_parallel(machine: Machine, data: Loop) -> bool:
    """Return whether the passes of a loop are independent of each other and this machine can make use of it."""
    if machine.gpu or data.times < 2 or data.every != 1 or data.stops:
        return False
    body = data.body
    used = body.ancestors(body.result)
    reads_carry = any(body.op[i] == "input" and body.data[i] < data.carry for i in used)
    plain = all(b.source == "nodes" for b in data.blocks) and not any(op in _UNSUPPORTED for op in body.op)
    return plain and not reads_carry


def row_places(program: Any, tape: Tape, i: int) -> list[tuple[int, int]]:
    """Return (node, tmp slot) of all row values of a parallel loop; the slots of one value are contiguous by pass."""
    data, args = tape.data[i], tape.args[i]
    room = (
        max(data.times, MAX_PASSES_PER_VECTOR) if program.machine.lanes == 1 else data.times
    )  # idle lanes read beyond the passes
    if data.body not in program.rows:
        program.rows[data.body] = program.take_aligned(room * data.row, MAX_PASSES_PER_VECTOR)
    start, found = program.rows[data.body], []
    values = [(b, j) for b in data.blocks for j in range(b.width)]
    for n, (b, j) in enumerate(values):
        found += [(args[data.carry + b.base + k * b.stride + j], start + n * room + k) for k in range(data.times)]
    return found


def write_parallel_loop(unit: Any, w: Writer, i: int, lines: list[tuple[str, int, int]]) -> list[str]:
    """Write the parallel loop of repeat node i; return the names of the values of the last pass.

    lines : destinations of the records.
    """
    data, body = unit.tape.data[i], unit.tape.data[i].body
    layout = (_LanesArePasses if w.machine.lanes == 1 else _LanesAreFigures)(unit, w, data)
    rows = layout.rows(i)
    captured = [layout.capture(a) for a in unit.tape.args[i][data.carry + data.held :]]
    before, head, end = w.label, w.fresh("head"), w.fresh("end")
    w.do(f"br label %{head}")
    w.block(head)
    group = w.let(f"phi i64 [ 0, %{before} ], [ %{head}.next, %{head} ]")
    first = layout.first(group)
    names: dict[int, str] = {}

    def value(node: int) -> str:
        """Return the name of a node's value."""
        if body.op[node] == "const":
            return layout.machine.literal(body.data[node])
        position = body.data[node] - data.carry if body.op[node] == "input" else -1
        if position >= data.row:
            return layout.read(captured[position - data.row])
        if node not in names:
            names[node] = layout.load(w.let(f"add i64 {first}, {rows[position]}"))
        return names[node]

    for node, op in enumerate(body.op):
        if op not in ("input", "const"):
            names[node] = layout.machine.operate(w, op, [value(a) for a in body.args[node]])
    for line, result in zip(lines, body.result, strict=True):
        layout.record(line, first, value(result))
    w.do(f"%{head}.next = add i64 {group}, 1")
    more = w.let(f"icmp ult i64 %{head}.next, {-(-data.times // layout.span)}")
    w.do(f"br i1 {more}, label %{head}, label %{end}")
    w.block(end)
    wanted, last = {unit.tape.data[item] for item in unit.items.get(i, ())}, data.times - 1
    return [w.load("%" + b, s + last * step) if k in wanted else "poison" for k, (b, s, step) in enumerate(lines)]


class _LanesAreFigures:
    """A parallel loop in a kernel for a batch: the passes run in sequence, and the lanes are figures."""

    span = 1  # passes per group

    def __init__(self, unit: Any, w: Writer, data: Loop) -> None:
        self.unit, self.w, self.data, self.machine = unit, w, data, w.machine

    def rows(self, i: int) -> list[int]:
        """Store the row values that are not yet in tmp; return the first slot of each."""
        unit, places = self.unit, row_places(self.unit.program, self.unit.tape, i)
        for a, slot in places:
            if unit.slots.get(a) != slot:
                self.w.store("%tmp", slot, unit.value(self.w, a))
        return [slot for _, slot in places[:: self.data.times]]

    def capture(self, node: int) -> str | tuple[Any, ...]:
        """Return the name or the memory place of a value of the outer tape, to be given to `read`."""
        return self.unit.place(node) if self.unit.in_memory(node) else self.unit.value(self.w, node)

    def read(self, found: str | tuple[Any, ...]) -> str:
        """Load a captured value."""
        return found if isinstance(found, str) else self.load(found[1], "%" + found[0], "volatile ")

    def first(self, group: str) -> str:
        """Return the first pass of a group."""
        return group

    def load(self, slot: int | str, base: str = "%tmp", qualifier: str = "") -> str:
        """Load the number or vector that begins at a slot."""
        m, address = self.machine, self.w.address(base, slot)
        return self.w.let(f"load {qualifier}{m.number}, ptr {address}, align {m.size * self.w.machine.lanes}")

    def record(self, line: tuple[str, int, int], first: str, x: str) -> None:
        """Store the values of a group at the destinations of its records."""
        base, slot, step = line
        self.w.store("%" + base, self.w.let(f"add i64 {self.w.let(f'mul i64 {first}, {step}')}, {slot}"), x)


class _LanesArePasses(_LanesAreFigures):
    """A parallel loop in a kernel for a single figure: the lanes are passes."""

    def __init__(self, unit: Any, w: Writer, data: Loop) -> None:
        super().__init__(unit, w, data)
        self.span = next(k for k in (2, 4, MAX_PASSES_PER_VECTOR) if k >= min(data.times, MAX_PASSES_PER_VECTOR))
        self.machine = Machine(w.machine.precision, self.span)
        unit.program.machines.add(self.machine)

    def capture(self, node: int) -> str | tuple[Any, ...]:
        """Return the place of a value, which is broadcast to every lane at its first use; a constant is a literal."""
        unit, w, known = self.unit, self.w, self.unit.program.broadcast_slots
        if unit.tape.op[node] == "const":
            return self.machine.literal(unit.tape.data[node])
        key = (unit.number, node)
        if key not in known:
            known[key] = unit.program.take_aligned(MAX_PASSES_PER_VECTOR, MAX_PASSES_PER_VECTOR)
            m = Machine(w.machine.precision, MAX_PASSES_PER_VECTOR)
            one = w.let(f"insertelement {m.number} poison, {m.element} {unit.value(w, node)}, i32 0")
            zeros = f"<{MAX_PASSES_PER_VECTOR} x i32> zeroinitializer"
            all_ = w.let(f"shufflevector {m.number} {one}, {m.number} poison, {zeros}")
            w.do(f"store {m.number} {all_}, ptr {w.address('%tmp', known[key])}, align {m.size}")
        return "tmp", known[key]

    def first(self, group: str) -> str:
        highest = max(self.data.times - self.span, 0)
        at = self.w.let(f"mul i64 {group}, {self.span}")
        return self.w.let(f"select i1 {self.w.let(f'icmp ugt i64 {at}, {highest}')}, i64 {highest}, i64 {at}")

    def record(self, line: tuple[str, int, int], first: str, x: str) -> None:
        (base, slot, step), m, w = line, self.machine, self.w
        busy = min(m.lanes, self.data.times)
        if step != 1:
            for lane in range(busy):
                number = w.let(f"add i64 {first}, {lane}")
                at = w.let(f"add i64 {w.let(f'mul i64 {number}, {step}')}, {slot}")
                w.store("%" + base, at, w.let(f"extractelement {m.number} {x}, i32 {lane}"))
            return
        address = w.address("%" + base, w.let(f"add i64 {first}, {slot}"))
        if busy == m.lanes:
            w.do(f"store {m.number} {x}, ptr {address}, align {m.size}")
        else:
            mask = ", ".join(f"i1 {'true' if k < busy else 'false'}" for k in range(m.lanes))
            w.do(f"call void {m.masked_store}({m.number} {x}, ptr {address}, i32 {m.size}, {m.mask} <{mask}>)")
