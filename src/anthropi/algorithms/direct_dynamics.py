"""How does the figure move when forces act? The articulated-body algorithm, in link coordinates.

    outward  v_i = X⁻¹ v_λ + S u,   c_i = S' u + v_i × S u                     (1)  thesis 6.1, 6.3
             I_i, p_i = v_i ×* I_i v_i - f_ext                                 (2)  thesis 6.2
    inward   D = Sᵀ I_i S + r,   left = τ - Sᵀ p_i                      (3)  thesis 6.4-6.6
             I_λ += X (I_i - U D⁻¹ Uᵀ) X⁻¹,   U = I_i S                        (4)  thesis 6.7
             p_λ += X (p_i + I_a c_i + U D⁻¹ left)                             (5)  thesis 6.8
    outward  a' = X⁻¹ a_λ + c_i,   a_world = -g                                (6)
             u' = D⁻¹ (left - Uᵀ a'),   a_i = a' + S u'                        (7)  thesis 6.10, 6.11

r is the joint's own inertia: its armature, and `extra` from springs and dampers treated implicitly (implicit.py).
`joint_solve.py` does (3)-(5), (7) for a joint, by unit columns where it can.
"""

import numpy as np

from anthropi.algebra.spatial import cross_motion
from anthropi.algorithms.forces import lifted, no_loops, outer, passive, steady
from anthropi.algorithms.joint_solve import joint_solve
from anthropi.algorithms.shapes import algorithm

__all__ = ["direct_dynamics"]


@algorithm(q="nq", u="nu", tau="nu", f_ext="links*6", extra="nu")
def direct_dynamics(figure, q, u, tau, f_ext=None, extra=None):
    """How does the figure move when forces act?

    q (nq,), u (nu,), tau (nu,) [N m or N]; f_ext (links, 6): moment about the link's origin and force, in link frames.
    extra (nu,) [kg m² or kg]: inertia of each degree of freedom beside its armature, as `implicit_drive` gives it.
    Returns udot (nu,).
    """
    no_loops(figure, "direct_dynamics")
    X: list = []
    v: list = []
    c: list = []
    I: list = []
    p: list = []
    slow = steady(figure, u)
    for i, parent, joint in figure.outward():  # how each link moves
        at, of = q[figure.q_of[i]], figure.u_of[i]
        X.append(figure.pose(i, q))
        own = joint.subspace(at) @ slow[of] if joint.nu else np.zeros(6)
        v.append(own if parent < 0 else X[i].undo_motion(v[parent]) + own)  # (1)
        c.append(joint.bias(at, slow[of]) + cross_motion(v[i], own) if joint.nu else np.zeros(6))
        body, given = figure.links[i].inertia, outer(f_ext, i)
        I.append(body.articulated())
        p.append(body.bias_force(v[i]) if given is None else body.bias_force(v[i]) - given)  # (2)
    solves: list = [None] * figure.n
    for i, parent, joint in figure.inward():  # what each joint must move
        at, of = q[figure.q_of[i]], figure.u_of[i]
        drive = tau[of] + passive(joint, at, u[of]) if joint.nu else tau[of]
        solves[i] = joint_solve(joint, at, I[i], p[i], c[i], drive, None if extra is None else extra[of])  # (3)
        if parent >= 0:
            I[parent] = I[parent] + X[i].act_inertia(solves[i].inertia)  # (4)
            p[parent] = p[parent] + X[i].act_force(solves[i].force)  # (5)
    a: list = []
    udot: list = []
    for i, parent, _ in figure.outward():  # how each link accelerates
        given = X[i].undo_motion(lifted(figure) if parent < 0 else a[parent]) + c[i]  # (6)
        own, reached = solves[i].finish(given)  # (7)
        udot.append(own)
        a.append(reached)
    return np.concatenate(udot)
