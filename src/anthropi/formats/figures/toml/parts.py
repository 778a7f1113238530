"""Build the links, joints and poses that a figure.toml describes."""

from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.figure import JOINTS, Composite, Joint, Link, Locked, Shape, universal
from anthropi.figure.joints import Custom, JointRating, JointStop, Reversed
from anthropi.formats import limits
from anthropi.formats.figures.common import check_configuration, sizes_are_valid, solid
from anthropi.formats.figures.toml.custom import custom_fields
from anthropi.formats.figures.toml.schema import LinkTable, PartTable, Place, ShapeTable
from anthropi.formats.files import confined

__all__ = ["ACTING", "OWN_KEYS", "RATED", "joint_of", "link_of", "placed", "stop_of", "with_stop"]


ACTING = ("lower", "upper", "stiffness", "rest", "damping", "armature")
RATED = ("effort", "velocity")
OWN_KEYS = {  # keys of particular joint types
    "revolute": ("axis",),
    "prismatic": ("axis",),
    "cylindrical": ("axis",),
    "helical": ("axis", "pitch"),
    "euler": ("order",),
    "composite": ("part",),
    "custom": ("coordinates", "lengths", "rotations", "translations"),
    "universal": ("axes",),
}
TYPES = (*(kind for kind in JOINTS if kind != "locked"), "universal")
ORDERS = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]


def placed(table: Place, where: str) -> Transform:
    """Return the pose that a table describes, whichever parametrisation of the rotation it uses."""
    given = [
        w for w in ("rotation", "quaternion", "rotation_vector", "angle_axis", "euler") if getattr(table, w) is not None
    ]
    if len(given) > 1:
        raise FormatError(f"{where} gives its rotation by {' and '.join(given)}. Keep only one of them.")
    origin = np.zeros(3) if table.origin is None else np.array(table.origin)
    return Transform(_ROTATIONS[given[0]](getattr(table, given[0]), where) if given else np.eye(3), origin)


def _matrix(value, where: str) -> np.ndarray:
    C = np.array(value)
    with np.errstate(all="ignore"):
        off = abs(C @ C.T - np.eye(3)).max()
    if not off < 1e-6 or np.linalg.det(C) < 0.0:
        raise FormatError(
            f"{where}: its rotation is not a rotation matrix (C Cᵀ differs from the identity by {off:.2g}). Give an "
            "orthogonal, right-handed matrix, or a quaternion."
        )
    return C


def _quaternion(value, where: str) -> np.ndarray:
    return rot.matrix_from_quaternion(_unit(value, "quaternion", where))


def _angle_axis(value, where: str) -> np.ndarray:
    return rot.matrix_from_angle_axis(np.array([value.angle]), _unit(value.axis, "axis", where)).reshape(3, 3)


def _euler(value, where: str) -> np.ndarray:
    if value.order not in ORDERS:
        raise FormatError(f"{where}: unknown euler order '{value.order[:20]}'. Choose one of {', '.join(ORDERS)}.")
    return rot.matrix_from_euler(np.array(value.angles), value.order)


def _vector(value, where: str) -> np.ndarray:
    return rot.matrix_from_rotation_vector(np.array(value))


_ROTATIONS: dict[str, Any] = {
    "rotation": _matrix,
    "quaternion": _quaternion,
    "rotation_vector": _vector,
    "angle_axis": _angle_axis,
    "euler": _euler,
}


def _unit(value, what: str, where: str) -> np.ndarray:
    v = np.array(value)
    length = np.linalg.norm(v)
    if not 1e-12 < length < np.inf:
        raise FormatError(f"{where}: its {what} {v.tolist()} has no direction. Give a vector that is not zero.")
    return v / length


