"""Read figures from MJCF files.

A documented subset is read (docs/formats.md); elements outside it raise an error. With by="mujoco", MuJoCo's own
compiler reads all of MJCF.
"""

import os
from functools import cache as cached
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform, identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Figure, Link, Loop
from anthropi.formats import limits
from anthropi.formats.figures.common import InitialState, Notes, Reading, check_configuration
from anthropi.formats.figures.mjcf.bodies import Body, build
from anthropi.formats.figures.mjcf.elements import SECTIONS, check_attributes, defaults_of, refuse_element, settings_of
from anthropi.formats.figures.mjcf.geoms import Assets
from anthropi.formats.figures.mjcf.worldbody import Context, bodies_of
from anthropi.formats.figures.xml import Node, read_xml
from anthropi.formats.files import confined, naming

__all__ = ["loops_of", "read"]


KNOWN = ("connect", "weld", "joint", "tendon", "flex", "flexstrain", "flexvert")
MAX_ROUNDING_IN_FILES = 1e-3  # deviation of a quaternion from unit length that counts as rounding of a file


def loops_of(sections: list[Node], bodies: list[Body], figure: Figure, state: Any, context: Any) -> tuple[Loop, ...]:
    """Read the loops in <equality>: connect and weld.

    If the file gives the frame of a loop on one body only, the frame on the other body is the one that coincides with
    it in the initial state.
    """
    loops: list[Loop] = []
    places = cached(lambda: kinematics(figure, state.q))  # once for all loops
    index = {body.name: i for i, body in enumerate(bodies)}
    markers = {marker.name: marker for marker in figure.markers}
    for node in (child for section in sections for child in section.children):
        if node.tag not in KNOWN:
            refuse_element(node, "equality", KNOWN)
        if node.tag not in ("connect", "weld"):
            context.notes.add(f"{node.file}: <equality>", f"<{node.tag}> is not part of a figure")
            continue
        check_attributes(node, context.notes)
        if not node.flag("active", True):
            context.notes.add(f"{node.file}: <equality>", f"<{node.tag}> is not active and is left out")
            continue
        name = node.get("name") or f"{node.tag}{len(loops) + 1}"
        loops.append(
            _by_sites(node, name, markers)
            if "site1" in node.attributes
            else _by_bodies(node, name, bodies, index, places())
        )
    return tuple(loops)


def _by_sites(node: Node, name: str, markers: dict[str, Any]) -> Loop:
    """Read a loop between two sites. A weld raises `FormatError`, because the orientation of sites is not read."""
    if node.tag == "weld":
        raise FormatError(f"{node.where} connects sites. Give body1, body2 and relpose instead.")
    ends = []
    for attribute in ("site1", "site2"):
        wanted = node.need(attribute)
        if wanted not in markers:
            raise FormatError(f"{node.where}: no site '{wanted[:80]}'.{did_you_mean(wanted, markers)}")
        marker = markers[wanted]
        ends.append((marker.link, Transform(np.eye(3), marker.point)))
    return Loop(name, "point", ends[0][0], ends[0][1], ends[1][0], ends[1][1])


