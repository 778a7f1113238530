"""What the browser shows: the project, its figures, motions and everything set for them."""

from dataclasses import dataclass, field
from typing import Any, Literal

from anthropi.studio.messages.base import Quaternion, Vector

__all__ = [
    "Camera", "CameraKey", "Choice", "ControlFunction", "DeterminantSetting", "DofView", "FigureSummary", "FigureView",
    "Force", "Gait", "Ground", "JointChoice", "Key", "KeysSetting", "MotionView", "Number", "Obstacle", "Profile",
    "ProjectView", "Running", "World",
]  # fmt: skip

Drive = Literal["free", "force", "motion"]


@dataclass(frozen=True)
class Choice:
    """Something to choose: a sample, an example, a format, a style. words : a line that says what it is."""

    name: str
    words: str = ""
    group: str = ""


@dataclass(frozen=True)
class JointChoice:
    """A type of joint, and which keys it has besides those of all."""

    type: str
    keys: tuple[str, ...]
    dofs: int


@dataclass(frozen=True)
class Number:
    """A number of a figure that a slider moves while it is simulated ("l_thigh.mass"). least, most : the slider's."""

    slot: str
    value: float
    least: float
    most: float
    unit: str


@dataclass(frozen=True)
class DofView:
    """A degree of freedom. value : its coordinate [rad or m] (a turn's: of its rotation vector), rate : its velocity.

    lower, upper : limits, None where there is none. drive : what moves it; a control is its function, if it has one.
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
    """A figure: `document` is the plain data of its figure.toml (links, joints, markers, loops, state), `text` that
    file, "" while a slider moves.

    poses : (links, 7) x y z, w x y z of every link in the world, in the state it starts in. connectivity : joints ×
    links. appearance : as `formats/pages/appearance.py` has it, without the skin; None: it looks as it did. notes :
    what is worth knowing (a middle angle near 90°, no mass).
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
    """A motion: its buffer is at `address`. kind : what made it."""

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
    """Where the camera stands and what it looks at. mode : it follows the figure or stays. field [degrees]."""

    eye: Vector = (4.0, -4.0, 2.0)
    target: Vector = (0.0, 0.0, 1.0)
    mode: Literal["orbit", "follow", "fixed"] = "follow"
    field: float = 40.0


@dataclass(frozen=True)
class CameraKey:
    """The camera at a time of the timeline [s]."""

    time: float
    camera: Camera


@dataclass(frozen=True)
class Ground:
    """What figures stand on. slope [rad] rises along x; seed, height [m], size [m] are of rough ground and stairs."""

    kind: Literal["none", "flat", "slope", "rough", "stairs", "waves"] = "flat"
    slope: float = 0.0
    height: float = 0.03
    size: float = 0.6
    seed: int = 0
    friction: float = 0.8


@dataclass(frozen=True)
class Obstacle:
    """A solid that stands in the world. size : a box's edges, a ball's radius, a capsule's radius, length."""

    name: str
    kind: Literal["box", "ball", "capsule"]
    size: tuple[float, ...]
    position: Vector
    attitude: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class World:
    """What all figures share. dt : [s] of a step. rate : frames a second of motions."""

    gravity: Vector = (0.0, 0.0, -9.81)
    ground: Ground = field(default_factory=Ground)
    obstacles: tuple[Obstacle, ...] = ()
    contact: Literal["compliant", "convex", "impulsive"] = "compliant"
    dt: float = 1e-3
    rate: float = 100.0


@dataclass(frozen=True)
class Force:
    """A force on a link [N] or, if moment, a moment [N m]. axes : whose direction it has. point : in the link [m].

    It acts from start to end [s]; end None: as long as there is time.
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
    """What a degree of freedom does over time: a spline through times and values, or a formula of t as text.

    of : what the function says; position, velocity and acceleration drive by motion, force by force.
    """

    of: Literal["position", "velocity", "acceleration", "force"]
    times: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    formula: str = ""


@dataclass(frozen=True)
class Key:
    """A pose at a time: values of degrees of freedom by name [rad or m]; all of them if it holds the whole pose."""

    time: float
    values: dict[str, float]


@dataclass(frozen=True)
class KeysSetting:
    """How the motion goes from key to key."""

    ends: Literal["natural", "clamped", "periodic"] = "natural"
    turned: Literal["log", "squad"] = "log"


@dataclass(frozen=True)
class DeterminantSetting:
    """One of the six determinants [rad; lateral: m]. timing : [cycles] later."""

    amplitude: float
    lower: float
    upper: float
    timing: float = 0.0
    on: bool = True


@dataclass(frozen=True)
class Gait:
    """The three levels of gait. words : a script ("walk happily; turn left"), instead of the rest if not empty.

    velocity [m/s], step_length [m], step_frequency [steps/min] : any one or two, or none. method : "" chooses.
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
    """Forces of one degree of freedom over time [N m or N], as an edited curve: a spline through times and values."""

    dof: str
    times: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Running:
    """A task on its way. total 0: nobody knows how long."""

    task: int
    what: str
    done: float = 0.0
    total: float = 0.0


@dataclass(frozen=True)
class ProjectView:
    """All that is open, without the figures' contents. undo, redo : what would be undone or done again, or "".

    surroundings : {ground, things} of the world, as motion buffers have them.
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
