"""Functions that edit the document of a figure, which is the plain data of its figure.toml.

Each takes a document and returns an edited copy. The result is then read and checked like a file.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_euler
from anthropi.errors import InputError, did_you_mean
from anthropi.formats.figures.toml.parts import OWN_KEYS
from anthropi.formats.figures.toml.schema import FORMAT
from anthropi.formats.figures.toml.writer import plain_copy
from anthropi.studio.messages import AddLink

__all__ = [
    "FIGURE_SPACING",
    "joint_in",
    "link_in",
    "new_document",
    "subtree",
    "with_joint_type",
    "with_link",
    "with_new_name",
    "with_parent",
    "without_link",
]

FIGURE_SPACING = 0.9  # [m] along y between two figures
DOF_KEYS = ("lower", "upper", "stiffness", "rest", "damping", "armature", "locked", "stop")
TYPE_KEYS = (
    "axis", "axes", "order", "pitch", "part", "backward", "coordinates", "lengths", "rotations", "translations",
)  # fmt: skip


def new_document(name: str, root: str, y: float = 0.0) -> dict[str, Any]:
    """Return the document of a figure of one box at y [m]. root : the type of the joint to the world."""
    size = [0.3, 0.06, 0.06]
    joint: dict[str, Any] = {"name": "root", "type": root, "child": "link1", "origin": [0.0, y, 1.0]}
    if root == "free":
        del joint["origin"]
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        "root": "link1",
        "gravity": [0.0, 0.0, -9.81],
        "link": [{"name": "link1", "size": size, "density": 1000.0}],
        "joint": [joint],
    }
    if root == "free":
        document["state"] = {"position": {"root": [0.0, y, 1.0, 1.0, 0.0, 0.0, 0.0]}}
    return document


def link_in(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the table that describes a link."""
    return _found(document["link"], name, "link", document["name"])


