"""Joints of OpenSim: their coordinates, and rotations and translations as functions of them.

Every joint is first a list of successive rotations and a list of translations, each about or along an axis by a curve
of coordinates. If each coordinate moves the child about or along one axis, the joint becomes a sequence of hinges and
slides, in which the translations come first; otherwise it is a custom joint. In both cases the coordinates keep their
names and values. The ellipsoid joint, with radii r and the angles a, b, c of the rotations about x, y and z, has

    p = (r_x sin b, -r_y sin a cos b, r_z cos a cos b)                                                            (1)

Sources: OpenSim 4, classes Joint, CustomJoint, SpatialTransform, EllipsoidJoint, ScapulothoracicJoint.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Composite, Joint, Locked, Prismatic, Revolute, Weld
from anthropi.figure.joints import Custom, CustomAxis, PolynomialCurve, SineCurve
from anthropi.figure.joints.axial import about
from anthropi.formats.figures.common import Notes, is_identity
from anthropi.formats.figures.osim.elements import (
    child,
    flag,
    member,
    name_of,
    names,
    number,
    numbers,
    objects,
    short,
)
from anthropi.formats.figures.osim.functions import curve_of
from anthropi.formats.figures.xml import Node

__all__ = ["KINDS", "Coordinate", "Settings", "Site", "coordinates_of", "joint_of"]

LINE = PolynomialCurve.of(0.0, 1.0)  # the coordinate itself
COORDINATES = {  # number of coordinates of each kind of joint; None for any
    "WeldJoint": 0,
    "PinJoint": 1,
    "SliderJoint": 1,
    "UniversalJoint": 2,
    "PlanarJoint": 3,
    "GimbalJoint": 3,
    "BallJoint": 3,
    "EllipsoidJoint": 3,
    "ScapulothoracicJoint": 4,
    "FreeJoint": 6,
    "CustomJoint": None,
}
KINDS = tuple(COORDINATES)
TURNS = {"PinJoint": "z", "PlanarJoint": "z", "UniversalJoint": "xy", "GimbalJoint": "xyz", "BallJoint": "xyz",
         "EllipsoidJoint": "xyz", "ScapulothoracicJoint": "xyz", "FreeJoint": "xyz"}  # fmt: skip
SLIDES = {"SliderJoint": "x", "PlanarJoint": "xy", "FreeJoint": "xyz"}


@dataclass(frozen=True)
class Settings:
    """Options of reading; see `anthropi.formats.figures.osim.read`. digits : to which offsets of joints are rounded."""

    locks: bool = True
    ranges: str = "clamped"
    digits: int | None = None


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a joint: its name, default value and speed, limits, and whether it is locked or prescribed."""

    name: str
    value: float
    speed: float
    lower: float
    upper: float
    locked: bool
    prescribed: bool


def coordinates_of(node: Node, settings: Settings) -> tuple[Coordinate, ...]:
    """Return the coordinates of a joint element."""
    return tuple(_coordinate(one, settings) for one in objects(node, "coordinates", "CoordinateSet"))


def _coordinate(node: Node, settings: Settings) -> Coordinate:
    name, low, high = name_of(node), -np.inf, np.inf
    if settings.ranges == "all" or (settings.ranges == "clamped" and flag(node, "clamped")):
        low, high = numbers(node, "range", count=2, default=(-np.inf, np.inf)).tolist()
        if low > high:
            raise FormatError(f"{node.where} has the range {low:g} to {high:g}. The lower limit must come first.")
    moves = member(node, "prescribed_function") is not None and flag(node, "prescribed")
    start = number(node, "default_value", default=0.0), number(node, "default_speed_value", default=0.0)
    return Coordinate(name, *start, low, high, flag(node, "locked"), moves)


@dataclass(frozen=True)
class Site:
    """Where a joint is: its element and name, its place in the parent body, and the child body in its moved frame.

    place : pose of the joint's parent frame in the parent body, or in the world of the figure. offset : pose of the
    child body in the joint's child frame.
    """

    node: Node
    name: str
    place: Transform
    offset: Transform


def joint_of(site: Site, own: tuple[Coordinate, ...], settings: Settings, notes: Notes) -> Joint:
    """Return the joint that places a body. own : its coordinates."""
    node = site.node
    wanted = COORDINATES[node.tag]
    if wanted is not None and len(own) != wanted:
        raise FormatError(f"{node.where} has {len(own)} coordinates. A {node.tag} has {wanted}.")
    held = {c.name for c in own if c.locked and settings.locks}
    if node.tag == "ScapulothoracicJoint":
        if held:
            notes.add(node.where, f"coordinates are locked in the file but free in the figure: {', '.join(held)}")
        return _scapulothoracic(site, own)
    rotations, translations, lengths = _axes(node, [c.name for c in own])
    simple = _in_sequence(site, own, held, rotations, translations)
    if simple is not None:
        return simple
    axes = (*rotations, *translations)
    moving = {name for axis in axes if axis.curve.constant is None for name in axis.of}
    for idle in (c.name for c in own if c.name not in moving):
        raise FormatError(f"{node.where}: nothing depends on its coordinate '{idle}'. Delete the coordinate.")
    if held and len(held) < len(own):
        names = ", ".join(sorted(held))
        notes.add(node.where, f"coordinates are locked at their default values, and cannot be unlocked: {names}")
        still = tuple(c for c in own if c.name in held)
        rotations, translations = ([_fixed(axis, still) for axis in each] for each in (rotations, translations))
        lengths = tuple(long for long, c in zip(lengths, own, strict=True) if c.name not in held)
        own, held = tuple(c for c in own if c.name not in held), set()
    return _custom(site, own, bool(held), rotations, translations, lengths)


