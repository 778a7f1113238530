"""URDF, the format of ROS: links, joints, inertias, shapes."""

from anthropi.formats.figures.urdf.reader import read
from anthropi.formats.figures.urdf.writer import write

__all__ = ["read", "write"]
