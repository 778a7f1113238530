"""MJCF, the format of MuJoCo: a documented subset is read and written; the package mujoco reads all of it."""

from anthropi.formats.figures.mjcf.reader import read
from anthropi.formats.figures.mjcf.writer import write

__all__ = ["read", "write"]
