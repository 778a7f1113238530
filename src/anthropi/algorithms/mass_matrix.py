"""Mass matrix: the joint-space inertia M(q), by the composite-rigid-body algorithm (CRBA), in link coordinates.

One inward pass over the dynamics tree. i is a node, λ its parent, X the pose of i in λ, S the motion subspace of its
joint, I_i the composite inertia of all links that joint i carries:

    F = I_i S_i,   M_ii = S_iᵀ F + armature                                                    (1)
    on the path from i to the root:   F = X F,   M_ji = S_jᵀ F = M_ijᵀ                         (2)
    I_λ = I_λ + X I_i X⁻¹                                                                      (3)

With inertia C added to links (recursions.py (5)), the joint-space inertia is

    M + Σ Jᵀ C J                                                                               (4)

cholesky.py factors M and inverts it.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import transpose
from anthropi.algebra.spatial.rigid import SummedInertia
from anthropi.algorithms.forces import has_armature
from anthropi.algorithms.jacobians import in_frame, point_jacobian
from anthropi.algorithms.kinematics import Kinematics
from anthropi.algorithms.shapes import Array, LinkInertias, algorithm
from anthropi.figure import Figure

__all__ = ["added_mass_matrix", "mass_matrix"]


@algorithm(q="nq")
def mass_matrix(figure: Figure, q: Array) -> Array:
    """Compute the joint-space inertia matrix by the composite-rigid-body algorithm (CRBA).

    Parameters
    ----------
    figure : any figure; closed loops are treated as open.
    q : (nq,) coordinates.

    Returns
    -------
    M (nu, nu) [kg m², kg m or kg], symmetric, armature included: the kinetic energy is ½ uᵀ M u.
    """
    tree = figure.dynamics_tree
    X = [node.pose(q) for node in tree]
    S: list[Any] = [node.joint.subspace(q[node.q]) if node.joint.nu else None for node in tree]
    I: list[Any] = [None if node.body is None else SummedInertia.of(node.body) for node in tree]
    M: list[list[Any]] = [[0.0] * figure.nu for _ in range(figure.nu)]

    # Inward: composite inertias, and the rows and columns of each joint
    for i, node in reversed(list(enumerate(tree))):
        joint = node.joint
        if joint.nu:
            F = [I[i].act(S[i][:, k]) for k in range(joint.nu)]  # (1)
            _fill(M, node.u, node.u, S[i], F, symmetric=True)
            if has_armature(joint):
                for k, row in enumerate(range(node.u.start, node.u.stop)):
                    M[row][row] = M[row][row] + joint.armature[k]
            j = i
            while tree[j].parent >= 0:
                F = [X[j].act_force(f) for f in F]  # (2)
                j = tree[j].parent
                if tree[j].joint.nu:
                    _fill(M, tree[j].u, node.u, S[j], F)
        if node.parent >= 0:
            carried, there = X[i].act_inertia(I[i]), I[node.parent]
            I[node.parent] = carried if there is None else there + carried  # (3)
    return np.array(M).reshape(figure.nu, figure.nu)


def added_mass_matrix(figure: Figure, k: Kinematics, q: Array, added: LinkInertias) -> Array:
    """Return Σ Jᵀ C J (nu, nu) of inertias {link number: C} added to links (4), from known poses k."""
    total = np.zeros((figure.nu, figure.nu))
    for i, C in (added or {}).items():
        J = in_frame(point_jacobian(figure, k, q, i, np.zeros(3)), k.rotation[i], "link")
        total = total + transpose(J) @ np.stack([C.act(column) for column in J.T], axis=-1)
    return total


def _fill(M: list[list[Any]], rows: slice, columns: slice, S: Any, F: list[Any], symmetric: bool = False) -> None:
    """Store Sᵀ F and its transpose in the blocks (rows, columns) and (columns, rows) of M."""
    for a in range(S.shape[1]):
        for b in range(a if symmetric else 0, len(F)):
            i, j = rows.start + a, columns.start + b
            M[i][j] = M[j][i] = S[:, a] @ F[b]
