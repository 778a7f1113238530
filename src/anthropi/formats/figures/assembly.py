"""The format assembly.toml: bodies and the constraints between them. SI units, angles in radians.

`TYPES` lists the types of constraints; to add a type, add an entry. The schema is a set of pydantic models, which
reject unknown keys and numbers that are not finite. An assembly is written with its bodies in their initial or solved
poses. All numbers are read back bit for bit.
"""

import os
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, Field, ValidationError

from anthropi.algebra import rotation as rot
from anthropi.constraints import mates
from anthropi.constraints.assembly import Assembly, Body, Solved
from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.figures.toml.parts import link_of, placed
from anthropi.formats.figures.toml.reader import load_toml, read_words
from anthropi.formats.figures.toml.schema import LinkTable, Name, Place, ShapeTable, Table
from anthropi.formats.figures.toml.writer import block, value_text
from anthropi.formats.files import naming, write_text

__all__ = [
    "FEATURES",
    "FORMAT",
    "TYPES",
    "BodyTable",
    "ConstraintTable",
    "Document",
    "FeatureTable",
    "Type",
    "parse",
    "read",
    "schema",
    "text",
    "write",
]


class Type(NamedTuple):
    """A type of constraint: its class, the kinds of its features a and b ("" for none), its keys, the required keys."""

    make: Any
    a: str
    b: str
    keys: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


FEATURES: dict[str, dict[str, tuple[Any, tuple[str, ...], tuple[str, ...]]]] = {  # kind: {name: (class, keys, needed)}
    "point": {"a point": (mates.Point, ("at",), ())},
    "direction": {"a direction": (mates.Direction, ("along",), ("along",))},
    "axis": {"an axis": (mates.Axis, ("at", "along"), ())},
    "frame": {"a frame": (mates.Frame, ("at", "along", "x"), ())},
    "axis or frame": {
        "a frame": (mates.Frame, ("at", "along", "x"), ("x",)),
        "an axis": (mates.Axis, ("at", "along"), ()),
    },
    "plane": {"a plane": (mates.Plane, ("at", "normal"), ())},
    "surface": {
        "a rod": (mates.Rod, ("at", "along", "radius"), ("along", "radius")),
        "a sphere": (mates.Sphere, ("at", "radius"), ("radius",)),
        "a plane": (mates.Plane, ("at", "normal"), ("normal",)),
    },
}

TYPES = {
    "coincident": Type(mates.Coincident, "point", "point"),
    "point_on_line": Type(mates.OnLine, "point", "axis"),
    "point_on_plane": Type(mates.OnPlane, "point", "plane", ("distance",)),
    "line_in_plane": Type(mates.InPlane, "axis", "plane", ("distance",)),
    "concentric": Type(mates.Concentric, "axis", "axis", ("sense",)),
    "coplanar": Type(mates.Coplanar, "plane", "plane", ("distance", "sense")),
    "parallel": Type(mates.Parallel, "direction", "direction", ("sense",)),
    "perpendicular": Type(mates.Perpendicular, "direction", "direction"),
    "angle": Type(mates.Angle, "direction", "direction", ("angle",), ("angle",)),
    "distance": Type(mates.Distance, "point", "point", ("distance",), ("distance",)),
    "tangent": Type(mates.Tangent, "surface", "surface", ("inside",)),
    "equal_orientation": Type(mates.EqualOrientation, "frame", "frame"),
    "fixed": Type(mates.Fixed, "frame", "frame"),
    "ball": Type(mates.Ball, "point", "point"),
    "hinge": Type(mates.Hinge, "axis or frame", "axis or frame"),
    "slider": Type(mates.Slider, "frame", "frame"),
    "cylinder": Type(mates.Cylinder, "axis or frame", "axis or frame", ("sense",)),
    "universal": Type(mates.Universal, "axis", "axis"),
    "constant_velocity": Type(mates.ConstantVelocity, "axis or frame", "axis or frame"),
    "planar": Type(mates.Planar, "plane", "plane", ("distance", "sense")),
    "screw": Type(mates.Screw, "axis or frame", "axis or frame", ("pitch", "start"), ("pitch",)),
    "gear": Type(mates.Gear, "joint", "joint", ("teeth", "phase"), ("teeth",)),
    "rack_and_pinion": Type(mates.Rack, "joint", "joint", ("radius", "start"), ("radius",)),
    "limit": Type(mates.Limit, "joint", "", ("lower", "upper", "motion")),
}


