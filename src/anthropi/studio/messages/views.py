"""Views: the project, its figures, motions and settings as browsers get them."""

from dataclasses import dataclass, field
from typing import Any, Literal

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
    """A choice: a sample, an example, a format, a style. words : its description in one line."""

    name: str
    words: str = ""
    group: str = ""


@dataclass(frozen=True)
class JointChoice:
    """A type of joint. keys : that it has besides those of all joints. dofs : degrees of freedom, 0 if they vary."""

    type: str
    keys: tuple[str, ...]
    dofs: int


@dataclass(frozen=True)
class Number:
    """A number with a slider, as "l_thigh.mass" of a figure. least, most : the range of the slider."""

    slot: str
    value: float
    least: float
    most: float
    unit: str


@dataclass(frozen=True)
class DofView:
    """A degree of freedom.

    value : its coordinate [rad or m] (of a ball joint: a component of the rotation vector), rate : its velocity. lower,
    upper : limits, None without one. drive : what moves it.
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

    document : the plain data of its figure.toml (links, joints, markers, loops, state). text : that file, "" while a
    slider moves. connectivity : joints × links. poses : (links, 7) x y z, w x y z of every link in the world, in the
    initial state. appearance : see `formats/pages/appearance.py`, without the skin; None: unchanged. notes : warnings
    (gimbal lock, no mass).
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
    """A motion; its buffer is at `address`. kind : what made it. words : its caption."""

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
    """The camera. eye, target : places [m]. mode : whether it follows the figure. field : of view [degrees]."""

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
    """The ground. slope [rad] rises along x; seed, height [m] and size [m] are of rough ground, stairs and waves."""

    kind: Literal["none", "flat", "slope", "rough", "stairs", "waves"] = "flat"
    slope: float = 0.0
    height: float = 0.03
    size: float = 0.6
    seed: int = 0
    friction: float = 0.8


@dataclass(frozen=True)
class Obstacle:
    """A fixed solid. size [m] : the edges of a box, the radius of a ball, radius and length of a capsule."""

    name: str
    kind: Literal["box", "ball", "capsule"]
    size: tuple[float, ...]
    position: Vector
    attitude: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class World:
    """The world of all figures. gravity [m/s²]. dt : [s] of a step. rate : [1/s] frames of motions."""

    gravity: Vector = (0.0, 0.0, -9.81)
    ground: Ground = field(default_factory=Ground)
    obstacles: tuple[Obstacle, ...] = ()
    contact: Literal["compliant", "convex", "impulsive"] = "compliant"
    dt: float = 1e-3
    rate: float = 100.0


@dataclass(frozen=True)
class Force:
    """A force [N] or, if moment, a moment [N m] on a link. axes : of its vector. point : [m, link frame].

    It acts from start to end [s]; end None: for ever.
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
    """The control function of a degree of freedom: a spline through times and values, or a formula of t as text.

    of : the quantity; position, velocity and acceleration drive by motion, force drives by force.
    """

    of: Literal["position", "velocity", "acceleration", "force"]
    times: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    formula: str = ""


@dataclass(frozen=True)
class Key:
    """A keyframe: values of degrees of freedom by name [rad or m] at a time [s]; all of them for a whole pose."""

    time: float
    values: dict[str, float]


@dataclass(frozen=True)
class KeysSetting:
    """Interpolation between keys. ends : of the spline. turned : how rotations are interpolated."""

    ends: Literal["natural", "clamped", "periodic"] = "natural"
    turned: Literal["log", "squad"] = "log"


@dataclass(frozen=True)
class DeterminantSetting:
    """One of the six determinants of gait [rad; lateral: m]. timing : [cycles] of delay."""

    amplitude: float
    lower: float
    upper: float
    timing: float = 0.0
    on: bool = True


@dataclass(frozen=True)
class Gait:
    """The settings of a gait. words : a script ("walk happily; turn left"), which replaces the rest if not empty.

    velocity [m/s], step_length [m], step_frequency [steps/min] : any one or two, or none. method : "" for automatic.
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
    """The force of one degree of freedom over time [N m or N] as a spline through times [s] and values."""

    dof: str
    times: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Running:
    """A task in progress. total 0: unknown."""

    task: int
    what: str
    done: float = 0.0
    total: float = 0.0


@dataclass(frozen=True)
class ProjectView:
    """The project, without the figures' contents. undo, redo : labels of what can be undone and redone, or "".

    surroundings : {ground, things} of the world, in the form of motion buffers.
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
