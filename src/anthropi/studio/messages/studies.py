"""Commands for studies: list, open, run and stop them. Their columns are fetched from /study/NUMBER as binary data."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command

__all__ = [
    "GetStudyPoint",
    "ListStudies",
    "OpenStudy",
    "StartStudy",
    "StopStudy",
    "StudyChoice",
    "StudyColumn",
    "StudyData",
    "StudyExtreme",
    "StudyFailure",
    "StudyList",
    "StudyOpened",
    "StudyPoint",
]


@dataclass(frozen=True)
class StudyChoice:
    """A study of the workspace. path : its study file, or its folder if it has none. folder : of its results."""

    path: str
    folder: str
    begun: bool
    running: bool


@dataclass(frozen=True)
class StudyList:
    """The studies of the workspace. more : whether there are more than were looked for."""

    studies: tuple[StudyChoice, ...]
    more: bool


@dataclass(frozen=True)
class StudyOpened:
    """An open study. file : its study file, or "" if only its folder is known; it cannot be run then."""

    study: int
    file: str
    folder: str


@dataclass(frozen=True)
class StudyExtreme:
    """The smallest or largest value of a column, and its point."""

    point: int
    value: float


@dataclass(frozen=True)
class StudyColumn:
    """A column of a study.

    words : the words that the numbers of the column stand for; None for a column of numbers. bounded : whether the
    least and the largest value of each group of `stride` points follow the values. least, most : over all points that
    are done.
    """

    name: str
    role: Literal["point", "result", "status"]
    words: tuple[str, ...] | None = None
    bounded: bool = False
    least: StudyExtreme | None = None
    most: StudyExtreme | None = None


@dataclass(frozen=True)
class StudyFailure:
    """A point that failed, with the kind of failure, its message and the worker."""

    point: int
    failure: str
    message: str
    worker: str


@dataclass(frozen=True)
class StudyData:
    """The header of the binary data of a study.

    revision : changes with the columns. begun : whether the study has a journal. running : whether a process runs it
    now; own : whether this studio started that process. done, total, failed : numbers of points; in a search, the total
    is the number of points proposed so far. rate : points per second. left : remaining time [s]. search : whether later
    points depend on earlier results. minimise : the result that a search minimises. stride : 2 if every second point is
    sent, and so on. count : number of points that are sent. columns : None if the browser has this revision. failures :
    the first failures. message : how the last run that this studio started ended.
    """

    study: int
    revision: int
    file: str
    folder: str
    function: str
    begun: bool
    running: bool
    own: bool
    done: int
    total: int
    failed: int
    rate: float
    left: float | None
    workers: int
    search: bool
    minimise: str
    stride: int
    count: int
    columns: tuple[StudyColumn, ...] | None
    failures: tuple[StudyFailure, ...]
    faults: tuple[str, ...]
    message: str


@dataclass(frozen=True)
class StudyPoint:
    """A point of a study: its values, its results, its status, and why it failed."""

    point: int
    status: str
    values: dict[str, Any]
    results: dict[str, Any]
    message: str
    worker: str


@dataclass(frozen=True)
class ListStudies(Command):
    """List the study files and the folders of studies in the workspace."""

    answers: ClassVar[Any] = StudyList


@dataclass(frozen=True)
class OpenStudy(Command):
    """Open a study file (.toml) or the folder of a study, in the workspace. No code of the study is run."""

    answers: ClassVar[Any] = StudyOpened
    path: str


@dataclass(frozen=True)
class GetStudyPoint(Command):
    """Get a point of an open study."""

    answers: ClassVar[Any] = StudyPoint
    study: int
    point: int


@dataclass(frozen=True)
class StartStudy(Command):
    """Run an open study, which runs the code that its study file names. workers : number of processes; None: one for
    each CPU. retry : whether points that failed earlier are computed again."""

    study: int
    workers: int | None = None
    retry: bool = False


@dataclass(frozen=True)
class StopStudy(Command):
    """Stop a study that this studio runs, as Ctrl-C does. Points that are done are kept."""

    study: int
