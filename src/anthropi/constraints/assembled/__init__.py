"""Assembly constraints and joints by the names people know, made of primitives; each says what it removes."""

from anthropi.constraints.assembled.coupling import LineDistance, Teeth, Thread
from anthropi.constraints.assembled.features import Axis, Frame, Plane, Rod, Sphere
from anthropi.constraints.assembled.joints import Ball, Cylinder, Gear, Hinge, Planar, Rack, Screw, Slider, Universal
from anthropi.constraints.assembled.mates import (
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
)
from anthropi.constraints.assembled.tangent import Tangent
from anthropi.constraints.features import Direction, Point
from anthropi.constraints.primitives import Angle, Distance

__all__ = [
    "Angle", "Axis", "Ball", "Coincident", "Concentric", "Constraint", "Coplanar", "Cylinder", "Direction",
    "Distance", "EqualOrientation", "Fixed", "Frame", "Gear", "Hinge", "InPlane", "LineDistance", "OnLine", "OnPlane",
    "Parallel", "Perpendicular", "Planar", "Plane", "Point", "Rack", "Rod", "Screw", "Slider", "Sphere", "Tangent",
    "Teeth", "Thread", "Universal",
]  # fmt: skip
