"""Programs for the interpreter. A program is made in milliseconds, while machine code takes seconds.

Every value has a slot; constants and tables are filled in advance. Products are fused into sums by the rule of
`lower.fuse`. With C the slots of its carry, a loop becomes

    C ← first carry;  count;  [ row of this pass;  body, exit if its mask holds;  C ← next carry;  record;  next pass ]
"""

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.targets import llvm
from anthropi.compiler.targets.interpreter import CODES, WIDTH, module_text
from anthropi.compiler.targets.machine import DTYPE
from anthropi.errors import BuildError
from anthropi.tape.tape import Loop, Tape

__all__ = ["Program"]

_NO_INSTRUCTION = frozenset(
    ("const", "input", "mask_input", "item", "gather", "repeat")
)  # nodes without a plain instruction
_CODE = CODES | dict.fromkeys(_NO_INSTRUCTION, -1)
_ADD, _SUB, _MUL = CODES["add"], CODES["sub"], CODES["mul"]


class Program:
    """Instructions and initial values of a tape for the interpreter; `rows` runs them, one figure after another."""

    dtype: Any
    code: np.ndarray
    first: np.ndarray

    def __init__(self, tape: Tape, precision: str) -> None:
        self.dtype = DTYPE[precision]
        self._size = 0
        self._constants: list[tuple[int, Any]] = []  # (first slot, numbers) filled in advance
        inputs = self._take(sum(s.size for s in tape.inputs))
        parts, address = [], 0
        for slot in tape.inputs:
            if slot.size:
                parts.append(_instruction("in", inputs + slot.start, address, address + 1, slot.size))
                address += 3  # the third number, the places of a row's numbers, is 0: `Cpu` gives whole rows
        body, places = self._unit(tape, inputs + np.arange(sum(s.size for s in tape.inputs)), inputs)
        results = self._take(len(tape.result))
        parts += [body, self._moves(results, places[tape.result])]
        for slot in tape.outputs:
            if slot.size:
                parts.append(_instruction("out", results + slot.start, address, slot.size))
                address += 1
        self.code = np.concatenate([*parts, _instruction("end")])
        self.first = np.zeros(self._size, self.dtype)
        with np.errstate(over="ignore"):
            for start, numbers in self._constants:
                self.first[start : start + len(numbers)] = numbers
        self._native = _native(precision)

    def rows(self, arrays: int, memory: int, first: int, last: int, batch: int) -> None:
        """Run rows first … last of plain arrays; the arguments are those of compiled code (`cpu_module`)."""
        values = self.first.copy()
        for row in range(first, last):
            self._native(self.code.ctypes.data, values.ctypes.data, arrays, row)

    def _take(self, count: int) -> int:
        """Reserve contiguous slots; return the first."""
        self._size += count
        return self._size - count

    def _constant(self, numbers: Any) -> int:
        """Reserve slots for constants; return the first."""
        start = self._take(len(numbers))
        self._constants.append((start, numbers))
        return start

    def _moves(self, to: int, places: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the instructions that copy the slots `places` to the slots that begin at `to`."""
        rows = np.zeros((len(places), WIDTH), np.int32)
        rows[:, 0], rows[:, 1], rows[:, 2] = CODES["move"], to + np.arange(len(places)), places
        return rows

    def _unit(
        self, tape: Tape, given: np.ndarray, inputs: int, stop: int | None = None, beyond: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the instructions of a tape or loop body, and the slot of each node.

        given : slots of its inputs. stop : node with the mask that ends the body early, by a jump `beyond` instructions
        past its end.
        """
        op, n = tape.op, len(tape)
        codes = _codes(op)
        no_instruction = codes < 0
        args, uses = _operands(tape, no_instruction)
        places = self._take(n) + np.arange(n)
        others = np.flatnonzero(no_instruction).tolist()
        constants = [i for i in others if op[i] == "const"]
        if constants:
            self._constants.append((int(places[0]), _spread(tape, constants)))
        loops: dict[int, int] = {}  # repeat node → its items' first slot
        for i in others:
            if op[i] in ("input", "mask_input"):
                places[i] = given[tape.data[i]]
            elif op[i] == "repeat":
                loops[i] = self._take(tape.data[i].carry * (1 + tape.data[i].records))
            elif op[i] == "item":
                places[i] = loops[tape.args[i][0]] + tape.data[i]
        codes, args, absorbed = _fused(codes, args, uses)
        rows = np.zeros((n, WIDTH), np.int32)
        rows[:, 0], rows[:, 1], rows[:, 2:5] = codes, places, places[args]
        plain = ~(no_instruction | absorbed)
        parts, done, left = [], 0, 0
        for i in sorted({*(i for i in others if op[i] in ("gather", "repeat")), *(() if stop is None else (stop,))}):
            parts.append(rows[done : i + 1][plain[done : i + 1]])
            if i == stop:
                left = sum(map(len, parts))
                parts.append(_instruction("test", places[i]))
            else:
                parts.append(self._special(tape, i, places, loops, inputs))
            done = i + 1
        code = np.concatenate([*parts, rows[done:][plain[done:]]])
        if stop is not None:
            code[left, 2] = len(code) - left + beyond
        return code, places

    def _special(self, tape: Tape, i: int, places: Any, loops: dict[int, int], inputs: int) -> np.ndarray:
        """Return the instructions of node i, a gather or a repeat."""
        args = places[list(tape.args[i])]
        if tape.op[i] == "repeat":
            held = [loops.get(a, -1) for a in tape.args[i]]
            return self._repeat(tape.data[i], args, held, loops[i], inputs)
        if tape.data[i] is not None:
            numbers = np.array(tape.data[i])
            return _instruction("gather", places[i], args[0], self._constant(numbers), len(numbers))
        table = self._take(len(args) - 1)
        return np.concatenate(
            [self._moves(table, args[1:]), _instruction("gather", places[i], args[0], table, len(args) - 1)]
        )

    def _repeat(self, loop: Loop, args: Any, regions: list[int], items: int, inputs: int) -> np.ndarray:
        """Return the instructions of a loop. regions : first result slot of each argument that is itself a loop."""
        n = loop.carry
        carry, following, row = self._take(n), self._take(n), self._take(loop.row)
        counter, held = self._take(1), self._take(loop.held)
        top, at = [], row
        for b in loop.blocks:
            if b.source == "table":
                start = self._constant(b.table)
            else:
                start = b.base + (
                    inputs if b.source == "input" else held if b.source == "nodes" else regions[n + b.node]
                )
            top.append(_instruction("row", counter, at, start, b.stride, b.width))
            at += b.width
        given = np.concatenate([carry + np.arange(n), row + np.arange(loop.row), args[n + loop.held :]])
        record = [_instruction("record", counter, loop.every, items, carry, n)] if loop.every else []
        stop = loop.body.result[-1] if loop.stops else None
        beyond = (
            n + 1 + (0 if record else 1)
        )  # past the update of the carry, and past the next pass if nothing is recorded
        body, inner = self._unit(loop.body, given, inputs, stop, beyond)
        update = [self._moves(following, inner[loop.body.result[:n]]), _instruction("copy", carry, following, n)]
        whole = [*top, body, *update, *record]
        length = sum(map(len, whole))
        begin = [self._moves(carry, args[:n]), self._moves(held, args[n : n + loop.held])]
        enter = _instruction("loop", counter, loop.times, length + 2)
        again = _instruction("next", counter, loop.times, -length)
        return np.concatenate([*begin, enter, *whole, again, _instruction("copy", items, carry, n)])


def _instruction(name: str, *numbers: int) -> np.ndarray:
    """Return one instruction as a row (1, WIDTH) of whole numbers."""
    return np.array([[CODES[name], *numbers, *[0] * (WIDTH - 1 - len(numbers))]], np.int32)


def _codes(ops: Sequence[str]) -> np.ndarray:
    """Return the code of each operation, -1 if it has none; raise `BuildError` for operations of lowered tapes."""
    try:
        return np.fromiter(map(_CODE.__getitem__, ops), np.int32, len(ops))
    except KeyError as unknown:
        raise BuildError(
            f"Operation {unknown} is for lowered tapes. Give the interpreter the recorded tape instead."
        ) from None


def _operands(tape: Tape, no_instruction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the arguments (n, 3) and the number of uses (n,) of each node. Missing arguments are 0."""
    n = len(tape)
    counts, flat = tape.arguments()
    starts, counts = np.cumsum(counts) - counts, np.where(no_instruction, 0, counts)
    args = np.zeros((n, 3), np.int64)
    for k in range(3):
        some = counts > k
        args[some, k] = flat[starts[some] + k]
    return args, np.bincount(np.concatenate([flat, np.array(tape.result, np.int64)]), minlength=n)


def _spread(tape: Tape, constants: list[int]) -> np.ndarray:
    """Return the constants of a tape at the positions of their nodes."""
    numbers = np.zeros(constants[-1] + 1)
    numbers[constants] = [tape.data[i] for i in constants]
    return numbers


def _fused(codes: np.ndarray, args: np.ndarray, uses: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fuse single-use products into sums: add(a·b, c) → fma, sub(a·b, c) → fms, sub(c, a·b) → fnma.

    uses : how often each node is an argument or a result.
    """
    n = len(codes)
    product = (codes == _MUL) & (uses == 1)
    sums = np.flatnonzero((codes == _ADD) | (codes == _SUB))
    first, second = args[sums, 0], args[sums, 1]
    left, right = product[first], product[second]
    chosen = np.where(left & (~right | (first <= second)), first, second)  # of two, the one recorded first
    some = left | right
    sums, chosen, left = sums[some], chosen[some], (chosen == first)[some]
    other = np.where(left, args[sums, 1], args[sums, 0])
    codes, args, absorbed = codes.copy(), args.copy(), np.zeros(n, bool)
    minus = codes[sums] == _SUB
    codes[sums] = np.where(minus, np.where(left, CODES["fms"], CODES["fnma"]), CODES["fma"])
    args[sums] = np.stack([args[chosen, 0], args[chosen, 1], other], 1)
    absorbed[chosen] = True
    return codes, args, absorbed


@functools.cache
def _native(precision: str) -> Callable[..., Any]:
    """Return the interpreter function, compiled or from the cache."""
    cpu, features, _ = llvm.host()
    name = cache.digest("interpreter", precision, cpu, features, llvm.versions(), cache.source_digest()) + ".code"
    entry = cache.read(name)
    code = entry[1] if entry else llvm.assemble(module_text(precision), 2)
    if not entry:
        cache.write(name, {}, code)
    return llvm.load(code).function("interpret", *[ctypes.c_void_p] * 3, ctypes.c_int64)
