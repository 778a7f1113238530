"""Read figures from URDF files. A root link called "world" without mass and shapes stands for the world."""

import math
import os
from pathlib import Path

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Composite, Figure, Free, Joint, Link, Planar, Prismatic, Revolute, Weld
from anthropi.formats.figures.common import (
    UNBOUNDED,
    Notes,
    Reading,
    check_size,
    parents_first,
    rest_state,
    rotation_of_z_to,
)
from anthropi.formats.figures.urdf.elements import check, link_of, origin
from anthropi.formats.figures.xml import Node, read_xml
from anthropi.formats.files import naming

__all__ = ["read"]

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def read(path: str | os.PathLike[str], root: str = "weld") -> Reading:
    """Read the figure in a URDF file.

    root : joint between the world and the root link, which URDF does not define: "weld" or "free".
    """
    path = Path(path)
    with naming(path):
        notes = Notes()
        robot = read_xml(path)
        if robot.tag != "robot":
            raise FormatError(f"{path.name} begins with <{robot.tag[:80]}>, not <robot>. It is not a URDF file.")
        if root not in ("weld", "free"):
            raise FormatError(f'root="{root}". Choose "weld" or "free".')
        check(robot, notes)
        figure = _figure(robot, path, root, notes)
        return Reading(figure, rest_state(figure), notes.all())


def _figure(robot: Node, path: Path, root: str, notes: Notes) -> Figure:
    colours = _colours(robot)
    links = [link_of(node, colours, path.parent, notes) for node in robot.all("link")]
    _unique("links", [x.name for x in links], path.name)
    _unique("joints", [x.get("name") for x in robot.all("joint")], path.name)
    by_name = {x.name: x for x in links}
    parent: dict[str, str] = {}
    joints: dict[str, Joint] = {}
    for node in robot.all("joint"):
        above, below = _ends(node, by_name)
        if below in joints:
            raise FormatError(
                f"{node.where}: link '{below}' already has the joint '{joints[below].name}'. A link has only "
                "one parent. To close a kinematic loop, add a loop in a .toml file."
            )
        parent[below], joints[below] = above, _joint(node, notes)
    roots = [x.name for x in links if x.name not in parent]
    if links and len(roots) != 1:
        words = (
            "all links form a cycle" if not roots else f"{len(roots)} links have no parent: {', '.join(roots)[:200]}"
        )
        raise FormatError(f"{path.name}: a figure has one root link, but {words}. Connect them with <joint> elements.")
    if not links:
        raise FormatError(f"{path.name} has no <link>. A figure needs at least one.")
    base = roots[0]
    hanging = [x for x in parent if parent[x] == base]
    if base == "world" and _empty(by_name[base]) and len(hanging) == 1:
        links = [x for x in links if x.name != "world"]
        parent[hanging[0]] = ""
    else:
        name = base
        while name in [j.name for j in joints.values()]:
            name += "_joint"
        parent[base], joints[base] = "", (Free if root == "free" else Weld)(name=name)
    order = parents_first([x.name for x in links], parent, path.name)
    place = {name: i for i, name in enumerate(order)}
    check_size(joints.values(), path.name)
    return Figure(
        robot.get("name") or path.stem,
        tuple(by_name[n] for n in order),
        tuple(joints[n] for n in order),
        tuple(place.get(parent[n], -1) for n in order),
    )


def _empty(link: Link) -> bool:
    return link.mass == 0.0 and not link.shapes


def _colours(robot: Node) -> dict[str, tuple[float, ...]]:
    found = {}
    for material in robot.all("material"):
        colour = material.only("color")
        if colour is not None:
            found[material.get("name") or ""] = tuple(colour.numbers("rgba", 4).tolist())
    return found


def _unique(what: str, names, file: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise FormatError(f"{file}: two {what} are called '{name[:80]}'. Give each its own name.")
        seen.add(name)


def _ends(node: Node, links) -> tuple[str, str]:
    ends = []
    for tag in ("parent", "child"):
        end = node.only(tag)
        if end is None:
            raise FormatError(f"{node.where} lacks <{tag} link=…/>. Add it.")
        name = end.need("link")
        if name not in links:
            raise FormatError(
                f"{end.where}: {node.where} refers to the link '{name[:80]}', which does not exist."
                f"{did_you_mean(name, links)}"
            )
        ends.append(name)
    return ends[0], ends[1]


def _joint(node: Node, notes: Notes) -> Joint:
    name, place = node.need("name"), origin(node)
    kind = node.choice("type", TYPES, "")
    if node.only("mimic") is not None:
        raise FormatError(
            f"{node.where} mimics another joint, which a figure cannot represent. Delete <mimic>, or make "
            "one of the two joints fixed."
        )
    damping = _damping(node, notes)
    if kind == "fixed":
        return Weld(name=name, placement=place)
    if kind == "floating":
        return Free(name=name, placement=place, damping=damping)
    axis = _axis(node)
    if kind == "planar":
        return _planar(name, place, axis, damping)
    lower, upper = _limits(node, kind, notes)
    make = Prismatic if kind == "prismatic" else Revolute
    return make(name=name, placement=place, axis=axis, lower=lower, upper=upper, damping=damping)


def _axis(node: Node) -> np.ndarray:
    found = node.only("axis")
    axis = found.numbers("xyz", 3) if found is not None else np.array([1.0, 0.0, 0.0])
    if not 1e-12 < np.linalg.norm(axis) < np.inf:
        raise FormatError(f"{node.where} has the axis {axis.tolist()}. Give an axis that is not zero.")
    return axis


def _planar(name: str, place: Transform, axis, damping: float) -> Joint:
    """Make a planar joint. In URDF it moves in the plane normal to its axis, in a figure in the xy plane.

    For an axis other than z, two constant rotations convert between the two planes.
    """
    z = axis / np.linalg.norm(axis)
    if (z == [0.0, 0.0, 1.0]).all():
        return Planar(name=name, placement=place, damping=damping)
    there = Transform(rotation_of_z_to(z), np.zeros(3))
    parts = (Planar(name="plane", damping=damping), Weld(name="back", placement=there.inverse()))
    return Composite(name=name, placement=place @ there, parts=parts)


def _limits(node: Node, kind: str, notes: Notes) -> tuple[float, float]:
    limit = node.only("limit")
    if limit is None:
        if kind in ("revolute", "prismatic"):
            raise FormatError(f"{node.where} is {kind} but lacks <limit>. Add it, or make the joint continuous.")
        return -math.inf, math.inf
    if limit.number("effort", 0.0) or limit.number("velocity", 0.0):
        notes.add(f"{node.file}: <limit>", "effort and velocity are not part of a figure")
    if kind == "continuous":
        return -math.inf, math.inf
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if lower > upper:
        raise FormatError(f"{node.where} has limits {lower:g} to {upper:g}. The lower must not exceed the upper.")
    return (-math.inf if lower <= -UNBOUNDED else lower, math.inf if upper >= UNBOUNDED else upper)


def _damping(node: Node, notes: Notes) -> float:
    dynamics = node.only("dynamics")
    if dynamics is None:
        return 0.0
    if dynamics.number("friction", 0.0):
        notes.add(f"{node.file}: <dynamics>", "friction is not part of a figure")
    damping = dynamics.number("damping", 0.0)
    if damping < 0.0:
        raise FormatError(f"{dynamics.where} of {node.where} has damping {damping:g}. It must not be negative.")
    return damping
