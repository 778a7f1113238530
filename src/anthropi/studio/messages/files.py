"""Commands for files (open, save, export, samples), for undo, and for the list of motions."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from anthropi.studio.messages.base import Command
from anthropi.studio.messages.views import Choice, FigureView, JointChoice, Number, ProjectView

__all__ = [
    "Check",
    "Checked",
    "Download",
    "Entry",
    "Export",
    "GetFigure",
    "GetHelp",
    "GetProject",
    "ListFiles",
    "Listing",
    "NewProject",
    "OpenExample",
    "OpenFile",
    "OpenSample",
    "OpenUpload",
    "Opened",
    "Recover",
    "Redo",
    "RemoveMotion",
    "SaveFigure",
    "SaveProject",
    "Saved",
    "SetPreference",
    "ShowMotion",
    "Undo",
    "Welcome",
]


@dataclass(frozen=True)
class Welcome:
    """All choices that the page offers. opens : file extensions that the studio opens. gains : gains of a live walk,
    for sliders. recovered : description of unsaved work of an earlier session, or ""."""

    version: str
    samples: tuple[Choice, ...]
    examples: tuple[Choice, ...]
    exports: tuple[Choice, ...]
    opens: tuple[str, ...]
    joints: tuple[JointChoice, ...]
    orders: tuple[str, ...]
    styles: tuple[Choice, ...]
    determinants: dict[str, Any]
    terrains: tuple[Choice, ...]
    contacts: tuple[Choice, ...]
    gains: tuple[Number, ...]
    recovered: str


@dataclass(frozen=True)
class Opened:
    """The numbers of the new figures and motions. notes : contents of the file that could not be used."""

    figures: tuple[int, ...]
    motions: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A file or folder of the workspace."""

    name: str
    folder: bool
    size: int


@dataclass(frozen=True)
class Listing:
    """The contents of a folder. folder : its path, relative to the workspace."""

    folder: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Saved:
    """A saved file. path : relative to the workspace."""

    path: str


@dataclass(frozen=True)
class Download:
    """A file to download from the server."""

    address: str
    name: str
    size: int


@dataclass(frozen=True)
class Checked:
    """The result of a check: whether an edit would succeed, and the error message if not."""

    ok: bool
    message: str = ""
    link: str = ""
    joint: str = ""


@dataclass(frozen=True)
class GetHelp(Command):
    """Get all choices that the page offers."""

    answers: ClassVar[Any] = Welcome


@dataclass(frozen=True)
class SetPreference(Command):
    """Keep a preference of the page, such as its theme, for this and later studios of the user."""

    name: str
    value: str


@dataclass(frozen=True)
class GetProject(Command):
    """Get the project."""

    answers: ClassVar[Any] = ProjectView


@dataclass(frozen=True)
class GetFigure(Command):
    """Get a figure."""

    answers: ClassVar[Any] = FigureView
    figure: int


@dataclass(frozen=True)
class NewProject(Command):
    """Open an empty project, or, if walking is True, a project with a walking human."""

    edits: ClassVar[bool] = True
    walking: bool = False


@dataclass(frozen=True)
class ListFiles(Command):
    """List a folder of the workspace."""

    answers: ClassVar[Any] = Listing
    folder: str = ""


@dataclass(frozen=True)
class OpenFile(Command):
    """Open a figure, script, motion or project from the workspace. add : add it to the open project instead of
    replacing the project."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    path: str
    add: bool = False


@dataclass(frozen=True)
class OpenUpload(Command):
    """Open a file that was uploaded to /upload."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    upload: str
    name: str
    add: bool = False


@dataclass(frozen=True)
class OpenSample(Command):
    """Open a sample figure. options : its options, such as height, mass, sex and detail of "human"."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    add: bool = False


@dataclass(frozen=True)
class OpenExample(Command):
    """Open an example from the gallery."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    name: str


@dataclass(frozen=True)
class SaveProject(Command):
    """Save the project. path : "" for its present file. replace : whether another existing file, or
    one that has changed on disk, may be replaced."""

    answers: ClassVar[Any] = Saved
    path: str = ""
    replace: bool = False


@dataclass(frozen=True)
class SaveFigure(Command):
    """Save a figure in the format of the path's extension (figure.toml, .urdf, .xml …). replace : whether an existing
    file may be replaced that was not opened or saved here, or has changed since."""

    answers: ClassVar[Any] = Saved
    figure: int
    path: str
    replace: bool = False


@dataclass(frozen=True)
class Export(Command):
    """Write a file for download. format : one of `Welcome.exports`. motion, figure : the number of the motion or figure
    to export; None: the shown motion or the first figure."""

    answers: ClassVar[Any] = Download
    format: str
    motion: int | None = None
    figure: int | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recover(Command):
    """Open the unsaved work of an earlier session, or discard it if take is False."""

    answers: ClassVar[Any] = Opened
    take: bool = True


@dataclass(frozen=True)
class Undo(Command):
    """Undo the last edit."""


@dataclass(frozen=True)
class Redo(Command):
    """Redo the last undone edit."""


@dataclass(frozen=True)
class Check(Command):
    """Check whether an edit would succeed, without changing the project. command : the edit as plain data, with its
    kind."""

    answers: ClassVar[Any] = Checked
    command: dict[str, Any]


@dataclass(frozen=True)
class ShowMotion(Command):
    """Choose the motion that all browsers show. None shows the figures in their initial state."""

    motion: int | None


@dataclass(frozen=True)
class RemoveMotion(Command):
    """Remove a motion."""

    edits: ClassVar[bool] = True
    motion: int
