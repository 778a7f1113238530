"""BVH, a format of captured motion: a skeleton, then its channels frame by frame."""

from anthropi.formats.motions.bvh.reader import read
from anthropi.formats.motions.bvh.writer import write

__all__ = ["read", "write"]
