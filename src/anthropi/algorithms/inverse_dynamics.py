"""Which joint forces make this motion? The recursive Newton–Euler algorithm, in link coordinates.

outward  v_i = X⁻¹ v_λ + S u                                               (1)  thesis 6.1
         a_i = X⁻¹ a_λ + S u' + S' u + v_i × S u,   a_world = -g           (2)  thesis 9.12, 4.5
         f_i = I_i a_i + v_i ×* I_i v_i - f_ext                            (3)  thesis 5.3
inward   f_λ = f_λ + X f_i                                                 (4)
         τ_i = Sᵀ f_i + armature u' - spring and damper                    (5)  thesis 9.14
"""

import numpy as np

from anthropi.algebra.spatial import cross_motion
from anthropi.algorithms.forces import has_armature, lifted, no_loops, outer, passive
from anthropi.algorithms.shapes import algorithm

__all__ = ["inverse_dynamics"]


@algorithm(q="nq", u="nu", udot="nu", f_ext="links*6")
def inverse_dynamics(figure, q, u, udot, f_ext=None):
    """Which joint forces make this motion?

    q (nq,), u (nu,), udot (nu,); f_ext (links, 6): moment about the link's origin and force, in the link frame.
    Returns tau (nu,) [N m or N], dual to u.
    """
    no_loops(figure, "inverse_dynamics")
    X: list = []
    v: list = []
    a: list = []
    f: list = []
    for i, parent, joint in figure.outward():
        X.append(figure.pose(i, q))
        before_v, before_a = (np.zeros(6), lifted(figure)) if parent < 0 else (v[parent], a[parent])
        v.append(X[i].undo_motion(before_v))
        a.append(X[i].undo_motion(before_a))
        if joint.nu:
            at, of = q[figure.q_of[i]], figure.u_of[i]
            S = joint.subspace(at)
            own = S @ u[of]
            v[i] = v[i] + own  # (1)
            a[i] = a[i] + S @ udot[of] + joint.bias(at, u[of]) + cross_motion(v[i], own)  # (2)
        body, given = figure.links[i].inertia, outer(f_ext, i)
        f.append(body.act(a[i]) + body.bias_force(v[i]))  # (3)
        if given is not None:
            f[i] = f[i] - given
    tau: list = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        if joint.nu:
            at, of = q[figure.q_of[i]], figure.u_of[i]
            tau[i] = joint.subspace(at).T @ f[i] - passive(joint, at, u[of])  # (5)
            if has_armature(joint):
                tau[i] = tau[i] + joint.armature * udot[of]
        if parent >= 0:
            f[parent] = f[parent] + X[i].act_force(f[i])  # (4)
    return np.concatenate(tau)
