"""What an assembly.toml may say, as pydantic models: finite numbers, no key nobody knows. SI units, radians."""

from typing import Annotated, Any, Literal

from pydantic import Field

from anthropi.formats.toml.schema import Name, Place, ShapeTable
from anthropi.formats.toml.schema import _Table as Table

__all__ = ["FORMAT", "BodyTable", "ConstraintTable", "Document", "FeatureTable", "schema"]

FORMAT = "anthropi assembly 1"

Length = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
Places = Annotated[list[Length], Field(min_length=3, max_length=3)]


class FeatureTable(Table):
    """Something of a body: a point, a line, a plane, a round surface, by the keys that are given."""

    body: str = Field("", description="its name; left out: the world")
    at: Places | None = Field(None, description="a point of it [m], in the body's frame")
    along: Places | None = Field(None, description="the direction of a line, or the z axis of a frame")
    normal: Places | None = Field(None, description="of a plane, out of the body")
    x: Places | None = Field(None, description="what the x axis of a frame is nearest to")
    radius: Annotated[float, Field(allow_inf_nan=False, gt=0.0, le=1e9)] | None = Field(None, description="[m]")


class ConstraintTable(Table):
    """Something that must be true between two features; for gears and racks, between two joints by name."""

    name: Name
    type: str
    a: FeatureTable | str
    b: FeatureTable | str
    distance: Length | None = Field(None, description="[m]")
    angle: Annotated[float, Field(allow_inf_nan=False, gt=0.0, lt=3.15)] | None = Field(None, description="[rad]")
    sense: Literal["same", "opposite", "either"] | None = None
    inside: bool | None = Field(None, description="tangent: the smaller is in the larger")
    pitch: Length | None = Field(None, description="screw [m/rad]")
    start: Length | None = Field(None, description="screw, rack: the slide [m] at no turn")
    radius: Length | None = Field(None, description="rack and pinion: of the pinion [m]")
    teeth: Annotated[list[Annotated[int, Field(ge=-100_000, le=100_000)]], Field(min_length=2, max_length=2)] | None = (
        None
    )
    phase: Length | None = Field(None, description="gear [rad]")


class BodyTable(Place):
    """A body: its shapes, and where it starts."""

    name: Name
    fixed: bool = Field(False, description="it stays where it starts")
    shape: Annotated[list[ShapeTable], Field(max_length=1000)] = Field(default_factory=list)


class Document(Table):
    """An assembly.toml."""

    format: Literal["anthropi assembly 1"]
    name: Name
    body: Annotated[list[BodyTable], Field(min_length=1, max_length=5000)]
    constraint: Annotated[list[ConstraintTable], Field(max_length=20_000)] = Field(default_factory=list)


def schema() -> dict[str, Any]:
    """The JSON schema of an assembly.toml, for editors that complete and check while one types."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
