"""Schema of a script, as pydantic models that reject unknown keys and numbers that are not finite.

All values are in SI units, except angles, which are in the unit given by the key `angles`.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from anthropi.formats.figures.toml.schema import Name, Place, Table, Values, Vector

__all__ = [
    "FORMAT",
    "BodyTable",
    "CommandTable",
    "ContactTable",
    "ControlTable",
    "Document",
    "FigureTable",
    "FunctionTable",
    "GroundTable",
    "LimitsTable",
    "MaterialTable",
    "MovingTable",
    "ObstacleTable",
    "PairTable",
    "RecordTable",
    "RunTable",
    "SceneTable",
    "schema",
]

FORMAT = "anthropi script 1"
TAGS = ("number", "formula", "table", "list", "text", "joints")  # names of the alternatives in union types

Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e12, le=1e12)]
NotNegative = Annotated[float, Field(allow_inf_nan=False, ge=0.0, le=1e12)]
Positive = Annotated[float, Field(allow_inf_nan=False, gt=0.0, le=1e12)]
Time = Annotated[float, Field(allow_inf_nan=False, ge=0.0, le=1e6)]
Numbers = Annotated[list[Number], Field(max_length=10_000)]
Names = Annotated[list[Name], Field(max_length=1000)]
Two = Annotated[list[Number], Field(min_length=2, max_length=2)]
Keys = Annotated[list[Two], Field(min_length=1, max_length=10_000)]


class FunctionTable(Table):
    """A function of time: a spline through keys, or a Fourier series."""

    keys: Keys | None = Field(None, description="spline: list of [time, value]")
    ends: Literal["natural", "clamped", "periodic"] | None = Field(None, description="spline: end conditions")
    period: Positive | None = Field(None, description="Fourier series: period [s]")
    mean: Number | None = Field(None, description="Fourier series: mean value")
    cosine: Annotated[list[Number], Field(max_length=1000)] | None = Field(
        None, description="Fourier series: cosine coefficients of the harmonics 1, 2, …"
    )
    sine: Annotated[list[Number], Field(max_length=1000)] | None = Field(
        None, description="Fourier series: sine coefficients of the harmonics 1, 2, …"
    )


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "table"
    return "formula" if isinstance(value, str) else "number"


Function = Annotated[
    Annotated[Number, Tag("number")] | Annotated[str, Tag("formula")] | Annotated[FunctionTable, Tag("table")],
    Discriminator(_kind),
]


def _dotted(value: Any) -> Any:
    """Join dotted names. TOML reads l_hip.x = 1 as a table l_hip, but in a script l_hip.x is a degree of freedom."""
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for name, x in value.items():
        if isinstance(x, dict) and x and not set(x) & set(FunctionTable.model_fields):
            found |= {f"{name}.{inner}": y for inner, y in x.items()}
        else:
            found[name] = x
    return found


Functions = Annotated[dict[str, Function], BeforeValidator(_dotted), Field(max_length=1000)]
Joints = Annotated[dict[str, Values], BeforeValidator(_dotted), Field(max_length=1000)]
Target = Annotated[
    Annotated[str, Tag("text")] | Annotated[Joints, Tag("joints")],
    Discriminator(lambda x: "text" if isinstance(x, str) else "joints"),
]
Amount = Annotated[
    Annotated[Number, Tag("number")] | Annotated[Vector, Tag("list")],
    Discriminator(lambda x: "list" if isinstance(x, list) else "number"),
]


class HumanTable(Table):
    """A human figure."""

    height: Number = Field(1.75, description="body height [m]")
    mass: Number = Field(75.0, description="body mass [kg]")
    sex: str = Field("m", description="m or f")
    detail: str = "standard"


class BodyTable(Table):
    """A free rigid body with a single shape, centred at its origin."""

    kind: Literal["box", "sphere", "cylinder", "capsule", "ellipsoid"]
    size: Annotated[list[Positive], Field(min_length=1, max_length=3)] = Field(
        description="sizes [m], as for the shapes of a link"
    )
    mass: Positive | None = Field(None, description="mass [kg]")
    density: Positive | None = Field(None, description="density [kg/m³]; 1000 if no mass is given")
    colour: Annotated[list[Number], Field(min_length=3, max_length=4)] | None = None


class FigureTable(Place):
    """A figure: its source (one of human, sample, file, body), the pose of its root, and its initial state."""

    name: str = Field("", max_length=80)
    human: HumanTable | None = None
    sample: Name | None = None
    file: Name | None = Field(None, description="a .toml, .urdf or .xml file in the script's folder")
    body: BodyTable | None = None
    options: dict[str, float | int | str | bool] = Field(
        default_factory=dict, description="options of the sample or file"
    )
    pose: Literal["start", "neutral", "standing"] = Field(
        "start", description="initial pose; start: the one in the file"
    )
    position: Joints = Field(default_factory=dict, description="initial positions of joints or degrees of freedom")
    velocity: Joints = Field(default_factory=dict, description="initial velocities of joints or degrees of freedom")


class MaterialNumbers(Table):
    """Contact parameters of a pair of surfaces."""

    friction: NotNegative | None = None
    restitution: NotNegative | None = None
    stiffness: Positive | None = None
    dissipation: NotNegative | None = None
    exponent: Positive | None = None


class PairTable(MaterialNumbers):
    """Contact parameters between two links, features, obstacles or the ground."""

    a: Name
    b: Name


class MaterialTable(MaterialNumbers):
    """Contact parameters of all surfaces, and of particular pairs of surfaces."""

    pair: Annotated[list[PairTable], Field(max_length=1000)] = Field(default_factory=list)


class GroundTable(Table):
    """The ground: a plane, which may slope; a height field, given by numbers or a formula of x and y; or none."""

    kind: Literal["plane", "heights", "none"] = "plane"
    point: Vector | None = None
    normal: Vector | None = None
    slope: Number | None = Field(None, description="angle by which the plane slopes down")
    towards: Two | None = Field(None, description="downhill direction x, y")
    heights: Annotated[list[Annotated[list[Number], Field(max_length=4096)]], Field(max_length=4096)] | None = None
    formula: str | None = Field(None, description="height [m] as a formula of x and y")
    low: Two | None = Field(None, description="corner x, y of the height field [m]")
    high: Two | None = Field(None, description="opposite corner x, y of a height field given by a formula [m]")
    spacing: Positive | None = Field(None, description="distance between grid nodes [m]")
    smooth: bool | None = None


class SceneTable(Table):
    """The scene: gravity, ground, and the parts of figures that can be in contact."""

    gravity: Vector | None = None
    features: Annotated[
        Annotated[str, Tag("text")] | Annotated[Names, Tag("list")],
        Discriminator(lambda x: "list" if isinstance(x, list) else "text"),
    ] = Field("all", description="contact features: all, feet, or names of links, markers or features")
    touching: Annotated[list[Annotated[list[Name], Field(min_length=2, max_length=2)]], Field(max_length=1000)] = Field(
        default_factory=list, description="pairs of links that may touch each other; * stands for any link"
    )
    edges: bool = Field(True, description="whether contacts between the edges of boxes are found, besides corners")
    ground: GroundTable = Field(default_factory=lambda: GroundTable.model_validate({}))


class MovingTable(Table):
    """The motion of an obstacle: translation along x, y, z [m] from its origin, and rotation about an axis."""

    x: Function = 0.0
    y: Function = 0.0
    z: Function = 0.0
    turn: Function = 0.0
    axis: Vector = Field(default_factory=lambda: [0.0, 0.0, 1.0])


class ObstacleTable(Place):
    """An obstacle: a surface in the world, which may move."""

    name: Name
    kind: Literal["plane", "sphere", "box", "capsule"]
    size: Annotated[list[Positive], Field(min_length=1, max_length=3)] | None = None
    moving: MovingTable | None = None
    material: MaterialNumbers | None = None


class ContactTable(Table):
    """The contact model and its parameters."""

    model: str = "compliant"
    depth: Positive | None = None
    relaxation: Positive | None = None
    calm: Positive | None = None
    tolerance: Positive | None = None
    passes: Annotated[int, Field(ge=1, le=10_000)] | None = None
    slow: NotNegative | None = None
    slop: NotNegative | None = None
    pull: NotNegative | None = None


class SpringTable(Table):
    """The force law of springs at joint limits."""

    law: Literal["linear", "power", "exponential"] = "power"
    k: Positive
    n: Positive | None = None
    c: Positive | None = None


class LimitsTable(Table):
    """The behaviour of joint limits."""

    kind: Literal["soft", "stiff", "hard", "stopping", "none"] = "soft"
    spring: SpringTable | None = None
    zone: Positive | None = None
    share: Positive | None = None
    gate: str | None = None
    damper: NotNegative | None = None
    factor: Positive | None = None
    wall: NotNegative | None = None
    settle: Positive | None = None
    restitution: NotNegative | None = None
    but: Names | None = Field(None, description="joints without limits")


class ControlTable(Table):
    """A controller of joints: "hold", "force", "motion" or "freeze"."""

    kind: str
    name: str = Field("", max_length=80)
    figure: str | None = None
    joints: Names | None = None
    target: Target | None = None
    kp: NotNegative | None = Field(None, description="proportional gain [N m/rad or N/m]")
    kd: NotNegative | None = Field(None, description="derivative gain [N m s/rad or N s/m]")
    limit: Positive | None = Field(None, description="largest joint force [N m or N]")
    force: Functions | None = Field(None, description="joint forces [N m or N]")
    position: Functions | None = None
    velocity: Functions | None = None
    acceleration: Functions | None = None
    by: Literal["motion", "force"] | None = None
    gains: Annotated[list[NotNegative], Field(min_length=2, max_length=2)] | None = None
    begin: Time | None = Field(None, description="start time [s]")
    end: Time | None = Field(None, description="end time [s]")


class CommandTable(Table):
    """A command at a given time: a push, or a change of joint targets or locks."""

    at: Time
    kind: str
    name: str = Field("", max_length=80)
    figure: str | None = None
    link: Name | None = None
    force: Amount | None = Field(None, description="force [N]: three numbers, or one number along `direction`")
    impulse: Amount | None = Field(None, description="impulse [N s]: three numbers, or one along `direction`")
    direction: Vector | None = None
    point: Vector | None = Field(None, description="point in the link frame [m]; default: its centre of mass")
    frame: Literal["world", "link"] | None = None
    duration: Time | None = Field(None, description="duration [s]; default for an impulse: one step")
    joints: Names | None = None
    target: Target | None = None
    kp: NotNegative | None = None
    kd: NotNegative | None = None
    limit: Positive | None = None
    over: Time | None = Field(None, description="time in which the target is reached [s]")


class RecordTable(Table):
    """Recorded channels and frames."""

    channels: Annotated[list[Name], Field(max_length=20)] | None = None
    rate: Positive | None = Field(None, description="frames per second; default 100")
    every: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(None, description="time steps between two frames")


class RunTable(Table):
    """Settings of the run: duration, time step and integrator."""

    duration: Annotated[float, Field(allow_inf_nan=False, gt=0.0, le=1e6)] = Field(description="duration [s]")
    dt: Annotated[float, Field(allow_inf_nan=False, ge=1e-9, le=1.0)] = Field(1e-3, description="time step [s]")
    method: Name | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 32)] = 0
    conserve: bool = False


class Document(Table):
    """The content of a script."""

    format: Literal["anthropi script 1"]
    name: Name
    angles: Literal["radians", "degrees"] = "radians"
    figure: Annotated[list[FigureTable], Field(min_length=1, max_length=100)]
    scene: SceneTable = Field(default_factory=lambda: SceneTable.model_validate({}))
    obstacle: Annotated[list[ObstacleTable], Field(max_length=200)] = Field(default_factory=list)
    contact: ContactTable = Field(default_factory=ContactTable)
    material: MaterialTable = Field(default_factory=MaterialTable)
    limits: LimitsTable | None = None
    control: Annotated[list[ControlTable], Field(max_length=1000)] = Field(default_factory=list)
    command: Annotated[list[CommandTable], Field(max_length=1000)] = Field(default_factory=list)
    record: RecordTable = Field(default_factory=lambda: RecordTable.model_validate({}))
    run: RunTable


def schema() -> dict[str, Any]:
    """Return the JSON schema of a script, which editors use for completion and checks."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
