"""Elements, settings and default classes of MJCF.

Each attribute of an element is read, ignored (it affects the appearance or MuJoCo's solver), or left out with a note
(it affects the motion, but a figure cannot represent it). Any other attribute is an error, so that misspelt attributes
are not lost.

A default class starts as a copy of its parent class. An element uses the class given by its attribute `class`, or else
the nearest `childclass`, or else "main".
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.figures.common import Notes
from anthropi.formats.figures.xml import Node

__all__ = [
    "BODY_PARTS",
    "EXPANDED_BY_MUJOCO",
    "ORIENTATION",
    "SECTIONS",
    "SKIPPED_PARTS",
    "Defaults",
    "Settings",
    "check_attributes",
    "defaults_of",
    "refuse_element",
    "settings_of",
]


ORIENTATION = ("quat", "axisangle", "euler", "xyaxes", "zaxis")

READ = {
    "mujoco": "model",
    "compiler": """angle autolimits balanceinertia boundinertia boundmass coordinate eulerseq inertiafromgeom
        inertiagrouprange meshdir assetdir settotalmass strippath alignfree fusestatic discardvisual fitaabb
        exactmeshinertia""",
    "option": "gravity wind magnetic density viscosity",
    "body": "name pos childclass mocap gravcomp " + " ".join(ORIENTATION),
    "frame": "name pos childclass " + " ".join(ORIENTATION),
    "worldbody": "name childclass",
    "inertial": "pos mass diaginertia fullinertia " + " ".join(ORIENTATION),
    "joint": "name class type axis pos range limited stiffness damping armature ref springref springdamper",
    "freejoint": "name align",
    "replicate": "count offset euler sep childclass",
    "attach": "model body frame prefix",
    "geom": "name class type size fromto pos mass density mesh fitscale rgba material group shellinertia "
    + "contype conaffinity "
    + " ".join(ORIENTATION),
    "mesh": "name class file scale refpos refquat inertia vertex face builtin params maxhullvert",
    "model": "name file content_type",
    "site": "name class pos fromto " + " ".join(ORIENTATION),
    "default": "class",
    "include": "file",
    "connect": "name class active anchor body1 body2 site1 site2",
    "weld": "name class active anchor relpose body1 body2 site1 site2",
}
IGNORED = {
    "compiler": "usethread texturedir saveinertial savecanonical savecompiled passthrough conflict",
    "body": "user sleep simple fuse",
    "joint": "group user margin solimplimit solreflimit solimpfriction solreffriction",
    "freejoint": "group",
    "geom": "user condim friction gap margin priority solimp solmix solref castshadow hfield",
    "mesh": "content_type smoothnormal normal texcoord facenormal facetexcoord material octree_maxdepth",
    "site": "group material rgba size type user mesh",
    "connect": "solimp solref",
    "weld": "solimp solref torquescale",
}
NOTED = {
    "joint": "frictionloss actuatorfrclimited actuatorfrcrange actuatorgravcomp springyield",
    "geom": "adhesion fluidshape fluidcoef surfacevel",
}
_OPTION_IGNORED = """actuatorgroupdisable ccd_iterations ccd_tolerance cone impratio integrator iterations jacobian
    ls_iterations ls_tolerance noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints
    sdf_iterations sleep_tolerance solver timestep tolerance apirate mpr_iterations mpr_tolerance collision"""
IGNORED["option"] = _OPTION_IGNORED

NUMBERS = """pos quat axisangle euler xyaxes zaxis axis range stiffness damping armature ref springref springdamper size
    fromto mass density rgba group frictionloss""".split()

SECTIONS = {  # sections at the top level. None: it is read. Otherwise it is left out; True if it affects the motion
    "compiler": None,
    "option": None,
    "default": None,
    "worldbody": None,
    "asset": None,
    "equality": None,
    "include": None,
    "size": False,
    "statistic": False,
    "visual": False,
    "custom": False,
    "keyframe": False,
    "sensor": False,
    "actuator": True,
    "tendon": True,
    "contact": True,
    "deformable": True,
    "extension": True,
}
BODY_PARTS = ("body", "frame", "inertial", "joint", "freejoint", "geom", "site", "replicate", "attach")
SKIPPED_PARTS = {"camera": False, "light": False, "flexcomp": True, "plugin": True}  # left out; True if it has mass
EXPANDED_BY_MUJOCO = ("composite",)  # only MuJoCo's compiler can
DEFAULTS = """mesh texture material joint geom site camera light pair equality tendon general motor position velocity
    intvelocity orientation pid damper cylinder muscle adhesion dcmotor default""".split()


def check_attributes(node: Node, notes: Notes, kind: str = "") -> None:
    """Raise `FormatError` for unknown attributes; add notes for those that affect motion but a figure does not have."""
    kind = kind or node.tag
    read, quiet, noted = (table.get(kind, "").split() for table in (READ, IGNORED, NOTED))
    for name in node.attributes:
        if name in noted:
            notes.add(f"{node.file}: <{kind}>", f"'{name}' is not part of a figure")
        elif name not in read and name not in quiet:
            known = [*read, *quiet, *noted]
            raise FormatError(
                f"{node.where} has an unknown attribute '{name[:80]}'.{did_you_mean(name, known)} "
                f"Known: {', '.join(known)}."
            )


def refuse_element(node: Node, inside: str, choices: Iterable[str]) -> None:
    """Raise `FormatError` for an element outside the subset. The message says how it can be read."""
    if node.tag in EXPANDED_BY_MUJOCO:
        raise FormatError(
            f"{node.where} in <{inside}> is not supported by this reader. To read it with MuJoCo's own compiler, "
            'load the file with by="mujoco" (needs the package mujoco).'
        )
    tag = node.tag[:80]
    raise FormatError(
        f"{node.file}:{node.line}: unknown element <{tag}> in <{inside}>."
        f"{did_you_mean(tag, choices)} Known: {', '.join(choices)}."
    )


@dataclass(frozen=True)
class Settings:
    """Settings of <compiler> with MuJoCo's defaults, and gravity from <option>."""

    angle: float = np.pi / 180.0  # unit of angles in the file [rad]
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertia_from_geom: str = "auto"
    groups: tuple[int, int] = (0, 5)  # groups of geoms that carry inertia
    bound_mass: float = 0.0
    bound_inertia: float = 0.0
    balance: bool = False
    total_mass: float = -1.0
    mesh_folder: str = ""  # of mesh files; if empty, `asset_folder`
    asset_folder: str = ""
    strip_path: bool = False
    fit_box: bool = False  # fit primitives to the bounding box of a mesh, not to its inertia
    exact_meshes: bool = False  # whether the inertia of meshes is "exact" by default, not "legacy"
    fuse: bool = False  # merge bodies without joints with their parents
    discard_visual: bool = False  # leave out geoms that do not collide
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)