def joint_of(table: PartTable, file: str) -> Joint:
    """Build the joint of a [[joint]] or [[joint.part]] table."""
    where = f"{file}: joint '{table.name}'"
    if table.type not in TYPES:
        raise FormatError(
            f"{where} has the unknown type '{table.type[:40]}'.{did_you_mean(table.type, TYPES)} Choose one of "
            f"{', '.join(TYPES)}."
        )
    for key in dict.fromkeys(key for keys in OWN_KEYS.values() for key in keys):
        if getattr(table, key) not in (None, []) and key not in OWN_KEYS.get(table.type, ()):
            owners = [t for t, keys in OWN_KEYS.items() if key in keys]
            raise FormatError(
                f"{where} of type '{table.type}' has no '{key}'. Only {', '.join(owners)} joints have it."
            )
    joint = _plain(table, file, where)
    if table.backward:
        joint = Reversed.of(joint).changed(placement=joint.placement)
    if table.locked is None:
        return joint
    if len(table.locked) != joint.nq:
        raise FormatError(f"{where} has {len(table.locked)} numbers in 'locked'; its configuration has {joint.nq}.")
    at = np.array(table.locked)
    check_configuration(joint, at, where)
    return Locked(name=joint.name, placement=joint.placement, joint=joint, at=at)


def _plain(table: PartTable, file: str, where: str) -> Joint:
    fields: dict[str, Any] = {"name": table.name, "placement": placed(table, where)}
    for key in ("pitch", "order"):
        if getattr(table, key) is not None:
            fields[key] = getattr(table, key)
    if table.axis is not None:
        fields["axis"] = table.axis if isinstance(table.axis, str) else np.array(table.axis)
    if table.order is not None and table.order.lower() not in ORDERS:
        raise FormatError(f"{where}: unknown order '{table.order[:20]}'. Choose one of {', '.join(ORDERS)}.")
    try:
        if table.type == "universal":
            axes = table.axes or ["x", "y"]
            joint: Joint = universal(table.name, *(a if isinstance(a, str) else np.array(a) for a in axes))
            joint = joint.changed(placement=fields["placement"])
        elif table.type == "composite":
            limits.check(where, "joint_parts", len(table.part), "parts")
            joint = Composite(parts=tuple(joint_of(p, file) for p in table.part), **fields)
        elif table.type == "custom":
            joint = Custom(**custom_fields(table, where), **fields)
        else:
            joint = JOINTS[table.type](**fields)
    except InputError as error:
        raise FormatError(f"{where}: {error}") from None
    return _acting(joint, table, where)


def with_stop(joint: Joint, stop: JointStop) -> Joint:
    """Return a joint with a stop; a locked joint keeps it for when it is unlocked."""
    if isinstance(joint, Locked):
        return joint.changed(joint=joint.joint.changed(stop=stop))
    return joint.changed(stop=stop)


def stop_of(joint: Joint) -> JointStop | None:
    """Return the stop of a joint, also of a locked one."""
    return joint.joint.stop if isinstance(joint, Locked) else joint.stop


def _acting(joint: Joint, table: PartTable, where: str) -> Joint:
    given = {}
    for key in ACTING:
        values = getattr(table, key)
        if values is None:
            continue
        if len(values) != joint.nu:
            raise FormatError(
                f"{where} has {len(values)} numbers in '{key}'. Give {joint.nu}, one for each degree of freedom."
            )
        given[key] = np.array(values)
    if table.effort is not None or table.velocity is not None:
        joint = joint.changed(rating=JointRating(**{k: x for k in RATED if (x := getattr(table, k)) is not None}))
    return joint.changed(**given) if given else joint


SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3, "mesh": 3}


