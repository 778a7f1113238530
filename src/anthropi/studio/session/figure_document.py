"""Edits of a figure's document, the plain data of its figure.toml: each takes a document and gives a new one.

What an edit makes is read as a file would be, so whatever a file may not say, an edit may not either.
"""

import copy
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_euler
from anthropi.errors import InputError, did_you_mean
from anthropi.formats.figures.toml.parts import OWN_KEYS
from anthropi.formats.figures.toml.schema import FORMAT

__all__ = [
    "APART", "fresh", "joint_in", "link_in", "reached_by", "with_joint_type", "with_link", "with_new_names",
    "with_parent", "without_link",
]  # fmt: skip

APART = 0.9  # [m] between two figures
ACTING = ("lower", "upper", "stiffness", "rest", "damping", "armature", "locked", "stop")
OWN = ("axis", "axes", "order", "pitch", "part", "backward")


def fresh(name: str, root: str, aside: float = 0.0) -> dict[str, Any]:
    """A figure of one box on a joint to the world, so far to the left [m]."""
    size = [0.3, 0.06, 0.06]
    joint: dict[str, Any] = {"name": "root", "type": root, "child": "link1", "origin": [0.0, aside, 1.0]}
    if root == "free":
        del joint["origin"]
    document: dict[str, Any] = {"format": FORMAT, "name": name, "root": "link1", "gravity": [0.0, 0.0, -9.81],
                "link": [{"name": "link1", "size": size, "density": 1000.0}], "joint": [joint]}  # fmt: skip
    if root == "free":
        document["state"] = {"position": {"root": [0.0, aside, 1.0, 1.0, 0.0, 0.0, 0.0]}}
    return document


def link_in(document: dict[str, Any], name: str) -> dict[str, Any]:
    """A link's table."""
    return _found(document["link"], name, "link", document["name"])


def joint_in(document: dict[str, Any], name: str) -> dict[str, Any]:
    """A joint's table."""
    return _found(document["joint"], name, "joint", document["name"])


def _found(tables, name: str, what: str, figure: str) -> dict[str, Any]:
    for table in tables:
        if table["name"] == name:
            return table
    names = [t["name"] for t in tables]
    raise InputError(f"No {what} '{name}' in figure '{figure}'.{did_you_mean(name, names)} "
                     f"{what.capitalize()}s: {', '.join(names)[:400]}.")  # fmt: skip


def joint_above(document: dict[str, Any], link: str) -> dict[str, Any]:
    """The joint by which a link hangs."""
    return next(j for j in document["joint"] if j["child"] == link)


def reached_by(document: dict[str, Any], link: str) -> set[str]:
    """A link and all that hangs on it."""
    found, more = {link}, True
    while more:
        below = {j["child"] for j in document["joint"] if j.get("parent") in found}
        more = not below <= found
        found |= below
    return found


def far_end(table: dict[str, Any]) -> list[float]:
    """The end of a link away from its joint: that of its first box or capsule, the end of its size, or twice the
    way to its centre."""
    if "size" in table:
        return [float(table["size"][0]), 0.0, 0.0]
    for shape in table.get("shape", []):
        if shape["kind"] == "box":
            place, longest = np.array(shape.get("origin", [0.0, 0.0, 0.0])), int(np.argmax(shape["size"]))
            turn = np.array(shape.get("rotation", np.eye(3)))
            half = turn[:, longest] * 0.5 * shape["size"][longest]
            return (place + (half if place @ half >= 0.0 else -half)).tolist()
    return (2.0 * np.array(table.get("centre", [0.15, 0.0, 0.0]))).tolist()


def with_link(document: dict[str, Any], given) -> dict[str, Any]:
    """A new link on a parent, by a new joint."""
    document = copy.deepcopy(document)
    parent = link_in(document, given.parent)
    origin = far_end(parent) if given.origin is None else list(given.origin)
    joint: dict[str, Any] = {"name": given.joint or given.name, "type": given.type, "parent": given.parent,
                             "child": given.name, "origin": origin}  # fmt: skip
    if given.type in ("revolute", "prismatic", "cylindrical", "helical"):
        joint["axis"] = "y" if given.axis is None else _axis(given.axis)
    if given.type == "euler":
        joint["order"] = given.order or "xyz"
    document["link"].append({"name": given.name, "size": list(given.size), "density": given.density})
    document["joint"].append(joint)
    return document


def _axis(axis) -> Any:
    return axis if isinstance(axis, str) else [float(x) for x in axis]


