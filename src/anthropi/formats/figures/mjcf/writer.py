"""Write figures as MJCF files.

The frame of a link becomes the frame of its body. A joint of several degrees of freedom becomes several joints of one
body. A root link "world" that is welded to the world becomes the world itself. Helical joints, and loops other than
welds and common points, raise an error. Other properties that MJCF cannot represent, such as direction markers, are
left out with a note. Meshes are copied beside the file (`mesh_copies`).
"""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix, quaternion_from_rotation_vector
from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Composite, Coupling, Euler, Figure, Joint, Locked, Loop, Marker, Polynomial
from anthropi.formats.figures.common import UNBOUNDED, InitialState, Note, Notes, is_identity, rgba
from anthropi.formats.figures.mjcf.bodies import fresh
from anthropi.formats.figures.mjcf.mesh_copies import MeshCopies
from anthropi.formats.figures.xml import Writer
from anthropi.formats.files import write_text

__all__ = ["write"]

X, Y, Z = np.eye(3)
IDENTITY = identity()
MOMENTS_TOLERANCE = 1e-12  # relative margin of the triangle inequality below which moments are written


class _Move(NamedTuple):
    """One MJCF joint: its type, its axis in the frame after it, its name, and its first index in the joint's arrays."""

    kind: str
    axis: np.ndarray
    name: str
    at: int


def write(figure: Figure, path: str | os.PathLike[str], state: InitialState | None = None) -> tuple[Note, ...]:
    """Write a figure as an MJCF file, and return notes on what MJCF cannot represent. `state` becomes a keyframe."""
    notes, out = Notes(), Writer()
    for joint in (joint for joint in figure.joints if joint.stop is not None):
        notes.add(f"joint '{joint.name}'", "its stop is not part of an MJCF file")
    moving = [figure.joints[i].name for i in _depth_first(figure) if figure.joints[i].nu]
    if moving != [joint.name for joint in figure.joints if joint.nu]:
        notes.add("order of joints", "MuJoCo's qpos is not in the order of q; use motion.onto(ap.load(file)).q")
    out.open("mujoco", model=figure.name)
    out.leaf("compiler", angle="radian", autolimits="true", inertiafromgeom="false")
    out.leaf("option", gravity=figure.gravity)
    parts = _Parts(figure, notes, MeshCopies(Path(path), notes), state)
    _meshes(parts, out)
    out.open("worldbody")
    for name, at in parts.anchors.get(-1, []):
        out.leaf("site", name=name, **_pose(at))
    for i in range(figure.n):
        if figure.parent[i] < 0:
            _body(parts, i, out)
    out.close("worldbody")
    _loops(parts, out)
    if state is not None:
        out.open("keyframe")
        out.leaf("key", name="start", qpos=_qpos(figure, state.q), qvel=_qvel(figure, state.u))
        out.close("keyframe")
        if np.any(state.udot):
            notes.add("state", "accelerations are not part of an MJCF file")
    out.close("mujoco")
    write_text(path, out.text())
    return notes.all()


class _Parts:
    """A figure that is being written, and the names in its file.

    world : whether the root of the figure is the world itself: a massless link "world" that is welded to it.
    """

    def __init__(self, figure: Figure, notes: Notes, meshes: MeshCopies, state: InitialState | None) -> None:
        self.figure, self.notes, self.meshes, self.state = figure, notes, meshes, state
        root, joint = figure.links[0], figure.joints[0]
        welded = joint.kind == "weld" and is_identity(joint.placement) and not root.mass
        self.world = root.name == "world" and welded and figure.n > 1
        taken = {link.name for link in figure.links}
        self.bodies = {link.name: link.name for link in figure.links}
        if "world" in taken:
            self.bodies["world"] = "" if self.world else fresh("world_link", taken)
            if not self.world:
                notes.add("link 'world'", f"it is written as '{self.bodies['world']}'", matters=False)
        self.geoms: set[str] = set()
        self.sites = {marker.name for marker in figure.markers}
        self.anchors: dict[int, list[tuple[str, Transform]]] = {}  # sites of loops, by the link; -1 for the world
        self.ends: dict[str, list[str]] = {}
        for loop in (x for x in figure.loops if isinstance(x, Loop) and x.kind == "point" and not np.any(x.value)):
            for link, at in ((loop.link_a, loop.at_a), (loop.link_b, loop.at_b)):
                name = fresh(f"{loop.name}_{link or 'world'}", self.sites)
                self.anchors.setdefault(figure.link_index(link) if link else -1, []).append((name, at))
                self.ends.setdefault(loop.name, []).append(name)


