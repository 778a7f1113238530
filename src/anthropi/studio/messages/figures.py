"""Commands of Build Structure, which edit a figure. The result of each is checked like a figure.toml; all can be
undone."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command, Matrix3, Vector

__all__ = [
    "AddLink",
    "ChangeRoot",
    "ConnectJoint",
    "LockJoint",
    "NewFigure",
    "RemoveFigure",
    "RemoveLink",
    "RemoveMarker",
    "RenameFigure",
    "RenameJoint",
    "RenameLink",
    "ReparentLink",
    "SetFigureText",
    "SetInitialState",
    "SetJointPlace",
    "SetJointType",
    "SetLimits",
    "SetLinkInertia",
    "SetLinkSize",
    "SetMarker",
    "SetRotationOrder",
    "SetSpring",
    "SetStop",
]


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class NewFigure(_Edit):
    """Add a new figure of one link. root : the type of the joint between the link and the world."""

    answers: ClassVar[Any] = int
    name: str = "figure"
    root: str = "free"


@dataclass(frozen=True)
class RemoveFigure(_Edit):
    """Remove a figure."""

    figure: int


@dataclass(frozen=True)
class RenameFigure(_Edit):
    """Rename a figure."""

    figure: int
    name: str


@dataclass(frozen=True)
class AddLink(_Edit):
    """Add a link and the joint that connects it to its parent. joint : its name; "" for the name of the link. size :
    length (x), height (y) and width (z) [m] of a box that starts at the joint. origin : origin of the joint in the
    parent's frame [m]; None: the far end of the parent."""

    figure: int
    name: str
    parent: str
    joint: str = ""
    type: str = "revolute"
    axis: str | Vector | None = None
    order: str | None = None
    size: Vector = (0.3, 0.06, 0.06)
    density: float = 1000.0
    origin: Vector | None = None


@dataclass(frozen=True)
class RemoveLink(_Edit):
    """Remove a link. branch : also remove all its descendants; otherwise its children are connected to its parent."""

    figure: int
    link: str
    branch: bool = False


@dataclass(frozen=True)
class RenameLink(_Edit):
    """Rename a link and update all references to it."""

    figure: int
    link: str
    name: str


@dataclass(frozen=True)
class RenameJoint(_Edit):
    """Rename a joint and update all references to it."""

    figure: int
    joint: str
    name: str


@dataclass(frozen=True)
class ReparentLink(_Edit):
    """Connect a link and its descendants to another parent. keep_place : the link keeps its pose in the world."""

    figure: int
    link: str
    parent: str
    keep_place: bool = True


@dataclass(frozen=True)
class ConnectJoint(_Edit):
    """Set an entry of the connectivity table (joints × links): the link becomes the parent link of the joint."""

    figure: int
    joint: str
    link: str


@dataclass(frozen=True)
class SetJointType(_Edit):
    """Change the type of a joint. A different type removes its limits and springs. Settings that the type does not have
    are ignored."""

    figure: int
    joint: str
    type: str
    axis: str | Vector | None = None
    axes: tuple[str | Vector, str | Vector] | None = None
    order: str | None = None
    pitch: float | None = None


@dataclass(frozen=True)
class SetRotationOrder(_Edit):
    """Set the order of a joint's three rotations, such as "xyz". A ball joint becomes an Euler joint. The pose is
    kept."""

    figure: int
    joint: str
    order: str


@dataclass(frozen=True)
class SetJointPlace(_Edit):
    """Set the frame of a joint in its parent: origin [m], x-y-z Euler angles [rad]. None leaves a value unchanged."""

    figure: int
    joint: str
    origin: Vector | None = None
    angles: Vector | None = None


@dataclass(frozen=True)
class SetLinkSize(_Edit):
    """Replace the shapes of a link by a box that starts at its joint, with a density [kg/m³] or a mass [kg]."""

    figure: int
    link: str
    size: Vector
    density: float | None = None
    mass: float | None = None


@dataclass(frozen=True)
class SetLinkInertia(_Edit):
    """Set the mass [kg], the centre of mass [m] and the inertia tensor about it [kg m²] of a link. None leaves a value
    unchanged. A mass without a tensor scales the tensor."""

    figure: int
    link: str
    mass: float | None = None
    centre: Vector | None = None
    tensor: Matrix3 | None = None


@dataclass(frozen=True)
class SetLimits(_Edit):
    """Set the limits of a degree of freedom [rad or m]. None means no limit."""

    figure: int
    dof: str
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class SetStop(_Edit):
    """Set the spring at the limits of a joint (docs/equations/thesis.md, 8.7). type : None removes the spring."""

    figure: int
    joint: str
    type: Literal["linear", "exponential", "power"] | None = None
    k: float = 100.0
    c: float | None = None
    n: float | None = None
    zone: float | None = None
    gate: Literal["direction", "smooth", "none"] = "direction"


@dataclass(frozen=True)
class SetSpring(_Edit):
    """Set the spring, damper and armature (motor inertia) of a degree of freedom. None leaves a value unchanged."""

    figure: int
    dof: str
    stiffness: float | None = None
    rest: float | None = None
    damping: float | None = None
    armature: float | None = None


@dataclass(frozen=True)
class LockJoint(_Edit):
    """Lock a joint or one degree of freedom at its present position, or unlock it."""

    figure: int
    name: str
    locked: bool = True


@dataclass(frozen=True)
class ChangeRoot(_Edit):
    """Make another link the root; the dynamics stay the same. joint : a new type of the joint between root and world,
    or None."""

    figure: int
    link: str
    joint: str | None = None


@dataclass(frozen=True)
class SetInitialState(_Edit):
    """Set the initial state. position : {dof: value [rad or m]}. velocity : {dof: value [rad/s or m/s]}. Other degrees
    of freedom are unchanged; if rest is True, they are reset to the neutral pose and zero velocity."""

    figure: int
    position: dict[str, float] | None = None
    velocity: dict[str, float] | None = None
    rest: bool = False


@dataclass(frozen=True)
class SetMarker(_Edit):
    """Add or change a marker on a link. point : its position [m] in the link frame."""

    figure: int
    name: str
    link: str
    point: Vector


@dataclass(frozen=True)
class RemoveMarker(_Edit):
    """Remove a marker."""

    figure: int
    name: str


@dataclass(frozen=True)
class SetFigureText(_Edit):
    """Replace a figure by the one that the text of a figure.toml describes."""

    figure: int
    text: str
