"""MJCF, the format of MuJoCo. A documented subset is read and written; with the package mujoco, all of it is read."""

from anthropi.formats.figures.mjcf.reader import read
from anthropi.formats.figures.mjcf.writer import write

__all__ = ["read", "write"]