def joint_in(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the table that describes a joint."""
    return _found(document["joint"], name, "joint", document["name"])


def _found(tables: list[dict[str, Any]], name: str, what: str, figure: str) -> dict[str, Any]:
    for table in tables:
        if table["name"] == name:
            return table
    names = [t["name"] for t in tables]
    raise InputError(
        f"No {what} '{name}' in figure '{figure}'.{did_you_mean(name, names)} "
        f"{what.capitalize()}s: {', '.join(names)[:400]}."
    )


def joint_above(document: dict[str, Any], link: str) -> dict[str, Any]:
    """Return the table of the joint that connects a link to its parent."""
    return next(j for j in document["joint"] if j["child"] == link)


def subtree(document: dict[str, Any], link: str) -> set[str]:
    """Return the names of a link and all its descendants."""
    found: set[str] = set()
    more = {link}
    while more - found:
        found |= more
        more = {j["child"] for j in document["joint"] if j.get("parent") in found}
    return found


def far_end(table: dict[str, Any]) -> list[float]:
    """Return the position (3,) [m, link frame] of the end of a link that is away from its joint.

    It is the end of the link's size or first box; without these, twice the vector to the centre of mass.
    """
    if "size" in table:
        return [float(table["size"][0]), 0.0, 0.0]
    for shape in table.get("shape", []):
        if shape["kind"] == "box":
            place, longest = np.array(shape.get("origin", [0.0, 0.0, 0.0])), int(np.argmax(shape["size"]))
            rotation = np.array(shape.get("rotation", np.eye(3)))
            half = rotation[:, longest] * 0.5 * shape["size"][longest]
            return (place + (half if place @ half >= 0.0 else -half)).tolist()
    return (2.0 * np.array(table.get("centre", [0.15, 0.0, 0.0]))).tolist()


def with_link(document: dict[str, Any], given: AddLink) -> dict[str, Any]:
    """Return the document with a new link and the joint that connects it to its parent."""
    document = plain_copy(document)
    parent = link_in(document, given.parent)
    origin = far_end(parent) if given.origin is None else list(given.origin)
    joint: dict[str, Any] = {
        "name": given.joint or given.name,
        "type": given.type,
        "parent": given.parent,
        "child": given.name,
        "origin": origin,
    }
    if given.type in ("revolute", "prismatic", "cylindrical", "helical"):
        joint["axis"] = "y" if given.axis is None else _axis(given.axis)
    if given.type == "euler":
        joint["order"] = given.order or "xyz"
    document["link"].append({"name": given.name, "size": list(given.size), "density": given.density})
    document["joint"].append(joint)
    return document


def _axis(axis: Any) -> Any:
    return axis if isinstance(axis, str) else [float(x) for x in axis]


def without_link(document: dict[str, Any], link: str, branch: bool) -> dict[str, Any]:
    """Return the document without a link. branch : also without its descendants; otherwise they get its parent."""
    document = plain_copy(document)
    link_in(document, link)
    above = joint_above(document, link)
    if not above.get("parent"):
        below = [j for j in document["joint"] if j.get("parent") == link]
        if branch or len(below) != 1:
            raise InputError(f"Link '{link}' is the root. Change the root first, or remove the figure.")
    removed = subtree(document, link) if branch else {link}
    reconnected = [] if branch else [j for j in document["joint"] if j.get("parent") == link]
    removed_joints = {j["name"] for j in document["joint"] if j["child"] in removed}
    document["joint"] = [j for j in document["joint"] if j["child"] not in removed]
    document["link"] = [x for x in document["link"] if x["name"] not in removed]
    for joint in reconnected:
        if above.get("parent"):
            joint["parent"] = above["parent"]
            joint["origin"] = (_origin(above) + _rotation(above) @ _origin(joint)).tolist()
            joint["rotation"] = (_rotation(above) @ _rotation(joint)).tolist()
        else:
            joint.pop("parent")
            document["root"] = joint["child"]
    document["marker"] = [x for x in document.get("marker", []) if x["link"] not in removed]
    document["loop"] = [x for x in document.get("loop", []) if not {x["link_a"], x["link_b"]} & removed]
    document["coupling"] = [
        x for x in document.get("coupling", []) if not any(_moves(j, x[k]) for j in removed_joints for k in COUPLED)
    ]
    return _without_states(document, removed_joints)


COUPLED = ("dof", "source")


def _moves(joint: str, dof: str) -> bool:
    """Whether a degree of freedom belongs to a joint: it has its name, or its name and a suffix."""
    return dof == joint or dof.startswith(f"{joint}.")


def _origin(table: dict[str, Any]) -> np.ndarray:
    return np.array(table.get("origin", [0.0, 0.0, 0.0]), float)


def _rotation(table: dict[str, Any]) -> np.ndarray:
    return np.array(table.get("rotation", np.eye(3)), float)


def _without_states(document: dict[str, Any], joints: set[str]) -> dict[str, Any]:
    for table in document.get("state", {}).values():
        for name in joints:
            table.pop(name, None)
    return document


def with_new_name(document: dict[str, Any], what: str, old: str, new: str) -> dict[str, Any]:
    """Return the document with a link or joint renamed in all places. what : "link" or "joint"."""
    document = plain_copy(document)
    (link_in if what == "link" else joint_in)(document, old)["name"] = new
    if not new.strip():
        raise InputError(f"The new name of {what} '{old}' is empty. Give a name.")
    if what == "joint":
        for table in document.get("state", {}).values():
            if old in table:
                table[new] = table.pop(old)
        for coupling in document.get("coupling", []):
            for key in COUPLED:
                if _moves(old, coupling[key]):
                    coupling[key] = new + coupling[key][len(old) :]
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


def with_parent(document: dict[str, Any], link: str, parent: str, place: Any = None) -> dict[str, Any]:
    """Return the document with a link connected to another parent.

    place : rotation (3, 3) and origin (3,) [m] of its joint in the frame of the new parent; None: the same numbers as
    in the old parent.
    """
    document = plain_copy(document)
    link_in(document, link)
    link_in(document, parent)
    if parent in subtree(document, link):
        raise InputError(
            f"Link '{parent}' is a descendant of link '{link}': the figure would have a cycle. Choose another parent."
        )
    joint = joint_above(document, link)
    if not joint.get("parent"):
        raise InputError(f"Link '{link}' is the root, which is connected to the world. Change the root first.")
    joint["parent"] = parent
    if place is not None:
        joint.pop("quaternion", None)
        joint["rotation"], joint["origin"] = np.asarray(place[0]).tolist(), np.asarray(place[1]).tolist()
    return document


def with_joint_type(document: dict[str, Any], name: str, kind: str, **own: Any) -> dict[str, Any]:
    """Return the document with another type of a joint. If the type changes, its limits and springs are removed.

    own : axis, axes, order and pitch; those that the type does not have are ignored.
    """
    document = plain_copy(document)
    joint = joint_in(document, name)
    same = joint["type"] == kind
    for key in (*TYPE_KEYS, *(() if same else DOF_KEYS)):
        joint.pop(key, None)
    joint["type"] = kind
    for key, value in own.items():
        if value is not None and key in OWN_KEYS.get(kind, ()):
            joint[key] = [_axis(a) for a in value] if key == "axes" else _axis(value) if key == "axis" else value
    if "axis" in OWN_KEYS.get(kind, ()):
        joint.setdefault("axis", "y")
    if kind in ("composite", "custom"):
        has = "parts" if kind == "composite" else "curves of its coordinates"
        raise InputError(f"A {kind} joint consists of {has}. Edit it on the page Text (figure.toml).")
    return _without_states(document, {name})


def rotation_rows(angles: Sequence[float]) -> list[list[float]]:
    """Return the rows of the rotation matrix of x-y-z Euler angles (3,) [rad]."""
    return np.asarray(matrix_from_euler(np.array(angles, float), "xyz"), float).tolist()
