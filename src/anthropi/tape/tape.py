"""A tape: what a function did, as a list of operations each on earlier ones.

Nodes are hash-consed (equal operations on equal arguments are one node; constants by their bits), so a tape holds
each value once. A repeated block is one node that carries an inner tape; inner tapes capture outer values, and what
does not change from pass to pass moves out of the block as it is recorded.
"""

import struct
from collections import Counter
from functools import cached_property
from typing import Any, NamedTuple

from anthropi.errors import TraceError
from anthropi.tape.operations import COMMUTES, COUNTED, MASKS
from anthropi.tape.scalar import Mask, Scalar, Table

__all__ = ["Block", "Loop", "Rule", "Slot", "Tape"]


class Slot(NamedTuple):
    """A named array among a tape's flat inputs or outputs."""

    name: str
    shape: tuple[int, ...]
    start: int
    size: int


class Block(NamedTuple):
    """Where a repeated block finds `width` of its row values at pass i.

    source "table": `table[i·width + j]`; "input": input position `base + i·stride + j` of the outermost tape;
    "nodes": value `base + i·stride + j` among those the repeat node holds; "items": item `base + i·stride + j` of
    another repeat node, the `node`-th value held: its records, read where they lie.
    """

    source: str
    width: int
    base: int
    stride: int
    table: tuple[float, ...] = ()
    node: int = 0


class Loop(NamedTuple):
    """The data of a repeat node, whose arguments are: first carry, row values held as nodes, captured values.

    Inputs of the body: carry, row, captures. Outputs of the body: next carry, then the mask that ends the loop
    if `stops`. Items of the node: last carry, then the carry after every k-th pass if `every` = k.
    """

    body: "Tape"
    times: int
    every: int
    stops: bool
    carry: int
    blocks: tuple[Block, ...]
    held: int  # how many arguments are row values

    @property
    def row(self) -> int:
        """How many row values a pass reads."""
        return sum(b.width for b in self.blocks)

    @property
    def records(self) -> int:
        """How many passes are recorded."""
        return self.times // self.every if self.every else 0


class Rule(NamedTuple):
    """A derivative someone knows better than the chain rule does (decision 0009).

    `push(inputs, outputs, tangents)` gives the outputs' tangents, `pull(inputs, outputs, cotangents)` the inputs'
    cotangents. Inputs and outputs are node indices, or floats where they were constant.
    """

    inputs: tuple
    outputs: tuple
    push: Any
    pull: Any


