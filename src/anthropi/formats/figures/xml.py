"""Read and write XML safely: no document types or entities, and limits on size, depth and number of elements."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import numpy as np

from anthropi.errors import FileError, FormatError, did_you_mean
from anthropi.formats import limits
from anthropi.formats.decoding import number_in
from anthropi.formats.files import read_bytes

__all__ = ["Node", "Writer", "number_text", "parse_xml", "read_xml"]

LONG_TAG = re.compile(rb"<[^<]{10000,}")
MAX_WORDS = 10_000  # numbers in an attribute whose count is not fixed
SPECIAL = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


@dataclass
class Node:
    """An XML element: its tag, attributes and children, and its file and line number.

    text : its text if that was kept. folder : folder of the included file that contains it; None for an element of the
    model file itself.
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list["Node"] = field(default_factory=list)
    text: str = ""
    folder: Path | None = None

    @property
    def where(self) -> str:
        """The file, line number and element, as text for error messages."""
        name = self.attributes.get("name", "")
        return f"{self.file}:{self.line}: <{self.tag}{f' name={name[:80]!r}' if name else ''}>"

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the text of an attribute; `default` if it is missing."""
        return self.attributes.get(name, default)

    def need(self, name: str) -> str:
        """Return the text of an attribute. Raise `FormatError` if it is missing or empty."""
        value = self.attributes.get(name, "")
        if not value:
            raise FormatError(f"{self.where} lacks the attribute '{name}'. Add it.")
        return value

    def all(self, tag: str) -> list["Node"]:
        """Return the child elements with a tag."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> "Node | None":
        """Return the only child element with a tag, or None. Raise `FormatError` if there are several."""
        found = self.all(tag)
        if len(found) > 1:
            raise FormatError(f"{found[1].where}: {self.where} has more than one <{tag}>. Keep one.")
        return found[0] if found else None

    def numbers(self, name: str, count: int | tuple[int, ...] | None = None, default: Any = None) -> np.ndarray:
        """Return the numbers in an attribute, which must be finite.

        count : the number of values, or several allowed numbers; None for any. default : value if the attribute is
        missing; if None, a missing attribute raises `FormatError`.
        """
        if name not in self.attributes:
            if default is None:
                self.need(name)
            return np.array(default, float).reshape(-1)
        counts = (count,) if isinstance(count, int) else count
        words = self.attributes[name].split(None, max(counts) if counts else MAX_WORDS)
        if not words or len(words) > MAX_WORDS or (counts is not None and len(words) not in counts):
            wanted = " or ".join(map(str, counts)) if counts else f"1 to {MAX_WORDS}"
            more = "more than " if words and len(words) > max(counts or (MAX_WORDS,)) else ""
            raise FormatError(
                f'{self.where}: {name}="{_short(self.attributes[name])}" has {more}{len(words) - bool(more)} numbers. '
                f"Give {wanted}."
            )
        return np.array([self._number(name, word) for word in words])

    def number(self, name: str, default: float | None = None) -> float:
        """Return the value of an attribute that is one finite number."""
        return float(self.numbers(name, 1, default)[0])

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """Return the value of an attribute. Raise `FormatError` if it is not one of `choices`."""
        value = self.attributes.get(name, default)
        if value not in choices:
            raise FormatError(
                f'{self.where}: {name}="{_short(value)}".{did_you_mean(value, choices)} Choose {", ".join(choices)}.'
            )
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Return the value of an attribute that must be "true" or "false"."""
        return self.choice(name, ("true", "false"), "true" if default else "false") == "true"

    def _number(self, name: str, word: str) -> float:
        value = number_in(word)
        if value is not None and np.isfinite(value):
            return value
        what = "not a finite number" if value is not None or SPECIAL.fullmatch(word) else "not a number"
        raise FormatError(f"{self.where}: '{_short(word)}' in {name} is {what}. Give finite decimal numbers.")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


class _Builder:
    """Target object of the XML parser. It builds the nodes and enforces the limits."""

    def __init__(self, file: str, limit: int, keep_text: bool):
        self.file, self.limit, self.count = file, limit, 0
        self.words: list[str] | None = [] if keep_text else None
        self.limits = limits.current()
        self.parser = None
        self.stack: list[Node] = []
        self.root: Node | None = None

    def start(self, tag, attributes):
        line = self.parser.CurrentLineNumber if self.parser is not None else 0
        self.count += 1
        place, most = f"{self.file}:{line}", self.limits
        if len(self.stack) >= most.xml_depth:
            raise limits.exceeded(place, "xml_depth", f"elements are nested more than {most.xml_depth} levels deep")
        if self.count > self.limit:
            raise limits.exceeded(place, "xml_elements", f"more than {most.xml_elements} elements")
        if len(attributes) > most.xml_attributes:
            words = f"<{_short(tag)}> has more than {most.xml_attributes} attributes"
            raise limits.exceeded(place, "xml_attributes", words)
        node = Node(tag, dict(attributes), self.file, line)
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node
        self.stack.append(node)
        if self.words is not None:
            self.words.clear()

    def end(self, tag):
        node = self.stack.pop()
        if self.words is not None:
            node.text = "" if node.children else "".join(self.words).strip()
            self.words.clear()

    def data(self, text):
        """Keep the text of an element without children if it is wanted; it has no meaning in URDF and MJCF."""
        if self.words is not None:
            self.words.append(text)

    def close(self):
        return self.root


def read_xml(path: str | os.PathLike[str], limit: int | None = None, keep_text: bool = False) -> Node:
    """Read an XML file of at most `limit` elements, by default the limit `xml_elements`; return its root element.

    keep_text : whether the text of elements without children is kept.
    """
    return parse_xml(read_bytes(path, "figure_bytes"), Path(path).name, limit, keep_text)


def parse_xml(data: bytes, name: str, limit: int | None = None, keep_text: bool = False) -> Node:
    """Parse XML bytes of at most `limit` elements and return the root element. `name` is the file name in errors."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    for tag in LONG_TAG.finditer(data):  # the parser would collect millions of attributes before reporting the element
        most = limits.current().xml_attributes
        if tag.group().count(b'="') + tag.group().count(b"='") > 5 * most:
            raise limits.exceeded(name, "xml_attributes", f"an element has more than {most} attributes")

    data = LATE_DECLARATION.sub(lambda m: re.sub(rb"[^\r\n]", b" ", m.group()), data, count=1)

    def parsed(data: bytes) -> Node | None:
        builder = _Builder(name, limits.current().xml_elements if limit is None else limit, keep_text)
        parser = DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
        builder.parser = parser.parser
        parser.feed(data)
        return parser.close()

    try:
        try:
            root = parsed(data)
        except ParseError as error:
            if error.code != UNBOUND_PREFIX:
                raise
            root = parsed(_with_prefixes(data))
    except DefusedXmlException:
        raise FormatError(
            f"{name} declares a document type or entities. Delete the <!DOCTYPE …> part "
            "and replace the entities by their text."
        ) from None
    except ParseError as error:
        raise FormatError(f"{name} is not a complete XML file: {error}. Correct the file at this place.") from None
    except (LookupError, UnicodeError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FormatError(f"{name} is in an encoding that cannot be read ({error}). Save it as UTF-8.") from None
    if root is None:
        raise FormatError(f"{name} does not contain any element. Give a URDF, MJCF or OpenSim file.")
    return root


LATE_DECLARATION = re.compile(  # the declaration of a UTF-8 file after blank lines, where XML does not allow it
    rb"\A\s+<\?xml(?![^>]*encoding=(?![\"'](?i:utf-8)[\"']))[^>]{0,200}\?>"
)
UNBOUND_PREFIX = 27  # error code of the parser
PREFIX = re.compile(rb"[<\s]/?([A-Za-z_][\w.-]{0,40}):[A-Za-z_]")
ROOT = re.compile(rb"<([A-Za-z_][\w.-]*)(?=[\s/>])")
MAX_PREFIXES = 20


def _with_prefixes(data: bytes) -> bytes:
    """Declare the prefixes of a file (drake:joint) in its root element, for files that use them without a declaration.

    The lines of the file keep their numbers.
    """
    declared = set(re.findall(rb"xmlns:([\w.-]+)", data)) | {b"xml", b"xmlns"}
    found = list(dict.fromkeys(m.group(1) for m in PREFIX.finditer(data) if m.group(1) not in declared))
    words = b"".join(b' xmlns:%b="%b"' % (x, x) for x in found[:MAX_PREFIXES])
    return ROOT.sub(lambda m: m.group() + words, data, count=1)


# writing


def number_text(*values: Any) -> str:
    """Return numbers as text that is read back bit for bit."""
    return " ".join(repr(v)[:-2] if repr(v).endswith(".0") else repr(v) for v in map(float, values))


class Writer:
    """Builder of an XML document as indented text."""

    def __init__(self, first: str = "") -> None:
        self.lines = ['<?xml version="1.0" encoding="utf-8"?>', *([first] if first else [])]
        self.depth = 0

    def leaf(self, tag: str, **attributes: Any) -> None:
        """Write an element without children. Attributes that are None or empty text are left out."""
        self.lines.append(f"{'  ' * self.depth}<{tag}{_attributes(attributes)}/>")

    def open(self, tag: str, **attributes: Any) -> None:
        """Write the start tag of an element."""
        most = limits.current().xml_depth
        if self.depth >= most:
            raise FormatError(
                f"Elements would be nested more than {most} levels deep, which cannot be read back. "
                "Save the figure as TOML or URDF, which do not nest links."
            )
        self.lines.append(f"{'  ' * self.depth}<{tag}{_attributes(attributes)}>")
        self.depth += 1

    def close(self, tag: str) -> None:
        """Write the end tag of an element."""
        self.depth -= 1
        self.lines.append(f"{'  ' * self.depth}</{tag}>")

    def text(self) -> str:
        """Return the text of the document."""
        return "\n".join(self.lines) + "\n"


ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _attributes(attributes) -> str:
    words = []
    for name, value in attributes.items():
        if value is None or (isinstance(value, str) and not value):
            continue
        text = value if isinstance(value, str) else number_text(*np.asarray(value, float).ravel())
        if FORBIDDEN.search(text):
            raise FormatError(f"The name {value!r} contains a character that XML does not allow. Rename it.")
        for character, entity in ESCAPES.items():
            text = text.replace(character, entity)
        words.append(f' {name}="{text}"')
    return "".join(words)
