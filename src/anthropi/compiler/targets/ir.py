"""A lowered tape as LLVM IR: the body that computes one block (CPU lanes) or one figure (a GPU thread).

Memory is three arrays of slots, one number a lane: `in`, `out`, and `tmp` for what must outlive a function. Long
tapes are cut into functions of at most LIMIT operations, so that compile time stays linear: a value used in another
function than its own passes through `tmp`. A repeated block whose body fits is a loop inside its function; a longer
one is a loop that calls the functions of its body. A GPU's thread has few registers: there functions are longer, loops
in registers shorter, and numbers are put down (spilling.py).
"""

from anthropi.compiler.targets.loops import far_loop, near_loop, placed_loop
from anthropi.compiler.targets.machine import Machine, Writer
from anthropi.compiler.targets.parallel_loops import is_parallel, row_places
from anthropi.compiler.targets.spilling import Spilling
from anthropi.tape.operations import MASKS
from anthropi.tape.tape import Loop, Tape, bits

__all__ = ["LIMIT", "Body", "Unit"]

LIMIT = 4000  # operations a function
_NOWHERE = ("const", "input", "mask_input", "repeat")  # nodes whose value no function hands to another


class Unit:
    """A tape being written: the outermost one, or the body of a repeat. Knows where its values lie."""

    def __init__(self, program: "Body", tape: Tape, places: dict[int, tuple], whole: bool = False):
        self.program, self.tape = program, tape
        self.places = places  # input position → ("in" | "tmp", slot)
        self.number = program.next_unit()
        self.slots: dict[int, int] = {}  # node → tmp slot
        self.spots: dict[int, tuple] = {}  # recorded item → ("tmp" | "out", slot)
        self.stores: dict[int, list[tuple[str, int]]] = {}  # node → where its value is wanted
        self.items: dict[int, list[int]] = {}  # repeat node → its items on the tape
        self.lines: dict[int, list[tuple]] = {}  # repeat node → where each carried value is recorded
        self.parking: Spilling | None = None  # where registers are few: which numbers are at hand
        for i, op in enumerate(tape.op):
            if op == "item":
                self.items.setdefault(tape.args[i][0], []).append(i)
        self.home = [0] * len(tape) if whole else self._cut()  # node → which function it is in

    def _cut(self) -> list[int]:
        """The function each node belongs to."""
        home: list[int] = []
        part, filled, alone = 0, 0, False
        for i, op in enumerate(self.tape.op):
            if op == "item":
                home.append(home[self.tape.args[i][0]])
                continue
            cost = 0 if op in ("const", "input", "mask_input") else weight(self.tape, i)
            far = op == "repeat" and cost > self.program.near
            if (far and filled) or alone or filled + cost > self.program.limit:
                part, filled = part + (filled > 0), 0
            home.append(part)
            filled, alone = filled + cost, far
        return home

    def plan(self) -> None:
        """Give a tmp slot to every value that is used in another function than its own; rows of maps lie in order."""
        tape, op = self.tape, self.tape.op
        for i in range(len(tape)):
            if op[i] == "repeat" and is_parallel(self.program.machine, tape.data[i]):
                for a, slot in row_places(self.program, tape, i):
                    if op[a] not in (*_NOWHERE, "item"):
                        self.slots.setdefault(a, slot)
        for i in range(len(tape)):
            for a in tape.args[i]:
                if self.home[a] != self.home[i] and op[i] != "item" and op[a] not in _NOWHERE:
                    self._need_slot(a)

    def _need_slot(self, i: int) -> None:
        if i not in self.slots and i not in self.spots:
            self.slots[i] = self.program.take(1)

    def value(self, w: Writer, i: int) -> str:
        """The name of node i's value in this function, loaded if it is not at hand."""
        op = self.tape.op[i]
        if op == "const":
            return w.machine.literal(self.tape.data[i])
        name = w.find((self.number, i))
        if name is None:
            name = self.parking.find(i) if self.parking else None
            if name is None:
                base, slot = self.place(i)
                name = w.load_mask(slot) if op in MASKS else w.load("%" + base, slot)
            w.remember((self.number, i), name)
        return name

    def lies(self, i: int) -> bool:
        """Whether node i has a place in memory."""
        if self.tape.op[i] in ("input", "mask_input"):
            return self.tape.data[i] in self.places
        return i in self.spots or i in self.slots

    def place(self, i: int) -> tuple:
        """Where other functions find node i: ("in" | "out" | "tmp", slot)."""
        if self.tape.op[i] in ("input", "mask_input"):
            return self.places[self.tape.data[i]]
        return self.spots[i] if i in self.spots else ("tmp", self.slots[i])

    def keep(self, w: Writer, i: int, name: str) -> None:
        """Note a value just computed; put it where it is wanted."""
        w.remember((self.number, i), name)
        mask = self.tape.op[i] in MASKS
        wanted = [("tmp", self.slots[i])] if i in self.slots else []
        for base, slot in wanted + self.stores.get(i, []):
            w.store_mask(slot, name) if mask else w.store("%" + base, slot, name)

    def write(self, w: Writer, nodes, ends=None) -> None:
        """Write these nodes, in order. `ends` are read after them; None if all that is made stays at hand."""
        known = {i for i in nodes if w.find((self.number, i))}
        self.parking = Spilling(self, w, nodes, ends) if w.machine.room and ends is not None else None
        for k, i in enumerate(nodes):
            op = self.tape.op[i]
            if op in ("const", "input", "mask_input", "item") or i in known:
                continue
            if op == "repeat":
                self._repeat(w, i)
            elif op == "gather":
                self.keep(w, i, self.program.gather(self, w, i))
            else:
                self.keep(w, i, w.machine.operate(w, op, [self.value(w, a) for a in self.tape.args[i]]))
            if self.parking:
                self.parking.tidy(k, i)

    def _repeat(self, w: Writer, i: int) -> None:
        """Write a repeated block."""
        loop = near_loop
        if weight(self.tape, i) > self.program.near:
            loop = placed_loop if self._fits(self.tape.data[i]) else far_loop
        busy = self.parking.held if self.parking else 0
        self.program.busy += busy
        self._keep_items(w, i, loop(self, w, i))
        self.program.busy -= busy

    def _fits(self, data: Loop) -> bool:
        """Whether a GPU's thread can go through a long body in place."""
        if not self.program.machine.gpu or not data.times or (data.stops and data.every):
            return False
        return Unit(self.program, data.body, {}).parts == 1

    def _keep_items(self, w: Writer, i: int, last: list[str]) -> None:
        for item in self.items.get(i, ()):
            k = self.tape.data[item]
            if k < len(last):
                self.keep(w, item, last[k])
            elif self.stores.get(item):
                self.keep(w, item, self.value(w, item))

    @property
    def parts(self) -> int:
        """How many functions it takes."""
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
        """Results that are inputs or constants have no line of their own: store them at the end."""
        for i, wanted in self.stores.items():
            if self.tape.op[i] in ("const", "input", "mask_input"):
                for base, slot in wanted:
                    name = self.value(w, i)
                    w.store_mask(slot, name) if self.tape.op[i] == "mask_input" else w.store("%" + base, slot, name)


