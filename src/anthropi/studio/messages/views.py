"""Views: the project, its figures, motions and settings, as they are sent to browsers."""

from dataclasses import dataclass, field
from typing import Any, Literal

from anthropi.contact.models import ContactName
from anthropi.studio.messages.base import Quaternion, Vector

__all__ = [
    "Camera",
    "CameraKey",
    "Choice",
    "ControlFunction",
    "DeterminantSetting",
    "DofView",
    "FigureSummary",
    "FigureView",
    "Force",
    "Gait",
    "Ground",
    "JointChoice",
    "Key",
    "KeysSetting",
    "MotionView",
    "Number",
    "Obstacle",
    "Profile",
    "ProjectView",
    "Running",
    "World",
]

Drive = Literal["free", "force", "motion"]


@dataclass(frozen=True)
class Choice:
    """A choice that the page offers, such as a sample, a format or a style. words : its description in one line."""

    name: str
    words: str = ""
    group: str = ""


@dataclass(frozen=True)
class JointChoice:
    """A type of joint. keys : settings that not all types have, such as "axis". dofs : number of degrees of freedom, 0
    if it depends on the joint."""

    type: str
    keys: tuple[str, ...]
    dofs: int


@dataclass(frozen=True)
class Number:
    """A number with a slider, such as "l_thigh.mass" of a figure. least, most : the range of the slider."""

    slot: str
    value: float
    least: float
    most: float
    unit: str


@dataclass(frozen=True)
class DofView:
    """A degree of freedom.

    value : its coordinate [rad or m]; for a ball joint a component of the rotation vector. rate : its velocity [rad/s
    or m/s]. lower, upper : its limits, or None. lockable : whether it can be locked alone. drive : what moves it.
    """

    name: str
    joint: str
    unit: Literal["rad", "m"]
    value: float
    rate: float
    lower: float | None
    upper: float | None
    stiffness: float
    rest: float
    damping: float
    armature: float
    locked: bool
    lockable: bool
    drive: Drive


@dataclass(frozen=True)
class FigureView:
    """A figure.

    document : the plain data of its figure.toml (links, joints, markers, loops, state). text : the text of this file,
    "" while a slider moves. connectivity : the table joints × links. poses : (links, 7) position x y z and quaternion
    w x y z of every link in the world, in the initial state. appearance : the shapes to draw, without the skin (see
    `formats/pages/appearance.py`); None: unchanged. notes : warnings, such as gimbal lock or a link without mass.
    """

    figure: int
    revision: int
    name: str
    document: dict[str, Any]
    text: str
    connectivity: tuple[tuple[bool, ...], ...]
    dofs: tuple[DofView, ...]
    poses: tuple[tuple[float, ...], ...]
    mass: float
    centre: Vector
    numbers: tuple[Number, ...]
    appearance: dict[str, Any] | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FigureSummary:
    """A figure in the project's list."""

    figure: int
    revision: int
    name: str
    links: int
    dofs: int
    can_walk: bool


@dataclass(frozen=True)
class MotionView:
    """A motion in the project's list. Its data can be fetched from `address`. kind : how it was made. words : its
    caption."""

    motion: int
    title: str
    kind: Literal["hybrid", "direct", "contact", "walk", "keys", "profiles", "live", "file", "frame"]
    address: str
    figure: int | None
    duration: float
    frames: int
    has_forces: bool
    words: str = ""


@dataclass(frozen=True)
class Camera:
    """The camera. eye : its position [m]. target : the point that it looks at [m]. mode : how it moves. field : its
    vertical field of view [degrees]."""

    eye: Vector = (4.0, -4.0, 2.0)
    target: Vector = (0.0, 0.0, 1.0)
    mode: Literal["orbit", "follow", "fixed"] = "follow"
    field: float = 40.0


@dataclass(frozen=True)
class CameraKey:
    """The camera at a time [s] of the timeline."""

    time: float
    camera: Camera