def without_link(document: dict[str, Any], link: str, branch: bool) -> dict[str, Any]:
    """Without a link: with its branch, or what hangs on it hangs on its parent."""
    document = copy.deepcopy(document)
    link_in(document, link)
    above = joint_above(document, link)
    if not above.get("parent"):
        below = [j for j in document["joint"] if j.get("parent") == link]
        if branch or len(below) != 1:
            raise InputError(f"Link '{link}' is the root. Change the root first, or remove the figure.")
    gone = reached_by(document, link) if branch else {link}
    moved = [] if branch else [j for j in document["joint"] if j.get("parent") == link]
    lost = {j["name"] for j in document["joint"] if j["child"] in gone}
    document["joint"] = [j for j in document["joint"] if j["child"] not in gone]
    document["link"] = [x for x in document["link"] if x["name"] not in gone]
    for joint in moved:
        if above.get("parent"):
            joint["parent"] = above["parent"]
            joint["origin"] = (_origin(above) + _turn(above) @ _origin(joint)).tolist()
            joint["rotation"] = (_turn(above) @ _turn(joint)).tolist()
        else:
            joint.pop("parent")
            document["root"] = joint["child"]
    document["marker"] = [x for x in document.get("marker", []) if x["link"] not in gone]
    document["loop"] = [x for x in document.get("loop", []) if not {x["link_a"], x["link_b"]} & gone]
    return _without_states(document, lost)


def _origin(table) -> np.ndarray:
    return np.array(table.get("origin", [0.0, 0.0, 0.0]), float)


def _turn(table) -> np.ndarray:
    return np.array(table.get("rotation", np.eye(3)), float)


def _without_states(document: dict[str, Any], joints: set[str]) -> dict[str, Any]:
    for table in document.get("state", {}).values():
        for name in joints:
            table.pop(name, None)
    return document


def with_new_names(document: dict[str, Any], what: str, old: str, new: str) -> dict[str, Any]:
    """A link or joint by another name, wherever it is named."""
    document = copy.deepcopy(document)
    (link_in if what == "link" else joint_in)(document, old)["name"] = new
    if not new.strip():
        raise InputError(f"A {what} needs a name.")
    if what == "joint":
        for table in document.get("state", {}).values():
            if old in table:
                table[new] = table.pop(old)
        return document
    for joint in document["joint"]:
        for end in ("parent", "child"):
            if joint.get(end) == old:
                joint[end] = new
    for marker in document.get("marker", []):
        marker["link"] = new if marker["link"] == old else marker["link"]
    for loop in document.get("loop", []):
        for end in ("link_a", "link_b"):
            loop[end] = new if loop[end] == old else loop[end]
    if document.get("root") == old:
        document["root"] = new
    return document


def with_parent(document: dict[str, Any], link: str, parent: str, place=None) -> dict[str, Any]:
    """A link on another parent. place : (rotation, origin) of its joint there; as it was in the old one if None."""
    document = copy.deepcopy(document)
    link_in(document, link)
    link_in(document, parent)
    if parent in reached_by(document, link):
        raise InputError(f"Link '{parent}' hangs on link '{link}' itself: that would be a ring. A figure is a tree.")
    joint = joint_above(document, link)
    if not joint.get("parent"):
        raise InputError(f"Link '{link}' is the root and hangs on the world. Change the root first.")
    joint["parent"] = parent
    if place is not None:
        joint.pop("quaternion", None)
        joint["rotation"], joint["origin"] = np.asarray(place[0]).tolist(), np.asarray(place[1]).tolist()
    return document


def with_joint_type(document: dict[str, Any], name: str, kind: str, **own) -> dict[str, Any]:
    """Another type of joint; limits and springs, which are one a degree of freedom, go."""
    document = copy.deepcopy(document)
    joint = joint_in(document, name)
    same = joint["type"] == kind
    for key in (*OWN, *(() if same else ACTING)):
        joint.pop(key, None)
    joint["type"] = kind
    for key, value in own.items():
        if value is not None and key in OWN_KEYS.get(kind, ()):
            joint[key] = [_axis(a) for a in value] if key == "axes" else _axis(value) if key == "axis" else value
    if "axis" in OWN_KEYS.get(kind, ()):
        joint.setdefault("axis", "y")
    if kind == "composite":
        raise InputError("A composite joint is made of parts: edit it as text (figure.toml).")
    return _without_states(document, {name})


def turned(angles) -> list[list[float]]:
    """The rotation of x-y-z angles, by rows."""
    return np.asarray(matrix_from_euler(np.array(angles, float), "xyz"), float).tolist()