def settings_of(root: Node, notes: Notes) -> Settings:
    """Read every <compiler> and <option> element of a file. Later elements override earlier ones."""
    settings = Settings()
    for node in root.all("compiler"):
        settings = _compiler(node, settings, notes)
    for node in root.all("option"):
        settings = _option(node, settings, notes)
    return settings


def _compiler(node: Node, old: Settings, notes: Notes) -> Settings:
    check_attributes(node, notes)
    for child in node.children:
        if child.tag != "lengthrange":
            raise FormatError(
                f"{child.file}:{child.line}: unknown element <{child.tag[:80]}> in <compiler>. Known: lengthrange."
            )
    if node.choice("coordinate", ("local", "global"), "local") == "global":
        raise FormatError(
            f'{node.where} has coordinate="global", which MuJoCo no longer supports. Use local coordinates.'
        )
    if node.flag("alignfree"):
        raise FormatError(
            f'{node.where} has alignfree="true", which moves the frames of bodies. Delete it, or load the file '
            'with by="mujoco" (needs the package mujoco).'
        )
    degrees = np.pi / 180.0
    unit = {"degree": degrees, "radian": 1.0}[node.choice("angle", ("degree", "radian"), "degree")]
    order = node.get("eulerseq", old.eulerseq) or ""
    if len(order) != 3 or any(letter not in "xyzXYZ" for letter in order):
        raise FormatError(f'{node.where}: eulerseq="{order[:20]}". Give three of the letters x, y, z, X, Y, Z.')
    groups = node.numbers("inertiagrouprange", 2, old.groups)
    return replace(
        old,
        angle=unit if "angle" in node.attributes else old.angle,
        eulerseq=order,
        autolimits=node.flag("autolimits", old.autolimits),
        inertia_from_geom=node.choice("inertiafromgeom", ("auto", "true", "false"), old.inertia_from_geom),
        groups=(int(groups[0]), int(groups[1])),
        bound_mass=node.number("boundmass", old.bound_mass),
        bound_inertia=node.number("boundinertia", old.bound_inertia),
        balance=node.flag("balanceinertia", old.balance),
        total_mass=node.number("settotalmass", old.total_mass),
        mesh_folder=node.get("meshdir", old.mesh_folder) or "",
        asset_folder=node.get("assetdir", old.asset_folder) or "",
        strip_path=node.flag("strippath", old.strip_path),
        fit_box=node.flag("fitaabb", old.fit_box),
        exact_meshes=node.flag("exactmeshinertia", old.exact_meshes),
        fuse=node.flag("fusestatic", old.fuse),
        discard_visual=node.flag("discardvisual", old.discard_visual),
    )


