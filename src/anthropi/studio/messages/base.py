"""Base classes of messages and their registries.

A message is a frozen dataclass. Its fields are plain data (text, numbers, booleans, None, tuples, dicts with text keys)
or other such dataclasses; no field is called kind. The kind of a message is its class name in snake case: `OpenFile` is
{"kind": "open_file", …}.
"""

import re
from typing import Any, ClassVar

__all__ = ["COMMANDS", "EVENTS", "Command", "Event", "Matrix3", "Quaternion", "Vector", "kind_of"]

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z
Matrix3 = tuple[Vector, Vector, Vector]  # by rows

COMMANDS: dict[str, type["Command"]] = {}  # kind: class; each class registers itself
EVENTS: dict[str, type["Event"]] = {}


def kind_of(message: type[Any]) -> str:
    """Return the kind of a message class: its name in snake case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", message.__name__).lower()


class Command:
    """A request from a browser.

    answers : the type of the result, None if there is no result.
    edits : whether the command changes the project and can be undone.
    """

    answers: ClassVar[Any] = None
    edits: ClassVar[bool] = False

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if not cls.__name__.startswith("_"):
            COMMANDS[kind_of(cls)] = cls


class Event:
    """A message from the server to all browsers that is not a reply to a command."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        EVENTS[kind_of(cls)] = cls
