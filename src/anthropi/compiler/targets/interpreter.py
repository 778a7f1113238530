"""The interpreter: native code that goes through a list of instructions, written once a precision.

An instruction is a row of six whole numbers: what to do, then slots, counts and jumps (`program.py` writes them). A
slot holds a number, a truth as 1 or 0, or the pass of a loop by its bits. Arithmetic is that of `Machine`, elementary
functions are the tapes that `lower` puts in their place: the bits are those of compiled code.
"""

import numpy as np

from anthropi.compiler import elementary
from anthropi.compiler.elementary import constants_for
from anthropi.compiler.lower import LOWERED, fuse
from anthropi.compiler.targets.machine import Machine, Writer
from anthropi.tape.operations import LOWERED_ONLY, MASKS, OPERATIONS
from anthropi.tape.record import record
from anthropi.tape.tape import Tape

__all__ = ["CODES", "WIDTH", "module"]

WIDTH = 6  # whole numbers an instruction
_NODES = ("const", "input", "mask_input", "item", "gather", "repeat")  # not done by one plain operation
_ARITY = {o.name: o.arity for o in OPERATIONS if o.name not in (*_NODES, *LOWERED_ONLY)}
_FUSED = ("fms", "fnma")  # a b - c, c - a b: with fma, the sums that absorbed a product
_MOVES = ("gather", "move", "copy", "row", "loop", "test", "next", "record", "in", "out", "end")
CODES = {name: code for code, name in enumerate((*_ARITY, *_FUSED, *_MOVES))}


def module(precision: str) -> str:
    """IR of `interpret(code, values, arrays, row)`. arrays : addresses as a kernel's `rows` takes them."""
    return _Interpreter(Machine(precision, 1)).text


