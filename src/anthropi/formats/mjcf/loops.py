"""MJCF's <equality>: connect and weld between bodies become loops; the other kinds are noted."""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform, identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Loop
from anthropi.formats.mjcf.known import check_attributes, refuse_element
from anthropi.formats.xml import Node

__all__ = ["loops_of"]

KNOWN = ("connect", "weld", "joint", "tendon", "flex", "flexstrain", "flexvert")


def loops_of(sections: list[Node], bodies, figure, state, context) -> tuple[Loop, ...]:
    """The loops of a file. A body's end of a loop is where the other's lies in the state the file starts in."""
    loops: list[Loop] = []
    for node in (child for section in sections for child in section.children):
        if node.tag not in KNOWN:
            refuse_element(node, "equality", KNOWN)
        if node.tag not in ("connect", "weld"):
            context.notes.add(f"{node.file}: <equality>", f"<{node.tag}> is not part of a figure")
            continue
        check_attributes(node, context.notes)
        if not node.flag("active", True):
            context.notes.add(f"{node.file}: <equality>", f"<{node.tag}> is not active and left out")
            continue
        name = node.get("name") or f"{node.tag}{len(loops) + 1}"
        loops.append(_by_sites(node, name, figure) if "site1" in node.attributes else
                     _by_bodies(node, name, bodies, figure, state))  # fmt: skip
    return tuple(loops)


def _by_sites(node: Node, name: str, figure) -> Loop:
    """Two sites that meet; a site's orientation is not kept, so a weld is given by bodies."""
    if node.tag == "weld":
        raise FormatError(f"{node.where} joins sites. Give body1, body2 and relpose instead.")
    ends = []
    for attribute in ("site1", "site2"):
        names = [m.name for m in figure.markers]
        wanted = node.need(attribute)
        if wanted not in names:
            raise FormatError(f"{node.where}: no site '{wanted[:80]}'.{did_you_mean(wanted, names)}")
        marker = figure.marker(wanted)
        ends.append((marker.link, Transform(np.eye(3), marker.point)))
    return Loop(name, "point", ends[0][0], ends[0][1], ends[1][0], ends[1][1])


def _by_bodies(node: Node, name: str, bodies, figure, state) -> Loop:
    first, second = (_body(node, attribute, bodies) for attribute in ("body1", "body2"))
    if first < 0:
        raise FormatError(f"{node.where} lacks body1. Name a body; body2 may be the world.")
    k = kinematics(figure, state.q)
    X1 = Transform(k.rotation[first], k.position[first])
    X2 = Transform(k.rotation[second], k.position[second]) if second >= 0 else identity()
    a1 = Transform(np.eye(3), -bodies[first].anchor)  # the body's frame seen from its link's
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


def _body(node: Node, attribute: str, bodies) -> int:
    wanted = node.get(attribute) or "world"
    names = [b.name for b in bodies]
    if wanted in names:
        return names.index(wanted)
    if wanted == "world":
        return -1
    raise FormatError(f"{node.where}: no body '{wanted[:80]}'.{did_you_mean(wanted, names)}")