def _axes(node: Node, own: list[str]) -> tuple[list[CustomAxis], list[CustomAxis], tuple[bool, ...]]:
    """Return rotations, translations, and which coordinates are lengths."""
    if node.tag == "CustomJoint":
        return _spatial_transform(node, own)
    turning, sliding = TURNS.get(node.tag, ""), SLIDES.get(node.tag, "")
    rotations = [CustomAxis(axis, LINE, name) for axis, name in zip(turning, own, strict=False)]
    translations = [CustomAxis(axis, LINE, name) for axis, name in zip(sliding, own[len(turning) :], strict=False)]
    if node.tag == "EllipsoidJoint":
        translations = _on_ellipsoid(own, numbers(node, "radii_x_y_z", count=3))
    return rotations, translations, tuple(k >= len(turning) for k in range(len(own)))


def _on_ellipsoid(own: list[str], radii: Any) -> list[CustomAxis]:
    """Return the translations (1), with products of sines and cosines as sines and cosines of sums."""
    (a, b), (x, y, z) = own[:2], (float(r) for r in radii)
    found = [CustomAxis("x", SineCurve((1.0,), sine=x), b)]
    for sign in (1.0, -1.0):
        found.append(CustomAxis("y", SineCurve((1.0, sign), sine=-0.5 * y), (a, b)))
        found.append(CustomAxis("z", SineCurve((1.0, sign), sine=0.0, cosine=0.5 * z), (a, b)))
    return found


def _spatial_transform(node: Node, own: list[str]) -> tuple[list[CustomAxis], list[CustomAxis], tuple[bool, ...]]:
    held = child(node, "SpatialTransform", "TransformAxisSet")
    inside = [] if held is None else (child(held, "objects") or held).children
    axes = [one for one in inside if one.tag == "TransformAxis"]
    if len(axes) > 6:
        raise FormatError(
            f"{node.where} has {len(axes)} transform axes. Give at most three rotations and translations."
        )
    rotations: list[CustomAxis] = []
    translations: list[CustomAxis] = []
    for k, one in enumerate(axes):
        label = one.get("name") or ""
        turning = label.startswith("rotation") or (not label.startswith("translation") and k < 3)
        axis = _transform_axis(one, own)
        if axis is not None:
            (rotations if turning else translations).append(axis)
    turned = {name for axis in rotations if axis.curve.constant is None for name in axis.of}
    moved = {name for axis in translations if axis.curve.constant is None for name in axis.of}
    return rotations, translations, tuple(name in moved and name not in turned for name in own)


def _transform_axis(node: Node, own: list[str]) -> CustomAxis | None:
    """Return the axis of a <TransformAxis>; None if its function is 0 or missing."""
    used = names(node, "coordinates", "coordinate")
    for name in used:
        if name not in own:
            raise FormatError(
                f"{node.where} depends on the coordinate '{short(name)}', which is not one of its joint."
                f"{did_you_mean(name, own)} Coordinates: {', '.join(own) or 'none'}."
            )
    function = member(node, "function")
    if function is None:  # OpenSim's default: the coordinate itself in version 1, 0 later
        return CustomAxis(_direction(node), LINE, used[0]) if len(used) == 1 else None
    curve = curve_of(function, len(used))
    if curve.constant == 0.0:
        return None
    return CustomAxis(_direction(node), curve, used)


def _direction(node: Node) -> np.ndarray:
    axis = numbers(node, "axis", count=3, default=(1.0, 0.0, 0.0))
    if not 1e-12 < np.linalg.norm(axis) < np.inf:
        raise FormatError(f"{node.where} has the axis {axis.tolist()}. Give an axis that is not zero.")
    return axis


