"""Events: messages from the server to all browsers, such as {"kind": "project_changed", …}."""

from dataclasses import dataclass
from typing import Any, Literal

from anthropi.studio.messages.base import Event
from anthropi.studio.messages.views import FigureView, MotionView, ProjectView, Running

__all__ = [
    "Autosaved",
    "FigureChanged",
    "FigureLooks",
    "Finished",
    "Live",
    "MotionMade",
    "Problem",
    "Progress",
    "ProjectChanged",
]


@dataclass(frozen=True)
class ProjectChanged(Event):
    """The project has changed."""

    project: ProjectView


@dataclass(frozen=True)
class FigureChanged(Event):
    """A figure has changed."""

    figure: FigureView


@dataclass(frozen=True)
class FigureLooks(Event):
    """The appearance of a figure with its skin. It follows the figure, because the skin takes time to compute."""

    figure: int
    appearance: dict[str, Any]


@dataclass(frozen=True)
class MotionMade(Event):
    """A motion has been computed; its data can be fetched from its address. task : the number of the task that computed
    it, or 0."""

    motion: MotionView
    task: int = 0


@dataclass(frozen=True)
class Progress(Event):
    """The progress of a task."""

    running: Running


@dataclass(frozen=True)
class Finished(Event):
    """A task has ended. If ok is False, an earlier `problem` event gives the reason."""

    task: int
    ok: bool


@dataclass(frozen=True)
class Problem(Event):
    """An error, a warning or a note. link, joint and time [s] say where and when it occurred, if known."""

    message: str
    link: str = ""
    joint: str = ""
    time: float | None = None
    task: int = 0
    level: Literal["error", "warning", "note"] = "error"


@dataclass(frozen=True)
class Live(Event):
    """The state of the live run.

    links, points : numbers of links and contact points of each figure in the binary frames. faster : simulated time
    divided by computing time. fallen : whether the walker has fallen.
    """

    run: int
    state: Literal["building", "running", "paused", "stopped"]
    dynamics: Literal["walk", "direct", "contact"]
    figures: tuple[int, ...]
    links: tuple[int, ...]
    points: tuple[int, ...]
    time: float
    pace: float
    faster: float
    fallen: bool
    speed: float = 0.0
    heading: float = 0.0
    style: str = ""


@dataclass(frozen=True)
class Autosaved(Event):
    """Unsaved work has been written to disk."""

    revision: int
