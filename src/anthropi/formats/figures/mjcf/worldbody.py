"""Read <worldbody>: every body with its joints, geoms and sites, depth first, in the order of MuJoCo's numbers.

<frame>, <replicate> and <attach> are not bodies: each part of a body knows the frame in which it stands, and the
`Context` of its model, which has the prefix and suffix of its name.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Marker, Shape
from anthropi.formats.figures.common import UNBOUNDED
from anthropi.formats.figures.mjcf.bodies import Body, Dof
from anthropi.formats.figures.mjcf.context import Context
from anthropi.formats.figures.mjcf.copies import attached_part, steps_of
from anthropi.formats.figures.mjcf.elements import (
    BODY_PARTS,
    EXPANDED_BY_MUJOCO,
    ORIENTATION,
    SKIPPED_PARTS,
    Settings,
    check_attributes,
    refuse_element,
)
from anthropi.formats.figures.mjcf.geoms import Geom, bounded, from_to, geom_inertia, geom_of, pose, sum_of
from anthropi.formats.figures.xml import Node

__all__ = ["bodies_of"]


class _Part(NamedTuple):
    """An element of a body, with the frame in which it stands, the default class that it inherits, and its model."""

    node: Node
    frame: Transform
    childclass: str
    context: Context


def bodies_of(world: list[Node], context: Context) -> list[Body]:
    """Read all bodies, parents first. The first one is the world."""
    parts: list[_Part] = []
    for node in world:
        check_attributes(node, context.notes, "worldbody")
        parts += _parts(node, identity(), context.defaults.check_class(node, node.get("childclass") or ""), context)
    geoms = _geoms(parts)
    sites = [_site(p, "world") for p in parts if p.node.tag == "site"]
    shapes = [shape for _, shape in _shapes(geoms)]
    found = [Body("world", -1, identity(), np.array([1.0, 0.0, 0.0, 0.0]), [], None, shapes, sites, True)]
    tops = [p for p in parts if p.node.tag == "body"]
    if not tops:
        where = world[0].where if world else "The file"
        raise FormatError(f"{where} does not contain a <body>. A figure needs at least one.")
    for part in tops:
        _visit(part, 0, found)
    return found


def _parts(node: Node, frame: Transform, childclass: str, context: Context) -> list[_Part]:
    """Return the elements of a body. <frame>, <replicate> and <attach> are replaced by the elements they stand for."""
    parts: list[_Part] = []
    for child in node.children:
        context.shared.count(child)
        if child.tag in EXPANDED_BY_MUJOCO or (child.tag not in BODY_PARTS and child.tag not in SKIPPED_PARTS):
            refuse_element(child, node.tag, (*BODY_PARTS, *SKIPPED_PARTS))
        if child.tag == "frame":
            check_attributes(child, context.notes)
            inner = context.defaults.check_class(child, child.get("childclass") or childclass)
            parts += _parts(child, frame @ pose(child, context.settings), inner, context)
        elif child.tag == "replicate":
            check_attributes(child, context.notes)
            inner = context.defaults.check_class(child, child.get("childclass") or childclass)
            for step, suffix in steps_of(child, context.settings):
                context.shared.count(child)
                parts += _parts(child, frame @ step, inner, replace(context, suffix=suffix + context.suffix))
        elif child.tag == "attach":
            check_attributes(child, context.notes)
            source, place, inner, model = attached_part(child, context)
            if source.tag == "body":
                parts.append(_Part(source, frame @ place, inner, model))
            else:
                parts += _parts(source, frame @ place, inner, model)
        elif child.tag in SKIPPED_PARTS:
            context.notes.add(f"{child.file}", f"<{child.tag}> is not part of a figure", SKIPPED_PARTS[child.tag])
        else:
            parts.append(_Part(child, frame, childclass, context))
    return parts


def _visit(part: _Part, parent: int, found: list[Body]) -> None:
    node, context = part.node, part.context
    check_attributes(node, context.notes)
    for name, what in (("mocap", "is moved by motion capture"), ("gravcomp", "has gravity compensation")):
        if node.get(name, "false") not in ("false", "0"):
            context.notes.add(f"{node.file}: <body>", f"'{node.get('name', '')}' {what} in MuJoCo, not in the figure")
    childclass = context.defaults.check_class(node, node.get("childclass") or part.childclass)
    parts = _parts(node, identity(), childclass, context)
    place, quaternion = part.frame @ pose(node, context.settings), _quaternion(part)
    dofs = [_dof(p) for p in parts if p.node.tag in ("joint", "freejoint")]
    geoms = _geoms(parts)
    name = context.named(node.get("name"))
    sites = [_site(p, name) for p in parts if p.node.tag == "site"]
    inertia = _inertia(parts, geoms, context)
    shapes = [shape for geom, shape in _shapes(geoms) if not (context.settings.discard_visual and geom.visual)]
    me = len(found)
    mocap = node.flag("mocap")
    found.append(Body(name, parent, place, quaternion, dofs, inertia, shapes, sites, mocap=mocap))
    for child in parts:
        if child.node.tag == "body":
            _visit(child, me, found)


def _quaternion(part: _Part) -> np.ndarray:
    """Return the initial quaternion of the free joint of a body: the attribute `quat`, or else from the body's pose."""
    if "quat" in part.node.attributes and (part.frame.rotation == np.eye(3)).all():
        q = part.node.numbers("quat", 4)
        return q / math.sqrt(q @ q)
    return quaternion_from_matrix((part.frame @ pose(part.node, part.context.settings)).rotation)


