"""Check the elements of a URDF file, and read links with their inertia and shapes.

`KNOWN` lists the elements and attributes that are read, and those that are left out with a note. All others are errors.
The frame of a URDF link is that of its joint, as in a figure.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_euler
from anthropi.algebra.spatial import RigidInertia, Transform, identity
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Link, Shape
from anthropi.formats.figures.common import Notes, sizes_are_valid
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import confined

__all__ = ["check", "link_of", "origin"]


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


def check(node: Node, notes: Notes) -> None:
    """Check an element and all elements inside it.

    Unknown elements and attributes raise `FormatError`. Elements that a figure cannot represent are added to `notes`.
    """
    attributes, children, left = KNOWN[node.tag]
    for name in node.attributes:
        if name not in attributes.split():
            known = attributes.split()
            raise FormatError(
                f"{node.where} has an unknown attribute '{name[:80]}'.{did_you_mean(name, known)} "
                f"Known: {', '.join(known) or 'none'}."
            )
    for child in node.children:
        if child.tag in left:
            where = f"{node.file}: <{node.tag}>"
            notes.add(where, f"<{child.tag}> is not part of a figure", matters=left[child.tag])
        elif child.tag in children.split():
            check(child, notes)
        else:
            _refuse(child, node.tag, [*children.split(), *left])


def _refuse(node: Node, inside: str, known: list[str]) -> None:
    if "xacro" in node.tag:
        raise FormatError(
            f"{node.file}:{node.line}: a xacro element. Run xacro on the file first: xacro {node.file} > figure.urdf."
        )
    tag = node.tag[:80]
    raise FormatError(
        f"{node.file}:{node.line}: unknown element <{tag}> in <{inside}>.{did_you_mean(tag, known)} "
        f"Known: {', '.join(known) or 'none'}."
    )


def origin(node: Node) -> Transform:
    """Return the pose of an element in its parent, from xyz [m] and the angles rpy [rad] about the fixed axes."""
    found = node.only("origin")
    if found is None:
        return identity()
    rpy = found.numbers("rpy", 3, (0.0, 0.0, 0.0))
    C = matrix_from_euler(rpy[::-1], "zyx") if rpy.any() else np.eye(3)
    return Transform(C, found.numbers("xyz", 3, (0.0, 0.0, 0.0)))


def link_of(node: Node, colours: dict[str, tuple[float, ...]], folder: Path, notes: Notes) -> Link:
    """Read a <link> element with its inertia and shapes.

    colours : {material: rgba} of the materials defined at the top level. folder : the folder of the URDF file.
    """
    name = node.need("name")
    inertia = _inertia(node)
    seen = [_shape(child, colours, folder, notes) for child in node.all("visual")]
    touched = [_shape(child, colours, folder, notes) for child in node.all("collision")]
    shapes = _merged(seen, touched)
    if inertia is None:
        return Link(name, shapes=shapes)
    return Link(name, inertia.mass, inertia.centre, inertia.tensor, shapes)


def _inertia(node: Node) -> RigidInertia | None:
    inertial = node.only("inertial")
    if inertial is None:
        return None
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
        return None
    if mass <= 0.0:
        raise FormatError(f"{weight.where} of link '{node.get('name')}' is {mass:g} kg. Give a positive mass.")
    return origin(inertial).act_inertia(RigidInertia(mass, np.zeros(3), tensor))


def _shape(node: Node, colours, folder: Path, notes: Notes) -> Shape:
    geometry = node.only("geometry")
    if geometry is None or len(geometry.children) != 1:
        raise FormatError(f"{node.where} must contain a <geometry> with one shape.")
    body = geometry.children[0]
    file = ""
    if body.tag == "box":
        size = body.numbers("size", 3)
    elif body.tag == "sphere":
        size = body.numbers("radius", 1)
    elif body.tag == "mesh":
        size, file = body.numbers("scale", 3, (1.0, 1.0, 1.0)), _mesh(body, folder, notes)
    else:
        size = np.array([body.number("radius"), body.number("length")])
    if body.tag != "mesh" and not sizes_are_valid(size):
        raise FormatError(f"{body.where} has a size that is not positive. Give positive lengths.")
    name = node.get("name") or ""
    return Shape(body.tag, tuple(size.tolist()), origin(node), name, file, _colour(node, colours))


def _mesh(node: Node, folder: Path, notes: Notes) -> str:
    reference = node.need("filename")
    target = confined(folder, reference, node.where)
    if not os.path.isfile(target):
        notes.add(f"{node.file}: <mesh>", f"no file '{reference}' in the model's folder", matters=False)
    return target.relative_to(folder.resolve()).as_posix()


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