def link_of(table: LinkTable, file: str, folder: Path) -> Link:
    """Build the link of a [[link]] table. Its inertia is given in the table, or computed from its size or shapes."""
    where = f"{file}: link '{table.name}'"
    shapes = [_shape(s, where, folder) for s in table.shape]
    weights: list[tuple[Shape, float | None, float | None]] = [
        (shape, s.mass, s.density) for shape, s in zip(shapes, table.shape, strict=True)
    ]
    if table.size is not None:
        length = table.size[0]
        solid_box = Shape("box", tuple(table.size), Transform(np.eye(3), np.array([0.5 * length, 0.0, 0.0])))
        _positive(solid_box, where)
        shapes, weights = [solid_box, *shapes], [(solid_box, None, None), *weights]
    own = [w for w in weights if w[1] is not None or w[2] is not None]
    if table.tensor is not None:
        return _given(table, shapes, bool(own), where)
    if table.centre is not None:
        raise FormatError(f"{where} has a centre without a tensor. Give both, with the mass, or neither.")
    inertia = _weighed(table, weights, own, where)
    if inertia is None:
        return Link(table.name, 0.0, shapes=tuple(shapes))
    return Link(table.name, float(inertia.mass), inertia.centre, inertia.tensor, tuple(shapes))


def _given(table: LinkTable, shapes: list[Shape], weighed: bool, where: str) -> Link:
    if table.mass is None or table.density is not None or weighed:
        raise FormatError(f"{where} has a tensor. Give its mass too, and no density.")
    tensor = np.array(table.tensor)
    if tensor.ndim == 1:
        tensor = np.diag(tensor)
    centre = np.zeros(3) if table.centre is None else np.array(table.centre)
    return Link(table.name, table.mass, centre, tensor, tuple(shapes))


def _weighed(table: LinkTable, weights, own, where: str) -> RigidInertia | None:
    """Compute the inertia of a link from its shapes and their masses or densities.

    weights : (shape, mass or None, density or None) of all shapes. own : those with a mass or density of their own.
    Returns None for a massless link.
    """
    if table.mass is not None and (table.density is not None or own):
        raise FormatError(f"{where} has a mass, and also a density or the mass of a shape. Keep only one of them.")
    if table.mass == 0.0:
        return None
    solids = [w for w in weights if w[0].kind != "mesh"]
    if table.mass is not None or table.density is not None:
        if not solids:
            raise FormatError(f"{where} has a mass or density but no tensor, size or shape. Give one of them.")
        unit = 1.0 if table.density is None else table.density
        bodies = [_placed_solid(s, m, d if d is not None or m is not None else unit) for s, m, d in solids]
    elif own:
        bodies = [_placed_solid(s, m, d) for s, m, d in own if s.kind != "mesh"]
        if len(bodies) < len(own):
            raise FormatError(f"{where} has a mesh with a mass or density. Give the link mass, centre and tensor.")
    else:
        return None
    whole = rigid_sum(bodies)
    if table.mass is None:
        return whole
    share = table.mass / whole.mass
    return RigidInertia(table.mass, whole.centre, whole.tensor * share)


def _placed_solid(shape: Shape, mass: float | None, density: float | None) -> RigidInertia:
    weight = {"mass": mass} if mass is not None else {"density": density}
    return shape.placement.act_inertia(solid(shape, **weight))


def _shape(table: ShapeTable, where: str, folder: Path) -> Shape:
    if len(table.size) != SIZES[table.kind]:
        raise FormatError(f"{where}: its {table.kind} has {len(table.size)} sizes. Give {SIZES[table.kind]}.")
    if table.mass is not None and table.density is not None:
        raise FormatError(f"{where}: its {table.kind} has a mass and a density. Keep only one of them.")
    if table.kind == "mesh" and not table.file:
        raise FormatError(f"{where}: a mesh needs a 'file'.")
    if table.kind != "mesh" and table.file:
        raise FormatError(f"{where}: 'file' is only for meshes. Remove it from this {table.kind}.")
    if table.file:
        confined(folder, table.file, where)
    here = str(folder.resolve()) if table.file else ""
    shape = Shape(
        table.kind, tuple(table.size), placed(table, where), table.name, table.file, tuple(table.colour or ()), here
    )
    _positive(shape, where)
    return shape


def _positive(shape: Shape, where: str) -> None:
    if shape.kind != "mesh" and not sizes_are_valid(shape.size):
        raise FormatError(f"{where}: its {shape.kind} has the size {list(shape.size)}. Give positive lengths.")
