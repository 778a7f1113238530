"""Claim: for a million rotations on one thread, kernels are faster than `scipy.spatial.transform.Rotation` in the same
run: matrix → rotation vector and slerp at least 3 times, rotation vector → matrix and quaternion product at least 2
times.

Both sides take and return plain arrays. SciPy's time includes making its Rotation objects if the data come as arrays,
but not if they are objects already (product). SciPy's Slerp accepts one pair of rotations, so the slerp of a million
pairs uses SciPy's other operations: it scales the rotation vector between the two.
"""

import sys

import numpy as np
import scipy
from _machine import best, machine
from scipy.spatial.transform import Rotation

import anthropi as ap
from anthropi import rotation

COUNT = 1_000_000


def cases():
    """Return rows of name, least ratio, our call and SciPy's call."""
    rng = np.random.default_rng(0)
    q0, q1 = rng.normal(size=(2, COUNT, 4))
    q0 /= np.linalg.norm(q0, axis=1, keepdims=True)
    q1 /= np.linalg.norm(q1, axis=1, keepdims=True)
    r0, r1 = (Rotation.from_quat(q, scalar_first=True) for q in (q0, q1))
    matrices, vectors, t = r0.as_matrix(), r0.as_rotvec(), rng.uniform(size=COUNT)
    two = {"p": np.zeros(4), "q": np.zeros(4)}
    log = ap.build(ap.record(lambda C: rotation.rotation_vector_from_matrix(C), C=np.zeros((3, 3))))
    exp = ap.build(ap.record(lambda r: rotation.matrix_from_rotation_vector(r), r=np.zeros(3)))
    product = ap.build(ap.record(lambda p, q: rotation.quaternion_product(p, q), **two))
    slerp = ap.build(ap.record(lambda p, q, t: rotation.slerp(p, q, t), **two, t=np.zeros(())))
    return [
        (
            "matrix → rotation vector",
            3.0,
            lambda: log(matrices, threads=1),
            lambda: Rotation.from_matrix(matrices).as_rotvec(),
        ),
        ("slerp", 3.0, lambda: slerp(q0, q1, t, threads=1), lambda: _slerp(r0, r1, t)),
        (
            "rotation vector → matrix",
            2.0,
            lambda: exp(vectors, threads=1),
            lambda: Rotation.from_rotvec(vectors).as_matrix(),
        ),
        (
            "quaternion product",
            2.0,
            lambda: product(q0, q1, threads=1),
            lambda: (r0 * r1).as_quat(scalar_first=True),
        ),
    ]


def _slerp(r0, r1, t):
    """Compute the slerp of many pairs with SciPy's rotations."""
    turned = Rotation.from_rotvec((r1 * r0.inv()).as_rotvec() * t[:, None])
    return (turned * r0).as_quat(scalar_first=True)


def main() -> int:
    print(f"{machine()}, SciPy {scipy.__version__}; {COUNT:,} rotations, one thread\n")
    print(f"{'':26} {'ours':>9} {'SciPy':>9} {'ratio':>7} {'claim':>6}   largest difference")
    failed = 0
    for name, least, ours, theirs in cases():
        difference = _apart(ours(), theirs())
        a, b = best(ours, 7), best(theirs, 3)
        failed += b / a < least or difference > 1e-14
        print(f"{name:26} {1e3 * a:7.1f}ms {1e3 * b:7.1f}ms {b / a:6.1f}x {least:5.0f}x   {difference:.1e}")
    print("\nall claims hold" if not failed else f"\n{failed} claims do not hold")
    return int(failed > 0)


def _apart(a, b) -> float:
    """Return the largest difference; quaternions of either sign are the same rotation."""
    direct = np.abs(a - b)
    if a.shape[1:] == (4,):
        direct = np.minimum(direct.max(1), np.abs(a + b).max(1))
    return float(direct.max())


if __name__ == "__main__":
    sys.exit(main())
