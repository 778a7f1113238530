"""Principal axes of the inertia tensors of meshes by Jacobi rotations, as in MuJoCo's compiler.

MuJoCo stores the inertia of a mesh as principal moments and axes. It stops the rotations when the products of inertia
are below 1e-7 of the largest entry of the tensor, and loses them; this changes a tensor by up to 1e-7. Here they are
lost too, so that figures agree with MuJoCo 4.0 to rounding.

If principal moments are equal, the axes are not unique. A primitive that is fitted to a mesh then has the orientation
that it has in MuJoCo, because the rotations are made in the same order.
"""

import math

import numpy as np

__all__ = ["diagonalised", "principal_axes"]

TOLERANCE = 1e-7  # relative to the largest entry of a tensor; smaller products of inertia are lost
EQUAL = 1e-12  # relative difference of moments that count as equal
MAX_ROTATIONS = 100


def principal_axes(tensor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the principal moments (3,), largest first, and axes (3, 3) of a symmetric tensor (3, 3)."""
    C, largest = np.eye(3), float(np.abs(tensor).max())
    for _ in range(MAX_ROTATIONS):
        D = C.T @ tensor @ C
        i, j = max(((1, 2), (0, 2), (0, 1)), key=lambda at: abs(D[at]))  # the first of equal ones
        if not abs(D[i, j]) >= TOLERANCE * largest:
            break
        tau = (D[j, j] - D[i, i]) / (2.0 * D[i, j])
        t = math.copysign(1.0, tau) / (abs(tau) + math.hypot(1.0, tau)) if tau else 1.0
        c = 1.0 / math.hypot(1.0, t)
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = c
        turn[i, j], turn[j, i] = t * c, -t * c
        C = C @ turn
    moments = np.diag(C.T @ tensor @ C).copy()
    for j in (0, 1, 0):
        if moments[j] + EQUAL * largest < moments[j + 1]:  # a quarter turn swaps the two axes
            moments[[j, j + 1]] = moments[[j + 1, j]]
            C[:, j], C[:, j + 1] = C[:, j + 1].copy(), -C[:, j]
    return moments, C


def diagonalised(tensor: np.ndarray) -> np.ndarray:
    """Return a tensor (3, 3) without the products of inertia that MuJoCo loses."""
    moments, axes = principal_axes(tensor)
    found = (axes * moments) @ axes.T
    return 0.5 * (found + found.T)
