"""MJCF's default classes: a tree of named classes, each with attributes an element inherits.

A class starts as a copy of its parent; an element takes the class it names, else the nearest `childclass`, else "main".
"""

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.mjcf.known import DEFAULTS, NUMBERS, check_attributes, refuse_element
from anthropi.formats.reading import Notes
from anthropi.formats.xml import Node

__all__ = ["Defaults", "defaults_of"]

Classes = dict[str, dict[str, dict[str, str]]]  # class: tag: attributes


class Defaults:
    """The classes of a file."""

    def __init__(self, classes: Classes):
        self.classes = classes

    def full(self, node: Node, childclass: str) -> Node:
        """The element with what it inherits filled in."""
        name = node.get("class") or childclass or "main"
        if name not in self.classes:
            raise FormatError(f"{node.where} is of class '{name[:80]}', which no <default> defines."
                              f"{did_you_mean(name, self.classes)} Classes: {', '.join(self.classes)}.")  # fmt: skip
        inherited = self.classes[name].get(node.tag, {})
        return Node(node.tag, _merged(inherited, node.attributes), node.file, node.line, node.children)

    def check_class(self, node: Node, name: str) -> str:
        """A childclass that exists."""
        if name and name not in self.classes:
            raise FormatError(f"{node.where} has childclass '{name[:80]}', which no <default> defines."
                              f"{did_you_mean(name, self.classes)} Classes: {', '.join(self.classes)}.")  # fmt: skip
        return name


def _merged(inherited: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Own attributes over inherited ones. A short `size` replaces only the first numbers of an inherited longer one."""
    merged = {**inherited, **own}
    if "size" in own and "size" in inherited:
        words, rest = own["size"].split(), inherited["size"].split()
        merged["size"] = " ".join(words + rest[len(words) :])
    return merged


def defaults_of(root: Node) -> Defaults:
    """Read every <default> section."""
    classes: Classes = {"main": {}}
    for section in root.all("default"):
        name = section.get("class") or "main"
        if name != "main":
            raise FormatError(f"{section.where} at the top is of class '{name[:80]}'. Put it inside a <default> "
                              "without a class.")  # fmt: skip
        _section(section, "main", classes)
    return Defaults(classes)


def _section(section: Node, name: str, classes: Classes) -> None:
    nested = []
    for child in section.children:
        if child.tag not in DEFAULTS:
            refuse_element(child, "default", DEFAULTS)
        if child.tag == "default":
            nested.append(child)
        else:
            if child.tag in ("joint", "geom", "site"):
                check_attributes(child, Notes())
                for attribute in set(NUMBERS) & set(child.attributes):
                    child.numbers(attribute)  # also where no element of the class will read it
            classes[name][child.tag] = _merged(classes[name].get(child.tag, {}), child.attributes)
    for child in nested:
        own = child.need("class")
        if own in classes:
            raise FormatError(f"{child.where}: two <default> sections are of class '{own[:80]}'. Rename one.")
        classes[own] = {tag: dict(attributes) for tag, attributes in classes[name].items()}
        _section(child, own, classes)
