"""Register spilling for GPU threads: choose which values stay in registers while a long function is written.

With more than `machine.register_budget` values, the GPU's own compiler spills to memory shared by all threads, and most
of the speed is lost. To avoid this, the value whose next use is farthest ahead leaves its register (L. A. Belady, A
study of replacement algorithms for a virtual-storage computer, IBM Systems J. 5(2), 1966):

1. A value that is in memory anyway (an input, a value in tmp) is loaded again when it is used.
2. A value that a few sums and products of such values give is computed again when it is used.
3. Any other value is spilled: it is stored in the fast shared memory of the thread's block and loaded from there.

The operations, their operands and their order stay the same, so the results are bit for bit identical.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

from anthropi.compiler.targets.machine import Writer
from anthropi.tape.operations import MASKS

__all__ = ["Spilling"]

MAX_RECOMPUTED_OPERATIONS = 10  # largest number of operations to recompute one value
_TOO_MANY = frozenset(range(-MAX_RECOMPUTED_OPERATIONS - 1, 0))
RECOMPUTED_LIFETIME = 60  # number of operations for which parts of a recomputed value stay in registers
_CHEAP = ("add", "sub", "mul", "neg", "fma")
_NO_REGISTER = ("const", "repeat", *MASKS)  # nodes without a register, or with a predicate register


class Spilling:
    """Values kept in registers while a unit writes `nodes` with writer w; `ends` are nodes used afterwards."""

    unit: Any
    w: Writer
    now: int
    budget: int

    def __init__(self, unit: Any, w: Writer, nodes: Sequence[int], ends: Iterable[int] = ()) -> None:
        self.unit, self.w, self.now = unit, w, 0
        self.budget = max(w.machine.register_budget // 2, w.machine.register_budget - unit.program.live_outside)
        uses: dict[int, list[int]] = {}
        for k, i in enumerate(nodes):
            for a in unit.tape.args[i]:
                uses.setdefault(a, []).append(k)
        for i in ends:
            uses.setdefault(i, []).append(len(nodes))
        self._uses = {a: at[::-1] for a, at in uses.items()}
        self._cones = self._recomputable(nodes)
        self._live: set[int] = set()
        self._heap: list[tuple[int, int]] = []  # (-next use, node); outdated entries are skipped
        self._spilled: dict[int, tuple[str, int]] = {}
        self._recomputed: dict[int, int] = {}  # part of a recomputed value → operation until which it is kept
        for i in range(len(unit.tape)):
            self._update(i)

    @property
    def live(self) -> int:
        """Number of values in registers."""
        return len(self._live)

    def find(self, i: int) -> str | None:
        """Load or recompute a value that left the registers; return None if it is to be loaded from memory."""
        if i in self._spilled:
            base, slot = self._spilled[i]
            return self.w.load("%" + base, slot)
        if i not in self._cones or self.unit.in_memory(i):
            return None
        args = self.unit.tape.args[i]
        name = self.w.machine.operate(self.w, self.unit.tape.op[i], [self.unit.value(self.w, a) for a in args])
        for a in args:
            self._recomputed[a] = self.now + RECOMPUTED_LIFETIME
            self._update(a)
        return name

    def after(self, k: int, i: int) -> None:
        """Update the registers after operation k (node i was written), and spill values beyond the budget."""
        self.now = k + 1
        for g in [g for g, until in self._recomputed.items() if until < k]:
            del self._recomputed[g]
            self._update(g)
        for a in (*self.unit.tape.args[i], i, *self.unit.items.get(i, ())):
            self._update(a)
        while len(self._live) > self.budget and self._spill_one():
            pass

    def release(self) -> None:
        """Release all spill slots."""
        for place in self._spilled.values():
            self.unit.program.release_spill_slot(place)
        self._spilled = {}

    def _recomputable(self, nodes: Sequence[int]) -> dict[int, frozenset[int]]:
        """Return, for each value that is cheap to compute again, the nodes that must be computed."""
        tape = self.unit.tape
        cones: dict[int, frozenset[int]] = {}
        for i in nodes:
            cone = {i}
            for a in tape.args[i]:
                if tape.op[a] != "const" and not self.unit.in_memory(a):
                    cone |= cones.get(a, _TOO_MANY)
            if tape.op[i] in _CHEAP and len(cone) <= MAX_RECOMPUTED_OPERATIONS:
                cones[i] = frozenset(cone)
        return cones

    def _next(self, a: int) -> int | None:
        """Return the position of the next use of a value; None if there is none."""
        at = self._uses.get(a, [])
        while at and at[-1] < self.now:
            at.pop()
        return at[-1] if at else None

    def _update(self, a: int) -> None:
        """Count a value as live in a register, or drop it if it has no further use."""
        if self.unit.tape.op[a] in _NO_REGISTER or not self.w.find((self.unit.number, a)):
            return
        following = self._next(a)
        if following is not None:
            heappush(self._heap, (-following, a))
        elif a not in self._recomputed:
            self._forget(a)
            if a in self._spilled:
                self.unit.program.release_spill_slot(self._spilled.pop(a))
            return
        self._live.add(a)

    def _forget(self, a: int) -> None:
        """Drop a value from the registers."""
        self._live.discard(a)
        self.w.forget((self.unit.number, a))

    def _spill_one(self) -> bool:
        """Remove the value with the most distant next use from its register; return False if there is none."""
        while self._heap:
            following, a = heappop(self._heap)
            if a in self._live and -following == self._next(a):
                break
        else:
            return False
        if not (self.unit.in_memory(a) or a in self._cones or a in self._spilled):
            place = self.unit.program.spill_slot()
            if place is None:  # no slot left: the GPU's compiler spills it
                self._live.discard(a)
                return True
            self._spilled[a] = place
            self.w.store("%" + place[0], place[1], self.unit.value(self.w, a))
        self._forget(a)
        return True
