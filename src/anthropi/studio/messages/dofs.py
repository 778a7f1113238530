"""The degree-of-freedom window, Root Characteristics, Set View Point, the world, and numbers under sliders."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command, Quaternion, Vector
from anthropi.studio.messages.views import Camera, ControlFunction, Ground, Obstacle

__all__ = [
    "ApplyForce", "ChangeForce", "MoveCameraKey", "RemoveCameraKey", "RemoveForce", "SetCamera", "SetCameraKey",
    "SetControl", "SetDof", "SetDrive", "SetGravity", "SetGround", "SetNumber", "SetObstacles", "SetRoot", "SetScheme",
]  # fmt: skip


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class SetDof(_Edit):
    """A degree of freedom's coordinate [rad or m] or rate. done False: one of many while a slider moves, undone with
    the others."""

    figure: int
    dof: str
    value: float | None = None
    rate: float | None = None
    done: bool = True


@dataclass(frozen=True)
class SetDrive(_Edit):
    """What moves a degree of freedom: "free" (springs and gravity alone), "force" or "motion" (its control function,
    or where it is: a constant)."""

    figure: int
    dof: str
    drive: Literal["free", "force", "motion"]
    value: float | None = None


@dataclass(frozen=True)
class SetControl(_Edit):
    """The control function of a degree of freedom; None: none."""

    figure: int
    dof: str
    control: ControlFunction | None


@dataclass(frozen=True)
class SetRoot(_Edit):
    """Root characteristics. position [m], attitude, velocity [m/s] and spin [rad/s] in the world; free : which of its
    translations x y z and rotations x y z may move; force [N], moment [N m] on it. None: as it is."""

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
    """A force on a link by direction; see `Force`."""

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
    """Another size, direction or time of a force. None: as it is."""

    force: int
    vector: Vector | None = None
    point: Vector | None = None
    start: float | None = None
    end: float | None = None
    done: bool = True


@dataclass(frozen=True)
class RemoveForce(_Edit):
    """A force away."""

    force: int


@dataclass(frozen=True)
class SetNumber(_Edit):
    """A number under a slider, also while live: of a figure ("l_thigh.mass", "l_knee.stiffness"), or of the live
    controller ("gain:hip_kp"). done False: the slider still moves."""

    figure: int
    slot: str
    value: float
    done: bool = True


@dataclass(frozen=True)
class SetGravity(_Edit):
    """The world's gravity [m/s²]."""

    gravity: Vector
    done: bool = True


@dataclass(frozen=True)
class SetGround(_Edit):
    """What figures stand on."""

    ground: Ground


@dataclass(frozen=True)
class SetObstacles(_Edit):
    """Solids in the world, all of them."""

    obstacles: tuple[Obstacle, ...]


@dataclass(frozen=True)
class SetScheme(_Edit):
    """How simulations go: dt [s] of a step, frames a second, the contact model. None: as it is."""

    dt: float | None = None
    rate: float | None = None
    contact: Literal["compliant", "convex", "impulsive"] | None = None


@dataclass(frozen=True)
class SetCamera(Command):
    """Set View Point. Kept with the project, not undone."""

    camera: Camera


@dataclass(frozen=True)
class SetCameraKey(_Edit):
    """The camera at a time of the timeline."""

    time: float
    camera: Camera


@dataclass(frozen=True)
class MoveCameraKey(_Edit):
    """A camera key to another time."""

    time: float
    to: float


@dataclass(frozen=True)
class RemoveCameraKey(_Edit):
    """A camera key away."""

    time: float