def _dof(part: _Part) -> Dof:
    context, settings = part.context, part.context.settings
    if part.node.tag == "freejoint":
        check_attributes(part.node, context.notes)
        if part.node.choice("align", ("true", "false", "auto"), "auto") == "true":
            raise FormatError(
                f'{part.node.where} has align="true", which moves the body\'s frame. Delete it, or load '
                'the file with by="mujoco".'
            )
        return Dof(context.named(part.node.get("name")), "free")
    node = context.defaults.full(part.node, part.childclass)
    check_attributes(node, context.notes)
    kind = node.choice("type", ("hinge", "slide", "ball", "free"), "hinge")
    unit = settings.angle if kind in ("hinge", "ball") else 1.0
    axis = part.frame.rotation @ node.numbers("axis", 3, (0.0, 0.0, 1.0))
    if kind in ("hinge", "slide") and not 1e-14 < np.linalg.norm(axis) < np.inf:
        raise FormatError(f'{node.where} has axis="{node.get("axis")}". Give an axis that is not zero.')
    ref = node.number("ref", 0.0) * unit
    acting: dict[str, Any] = {}
    for name in ("stiffness", "damping", "armature"):
        acting[name] = node.number(name, 0.0)
        if acting[name] < 0.0:
            raise FormatError(f'{node.where} has {name}="{node.get(name)}". Give a number that is not negative.')
    if kind == "free" and acting["stiffness"]:
        context.notes.add(
            f"{node.file}: <joint>",
            "the spring of a free joint pulls to the initial position in MuJoCo, but to the origin in a figure",
        )
    anchor = part.frame.act_point(node.numbers("pos", 3, (0.0, 0.0, 0.0)))
    rest = node.number("springref", 0.0) * unit
    response = node.numbers("springdamper", 2, (0.0, 0.0))
    if response.any():
        if not (response > 0.0).all():
            raise FormatError(f'{node.where} has springdamper="{node.get("springdamper")}". Give two positive numbers.')
        acting["response"] = tuple(response.tolist())
    name = context.named(node.get("name"))
    return Dof(name, kind, axis, anchor, ref, rest, _limits(node, kind, unit, context), **acting)


