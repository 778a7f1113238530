"""Mates: assembly constraints and joints under their usual names, made of primitive constraints."""

from anthropi.constraints.mates.couplings import LineDistance, Teeth, Thread, Twist
from anthropi.constraints.mates.features import Axis, Frame, Plane, Rod, Sphere
from anthropi.constraints.mates.joints import (
    Ball,
    ConstantVelocity,
    Cylinder,
    Gear,
    Hinge,
    Planar,
    Rack,
    Screw,
    Slider,
    Universal,
)
from anthropi.constraints.mates.limits import Limit
from anthropi.constraints.mates.mates import (
    Coincident,
    Concentric,
    Constraint,
    Coplanar,
    EqualOrientation,
    Fixed,
    InPlane,
    OnLine,
    OnPlane,
    Parallel,
    Perpendicular,
    Tangent,
)
from anthropi.constraints.primitives import Angle, Direction, Distance, Point

__all__ = [
    "Angle", "Axis", "Ball", "Coincident", "Concentric", "ConstantVelocity", "Constraint", "Coplanar", "Cylinder",
    "Direction", "Distance", "EqualOrientation", "Fixed", "Frame", "Gear", "Hinge", "InPlane", "Limit",
    "LineDistance", "OnLine", "OnPlane", "Parallel", "Perpendicular", "Planar", "Plane", "Point", "Rack", "Rod",
    "Screw", "Slider", "Sphere", "Tangent", "Teeth", "Thread", "Twist", "Universal",
]  # fmt: skip
