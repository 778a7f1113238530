"""Copies between slots of memory: long runs of slots are copied by a loop, short ones slot by slot.

A long loop of a tape has a carry of up to thousands of values. Loading all of them and then storing all of them would
need as many registers, and LLVM's time to choose registers would grow faster than the number of values. Each value is
therefore stored as soon as it is loaded, and consecutive slots are copied by a loop, so that the code stays short.
"""

from collections.abc import Iterable, Iterator

from anthropi.compiler.targets.machine import Writer

__all__ = ["Place", "copy"]

Place = tuple[str, int]  # ("in" | "out" | "tmp", slot)

MIN_RUN = 64  # consecutive slots that are worth a loop
UNROLLED = 32  # slots copied in one pass of that loop; with 1, most of the time would be spent in counting


def copy(
    w: Writer, pairs: Iterable[tuple[Place, Place]], finished: str | None = None, shift: str | None = None
) -> None:
    """Write copies of slots: pairs of (source, target). No source is the target of another pair.

    finished : mask of the lanes whose target keeps its value. shift : name of an i64 that is added to target slots.
    """
    for (source, first), (target, to), count in _runs(pairs):
        whole = count // UNROLLED if count >= MIN_RUN else 0
        if whole:
            index = _begin(w)
            at = w.let(f"mul i64 {index}, {UNROLLED}")
            for j in range(UNROLLED):
                own = [w.let(f"add i64 {at}, {slot + j}") for slot in (first, to)]
                _copy_one(w, source, own[0], target, own[1], finished, shift)
            _close(w, index, whole)
        for j in range(UNROLLED * whole, count):
            _copy_one(w, source, first + j, target, to + j, finished, shift)


def _runs(pairs: Iterable[tuple[Place, Place]]) -> Iterator[tuple[Place, Place, int]]:
    """Yield (first source, first target, count) of runs in which source and target slots are consecutive."""
    run: tuple[Place, Place, int] | None = None
    for source, target in pairs:
        if run is not None:
            (a, i), (b, j), count = run
            if (source, target) == ((a, i + count), (b, j + count)):
                run = run[0], run[1], count + 1
                continue
            yield run
        run = source, target, 1
    if run is not None:
        yield run


def _copy_one(
    w: Writer, source: str, at: int | str, target: str, to: int | str, finished: str | None, shift: str | None
) -> None:
    m = w.machine
    x = w.load("%" + source, at)
    if shift is not None:
        to = w.let(f"add i64 {shift}, {to}")
    if finished is not None:
        x = w.let(f"select {m.mask} {finished}, {m.number} {w.load('%' + target, to)}, {m.number} {x}")
    w.store("%" + target, to, x)


def _begin(w: Writer) -> str:
    """Begin a loop that counts from 0; return the name of its index."""
    before, head = w.label, w.fresh("copy")
    w.do(f"br label %{head}")
    w.block(head)
    w.scopes.append({})
    return w.let(f"phi i64 [ 0, %{before} ], [ %{head}.next, %{head} ]")


def _close(w: Writer, index: str, times: int) -> None:
    """End the loop of `_begin` after a number of passes."""
    head, end = w.label, w.fresh("copied")
    w.do(f"%{head}.next = add i64 {index}, 1")
    w.do(f"br i1 {w.let(f'icmp ult i64 %{head}.next, {times}')}, label %{head}, label %{end}")
    w.scopes.pop()
    w.block(end)
