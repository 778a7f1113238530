"""Find the positions of values and tables in a TOML text.

The text must be valid TOML (tomllib has parsed it before), so this scanner covers only the grammar needed to find
positions.
"""

import re
from typing import NamedTuple

__all__ = ["Layout", "measure", "scan"]

Path = tuple[str | int, ...]
BARE = re.compile(r"[A-Za-z0-9_-]+")
SPACE = re.compile(r"[ \t]*")
GAP = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")


class Layout(NamedTuple):
    """Positions of values and tables in a TOML text.

    values : {path: (start, end)} of each value. tables : (path, start of the header, end of the table), in file order.
    """

    values: dict[Path, tuple[int, int]]
    tables: list[tuple[Path, int, int]]


STRUCTURE = re.compile(  # what nests or makes items, and the strings and comments that hide it; possessive: linear time
    r"""(?P<long>\"{3}|'{3})
    |(?P<text>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\n]*+')
    |(?P<broken>["'])
    |\#[^\n]*+
    |(?P<open>[\[{])
    |(?P<close>[\]}])
    |(?P<dot>\.)[^.,=\n\[\]{}"'\#]*+(?P<after>[,\n]?)
    |(?P<item>=)
    |(?P<end>[,\n])""",
    re.VERBOSE,
)
LONG_END = {  # of a string that begins with three quotes
    '"""': re.compile(r'[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"[^']*+(?:'(?!'')[^']*+)*+'{3,5}"),
}


def measure(text: str, deep: int) -> tuple[int, int]:
    """Return how deep a TOML text nests, and how many items it has, without parsing it.

    The depth is the largest number of open brackets or of dots in one key. Items are keys, brackets, and all dots of a
    key but the first. Parsing costs about 1 kB and 10 µs for each of them, and much more for deep keys. Where the text
    is not valid TOML, the count stops, because the parser stops there too; and it stops at a depth above `deep`.
    """
    deepest = depth = items = dots = at = 0
    while deepest <= deep and (match := STRUCTURE.search(text, at)) is not None:
        kind, at = match.lastgroup, match.end()
        if kind == "long":
            end = LONG_END[match.group()].match(text, at)
            if end is None:
                break
            at = end.end()
        elif kind == "broken":
            break
        elif kind in ("dot", "after"):
            dots += 1
            items += dots > 1
            deepest = max(deepest, dots)
            dots = 0 if match["after"] else dots
        elif kind == "open":
            depth, items, dots = depth + 1, items + 1, 0
            deepest = max(deepest, depth)
        elif kind == "close":
            depth, dots = max(depth - 1, 0), 0
        elif kind in ("item", "end"):
            items, dots = items + (kind == "item"), 0
    return deepest, items


def scan(text: str) -> Layout:
    """Find the positions of all values and tables in a valid TOML text."""
    values: dict[Path, tuple[int, int]] = {}
    tables: list[tuple[Path, int, int]] = []
    counts: dict[Path, int] = {}  # length of each array of tables, by its path without the last index
    here: Path = ()
    start = at = 0
    while True:
        at = _gap(text, at)
        if at >= len(text):
            break
        if text[at] == "[":
            tables.append((here, start, at))
            start, double = at, text.startswith("[[", at)
            keys, at = _keys(text, at + (2 if double else 1))
            at = text.index("]", at) + (2 if double else 1)
            here = _resolved(keys[:-1], counts)
            last: Path = (*here, keys[-1])
            if double:
                counts[last] = counts.get(last, 0) + 1
                here = (*last, counts[last] - 1)
            else:
                here = _resolved(keys, counts)
        else:
            keys, at = _keys(text, at)
            at = _space(text, text.index("=", at) + 1)
            end = _value(text, at)
            values[(*here, *keys)] = (at, end)
            at = end
    tables.append((here, start, len(text)))
    return Layout(values, tables)


def _resolved(keys, counts: dict[Path, int]) -> Path:
    """Return a path in which each key of an array of tables is followed by the index of its last element."""
    path: Path = ()
    for key in keys:
        path = (*path, key)
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def _space(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return match.end() if match else at


def _gap(text: str, at: int) -> int:
    match = GAP.match(text, at)
    return match.end() if match else at


def _keys(text: str, at: int) -> tuple[list[str], int]:
    """Read a dotted key. Return its parts and the position after it."""
    keys: list[str] = []
    while True:
        at = _space(text, at)
        if text[at] in "\"'":
            end = _string(text, at)
            keys.append(_unquoted(text[at:end]))
        else:
            match = BARE.match(text, at)
            end = match.end() if match else at + 1
            keys.append(text[at:end])
        at = _space(text, end)
        if at >= len(text) or text[at] != ".":
            return keys, at
        at += 1


def _unquoted(text: str) -> str:
    import tomllib

    return tomllib.loads(f"x = {text}")["x"]


def _string(text: str, at: int) -> int:
    """Return the position after the string that starts at `at`."""
    quote = text[at] * 3 if text.startswith(text[at] * 3, at) else text[at]
    at += len(quote)
    while not text.startswith(quote, at):
        at += 2 if text[at] == "\\" and quote[0] == '"' else 1
    at += len(quote)
    while len(quote) == 3 and text.startswith(quote[0], at):  # up to two quotes may precede the closing three
        at += 1
    return at


def _value(text: str, at: int) -> int:
    """Return the position after the value that starts at `at`."""
    if text[at] in "\"'":
        return _string(text, at)
    if text[at] not in "[{":
        end = re.compile(r"[^,\]}#\r\n]*").match(text, at)
        return at + len(end.group().rstrip()) if end else at
    close = "]" if text[at] == "[" else "}"
    inside_table = text[at] == "{"
    at = _gap(text, at + 1)
    while text[at] != close:
        if inside_table:
            _, at = _keys(text, at)
            at = _space(text, text.index("=", at) + 1)
        at = _gap(text, _value(text, at))
        if text[at] == ",":
            at = _gap(text, at + 1)
    return at + 1
