"""The tape: a recorded function as a list of operations, each on the results of earlier ones.

Nodes are hash-consed: equal operations on equal arguments are one node (constants are compared by their bits), so a
tape computes each value once. A loop is one node that contains an inner tape; inner tapes capture outer values, and
operations that do not depend on the pass are recorded outside the loop.
"""

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import accumulate, chain, compress
from typing import Any, NamedTuple

import numpy as np

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
    """Source of the row values j = 0 … width - 1 that a loop reads in pass i.

    source "table": the constant `table[i·width + j]`. "input": input `base + i·stride + j` of the outermost tape.
    "nodes": number `base + i·stride + j` among the row values that are arguments of the repeat node. "items": item
    `base + i·stride + j` of another repeat node, which is argument `node` among them; its records are read in place.
    """

    source: str
    width: int
    base: int
    stride: int
    table: tuple[float, ...] = ()
    node: int = 0


class Loop(NamedTuple):
    """Data of a repeat node. Its arguments are: first carry, row values, captured values.

    Inputs of the body: carry, row, captures. Outputs of the body: next carry, then the mask that ends the loop if
    `stops`. Items of the node: last carry, then the carry after every k-th pass if `every` = k.
    """

    body: "Tape"
    times: int
    every: int
    stops: bool
    carry: int
    blocks: tuple[Block, ...]
    held: int  # number of arguments that are row values

    @property
    def row(self) -> int:
        """Number of row values that a pass reads."""
        return sum(b.width for b in self.blocks)

    @property
    def records(self) -> int:
        """Number of passes that are recorded."""
        return self.times // self.every if self.every else 0


class Rule(NamedTuple):
    """A derivative rule that replaces the chain rule (docs/decisions/0009-derivative-rules.md).

    `push(inputs, outputs, tangents)` gives the outputs' tangents, `pull(inputs, outputs, cotangents)` the inputs'
    cotangents. Inputs and outputs are node indices, or floats where they were constant. A partial rule holds even if
    some inputs are not used on the tape: those are NaN, which the rule must not read. All its outputs are kept.
    """

    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]
    push: Any
    pull: Any
    partial: bool = False


