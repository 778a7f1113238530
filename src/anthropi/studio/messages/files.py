"""Commands on files: open, save, export, samples; and undo."""

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
    "ShowMotion",
    "Undo",
    "Welcome",
]  # fmt: skip


@dataclass(frozen=True)
class Welcome:
    """What there is to choose from. gains : of a live walk, for sliders. recovered : words about work that was never
    saved, "" if there is none."""

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
    """What came of opening: new figures and motions by number. notes : what the file holds and a figure does not."""

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
    """A folder of the workspace, named from it."""

    folder: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Saved:
    """Where something was written, named from the workspace."""

    path: str


@dataclass(frozen=True)
class Download:
    """A file to fetch from the server."""

    address: str
    name: str
    size: int


@dataclass(frozen=True)
class Checked:
    """Whether a command would be done; if not, why."""

    ok: bool
    message: str = ""
    link: str = ""
    joint: str = ""


@dataclass(frozen=True)
class GetHelp(Command):
    """What is there to choose from?"""

    answers: ClassVar[Any] = Welcome


@dataclass(frozen=True)
class GetProject(Command):
    """What is open?"""

    answers: ClassVar[Any] = ProjectView


@dataclass(frozen=True)
class GetFigure(Command):
    """One figure, with all it says."""

    answers: ClassVar[Any] = FigureView
    figure: int


@dataclass(frozen=True)
class NewProject(Command):
    """Nothing open. walking : begin with a walking human instead."""

    edits: ClassVar[bool] = True
    walking: bool = False


@dataclass(frozen=True)
class ListFiles(Command):
    """Files of a folder of the workspace."""

    answers: ClassVar[Any] = Listing
    folder: str = ""


@dataclass(frozen=True)
class OpenFile(Command):
    """Open a figure, scene, script, motion or project of the workspace. add : beside what is open, else instead."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    path: str
    add: bool = False


@dataclass(frozen=True)
class OpenUpload(Command):
    """Open what the browser sent to /upload."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    upload: str
    name: str
    add: bool = False


@dataclass(frozen=True)
class OpenSample(Command):
    """Open a sample figure. options : of it, as height, mass, sex, detail of "human" or links of "chain"."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    add: bool = False


@dataclass(frozen=True)
class OpenExample(Command):
    """Open an example of the gallery."""

    answers: ClassVar[Any] = Opened
    edits: ClassVar[bool] = True
    name: str


@dataclass(frozen=True)
class SaveProject(Command):
    """Write the project; path "" : where it was."""

    answers: ClassVar[Any] = Saved
    path: str = ""
    replace: bool = True


@dataclass(frozen=True)
class SaveFigure(Command):
    """Write a figure by the ending of the path (figure.toml, .urdf, .xml …)."""

    answers: ClassVar[Any] = Saved
    figure: int
    path: str


@dataclass(frozen=True)
class Export(Command):
    """Make a file to fetch. format : one of `Welcome.exports`; motion None: of what needs only a figure."""

    answers: ClassVar[Any] = Download
    format: str
    motion: int | None = None
    figure: int | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recover(Command):
    """Take back work that was never saved, or throw it away."""

    answers: ClassVar[Any] = Opened
    take: bool = True


@dataclass(frozen=True)
class Undo(Command):
    """Undo the last edit."""


@dataclass(frozen=True)
class Redo(Command):
    """Do it again."""


@dataclass(frozen=True)
class Check(Command):
    """Would this command be done? Nothing changes. command : with its kind."""

    answers: ClassVar[Any] = Checked
    command: dict[str, Any]


@dataclass(frozen=True)
class ShowMotion(Command):
    """Which motion all browsers show; None: the figures as they start."""

    motion: int | None


@dataclass(frozen=True)
class RemoveMotion(Command):
    """Throw a motion away."""

    edits: ClassVar[bool] = True
    motion: int
