"""Read a figure and its initial state from a figure.toml."""

import os
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Coupling, Direction, Figure, Joint, Link, Loop, Marker, Weld
from anthropi.figure.joints import JointStop
from anthropi.formats import limits
from anthropi.formats.figures.common import (
    InitialState,
    Reading,
    check_configuration,
    check_size,
    parents_first,
    rest_state,
)
from anthropi.formats.figures.toml.custom import function_of
from anthropi.formats.figures.toml.parts import joint_of, link_of, placed, with_stop
from anthropi.formats.figures.toml.scan import measure
from anthropi.formats.figures.toml.schema import (
    CouplingTable,
    Document,
    JointTable,
    LinkTable,
    LoopTable,
    MarkerTable,
    StateTable,
)
from anthropi.formats.files import naming, read_bytes

__all__ = ["document", "parse", "parse_data", "read", "read_state", "read_words"]


def read(path: str | os.PathLike[str]) -> Reading:
    """Read a figure.toml: figure, initial state, notes and stops."""
    return parse(read_words(path), Path(path).name, Path(path).parent)


def read_words(path: str | os.PathLike[str]) -> str:
    """Read a UTF-8 text file whose size is within the limit for TOML texts."""
    try:
        return read_bytes(path, "toml_bytes").decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{Path(path).name} is not UTF-8 text: {error}. Save it as UTF-8.") from None


def read_state(path: str | os.PathLike[str]) -> InitialState:
    """Read the initial position q (nq,), velocity u (nu,) and acceleration udot (nu,) of a figure.toml."""
    return read(path).state


def parse(words: str, name: str, folder: Path | None = None) -> Reading:
    """Read a figure from the text of a figure.toml.

    words : the text. name : the file name for error messages. folder : the folder of the mesh files it refers to.
    """
    with naming(name):
        return _reading(document(words, name), name, folder or Path())


def parse_data(data: dict[str, Any], name: str) -> Reading:
    """Read a figure from the plain data of a figure.toml, which are checked like the file.

    data : dictionaries, lists, numbers and texts, as `plain_copy` returns them. name : the name for error messages.
    """
    with naming(name):
        return _reading(_validated(data, name), name, Path())


def _reading(found: Document, name: str, folder: Path) -> Reading:
    figure = _figure(found, name, folder)
    stops = {j.name: j.stop.model_dump(exclude_none=True) for j in found.joint if j.stop is not None}
    return Reading(figure, _state(found.state, figure, name), (), stops)


def document(words: str, name: str) -> Document:
    """Parse and validate the content of a figure.toml."""
    return _validated(load_toml(words, name), name)


def _validated(raw: dict[str, Any], name: str) -> Document:
    try:
        return Document.model_validate(raw)
    except ValidationError as error:
        raise FormatError(_explained(error, raw, name)) from None


def load_toml(words: str, name: str) -> dict[str, Any]:
    """Parse TOML text. `name` is the file name for error messages."""
    deep = limits.current().toml_depth
    depth, items = measure(words, deep)
    if depth > deep:
        raise limits.exceeded(name, "toml_depth", "brackets or keys are nested too deeply. Use fewer levels")
    limits.check(name, "toml_items", items, "keys and brackets")
    try:
        return tomllib.loads(words)
    except (ValueError, RecursionError) as error:  # ValueError: TOMLDecodeError, or a number with thousands of digits
        raise FormatError(f"{name} is not valid TOML: {str(error)[:200]}. Correct the file at this place.") from None


def _explained(error: ValidationError, raw, name: str) -> str:
    """Return a message for the first validation error, with the names of items: "link 'thigh' mass: …"."""
    first, count = error.errors(include_url=False, include_input=False)[0], error.error_count()
    where, at = [], raw
    for step in first["loc"]:
        known = step in at if isinstance(at, dict) else isinstance(at, list) and step in range(len(at))
        if not known and isinstance(step, str) and at is not raw and not first["type"].startswith(("missing", "extra")):
            continue  # pydantic's name for one branch of a union
        at = at[step] if known else None
        if isinstance(step, int) and isinstance(at, dict) and isinstance(at.get("name"), str):
            where.append(f"'{at['name'][:80]}'")
        else:
            where.append(f"[{step}]" if isinstance(step, int) else str(step)[:80])
    message = {
        "extra_forbidden": "no such key" + _hint(first["loc"]),
        "missing": "is missing. Add it",
        "finite_number": "must be a finite number",
    }.get(first["type"], first["msg"][:200])
    more = f" The file has {count - 1} more errors." if count > 1 else ""
    return f"{name}: {' '.join(where)}: {message}. See docs/formats.md for the format.{more}"


