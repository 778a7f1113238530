"""Read <worldbody>: every body with its joints, geoms and sites, depth first, in the order of MuJoCo's numbers."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Marker, Shape
from anthropi.formats.figures.common import UNBOUNDED, Notes
from anthropi.formats.figures.mjcf.bodies import Body, Dof
from anthropi.formats.figures.mjcf.elements import (
    BODY_PARTS,
    EXPANDED_BY_MUJOCO,
    ORIENTATION,
    Defaults,
    Settings,
    check_attributes,
    refuse_element,
)
from anthropi.formats.figures.mjcf.geoms import Assets, bounded, from_to, geom_inertia, geom_shape, pose, sum_of
from anthropi.formats.figures.xml import Node

__all__ = ["Context", "bodies_of"]


class Context(NamedTuple):
    """Settings, default classes, assets and notes of a file, which are needed to read its elements."""

    settings: Settings
    defaults: Defaults
    assets: Assets
    notes: Notes


class _Part(NamedTuple):
    """An element of a body, with the <frame> that contains it and the default class that it inherits."""

    node: Node
    frame: Transform
    childclass: str


def bodies_of(world: list[Node], context: Context) -> list[Body]:
    """Read all bodies, parents first. If the world has a single child body, it is the root; otherwise "world" is."""
    parts = []
    for node in world:
        check_attributes(node, context.notes, "worldbody")
        parts += _parts(node, identity(), context.defaults.check_class(node, node.get("childclass") or ""), context)
    tops = [p for p in parts if p.node.tag == "body"]
    found: list[Body] = []
    if len(tops) == 1:
        for part in parts:
            if part.node.tag in ("geom", "site"):
                context.notes.add(
                    f"{part.node.file}: <worldbody>",
                    f"<{part.node.tag}> in the world is not part of a figure",
                    matters=False,
                )
        _visit(tops[0], -1, found, context)
    elif not tops:
        where = world[0].where if world else "The file"
        raise FormatError(f"{where} does not contain a <body>. A figure needs at least one.")
    else:
        shapes = [shape for _, shape in _geoms(parts, context)]
        sites = [_site(p, "world", context) for p in parts if p.node.tag == "site"]
        found.append(Body("world", -1, identity(), np.array([1.0, 0.0, 0.0, 0.0]), [], None, shapes, sites, True))
        for part in tops:
            _visit(part, 0, found, context)
    _add_missing_names(found)
    return found


def _parts(node: Node, frame: Transform, childclass: str, context: Context) -> list[_Part]:
    """Return the elements of a body. Each <frame> is replaced by the elements inside it."""
    parts = []
    for child in node.children:
        if child.tag not in BODY_PARTS or child.tag == "include":
            refuse_element(child, node.tag, (*BODY_PARTS, *EXPANDED_BY_MUJOCO))
        if child.tag == "frame":
            check_attributes(child, context.notes)
            inner = context.defaults.check_class(child, child.get("childclass") or childclass)
            parts += _parts(child, frame @ pose(child, context.settings), inner, context)
        elif child.tag in ("camera", "light"):
            context.notes.add(f"{child.file}", f"<{child.tag}> is not part of a figure", matters=False)
        else:
            parts.append(_Part(child, frame, childclass))
    return parts


def _visit(part: _Part, parent: int, found: list[Body], context: Context) -> None:
    node, settings = part.node, context.settings
    check_attributes(node, context.notes)
    for name, what in (("mocap", "is moved by motion capture"), ("gravcomp", "has gravity compensation")):
        if node.get(name, "false") not in ("false", "0"):
            context.notes.add(f"{node.file}: <body>", f"'{node.get('name', '')}' {what} in MuJoCo, not in the figure")
    childclass = context.defaults.check_class(node, node.get("childclass") or part.childclass)
    parts = _parts(node, identity(), childclass, context)
    place, quaternion = part.frame @ pose(node, settings), _quaternion(part, settings)
    dofs = [_dof(p, context) for p in parts if p.node.tag in ("joint", "freejoint")]
    geoms = _geoms(parts, context)
    name = node.get("name") or ""
    sites = [_site(p, name, context) for p in parts if p.node.tag == "site"]
    me = len(found)
    found.append(
        Body(name, parent, place, quaternion, dofs, _inertia(node, geoms, context), [g[1] for g in geoms], sites)
    )
    for child in parts:
        if child.node.tag == "body":
            _visit(child, me, found, context)


def _quaternion(part: _Part, settings: Settings) -> np.ndarray:
    """Return the initial quaternion of the free joint of a body: the attribute `quat`, or else from the body's pose."""
    if "quat" in part.node.attributes and (part.frame.rotation == np.eye(3)).all():
        q = part.node.numbers("quat", 4)
        return q / math.sqrt(q @ q)
    return quaternion_from_matrix((part.frame @ pose(part.node, settings)).rotation)