FORMAT = "anthropi assembly 1"

Length = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
Places = Annotated[list[Length], Field(min_length=3, max_length=3)]


class FeatureTable(Table):
    """A feature of a body: a point, line, plane or round surface, depending on the keys given."""

    body: str = Field("", description="name of the body; the world if left out")
    at: Places | None = Field(None, description="a point of the feature [m], in the body's frame")
    along: Places | None = Field(None, description="the direction of a line, or the z axis of a frame")
    normal: Places | None = Field(None, description="normal of a plane, pointing out of the body")
    x: Places | None = Field(None, description="direction nearest to the x axis of a frame")
    radius: Annotated[float, Field(allow_inf_nan=False, gt=0.0, le=1e9)] | None = Field(None, description="radius [m]")


class ConstraintTable(Table):
    """A constraint between two features. Gears and racks connect two joints, given by name, instead."""

    name: Name
    type: str
    a: FeatureTable | str
    b: FeatureTable | str | None = None
    distance: Length | None = Field(None, description="distance [m]")
    angle: Annotated[float, Field(allow_inf_nan=False, gt=0.0, lt=3.15)] | None = Field(None, description="angle [rad]")
    sense: Literal["same", "opposite", "either"] | None = None
    inside: bool | None = Field(None, description="tangent: whether the smaller surface is inside the larger")
    pitch: Length | None = Field(None, description="screw: pitch [m/rad]")
    start: Length | None = Field(None, description="screw, rack and pinion: displacement [m] at rotation 0")
    radius: Length | None = Field(None, description="rack and pinion: radius of the pinion [m]")
    teeth: Annotated[list[Annotated[int, Field(ge=-100_000, le=100_000)]], Field(min_length=2, max_length=2)] | None = (
        None
    )
    phase: Length | None = Field(None, description="gear: phase [rad]")
    lower: Length | None = Field(None, description="limit: lower bound [rad or m]")
    upper: Length | None = Field(None, description="limit: upper bound [rad or m]")
    motion: Literal["rotation", "translation"] | None = None


class BodyTable(Place):
    """A body: its shapes and initial pose."""

    name: Name
    fixed: bool = Field(False, description="whether the body cannot move")
    shape: Annotated[list[ShapeTable], Field(max_length=1000)] = Field(default_factory=list)


class Document(Table):
    """The content of an assembly.toml."""

    format: Literal["anthropi assembly 1"]
    name: Name
    body: Annotated[list[BodyTable], Field(min_length=1, max_length=5000)]
    constraint: Annotated[list[ConstraintTable], Field(max_length=20_000)] = Field(default_factory=list)


