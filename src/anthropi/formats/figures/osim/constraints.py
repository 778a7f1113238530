"""Constraints of OpenSim models as loops of the figure: welds, points, distances, couplings, and rings of joints."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError
from anthropi.figure import Coupling, Loop, Polynomial
from anthropi.figure.joints import Curve, PolynomialCurve
from anthropi.formats.figures.common import Notes, rotation_of_z_to
from anthropi.formats.figures.osim.elements import (
    flag,
    member,
    name_of,
    names,
    number,
    numbers,
    objects,
    pose,
    short,
    socket,
    text,
)
from anthropi.formats.figures.osim.frames import Frames
from anthropi.formats.figures.osim.functions import curve_of
from anthropi.formats.figures.xml import Node

__all__ = ["constraints_of", "loop_of_joint"]

X_TO_Z = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # a frame whose z is x of the frame around it
CLOSING = {  # joints that can close a ring, the kind of loop, and the rotation of its frames
    "WeldJoint": ("weld", np.eye(3)),
    "PinJoint": ("hinge", np.eye(3)),
    "SliderJoint": ("slider", X_TO_Z),
    "UniversalJoint": ("universal", np.eye(3)),
    "BallJoint": ("point", np.eye(3)),
    "GimbalJoint": ("point", np.eye(3)),
    "PlanarJoint": ("planar", np.eye(3)),
}


def loop_of_joint(node: Node, name: str, ends: tuple[tuple[str, Transform], tuple[str, Transform]]) -> Loop:
    """Return the loop for a joint whose child already has a joint.

    ends : body and pose of the joint's frame, for the parent and for the child.
    """
    if node.tag not in CLOSING:
        raise FormatError(
            f"{node.where} closes a ring of bodies, which a {node.tag} cannot. A body has one joint; the others of a "
            f"ring must be one of {', '.join(CLOSING)}."
        )
    kind, turn = CLOSING[node.tag]
    (a, at_a), (b, at_b) = ((body, at @ Transform(turn, np.zeros(3))) for body, at in ends)
    return Loop(name, kind, a, at_a, b, at_b)


def constraints_of(model: Node, frames: Frames, notes: Notes, dofs: Sequence[str]) -> Iterator[Loop | Coupling]:
    """Yield the constraints that a figure can have as loops and couplings, and note the others.

    dofs : names of the degrees of freedom of the figure, which end with the names of coordinates.
    """
    ends = {dof.rpartition(".")[2]: dof for dof in reversed(dofs)}
    for k, node in enumerate(objects(model, "ConstraintSet")):
        name = name_of(node, f"{node.tag}_{k}")
        if flag(node, "isDisabled") or not flag(node, "isEnforced", default=True):
            notes.add(node.where, "is not enforced in the file, and is not in the figure", matters=False)
        elif node.tag == "CoordinateCouplerConstraint":
            yield from _coupling(node, name, ends, notes)
        elif node.tag in MAKERS:
            yield MAKERS[node.tag](node, name, frames)
        else:
            notes.add(node.where, "this kind of constraint is not part of a figure")


def _coupling(node: Node, name: str, ends: dict[str, str], notes: Notes) -> Iterator[Coupling]:
    """Yield the coupling q_dependent = scale · f(q_independent); note one of several or of locked coordinates.

    ends : {coordinate: name of its degree of freedom}.
    """
    dependent, sources = text(node, "dependent_coordinate_name"), names(node, "independent_coordinate_names")
    function = member(node, "coupled_coordinates_function")
    if function is None or not dependent or not sources:
        raise FormatError(
            f"{node.where} needs <coupled_coordinates_function>, <independent_coordinate_names> and "
            "<dependent_coordinate_name>."
        )
    if len(sources) > 1:
        notes.add(node.where, f"couples '{dependent}' to {len(sources)} coordinates, which a figure cannot")
        return
    for name_of_end in (dependent, sources[0]):
        if name_of_end not in ends:
            notes.add(node.where, f"its coordinate '{short(name_of_end)}' is locked or does not exist: left out")
            return
    curve = curve_of(function, 1).scaled(number(node, "scale_factor", default=1.0), 1.0)
    yield Coupling(name, ends[dependent], ends[sources[0]], _plainest(curve))


def _plainest(curve: Curve) -> Any:
    """Return a curve, or the polynomial of figures that it is."""
    return Polynomial(curve.horner) if isinstance(curve, PolynomialCurve) else curve


def _end(node: Node, frames: Frames, *names: str) -> tuple[str, Transform]:
    """Return the body and the frame of a constraint, from a socket or the name of a body."""
    path = socket(node, *names) or text(node, *names, default="ground")
    return frames.find(path, node.get("name") or "", node)


def _at(end: tuple[str, Transform], point: Any, turn: Any = None) -> tuple[str, Transform]:
    return end[0], end[1] @ Transform(np.eye(3) if turn is None else turn, point)


def _weld(node: Node, name: str, frames: Frames) -> Loop:
    places = [pose(node, (f"location_{body}",), (f"orientation_{body}",)) for body in ("body_1", "body_2")]
    a, b = _end(node, frames, "frame1", "body_1"), _end(node, frames, "frame2", "body_2")
    return Loop(name, "weld", a[0], a[1] @ places[0], b[0], b[1] @ places[1])


def _point(node: Node, name: str, frames: Frames) -> Loop:
    a, b = _end(node, frames, "body_1"), _end(node, frames, "body_2")
    places = [numbers(node, f"location_{body}", count=3, default=(0.0,) * 3) for body in ("body_1", "body_2")]
    return Loop(name, "point", *_at(a, places[0]), *_at(b, places[1]))


def _distance(node: Node, name: str, frames: Frames) -> Loop:
    a, b = _end(node, frames, "body_1"), _end(node, frames, "body_2")
    places = [numbers(node, f"location_{body}", count=3, default=(0.0,) * 3) for body in ("body_1", "body_2")]
    return Loop(name, "distance", *_at(a, places[0]), *_at(b, places[1]), (number(node, "constant_distance"),))


def _on_line(node: Node, name: str, frames: Frames) -> Loop:
    """Return the loop that keeps a point of the follower on a line of the other body."""
    a, b = _end(node, frames, "line_body"), _end(node, frames, "follower_body")
    along = numbers(node, "line_direction_vec", count=3, default=(0.0, 0.0, 1.0))
    if not 1e-12 < math.hypot(*along) < math.inf:
        raise FormatError(f"{node.where} has a line of direction {along.tolist()}. Give a vector that is not zero.")
    start = numbers(node, "point_on_line", count=3, default=(0.0,) * 3)
    point = numbers(node, "point_on_follower", count=3, default=(0.0,) * 3)
    return Loop(name, "line", *_at(a, start, rotation_of_z_to(along / math.hypot(*along))), *_at(b, point))


MAKERS = {
    "WeldConstraint": _weld,
    "PointConstraint": _point,
    "ConstantDistanceConstraint": _distance,
    "PointOnLineConstraint": _on_line,
}