@dataclass(frozen=True)
class Ground:
    """The ground. slope : inclination [rad] along x. height, size : height and length [m] of a bump, a step or a wave.
    seed : seed of the random heights of rough ground. origin : [m] the middle of the level area from which the terrain
    rises."""

    kind: Literal["none", "flat", "slope", "rough", "stairs", "waves"] = "flat"
    slope: float = 0.0
    height: float = 0.03
    size: float = 0.6
    seed: int = 0
    friction: float = 0.8
    origin: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Obstacle:
    """A fixed obstacle. size : the edges of a box, the radius of a ball, or the radius and length of a capsule [m]."""

    name: str
    kind: Literal["box", "ball", "capsule"]
    size: tuple[float, ...]
    position: Vector
    attitude: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class World:
    """The world of all figures. gravity [m/s²]. dt : time step of simulations [s]. rate : recorded frames [1/s]."""

    gravity: Vector = (0.0, 0.0, -9.81)
    ground: Ground = field(default_factory=Ground)
    obstacles: tuple[Obstacle, ...] = ()
    contact: ContactName = "compliant"
    dt: float = 1e-3
    rate: float = 100.0


@dataclass(frozen=True)
class Force:
    """A force [N] on a link, or a moment [N m] if moment is True. axes : the axes of its vector. point : the point of
    application [m, link frame].

    It acts from start to end [s]; if end is None, it does not end.
    """

    force: int
    figure: int
    link: str
    vector: Vector
    axes: Literal["world", "link"] = "world"
    point: Vector = (0.0, 0.0, 0.0)
    moment: bool = False
    start: float = 0.0
    end: float | None = None


@dataclass(frozen=True)
class ControlFunction:
    """The control function of a degree of freedom: a spline through times [s] and values, or a formula of t as text.

    of : the controlled quantity. Position, velocity and acceleration prescribe the motion, force drives by a force.
    """

    of: Literal["position", "velocity", "acceleration", "force"]
    times: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    formula: str = ""


@dataclass(frozen=True)
class Key:
    """A keyframe: values [rad or m] of some or all degrees of freedom, by name, at a time [s]."""

    time: float
    values: dict[str, float]


@dataclass(frozen=True)
class KeysSetting:
    """Settings of the interpolation between keys. ends : the conditions at the ends of the spline. turned : how
    rotations are interpolated."""

    ends: Literal["natural", "clamped", "periodic"] = "natural"
    turned: Literal["log", "squad"] = "log"


@dataclass(frozen=True)
class DeterminantSetting:
    """The settings of one of the six determinants of gait [rad; the lateral one in m]. timing : delay [cycles]. on :
    whether it acts."""

    amplitude: float
    lower: float
    upper: float
    timing: float = 0.0
    on: bool = True


@dataclass(frozen=True)
class Gait:
    """The settings of a gait. words : a script such as "walk happily; turn left". If it is not empty, it is used
    instead of the other settings.

    velocity [m/s], step_length [m], step_frequency [steps/min] : at most two are given. method : "" chooses one
    automatically.
    """

    words: str = ""
    style: str = "natural"
    method: Literal["", "walker", "hidds"] = ""
    kind: Literal["walk", "run"] = "walk"
    start: Literal["walk", "stand"] = "walk"
    steps: int = 12
    velocity: float | None = None
    step_length: float | None = None
    step_frequency: float | None = None
    determinants: dict[str, DeterminantSetting] = field(default_factory=dict)


@dataclass(frozen=True)
class Profile:
    """The force of one degree of freedom over time, as a spline through times [s] and values [N m or N]."""

    dof: str
    times: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Running:
    """A task in progress. what : its name. done, total : its progress; total is 0 if unknown."""

    task: int
    what: str
    done: float = 0.0
    total: float = 0.0


@dataclass(frozen=True)
class ProjectView:
    """The project, without the contents of its figures. undo, redo : labels of the edits that can be undone and redone,
    or "". shown : the number of the shown motion, or None.

    surroundings : {ground, things} of the world, in the format of motion buffers. touched : whether it contains unsaved
    work, which opening another project would replace.
    """

    name: str
    path: str
    revision: int
    saved: bool
    undo: str
    redo: str
    figures: tuple[FigureSummary, ...]
    motions: tuple[MotionView, ...]
    shown: int | None
    world: World
    forces: tuple[Force, ...]
    controls: dict[str, dict[str, ControlFunction]]
    keys: dict[str, tuple[Key, ...]]
    keys_setting: KeysSetting
    gait: Gait
    profiles: dict[str, tuple[Profile, ...]]
    camera: Camera
    camera_keys: tuple[CameraKey, ...]
    tasks: tuple[Running, ...]
    surroundings: dict[str, Any]
    touched: bool = False
