"""Write figures as figure.toml. Every number is written as the shortest text that is read back bit for bit."""

import json
import os
from dataclasses import asdict
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError
from anthropi.figure import Coupling, Figure, Joint, Link, Locked, Marker
from anthropi.figure.joints import Custom, Reversed
from anthropi.figure.parts import LOOPS, Loop
from anthropi.formats.figures.common import InitialState, Note
from anthropi.formats.figures.toml.custom import custom_tables, function_table
from anthropi.formats.figures.toml.parts import ACTING, OWN_KEYS, RATED, stop_of
from anthropi.formats.figures.toml.schema import FORMAT
from anthropi.formats.files import write_text

__all__ = ["block", "document_text", "plain", "plain_copy", "text", "value_text", "write"]

SUBTABLES = ("shape", "rotations", "translations", "part")  # arrays of tables inside a table
NEUTRAL = {"lower": -np.inf, "upper": np.inf}  # default values; the default of all other keys is 0


def write(
    figure: Figure,
    path: str | os.PathLike[str],
    state: InitialState | None = None,
    stops: dict[str, dict[str, Any]] | None = None,
) -> tuple[Note, ...]:
    """Write a figure and its initial state as a figure.toml. Nothing is left out, so no notes are returned."""
    write_text(path, text(figure, state, stops))
    return ()


def text(figure: Figure, state: InitialState | None = None, stops: dict[str, dict[str, Any]] | None = None) -> str:
    """Return the text of the figure.toml of a figure."""
    return document_text(plain(figure, state, stops))


def document_text(document: dict[str, Any]) -> str:
    """Return the text of a figure.toml from its plain data."""
    lines = [f"{key} = {value_text(document[key])}" for key in ("format", "name", "root", "gravity") if key in document]
    for section in ("link", "joint", "marker", "loop", "coupling"):
        for item in document.get(section, []):
            lines += ["", block((section,), item).rstrip("\n")]
    for what, values in document.get("state", {}).items():
        lines += ["", f"[state.{what}]", *(f"{key_text(k)} = {value_text(v)}" for k, v in values.items())]
    return "\n".join(lines) + "\n"