class _Interpreter:
    """The function being written: one block an instruction, all of which go on to `next`."""

    def __init__(self, machine: Machine):
        self.m, self.w = machine, Writer("interpret", machine, linkage="")
        self.w.arguments = "ptr %code, ptr %values, ptr %arrays, i64 %row"
        self._whole = f"i{8 * machine.size}"  # a loop's counter, in the bits of a slot
        self._ways: list[tuple[str, str]] = [("%code", "entry")]  # where `next` is come to from, with which instruction
        self.w.do("br label %next")
        for name, arity in _ARITY.items():
            self._begin(name)
            self._put(name in MASKS, self._operation(name, arity))
            self._go_on()
        for name in (*_FUSED, *_MOVES):
            self._begin(name)
            getattr(self, f"_{name}")()
        cases = " ".join(f"i32 {code}, label %do.{name}" for name, code in CODES.items())
        ways = ", ".join(f"[ {pc}, %{label} ]" for pc, label in self._ways)
        self.w.lines += ["next:", f"  %pc = phi ptr {ways}", "  %do = load i32, ptr %pc, align 4",
                         f"  switch i32 %do, label %stop [{cases}]", "stop:"]  # fmt: skip
        self.text = "\n".join([*machine.declarations(), self.w.text()])

    # what every instruction does

    def _begin(self, name: str) -> None:
        self.w.block(f"do.{name}")

    def _go_on(self, by: str = str(WIDTH)) -> None:
        """To the instruction so many whole numbers further."""
        self._ways.append((self.w.let(f"getelementptr i32, ptr %pc, i64 {by}"), self.w.label))
        self.w.do("br label %next")

    def _given(self, k: int) -> str:
        """The k-th whole number of the instruction, as i64."""
        at = self.w.let(f"getelementptr i32, ptr %pc, i64 {k}")
        return self.w.let(f"sext i32 {self.w.let(f'load i32, ptr {at}, align 4')} to i64")

    def _jump(self, k: int) -> str:
        """How far the instruction's k-th number of instructions is."""
        return self.w.let(f"mul i64 {self._given(k)}, {WIDTH}")

    def _value(self, k: int) -> str:
        return self.w.load("%values", self._given(k))

    def _truth(self, k: int) -> str:
        return self.w.let(f"fcmp one {self.m.number} {self._value(k)}, {self.m.literal(0.0)}")

    def _put(self, truth: bool, name: str) -> None:
        if truth:
            name = self.w.let(f"select i1 {name}, {self.m.number} {self.m.literal(1.0)}, {self.m.number} "
                              f"{self.m.literal(0.0)}")  # fmt: skip
        self.w.store("%values", self._given(1), name)

    # operations

    def _operation(self, op: str, arity: int) -> str:
        masks = {"and": 2, "or": 2, "not": 1, "select": 1}.get(op, 0)
        args = [self._truth(k + 2) if k < masks else self._value(k + 2) for k in range(arity)]
        if op not in LOWERED:
            return self.m.operate(self.w, op, args)
        function, constants = getattr(elementary, op), constants_for(self.m.precision)
        return self._straight(fuse(_recorded(function, arity, constants)), args)

    def _straight(self, tape: Tape, given: list[str]) -> str:
        """The result of a tape without loops."""
        names: list[str] = []
        for op, args, data in zip(tape.op, tape.args, tape.data, strict=True):
            if op == "const":
                names.append(self.m.literal(data))
            elif op == "input":
                names.append(given[data])
            else:
                names.append(self.m.operate(self.w, op, [names[a] for a in args]))
        return names[tape.result[0]]

    def _fms(self) -> None:
        """slot 1 ← slot 2 · slot 3 - slot 4"""
        self._fma_but_for(2)

    def _fnma(self) -> None:
        """slot 1 ← slot 4 - slot 2 · slot 3"""
        self._fma_but_for(0)

    def _fma_but_for(self, negative: int) -> None:
        args = [self._value(k) for k in (2, 3, 4)]
        args[negative] = self.m.operate(self.w, "neg", [args[negative]])
        self._put(False, self.m.operate(self.w, "fma", args))
        self._go_on()

    def _gather(self) -> None:
        """slot 1 ← entry ⌊slot 2⌋ of those from slot 3 on, of which there are so many (4); NaN reads the first"""
        w, n = self.w, self.m.number
        index = self.m.operate(w, "floor", [self._value(2)])
        last = w.let(f"sitofp i64 {w.let(f'sub i64 {self._given(4)}, 1')} to {n}")
        for ordered, bound in (("ogt", self.m.literal(0.0)), ("olt", last)):
            inside = w.let(f"fcmp {ordered} {n} {index}, {bound}")
            index = w.let(f"select i1 {inside}, {n} {index}, {n} {bound}")
        at = w.let(f"add i64 {self._given(3)}, {w.let(f'fptosi {n} {index} to i64')}")
        self._put(False, w.load("%values", at))
        self._go_on()

    # memory

    def _each(self, count: str, do) -> None:
        """do(i) for 0 ≤ i < count."""
        w, start = self.w, self.w.label
        head, body, after = (w.fresh(stem) for stem in ("each", "one", "over"))
        w.do(f"br label %{head}")
        w.block(head)
        i, mark = f"%{head}.i", len(w.lines)
        more = w.let(f"icmp slt i64 {i}, {count}")
        w.do(f"br i1 {more}, label %{body}, label %{after}")
        w.block(body)
        do(i)
        following = w.let(f"add i64 {i}, 1")
        w.do(f"br label %{head}")
        w.lines.insert(mark, f"  {i} = phi i64 [ 0, %{start} ], [ {following}, %{w.label} ]")
        w.block(after)

    def _plus(self, a: str, b: str) -> str:
        return self.w.let(f"add i64 {a}, {b}")

    def _copied(self, target: str, source: str, count: str) -> None:
        """Slots from source on to those from target on."""

        def one(i: str) -> None:
            self.w.store("%values", self._plus(target, i), self.w.load("%values", self._plus(source, i)))

        self._each(count, one)

    def _move(self) -> None:
        """slot 1 ← slot 2"""
        self._put(False, self._value(2))
        self._go_on()

    def _copy(self) -> None:
        """slots from 1 on ← slots from 2 on, so many (3)"""
        self._copied(self._given(1), self._given(2), self._given(3))
        self._go_on()

    def _array(self, which: int) -> str:
        """An address of `arrays`."""
        at = self.w.let(f"getelementptr i64, ptr %arrays, i64 {self._given(which)}")
        return self.w.let(f"load ptr, ptr {at}, align 8")

    def _in(self) -> None:
        """slots from 1 on ← this row of the array with address 2 and step 3, so many (4)"""
        w, m, to, source = self.w, self.m, self._given(1), self._array(2)
        step = w.let(f"load i64, ptr {w.let(f'getelementptr i64, ptr %arrays, i64 {self._given(3)}')}, align 8")
        start = w.let(f"mul i64 %row, {step}")
        self._each(self._given(4), lambda i: w.store("%values", self._plus(to, i), w.let(
            f"load {m.number}, ptr {w.let(f'getelementptr {m.number}, ptr {source}, i64 {self._plus(start, i)}')}, "
            f"align {m.size}")))  # fmt: skip
        self._go_on()

    def _out(self) -> None:
        """this row of the array with address 2 ← slots from 1 on, so many (3)"""
        w, m, source, target, size = self.w, self.m, self._given(1), self._array(2), self._given(3)
        start = w.let(f"mul i64 %row, {size}")

        def one(i: str) -> None:
            at = w.let(f"getelementptr {m.number}, ptr {target}, i64 {self._plus(start, i)}")
            w.do(f"store {m.number} {w.load('%values', self._plus(source, i))}, ptr {at}, align {m.size}")

        self._each(size, one)
        self._go_on()

    # loops: the counter is in slot 1

    def _counter(self) -> str:
        """The pass, as i64."""
        kind = self._whole
        found = self.w.let(f"load {kind}, ptr {self.w.address('%values', self._given(1))}, align {self.m.size}")
        return found if kind == "i64" else self.w.let(f"sext {kind} {found} to i64")

    def _count(self, i: str) -> None:
        kind = self._whole
        if kind != "i64":
            i = self.w.let(f"trunc i64 {i} to {kind}")
        self.w.do(f"store {kind} {i}, ptr {self.w.address('%values', self._given(1))}, align {self.m.size}")

    def _either(self, truth: str, yes: str, no: str = str(WIDTH)) -> None:
        """Go on one way or the other."""
        self._go_on(self.w.let(f"select i1 {truth}, i64 {yes}, i64 {no}"))

    def _loop(self) -> None:
        """counter ← 0; go so far (3) if there are no passes (2)"""
        self._count("0")
        self._either(self.w.let(f"icmp eq i64 {self._given(2)}, 0"), self._jump(3))

    def _row(self) -> None:
        """slots from 2 on ← slots from 3 + counter × stride (4) on, so many (5)"""
        start = self._plus(self._given(3), self.w.let(f"mul i64 {self._counter()}, {self._given(4)}"))
        self._copied(self._given(2), start, self._given(5))
        self._go_on()

    def _test(self) -> None:
        """go so far (2) if slot 1 is true"""
        self._either(self._truth(1), self._jump(2))

    def _next(self) -> None:
        """counter + 1; go so far (3) if it is below the number of passes (2)"""
        i = self._plus(self._counter(), "1")
        self._count(i)
        self._either(self.w.let(f"icmp slt i64 {i}, {self._given(2)}"), self._jump(3))

    def _record(self) -> None:
        """if this pass is one of every k-th (2): its line of records (3) ← slots from 4 on, so many (5)"""
        w, every, size = self.w, self._given(2), self._given(5)
        done = self._plus(self._counter(), "1")
        rest, line = w.let(f"srem i64 {done}, {every}"), w.let(f"sdiv i64 {done}, {every}")
        count = w.let(f"select i1 {w.let(f'icmp eq i64 {rest}, 0')}, i64 {size}, i64 0")
        self._copied(self._plus(self._given(3), w.let(f"mul i64 {line}, {size}")), self._given(4), count)
        self._go_on()

    def _end(self) -> None:
        self.w.do("br label %stop")


def _recorded(function, arity: int, constants) -> Tape:
    """An elementary function as a tape."""
    names = ("x", "y")[:arity]
    return record(lambda **given: function(*(given[n] for n in names), constants), **{n: np.zeros(()) for n in names})
