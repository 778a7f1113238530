"""What is the joint-space inertia? The composite-rigid-body algorithm, in link coordinates.

I_i = I_i + Σ X I_j X⁻¹ over children,   F = I_i S_i                       (1)  thesis 9.9
M_ii = S_iᵀ F + armature,   M_ji = S_jᵀ X F on the way to the root         (2)
"""

import numpy as np

from anthropi.algebra.spatial.composite import SummedInertia
from anthropi.algorithms.forces import has_armature
from anthropi.algorithms.shapes import algorithm

__all__ = ["mass_matrix"]


@algorithm(q="nq")
def mass_matrix(figure, q):
    """What is the joint-space inertia M(q)? q (nq,) → (nu, nu), symmetric: kinetic energy is ½ uᵀ M u."""
    X = [figure.pose(i, q) for i in range(figure.n)]
    S = [joint.subspace(q[figure.q_of[i]]) if joint.nu else None for i, _, joint in figure.outward()]
    I = [SummedInertia.of(link.inertia) for link in figure.links]
    M = [[0.0] * figure.nu for _ in range(figure.nu)]
    for i, parent, joint in figure.inward():
        if joint.nu:
            F = [I[i].act(S[i][:, k]) for k in range(joint.nu)]  # (1)
            _place(M, figure, i, i, S[i], F, symmetric=True)
            if has_armature(joint):
                for k, at in enumerate(range(figure.u_of[i].start, figure.u_of[i].stop)):
                    M[at][at] = M[at][at] + joint.armature[k]
            j = i
            while figure.parent[j] >= 0:  # (2)
                F = [X[j].act_force(f) for f in F]
                j = figure.parent[j]
                if figure.joints[j].nu:
                    _place(M, figure, j, i, S[j], F)
        if parent >= 0:
            I[parent] = I[parent] + X[i].act_inertia(I[i])
    return np.array(M).reshape(figure.nu, figure.nu)


def _place(M, figure, j: int, i: int, S, F, symmetric: bool = False) -> None:
    """Fill the blocks (j, i) and (i, j) with Sᵀ F."""
    rows, columns = figure.u_of[j].start, figure.u_of[i].start
    for a in range(S.shape[1]):
        for b in range(a if symmetric else 0, len(F)):
            M[rows + a][columns + b] = M[columns + b][rows + a] = S[:, a] @ F[b]