def _hint(loc) -> str:
    tables: dict[str, type[BaseModel]] = {
        "link": LinkTable,
        "joint": JointTable,
        "marker": MarkerTable,
        "loop": LoopTable,
        "coupling": CouplingTable,
    }
    keys = tables.get(str(loc[0]), Document).model_fields
    return did_you_mean(str(loc[-1]), keys).rstrip("?").replace(" Did you mean", ", did you mean")


def _figure(found: Document, name: str, folder: Path) -> Figure:
    links = {}
    for table in found.link:
        if table.name in links:
            raise FormatError(f"{name}: two links are called '{table.name}'. Give each its own name.")
        links[table.name] = link_of(table, name, folder)
    parent, joints = _joints(found, links, name)
    order = parents_first(list(links), parent, name)
    at = {link: i for i, link in enumerate(order)}
    if found.root is not None and found.root != order[0]:
        raise FormatError(
            f"{name}: root is '{found.root}', but the link connected to the world is '{order[0]}'. Correct one of them."
        )
    markers = [_marker(m, name) for m in found.marker]
    loops = [
        Loop(
            x.name,
            x.kind,
            x.link_a,
            placed(x.at_a, f"{name}: loop '{x.name}'"),
            x.link_b,
            placed(x.at_b, f"{name}: loop '{x.name}'"),
            tuple(x.value),
        )
        for x in found.loop
    ]
    couplings = [
        Coupling(x.name, x.dof, x.source, function_of(x, f"{name}: coupling '{x.name}'")) for x in found.coupling
    ]
    check_size(joints.values(), name)
    return Figure(
        found.name,
        tuple(links[n] for n in order),
        tuple(joints[n] for n in order),
        tuple(at.get(parent[n], -1) for n in order),
        tuple(markers),
        (*loops, *couplings),
        np.array(found.gravity),
    )


def _joints(found: Document, links: dict[str, Link], name: str) -> tuple[dict[str, str], dict[str, Joint]]:
    """Return the parent and the joint of every link. A root link without a joint is welded to the world."""
    parent: dict[str, str] = {}
    joints: dict[str, Joint] = {}
    for table in found.joint:
        for link in (table.parent, table.child):
            if link and link not in links:
                raise FormatError(
                    f"{name}: joint '{table.name}' refers to '{link}', which is not a link."
                    f"{did_you_mean(link, links)} Links: {', '.join(links)[:300]}."
                )
        if table.child in joints:
            raise FormatError(
                f"{name}: link '{table.child}' has two joints, '{joints[table.child].name}' and "
                f"'{table.name}'. Keep one. To close a kinematic loop, add a [[loop]]."
            )
        joint = joint_of(table, name)
        if table.stop is not None:
            joint = with_stop(joint, JointStop(**table.stop.model_dump()))
        parent[table.child], joints[table.child] = table.parent, joint
    roots = [n for n in links if not parent.get(n)]
    if len(roots) != 1:
        words = "its links form a cycle" if not roots else f"{', '.join(roots)[:200]} have no parent"
        raise FormatError(f"{name}: a figure has one root link, but {words}. Connect the links with joints.")
    if roots[0] not in joints:
        parent[roots[0]], joints[roots[0]] = "", Weld(name=roots[0])
    return parent, joints


def _marker(table, name: str) -> Marker | Direction:
    if (table.point is None) == (table.direction is None):
        raise FormatError(f"{name}: marker '{table.name}' needs either a point or a direction.")
    if table.point is not None:
        return Marker(table.name, table.link, np.array(table.point))
    return Direction(table.name, table.link, np.array(table.direction))


def _state(table: StateTable, figure: Figure, name: str) -> InitialState:
    state = rest_state(figure)
    for what, values, places, array in (
        ("position", table.position, figure.q_of, state.q),
        ("velocity", table.velocity, figure.u_of, state.u),
        ("acceleration", table.acceleration, figure.u_of, state.udot),
    ):
        for joint, numbers in values.items():
            names = [j.name for j in figure.joints]
            if joint not in names:
                raise FormatError(
                    f"{name}: state.{what} refers to the joint '{joint[:80]}', which does not exist."
                    f"{did_you_mean(joint, names)} Joints: {', '.join(names)[:300]}."
                )
            place = places[names.index(joint)]
            if len(numbers) != place.stop - place.start:
                raise FormatError(
                    f"{name}: state.{what} of joint '{joint}' has {len(numbers)} numbers. Give "
                    f"{place.stop - place.start}."
                )
            array[place] = numbers
            if what == "position":
                check_configuration(figure.joints[names.index(joint)], numbers, f"{name}: state.position")
    return state
