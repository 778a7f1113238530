"""A row of numbers that many places of a program look things up in (`gather`)."""

import struct

__all__ = ["Table"]


class Table(tuple):
    """Floats, and their bits as one object: a tape knows the table by them, however often it is read."""

    packed: bytes

    def __new__(cls, numbers):
        """Of numbers, none of which records."""
        made = super().__new__(cls, (float(x) for x in numbers))
        made.packed = struct.pack(f"<{len(made)}d", *made)
        return made

    def __reduce__(self):
        return Table, (tuple(self),)
