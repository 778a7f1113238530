"""Commands that compute motions: the three dynamics, gait, keys, profiles. Each answers a task; a motion follows."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command
from anthropi.studio.messages.views import DeterminantSetting, Profile

__all__ = [
    "AnotherFrame", "ContactDynamics", "DirectDynamics", "ExplainWords", "Explained", "GaitNumbers", "HybridDynamics",
    "Interpolate", "MoveKey", "PlanGait", "ProfilesTaken", "RemoveKey", "RunProfiles", "SetGait", "SetKey",
    "SetProfile", "StopTask", "TakeProfiles", "TaskStarted", "Walk",
]  # fmt: skip


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class TaskStarted:
    """A task begun; `progress` events tell of it, a `motion` event ends it, or a `problem`."""

    task: int


@dataclass(frozen=True)
class HybridDynamics(Command):
    """HYBRID Dynamics (HIDDS): the forces of the wanted motion (inverse), then the motion of the forces (direct).

    Wanted is what keys or control functions say, or a motion. mode : how the direct part is held.
    """

    answers: ClassVar[Any] = TaskStarted
    figure: int
    duration: float | None = None
    motion: int | None = None
    mode: Literal["open", "inverse", "computed"] = "computed"


@dataclass(frozen=True)
class DirectDynamics(Command):
    """Direct Dynamics - No Contact: forces, springs, gravity and drives move the figures, nothing touches."""

    answers: ClassVar[Any] = TaskStarted
    duration: float = 2.0
    figure: int | None = None


@dataclass(frozen=True)
class ContactDynamics(Command):
    """Direct Contact Dynamics: the same on the ground, among obstacles, with each other."""

    answers: ClassVar[Any] = TaskStarted
    duration: float = 2.0
    figure: int | None = None


@dataclass(frozen=True)
class AnotherFrame(Command):
    """Another Frame: one more frame at the end of the shown motion, or the first ones from the state it starts in."""

    answers: ClassVar[Any] = TaskStarted
    contact: bool = False
    frames: int = 1


@dataclass(frozen=True)
class StopTask(Command):
    """Stop a task; what there is of its motion is kept."""

    task: int


@dataclass(frozen=True)
class Explained:
    """What words set, as lines."""

    ok: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ExplainWords(Command):
    """What would these words do?"""

    answers: ClassVar[Any] = Explained
    words: str


@dataclass(frozen=True)
class GaitNumbers:
    """A plan of gait with all its numbers: velocity [m/s], step length [m], frequency [steps/min], times [s]."""

    velocity: float
    step_length: float
    step_frequency: float
    cycle: float
    step: float
    double_support: float
    swing: float
    stance_percent: float
    running: bool
    height: float


@dataclass(frozen=True)
class PlanGait(Command):
    """The others of velocity, step length and step frequency, from any one or two."""

    answers: ClassVar[Any] = GaitNumbers
    figure: int
    velocity: float | None = None
    step_length: float | None = None
    step_frequency: float | None = None


@dataclass(frozen=True)
class SetGait(_Edit):
    """Settings of the three levels; see `Gait`. What `clear` names is emptied; None: as it is."""

    words: str | None = None
    style: str | None = None
    method: Literal["", "walker", "hidds"] | None = None
    gait: Literal["walk", "run"] | None = None
    start: Literal["walk", "stand"] | None = None
    steps: int | None = None
    velocity: float | None = None
    step_length: float | None = None
    step_frequency: float | None = None
    determinants: dict[str, DeterminantSetting] | None = None
    clear: tuple[str, ...] = ()


@dataclass(frozen=True)
class Walk(Command):
    """Walk as the gait says."""

    answers: ClassVar[Any] = TaskStarted
    figure: int


@dataclass(frozen=True)
class ProfilesTaken:
    """Torque profiles as curves, one a degree of freedom."""

    motion: int
    profiles: tuple[Profile, ...]


@dataclass(frozen=True)
class TakeProfiles(Command):
    """The forces of a motion as curves to edit. spacing : [s] between two points; dofs : which, all if empty."""

    answers: ClassVar[Any] = ProfilesTaken
    edits: ClassVar[bool] = True
    motion: int
    spacing: float = 0.05
    dofs: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetProfile(_Edit):
    """An edited curve of a motion's forces."""

    motion: int
    profile: Profile
    done: bool = True


@dataclass(frozen=True)
class RunProfiles(Command):
    """Direct dynamics with the edited forces. hold : how strongly the rest follows the first motion, 0: not at all."""

    answers: ClassVar[Any] = TaskStarted
    motion: int
    hold: float = 0.0


@dataclass(frozen=True)
class SetKey(_Edit):
    """A key: the pose the figure starts in, or values by degree of freedom; of a motion's frame, if one is given."""

    figure: int
    time: float
    values: dict[str, float] = field(default_factory=dict)
    motion: int | None = None
    at: float | None = None


@dataclass(frozen=True)
class MoveKey(_Edit):
    """A key to another time."""

    figure: int
    time: float
    to: float


@dataclass(frozen=True)
class RemoveKey(_Edit):
    """A key away."""

    figure: int
    time: float


@dataclass(frozen=True)
class Interpolate(Command):
    """A motion through the keys."""

    answers: ClassVar[Any] = TaskStarted
    figure: int
    ends: Literal["natural", "clamped", "periodic"] = "natural"
    turned: Literal["log", "squad"] = "log"
