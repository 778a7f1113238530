"""Build Structure: commands that edit a figure. Every one is checked as the figure.toml would be, and can be undone."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anthropi.studio.messages.base import Command, Matrix3, Vector

__all__ = [
    "AddLink", "ChangeRoot", "ConnectJoint", "LockJoint", "NewFigure", "RemoveFigure", "RemoveLink", "RemoveMarker",
    "RenameFigure", "RenameJoint", "RenameLink", "ReparentLink", "SetFigureText", "SetInitialState", "SetJointPlace",
    "SetJointType", "SetLimits", "SetLinkInertia", "SetLinkSize", "SetMarker", "SetRotationOrder", "SetSpring",
    "SetStop",
]  # fmt: skip


class _Edit(Command):
    edits: ClassVar[bool] = True


@dataclass(frozen=True)
class NewFigure(_Edit):
    """A figure of one link, to build on. root : how it stands in the world."""

    answers: ClassVar[Any] = int
    name: str = "figure"
    root: str = "free"


@dataclass(frozen=True)
class RemoveFigure(_Edit):
    """Take a figure out of the project."""

    figure: int


@dataclass(frozen=True)
class RenameFigure(_Edit):
    """Another name."""

    figure: int
    name: str


@dataclass(frozen=True)
class AddLink(_Edit):
    """A link that hangs on another by a new joint. size : length (x), height (y), width (z) [m] of a box from the joint
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
    """A link away. branch : with all that hangs on it; else that hangs on its parent."""

    figure: int
    link: str
    branch: bool = False


@dataclass(frozen=True)
class RenameLink(_Edit):
    """A link's name, everywhere."""

    figure: int
    link: str
    name: str


@dataclass(frozen=True)
class RenameJoint(_Edit):
    """A joint's name, everywhere."""

    figure: int
    joint: str
    name: str


@dataclass(frozen=True)
class ReparentLink(_Edit):
    """A link, with what hangs on it, hangs on another. keep_place : it stays where it is in the world."""

    figure: int
    link: str
    parent: str
    keep_place: bool = True


@dataclass(frozen=True)
class ConnectJoint(_Edit):
    """An entry of the connectivity table (joints × links): the joint connects this link instead of its parent."""

    figure: int
    joint: str
    link: str


@dataclass(frozen=True)
class SetJointType(_Edit):
    """Another type of joint; what the type does not have is left out. Limits and springs go where the size changes."""

    figure: int
    joint: str
    type: str
    axis: str | Vector | None = None
    axes: tuple[str | Vector, str | Vector] | None = None
    order: str | None = None
    pitch: float | None = None


@dataclass(frozen=True)
class SetRotationOrder(_Edit):
    """The order of a joint's three rotations ("xyz"); a ball joint becomes an Euler joint. The pose stays."""

    figure: int
    joint: str
    order: str


@dataclass(frozen=True)
class SetJointPlace(_Edit):
    """Where a joint sits in its parent's frame: origin [m], turned by x-y-z angles [rad]. None: as it is."""

    figure: int
    joint: str
    origin: Vector | None = None
    angles: Vector | None = None


@dataclass(frozen=True)
class SetLinkSize(_Edit):
    """A link as a box from its joint outwards, with a density [kg/m³] or a mass [kg]; its old shapes go."""

    figure: int
    link: str
    size: Vector
    density: float | None = None
    mass: float | None = None


@dataclass(frozen=True)
class SetLinkInertia(_Edit):
    """Mass [kg], centre [m], tensor about it [kg m²]. None: as it is; a mass alone scales the tensor with it."""

    figure: int
    link: str
    mass: float | None = None
    centre: Vector | None = None
    tensor: Matrix3 | None = None


@dataclass(frozen=True)
class SetLimits(_Edit):
    """Limits of a degree of freedom [rad or m]; None: none."""

    figure: int
    dof: str
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class SetStop(_Edit):
    """The spring at the ends of a joint's range (thesis 8.7). type None: none."""

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
    """Spring and damper of a degree of freedom. None: as it is. armature : inertia of a motor."""

    figure: int
    dof: str
    stiffness: float | None = None
    rest: float | None = None
    damping: float | None = None
    armature: float | None = None


@dataclass(frozen=True)
class LockJoint(_Edit):
    """A joint, or one degree of freedom, held where it is, or let go."""

    figure: int
    name: str
    locked: bool = True


@dataclass(frozen=True)
class ChangeRoot(_Edit):
    """Another link is the root; the figure moves as before. joint : another type of joint to the world, if given."""

    figure: int
    link: str
    joint: str | None = None


@dataclass(frozen=True)
class SetInitialState(_Edit):
    """The state it starts in. position : {dof: [rad or m]}, velocity : {dof: [rad/s or m/s]}; others stay. rest : all
    else neutral and at rest first."""

    figure: int
    position: dict[str, float] | None = None
    velocity: dict[str, float] | None = None
    rest: bool = False


@dataclass(frozen=True)
class SetMarker(_Edit):
    """A marker on a link, new or changed."""

    figure: int
    name: str
    link: str
    point: Vector


@dataclass(frozen=True)
class RemoveMarker(_Edit):
    """A marker away."""

    figure: int
    name: str


@dataclass(frozen=True)
class SetFigureText(_Edit):
    """The whole figure.toml as text."""

    figure: int
    text: str