def _meshes(parts: _Parts, out: Writer) -> None:
    """Write the meshes of a figure to <asset>."""
    for shape in (s for link in parts.figure.links for s in link.shapes if s.kind == "mesh"):
        parts.meshes.name(shape)
    if parts.meshes.files:
        out.open("asset")
        for name, file in parts.meshes.files.items():
            out.leaf("mesh", name=name, file=file, scale=parts.meshes.scales[name], inertia="shell")
        out.close("asset")


def _body(parts: _Parts, i: int, out: Writer) -> None:
    figure, notes, state = parts.figure, parts.notes, parts.state
    link, joint = figure.links[i], figure.joints[i]
    world = parts.world and i == 0
    if not world:
        moves, rest = _moves(figure, joint, "", notes)
        top = figure.parent[i] < 0 or (parts.world and figure.parent[i] == 0)
        free = joint.kind == "free" and top and is_identity(joint.placement)
        place = joint.placement @ rest
        if free and state is not None:
            place = joint.transform(np.asarray(state.q)[figure.q_of[i]])  # in MuJoCo a free body starts at its pose
        out.open("body", name=parts.bodies[link.name], **_pose(place))
        if free:
            _joint(joint, _Move("free", Z, "", 0), joint.name, IDENTITY, IDENTITY, out, notes)
        else:
            names = _joint_names(figure, link, joint, [m for m, _ in moves])
            for (move, frame), name in zip(moves, names, strict=True):
                _joint(joint, move, name, rest, frame, out, notes)
            if moves and (rest.inverse() @ moves[-1][1]).origin.any():
                notes.add(f"link '{link.name}'", "its frame will be at its last joint when read back", matters=False)
        if link.mass:
            out.leaf("inertial", pos=link.centre, mass=[link.mass], **_tensor(link.tensor))
    for shape in link.shapes:
        _geom(shape, out, parts)
    for marker in figure.markers:
        if marker.link == link.name:
            if isinstance(marker, Marker):
                out.leaf("site", name=marker.name, pos=marker.point)
            else:
                notes.add(f"marker '{marker.name}'", "a direction is not part of an MJCF file", matters=False)
    for name, at in parts.anchors.get(i, []):
        out.leaf("site", name=name, **_pose(at))
    for child in figure.children[i]:
        _body(parts, child, out)
    if not world:
        out.close("body")


def _tensor(tensor: Any) -> dict[str, Any]:
    """Return the attributes of an inertia tensor.

    MuJoCo refuses a tensor if rounding makes its largest moment more than the sum of the others; then the moments are
    written, corrected by rounding errors.
    """
    t = np.asarray(tensor, float)
    moments, axes = np.linalg.eigh(t)
    if moments[0] + moments[1] > moments[2] * (1.0 + MOMENTS_TOLERANCE):
        return {"fullinertia": (t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2])}
    axes = axes * np.sign(np.linalg.det(axes))
    return {
        "diaginertia": (moments[0], moments[1], min(moments[2], moments[0] + moments[1])),
        "quat": quaternion_from_matrix(axes),
    }


def _moves(figure: Figure, joint: Joint, prefix: str, notes: Notes) -> tuple[list[tuple[_Move, Transform]], Transform]:
    """Split a joint into MJCF joints.

    Returns each MJCF joint with its frame (in the joint's frame, at q = 0), and the frame after all of them.
    """
    if isinstance(joint, Locked):
        notes.add(f"joint '{joint.name}'", "the joint is locked and is written as a weld")
        return [], joint.transform(np.zeros(0))
    kind = joint.kind
    axis = getattr(joint, "axis", Z)
    simple = {
        "weld": [],
        "revolute": [("hinge", axis, "")],
        "prismatic": [("slide", axis, "")],
        "cylindrical": [("slide", axis, "slide"), ("hinge", axis, "angle")],
        "translational": [("slide", X, "x"), ("slide", Y, "y"), ("slide", Z, "z")],
        "planar": [("slide", X, "x"), ("slide", Y, "y"), ("hinge", Z, "angle")],
        "ball": [("ball", Z, "")],
        "exponential": [("ball", Z, "")],
        "free": [("slide", X, "px"), ("slide", Y, "py"), ("slide", Z, "pz"), ("ball", Z, "r")],  # not at the root
    }
    if kind == "exponential":
        notes.add(f"joint '{joint.name}'", "exponential coordinates become a quaternion", matters=False)
    if isinstance(joint, Euler):
        letters = [d.rpartition(".")[2] for d in joint.dofs]
        moves = [("hinge", np.eye(3)["xyz".index(a)], n) for a, n in zip(joint.order, letters, strict=True)]
    elif kind in simple:
        moves = simple[kind]
    elif isinstance(joint, Composite):
        return _composite(figure, joint, prefix, notes)
    else:
        raise FormatError(
            f"Joint '{joint.name}' of figure '{figure.name}' is {kind}, which MJCF does not have. Lock "
            f"it, or replace it by one of {', '.join([*simple, 'euler', 'composite'])}."
        )
    return [(_Move(k, a, prefix + n, j), IDENTITY) for j, (k, a, n) in enumerate(moves)], IDENTITY


