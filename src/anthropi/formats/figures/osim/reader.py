"""Read figures from OpenSim models (.osim) of the versions 2 to 4.

OpenSim's ground has x forward, y up and z to the right. The figure's world has x forward, y to the left and z up:

    p_world = R p_ground,   R = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]                                                 (1)

Frames of bodies, markers and shapes stay as they are in the file. Versions 2 and 3 write each joint inside its body,
with `location_in_parent`, `orientation_in_parent`, `location` and `orientation`; version 4 has a set of joints, whose
sockets lead to offset frames.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.figure import Direction, Figure, Joint, Link, Loop, Marker, Shape, Weld
from anthropi.figure.joints import Reversed
from anthropi.formats import limits
from anthropi.formats.figures.common import (
    InitialState,
    Notes,
    Reading,
    check_configuration,
    check_size,
    is_identity,
    listed,
    parents_first,
    rest_state,
    sizes_are_valid,
)
from anthropi.formats.figures.osim.constraints import constraints_of, loop_of_joint
from anthropi.formats.figures.osim.elements import (
    child,
    flag,
    name_of,
    number,
    numbers,
    objects,
    pose,
    short,
    socket,
    text,
)
from anthropi.formats.figures.osim.frames import GROUND, Frames
from anthropi.formats.figures.osim.joints import KINDS, Coordinate, Settings, Site, coordinates_of, joint_of
from anthropi.formats.figures.urdf.inertias import nearest_moments, with_armature
from anthropi.formats.figures.xml import Node, parse_xml
from anthropi.formats.files import naming, read_bytes

__all__ = ["WORLD", "frames_of", "model_in", "read"]

WORLD = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # (1)
RANGES = ("clamped", "all", "none")
NOTED = {  # sets of a model that a figure does not have, and whether they affect its motion
    "ControllerSet": True,
    "ProbeSet": False,
    "ComponentSet": True,
}
COLONS = re.compile(rb"(</?\w+)::")  # in names of elements such as <HuntCrossleyForce::ContactParameters>
OFFSET_FRAMES_VERSION = 30517  # from which on joints have offset frames
OLD_DIGITS = 6  # to which OpenSim 4 rounds the offsets of joints of older files
GRAVITY = (0.0, -9.80665, 0.0)  # OpenSim's default [m/s²]


class _Row(NamedTuple):
    """A joint element, the bodies that it connects ("" is the ground), and its frames in them."""

    node: Node
    name: str
    parent: str
    in_parent: Transform
    child: str
    in_child: Transform


def read(
    path: str | os.PathLike[str],
    locks: bool = True,
    ranges: str = "clamped",
    rounded: bool = True,
    strict: bool = False,
) -> Reading:
    """Read the figure in an OpenSim model, with the default values of its coordinates as its state.

    Parameters
    ----------
    path : the .osim file.
    locks : whether coordinates that are locked in the file are locked in the figure. If not, they can move.
    ranges : which ranges of coordinates become limits: those of "clamped" coordinates, as in OpenSim, "all" or "none".
    rounded : whether the offsets of joints in files before version 4 are rounded to six digits. OpenSim 4 does so when
        it reads such a file, so poses agree with it; otherwise they can differ by about 1e-6 m.
    strict : whether content that affects the motion and that a figure cannot represent raises `FormatError`. Otherwise
        it is listed in the notes.
    """
    path = Path(path)
    if ranges not in RANGES:
        raise InputError(f'ranges="{ranges}".{did_you_mean(str(ranges), RANGES)} Choose {", ".join(RANGES)}.')
    with naming(path):
        model, version = model_in(path)
        digits = OLD_DIGITS if rounded and version < OFFSET_FRAMES_VERSION else None
        reading = _Model(model, path, Settings(bool(locks), ranges, digits)).reading()
        lost = [note for note in reading.notes if note.matters]
        if strict and lost:
            raise FormatError(f"{path.name} contains more than a figure: {listed(lost)}. Read it without strict=True.")
        return reading


def model_in(path: Path) -> tuple[Node, int]:
    """Return the <Model> element of an OpenSim file, and the version of the file."""
    data = COLONS.sub(rb"\1..", read_bytes(path, "figure_bytes"))
    root = parse_xml(data, path.name, keep_text=True)
    if root.tag != "OpenSimDocument":
        raise FormatError(
            f"{path.name} begins with <{short(root.tag)}>, not <OpenSimDocument>. It is not an OpenSim model."
        )
    model = child(root, "Model")
    if model is None:
        found = ", ".join(f"<{short(one.tag)}>" for one in root.children[:3]) or "nothing"
        raise FormatError(
            f"{path.name} contains {found}, not a <Model>. Give the model's file; the settings of a tool name it in "
            "<model_file>."
        )
    version = root.get("Version") or ""
    if not version.isdecimal() or not version.isascii() or len(version) != 5:
        raise FormatError(f"{path.name}:{root.line}: the version is '{short(version)}'. OpenSim writes 20302, 40000 ….")
    if int(version) < 20000:
        raise FormatError(f"{path.name} has version {version}, of OpenSim 1. Open it in OpenSim 4 and save it again.")
    return model, int(version)


def frames_of(model: Node) -> Frames:
    """Return the frames of a model."""
    bodies = {name: node for name, node in _named(model, "BodySet") if name != GROUND}
    frames = Frames(bodies)
    for name, node in (*bodies.items(), *_named(model, "JointSet")):
        frames.add(name, node)
    frames.add("", model)
    ground = child(model, "Ground")
    if ground is not None:
        frames.add(GROUND, ground)
    return frames


def _named(model: Node, tag: str) -> list[tuple[str, Node]]:
    """Return names and elements of a set; each name may occur once."""
    found = [(name_of(one), one) for one in objects(model, tag)]
    seen: set[str] = set()
    for name, one in found:
        if name in seen:
            raise FormatError(f"{one.where}: two objects of the {tag} have this name. Rename one.")
        seen.add(name)
    return found


class _Model:
    """The parts of a model while it is read."""

    def __init__(self, model: Node, path: Path, settings: Settings) -> None:
        self.model, self.path, self.settings, self.notes = model, path, settings, Notes()
        self.frames = frames_of(model)
        self.bodies = self.frames.bodies
        self.coordinates: dict[str, tuple[Coordinate, ...]] = {}
        self.taken: set[str] = set()

    def reading(self) -> Reading:
        """Return the figure, its state and the notes."""
        if not self.bodies:
            raise FormatError(f"{self.path.name} has no <Body> besides the ground. A figure needs at least one.")
        limits.check(self.path.name, "figure_dofs", len(self.bodies), "bodies")
        rows, loops = self._tree()
        parent = {row.child: row.parent for row in rows}
        order = parents_first([name for name in self.bodies if name in parent], parent, self.path.name)
        by_child = {row.child: row for row in rows}
        bases = [name for name in order if not parent[name]]
        place = Transform(WORLD, np.zeros(3)) if len(bases) == 1 else identity()
        joints = {name: self._joint(by_child[name], place if not parent[name] else identity()) for name in order}
        check_size(joints.values(), self.path.name)
        shapes = self._shapes()
        links = [self._link(name, shapes.get(name, [])) for name in order]
        above = [order.index(parent[name]) if parent[name] else -1 for name in order]
        made: list[Joint] = [joints[name] for name in order]
        if len(bases) > 1:  # a figure has one root: a link without mass that stands for the ground
            links = [Link(GROUND, shapes=tuple(shapes.get("", ()))), *links]
            made = [Weld(name=self._free(GROUND), placement=Transform(WORLD, np.zeros(3))), *made]
            above = [-1, *(k + 1 if k >= 0 else 0 for k in above)]
        elif shapes.get(""):
            self.notes.add(
                f"{self.path.name}: ground", "its contact geometry is not part of a figure; give a scene a ground"
            )
        dofs = [dof for joint in made for dof in joint.dofs]
        found = [*loops, *constraints_of(self.model, self.frames, self.notes, dofs)]
        base = GROUND if len(bases) > 1 else ""
        self._note_others()
        rest = {
            "markers": tuple(self._markers(base)),
            "loops": tuple(_grounded(loop, base) if isinstance(loop, Loop) else loop for loop in found),
            "gravity": WORLD @ numbers(self.model, "gravity", count=3, default=GRAVITY) + 0.0,
        }
        name = (self.model.get("name") or "").strip()[:200] or self.path.stem
        figure = Figure(name, tuple(links), tuple(made), tuple(above), checked=False, **rest)
        figure = figure.changed(joints=with_armature(figure, self.notes, self.path.name), checked=True)
        return Reading(figure, self._state(figure), self.notes.all())

    # joints

    def _tree(self) -> tuple[list[_Row], list[Loop]]:
        """Return one joint for each body, and loops for the joints that close rings."""
        rows: list[_Row] = []
        loops: list[Loop] = []
        jointed: set[str] = set()
        for row in (*self._inside_bodies(), *self._joint_set()):
            self.taken.add(row.name)
            if row.child and row.child not in jointed:
                jointed.add(row.child)
                rows.append(row)
            elif row.parent and row.parent not in jointed and not row.child:
                raise FormatError(
                    f"{row.node.where} has the ground as its child. Exchange its parent and child frames."
                )
            else:
                loops.append(
                    loop_of_joint(row.node, row.name, ((row.parent, row.in_parent), (row.child, row.in_child)))
                )
        for name in self.bodies:
            if name not in jointed:
                raise FormatError(
                    f"{self.bodies[name].where} has no joint. Add one; a FreeJoint to the ground leaves it free."
                )
        return rows, loops

    def _inside_bodies(self) -> list[_Row]:
        """Return the joints of versions 2 and 3, which are written inside their bodies."""
        rows = []
        for body, node in self.bodies.items():
            for joint in objects(node, "Joint"):
                self._check_kind(joint)
                name = name_of(joint)
                parent = self.frames.find(text(joint, "parent_body", default=None), name, joint)
                rows.append(
                    _Row(
                        joint,
                        name,
                        *self._offset(joint, parent, "parent"),
                        *self._offset(joint, (body, identity()), "child"),
                    )
                )
        return rows

    def _joint_set(self) -> list[_Row]:
        """Return the joints of version 4, and of the versions between 3.2 and 4."""
        rows = []
        for name, joint in _named(self.model, "JointSet"):
            self._check_kind(joint)
            ends = []
            for end in ("parent", "child"):
                path = socket(joint, f"{end}_frame", f"{end}_body")
                if not path:
                    raise FormatError(f"{joint.where} lacks <socket_{end}_frame>. Add it.")
                ends.append(self._offset(joint, self.frames.find(path, name, joint), end))
            rows.append(_Row(joint, name, *ends[0], *ends[1]))
        return rows

    def _offset(self, joint: Node, end: tuple[str, Transform], which: str) -> tuple[str, Transform]:
        """Return body and frame of a joint, with the offset that versions before 4 write in the joint."""
        ends = ("_in_parent",) if which == "parent" else ("_in_child", "")
        location, orientation = (tuple(what + x for x in ends) for what in ("location", "orientation"))
        return end[0], end[1] @ pose(joint, location, orientation, self.settings.digits)

    def _check_kind(self, joint: Node) -> None:
        if joint.tag not in KINDS:
            raise FormatError(
                f"{joint.where}: unknown joint <{short(joint.tag)}>.{did_you_mean(joint.tag, KINDS)} Known: "
                f"{', '.join(KINDS)}."
            )

    def _joint(self, row: _Row, world: Transform) -> Joint:
        own = coordinates_of(row.node, self.settings)
        for coordinate in own:
            if coordinate.prescribed:
                self.notes.add(row.node.where, f"the prescribed motion of '{coordinate.name}' is not part of a figure")
        self.coordinates[row.name] = own
        place = world @ row.in_parent
        offset = row.in_child.inverse()
        if not flag(row.node, "reverse"):
            return joint_of(Site(row.node, row.name, place, offset), own, self.settings, self.notes)
        if not is_identity(offset):
            raise FormatError(f"{row.node.where} is reversed, with an offset in its child. Save it in OpenSim 4.")
        inner = joint_of(Site(row.node, row.name, identity(), identity()), own, self.settings, self.notes)
        return Reversed.of(inner).changed(placement=place)

    def _free(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        return name

    # bodies

    def _link(self, name: str, shapes: list[Shape]) -> Link:
        node = self.bodies[name]
        mass = number(node, "mass", default=0.0)
        centre = numbers(node, "mass_center", count=3, default=(0.0, 0.0, 0.0))
        moments = [number(node, f"inertia_{axes}", default=0.0) for axes in ("xx", "yy", "zz", "xy", "xz", "yz")]
        xx, yy, zz, xy, xz, yz = numbers(node, "inertia", count=6, default=moments).tolist()
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        for part in ("WrapObjectSet",):
            for one in objects(node, part):
                self.notes.add(f"{self.path.name}: <{part}>", f"<{short(one.tag)}> is not part of a figure")
        if child(node, "attached_geometry", "VisibleObject") is not None:
            self.notes.add(f"{self.path.name}: bodies", "their display geometry is left out", matters=False)
        if mass < 0.0:
            raise FormatError(f"{node.where} has the mass {mass:g} kg. It must not be negative.")
        if mass == 0.0:
            if tensor.any():
                self.notes.add(node.where, "it has no mass, and its inertia is left out")
            return Link(name, shapes=tuple(shapes))
        return Link(name, mass, centre, self._physical(node, tensor, mass), tuple(shapes))

    def _physical(self, node: Node, tensor: np.ndarray, mass: float) -> np.ndarray:
        """Return the tensor, or with a note the nearest one that a body of this mass can have."""
        try:
            RigidInertia(mass, np.zeros(3), tensor).validate(node.where)
        except InputError:
            with np.errstate(all="ignore"):
                if not np.abs(tensor).max() < MAX_NUMBER:
                    raise
                moments, axes = np.linalg.eigh(tensor)
            least = MIN_RADIUS**2 * mass
            nearest = np.maximum(nearest_moments(moments), [least, least, 1.1 * least])
            found = (axes * nearest) @ axes.T
            change = np.abs(found - tensor).max()
            words = f"no body has its inertia; the nearest one that a body can have differs by {change:.2g} kg m²"
            self.notes.add(node.where, words, changed=True)
            return 0.5 * (found + found.T)
        return tensor

    def _shapes(self) -> dict[str, list[Shape]]:
        """Return the contact geometry of each body ("" is the ground)."""
        found: dict[str, list[Shape]] = {}
        for node in objects(self.model, "ContactGeometrySet"):
            path = socket(node, "frame", "body") or text(node, "body_name", default=GROUND)
            body, frame = self.frames.find(path, "", node)
            if node.tag != "ContactSphere":
                self.notes.add(node.where, "only spheres become shapes of a figure")
                continue
            radius = number(node, "radius", default=0.0)
            if not sizes_are_valid((radius,)):
                raise FormatError(f"{node.where} has the radius {radius:g} m. Give a positive length.")
            place = frame @ pose(node, ("location",), ("orientation",))
            found.setdefault(body, []).append(Shape("sphere", (radius,), place, node.get("name") or ""))
        return found

    # the rest

    def _markers(self, base: str) -> list[Marker | Direction]:
        found: list[Marker | Direction] = []
        seen: set[str] = set()
        for node in objects(self.model, "MarkerSet"):
            name = name_of(node)
            path = socket(node, "parent_frame", "reference_frame") or text(node, "body", default=GROUND)
            body, frame = self.frames.find(path, "", node)
            if name in seen:
                raise FormatError(f"{node.where}: two markers have this name. Rename one.")
            seen.add(name)
            if not body and not base:
                self.notes.add(node.where, "a marker on the ground is left out", matters=False)
                continue
            found.append(Marker(name, body or base, frame.act_point(numbers(node, "location", count=3))))
        return found

    def _note_others(self) -> None:
        """Note forces, controllers and other content that a figure does not have."""
        for tag, matters in NOTED.items():
            for node in objects(self.model, tag):
                self.notes.add(f"{self.path.name}: <{tag}>", f"<{short(node.tag)}> is not part of a figure", matters)
        for tag in ("ForceSet", "components"):
            for node in objects(self.model, tag):
                if node.tag.endswith("OffsetFrame"):
                    continue
                muscle = node.tag.endswith("Muscle")
                words = "is a muscle: read it with osim.read_muscles" if muscle else "is not part of a figure"
                self.notes.add(f"{self.path.name}: <{tag}>", f"<{short(node.tag)}> {words}")

    def _state(self, figure: Figure) -> InitialState:
        state = rest_state(figure)
        for own in self.coordinates.values():
            for coordinate in own:
                for k, dof in enumerate(figure.dofs):
                    if dof.rpartition(".")[2] == coordinate.name:
                        state.q[k], state.u[k] = coordinate.value, coordinate.speed
        for joint, at in zip(figure.joints, figure.q_of, strict=True):
            check_configuration(joint, state.q[at], f"{self.path.name}: default values")
        return state


MIN_RADIUS = 1e-4  # [m] least radius of gyration of a body whose inertia is repaired
MAX_NUMBER = 1e100  # [kg m²] of an inertia that is repaired


def _grounded(loop: Loop, base: str) -> Loop:
    """Return a loop whose ends on the ground are on the link `base`, or on the world with its axes."""
    turn = identity() if base else Transform(WORLD, np.zeros(3))
    at_a = loop.at_a if loop.link_a else turn @ loop.at_a
    at_b = loop.at_b if loop.link_b else turn @ loop.at_b
    return Loop(loop.name, loop.kind, loop.link_a or base, at_a, loop.link_b or base, at_b, loop.value)
