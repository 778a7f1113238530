"""Merge bodies without joints with their parents, as MuJoCo does for <compiler fusestatic="true">.

A body keeps its place if another element refers to it by name, if it is moved by motion capture, or if a force or
torque sensor is at one of its sites. The inertia of a body that is merged with the world is left out.
"""

from dataclasses import replace

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.figure import Marker
from anthropi.formats.figures.mjcf.bodies import Body
from anthropi.formats.figures.mjcf.elements import BODY_PARTS
from anthropi.formats.figures.mjcf.geoms import sum_of
from anthropi.formats.figures.xml import Node

__all__ = ["fused", "names_in_use"]

BODY_REFERENCES = ("body", "body1", "body2", "target")  # attributes with the name of a body
OBJECT_REFERENCES = (("objtype", "objname"), ("reftype", "refname"))  # attributes with the kind of an element, its name
MIN_MASS = 1e-15  # [kg] a smaller mass is not added; MuJoCo's mjMINVAL
UNREAD = ("default", "asset", "custom", "visual", "compiler", "option", "size", "statistic", "keyframe")


def names_in_use(root: Node) -> tuple[set[str], set[str]]:
    """Return the names of the bodies to which elements refer, and those of the sites of force and torque sensors."""
    bodies: set[str] = set()
    sites: set[str] = set()
    waiting = [section for section in root.children if section.tag not in UNREAD]
    while waiting:
        node = waiting.pop()
        if node.tag not in BODY_PARTS:
            bodies.update(node.get(name) or "" for name in BODY_REFERENCES)
            bodies.update(node.get(name) or "" for kind, name in OBJECT_REFERENCES if "body" in (node.get(kind) or ""))
        if node.tag in ("force", "torque"):
            sites.add(node.get("site") or "")
        waiting += node.children
    return bodies - {""}, sites - {""}


def fused(bodies: list[Body], root: Node) -> list[Body]:
    """Return bodies, parents first, in which each body without joints is merged with its parent."""
    named, sites = names_in_use(root)
    kept: list[Body] = [bodies[0]]
    place = {0: (0, Transform(np.eye(3), np.zeros(3)))}  # body: the body it is part of, and its pose there
    for i, body in enumerate(bodies[1:], 1):
        into, frame = place[body.parent]
        moved = replace(body, parent=into, pose=frame @ body.pose)
        stays = body.dofs or body.mocap or body.name in named or any(site.name in sites for site in body.sites)
        if stays:
            place[i] = (len(kept), Transform(np.eye(3), np.zeros(3)))
            kept.append(moved)
        else:
            place[i] = (into, moved.pose)
            kept[into] = _merged(kept[into], moved)
    return kept


def _merged(parent: Body, body: Body) -> Body:
    """Merge a body with its parent; `body.pose` is its pose in the parent."""
    weights = [] if parent.inertia is None else [parent.inertia]
    if body.inertia is not None and body.inertia.mass >= MIN_MASS:
        weights.append(body.pose.act_inertia(body.inertia))
    inertia = None if parent.world else sum_of(weights)
    shapes = [replace(shape, placement=body.pose @ shape.placement) for shape in body.shapes]
    sites = [Marker(site.name, parent.name, body.pose.act_point(site.point)) for site in body.sites]
    return replace(parent, inertia=inertia, shapes=[*parent.shapes, *shapes], sites=[*parent.sites, *sites])
