"""Write figures as URDF files.

A joint of several degrees of freedom becomes a chain of joints with massless links between them. The joint of the root
connects to a link "world". A ball joint becomes three hinges about x, y and z; its angles are then x-y-z Euler angles,
and its limits, which bound the rotation vector, agree with theirs for rotations about one axis. A linear coupling is
written as <mimic>. Loops and joints that URDF does not have (helical) raise an error. Other properties that it cannot
represent, such as joint springs, are left out with a note.
"""

import os
from typing import Any

import numpy as np

from anthropi.algebra.rotation import euler_from_matrix
from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Composite, Coupling, Euler, Figure, Joint, Link, Locked, Polynomial, Shape
from anthropi.figure.joints import JointRating
from anthropi.formats.figures.common import UNBOUNDED, InitialState, Note, Notes, is_identity, rgba
from anthropi.formats.figures.xml import Writer
from anthropi.formats.files import write_text

__all__ = ["write"]

X, Y, Z = np.eye(3)
BALLS = ("ball", "exponential")
NO_LIMIT = UNBOUNDED  # effort and velocity of joints without a rating, because URDF requires numbers


def write(figure: Figure, path: str | os.PathLike[str], state: InitialState | None = None) -> tuple[Note, ...]:
    """Write a figure as a URDF file, and return notes on what URDF cannot represent."""
    notes, out = Notes(), Writer()
    for joint in (joint for joint in figure.joints if joint.stop is not None):
        notes.add(f"joint '{joint.name}'", "its stop is not part of a URDF file")
    closures = [x.name for x in figure.loops if not isinstance(x, Coupling)]
    if closures:
        raise FormatError(
            f"Figure '{figure.name}' has loops ({', '.join(closures)}), which URDF does not have. Save it as .toml."
        )
    follow = _mimics(figure, notes)
    if figure.gravity.tolist() != [0.0, 0.0, -9.81]:
        notes.add("gravity", f"{figure.gravity.tolist()} is not part of a URDF file")
    for marker in figure.markers:
        notes.add(
            "markers",
            f"{'a point' if hasattr(marker, 'point') else 'a direction'} is not part of a URDF file",
            matters=False,
        )
    if state is not None and (np.any(state.q != figure.neutral()) or np.any(state.u) or np.any(state.udot)):
        notes.add("state", "the initial state is not part of a URDF file")
    out.open("robot", name=figure.name)
    taken = {x.name for x in figure.links}
    first = figure.joints[0]
    moves = first.kind != "weld" or not is_identity(first.placement)
    if moves and "world" in taken:
        raise FormatError(
            f"Figure '{figure.name}' has a link 'world', but its root moves or is not at the origin of the world. "
            "Rename the link, because in URDF this name stands for the world."
        )
    if moves:
        out.leaf("link", name="world")
    for link, joint, p in zip(figure.links, figure.joints, figure.parent, strict=True):
        _link(link, out, notes)
        if p >= 0 or moves:
            _chain(figure, joint, "world" if p < 0 else figure.links[p].name, link.name, taken, out, notes, follow)
    out.close("robot")
    write_text(path, out.text())
    return notes.all()


def _mimics(figure: Figure, notes: Notes) -> dict[str, dict[str, Any]]:
    """Return {dof: attributes of its <mimic> element} for the linear couplings; others are noted."""
    found: dict[str, dict[str, Any]] = {}
    for loop in (x for x in figure.loops if isinstance(x, Coupling)):
        given = loop.function.coefficients if isinstance(loop.function, Polynomial) else None
        if given is None or any(given[2:]) or loop.dof in found:
            notes.add(f"coupling '{loop.name}'", "it is not part of a URDF file, which has one linear one for a joint")
            continue
        offset, factor = (*given, 0.0, 0.0)[:2]
        source = next(j for j in figure.joints if loop.source in j.dofs)
        name = source.name if source.nu == 1 else loop.source
        found[loop.dof] = {"joint": name, "multiplier": [factor], "offset": [offset]}
    return found