class Tape:
    """A recorded function, made by `record`. `jvp` and `vjp` differentiate it; `anthropi.compiler.build` compiles it.

    inputs, outputs : names, shapes and positions of the arrays among the flat inputs and outputs (`Slot`).
    op, args, data : for each node its operation, the indices of its arguments, and its constants.
    result : the node of each flat output.
    """

    def __init__(self, outer: "Tape | None" = None) -> None:
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
        self.active: Tape = self  # for a root tape: the innermost body that is being recorded
        self.captures: dict[int, int] = {}  # outer node → node on this tape
        self._captured: dict[tuple[Tape, int], int] = {}  # tape and node of a captured scalar → node on this tape
        self.inner_inputs = 0  # number of inputs of a body before its captures
        self.numbers: dict[Any, int] = {}  # while it is recorded: name of each node → its number

    def __len__(self) -> int:
        return len(self.op)

    def __repr__(self) -> str:
        ins = " ".join(f"{s.name}{list(s.shape)}" for s in self.inputs)
        outs = " ".join(f"{s.name}{list(s.shape)}" for s in self.outputs)
        return f"Tape({ins} → {outs}: {self.operations} operations)"

    # recording

    def _place(self, op: str, args: tuple[int, ...], data: Any, name: Any) -> int:
        """Return the index of a node; append the node unless one with this name exists."""
        index = self.numbers.get(name)
        if index is None:
            index = len(self.op)
            self.op.append(op)
            self.args.append(args)
            self.data.append(data)
            self.numbers[name] = index
        return index

    def constant(self, value: float) -> int:
        """Return the node of a constant; constants with equal bits share one node."""
        return self._place("const", (), float(value), _name(value))

    def input(self, position: int, mask: bool = False) -> int:
        """Return the node of a flat input."""
        op = "mask_input" if mask else "input"
        return self._place(op, (), position, (op, position))

    def capture(self, x: Any) -> int:
        """Return the node on this tape for a scalar of this tape or of an outer tape."""
        if x.tape is self:
            return x.index
        known = self._captured.get((x.tape, x.index))
        if known is not None:
            return known
        if self.outer is None:
            raise TraceError(
                f"{x!r} belongs to another recording. A scalar is valid only while its function is recorded: "
                "return it from the body of repeat through the carry, and do not keep it between recordings."
            )
        there = self.outer.capture(x)
        if self.outer.op[there] == "const":
            return self.constant(self.outer.data[there])
        if there not in self.captures:
            position = self.inner_inputs + len(self.captures)
            self.captures[there] = self.input(position, self.outer.op[there] in MASKS)
        self._captured[x.tape, x.index] = self.captures[there]
        return self.captures[there]

    def place(self, x: Any) -> int:
        """Return the node on this tape for a number, scalar or mask."""
        return self.capture(x) if isinstance(x, (Scalar, Mask)) else self.constant(x)

    def wrap(self, index: int) -> Any:
        """Return the Python value of a node: a float, a Scalar or a Mask."""
        op = self.op[index]
        if op == "const":
            return self.data[index]
        return Mask(self, index) if op in MASKS else Scalar(self, index)

    def emit(self, op: str, args: Iterable[Any], data: Any = None) -> Any:
        """Return the node of an operation as a Scalar or Mask; append it unless it is already on the tape."""
        places = tuple([x.index if type(x) is Scalar and x.tape is self else self.place(x) for x in args])
        if op in COMMUTES and places[0] > places[1]:
            places = (places[1], places[0])
        index = self._place(op, places, data, (op, *places) if data is None else (op, places, bits(data)))
        return Mask(self, index) if op in MASKS else Scalar(self, index)

    def unary(self, op: str, i: int) -> Scalar:
        """Return the node of an operation on node i as a Scalar, as `emit` does, in less time."""
        name = (op, i)
        index = self.numbers.get(name)
        if index is None:
            index = self.numbers[name] = len(self.op)
            self.op.append(op)
            self.args.append((i,))
            self.data.append(None)
        return Scalar(self, index)

    def binary(self, op: str, i: int, j: int) -> Scalar:
        """Return the node of an arithmetic operation on nodes i and j as a Scalar, as `emit` does, in less time."""
        if i > j and op in COMMUTES:
            i, j = j, i
        name = (op, i, j)
        index = self.numbers.get(name)
        if index is None:
            index = self.numbers[name] = len(self.op)
            self.op.append(op)
            self.args.append((i, j))
            self.data.append(None)
        return Scalar(self, index)

    def has(self, op: str, i: int, j: int) -> int | None:
        """Return the number of the node of an operation on nodes i and j, or None if it is not on the tape."""
        return self.numbers.get((op, i, j))

    def add_rule(
        self,
        inputs: Iterable[Any],
        outputs: Iterable[Any],
        push: Callable[..., Any],
        pull: Callable[..., Any],
        partial: bool = False,
    ) -> None:
        """Attach a derivative rule to values on this tape (see `Rule`).

        It is ignored if an output is also an input or already has a rule.
        """
        places = tuple(self.place(x) if isinstance(x, Scalar) else float(x) for x in inputs)
        results = tuple(self.place(x) if isinstance(x, Scalar) else float(x) for x in outputs)
        nodes = [r for r in results if isinstance(r, int)]
        given = {p for p in places if isinstance(p, int)}  # a constant 2.0 is not node 2
        if nodes and not any(r in self._ruled or r in given for r in nodes):
            self.rules.append(Rule(places, results, push, pull, partial))
            self._ruled.update(nodes)

    @property
    def has_rules(self) -> bool:
        """Whether any derivative rule is attached, here or in a loop body."""
        return bool(self.rules) or any(
            d.body.has_rules for o, d in zip(self.op, self.data, strict=True) if o == "repeat"
        )

    # finishing

    def finish(self, result: list[int]) -> "Tape":
        """Keep only the nodes that the results need, renumbered in order, and drop unused captures."""
        own = [self.input(position) for position in range(self.inner_inputs)] if self.depth else []
        live = self._needed_by([*result, *own])  # a body keeps its carry and row inputs
        kept = [[x for x in rule.outputs if isinstance(x, int)] for rule in self.rules if rule.partial]
        lost = [x for outputs in kept if any(live[x] for x in outputs) for x in outputs if not live[x]]
        if lost:
            live = self._needed_by([*result, *own, *lost])
        new = [0, *accumulate(live)]  # the new number of each live node
        self.captures = {outside: new[inside] for outside, inside in self.captures.items() if live[inside]}
        self.op = list(compress(self.op, live))
        self.args = [
            (new[own[0]], new[own[1]]) if len(own) == 2 else tuple([new[a] for a in own])  # most nodes have two
            for own in compress(self.args, live)
        ]
        self.data = list(compress(self.data, live))
        for position, inside in enumerate(self.captures.values()):
            self.data[inside] = self.inner_inputs + position
        self.result = [new[i] for i in result]
        self.rules = [r for r in (_renumber(rule, live, new) for rule in self.rules) if r is not None]
        self._ruled = {x for rule in self.rules for x in rule.outputs if isinstance(x, int)}
        self.numbers, self._captured = {}, {}
        return self

    # queries

    def ancestors(self, nodes: Iterable[int]) -> set[int]:
        """Return all nodes that the given nodes depend on, the given nodes included."""
        return set(compress(range(len(self.op)), self._needed_by(nodes)))

    def _needed_by(self, nodes: Iterable[int]) -> bytearray:
        """Return 1 for each node that the given nodes depend on, the given nodes included, and 0 for all others."""
        found, args = bytearray(len(self.op)), self.args
        for i in nodes:
            found[i] = 1
        for i in range(found.rfind(1), -1, -1):  # arguments come before the nodes that use them
            if found[i]:
                for a in args[i]:
                    found[a] = 1
        return found

    def arguments(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of arguments of each node, and the arguments of all nodes in one row."""
        counts = np.fromiter(map(len, self.args), np.int64, len(self.args))
        return counts, np.fromiter(chain.from_iterable(self.args), np.int64, int(counts.sum()))

    @cached_property
    def key(self) -> str:
        """Digest of the content, the same on every machine."""
        import hashlib

        return hashlib.sha256(self.serialized if self.depth else self._bytes()).hexdigest()

    @cached_property
    def serialized(self) -> bytes:
        """The bytes of a finished loop body, which occur in the bytes and keys of all tapes around it."""
        return self._bytes()

    def _bytes(self) -> bytes:
        from anthropi.tape.serial import to_bytes

        return to_bytes(self)

    def counts(self, passes: bool = False) -> Counter[str]:
        """Count operations by kind; `neg` counts 0. A loop body counts once, or `times` times with `passes`."""
        nodes = Counter(self.op)
        total = Counter({op: n * COUNTED[op] for op, n in nodes.items() if COUNTED[op] and op != "repeat"})
        if "repeat" in nodes:
            for loop in (data for op, data in zip(self.op, self.data, strict=True) if op == "repeat"):
                for name, n in loop.body.counts(passes).items():
                    total[name] += n * (loop.times if passes else 1)
        return total

    @property
    def operations(self) -> int:
        """Number of operations on the tape."""
        return sum(self.counts().values())

    def listing(self) -> str:
        """Return the tape as text, one node per line."""
        from anthropi.tape.serial import listing

        return listing(self)

    def jvp(self, wrt: str | Iterable[str] | None = None, seeds: dict[str, Any] | None = None) -> "Tape":
        """Return a tape that also computes directional derivatives of the outputs (`sweeps.jvp`)."""
        from anthropi.tape.sweeps import jvp

        return jvp(self, wrt, seeds)

    def vjp(self, of: str | Iterable[str] | None = None, wrt: str | Iterable[str] | None = None) -> "Tape":
        """Return a tape that also computes the gradient of a weighted sum of the outputs (`sweeps.vjp`)."""
        from anthropi.tape.sweeps import vjp

        return vjp(self, of, wrt)

    def __reduce__(self) -> tuple[Any, ...]:
        from anthropi.tape.serial import from_bytes

        return from_bytes, (self._bytes(),)


def bits(data: Any) -> Any:
    """Return a table of numbers as bytes, so that -0.0 and 0.0 differ; return anything else unchanged."""
    if isinstance(data, Table):
        return data.packed
    return struct.pack(f"<{len(data)}d", *data) if isinstance(data, tuple) else data


def _name(value: float) -> tuple[str, bytes]:
    """Return the key of a constant in the node table."""
    return "const", struct.pack("<d", float(value))


def _renumber(rule: Rule, live: bytearray, new: list[int]) -> Rule | None:
    """Return the rule with new node numbers, or None if a node that it needs is not live."""
    needed = rule.outputs if rule.partial else rule.inputs + rule.outputs
    if not all(live[x] for x in needed if isinstance(x, int)):
        return None
    inputs = tuple((new[x] if live[x] else math.nan) if isinstance(x, int) else x for x in rule.inputs)
    outputs = tuple(new[x] if isinstance(x, int) else x for x in rule.outputs)
    return rule._replace(inputs=inputs, outputs=outputs)
