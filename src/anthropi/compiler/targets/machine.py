"""LLVM IR of single operations for one machine (precision, lanes, CPU, GPU or WebAssembly), and a writer of functions.

Fast-math flags and contraction are never used, so an operation gives bit-for-bit identical results on every machine.
"""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import BuildError
from anthropi.tape.operations import MULTIPLIER, ROUNDS, WEYL

__all__ = ["BYTES", "DTYPE", "UNIFORM", "WARP", "Machine", "Writer"]


WARP = 32  # threads of a GPU that run together: its arrays are blocks [n][WARP]
UNIFORM = "@uniform"  # name of the inputs that all threads of a GPU share
BYTES = {"float64": 8, "float32": 4}
DTYPE: dict[str, Any] = {"float64": np.float64, "float32": np.float32}
_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_CALLS = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor", "round": "roundeven", "fma": "fma", "copysign": "copysign"}
_COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}


@dataclass(frozen=True)
class Machine:
    """Types and operations in LLVM IR. `lanes` figures are computed side by side; a GPU thread has one lane."""

    precision: str = "float64"
    lanes: int = 1
    gpu: bool = False
    register_budget: int = 0  # values a function may keep in registers; 0: no limit
    wasm: bool = False  # WebAssembly: constant offsets become part of loads and stores

    @property
    def spill_capacity(self) -> int:
        """Number of values that a GPU thread can spill to shared memory. With more, too few warps fit a processor."""
        return 100

    @property
    def element(self) -> str:
        """Type of one number."""
        return "double" if self.precision == "float64" else "float"

    @property
    def size(self) -> int:
        """Bytes of one number."""
        return BYTES[self.precision]

    @property
    def pointer(self) -> str:
        """Type of an address. On a GPU, arrays and tables are in global memory."""
        return "ptr addrspace(1)" if self.gpu else "ptr"

    def over_lanes(self, kind: str) -> str:
        """Return the LLVM type of one value of type `kind` per lane."""
        return f"<{self.lanes} x {kind}>" if self.lanes > 1 else kind

    @property
    def number(self) -> str:
        """Type of one number per lane."""
        return self.over_lanes(self.element)

    @property
    def block(self) -> str:
        """Type of one slot of an array: a number per lane, or per thread of a warp."""
        return f"[{WARP} x {self.element}]" if self.gpu else self.number

    def spill_address_lines(self) -> list[str]:
        """Return the IR of the address of a GPU thread's spilled values: its column of the warp's shared memory."""
        return [
            "  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            f"  %spill = getelementptr {self.element}, ptr addrspace(3) @spilled, i32 %lane",
        ]

    @property
    def mask(self) -> str:
        """Type of one truth value per lane."""
        return self.over_lanes("i1")

    def splat(self, kind: str, text: str) -> str:
        """Return a constant with the literal `text` in every lane."""
        return f"splat ({kind} {text})" if self.lanes > 1 else text

    def literal(self, value: float) -> str:
        """Return a constant rounded to the precision. LLVM writes both precisions as the bits of a double."""
        with np.errstate(over="ignore"):
            rounded = float(np.array(value, DTYPE[self.precision]))
        return self.splat(self.element, f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}")

    def whole(self, value: int, kind: str = "i64") -> str:
        """Return a constant with the same whole number in every lane."""
        return self.splat(kind, str(value))

    def intrinsic(self, name: str) -> str:
        """Return the name of an intrinsic for this number type."""
        suffix = "f64" if self.precision == "float64" else "f32"
        return f"@llvm.{name}.v{self.lanes}{suffix}" if self.lanes > 1 else f"@llvm.{name}.{suffix}"

    @property
    def masked_store(self) -> str:
        """Name of the masked vector store."""
        return f"@llvm.masked.store.v{self.lanes}{'f64' if self.precision == 'float64' else 'f32'}.p0"

    def declarations(self) -> list[str]:
        """Return the declarations of the intrinsics that functions may call."""
        n = self.number
        lines = []
        for op, name in _CALLS.items():
            count = {"fma": 3, "copysign": 2}.get(op, 1)
            lines.append(f"declare {n} {self.intrinsic(name)}({', '.join([n] * count)})")
        if self.lanes > 1:
            lines.append(f"declare i1 @llvm.vector.reduce.and.v{self.lanes}i1({self.mask})")
            lines.append(f"declare void {self.masked_store}({n}, ptr, i32 immarg, {self.mask})")
        return lines

    def all_true(self, w: "Writer", mask: str) -> str:
        """Write the test whether a mask is true in all lanes; return the name of the result."""
        if self.lanes == 1:
            return mask
        return w.let(f"call i1 @llvm.vector.reduce.and.v{self.lanes}i1({self.mask} {mask})")

    def operate(self, w: "Writer", op: str, a: list[str]) -> str:
        """Write one operation on named values with writer `w`; return the name of its result."""
        n, m = self.number, self.mask
        if op in _BINARY:
            return w.let(f"{_BINARY[op]} {n} {a[0]}, {a[1]}")
        if op == "neg":
            return w.let(f"fneg {n} {a[0]}")
        if op in _CALLS:
            return w.let(f"call {n} {self.intrinsic(_CALLS[op])}({', '.join(f'{n} {x}' for x in a)})")
        if op in _COMPARE:
            return w.let(f"fcmp {_COMPARE[op]} {n} {a[0]}, {a[1]}")
        if op == "select":
            return w.let(f"select {m} {a[0]}, {n} {a[1]}, {n} {a[2]}")
        if op in ("and", "or"):
            return w.let(f"{op} {m} {a[0]}, {a[1]}")
        if op == "not":
            return w.let(f"xor {m} {a[0]}, {self.splat('i1', 'true')}")
        if op in ("min", "max"):
            first, second = a if op == "min" else reversed(a)
            less = w.let(f"fcmp olt {n} {first}, {second}")
            chosen = w.let(f"select {m} {less}, {n} {a[0]}, {n} {a[1]}")
            unknown = w.let(f"fcmp uno {n} {a[0]}, {a[0]}")
            return w.let(f"select {m} {unknown}, {n} {a[0]}, {n} {chosen}")
        if op == "pow2":
            return self._pow2(w, a[0])
        if op == "exponent":
            return self._exponent(w, a[0])
        if op == "uniform":
            return self._uniform(w, a[0], a[1])
        raise BuildError(
            f"Operation '{op}' reached the code writer without being lowered. Give it lower(tape, precision)."
        )

    # the bits of a float

    def _format(self) -> tuple[str, int, int, int]:
        """Return the integer type, mantissa bits, exponent bias and exponent field of the precision."""
        return ("i64", 52, 1023, 0x7FF) if self.precision == "float64" else ("i32", 23, 127, 0xFF)

    def _pow2(self, w: "Writer", k: str) -> str:
        kind, shift, bias, _ = self._format()
        bits, small = self.over_lanes(kind), self.over_lanes("i32")
        i = w.let(f"fptosi {self.number} {k} to {small}")
        i = w.let(f"add {small} {i}, {self.whole(bias, 'i32')}")
        if kind == "i64":
            i = w.let(f"zext {small} {i} to {bits}")
        i = w.let(f"shl {bits} {i}, {self.whole(shift, kind)}")
        return w.let(f"bitcast {bits} {i} to {self.number}")

    def _exponent(self, w: "Writer", x: str) -> str:
        kind, shift, bias, field = self._format()
        bits, small = self.over_lanes(kind), self.over_lanes("i32")
        i = w.let(f"bitcast {self.number} {x} to {bits}")
        i = w.let(f"lshr {bits} {i}, {self.whole(shift, kind)}")
        i = w.let(f"and {bits} {i}, {self.whole(field, kind)}")
        if kind == "i64":
            i = w.let(f"trunc {bits} {i} to {small}")
        i = w.let(f"sub {small} {i}, {self.whole(bias, 'i32')}")
        return w.let(f"sitofp {small} {i} to {self.number}")

    # random bits: the steps of tape/operations.py

    def _whole_bits(self, w: "Writer", x: str) -> str:
        """Write the conversion of a float with a whole value to a 64-bit integer; inf and NaN become 0."""
        n, d, m, i64 = self.number, self.over_lanes("double"), self.mask, self.over_lanes("i64")
        if self.precision == "float32":
            x = w.let(f"fpext {n} {x} to {d}")
        difference = w.let(f"fsub {d} {x}, {x}")
        finite = w.let(f"fcmp ord {d} {difference}, {difference}")
        x = w.let(f"select {m} {finite}, {d} {x}, {d} zeroinitializer")
        for side, bound in (("ogt", 0xC3D0000000000000), ("olt", 0x43D0000000000000)):
            limit = self.splat("double", f"0x{bound:016X}")  # ∓2**62
            inside = w.let(f"fcmp {side} {d} {x}, {limit}")
            x = w.let(f"select {m} {inside}, {d} {x}, {d} {limit}")
        return w.let(f"fptosi {d} {x} to {i64}")

    def _uniform(self, w: "Writer", key: str, counter: str) -> str:
        """Write the random number generator Philox 2x32-10, as in `tape/operations.py`."""
        i64 = self.over_lanes("i64")
        low32, by32 = self.whole(0xFFFFFFFF), self.whole(32)
        key = w.let(f"and {i64} {self._whole_bits(w, key)}, {low32}")
        counter = self._whole_bits(w, counter)
        low = w.let(f"and {i64} {counter}, {low32}")
        high = w.let(f"lshr {i64} {counter}, {by32}")
        for _ in range(ROUNDS):
            product = w.let(f"mul {i64} {self.whole(MULTIPLIER)}, {low}")
            top = w.let(f"lshr {i64} {product}, {by32}")
            mixed = w.let(f"xor {i64} {w.let(f'xor {i64} {top}, {key}')}, {high}")
            low, high = mixed, w.let(f"and {i64} {product}, {low32}")
            key = w.let(f"and {i64} {w.let(f'add {i64} {key}, {self.whole(WEYL)}')}, {low32}")
        bits = w.let(f"or {i64} {w.let(f'shl {i64} {high}, {by32}')}, {low}")
        drop, scale = (11, 2.0**-53) if self.precision == "float64" else (40, 2.0**-24)
        bits = w.let(f"lshr {i64} {bits}, {self.whole(drop)}")
        number = w.let(f"uitofp {i64} {bits} to {self.number}")
        return w.let(f"fmul {self.number} {number}, {self.literal(scale)}")