def _chain(
    figure: Figure,
    joint: Joint,
    parent: str,
    child: str,
    taken: set[str],
    out: Writer,
    notes: Notes,
    follow: dict[str, dict[str, Any]],
) -> None:
    """Write a joint as a chain of one or more URDF joints."""
    for n in ("stiffness", "armature"):
        if np.any(getattr(joint, n)):
            notes.add("joints", f"{n} is not part of a URDF file")
    steps, end = _steps(figure, joint, joint.placement, 0, notes)
    if not steps or not is_identity(end):
        steps.append(("fixed", Z, "end" if steps else "", end, None, None))
    above = parent
    for k, (kind, axis, suffix, place, at, rating) in enumerate(steps):
        name = f"{joint.name}.{suffix}" if len(steps) > 1 else joint.name
        below = child
        if k + 1 < len(steps):
            below = f"{name}_link"
            while below in taken:
                below += "_"
            taken.add(below)
            out.leaf("link", name=below)
        mimic = follow.get(joint.dofs[at]) if at is not None else None
        _one(joint, kind, axis, name, place, at, above, below, out, rating, mimic)
        above = below


def _steps(figure: Figure, joint: Joint, place: Transform, at: int, notes: Notes):
    """Split a joint into URDF joints.

    Returns (type, axis, suffix of the name, placement, index of the first degree of freedom, rating) of each URDF
    joint, and the transform from the last one to the child link.
    """
    if isinstance(joint, Locked):
        notes.add(f"joint '{joint.name}'", "the joint is locked and is written as a fixed joint")
        return [], place @ joint.transform(np.zeros(0))
    axis = getattr(joint, "axis", Z)
    known = {
        "weld": [],
        "revolute": [("revolute", axis, "")],
        "prismatic": [("prismatic", axis, "")],
        "cylindrical": [("prismatic", axis, "slide"), ("revolute", axis, "angle")],
        "translational": [("prismatic", X, "x"), ("prismatic", Y, "y"), ("prismatic", Z, "z")],
        "planar": [("planar", Z, "")],
        "free": [("floating", Z, "")],
    }
    if isinstance(joint, Composite):
        steps, here = [], place
        for part in joint.parts:
            inner, here = _steps(figure, part, here @ part.placement, at, notes)
            steps += [(k, a, ".".join(x for x in (part.name, s) if x), p, w, r) for k, a, s, p, w, r in inner]
            at += part.nu
        return steps, here
    if isinstance(joint, Euler):
        letters = [d.rpartition(".")[2] for d in joint.dofs]
        moves = [("revolute", np.eye(3)["xyz".index(a)], n) for a, n in zip(joint.order, letters, strict=True)]
    elif joint.kind in BALLS:
        notes.add(f"joint '{joint.name}'", "the ball joint is written as three hinges about x, y and z")
        moves = [("revolute", a, n) for a, n in zip((X, Y, Z), "xyz", strict=True)]
    elif joint.kind in known:
        moves = known[joint.kind]
    else:
        raise FormatError(
            f"Joint '{joint.name}' of figure '{figure.name}' is {joint.kind}, which URDF does not have. "
            f"Replace it by one of {', '.join([*known, *BALLS, 'euler', 'composite'])}, or save the figure as .toml."
        )
    steps = [(k, a, n, identity(), at + j, joint.rating) for j, (k, a, n) in enumerate(moves)]
    if not steps:
        return [], place
    steps[0] = (*steps[0][:3], place, *steps[0][4:])
    return steps, identity()


