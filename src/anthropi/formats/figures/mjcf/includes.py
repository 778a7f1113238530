"""Find the files of an MJCF model, and replace each <include> by the content of its file.

A reference is relative to the folder of the model, or, if there is no such file, to the folder of the included file
that contains it, as in MuJoCo. Files outside the folder of the model are read only from folders that the user names.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from anthropi.errors import FormatError
from anthropi.formats import limits
from anthropi.formats.figures.common import Notes
from anthropi.formats.figures.mjcf.elements import check_attributes
from anthropi.formats.figures.xml import Node, read_xml
from anthropi.formats.files import confined

__all__ = ["Files", "read_model"]

MAX_INCLUDES = 100  # files of one model that it includes or attaches


@dataclass(frozen=True)
class Files:
    """The folders from which the files of a model may be read.

    top : folder of the main model file. folder : folder of the model file that refers to others; of an attached model,
    its own. others : further folders that the user allows. origins : folder of the included file from which an element
    comes, by the `id` of the element; elements of the model file itself are not in it.
    """

    top: Path
    folder: Path
    others: tuple[Path, ...] = ()

    @staticmethod
    def of(path: Path, others: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> "Files":
        """Return the folders of a model file: its own, and those that the user allows."""
        listed = [others] if isinstance(others, (str, os.PathLike)) else list(others)
        return Files(path.parent, path.parent, tuple(Path(other) for other in listed))

    def of_attached(self, path: Path) -> "Files":
        """Return the folders of an attached model, in the same allowed folders."""
        return Files(self.top, path.parent, self.others)

    def find(self, reference: str, node: Node, start: str = "", strip: bool = False) -> Path:
        """Return the path of a file. It may not exist, but is in an allowed folder; otherwise `FormatError`.

        start : folder of such files, such as `meshdir`. strip : whether to use only the last part of the reference.
        """
        name = PurePosixPath(reference.replace("\\", "/")).name if strip else reference
        try:
            found = self.within(self.folder, f"{start}/{name}" if start and not _absolute(name) else name, node)
            if found.exists() or node.folder is None:
                return found
        except FormatError:
            if node.folder is None:
                raise
            return self.within(node.folder, name, node)
        near = self.within(node.folder, name, node)
        return near if near.exists() else found

    def within(self, folder: Path, reference: str, node: Node) -> Path:
        """Return the path of a reference relative to a folder. `FormatError` if it is not in an allowed folder."""
        allowed = (*self.others, self.top) if folder != self.top else self.others
        return confined(folder, reference, node.where, allowed)

    def place(self, path: Path) -> tuple[str, str]:
        """Return (file, folder) of a path: relative to the model's folder if it is in it, or else to an allowed one."""
        real = path.resolve()
        for root in (self.top.resolve(), *(other.resolve() for other in self.others)):
            for here in (path, real):
                if here.is_relative_to(root):
                    return here.relative_to(root).as_posix(), str(root)
        return path.name, str(path.parent)


def _absolute(name: str) -> bool:
    return PurePosixPath(name.replace("\\", "/")).is_absolute()


def read_model(path: Path, files: Files, notes: Notes) -> Node:
    """Read a model file with all files that it includes, and return its root element."""
    root = read_xml(path)
    if root.tag != "mujoco":
        raise FormatError(f"{path.name} begins with <{root.tag[:80]}>, not <mujoco>. It is not an MJCF file.")
    return _with_includes(root, path, files, notes)


def _with_includes(root: Node, path: Path, files: Files, notes: Notes) -> Node:
    """Replace each <include> by the content of the file it refers to."""
    seen = {path.resolve()}
    spent, most = 0, limits.current()

    def expand(node: Node, level: int, inside: bool, origin: Path | None) -> list[Node]:
        nonlocal spent
        spent += 1
        if level > most.xml_depth:
            words = f"elements are nested more than {most.xml_depth} levels deep, counting includes"
            raise limits.exceeded(node.where, "xml_depth", words)
        node.folder = origin
        if node.tag != "include":
            node.children = [x for child in node.children for x in expand(child, level + 1, True, origin)]
            return [node]
        check_attributes(node, notes)
        reference = node.need("file")
        target = files.find(reference, node)
        if not os.path.exists(target):
            return _missing(node, reference, inside, notes)
        real = target.resolve()
        if real in seen or len(seen) > MAX_INCLUDES:
            raise FormatError(f"{node.where}: '{reference}' is included twice, or includes itself. Include it once.")
        seen.add(real)
        inner = read_xml(target, max(most.xml_elements - spent, 1))
        return [x for child in inner.children for x in expand(child, level + 1, True, target.parent)]

    root.children = [x for child in root.children for x in expand(child, 1, child.tag != "include", None)]
    return root


def _missing(node: Node, reference: str, inside: bool, notes: Notes) -> list[Node]:
    """Handle a missing include: add a note at the top level of a file, raise `FormatError` inside another element."""
    if inside:
        raise FormatError(f"{node.where}: no file '{reference}' in the model's folder. Copy it there.")
    notes.add(f"{node.file}: <include>", f"no file '{reference}' in the model's folder; its content is missing")
    return []
