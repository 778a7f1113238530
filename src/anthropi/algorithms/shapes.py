"""What an algorithm says of its arguments, so that a front can size, check and compile it."""

__all__ = ["algorithm", "size_of"]


def algorithm(**shapes: str):
    """State the shape of each array argument ("nq", "nu", "links*6", "3"); the function itself is left as it is."""

    def mark(function):
        function.shapes = shapes
        return function

    return mark


def size_of(shape: str, figure) -> tuple[int, ...]:
    """The shape of an argument for a figure."""
    known = {"nq": figure.nq, "nu": figure.nu, "links": figure.n}
    return tuple(known[part] if part in known else int(part) for part in shape.split("*"))