def _one(
    joint: Joint, kind: str, axis, name: str, place: Transform, at, parent: str, child: str, out: Writer, rating, mimic
) -> None:
    width = {"planar": 3, "floating": 6}.get(kind, 1)
    values = (
        {}
        if at is None
        else {n: np.asarray(getattr(joint, n), float)[at : at + width] for n in ("lower", "upper", "damping")}
    )
    low, high = (values["lower"][0], values["upper"][0]) if values and width == 1 else (-np.inf, np.inf)
    bounded = bool(np.isfinite([low, high]).any())
    if kind == "revolute" and not bounded:
        kind = "continuous"
    out.open("joint", name=name, type=kind)
    out.leaf("parent", link=parent)
    out.leaf("child", link=child)
    _origin(place, out)
    if kind not in ("fixed", "floating"):
        out.leaf("axis", xyz=axis)
    if kind in ("revolute", "prismatic"):
        limits = {"lower": [max(low, -UNBOUNDED)], "upper": [min(high, UNBOUNDED)]}
        if limits["lower"] > limits["upper"]:
            raise FormatError(
                f"Joint '{joint.name}' has the limits {low:g} and {high:g}, but URDF limits end at ±{UNBOUNDED:g}. "
                "Widen them."
            )
        out.leaf("limit", **limits, **_rated(rating))
    elif kind == "continuous" and rating is not None:
        out.leaf("limit", **_rated(rating))
    if values and values["damping"].any():
        if (values["damping"] != values["damping"][0]).any():
            raise FormatError(
                f"Joint '{joint.name}' has damping {values['damping'].tolist()}, but URDF has only one number for "
                f"a {kind} joint. Make the values equal."
            )
        out.leaf("dynamics", damping=values["damping"][:1])
    if mimic is not None:
        out.leaf("mimic", **mimic)
    out.close("joint")


def _rated(rating: JointRating | None) -> dict[str, list[float]]:
    """Return the attributes effort and velocity of a <limit> element."""
    given = JointRating() if rating is None else rating
    return {name: [min(getattr(given, name), NO_LIMIT)] for name in ("effort", "velocity")}


def _origin(place: Transform, out: Writer) -> None:
    if is_identity(place):
        return
    turned = (np.asarray(place.rotation) != np.eye(3)).any()
    rpy = euler_from_matrix(np.asarray(place.rotation), "zyx")[::-1] if turned else None
    out.leaf("origin", xyz=place.origin, rpy=rpy)


def _link(link: Link, out: Writer, notes: Notes) -> None:
    if not link.mass and not link.shapes:
        out.leaf("link", name=link.name)
        return
    out.open("link", name=link.name)
    if link.mass:
        out.open("inertial")
        if np.any(link.centre):
            out.leaf("origin", xyz=link.centre)
        out.leaf("mass", value=[link.mass])
        t = np.asarray(link.tensor)
        out.leaf("inertia", ixx=[t[0, 0]], ixy=[t[0, 1]], ixz=[t[0, 2]], iyy=[t[1, 1]], iyz=[t[1, 2]], izz=[t[2, 2]])
        out.close("inertial")
    for shape in link.shapes:
        if shape.kind == "ellipsoid":
            notes.add(f"link '{link.name}'", "an ellipsoid is not part of a URDF file")
            continue
        for piece in _primitives(shape):
            for tag in ("visual", "collision"):
                if shape.name not in ("visual", "collision") or shape.name == tag:
                    _geometry(tag, piece, out)
    out.close("link")


def _primitives(shape: Shape) -> list[Shape]:
    """Split a capsule, which URDF does not have, into a cylinder and two spheres. Return other shapes unchanged."""
    if shape.kind != "capsule":
        return [shape]
    radius, length = shape.size
    ends = [shape.placement @ Transform(np.eye(3), np.array([0.0, 0.0, s * length / 2.0])) for s in (-1.0, 1.0)]
    return [
        Shape("cylinder", shape.size, shape.placement, "", "", shape.colour),
        *(Shape("sphere", (radius,), e, "", "", shape.colour) for e in ends),
    ]


def _geometry(tag: str, shape: Shape, out: Writer) -> None:
    out.open(tag, name=None if shape.name == tag else shape.name)
    _origin(shape.placement, out)
    out.open("geometry")
    size = [float(s) for s in shape.size]
    if shape.kind == "box":
        out.leaf("box", size=size)
    elif shape.kind == "sphere":
        out.leaf("sphere", radius=size)
    elif shape.kind == "mesh":
        out.leaf("mesh", filename=shape.file, scale=size)
    else:
        out.leaf("cylinder", radius=size[:1], length=size[1:])
    out.close("geometry")
    if tag == "visual" and shape.colour:
        out.open("material", name="colour_" + "_".join(map(repr, shape.colour)))
        out.leaf("color", rgba=rgba(shape.colour))
        out.close("material")
    out.close(tag)
