"""Commands that compute motions: dynamics, gait, keys, torque profiles. Each answers a task; a motion follows."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command
from anthropi.studio.messages.views import DeterminantSetting, Profile

__all__ = [
    "AnotherFrame",
    "ContactDynamics",
    "DirectDynamics",
    "ExplainWords",
    "Explained",
    "GaitNumbers",
    "HybridDynamics",
    "Interpolate",
    "MoveKey",
    "PlanGait",
    "ProfilesTaken",
    "RemoveKey",
    "RunProfiles",
    "SetGait",
    "SetKey",
    "SetProfile",
    "StopTask",
    "TakeProfiles",
    "TaskStarted",
    "Walk",
]


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class TaskStarted:
    """A task has been started; `progress` events follow, then a `motion_made` or a `problem` event."""

    task: int


@dataclass(frozen=True)
class HybridDynamics(Command):
    """Compute hybrid dynamics (HIDDS): the forces of the desired motion (inverse), then their motion (direct).

    The desired motion is given by a motion, by keys or by control functions. mode : the control of the direct part.
    """

    answers: ClassVar[Any] = TaskStarted
    figure: int
    duration: float | None = None
    motion: int | None = None
    mode: Literal["open", "inverse", "computed"] = "computed"


@dataclass(frozen=True)
class DirectDynamics(Command):
    """Simulate without contact: forces, springs, gravity and drives move the figures. duration [s]."""

    answers: ClassVar[Any] = TaskStarted
    duration: float = 2.0
    figure: int | None = None


@dataclass(frozen=True)
class ContactDynamics(Command):
    """Simulate with contact: on the ground, among obstacles and with each other. duration [s]."""

    answers: ClassVar[Any] = TaskStarted
    duration: float = 2.0
    figure: int | None = None


@dataclass(frozen=True)
class AnotherFrame(Command):
    """Append frames to the shown motion, or compute the first ones from the initial state."""

    answers: ClassVar[Any] = TaskStarted
    contact: bool = False
    frames: int = 1


@dataclass(frozen=True)
class StopTask(Command):
    """Stop a task; the computed part of its motion is kept."""

    task: int


@dataclass(frozen=True)
class Explained:
    """The settings that words stand for, as lines."""

    ok: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ExplainWords(Command):
    """Explain what words would set."""

    answers: ClassVar[Any] = Explained
    words: str


@dataclass(frozen=True)
class GaitNumbers:
    """A gait plan: velocity [m/s], step length [m], step frequency [steps/min], times [s]."""

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
    """Compute the missing ones of velocity, step length and step frequency from any one or two."""

    answers: ClassVar[Any] = GaitNumbers
    figure: int
    velocity: float | None = None
    step_length: float | None = None
    step_frequency: float | None = None


@dataclass(frozen=True)
class SetGait(_Edit):
    """Change the gait; see `Gait`. clear : settings to reset. None: unchanged."""

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
    """Compute a walk with the settings of the gait."""

    answers: ClassVar[Any] = TaskStarted
    figure: int


@dataclass(frozen=True)
class ProfilesTaken:
    """Torque profiles as curves, one per degree of freedom."""

    motion: int
    profiles: tuple[Profile, ...]


@dataclass(frozen=True)
class TakeProfiles(Command):
    """Turn the joint forces of a motion into curves to edit. spacing : [s] of the points; dofs : all if empty."""

    answers: ClassVar[Any] = ProfilesTaken
    edits: ClassVar[bool] = True
    motion: int
    spacing: float = 0.05
    dofs: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetProfile(_Edit):
    """Set an edited curve of the forces of a motion."""

    motion: int
    profile: Profile
    done: bool = True


@dataclass(frozen=True)
class RunProfiles(Command):
    """Simulate a motion again with edited forces. hold : factor of the feedback to the first motion, 0: none."""

    answers: ClassVar[Any] = TaskStarted
    motion: int
    hold: float = 0.0


@dataclass(frozen=True)
class SetKey(_Edit):
    """Set a key: the initial pose, values by degree of freedom, or the pose of a motion at a time."""

    figure: int
    time: float
    values: dict[str, float] = field(default_factory=dict)
    motion: int | None = None
    at: float | None = None


@dataclass(frozen=True)
class MoveKey(_Edit):
    """Move a key to another time."""

    figure: int
    time: float
    to: float


@dataclass(frozen=True)
class RemoveKey(_Edit):
    """Remove a key."""

    figure: int
    time: float


@dataclass(frozen=True)
class Interpolate(Command):
    """Compute the motion through the keys."""

    answers: ClassVar[Any] = TaskStarted
    figure: int
    ends: Literal["natural", "clamped", "periodic"] = "natural"
    turned: Literal["log", "squad"] = "log"
