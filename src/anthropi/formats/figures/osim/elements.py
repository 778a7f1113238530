"""The properties of OpenSim objects: elements whose text is a number, several numbers, a flag, names or a path."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_euler
from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError
from anthropi.formats import limits
from anthropi.formats.decoding import number_in
from anthropi.formats.figures.xml import Node

__all__ = [
    "child", "flag", "member", "name_of", "names", "number", "numbers", "objects", "pose", "short", "socket", "text",
]  # fmt: skip

MAX_NUMBERS = 10_000  # numbers in one element
MAX_NAME = 200  # characters of a name


def short(words: str) -> str:
    """Return a text of at most 60 characters for a message."""
    return words if len(words) <= 60 else words[:57] + "..."


def child(node: Node, *tags: str) -> Node | None:
    """Return the first child element with one of these tags, the first tag first; None if there is none."""
    for tag in tags:
        for one in node.children:
            if one.tag == tag:
                return one
    return None


def member(node: Node, name: str) -> Node | None:
    """Return the property of this name that is an object: <name><Type …/></name>, or <Type name="name" …/>."""
    outer = child(node, name)
    if outer is not None:
        return outer.children[0] if outer.children else None
    return next((one for one in node.children if one.get("name") == name), None)


def objects(node: Node | None, *tags: str) -> Iterator[Node]:
    """Yield the objects of a set such as <BodySet><objects>…, or of a list property such as <coordinates>."""
    for tag in tags:
        held = child(node, tag) if node is not None else None
        if held is not None:
            inner = child(held, "objects")
            yield from (held if inner is None else inner).children
            return


def name_of(node: Node, default: str = "") -> str:
    """Return the name of an object, or `default`. Raise `FormatError` if it has none or a very long one."""
    name = (node.get("name") or "").strip() or default
    if not name or len(name) > MAX_NAME:
        raise FormatError(
            f"{node.file}:{node.line}: <{short(node.tag)}> has {'no name' if not name else f'a long name {name[:40]}…'}"
            f'. Give it a name="…" of 1 to {MAX_NAME} characters.'
        )
    return name


def text(node: Node, *tags: str, default: str | None = "") -> str:
    """Return the text of a property, stripped; `default` if it is missing or empty, or an error if that is None."""
    found = child(node, *tags)
    if found is not None and found.text:
        return found.text
    if default is None:
        raise FormatError(f"{node.where} lacks <{tags[0]}>. Add it.")
    return default


def names(node: Node, *tags: str) -> tuple[str, ...]:
    """Return the words of a property."""
    return tuple(text(node, *tags).split())


def numbers(node: Node, *tags: str, count: int | None = None, default: Any = None) -> np.ndarray:
    """Return the finite numbers of a property; `default` if it is missing or empty, or an error if that is None.

    count : the number of values; None for any.
    """
    found = child(node, *tags)
    if found is None or not found.text:
        if default is None:
            raise FormatError(f"{(found or node).where} {'is empty' if found else f'lacks <{tags[0]}>'}. Add numbers.")
        return np.array(default, float).reshape(-1)
    words = found.text.replace("(", " ").replace(")", " ").replace(",", " ").split(None, MAX_NUMBERS)
    if len(words) > MAX_NUMBERS:
        raise limits.exceeded(f"{found.file}:{found.line}", "table_rows", f"more than {MAX_NUMBERS} numbers")
    if count is not None and len(words) != count:
        raise FormatError(f"{_place(found, node)} has {len(words)} numbers. Give {count}.")
    values = []
    for word in words:
        value = number_in(word)
        if value is None or not np.isfinite(value):
            raise FormatError(f"{_place(found, node)}: '{short(word)}' is not a finite number. Give decimal numbers.")
        values.append(value)
    return np.array(values)


def number(node: Node, *tags: str, default: float | None = None) -> float:
    """Return the number of a property."""
    return float(numbers(node, *tags, count=1, default=default)[0])


def flag(node: Node, *tags: str, default: bool = False) -> bool:
    """Return the value of a property that is "true" or "false"."""
    word = text(node, *tags).lower()
    if word not in ("", "true", "false"):
        found = child(node, *tags)
        raise FormatError(f"{_place(found or node, node)} is '{short(word)}'. Write true or false.")
    return default if not word else word == "true"


def socket(node: Node, *names: str) -> str:
    """Return the path in a socket such as <socket_parent_frame>, also as older versions wrote it; "" if there is none.

    names : names of the socket in all versions.
    """
    direct = text(node, *(f"socket_{name}{end}" for name in names for end in ("", "_connectee_name")))
    if direct:
        return direct
    for connector in (child(node, "connectors") or node).children:
        if connector.tag.startswith("Connector_") and connector.get("name") in names:
            return text(connector, "connectee_name")
    return ""


def pose(node: Node, location: tuple[str, ...], orientation: tuple[str, ...], digits: int | None = None) -> Transform:
    """Return the pose of a frame from its location [m] and its body-fixed x-y-z angles [rad].

    digits : significant digits to which the numbers are rounded; None for all.
    """
    angles = numbers(node, *orientation, count=3, default=(0.0, 0.0, 0.0))
    origin = numbers(node, *location, count=3, default=(0.0, 0.0, 0.0))
    if digits is not None:
        angles, origin = (np.array([float(f"{x:.{digits}g}") for x in values]) for values in (angles, origin))
    C = matrix_from_euler(angles, "xyz") if angles.any() else np.eye(3)
    return Transform(C, origin)


def _place(found: Node, owner: Node) -> str:
    """Return the file, line and tag of a property, and the object that it belongs to."""
    name = owner.get("name") or ""
    return f"{found.file}:{found.line}: <{found.tag}> of <{short(owner.tag)}{f' name={name[:80]!r}' if name else ''}>"
