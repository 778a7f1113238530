"""What an algorithm says of its arguments, so that a front can size, check and compile it."""

import inspect

__all__ = ["algorithm", "size_of"]


def algorithm(**shapes: str):
    """State the shape of each array argument ("nq", "nu", "links*6", "3"); the function itself is left as it is.

    Its keyword-only arguments are options (`link="l_foot"`): known while recording, part of what a kernel is.
    """

    def mark(function):
        function.shapes = shapes
        given = inspect.signature(function).parameters.values()
        options = [p for p in given if p.kind is p.KEYWORD_ONLY and p.name not in shapes]
        function.options = tuple(p.name for p in options)
        function.needed = tuple(p.name for p in options if p.default is p.empty)
        return function

    return mark


def size_of(shape: str, figure) -> tuple[int, ...]:
    """The shape of an argument for a figure."""
    known = {"nq": figure.nq, "nu": figure.nu, "links": figure.n}
    known["numbers"] = sum(len(loop.value) for loop in figure.loops)
    return tuple(known[part] if part in known else int(part) for part in shape.split("*"))