def _limits(node: Node, kind: str, unit: float, context: Context) -> tuple[float, float] | None:
    limited = node.choice("limited", ("true", "false", "auto"), "auto")
    given = node.numbers("range", 2, (0.0, 0.0)) * unit
    if kind == "free" or limited == "false" or (limited == "auto" and not given.any()):
        return None
    if limited == "auto" and not context.settings.autolimits:
        raise FormatError(f'{node.where} has a range, but autolimits is off. Set limited to "true" or "false".')
    if kind == "ball":
        context.notes.add(
            f"{node.file}: <joint>", "the range of a ball joint (its largest total rotation) is not part of a figure"
        )
        return None
    if not given[0] < given[1]:
        raise FormatError(
            f'{node.where} is limited to range="{node.get("range", "")}". The first number must be less than '
            'the second. For a joint without limits, set limited="false".'
        )
    low, high = given.tolist()
    return (-math.inf if low <= -UNBOUNDED else low, math.inf if high >= UNBOUNDED else high)


def _geoms(parts: list[_Part]) -> list[tuple[Geom, Context]]:
    """Read each geom of a body that is not a part of the scene."""
    geoms: list[tuple[Geom, Context]] = []
    for part in parts:
        if part.node.tag != "geom":
            continue
        context = part.context
        node = context.defaults.full(part.node, part.childclass)
        check_attributes(node, context.notes)
        geom = geom_of(node, part.frame, context.settings, context.assets)
        if geom is None:
            context.notes.add(f"{node.file}: <geom>", f"type {node.get('type')} is not part of a figure", matters=False)
            continue
        if geom.kind == "sdf":
            context.notes.add(f"{node.file}: <geom>", "a signed distance field (sdf) is drawn and weighed as its mesh")
        geoms.append((geom, context))
    return geoms


def _shapes(geoms: list[tuple[Geom, Context]]) -> Iterator[tuple[Geom, Shape]]:
    """Return the geoms that have a shape, with it."""
    for geom, context in geoms:
        shape = geom.shape(context.named(geom.node.get("name")), context.notes)
        if shape is not None:
            yield geom, shape


def _inertia(parts: list[_Part], geoms: list[tuple[Geom, Context]], context: Context) -> RigidInertia | None:
    """Return the inertia of a body from <inertial> or from its geoms, as <compiler inertiafromgeom> selects."""
    settings = context.settings
    given = [p for p in parts if p.node.tag == "inertial"]
    if len(given) > 1:
        raise FormatError(f"{given[1].node.where}: its body has more than one <inertial>. Keep one.")
    for part in given:
        check_attributes(part.node, context.notes)
    if settings.inertia_from_geom == "true" or (settings.inertia_from_geom == "auto" and not given):
        weights = (geom_inertia(geom, own.settings) for geom, own in geoms)
        return bounded(sum_of(w for w in weights if w is not None), settings)
    return bounded(_inertial(given[0].node, settings), settings) if given else None


def _inertial(node: Node, settings: Settings) -> RigidInertia | None:
    place, mass = pose(node, settings), node.number("mass")
    if mass < 0.0:
        raise FormatError(f'{node.where} has mass="{node.get("mass")}". Give a positive mass.')
    full, diagonal = "fullinertia" in node.attributes, "diaginertia" in node.attributes
    if full and (diagonal or any(name in node.attributes for name in ORIENTATION)):
        raise FormatError(
            f"{node.where} has fullinertia together with diaginertia or an orientation. Keep only one of them."
        )
    if full:
        xx, yy, zz, xy, xz, yz = node.numbers("fullinertia", 6)
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        moments = node.numbers("diaginertia", 3, (0.0, 0.0, 0.0))
        tensor = (place.rotation * moments) @ place.rotation.T
    if mass == 0.0 and not tensor.any():
        return None
    return RigidInertia(mass, place.origin, 0.5 * (tensor + tensor.T))


def _site(part: _Part, body: str) -> Marker:
    context = part.context
    node = context.defaults.full(part.node, part.childclass)
    check_attributes(node, context.notes)
    place = from_to(node)[0] if "fromto" in node.attributes else pose(node, context.settings)
    return Marker(context.named(node.get("name")), body, part.frame.act_point(place.origin))
