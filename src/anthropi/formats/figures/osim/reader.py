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

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.figure import Composite, Coupling, Figure, Joint, Link, Loop, Weld
from anthropi.figure.coupling import coordinate_places
from anthropi.figure.joints import Reversed
from anthropi.formats import limits
from anthropi.formats.figures.common import (
    InitialState,
    Notes,
    Reading,
    check_configuration,
    check_size,
    listed,
    parents_first,
    rest_state,
)
from anthropi.formats.figures.osim.bodies import link_of, markers_of, shapes_of
from anthropi.formats.figures.osim.constraints import constraints_of, loop_of_joint
from anthropi.formats.figures.osim.elements import (
    child,
    flag,
    name_of,
    numbers,
    objects,
    pose,
    short,
    socket,
    text,
)
from anthropi.formats.figures.osim.frames import GROUND, Frames
from anthropi.formats.figures.osim.joints import KINDS, Coordinate, Settings, Site, coordinates_of, joint_of
from anthropi.formats.figures.urdf.inertias import with_armature
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
    if int(version) < 10900:
        raise FormatError(
            f"{path.name} has version {version}, of an early OpenSim 1. Open it in OpenSim 4 and save it again."
        )
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
    nameless, kinds = tag.removesuffix("Set").lower(), {"BodySet": ("Body",), "JointSet": KINDS}[tag]
    loose = [one for one in objects(model, "components") if one.tag in kinds]
    found = [(name_of(one, f"{nameless}_{k}"), one) for k, one in enumerate((*objects(model, tag), *loose))]
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
        shapes = shapes_of(self.model, self.frames, self.notes)
        links = [link_of(name, self.bodies[name], shapes.get(name, []), self.notes) for name in order]
        at = {name: k for k, name in enumerate(order)}
        above = [at.get(parent[name], -1) for name in order]
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
            "markers": markers_of(self.model, self.frames, base, self.notes),
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
                name = name_of(joint, f"{body}_joint")
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
        inner = joint_of(Site(row.node, "reversed", identity(), identity()), own, self.settings, self.notes)
        parts = (Reversed.of(inner), Weld(name="offset", placement=offset))
        return Composite(name=row.name, placement=place, parts=parts)

    def _free(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        return name

    # the rest

    def _note_others(self) -> None:
        """Note forces, controllers and other content that a figure does not have."""
        for tag, matters in NOTED.items():
            for node in objects(self.model, tag):
                self.notes.add(f"{self.path.name}: <{tag}>", f"<{short(node.tag)}> is not part of a figure", matters)
        for tag in ("ForceSet", "components"):
            for node in objects(self.model, tag):
                if node.tag.endswith("OffsetFrame") or node.tag in ("Body", *KINDS):
                    continue
                muscle = node.tag.endswith("Muscle")
                words = "is a muscle: read it with osim.read_muscles" if muscle else "is not part of a figure"
                self.notes.add(f"{self.path.name}: <{tag}>", f"<{short(node.tag)}> {words}")

    def _couple(self, figure: Figure, state: InitialState) -> None:
        """Set the dependent coordinates of couplings, and their speeds, to those that the others determine."""
        couplings = [loop for loop in figure.loops if isinstance(loop, Coupling)]
        for _ in couplings:  # one may depend on another
            for coupling in couplings:
                (q, u), (q0, u0) = coordinate_places(figure, coupling)
                state.q[q], slope, _ = coupling.function.at(float(state.q[q0]))
                state.u[u] = slope * state.u[u0]

    def _state(self, figure: Figure) -> InitialState:
        state = rest_state(figure)
        places = {dof: k for k, dof in enumerate(figure.dofs)}
        for joint in figure.joints:
            by_name = {dof.rpartition(".")[2]: places[dof] for dof in joint.dofs}
            for own in self.coordinates.get(joint.name, ()):
                if own.name in by_name:  # locked ones are not
                    k = by_name[own.name]
                    state.q[k], state.u[k] = own.value, own.speed
        self._couple(figure, state)
        for joint, at in zip(figure.joints, figure.q_of, strict=True):
            check_configuration(joint, state.q[at], f"{self.path.name}: default values")
        return state


def _grounded(loop: Loop, base: str) -> Loop:
    """Return a loop whose ends on the ground are on the link `base`, or on the world with its axes."""
    turn = identity() if base else Transform(WORLD, np.zeros(3))
    at_a = loop.at_a if loop.link_a else turn @ loop.at_a
    at_b = loop.at_b if loop.link_b else turn @ loop.at_b
    return Loop(loop.name, loop.kind, loop.link_a or base, at_a, loop.link_b or base, at_b, loop.value)