def _by_bodies(node: Node, name: str, bodies, index: dict[str, int], k: Any) -> Loop:
    first, second = (_body(node, attribute, index) for attribute in ("body1", "body2"))
    if first < 0:
        raise FormatError(f"{node.where} lacks body1. Give the name of a body. Only body2 may be the world.")
    X1 = Transform(k.rotation[first], k.position[first])
    X2 = Transform(k.rotation[second], k.position[second]) if second >= 0 else identity()
    a1 = Transform(np.eye(3), -bodies[first].anchor)  # the body's frame in the link's frame
    a2 = Transform(np.eye(3), -bodies[second].anchor) if second >= 0 else identity()
    link2 = bodies[second].name if second >= 0 else ""
    if node.tag == "connect":
        at_1 = a1 @ Transform(np.eye(3), node.numbers("anchor", 3))
        at_2 = X2.inverse() @ X1 @ at_1
        at_2 = Transform(np.eye(3), at_2.origin)
        return Loop(name, "point", bodies[first].name, at_1, link2, at_2)
    relpose = node.numbers("relpose", 7, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    if not relpose[3:].any():
        at_1, at_2 = X1.inverse() @ X2 @ a2, a2
    else:
        q = relpose[3:] / np.linalg.norm(relpose[3:])
        at_1, at_2 = a1 @ Transform(rot.matrix_from_quaternion(q), relpose[:3]), a2
    return Loop(name, "weld", bodies[first].name, at_1, link2, at_2)


def _body(node: Node, attribute: str, index: dict[str, int]) -> int:
    wanted = node.get(attribute) or "world"
    if wanted in index:
        return index[wanted]
    if wanted == "world":
        return -1
    raise FormatError(f"{node.where}: no body '{wanted[:80]}'.{did_you_mean(wanted, index)}")


MAX_INCLUDES = 100


def read(path: str | os.PathLike[str], by: str = "anthropi") -> Reading:
    """Read the figure in an MJCF file.

    by : "anthropi" for the reader in this package, which reads a subset of MJCF; "mujoco" for MuJoCo's own compiler
    (needs the package mujoco), which reads all of MJCF but gives fewer notes on what is left out.
    """
    path = Path(path)
    with naming(path):
        notes = Notes()
        root = read_xml(path)
        if root.tag != "mujoco":
            raise FormatError(f"{path.name} begins with <{root.tag[:80]}>, not <mujoco>. It is not an MJCF file.")
        if by == "mujoco":
            from anthropi.formats.figures.mjcf.compiled import read_compiled

            return read_compiled(path, root)
        if by != "anthropi":
            raise FormatError(f'by="{by}". Choose "anthropi" or "mujoco".')
        root = _with_includes(root, path, notes)
        return _figure(root, path, notes)


def _figure(root: Node, path: Path, notes: Notes) -> Reading:
    check_attributes(root, notes)
    for section in root.children:
        if section.tag not in SECTIONS:
            refuse_element(section, "mujoco", SECTIONS)
        matters = SECTIONS[section.tag]
        if matters is not None and (section.children or section.attributes):
            what = f"<{section.tag}> is not part of a figure ({len(section.children)} elements)"
            notes.add(path.name, what, matters)
    settings, defaults = settings_of(root, notes), defaults_of(root)
    context = Context(settings, defaults, Assets(root, settings, defaults, path.parent, notes), notes)
    bodies = bodies_of(root.all("worldbody"), context)
    _unique(bodies, path.name)
    figure, state = build(root.get("model") or path.stem, bodies, settings.gravity, path.name)
    if settings.total_mass > 0.0 and figure.mass > 0.0:
        share = settings.total_mass / figure.mass
        figure = figure.changed(links=tuple(_scaled(x, share) for x in figure.links))
    loops = loops_of(root.all("equality"), bodies, figure, state, context)
    state = _start(root.all("keyframe"), figure, state)
    if loops:
        figure = figure.changed(loops=loops)
    return Reading(figure, state, notes.all())


def _start(sections: list[Node], figure: Figure, state: InitialState) -> InitialState:
    """Return the state in the keyframe "start", which this package writes; otherwise `state`, from the body poses."""
    for key in (child for section in sections for child in section.children if child.get("name") == "start"):
        q = key.numbers("qpos", figure.nq, state.q) if figure.nq else state.q
        u = key.numbers("qvel", figure.nu, state.u) if figure.nu else state.u
        unit = figure.normalise(q)  # quaternions in files have about six digits; others are refused below
        q = unit if abs(unit - q).max(initial=0.0) < MAX_ROUNDING_IN_FILES else q
        for joint, place in zip(figure.joints, figure.q_of, strict=True):
            check_configuration(joint, q[place], key.where)
        return InitialState(q, u, state.udot)
    return state


def _scaled(link: Link, share: float) -> Link:
    return Link(link.name, link.mass * share, link.centre, np.asarray(link.tensor) * share, link.shapes)


def _unique(bodies, file: str) -> None:
    """Raise `FormatError` if two bodies, two joints or two sites have the same name."""
    for what, names in (
        ("bodies", [b.name for b in bodies]),
        ("joints", [d.name for b in bodies for d in b.dofs]),
        ("sites", [s.name for b in bodies for s in b.sites]),
    ):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise FormatError(f"{file}: two {what} are called '{name[:80]}'. Give each its own name.")
            seen.add(name)


# includes


def _with_includes(root: Node, path: Path, notes: Notes) -> Node:
    """Replace each <include> by the content of the file it refers to, which must be in the folder of the model."""
    seen = {path.resolve()}
    spent, most = 0, limits.current()

    def expand(node: Node, level: int, inside: bool) -> list[Node]:
        nonlocal spent
        spent += 1
        if level > most.xml_depth:
            words = f"elements are nested more than {most.xml_depth} levels deep, counting includes"
            raise limits.exceeded(node.where, "xml_depth", words)
        if node.tag != "include":
            node.children = [x for child in node.children for x in expand(child, level + 1, True)]
            return [node]
        check_attributes(node, notes)
        reference = node.need("file")
        target = confined(path.parent, reference, node.where)
        if not os.path.exists(target):
            return _missing(node, reference, inside, notes)
        if target.resolve() in seen or len(seen) > MAX_INCLUDES:
            raise FormatError(f"{node.where}: '{reference}' is included twice, or includes itself. Include it once.")
        seen.add(target.resolve())
        inner = read_xml(target, max(most.xml_elements - spent, 1))
        return [x for child in inner.children for x in expand(child, level + 1, True)]

    root.children = [x for child in root.children for x in expand(child, 1, child.tag != "include")]
    return root


def _missing(node: Node, reference: str, inside: bool, notes: Notes) -> list[Node]:
    """Handle a missing include: add a note at the top level of a file, raise `FormatError` inside another element."""
    if inside:
        raise FormatError(f"{node.where}: no file '{reference}' in the model's folder. Copy it there.")
    notes.add(f"{node.file}: <include>", f"no file '{reference}' in the model's folder; its content is missing")
    return []
