"""The interpreter: native code that executes a list of instructions, generated once per precision.

An instruction is a row of six whole numbers: the operation code, then up to five operands, which are slots, counts or
jumps (`program.py` writes them). A slot contains a number, a mask as 1 or 0, or the bits of a loop counter. Arithmetic
is written by `Machine`, and elementary functions are the tapes that `lower` substitutes, so the results are bit for bit
those of compiled code.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.compiler import elementary
from anthropi.compiler.elementary import Constants, constants_for
from anthropi.compiler.lower import LOWERED, fuse
from anthropi.compiler.targets.machine import Machine, Writer
from anthropi.tape.operations import LOWERED_ONLY, MASKS, OPERATIONS
from anthropi.tape.record import record
from anthropi.tape.tape import Tape

__all__ = ["CODES", "WIDTH", "module_text"]

WIDTH = 6  # whole numbers per instruction
_NODES = ("const", "input", "mask_input", "item", "gather", "repeat")  # nodes that are not a plain operation
_ARITY = {o.name: o.arity for o in OPERATIONS if o.name not in (*_NODES, *LOWERED_ONLY)}
_FUSED = ("fms", "fnma")  # a b - c and c - a b, with a single rounding like fma
_MOVES = ("gather", "move", "copy", "row", "loop", "test", "next", "record", "in", "out", "end")
CODES = {name: code for code, name in enumerate((*_ARITY, *_FUSED, *_MOVES))}


def module_text(precision: str) -> str:
    """Return the LLVM IR of the function `interpret(code, values, arrays, row)`.

    arrays : addresses of inputs and outputs, as in the function `rows` of a compiled kernel.
    """
    return _Interpreter(Machine(precision, 1)).text


class _Interpreter:
    """Writer of the interpreter function: one block per kind of instruction; every block branches to `next`.

    In the docstrings of its methods, "slot k" is the slot whose number is operand k of the instruction.
    """

    def __init__(self, machine: Machine) -> None:
        self.m, self.w = machine, Writer("interpret", machine, linkage="")
        self.w.arguments = "ptr %code, ptr %values, ptr %arrays, i64 %row"
        self._whole = f"i{8 * machine.size}"  # type of a loop counter, which has the size of a slot
        self._predecessors: list[tuple[str, str]] = [
            ("%code", "entry")
        ]  # predecessors of `next`: (pointer to the instruction, block label)
        self.w.do("br label %next")
        for name, arity in _ARITY.items():
            self._begin(name)
            self._store_result(name in MASKS, self._operation(name, arity))
            self._advance()
        for name in (*_FUSED, *_MOVES):
            self._begin(name)
            getattr(self, f"_{name}")()
        cases = " ".join(f"i32 {code}, label %do.{name}" for name, code in CODES.items())
        incoming = ", ".join(f"[ {pc}, %{label} ]" for pc, label in self._predecessors)
        self.w.lines += ["next:", f"  %pc = phi ptr {incoming}", "  %do = load i32, ptr %pc, align 4"]
        self.w.lines += [f"  switch i32 %do, label %stop [{cases}]", "stop:"]
        self.text = "\n".join([*machine.declarations(), self.w.text()])

    # steps common to instructions

    def _begin(self, name: str) -> None:
        """Start the block of an instruction."""
        self.w.block(f"do.{name}")

    def _advance(self, by: str = str(WIDTH)) -> None:
        """Branch to the instruction that starts `by` 32-bit words after the current one."""
        self._predecessors.append((self.w.let(f"getelementptr i32, ptr %pc, i64 {by}"), self.w.label))
        self.w.do("br label %next")

    def _operand(self, k: int) -> str:
        """Load the k-th whole number of the instruction, as i64."""
        at = self.w.let(f"getelementptr i32, ptr %pc, i64 {k}")
        return self.w.let(f"sext i32 {self.w.let(f'load i32, ptr {at}, align 4')} to i64")

    def _jump(self, k: int) -> str:
        """Load the k-th operand, a number of instructions, as a distance in whole numbers."""
        return self.w.let(f"mul i64 {self._operand(k)}, {WIDTH}")

    def _value(self, k: int) -> str:
        """Load the number in the slot of operand k."""
        return self.w.load("%values", self._operand(k))

    def _mask(self, k: int) -> str:
        """Load the mask in the slot of operand k."""
        return self.w.let(f"fcmp one {self.m.number} {self._value(k)}, {self.m.literal(0.0)}")

    def _store_result(self, truth: bool, name: str) -> None:
        """Store a number or mask in the slot of operand 1."""
        if truth:
            one, zero = (f"{self.m.number} {self.m.literal(x)}" for x in (1.0, 0.0))
            name = self.w.let(f"select i1 {name}, {one}, {zero}")
        self.w.store("%values", self._operand(1), name)

    # operations

    def _operation(self, op: str, arity: int) -> str:
        """Write one operation of the tape; return the name of its result."""
        masks = {"and": 2, "or": 2, "not": 1, "select": 1}.get(op, 0)
        args = [self._mask(k + 2) if k < masks else self._value(k + 2) for k in range(arity)]
        if op not in LOWERED:
            return self.m.operate(self.w, op, args)
        function, constants = getattr(elementary, op), constants_for(self.m.precision)
        return self._write_straight_line(fuse(_recorded(function, arity, constants)), args)

    def _write_straight_line(self, tape: Tape, given: list[str]) -> str:
        """Write a tape without loops; return the name of its result."""
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
        """Write the instruction `fms`: slot 1 ← slot 2 · slot 3 - slot 4."""
        self._fma_with_negated(2)

    def _fnma(self) -> None:
        """Write the instruction `fnma`: slot 1 ← slot 4 - slot 2 · slot 3."""
        self._fma_with_negated(0)

    def _fma_with_negated(self, negative: int) -> None:
        """Write an fma with one argument negated."""
        args = [self._value(k) for k in (2, 3, 4)]
        args[negative] = self.m.operate(self.w, "neg", [args[negative]])
        self._store_result(False, self.m.operate(self.w, "fma", args))
        self._advance()

    def _gather(self) -> None:
        """Write the instruction `gather`: slot 1 ← table[⌊slot 2⌋]; NaN gives the first entry.

        The table starts at slot 3, and operand 4 is its length.
        """
        w, n = self.w, self.m.number
        index = self.m.operate(w, "floor", [self._value(2)])
        last = w.let(f"sitofp i64 {w.let(f'sub i64 {self._operand(4)}, 1')} to {n}")
        for ordered, bound in (("ogt", self.m.literal(0.0)), ("olt", last)):
            inside = w.let(f"fcmp {ordered} {n} {index}, {bound}")
            index = w.let(f"select i1 {inside}, {n} {index}, {n} {bound}")
        at = w.let(f"add i64 {self._operand(3)}, {w.let(f'fptosi {n} {index} to i64')}")
        self._store_result(False, w.load("%values", at))
        self._advance()

    # memory

    def _for_each(self, count: str, do: Callable[[str], None]) -> None:
        """Write a loop that executes do(i) for 0 ≤ i < count."""
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

    def _copy_slots(self, target: str, source: str, count: str) -> None:
        """Copy `count` slots that begin at `source` to the slots that begin at `target`."""

        def one(i: str) -> None:
            self.w.store("%values", self._plus(target, i), self.w.load("%values", self._plus(source, i)))

        self._for_each(count, one)

    def _move(self) -> None:
        """Write the instruction `move`: slot 1 ← slot 2."""
        self._store_result(False, self._value(2))
        self._advance()

    def _copy(self) -> None:
        """Write the instruction `copy`: copy the slots that begin at slot 2 to slot 1; operand 3 is their number."""
        self._copy_slots(self._operand(1), self._operand(2), self._operand(3))
        self._advance()

    def _array(self, which: int) -> str:
        """Load an array's address from `arrays`; operand `which` is its position there."""
        at = self.w.let(f"getelementptr i64, ptr %arrays, i64 {self._operand(which)}")
        return self.w.let(f"load ptr, ptr {at}, align 8")

    def _in(self) -> None:
        """Write the instruction `in`: copy this row of an input array to the slots that begin at slot 1.

        Operands 2 and 3 are the positions of the array's address and step in `arrays`; operand 4 is the row's length.
        """
        w, m, to, source = self.w, self.m, self._operand(1), self._array(2)
        step = w.let(f"load i64, ptr {w.let(f'getelementptr i64, ptr %arrays, i64 {self._operand(3)}')}, align 8")
        start = w.let(f"mul i64 %row, {step}")

        def one(i: str) -> None:
            target = self._plus(to, i)
            at = w.let(f"getelementptr {m.number}, ptr {source}, i64 {self._plus(start, i)}")
            w.store("%values", target, w.let(f"load {m.number}, ptr {at}, align {m.size}"))

        self._for_each(self._operand(4), one)
        self._advance()

    def _out(self) -> None:
        """Write the instruction `out`: copy the slots that begin at slot 1 to this row of an output array.

        Operand 2 is the position of the array's address in `arrays`; operand 3 is the row's length.
        """
        w, m, source, target, size = self.w, self.m, self._operand(1), self._array(2), self._operand(3)
        start = w.let(f"mul i64 %row, {size}")

        def one(i: str) -> None:
            at = w.let(f"getelementptr {m.number}, ptr {target}, i64 {self._plus(start, i)}")
            w.do(f"store {m.number} {w.load('%values', self._plus(source, i))}, ptr {at}, align {m.size}")

        self._for_each(size, one)
        self._advance()

    # loops: the counter is in slot 1

    def _counter(self) -> str:
        """Load the loop counter, as i64."""
        kind = self._whole
        found = self.w.let(f"load {kind}, ptr {self.w.address('%values', self._operand(1))}, align {self.m.size}")
        return found if kind == "i64" else self.w.let(f"sext {kind} {found} to i64")

    def _count(self, i: str) -> None:
        """Store the loop counter."""
        kind = self._whole
        if kind != "i64":
            i = self.w.let(f"trunc i64 {i} to {kind}")
        self.w.do(f"store {kind} {i}, ptr {self.w.address('%values', self._operand(1))}, align {self.m.size}")

    def _advance_if(self, truth: str, yes: str, no: str = str(WIDTH)) -> None:
        """Branch `yes` whole numbers further on if the condition holds, else `no` whole numbers."""
        self._advance(self.w.let(f"select i1 {truth}, i64 {yes}, i64 {no}"))

    def _loop(self) -> None:
        """Write the instruction `loop`: counter ← 0; jump by operand 3 if the number of passes (operand 2) is 0."""
        self._count("0")
        self._advance_if(self.w.let(f"icmp eq i64 {self._operand(2)}, 0"), self._jump(3))

    def _row(self) -> None:
        """Write the instruction `row`: copy the row values of this pass to the slots that begin at slot 2.

        The first pass reads from slot 3 on; operand 4 is the stride between passes, operand 5 the number of values.
        """
        start = self._plus(self._operand(3), self.w.let(f"mul i64 {self._counter()}, {self._operand(4)}"))
        self._copy_slots(self._operand(2), start, self._operand(5))
        self._advance()

    def _test(self) -> None:
        """Write the instruction `test`: jump by operand 2 if slot 1 is true."""
        self._advance_if(self._mask(1), self._jump(2))

    def _next(self) -> None:
        """Write the instruction `next`: add 1 to the counter; jump by operand 3 if it is below operand 2."""
        i = self._plus(self._counter(), "1")
        self._count(i)
        self._advance_if(self.w.let(f"icmp slt i64 {i}, {self._operand(2)}"), self._jump(3))

    def _record(self) -> None:
        """Write the instruction `record`: copy the slots that begin at slot 4 to the records that begin at slot 3.

        This is done in every n-th pass, with n operand 2; operand 5 is the number of values.
        """
        w, every, size = self.w, self._operand(2), self._operand(5)
        done = self._plus(self._counter(), "1")
        rest, line = w.let(f"srem i64 {done}, {every}"), w.let(f"sdiv i64 {done}, {every}")
        count = w.let(f"select i1 {w.let(f'icmp eq i64 {rest}, 0')}, i64 {size}, i64 0")
        self._copy_slots(self._plus(self._operand(3), w.let(f"mul i64 {line}, {size}")), self._operand(4), count)
        self._advance()

    def _end(self) -> None:
        self.w.do("br label %stop")


def _recorded(function: Callable[..., Any], arity: int, constants: Constants) -> Tape:
    """Record an elementary function as a tape."""
    names = ("x", "y")[:arity]
    return record(lambda **given: function(*(given[n] for n in names), constants), **{n: np.zeros(()) for n in names})