def schema() -> dict[str, Any]:
    """Return the JSON schema of an assembly.toml, which editors use for completion and checks."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}


def read(path: str | os.PathLike[str]) -> Assembly:
    """Read an assembly from an assembly.toml."""
    return parse(read_words(path), Path(path).name, Path(path).parent)


def parse(words: str, name: str = "assembly.toml", folder: Path | None = None) -> Assembly:
    """Read an assembly from the text of an assembly.toml.

    words : the text. name : the file name for error messages. folder : the folder of the mesh files it refers to.
    """
    raw = load_toml(words, name)
    with naming(name):
        try:
            found = Document.model_validate(raw)
        except ValidationError as error:
            raise FormatError(_explained(error, raw, name)) from None
        bodies = [_body(b, name, folder or Path()) for b in found.body]
        made: dict[str, Any] = {}
        for table in found.constraint:
            if table.name in made:
                raise FormatError(f"{name}: two constraints are called '{table.name[:80]}'. Give each its own name.")
            made[table.name] = _constraint(table, made, f"{name}: constraint '{table.name[:80]}'")
        return Assembly(bodies, made.values(), name=found.name)


def _body(table: BodyTable, file: str, folder: Path) -> Body:
    where = f"{file}: body '{table.name[:80]}'"
    shapes = link_of(LinkTable.model_validate({"name": table.name, "shape": table.shape}), file, folder).shapes
    place = placed(table, where)
    q = table.quaternion if table.quaternion is not None else rot.quaternion_from_matrix(place.rotation)
    if np.abs(place.origin).max() > 1e9:
        raise FormatError(f"{where} has the origin {place.origin.tolist()} m. Give coordinates of at most 1e9 m.")
    return Body(table.name, place.origin, np.array(q, float), shapes, table.fixed)


def _constraint(table: ConstraintTable, made: dict[str, Any], where: str):
    if table.type not in TYPES:
        raise FormatError(
            f"{where} has the unknown type '{table.type[:40]}'.{did_you_mean(table.type, TYPES)} "
            f"Types: {', '.join(TYPES)}."
        )
    kind = TYPES[table.type]
    given = {k: v for k, v in table if v is not None and k not in ("name", "type", "a", "b")}
    for key in given:
        if key not in kind.keys:
            own = ", ".join(("a", "b", *kind.keys))
            raise FormatError(f"{where}: the type {table.type} has no key '{key}'. Its keys: {own}.")
    for key in kind.needs:
        if key not in given:
            raise FormatError(f"{where}: the type {table.type} needs the key '{key}'. Add it.")
    if bool(kind.b) != (table.b is not None):
        what = "needs the key 'b'. Add it" if kind.b else "has no key 'b'. Remove it"
        raise FormatError(f"{where}: the type {table.type} {what}.")
    ends = [(table.a, kind.a, "a"), (table.b, kind.b, "b")] if table.b is not None else [(table.a, kind.a, "a")]
    features = [_feature(f, k, made, f"{where}, {end}") for f, k, end in ends]
    if "teeth" in given:
        given["teeth"] = tuple(given["teeth"])
    return kind.make(*features, **given, name=table.name)


def _feature(table: FeatureTable | str, kind: str, made: dict[str, Any], where: str):
    """Return the feature that a table describes; for gears, racks and limits, the constraint with this name."""
    if kind == "joint" or isinstance(table, str):
        if kind != "joint" or not isinstance(table, str):
            wanted = (
                "the name of a joint" if kind == "joint" else f"a table with body and {' or '.join(FEATURES[kind])}"
            )
            raise FormatError(f"{where}: give {wanted}.")
        if table not in made:
            raise FormatError(
                f"{where}: no joint '{table[:80]}' is defined before it.{did_you_mean(table, made)} Put joints "
                "before the gears, racks and limits that refer to them."
            )
        return made[table]
    given = {k: v for k, v in table if v is not None and k != "body"}
    for make, keys, needed in FEATURES[kind].values():
        if set(given) <= set(keys) and set(needed) <= set(given):
            return make(table.body, **{k: v if k == "radius" else tuple(v) for k, v in given.items()})
    choices = "; ".join(
        f"{name} ({', '.join(k if k in needed else f'{k} optional' for k in keys)})"
        for name, (_, keys, needed) in FEATURES[kind].items()
    )
    listed = " and ".join(", ".join(f"'{k}'" for k in given).rsplit(", ", 1))
    several = len(given) > 1
    listed = listed or "'body'"
    words = f"the keys {listed}, which match" if several else f"only the key {listed}, which matches"
    raise FormatError(f"{where} has {words} no allowed feature. Allowed: {choices}.")


def _explained(error: ValidationError, raw, name: str) -> str:
    """Return a message for the first validation error, with the names of items: "constraint 'hinge' a at: …"."""
    first, count = error.errors(include_url=False, include_input=False)[0], error.error_count()
    where, at = [], raw
    for step in first["loc"]:
        if isinstance(step, str) and step in ("FeatureTable", "str"):
            continue  # pydantic's name for one branch of a union
        known = step in at if isinstance(at, dict) else isinstance(at, list) and step in range(len(at))
        at = at[step] if known else None
        if isinstance(step, int) and isinstance(at, dict) and isinstance(at.get("name"), str):
            where.append(f"'{at['name'][:80]}'")
        else:
            where.append(f"[{step}]" if isinstance(step, int) else str(step)[:80])
    tables: dict[str, type[BaseModel]] = {"body": BodyTable, "constraint": ConstraintTable}
    table = tables.get(str(first["loc"][0]), Document)
    keys = {*table.model_fields, *(FeatureTable.model_fields if table is ConstraintTable else ())}
    hint = did_you_mean(str(first["loc"][-1]), keys).rstrip("?").replace(" Did you mean", ", did you mean")
    message = {
        "extra_forbidden": "no such key" + hint,
        "missing": "is missing. Add it",
        "finite_number": "must be a finite number",
    }.get(first["type"], first["msg"][:200])
    more = f" The file has {count - 1} more errors." if count > 1 else ""
    return f"{name}: {' '.join(where)}: {message}. See docs/assembly.md for the format.{more}"


NAMES = {kind.make: name for name, kind in TYPES.items()}
OPTIONAL = {
    "distance": 0.0,
    "start": 0.0,
    "phase": 0.0,
    "inside": False,
    "lower": -np.inf,
    "upper": np.inf,
}  # default values, which are not written


def write(assembly: Assembly | Solved, path: str | os.PathLike[str]) -> None:
    """Write an assembly as an assembly.toml. A solved assembly is written with its bodies in their solved poses."""
    write_text(path, text(assembly))


def text(assembly: Assembly | Solved) -> str:
    """Return the text of the assembly.toml of an assembly."""
    solved = assembly if isinstance(assembly, Solved) else None
    plain = solved.assembly if solved is not None else assembly
    if not isinstance(plain, Assembly) or plain.figure is not None:
        raise FormatError("An assembly.toml stores bodies in Cartesian coordinates. Save a figure with ap.save.")
    lines = [f"format = {value_text(FORMAT)}", f"name = {value_text(plain.name)}"]
    places = plain.coordinates.start() if solved is None else solved.x
    for body, x in zip(plain.bodies, places, strict=True):
        lines += ["", block(("body",), _writer_body(body, x)).rstrip("\n")]
    for c in plain.constraints:
        lines += ["", block(("constraint",), _writer_constraint(c, plain)).rstrip("\n")]
    return "\n".join(lines) + "\n"


def _writer_body(body, x) -> dict[str, Any]:
    item: dict[str, Any] = {"name": body.name, "origin": x[:3].tolist(), "quaternion": x[3:].tolist()}
    if body.fixed:
        item["fixed"] = True
    item["shape"] = []
    for s in body.shapes:
        q = rot.quaternion_from_matrix(s.placement.rotation)
        shape = {
            "kind": s.kind,
            "size": list(map(float, s.size)),
            "origin": np.asarray(s.placement.origin).tolist(),
            "rotation": np.asarray(s.placement.rotation).tolist(),
            "name": s.name,
            "file": s.file,
            "colour": list(map(float, s.colour)),
        }
        still = {"rotation": bool(np.abs(q[1:]).max() == 0.0), "origin": not np.any(s.placement.origin)}
        item["shape"].append({k: v for k, v in shape.items() if not still.get(k) and v not in ("", [])})
    return item


def _writer_constraint(c, assembly: Assembly) -> dict[str, Any]:
    if type(c) not in NAMES:
        raise FormatError(
            f"Constraint '{c.name}' is a {type(c).__name__}, which an assembly.toml cannot store. Use one of: "
            f"{', '.join(TYPES)}."
        )
    name = NAMES[type(c)]
    kind = TYPES[name]
    ends = {"angle": ("u", "v"), "distance": ("start", "end")}.get(name, ("a", "b"))
    item: dict[str, Any] = {"name": c.name, "type": name}
    for key, end in zip(("a", "b"), ends if kind.b else ends[:1], strict=False):
        feature = getattr(c, end)
        if kind.a == "joint":
            item[key] = _joint(feature, c, assembly)
            continue
        given = {
            k: v if k in ("body", "radius") else np.asarray(v, float).tolist() for k, v in feature._asdict().items()
        }
        item[key] = {k: v for k, v in given.items() if v != ""}
    for key in kind.keys:
        value = getattr(c, key)
        if key in kind.needs or value != OPTIONAL.get(key):
            item[key] = list(value) if key == "teeth" else value if isinstance(value, (str, bool)) else float(value)
    return item


def _joint(joint, c, assembly: Assembly) -> str:
    """Return the name of a joint in an assembly, which may have added a number to the original name."""
    for other in assembly.constraints:
        if other is joint or (type(other) is type(joint) and other.a is joint.a and other.b is joint.b):
            return other.name
    raise FormatError(f"'{c.name}' connects the joint '{joint.name}', which is not in the assembly. Add the joint.")
