"""Read figures from URDF files. A root link called "world" without mass and shapes stands for the world."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anthropi.errors import FormatError, SingularError, did_you_mean
from anthropi.figure import Coupling, Figure, Free, Joint, Link, Weld
from anthropi.figure.coupling import coordinate_places
from anthropi.formats.figures.common import InitialState, Notes, Reading, check_size, parents_first, rest_state
from anthropi.formats.figures.urdf.elements import Settings, check, link_of
from anthropi.formats.figures.urdf.inertias import NOTHING, physical, with_armature
from anthropi.formats.figures.urdf.joints import couplings_of, joint_of
from anthropi.formats.figures.xml import Node, read_xml
from anthropi.formats.files import naming

__all__ = ["read"]

MAX_PACKAGE_DEPTH = 5  # folders that are searched for package.xml: that of the file and those above it


def read(
    path: str | os.PathLike[str],
    root: str = "weld",
    strict: bool = False,
    folders: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
) -> Reading:
    """Read the figure in a URDF file.

    root : joint between the world and the root link, which URDF does not define: "weld" or "free".
    strict : whether unknown elements and attributes, and inertias that no body can have, are errors instead of notes.
    folders : further folders from which meshes may be read, and in which the packages of package:// references are
        searched, before the ROS package that contains the file and those in the environment variable ROS_PACKAGE_PATH.
        Several may also be separated as there.
    """
    path = Path(path)
    with naming(path):
        notes = Notes()
        robot = read_xml(path)
        if robot.tag != "robot":
            raise FormatError(f"{path.name} begins with <{robot.tag[:80]}>, not <robot>. It is not a URDF file.")
        if root not in ("weld", "free"):
            raise FormatError(f'root="{root}". Choose "weld" or "free".')
        materials = robot.all("material")
        check(robot, notes, strict)
        several = [folders] if isinstance(folders, (str, os.PathLike)) else folders
        split = [part for folder in several for part in os.fspath(folder).split(os.pathsep) if part]
        others = (*(Path(part).expanduser() for part in split), *_package_of(path.parent))
        given = Settings(path.parent, _colours(materials), others, strict, notes)
        figure = _figure(robot, path, root, given)
        return Reading(figure, _start(figure), notes.all())


def _figure(robot: Node, path: Path, root: str, given: Settings) -> Figure:
    pairs = [link_of(node, given) for node in robot.all("link")]
    links, bodies = [link for link, _ in pairs], {link.name: body for link, body in pairs}
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
        parent[below], joints[below] = above, joint_of(node, given)
    base = _root(links, parent, path.name)
    loops = couplings_of(robot.all("joint"), {j.name: j for j in joints.values()}, given)
    hanging = [x for x in parent if parent[x] == base]
    alone = base == "world" and not by_name[base].shapes and bodies[base] == NOTHING and len(hanging) == 1
    if alone and (root == "weld" or joints[hanging[0]].kind == "weld"):
        links = [x for x in links if x.name != "world"]
        parent[hanging[0]] = ""
        if root == "free":
            joints[hanging[0]] = Free(name=joints[hanging[0]].name, placement=joints[hanging[0]].placement)
    else:
        name = base
        while name in [j.name for j in joints.values()]:
            name += "_joint"
        parent[base], joints[base] = "", (Free if root == "free" else Weld)(name=name)
    order = parents_first([x.name for x in links], parent, path.name)
    place = {name: i for i, name in enumerate(order)}
    check_size(joints.values(), path.name)
    links, repaired = [by_name[n] for n in order], bodies
    if not given.strict:
        repaired = physical(links, bodies, joints, parent, given.notes, path.name)
    figure = Figure(
        robot.get("name") or path.stem,
        tuple(Link(x.name, *repaired[x.name], x.shapes) for x in links),
        tuple(joints[n] for n in order),
        tuple(place.get(parent[n], -1) for n in order),
        loops=loops,
        checked=False,
    )
    try:
        if repaired is bodies:
            return figure.changed(checked=True)
    except SingularError:
        if given.strict:
            raise
    return figure.changed(joints=with_armature(figure, given.notes, path.name), checked=True)


def _package_of(folder: Path) -> list[Path]:
    """Return the folder of the ROS package that contains a file, if there is one: it has a file package.xml."""
    above = [folder.resolve(), *folder.resolve().parents][:MAX_PACKAGE_DEPTH]
    return [place for place in above if (place / "package.xml").is_file()][:1]


def _root(links: list[Link], parent: dict[str, str], file: str) -> str:
    """Return the name of the only link without a parent."""
    if not links:
        raise FormatError(f"{file} has no <link>. A figure needs at least one. Run xacro on a xacro file first.")
    roots = [x.name for x in links if x.name not in parent]
    if len(roots) != 1:
        words = (
            "all links form a cycle" if not roots else f"{len(roots)} links have no parent: {', '.join(roots)[:200]}"
        )
        raise FormatError(f"{file}: a figure has one root link, but {words}. Connect them with <joint> elements.")
    return roots[0]


def _start(figure: Figure) -> InitialState:
    """Return the neutral state, with joints that mimic others where these put them."""
    state = rest_state(figure)
    waiting = {c.dof: c for c in figure.loops if isinstance(c, Coupling)}
    q = state.q.copy()
    while waiting:
        chain = dict.fromkeys([next(iter(waiting))])
        while (source := waiting[next(reversed(chain))].source) in waiting and source not in chain:
            chain[source] = None
        for dof in reversed(chain):
            coupling = waiting.pop(dof)
            (at, _), (before, _) = coordinate_places(figure, coupling)
            q[at] = coupling.function.at(q[before])[0]
    return state._replace(q=q) if np.isfinite(q).all() else state


def _colours(materials: list[Node]) -> dict[str, tuple[float, ...]]:
    found = {}
    for material in materials:
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
