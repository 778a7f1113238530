"""Which elements and attributes of URDF are read, which are noted and left, which are refused."""

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.reading import Notes
from anthropi.formats.xml import Node

__all__ = ["check"]

# element: (attributes, children that are read, children that are left with a note and whether they matter)
LOOKS, MATTERS = False, True
KNOWN: dict[str, tuple[str, str, dict[str, bool]]] = {
    "robot": ("name version", "link joint", {
        "material": LOOKS, "gazebo": MATTERS, "transmission": MATTERS, "sensor": LOOKS, "ros2_control": MATTERS,
        "group": LOOKS, "disable_collisions": LOOKS,
    }),
    "link": ("name type", "inertial visual collision", {"contact": MATTERS, "self_collision_checking": LOOKS}),
    "joint": ("name type", "origin parent child axis limit dynamics mimic", {
        "calibration": LOOKS, "safety_controller": MATTERS,
    }),
    "inertial": ("name", "origin mass inertia", {}),
    "visual": ("name", "origin geometry material", {}),
    "collision": ("name group", "origin geometry", {"verbose": LOOKS, "contact_coefficients": MATTERS}),
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
}  # fmt: skip


def check(node: Node, notes: Notes) -> None:
    """Refuse what nobody knows in an element and below it; note what a figure does not hold."""
    attributes, children, left = KNOWN[node.tag]
    for name in node.attributes:
        if name not in attributes.split():
            known = attributes.split()
            raise FormatError(f"{node.where} has an unknown attribute '{name[:80]}'.{did_you_mean(name, known)} "
                              f"Known: {', '.join(known) or 'none'}.")  # fmt: skip
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
        raise FormatError(f"{node.file}:{node.line}: a xacro element. Run xacro on the file first: "
                          f"xacro {node.file} > figure.urdf.")  # fmt: skip
    tag = node.tag[:80]
    raise FormatError(f"{node.file}:{node.line}: unknown element <{tag}> in <{inside}>.{did_you_mean(tag, known)} "
                      f"Known: {', '.join(known) or 'none'}.")  # fmt: skip
