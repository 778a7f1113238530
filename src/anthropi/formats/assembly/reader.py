"""assembly.toml → assembly."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from anthropi.algebra import rotation as rot
from anthropi.constraints.assembly import Assembly, Body
from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.assembly.schema import BodyTable, ConstraintTable, Document, FeatureTable
from anthropi.formats.assembly.types import FEATURES, TYPES
from anthropi.formats.files import naming
from anthropi.formats.toml.joints import placed
from anthropi.formats.toml.links import link_of
from anthropi.formats.toml.reader import load_toml, read_words
from anthropi.formats.toml.schema import LinkTable

__all__ = ["parse", "read"]


def read(path: str | os.PathLike) -> Assembly:
    """Which assembly does an assembly.toml hold?"""
    return parse(read_words(path), Path(path).name, Path(path).parent)


def parse(words: str, name: str = "assembly.toml", folder: Path | None = None) -> Assembly:
    """`read`, of text; `name` is what errors call it."""
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
        raise FormatError(f"{where} starts at {place.origin.tolist()} m. Give places within a million kilometres.")
    return Body(table.name, place.origin, np.array(q, float), shapes, table.fixed)


def _constraint(table: ConstraintTable, made: dict[str, Any], where: str):
    if table.type not in TYPES:
        raise FormatError(f"{where} has the type '{table.type[:40]}'.{did_you_mean(table.type, TYPES)} Types: "
                          f"{', '.join(TYPES)}.")  # fmt: skip
    kind = TYPES[table.type]
    given = {k: v for k, v in table if v is not None and k not in ("name", "type", "a", "b")}
    for key in given:
        if key not in kind.keys:
            own = ", ".join(("a", "b", *kind.keys))
            raise FormatError(f"{where}: a {table.type} has no '{key}'. It has: {own}.")
    for key in kind.needs:
        if key not in given:
            raise FormatError(f"{where}: a {table.type} needs '{key}'. Add it.")
    features = [
        _feature(f, k, made, f"{where}, {end}") for f, k, end in ((table.a, kind.a, "a"), (table.b, kind.b, "b"))
    ]
    if "teeth" in given:
        given["teeth"] = tuple(given["teeth"])
    return kind.make(*features, **given, name=table.name)


def _feature(table: FeatureTable | str, kind: str, made: dict[str, Any], where: str):
    """A feature of a kind, or for gears and racks a joint by name."""
    if kind == "joint" or isinstance(table, str):
        if kind != "joint" or not isinstance(table, str):
            wanted = (
                "the name of a joint" if kind == "joint" else f"a table with body and {' or '.join(FEATURES[kind])}"
            )
            raise FormatError(f"{where}: give {wanted}.")
        if table not in made:
            raise FormatError(f"{where}: no joint '{table[:80]}' before it.{did_you_mean(table, made)} Put joints "
                              "before the gears and racks that tie them.")  # fmt: skip
        return made[table]
    given = {k: v for k, v in table if v is not None and k != "body"}
    for make, keys, needed in FEATURES[kind].values():
        if set(given) <= set(keys) and set(needed) <= set(given):
            return make(table.body, **{k: v if k == "radius" else tuple(v) for k, v in given.items()})
    choices = "; ".join(f"{name}: {', '.join(keys)}" for name, (_, keys, _) in FEATURES[kind].items())
    words = f"has {', '.join(given)}" if given else "says nothing but its body"
    raise FormatError(f"{where} {words}. Give {choices}.")


def _explained(error: ValidationError, raw, name: str) -> str:
    """The first complaint, by the names in the file: constraint 'hinge' a at: …"""
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
    message = {"extra_forbidden": "no such key" + hint, "missing": "is missing. Add it",
               "finite_number": "must be a finite number"}.get(first["type"], first["msg"][:200])  # fmt: skip
    more = f" ({count - 1} more complaints after it.)" if count > 1 else ""
    return f"{name}: {' '.join(where)}: {message}. See docs/assembly.md for what an assembly.toml holds.{more}"