def _option(node: Node, old: Settings, notes: Notes) -> Settings:
    check_attributes(node, notes)
    for name, size in (("wind", 3), ("density", 1), ("viscosity", 1)):
        if node.numbers(name, size, [0.0] * size).any():
            notes.add(f"{node.file}: <option>", f"{name} of the medium is not part of a figure")
    gravity = node.numbers("gravity", 3, old.gravity)
    flag = node.only("flag")
    if flag is not None and flag.get("gravity") == "disable":
        gravity = np.zeros(3)
    if flag is not None and {flag.get("spring"), flag.get("damper"), flag.get("limit")} & {"disable"}:
        notes.add(
            f"{node.file}: <option><flag>", "springs, dampers or limits are disabled in the file but not in the figure"
        )
    return replace(old, gravity=tuple(gravity.tolist()))


Classes = dict[str, dict[str, dict[str, str]]]  # class: tag: attributes


class Defaults:
    """The default classes of a file."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes

    def full(self, node: Node, childclass: str) -> Node:
        """Return the element with the attributes that it inherits from its default class."""
        name = node.get("class") or childclass or "main"
        if name not in self.classes:
            raise FormatError(
                f"{node.where} has the class '{name[:80]}', which no <default> defines."
                f"{did_you_mean(name, self.classes)} Classes: {', '.join(self.classes)}."
            )
        inherited = self.classes[name].get(node.tag, {})
        return replace(node, attributes=_merged(inherited, node.attributes))

    def check_class(self, node: Node, name: str) -> str:
        """Check that a childclass exists, and return its name."""
        if name and name not in self.classes:
            raise FormatError(
                f"{node.where} has the childclass '{name[:80]}', which no <default> defines."
                f"{did_you_mean(name, self.classes)} Classes: {', '.join(self.classes)}."
            )
        return name


def _merged(inherited: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Merge attributes: those of the element override inherited ones.

    A `size` with fewer numbers than the inherited one replaces only its first numbers. An orientation of any kind
    replaces an inherited one.
    """
    if any(name in own for name in ORIENTATION):
        inherited = {name: text for name, text in inherited.items() if name not in ORIENTATION}
    merged = {**inherited, **own}
    if "size" in own and "size" in inherited:
        words, rest = own["size"].split(), inherited["size"].split()
        merged["size"] = " ".join(words + rest[len(words) :])
    return merged


def defaults_of(root: Node) -> Defaults:
    """Read the default classes in all <default> sections."""
    classes: Classes = {"main": {}}
    for section in root.all("default"):
        name = section.get("class") or "main"
        if name != "main":
            raise FormatError(
                f"{section.where} at the top level has the class '{name[:80]}'. Put it inside a <default> without a "
                "class."
            )
        _section(section, "main", classes)
    return Defaults(classes)


def _section(section: Node, name: str, classes: Classes) -> None:
    nested = []
    for child in section.children:
        if child.tag not in DEFAULTS:
            refuse_element(child, "default", DEFAULTS)
        if child.tag == "default":
            nested.append(child)
        else:
            if child.tag in ("joint", "geom", "site"):
                check_attributes(child, Notes())
                for attribute in set(NUMBERS) & set(child.attributes):
                    child.numbers(attribute)  # checked even if no element uses the class
            classes[name][child.tag] = _merged(classes[name].get(child.tag, {}), child.attributes)
    for child in nested:
        own = child.need("class")
        if own in classes:
            raise FormatError(f"{child.where}: two <default> sections have the class '{own[:80]}'. Rename one.")
        classes[own] = {tag: dict(attributes) for tag, attributes in classes[name].items()}
        _section(child, own, classes)
