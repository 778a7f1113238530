"""Commands while a simulation runs in the server, and by hand when it is paused.

Frames come as binary messages: u32 sequence, u32 live run, f4 time, f4 pace, then for each figure of the run its links'
poses (x y z, w x y z) and for each contact point point and force (x y z, x y z), all f4 little-endian. `live` events
tell how many links and points there are.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command, Vector
from anthropi.studio.messages.views import Ground, Number

__all__ = ["DragLink", "FrameSeen", "Impulse", "LivePace", "LivePause", "LiveStart", "LiveStarted", "LiveStop",
           "LiveWalk", "PoseLink", "ReleaseLink"]  # fmt: skip


@dataclass(frozen=True)
class LiveStarted:
    """A live run begun. numbers : of its controller, for sliders."""

    run: int
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True)
class LiveStart(Command):
    """Begin to simulate. dynamics : "walk" (a human that balances), "direct" (no contact) or "contact"."""

    answers: ClassVar[Any] = LiveStarted
    figure: int
    dynamics: Literal["walk", "direct", "contact"] = "contact"
    speed: float = 1.3
    style: str = "natural"
    start: Literal["walk", "stand"] = "walk"


@dataclass(frozen=True)
class FrameSeen(Command):
    """The browser has shown a live frame. Whoever says so for each gets none that is late. There is no reply."""

    sequence: int


@dataclass(frozen=True)
class LivePause(Command):
    """Pause or go on."""

    paused: bool


@dataclass(frozen=True)
class LiveStop(Command):
    """End the run; its motion is kept."""

    keep: bool = True


@dataclass(frozen=True)
class LivePace(Command):
    """Seconds of the world in a second, 0.05 to 4."""

    pace: float


@dataclass(frozen=True)
class LiveWalk(Command):
    """What the walker does from now on. None: as it is. turn : [rad] left, added to the heading. style : in
    words."""

    go: bool | None = None
    speed: float | None = None
    style: str | None = None
    turn: float | None = None
    heading: float | None = None
    ground: Ground | None = None


@dataclass(frozen=True)
class DragLink(Command):
    """A spring between a point of a link [m, link frame] and a place in the world [m], until released.

    stiffness [N/m]; None: what moves the whole figure a little.
    """

    figure: int
    link: str
    point: Vector
    target: Vector
    stiffness: float | None = None


@dataclass(frozen=True)
class ReleaseLink(Command):
    """Let go."""


@dataclass(frozen=True)
class Impulse(Command):
    """A blow [N s] at a point of a link [m, link frame], in the world's axes."""

    figure: int
    link: str
    point: Vector
    impulse: Vector


@dataclass(frozen=True)
class PoseLink(Command):
    """When nothing runs: bring a point of a link to a place by inverse kinematics. done False: the hand still moves."""

    edits: ClassVar[bool] = True
    figure: int
    link: str
    point: Vector
    target: Vector
    pinned: tuple[str, ...] = ()
    done: bool = True
