"""Which joint forces make this motion? The recursive Newton–Euler algorithm, in link coordinates.

Accelerations are those of classical mechanics, so that no linear velocity is needed: with C, p the link's pose in its
parent, w, w' what the joint turns by (`spin`), s, s' what it slides by (`slide`),

    outward  ω_i = Cᵀ ω_λ + w,   ω_i' = Cᵀ ω_λ' + w' + ω_i × w                 (1)  thesis 6.1, 6.3
             B_i = ω_i'× + ω_i× ω_i×                                           (2)
             a_i = Cᵀ (a_λ + B_λ p + 2 ω_λ × s + s'),   a_world = -g           (3)  thesis 9.12, 4.5
             f_i = I_i (a_i, B_i) - f_ext                                      (4)  thesis 5.3
    inward   f_λ = f_λ + X f_i                                                 (5)
             τ_i = Sᵀ f_i + armature u' - spring and damper                    (6)  thesis 9.14
"""

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.spatial import turning
from anthropi.algorithms.forces import has_armature, no_loops, outer, passive
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
    w: list = []  # angular velocity
    wdot: list = []
    B: list = []
    a: list = []  # acceleration of the link's origin
    f: list = []
    for i, parent, joint in figure.outward():
        X.append(figure.pose(i, q))
        back, at, of = transpose(X[i].rotation), q[figure.q_of[i]], figure.u_of[i]
        before, path = (np.zeros(3), -figure.gravity) if parent < 0 else (w[parent], a[parent])
        w.append(matvec(back, before))
        wdot.append(matvec(back, np.zeros(3) if parent < 0 else wdot[parent]))
        if parent >= 0:
            path = path + matvec(B[parent], X[i].origin)
        if joint.nu:
            turn, slide = joint.spin(at, u[of]), joint.slide(at, u[of])
            w[i] = w[i] + turn  # (1)
            wdot[i] = wdot[i] + joint.spin_rate(at, u[of], udot[of]) + np.cross(w[i], turn)
            C = joint.placement.rotation  # what slides is known in the joint frame
            path = path + 2.0 * np.cross(before, matvec(C, slide)) + matvec(C, joint.slide_rate(at, u[of], udot[of]))
        B.append(turning(w[i], wdot[i]))  # (2)
        a.append(matvec(back, path))  # (3)
        given = outer(f_ext, i)
        f.append(figure.links[i].inertia.effort(a[i], B[i]))  # (4)
        if given is not None:
            f[i] = f[i] - given
    tau: list = [np.zeros(0)] * figure.n
    for i, parent, joint in figure.inward():
        if joint.nu:
            at, of = q[figure.q_of[i]], figure.u_of[i]
            tau[i] = joint.subspace(at).T @ f[i] - passive(joint, at, u[of])  # (6)
            if has_armature(joint):
                tau[i] = tau[i] + joint.armature * udot[of]
        if parent >= 0:
            f[parent] = f[parent] + X[i].act_force(f[i])  # (5)
    return np.concatenate(tau)
