"""What the server tells every browser by itself: {"kind": "project", …}."""

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
    """The project is now this."""

    project: ProjectView


@dataclass(frozen=True)
class FigureChanged(Event):
    """A figure is now this."""

    figure: FigureView


@dataclass(frozen=True)
class FigureLooks(Event):
    """How a figure looks, with its skin, which takes a moment to make."""

    figure: int
    appearance: dict[str, Any]


@dataclass(frozen=True)
class MotionMade(Event):
    """A motion is there; its buffer is at its address. task : which made it, 0 if none. The project follows."""

    motion: MotionView
    task: int = 0


@dataclass(frozen=True)
class Progress(Event):
    """How far a task is."""

    running: Running


@dataclass(frozen=True)
class Finished(Event):
    """A task ended. ok False: a `problem` has said why."""

    task: int
    ok: bool


@dataclass(frozen=True)
class Problem(Event):
    """Something failed. link, joint : where, time : when [s], if known. level : whether somebody has to act."""

    message: str
    link: str = ""
    joint: str = ""
    time: float | None = None
    task: int = 0
    level: Literal["error", "warning", "note"] = "error"


@dataclass(frozen=True)
class Live(Event):
    """The state of the live run. links, points : of each of its figures, as binary frames have them. faster : how many
    times real time it could go."""

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
    """Unsaved work is safe on disk."""

    revision: int