def _composite(figure: Figure, joint, prefix: str, notes: Notes):
    moves: list[tuple[_Move, Transform]] = []
    here, at = identity(), 0
    for part in joint.parts:
        here = here @ part.placement
        inner, after = _moves(figure, part, "", notes)
        for move, frame in inner:
            name = ".".join(x for x in (prefix, part.name, move.name) if x)
            moves.append((move._replace(name=name, at=at + move.at), here @ frame))
        here, at = here @ after, at + part.nu
    return moves, here


def _joint(joint: Joint, move: _Move, name: str, rest: Transform, frame: Transform, out: Writer, notes: Notes) -> None:
    """Write one <joint> with its axis and anchor in the body's frame."""
    seen = rest.inverse() @ frame
    k = move.at
    if move.kind == "ball" and not np.allclose(seen.rotation, np.eye(3), rtol=0.0, atol=1e-15):
        raise FormatError(
            f"Joint '{joint.name}' has a ball part followed by a rotated part, which MJCF cannot represent. "
            "Put the rotation before the ball, or on a separate link."
        )
    width = {"ball": 3, "free": 6}.get(move.kind, 1)
    values = {
        n: np.asarray(getattr(joint, n), float)[k : k + width]
        for n in ("lower", "upper", "stiffness", "rest", "damping", "armature")
    }
    for n in ("stiffness", "damping", "armature"):
        if (values[n] != values[n][0]).any():
            raise FormatError(
                f"Joint '{joint.name}' has {n} {values[n].tolist()}, but MJCF has only one number for a "
                f"{move.kind} joint. Make the values equal."
            )
    fields: dict[str, Any] = {n: values[n][:1] if values[n][0] else None for n in ("stiffness", "damping", "armature")}
    if width == 1:
        fields["axis"] = seen.rotation @ move.axis if not is_identity(seen) else move.axis
        low, high = values["lower"][0], values["upper"][0]
        if np.isfinite([low, high]).any():
            fields["range"] = (max(low, -UNBOUNDED), min(high, UNBOUNDED))
            if not fields["range"][0] < fields["range"][1]:
                raise FormatError(
                    f"Joint '{joint.name}' has the limits {low:g} and {high:g}, but a range in MJCF must not be empty. "
                    "Lock the joint, or widen its limits."
                )
        fields["springref"] = values["rest"] if values["rest"][0] else None
    elif np.isfinite([values["lower"], values["upper"]]).any():
        notes.add(f"joint '{joint.name}'", f"limits of a {move.kind} joint are not part of an MJCF file")
    anchor = seen.origin if seen.origin.any() else None
    out.leaf("joint", name=name, type=move.kind, pos=anchor, **fields)


def _joint_names(figure: Figure, link, joint: Joint, moves: list[_Move]) -> list[str]:
    """Return the names of the MJCF joints of a joint, from which the reader restores the joint's name.

    They are prefixed ("hip.x", "hip.y"), or plain part names where those are unique.
    """
    if len(moves) == 1:
        return [joint.name]
    names = [m.name for m in moves]
    others = [j.name for j in figure.joints] + [
        p.name for j in figure.joints if j is not joint for p in getattr(j, "parts", ())
    ]
    bare = joint.name == link.name and not set(names) & set(others) and not any("." in n for n in names)
    return names if bare else [f"{joint.name}.{n}" for n in names]


