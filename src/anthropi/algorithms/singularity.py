"""Search for a joint whose inertia is singular. Works on plain floats only; cannot be recorded.

Direct dynamics divides by D = Sᵀ I S + r of every joint (direct_dynamics.py (2)). D is singular if no mass resists a
joint: nothing beyond it has mass, or columns of S coincide (Euler angles in gimbal lock, two hinges in line). With D
scaled to a unit diagonal, it is singular if its least eigenvalue is 0 to rounding.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anthropi.algorithms.forces import joint_inertia
from anthropi.algorithms.shapes import Array
from anthropi.figure import Figure

__all__ = ["Singular", "singular_joint"]

MIN_EIGENVALUE = 1e-13  # bound for the scaled D, and for diagonal entries of D relative to the largest inertia


class Singular(NamedTuple):
    """A singular joint: its number, the degrees of freedom without inertia, and whether no mass resists them."""

    joint: int
    dofs: tuple[str, ...]
    massless: bool


def singular_joint(
    figure: Figure, q: Array, extra: Array | None = None, prescribed: Sequence[str] = ()
) -> Singular | None:
    """Find the first joint, from the leaves inward, whose D is singular; None if there is none.

    Works on plain floats only.

    q (nq,). extra (nu,), prescribed : as in `hybrid_dynamics`.
    """
    held = set(figure.dof_indices(prescribed))
    I = [link.inertia.matrix() for link in figure.links]
    X = [figure.pose(i, q) for i in range(figure.n)]
    largest = max((np.trace(body) for body in I), default=0.0)
    for i, parent, joint in figure.inward():
        of = figure.u_of[i]
        free = [k for k in range(joint.nu) if of.start + k not in held]
        if free:
            S, r = (
                joint.subspace(q[figure.q_of[i]])[:, free],
                joint_inertia(joint, None if extra is None else extra[of]),
            )
            U = I[i] @ S
            D = S.T @ U + (0.0 if r is None else np.diag(np.asarray(r, float)[free]))
            names = tuple(joint.dofs[k] for k in free)
            size = np.diag(D)
            if not (size > MIN_EIGENVALUE * largest).all():
                return Singular(
                    i, tuple(n for n, d in zip(names, size, strict=True) if not d > MIN_EIGENVALUE * largest), True
                )
            scale = 1.0 / np.sqrt(size)  # floats only
            values, vectors = np.linalg.eigh(D * np.outer(scale, scale))  # floats only
            if values[0] < MIN_EIGENVALUE:
                return Singular(i, tuple(n for n, x in zip(names, vectors[:, 0], strict=True) if abs(x) > 0.1), False)
            I[i] = I[i] - U @ np.linalg.solve(D, U.T)  # floats only
            I[i] = 0.5 * (I[i] + I[i].T)
        if parent >= 0:
            F = X[i].force_matrix()
            I[parent] = I[parent] + F @ I[i] @ F.T
    return None
