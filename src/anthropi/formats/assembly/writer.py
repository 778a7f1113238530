"""Assembly → assembly.toml, bodies where they start or where a solution put them; numbers as text that reads back."""

import os
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.constraints.assembly import Assembly, Solved
from anthropi.errors import FormatError
from anthropi.formats.assembly.schema import FORMAT
from anthropi.formats.assembly.types import TYPES
from anthropi.formats.files import write_text
from anthropi.formats.toml.writer import block, value_text

__all__ = ["text", "write"]

NAMES = {kind.make: name for name, kind in TYPES.items()}
UNSAID = {"distance": 0.0, "start": 0.0, "phase": 0.0, "inside": False}  # defaults that need not be written


def write(assembly: Assembly | Solved, path: str | os.PathLike) -> None:
    """Write an assembly, or a solved one with bodies where they are."""
    write_text(path, text(assembly))


def text(assembly: Assembly | Solved) -> str:
    """The text of an assembly.toml."""
    solved = assembly if isinstance(assembly, Solved) else None
    plain = solved.assembly if solved is not None else assembly
    if not isinstance(plain, Assembly) or plain.figure is not None:
        raise FormatError("An assembly.toml holds bodies in Cartesian coordinates. Save a figure with ap.save.")
    lines = [f"format = {value_text(FORMAT)}", f"name = {value_text(plain.name)}"]
    places = plain.coordinates.start() if solved is None else solved.x
    for body, x in zip(plain.bodies, places, strict=True):
        lines += ["", block(("body",), _body(body, x)).rstrip("\n")]
    for c in plain.constraints:
        lines += ["", block(("constraint",), _constraint(c, plain)).rstrip("\n")]
    return "\n".join(lines) + "\n"


def _body(body, x) -> dict[str, Any]:
    item: dict[str, Any] = {"name": body.name, "origin": x[:3].tolist(), "quaternion": x[3:].tolist()}
    if body.fixed:
        item["fixed"] = True
    item["shape"] = []
    for s in body.shapes:
        q = rot.quaternion_from_matrix(s.placement.rotation)
        shape = {"kind": s.kind, "size": list(map(float, s.size)), "origin": np.asarray(s.placement.origin).tolist(),
                 "rotation": np.asarray(s.placement.rotation).tolist(), "name": s.name, "file": s.file,
                 "colour": list(map(float, s.colour))}  # fmt: skip
        still = {"rotation": bool(np.abs(q[1:]).max() == 0.0), "origin": not np.any(s.placement.origin)}
        item["shape"].append({k: v for k, v in shape.items() if not still.get(k) and v not in ("", [])})
    return item


def _constraint(c, assembly: Assembly) -> dict[str, Any]:
    if type(c) not in NAMES:
        raise FormatError(f"Constraint '{c.name}' is a {type(c).__name__}, which an assembly.toml does not know. It "
                          f"knows: {', '.join(TYPES)}.")  # fmt: skip
    name = NAMES[type(c)]
    kind = TYPES[name]
    ends = {"angle": ("u", "v"), "distance": ("start", "end")}.get(name, ("a", "b"))
    item: dict[str, Any] = {"name": c.name, "type": name}
    for key, end in zip(("a", "b"), ends, strict=True):
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
        if key in kind.needs or value != UNSAID.get(key):
            item[key] = list(value) if key == "teeth" else value if isinstance(value, (str, bool)) else float(value)
    return item


def _joint(joint, c, assembly: Assembly) -> str:
    """The name under which an assembly holds a joint; it may have been numbered."""
    for other in assembly.constraints:
        if other is joint or (type(other) is type(joint) and other.a is joint.a and other.b is joint.b):
            return other.name
    raise FormatError(f"'{c.name}' ties the joint '{joint.name}', which is not in the assembly. Add it.")
