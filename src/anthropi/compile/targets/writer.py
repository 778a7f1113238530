"""One LLVM function being written: lines, names, blocks, and which values are at hand."""

from anthropi.compile.targets.machine import Machine

__all__ = ["Writer"]


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
