"""What all messages share: a command knows its kind, what it answers, and whether it can be undone.

A message is a frozen dataclass of plain data: text, numbers, truth values, None, tuples, dicts with text for keys, and
such dataclasses; no field is called kind. Its kind is its name in small letters: `OpenFile` is {"kind":
"open_file", …}.
"""

import re
from typing import Any, ClassVar

__all__ = ["COMMANDS", "EVENTS", "Command", "Event", "Matrix3", "Quaternion", "Vector", "kind_of"]

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z
Matrix3 = tuple[Vector, Vector, Vector]  # by rows

COMMANDS: dict[str, type["Command"]] = {}  # kind: command; each class enters itself
EVENTS: dict[str, type["Event"]] = {}


def kind_of(message: type) -> str:
    """The kind of a class of messages: its name in small letters."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", message.__name__).lower()


class Command:
    """What a browser asks for.

    answers : the type of the result, None if there is none. edits : whether it changes the project and can be undone.
    """

    answers: ClassVar[Any] = None
    edits: ClassVar[bool] = False

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        if not cls.__name__.startswith("_"):
            COMMANDS[kind_of(cls)] = cls


class Event:
    """What the server tells every browser by itself."""

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        EVENTS[kind_of(cls)] = cls
