"""LLVM IR of a lowered tape: the body that computes one block (CPU lanes) or one figure (a GPU thread).

Memory consists of three arrays of slots, with one number per lane in each slot: `in`, `out`, and `tmp` for values that
several functions use. Long tapes are split into functions of at most MAX_FUNCTION_OPERATIONS operations, so that
compile time grows linearly with the length of the tape. A loop with a short body is written inside its function; a
longer loop calls the functions of its body. A GPU thread has few registers. For GPUs, functions are therefore longer,
loops with their carry in registers are shorter, and values are spilled explicitly (spilling.py).
"""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from anthropi.compiler.targets.copies import copy
from anthropi.compiler.targets.loops import call_loop, memory_loop, register_loop
from anthropi.compiler.targets.machine import Machine, Writer
from anthropi.compiler.targets.parallel_loops import is_parallel, row_places
from anthropi.compiler.targets.spilling import Spilling
from anthropi.tape.operations import MASKS
from anthropi.tape.tape import Loop, Tape, bits

__all__ = ["MAX_FUNCTION_OPERATIONS", "Body", "Unit"]

MAX_FUNCTION_OPERATIONS = 4000  # limit for one function; four times as many on a GPU
_NOT_STORED = ("const", "input", "mask_input", "repeat")  # nodes whose value is not passed between functions


