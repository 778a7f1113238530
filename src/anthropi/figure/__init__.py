"""What a figure is: links, joints, markers, loops; how configurations move; how figures are edited and made."""

from anthropi.figure.figure import Figure, figure_from_parts
from anthropi.figure.joints import (
    JOINTS,
    Ball,
    Composite,
    Cylindrical,
    Euler,
    Exponential,
    Free,
    Helical,
    Joint,
    Locked,
    Planar,
    Prismatic,
    Revolute,
    Translational,
    Weld,
    universal,
)  # fmt: skip
from anthropi.figure.numbers import numbers
from anthropi.figure.parts import Direction, Link, Loop, Marker, Shape

__all__ = [
    "JOINTS", "Ball", "Composite", "Cylindrical", "Direction", "Euler", "Exponential", "Figure", "Free", "Helical",
    "Joint", "Link", "Locked", "Loop", "Marker", "Planar", "Prismatic", "Revolute", "Shape", "Translational", "Weld",
    "figure_from_parts", "numbers", "universal",
]  # fmt: skip
