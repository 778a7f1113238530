"""Smooth periodic curves: cubic B-splines over a cycle, with the symmetry of a straight walk. Floats only.

A curve is x(p) = Σ cₖ β(n p - k), p in cycles, k = 0 … n-1, β the uniform cubic B-spline: C², and linear in c. Left and
right of a symmetric walk are alike half a cycle apart, so that of what belongs to both some repeat with every step and
some turn their sign with it:

    "cycle" n coefficients;    "step"  x(p + ½) = x(p);    "mirror"  x(p + ½) = -x(p)     n/2 coefficients each     (1)
"""

import numpy as np

__all__ = ["basis", "fitted", "folded"]

WEIGHTS = {  # of the four coefficients around a place s after the second of them: polynomials in s, lowest order first
    0: np.array([[1, -3, 3, -1], [4, 0, -6, 3], [1, 3, 3, -3], [0, 0, 0, 1]]) / 6.0,
    1: np.array([[-3, 6, -3, 0], [0, -12, 9, 0], [3, 6, -9, 0], [0, 0, 3, 0]]) / 6.0,
    2: np.array([[6, -6, 0, 0], [-12, 18, 0, 0], [6, -18, 0, 0], [0, 6, 0, 0]]) / 6.0,
}


def basis(phase, n: int, derivative: int = 0) -> np.ndarray:
    """x = basis @ c: (points, n), or its first or second derivative by the phase [cycles]."""
    u = np.asarray(phase, float) * n
    k = np.floor(u)
    powers = (u - k)[:, None] ** np.arange(4)
    weights = powers @ WEIGHTS[derivative].T * float(n) ** derivative
    out = np.zeros((len(u), n))
    for j in range(4):
        np.add.at(out, (np.arange(len(u)), (k.astype(int) + j - 1) % n), weights[:, j])
    return out


def folded(B, kind: str) -> np.ndarray:
    """The basis of a kind of (1): (points, n) or (points, n/2)."""
    half = B.shape[1] // 2
    if kind == "cycle":
        return B
    return B[:, :half] + B[:, half:] if kind == "step" else B[:, :half] - B[:, half:]


def fitted(phase, values, n: int) -> np.ndarray:
    """c of the curve nearest to values (points,) at phases (points,)."""
    return np.linalg.lstsq(basis(phase, n), np.asarray(values, float), rcond=None)[0]
