"""Commands of Build Structure, which edit a figure. Each is checked like a figure.toml and can be undone."""

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
    """Add a figure of one link, to build on. root : the type of its joint to the world."""

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
    """Add a link and the joint to its parent. size : length (x), height (y), width (z) [m] of a box from the joint
    outwards. origin : of the joint in the parent's frame [m]; None: at the parent's far end. joint "" : as the link."""

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
    """Remove a link. branch : with all its descendants; else its children are connected to its parent."""

    figure: int
    link: str
    branch: bool = False


@dataclass(frozen=True)
class RenameLink(_Edit):
    """Rename a link, wherever it is named."""

    figure: int
    link: str
    name: str


@dataclass(frozen=True)
class RenameJoint(_Edit):
    """Rename a joint, wherever it is named."""

    figure: int
    joint: str
    name: str


@dataclass(frozen=True)
class ReparentLink(_Edit):
    """Connect a link and its descendants to another parent. keep_place : it keeps its pose in the world."""

    figure: int
    link: str
    parent: str
    keep_place: bool = True


@dataclass(frozen=True)
class ConnectJoint(_Edit):
    """Set an entry of the connectivity table (joints × links): the joint gets this link as its parent."""

    figure: int
    joint: str
    link: str


@dataclass(frozen=True)
class SetJointType(_Edit):
    """Change the type of a joint. Limits and springs are dropped if it differs; keys that it lacks are ignored."""

    figure: int
    joint: str
    type: str
    axis: str | Vector | None = None
    axes: tuple[str | Vector, str | Vector] | None = None
    order: str | None = None
    pitch: float | None = None


@dataclass(frozen=True)
class SetRotationOrder(_Edit):
    """Set the order ("xyz") of a joint's three rotations; a ball joint becomes an Euler joint. The pose is kept."""

    figure: int
    joint: str
    order: str


@dataclass(frozen=True)
class SetJointPlace(_Edit):
    """Set the frame of a joint in its parent: origin [m], rotated by x-y-z angles [rad]. None: unchanged."""

    figure: int
    joint: str
    origin: Vector | None = None
    angles: Vector | None = None


@dataclass(frozen=True)
class SetLinkSize(_Edit):
    """Make a link a box from its joint outwards, with a density [kg/m³] or a mass [kg]; it replaces its shapes."""

    figure: int
    link: str
    size: Vector
    density: float | None = None
    mass: float | None = None


@dataclass(frozen=True)
class SetLinkInertia(_Edit):
    """Set mass [kg], centre [m] and tensor about it [kg m²]. None: unchanged; a mass alone scales the tensor."""

    figure: int
    link: str
    mass: float | None = None
    centre: Vector | None = None
    tensor: Matrix3 | None = None


@dataclass(frozen=True)
class SetLimits(_Edit):
    """Set the limits of a degree of freedom [rad or m]; None: no limit."""

    figure: int
    dof: str
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class SetStop(_Edit):
    """Set the spring at the ends of a joint's range (docs/equations/thesis.md, 8.7). type None: no spring."""

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
    """Set spring and damper of a degree of freedom. None: unchanged. armature : inertia of a motor."""

    figure: int
    dof: str
    stiffness: float | None = None
    rest: float | None = None
    damping: float | None = None
    armature: float | None = None


@dataclass(frozen=True)
class LockJoint(_Edit):
    """Lock a joint, or one degree of freedom, at its present position, or unlock it."""

    figure: int
    name: str
    locked: bool = True


@dataclass(frozen=True)
class ChangeRoot(_Edit):
    """Make another link the root; the dynamics stay the same. joint : another type of joint to the world, if given."""

    figure: int
    link: str
    joint: str | None = None


@dataclass(frozen=True)
class SetInitialState(_Edit):
    """Set the initial state. position : {dof: [rad or m]}, velocity : {dof: [rad/s or m/s]}; others are unchanged, or
    neutral and at rest if `rest`."""

    figure: int
    position: dict[str, float] | None = None
    velocity: dict[str, float] | None = None
    rest: bool = False


@dataclass(frozen=True)
class SetMarker(_Edit):
    """Add or change a marker on a link. point [m, link frame]."""

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
    """Replace a figure by the text of a figure.toml."""

    figure: int
    text: str
