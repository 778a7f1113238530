"""Accuracy of the rotation vector of a matrix near 0 and near π.

The arc cosine of textbooks loses all digits near half a turn; the conversion through the quaternion loses none. The
chart shows the textbook formula, the plain function, and the float64 and float32 kernels. Writes out/half_turn.png.
"""

import numpy as np
from _charts import accuracy

import anthropi as ap
from anthropi import rotation as rot

AXIS = np.array([1.0, 2.0, 2.0]) / 3.0


def textbook(C):
    """Compute the rotation vector by θ = arccos((tr C - 1)/2), r = θ / (2 sin θ) (C - Cᵀ)ᵛ."""
    angle = np.arccos(np.clip((np.trace(C, axis1=-2, axis2=-1) - 1.0) / 2.0, -1.0, 1.0))
    with np.errstate(all="ignore"):
        return (angle / (2.0 * np.sin(angle)))[..., None] * rot.unskew(C - np.swapaxes(C, -1, -2))


def there_and_back(r):
    return rot.rotation_vector_from_matrix(rot.matrix_from_rotation_vector(r))


def errors(angles):
    """Return the largest error of each method, relative to the angle; r and -r are the same half turn."""
    r = angles[:, None] * AXIS
    tape = ap.record(there_and_back, r=np.zeros(3))
    ways = {
        "textbook": textbook(rot.matrix_from_rotation_vector(r)),
        "ours": there_and_back(r),
        "float64 kernel": ap.build(tape)(r),
        "float32 kernel": ap.build(tape, precision="float32")(r).astype(float),
    }
    return {n: np.minimum(np.abs(b - r).max(1), np.abs(b + r).max(1)) / angles for n, b in ways.items()}


def check(found):
    assert found["ours"].max() < 1e-15 and found["float64 kernel"].max() < 1e-15
    assert found["float32 kernel"].max() < 1e-6


if __name__ == "__main__":
    gaps = np.logspace(-9, 0, 300)
    small, large = errors(gaps), errors(np.pi - gaps)
    check(small)
    check(large)
    assert np.nanmax(large["textbook"]) > 1e-3
    accuracy("out/half_turn.png", gaps, small, large)
