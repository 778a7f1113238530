"""What is needed to read the elements of an MJCF model: its settings, classes, assets and names.

A figure is read from one model and the models that are attached to it, each with its own `Context`. Names of attached
elements get a prefix, names of replicated ones a suffix.
"""

from dataclasses import dataclass, field
from pathlib import Path

from anthropi.formats import limits
from anthropi.formats.figures.common import Notes
from anthropi.formats.figures.mjcf.assets import Assets
from anthropi.formats.figures.mjcf.elements import (
    SECTIONS,
    Defaults,
    Settings,
    defaults_of,
    refuse_element,
    settings_of,
)
from anthropi.formats.figures.mjcf.includes import Files
from anthropi.formats.figures.xml import Node

__all__ = ["Context", "Shared", "context_of", "note_sections"]


@dataclass
class Shared:
    """What all models of a figure share.

    spent : elements that have been read, counting each copy. models : attached models by their files. attached : their
    contexts, one for each <attach>. names : of all elements, without suffixes. suffixes : those of the copies of a
    replicated element, by its name.
    """

    spent: int = 0
    models: dict[Path, "Context"] = field(default_factory=dict)
    attached: list["Context"] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    suffixes: dict[str, dict[str, None]] = field(default_factory=dict)

    def count(self, node: Node) -> None:
        """Count an element, or a copy of it. Raise `FormatError` if there are too many."""
        self.spent += 1
        limits.check(node.where, "xml_elements", self.spent, "elements, counting copies by <replicate> and <attach>")


@dataclass(frozen=True)
class Context:
    """A model that is being read.

    root : the root element of its file. settings, defaults, assets, notes : of the file. shared : see `Shared`. prefix,
    suffix : added to the names of its elements. chain : the attached elements that contain the present one.
    """

    root: Node
    settings: Settings
    defaults: Defaults
    assets: Assets
    notes: Notes
    shared: Shared = field(default_factory=Shared)
    prefix: str = ""
    suffix: str = ""
    chain: tuple[int, ...] = ()

    def named(self, name: str | None) -> str:
        """Return the full name of an element; "" for an element without a name. The name of a copy is remembered."""
        if not name:
            return ""
        self.shared.names.add(self.prefix + name)
        if self.suffix:
            self.shared.suffixes.setdefault(self.prefix + name, {})[self.suffix] = None
        return f"{self.prefix}{name}{self.suffix}"

    def attaches(self, name: str) -> bool:
        """Check whether a reference in an attached model is to the world or to an element that was attached."""
        return name == "world" or self.prefix + name in self.shared.names

    def copies(self, name: str) -> list[str]:
        """Return the suffixes of the copies to which a reference in the model refers; [] if it is not replicated."""
        known = self.shared.suffixes.get(self.prefix + name, {})
        return [] if self.suffix in known else [suffix for suffix in known if suffix.endswith(self.suffix)]

    def reference(self, name: str) -> str:
        """Return the full name of the element to which a reference refers."""
        known = self.shared.suffixes.get(self.prefix + name, {})
        return f"{self.prefix}{name}{self.suffix if self.suffix in known else ''}"


def context_of(root: Node, files: Files, notes: Notes, shared: Shared | None = None) -> Context:
    """Return the context of a model file."""
    settings, defaults = settings_of(root, notes), defaults_of(root)
    assets = Assets(root, settings, defaults, files, notes)
    return Context(root, settings, defaults, assets, notes, shared or Shared())


def note_sections(root: Node, file: str, notes: Notes) -> None:
    """Add a note for each section of a model that is not part of a figure; raise `FormatError` for unknown ones."""
    for section in root.children:
        if section.tag not in SECTIONS:
            refuse_element(section, "mujoco", SECTIONS)
        matters = SECTIONS[section.tag]
        if matters is not None and (section.children or section.attributes):
            notes.add(file, f"<{section.tag}> is not part of a figure ({len(section.children)} elements)", matters)
