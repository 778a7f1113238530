"""Files that hold figures: a folder a format, with `read(path)` and `write(figure, path)`, and one entry below."""

import os
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from anthropi.errors import FormatError, FormatWarning, InputError, did_you_mean
from anthropi.figure import Figure
from anthropi.formats.figures.common import InitialState, Note, Reading, listed

__all__ = ["FORMATS", "Format", "InitialState", "Note", "Reading", "format_of", "load", "read", "save", "write"]


@dataclass(frozen=True)
class Format:
    """A format: what it is called, which files are it, and the module that reads and writes it."""

    name: str
    extensions: tuple[str, ...]
    mark: bytes  # what a file of it holds near its beginning
    module: str
    options: tuple[str, ...] = ()  # of its reader
    title: str = ""


FORMATS = (
    Format(
        "toml", (".toml",), b"anthropi figure", "anthropi.formats.figures.toml", (), "native: all of a figure, exactly"
    ),
    Format("urdf", (".urdf",), b"<robot", "anthropi.formats.figures.urdf", ("root",), "URDF, the format of ROS"),
    Format(
        "mjcf",
        (".xml", ".mjcf"),
        b"<mujoco",
        "anthropi.formats.figures.mjcf",
        ("by",),
        "MJCF, MuJoCo's format: a subset",
    ),
)


def format_of(path: str | os.PathLike, name: str | None = None, content: bool = True) -> Format:
    """Which format is a file? By name if one is given, else by its ending, else by what it holds."""
    names = [f.name for f in FORMATS]
    if name is not None:
        if name not in names:
            raise InputError(f"No format '{name}'.{did_you_mean(name, names)} Formats: {', '.join(names)}.")
        return FORMATS[names.index(name)]
    ending = Path(path).suffix.lower()
    by_ending = [f for f in FORMATS if ending in f.extensions]
    if by_ending and (ending != ".xml" or not content):
        return by_ending[0]
    known = ", ".join(e for f in FORMATS for e in f.extensions)
    if content:
        found = _by_content(path)
        if found is not None:
            return found
    raise FormatError(f"{Path(path).name} is in no format known here. Known endings of figures: {known}; in Python "
                      f"format= says which: {', '.join(names)}.")  # fmt: skip


def _by_content(path: str | os.PathLike) -> Format | None:
    from anthropi.formats.files import read_bytes

    head = read_bytes(path)[: 2**16]
    places = [(head.find(f.mark), k) for k, f in enumerate(FORMATS) if f.mark in head]
    return FORMATS[min(places)[1]] if places else None


def read(path: str | os.PathLike, format: str | None = None, **options: Any) -> Reading:
    """What does a file hold: its figure, the state it starts in, and what of it is not part of a figure?

    format : "toml", "urdf" or "mjcf", where ending and content do not tell. options : the reader's own: URDF `root`
    ("weld" or "free"), MJCF `by` ("anthropi" or "mujoco").
    """
    kind = format_of(path, format)
    for name in options:
        if name not in kind.options:
            choices = ", ".join(kind.options) or "none"
            raise InputError(f"The {kind.name} reader has no option '{name}'. Its options: {choices}.")
    return import_module(kind.module).read(path, **options)


def write(
    figure: Figure, path: str | os.PathLike, state: InitialState | None = None, format: str | None = None
) -> tuple[Note, ...]:
    """Write a figure, and the state it starts in, in the format of the file's ending; return what was left out."""
    return import_module(format_of(path, format, content=False).module).write(figure, path, state=state)


def load(path: str | os.PathLike, format: str | None = None, **options: Any) -> Figure:
    """The figure in a file; a `FormatWarning` says what the file holds about motion that a figure does not."""
    found = read(path, format, **options)
    _warn(found.notes, f"{Path(path).name} holds more than a figure: ")
    return found.figure


def save(figure: Figure, path: str | os.PathLike, state: InitialState | None = None, format: str | None = None) -> None:
    """Write a figure to a file; a `FormatWarning` says what of it the format does not hold."""
    _warn(write(figure, path, state, format), f"{Path(path).name} holds less than the figure: ")


def _warn(notes: tuple[Note, ...], words: str) -> None:
    kept = [n for n in notes if n.matters]
    if kept:
        warnings.warn(words + listed(kept), FormatWarning, stacklevel=3)