class Unit:
    """A tape (the outermost one or a loop body) while its IR is written, and the memory places of its values."""

    program: "Body"
    tape: Tape
    number: int
    home: list[int]

    def __init__(self, program: "Body", tape: Tape, places: dict[int, tuple[Any, ...]], whole: bool = False) -> None:
        self.program, self.tape, self.whole = program, tape, whole
        self.places = places  # input position → ("in" | "tmp", slot)
        self.number = program.next_unit()
        self.slots: dict[int, int] = {}  # node → tmp slot
        self.record_places: dict[int, tuple[Any, ...]] = {}  # recorded item → ("tmp" | "out", slot)
        self.stores: dict[int, list[tuple[str, int]]] = {}  # node → destinations of its value
        self.items: dict[int, list[int]] = {}  # repeat node → its items on the tape
        self.lines: dict[int, list[tuple[Any, ...]]] = {}  # repeat node → destination of each carried value's records
        self.spilling: Spilling | None = None  # on a GPU: which values are in registers
        for i, op in enumerate(tape.op):
            if op == "item":
                self.items.setdefault(tape.args[i][0], []).append(i)
        self.home = [0] * len(tape) if whole else self._cut()  # node → number of its function

    def _cut(self) -> list[int]:
        """Assign each node to a function."""
        home: list[int] = []
        part, filled, alone = 0, 0, False
        for i, op in enumerate(self.tape.op):
            if op == "item":
                home.append(home[self.tape.args[i][0]])
                continue
            cost = 0 if op in ("const", "input", "mask_input") else weight(self.tape, i)
            far = op == "repeat" and cost > self.program.longest_inline(self.tape.data[i])
            if (far and filled) or alone or filled + cost > self.program.limit:
                part, filled = part + (filled > 0), 0
            home.append(part)
            filled, alone = filled + cost, far
        return home

    def plan(self) -> None:
        """Reserve tmp slots for values that other functions use, and contiguous slots for rows of parallel loops."""
        tape, op = self.tape, self.tape.op
        for i in range(len(tape)):
            if op[i] == "repeat" and is_parallel(self.program.machine, tape.data[i]):
                for a, slot in row_places(self.program, tape, i):
                    if op[a] not in (*_NOT_STORED, "item"):
                        self.slots.setdefault(a, slot)
        for i in range(len(tape)):
            for a in tape.args[i]:
                if self.home[a] != self.home[i] and op[i] != "item" and op[a] not in _NOT_STORED:
                    self._need_slot(a)

    def _need_slot(self, i: int) -> None:
        """Reserve a tmp slot for a node that has no place yet."""
        if i not in self.slots and i not in self.record_places:
            self.slots[i] = self.program.take(1)

    def value(self, w: Writer, i: int) -> str:
        """Return the name of node i's value in this function, loaded from memory if necessary."""
        op = self.tape.op[i]
        if op == "const":
            return w.machine.literal(self.tape.data[i])
        name = w.find((self.number, i))
        if name is None:
            name = self.spilling.find(i) if self.spilling else None
            if name is None:
                base, slot = self.place(i)
                name = w.load_mask(slot) if op in MASKS else w.load("%" + base, slot)
            w.remember((self.number, i), name)
        return name

    def in_memory(self, i: int) -> bool:
        """Return whether node i has a place in memory."""
        if self.tape.op[i] in ("input", "mask_input"):
            return self.tape.data[i] in self.places
        return i in self.record_places or i in self.slots

    def place(self, i: int) -> tuple[Any, ...]:
        """Return the memory place of node i, where other functions find it: ("in" | "out" | "tmp", slot)."""
        if self.tape.op[i] in ("input", "mask_input"):
            return self.places[self.tape.data[i]]
        return self.record_places[i] if i in self.record_places else ("tmp", self.slots[i])

    def define(self, w: Writer, i: int, name: str) -> None:
        """Register the name of a computed value, and store it where it is needed."""
        w.remember((self.number, i), name)
        mask = self.tape.op[i] in MASKS
        wanted = [("tmp", self.slots[i])] if i in self.slots else []
        for base, slot in wanted + self.stores.get(i, []):
            w.store_mask(slot, name) if mask else w.store("%" + base, slot, name)

    def write(self, w: Writer, nodes: Sequence[int], ends: Iterable[int] | None = None) -> None:
        """Write these nodes, in order. ends : nodes that are read afterwards, or None to write without spilling."""
        known = {i for i in nodes if w.find((self.number, i))}
        self.spilling = Spilling(self, w, nodes, ends) if w.machine.register_budget and ends is not None else None
        for k, i in enumerate(nodes):
            op = self.tape.op[i]
            if op in ("const", "input", "mask_input", "item") or i in known:
                continue
            if op == "repeat":
                self._repeat(w, i)
            elif op == "gather":
                self.define(w, i, self.program.gather(self, w, i))
            else:
                self.define(w, i, w.machine.operate(w, op, [self.value(w, a) for a in self.tape.args[i]]))
            if self.spilling:
                self.spilling.after(k, i)

    def _repeat(self, w: Writer, i: int) -> None:
        """Write the loop of repeat node i, by the method that suits its length."""
        loop: Callable[[Any, Writer, int], list[str] | int] = register_loop
        program = self.program  # a unit that is written whole has no places for values of other functions
        limit = program.longest_inline(self.tape.data[i])
        if self.whole:
            limit = max(limit, program.inline_limit)
        if weight(self.tape, i) > limit:
            loop = memory_loop if self._fits(self.tape.data[i]) else call_loop
        live = self.spilling.live if self.spilling else 0
        self.program.live_outside += live
        self._keep_items(w, i, loop(self, w, i))
        self.program.live_outside -= live

    def _fits(self, data: Loop) -> bool:
        """Return whether a GPU thread can run a long loop body without function calls."""
        if not self.program.machine.gpu or not data.times or (data.stops and data.every):
            return False
        return Unit(self.program, data.body, {}).parts == 1

    def _keep_items(self, w: Writer, i: int, last: list[str] | int) -> None:
        """Register the values of a loop that are used later: its last carry and its records.

        last : names of the last carry, or the first of the tmp slots that contain it.
        """
        copied = []
        for item in self.items.get(i, ()):
            k = self.tape.data[item]
            if k >= self.tape.data[i].carry:
                if self.stores.get(item):
                    self.define(w, item, self.value(w, item))
            elif isinstance(last, int):
                self.slots[item] = last + k  # loaded where it is used
                copied += [(("tmp", last + k), target) for target in self.stores.get(item, [])]
            else:
                self.define(w, item, last[k])
        copy(w, copied)

    @property
    def parts(self) -> int:
        """Number of functions of the unit."""
        return max(self.home, default=0) + 1

    def functions(self, stem: str) -> list[str]:
        """Write the whole unit as functions; return their names in order."""
        parts: list[list[int]] = [[] for _ in range(self.parts)]
        for i, part in enumerate(self.home):
            parts[part].append(i)
        writers = [Writer(f"{stem}_{k}", self.program.machine) for k in range(len(parts))]
        for w, nodes in zip(writers, parts, strict=True):
            self.write(w, nodes, ends=())
        self._finish(writers[-1])
        self.program.text += [w.text() for w in writers]
        return [w.name for w in writers]

    def _finish(self, w: Writer) -> None:
        """Store those results of the tape that are inputs or constants."""
        for i, wanted in self.stores.items():
            if self.tape.op[i] in ("const", "input", "mask_input"):
                for base, slot in wanted:
                    name = self.value(w, i)
                    w.store_mask(slot, name) if self.tape.op[i] == "mask_input" else w.store("%" + base, slot, name)


