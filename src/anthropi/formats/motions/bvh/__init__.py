"""BVH, a motion-capture format: a skeleton, followed by the values of its channels in each frame."""

from anthropi.formats.motions.bvh.reader import read
from anthropi.formats.motions.bvh.writer import write

__all__ = ["read", "write"]
