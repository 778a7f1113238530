"""MJCF's <compiler> and <option>: units, orders, where inertia comes from, gravity."""

from dataclasses import dataclass, replace

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats.mjcf.known import check_attributes
from anthropi.formats.reading import Notes
from anthropi.formats.xml import Node

__all__ = ["Settings", "settings_of"]


@dataclass(frozen=True)
class Settings:
    """What <compiler> says, with MuJoCo's defaults, and gravity from <option>."""

    angle: float = np.pi / 180.0  # how many radians one unit of angle in the file is
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertia_from_geom: str = "auto"
    groups: tuple[int, int] = (0, 5)  # of geoms that carry inertia
    bound_mass: float = 0.0
    bound_inertia: float = 0.0
    balance: bool = False
    total_mass: float = -1.0
    mesh_folder: str = ""
    strip_path: bool = False
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)


def settings_of(root: Node, notes: Notes) -> Settings:
    """Read every <compiler> and <option> of a file; later ones win."""
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
            raise FormatError(f"{child.file}:{child.line}: unknown element <{child.tag[:80]}> in <compiler>. "
                              "Known: lengthrange.")  # fmt: skip
    if node.choice("coordinate", ("local", "global"), "local") == "global":
        raise FormatError(f'{node.where} has coordinate="global", which MuJoCo no longer has. Give local coordinates.')
    for name in ("alignfree", "fusestatic", "discardvisual"):
        if node.flag(name):
            raise FormatError(f'{node.where} has {name}="true", which rewrites the tree. Delete it, or load the file '
                              'with by="mujoco" (needs the package mujoco).')  # fmt: skip
    degrees = np.pi / 180.0
    unit = {"degree": degrees, "radian": 1.0}[node.choice("angle", ("degree", "radian"), "degree")]
    order = node.get("eulerseq", old.eulerseq) or ""
    if len(order) != 3 or any(letter not in "xyzXYZ" for letter in order):
        raise FormatError(f'{node.where}: eulerseq="{order[:20]}". Give three letters out of xyzXYZ.')
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
        mesh_folder=node.get("meshdir", node.get("assetdir", old.mesh_folder)) or "",
        strip_path=node.flag("strippath", old.strip_path),
    )


def _option(node: Node, old: Settings, notes: Notes) -> Settings:
    check_attributes(node, notes)
    for name, size in (("wind", 3), ("density", 1), ("viscosity", 1)):
        if node.numbers(name, size, [0.0] * size).any():
            notes.add(f"{node.file}: <option>", f"the medium's {name} is not part of a figure")
    gravity = node.numbers("gravity", 3, old.gravity)
    flag = node.only("flag")
    if flag is not None and flag.get("gravity") == "disable":
        gravity = np.zeros(3)
    if flag is not None and {flag.get("spring"), flag.get("damper"), flag.get("limit")} & {"disable"}:
        notes.add(f"{node.file}: <option><flag>", "springs, dampers or limits are switched off in the file, not in the "
                  "figure")  # fmt: skip
    return replace(old, gravity=tuple(gravity.tolist()))
