"""Check the elements of a URDF file, and read links with their inertia and shapes.

`KNOWN` lists the elements and attributes that are read, and those that are left out with a note. All others are noted
too, or are errors if the file is read strictly. The frame of a URDF link is that of its joint, as in a figure.
"""

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import matrix_from_euler
from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Link, Shape
from anthropi.formats.figures.common import Notes, sizes_are_valid
from anthropi.formats.figures.urdf.inertias import NOTHING, Body
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import confined

__all__ = ["Settings", "check", "link_of", "origin"]


# element: (attributes, children that are read, children that are noted and whether they affect motion)
APPEARANCE, AFFECTS_MOTION = False, True
KNOWN: dict[str, tuple[str, str, dict[str, bool]]] = {
    "robot": (
        "name version",
        "link joint",
        {
            "material": APPEARANCE,
            "gazebo": AFFECTS_MOTION,
            "transmission": AFFECTS_MOTION,
            "sensor": APPEARANCE,
            "ros2_control": AFFECTS_MOTION,
            "group": APPEARANCE,
            "disable_collisions": APPEARANCE,
        },
    ),
    "link": (
        "name type",
        "inertial visual collision",
        {"contact": AFFECTS_MOTION, "self_collision_checking": APPEARANCE},
    ),
    "joint": (
        "name type",
        "origin parent child axis limit dynamics mimic",
        {
            "calibration": APPEARANCE,
            "safety_controller": AFFECTS_MOTION,
        },
    ),
    "inertial": ("name", "origin mass inertia", {}),
    "visual": ("name", "origin geometry material", {}),
    "collision": ("name group", "origin geometry", {"verbose": APPEARANCE, "contact_coefficients": AFFECTS_MOTION}),
    "geometry": ("", "box cylinder sphere mesh capsule", {}),
    "material": ("name", "color texture", {}),
    "color": ("rgba", "", {}),
    "texture": ("filename", "", {}),
    "origin": ("xyz rpy", "", {}),
    "parent": ("link", "", {}),
    "child": ("link", "", {}),
    "axis": ("xyz", "", {}),
    "limit": ("lower upper effort velocity", "", {}),
    "dynamics": ("damping friction", "", {}),
    "mimic": ("joint multiplier offset", "", {}),
    "mass": ("value", "", {}),
    "inertia": ("ixx ixy ixz iyy iyz izz", "", {}),
    "box": ("size", "", {}),
    "cylinder": ("radius length", "", {}),
    "capsule": ("radius length", "", {}),
    "sphere": ("radius", "", {}),
    "mesh": ("filename scale", "", {}),
}


MISPLACED = (("collision", "material"), ("material", "specular"))  # unknown elements that do not affect motion
SEVERAL = (("robot", "link"), ("robot", "joint"), ("link", "visual"), ("link", "collision"))  # parent, repeated child


def check(node: Node, notes: Notes, strict: bool) -> None:
    """Check an element and all elements inside it; remove those that are not read.

    Elements and attributes that a figure cannot represent, unknown ones, and repeated elements after the first are
    added to `notes`. If `strict`, unknown and repeated ones raise `FormatError`.
    """
    attributes, children, left = KNOWN[node.tag]
    where = f"{node.file}: <{node.tag}>"
    for name in node.attributes:
        if name not in attributes.split():
            known = attributes.split()
            if strict:
                raise FormatError(
                    f"{node.where} has an unknown attribute '{name[:80]}'.{did_you_mean(name, known)} "
                    f"Known: {', '.join(known) or 'none'}."
                )
            notes.add(where, f"the attribute '{_word(name)}' is unknown")
    kept: list[Node] = []
    for child in node.children:
        if child.tag in children.split():
            if not strict and (node.tag, child.tag) not in SEVERAL and any(x.tag == child.tag for x in kept):
                notes.add(where, f"a second <{child.tag}> is left out")
                continue
            check(child, notes, strict)
            kept.append(child)
        elif child.tag in left:
            notes.add(where, f"<{child.tag}> is not part of a figure", matters=left[child.tag])
        else:
            _unknown(child, node.tag, [*children.split(), *left], notes, strict)
    if len(kept) < len(node.children):
        node.children = kept


def _word(tag: str) -> str:
    """Return a tag or attribute with its namespace, such as "drake:joint"."""
    return tag.lstrip("{").replace("}", ":")[:80]


def _unknown(node: Node, inside: str, known: list[str], notes: Notes, strict: bool) -> None:
    tag = _word(node.tag)
    if "xacro" in tag:
        advice = f"Run xacro on the file first: xacro {node.file} > figure.urdf"
        if strict:
            raise FormatError(f"{node.file}:{node.line}: a xacro element. {advice}.")
        notes.add(f"{node.file}:{node.line}", f"a xacro element, whose content is missing. {advice}")
        return
    if strict:
        raise FormatError(
            f"{node.file}:{node.line}: unknown element <{tag}> in <{inside}>.{did_you_mean(tag, known)} "
            f"Known: {', '.join(known) or 'none'}."
        )
    matters = (inside, tag) not in MISPLACED
    words = f"<{tag}> is unknown.{did_you_mean(tag, known)}" if matters else f"<{tag}> is not read here"
    notes.add(f"{node.file}: <{inside}>", words.rstrip("."), matters)


