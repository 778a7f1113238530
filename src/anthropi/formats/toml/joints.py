"""Joints of a figure.toml, and placements in any parametrisation of a rotation."""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.figure import JOINTS, Composite, Joint, Locked, universal
from anthropi.figure.joints import Backward
from anthropi.formats.poses import check_configuration
from anthropi.formats.toml.schema import PartTable, Place

__all__ = ["ACTING", "OWN_KEYS", "joint_of", "placed"]

ACTING = ("lower", "upper", "stiffness", "rest", "damping", "armature")
OWN_KEYS = {  # keys that only some types have
    "revolute": ("axis",), "prismatic": ("axis",), "cylindrical": ("axis",), "helical": ("axis", "pitch"),
    "euler": ("order",), "composite": ("part",), "universal": ("axes",),
}  # fmt: skip
TYPES = (*(kind for kind in JOINTS if kind != "locked"), "universal")
ORDERS = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]


def placed(table: Place, where: str) -> Transform:
    """The pose a table says, in whichever parametrisation."""
    ways = [w for w in ("rotation", "quaternion", "rotation_vector", "angle_axis", "euler")
            if getattr(table, w) is not None]  # fmt: skip
    if len(ways) > 1:
        raise FormatError(f"{where} says its attitude by {' and '.join(ways)}. Keep one.")
    origin = np.zeros(3) if table.origin is None else np.array(table.origin)
    return Transform(_WAYS[ways[0]](getattr(table, ways[0]), where) if ways else np.eye(3), origin)


def _matrix(value, where: str) -> np.ndarray:
    C = np.array(value)
    with np.errstate(all="ignore"):
        off = abs(C @ C.T - np.eye(3)).max()
    if not off < 1e-6 or np.linalg.det(C) < 0.0:
        raise FormatError(f"{where}: its rotation is no rotation matrix (C Cᵀ is off by {off:.2g}). Give an "
                          "orthogonal, right-handed one, or a quaternion.")  # fmt: skip
    return C


def _quaternion(value, where: str) -> np.ndarray:
    return rot.matrix_from_quaternion(_unit(value, "quaternion", where))


def _angle_axis(value, where: str) -> np.ndarray:
    return rot.matrix_from_angle_axis(np.array([value.angle]), _unit(value.axis, "axis", where)).reshape(3, 3)


def _euler(value, where: str) -> np.ndarray:
    if value.order not in ORDERS:
        raise FormatError(f"{where}: euler order '{value.order[:20]}'. Choose one of {', '.join(ORDERS)}.")
    return rot.matrix_from_euler(np.array(value.angles), value.order)


def _vector(value, where: str) -> np.ndarray:
    return rot.matrix_from_rotation_vector(np.array(value))


_WAYS: dict[str, Any] = {
    "rotation": _matrix, "quaternion": _quaternion, "rotation_vector": _vector, "angle_axis": _angle_axis,
    "euler": _euler,
}  # fmt: skip


def _unit(value, what: str, where: str) -> np.ndarray:
    v = np.array(value)
    length = np.linalg.norm(v)
    if not 1e-12 < length < np.inf:
        raise FormatError(f"{where}: its {what} {v.tolist()} has no direction. Give one that is not zero.")
    return v / length


def joint_of(table: PartTable, file: str) -> Joint:
    """The joint of a [[joint]] or [[joint.part]] table."""
    where = f"{file}: joint '{table.name}'"
    if table.type not in TYPES:
        raise FormatError(f"{where} is of type '{table.type[:40]}'.{did_you_mean(table.type, TYPES)} "
                          f"Choose {', '.join(TYPES)}.")  # fmt: skip
    for key in ("axis", "pitch", "order", "part", "axes"):
        if getattr(table, key) not in (None, []) and key not in OWN_KEYS.get(table.type, ()):
            owners = [t for t, keys in OWN_KEYS.items() if key in keys]
            raise FormatError(f"{where} is {table.type} and has no {key}. Only {', '.join(owners)} have one.")
    joint = _plain(table, file, where)
    if table.backward:
        joint = Backward.of(joint).changed(placement=joint.placement)
    if table.locked is None:
        return joint
    if len(table.locked) != joint.nq:
        raise FormatError(f"{where} is locked at {len(table.locked)} numbers; its configuration has {joint.nq}.")
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
        raise FormatError(f"{where}: order '{table.order[:20]}'. Choose one of {', '.join(ORDERS)}.")
    try:
        if table.type == "universal":
            axes = table.axes or ["x", "y"]
            joint: Joint = universal(table.name, *(a if isinstance(a, str) else np.array(a) for a in axes))
            joint = joint.changed(placement=fields["placement"])
        elif table.type == "composite":
            joint = Composite(parts=tuple(joint_of(p, file) for p in table.part), **fields)
        else:
            joint = JOINTS[table.type](**fields)
    except InputError as error:
        raise FormatError(f"{where}: {error}") from None
    return _acting(joint, table, where)


def _acting(joint: Joint, table: PartTable, where: str) -> Joint:
    given = {}
    for key in ACTING:
        values = getattr(table, key)
        if values is None:
            continue
        if len(values) != joint.nu:
            raise FormatError(f"{where} has {len(values)} numbers in {key}; give {joint.nu}, one a degree of freedom.")
        given[key] = np.array(values)
    return joint.changed(**given) if given else joint
