"""Read figures from MJCF files.

A documented subset is read (docs/formats.md); elements outside it raise an error. With by="mujoco", MuJoCo's own
compiler reads all of MJCF.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache as cached
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform, identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Coupling, Figure, Link, Loop, Marker, Polynomial
from anthropi.formats.figures.common import InitialState, Notes, Reading, check_configuration
from anthropi.formats.figures.mjcf.bodies import Body, Dof, add_missing_names, build, fresh, rooted, with_tensors
from anthropi.formats.figures.mjcf.context import Context, context_of, note_sections
from anthropi.formats.figures.mjcf.elements import check_attributes, refuse_element
from anthropi.formats.figures.mjcf.fusing import fused
from anthropi.formats.figures.mjcf.includes import Files, read_model
from anthropi.formats.figures.mjcf.springs import with_springs
from anthropi.formats.figures.mjcf.worldbody import bodies_of
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import naming

__all__ = ["loops_of", "read"]


LOOPS = ("connect", "weld")
OTHER_EQUALITIES = ("tendon", "flex", "flexstrain", "flexvert")
KNOWN = (*LOOPS, "joint", *OTHER_EQUALITIES)
IDENTITY = (0.0, 1.0, 0.0, 0.0, 0.0)  # coefficients of a coupling that the file does not give
SIZES = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}  # degrees of freedom of joints
MAX_ROUNDING_IN_FILES = 1e-3  # deviation of a quaternion from unit length that counts as rounding of a file


def loops_of(
    context: Context, bodies: list[Body], figure: Figure, state: InitialState, outside: Iterable[Marker] = ()
) -> tuple[Loop | Coupling, ...]:
    """Read the loops in <equality>, also of attached models: connect, weld, and joints coupled by polynomials.

    outside : sites of the world, if it is not a link.

    If the file gives the frame of a loop on one body only, the frame on the other body is the one that coincides with
    it in the initial state.
    """
    loops: list[Loop | Coupling] = []
    places = cached(lambda: kinematics(figure, state.q))  # once for all loops
    markers = {marker.name: marker for marker in (*outside, *figure.markers)}
    known = _Known({body.name: i for i, body in enumerate(bodies)}, markers, bodies, places)
    taken: set[str] = set()
    for node, model in _equalities(context):
        if node.tag in OTHER_EQUALITIES or (node.tag == "joint" and not node.get("joint2")):
            what = "a joint that is held" if node.tag == "joint" else f"<{node.tag}>"
            context.notes.add(f"{node.file}: <equality>", f"{what} is not part of a figure")
            continue
        if not node.flag("active", True):
            context.notes.add(f"{node.file}: <equality>", f"<{node.tag}> is not active and is left out")
            continue
        name = fresh(model.named(node.get("name")) or f"{node.tag}{len(loops) + 1}", taken)
        if node.tag == "joint":
            loops.append(_coupling(node, name, bodies, figure, model))
            continue
        make = _by_sites if "site1" in node.attributes else _by_bodies
        loops.append(make(node, name, known, model))
    return tuple(loops)


class _Known(NamedTuple):
    """What loops refer to: numbers of bodies and markers by name, the bodies, and the kinematics of the figure."""

    numbers: dict[str, int]
    markers: dict[str, Any]
    bodies: list[Body]
    places: Callable[[], Any]


ENDS = ("body1", "body2", "site1", "site2", "joint1", "joint2")


def _equalities(context: Context) -> Iterator[tuple[Node, Context]]:
    """Return each element of <equality> with its model, and once for each copy of a replicated body it refers to.

    Elements of an attached model that refer to bodies that were not attached are left out.
    """
    own = [(context, node) for section in context.root.all("equality") for node in section.children]
    for model in context.shared.attached:
        own += [(model, node) for section in model.root.all("equality") for node in section.children]
    for model, node in own:
        if node.tag not in KNOWN:
            refuse_element(node, "equality", KNOWN)
        full = model.defaults.full(replace(node, tag="equality"), "")
        node = replace(full, tag=node.tag)
        if node.tag in LOOPS:
            check_attributes(node, context.notes)
        ends = [node.attributes[end] for end in ENDS if node.get(end)]
        if model is not context and not all(model.attaches(end) for end in ends):
            continue
        copies = {suffix: None for end in ends for suffix in model.copies(end)}
        for suffix in copies or (model.suffix,):
            context.shared.count(node)
            yield node, replace(model, suffix=suffix)


def _by_sites(node: Node, name: str, known: _Known, model: Context) -> Loop:
    """Read a loop between two sites. A weld raises `FormatError`, because the orientation of sites is not read."""
    markers = known.markers
    if node.tag == "weld":
        raise FormatError(f"{node.where} connects sites. Give body1, body2 and relpose instead.")
    ends = []
    for attribute in ("site1", "site2"):
        wanted = model.reference(node.need(attribute))
        if wanted not in markers:
            raise FormatError(f"{node.where}: no site '{wanted[:80]}'.{did_you_mean(wanted, markers)}")
        marker = markers[wanted]
        ends.append((marker.link, Transform(np.eye(3), marker.point)))
    return Loop(name, "point", ends[0][0], ends[0][1], ends[1][0], ends[1][1])


def _by_bodies(node: Node, name: str, known: _Known, model: Context) -> Loop:
    bodies, k = known.bodies, known.places()
    first, second = (_body(node, attribute, known.numbers, model) for attribute in ("body1", "body2"))
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


def _coupling(node: Node, name: str, bodies: list[Body], figure: Figure, model: Context) -> Coupling:
    """Read two joints whose distances y, x from their `ref` are coupled by y = c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴."""
    known: dict[str, tuple[str, Dof]] = {}
    at = 0
    for body in bodies:
        for dof in body.dofs:
            known[dof.name] = figure.dofs[at], dof
            at += SIZES[dof.kind]
    found = []
    for attribute in ("joint1", "joint2"):
        wanted = model.reference(node.need(attribute))
        if wanted not in known:
            raise FormatError(f"{node.where}: no joint '{wanted[:80]}'.{did_you_mean(wanted, known)}")
        if SIZES[known[wanted][1].kind] > 1:
            raise FormatError(f"{node.where}: joint '{wanted[:80]}' is not a hinge or a slide, which can be coupled.")
        found.append(known[wanted])
    (driven, y), (source, x) = found
    given = node.numbers("polycoef", (1, 2, 3, 4, 5), IDENTITY)
    shifted = np.polynomial.Polynomial([*given, *IDENTITY[len(given) :]])
    whole = shifted(np.polynomial.Polynomial([-x.ref, 1.0])) + y.ref  # of the coordinates themselves
    return Coupling(name, driven, source, Polynomial(tuple(np.trim_zeros(whole.coef, "b")) or (0.0,)))


def _body(node: Node, attribute: str, index: dict[str, int], model: Context) -> int:
    wanted = node.get(attribute) or "world"
    if wanted == "world":
        return index.get(wanted, -1)
    wanted = model.reference(wanted)
    if wanted in index:
        return index[wanted]
    raise FormatError(f"{node.where}: no body '{wanted[:80]}'.{did_you_mean(wanted, index)}")


def read(
    path: str | os.PathLike[str],
    by: str = "anthropi",
    folders: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
) -> Reading:
    """Read the figure in an MJCF file.

    by : "anthropi" for the reader in this package, which reads a subset of MJCF; "mujoco" for MuJoCo's own compiler
    (needs the package mujoco), which reads all of MJCF but gives fewer notes on what is left out.
    folders : further folders from which included files, meshes and attached models may be read. Files in the folder of
    the model are always read, files elsewhere never.
    """
    path = Path(path)
    with naming(path):
        notes = Notes()
        files = Files.of(path, folders)
        if by not in ("anthropi", "mujoco"):
            raise FormatError(f'by="{by}". Choose "anthropi" or "mujoco".')
        root = read_model(path, files, notes)
        if by == "mujoco":
            from anthropi.formats.figures.mjcf.compiled import read_compiled

            return read_compiled(path, root, files)
        return _figure(root, path, files, notes)


def _figure(root: Node, path: Path, files: Files, notes: Notes) -> Reading:
    check_attributes(root, notes)
    note_sections(root, path.name, notes)
    context = context_of(root, files, notes)
    settings = context.settings
    bodies = bodies_of(root.all("worldbody"), context)
    if settings.fuse:
        bodies = fused(bodies, root)
    if sum(body.parent == 0 for body in bodies) == 1 and (bodies[0].shapes or bodies[0].sites):
        notes.add(f"{path.name}: <worldbody>", "geoms and sites of the world are not part of a figure", matters=False)
    world, bodies = bodies[0], rooted(bodies)
    outside = () if bodies[0].world else (Marker(site.name, "", site.point) for site in world.sites)
    add_missing_names(bodies)
    _unique(bodies, path.name)
    bodies = with_tensors(bodies, path.name, notes)
    figure, state = build(root.get("model") or path.stem, bodies, settings.gravity, path.name)
    sprung = with_springs(bodies, figure, state.q, path.name)
    if sprung is not bodies:
        figure, state = build(figure.name, sprung, settings.gravity, path.name)
    if settings.total_mass > 0.0 and figure.mass > 0.0:
        share = settings.total_mass / figure.mass
        figure = figure.changed(links=tuple(_scaled(x, share) for x in figure.links))
    loops = loops_of(context, bodies, figure, state, outside)
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