def origin(node: Node) -> Transform:
    """Return the pose of an element in its parent, from xyz [m] and the angles rpy [rad] about the fixed axes."""
    found = node.only("origin")
    if found is None:
        return identity()
    rpy = found.numbers("rpy", 3, (0.0, 0.0, 0.0))
    C = matrix_from_euler(rpy[::-1], "zyx") if rpy.any() else np.eye(3)
    return Transform(C, found.numbers("xyz", 3, (0.0, 0.0, 0.0)))


class Settings(NamedTuple):
    """What reading a link needs: folder of the file, colours {material: rgba}, other allowed folders, strictness."""

    folder: Path
    colours: dict[str, tuple[float, ...]]
    others: tuple[Path, ...]
    strict: bool
    notes: Notes


def link_of(node: Node, given: Settings) -> tuple[Link, Body]:
    """Read a <link> element: the link with its shapes, and its inertia as in the file."""
    name = node.need("name")
    seen = [x for child in node.all("visual") if (x := _shape(child, given)) is not None]
    touched = [x for child in node.all("collision") if (x := _shape(child, given)) is not None]
    return Link(name, shapes=_merged(seen, touched)), _inertia(node, given.strict)


def _inertia(node: Node, strict: bool) -> Body:
    inertial = node.only("inertial")
    if inertial is None:
        return NOTHING
    weight, moments = inertial.only("mass"), inertial.only("inertia")
    if weight is None or moments is None:
        missing = "mass" if weight is None else "inertia"
        raise FormatError(
            f"{inertial.where} of link '{node.get('name')}' lacks <{missing}>. Add it, or delete "
            "<inertial> if the link is massless."
        )
    mass = weight.number("value")
    xx, xy, xz, yy, yz, zz = (moments.number(k) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if mass == 0.0 and not tensor.any():
        return NOTHING
    if mass < 0.0 or (mass == 0.0 and strict):
        raise FormatError(f"{weight.where} of link '{node.get('name')}' is {mass:g} kg. Give a positive mass.")
    moved = origin(inertial).act_inertia(RigidInertia(mass, np.zeros(3), tensor))
    return Body(mass, moved.centre, moved.tensor)


def _shape(node: Node, given: Settings) -> Shape | None:
    """Read a <visual> or <collision> element; None if its shape is left out with a note."""
    geometry = node.only("geometry")
    if geometry is None or len(geometry.children) != 1:
        if given.strict:
            raise FormatError(f"{node.where} must contain a <geometry> with one shape.")
        if geometry is None or not geometry.children:
            given.notes.add(f"{node.file}: <{node.tag}>", "it has no shape that a figure can have", matters=False)
            return None
        given.notes.add(f"{node.file}: <geometry>", "a second shape is left out", matters=False)
    body = geometry.children[0]
    file = ""
    if body.tag == "box":
        size = body.numbers("size", 3)
    elif body.tag == "sphere":
        size = body.numbers("radius", 1)
    elif body.tag == "mesh":
        size, file = body.numbers("scale", 3 if given.strict else (3, 4), (1.0, 1.0, 1.0))[:3], _mesh(body, given)
    else:
        size = np.array([body.number("radius"), body.number("length")])
    if body.tag != "mesh" and not sizes_are_valid(size):
        if given.strict:
            raise FormatError(f"{body.where} has a size that is not positive. Give positive lengths.")
        given.notes.add(f"{node.file}: <{body.tag}>", "its size is not positive", matters=node.tag == "collision")
        return None
    name = node.get("name") or ""
    return Shape(body.tag, tuple(size.tolist()), origin(node), name, file, _colour(node, given.colours))


INSTALLED = re.compile(r"file://.{0,500}/share/([^/]+)/(.+)")  # address of a mesh in an installed ROS package


def _mesh(node: Node, given: Settings) -> str:
    """Return the path of a mesh in the folder of the file, or its package:// address if it is in another folder."""
    reference = node.need("filename")
    installed = INSTALLED.fullmatch(reference)
    if installed and not given.strict:  # only the name of the package is used; the address itself is never followed
        reference = f"package://{installed[1]}/{installed[2]}"
        words = f"a file:// address in package '{installed[1]}' is read as package://"
        given.notes.add(f"{node.file}: <mesh>", words, matters=False)
    target = confined(given.folder, reference, node.where, given.others)
    if not os.path.isfile(target):
        given.notes.add(f"{node.file}: <mesh>", f"no file '{reference}' in the model's folder", matters=False)
    inside = given.folder.resolve()
    return target.relative_to(inside).as_posix() if target.is_relative_to(inside) else reference


def _colour(node: Node, colours) -> tuple[float, ...]:
    material = node.only("material")
    if material is None:
        return ()
    colour = material.only("color")
    return tuple(colour.numbers("rgba", 4).tolist()) if colour is not None else colours.get(material.get("name"), ())


def _merged(seen: list[Shape], touched: list[Shape]) -> tuple[Shape, ...]:
    """Merge equal visual and collision shapes. The other shapes, if unnamed, are named "visual" or "collision"."""
    both = {_key(s) for s in seen} & {_key(s) for s in touched}
    only_seen = [s if s.name or _key(s) in both else _named(s, "visual") for s in seen]
    only_touched = [s if s.name else _named(s, "collision") for s in touched if _key(s) not in both]
    return (*only_seen, *only_touched)


def _key(s: Shape) -> tuple[Any, ...]:
    return (s.kind, s.size, s.file, s.placement.rotation.tobytes(), s.placement.origin.tobytes())


def _named(s: Shape, name: str) -> Shape:
    return Shape(s.kind, s.size, s.placement, name, s.file, s.colour)
