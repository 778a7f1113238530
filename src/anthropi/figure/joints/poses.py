"""Places of things in a link, seen in the mirror y → -y or in a larger figure."""

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import Transform
from anthropi.figure.joints.base import MIRROR

__all__ = ["is_identity", "mirrored_pose", "scaled_pose"]


def is_identity(X: Transform) -> bool:
    """Whether a transform changes nothing; one that is being traced might."""
    if records(X.rotation, X.origin):
        return False
    return X.rotation.tolist() == np.eye(3).tolist() and not X.origin.any()


def mirrored_pose(X: Transform) -> Transform:
    """M X M: the pose of the mirrored frame seen from the mirrored one, both right-handed."""
    return Transform(MIRROR[:, None] * X.rotation * MIRROR + 0.0, MIRROR * X.origin + 0.0)


def scaled_pose(X: Transform, factor) -> Transform:
    """The same turn, farther away."""
    return Transform(X.rotation, X.origin * factor)