def _geom(shape, out: Writer, parts: _Parts) -> None:
    name = fresh(shape.name, parts.geoms) if shape.name else None
    fields: dict[Any, Any] = {"name": name, **_pose(shape.placement), "rgba": rgba(shape.colour)}
    if shape.kind == "mesh":
        mesh = parts.meshes.name(shape)
        if mesh is not None:
            flat = {"contype": [0], "conaffinity": [0]} if mesh in parts.meshes.flat else {}
            out.leaf("geom", type="mesh", mesh=mesh, **fields, **flat)
        return
    size = np.asarray(shape.size, float)
    half = {"box": (0.5, 0.5, 0.5), "capsule": (1.0, 0.5), "cylinder": (1.0, 0.5)}.get(shape.kind, (1.0,) * len(size))
    out.leaf("geom", type=shape.kind, size=size * half, **fields)


def _loops(parts: _Parts, out: Writer) -> None:
    figure = parts.figure
    if not figure.loops:
        return
    out.open("equality")
    for loop in figure.loops:
        if isinstance(loop, Coupling):
            _coupling(figure, loop, out, parts.notes)
            continue
        if loop.name in parts.ends:
            first, second = parts.ends[loop.name]
            out.leaf("connect", name=loop.name, site1=first, site2=second)
            continue
        if loop.kind != "weld":
            raise FormatError(
                f"Loop '{loop.name}' of figure '{figure.name}' is of kind '{loop.kind}'. Only weld loops, and point "
                "loops at a common point, can be written as MJCF. Save the figure as .toml."
            )
        first, second = (parts.bodies[name] if name else "" for name in (loop.link_a, loop.link_b))
        at_1, at_2 = loop.at_a, loop.at_b
        if not first:
            first, at_1, second, at_2 = second, at_2, first, at_1
        where = at_1 @ at_2.inverse()
        relpose = [*where.origin, *quaternion_from_matrix(where.rotation)]
        out.leaf("weld", name=loop.name, body1=first, body2=second, relpose=relpose)
    out.close("equality")


MAX_COEFFICIENTS = 5  # of the polynomial of an equality constraint between joints in MuJoCo


def _coupling(figure: Figure, coupling: Coupling, out: Writer, notes: Notes) -> None:
    """Write a polynomial coupling of joints with one degree of freedom; note others."""
    given = coupling.function.coefficients if isinstance(coupling.function, Polynomial) else (0.0,) * 9
    single = {joint.name for joint in figure.joints if joint.nu == 1 and joint.kind != "composite"}
    if len(given) > MAX_COEFFICIENTS or not single >= {coupling.dof, coupling.source}:
        words = "MJCF couples joints of one degree of freedom by polynomials of at most the fourth degree"
        notes.add(f"coupling '{coupling.name}'", words)
        return
    numbers = [*given, *[0.0] * (MAX_COEFFICIENTS - len(given))]
    out.leaf("joint", name=coupling.name, joint1=coupling.dof, joint2=coupling.source, polycoef=numbers)


def _depth_first(figure: Figure) -> list[int]:
    """Return the link indices depth first, which is MuJoCo's order."""
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack += reversed(figure.children[order[-1]])
    return order


def _qpos(figure: Figure, q) -> np.ndarray:
    """Return the coordinates in MuJoCo's order. Exponential coordinates become quaternions."""
    parts = [_coordinates(figure.joints[i], np.asarray(q, float)[figure.q_of[i]]) for i in _depth_first(figure)]
    return np.concatenate(parts)


def _qvel(figure: Figure, u) -> np.ndarray:
    return np.concatenate([np.asarray(u, float)[figure.u_of[i]] for i in _depth_first(figure)])


def _coordinates(joint: Joint, q) -> np.ndarray:
    if joint.kind == "exponential":
        return quaternion_from_rotation_vector(q)
    if not isinstance(joint, Composite):
        return q
    found, at = [], 0
    for part in joint.parts:
        found.append(_coordinates(part, q[at : at + part.nq]))
        at += part.nq
    return np.concatenate(found)


def _pose(place: Transform) -> dict[Any, Any]:
    turned = (np.asarray(place.rotation) != np.eye(3)).any()
    return {
        "pos": place.origin if np.asarray(place.origin).any() else None,
        "quat": quaternion_from_matrix(place.rotation) if turned else None,
    }
