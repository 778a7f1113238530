"""Schema of a figure.toml, as pydantic models that reject unknown keys and numbers that are not finite.

All values are in SI units, angles in radians.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

__all__ = [
    "FORMAT",
    "CouplingTable",
    "CurveAxisTable",
    "Document",
    "JointTable",
    "LinkTable",
    "LoopTable",
    "MarkerTable",
    "PartTable",
    "Place",
    "ShapeTable",
    "StateTable",
    "StopTable",
    "schema",
]

FORMAT = "anthropi figure 1"

Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(allow_inf_nan=False, gt=0.0)]
Rated = Annotated[float, Field(allow_inf_nan=True, ge=0.0)]
Vector = Annotated[list[Finite], Field(min_length=3, max_length=3)]
Matrix = Annotated[list[Vector], Field(min_length=3, max_length=3)]
Name = Annotated[str, Field(min_length=1)]


def _listed(value: Any) -> Any:
    """Turn a single number into a list of one number."""
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _shown(item: dict[Any, Any]) -> WithJsonSchema:
    return WithJsonSchema({"anyOf": [item, {"type": "array", "items": item}]})


Values = Annotated[list[Finite], BeforeValidator(_listed), _shown({"type": "number"})]
Limits = Annotated[
    list[Annotated[float, Field(allow_inf_nan=True)]], BeforeValidator(_listed), _shown({"type": "number"})
]


class Table(BaseModel):
    """Base class of all tables. It rejects unknown keys and implicit conversions."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class AngleAxis(Table):
    """A rotation by an angle [rad] about an axis."""

    angle: Finite
    axis: Vector


class EulerAngles(Table):
    """Three successive rotations [rad] about the rotated axes given by `order`, for example "zyx"."""

    order: str
    angles: Vector


class Place(Table):
    """The pose of a frame: an origin [m], and a rotation in one parametrisation. By default there is no rotation."""

    origin: Vector | None = None
    rotation: Matrix | None = Field(None, description="rotation matrix from this frame to the outer frame, row by row")
    quaternion: Annotated[list[Finite], Field(min_length=4, max_length=4)] | None = Field(
        None, description="w, x, y, z"
    )
    rotation_vector: Vector | None = None
    angle_axis: AngleAxis | None = None
    euler: EulerAngles | None = None


class ShapeTable(Place):
    """A shape of a link, for display, contact and inertia."""

    kind: Literal["box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"]
    size: Annotated[list[Finite], Field(min_length=1, max_length=3)]
    name: str = ""
    file: str = ""
    colour: Annotated[list[Finite], Field(min_length=3, max_length=4)] | None = None
    density: Positive | None = Field(None, description="density [kg/m³] of this shape, instead of the link's")
    mass: Positive | None = None


class LinkTable(Table):
    """A rigid body. Its inertia is given by mass, centre and tensor, or by a size or shapes with a density or mass."""

    name: Name
    mass: Annotated[float, Field(allow_inf_nan=False, ge=0.0)] | None = Field(None, description="mass [kg]")
    centre: Vector | None = Field(None, description="centre of mass in the link's frame [m]")
    tensor: Matrix | Vector | None = Field(
        None, description="inertia tensor about the centre of mass [kg m²]: three rows, or the diagonal"
    )
    size: Vector | None = Field(
        None, description="a box from the joint outwards: length (x), height (y), width (z) [m]"
    )
    density: Positive | None = Field(
        None, description="density [kg/m³] of the box given by `size`, and of shapes without a density"
    )
    shape: list[ShapeTable] = []


class StopTable(Table):
    """A spring at the ends of a joint's range (docs/equations/thesis.md, section 8.7).

    It becomes the stop of the joint (`Joint.stop`), and acts in every simulation of the figure.
    """

    type: Literal["linear", "exponential", "power"]
    k: Finite
    c: Finite | None = None
    n: Finite | None = None
    zone: Positive | None = None
    gate: Literal["direction", "smooth", "none"] = "direction"


class PolynomialTable(Table):
    """A sum of terms: each a coefficient, and a power of each coordinate."""

    powers: list[list[Annotated[int, Field(ge=0)]]]
    coefficients: list[Finite]