def weight(tape: Tape, i: int) -> int:
    """Return the number of operations of node i; a loop counts with its whole body."""
    if tape.op[i] != "repeat":
        return 1
    body = tape.data[i].body
    return 10 + tape.data[i].held + sum(weight(body, k) for k in range(len(body)))


class Body:
    """The LLVM functions of a tape. `calls` are their names in order; `scratch` is the number of slots of `tmp`."""

    machine: Machine
    scratch: int
    spilled: int
    calls: list[str]

    def __init__(self, tape: Tape, machine: Machine, uniform: Container[int] = (), deep: bool = False) -> None:
        self.machine, self.scratch, self._units = machine, 0, 0
        self.uniform = uniform  # positions of inputs that all threads of a GPU share
        self.deep = deep  # whether many values wait: then values spilled by the driver are faster than those in tmp
        self.limit = self.inline_limit = MAX_FUNCTION_OPERATIONS  # the second: longest body of a register loop
        if machine.gpu:  # passing values through tmp is slower there, and the carry of a loop takes registers
            self.limit = (8 if deep else 4) * MAX_FUNCTION_OPERATIONS
            self.inline_limit = 4 * MAX_FUNCTION_OPERATIONS if deep else MAX_FUNCTION_OPERATIONS // 4
        self.live_outside = 0  # values in registers around the loop being written
        self.spilled, self._free = 0, list[int]()  # spill slots ever taken, and those released
        self.text: list[str] = []
        self._tables: dict[bytes, str] = {}
        self.machines: set[Machine] = {machine}  # machines whose intrinsics are called
        self.rows: dict[Tape, int] = {}  # body of a parallel loop → first slot of its rows
        self.broadcast_slots: dict[tuple[int, int], int] = {}  # (unit, node) → tmp slots with the value in every lane
        unit = Unit(self, tape, {p: (self.source(p), p) for s in tape.inputs for p in range(s.start, s.start + s.size)})
        for p, i in enumerate(tape.result):
            unit.stores.setdefault(i, []).append(("out", p))
        unit.plan()
        self.calls = unit.functions("part")

    def longest_inline(self, data: Loop) -> int:
        """Return the most operations of a loop that is written inside its function.

        On a CPU it is less for a loop that may stop before its first pass, so that its rare body takes no registers. On
        a GPU it is more: the values around a solve are many, and passing them through tmp takes longer than the solve.
        """
        if not data.stops:
            return self.inline_limit
        return 4 * MAX_FUNCTION_OPERATIONS if self.machine.gpu else MAX_FUNCTION_OPERATIONS // 4

    def source(self, position: int) -> str:
        """Return the memory area of a flat input: "in", or "uniform"."""
        return "uniform" if position in self.uniform else "in"

    def next_unit(self) -> int:
        """Return a new number for a unit."""
        self._units += 1
        return self._units

    def take(self, slots: int) -> int:
        """Reserve contiguous slots of tmp; return the first."""
        self.scratch += slots
        return self.scratch - slots

    def spill_slot(self) -> tuple[str, int] | None:
        """Reserve a place for one spilled number, in a GPU's shared memory or in tmp; None if there is no room left."""
        if not self.machine.gpu:
            return "tmp", self.take(1)
        if self._free:
            return "spill", self._free.pop()
        if self.spilled == self.machine.spill_capacity:
            return None
        self.spilled += 1
        return "spill", self.spilled - 1

    def release_spill_slot(self, place: tuple[str, int]) -> None:
        """Release the place of a spilled number."""
        if place[0] == "spill":
            self._free.append(place[1])

    def take_aligned(self, slots: int, multiple: int) -> int:
        """Reserve contiguous slots of tmp that begin at a multiple of `multiple`; return the first."""
        self.scratch += -self.scratch % multiple
        return self.take(slots)

    def table(self, numbers: Sequence[float]) -> str:
        """Define a constant array in the module; return its name."""
        m = self.machine
        name = bits(numbers)
        if name not in self._tables:
            self._tables[name] = f"@table{len(self._tables)}"
            one = Machine(m.precision)
            entries = ", ".join(f"{m.element} {one.literal(x)}" for x in numbers)
            space = "addrspace(1) " if m.gpu else ""
            self.text.insert(
                0, f"{self._tables[name]} = internal {space}constant [{len(numbers)} x {m.element}] [{entries}]"
            )
        return self._tables[name]

    def entry(self, w: Writer, numbers: Sequence[float], index: str) -> str:
        """Load one number of a constant table at an i64 index."""
        m, table = self.machine, self.table(numbers)
        address = w.let(f"getelementptr {m.element}, {m.pointer} {table}, i64 {index}")
        return w.let(f"load {m.element}, {m.pointer} {address}, align {m.size}")

    def gather(self, unit: Unit, w: Writer, i: int) -> str:
        """Write table[⌊index⌋] lane by lane; the table is constant, or its recorded entries are stored in tmp first."""
        m, args, numbers = self.machine, unit.tape.args[i], unit.tape.data[i]
        n, i32 = m.number, m.over_lanes("i32")
        count = len(numbers) if numbers is not None else len(args) - 1
        at = m.operate(w, "floor", [unit.value(w, args[0])])
        for order, bound in (("ogt", 0.0), ("olt", float(count - 1))):
            inside = w.let(f"fcmp {order} {n} {at}, {m.literal(bound)}")
            at = w.let(f"select {m.mask} {inside}, {n} {at}, {n} {m.literal(bound)}")
        at = w.let(f"fptosi {n} {at} to {i32}")
        base = None
        if numbers is None:
            base = self.take(count)
            for k, a in enumerate(args[1:]):
                w.store("%tmp", base + k, unit.value(w, a))
        result = "poison"
        for lane in range(m.lanes):
            index = w.let(f"extractelement {i32} {at}, i32 {lane}") if m.lanes > 1 else at
            index = w.let(f"sext i32 {index} to i64")
            if base is None:
                x = self.entry(w, numbers, index)
            else:
                address = w.address("%tmp", w.let(f"add i64 {index}, {base}"))
                if m.lanes > 1:
                    address = w.let(f"getelementptr {m.element}, {m.pointer} {address}, i64 {lane}")
                x = w.let(f"load {m.element}, {m.pointer} {address}, align {m.size}")
            result = w.let(f"insertelement {n} {result}, {m.element} {x}, i32 {lane}") if m.lanes > 1 else x
        return result