class Tape:
    """One trace. `record` makes it; `jvp`, `vjp` make tapes from it; `compile.build` makes it a kernel."""

    def __init__(self, outer: "Tape | None" = None):
        self.op: list[str] = []
        self.args: list[tuple[int, ...]] = []
        self.data: list[Any] = []
        self.inputs: tuple[Slot, ...] = ()
        self.outputs: tuple[Slot, ...] = ()
        self.result: list[int] = []  # the node of each flat output
        self.structure: Any = None  # how the outputs are nested (record.py)
        self.rules: list[Rule] = []
        self._ruled: set[int] = set()  # the nodes that are outputs of rules
        self.outer = outer
        self.depth: int = outer.depth + 1 if outer is not None else 0
        self.root: Tape = outer.root if outer is not None else self
        self.active: Tape = self  # of a root: the innermost body being recorded now
        self.captures: dict[int, int] = {}  # outer node → our node
        self.inner_inputs = 0  # how many inputs a body has before its captures
        self._table: dict[Any, int] = {}

    def __len__(self):
        return len(self.op)

    def __repr__(self):
        ins = " ".join(f"{s.name}{list(s.shape)}" for s in self.inputs)
        outs = " ".join(f"{s.name}{list(s.shape)}" for s in self.outputs)
        return f"Tape({ins} → {outs}: {self.operations} operations)"

    # recording

    def _place(self, op: str, args: tuple[int, ...], data: Any, name: Any) -> int:
        index = self._table.get(name)
        if index is None:
            index = len(self.op)
            self.op.append(op)
            self.args.append(args)
            self.data.append(data)
            self._table[name] = index
        return index

    def constant(self, value: float) -> int:
        """Return the node of a constant, told apart by its bits."""
        return self._place("const", (), float(value), _name(value))

    def input(self, position: int, mask: bool = False) -> int:
        """Return the node of a flat input."""
        op = "mask_input" if mask else "input"
        return self._place(op, (), position, (op, position))

    def capture(self, x) -> int:
        """Return our node for a scalar of this tape or of one around it."""
        if x.tape is self:
            return x.index
        if self.outer is None:
            raise TraceError(
                f"{x!r} belongs to another recording. A scalar lives only while its function is recorded: "
                "return it from a repeated block through the carry, and never keep one between recordings."
            )
        there = self.outer.capture(x)
        if self.outer.op[there] == "const":
            return self.constant(self.outer.data[there])
        if there not in self.captures:
            position = self.inner_inputs + len(self.captures)
            self.captures[there] = self.input(position, self.outer.op[there] in MASKS)
        return self.captures[there]

    def place(self, x) -> int:
        """Return our node for a number, scalar or mask."""
        return self.capture(x) if isinstance(x, (Scalar, Mask)) else self.constant(x)

    def wrap(self, index: int):
        """Return what stands for a node in Python: a float, a Scalar or a Mask."""
        op = self.op[index]
        if op == "const":
            return self.data[index]
        return Mask(self, index) if op in MASKS else Scalar(self, index)

    def emit(self, op: str, args, data: Any = None):
        """Put a node on the tape, or find it there, and return it wrapped."""
        places = tuple([x.index if type(x) is Scalar and x.tape is self else self.place(x) for x in args])
        if op in COMMUTES and places[0] > places[1]:
            places = (places[1], places[0])
        index = self._place(op, places, data, (op, places, None if data is None else bits(data)))
        return Mask(self, index) if op in MASKS else Scalar(self, index)

    def lookup(self, op: str, args):
        """The node `emit` would find for these scalars of ours and numbers, wrapped; None if there is none yet."""
        places = tuple(self._table.get(_name(x), -1) if not isinstance(x, Scalar) else x.index for x in args)
        index = self._table.get((op, places, None))
        return None if index is None else self.wrap(index)

    def add_rule(self, inputs, outputs, push, pull) -> None:
        """Attach a derivative rule to values on this tape (see `Rule`).

        It is passed over where it cannot mean what it says: an output that is also an input, or that has a rule.
        """
        places = tuple(self.place(x) if isinstance(x, Scalar) else float(x) for x in inputs)
        results = tuple(self.place(x) if isinstance(x, Scalar) else float(x) for x in outputs)
        nodes = [r for r in results if isinstance(r, int)]
        given = {p for p in places if isinstance(p, int)}  # a constant 2.0 is not node 2
        if nodes and not any(r in self._ruled or r in given for r in nodes):
            self.rules.append(Rule(places, results, push, pull))
            self._ruled.update(nodes)

    @property
    def has_rules(self) -> bool:
        """Whether any derivative rule is attached, here or in a repeated block."""
        return bool(self.rules) or any(
            d.body.has_rules for o, d in zip(self.op, self.data, strict=True) if o == "repeat"
        )

    # finishing

    def finish(self, result: list[int]) -> "Tape":
        """Keep only what the results need, renumbered in order; captures that fell out of use go too."""
        live = self.ancestors(result)
        if self.depth:  # a body keeps its carry and row inputs
            live |= {self.input(p) for p in range(self.inner_inputs)}
        order = sorted(live)
        new = dict(zip(order, range(len(order)), strict=True))
        kept = {outside: inside for outside, inside in self.captures.items() if inside in live}
        self.captures = {outside: new[inside] for outside, inside in kept.items()}
        self.op = [self.op[i] for i in order]
        self.args = [tuple([new[a] for a in self.args[i]]) for i in order]
        self.data = [self.data[i] for i in order]
        for position, inside in enumerate(self.captures.values()):
            self.data[inside] = self.inner_inputs + position
        self.result = [new[i] for i in result]
        self.rules = [r for r in (_renumber(rule, new) for rule in self.rules) if r is not None]
        self._ruled = {x for rule in self.rules for x in rule.outputs if isinstance(x, int)}
        self._table = {}
        return self

    # questions

    def ancestors(self, nodes) -> set[int]:
        """The nodes these need, themselves included."""
        found = set(nodes)
        for i in range(max(found, default=-1), -1, -1):  # what a node needs was there before it
            if i in found:
                found.update(self.args[i])
        return found

    @cached_property
    def key(self) -> str:
        """Digest of the content, the same on every machine."""
        import hashlib

        from anthropi.tape.serial import to_bytes

        return hashlib.sha256(to_bytes(self)).hexdigest()

    def counts(self, passes: bool = False) -> Counter:
        """Operations by kind. A repeated block counts once, or `times` times with `passes`. `neg` counts 0."""
        total: Counter = Counter()
        for op, data in zip(self.op, self.data, strict=True):
            if op == "repeat":
                for name, n in data.body.counts(passes).items():
                    total[name] += n * (data.times if passes else 1)
            elif COUNTED[op]:
                total[op] += COUNTED[op]
        return total

    @property
    def operations(self) -> int:
        """How many operations the tape holds."""
        return sum(self.counts().values())

    def listing(self) -> str:
        """The tape as text, one node a line."""
        from anthropi.tape.serial import listing

        return listing(self)

    def jvp(self, wrt=None, seeds=None) -> "Tape":
        """Forward sweep: the tape that also returns directional derivatives (sweeps.py)."""
        from anthropi.tape.sweeps import jvp

        return jvp(self, wrt, seeds)

    def vjp(self, of=None, wrt=None) -> "Tape":
        """Reverse sweep: the tape that also returns gradients of weighted outputs (sweeps.py)."""
        from anthropi.tape.sweeps import vjp

        return vjp(self, of, wrt)

    def __reduce__(self):
        from anthropi.tape.serial import from_bytes, to_bytes

        return from_bytes, (to_bytes(self),)


def bits(data):
    """A table of numbers by its bits, anything else as it is: -0.0 and 0.0 are two."""
    if isinstance(data, Table):
        return data.packed
    return struct.pack(f"<{len(data)}d", *data) if isinstance(data, tuple) else data


def _name(value: float):
    """What a constant is known by in the table."""
    return "const", struct.pack("<d", float(value))


def _renumber(rule: Rule, new: dict[int, int]) -> Rule | None:
    """The rule in new numbers, or None if a node it speaks of is gone."""
    nodes = [x for x in rule.inputs + rule.outputs if isinstance(x, int)]
    if any(x not in new for x in nodes):
        return None
    inputs = tuple(new[x] if isinstance(x, int) else x for x in rule.inputs)
    outputs = tuple(new[x] if isinstance(x, int) else x for x in rule.outputs)
    return rule._replace(inputs=inputs, outputs=outputs)
