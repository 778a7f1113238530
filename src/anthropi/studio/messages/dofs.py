"""Commands for degrees of freedom, the root, forces, numbers with sliders, the world and the camera."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.contact.models import ContactName
from anthropi.studio.messages.base import Command, Quaternion, Vector
from anthropi.studio.messages.views import Camera, ControlFunction, Ground, Obstacle

__all__ = [
    "ApplyForce",
    "ChangeForce",
    "MoveCameraKey",
    "RemoveCameraKey",
    "RemoveForce",
    "SetCamera",
    "SetCameraKey",
    "SetControl",
    "SetDof",
    "SetDrive",
    "SetGravity",
    "SetGround",
    "SetNumber",
    "SetObstacles",
    "SetRoot",
    "SetScheme",
]


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class SetDof(_Edit):
    """Set the coordinate [rad or m] or rate [rad/s or m/s] of a degree of freedom. done is False while a slider moves;
    the edits of one slider movement are undone together."""

    figure: int
    dof: str
    value: float | None = None
    rate: float | None = None
    done: bool = True


@dataclass(frozen=True)
class SetDrive(_Edit):
    """Set the drive of a degree of freedom: "free" (only springs, gravity and other links move it), "force" or
    "motion". value : a constant force or position; None keeps the control function."""

    figure: int
    dof: str
    drive: Literal["free", "force", "motion"]
    value: float | None = None


@dataclass(frozen=True)
class SetControl(_Edit):
    """Set the control function of a degree of freedom; None removes it."""

    figure: int
    dof: str
    control: ControlFunction | None


@dataclass(frozen=True)
class SetRoot(_Edit):
    """Set the state of the root and the loads on it; None leaves a value unchanged. position [m], attitude, velocity
    [m/s] and spin [rad/s] are given in the world. free : whether each of its translations x y z and rotations x y z may
    move. force [N] and moment [N m] act on it permanently."""

    figure: int
    position: Vector | None = None
    attitude: Quaternion | None = None
    velocity: Vector | None = None
    spin: Vector | None = None
    free: tuple[bool, bool, bool, bool, bool, bool] | None = None
    force: Vector | None = None
    moment: Vector | None = None


@dataclass(frozen=True)
class ApplyForce(_Edit):
    """Add a force on a link; see `Force`."""

    answers: ClassVar[Any] = int
    figure: int
    link: str
    vector: Vector
    axes: Literal["world", "link"] = "world"
    point: Vector = (0.0, 0.0, 0.0)
    moment: bool = False
    start: float = 0.0
    end: float | None = None


@dataclass(frozen=True)
class ChangeForce(_Edit):
    """Change a force. None leaves a value unchanged."""

    force: int
    vector: Vector | None = None
    point: Vector | None = None
    start: float | None = None
    end: float | None = None
    done: bool = True


@dataclass(frozen=True)
class RemoveForce(_Edit):
    """Remove a force."""

    force: int


@dataclass(frozen=True)
class SetNumber(_Edit):
    """Set a number with a slider, also during a live run: a number of the figure ("l_thigh.mass", "l_knee.stiffness")
    or a gain of the walker ("gain:hip"). done is False while the slider moves."""

    figure: int
    slot: str
    value: float
    done: bool = True


@dataclass(frozen=True)
class SetGravity(_Edit):
    """Set the gravity vector [m/s²] of the world."""

    gravity: Vector
    done: bool = True


@dataclass(frozen=True)
class SetGround(_Edit):
    """Set the ground of the world."""

    ground: Ground


@dataclass(frozen=True)
class SetObstacles(_Edit):
    """Replace all obstacles of the world."""

    obstacles: tuple[Obstacle, ...]


@dataclass(frozen=True)
class SetScheme(_Edit):
    """Set the time step dt [s], the frame rate [1/s] and the contact model. None leaves a value unchanged."""

    dt: float | None = None
    rate: float | None = None
    contact: ContactName | None = None


@dataclass(frozen=True)
class SetCamera(Command):
    """Set the camera. It is saved with the project, but cannot be undone."""

    camera: Camera


@dataclass(frozen=True)
class SetCameraKey(_Edit):
    """Set a camera key at a time [s] of the timeline."""

    time: float
    camera: Camera


@dataclass(frozen=True)
class MoveCameraKey(_Edit):
    """Move a camera key to another time."""

    time: float
    to: float


@dataclass(frozen=True)
class RemoveCameraKey(_Edit):
    """Remove a camera key."""

    time: float