def weight(tape: Tape, i: int) -> int:
    """How many operations node i stands for."""
    if tape.op[i] != "repeat":
        return 1
    body = tape.data[i].body
    return 10 + tape.data[i].held + sum(weight(body, k) for k in range(len(body)))


class Body:
    """The functions of a tape. `calls` are to be called in order; `scratch` slots of `tmp` are used."""

    def __init__(self, tape: Tape, machine: Machine):
        self.machine, self.scratch, self._units = machine, 0, 0
        self.limit = 4 * LIMIT if machine.gpu else LIMIT  # a value handed over in tmp costs more on a GPU
        self.near = LIMIT // 4 if machine.gpu else LIMIT  # and what is carried leaves fewer registers
        self.busy = 0  # numbers at hand around the loop being written
        self.parked, self._free = 0, list[int]()  # parking places ever taken, and those given back
        self.text: list[str] = []
        self._tables: dict[bytes, str] = {}
        self.machines: set[Machine] = {machine}  # whose intrinsics are called
        self.rows: dict[Tape, int] = {}  # body of a map → where its rows begin
        self.wide: dict[tuple[int, int], int] = {}  # values that lie in tmp once for every lane of a map
        unit = Unit(self, tape, {p: ("in", p) for s in tape.inputs for p in range(s.start, s.start + s.size)})
        for p, i in enumerate(tape.result):
            unit.stores.setdefault(i, []).append(("out", p))
        unit.plan()
        self.calls = unit.functions("part")

    def next_unit(self) -> int:
        self._units += 1
        return self._units

    def take(self, slots: int) -> int:
        """Reserve slots of tmp; return the first."""
        self.scratch += slots
        return self.scratch - slots

    def park(self) -> tuple[str, int] | None:
        """A parking place for one number, if there is one: in a GPU's shared memory, else in tmp."""
        if not self.machine.gpu:
            return "tmp", self.take(1)
        if self._free:
            return "park", self._free.pop()
        if self.parked == self.machine.places:
            return None
        self.parked += 1
        return "park", self.parked - 1

    def leave(self, place: tuple[str, int]) -> None:
        """Give a parking place back."""
        if place[0] == "park":
            self._free.append(place[1])

    def take_even(self, slots: int, multiple: int) -> int:
        """Reserve slots of tmp that begin at a multiple of a number."""
        self.scratch += -self.scratch % multiple
        return self.take(slots)

    def table(self, numbers) -> str:
        """A constant array in the module; returns its name."""
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

    def entry(self, w: Writer, numbers, index: str) -> str:
        """One number of a constant table at an i64 index."""
        m, table = self.machine, self.table(numbers)
        address = w.let(f"getelementptr {m.element}, {m.pointer} {table}, i64 {index}")
        return w.let(f"load {m.element}, {m.pointer} {address}, align {m.size}")

    def gather(self, unit: Unit, w: Writer, i: int) -> str:
        """table[⌊index⌋] lane by lane: from a constant table, or from traced entries laid down in tmp."""
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
