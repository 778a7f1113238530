"""Joints, one file for each family. A new joint is a new file and an entry in `JOINTS`; see interface.py."""

from anthropi.figure.joints.axial import Cylindrical, Helical, Prismatic, Revolute
from anthropi.figure.joints.ball import Ball, Euler, Exponential
from anthropi.figure.joints.base import Joint, JointRating, JointStop
from anthropi.figure.joints.composite import Composite, universal
from anthropi.figure.joints.fixed import Locked, Weld
from anthropi.figure.joints.free import Free
from anthropi.figure.joints.planar import Planar, Translational
from anthropi.figure.joints.wrapped import Mirrored, Reversed

JOINTS: dict[str, type[Joint]] = {
    joint.kind: joint
    for joint in (
        Weld, Revolute, Prismatic, Helical, Cylindrical, Planar, Translational, Ball, Exponential, Euler, Free,
        Composite, Locked,
    )
}  # fmt: skip

__all__ = [
    "JOINTS",
    "Ball",
    "Composite",
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
    "Planar",
    "Prismatic",
    "Reversed",
    "Revolute",
    "Translational",
    "Weld",
    "universal",
]  # fmt: skip
