"""Which joint forces make this motion? The recursive Newton–Euler algorithm, in link coordinates.

outward  f_i, what the motion takes of each link                           (1)  effort.py
inward   f_λ = f_λ + X f_i                                                 (2)
         τ_i = Sᵀ f_i + armature u' - spring and damper                    (3)  thesis 9.14
"""

import numpy as np

from anthropi.algorithms.effort import efforts
from anthropi.algorithms.forces import has_armature, no_loops, passive
from anthropi.algorithms.shapes import algorithm

__all__ = ["inverse_dynamics"]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6")
def inverse_dynamics(figure, q, u, udot, f_ext=None):
    """Which joint forces make this motion?

    q (nq,), u (nu,), udot (nu,); f_ext (links, 6): moment about the link's origin and force, in the link frame.
    Returns tau (nu,) [N m or N], dual to u.
    """
    no_loops(figure, "inverse_dynamics")
    X, f = efforts(figure, q, u, udot, f_ext, -figure.gravity)  # (1)
    tau: list = [np.zeros(0)] * len(X)
    for i, piece in reversed(list(enumerate(figure.pieces))):
        joint, at, of = piece.joint, q[piece.q], piece.u
        if joint.nu:
            tau[i] = joint.subspace(at).T @ f[i] - passive(joint, at, u[of])  # (3)
            if has_armature(joint):
                tau[i] = tau[i] + joint.armature * udot[of]
        if piece.parent >= 0:
            f[piece.parent] = f[piece.parent] + X[i].act_force(f[i])  # (2)
    return np.concatenate(tau)
