"""Commands that start a task to compute a motion: dynamics, gait, keys, torque profiles."""

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
    "ShowKey",
    "StopTask",
    "TakeProfiles",
    "TaskStarted",
    "Walk",
]


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class TaskStarted:
    """A task has been started. `progress` events follow, then a `motion_made` or a `problem` event."""

    task: int


@dataclass(frozen=True)
class HybridDynamics(Command):
    """Compute hybrid dynamics (HIDDS): the forces of a desired motion by inverse dynamics, then the motion that these
    forces cause by direct dynamics.

    The desired motion is a motion of the project, or is given by keys or control functions. mode : the control of the
    direct dynamics.
    """

    answers: ClassVar[Any] = TaskStarted
    figure: int
    duration: float | None = None
    motion: int | None = None
    mode: Literal["open", "inverse", "computed"] = "computed"


@dataclass(frozen=True)
class DirectDynamics(Command):
    """Simulate without contact: forces, springs, gravity and drives move the figures. duration [s]. figure : the only
    figure to simulate; None: all figures."""

    answers: ClassVar[Any] = TaskStarted
    duration: float = 2.0
    figure: int | None = None


@dataclass(frozen=True)
class ContactDynamics(Command):
    """Simulate with contact between the figures, the ground and the obstacles. duration [s]. figure : the only figure
    to simulate; None: all figures."""

    answers: ClassVar[Any] = TaskStarted
    duration: float = 2.0
    figure: int | None = None


@dataclass(frozen=True)
class AnotherFrame(Command):
    """Append frames to the shown motion if it is a simulation; otherwise compute the first frames from the initial
    state."""

    answers: ClassVar[Any] = TaskStarted
    contact: bool = False
    frames: int = 1


@dataclass(frozen=True)
class StopTask(Command):
    """Stop a task. Its motion is discarded."""

    task: int


@dataclass(frozen=True)
class Explained:
    """The settings of a style or script, as lines of text; an error message if ok is False."""

    ok: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ExplainWords(Command):
    """Explain the settings of a style or script that is given in words."""

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
    """Compute a gait plan from one or two of velocity [m/s], step length [m] and step frequency [steps/min]."""

    answers: ClassVar[Any] = GaitNumbers
    figure: int
    velocity: float | None = None
    step_length: float | None = None
    step_frequency: float | None = None


@dataclass(frozen=True)
class SetGait(_Edit):
    """Change settings of the gait; see `Gait`. None leaves a setting unchanged. clear : settings to reset."""

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
    """Compute a walk of a figure with the gait settings of the project."""

    answers: ClassVar[Any] = TaskStarted
    figure: int


@dataclass(frozen=True)
class ProfilesTaken:
    """The torque profiles of a motion as curves, one per degree of freedom."""

    motion: int
    profiles: tuple[Profile, ...]


@dataclass(frozen=True)
class TakeProfiles(Command):
    """Convert the joint forces of a motion to curves that can be edited. spacing : time between two points [s]. dofs :
    the degrees of freedom; all if empty."""

    answers: ClassVar[Any] = ProfilesTaken
    edits: ClassVar[bool] = True
    motion: int
    spacing: float = 0.05
    dofs: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetProfile(_Edit):
    """Set the edited force curve of one degree of freedom of a motion."""

    motion: int
    profile: Profile
    done: bool = True


@dataclass(frozen=True)
class RunProfiles(Command):
    """Simulate a motion again with edited forces. hold : factor of the feedback gains that hold the figure near the
    original motion; 0: no feedback."""

    answers: ClassVar[Any] = TaskStarted
    motion: int
    hold: float = 0.0


@dataclass(frozen=True)
class SetKey(_Edit):
    """Set a key at a time [s]: the given values by degree of freedom, the pose of a motion at its time `at` [s], or
    else the initial pose."""

    figure: int
    time: float
    values: dict[str, float] = field(default_factory=dict)
    motion: int | None = None
    at: float | None = None


@dataclass(frozen=True)
class MoveKey(_Edit):
    """Move a key to another time. values : new values of some of its degrees of freedom."""

    figure: int
    time: float
    to: float
    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ShowKey(_Edit):
    """Set the initial pose of a figure to the pose of its key at a time [s], to see and change it."""

    figure: int
    time: float


@dataclass(frozen=True)
class RemoveKey(_Edit):
    """Remove a key."""

    figure: int
    time: float


@dataclass(frozen=True)
class Interpolate(Command):
    """Compute the motion through the keys of a figure. ends, turned : see `KeysSetting`."""

    answers: ClassVar[Any] = TaskStarted
    figure: int
    ends: Literal["natural", "clamped", "periodic"] = "natural"
    turned: Literal["log", "squad"] = "log"