class PiecewiseTable(Table):
    """Polynomials between knots: rows of coefficients of 1, x - knot, (x - knot)² … before, between and after them."""

    knots: Annotated[list[Finite], Field(min_length=1)]
    coefficients: list[list[Finite]]


class SineTable(Table):
    """offset + sine · sin φ + cosine · cos φ, where φ is the phase plus the sum of frequency · coordinate."""

    frequency: list[Finite]
    phase: Finite = 0.0
    sine: Finite = 1.0
    cosine: Finite = 0.0
    offset: Finite = 0.0


class CurveAxisTable(Table):
    """An axis of a custom joint, and the curve that gives the angle [rad] about it or the length [m] along it."""

    axis: Vector | str
    of: list[Name] = Field([], description="the coordinates that are the arguments of the curve")
    polynomial: PolynomialTable | None = None
    piecewise: PiecewiseTable | None = None
    sine: SineTable | None = None


class PartTable(Place):
    """A joint, or a part of a composite joint."""

    name: Name
    type: str
    axis: Vector | str | None = None
    order: str | None = Field(None, description="euler: one of the twelve axis orders, such as xyz")
    pitch: Finite | None = Field(None, description="helical: pitch [m/rad]")
    axes: Annotated[list[Vector | str], Field(min_length=2, max_length=2)] | None = Field(
        None, description="universal: the two axes"
    )
    coordinates: list[Name] | None = Field(None, description="custom: names of the coordinates")
    lengths: list[bool] | None = Field(None, description="custom: which coordinates are lengths [m]")
    rotations: list[CurveAxisTable] = []
    translations: list[CurveAxisTable] = []
    lower: Limits | None = None
    upper: Limits | None = None
    stiffness: Values | None = None
    rest: Values | None = None
    damping: Values | None = None
    armature: Values | None = None
    effort: Rated | None = Field(None, description="largest force of the joint's drive [N m or N]")
    velocity: Rated | None = Field(None, description="largest speed of the joint's drive [rad/s or m/s]")
    backward: bool = Field(False, description="whether parent and child are swapped, as after changing the root")
    locked: Values | None = Field(None, description="the coordinates at which the joint is locked")
    part: list["PartTable"] = []


class JointTable(PartTable):
    """A joint and the links that it connects. Without a parent, it connects its child to the world."""

    parent: str = ""
    child: Name
    stop: StopTable | None = None


class MarkerTable(Table):
    """A marker on a link: a point [m] or a direction, in the link's frame."""

    name: Name
    link: Name
    point: Vector | None = None
    direction: Vector | None = None


def _no_place() -> Place:
    return Place.model_validate({})


class LoopTable(Table):
    """A loop closure between frames on two links, or on a link and the world ("").

    value : the distance, angle, height or place that the closure prescribes.
    """

    name: Name
    kind: Name
    link_a: str
    link_b: str
    at_a: Place = Field(default_factory=_no_place)
    at_b: Place = Field(default_factory=_no_place)
    value: Values = []


class CouplingTable(Table):
    """A coupling of two coordinates: dof = c0 + c1 source + c2 source² + …, with the coefficients c0, c1, c2, …

    It can also be a curve as in custom joints: piecewise, or a sine.
    """

    name: Name
    dof: Name
    source: Name
    coefficients: Annotated[list[Finite], Field(min_length=1)] | None = None
    piecewise: PiecewiseTable | None = None
    sine: SineTable | None = None


class StateTable(Table):
    """The initial state by joint. Joints without values start in their neutral configuration and at rest."""

    position: dict[str, Values] = {}
    velocity: dict[str, Values] = {}
    acceleration: dict[str, Values] = {}


class Document(Table):
    """The content of a figure.toml."""

    format: Literal["anthropi figure 1"]
    name: Name
    root: str | None = None
    gravity: Vector = [0.0, 0.0, -9.81]
    link: Annotated[list[LinkTable], Field(min_length=1)]
    joint: list[JointTable] = []
    marker: list[MarkerTable] = []
    loop: list[LoopTable] = []
    coupling: list[CouplingTable] = []
    state: StateTable = StateTable()


def schema() -> dict[str, Any]:
    """Return the JSON schema of a figure.toml, which editors use for completion and checks."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
