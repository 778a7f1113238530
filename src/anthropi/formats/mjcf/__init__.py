"""MJCF, MuJoCo's format: a documented subset, read and written here; all of it, read by the package mujoco."""

from anthropi.formats.mjcf.reader import read
from anthropi.formats.mjcf.writer import write

__all__ = ["read", "write"]
