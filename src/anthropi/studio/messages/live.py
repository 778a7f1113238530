"""Commands for live runs, and for posing a figure with the pointer when no live run is in progress.

Live frames are little-endian binary messages: u32 sequence, u32 run, f4 time, f4 pace. Then follow, for each figure of
the run, the poses of its links (x y z, w x y z) and the point and force of each contact (x y z, x y z), all f4. `live`
events contain the numbers of links and contact points.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command, Vector
from anthropi.studio.messages.views import Ground, Number

__all__ = [
    "DragLink",
    "FrameSeen",
    "Impulse",
    "LivePace",
    "LivePause",
    "LiveStart",
    "LiveStarted",
    "LiveStop",
    "LiveWalk",
    "PoseLink",
    "ReleaseLink",
]


@dataclass(frozen=True)
class LiveStarted:
    """A live run has been started. numbers : gains of its controller, for sliders."""

    run: int
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True)
class LiveStart(Command):
    """Start a live run. dynamics : "walk" (a human with the walking controller), "direct" (no contact) or "contact".

    speed [m/s], style and start are settings of a walk.
    """

    answers: ClassVar[Any] = LiveStarted
    figure: int
    dynamics: Literal["walk", "direct", "contact"] = "contact"
    speed: float = 1.3
    style: str = "natural"
    start: Literal["walk", "stand"] = "walk"


@dataclass(frozen=True)
class FrameSeen(Command):
    """Acknowledge a live frame that was shown. There is no reply. The server then sends only as many frames as the
    browser can show."""

    sequence: int


@dataclass(frozen=True)
class LivePause(Command):
    """Pause or continue the live run."""

    paused: bool


@dataclass(frozen=True)
class LiveStop(Command):
    """End the live run. keep : add its motion to the project."""

    keep: bool = True


@dataclass(frozen=True)
class LivePace(Command):
    """Set the pace of the live run: simulated seconds per second of clock time, 0.05 to 4."""

    pace: float


@dataclass(frozen=True)
class LiveWalk(Command):
    """Change the command of the walker. None leaves a value unchanged.

    go : walk or stand. speed [m/s]. style : a style in words. turn : angle [rad] to the left, added to the heading.
    heading : direction of walking [rad]. ground : the new ground.
    """

    go: bool | None = None
    speed: float | None = None
    style: str | None = None
    turn: float | None = None
    heading: float | None = None
    ground: Ground | None = None


@dataclass(frozen=True)
class DragLink(Command):
    """Pull a point of a link [m, link frame] to a target in the world [m] with a spring, until `ReleaseLink`.

    stiffness : [N/m]; None: in proportion to the figure's mass.
    """

    figure: int
    link: str
    point: Vector
    target: Vector
    stiffness: float | None = None


@dataclass(frozen=True)
class ReleaseLink(Command):
    """End the drag of a link."""


@dataclass(frozen=True)
class Impulse(Command):
    """Apply an impulse [N s], world axes, at a point of a link [m, link frame]."""

    figure: int
    link: str
    point: Vector
    impulse: Vector


@dataclass(frozen=True)
class PoseLink(Command):
    """Move a point of a link [m, link frame] to a target in the world [m] by inverse kinematics, outside a live run.

    pinned : links that keep their position. done is False while the drag continues.
    """

    edits: ClassVar[bool] = True
    figure: int
    link: str
    point: Vector
    target: Vector
    pinned: tuple[str, ...] = ()
    done: bool = True
