"""Weights of a skin: with how much of each link a vertex moves."""

import numpy as np

__all__ = ["in_parts", "largest_four", "smoothed"]

NEIGHBOURS = 8  # of a vertex, used by smoothing
MIN_WEIGHT = 0.02  # smaller weights are set to 0


def in_parts(weights: np.ndarray, whole: int) -> np.ndarray:
    """Convert weights (n, 4) to integers that sum to exactly `whole`. The rounding remainder goes to the largest."""
    parts = np.rint(whole * weights / weights.sum(1, keepdims=True)).astype(int)
    parts[np.arange(len(parts)), parts.argmax(1)] += whole - parts.sum(1)
    return parts


def largest_four(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the four largest of weights (n, links), and these weights; their sum is 1."""
    count = w.shape[1]
    w = np.where(w < MIN_WEIGHT, 0.0, w)
    joints = np.argsort(-w, axis=1, kind="stable")[:, :4]
    if joints.shape[1] < 4:
        joints = np.concatenate([joints, np.zeros((len(joints), 4 - joints.shape[1]), int)], 1)
        w = np.concatenate([w, np.zeros((len(w), 1))], 1)
    weights = np.take_along_axis(w, joints, 1)
    weights[:, count:] = 0.0
    weights /= weights.sum(1, keepdims=True)
    joints = np.where(weights > 0.0, joints, 0)
    return joints.astype(np.uint16), weights.astype(np.float32)


def smoothed(w: np.ndarray, triangles: np.ndarray, passes: int) -> np.ndarray:
    """Smooth values (n, …) along the surface: average each vertex with its neighbours a few times."""
    a = np.concatenate([triangles, triangles[:, [1, 2, 0]]]).ravel().astype(int)
    b = np.concatenate([triangles[:, [1, 2, 0]], triangles]).ravel().astype(int)
    order = np.argsort(a, kind="stable")
    a, b = a[order], b[order]
    starts = np.searchsorted(a, np.arange(len(w)))
    table = np.repeat(np.arange(len(w))[:, None], NEIGHBOURS, 1)  # missing neighbours are the vertex itself
    column = np.arange(len(a)) - starts[a]
    some = column < NEIGHBOURS
    table[a[some], column[some]] = b[some]
    w = w.astype(np.float32)
    for _ in range(passes):
        mean = w[table[:, 0]]
        for k in range(1, NEIGHBOURS):
            mean = mean + w[table[:, k]]
        w = 0.5 * (w + mean / NEIGHBOURS)
    return w
