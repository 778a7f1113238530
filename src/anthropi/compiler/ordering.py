"""The order of a lowered tape: the same operations, written so that few values are needed at the same time.

A tape is recorded in the order in which a person writes: first all poses, then all velocities, then all forces. Every
pose waits until the last pass has used it, and a thread with few registers must store it. Here the operations are put
in order from the last one to the first. Of those whose results are all used by what is placed already, the next is one
that makes the fewest new values wait (list scheduling from the bottom for register pressure: J. R. Goodman, W.-C. Hsu,
Code scheduling and register allocation in large basic blocks, Int. Conf. Supercomputing 1988). No operation changes, so
results are bit for bit the same.
"""

from heapq import heapify, heappop, heappush

from anthropi.compiler.lower import copied
from anthropi.tape.tape import Tape

__all__ = ["few_waiting", "most_waiting"]

_LEAVES = ("const", "input", "mask_input")


def few_waiting(tape: Tape, outer: Tape | None = None) -> Tape:
    """Return a lowered tape, and the bodies of its loops, in an order in which few values wait."""
    return copied(tape, outer, _order(tape), few_waiting)


def most_waiting(tape: Tape) -> int:
    """Return how many values are needed at the same time at most, in the tape or in the body of a loop."""
    leaf = {i for i, op in enumerate(tape.op) if op in _LEAVES}
    last = {a: i for i, args in enumerate(tape.args) for a in args if a not in leaf}
    last |= {i: len(tape) for i in tape.result if i not in leaf}
    ends = [0] * (len(tape) + 1)
    for i in last.values():
        ends[i] += 1
    most = now = 0
    for i in range(len(tape)):
        now += (i in last) - ends[i]
        most = max(most, now)
    return max([most, *(most_waiting(tape.data[i].body) for i, op in enumerate(tape.op) if op == "repeat")])


def _order(tape: Tape) -> list[int]:
    """Return the nodes in order: constants and inputs, then operations."""
    leaves = [i for i, op in enumerate(tape.op) if op in _LEAVES]
    leaf = set(leaves)
    needs = [tuple({a for a in args if a not in leaf}) for args in tape.args]
    uses = [0] * len(tape)  # by operations that are not placed yet
    users: list[list[int]] = [[] for _ in uses]
    for i, args in enumerate(needs):
        for a in args:
            uses[a] += 1
            users[a].append(i)
    waiting = {i for i in tape.result if i not in leaf}

    def rank(i: int) -> tuple[int, int]:
        """How many more values wait if operation i comes next; equal ones stay in the recorded order."""
        return sum(a not in waiting for a in needs[i]) - (i in waiting), -i

    ready = {i for i in range(len(tape)) if i not in leaf and not uses[i]}
    heap = [(rank(i), i) for i in ready]
    heapify(heap)
    backwards = []
    while heap:
        known, i = heappop(heap)
        if i not in ready:
            continue
        if known != rank(i):
            heappush(heap, (rank(i), i))
            continue
        ready.discard(i)
        waiting.discard(i)
        backwards.append(i)
        for a in needs[i]:
            new = a not in waiting
            waiting.add(a)
            uses[a] -= 1
            if not uses[a]:
                ready.add(a)
                heappush(heap, (rank(a), a))
            if new:
                for user in users[a]:
                    if user in ready:
                        heappush(heap, (rank(user), user))
    return leaves + backwards[::-1]
