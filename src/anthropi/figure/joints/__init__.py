"""Joints, one file for each family. A new joint is a new file and an entry in `JOINTS`; see interface.py."""

from anthropi.figure.joints.axial import Cylindrical, Helical, Prismatic, Revolute
from anthropi.figure.joints.ball import Ball, Euler, Exponential
from anthropi.figure.joints.base import Joint, JointRating, JointStop
from anthropi.figure.joints.composite import Composite, universal
from anthropi.figure.joints.curves import CURVES, Curve, PiecewiseCurve, PolynomialCurve, SineCurve
from anthropi.figure.joints.custom import Custom, CustomAxis
from anthropi.figure.joints.fixed import Locked, Weld
from anthropi.figure.joints.free import Free
from anthropi.figure.joints.planar import Planar, Translational
from anthropi.figure.joints.wrapped import Mirrored, Reversed

JOINTS: dict[str, type[Joint]] = {
    joint.kind: joint
    for joint in (
        Weld, Revolute, Prismatic, Helical, Cylindrical, Planar, Translational, Ball, Exponential, Euler, Free,
        Composite, Custom, Locked,
    )
}  # fmt: skip

__all__ = [
    "CURVES",
    "JOINTS",
    "Ball",
    "Composite",
    "Curve",
    "Custom",
    "CustomAxis",
    "Cylindrical",
    "Euler",
    "Exponential",
    "Free",
    "Helical",
    "Joint",
    "JointRating",
    "JointStop",
    "Locked",
    "Mirrored",
    "PiecewiseCurve",
    "Planar",
    "PolynomialCurve",
    "Prismatic",
    "Reversed",
    "Revolute",
    "SineCurve",
    "Translational",
    "Weld",
    "universal",
]  # fmt: skip
