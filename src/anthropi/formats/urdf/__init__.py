"""URDF, the format of ROS: links, joints, inertias, shapes."""

from anthropi.formats.urdf.reader import read
from anthropi.formats.urdf.writer import write

__all__ = ["read", "write"]
