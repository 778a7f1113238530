"""MJCF, MuJoCo's format: a documented subset, read and written here; all of it, read by the package mujoco."""

from anthropi.formats.figures.mjcf.reader import read
from anthropi.formats.figures.mjcf.writer import write

__all__ = ["read", "write"]
