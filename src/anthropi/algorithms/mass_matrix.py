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
    pieces = figure.pieces
    X = [piece.pose(q) for piece in pieces]
    S = [piece.joint.subspace(q[piece.q]) if piece.joint.nu else None for piece in pieces]
    I: list = [None if piece.body is None else SummedInertia.of(piece.body) for piece in pieces]
    M = [[0.0] * figure.nu for _ in range(figure.nu)]
    for i, piece in reversed(list(enumerate(pieces))):
        joint, of = piece.joint, piece.u
        if joint.nu:
            F = [I[i].act(S[i][:, k]) for k in range(joint.nu)]  # (1)
            _place(M, of, of, S[i], F, symmetric=True)
            if has_armature(joint):
                for k, at in enumerate(range(of.start, of.stop)):
                    M[at][at] = M[at][at] + joint.armature[k]
            j = i
            while pieces[j].parent >= 0:  # (2)
                F = [X[j].act_force(f) for f in F]
                j = pieces[j].parent
                if pieces[j].joint.nu:
                    _place(M, pieces[j].u, of, S[j], F)
        if piece.parent >= 0:
            carried, there = X[i].act_inertia(I[i]), I[piece.parent]
            I[piece.parent] = carried if there is None else there + carried
    return np.array(M).reshape(figure.nu, figure.nu)


def _place(M, rows: slice, columns: slice, S, F, symmetric: bool = False) -> None:
    """Fill the blocks (rows, columns) and (columns, rows) with Sᵀ F."""
    for a in range(S.shape[1]):
        for b in range(a if symmetric else 0, len(F)):
            i, j = rows.start + a, columns.start + b
            M[i][j] = M[j][i] = S[:, a] @ F[b]
