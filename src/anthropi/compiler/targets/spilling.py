"""Which numbers stay at hand while a long function is written, where registers are few: in a GPU thread.

Beyond `machine.room` numbers a GPU's own compiler spills to memory that all threads share, and most of the speed is
gone. So one number is put down instead, the one whose next use lies farthest ahead (Belady 1966):

1. A number that lies in memory anyway (an input, a value in tmp) is forgotten, and loaded again when it is wanted.
2. A number that a few sums and products of such numbers give is forgotten, and computed again when it is wanted.
3. Any other is parked: stored in shared memory beside the registers, and loaded from there.

The same operations on the same numbers in the same order: no bit changes.
"""

from collections.abc import Iterable
from heapq import heappop, heappush

from anthropi.compiler.targets.machine import Writer
from anthropi.tape.operations import MASKS

__all__ = ["Spilling"]

_REDO = 10  # operations a number may take that is computed again
_TOO_MANY = frozenset(range(-_REDO - 1, 0))
_LINGER = 60  # operations for which what was computed again stays at hand: its neighbours want parts of it
_CHEAP = ("add", "sub", "mul", "neg", "fma")
_NO_NUMBER = ("const", "repeat", *MASKS)  # what takes no register, or a predicate


class Spilling:
    """The numbers at hand while a unit writes `nodes` with writer w; `ends` are wanted after the last of them."""

    def __init__(self, unit, w: Writer, nodes, ends: Iterable[int] = ()):
        self.unit, self.w, self.now = unit, w, 0
        self.room = max(w.machine.room // 2, w.machine.room - unit.program.busy)
        uses: dict[int, list[int]] = {}
        for k, i in enumerate(nodes):
            for a in unit.tape.args[i]:
                uses.setdefault(a, []).append(k)
        for i in ends:
            uses.setdefault(i, []).append(len(nodes))
        self._uses = {a: at[::-1] for a, at in uses.items()}
        self._cones = self._cheap(nodes)
        self._held: set[int] = set()
        self._heap: list[tuple[int, int]] = []  # (-next use, node); entries that no longer hold are skipped
        self._parked: dict[int, tuple[str, int]] = {}
        self._guests: dict[int, int] = {}  # numbers only there because another was computed again, and until when
        for i in range(len(unit.tape)):
            self._note(i)

    @property
    def held(self) -> int:
        """How many numbers are at hand."""
        return len(self._held)

    def find(self, i: int) -> str | None:
        """A number that was put down, at hand again; None if it lies where the unit finds it."""
        if i in self._parked:
            base, slot = self._parked[i]
            return self.w.load("%" + base, slot)
        if i not in self._cones or self.unit.lies(i):
            return None
        args = self.unit.tape.args[i]
        name = self.w.machine.operate(self.w, self.unit.tape.op[i], [self.unit.value(self.w, a) for a in args])
        for a in args:
            self._guests[a] = self.now + _LINGER
            self._note(a)
        return name

    def tidy(self, k: int, i: int) -> None:
        """After operation k, which was node i: note what it read and made, and put down what there is no room for."""
        self.now = k + 1
        for g in [g for g, until in self._guests.items() if until < k]:
            del self._guests[g]
            self._note(g)
        for a in (*self.unit.tape.args[i], i, *self.unit.items.get(i, ())):
            self._note(a)
        while len(self._held) > self.room and self._put_down():
            pass

    def close(self) -> None:
        """Give all parking places back."""
        for place in self._parked.values():
            self.unit.program.leave(place)
        self._parked = {}

    def _cheap(self, nodes) -> dict[int, frozenset[int]]:
        """For each number worth computing again, the operations that takes."""
        tape = self.unit.tape
        cones: dict[int, frozenset[int]] = {}
        for i in nodes:
            cone = {i}
            for a in tape.args[i]:
                if tape.op[a] != "const" and not self.unit.lies(a):
                    cone |= cones.get(a, _TOO_MANY)
            if tape.op[i] in _CHEAP and len(cone) <= _REDO:
                cones[i] = frozenset(cone)
        return cones

    def _next(self, a: int) -> int | None:
        """Where a number is read next."""
        at = self._uses.get(a, [])
        while at and at[-1] < self.now:
            at.pop()
        return at[-1] if at else None

    def _note(self, a: int) -> None:
        """Take a number into account that is at hand, or forget it if nothing reads it any more."""
        if self.unit.tape.op[a] in _NO_NUMBER or not self.w.find((self.unit.number, a)):
            return
        following = self._next(a)
        if following is not None:
            heappush(self._heap, (-following, a))
        elif a not in self._guests:
            self._forget(a)
            if a in self._parked:
                self.unit.program.leave(self._parked.pop(a))
            return
        self._held.add(a)

    def _forget(self, a: int) -> None:
        self._held.discard(a)
        self.w.forget((self.unit.number, a))

    def _put_down(self) -> bool:
        """Put down the number read last; False if there is none to put down."""
        while self._heap:
            following, a = heappop(self._heap)
            if a in self._held and -following == self._next(a):
                break
        else:
            return False
        if not (self.unit.lies(a) or a in self._cones or a in self._parked):
            place = self.unit.program.park()
            if place is None:  # no place left: the GPU's compiler sees to it
                self._held.discard(a)
                return True
            self._parked[a] = place
            self.w.store("%" + place[0], place[1], self.unit.value(self.w, a))
        self._forget(a)
        return True
