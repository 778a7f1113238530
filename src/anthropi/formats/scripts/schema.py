"""Schema of a script as pydantic models: finite numbers, no unknown keys. SI units; angles in the unit `angles`."""

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
TAGS = ("number", "formula", "table", "list", "text", "joints")  # branches of unions

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

    keys: Keys | None = Field(None, description="[time, value], …")
    ends: Literal["natural", "clamped", "periodic"] | None = Field(None, description="of the spline")
    period: Positive | None = Field(None, description="of the series [s]")
    mean: Number | None = None
    cosine: Annotated[list[Number], Field(max_length=1000)] | None = Field(
        None, description="of 1, 2, … times a period"
    )
    sine: Annotated[list[Number], Field(max_length=1000)] | None = None


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "table"
    return "formula" if isinstance(value, str) else "number"


Function = Annotated[
    Annotated[Number, Tag("number")] | Annotated[str, Tag("formula")] | Annotated[FunctionTable, Tag("table")],
    Discriminator(_kind),
]


def _dotted(value: Any) -> Any:
    """Join dotted names: without quotes TOML reads l_hip.x = 1 as a table l_hip; here it is a degree of freedom."""
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
    """A person."""

    height: Number = Field(1.75, description="[m]")
    mass: Number = Field(75.0, description="[kg]")
    sex: str = Field("m", description="m or f")
    detail: str = "standard"


class BodyTable(Table):
    """A free rigid body of one shape about its centre."""

    kind: Literal["box", "sphere", "cylinder", "capsule", "ellipsoid"]
    size: Annotated[list[Positive], Field(min_length=1, max_length=3)] = Field(description="[m], as of shapes")
    mass: Positive | None = Field(None, description="[kg]")
    density: Positive | None = Field(None, description="[kg/m³], 1000 if no mass is given")
    colour: Annotated[list[Number], Field(min_length=3, max_length=4)] | None = None


class FigureTable(Place):
    """A figure: one of human, sample, file, body; the place of its root; its initial pose and velocities."""

    name: str = Field("", max_length=80)
    human: HumanTable | None = None
    sample: Name | None = None
    file: Name | None = Field(None, description=".toml, .urdf, .xml; within the script's folder")
    body: BodyTable | None = None
    options: dict[str, float | int | str | bool] = Field(default_factory=dict, description="of the sample or file")
    pose: Literal["start", "neutral", "standing"] = Field("start", description="start: as in the file")
    position: Joints = Field(default_factory=dict, description="of joints or degrees of freedom")
    velocity: Joints = Field(default_factory=dict)


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
    """Contact parameters of all surfaces, and of pairs."""

    pair: Annotated[list[PairTable], Field(max_length=1000)] = Field(default_factory=list)


class GroundTable(Table):
    """The ground: a plane, which may slope; heights on a grid, by numbers or by a formula of x and y; or none."""

    kind: Literal["plane", "heights", "none"] = "plane"
    point: Vector | None = None
    normal: Vector | None = None
    slope: Number | None = Field(None, description="angle by which the plane falls")
    towards: Two | None = Field(None, description="x, y: downhill")
    heights: Annotated[list[Annotated[list[Number], Field(max_length=4096)]], Field(max_length=4096)] | None = None
    formula: str | None = Field(None, description="height over x and y [m]")
    low: Two | None = Field(None, description="corner x, y [m]")
    high: Two | None = None
    spacing: Positive | None = Field(None, description="of nodes [m]")
    smooth: bool | None = None


class SceneTable(Table):
    """The scene: ground, obstacles, contact, limits."""

    gravity: Vector | None = None
    features: Annotated[
        Annotated[str, Tag("text")] | Annotated[Names, Tag("list")],
        Discriminator(lambda x: "list" if isinstance(x, list) else "text"),
    ] = Field("all", description="all, feet, or names of links, markers, features")
    touching: Annotated[list[Annotated[list[Name], Field(min_length=2, max_length=2)]], Field(max_length=1000)] = Field(
        default_factory=list, description="pairs of links that may touch each other, * for any"
    )
    edges: bool = Field(True, description="whether edges of boxes touch other boxes, besides corners")
    ground: GroundTable = Field(default_factory=lambda: GroundTable.model_validate({}))


class MovingTable(Table):
    """The motion of an obstacle: translation along x, y, z [m] from its origin, and rotation about an axis."""

    x: Function = 0.0
    y: Function = 0.0
    z: Function = 0.0
    turn: Function = 0.0
    axis: Vector = Field(default_factory=lambda: [0.0, 0.0, 1.0])


class ObstacleTable(Place):
    """A surface in the world."""

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
    """A controller that acts from the start."""

    kind: str
    name: str = Field("", max_length=80)
    figure: str | None = None
    joints: Names | None = None
    target: Target | None = None
    kp: NotNegative | None = Field(None, description="[N m/rad or N/m]")
    kd: NotNegative | None = Field(None, description="[N m s/rad or N s/m]")
    limit: Positive | None = Field(None, description="[N m or N]")
    force: Functions | None = Field(None, description="[N m or N]")
    position: Functions | None = None
    velocity: Functions | None = None
    acceleration: Functions | None = None
    by: Literal["motion", "force"] | None = None
    gains: Annotated[list[NotNegative], Field(min_length=2, max_length=2)] | None = None
    begin: Time | None = Field(None, description="[s]")
    end: Time | None = Field(None, description="[s]")


class CommandTable(Table):
    """An event at a time."""

    at: Time
    kind: str
    name: str = Field("", max_length=80)
    figure: str | None = None
    link: Name | None = None
    force: Amount | None = Field(None, description="[N], three numbers, or one along `direction`")
    impulse: Amount | None = Field(None, description="[N s]")
    direction: Vector | None = None
    point: Vector | None = Field(None, description="in the link frame [m]; default: its centre of mass")
    frame: Literal["world", "link"] | None = None
    duration: Time | None = Field(None, description="[s]; default: one step")
    joints: Names | None = None
    target: Target | None = None
    kp: NotNegative | None = None
    kd: NotNegative | None = None
    limit: Positive | None = None
    over: Time | None = Field(None, description="[s] in which the target is reached")


class RecordTable(Table):
    """Recorded channels and frames."""

    channels: Annotated[list[Name], Field(max_length=20)] | None = None
    rate: Positive | None = Field(None, description="frames per second; default 100")
    every: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(None, description="steps between two frames")


class RunTable(Table):
    """Duration, time step and integrator."""

    duration: Annotated[float, Field(allow_inf_nan=False, gt=0.0, le=1e6)] = Field(description="[s]")
    dt: Annotated[float, Field(allow_inf_nan=False, ge=1e-9, le=1.0)] = Field(1e-3, description="[s]")
    method: Name | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 32)] = 0
    conserve: bool = False


class Document(Table):
    """A script."""

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
    """The JSON schema of a script, for completion and checks in editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
