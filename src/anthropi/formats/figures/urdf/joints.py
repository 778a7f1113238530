"""Read the joints of a URDF file: their kinds, axes, limits, ratings, damping, and the joints that mimic others."""

import math

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Composite, Coupling, Free, Joint, Planar, Polynomial, Prismatic, Revolute, Weld
from anthropi.figure.joints import JointRating
from anthropi.formats.figures.common import UNBOUNDED, Notes, rotation_of_z_to
from anthropi.formats.figures.urdf.elements import Settings, origin
from anthropi.formats.figures.xml import Node

__all__ = ["couplings_of", "joint_of"]

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def joint_of(node: Node, given: Settings) -> Joint:
    """Read a <joint> element."""
    name, place = node.need("name"), origin(node)
    kind = node.choice("type", TYPES, "")
    damping = _damping(node, given.notes)
    if kind == "fixed":
        return Weld(name=name, placement=place)
    if kind == "floating":
        return Free(name=name, placement=place, damping=damping)
    axis = _axis(node)
    if kind == "planar":
        return _planar(name, place, axis, damping)
    lower, upper, rating = _limits(node, kind, given)
    make = Prismatic if kind == "prismatic" else Revolute
    return make(name=name, placement=place, axis=axis, lower=lower, upper=upper, damping=damping, rating=rating)


def _axis(node: Node) -> np.ndarray:
    found = node.only("axis")
    axis = found.numbers("xyz", 3) if found is not None else np.array([1.0, 0.0, 0.0])
    if not 1e-12 < np.linalg.norm(axis) < np.inf:
        raise FormatError(f"{node.where} has the axis {axis.tolist()}. Give an axis that is not zero.")
    return axis


def _planar(name: str, place: Transform, axis, damping: float) -> Joint:
    """Make a planar joint. In URDF it moves in the plane normal to its axis, in a figure in the xy plane.

    For an axis other than z, two constant rotations convert between the two planes.
    """
    z = axis / np.linalg.norm(axis)
    if (z == [0.0, 0.0, 1.0]).all():
        return Planar(name=name, placement=place, damping=damping)
    there = Transform(rotation_of_z_to(z), np.zeros(3))
    parts = (Planar(name="plane", damping=damping), Weld(name="back", placement=there.inverse()))
    return Composite(name=name, placement=place @ there, parts=parts)


def _limits(node: Node, kind: str, given: Settings) -> tuple[float, float, JointRating | None]:
    """Read the limits of the coordinate, and the largest force and speed of the drive."""
    limit = node.only("limit")
    if limit is None:
        if kind in ("revolute", "prismatic"):
            raise FormatError(f"{node.where} is {kind} but lacks <limit>. Add it, or make the joint continuous.")
        return -math.inf, math.inf, None
    rated = {n: limit.number(n) for n in ("effort", "velocity") if n in limit.attributes}
    for name, value in rated.items():
        if value < 0.0:
            raise FormatError(f"{limit.where} of {node.where} has {name} {value:g}. It must not be negative.")
    rated = {name: value for name, value in rated.items() if value < UNBOUNDED}
    rating = JointRating(**rated) if rated else None
    if kind == "continuous":
        return -math.inf, math.inf, rating
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if lower > upper and not given.strict:
        words = f"'{node.get('name')}' has the limits {lower:g} to {upper:g}, and is read without"
        given.notes.add(limit.where, words, changed=True)
        return -math.inf, math.inf, rating
    if lower > upper:
        raise FormatError(f"{node.where} has limits {lower:g} to {upper:g}. The lower must not exceed the upper.")
    return -math.inf if lower <= -UNBOUNDED else lower, math.inf if upper >= UNBOUNDED else upper, rating


def _damping(node: Node, notes: Notes) -> float:
    dynamics = node.only("dynamics")
    if dynamics is None:
        return 0.0
    if dynamics.number("friction", 0.0):
        notes.add(f"{node.file}: <dynamics>", "friction is not part of a figure")
    damping = dynamics.number("damping", 0.0)
    if damping < 0.0:
        raise FormatError(f"{dynamics.where} of {node.where} has damping {damping:g}. It must not be negative.")
    return damping


def couplings_of(nodes: list[Node], joints: dict[str, Joint], given: Settings) -> tuple[Coupling, ...]:
    """Return the couplings of joints that mimic others: q = multiplier q_other + offset.

    joints : {joint name: joint}. Joints that other joints cannot follow are noted.
    """
    found, notes = [], given.notes
    for node in nodes:
        mimic = node.only("mimic")
        if mimic is None:
            continue
        name, source = node.need("name"), mimic.need("joint")
        factor, offset = mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)
        if source not in joints:
            words = f"the joint '{source[:80]}', which does not exist"
            if given.strict:
                raise FormatError(f"{node.where} mimics {words}.{did_you_mean(source, joints)}")
            notes.add(mimic.where, f"'{name}' mimics {words}, and is free to move")
            continue
        if source == name:
            raise FormatError(f"{mimic.where}: {node.where} mimics itself. Name another joint, or delete <mimic>.")
        if joints[name].kind == "weld":
            notes.add(f"{node.file}: <mimic>", "a fixed joint cannot follow another joint", matters=False)
        elif joints[name].kind not in SIMPLE or joints[source].kind not in (*SIMPLE, "weld"):
            kinds = f"a {joints[name].kind} joint that follows a {joints[source].kind} joint"
            notes.add(f"{node.file}: <mimic>", f"{kinds} is not part of a figure")
        elif joints[source].kind == "weld":
            notes.add(f"{node.file}: <mimic>", f"joint '{source}', which '{name}' follows, is fixed; '{name}' is free")
        else:
            found.append(Coupling(name, name, source, Polynomial((offset, factor))))
    return tuple(found)


SIMPLE = ("revolute", "prismatic")