def _scapulothoracic(site: Site, own: tuple[Coordinate, ...]) -> Joint:
    """Return a joint whose frame slides on an ellipsoid and turns about an axis in the surface (winging).

    The frames of the ellipsoid are turned by 90° about z, and its radii along x and y exchanged.
    """
    radii = numbers(site.node, "thoracic_ellipsoid_radii_x_y_z", count=3)[[1, 0, 2]]
    x, y = numbers(site.node, "scapula_winging_axis_origin", count=2, default=(0.0, 0.0))
    angle = number(site.node, "scapula_winging_axis_direction", default=0.0)
    quarter = Transform(about(np.array([0.0, 0.0, 1.0]), 0.5 * np.pi), np.zeros(3))
    at = Transform(np.eye(3), np.array([x, y, 0.0]))
    names = [c.name for c in own[:3]]
    surface = Custom(
        name="ellipsoid",
        placement=quarter,
        coordinate_names=tuple(names),
        rotations=tuple(CustomAxis(axis, LINE, name) for axis, name in zip("xyz", names, strict=True)),
        translations=tuple(_on_ellipsoid(names, radii)),
        **_limits(own[:3]),
    )
    axis = np.array([-np.sin(angle), np.cos(angle), 0.0])
    wing = Revolute(name=own[3].name, axis=axis, placement=quarter.inverse() @ at, **_limits(own[3:]))
    back = Weld(name="offset", placement=at.inverse() @ site.offset)
    return Composite(name=site.name, placement=site.place, parts=(surface, wing, back))


def _limits(own: tuple[Coordinate, ...]) -> dict[str, Any]:
    return {"lower": np.array([c.lower for c in own]), "upper": np.array([c.upper for c in own])}


def _custom(
    site: Site,
    own: tuple[Coordinate, ...],
    held: bool,
    rotations: list[CustomAxis],
    translations: list[CustomAxis],
    lengths: tuple[bool, ...],
) -> Joint:
    """Return a custom joint, locked at the default values if `held`.

    With an offset, or with one coordinate, it is part of a composite joint: so degrees of freedom are called
    joint.coordinate, as in sequences of hinges.
    """
    alone = len(own) > 1 and is_identity(site.offset)
    name, place = (site.name, site.place) if alone else ("motion" if len(own) > 1 else own[0].name, identity())
    joint: Joint = Custom(
        name=name,
        placement=place,
        coordinate_names=tuple(c.name for c in own),
        rotations=tuple(rotations),
        translations=tuple(translations),
        lengths=lengths,
        **_limits(own),
    )
    if held:
        joint = Locked(name=name, placement=place, joint=joint, at=np.array([c.value for c in own]))
    if alone:
        return joint
    parts = [joint]
    if not is_identity(site.offset):
        parts.append(Weld(name=_other_than("offset", own), placement=site.offset))
    return Composite(name=site.name, placement=site.place, parts=tuple(parts))


def _other_than(name: str, own: tuple[Coordinate, ...]) -> str:
    """Return a name that no coordinate has."""
    while name in (c.name for c in own):
        name += "_"
    return name


def _fixed(axis: CustomAxis, held: tuple[Coordinate, ...]) -> CustomAxis:
    """Return an axis whose curve has some of its coordinates at their default values."""
    for coordinate in held:
        if coordinate.name in axis.of:
            k = axis.of.index(coordinate.name)
            rest = (*axis.of[:k], *axis.of[k + 1 :])
            axis = replace(axis, curve=axis.curve.fixed(k, coordinate.value), of=rest)
    return axis


def _in_sequence(
    site: Site,
    own: tuple[Coordinate, ...],
    held: set[str],
    rotations: list[CustomAxis],
    translations: list[CustomAxis],
) -> Joint | None:
    """Return a sequence of slides and hinges; None if a coordinate moves more than one axis, or not one to one."""
    parts: list[Joint] = []
    here, left = identity(), {c.name: c for c in own}
    steps: list[tuple[CustomAxis, type[Prismatic] | type[Revolute]]] = [(axis, Prismatic) for axis in translations]
    for axis, make in (*steps, *((axis, Revolute) for axis in rotations)):
        offset, slope = _straight(axis)
        if offset is None or slope not in (0.0, 1.0, -1.0):
            return None
        if offset and make is Prismatic:
            here = here @ Transform(np.eye(3), axis.axis * offset)
        elif offset:
            here = here @ Transform(about(axis.axis, offset), np.zeros(3))
        if slope == 0.0:
            continue
        if axis.of[0] not in left:
            return None
        coordinate = left.pop(axis.of[0])
        low, high, line = coordinate.lower, coordinate.upper, slope * axis.axis + 0.0
        part: Joint = make(name=coordinate.name, axis=line, placement=here, lower=low, upper=high)
        if coordinate.name in held:
            part = Locked(name=part.name, placement=here, joint=part, at=np.array([coordinate.value]))
        parts.append(part)
        here = identity()
    if left:
        return None
    if not parts:
        return Weld(name=site.name, placement=site.place @ here @ site.offset)
    if not is_identity(here @ site.offset):
        parts.append(Weld(name=_other_than("offset", own), placement=here @ site.offset))
    return Composite(name=site.name, placement=site.place, parts=tuple(parts))


def _straight(axis: CustomAxis) -> tuple[float | None, float]:
    """Return b and a of the curve b + a x of one coordinate; (None, 0) for any other curve."""
    curve = axis.curve
    if curve.constant is not None:
        return curve.constant, 0.0
    if not isinstance(curve, PolynomialCurve) or curve.arguments != 1 or max(p for (p,) in curve.powers) > 1:
        return None, 0.0
    slope = curve.derivative(0).constant
    return float(curve.value([0.0])), 0.0 if slope is None else slope