def _dof(part: _Part, context: Context) -> Dof:
    settings = context.settings
    if part.node.tag == "freejoint":
        check_attributes(part.node, context.notes)
        if part.node.choice("align", ("true", "false", "auto"), "auto") == "true":
            raise FormatError(
                f'{part.node.where} has align="true", which moves the body\'s frame. Delete it, or load '
                'the file with by="mujoco".'
            )
        return Dof(part.node.get("name") or "", "free")
    node = context.defaults.full(part.node, part.childclass)
    check_attributes(node, context.notes)
    if node.numbers("springdamper", 2, (0.0, 0.0)).any():
        raise FormatError(
            f'{node.where} has springdamper. Give stiffness and damping, or load the file with by="mujoco".'
        )
    kind = node.choice("type", ("hinge", "slide", "ball", "free"), "hinge")
    unit = settings.angle if kind in ("hinge", "ball") else 1.0
    axis = part.frame.rotation @ node.numbers("axis", 3, (0.0, 0.0, 1.0))
    if kind in ("hinge", "slide") and not 1e-14 < np.linalg.norm(axis) < np.inf:
        raise FormatError(f'{node.where} has axis="{node.get("axis")}". Give an axis that is not zero.')
    ref = node.number("ref", 0.0) * unit
    acting = {}
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
    return Dof(node.get("name") or "", kind, axis, anchor, ref, rest, _limits(node, kind, unit, context), **acting)


def _limits(node: Node, kind: str, unit: float, context: Context) -> tuple[float, float] | None:
    limited = node.choice("limited", ("true", "false", "auto"), "auto")
    given = node.numbers("range", 2, (0.0, 0.0)) * unit
    if limited == "false" or (limited == "auto" and "range" not in node.attributes):
        return None
    if limited == "auto" and not context.settings.autolimits:
        raise FormatError(f'{node.where} has a range, but autolimits is off. Set limited to "true" or "false".')
    if not given[0] < given[1]:
        raise FormatError(
            f'{node.where} is limited to range="{node.get("range", "")}". The first number must be less than '
            'the second. For a joint without limits, set limited="false".'
        )
    if kind in ("ball", "free"):
        context.notes.add(
            f"{node.file}: <joint>", "the range of a ball joint (its largest total rotation) is not part of a figure"
        )
        return None
    low, high = given.tolist()
    return (-math.inf if low <= -UNBOUNDED else low, math.inf if high >= UNBOUNDED else high)


def _geoms(parts: list[_Part], context: Context) -> list[tuple[Node, Shape]]:
    """Return (geom with its inherited attributes, shape) for each geom of a body that has a shape."""
    geoms: list[tuple[Node, Shape]] = []
    for part in parts:
        if part.node.tag != "geom":
            continue
        node = context.defaults.full(part.node, part.childclass)
        check_attributes(node, context.notes)
        shape = geom_shape(node, context.settings, context.assets)
        if shape is None:
            context.notes.add(f"{node.file}: <geom>", f"type {node.get('type')} is not part of a figure", matters=False)
        else:
            geoms.append((node, replace(shape, placement=part.frame @ shape.placement)))
    return geoms


def _inertia(body: Node, geoms: list[tuple[Node, Shape]], context: Context) -> RigidInertia | None:
    """Return the inertia of a body from <inertial> or from its geoms, as <compiler inertiafromgeom> selects."""
    settings = context.settings
    inertial = body.only("inertial")
    if inertial is not None:
        check_attributes(inertial, context.notes)
    if settings.inertia_from_geom == "true" or (settings.inertia_from_geom == "auto" and inertial is None):
        weights = (geom_inertia(node, shape, settings, body.get("name") or "") for node, shape in geoms)
        return bounded(sum_of(w for w in weights if w is not None), settings)
    return bounded(_inertial(inertial, settings), settings) if inertial is not None else None


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


def _site(part: _Part, body: str, context: Context) -> Marker:
    node = context.defaults.full(part.node, part.childclass)
    check_attributes(node, context.notes)
    place = from_to(node)[0] if "fromto" in node.attributes else pose(node, context.settings)
    return Marker(node.get("name") or "", body, part.frame.act_point(place.origin))


def _add_missing_names(bodies: list[Body]) -> None:
    """Give names to bodies, joints and sites without one: body3, body3_joint, torso_joint2, torso_site1."""
    taken = {b.name for b in bodies}
    for k, body in enumerate(bodies):
        if not body.name:
            body.name = _fresh(f"body{k}", taken)
    joints = {d.name for b in bodies for d in b.dofs}
    sites = {s.name for b in bodies for s in b.sites}
    for body in bodies:
        for k, dof in enumerate(body.dofs, 1):
            if not dof.name:
                dof.name = _fresh(f"{body.name}_joint{k if len(body.dofs) > 1 else ''}", joints)
        body.sites = [
            Marker(s.name or _fresh(f"{body.name}_site{k}", sites), body.name, s.point)
            for k, s in enumerate(body.sites, 1)
        ]


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