def plain(
    figure: Figure, state: InitialState | None = None, stops: dict[str, dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Convert a figure to the dictionary that its figure.toml contains."""
    found: dict[str, Any] = {
        "format": FORMAT,
        "name": figure.name,
        "root": figure.links[0].name,
        "gravity": _numbers(figure.gravity),
        "link": [_link(x) for x in figure.links],
        "joint": [_joint(figure, i, stops or {}) for i in range(figure.n)],
        "marker": [_marker(m) for m in figure.markers],
        "loop": [_loop(x) for x in figure.loops if isinstance(x, Loop)],
        "coupling": [_coupling(x) for x in figure.loops if isinstance(x, Coupling)],
    }
    if state is not None:
        found["state"] = _state(figure, state)
    return found


def plain_copy(value: Any) -> Any:
    """Copy the plain data of a figure.toml. Tuples and arrays become lists, as in data that are read from the file."""
    if isinstance(value, dict):
        return {str(k): plain_copy(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_copy(v) for v in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _loop(loop: Loop) -> dict[str, Any]:
    if loop.held:
        raise FormatError(
            f"Loop '{loop.name}' is defined by custom constraints, which a figure.toml cannot store. Use one of the "
            f"kinds {', '.join(k for k in LOOPS if k != 'held')}."
        )
    item: dict[str, Any] = {"name": loop.name, "kind": loop.kind, "link_a": loop.link_a, "link_b": loop.link_b}
    item |= {"at_a": _place(loop.at_a), "at_b": _place(loop.at_b)}
    return item | ({"value": _numbers(loop.value)} if any(loop.value) else {})


def _coupling(coupling: Coupling) -> dict[str, Any]:
    ends = {"name": coupling.name, "dof": coupling.dof, "source": coupling.source}
    return ends | function_table(coupling)


def _link(link: Link) -> dict[str, Any]:
    item: dict[str, Any] = {"name": link.name}
    if link.mass != 0.0 or np.any(link.tensor) or np.any(link.centre):
        item |= {"mass": float(link.mass), "centre": _numbers(link.centre), "tensor": _numbers(link.tensor)}
    item["shape"] = [
        {
            "kind": s.kind,
            "size": _numbers(s.size),
            **_place(s.placement),
            **({"name": s.name} if s.name else {}),
            **({"file": s.file} if s.file else {}),
            **({"colour": _numbers(s.colour)} if s.colour else {}),
        }
        for s in link.shapes
    ]
    return item


def _joint(figure: Figure, i: int, stops) -> dict[str, Any]:
    joint = figure.joints[i]
    ends = {"parent": figure.links[figure.parent[i]].name} if figure.parent[i] >= 0 else {}
    body = _part(joint)
    item = {"name": body.pop("name"), "type": body.pop("type"), **ends, "child": figure.links[i].name, **body}
    own = stop_of(joint)
    if joint.name in stops:
        item["stop"] = dict(stops[joint.name])
    elif own is not None:
        item["stop"] = {name: x for name, x in asdict(own).items() if x is not None}
    return item


def _part(joint: Joint) -> dict[str, Any]:
    if isinstance(joint, Locked):
        inner = _part(joint.joint.changed(name=joint.name, placement=joint.placement))
        return {
            **{k: v for k, v in inner.items() if k != "part"},
            "locked": _numbers(joint.at),
            **({"part": inner["part"]} if "part" in inner else {}),
        }
    if isinstance(joint, Reversed):
        inner = _part(joint.joint.changed(placement=joint.placement))
        return {
            **{k: v for k, v in inner.items() if k != "part"},
            "backward": True,
            **({"part": inner["part"]} if "part" in inner else {}),
        }
    if joint.kind not in OWN_KEYS and type(joint).kind not in (
        "weld",
        "planar",
        "translational",
        "ball",
        "exponential",
        "free",
    ):
        raise FormatError(f"Joint '{joint.name}' is of kind '{joint.kind}', which a figure.toml cannot store.")
    item: dict[str, Any] = {"name": joint.name, "type": joint.kind, **_place(joint.placement)}
    if isinstance(joint, Custom):
        item |= custom_tables(joint)
    for key in OWN_KEYS.get(joint.kind, ()):
        if key == "part" or isinstance(joint, Custom):
            continue
        value = getattr(joint, key)
        item[key] = value if isinstance(value, str) else _numbers(value)
    parts = getattr(joint, "parts", ())
    for key in ACTING:
        values = np.asarray(getattr(joint, key), float)
        usual = (
            np.concatenate([np.asarray(getattr(p, key), float) for p in parts])
            if parts
            else np.full(joint.nu, NEUTRAL.get(key, 0.0))
        )
        if values.tobytes() != usual.tobytes():
            item[key] = _numbers(values) if joint.nu > 1 else float(values[0])
    if joint.rating is not None:
        item |= {key: getattr(joint.rating, key) for key in RATED}
    if parts:
        item["part"] = [_part(p) for p in parts]
    return item


def _marker(marker) -> dict[str, Any]:
    where = ("point", marker.point) if isinstance(marker, Marker) else ("direction", marker.direction)
    return {"name": marker.name, "link": marker.link, where[0]: _numbers(where[1])}


def _place(place: Transform) -> dict[str, Any]:
    item = {}
    if np.asarray(place.origin, float).tobytes() != np.zeros(3).tobytes():
        item["origin"] = _numbers(place.origin)
    if np.asarray(place.rotation, float).tobytes() != np.eye(3).tobytes():
        item["rotation"] = _numbers(place.rotation)
    return item


def _state(figure: Figure, state: InitialState) -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = {"position": {}, "velocity": {}, "acceleration": {}}
    for i, joint in enumerate(figure.joints):
        for name, array, place in zip(tables, state, (figure.q_of[i], figure.u_of[i], figure.u_of[i]), strict=True):
            values = np.asarray(array, float)[place]
            if len(values):
                tables[name][joint.name] = float(values[0]) if len(values) == 1 else _numbers(values)
    return {name: table for name, table in tables.items() if table}


def _numbers(values) -> Any:
    return np.asarray(values, float).tolist()


# text


def block(path: tuple[str, ...], item: dict[str, Any]) -> str:
    """Return the text of a [[table]]: its keys, then the tables inside it."""
    lines = [f"[[{'.'.join(path)}]]"]
    lines += [f"{key_text(k)} = {value_text(v)}" for k, v in item.items() if k not in SUBTABLES]
    for name in SUBTABLES:
        for inner in item.get(name, []):
            lines += ["", block((*path, name), inner).rstrip("\n")]
    return "\n".join(lines) + "\n"


def value_text(value: Any) -> str:
    """Return the TOML text of a value, which is read back exactly."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(k)} = {value_text(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    raise FormatError(
        f"{value!r} of type {type(value).__name__} cannot be stored in a .toml file. Give numbers, text or lists."
    )


def key_text(name: str) -> str:
    """Return the text of a TOML key, in quotation marks if needed."""
    bare = name and all(c.isascii() and (c.isalnum() or c in "_-") for c in name)
    return name if bare else _string(name)


def _string(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError(f"The name {value!r} contains a character that UTF-8 cannot encode. Rename it.") from None
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
