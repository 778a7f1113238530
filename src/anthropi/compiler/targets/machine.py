"""How each operation is written in LLVM IR for one machine: a precision, a number of lanes, CPU or GPU.

No fast-math flag and no contraction anywhere: an operation means the same bits on every machine.

Writer
------
One LLVM function being written: lines, names, blocks, and which values are at hand.
"""

import struct
from dataclasses import dataclass

import numpy as np

from anthropi.errors import BuildError
from anthropi.tape.operations import MULTIPLIER, ROUNDS, WEYL

__all__ = ["BYTES", "DTYPE", "WARP", "Machine", "Writer"]


WARP = 32  # threads of a GPU that go together: its arrays are blocks [n][WARP]
BYTES = {"float64": 8, "float32": 4}
DTYPE = {"float64": np.float64, "float32": np.float32}
_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_CALLS = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor", "round": "roundeven", "fma": "fma", "copysign": "copysign"}
_COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}


@dataclass(frozen=True)
class Machine:
    """Types and spellings. `lanes` figures are computed side by side; a GPU thread has one lane."""

    precision: str = "float64"
    lanes: int = 1
    gpu: bool = False
    room: int = 0  # how many numbers a function may keep at hand; 0: as many as there are

    @property
    def places(self) -> int:
        """How many numbers of a GPU's thread can be parked in shared memory: six warps share a processor's 228 KiB."""
        return 37 * 1024 // (WARP * self.size)

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
        """Type of an address: a GPU's arrays and tables lie in its global memory."""
        return "ptr addrspace(1)" if self.gpu else "ptr"

    def over_lanes(self, kind: str) -> str:
        """The type of one `kind` a lane."""
        return f"<{self.lanes} x {kind}>" if self.lanes > 1 else kind

    @property
    def number(self) -> str:
        """Type of one number a lane."""
        return self.over_lanes(self.element)

    @property
    def block(self) -> str:
        """Type of one slot of an array: a number a lane, or a number a thread of a warp."""
        return f"[{WARP} x {self.element}]" if self.gpu else self.number

    def parking_lines(self) -> list[str]:
        """Where a GPU's thread parks numbers: its column of shared memory, in a block of one warp."""
        return [
            "  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            f"  %park = getelementptr {self.element}, ptr addrspace(3) @parked, i32 %lane",
        ]

    @property
    def mask(self) -> str:
        """Type of one truth a lane."""
        return self.over_lanes("i1")

    def splat(self, kind: str, text: str) -> str:
        """The same literal in every lane."""
        return f"splat ({kind} {text})" if self.lanes > 1 else text

    def literal(self, value: float) -> str:
        """A constant, rounded to the precision; LLVM spells both precisions by the bits of a double."""
        with np.errstate(over="ignore"):
            rounded = float(np.array(value, DTYPE[self.precision]))
        return self.splat(self.element, f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}")

    def whole(self, value: int, kind: str = "i64") -> str:
        """A whole constant in every lane."""
        return self.splat(kind, str(value))

    def intrinsic(self, name: str) -> str:
        """Name of an intrinsic for our number type."""
        suffix = "f64" if self.precision == "float64" else "f32"
        return f"@llvm.{name}.v{self.lanes}{suffix}" if self.lanes > 1 else f"@llvm.{name}.{suffix}"

    @property
    def masked_store(self) -> str:
        """Name of the store that leaves some lanes out."""
        return f"@llvm.masked.store.v{self.lanes}{'f64' if self.precision == 'float64' else 'f32'}.p0"

    def declarations(self) -> list[str]:
        """Intrinsics any function may call."""
        n = self.number
        lines = []
        for op, name in _CALLS.items():
            count = {"fma": 3, "copysign": 2}.get(op, 1)
            lines.append(f"declare {n} {self.intrinsic(name)}({', '.join([n] * count)})")
        if self.lanes > 1:
            lines.append(f"declare i1 @llvm.vector.reduce.and.v{self.lanes}i1({self.mask})")
            lines.append(f"declare void {self.masked_store}({n}, ptr, i32 immarg, {self.mask})")
        return lines

    def all_true(self, w, mask: str) -> str:
        """One truth: whether a mask holds in every lane."""
        if self.lanes == 1:
            return mask
        return w.let(f"call i1 @llvm.vector.reduce.and.v{self.lanes}i1({self.mask} {mask})")

    def operate(self, w, op: str, a: list[str]) -> str:
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
        raise BuildError(f"Operation '{op}' reached the code writer; it should have been lowered.")

    # the bits of a float

    def _format(self):
        return ("i64", 52, 1023, 0x7FF) if self.precision == "float64" else ("i32", 23, 127, 0xFF)

    def _pow2(self, w, k: str) -> str:
        kind, shift, bias, _ = self._format()
        bits, small = self.over_lanes(kind), self.over_lanes("i32")
        i = w.let(f"fptosi {self.number} {k} to {small}")
        i = w.let(f"add {small} {i}, {self.whole(bias, 'i32')}")
        if kind == "i64":
            i = w.let(f"zext {small} {i} to {bits}")
        i = w.let(f"shl {bits} {i}, {self.whole(shift, kind)}")
        return w.let(f"bitcast {bits} {i} to {self.number}")

    def _exponent(self, w, x: str) -> str:
        kind, shift, bias, field = self._format()
        bits, small = self.over_lanes(kind), self.over_lanes("i32")
        i = w.let(f"bitcast {self.number} {x} to {bits}")
        i = w.let(f"lshr {bits} {i}, {self.whole(shift, kind)}")
        i = w.let(f"and {bits} {i}, {self.whole(field, kind)}")
        if kind == "i64":
            i = w.let(f"trunc {bits} {i} to {small}")
        i = w.let(f"sub {small} {i}, {self.whole(bias, 'i32')}")
        return w.let(f"sitofp {small} {i} to {self.number}")

    # random bits: tape/operations.py, line by line

    def _whole_bits(self, w, x: str) -> str:
        """A whole number held as a float, as 64 bits; what is not finite counts as 0."""
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

    def _uniform(self, w, key: str, counter: str) -> str:
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
    """Lines of one function. `scopes` remember the names of values: a loop's own are forgotten after it."""

    def __init__(self, name: str, machine: Machine, linkage: str = "internal "):
        self.name, self.machine = name, machine
        self.lines: list[str] = []
        self.count = 0
        self.label = "entry"
        self.scopes: list[dict] = [{}]
        p = machine.pointer
        self.arguments = f"{p} noalias %in, {p} noalias %out, {p} noalias %tmp"  # three areas of their own
        self.linkage = linkage
        self._loaded: set[tuple] = set()
        self._parks = False

    def text(self) -> str:
        """The function as IR."""
        head = f"define {self.linkage}void @{self.name}({self.arguments}) noinline {{\nentry:"
        lane = self.machine.parking_lines() if self._parks else []
        return "\n".join([head, *lane, *self.lines, "  ret void", "}"])

    def let(self, expression: str) -> str:
        """Name the value of an expression."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {expression}")
        return name

    def do(self, line: str) -> None:
        """Write a line that has no value."""
        self.lines.append("  " + line)

    def fresh(self, stem: str) -> str:
        """A block label of its own."""
        self.count += 1
        return f"{stem}{self.count}"

    def block(self, label: str) -> None:
        """Start a block."""
        self.lines.append(f"{label}:")
        self.label = label

    # memory: slots of one number a lane

    def address(self, base: str, slot: int | str) -> str:
        """Pointer to a slot (a number, or the name of an i64)."""
        return self.let(f"getelementptr {self.machine.block}, {self._pointer(base)} {base}, i64 {slot}")

    def _pointer(self, base: str) -> str:
        self._parks |= base == "%park"
        return "ptr addrspace(3)" if base == "%park" else self.machine.pointer

    def load(self, base: str, slot: int | str) -> str:
        """The number in a slot. On a GPU, one put down before is loaded anew, or compilers would keep the old one."""
        m = self.machine
        again = m.gpu and (base == "%park" or (base, slot) in self._loaded)
        self._loaded.add((base, slot))
        anew = "volatile " if again else ""
        address = self.address(base, slot)
        return self.let(f"load {anew}{m.number}, {self._pointer(base)} {address}, align {m.size * m.lanes}")

    def store(self, base: str, slot: int | str, value: str) -> None:
        """Put a number into a slot."""
        m = self.machine
        anew = "volatile " if base == "%park" else ""
        address = self.address(base, slot)
        self.do(f"store {anew}{m.number} {value}, {self._pointer(base)} {address}, align {m.size * m.lanes}")

    def store_mask(self, slot: int, mask: str) -> None:
        """Put a mask into a scratch slot, as 1 or 0."""
        m = self.machine
        one, zero = m.literal(1.0), m.literal(0.0)
        self.store("%tmp", slot, self.let(f"select {m.mask} {mask}, {m.number} {one}, {m.number} {zero}"))

    def load_mask(self, slot: int) -> str:
        """The mask in a scratch slot."""
        m = self.machine
        return self.let(f"fcmp one {m.number} {self.load('%tmp', slot)}, {m.literal(0.0)}")

    # names of values

    def find(self, place) -> str | None:
        """The name of a value, if it is at hand here."""
        for scope in reversed(self.scopes):
            if place in scope:
                return scope[place]
        return None

    def forget(self, place) -> None:
        """Drop the name of a value: who wants it again finds it elsewhere."""
        for scope in self.scopes:
            scope.pop(place, None)

    def remember(self, place, name: str) -> None:
        """Note the name of a value."""
        self.scopes[-1][place] = name