class Writer:
    """Writer of the IR of one function. `scopes` contain names of values; those of a loop body are dropped after it."""

    name: str
    machine: Machine
    count: int
    label: str
    arguments: str

    def __init__(self, name: str, machine: Machine, linkage: str = "internal ") -> None:
        self.name, self.machine = name, machine
        self.lines: list[str] = []
        self.count = 0
        self.label = "entry"
        self.scopes: list[dict[str, Any]] = [{}]
        p = machine.pointer
        self.arguments = f"{p} noalias %in, {p} noalias %out, {p} noalias %tmp"  # three disjoint areas
        self.linkage = linkage
        self._loaded: set[tuple[Any, ...]] = set()
        self._spills = False
        self._uniform = {"%uniform"}  # bases of numbers that all threads of a GPU share

    def text(self) -> str:
        """Return the function as IR."""
        head = f"define {self.linkage}void @{self.name}({self.arguments}) noinline {{\nentry:"
        lane = self.machine.spill_address_lines() if self._spills else []
        return "\n".join([head, *lane, *self.lines, "  ret void", "}"])

    def let(self, expression: str) -> str:
        """Write an expression; return the name of its value."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {expression}")
        return name

    def do(self, line: str) -> None:
        """Write an instruction that has no result."""
        self.lines.append("  " + line)

    def fresh(self, stem: str) -> str:
        """Return a new block label."""
        self.count += 1
        return f"{stem}{self.count}"

    def block(self, label: str) -> None:
        """Start a block."""
        self.lines.append(f"{label}:")
        self.label = label

    # memory: a slot holds one number per lane

    def address(self, base: str, slot: int | str) -> str:
        """Write the address of a slot; return its name. slot : a number, or the name of an i64 value."""
        if base in self._uniform:
            name = UNIFORM if base == "%uniform" else base
            found = self.let(f"getelementptr {self.machine.element}, ptr addrspace(4) {name}, i64 {slot}")
            self._uniform.add(found)
            return found
        kind = "inbounds " if self.machine.wasm else ""
        return self.let(f"getelementptr {kind}{self.machine.block}, {self._pointer(base)} {base}, i64 {slot}")

    def _pointer(self, base: str) -> str:
        """Return the pointer type of a memory area."""
        self._spills |= base == "%spill"
        if base in self._uniform:
            return "ptr addrspace(4)"
        return "ptr addrspace(3)" if base == "%spill" else self.machine.pointer

    def load(self, base: str, slot: int | str) -> str:
        """Load the number in a slot. On a GPU a repeated load is volatile, to free the register in between.

        In WebAssembly all loads and stores are: LLVM then does not search for accesses to merge, which takes almost
        half of its time for long functions and makes the code no faster.
        """
        m = self.machine
        again = m.wasm or (m.gpu and (base == "%spill" or (base, slot) in self._loaded) and base not in self._uniform)
        self._loaded.add((base, slot))
        qualifier = "volatile " if again else ""
        address = self.address(base, slot)
        return self.let(f"load {qualifier}{m.number}, {self._pointer(base)} {address}, align {m.size * m.lanes}")

    def store(self, base: str, slot: int | str, value: str) -> None:
        """Store a number in a slot."""
        m = self.machine
        qualifier = "volatile " if m.wasm or base == "%spill" else ""
        address = self.address(base, slot)
        self.do(f"store {qualifier}{m.number} {value}, {self._pointer(base)} {address}, align {m.size * m.lanes}")

    def store_mask(self, slot: int, mask: str) -> None:
        """Store a mask in a tmp slot, as 1 or 0."""
        m = self.machine
        one, zero = m.literal(1.0), m.literal(0.0)
        self.store("%tmp", slot, self.let(f"select {m.mask} {mask}, {m.number} {one}, {m.number} {zero}"))

    def load_mask(self, slot: int) -> str:
        """Load a mask from a tmp slot."""
        m = self.machine
        return self.let(f"fcmp one {m.number} {self.load('%tmp', slot)}, {m.literal(0.0)}")

    # names of values

    def find(self, place: Any) -> str | None:
        """Return the name of a value, or None if it is not in a register at this point."""
        for scope in reversed(self.scopes):
            if place in scope:
                return scope[place]
        return None

    def forget(self, place: Any) -> None:
        """Drop the name of a value, so that it is loaded or computed again."""
        for scope in self.scopes:
            scope.pop(place, None)

    def remember(self, place: Any, name: str) -> None:
        """Register the name of a value."""
        self.scopes[-1][place] = name
